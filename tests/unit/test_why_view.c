/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers as rows, and the sentences above them, for a queue of a few jobs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "core/base/jsonw.h"
#include "core/base/mem.h"
#include "core/why/why_view.h"
#include "tests/support/assoc.h"
#include "tests/support/lab.h"
#include "tui/base/zone.h"

#define NOW 1777798800		/* 3 May 2026, 09:00 */

static uint32_t add_job(struct builder *b, uint32_t id, const char *user, const char *state)
{
	uint32_t row = builder_add(b, TABLE_JOB);

	builder_u32(b, F_JOB_ID, row, id);
	builder_str(b, F_JOB_NAME, row, "sweep");
	builder_str(b, F_JOB_USER, row, user);
	builder_str(b, F_JOB_ACCOUNT, row, "physics");
	builder_str(b, F_JOB_PARTITION, row, "batch");
	builder_str(b, F_JOB_STATE, row, state);
	builder_i64(b, F_JOB_SUBMIT, row, NOW - 12000);
	return row;
}

static struct lab *a_queue(uint32_t hidden)
{
	struct cluster_meta meta = { .kind = "slurm", .time = NOW, .last_decay = I64_UNKNOWN,
				     .boot = I64_UNKNOWN, .last_reset = I64_UNKNOWN };
	struct builder *b = builder_new();
	uint32_t row;

	builder_meta(b, &meta);
	builder_hidden(b, hidden);
	assoc_add(b, 1, 0, "root", NULL, 1, 0);
	assoc_add(b, 2, 1, "physics", NULL, 1, 0);
	assoc_add(b, 3, 2, "physics", "alice", 1, 0);
	builder_str(b, F_PARTITION_NAME, builder_add(b, TABLE_PARTITION), "batch");
	builder_str(b, F_PARTITION_NAME, builder_add(b, TABLE_PARTITION), "gpu");
	row = add_job(b, 100, "alice", "PENDING");
	builder_u32(b, F_JOB_ASSOC, row, 3);
	builder_str(b, F_JOB_TASKS, row, "0-11");
	builder_u32(b, F_JOB_ARRAY, row, 100);
	builder_str(b, F_JOB_PARTITION, row, "batch,gpu");
	builder_i64(b, F_JOB_START, add_job(b, 200, "alice", "RUNNING"), NOW - 2 * 86400 - 14400);
	add_job(b, 201, "alice", "SUSPENDED");
	add_job(b, 202, "alice", "COMPLETED");
	add_job(b, 300, "bob", "PENDING");
	add_job(b, 400, "alice", "PENDING");
	add_job(b, 500, "carol", "RUNNING");
	return lab_of(lab_sealed(b));
}

/* Returns an answer about a job before anything was computed. */
static struct why *bare(const struct lab *q, const char *object)
{
	uint32_t entry = jobs_find(q->j, object, NULL);
	struct why *w = why_new(q->j, entry, &zone_local);

	for (size_t i = 0; i < w->count; i++) {
		for (uint32_t k = 0; k < w->lines[i].fact_count; k++)
			mem_free(w->lines[i].facts[k].text);
		mem_free(w->lines[i].text);
	}
	w->count = 0;
	mem_free(w->cause);
	w->cause = NULL;
	w->never = false;
	w->start = I64_UNKNOWN;
	return w;
}

static void expect_head(const struct lab *q, const char *object, const char *expected)
{
	struct why *w = bare(q, object);
	char *head = why_head(w);

	assert_string_equal(head, expected);
	mem_free(head);
	why_free(w);
}

static void test_head(void **state)
{
	struct lab *q = *state = a_queue(0);

	expect_head(q, "job:100", "job 100 of alice (/physics), 12 tasks, is pending in batch,gpu"
		    ", submitted 05:40 (3 h 20 min ago)");
	expect_head(q, "400", "job 400 of alice (/physics) is pending in batch, submitted 05:40 "
		    "(3 h 20 min ago)");
	expect_head(q, "200", "job 200 of alice (/physics) is running in batch, started 1 May "
		    "05:00 (2 days 4 h ago)");
	expect_head(q, "201", "job 201 of alice (/physics) is SUSPENDED in batch");
	expect_head(q, "300", "job 300 of bob (physics) is pending in batch, submitted 05:40 "
		    "(3 h 20 min ago)");
	expect_head(q, "202", "job 202 of alice (/physics) is COMPLETED in batch");
}

/* A job with several entries counts once; running and ended jobs are not pending. */
static void test_user(void **state)
{
	struct lab *q = *state = a_queue(0);
	struct whys all = { .count = 0 };

	assert_int_equal(q->j->index->n, 8);
	whys_of_user(&all, q->j, "alice", NULL);
	assert_int_equal(all.count, 2);
	assert_string_equal(all.list[0]->name, "100");
	assert_string_equal(all.list[1]->name, "400");
	whys_free(&all);
	assert_int_equal(all.count, 0);
	whys_of_user(&all, q->j, "carol", NULL);
	whys_of_user(&all, q->j, "", NULL);
	assert_int_equal(all.count, 0);
}

static void test_worst_first(void **state)
{
	struct lab *q = *state = a_queue(0);
	struct whys all = { .count = 0 };
	static const struct {
		const char *object;
		bool never;
		int64_t start;
	} answers[] = {
		{ "100", false, NOW + 60 }, { "200", false, I64_UNKNOWN }, { "201", true, NOW },
		{ "300", false, NOW + 90 }, { "400", false, I64_UNKNOWN },
	};
	static const char *const order[] = { "201", "200", "400", "300", "100" };

	for (size_t i = 0; i < 5; i++) {
		whys_add(&all, bare(q, answers[i].object));
		all.list[i]->never = answers[i].never;
		all.list[i]->start = answers[i].start;
	}
	whys_sort(&all);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(all.list[i]->name, order[i]);
	whys_free(&all);
}

static void expect_summary(const struct lab *q, const struct whys *all, const char *user,
			   const char *expected)
{
	char *head = whys_head(all, q->j, user);

	assert_string_equal(head, expected);
	mem_free(head);
}

static void test_summary(void **state)
{
	static const char *const objects[] = { "400", "100", "300", "200", "201" };
	static const char *const causes[] = { "priority", "the group limit of /physics", NULL,
					      "a hold", "priority" };
	struct lab *q = *state = a_queue(0), *part = a_queue(HIDDEN_JOBS);
	struct whys all = { .count = 0 };

	expect_summary(q, &all, "dora", "no job of dora is pending");
	expect_summary(q, &all, "carol", "no job of carol is pending, 1 is running");
	expect_summary(part, &all, "carol", "no job of carol is pending, 1 is running; other "
		       "users' jobs are hidden");
	for (size_t i = 0; i < 5; i++) {
		whys_add(&all, bare(q, objects[i]));
		all.list[i]->cause = causes[i] ? mem_strdup(causes[i]) : NULL;
		if (i == 0)
			expect_summary(q, &all, "alice", "1 job of alice is pending: 1 due to "
				       "priority");
	}
	all.list[1]->start = NOW + 3600;
	all.list[2]->start = NOW + 1800;
	all.list[3]->never = true;
	expect_summary(q, &all, "alice", "16 jobs of alice are pending: 12 due to the group "
		       "limit of /physics, 2 due to priority, 1 due to an unknown reason, 1 due to "
		       "other reasons; 1 can never start as things are; the first starts about "
		       "09:30");
	whys_free(&all);
	lab_free(part);
}

static bool why_keep(void *context, const char *bytes, size_t length, struct err *err)
{
	(void)err;
	assert_true(strlen(context) + length < 2000);
	strncat(context, bytes, length);
	return true;
}

/* Returns a row as JSON, from the column CAUSE on. */
static const char *row_of(struct whys *all, uint32_t row)
{
	static char text[2000];
	struct view view = whys_view(all);
	struct jsonw *j = mem_alloc(1, sizeof(*j));
	bool from = false;
	struct value v;

	text[0] = '\0';
	jsonw_init(j, (struct sink){ why_keep, text }, NULL);
	jsonw_object_begin(j);
	for (size_t i = 0; i < view.column_count; i++) {
		from = from || strcmp(view.columns[i].name, "cause") == 0;
		if (!from)
			continue;
		column_get(&view.columns[i], view.context, row, &v);
		jsonw_key(j, view.columns[i].name);
		jsonw_value(j, &v);
	}
	jsonw_object_end(j);
	assert_true(jsonw_end(j));
	mem_free(j);
	return text;
}

static void test_rows(void **state)
{
	struct lab *q = *state = a_queue(0);
	struct whys all = { .count = 0 };
	struct why_line *line;
	struct why *w;

	whys_add(&all, bare(q, "400"));
	whys_add(&all, w = bare(q, "100"));
	w->cause = mem_strdup("a limit");
	line = why_add(w, WHY_HOLDS, "12 of %d jobs", 12);
	why_number(line, "used", 12);
	why_time(line, "next_end", I64_UNKNOWN);
	why_time(line, "end", I64_INFINITE);
	why_word(line, "of", "/physics");
	(void)why_add(w, WHY_HOLDS, "and more");
	why_number(why_add(w, WHY_PLACE, "3rd"), "rank", 3);
	why_time(why_add(w, WHY_START, "soon"), "time", NOW);
	(void)why_add(w, WHY_UNKNOWN, "this");
	(void)why_add(w, WHY_UNKNOWN, "that");
	assert_string_equal(row_of(&all, 1), "{\"cause\":\"a limit\","
			    "\"holds\":[{\"text\":\"12 of 12 jobs\",\"used\":12,\"next_end\":null,"
			    "\"end\":\"inf\",\"of\":\"/physics\"},{\"text\":\"and more\"}],"
			    "\"place\":null,\"order\":{\"text\":\"3rd\",\"rank\":3},\"ahead\":[],"
			    "\"start\":{\"text\":\"soon\",\"time\":1777798800},"
			    "\"behind\":null,\"helps\":null,\"unknown\":[\"this\",\"that\"]}");
	/* A search without result is not unknown. */
	all.simulated = all.helped = true;
	assert_string_equal(row_of(&all, 0), "{\"cause\":null,\"holds\":[],\"place\":null,"
			    "\"order\":null,\"ahead\":[],\"start\":null,\"behind\":[],\"helps\":[],"
			    "\"unknown\":[]}");
	why_word(why_add(w, WHY_HELPS, "less"), "command", "scontrol");
	assert_non_null(strstr(row_of(&all, 1), "\"helps\":[{\"text\":\"less\","
			       "\"command\":\"scontrol\"}],"));
	whys_free(&all);
}

static size_t shown(const struct why *w, enum why_part part)
{
	size_t n = 0;

	while (why_shown(w, part, n))
		n++;
	return n;
}

/*
 * At most nine lines below the head, with at least one suggestion; "never" comes first.
 */
static void test_shown(void **state)
{
	struct lab *q = *state = a_queue(0);
	struct why *w = bare(q, "400");

	for (int i = 0; i < 6; i++)
		(void)why_add(w, WHY_HELPS, "help %d", i);
	assert_int_equal(shown(w, WHY_HELPS), 6);
	assert_string_equal(why_label(w, WHY_HOLDS), "Reason");
	for (int i = 0; i < 7; i++)
		(void)why_add(w, i < 4 ? WHY_HOLDS : WHY_UNKNOWN, "line %d", i);
	assert_int_equal(shown(w, WHY_HELPS), 2);
	assert_string_equal(why_shown(w, WHY_HOLDS, 3)->text, "line 3");
	why_add(w, WHY_HOLDS, "no way")->never = true;
	assert_string_equal(why_shown(w, WHY_HOLDS, 0)->text, "no way");
	assert_string_equal(why_shown(w, WHY_HOLDS, 4)->text, "line 3");
	assert_int_equal(shown(w, WHY_HOLDS), 5);
	for (int i = 0; i < 4; i++)
		(void)why_add(w, WHY_AHEAD, "line %d", i);
	assert_int_equal(shown(w, WHY_HELPS), 1);
	w->state = WHY_RUNS;
	assert_string_equal(why_label(w, WHY_HOLDS), "Waited");
	why_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		lab_test(test_head), lab_test(test_user),
		lab_test(test_worst_first), lab_test(test_summary),
		lab_test(test_rows), lab_test(test_shown),
	};

	(void)setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests_name("why_view", tests, NULL, NULL);
}
