/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The answer about one job: every number in it equals that of the views, of compare and of starts,
 * for each job of every recording; and jobs that run, have ended, or were recorded.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/adapter.h"
#include "core/base/mem.h"
#include "core/queue/compare.h"
#include "core/sim/starts.h"
#include "core/why/why_past.h"
#include "tests/support/assoc.h"
#include "tests/support/data.h"
#include "tests/support/dump.h"
#include "tests/support/jobdump.h"
#include "tests/support/lab.h"
#include "tests/support/pbs.h"

#define NOW INT64_C(1000000000)

/* ---- the same numbers as elsewhere ---------------------------------------------------------- */

static const struct why_fact *fact(const struct why_line *line, const char *key)
{
	for (uint32_t i = 0; i < line->fact_count; i++) {
		if (strcmp(line->facts[i].key, key) == 0)
			return &line->facts[i];
	}
	fail_msg("\"%s\" has no %s", line->text, key);
	return NULL;
}

static void same(double a, double b, const struct why *w, const char *what)
{
	if (!(a == b || (isnan(a) && isnan(b))))
		fail_msg("job %s: %s is %g here, %g elsewhere", w->name, what, a, b);
}

/* Checks LINE's numbers against the columns of the jobs with these keys. */
static void check_columns(const struct why *w, const struct why_line *line)
{
	static const char *const keys[] = { "rank", "partition_rank", "ahead" };
	struct view view = jobs_view(w->jobs);
	struct value v;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		column_get(column_find(view.columns, view.column_count, keys[i], strlen(keys[i])),
			   view.context, w->entry, &v);
		same(fact(line, keys[i])->number, value_number(&v), w, keys[i]);
	}
}

/* The job named as ahead is ahead, in the same partition, for the reason that compare gives. */
static void check_ahead(const struct why *w, const struct why_line *line)
{
	char *object = mem_format("job:%s", fact(line, "job")->text);
	uint32_t other = jobs_find(w->jobs, object, NULL);
	const struct job_index *x = w->jobs->index;
	const char *by = fact(line, "by")->text, *shares = strstr(line->text, "has used ");
	double theirs = 0, mine = 1;
	struct compare c;
	bool found = false;

	/* Shares in the sentence must explain it. */
	if (shares)
		assert_int_equal(sscanf(shares, "has used %lf of its share, %*s %lf", &theirs,
					&mine), 2);
	assert_true(theirs <= mine);

	while (other < x->n && x->partition[other] != x->partition[w->entry])
		other++;
	assert_true(other < x->n);
	assert_true(w->jobs->order->rank[other] < w->jobs->order->rank[w->entry]);
	compare_jobs(w->jobs, other, w->entry, &c);
	assert_true(c.order < 0);
	for (size_t i = 0; by && i < c.count; i++) {
		if (!c.rows[i].decides || strcmp(c.rows[i].name, by) != 0)
			continue;
		same(fact(line, "theirs")->number, c.rows[i].a, w, by);
		same(fact(line, "mine")->number, c.rows[i].b, w, by);
		found = true;
	}
	assert_true(found || !by);
	compare_free(&c);
	mem_free(object);
}

/* The start is that of S, whichever jobs S simulated. */
static void check_start(struct why *w, const struct starts *s)
{
	int64_t first = I64_UNKNOWN;
	const struct why_line *line;

	for (size_t i = 0; i < s->count; i++) {
		const struct starts_row *r = &s->rows[i];

		if (r->job == w->job && r->start != I64_UNKNOWN &&
		    (first == I64_UNKNOWN || r->start < first))
			first = r->start;
	}
	why_put_start(w, s, NULL);
	line = why_line_of(w, WHY_START);
	assert_non_null(line);
	assert_int_equal(w->start, first);
	same(fact(line, "latest")->number, first == I64_UNKNOWN ? F64_UNKNOWN : (double)first, w,
	     "start");
}

/* The note on the order is given for every job with a rank, and for no other. */
static void check_problem(const struct why *w, bool placed)
{
	bool found = false;

	for (size_t i = 0; i < w->count; i++)
		found |= w->lines[i].part == WHY_UNKNOWN &&
			 strcmp(w->lines[i].text, w->jobs->order->problem) == 0;
	assert_int_equal(found, placed && *w->jobs->order->problem);
}

struct tally {
	uint32_t jobs, placed, ahead, started;
};

/* No key occurs twice; "text" is reserved for the sentence. */
static void check_keys(const struct why *w)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct why_line *line = &w->lines[i];

		for (uint32_t k = 0; k < line->fact_count; k++) {
			if (fact(line, line->facts[k].key) != &line->facts[k] ||
			    strcmp(line->facts[k].key, "text") == 0)
				fail_msg("\"%s\": %s twice", line->text, line->facts[k].key);
		}
	}
}

/* Frees C. */
static void check_all(struct cluster *c, struct tally *tally)
{
	struct model *m = model_new(c, NULL, NULL);
	struct jobs *j = m ? jobs_new(m, NULL) : NULL;
	const struct starts_options o = { .log = NULL };
	struct err err = { 0 };
	struct starts s;
	bool simulated = j && starts_make(&s, c, &o, &err);

	for (uint32_t e = 0; j && e < j->index->n; e++) {
		struct why *w = why_new(j, e, NULL);
		const struct why_line *place = why_line_of(w, WHY_PLACE);
		const struct why_line *ahead = why_line_of(w, WHY_AHEAD);

		tally->jobs++;
		check_keys(w);
		check_problem(w, place && f64_known(fact(place, "rank")->number));
		if (place && f64_known(fact(place, "rank")->number)) {
			check_columns(w, place);
			tally->placed++;
		}
		if (ahead) {
			check_ahead(w, ahead);
			tally->ahead++;
		}
		if (w->state == WHY_WAITS && simulated) {
			check_start(w, &s);
			tally->started += w->start != I64_UNKNOWN;
		}
		assert_true(w->state != WHY_WAITS || (place && why_line_of(w, WHY_HOLDS)));
		assert_true(w->state == WHY_WAITS || why_line_of(w, WHY_START));
		why_free(w);
	}
	if (simulated)
		starts_free(&s);
	jobs_free(j);
	model_free(m);
	cluster_free(c);
}

static void test_slurm(void **state)
{
	struct tally tally = { 0 };

	(void)state;
	for (size_t i = 0; i < dump_count; i++)
		check_all(jobdump_cluster(dump_names[i]), &tally);
	print_message("%u jobs, %u with a place, %u behind another, %u with a start\n",
		      (unsigned)tally.jobs, (unsigned)tally.placed, (unsigned)tally.ahead,
		      (unsigned)tally.started);
	assert_true(tally.placed > 100 && tally.ahead > 50);
}

static void test_pbs(void **state)
{
	static const char *const names[] = { "01_main", "02_formula", "03_tricky", "05_lifecycle",
					     "07_multisched", "15_array" };
	struct tally tally = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		check_all(pbs_cluster(names[i]), &tally);
	assert_true(tally.placed > 10 && tally.ahead > 5);
}

static struct cluster *cluster_at(const char *spec)
{
	const struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	struct err err = { 0 };
	struct source *source = source_open(spec, &err);
	struct cluster *c = NULL;

	if (!source || source_fetch(source, &request, &c, &err) != FETCH_NEW)
		fail_msg("%s: %s", spec, err.message);
	source_close(source);
	return c;
}

/* Where starts are simulated: recordings of real runs, and the demo. */
static void test_starts(void **state)
{
	static const char *const files[] = { "starts/moves/snapshot.jsonl",
					     "starts/mix/snapshot.jsonl",
					     "starts/tiers/snapshot.jsonl" };
	struct tally tally = { 0 };
	char path[512];

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		check_all(cluster_at(data_path(files[i], path, sizeof(path))), &tally);
	check_all(cluster_at("demo"), &tally);
	assert_true(tally.started > 100);
}

/* ---- a job that runs or has ended ----------------------------------------------------------- */

static uint32_t add_job(struct builder *b, uint32_t id, const char *state)
{
	uint32_t row = builder_add(b, TABLE_JOB);

	builder_u32(b, F_JOB_ID, row, id);
	builder_str(b, F_JOB_USER, row, "ann");
	builder_str(b, F_JOB_ACCOUNT, row, "physics");
	builder_u32(b, F_JOB_ASSOC, row, 3);
	builder_str(b, F_JOB_STATE, row, state);
	builder_i64(b, F_JOB_ELIGIBLE, row, NOW - 10000);
	return row;
}

static struct builder *begin(int64_t time)
{
	const struct cluster_meta meta = { .kind = "slurm", .name = "", .version = "",
					   .zone = "", .time = time, .boot = I64_UNKNOWN };
	struct builder *b = builder_new();

	builder_meta(b, &meta);
	assoc_add(b, 1, 0, "root", NULL, 1, 0);
	assoc_add(b, 2, 1, "physics", NULL, 1, 0);
	assoc_add(b, 3, 2, "physics", "ann", 1, 5);
	return b;
}

/* Returns the first line of PART about B's job 7. Frees B. */
static char *text_of(struct builder *b, enum why_part part)
{
	struct lab *lab = lab_of(lab_sealed(b));
	struct why *w = why_new(lab->j, jobs_find(lab->j, "job:7", NULL), NULL);
	const struct why_line *line = why_line_of(w, part);
	char *text = line ? mem_strdup(line->text) : NULL;

	why_free(w);
	lab_free(lab);
	return text;
}

static void says(struct builder *b, enum why_part part, const char *wanted)
{
	char *text = text_of(b, part);

	assert_non_null(text);
	assert_string_equal(text, wanted);
	mem_free(text);
}

static void test_runs(void **state)
{
	struct builder *b = begin(NOW);
	uint32_t row = add_job(b, 7, "RUNNING");

	(void)state;
	builder_i64(b, F_JOB_START, row, NOW - 4000);
	builder_i64(b, F_JOB_END, row, NOW + 3600);
	builder_f64(b, F_JOB_BILLING, row, 16);
	says(b, WHY_START, "it has been running since 999996000 and ends by 1000003600 at the "
	     "latest; it waited 1 h 40 min; it costs /physics 57.60k billable TRES-seconds an "
	     "hour");
}

/* A job past its limit still runs, and a suspended job's end moves. */
static void test_runs_on(void **state)
{
	static const char *const states[] = { "RUNNING", "SUSPENDED" };
	static const char *const texts[] = {
		"it has been running since 999996000; its time limit ended at 999999000; it waited "
		"1 h 40 min; it costs /physics 57.60k billable TRES-seconds an hour",
		"it is suspended, started 999996000; its end is unknown; it waited "
		"1 h 40 min",
	};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct builder *b = begin(NOW);
		uint32_t row = add_job(b, 7, states[i]);

		builder_i64(b, F_JOB_START, row, NOW - 4000);
		builder_i64(b, F_JOB_END, row, NOW - 1000);
		builder_f64(b, F_JOB_BILLING, row, 16);
		says(b, WHY_START, texts[i]);
	}
}

/* A job may run OverTimeLimit longer than its limit. */
static void test_runs_over(void **state)
{
	struct builder *b = begin(NOW);
	uint32_t row = add_job(b, 7, "RUNNING");

	(void)state;
	builder_policy(b)->over_time_limit = 10;
	builder_i64(b, F_JOB_START, row, NOW - 4000);
	builder_i64(b, F_JOB_END, row, NOW + 3600);
	says(b, WHY_START, "it has been running since 999996000; its time limit ends at "
	     "1000003600; it waited 1 h 40 min");
}

/* Data not read is left out, or named as unknown. */
static void test_runs_unknown(void **state)
{
	struct builder *b = begin(NOW);

	(void)state;
	add_job(b, 7, "RUNNING");
	says(b, WHY_START, "it is running; its end is unknown");
}

static void test_ended(void **state)
{
	struct builder *b = begin(NOW);
	uint32_t row = add_job(b, 7, "COMPLETED");

	(void)state;
	builder_i64(b, F_JOB_START, row, NOW - 9970);
	builder_i64(b, F_JOB_END, row, NOW - 100);
	says(b, WHY_START, "it has ended at 999999900 (COMPLETED); it waited 30 s");
}

/* ---- recorded waits ------------------------------------------------------------------------- */

static void see(struct why_past *p, int64_t time, const char *reason, bool joined)
{
	struct builder *b = begin(time);
	uint32_t row = add_job(b, 7, reason ? "PENDING" : "RUNNING");
	struct cluster *c;

	if (reason)
		builder_str(b, F_JOB_REASON, row, reason);
	else
		builder_i64(b, F_JOB_START, row, NOW - 2000);
	c = builder_seal(b, NULL);
	why_past_see(p, c, joined);
	cluster_free(c);
}

/* 1,000 s for Priority, 3,000 s for Resources up to its start; time in a gap does not count. */
static void test_past(void **state)
{
	struct why_past p = WHY_PAST_INIT;

	(void)state;
	assert_true(job_name_read("7", &p.name));
	see(&p, NOW - 9000, "Licenses", true);
	see(&p, NOW - 6000, "Priority", false);
	see(&p, NOW - 5000, "Resources", true);
	see(&p, NOW - 1000, NULL, true);
	see(&p, NOW, NULL, true);
	assert_int_equal(p.seen, NOW);
	assert_int_equal(p.count, 3);
	assert_int_equal(p.waits[0].seconds, 0);
	assert_int_equal(p.waits[1].seconds, 1000);
	assert_int_equal(p.waits[2].seconds, 3000);
	assert_int_equal(p.apart, 4000);
	why_past_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slurm), cmocka_unit_test(test_pbs),
		cmocka_unit_test(test_starts),
		cmocka_unit_test(test_runs), cmocka_unit_test(test_runs_unknown),
		cmocka_unit_test(test_runs_on),
		cmocka_unit_test(test_runs_over),
		cmocka_unit_test(test_ended), cmocka_unit_test(test_past),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
