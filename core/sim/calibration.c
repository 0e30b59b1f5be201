/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/calibration.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/dice.h"
#include "core/base/mem.h"

#define TRIES 1000		/* instants drawn to find those with pending jobs */

struct calibration {
	const struct joblog *h;
	struct likely_options o;
	struct lengths *lengths;	/* of jobs that ended by the last instant */
	struct calibration_score *scores;
	size_t count, capacity;
	uint32_t instants;
	int64_t *times;			/* for calibration_step(); NULL: not drawn yet */
	uint32_t time_count, next;
};

struct calibration *calibration_new(const struct joblog *h, const struct likely_options *o)
{
	struct calibration *c = mem_zalloc(1, sizeof(*c));

	*c = (struct calibration){ .h = h, .o = *o, .lengths = lengths_new() };
	return c;
}

void calibration_free(struct calibration *c)
{
	if (!c)
		return;
	lengths_free(c->lengths);
	MEM_FREE(c->scores, c->times, c);
}

/* ---- the state at an instant --------------------------------------------------------------- */

static bool calib_has_begun(const struct joblog_job *j, int64_t now)
{
	return j->start != I64_UNKNOWN && j->start <= now;
}

static bool is_gone(const struct joblog_job *j, int64_t now)
{
	return j->end != I64_UNKNOWN && j->end <= now;
}

static bool is_waiting(const struct joblog_job *j, int64_t now)
{
	return j->submit <= now && !calib_has_begun(j, now) && !is_gone(j, now);
}

static struct likely_job calib_state_of(const struct joblog_job *j, int64_t now)
{
	return (struct likely_job){ .sim = { .submit = now,
					     .start = j->start,
					     .procs = j->procs,
					     .estimate = !calib_has_begun(j, now) ||
									 j->limit > now - j->start
								 ? j->limit
								 : (uint32_t)(now - j->start + 1) },
				    .user = j->user,
				    .account = j->account };
}

/* Puts running jobs, then pending ones, into JOBS; SOURCE: the log index of each. */
static uint32_t calib_look(const struct calibration *c, int64_t now, struct likely_job *jobs,
			   uint32_t *source, uint32_t *running)
{
	uint32_t n = 0;

	for (unsigned waits = 0; waits < 2; waits++) {
		for (uint32_t i = 0; i < c->h->count && c->h->jobs[i].submit <= now; i++) {
			const struct joblog_job *j = &c->h->jobs[i];

			if (is_gone(j, now) || calib_has_begun(j, now) == waits ||
			    j->procs > c->o.procs || (waits && n - *running == CALIBRATION_MOST))
				continue;
			source[n] = i;
			jobs[n++] = calib_state_of(j, now);
		}
		*running = waits ? *running : n;
	}
	return n;
}

/* ---- computing spans ----------------------------------------------------------------------- */

void calibration_ask(struct calibration *c, int64_t now)
{
	struct likely_job *jobs = mem_alloc((size_t)c->h->count + 1, sizeof(*jobs));
	uint32_t *source = mem_alloc((size_t)c->h->count + 1, sizeof(*source)), running = 0;
	uint32_t count = calib_look(c, now, jobs, source, &running);
	struct likely_options o = c->o;
	struct likely *l;

	o.now = now;
	joblog_learn(c->h, now, c->lengths);
	l = likely_new(jobs, running, count, c->h, c->lengths, &o);
	while (likely_go(l))
		;
	for (uint32_t i = running; i < count && lengths_count(c->lengths) > 0; i++) {
		MEM_GROW(c->scores, c->capacity, c->count + 1);
		c->scores[c->count++] = (struct calibration_score){
			.asked = now, .start = c->h->jobs[source[i]].start, .job = source[i],
			.instant = c->instants, .by_limits = likely_by_limits(l, i - running),
			.span = likely_span_of(l, i - running) };
	}
	c->instants++;
	likely_free(l);
	mem_free(source);
}

static bool somebody_waits(const struct joblog *h, int64_t now)
{
	uint32_t i = 0;

	while (i < h->count && h->jobs[i].submit <= now && !is_waiting(&h->jobs[i], now))
		i++;
	return i < h->count && h->jobs[i].submit <= now;
}

static int ascending_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Draws none from the first quarter of the log: too little is known of the jobs before it. */
static void calib_draw_times(struct calibration *c)
{
	uint64_t dice = dice_stream(c->o.seed, TRIES);
	int64_t from = c->h->begins + (c->h->until - c->h->begins) / 4;
	int64_t span = c->h->until - from;

	c->times = mem_alloc(CALIBRATION_INSTANTS, sizeof(*c->times));
	for (unsigned n = 0; n < TRIES && span > 0 && c->time_count < CALIBRATION_INSTANTS; n++) {
		int64_t time = from + (int64_t)(dice_roll(&dice) >> 11) % span;

		if (somebody_waits(c->h, time))
			c->times[c->time_count++] = time;
	}
	qsort(c->times, c->time_count, sizeof(*c->times), ascending_time);
}

bool calibration_step(struct calibration *c)
{
	if (!c->times)
		calib_draw_times(c);
	if (c->next == c->time_count)
		return false;
	calibration_ask(c, c->times[c->next++]);
	return true;
}

uint32_t calibration_instants(const struct calibration *c)
{
	return c->instants;
}

const struct calibration_score *calibration_scores(const struct calibration *c, size_t *count)
{
	*count = c->count;
	return c->scores;
}

/* ---- results ------------------------------------------------------------------------------- */

static double calib_width(uint32_t from, uint32_t to)
{
	return to > from ? (double)(to - from) : 1;
}

/* The distance of a job's start from its median; if it has not begun, of the present. */
struct distance {
	double off;
	bool begun;
};

static struct distance distance_of(const struct calibration_score *s, int64_t now)
{
	bool begun = s->start != I64_UNKNOWN && s->start <= now;
	double off = (double)((begun ? s->start : now) - s->asked) - (double)s->span.p50;

	off /= off > 0 ? calib_width(s->span.p50, s->span.p90)
		       : calib_width(s->span.p10, s->span.p50);
	return (struct distance){ off, begun };
}

static int by_distance(const void *a, const void *b)
{
	const struct distance *x = a, *y = b;

	if (x->off != y->off)
		return x->off > y->off ? 1 : -1;
	return y->begun - x->begun;
}

/*
 * Finds the ends from COUNT sorted distances. P90: where 9 of 10 have begun, by the estimate of E.
 * Kaplan and P. Meier (JASA 53, 1958), as some jobs are only known to begin later. P10: where 1 of
 * 10 has begun, or may have. So uncertainty makes a span longer.
 */
static void find_ends(const struct distance *all, size_t count, struct likely_factors *f)
{
	double waiting = 1;

	f->p10 = count > 0 ? all[count / 10].off : 0;
	f->p90 = (double)INFINITY;
	for (size_t i = 0; i < count && waiting > 0.1; i++) {
		if (!all[i].begun)
			continue;
		waiting *= 1 - 1 / (double)(count - i);
		f->p90 = waiting > 0.1 ? f->p90 : all[i].off;
	}
}

bool calibration_factors(const struct calibration *c, int64_t now, struct likely_factors *f)
{
	uint32_t first = c->instants > CALIBRATION_INSTANTS ?
			 c->instants - CALIBRATION_INSTANTS : 0;
	struct distance *all = mem_alloc(c->count + 1, sizeof(*all));
	bool *begun = mem_zalloc((size_t)c->h->count + 1, sizeof(*begun));
	size_t n = 0;

	*f = (struct likely_factors){ .starts = 0 };
	for (size_t i = 0; i < c->count; i++) {
		const struct calibration_score *s = &c->scores[i];
		const struct joblog_job *j = &c->h->jobs[s->job];

		if (s->instant < first || (j->start == I64_UNKNOWN && is_gone(j, now)))
			continue;
		all[n] = distance_of(s, now);
		f->starts += all[n].begun && !begun[s->job];
		begun[s->job] = begun[s->job] || all[n].begun;
		n++;
	}
	qsort(all, n, sizeof(*all), by_distance);
	find_ends(all, n, f);
	mem_free(begun);
	mem_free(all);
	return f->starts >= CALIBRATION_LEAST;
}

static uint32_t calib_scaled(const struct likely_span *span, double factor)
{
	double at = (double)span->p50 + factor * (factor > 0 ? calib_width(span->p50, span->p90) :
						  calib_width(span->p10, span->p50));

	return at <= 0 ? 0 : at < LIKELY_NEVER - 1 ? (uint32_t)at : LIKELY_NEVER;
}

struct likely_span likely_span_scale(struct likely_span span, const struct likely_factors *f)
{
	uint32_t p10 = calib_scaled(&span, f->p10), p90 = calib_scaled(&span, f->p90);
	uint32_t p50 = span.p50 < p10 ? p10 : span.p50 > p90 ? p90 : span.p50;

	return (struct likely_span){ p10, p50, p90 };
}
