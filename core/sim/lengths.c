/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/lengths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/dice.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/cluster/idmap.h"

enum kind { EVERYONE, ACCOUNT, USER };

/* The ended jobs of one user, of one account or of everyone, by their ends. */
struct group {
	float *ratios;			/* of the limit; 1: all of it */
	uint32_t count;
	size_t capacity;
};

struct lengths {
	struct group *groups;		/* the first is everyone's */
	size_t count, capacity;
	struct idmap by_name;		/* by a hash of kind and name */
};

#define STRETCH 1.16		/* median of the factors, */
#define STRETCH_SIGMA 0.4	/* standard deviation of their logarithms, */
#define CHANGED_PERCENT 15	/* of the groups do something else, */
#define CHANGED 10		/* so much longer */

/* Of a group in a series of draws. */
struct deck {
	double stretch;
	double last;			/* ratio that was drawn for a job that waits, < 0: none */
	float *running;			/* ratios that were drawn for jobs that run */
	uint32_t count;
	size_t capacity;
};

struct lengths_draws {
	const struct lengths *l;
	uint64_t dice;
	struct deck *decks;
};

static uint64_t key(enum kind kind, const char *name)
{
	return text_hash(name, strlen(name), (uint64_t)kind);
}

struct lengths *lengths_new(void)
{
	struct lengths *l = mem_zalloc(1, sizeof(*l));

	l->groups = mem_grow(NULL, &l->capacity, 1, sizeof(*l->groups));
	l->groups[l->count++] = (struct group){ NULL, 0, 0 };
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

/* ---- what ended ---------------------------------------------------------------------------- */

static void put(struct lengths *l, uint32_t at, double ratio)
{
	struct group *g = &l->groups[at];

	g->ratios = mem_grow(g->ratios, &g->capacity, (size_t)g->count + 1, sizeof(*g->ratios));
	g->ratios[g->count++] = (float)ratio;
}

static uint32_t group_of(struct lengths *l, enum kind kind, const char *name)
{
	uint32_t at = idmap_get(&l->by_name, key(kind, name), LENGTHS_NOBODY);

	if (at != LENGTHS_NOBODY)
		return at;
	at = (uint32_t)l->count;
	l->groups = mem_grow(l->groups, &l->capacity, l->count + 1, sizeof(*l->groups));
	l->groups[l->count++] = (struct group){ NULL, 0, 0 };
	idmap_put(&l->by_name, key(kind, name), at);
	return at;
}

void lengths_add(struct lengths *l, const char *user, const char *account, int64_t run,
		 int64_t limit)
{
	double ratio = run < limit ? (double)run / (double)limit : 1;

	if (run < 0 || limit <= 0 || limit == I64_INFINITE)
		return;
	put(l, 0, ratio);
	if (account)
		put(l, group_of(l, ACCOUNT, account), ratio);
	if (user)
		put(l, group_of(l, USER, user), ratio);
}

struct end {
	int64_t time;
	uint32_t job;
};

static int by_time(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	return x->time != y->time ? (x->time > y->time) - (x->time < y->time) :
		(x->job > y->job) - (x->job < y->job);
}

void lengths_take(struct lengths *l, struct replay *r, int64_t until)
{
	struct end *ends = mem_alloc((size_t)replay_jobs(r) + 1, sizeof(*ends));
	uint32_t count = 0;

	for (uint32_t i = 0; i < replay_jobs(r); i++) {
		const struct replay_job *j = replay_job(r, i);

		if (j->start != I64_UNKNOWN && j->end != I64_UNKNOWN && j->end <= until &&
		    j->end > j->start && j->limit < U32_UNKNOWN)
			ends[count++] = (struct end){ j->end, i };
	}
	qsort(ends, count, sizeof(*ends), by_time);
	for (uint32_t i = 0; i < count; i++) {
		const struct replay_job *j = replay_job(r, ends[i].job);

		lengths_add(l, replay_user(r, j->assoc), replay_account(r, j->assoc),
			    j->end - j->start, j->limit);
	}
	mem_free(ends);
}

uint32_t lengths_count(const struct lengths *l)
{
	return l->groups[0].count;
}

uint32_t lengths_group(const struct lengths *l, const char *user, const char *account)
{
	uint32_t at = user ? idmap_get(&l->by_name, key(USER, user), 0) : 0;

	if (account && l->groups[at].count < LENGTHS_LEAST)
		at = 0;
	if (account && at == 0)
		at = idmap_get(&l->by_name, key(ACCOUNT, account), 0);
	if (l->groups[at].count < LENGTHS_LEAST)
		at = 0;
	return l->groups[at].count > 0 ? at : LENGTHS_NOBODY;
}

/* ---- draws --------------------------------------------------------------------------------- */

/* Near enough to a normal distribution: twelve even ones. */
static double stretch_of(uint64_t *dice)
{
	double z = -6;

	for (unsigned i = 0; i < 12; i++)
		z += dice_below(dice, UINT32_C(1) << 30) / 1073741824.0;
	return STRETCH * exp(STRETCH_SIGMA * z) *
	       (dice_below(dice, 100) < CHANGED_PERCENT ? CHANGED : 1);
}

struct lengths_draws *lengths_draws_new(const struct lengths *l, uint64_t seed, uint32_t series)
{
	struct lengths_draws *d = mem_zalloc(1, sizeof(*d));

	d->l = l;
	d->dice = dice_stream(seed, 1 + (uint64_t)series);
	d->decks = mem_zalloc(l->count, sizeof(*d->decks));
	for (size_t i = 0; i < l->count; i++)
		d->decks[i] = (struct deck){ .stretch = stretch_of(&d->dice), .last = -1 };
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

/* The first of the last LENGTHS_MOST. */
static uint32_t first_of(const struct group *g)
{
	return g->count > LENGTHS_MOST ? g->count - LENGTHS_MOST : 0;
}

int64_t lengths_draw(struct lengths_draws *d, uint32_t group, int64_t limit)
{
	const struct group *g = &d->l->groups[group];
	struct deck *deck = &d->decks[group];
	uint32_t first = first_of(g), at;

	if (deck->last < 0 || dice_below(&d->dice, 2)) {
		at = dice_below(&d->dice, g->count - first + deck->count);
		deck->last = (double)(at < deck->count ? deck->running[at] :
				      g->ratios[first + at - deck->count]);
	}
	return run_of(deck->last * deck->stretch, limit);
}

static void keep(struct deck *deck, float ratio)
{
	deck->running = mem_grow(deck->running, &deck->capacity, (size_t)deck->count + 1,
				 sizeof(*deck->running));
	deck->running[deck->count++] = ratio;
}

int64_t lengths_draw_running(struct lengths_draws *d, uint32_t group, int64_t limit,
			     int64_t elapsed)
{
	const struct group *g = &d->l->groups[group];
	struct deck *deck = &d->decks[group];
	int64_t drawn = LENGTHS_TO_LIMIT;
	uint32_t longer = 0;
	float ratio = 1;

	for (uint32_t i = first_of(g); i < g->count; i++) {
		int64_t run = run_of((double)g->ratios[i] * deck->stretch, limit);

		if (run > elapsed && dice_below(&d->dice, ++longer) == 0) {
			drawn = run;
			ratio = g->ratios[i];
		}
	}
	keep(deck, ratio);
	return drawn;
}
