/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Likely spans of a log, calibrated: they hold where spans of the draws alone do not, use nothing
 * from later than their instant, and are absent where too few jobs waited.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/dice.h"
#include "core/base/mem.h"
#include "core/sim/calibration.h"

#define LOGS 16
#define JOBS 1200
#define PROCS 32

static const struct likely_options options = { .policy = SIM_EASY, .procs = PROCS, .seed = 1 };

/*
 * A log of eight users on a nearly full machine. Each user repeats a run time for some jobs, then
 * changes it, so a user's past is too confident a predictor.
 */
static struct joblog *some_log(uint64_t seed)
{
	struct sim_job *jobs = mem_zalloc(JOBS, sizeof(*jobs));
	const struct sim_options o = { .policy = SIM_EASY, .procs = PROCS };
	struct joblog *log = joblog_new(INT64_MAX);
	uint64_t dice = dice_stream(seed, 1), user[JOBS];
	uint32_t percent[8] = { 0 };
	struct err err;
	int64_t now = 0;

	for (uint32_t i = 0; i < JOBS; i++) {
		uint32_t u = dice_below(&dice, 8), limit = 100 * (1 + dice_below(&dice, 12));

		if (percent[u] == 0 || dice_below(&dice, 12) == 0)
			percent[u] = 1 + dice_below(&dice, 100);
		now += dice_below(&dice, 115);
		user[i] = u + 1;
		jobs[i] = (struct sim_job){ .submit = now, .procs = 1 + dice_below(&dice, 12),
					    .estimate = limit, .run = limit / 100 * percent[u] };
	}
	assert_true(sim_run(jobs, JOBS, &o, &err));
	for (uint32_t i = 0; i < JOBS; i++)
		joblog_add(log, &(struct joblog_job){
			.submit = jobs[i].submit, .start = jobs[i].start,
			.end = jobs[i].start + jobs[i].run, .user = user[i],
			.limit = jobs[i].estimate, .procs = jobs[i].procs });
	joblog_sort(log);
	mem_free(jobs);
	return log;
}

/* Returns what was known of WHOLE at NOW. */
static struct joblog *until(const struct joblog *whole, int64_t now)
{
	struct joblog *log = joblog_new(now);

	for (uint32_t i = 0; i < whole->count; i++) {
		struct joblog_job j = whole->jobs[i];

		if (j.submit > now)
			continue;
		j.start = j.start > now ? I64_UNKNOWN : j.start;
		j.end = j.end > now ? I64_UNKNOWN : j.end;
		joblog_add(log, &j);
	}
	joblog_sort(log);
	return log;
}

/* ---- how often they hold ------------------------------------------------------------------- */

/* Counts the starts of jobs that waited, and those within their spans. */
struct held {
	unsigned judged, plain, scaled;
};

/* Counts starts predicted in the second half, with spans scaled by what came before. */
static void count_held(uint64_t seed, struct held *h)
{
	struct joblog *log = some_log(seed);
	struct calibration *c = calibration_new(log, &options);
	int64_t last = log->jobs[JOBS - 1].submit;
	size_t count, before = 0;

	for (unsigned n = 1; n < 80; n++) {
		int64_t now = last / 80 * n;
		const struct calibration_score *s;
		struct likely_factors f;
		bool known = calibration_factors(c, now, &f);

		calibration_ask(c, now);
		s = calibration_scores(c, &count);
		for (size_t i = before; i < count && n >= 40 && known; i++) {
			struct likely_span scaled = likely_span_scale(s[i].span, &f);
			int64_t waits = s[i].start - now;

			assert_true(scaled.p10 <= scaled.p50 && scaled.p50 <= scaled.p90);
			h->judged++;
			h->plain += s[i].span.p10 <= waits && waits <= s[i].span.p90;
			h->scaled += scaled.p10 <= waits && waits <= scaled.p90;
		}
		before = count;
	}
	calibration_free(c);
	joblog_free(log);
}

static void spans_hold(void **state)
{
	struct held h = { 0, 0, 0 };

	(void)state;
	for (uint64_t seed = 1; seed <= LOGS; seed++)
		count_held(seed, &h);
	assert_true(h.judged > 1000);
	assert_true(h.plain < h.judged / 100 * 70);
	assert_in_range(h.scaled, h.judged / 100 * 72, h.judged / 100 * 88);
}

/* ---- nothing later is known ---------------------------------------------------------------- */

static void nothing_later(void **state)
{
	struct joblog *whole = some_log(4);
	size_t count, known_count;

	(void)state;
	for (unsigned n = 2; n < 10; n++) {
		int64_t now = whole->jobs[JOBS / 10 * n].submit;
		struct joblog *known = until(whole, now);
		struct calibration *a = calibration_new(whole, &options);
		struct calibration *b = calibration_new(known, &options);
		const struct calibration_score *x, *y;

		calibration_ask(a, now);
		calibration_ask(b, now);
		x = calibration_scores(a, &count);
		y = calibration_scores(b, &known_count);
		assert_int_equal(count, known_count);
		for (size_t i = 0; i < count; i++) {
			assert_memory_equal(&x[i].span, &y[i].span, sizeof(x[i].span));
			assert_int_equal(x[i].by_limits, y[i].by_limits);
			assert_true(x[i].start > now && y[i].start == I64_UNKNOWN);
		}
		calibration_free(a);
		calibration_free(b);
		joblog_free(known);
	}
	joblog_free(whole);
}

/* ---- the same draws ------------------------------------------------------------------------ */

/* Returns the likely spans of 40 jobs at LOG's end; LOOKS: reads a span between the rounds. */
static struct likely_span *spans_of(const struct joblog *log, uint64_t seed, bool looks,
				    size_t *count)
{
	struct likely_options o = options;
	struct lengths *lengths = lengths_new();
	struct likely_job *jobs = mem_zalloc(JOBS, sizeof(*jobs));
	struct likely_span *spans = mem_zalloc(JOBS, sizeof(*spans));
	struct likely *l;

	joblog_learn(log, log->until, lengths);
	o.now = log->until;
	o.seed = seed;
	*count = 40;
	for (size_t i = 0; i < *count; i++)
		jobs[i] = (struct likely_job){ .user = 1 + i % 8, .sim = {
			.submit = o.now, .procs = 8 + (uint32_t)i % 8, .estimate = 600 } };
	l = likely_new(jobs, 0, (uint32_t)*count, log, lengths, &o);
	while (likely_go(l)) {
		if (looks)
			(void)likely_span_of(l, 0);
	}
	for (uint32_t i = 0; i < *count; i++)
		spans[i] = likely_span_of(l, i);
	likely_free(l);
	lengths_free(lengths);
	return spans;
}

static void same_seed(void **state)
{
	struct joblog *whole = some_log(5), *log = until(whole, whole->jobs[JOBS / 2].submit);
	size_t count, moved = 0;
	struct likely_span *first = spans_of(log, 1, false, &count);
	struct likely_span *again = spans_of(log, 1, true, &count);
	struct likely_span *other = spans_of(log, 2, false, &count);

	(void)state;
	assert_memory_equal(first, again, count * sizeof(*first));
	for (size_t i = 0; i < count; i++) {
		assert_true(first[i].p10 <= first[i].p50 && first[i].p50 <= first[i].p90);
		assert_true(first[i].p90 < LIKELY_NEVER);
		moved += memcmp(&first[i], &other[i], sizeof(*first)) != 0;
	}
	assert_true(moved > count / 2);
	mem_free(first);
	mem_free(again);
	mem_free(other);
	joblog_free(log);
	joblog_free(whole);
}

/* ---- which jobs count ---------------------------------------------------------------------- */

/* Returns a log of one processor with ENDED jobs, one a minute, each starting WAIT after submit. */
static struct joblog *row_of_jobs(uint32_t ended, int64_t wait)
{
	struct joblog *log = joblog_new(60 * (int64_t)ended);

	for (uint32_t i = 0; i < ended; i++)
		joblog_add(log, &(struct joblog_job){
			.submit = 60 * (int64_t)i - wait, .start = 60 * (int64_t)i,
			.end = 60 * (int64_t)i + 60, .limit = 120, .procs = 1, .user = 1 });
	joblog_sort(log);
	return log;
}

static const struct likely_options one = { .policy = SIM_EASY, .procs = 1, .seed = 1 };

static bool calibrated(const struct joblog *log, struct likely_factors *f)
{
	struct calibration *c = calibration_new(log, &one);
	bool known;

	while (calibration_step(c))
		;
	known = calibration_factors(c, log->until, f);
	calibration_free(c);
	return known;
}

static void too_few(void **state)
{
	struct joblog *log;
	struct likely_factors f;

	(void)state;
	log = row_of_jobs(80, 600);
	assert_false(calibrated(log, &f));
	assert_in_range(f.starts, 20, 79);
	joblog_free(log);
	log = row_of_jobs(800, 0);		/* no job waits */
	assert_false(calibrated(log, &f));
	assert_int_equal(f.starts, 0);
	joblog_free(log);
	log = row_of_jobs(800, 600);
	assert_true(calibrated(log, &f));
	assert_true(f.starts >= CALIBRATION_LEAST);
	joblog_free(log);
	log = joblog_new(1000);
	assert_false(calibrated(log, &f));
	joblog_free(log);
}

/* A job that still waits counts as if it began now; one that left the queue does not count. */
static void endless_waits(void **state)
{
	struct joblog *log = row_of_jobs(800, 600);
	struct likely_factors plain, waiting, left;
	const struct joblog_job endless = { .submit = 60 * 100, .start = I64_UNKNOWN,
					    .end = I64_UNKNOWN, .limit = 120, .procs = 1 };

	(void)state;
	assert_true(calibrated(log, &plain));
	for (unsigned i = 0; i < 4; i++)
		joblog_add(log, &endless);
	joblog_sort(log);
	assert_true(calibrated(log, &waiting));
	assert_true(isinf(waiting.p90) && waiting.p10 <= plain.p90);
	for (uint32_t i = 0; i < log->count; i++) {
		if (log->jobs[i].start == I64_UNKNOWN)
			log->jobs[i].end = log->until;
	}
	assert_true(calibrated(log, &left));
	assert_true(left.p90 < waiting.p90);
	joblog_free(log);
}

/* ---- out of a log -------------------------------------------------------------------------- */

static void put_job(struct replay *r, int64_t submit, int64_t start, int64_t end, const char *state)
{
	struct replay_job j = REPLAY_JOB_INIT;

	j.submit = submit;
	j.start = start;
	j.end = end;
	j.cpus = 1;
	j.limit = 600;
	j.assoc = replay_assoc(r, replay_text(r, "a", 1), replay_text(r, "u", 1), 0);
	j.state = replay_text(r, state, strlen(state));
	replay_add(r, &j);
}

/* A job cancelled while pending never began, whatever start Slurm reports for it. */
static void cancelled(void **state)
{
	struct replay *r = replay_new();
	struct joblog *log;

	(void)state;
	put_job(r, 1000, 1100, 1100, "CANCELLED");
	put_job(r, 1001, 1100, 1100, "FAILED");
	put_job(r, 1002, 1100, 1200, "CANCELLED");
	log = joblog_of(r, 5000);
	assert_int_equal(log->count, 3);
	assert_int_equal(log->ended, 2);
	assert_true(log->jobs[0].start == I64_UNKNOWN && log->jobs[0].end == 1100);
	joblog_free(log);
	log = joblog_of(r, 1099);	/* the cancellation is not known yet */
	assert_int_equal(log->ended, 0);
	assert_true(log->jobs[0].end == I64_UNKNOWN);
	joblog_free(log);
	replay_free(r);
}

/* A log that ended long ago does not show whether jobs came or began since. */
static void old_log(void **state)
{
	struct joblog *log = row_of_jobs(5000, 0), *old;
	struct replay *r = replay_new();
	struct likely_options o = one;
	struct likely_span spans[2];

	(void)state;
	put_job(r, 1000, 1100, 1200, "COMPLETED");
	put_job(r, 1150, I64_UNKNOWN, I64_UNKNOWN, "PENDING");
	old = joblog_of(r, 1000000);
	assert_int_equal(old->until, 1200);
	joblog_free(old);
	replay_free(r);
	for (int i = 0; i < 2; i++) {
		struct lengths *lengths = lengths_new();
		struct likely_job *jobs = mem_zalloc(1, sizeof(*jobs));
		struct likely *l;

		joblog_learn(log, log->until, lengths);
		o.now = log->until + i * 30 * 86400;
		*jobs = (struct likely_job){ .user = 1, .sim = {
			.submit = o.now + 7230, .procs = 1, .estimate = 120 } };
		l = likely_new(jobs, 0, 1, log, lengths, &o);
		while (likely_go(l))
			;
		spans[i] = likely_span_of(l, 0);
		likely_free(l);
		lengths_free(lengths);
	}
	assert_true(spans[0].p50 > 7230);	/* other jobs are ahead */
	assert_int_equal(spans[1].p50, spans[0].p50);
	joblog_free(log);
}

/* Three jobs that each take all processors for longer than 32 bits can count. */
static void later_than_ever(void **state)
{
	struct likely_job *jobs = mem_zalloc(3, sizeof(*jobs));
	struct joblog *log = joblog_new(0);
	struct likely *l;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		jobs[i].sim = (struct sim_job){ .estimate = UINT32_MAX / 2 + 2, .procs = PROCS };
	l = likely_new(jobs, 0, 3, log, NULL, &options);
	assert_int_equal(likely_by_limits(l, 1), UINT32_MAX / 2 + 2);
	assert_int_equal(likely_by_limits(l, 2), LIKELY_NEVER);
	likely_free(l);
	joblog_free(log);
}

static void scaling(void **state)
{
	const struct likely_span span = { 100, 200, 400 };
	struct likely_span s;

	(void)state;
	s = likely_span_scale(span, &(struct likely_factors){ .p10 = -0.5, .p90 = 2 });
	assert_int_equal(s.p10, 150);
	assert_int_equal(s.p50, 200);
	assert_int_equal(s.p90, 600);
	s = likely_span_scale(span, &(struct likely_factors){ .p10 = -5, .p90 = -1 });
	assert_int_equal(s.p10, 0);		/* not before now */
	assert_int_equal(s.p50, 100);		/* within the span */
	assert_int_equal(s.p90, 100);
	s = likely_span_scale(span, &(struct likely_factors){ .p10 = 1, .p90 = 1e12 });
	assert_int_equal(s.p10, 400);
	assert_int_equal(s.p50, 400);
	assert_int_equal(s.p90, LIKELY_NEVER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_hold),
		cmocka_unit_test(nothing_later),
		cmocka_unit_test(same_seed),
		cmocka_unit_test(too_few),
		cmocka_unit_test(endless_waits),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(old_log),
		cmocka_unit_test(later_than_ever),
		cmocka_unit_test(scaling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
