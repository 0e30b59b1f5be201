/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job priorities against a real slurmctld: every weighted term within 1e-9 of its own and the
 * priority equal as an integer, for every job that it reports, in every recording with its mix of
 * PriorityFlags, damping and PriorityFavorSmall. Where jobs were running or slurmctld had just
 * started, its fair-share factors are of an unfinished evaluation: only there that term is taken
 * from the recording; all others must still agree. Also the view: keys, maps, objects.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "core/base/jsonw.h"
#include "core/queue/jobs.h"
#include "tests/support/dump.h"
#include "tests/support/jobdump.h"

static const enum field term_field[PRIO_FACTORS] = {
	[PRIO_AGE] = F_PRIO_AGE,		[PRIO_ASSOC] = F_PRIO_ASSOC,
	[PRIO_FAIRSHARE] = F_PRIO_FAIRSHARE,	[PRIO_JOBSIZE] = F_PRIO_JOBSIZE,
	[PRIO_PARTITION] = F_PRIO_PARTITION_TERM, [PRIO_QOS] = F_PRIO_QOS_TERM,
};
_Static_assert(PRIO_FACTORS == 6, "a new factor has its field here, and its term in jobdump.c");

/* False for depth-oblivious recordings with jobs running, and those just after a start. */
static bool settled(const char *name)
{
	return !strstr(name, "cold") && strcmp(name, "depthobl/live") != 0;
}

static void close_to(const char *name, uint32_t id, const char *what, double have, double want)
{
	if (!(fabs(have - want) <= 1e-9 * (1 + fabs(want))))
		fail_msg("%s: job %u, %s: %.17g, slurmctld says %.17g", name, id, what, have, want);
}

static double reported_tres(const struct cluster *c, uint32_t row, uint32_t tres)
{
	struct tres_list list = cluster_tres(c, F_PRIO_TRES, row);

	for (uint32_t i = 0; i < list.count; i++) {
		if (list.items[i].tres == tres)
			return list.items[i].count;
	}
	return 0;
}

static uint32_t partitions(const struct job_index *x, uint32_t e)
{
	uint32_t n = 1;

	for (uint32_t i = e; i > 0 && x->job[i - 1] == x->job[e]; i--)
		n++;
	for (uint32_t i = e; i + 1 < x->n && x->job[i + 1] == x->job[e]; i++)
		n++;
	return n;
}

static void check_entry(const char *name, const struct jobs *j, uint32_t e)
{
	const struct cluster *c = j->model->cluster;
	uint32_t row = j->index->reported[e], id = cluster_u32(c, F_JOB_ID, j->index->job[e]);
	uint32_t own = cluster_u32(c, F_JOB_PRIORITY, j->index->job[e]);
	enum value_origin origin;

	for (unsigned f = 0; f < PRIO_FACTORS; f++) {
		if (f != PRIO_FAIRSHARE || settled(name))
			close_to(name, id, factor_info[f].name,
				 prio_term(j->prio, (enum prio_factor)f, e),
				 cluster_f64(c, term_field[f], row));
	}
	for (uint32_t t = 0; t < j->prio->tres_count; t++)
		close_to(name, id, "tres", prio_tres_term(j->prio, t, e),
			 reported_tres(c, row, j->prio->tres_row[t]));
	assert_true(prio_part(&j->input, j->prio, PRIO_SITE, e, &origin) ==
		    (double)cluster_i64(c, F_PRIO_SITE, row));
	assert_int_equal(origin, VALUE_COMPUTED);
	assert_true(prio_part(&j->input, j->prio, PRIO_NICE, e, &origin) ==
		    -(double)cluster_i64(c, F_PRIO_NICE, row));
	assert_int_equal(origin, VALUE_COMPUTED);
	if (settled(name) && partitions(j->index, e) == 1)
		assert_int_equal(j->prio->priority[e], own);
}

/* A job in several partitions shows the priority of one of them. */
static void check_several(const struct jobs *j, uint32_t e)
{
	uint32_t own = cluster_u32(j->model->cluster, F_JOB_PRIORITY, j->index->job[e]);
	bool found = false;

	for (uint32_t i = e; i < j->index->n && j->index->job[i] == j->index->job[e]; i++)
		found |= j->prio->priority[i] == own;
	assert_true(found);
}

static void check_recording(const char *name)
{
	struct cluster *c = jobdump_cluster(name);
	struct err err = { 0 };
	struct model *m = model_new(c, NULL, &err);
	struct jobs *j = jobs_new(m, NULL);
	uint32_t checked = 0, direct = 0;

	for (uint32_t e = 0; e < j->index->n; e++) {
		uint32_t row = j->index->reported[e];

		if (row == ROW_NONE)
			continue;
		if (cluster_u32(c, F_PRIO_DIRECT, row) != 0) {
			assert_int_equal(j->prio->origin[e], PRIO_ORIGIN_DIRECT);
			assert_int_equal(j->prio->priority[e],
					 cluster_u32(c, F_JOB_PRIORITY, j->index->job[e]));
			direct++;
			continue;
		}
		check_entry(name, j, e);
		if (settled(name) && (e == 0 || j->index->job[e - 1] != j->index->job[e]))
			check_several(j, e);
		checked++;
	}
	print_message("%s: %u computed, %u set directly\n", name, checked, direct);
	assert_int_equal(checked + direct, cluster_rows(c, TABLE_PRIO));
	assert_true(checked >= 48);
	jobs_free(j);
	model_free(m);
	cluster_free(c);
}

static void test_every_term_is_the_schedulers_own(void **state)
{
	(void)state;
	for (size_t i = 0; i < dump_count; i++)
		check_recording(dump_names[i]);
}

/* ---- the view -------------------------------------------------------------------------------- */

struct buffer {
	char text[65536];
	size_t length;
};

static bool put(void *context, const char *bytes, size_t length, struct err *err)
{
	struct buffer *b = context;

	(void)err;
	assert_true(b->length + length < sizeof(b->text));
	memcpy(b->text + b->length, bytes, length);
	b->length += length;
	return true;
}

static json_t *row_as_json(const struct jobs *j, uint32_t row)
{
	static struct buffer b;
	struct view view = jobs_view(j);
	struct err err = { 0 };
	struct jsonw *json = test_malloc(sizeof(*json));
	struct value v;
	json_t *back;

	b.length = 0;
	jsonw_init(json, (struct sink){ put, &b }, &err);
	jsonw_object_begin(json);
	for (size_t i = 0; i < view.column_count; i++) {
		column_get(&view.columns[i], view.context, row, &v);
		jsonw_key(json, view.columns[i].name);
		jsonw_value(json, &v);
	}
	jsonw_object_end(json);
	assert_true(jsonw_end(json));
	test_free(json);
	back = json_loadb(b.text, b.length, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(back);
	return back;
}

static void test_the_view_has_the_keys_of_the_contract(void **state)
{
	static const char *const keys[] = {
		"id", "array", "task", "name", "user", "account", "partition", "qos", "state",
		"reason", "reservation", "nodes", "cpus", "tres", "time_limit", "submit",
		"eligible", "accrue", "start_estimate", "billing", "priority", "rank",
		"partition_rank", "ahead",
		"factors", "terms",
	};
	struct cluster *c = jobdump_cluster("depthobl/quiet");
	struct err err = { 0 };
	struct model *m = model_new(c, NULL, &err);
	struct jobs *j = jobs_new(m, NULL);
	uint32_t row = jobs_find(j, "job:182", &err);
	json_t *o = row_as_json(j, row), *terms = json_object_get(o, "terms");

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_non_null(json_object_get(o, keys[i]));
	assert_int_equal(json_integer_value(json_object_get(o, "id")), 182);
	assert_true(json_is_number(json_object_get(terms, "fairshare")));
	assert_true(json_is_number(json_object_get(json_object_get(terms, "tres"), "gres/gpu")));
	assert_true(json_is_object(json_object_get(o, "tres")));
	assert_int_equal(jobs_find(j, "job:9999", &err), ROW_NONE);
	assert_int_equal(err.code, ERR_INPUT);
	assert_int_equal(jobs_find(j, "job:x", &err), ROW_NONE);
	json_decref(o);
	jobs_free(j);
	model_free(m);
	cluster_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_term_is_the_schedulers_own),
		cmocka_unit_test(test_the_view_has_the_keys_of_the_contract),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
