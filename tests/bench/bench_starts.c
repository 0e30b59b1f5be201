/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How well the likely spans of `starts` are calibrated: at 200 random instants (fixed seed) of each
 * log of the reference schedules (FAIRTOP_SHARED), under the policy that made the schedule. The
 * instants of the second half are judged, with the calibration learnt from earlier instants, as far
 * as it was known by then. Prints the share of true starts between P10 and P90 (goal 75 to 85 %)
 * and the median absolute error of the median next to that from limits alone (goal: at most half).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adapters/demo/demo.h"
#include "adapters/import/import.h"
#include "core/base/dice.h"
#include "core/base/mem.h"
#include "core/sim/calibration.h"
#include "core/sim/starts.h"
#include "core/sim/sim_log.h"
#include "tests/bench/bench.h"

#define INSTANTS 200

static const char *const logs[] = { "KTH", "METAWAGAP", "CURIE30k" };
#define POLICIES (SIM_CONSERVATIVE + 1)
static const char *const files[POLICIES] = { "fcfs", "easy", "easy_sjbf", "conservative" };

struct log {
	struct import im;
	struct sim_log t;		/* START as in the schedule */
};

struct score {
	double *error, *limit_error;	/* s, absolute */
	size_t count, capacity, limit_capacity;
	size_t inside;
};

static void die(const char *what)
{
	fprintf(stderr, "bench_starts: %s\n", what);
	exit(1);
}

static const char *path_of(const char *log, const char *rest, char *buf, size_t size)
{
	const char *shared = getenv("FAIRTOP_SHARED");

	snprintf(buf, size, "%s/reference/schedules/%s.%s", shared ? shared : ".", log, rest);
	return buf;
}

/* ---- a log --------------------------------------------------------------------------------- */

static bool read_log(struct log *log, const char *name)
{
	struct sim_log_options o = SIM_LOG_OPTIONS_INIT;
	struct err err = { .code = ERR_NONE };
	char path[512];
	FILE *file = fopen(path_of(name, "in.swf.gz", path, sizeof(path)), "r");

	if (!file)
		return false;
	fclose(file);
	import_init(&log->im, &import_swf);
	if (!import_read(&log->im, path, &err))
		die(err.message);
	o.procs = log->im.procs;
	if (!sim_log_make(&log->t, log->im.replay, &o, &err))
		die(err.message);
	return true;
}

static void free_log(struct log *log)
{
	sim_log_free(&log->t);
	import_free(&log->im);
}

static void read_schedule(struct log *log, const char *name, enum sim_policy policy)
{
	struct err err = { .code = ERR_NONE };
	char rest[64], path[512];
	struct slice line;
	struct lines *l;
	uint32_t at = 0;

	snprintf(rest, sizeof(rest), "%s.pyss.tsv.gz", files[policy]);
	l = lines_open(path_of(name, rest, path, sizeof(path)), &err);
	if (!l)
		die(err.message);
	while (lines_next(l, &line, &err) == LINES_LINE) {
		char text[128];
		long long start;

		snprintf(text, sizeof(text), "%.*s", SLICE_PRINT(line));
		if (sscanf(text, "%*u %*d %lld", &start) == 1 && at < log->t.count)
			log->t.jobs[at++].start = start;
	}
	lines_close(l);
	if (at != log->t.count)
		die("a schedule of other jobs");
}

static struct joblog *joblog_of_log(const struct log *log)
{
	struct replay *r = log->im.replay;
	struct joblog *h = joblog_new(I64_INFINITE);

	for (uint32_t i = 0; i < log->t.count; i++) {
		const struct sim_job *j = &log->t.jobs[i];
		uint32_t assoc = replay_job(r, log->t.source[i])->assoc;

		joblog_add(h, &(struct joblog_job){
			.submit = j->submit, .start = j->start, .end = j->start + j->run,
			.limit = j->estimate, .procs = j->procs,
			.user = lengths_name(replay_user(r, assoc)),
			.account = lengths_name(replay_account(r, assoc)) });
	}
	joblog_sort(h);
	return h;
}

/* ---- judging ------------------------------------------------------------------------------- */

static double distance(int64_t a, int64_t b)
{
	return (double)(a > b ? a - b : b - a);
}

/* Scores the estimates made at the last instant, with FACTORS learnt before it. */
static void measure(const struct calibration *c, const struct likely_factors *factors,
		    struct score *s)
{
	size_t count;
	const struct calibration_score *all = calibration_scores(c, &count);

	for (size_t i = count; i-- > 0 && all[i].instant + 1 == calibration_instants(c);) {
		struct likely_span span = likely_span_scale(all[i].span, factors);
		int64_t waits = all[i].start - all[i].asked;

		s->error = mem_grow(s->error, &s->capacity, s->count + 1, sizeof(double));
		s->limit_error = mem_grow(s->limit_error, &s->limit_capacity, s->count + 1,
					  sizeof(double));
		s->error[s->count] = distance(span.p50, waits);
		s->limit_error[s->count++] = distance(all[i].by_limits, waits);
		s->inside += span.p10 <= waits && waits <= span.p90;
	}
}

/* ---- all ----------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int ascending_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Draws instants between the first and the last submission at which some job is pending. */
static void draw_instants(const struct joblog *h, int64_t *times)
{
	uint64_t dice = dice_stream(20, 1);
	int64_t from = h->jobs[0].submit, span = h->jobs[h->count - 1].submit - from;

	for (unsigned n = 0; n < INSTANTS;) {
		int64_t now = from + (int64_t)(dice_roll(&dice) >> 11) % span;
		uint32_t i = 0;

		while (i < h->count && h->jobs[i].submit <= now && h->jobs[i].start <= now)
			i++;
		if (i < h->count && h->jobs[i].submit <= now)
			times[n++] = now;
	}
	qsort(times, INSTANTS, sizeof(*times), ascending_time);
}

static void judge(const struct score *s, const char *log, const char *policy)
{
	double inside = 100.0 * (double)s->inside / (double)s->count;
	double error = s->error[s->count / 2], by_limits = s->limit_error[s->count / 2];

	bench_judge(fabs(inside - 80), "points from 80 %", 5,
		    "%s, %s: %zu starts, %.1f %% inside P10-P90", log, policy, s->count, inside);
	bench_judge(error / by_limits, "times", 0.5, "median error %.0f s, by limits %.0f s", error,
		    by_limits);
}

static void run(struct log *log, const char *name, enum sim_policy policy)
{
	struct likely_options o = { .policy = policy, .procs = log->im.procs, .seed = 1 };
	struct score s = { .count = 0 };
	struct calibration *c;
	int64_t times[INSTANTS];
	struct joblog *h;

	read_schedule(log, name, policy);
	h = joblog_of_log(log);
	draw_instants(h, times);
	c = calibration_new(h, &o);
	for (unsigned n = 0; n < INSTANTS; n++) {
		struct likely_factors factors;
		bool known = calibration_factors(c, times[n], &factors);

		calibration_ask(c, times[n]);
		if (n >= INSTANTS / 2 && known)
			measure(c, &factors, &s);
	}
	qsort(s.error, s.count, sizeof(double), ascending);
	qsort(s.limit_error, s.count, sizeof(double), ascending);
	if (s.count > 0)
		judge(&s, name, policy_schedules[policy]);
	mem_free(s.error);
	mem_free(s.limit_error);
	calibration_free(c);
	joblog_free(h);
}

/* ---- speed --------------------------------------------------------------------------------- */

#define WAITING 10000
#define PROCS 4096
#define DEMO "1,accounts=100,users=1000,jobs=13000"

/* As many pending jobs as on a large machine on a bad day; a thousand past jobs give lengths. */
static void speed(void)
{
	const struct likely_options o = { .policy = SIM_EASY, .procs = PROCS, .depth = 500,
					  .now = 100000, .seed = 1 };
	struct likely_job *jobs = mem_zalloc(WAITING, sizeof(*jobs));
	struct lengths *lengths = lengths_new();
	struct joblog *h = joblog_new(o.now);
	uint64_t dice = dice_stream(20, 2);
	struct likely *l;
	clock_t began;

	for (unsigned i = 0; i < 1000; i++)
		lengths_add(lengths, 1, 0, 1 + dice_below(&dice, 1000), 1000);
	for (uint32_t i = 0; i < WAITING; i++) {
		jobs[i].sim = (struct sim_job){ .submit = o.now,
						.procs = 1 + dice_below(&dice, 128),
						.estimate = 60 * (1 + dice_below(&dice, 1440)) };
		jobs[i].user = 1;
	}
	l = likely_new(jobs, 0, WAITING, h, lengths, &o);
	began = clock();
	while (likely_go(l))
		;
	bench_judge((double)(clock() - began) / CLOCKS_PER_SEC, "s of one core, goal 5 on two", 10,
		    "%d waiting jobs x %d runs", WAITING, LIKELY_ROUNDS);
	likely_free(l);
	joblog_free(h);
	lengths_free(lengths);
}

/* The first estimates that a screen shows for the pending jobs of a demo. */
static void first_answer(void)
{
	struct starts_options options = { .seed = 1 };
	struct demo_options demo_options;
	struct err err = { .code = ERR_NONE };
	struct starting *s;
	struct cluster *c;
	struct starts first;
	struct demo *demo;
	clock_t began;

	if (!demo_options_parse(DEMO, &demo_options, &err))
		die(err.message);
	demo = demo_new(&demo_options);
	c = demo_picture(demo, &err);
	if (!c)
		die(err.message);
	began = clock();
	s = starts_begin(c, &options, &err);
	if (!s)
		die(err.message);
	(void)starts_step(s);
	starts_so_far(s, &first);
	bench_judge((double)(clock() - began) / CLOCKS_PER_SEC, "s", 0.2,
		    "first answer, %zu waiting jobs", first.count);
	starts_free(&first);
	starts_end(s);
	cluster_free(c);
	demo_free(demo);
}

int main(void)
{
	struct log log;

	first_answer();
	speed();
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		if (!read_log(&log, logs[i])) {
			printf("%s: no log at hand (FAIRTOP_SHARED)\n", logs[i]);
			continue;
		}
		for (unsigned p = 0; p < POLICIES; p++)
			run(&log, logs[i], (enum sim_policy)p);
		free_log(&log);
	}
	return 0;
}
