/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/lengths.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/dice.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/cluster/idmap.h"

/* The kind of a name; further kinds are a user with each limit. */
enum lengths_kind { ACCOUNT, USER };

/* The ended jobs of a user with a limit, of a user, an account or everyone, by end time. */
struct lengths_group {
	float *ratios;			/* run time over limit */
	uint32_t count;
	size_t capacity;
};

struct lengths {
	struct lengths_group *groups;	/* the first is everyone's */
	size_t count, capacity;
	struct idmap by_name;		/* by lengths_key() */
};

/* A group in a series of draws. */
struct deck {
	double last;			/* last ratio drawn for a pending job, < 0: none */
	float *running;			/* ratios drawn for running jobs */
	uint32_t count;
	size_t capacity;
};

struct lengths_draws {
	const struct lengths *l;
	uint64_t dice;
	struct deck *decks;
};

uint64_t lengths_name(const char *name)
{
	return name ? text_hash(name, strlen(name), 0) | 1 : 0;
}

static uint64_t lengths_key(uint64_t name, uint64_t kind)
{
	return dice_stream(name, kind);
}

struct lengths *lengths_new(void)
{
	struct lengths *l = mem_zalloc(1, sizeof(*l));

	l->groups = mem_grow(NULL, &l->capacity, 1, sizeof(*l->groups));
	l->groups[l->count++] = (struct lengths_group){ NULL, 0, 0 };
	return l;
}

void lengths_free(struct lengths *l)
{
	for (size_t i = 0; l && i < l->count; i++)
		mem_free(l->groups[i].ratios);
	if (l) {
		mem_free(l->groups);
		idmap_free(&l->by_name);
	}
	mem_free(l);
}

/* ---- ended jobs ---------------------------------------------------------------------------- */

static void lengths_put(struct lengths *l, uint32_t at, double ratio)
{
	struct lengths_group *g = &l->groups[at];

	MEM_GROW(g->ratios, g->capacity, (size_t)g->count + 1);
	g->ratios[g->count++] = (float)ratio;
}

static uint32_t lengths_group_of(struct lengths *l, uint64_t name)
{
	uint32_t at = idmap_get(&l->by_name, name, LENGTHS_NOBODY);

	if (at != LENGTHS_NOBODY)
		return at;
	at = (uint32_t)l->count;
	MEM_GROW(l->groups, l->capacity, l->count + 1);
	l->groups[l->count++] = (struct lengths_group){ NULL, 0, 0 };
	idmap_put(&l->by_name, name, at);
	return at;
}

void lengths_add(struct lengths *l, uint64_t user, uint64_t account, int64_t run, int64_t limit)
{
	double ratio = run < limit ? (double)run / (double)limit : 1;

	if (run < 0 || limit <= 0 || limit == I64_INFINITE)
		return;
	lengths_put(l, 0, ratio);
	if (account)
		lengths_put(l, lengths_group_of(l, lengths_key(account, ACCOUNT)), ratio);
	if (!user)
		return;
	lengths_put(l, lengths_group_of(l, lengths_key(user, USER)), ratio);
	lengths_put(l, lengths_group_of(l, lengths_key(user, USER + (uint64_t)limit)), ratio);
}

uint32_t lengths_count(const struct lengths *l)
{
	return l->groups[0].count;
}

uint32_t lengths_group(const struct lengths *l, uint64_t user, uint64_t account, int64_t limit)
{
	const uint64_t keys[] = { lengths_key(user, USER + (uint64_t)limit),
				  lengths_key(user, USER), lengths_key(account, ACCOUNT) };
	const bool known[] = { user != 0, user != 0, account != 0 };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		uint32_t at = known[i] ? idmap_get(&l->by_name, keys[i], 0) : 0;

		if (at > 0 && l->groups[at].count >= LENGTHS_LEAST)
			return at;
	}
	return l->groups[0].count > 0 ? 0 : LENGTHS_NOBODY;
}

/* ---- draws --------------------------------------------------------------------------------- */

struct lengths_draws *lengths_draws_new(const struct lengths *l, uint64_t seed, uint32_t series)
{
	struct lengths_draws *d = mem_zalloc(1, sizeof(*d));

	d->l = l;
	d->dice = dice_stream(seed, 1 + (uint64_t)series);
	d->decks = mem_zalloc(l->count, sizeof(*d->decks));
	for (size_t i = 0; i < l->count; i++)
		d->decks[i] = (struct deck){ .last = -1 };
	return d;
}

void lengths_draws_free(struct lengths_draws *d)
{
	for (size_t i = 0; i < d->l->count; i++)
		mem_free(d->decks[i].running);
	mem_free(d->decks);
	mem_free(d);
}

static int64_t run_of(double ratio, int64_t limit)
{
	int64_t run = (int64_t)(ratio * (double)limit + 0.5);

	return ratio >= 1 ? LENGTHS_TO_LIMIT : run > 0 ? run : 1;
}

/* Index of the first of the last LENGTHS_MOST. */
static uint32_t lengths_first_of(const struct lengths_group *g)
{
	return g->count > LENGTHS_MOST ? g->count - LENGTHS_MOST : 0;
}

int64_t lengths_draw(struct lengths_draws *d, uint32_t group, int64_t limit)
{
	const struct lengths_group *g = &d->l->groups[group];
	struct deck *deck = &d->decks[group];
	uint32_t first = lengths_first_of(g), at;

	if (deck->last < 0 || dice_below(&d->dice, 2)) {
		at = dice_below(&d->dice, g->count - first + deck->count);
		deck->last = (double)(at < deck->count ? deck->running[at] :
				      g->ratios[first + at - deck->count]);
	}
	return run_of(deck->last, limit);
}

static void lengths_keep(struct deck *deck, float ratio)
{
	MEM_GROW(deck->running, deck->capacity, (size_t)deck->count + 1);
	deck->running[deck->count++] = ratio;
}

int64_t lengths_draw_running(struct lengths_draws *d, uint32_t group, int64_t limit,
			     int64_t elapsed)
{
	const struct lengths_group *g = &d->l->groups[group];
	struct deck *deck = &d->decks[group];
	int64_t drawn = LENGTHS_TO_LIMIT;
	uint32_t longer = 0;
	float ratio = 1;

	for (uint32_t i = lengths_first_of(g); i < g->count; i++) {
		int64_t run = run_of((double)g->ratios[i], limit);

		if (run > elapsed && dice_below(&d->dice, ++longer) == 0) {
			drawn = run;
			ratio = g->ratios[i];
		}
	}
	lengths_keep(deck, ratio);
	return drawn;
}
