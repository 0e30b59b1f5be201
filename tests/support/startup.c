/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/startup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "tests/support/copy.h"
#include "tests/support/reference.h"

static void report(struct builder *b, const struct reference *r)
{
	const struct cluster *c = r->cluster;

	for (uint32_t i = 0; i < r->tree->n; i++) {
		uint32_t row = builder_add(b, TABLE_ASSOC);

		builder_u32(b, F_ASSOC_ID, row, cluster_u32(c, F_ASSOC_ID, i));
		if (i != 0)
			builder_u32(b, F_ASSOC_PARENT, row, cluster_u32(c, F_ASSOC_PARENT, i));
		builder_str(b, F_ASSOC_ACCOUNT, row, cluster_text(c, F_ASSOC_ACCOUNT, i));
		builder_str(b, F_ASSOC_USER, row, cluster_text(c, F_ASSOC_USER, i));
		builder_str(b, F_ASSOC_PARTITION, row, cluster_text(c, F_ASSOC_PARTITION, i));
		builder_u32(b, F_ASSOC_SHARES, row, r->tree->shares[i]);
		builder_f64(b, F_ASSOC_USAGE, row, cluster_f64(c, F_ASSOC_USAGE, i));
		builder_f64(b, F_ASSOC_R_NORM_SHARES, row, r->norm_shares[i]);
		builder_f64(b, F_ASSOC_R_EFFECTIVE_USAGE, row, (double)r->effective_usage[i]);
		if (!isnan(r->fairshare[i]))
			builder_f64(b, F_ASSOC_R_FAIRSHARE, row, r->fairshare[i]);
		if (i != 0)
			builder_f64(b, F_ASSOC_R_NORM_USAGE, row, (double)r->norm_usage[i]);
		if (i != 0 && !isnan((double)r->level_fs[i]))
			builder_f64(b, F_ASSOC_R_LEVEL_FS, row, (double)r->level_fs[i]);
	}
}

static struct cluster *seal(struct builder *b)
{
	struct err err = { 0 };
	struct cluster *c = builder_seal(b, &err);

	if (!c) {
		fprintf(stderr, "startup: %s\n", err.message);
		exit(1);
	}
	return c;
}

/* The reported columns of R on the associations of its cluster. */
static struct builder *report_of(const struct reference *r, uint32_t flags)
{
	struct builder *b = builder_new();

	*builder_policy(b) = *cluster_policy(r->cluster);
	builder_policy(b)->flags = flags;
	report(b, r);
	return b;
}

static void free_both(struct reference *r)
{
	struct fs_tree *tree = (struct fs_tree *)(uintptr_t)r->tree;

	reference_free(r);
	fs_tree_free(tree);
}

static struct cluster *reporting(struct reference *r, uint32_t flags)
{
	struct cluster *after = seal(report_of(r, flags));

	free_both(r);
	return after;
}

static double take_usage(void *context, enum field field, uint32_t row, double value)
{
	return field == F_ASSOC_USAGE ? ((const double *)context)[row] : value;
}

struct cluster *startup_use_more(const struct cluster *c, unsigned pass)
{
	uint32_t n = cluster_rows(c, TABLE_ASSOC);
	double *usage = mem_zalloc(n, sizeof(*usage));
	struct cluster *after;

	for (uint32_t i = n; i-- > 0;) {
		uint32_t parent = cluster_parent(c)[i];

		if (cluster_is_user(c, i))
			usage[i] = cluster_f64(c, F_ASSOC_USAGE, i) * 0.999 +
				   ((i + pass) % 3 == 0 ? 1000.0 * (1 + i % 7) : 0);
		if (parent != ROW_NONE)
			usage[parent] += usage[i];
	}
	after = copy_changed(c, take_usage, usage);
	mem_free(usage);
	return after;
}

#define BUSY_TIME INT64_C(1800000000)

/* A number that has no common divisor with N. */
static uint32_t step_for(uint32_t n)
{
	static const uint32_t primes[] = { 61, 67, 71, 73, 79 };
	size_t i = 0;

	while (i < 4 && n % primes[i] == 0)
		i++;
	return primes[i];
}

/* Sets a parameter as if it had been read, so that a recording keeps it. */
static void tell_policy(struct builder *b, const char *name, uint64_t value)
{
	policy_set_number(builder_policy(b), policy_param(name), value);
}

void startup_busy(const struct cluster *const *usages, unsigned count, struct cluster **pictures)
{
	struct reference *r = reference_new(usages[0], fs_tree_new(usages[0], FS_ORDER_LIST),
					    FS_DEPTH_OBLIVIOUS);

	reference_pass(r);
	reference_pass(r);
	for (unsigned k = 0; k < count; k++) {
		struct builder *b;

		reference_pass_busy(r, usages[k], k % 2 == 1 ? step_for(r->tree->n) : 1);
		b = report_of(r, PF_DEPTH_OBLIVIOUS);
		tell_policy(b, "PriorityFlags", PF_DEPTH_OBLIVIOUS);
		tell_policy(b, "PriorityCalcPeriod", 60);
		tell_policy(b, "FairShareDampeningFactor", builder_policy(b)->damping);
		builder_meta(b, &(struct cluster_meta){
			.kind = "slurm", .name = "busy", .version = "22.05.8", .zone = "",
			.time = BUSY_TIME + 60 * k + 60, .last_decay = BUSY_TIME + 60 * k,
			.boot = BUSY_TIME - 3600, .last_reset = I64_UNKNOWN });
		builder_str(b, F_JOB_STATE, builder_add(b, TABLE_JOB), "RUNNING");
		pictures[k] = seal(b);
	}
	free_both(r);
}

struct cluster *startup_after(const struct cluster *c, unsigned passes)
{
	struct reference *r = reference_new(c, fs_tree_new(c, FS_ORDER_LIST), FS_DEPTH_OBLIVIOUS);

	for (unsigned pass = 0; pass < passes; pass++)
		reference_pass(r);
	return reporting(r, PF_DEPTH_OBLIVIOUS);
}

struct cluster *startup_settled(const struct cluster *c, enum fs_algorithm algorithm)
{
	static const uint32_t flags[FS_ALGORITHMS] = { [FS_DEPTH_OBLIVIOUS] = PF_DEPTH_OBLIVIOUS,
						       [FS_CLASSIC] = PF_NO_FAIR_TREE };
	struct reference *r = reference_new(c, fs_tree_new(c, FS_ORDER_LIST), algorithm);

	reference_settle(r);
	return reporting(r, flags[algorithm]);
}
