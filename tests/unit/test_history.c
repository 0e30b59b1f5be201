/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data of the details: the past of a row, which is bounded and keeps its beginning; curves and
 * sparklines; and how full the limits of an association are.
 */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/share/fairshare.h"
#include "tests/support/sketch.h"
#include "core/share/history.h"
#include "tui/panes/pane_forecast.h"
#include "tui/cells/plot.h"
#include "core/share/quota.h"
#include "tests/support/lab.h"

/* ---- history ------------------------------------------------------------------------------- */

struct fake {
	struct model model;
	struct fs_result fs;
	double u[3], r[3], f[3];
};

static void fake_init(struct fake *f, uint32_t rows)
{
	memset(f, 0, sizeof(*f));
	f->fs.n = rows;
	f->fs.norm_usage = f->u;
	f->fs.effective_ratio = f->r;
	f->fs.fairshare = f->f;
	f->model.fs = &f->fs;
}

static void test_begins_at_the_start(void **state)
{
	const uint64_t keys[3] = { 11, 22, 33 };
	struct history h = { 0 };
	struct fake f;
	uint32_t count;

	(void)state;
	fake_init(&f, 3);
	for (int i = 0; i < 1000; i++) {
		for (int row = 0; row < 3; row++)
			f.u[row] = i * 10 + row;
		history_add(&h, &f.model, keys, 100 + i);
	}
	const float *v = history_get(&h, 22, HISTORY_U, &count);
	assert_non_null(v);
	assert_int_equal(count, HISTORY_SAMPLES);
	assert_int_equal(h.times[0], 100);		/* the first refresh is kept */
	assert_int_equal(h.times[count - 1], 1099);	/* and the last */
	for (uint32_t i = 0; i < count; i++)
		assert_true(v[i] == (float)(h.times[i] - 100) * 10 + 1);
	for (uint32_t i = 1; i < count; i++)		/* and the rest evenly spread */
		assert_in_range(h.times[i] - h.times[i - 1], 1, 2 * 1000 / HISTORY_SAMPLES);
	assert_null(history_get(&h, 44, HISTORY_U, &count));
	history_free(&h);
}

/* Later lookups are inserted in order of time; the time a value crossed a line follows. */
static void test_out_of_order(void **state)
{
	const int64_t times[] = { 500, 400, 100, 300, 200, 400 };
	const uint64_t keys[1] = { 7 };
	struct history h = { 0 };
	struct fake f;
	uint32_t count;
	bool always;

	(void)state;
	fake_init(&f, 1);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		f.r[0] = times[i] >= 300 ? 1.5 : 0.5;
		history_add(&h, &f.model, keys, times[i]);
	}
	assert_non_null(history_get(&h, 7, HISTORY_R, &count));
	assert_int_equal(count, 5);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(h.times[i], 100 * (i + 1));
	assert_int_equal(history_since(&h, 7, HISTORY_R, 1, true, 500, &always), 300);
	assert_false(always);
	assert_int_equal(history_since(&h, 7, HISTORY_R, 1, false, 500, &always), I64_UNKNOWN);
	assert_int_equal(history_since(&h, 7, HISTORY_R, 1, false, 250, &always), 100);
	assert_true(always);
	assert_int_equal(history_since(&h, 8, HISTORY_R, 1, true, 500, &always), I64_UNKNOWN);
	history_free(&h);
}

/* A new row has no earlier past; the past of a row that goes stays. */
static void test_rows_come_and_go(void **state)
{
	const uint64_t keys[2] = { 1, 2 }, swapped[2] = { 2, 3 };
	struct history h = { 0 };
	struct fake f;
	uint32_t count;

	(void)state;
	fake_init(&f, 2);
	f.r[0] = 5;
	f.r[1] = 6;
	history_add(&h, &f.model, keys, 0);
	f.r[0] = 7;
	f.r[1] = 8;
	history_add(&h, &f.model, swapped, 10);
	const float *two = history_get(&h, 2, HISTORY_R, &count);
	assert_int_equal(count, 2);
	assert_true(two[0] == 6 && two[1] == 7);
	const float *three = history_get(&h, 3, HISTORY_R, &count);
	assert_true(isnan(three[0]) && three[1] == 8);
	const float *one = history_get(&h, 1, HISTORY_R, &count);
	assert_true(one[0] == 5 && isnan(one[1]));
	history_free(&h);
}

/* With too many rows for the past to fit, none is kept, and nothing breaks. */
static void test_too_many_rows(void **state)
{
	struct history h = { 0 };
	struct fake f;
	uint32_t count;

	(void)state;
	fake_init(&f, 2000000);
	history_add(&h, &f.model, NULL, 0);
	assert_int_equal(h.capacity, 0);
	assert_null(history_get(&h, 1, HISTORY_U, &count));
	assert_int_equal(count, 0);
	history_free(&h);
}

/* ---- curves -------------------------------------------------------------------------------- */

static const char *text_of(const struct doc *d)
{
	static char text[512];
	struct canvas *c = canvas_new(20, 1, d->ascii);

	doc_draw(d, c, 0, 0, 20, 1, 0);
	text[0] = '\0';
	for (int x = 0; x < 20; x++)
		strcat(text, c->cells[x].text);
	canvas_free(c);
	return text;
}

static void test_spark(void **state)
{
	const float values[8] = { 0, 1, 2, 3, 4, 5, 6, 7 }, flat[3] = { 2, 2, NAN };
	const float zeros[3] = { 0, NAN, 0 };
	struct doc d;

	(void)state;
	doc_init(&d, 20, false);
	spark_put(&d, values, 8, 8);
	assert_string_equal(text_of(&d), "▁▂▃▄▅▆▇█            ");
	doc_free(&d);
	doc_init(&d, 20, true);
	spark_put(&d, values, 8, 4);
	assert_string_equal(text_of(&d), "_-=*                ");
	doc_free(&d);
	doc_init(&d, 20, true);
	spark_put(&d, flat, 3, 10);
	assert_string_equal(text_of(&d), "~~                  ");
	doc_free(&d);
	doc_init(&d, 20, true);
	spark_put(&d, zeros, 3, 3);
	assert_string_equal(text_of(&d), "_ _                 ");
	doc_free(&d);
}

/* An F that does not move: the axis has two values, neither of them twice. */
static void test_axis_of_a_constant(void **state)
{
	struct forecast_point points[2] = { { .time = 0, .fairshare = 0.5 },
					    { .time = 86400, .fairshare = 0.5 } };
	const struct forecast f = { .points = points, .count = 2, .reached = I64_UNKNOWN };
	struct canvas *c = canvas_new(40, 7, true);
	struct doc d;
	double last = -1;
	int labels = 0;

	(void)state;
	doc_init(&d, 40, true);
	forecast_chart(&f, 0.5, &d, 6);
	doc_draw(&d, c, 0, 0, 40, 7, 0);
	for (int y = 0; y < 7; y++) {
		char text[9] = "";
		double value;

		for (int x = 0; x < 8; x++)
			strcat(text, c->cells[y * 40 + x].text);
		if (sscanf(text, "%lf", &value) != 1)
			continue;
		labels++;
		if (value >= last && value <= last)
			fail_msg("%s stands twice", text);
		last = value;
	}
	assert_true(labels > 1);
	canvas_free(c);
	doc_free(&d);
}

static void test_plot(void **state)
{
	struct plot p;
	struct doc d;

	(void)state;
	plot_init(&p, 4, 1);
	plot_dot(&p, 0, 0);
	plot_dot(&p, 1, 1);
	plot_dot(&p, 2, 1);		/* outside */
	plot_dot(&p, (double)NAN, 1);
	plot_point(&p, 0.4, 0.5);
	doc_init(&d, 20, false);
	plot_put(&p, &d, 0);
	assert_string_equal(text_of(&d), "⡀● ⠈                ");
	doc_free(&d);
	plot_free(&p);
}

/* ---- limits -------------------------------------------------------------------------------- */

struct seen {
	char names[512];
	unsigned count;
	double used, limit;	/* of the last limit */
};

static void see(void *context, const struct quota *q)
{
	struct seen *s = context;

	strcat(s->names, q->name);
	strcat(s->names, ";");
	s->count++;
	s->used = q->used;
	s->limit = q->limit;
}

static struct cluster *limited(void)
{
	struct builder *b = builder_new();
	uint32_t cpu, row;
	struct tres_item item;

	cpu = builder_tres_row(b, "cpu", 3);
	row = builder_add(b, TABLE_ASSOC);
	builder_u32(b, F_ASSOC_ID, row, 1);
	builder_str(b, F_ASSOC_ACCOUNT, row, "root");
	builder_u32(b, F_ASSOC_GRP_JOBS, row, 10);
	builder_u32(b, F_ASSOC_USED_JOBS, row, 4);
	builder_u32(b, F_ASSOC_GRP_SUBMIT, row, U32_INFINITE);
	item = (struct tres_item){ cpu, 100 };
	builder_tres(b, F_ASSOC_GRP_TRES, row, &item, 1);
	builder_tres(b, F_ASSOC_USED_TRES, row, &item, 0);	/* known to be empty */
	builder_tres(b, F_ASSOC_GRP_TRES_RUN_MINS, row, &item, 1);
	item.count = 5400;
	builder_tres(b, F_ASSOC_USED_TRES_RUN_SECS, row, &item, 1);
	item.count = 8;
	builder_tres(b, F_ASSOC_MAX_TRES, row, &item, 1);
	return lab_sealed(b);
}

static void test_quota(void **state)
{
	struct cluster *c = limited(), *none = sketch_cluster("a 1\n", FS_CLASSIC);
	struct seen s = { .count = 0 };

	(void)state;
	quota_list(c, 0, see, &s);
	assert_string_equal(s.names, "GrpJobs;GrpTRES cpu;GrpTRESRunMins cpu;MaxTRESPerJob cpu;");
	assert_true(isnan(s.used) && s.limit == 8);
	assert_true(quota_fullest(c, 0) == 0.9);	/* 90 of 100 CPU minutes */
	assert_true(isnan(quota_fullest(none, 1)));
	cluster_free(c);
	cluster_free(none);
}

static void drawn(struct plot *p, enum plot_style style, bool ascii, const char *wanted)
{
	struct canvas *c = canvas_new(p->width, p->height, ascii);
	char text[256] = "";

	plot_draw(p, c, 0, 0, style);
	for (int i = 0; i < p->width * p->height; i++)
		strncat(text, c->cells[i].text, sizeof(text) - strlen(text) - 1);
	assert_string_equal(text, wanted);
	canvas_free(c);
}

/* From corner to corner, and past them. */
static void test_lines(void **state)
{
	struct plot p;

	(void)state;
	plot_init(&p, 4, 2);
	p.letter = 'x';
	plot_line(&p, 0, 0, 1, 1);
	drawn(&p, PLOT_BRAILLE, false, "  ⡠⠊⡠⠊  ");
	drawn(&p, PLOT_BLOCKS, false, "  ▄▀▄▀  ");
	drawn(&p, PLOT_LETTERS, false, "  xxxx  ");
	drawn(&p, PLOT_BRAILLE, true, "  xxxx  ");
	plot_line(&p, -1, 2, -2, 3);
	plot_line(&p, 0, (double)NAN, 1, 1);
	plot_line(&p, 0, 0, 1e9, 1e9);
	drawn(&p, PLOT_LETTERS, false, "  xxxx  ");
	assert_int_equal(plot_row(&p, -5), 1);
	plot_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_begins_at_the_start),
		cmocka_unit_test(test_out_of_order), cmocka_unit_test(test_rows_come_and_go),
		cmocka_unit_test(test_too_many_rows),	    cmocka_unit_test(test_spark),
		cmocka_unit_test(test_axis_of_a_constant),
		cmocka_unit_test(test_plot),		    cmocka_unit_test(test_lines),
		cmocka_unit_test(test_quota),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		fprintf(stderr, "skipped: there is no locale C.UTF-8\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
