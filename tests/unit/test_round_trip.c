/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A printed key is accepted as input: each path and job number that the views print, for recordings
 * of real clusters, hostile names and a deep tree, leads back to its row: as an object of explain
 * and compare, as that of an edit, and in a filter.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "core/queue/compare.h"
#include "core/share/model.h"
#include "core/table/filter.h"
#include "core/whatif/seek.h"
#include "core/whatif/whatif_private.h"
#include "core/whatif/whatif_run.h"
#include "tests/support/assoc.h"
#include "tests/support/dump.h"
#include "tests/support/hostile.h"
#include "tests/support/jobdump.h"
#include "tests/support/pbs.h"

#define DEEP 60
#define SAMPLES 200			/* of each view */

/* Returns the cell of COLUMN as a text; the caller frees it. */
static char *cell(const struct view *view, const char *column, uint32_t row)
{
	const struct column *c = column_find(view->columns, view->column_count, column,
					     strlen(column));
	struct value v;

	column_get(c, view->context, row, &v);
	if (v.kind == VALUE_INT)
		return mem_format("%lld", (long long)v.integer);
	if (v.kind != VALUE_TEXT)
		fail_msg("%s of row %u: nothing is printed", column, (unsigned)row);
	return mem_strdup(v.text);
}

static void edit_finds(const struct model *m, const char *text)
{
	struct whatif *w = whatif_new();
	struct err err = { 0 };
	struct whatif_run *run;

	if (!whatif_add(w, text, &err))
		fail_msg("%s: %s", text, err.message);
	run = whatif_run_try(w, m, NULL, ROW_NONE, NULL);
	if (!whatif_check(w, &err))
		fail_msg("%s", err.message);
	whatif_run_free(run);
	whatif_free(w);
}

static void filter_finds(const struct view *view, const char *path, uint32_t row)
{
	char *text = mem_format("path=\"%s\"", path);
	struct err err = { 0 };
	struct filter *f = filter_parse(text, view->columns, view->column_count, &err);

	if (!f)
		fail_msg("%s: %s", text, err.message);
	assert_true(filter_match(f, view, row));
	filter_free(f);
	mem_free(text);
}

/*
 * A blank at the end and a " #" belong to the edit, not to the name: names have %20 and %23 there.
 * Words of a filter have a maximum length.
 */
static bool is_plain(const char *path)
{
	size_t length = strlen(path);

	return path[length - 1] != ' ' && !strstr(path, " #") && !strpbrk(path, "\"\\") &&
	       length < 2000;
}

static void check_path(const struct model *m, const struct view *view, uint32_t row)
{
	char *path = cell(view, "path", row), *edit = mem_format("shares:%s = 7", path);
	struct compare out = { .rows = NULL };
	struct explain e;
	struct err err = { 0 };

	if (cluster_find_assoc(m->cluster, path, &err) != row)
		fail_msg("%s", err.message);
	explain_init(&e);
	m->algo->explain(&m->input, m->fs, row, &e);
	explain_free(&e);
	if (row != 0) {
		compare_accounts(m, row, cluster_parent(m->cluster)[row], &out);
		compare_free(&out);
	}
	if (is_plain(path)) {
		/* PBS sets the shares of /unknown in another way. */
		if (strcmp(path, "/unknown") != 0)
			edit_finds(m, edit);
		filter_finds(view, path, row);
	}
	mem_free(edit);
	mem_free(path);
}

/* Frees C. */
static void check_paths(struct cluster *c)
{
	struct err err = { 0 };
	struct model *m = model_new(c, NULL, &err);
	uint32_t n = cluster_rows(c, TABLE_ASSOC);

	for (uint32_t row = 0; m && row < n; row += 1 + n / SAMPLES) {
		struct view view = accounts_view(m);

		check_path(m, &view, row);
	}
	model_free(m);
	cluster_free(c);
}

/* Frees C. */
static void check_jobs(struct cluster *c, uint32_t *arrays)
{
	struct model *m = model_new(c, NULL, NULL);
	struct jobs *j = m ? jobs_new(m, NULL) : NULL;
	uint32_t n = j ? j->index->n : 0;

	for (uint32_t row = 0; row < n; row += 1 + n / SAMPLES) {
		struct view view = jobs_view(j);
		char *id = cell(&view, "id", row), *object = mem_format("job:%s", id);
		char *text = mem_format("%s.hold = yes", object);
		uint32_t job = j->index->job[row], found;
		struct err err = { 0 };
		struct edit edit;

		found = jobs_find(j, object, &err);
		if (found == ROW_NONE)
			fail_msg("%s", err.message);
		assert_int_equal(j->index->job[found], job);
		assert_int_equal(j->index->job[jobs_find(j, id, NULL)], job);
		if (!edit_parse(text, &edit, &err))
			fail_msg("%s", err.message);
		assert_int_equal(whatif_job(c, edit.object), job);
		edit_free(&edit);
		*arrays += strchr(id, '[') != NULL;
		mem_free(text);
		mem_free(object);
		mem_free(id);
	}
	jobs_free(j);
	model_free(m);
	cluster_free(c);
}

static void test_slurm(void **state)
{
	uint32_t arrays = 0;

	(void)state;
	for (size_t i = 0; i < dump_count; i++)
		check_paths(dump_cluster(dump_names[i]));
	check_jobs(jobdump_cluster("depthobl/live"), &arrays);
	check_jobs(jobdump_cluster("fairtree/quiet"), &arrays);
}

static void test_pbs(void **state)
{
	static const char *const names[] = { "01_main", "02_formula", "03_tricky", "05_lifecycle",
					     "07_multisched", "15_array" };
	uint32_t arrays = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		check_paths(pbs_cluster(names[i]));
		check_jobs(pbs_cluster(names[i]), &arrays);
	}
	assert_true(arrays > 10);
}

static void test_hostile(void **state)
{
	struct builder *b = builder_new();
	uint32_t id = 2;

	(void)state;
	assoc_add(b, 1, 0, "root", NULL, 1, 0);
	for (size_t i = 0; i < hostile_count(); i++) {
		char *name = hostile_name(i), *account = mem_format("a=%zu=%s", i, name);

		assoc_add(b, id, 1, account, NULL, 1, 0);
		assoc_add(b, id + 1, id, account, *name ? name : "=", 1, 5);
		id += 2;
		mem_free(account);
		mem_free(name);
	}
	check_paths(builder_seal(b, NULL));
}

/* Numbers that mean "none" name no job: they would be taken for the array's. */
static void test_numbers_of_no_job(void **state)
{
	static const char *const texts[] = { "7_4294967294", "7[4294967294]", "7_4294967296",
					     "4294967294", "18446744073709551623" };
	struct job_name name;

	(void)state;
	assert_true(job_name_read("4294967293_4294967293", &name));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_false(job_name_read(texts[i], &name));
}

/* Nested names of thirty bytes: most paths are longer than a cell. */
static struct cluster *deep_tree(void)
{
	struct builder *b = builder_new();
	char name[40];

	for (uint32_t i = 1; i <= DEEP; i++) {
		snprintf(name, sizeof(name), "an_account_of_thirty_bytes_%03u", (unsigned)i);
		assoc_add(b, i, i - 1, name, NULL, 3, 0);
	}
	assoc_add(b, DEEP + 1, DEEP, name, "ann", 3, 60);
	assoc_add(b, DEEP + 2, DEEP, name, "bob", 1, 40);
	return builder_seal(b, NULL);
}

static void test_deep(void **state)
{
	struct cluster *c = deep_tree();
	struct model *m = model_new(c, NULL, NULL);
	struct view view = accounts_view(m);
	struct seek_question q = { .assoc = DEEP, .entry = ROW_NONE, .reach = 0.6 };
	char *path = cell(&view, "path", DEEP), brief[100];
	struct seek s;

	(void)state;
	assert_true(strlen(path) > VALUE_ROOM);
	/* A short buffer gets the end of the path, after "...". */
	assert_int_equal(cluster_path(c, DEEP, brief, sizeof(brief)), strlen(path));
	assert_memory_equal(brief, "...", 3);
	assert_string_equal(brief + 3, path + strlen(path) - strlen(brief + 3));
	assert_int_equal(strlen(brief), sizeof(brief) - 1);
	/* The tried edits include its shares and those of its ancestors. */
	assert_true(seek(m, NULL, &q, &s, NULL));
	assert_true(s.count > 50);
	for (uint32_t i = 0; i < s.count; i++)
		edit_finds(m, strchr(s.answers[i].edit, ' ') ? s.answers[i].edit : "damping = 2");
	seek_free(&s);
	mem_free(path);
	model_free(m);
	check_paths(c);
}

/* "=" may be written plainly wherever a path is taken. */
static void test_equals(void **state)
{
	static const char *const edits[] = {
		"shares:/a=b = 5", "shares:/a%3Db=5", "shares:/a%3db:u=1=5", "parent:/a=b = /c",
		"parent:/a=b=/c", "parent:/c = /a=b", "add:/x=y = 3", "shares:/a=b = parent",
		"remove:/a=b = yes",
	};
	struct builder *b = builder_new();
	struct cluster *c;
	struct model *m;
	struct view view;

	(void)state;
	assoc_add(b, 1, 0, "root", NULL, 1, 0);
	assoc_add(b, 2, 1, "a=b", NULL, 1, 50);
	assoc_add(b, 3, 2, "a=b", "u=1", 1, 50);
	assoc_add(b, 4, 1, "c", NULL, 1, 0);
	c = builder_seal(b, NULL);
	m = model_new(c, NULL, NULL);
	view = accounts_view(m);
	assert_int_equal(cluster_find_assoc(c, "/a=b:u=1", NULL), 2);
	assert_int_equal(cluster_find_assoc(c, "/a%3Db:u%3D1", NULL), 2);
	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++)
		edit_finds(m, edits[i]);
	filter_finds(&view, "/a=b:u=1", 2);
	filter_finds(&view, "/a%3Db:u%3D1", 2);
	model_free(m);
	cluster_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers_of_no_job),
		cmocka_unit_test(test_slurm), cmocka_unit_test(test_pbs),
		cmocka_unit_test(test_hostile), cmocka_unit_test(test_deep),
		cmocka_unit_test(test_equals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
