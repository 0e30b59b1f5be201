/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs starts, ends and passes in order of time. */
#include "core/replay/replay_private.h"

#include <string.h>

#include "core/share/decay.h"
#include "core/base/mem.h"
#include "core/base/timestr.h"
#include "core/table/order.h"

#define PASSES_MAX 50000000
#define PART 262144u		/* jobs sorted at once: 27 MB, and 8 to sort them */

/* Job numbers in the order of one of their times; jobs without it are left out. */
struct replay_order {
	uint32_t *jobs;
	bool in_room;
	size_t count, at;		/* AT is the next one */
	size_t offset;			/* of the time within struct replay_job */
};

struct replay_run_state {
	struct replay *r;
	const struct replay_options *o;
	struct replay_order submits, starts, ends;
	uint32_t *fresh;		/* jobs started since the last pass */
	size_t fresh_count, fresh_capacity;
	struct replay_alive alive;
	int64_t since, last;		/* when charging began; the last pass */
	int64_t due;			/* the next picture */
	int64_t reset;			/* the next reset of usage, I64_UNKNOWN: none */
};

/* ---- orders -------------------------------------------------------------------------------- */

static int64_t replay_time_of(const struct replay *r, const struct replay_order *o, uint32_t job)
{
	int64_t t;

	memcpy(&t, (const char *)&r->jobs[job] + o->offset, sizeof(t));
	return t;
}

static void sort_part(struct replay *r, const struct replay_order *o, uint32_t *jobs,
		      uint32_t count)
{
	struct order_item *items = mem_alloc(count, 2 * sizeof(*items));

	for (uint32_t i = 0; i < count; i++) {
		items[i].key = order_key_rising(replay_time_of(r, o, jobs[i]));
		items[i].row = jobs[i];
		storage_touch(r, 1);
	}
	order_sort(items, items + count, count);
	for (uint32_t i = 0; i < count; i++)
		jobs[i] = items[i].row;
	mem_free(items);
}

/* Merges two sorted parts of FROM, LEFT and COUNT - LEFT long, into TO. */
static void replay_merge(struct replay *r, const struct replay_order *o, const uint32_t *from,
			 uint32_t *to, size_t left, size_t count)
{
	size_t a = 0, b = left;

	for (size_t i = 0; i < count; i++) {
		bool second = a == left ||
			      (b < count &&
			       replay_time_of(r, o, from[b]) < replay_time_of(r, o, from[a]));

		to[i] = second ? from[b++] : from[a++];
		storage_touch(r, 2);
	}
}

static uint32_t *replay_order_alloc(struct replay *r, size_t count, bool *in_room)
{
	*in_room = false;
	return storage_grow(r, NULL, in_room, 0, (count + 1) * sizeof(uint32_t));
}

/*
 * Sorts parts and merges them: logs are roughly in the order of time, so the jobs read are close
 * together, and the rest may stay in the storage.
 */
static void replay_order_sort(struct replay *r, struct replay_order *o)
{
	struct replay_order spare = { .count = o->count, .offset = o->offset };

	spare.jobs = replay_order_alloc(r, o->count, &spare.in_room);
	for (size_t at = 0; at < o->count; at += PART)
		sort_part(r, o, o->jobs + at,
			  o->count - at < PART ? (uint32_t)(o->count - at) : PART);
	for (size_t width = PART; width < o->count; width *= 2) {
		struct replay_order merged = spare;

		for (size_t at = 0; at < o->count; at += 2 * width) {
			size_t count = o->count - at < 2 * width ? o->count - at : 2 * width;

			replay_merge(r, o, o->jobs + at, merged.jobs + at,
				     count < width ? count : width, count);
		}
		spare = *o;
		*o = merged;
	}
	storage_free(r, spare.jobs, spare.in_room);
}

static void order_open(struct replay *r, struct replay_order *o, size_t offset)
{
	int64_t last = INT64_MIN;
	bool sorted = true;

	o->offset = offset;
	o->jobs = replay_order_alloc(r, r->job_count, &o->in_room);
	for (uint32_t i = 0; i < r->job_count; i++) {
		int64_t t = replay_time_of(r, o, i);

		storage_touch(r, 1);
		if (t == I64_UNKNOWN)
			continue;
		sorted = sorted && t >= last;
		last = t;
		o->jobs[o->count++] = i;
	}
	if (!sorted)
		replay_order_sort(r, o);
}

/* The time of the next one; INT64_MAX after the last. */
static int64_t order_next(const struct replay *r, const struct replay_order *o)
{
	return o->at < o->count ? replay_time_of(r, o, o->jobs[o->at]) : INT64_MAX;
}

/* ---- charging ------------------------------------------------------------------------------ */

static double rate_of(const struct replay_job *job)
{
	return job->billing * (job->factor < 0 ? 1 : job->factor);
}

static int64_t replay_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void replay_begin_job(struct replay_run_state *run, uint32_t i)
{
	MEM_GROW(run->fresh, run->fresh_capacity, run->fresh_count + 1);
	run->fresh[run->fresh_count++] = i;
}

/* Charges the last slice at once. */
static void replay_end_job(struct replay_run_state *run, uint32_t i)
{
	struct replay_job *job = &run->r->jobs[i];
	struct replay_node *n = &run->r->nodes[job->assoc];

	job->flags |= JOB_ENDED;
	if (job->start == I64_UNKNOWN)
		return;
	n->own += decay_charge(run->o->half_life, job->end - replay_later(job->start, run->last),
			       job->billing, job->factor);
	if (job->flags & JOB_STEADY) {
		n->rate -= rate_of(job);
		if (--n->steady == 0)	/* also drops rounding errors */
			n->rate = 0;
	}
}

static void replay_charge_until(struct replay_run_state *run, int64_t now)
{
	for (size_t i = 0; i < run->fresh_count; i++) {
		struct replay_job *job = &run->r->jobs[run->fresh[i]];
		struct replay_node *n = &run->r->nodes[job->assoc];

		if (job->flags & JOB_ENDED)
			continue;
		n->own += decay_charge(run->o->half_life, now - replay_later(job->start, run->last),
				       job->billing, job->factor);
		n->rate += rate_of(job);
		n->steady++;
		job->flags |= JOB_STEADY;
	}
	run->fresh_count = 0;
}

/* Finds the reset after FROM. */
static void replay_find_reset(struct replay_run_state *run, int64_t from)
{
	const struct replay_options *o = run->o;

	if (!o->reset_period ||
	    !reset_next(o->reset_period, from, from, o->calendar, &run->reset))
		run->reset = I64_UNKNOWN;
}

static void replay_pass(struct replay_run_state *run, int64_t now)
{
	bool is_reset = run->reset != I64_UNKNOWN && now >= run->reset;
	double left = is_reset ? 0 : decay_over(run->o->half_life, now - run->last);
	double slice = decay_charge(run->o->half_life, now - run->last, 1, 1);

	if (is_reset) {
		run->alive.last_reset = run->reset;
		replay_find_reset(run, run->reset);
	}
	for (size_t i = 0; i < run->r->node_count; i++) {
		struct replay_node *n = &run->r->nodes[i];

		n->own = n->own * left + n->rate * slice;
	}
	replay_charge_until(run, now);
	run->last = now;
}

/* ---- time ---------------------------------------------------------------------------------- */

static void replay_events_until(struct replay_run_state *run, int64_t now)
{
	struct replay *r = run->r;

	for (;; storage_touch(r, 1)) {
		int64_t start = order_next(r, &run->starts), end = order_next(r, &run->ends);

		if (start <= now && start <= end) {
			uint32_t i = run->starts.jobs[run->starts.at++];
			int64_t its_end = r->jobs[i].end;

			/* A job that ended before charging began is part of the initial usage. */
			if (its_end == I64_UNKNOWN || its_end > run->since || start >= run->since)
				replay_begin_job(run, i);
		} else if (end <= now) {
			uint32_t i = run->ends.jobs[run->ends.at++];

			if (end > run->since)
				replay_end_job(run, i);
			else
				r->jobs[i].flags |= JOB_ENDED;
		} else {
			return;
		}
	}
}

static bool replay_take_picture(struct replay_run_state *run, int64_t now, replay_sample *sample,
				void *context, struct err *err)
{
	struct replay_alive *alive = &run->alive;
	struct cluster *c;

	while (order_next(run->r, &run->submits) <= now) {
		MEM_GROW(alive->jobs, alive->capacity, alive->count + 1);
		alive->jobs[alive->count++] = run->submits.jobs[run->submits.at++];
	}
	storage_touch(run->r, alive->count);
	c = replay_picture(run->r, run->o, alive, now, err);
	return c && sample(context, c, err);
}

static bool run_all(struct replay_run_state *run, int64_t last, replay_sample *sample,
		    void *context, struct err *err)
{
	const struct replay_options *o = run->o;
	int64_t now = o->passes ? o->passes[0] : run->since;
	size_t i = 0;

	for (;;) {
		replay_events_until(run, now);
		replay_pass(run, now);
		if (sample && (now >= run->due || now >= last)) {
			run->due = now + o->every;
			if (!replay_take_picture(run, now, sample, context, err))
				return false;
		}
		if (now >= last)
			return true;
		now = o->passes ? o->passes[++i] : now + o->period;
	}
}

/* First and last time of any job. */
static bool events_range(struct replay *r, int64_t *first, int64_t *last)
{
	*first = INT64_MAX;
	*last = INT64_MIN;
	for (size_t i = 0; i < r->job_count; i++) {
		const int64_t times[] = { r->jobs[i].submit, r->jobs[i].start, r->jobs[i].end };

		for (size_t k = 0; k < 3; k++) {
			if (times[k] == I64_UNKNOWN)
				continue;
			*first = times[k] < *first ? times[k] : *first;
			*last = times[k] > *last ? times[k] : *last;
		}
		storage_touch(r, 1);
	}
	return *first <= *last;
}

bool replay_range(struct replay *r, const struct replay_options *o, int64_t *first, int64_t *last)
{
	if (!events_range(r, first, last))
		return false;
	if (o->since != I64_UNKNOWN)
		*first = o->since;
	if (o->passes)
		*last = o->passes[o->pass_count - 1];
	else if (*last > *first)
		*last = *first + (*last - *first + o->period - 1) / o->period * o->period;
	return true;
}

static void run_free(struct replay_run_state *run)
{
	storage_free(run->r, run->submits.jobs, run->submits.in_room);
	storage_free(run->r, run->starts.jobs, run->starts.in_room);
	storage_free(run->r, run->ends.jobs, run->ends.in_room);
	mem_free(run->fresh);
	mem_free(run->alive.jobs);
	replay_forget(&run->alive);
}

bool replay_run(struct replay *r, const struct replay_options *o, replay_sample *sample,
		void *context, struct err *err)
{
	struct replay_run_state run = { .r = r, .o = o, .due = INT64_MIN };
	int64_t first, last;
	bool good;

	if (!replay_range(r, o, &first, &last))
		return err_set(err, ERR_INPUT, "no job has a time (expected at least one)");
	if (!o->passes && (last - first) / o->period > PASSES_MAX)
		return err_set(err, ERR_INPUT,
			       "the jobs span %.0f years, with more than %d passes (expected "
			       "fewer: a longer period between them, or a log of one machine)",
			       (double)(last - first) / (365.25 * 86400), PASSES_MAX);
	run.since = o->passes && o->since == I64_UNKNOWN && o->passes[0] < first ?
		o->passes[0] : first;
	run.last = run.since;
	run.alive.last_reset = I64_UNKNOWN;
	replay_find_reset(&run, run.since);
	order_open(r, &run.submits, offsetof(struct replay_job, submit));
	order_open(r, &run.starts, offsetof(struct replay_job, start));
	order_open(r, &run.ends, offsetof(struct replay_job, end));
	good = run_all(&run, last, sample, context, err);
	replay_sum(r);
	run_free(&run);
	return good;
}
