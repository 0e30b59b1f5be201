/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How well the likely spans of `starts` are calibrated: at 200 instants of each log of the
 * reference schedules (FAIRTOP_SHARED), drawn with a seed, under the policy that made the schedule.
 * Printed: the share of the true starts between P10 and P90 (goal 75 to 85 %), and the median
 * absolute error of the median beside that of limits alone (goal: at most half). Known at an
 * instant is what had ended, ran and waited then; nothing that comes later.
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
#include "core/sim/gather.h"
#include "core/sim/starts.h"
#include "core/sim/trial.h"
#include "tests/bench/bench.h"

#define INSTANTS 200
#define MOST 600	/* jobs that wait at an instant; of more only the first */

static const char *const logs[] = { "KTH", "METAWAGAP", "CURIE30k" };
#define POLICIES (SIM_CONSERVATIVE + 1)
static const char *const files[POLICIES] = { "fcfs", "easy", "easy_sjbf", "conservative" };

struct log {
	struct import im;
	struct trial t;			/* START as in the schedule */
	uint32_t *by_end;
};

/* The state at an instant, as the simulator takes it: those that run, then those that wait. */
struct instant {
	const struct log *log;
	enum sim_policy policy;
	uint32_t depth;
	int64_t now;
	uint32_t *source;		/* of the log */
	uint32_t running, waiting;
	struct sim_job *jobs;
};

/* What is measured. */
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
	struct trial_options o = TRIAL_OPTIONS_INIT;
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
	if (!trial_make(&log->t, log->im.replay, &o, &err))
		die(err.message);
	log->by_end = mem_alloc(log->t.count, sizeof(*log->by_end));
	return true;
}

static void free_log(struct log *log)
{
	mem_free(log->by_end);
	trial_free(&log->t);
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

static const struct sim_job *sorted_jobs;

static int by_end(const void *a, const void *b)
{
	const struct sim_job *x = &sorted_jobs[*(const uint32_t *)a];
	const struct sim_job *y = &sorted_jobs[*(const uint32_t *)b];
	int64_t p = x->start + x->run, q = y->start + y->run;

	return p != q ? (p > q) - (p < q) : (x > y) - (x < y);
}

/* ---- an instant ---------------------------------------------------------------------------- */

static void look(struct instant *in)
{
	const struct trial *t = &in->log->t;

	in->running = in->waiting = 0;
	for (unsigned waits = 0; waits < 2; waits++) {
		for (uint32_t i = 0; i < t->count && t->jobs[i].submit <= in->now; i++) {
			const struct sim_job *j = &t->jobs[i];
			uint32_t at = in->running + in->waiting;

			if (j->start + j->run <= in->now || (j->start > in->now) != waits ||
			    in->waiting == MOST)
				continue;
			in->source[at] = i;
			in->jobs[at] = *j;
			if (waits)
				in->jobs[at].submit = in->now;
			in->running += !waits;
			in->waiting += waits;
		}
	}
}

static void play(const struct instant *in, struct sim_job *jobs)
{
	struct sim_options o = { .policy = in->policy, .procs = in->log->im.procs,
				 .running = in->running, .now = in->now, .depth = in->depth };
	struct err err;

	if (!sim_run(jobs, in->running + in->waiting, &o, &err))
		die(err.message);
}

/* Jobs of likely.h: those that wait come first. */
static void play_round(void *context, const int64_t *runs, uint32_t *starts)
{
	const struct instant *in = context;
	uint32_t count = in->running + in->waiting;
	struct sim_job *jobs = mem_alloc(count, sizeof(*jobs));

	memcpy(jobs, in->jobs, count * sizeof(*jobs));
	for (uint32_t i = 0; i < count; i++) {
		int64_t run = runs[i < in->running ? in->waiting + i : i - in->running];

		jobs[i].run = run < jobs[i].estimate ? (uint32_t)run : jobs[i].estimate;
	}
	play(in, jobs);
	for (uint32_t i = 0; i < in->waiting; i++)
		starts[i] = (uint32_t)(jobs[in->running + i].start - in->now);
	mem_free(jobs);
}

static struct likely *likely_at(struct instant *in, const struct lengths *lengths)
{
	uint32_t count = in->running + in->waiting;
	struct likely_job *jobs = mem_alloc((size_t)count + 1, sizeof(*jobs));
	struct replay *r = in->log->im.replay;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t k = i < in->running ? in->waiting + i : i - in->running;
		uint32_t assoc = replay_job(r, in->log->t.source[in->source[i]])->assoc;

		jobs[k] = (struct likely_job){
			.group = lengths_group(lengths, replay_user(r, assoc),
					       replay_account(r, assoc)),
			.limit = in->jobs[i].estimate,
			.elapsed = i < in->running ? in->now - in->jobs[i].start : LIKELY_WAITS };
	}
	return likely_new(jobs, in->waiting, count, lengths, 1, play_round, in);
}

static double distance(int64_t a, int64_t b)
{
	return (double)(a > b ? a - b : b - a);
}

static void measure(struct instant *in, const struct lengths *lengths, struct score *s)
{
	struct likely *l = likely_at(in, lengths);
	uint32_t count = in->running + in->waiting;

	while (likely_go(l))
		;
	for (uint32_t i = 0; i < count; i++)
		in->jobs[i].run = in->jobs[i].estimate;
	play(in, in->jobs);
	for (uint32_t i = 0; i < in->waiting; i++) {
		struct likely_span span = likely_span_of(l, i);
		uint32_t at = in->running + i;
		int64_t start = in->log->t.jobs[in->source[at]].start;

		s->error = mem_grow(s->error, &s->capacity, s->count + 1, sizeof(double));
		s->limit_error = mem_grow(s->limit_error, &s->limit_capacity, s->count + 1,
					  sizeof(double));
		s->error[s->count] = distance(in->now + span.p50, start);
		s->limit_error[s->count++] = distance(in->jobs[at].start, start);
		s->inside += in->now + span.p10 <= start && start <= in->now + span.p90;
	}
	likely_free(l);
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

/* Instants between the first and the last submission at which some job waits. */
static void draw_instants(struct instant *in, int64_t *times)
{
	const struct trial *t = &in->log->t;
	uint64_t dice = dice_stream(20, 1);
	int64_t from = t->jobs[0].submit, span = t->jobs[t->count - 1].submit - from;

	for (unsigned n = 0; n < INSTANTS;) {
		in->now = from + (int64_t)(dice_roll(&dice) >> 11) % span;
		look(in);
		if (in->waiting > 0)
			times[n++] = in->now;
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
	struct instant in = { .log = log, .policy = policy };
	struct lengths *lengths = lengths_new();
	struct replay *r = log->im.replay;
	struct score s = { .count = 0 };
	int64_t times[INSTANTS];
	uint32_t ended = 0;

	read_schedule(log, name, policy);
	in.source = mem_alloc(log->t.count, sizeof(*in.source));
	in.jobs = mem_alloc(log->t.count, sizeof(*in.jobs));
	for (uint32_t i = 0; i < log->t.count; i++)
		log->by_end[i] = i;
	sorted_jobs = log->t.jobs;
	qsort(log->by_end, log->t.count, sizeof(*log->by_end), by_end);
	draw_instants(&in, times);
	for (unsigned n = 0; n < INSTANTS; n++) {
		for (; ended < log->t.count; ended++) {
			const struct sim_job *j = &log->t.jobs[log->by_end[ended]];
			uint32_t of_log = log->t.source[log->by_end[ended]];
			const struct replay_job *k = replay_job(r, of_log);

			if (j->start + j->run > times[n])
				break;
			lengths_add(lengths, replay_user(r, k->assoc),
				    replay_account(r, k->assoc), j->run, j->estimate);
		}
		in.now = times[n];
		look(&in);
		if (lengths_count(lengths) > 0)
			measure(&in, lengths, &s);
	}
	qsort(s.error, s.count, sizeof(double), ascending);
	qsort(s.limit_error, s.count, sizeof(double), ascending);
	if (s.count > 0)
		judge(&s, name, policy_schedules[policy]);
	mem_free(s.error);
	mem_free(s.limit_error);
	mem_free(in.source);
	mem_free(in.jobs);
	lengths_free(lengths);
}

/* ---- speed --------------------------------------------------------------------------------- */

#define WAITING 10000
#define PROCS 4096
#define DEMO "1,accounts=100,users=1000,jobs=13000"

/* As many jobs of all sizes as on a large machine on a bad day, by what a thousand have used. */
static void speed(void)
{
	static struct log log;
	static struct sim_job sim[WAITING];
	struct instant in = { .log = &log, .policy = SIM_EASY, .depth = 500, .now = 100000,
			      .waiting = WAITING, .jobs = sim };
	struct likely_job *jobs = mem_alloc(WAITING, sizeof(*jobs));
	struct lengths *lengths = lengths_new();
	uint64_t dice = dice_stream(20, 2);
	struct likely *l;
	clock_t began;

	for (unsigned i = 0; i < 1000; i++)
		lengths_add(lengths, "user", NULL, 1 + dice_below(&dice, 1000), 1000);
	log.im.procs = PROCS;
	for (uint32_t i = 0; i < WAITING; i++) {
		sim[i] = (struct sim_job){ .submit = in.now, .procs = 1 + dice_below(&dice, 128),
					   .estimate = 60 * (1 + dice_below(&dice, 1440)) };
		jobs[i] = (struct likely_job){ lengths_group(lengths, "user", NULL),
					       sim[i].estimate, LIKELY_WAITS };
	}
	l = likely_new(jobs, WAITING, WAITING, lengths, 1, play_round, &in);
	began = clock();
	while (likely_go(l))
		;
	bench_judge((double)(clock() - began) / CLOCKS_PER_SEC, "s of one core, goal 5 on two", 10,
		    "%d waiting jobs x %d runs", WAITING, LIKELY_ROUNDS);
	likely_free(l);
	lengths_free(lengths);
}

/* What a screen shows first of the waiting jobs of a demo. */
static void first_answer(void)
{
	struct starts_options options = { .seed = 1 };
	struct lengths *lengths = lengths_new();
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
	gather_lengths(lengths, c);
	options.lengths = lengths;
	s = starts_begin(c, &options, &err);
	if (!s)
		die(err.message);
	(void)starts_step(s);
	starts_so_far(s, &first);
	bench_judge((double)(clock() - began) / CLOCKS_PER_SEC, "s", 0.2,
		    "first answer, %zu waiting jobs", first.count);
	starts_free(&first);
	starts_end(s);
	lengths_free(lengths);
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
