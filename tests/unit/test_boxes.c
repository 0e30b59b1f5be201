/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boxes over the view and the rows below them; keys that do nothing say so.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/stage.h"
#include "tui/panes/pane_whatif.h"

#define TREE \
	"physics 40\n\thep 30\n\t\t+alice 1 50\n\t\t+bob 1 10\n\tastro 10\n\t\t+carol 1 5\n" \
	"bio 20\n\t+dave 1 20\n\t+alice 1 15\n"
#define POOLS "*pool name=compute\n*queue name=short pool=compute\n"

static struct stage *tall(const char *text)
{
	struct stage *s = stage(text);

	stage_resize(s, 120, 40);
	return s;
}

/* A burn rate is the same number in the same unit in every view. */
static void test_one_unit_of_burn(void **state)
{
	struct stage *s = *state =
		tall("physics 40\n\t+alice 1 50\n*job id=7 user=alice account=physics "
		     "state=RUNNING partition=batch cpus=8 billing=8 tres=cpu=8\n");

	stage_keys(s, ":columns burn<Enter>j");
	stage_sees(s, "28.80k");
	stage_keys(s, ":filter burn>28799<Enter>");	/* the filter takes the number as shown */
	stage_sees(s, "28.80k");
	stage_keys(s, ":forecast<Enter>");
	stage_sees(s, "28.80k billable TRES-seconds an hour, unchanged");
	stage_keys(s, "q2<Enter>");
	stage_sees(s, "it costs /physics 28.80k billable TRES-seconds an hour");
	stage_keys(s, "e");
	stage_sees(s, "8 billable: 28.80k billable TRES-seconds an hour");
}

/* Closing a box shows the box below it again, with its keys. */
static void test_what_lay_below(void **state)
{
	static const char *const over[] = { "?", "!", "c", "<F6>", "8", "d", "Y" };
	struct stage *s = *state = tall(TREE);

	for (size_t i = 0; i < sizeof(over) / sizeof(over[0]); i++) {
		stage_keys(s, "w");
		stage_keys(s, over[i]);
		stage_sees(s, "What-if");		/* visible on a small screen, too */
		assert_ptr_not_equal(s->app->pane.ops, &whatif_pane);
		stage_keys(s, i % 2 == 0 ? "q" : "<Esc>");
		assert_ptr_equal(s->app->pane.ops, &whatif_pane);
		assert_true(s->app->pane.focus);
		stage_keys(s, "q");
		assert_false(pane_is_open(s->app));
	}
	/* Boxes stack; opening the same box again does not stack it twice. */
	stage_keys(s, "wc?");
	stage_sees(s, "go down a row");
	stage_keys(s, "q");
	assert_ptr_equal(s->app->pane.ops, &columns_pane);
	stage_keys(s, "?c?cq");
	assert_ptr_equal(s->app->pane.ops, &whatif_pane);
	stage_keys(s, "q");
	assert_false(pane_is_open(s->app));
	/* Another view closes them all. */
	stage_keys(s, "w?2");
	assert_false(pane_is_open(s->app));
}

/* A box that still computes is not stopped when another box covers it. */
static void test_what_lay_below_lives(void **state)
{
	struct stage *s = *state = tall(TREE);

	stage_show(s, "~60\n" TREE);
	stage_keys(s, "D00:00<Enter>");
	stage_sees(s, "Difference");
	stage_keys(s, "?q");
	stage_sees(s, "Difference");
	assert_true(s->app->difference && pane_holds(s->app, s->app->pane.ops));
	stage_sees_not(s, "reading");
	stage_keys(s, "?<Resize:80x24>q");	/* it has the keys where it covers the rows */
	assert_true(pane_modal(s->app) && s->app->pane.focus);
}

/* Text below the rows stays in place while a box is open. */
static void test_rows_stay_where_they_are(void **state)
{
	struct stage *s = *state = tall(TREE);
	uint32_t page = s->app->sheets[VIEW_ACCOUNTS].list.page;

	stage_sees(s, "Most over-served");
	stage_keys(s, "8");
	stage_sees(s, "No rules");
	stage_sees(s, "Most over-served");
	assert_int_equal(s->app->sheets[VIEW_ACCOUNTS].list.page, page);
}

/* Keys of the rows do not reach them through a box. */
static void test_rows_behind_a_box(void **state)
{
	static const char keys[] = "+-*opJKHLU&u<lt>>IT";
	struct stage *s = *state = stage(TREE);
	const struct list *l = &s->app->sheets[VIEW_ACCOUNTS].list;
	char before[30000];

	stage_keys(s, "-jc");
	for (const char *key = keys; *key != '\0'; key++) {
		char one[8];
		size_t length = *key == '<' ? 4 : 1;

		memcpy(one, key, length);
		one[length] = '\0';
		stage_keys(s, "<Down><Up>");		/* clears the message */
		snprintf(before, sizeof(before), "%s", stage_seen(s));
		stage_keys(s, one);
		stage_sees(s, "does nothing here");
		stage_keys(s, "<Down><Up>");
		assert_string_equal(stage_seen(s), before);
		key += length - 1;
	}
	stage_keys(s, "q?<Space>");
	stage_sees(s, "does nothing here");
	assert_int_equal(l->marks.count, 0);
	stage_keys(s, "v");
	stage_sees(s, "does nothing here");
	/* A box takes the keys that it uses itself. */
	stage_keys(s, "qc<Space>");
	stage_sees_not(s, "does nothing here");
	stage_keys(s, "v");
	stage_sees(s, "sorted by");
	/* n does not continue a search of the rows while a box is open. */
	stage_keys(s, "q/alice<Enter>g?n");
	stage_sees(s, "no search yet");
	assert_int_equal(l->cursor, 0);
}

static void test_nothing_to_do_is_said(void **state)
{
	static const struct {
		const char *keys, *said;
	} cases[] = {
		{ "gp", "no account above this one" },
		{ "Gl", "nothing to fold or unfold" },
		{ "Go", "nothing to fold or unfold" },
		{ "2h", "nothing to fold or unfold" },
		{ "2l", "nothing to fold or unfold" },
		{ "2*", "nothing to fold or unfold" },
		{ "<lt><lt><lt><lt><lt><lt><lt><lt><lt><lt>", "in the source's order" },
		{ ">>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>", "sorted by the last column" },
		{ "HHHHHHHHHHHHHHHHHH", "no more columns to the left" },
		{ "3u", "only accounts and jobs" },
		{ "5u", "only accounts and jobs" },
		{ "3C", "expected accounts, users, jobs or classes; the Order column" },
		{ "5C", "expected accounts, users, jobs or classes" },
		{ "2%", "terms in factors, in the columns Age to Nice" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stage *s = stage(TREE POOLS "*job id=41 user=alice account=hep "
						   "state=PENDING\n");

		stage_keys(s, cases[i].keys);
		stage_sees(s, cases[i].said);
		assert_false(s->app->mine);
		stage_leave(s);
	}
}

/* A prompt keeps refused text; the next typed text replaces it. */
static void test_prompt_refuses(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "@1d ago<Enter>");
	stage_sees(s, "go to: 1d ago");
	stage_keys(s, "now");
	stage_sees(s, "go to: now");
	stage_keys(s, "<Esc>fnosuch=1<Enter>");
	stage_sees(s, "filter: nosuch=1");
	stage_keys(s, "<End>2");			/* or corrects it */
	stage_sees(s, "filter: nosuch=12");
	stage_keys(s, "<Esc>ashares:/phisics = 3<Enter>");
	stage_sees(s, "what if shares:/phisics = 3");
	stage_keys(s, "s");
	assert_string_equal(s->app->prompt.text, "s");
	stage_keys(s, "<Esc>");
}

static void test_search_counts_the_first(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "/alice<Enter>");
	stage_cursor_on(s, "alice");
	stage_sees(s, "1 of 2");
	stage_keys(s, "n");
	stage_sees(s, "2 of 2");
	stage_keys(s, "g/alice<Tab><Enter>");
	stage_sees(s, "2 of 2");
	stage_keys(s, "/alice<Tab><Enter>");
	stage_sees(s, "1 of 2; search continued from the top");
}

/* Where the bar of a weight does not fit, its name and number are whole, inside the box. */
static void test_narrow_weights(void **state)
{
	struct stage *s = *state =
		stage("=PriorityWeightAge 1000\n=PriorityWeightFairshare 10000\n" TREE);

	stage_resize(s, 24, 20);
	stage_keys(s, "w");
	stage_sees(s, "│ age          1,000   │");
	stage_sees(s, "│ fairshare   10,000   │");
	stage_keys(s, "<Right>");
	stage_sees(s, "│ age          1,100↑  │");
	stage_resize(s, 30, 10);
	stage_sees(s, "│ base                       │");
	stage_sees(s, "│ age       1,100↑   [x] we… │");
}

static void test_half_pages(void **state)
{
	struct stage *s = *state = stage(TREE);
	struct list *l = &s->app->sheets[VIEW_ACCOUNTS].list;

	stage_resize(s, 100, 16);
	stage_keys(s, "g<C-d>");
	assert_int_equal(l->cursor, l->page / 2);
	stage_keys(s, "<C-u>");
	assert_int_equal(l->cursor, 0);
	stage_keys(s, "?<C-d><C-d>");
	assert_int_equal(s->app->pane.scroll, s->app->pane.page / 2 * 2);
	stage_keys(s, "<C-u><C-u>q:abc<C-u>");		/* a prompt has its own message */
	assert_string_equal(s->app->prompt.text, "");
	stage_keys(s, "<Esc>");
}

static void test_forecast_goes_along(void **state)
{
	struct stage *s = *state = tall(TREE);

	stage_keys(s, "/hep<Enter>O");
	stage_sees(s, "\u2502 /physics/hep ");
	stage_keys(s, "j");
	stage_sees(s, "\u2502 /physics/hep:alice ");
	stage_sees_not(s, "\u2502 /physics/hep ");
	stage_show(s, "~300\n" TREE);			/* and with the picture */
	stage_sees(s, "\u2502 /physics/hep:alice ");
	stage_keys(s, "?k:show /physics/hep<Enter>q");	/* under another box, too */
	stage_sees(s, "\u2502 /physics/hep ");
}

/* A job's association is found again at another row of the next picture. */
static void test_forecast_of_a_job(void **state)
{
	const char *job = "*job id=41 user=alice account=bio partition=batch state=PENDING "
			  "reason=Priority submit=1794100000 assoc=";
	struct stage *s = *state = tall("");
	char text[400];

	snprintf(text, sizeof(text), "zoo 1\n\t+bob 1 5\nbio 1\n\t+alice 1 9\n%s5\n", job);
	stage_show(s, text);
	stage_keys(s, "2O");
	stage_sees(s, "job 41");
	assert_int_equal(s->app->forecasts->order.assoc, 4);
	snprintf(text, sizeof(text), "~60\nbio 1\n\t+alice 1 9\n%s3\n", job);
	stage_show(s, text);
	stage_sees(s, "job 41");
	assert_int_equal(s->app->forecasts->order.assoc, 2);
}

static void test_source_ends(void **state)
{
	struct source_state source = { .health = SOURCE_GOOD, .last_good_ms = 1000000,
				       .name = "/very/long/way/to/it/cluster-a.recording" };
	struct stage *s = *state = tall(TREE);

	stage_source_is(s, &source);
	stage_sees(s, "\u2026/it/cluster-a.recording");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		stage_test(test_one_unit_of_burn),
		stage_test(test_what_lay_below),
		stage_test(test_what_lay_below_lives),
		stage_test(test_rows_stay_where_they_are),
		stage_test(test_rows_behind_a_box),
		cmocka_unit_test(test_nothing_to_do_is_said),
		stage_test(test_prompt_refuses),
		stage_test(test_search_counts_the_first),
		stage_test(test_narrow_weights),
		stage_test(test_half_pages),
		stage_test(test_forecast_goes_along),
		stage_test(test_forecast_of_a_job),
		stage_test(test_source_ends),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		fprintf(stderr, "skipped: there is no locale C.UTF-8\n");
		return 77;
	}
	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
