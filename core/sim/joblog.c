/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/joblog.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/sim/lengths.h"
#include "core/table/order.h"

struct joblog *joblog_new(int64_t until)
{
	struct joblog *h = mem_zalloc(1, sizeof(*h));

	h->begins = h->until = until;
	return h;
}

void joblog_free(struct joblog *h)
{
	if (!h)
		return;
	MEM_FREE(h->jobs, h->by_end, h);
}

void joblog_add(struct joblog *h, const struct joblog_job *job)
{
	MEM_GROW(h->jobs, h->capacity, (size_t)h->count + 1);
	h->jobs[h->count++] = *job;
}

static void sort_submissions(struct joblog *h, struct order_item *items)
{
	struct joblog_job *jobs = mem_alloc((size_t)h->count + 1, sizeof(*jobs));
	uint32_t first = h->count > JOBLOG_MOST ? h->count - JOBLOG_MOST : 0;

	for (uint32_t i = 0; i < h->count; i++)
		items[i] = (struct order_item){ order_key_rising(h->jobs[i].submit), i, 0 };
	order_sort(items, items + h->count, h->count);
	for (uint32_t i = first; i < h->count; i++)
		jobs[i - first] = h->jobs[items[i].row];
	mem_free(h->jobs);
	h->jobs = jobs;
	h->capacity = (size_t)h->count + 1;
	h->count -= first;
}

void joblog_sort(struct joblog *h)
{
	struct order_item *items = mem_alloc((size_t)h->count + 1, 2 * sizeof(*items));

	sort_submissions(h, items);
	h->ended = 0;
	for (uint32_t i = 0; i < h->count; i++) {
		const struct joblog_job *j = &h->jobs[i];

		if (j->start != I64_UNKNOWN && j->end >= j->start)
			items[h->ended++] =
				(struct order_item){ order_key_rising(j->end), i, 0 };
	}
	order_sort(items, items + h->ended, h->ended);
	h->by_end = mem_realloc(h->by_end, (size_t)h->ended + 1, sizeof(*h->by_end));
	for (uint32_t i = 0; i < h->ended; i++)
		h->by_end[i] = items[i].row;
	if (h->ended > 0)
		h->begins = h->jobs[items[0].row].end;
	mem_free(items);
}

static int64_t joblog_known(int64_t time, int64_t until)
{
	return time == I64_UNKNOWN || time > until ? I64_UNKNOWN : time;
}

/* Slurm reports the end as the start of a job cancelled while pending. */
static bool never_ran(const struct replay *r, const struct replay_job *j)
{
	const char *state = replay_word(r, j->state);

	return state && strncmp(state, "CANCELLED", 9) == 0 && j->start == j->end;
}

/* A log that ended earlier says nothing about later times. */
static void find_until(struct joblog *h)
{
	int64_t last = I64_UNKNOWN;

	for (uint32_t i = 0; i < h->count; i++) {
		const struct joblog_job *j = &h->jobs[i];

		last = j->submit > last ? j->submit : last;
		last = j->start > last ? j->start : last;
		last = j->end > last ? j->end : last;
	}
	h->until = h->count > 0 ? last : h->until;
}

struct joblog *joblog_of(struct replay *r, int64_t until)
{
	struct joblog *h = joblog_new(until);

	for (uint32_t i = 0; i < replay_jobs(r); i++) {
		const struct replay_job *j = replay_job(r, i);
		uint32_t procs = j->cpus != U32_UNKNOWN ? j->cpus : j->asked;
		int64_t submit = j->eligible != I64_UNKNOWN && j->eligible > j->submit ?
			j->eligible : j->submit;

		if (submit == I64_UNKNOWN || submit > until || procs == U32_UNKNOWN || procs == 0 ||
		    j->limit == 0 || j->limit >= U32_UNKNOWN)
			continue;
		joblog_add(h, &(struct joblog_job){
			.submit = submit, .end = joblog_known(j->end, until),
			.start = never_ran(r, j) ? I64_UNKNOWN : joblog_known(j->start, until),
			.limit = j->limit, .procs = procs,
			.user = lengths_name(replay_user(r, j->assoc)),
			.account = lengths_name(replay_account(r, j->assoc)) });
	}
	joblog_sort(h);
	find_until(h);
	return h;
}

void joblog_learn(const struct joblog *h, int64_t until, struct lengths *l)
{
	for (uint32_t i = lengths_count(l); i < h->ended; i++) {
		const struct joblog_job *j = &h->jobs[h->by_end[i]];

		if (j->end > until)
			return;
		lengths_add(l, j->user, j->account, j->end - j->start, j->limit);
	}
}
