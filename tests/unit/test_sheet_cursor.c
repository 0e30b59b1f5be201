/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The column cursor: what the legend explains, where it goes when columns appear, disappear or do
 * not fit, and commands on the cell under it.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/stage.h"
#include "tui/cells/theme.h"

#define TREE \
	"physics 40\n\thep 30\n\t\t+alice 1 50 r2 p1\n\t\t+bob 1 10\n\tastro 10\n\t\t+carol 1 5\n" \
	"bio 20\n\t+dave 1 20\n\t+alice 1 15\n"

static struct sheet *sheet_of(struct stage *s)
{
	return &s->app->sheets[s->app->view];
}

static const char *under(struct stage *s)
{
	const struct column *column = sheet_cursor(sheet_of(s));

	return column ? column->name : "";
}

/* Returns whether the cursor's column is on the screen. */
static bool seen(struct stage *s)
{
	const struct sheet_layout *l = &sheet_of(s)->layout;

	for (size_t i = 0; i < l->count; i++) {
		const struct sheet_slot *slot = &l->slots[i];

		if (slot->column == sheet_cursor(sheet_of(s)))
			return slot->x + slot->width < s->canvas->width;
	}
	return false;
}

/* Returns the cell in the middle of the cursor's column, LINE lines below the titles. */
static const struct cell *cell(struct stage *s, int line)
{
	const struct sheet_layout *l = &sheet_of(s)->layout;

	for (size_t i = 0; i < l->count; i++) {
		if (l->slots[i].column == sheet_cursor(sheet_of(s)))
			return &s->canvas->cells[(2 + line) * s->canvas->width + l->slots[i].x +
						 l->slots[i].width - 1];
	}
	fail_msg("there is no column under the cursor on the screen");
	return NULL;
}

static void test_legend(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_sees(s, "over-served");
	stage_keys(s, "2");			/* sorted by rank, no cursor yet */
	stage_sees(s, "Rank  queue rank: 1");
	assert_string_equal(under(s), "");
	stage_keys(s, "L");			/* begins beside the sort column */
	stage_sees(s, "User  ");
	stage_keys(s, "1L");
	assert_string_equal(under(s), "shares");
	stage_sees(s, "Shares  raw shares among siblings");
	assert_int_equal(cell(s, 0)->ground, GROUND_TITLE);
	assert_int_equal(cell(s, 0)->role, ROLE_HEAD_CURSOR);
	assert_int_equal(cell(s, 1)->ground, GROUND_CELL);	/* only in the selected row */
	assert_int_equal(cell(s, 2)->ground, GROUND_NONE);
	stage_keys(s, "<S-Right>j");
	assert_string_equal(under(s), "norm_shares");
	assert_int_equal(cell(s, 2)->ground, GROUND_CELL);
	stage_keys(s, "<S-Left>H");		/* left of all columns: no cursor */
	assert_string_equal(under(s), "");
	stage_sees(s, "over-served");
	stage_keys(s, "H");
	assert_string_equal(under(s), "");
	stage_keys(s, "2L<Esc>");		/* Esc removes it before it leaves the view */
	assert_string_equal(under(s), "");
	assert_int_equal(s->app->view, VIEW_JOBS);
}

static void test_identity(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, ":column R<Enter>");
	assert_string_equal(under(s), "effective_ratio");
	stage_show(s, "new 10\n" TREE);
	assert_string_equal(under(s), "effective_ratio");
	stage_keys(s, "2LL");
	stage_keys(s, "1");
	assert_string_equal(under(s), "effective_ratio");
	stage_keys(s, "2");
	assert_string_equal(under(s), "account");
	stage_keys(s, "1:columns -usage<Enter>:columns +burn<Enter>");
	assert_string_equal(under(s), "effective_ratio");
	stage_keys(s, ":columns -R<Enter>");	/* hidden: no cursor, until it returns */
	assert_string_equal(under(s), "");
	stage_sees(s, "over-served");
	stage_keys(s, ":columns +R<Enter>");
	assert_string_equal(under(s), "effective_ratio");
	stage_sees(s, "R  effective usage ratio");
	stage_keys(s, ":columns F,S<Enter>L");	/* its column is gone: begins again */
	assert_string_equal(under(s), "fairshare");
	stage_leave(s);
	/* A column missing in an algorithm is gone, and returns with it. */
	s = *state = stage(TREE);
	stage_keys(s, ":column k<Enter>:set algorithm fair-tree<Enter>");
	assert_string_equal(under(s), "");
	stage_keys(s, ":set algorithm auto<Enter>");
	assert_string_equal(under(s), "k");
	/* Columns of changes appear beside it. */
	stage_keys(s, ":column F<Enter>ashares:/physics = 5<Enter>");
	stage_sees(s, "F was");
	assert_string_equal(under(s), "fairshare");
	stage_keys(s, "L");
	assert_string_equal(under(s), "fairshare_change");
	stage_keys(s, "b");
	assert_string_equal(under(s), "");
	stage_keys(s, "b");
	assert_string_equal(under(s), "fairshare_change");
	stage_keys(s, ":column burn<Enter>:column nosuch<Enter>");
	stage_sees(s, "nosuch");
	stage_keys(s, ":column depth<Enter>");
	stage_sees(s, "Depth is not shown (:columns +depth shows it)");
}

/* Walks from the first column to the last and back, where only a few fit. */
static void walk(struct stage *s)
{
	struct sheet *sheet = sheet_of(s);
	size_t steps = 0;

	do {
		stage_keys(s, "L");
		assert_true(seen(s));
		assert_true(++steps <= 2 * SHEET_COLUMNS);
	} while (sheet_index(sheet, sheet_cursor(sheet)) + 1 < sheet->count);
	stage_keys(s, "L");
	assert_true(seen(s));
	/* Now all of them are in the list. */
	for (size_t i = sheet->count; i-- > 0; ) {
		assert_ptr_equal(sheet_cursor(sheet), sheet->columns[i]);
		assert_true(seen(s));
		if (sheet->scroll == 0)
			break;
		stage_keys(s, "H");
	}
	assert_int_equal(sheet->scroll, 0);
	for (size_t i = 0; i < sheet->count && sheet_cursor(sheet); i++)
		stage_keys(s, "H");
	assert_null(sheet_cursor(sheet));
}

static void test_room(void **state)
{
	static const char *const views[] = { "1", "2", "3", "4", "5" };
	static const int widths[] = { 60, 80, 120, 200 };
	struct stage *s = *state = stage(TREE);

	stage_keys(s, ":columns +running,pending,burn,depth,partition<Enter>");
	for (size_t v = 0; v < sizeof(views) / sizeof(views[0]); v++) {
		stage_keys(s, views[v]);
		for (size_t w = 0; v != 2 && w < sizeof(widths) / sizeof(widths[0]); w++) {
			stage_resize(s, widths[w], 30);
			stage_keys(s, ":sort rank<Enter><Esc>");
			sheet_pick(sheet_of(s), NULL, false);
			walk(s);
		}
	}
	/* A narrower window drops another column under the cursor. */
	stage_keys(s, "1");
	stage_resize(s, 200, 30);
	stage_keys(s, ":column r_l<Enter>");
	for (int width = 200; width >= 60; width -= 7) {
		stage_resize(s, width, 30);
		assert_true(seen(s));
	}
	stage_resize(s, 200, 30);
	stage_keys(s, ":column depth<Enter>");
	for (int width = 200; width >= 60; width -= 7) {
		stage_keys(s, "L");
		stage_resize(s, width, 30);
		assert_true(seen(s));
	}
}

/* Texts need width: less important columns make way, unless the user chose them. */
static void test_texts(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_resize(s, 120, 40);
	stage_keys(s, "5");
	stage_sees(s, "age grows from submission, whatever keeps the job pending");
	stage_sees(s, "fair share uses the depth-oblivious formula; turns Fair Tree off");
	stage_sees_not(s, "Default  ");
	stage_keys(s, ":columns value,default,meaning<Enter>");
	stage_sees(s, "Default  ");
	stage_sees_not(s, "whatever keeps the job pending");
	stage_keys(s, ":columns usual<Enter>");
	stage_resize(s, 200, 40);
	stage_sees(s, "Default  ");
	/* Names and values are as wide as those shown, but never narrower than their titles. */
	stage_resize(s, 80, 24);
	stage_sees_not(s, "weight of the fair-share factor");
	stage_keys(s, ":filter name^=PriorityWeight<Enter>");
	stage_sees(s, "PriorityWeightFairshare");
	stage_sees(s, "weight of the fair-share factor");
	stage_keys(s, ":filter name=KillWait<Enter>");
	stage_sees(s, " Parameter  Value  Meaning");
}

static void test_sorting(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "v");
	stage_sees(s, "no column is chosen");
	stage_keys(s, ":column F<Enter>v");
	assert_string_equal(sheet_of(s)->picked->name, "fairshare");
	assert_true(sheet_of(s)->list.order.keys[0].descending);
	stage_keys(s, "v");
	assert_false(sheet_of(s)->list.order.keys[0].descending);
	stage_keys(s, "LH");			/* moving does not sort */
	assert_string_equal(sheet_of(s)->picked->name, "fairshare");
	stage_keys(s, ":sort usage<Enter>");	/* but sorting moves the cursor along */
	assert_string_equal(under(s), "usage");
	stage_keys(s, "<lt>");
	assert_string_equal(under(s), "norm_shares");
	stage_keys(s, ">");
	assert_string_equal(under(s), "usage");
	stage_keys(s, "<lt><lt><lt>");
	assert_string_equal(under(s), "");
	stage_keys(s, ">");			/* and without a cursor there is none */
	assert_string_equal(under(s), "");
	stage_sees(s, "Shares  raw shares");
	stage_keys(s, ":column bar<Enter>v");
	assert_string_equal(sheet_of(s)->list.order.keys[0].column->name, "effective_ratio");
}

/* The arrow of the sort belongs to its title: it never fills the gap between two. */
static void assert_titles_apart(struct stage *s, int width)
{
	const struct sheet_layout *l = &sheet_of(s)->layout;
	const struct cell *line = &s->canvas->cells[2 * width];

	for (size_t i = 1; i < l->count; i++) {
		int x = l->slots[i].x;

		if (line[x].text[0] != ' ' && line[x - 1].text[0] != ' ' &&
		    line[x - 2].text[0] != ' ')
			fail_msg("no blank between %s and %s with %d columns",
				 l->slots[i - 1].column->title, l->slots[i].column->title, width);
	}
}

static void test_arrow(void **state)
{
	static const char *const views[] = { "1", "2", "4", "5" };
	struct stage *s = *state = stage(TREE);

	for (size_t v = 0; v < sizeof(views) / sizeof(views[0]); v++) {
		stage_keys(s, views[v]);
		for (int width = 60; width <= 160; width += 5) {
			stage_resize(s, width, 20);
			for (size_t i = 0; i < sheet_of(s)->count; i++) {
				sheet_pick(sheet_of(s), sheet_of(s)->columns[i], true);
				stage_seen(s);
				assert_titles_apart(s, width);
			}
		}
	}
}

/* Columns that the user adds are shown, even if others must go. */
static void test_asked_for(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_resize(s, 80, 24);
	stage_sees_not(s, "Depth");
	stage_keys(s, ":columns +depth<Enter>");
	stage_sees(s, "Depth");
	stage_keys(s, ":columns usual<Enter>");
	stage_sees_not(s, "Depth");
	stage_keys(s, "c/levels below<Enter><Space>q");
	stage_sees(s, "Depth");
	stage_keys(s, ":columns +partition,level_fs,burn,usage,shares,pending<Enter>");
	stage_sees(s, "Partition");		/* too many to fit: the least important go */
	stage_keys(s, ":columns -depth<Enter>");
	stage_sees_not(s, "Depth");
}

/* At 80 columns the legend of every column fits whole, beside 9999/9999 rows. */
static void test_legends_fit(void **state)
{
	struct stage *s = *state = stage(TREE);
	char line[120];

	stage_resize(s, 80, 24);
	stage_keys(s, "ashares:/physics = 7<Enter>");
	for (int view = 0; view < VIEW_CLUSTERS; view++) {
		struct sheet *sheet = &s->app->sheets[view];

		stage_keys(s, (const char *const[]){ "1", "2", "3", "4", "5" }[view]);
		stage_keys(s, "c");
		for (uint32_t i = 0; i < sheet_choices(sheet); i++) {
			const struct column *column = sheet_choice(sheet, i);

			snprintf(line, sizeof(line), " %s  %s", column->title,
				 column->legend);
			if (strlen(line) > 80 - strlen("  9999/9999") - 1)
				fail_msg("cut at 80 columns: %s", line);
			stage_sees(s, line);
			stage_keys(s, "j");
		}
		stage_keys(s, "q");
	}
}

static void test_chooser_sorts(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "cjv");
	assert_string_equal(sheet_of(s)->picked->name, sheet_choice(sheet_of(s), 1)->name);
}

static void test_filter(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "&");
	stage_sees(s, "no cell is chosen");
	stage_keys(s, "jj:column shares<Enter>&");
	stage_sees(s, "filter: shares>=30");
	stage_keys(s, "<Enter>");
	stage_sees(s, "FILTER shares>=30");
	stage_sees_not(s, "bio");
	stage_keys(s, "f<C-u>user=alice|user=dave<Enter>G&");
	stage_sees(s, "filter: (user=alice|user=dave) shares>=1");
	stage_keys(s, "<Esc>2L&");
	stage_sees(s, "filter: user=\"");
	stage_keys(s, "<Enter>");
	stage_sees(s, "FILTER user=\"alice\"");
	stage_keys(s, "<C-u>f<C-u><Enter>:column reason<Enter>");
}

static void test_copy_and_chart(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "jjj:column shares<Enter>y");
	assert_string_equal(app_copied(s->app), "1");
	stage_keys(s, ":column F<Enter>y");
	stage_sees(s, app_copied(s->app));
	assert_memory_equal(app_copied(s->app), "0.", 2);
	stage_keys(s, ":column burn<Enter>6");
	assert_int_equal(s->app->chart->column_count, 1);
	assert_string_equal(s->app->chart->columns[0]->name, "burn");
	stage_keys(s, ":column F<Enter>");	/* the chart follows the cursor */
	assert_string_equal(s->app->chart->columns[0]->name, "fairshare");
	stage_keys(s, ":history usage<Enter>");	/* a column chosen by name stays */
	assert_string_equal(s->app->chart->columns[0]->name, "usage");
}

/* A held key repeats before the next frame. */
static void test_without_frames(void **state)
{
	struct stage *s = *state = stage(TREE);
	struct event right = { .type = EVENT_KEY, .key = 'L', .ms = s->ms };
	struct sheet *sheet = sheet_of(s);

	stage_resize(s, 60, 20);
	for (size_t i = 0; i < 2 * sheet->count; i++) {
		const struct column *before = sheet_cursor(sheet);

		app_event(s->app, &right);
		if (before)
			assert_true(sheet_index(sheet, sheet_cursor(sheet)) >=
				    sheet_index(sheet, before));
	}
	assert_ptr_equal(sheet_cursor(sheet), sheet->columns[sheet->count - 1]);
	right.key = '2';
	app_event(s->app, &right);
	right.key = 'L';
	app_event(s->app, &right);
	assert_string_equal(under(s), "state");	/* all rows are of one user */
}

static void test_mouse(void **state)
{
	struct stage *s = *state = stage(TREE);
	struct script_step click = { .type = STEP_CLICK, .y = 4 };
	const struct sheet_slot *slot;

	slot = &sheet_of(s)->layout.slots[3];
	click.x = slot->x + 1;
	stage_step(s, &click);			/* a cell: selects its row and column */
	stage_cursor_on(s, "physics");
	assert_ptr_equal(sheet_cursor(sheet_of(s)), slot->column);
	stage_sees(s, "hep");
	click.x = sheet_of(s)->layout.slots[4].x;
	stage_step(s, &click);			/* another cell of that row: no fold */
	assert_ptr_equal(sheet_cursor(sheet_of(s)), sheet_of(s)->layout.slots[4].column);
	stage_sees(s, "hep");
	click.x = 3;
	stage_step(s, &click);			/* the name: no column */
	assert_null(sheet_cursor(sheet_of(s)));
	stage_sees(s, "hep");
	stage_step(s, &click);
	stage_sees_not(s, "hep");
	/* A title sorts, and moves the cursor if there is one. */
	click = (struct script_step){ .type = STEP_CLICK, .x = slot->x, .y = 2 };
	stage_step(s, &click);
	assert_null(sheet_cursor(sheet_of(s)));
	stage_keys(s, "L");
	stage_step(s, &click);
	assert_ptr_equal(sheet_cursor(sheet_of(s)), slot->column);
}

/* On any terminal the cursor's title and cell look different from all others. */
static void test_themes(void **state)
{
	static const enum color_depth depths[] = { DEPTH_DIRECT, DEPTH_256, DEPTH_16, DEPTH_8,
						   DEPTH_MONO };

	(void)state;
	for (size_t i = 0; theme_builtin[i]; i++) {
		for (size_t d = 0; d < sizeof(depths) / sizeof(depths[0]); d++) {
			struct theme t;
			struct style is, other;

			assert_true(theme_load(&t, theme_builtin[i], NULL, NULL));
			theme_reduce(&t, depths[d]);
			is = theme_style(&t, ROLE_HEAD_CURSOR, GROUND_TITLE);
			other = theme_style(&t, ROLE_HEAD_SORT, GROUND_HEAD);
			if (is.bg == other.bg && ((is.attrs ^ other.attrs) & STYLE_REVERSE) == 0)
				fail_msg("%s with %d colours: the title is like another",
					 theme_builtin[i], (int)depths[d]);
			is = theme_style(&t, ROLE_NUMBER, GROUND_CELL);
			other = theme_style(&t, ROLE_NUMBER, GROUND_CURSOR);
			if (is.bg == other.bg && is.attrs == other.attrs)
				fail_msg("%s with %d colours: the cell is like another",
					 theme_builtin[i], (int)depths[d]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		stage_test(test_legend),
		stage_test(test_identity),
		stage_test(test_room), stage_test(test_texts),
		stage_test(test_sorting),
		stage_test(test_arrow),
		stage_test(test_asked_for), stage_test(test_legends_fit),
		stage_test(test_chooser_sorts),
		stage_test(test_filter),
		stage_test(test_copy_and_chart),
		stage_test(test_without_frames),
		stage_test(test_mouse),
		cmocka_unit_test(test_themes),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		fprintf(stderr, "skipped: there is no locale C.UTF-8\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
