/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The toy view as table, CSV and JSON: exact texts, and JSON as jansson reads it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "core/base/mem.h"
#include "core/cluster/cluster.h"
#include "tests/support/lab.h"
#include "tests/support/toy.h"
#include "tui/base/report.h"

struct text {
	char bytes[16384];
	size_t length;
	size_t limit;		/* fails beyond it; 0: never */
};

static bool text_write(void *context, const char *bytes, size_t length, struct err *err)
{
	struct text *t = context;

	if (t->limit > 0 && t->length + length > t->limit)
		return err_set(err, ERR_INPUT, "full");
	assert_true(t->length + length < sizeof(t->bytes));
	memcpy(t->bytes + t->length, bytes, length);
	t->length += length;
	t->bytes[t->length] = '\0';
	return true;
}

static struct cluster *a_cluster(void)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = { .kind = "toy", .name = "sand\"box", .time = 1000,
				     .last_decay = I64_UNKNOWN, .boot = I64_UNKNOWN,
				     .last_reset = I64_UNKNOWN };

	builder_meta(b, &meta);
	policy_set_text(builder_policy(b), policy_param("PriorityWeightAge"), "1000", NULL);
	builder_note(b, "accounts", "hidden");
	return lab_sealed(b);
}

static const char *write_report(enum report_format format, const char *columns, struct report *r)
{
	static struct text t;
	struct sink sink = { .write = text_write, .context = &t };
	struct err err = { 0 };

	t.length = 0;
	r->view = toy_view();
	r->source = "toy:1";
	r->now = 1060;
	r->algorithm = "classic";
	r->columns = report_columns(&r->view, columns, format, 0, &r->column_count, &err);
	if (!r->columns)
		fail_msg("%s", err.message);
	r->rows = rows_select(&r->view, NULL, NULL, &r->row_count);
	if (!report_write(r, format, sink, &err))
		fail_msg("%s", err.message);
	report_free(r);
	return t.bytes;
}

static void test_table(void **state)
{
	struct report r = { .width = 0 };

	(void)state;
	assert_string_equal(write_report(REPORT_TABLE, NULL, &r),
			    "N            Size       R        Time\n"
			    "alpha           3    0.50    01:00:00\n"
			    "Beta            -    -              -\n"
			    "gamma \"q\"      10  inf       00:01:00\n"
			    "de,lta     parent    2.00  1-02:03:04\n"
			    "<1B>[31m        3    0.25    00:00:00\n");
}

static void test_table_cut(void **state)
{
	struct report r = { .width = 14 };

	(void)state;
	assert_string_equal(write_report(REPORT_TABLE, "name,size", &r),
			    "N            S\n"
			    "alpha\n"
			    "Beta\n"
			    "gamma \"q\"\n"
			    "de,lta     par\n"
			    "<1B>[31m\n");
}

/* Headers are titles with a unit, unless the cells have it. */
static void test_table_header(void **state)
{
	static const struct column columns[] = {
		{ .name = "u", .title = "Usage", .unit = UNIT_TRES_SECONDS, .format = COLUMN_SI,
		  .decimals = 1, .get = NULL },
	};
	static struct text t;
	struct sink sink = { .write = text_write, .context = &t };
	const struct column *all[] = { columns };
	struct report r = { .columns = all, .column_count = 1 };

	(void)state;
	assert_true(report_table(&r, sink, NULL));
	assert_string_equal(t.bytes, "Usage (TRES-s)\n");
}

static void test_csv(void **state)
{
	struct report r = { .width = 0 };

	(void)state;
	assert_string_equal(
		write_report(REPORT_CSV, NULL, &r),
		"name,size,ratio,time,since,up,limits_cpu,limits_wall,tags\n"
		"alpha,3,0.5,3600,1000,true,4,1-0,\"a,b\"\n"
		"Beta,,,,,,,,\n"
		"\"gamma \"\"q\"\"\",10,inf,60,2000,false,,,\n"
		"\"de,lta\",parent,2,93784,500,true,8,,b\n"
		"\033[31m,3,0.25,0,0,false,,2-0,c\n");
}

/* On a terminal no byte may move the cursor. */
static void test_csv_terminal(void **state)
{
	struct report r = { .terminal = true };

	(void)state;
	assert_non_null(strstr(write_report(REPORT_CSV, "name", &r), "\n<1B>[31m\n"));
}

static json_t *read_json(const char *text)
{
	json_error_t error;
	json_t *j = json_loads(text, 0, &error);

	if (!j)
		fail_msg("not JSON: %s at %d:%d", error.text, error.line, error.column);
	return j;
}

static const char *text_of(json_t *j, const char *key)
{
	return json_string_value(json_object_get(j, key));
}

static void check_head(json_t *j)
{
	json_t *source = json_object_get(j, "source");
	json_t *note = json_array_get(json_object_get(source, "notes"), 0);

	assert_int_equal(json_integer_value(json_object_get(json_object_get(j, "fairtop"),
							    "format")), 1);
	assert_string_equal(text_of(source, "kind"), "toy");
	assert_string_equal(text_of(source, "name"), "toy:1");
	assert_int_equal(json_integer_value(json_object_get(source, "time")), 1000);
	assert_int_equal(json_integer_value(json_object_get(source, "age")), 60);
	assert_string_equal(text_of(source, "health"), "ok");
	assert_string_equal(text_of(note, "subject"), "accounts");
	assert_string_equal(text_of(j, "cluster"), "sand\"box");
	assert_string_equal(text_of(j, "algorithm"), "classic");
	assert_true(json_is_null(json_object_get(j, "base")));
	assert_string_equal(text_of(j, "verdict"), "fine");
	assert_int_equal(json_object_size(json_object_get(j, "policy")), 1);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(j, "policy"),
							    "PriorityWeightAge")), 1000);
}

static void test_json(void **state)
{
	static const struct report_extra extra = { "verdict", "fine" };
	struct cluster *c = a_cluster();
	struct report r = { .cluster = c, .extras = &extra, .extra_count = 1 };
	json_t *j = read_json(write_report(REPORT_JSON, NULL, &r));
	json_t *rows = json_object_get(j, "rows"), *row = json_array_get(rows, 0);

	(void)state;
	check_head(j);
	assert_int_equal(json_array_size(rows), TOY_ROWS);
	assert_int_equal(json_object_size(row), toy_columns_count);
	assert_int_equal(json_integer_value(json_object_get(row, "size")), 3);
	assert_true(json_real_value(json_object_get(row, "ratio")) == 0.5);
	assert_true(json_is_true(json_object_get(row, "up")));
	assert_string_equal(text_of(json_object_get(row, "limits"), "wall"), "1-0");
	assert_int_equal(json_array_size(json_object_get(row, "tags")), 2);
	row = json_array_get(rows, 1);
	assert_true(json_is_null(json_object_get(row, "ratio")));
	assert_true(json_is_null(json_object_get(row, "limits")));
	assert_string_equal(text_of(json_array_get(rows, 2), "ratio"), "inf");
	assert_string_equal(text_of(json_array_get(rows, 4), "name"), "\033[31m");
	json_decref(j);
	cluster_free(c);
}

/* ---- characters that a terminal must not get ----------------------------------------------- */

#define HOSTILE 3

static const char *const hostile[HOSTILE] = {
	"\xc2\x9b" "31m",			/* C1: CSI in eight bits */
	"a\xe2\x80\xae" "b",			/* right-to-left override */
	"\xf3\xa0\x81\x81" "caf\xc3\xa9",	/* a tag character, then plain letters */
};

static void get_hostile(const struct position *pos, struct value *out)
{
	out->kind = VALUE_TEXT;
	out->text = hostile[pos->row % HOSTILE];
}

/* Enough rows for the writer's buffer to split characters. */
static void test_json_terminal(void **state)
{
	static const struct column column = { .name = "n", .title = "N", .get = get_hostile };
	static struct text t;
	const struct column *all[] = { &column };
	uint32_t *rows = mem_alloc(500, sizeof(*rows));
	struct sink sink = { .write = text_write, .context = &t };
	struct cluster *c = a_cluster();
	struct report r = { .cluster = c, .columns = all, .column_count = 1, .rows = rows,
			    .row_count = 500, .terminal = true };
	json_t *j;

	(void)state;
	for (uint32_t i = 0; i < 500; i++)
		rows[i] = i;
	assert_true(report_json(&r, sink, NULL));
	assert_null(strstr(t.bytes, "\xc2\x9b"));
	assert_null(strstr(t.bytes, "\xe2\x80\xae"));
	assert_null(strstr(t.bytes, "\xf3\xa0"));
	assert_non_null(strstr(t.bytes, "caf\xc3\xa9"));
	j = read_json(t.bytes);
	for (size_t i = 0; i < 500; i++)
		assert_string_equal(text_of(json_array_get(json_object_get(j, "rows"), i), "n"),
				    hostile[i % HOSTILE]);
	json_decref(j);
	mem_free(rows);
	cluster_free(c);
}

static void get_records(const struct position *pos, struct value *out)
{
	static const struct value_entry entries[] = {
		{ .key = "text", .text = "one, \"two\"", .begins = true },
		{ .key = "n", .number = 5 }, { .key = "text", .text = "three", .begins = true },
	};

	out->kind = pos->row < 2 ? VALUE_RECORDS : VALUE_UNKNOWN;
	out->entries = entries;
	out->count = pos->row == 0 ? 3 : 0;
}

/* A field of texts in CSV and tables, an array of objects in JSON; empty is not unknown. */
static void test_records(void **state)
{
	static const struct column column = { .name = "r", .title = "R", .left = true,
					      .get = get_records };
	static struct text t;
	const struct column *all[] = { &column };
	uint32_t rows[] = { 0, 1, 2 };
	struct sink sink = { .write = text_write, .context = &t };
	struct cluster *c = a_cluster();
	struct report r = { .cluster = c, .columns = all, .column_count = 1, .rows = rows,
			    .row_count = 3, .view = { .rows = 3 } };

	(void)state;
	assert_true(report_csv(&r, sink, NULL));
	assert_string_equal(t.bytes, "r\n\"one, \"\"two\"\"; three\"\n\n\n");
	t.length = 0;
	assert_true(report_table(&r, sink, NULL));
	assert_string_equal(t.bytes, "R\none, \"two\"; three\n\n-\n");
	t.length = 0;
	assert_true(report_json(&r, sink, NULL));
	assert_non_null(strstr(t.bytes, "{\"r\":[{\"text\":\"one, \\\"two\\\"\",\"n\":5},"
					"{\"text\":\"three\"}]},\n{\"r\":[]},\n{\"r\":null}"));
	cluster_free(c);
}

static void test_full(void **state)
{
	struct view view = toy_view();
	struct cluster *c = a_cluster();
	struct report r = { .view = view, .cluster = c };
	struct err err = { 0 };

	(void)state;
	r.columns = report_columns(&view, NULL, REPORT_CSV, 0, &r.column_count, NULL);
	r.rows = rows_select(&view, NULL, NULL, &r.row_count);
	for (int format = 0; format < REPORT_FORMATS; format++) {
		struct text t = { .limit = 20 };
		struct sink sink = { .write = text_write, .context = &t };

		err_clear(&err);
		assert_false(report_write(&r, (enum report_format)format, sink, &err));
		assert_string_equal(err.message, "full");
	}
	report_free(&r);
	cluster_free(c);
}

/* Returns the names of the columns, joined by blanks. */
static const char *chosen(const char *text, enum report_format format, unsigned algorithm)
{
	static char names[200];
	struct view view = toy_view();
	size_t count;
	const struct column **columns =
		report_columns(&view, text, format, algorithm, &count, NULL);

	assert_non_null(columns);
	names[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		strcat(names, i > 0 ? " " : "");
		strcat(names, columns[i]->name);
	}
	mem_free(columns);
	return names;
}

static void test_columns(void **state)
{
	struct view view = toy_view();
	struct err err = { 0 };
	size_t count;

	(void)state;
	assert_string_equal(chosen(NULL, REPORT_TABLE, 0), "name size ratio time");
	assert_string_equal(chosen(NULL, REPORT_TABLE, 1), "name");
	assert_string_equal(chosen(NULL, REPORT_CSV, 1),
			    "name size ratio time since up limits tags");
	assert_string_equal(chosen("R,name,ratio", REPORT_TABLE, 0), "ratio name");
	assert_string_equal(chosen("+up", REPORT_TABLE, 1), "name up");
	assert_string_equal(chosen("+up,+tags,name", REPORT_TABLE, 1), "name up tags");
	assert_string_equal(chosen("-size,+up", REPORT_TABLE, 0), "name ratio time up");
	assert_null(report_columns(&view, "name,zize", REPORT_TABLE, 0, &count, &err));
	assert_string_equal(err.message, "zize: no such column (did you mean size?)");
	assert_null(report_columns(&view, "", REPORT_TABLE, 0, &count, &err));
	assert_null(report_columns(&view, "name,", REPORT_TABLE, 0, &count, &err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),	     cmocka_unit_test(test_table_cut),
		cmocka_unit_test(test_table_header), cmocka_unit_test(test_csv),
		cmocka_unit_test(test_csv_terminal), cmocka_unit_test(test_json),
		cmocka_unit_test(test_json_terminal), cmocka_unit_test(test_full),
		cmocka_unit_test(test_columns),      cmocka_unit_test(test_records),
	};

	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
