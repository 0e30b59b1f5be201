/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/likely.h"

#include <stdlib.h>

#include "core/base/mem.h"

struct likely {
	struct likely_job *jobs;
	uint32_t waiting, count, done;
	const struct lengths *lengths;
	uint64_t seed;
	likely_play *play;
	void *context;
	int64_t *runs;			/* of the round */
	uint32_t *round;		/* its starts */
	uint32_t *starts;		/* of each job that waits, LIKELY_ROUNDS of them */
};

struct likely *likely_new(struct likely_job *jobs, uint32_t waiting, uint32_t count,
			  const struct lengths *lengths, uint64_t seed, likely_play *play,
			  void *context)
{
	struct likely *l = mem_zalloc(1, sizeof(*l));

	*l = (struct likely){ .jobs = jobs, .waiting = waiting, .count = count, .seed = seed,
			      .lengths = lengths, .play = play, .context = context };
	l->runs = mem_alloc((size_t)count + 1, sizeof(*l->runs));
	l->round = mem_alloc((size_t)waiting + 1, sizeof(*l->round));
	l->starts = mem_alloc((size_t)waiting * LIKELY_ROUNDS + 1, sizeof(*l->starts));
	return l;
}

void likely_free(struct likely *l)
{
	if (!l)
		return;
	mem_free(l->jobs);
	mem_free(l->runs);
	mem_free(l->round);
	mem_free(l->starts);
	mem_free(l);
}

bool likely_go(struct likely *l)
{
	struct lengths_draws *d;

	if (l->done == LIKELY_ROUNDS)
		return false;
	d = lengths_draws_new(l->lengths, l->seed, l->done);
	for (uint32_t i = l->count; i-- > 0;) {		/* who runs first */
		const struct likely_job *j = &l->jobs[i];

		l->runs[i] = j->limit == I64_INFINITE ? LENGTHS_TO_LIMIT :
			     j->elapsed == LIKELY_WAITS ? lengths_draw(d, j->group, j->limit) :
			     lengths_draw_running(d, j->group, j->limit, j->elapsed);
	}
	lengths_draws_free(d);
	l->play(l->context, l->runs, l->round);
	for (uint32_t i = 0; i < l->waiting; i++)
		l->starts[(size_t)i * LIKELY_ROUNDS + l->done] = l->round[i];
	l->done++;
	return true;
}

static int ascending(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

struct likely_span likely_span_of(struct likely *l, uint32_t job)
{
	uint32_t *starts = l->starts + (size_t)job * LIKELY_ROUNDS, n = l->done;

	if (n == 0)
		return (struct likely_span){ LIKELY_NEVER, LIKELY_NEVER, LIKELY_NEVER };
	qsort(starts, n, sizeof(*starts), ascending);
	return (struct likely_span){ starts[(n * 10 + 99) / 100 - 1],
				     starts[(n * 50 + 99) / 100 - 1],
				     starts[(n * 90 + 99) / 100 - 1] };
}
