/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/gen_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/mem.h"

uint64_t gen_next(uint64_t *state)
{
	uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

double gen_unit(uint64_t *state)
{
	return (double)(gen_next(state) >> 11) * 0x1p-53;
}

static uint32_t below(uint64_t *state, uint32_t limit)
{
	return (uint32_t)(gen_next(state) % limit);
}

static bool happens(uint64_t *state, uint32_t of_1000)
{
	return below(state, 1000) < of_1000;
}

static uint32_t make_shares(uint64_t *state, const struct gen_options *o, bool user)
{
	if (happens(state, user ? o->parent_users : o->parent_accounts))
		return SHARES_PARENT;
	if (happens(state, o->zero_shares))
		return 0;
	return o->ties ? 1 + below(state, 3) : 1 + below(state, 1000);
}

/* Between 1 and 10^9 TRES seconds; every order of magnitude is equally likely. */
static double make_usage(uint64_t *state, const struct gen_options *o, uint32_t shares)
{
	if (o->ties)
		return 10.0 * below(state, 4);
	if (o->balanced && shares != SHARES_PARENT)
		return floor(1000.0 * shares * (0.5 + gen_unit(state)) + 1);
	return floor(pow(10, 9 * gen_unit(state)));
}

/* The arrays have space for one more row. */
struct gen_rows *gen_rows_new(const struct gen_options *o)
{
	struct gen_rows *g = mem_zalloc(1, sizeof(*g));
	size_t room = (size_t)o->nodes + 1;
	uint32_t *accounts = mem_alloc(o->nodes, sizeof(uint32_t)), count = 0;
	uint64_t state = o->seed;

	g->n = o->nodes;
	g->parent = mem_alloc(room, sizeof(uint32_t));
	g->shares = mem_alloc(room, sizeof(uint32_t));
	g->user = mem_zalloc(room, 1);
	g->partition = mem_zalloc(room, sizeof(uint32_t));
	g->own = mem_zalloc(room, sizeof(double));
	g->name = mem_alloc(room, sizeof(uint32_t));
	g->parent[0] = ROW_NONE;
	g->shares[0] = 1;
	g->name[0] = 0;
	accounts[count++] = 0;
	for (uint32_t i = 1; i < g->n; i++) {
		bool deep = happens(&state, o->deep);

		g->name[i] = i;
		if (i > 1 && g->user[i - 1] && happens(&state, o->partitions)) {
			g->user[i] = 1;
			g->parent[i] = g->parent[i - 1];
			g->name[i] = g->name[i - 1];
			g->partition[i] = g->partition[i - 1] + 1;
		} else {
			g->user[i] = happens(&state, o->users);
			g->parent[i] =
				accounts[deep && !g->user[i] ? count - 1 : below(&state, count)];
			if (!g->user[i])
				accounts[count++] = i;
		}
		g->shares[i] = make_shares(&state, o, g->user[i]);
		if (g->user[i] ? !happens(&state, o->unused) : happens(&state, o->own_usage))
			g->own[i] = make_usage(&state, o, g->shares[i]);
	}
	mem_free(accounts);
	return g;
}

void gen_rows_free(struct gen_rows *g)
{
	mem_free(g->parent);
	mem_free(g->shares);
	mem_free(g->user);
	mem_free(g->partition);
	mem_free(g->own);
	mem_free(g->name);
	mem_free(g);
}

static double *subtree_usage(const struct gen_rows *g)
{
	double *usage = mem_zalloc(g->n, sizeof(double));

	for (uint32_t i = 0; i < g->n; i++) {
		for (uint32_t p = i; g->own[i] > 0 && p != ROW_NONE; p = g->parent[p])
			usage[p] += g->own[i];
	}
	return usage;
}

struct builder *gen_builder(const struct gen_rows *g, const uint32_t *order, uint32_t damping)
{
	struct builder *b = builder_new();
	double *usage = subtree_usage(g);
	char name[32];

	builder_policy(b)->damping = damping;
	for (uint32_t j = 0; j < g->n; j++) {
		uint32_t i = order ? order[j] : j, row = builder_add(b, TABLE_ASSOC);
		uint32_t account = g->user[i] ? g->parent[i] : i;

		builder_u32(b, F_ASSOC_ID, row, i + 1);
		if (i != 0)
			builder_u32(b, F_ASSOC_PARENT, row, g->parent[i] + 1);
		snprintf(name, sizeof(name), "a%u", account);
		builder_str(b, F_ASSOC_ACCOUNT, row, account == 0 ? "root" : name);
		if (g->user[i]) {
			snprintf(name, sizeof(name), "u%u", g->name[i]);
			builder_str(b, F_ASSOC_USER, row, name);
		}
		if (g->partition[i] > 0) {
			snprintf(name, sizeof(name), "p%u", g->partition[i]);
			builder_str(b, F_ASSOC_PARTITION, row, name);
		}
		builder_u32(b, F_ASSOC_SHARES, row, g->shares[i]);
		builder_f64(b, F_ASSOC_USAGE, row, usage[i]);
	}
	mem_free(usage);
	return b;
}

struct cluster *gen_build(const struct gen_rows *g, const uint32_t *order, uint32_t damping)
{
	struct err err = { 0 };
	struct cluster *c = builder_seal(gen_builder(g, order, damping), &err);

	if (!c) {
		fprintf(stderr, "generated tree: %s\n", err.message);
		exit(1);
	}
	return c;
}

struct cluster *gen_tree(const struct gen_options *options)
{
	struct gen_rows *g = gen_rows_new(options);
	struct cluster *c = gen_build(g, NULL, 1);

	gen_rows_free(g);
	return c;
}
