/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ways around the screen that users know from other terminal programs: everything that shows a key
 * can be clicked, boxes name their own keys.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/bytes.h"
#include "tests/support/stage.h"
#include "tui/base/new_file.h"
#include "tui/acts/table_save.h"
#include "tests/support/scratch.h"

#define TREE \
	"physics 40\n\thep 30\n\t\t+alice 1 50\n\t\t+bob 1 10\n\tastro 10\n\t\t+carol 1 5\n" \
	"bio 20\n\t+dave 1 20\n\t+alice 1 15\n"

/* Finds the cell where TEXT begins in line Y (-1: the first line with it); false without it. */
static bool find(struct stage *s, const char *text, int y, int *at_x, int *at_y)
{
	const struct canvas *c = s->canvas;
	size_t length = strlen(text);

	for (int line = y < 0 ? 0 : y; line < (y < 0 ? c->height : y + 1); line++) {
		for (int x = 0; x + (int)length <= c->width; x++) {
			const struct cell *cell = &c->cells[line * c->width + x];
			size_t i = 0;

			while (i < length && cell[i].text[0] == text[i])
				i++;
			if (i == length) {
				*at_x = x;
				*at_y = line;
				return true;
			}
		}
	}
	return false;
}

static void click(struct stage *s, const char *text, int y)
{
	struct script_step step = { .type = STEP_CLICK };

	if (!find(s, text, y, &step.x, &step.y))
		fail_msg("'%s' is not there to be clicked:\n%s", text, stage_seen(s));
	stage_step(s, &step);
}

/* ---- the line at the bottom ---------------------------------------------------------------- */

static void test_hints_are_of_the_box(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_resize(s, 80, 24);
	stage_sees(s, "/ search");
	stage_keys(s, "?");
	stage_sees(s, "q close");
	stage_sees_not(s, "w what-if");
	stage_keys(s, "qc");
	stage_sees(s, "Space show or hide  v sort");
	stage_keys(s, "q!");
	stage_sees(s, "scroll");
	stage_keys(s, "q<Enter>");		/* above the view: takes the keys */
	stage_sees(s, "PgDn PgUp page");
	stage_sees_not(s, "Tab rows");
	stage_keys(s, "q<Resize:160x40><Enter>");	/* beside it: the view keeps them */
	stage_sees(s, "/ search");
	stage_keys(s, "<Tab>");
	stage_sees(s, "Tab rows");
	stage_sees_not(s, "/ search");
	stage_keys(s, "q:unbind c<Enter>:bind all Y columns<Enter>Y:unbind v<Enter>");
	stage_sees_not(s, "sort");
}

static void test_hints_are_clicked(void **state)
{
	struct stage *s = *state = stage(TREE);

	click(s, "explain", 29);
	stage_sees(s, "How the factor is computed");
	click(s, "close", 29);
	stage_sees_not(s, "How the factor is computed");
	click(s, "> sort", 29);
	assert_string_equal(s->app->sheets[VIEW_ACCOUNTS].picked->name, "shares");
	click(s, "<> sort", 29);
	assert_null(s->app->sheets[VIEW_ACCOUNTS].picked);
	click(s, "/ search", 29);
	assert_int_equal(s->app->prompt.kind, PROMPT_SEARCH);
	click(s, "/", 29);			/* typed text is no hint */
	assert_int_equal(s->app->prompt.kind, PROMPT_SEARCH);
	stage_keys(s, "<Esc>|");
	stage_sees(s, "does nothing here");
	stage_keys(s, "<Click:3,30>");		/* nor is a message */
	assert_int_equal(s->app->prompt.kind, PROMPT_NONE);
	click(s, "? help", 29);
	stage_sees(s, "go down a row");
	click(s, "q close", 29);
	stage_sees_not(s, "go down a row");
	click(s, "Q quit", 29);
	assert_true(s->effects & APP_QUIT);
}

/* ---- boxes --------------------------------------------------------------------------------- */

static void test_lists_are_clicked(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "c");
	stage_sees(s, "[x] Shares");
	click(s, "[x] Shares", -1);		/* its mark */
	stage_sees(s, "[ ] Shares");
	click(s, "Depth", -1);			/* its name: selects it, then acts */
	stage_sees(s, "[ ] Depth");
	click(s, "Depth", -1);
	stage_sees(s, "[x] Depth");
	stage_keys(s, "<Click:1,3>");		/* beside the box: closes it */
	assert_false(pane_is_open(s->app));
	/* A list of ways to a goal. */
	stage_keys(s, "jjj:seek 0.4<Enter>");
	assert_true(s->app->pane.lines > 0);
	struct script_step step = { .type = STEP_CLICK, .x = 30, .y = s->app->pane.list_y };
	stage_step(s, &step);
	assert_true(s->app->message[0] != '\0');
}

/* Finds everything with a name; items chosen often come before equal matches. */
static void test_palette_finds(void **state)
{
	struct stage *s = *state =
		stage(TREE "*job id=42 user=alice account=hep state=PENDING name=x\n");

	stage_keys(s, "<C-p>dav");
	stage_sees(s, "/bio:dave");
	stage_keys(s, "<Enter>");
	stage_cursor_on(s, "dave");
	stage_keys(s, "<C-p>hep");
	stage_sees(s, "/physics/hep ");
	stage_keys(s, "<Esc><C-p>42<Enter>");
	stage_sees(s, "[2 Jobs]");
	stage_keys(s, "1<C-p>safe");
	stage_sees(s, "theme safe");
	stage_keys(s, "<Enter>");
	assert_string_equal(app_theme(s->app)->name, "safe");
	stage_keys(s, "<C-p>depth");
	stage_sees(s, "columns +depth");
	stage_keys(s, "<Esc><C-p>fre<Enter><C-p>safe<Enter>");
	stage_keys(s, "<C-p>fre<Enter><C-p>safe<Enter><C-p>fre<Enter>z<C-p>");
	/* With nothing typed, the command used before comes first of all. */
	assert_int_equal(s->app->palette_pick, 0);
	stage_keys(s, "<Enter>");
	assert_true(app_frozen(s->app));
	stage_keys(s, "z<C-p>alice<Down>");
	stage_sees(s, "user");
	stage_keys(s, "<Enter>");
	stage_cursor_on(s, "alice");
	/* A text as the list shows it works, too; other text runs as a command. */
	stage_keys(s, "<C-p>theme li<Enter>");
	assert_string_equal(app_theme(s->app)->name, "light");
	stage_keys(s, "<C-p>themedark<Enter>");
	assert_string_equal(app_theme(s->app)->name, "dark");
	stage_keys(s, "<C-p>filter user=dave<Enter>");
	assert_string_equal(s->app->message, "");
	stage_cursor_on(s, "dave");
	stage_keys(s, "<Esc>");
	stage_keys(s, "<C-p>nobodyiscalledso");
	stage_sees(s, "no match");
	stage_keys(s, "<Esc>:show /nobody<Enter>");
	stage_sees(s, "no such association");
}

/* The first page of the help explains the symbols, with the row's numbers, and ten keys. */
static void test_help_begins_with_the_letters(void **state)
{
	static const char *const seen[] = {
		"hep", "S ", "U ", "r_l ", "weight of r_l in R", "effective usage ratio",
		"R = R above x r_l ^ k = ", "0 = last", "Limit%",
		"command palette",
	};
	struct stage *s = *state = stage(TREE);

	stage_keys(s, ":show hep<Enter>?");
	for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++)
		stage_sees(s, seen[i]);
	stage_sees_not(s, "fold-subtree");	/* the list of all keys comes after */
	stage_keys(s, "<PgDn>");
	stage_sees(s, "fold-subtree");
	stage_keys(s, "q:set algorithm fair-tree<Enter>?");
	stage_sees(s, "Level FS ");
	stage_sees_not(s, "r_l");
	stage_keys(s, "q2?");
	stage_sees(s, "sum of the terms");
}

/* A name suffices; if it is ambiguous, all matches are listed. */
static void test_show_takes_names(void **state)
{
	static const struct {
		const char *name, *on, *view;
	} shown[] = {
		{ "dave", "dave", "[1 Accounts]" }, { "account:hep", "hep", "[1 Accounts]" },
		{ "/bio:alice", "alice", "[1 Accounts]" }, { "alice@hep", "alice", "[1 Accounts]" },
		{ "42", "42", "[2 Jobs]" }, { "job 42", "42", "[2 Jobs]" },
		{ "account astro", "astro", "[1 Accounts]" }, { "short", "short", "[3 Pools]" },
	};
	struct stage *s = *state =
		stage(TREE "*job id=42 user=alice account=hep state=PENDING name=x\n"
		      "*pool name=compute\n*queue name=long\n"
		      "*queue name=short pool=compute\n");
	char keys[80];

	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		snprintf(keys, sizeof(keys), ":show %s<Enter>", shown[i].name);
		stage_keys(s, keys);
		stage_sees(s, shown[i].view);
		stage_cursor_on(s, shown[i].on);
	}
	stage_keys(s, ":show pool:compute<Enter>");
	stage_sees(s, "pool:compute: it has no queues");
	stage_keys(s, "1:show alice<Enter>");
	stage_sees(s, "2 matches (expected one of /physics/hep:alice, /bio:alice)");
	stage_keys(s, ":show astor<Enter>");
	stage_sees(s, "did you mean astro?");
	stage_keys(s, ":show 43<Enter>");
	stage_sees(s, "job \"43\": not in the queue");
	stage_sees(s, "[1 Accounts]");
	stage_keys(s, ":fold physics<Enter>");
	stage_sees_not(s, "astro");
}

static void test_palette_is_clicked(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "<C-p>");
	stage_keys(s, "<WheelDown><WheelDown>");
	assert_int_equal(s->app->palette_pick, 2);
	stage_keys(s, "freez");
	click(s, "freeze", -1);
	assert_true(app_frozen(s->app));
	assert_int_equal(s->app->prompt.kind, PROMPT_NONE);
	stage_keys(s, "<C-p>fold-dep");
	click(s, "fold-depth", -1);		/* an argument is asked for */
	assert_int_equal(s->app->prompt.kind, PROMPT_COMMAND);
	stage_keys(s, "<Esc>");
}

/* The wheel scrolls what is under the pointer. */
static void test_wheel(void **state)
{
	struct stage *s = *state = stage(TREE);
	struct event wheel = { .type = EVENT_WHEEL, .x = 150, .at = 10, .y = 1, .ms = s->ms };

	stage_keys(s, "<Resize:160x16>jjje");
	assert_false(s->app->pane.focus);
	app_event(s->app, &wheel);
	assert_int_equal(s->app->pane.scroll, 3);
	wheel.x = 5;
	app_event(s->app, &wheel);
	assert_int_equal(s->app->pane.scroll, 3);
}

/* ---- initial text of a prompt ---------------------------------------------------------------- */

static void test_prompt_tells_what_it_takes(void **state)
{
	static const char *const cases[][2] = {
		{ "@", "go to:   30m ago, 09:30, yesterday" },
		{ "D", "difference from:   1h ago, 09:30, yesterday; Enter: the sample before" },
		{ "/", "/  part of a name" },
		{ "?/", "/  a word in this box" },
		{ ":", ":  a command or a row number" },
		{ "a", "what if   weight.age = 1000, shares:/physics = 60" },
		{ "ajob:42.nice =", "job:42.nice =  nice value; it is subtracted" },
		{ "aweight.age = ", "weight.age =   weight of the age factor" },
		{ "1f", "filter:   alice, or R>1.2 pending>0" },
		{ "2f", "state=PENDING age>1h" },
		{ "5f", "unit=points" },
		{ "1R", ":seek   F|RANK" },
		{ ":theme ", ":theme   [NAME]" },
	};
	struct stage *s = *state = stage(TREE);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		stage_keys(s, cases[i][0]);
		stage_sees(s, cases[i][1]);
		stage_keys(s, "<Esc><Esc>");
	}
	stage_keys(s, "/a");			/* disappears as the user types */
	stage_sees_not(s, "a part of");
	stage_keys(s, "<Esc>");
}

/* Returns whether the next letter replaces TEXT in the last line. */
static bool offered(struct stage *s, const char *text)
{
	int x, y = s->canvas->height - 1;

	assert_true(find(s, text, y, &x, &y));
	return s->canvas->cells[y * s->canvas->width + x].ground == GROUND_PICK;
}

static void test_prompt_offers_the_old_value(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "ji");			/* the shares of physics */
	stage_sees(s, "what if shares:/physics = 40  raw shares of an account or user, or parent");
	assert_true(offered(s, "40"));
	assert_false(offered(s, "shares"));
	stage_keys(s, "20");
	stage_sees(s, "what if shares:/physics = 20");
	stage_sees_not(s, "raw shares of");
	assert_false(offered(s, "20"));
	stage_keys(s, "<Esc>i<End>");		/* a cursor key keeps the value */
	assert_false(offered(s, "40"));
	stage_keys(s, "5");
	stage_sees(s, "what if shares:/physics = 405");
	stage_keys(s, "<Esc>i<Backspace>");
	stage_sees_not(s, "= 40");
	stage_sees(s, "what if shares:/physics =");
	stage_keys(s, "<Esc>falice<Enter>f");
	assert_true(offered(s, "alice"));
	stage_keys(s, "<Enter>");		/* unchanged, the filter stays */
	stage_sees(s, "FILTER alice");
	stage_keys(s, "fdave<Enter>");
	stage_sees(s, "FILTER dave");
	stage_keys(s, "f<Right> | carol<Enter>");
	stage_sees(s, "FILTER dave | carol");
	stage_keys(s, "f<Backspace><Enter>");
	stage_sees_not(s, "FILTER");
}

/* A cursor at the top stays at the top when rows are sorted; elsewhere it stays on its row. */
static void test_sorting_shows_the_top(void **state)
{
	struct stage *s = *state = stage(TREE);
	const struct list *list = &s->app->sheets[VIEW_ACCOUNTS].list;

	stage_keys(s, ":fold-depth 9<Enter>:sort -usage<Enter>T");
	assert_int_equal(list->cursor, 0);
	stage_keys(s, ":sort shares<Enter>");
	assert_int_equal(list->cursor, 0);
	stage_keys(s, "I");
	assert_int_equal(list->cursor, 0);
	stage_keys(s, "<Click:3,3>");		/* the title of the names: the source's order */
	assert_int_equal(list->cursor, 0);
	stage_keys(s, ":sort user<Enter>j");
	stage_cursor_on(s, "alice");
	stage_keys(s, "I");
	stage_cursor_on(s, "alice");
	assert_int_not_equal(list->cursor, 0);
	stage_keys(s, "gF");			/* a followed first row, too */
	stage_cursor_on(s, "dave");
	stage_keys(s, "I");
	stage_cursor_on(s, "dave");
	stage_keys(s, "FgT");			/* back to the tree: the cursor keeps its row */
	stage_cursor_on(s, "alice");
	/* Ranks sort ascending: the first one matters most. */
	stage_keys(s, ":column rank<Enter>v");
	assert_false(list->order.keys[0].descending);
	stage_keys(s, ":column usage<Enter>v");
	assert_true(list->order.keys[0].descending);
}

/* A box that grows over the rows takes the keys, as one opened over them does. */
static void test_narrowed_box_has_the_keys(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_resize(s, 120, 40);
	stage_keys(s, "jj<Enter>");
	assert_false(s->app->pane.focus);
	stage_resize(s, 80, 16);
	stage_sees(s, "q close");
	stage_keys(s, "j");
	assert_int_equal(s->app->pane.scroll, 1);
	stage_resize(s, 120, 40);
	assert_false(s->app->pane.focus);
	stage_sees(s, "/ search");
	stage_keys(s, "<Tab>");			/* focus given by the user stays */
	stage_resize(s, 80, 16);
	stage_resize(s, 120, 40);
	assert_true(s->app->pane.focus);
}

/* The cursor returns to a row that a filter hid, unless the user moved it. */
static void test_filter_gives_the_cursor_back(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, ":fold-depth 9<Enter>jjjj");
	stage_cursor_on(s, "bob");
	stage_keys(s, ":filter dave<Enter>:filter nobody-at-all<Enter>");
	stage_sees(s, "No match for nobody-at-all; Esc clears the filter");
	stage_keys(s, ":filter \"\"<Enter>");
	stage_cursor_on(s, "bob");
	stage_keys(s, ":filter dave<Enter>");
	stage_show(s, "=PriorityWeightAge 9\n" TREE);	/* after a refresh, too */
	stage_keys(s, "f<Backspace><Enter>");
	stage_cursor_on(s, "bob");
	stage_keys(s, ":filter dave<Enter>gG");
	stage_cursor_on(s, "dave");
	stage_keys(s, "f<Backspace><Enter>");
	stage_cursor_on(s, "dave");
}

/* A key that can do nothing says so. */
static void test_ends_of_the_tree(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, ":fold-depth 1<Enter>+");
	stage_sees_not(s, "everything is");
	stage_keys(s, "++++");
	stage_sees(s, "everything unfolded");
	stage_keys(s, "-");
	stage_sees_not(s, "everything is");
	stage_keys(s, "-----");
	stage_sees(s, "everything folded");
	stage_keys(s, "l-");			/* a row unfolded singly folds first */
	stage_keys(s, "gjJ");
	stage_cursor_on(s, "bio");
	stage_sees_not(s, "of its account");
	stage_keys(s, "J");
	stage_sees(s, "the last row of its account");
	stage_keys(s, "KK");
	stage_sees(s, "the first row of its account");
}

/* An account's jobs are those that its row counts, of all accounts below it, and no others. */
static void test_jobs_of_a_branch(void **state)
{
	struct stage *s = *state =
		stage("physics 40\n\thep 30\n\t\t+alice 1 50\nphysics2 20\n\t+dave 1 20\n"
		      "*job id=40 user=alice account=hep assoc=4 partition=batch state=RUNNING\n"
		      "*job id=41 user=dave account=physics2 assoc=6 partition=batch "
		      "state=RUNNING\n");

	stage_keys(s, "jx");
	stage_sees(s, "FILTER within^=\"/physics/\"");
	stage_sees(s, " 40 ");
	stage_sees_not(s, " 41 ");
	stage_keys(s, "1jjjx");
	stage_sees(s, "FILTER within^=\"/physics2/\"");
	stage_sees(s, " 41 ");
	stage_keys(s, "1gx");
	stage_sees(s, " 40 ");
	stage_sees(s, " 41 ");
}

/* Only missing data raises the notice. */
static void test_precision_is_not_missing(void **state)
{
	struct stage *s = *state = stage("?precision: saved outputs: ratios to 1e-06\n" TREE);

	stage_sees_not(s, "PARTLY UNKNOWN");
	stage_keys(s, "!");
	stage_sees(s, "ratios to 1e-06");
	stage_keys(s, "q");
	stage_show(s, "?precision: saved outputs: ratios to 1e-06\n?jobs: none is told\n" TREE);
	stage_sees(s, "PARTLY UNKNOWN: !");
}

/* Columns of PBS do not exist for Slurm; columns of an edit are named with their place. */
static void test_columns_refused(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, ":columns +usage_perc<Enter>");
	stage_sees(s, "usage_perc: no such column");
	stage_keys(s, ":columns +base_usage<Enter>");
	stage_sees(s, "comparison columns need a what-if");
	stage_keys(s, "ashares:/physics = 7<Enter>:columns +base_usage<Enter>");
	stage_sees(s, "base_usage: it is always shown beside its column");
	stage_keys(s, ":fold job:12x<Enter>");
	stage_sees(s, "fold: no array 'job:12x' is shown");
}

/* F6 as in other tools: a list of sortable columns; Enter chooses. */
static void test_sort_is_chosen(void **state)
{
	struct stage *s = *state = stage(TREE);
	const struct sheet *sheet = &s->app->sheets[VIEW_ACCOUNTS];

	stage_keys(s, ":sort -usage<Enter><F6>");
	stage_sees(s, "Sort by");
	stage_sees(s, "Enter sort");
	assert_string_equal(sheet_choice(sheet, s->app->pane.pick)->name, "usage");
	stage_keys(s, "<Enter>");		/* the present sort column stays as it is */
	assert_false(pane_is_open(s->app));
	assert_true(sheet->list.order.keys[0].descending);
	stage_keys(s, "<F6>/shares among<Enter><Enter>");
	assert_false(pane_is_open(s->app));
	assert_string_equal(sheet->picked->name, "shares");
	stage_keys(s, ":sort<Enter>");
	click(s, "billable TRES-seconds", -1);	/* the first click selects, the second chooses */
	assert_ptr_equal(s->app->pane.ops, &sort_pane);
	click(s, "billable TRES-seconds", -1);
	assert_false(pane_is_open(s->app));
	assert_string_equal(sheet->picked->name, "usage");
}

/* ---- while the user types ------------------------------------------------------------------ */

static void test_filter_narrows(void **state)
{
	struct stage *s = *state = stage(TREE);
	char before[8000];

	stage_keys(s, "jjjj");
	stage_cursor_on(s, "bob");
	snprintf(before, sizeof(before), "%s", stage_seen(s));
	stage_keys(s, "fcaro");
	stage_sees(s, "carol");
	stage_sees_not(s, "dave");
	stage_sees(s, "FILTER caro");
	stage_keys(s, "x");			/* no row matches: the previous ones stay */
	stage_sees(s, "no match yet");
	stage_sees(s, "carol");
	stage_keys(s, "<Esc>");			/* everything as before */
	assert_string_equal(stage_seen(s), before);
	stage_keys(s, "fuse");			/* perhaps a name, more likely a column */
	stage_sees(s, "dave");
	stage_sees_not(s, "no match");
	stage_keys(s, "r=dav");			/* unfinished text is no error yet */
	stage_sees_not(s, "expected");
	stage_keys(s, "e");
	stage_sees(s, "dave");
	stage_sees_not(s, "carol");
	stage_keys(s, "<Enter>");
	stage_sees(s, "FILTER user=dave");
	stage_keys(s, "fxyz<Enter>");		/* once entered, no match is shown as that */
	stage_sees(s, "No match for");
	stage_keys(s, "f<C-u>user=al<Tab>");
	stage_sees(s, "alice");
	stage_sees_not(s, "bob");
}

/* A refresh under an open prompt: the cursor returns to its row, not to its line. */
static void test_prompt_and_refresh(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "jjjj/dav");
	stage_cursor_on(s, "dave");
	stage_show(s, "aaa 5\n\t+zoe 1 1\n" TREE);
	stage_keys(s, "<Esc>");
	stage_cursor_on(s, "bob");
	stage_keys(s, "fdave");
	stage_show(s, TREE);
	stage_keys(s, "<Esc>");
	stage_cursor_on(s, "bob");
}

static void test_search_goes_round(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "/alice");
	uint32_t first = s->app->sheets[VIEW_ACCOUNTS].list.cursor;
	stage_keys(s, "<Tab>");			/* next match, with the prompt open */
	stage_sees(s, "/alice");
	assert_int_not_equal(s->app->sheets[VIEW_ACCOUNTS].list.cursor, first);
	stage_keys(s, "<Enter>");
	assert_int_not_equal(s->app->sheets[VIEW_ACCOUNTS].list.cursor, first);
	stage_keys(s, "n");
	assert_int_equal(s->app->sheets[VIEW_ACCOUNTS].list.cursor, first);
	stage_sees(s, "1 of 2; search continued from the top");
	stage_keys(s, "n");
	stage_sees_not(s, "search continued");
	stage_sees(s, "2 of 2");
	stage_keys(s, "NN");
	stage_sees(s, "search continued from the bottom");
	stage_keys(s, "/dave<Enter>n");
	stage_sees(s, "no other name contains 'dave'");
}

/* ---- moving -------------------------------------------------------------------------------- */

static void test_rows_and_views(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, ":4<Enter>");
	stage_cursor_on(s, "alice");
	stage_sees(s, "4/");
	stage_keys(s, ":row 2<Enter>");
	stage_cursor_on(s, "physics");
	stage_keys(s, ":99999999999<Enter>");
	stage_cursor_on(s, "alice");
	stage_sees(s, "10/10");
	stage_keys(s, ":0<Enter>");
	stage_sees(s, "'0': expected a row number");
	stage_keys(s, "0");
	stage_sees(s, "no previous view");
	stage_keys(s, "25");
	assert_int_equal(s->app->view, VIEW_POLICY);
	stage_keys(s, "0");
	assert_int_equal(s->app->view, VIEW_JOBS);
	stage_keys(s, "0");
	assert_int_equal(s->app->view, VIEW_POLICY);
	stage_keys(s, "q0");			/* q returns to the accounts, 0 to where it was */
	assert_int_equal(s->app->view, VIEW_POLICY);
	stage_keys(s, "F");
	stage_sees(s, "only accounts, users and jobs can be followed");
	/* Function keys as in htop. */
	stage_keys(s, "1<F1>");
	stage_sees(s, "go down a row");
	stage_keys(s, "<F1><F3>");
	assert_int_equal(s->app->prompt.kind, PROMPT_SEARCH);
	stage_keys(s, "<Esc><F4>");
	assert_int_equal(s->app->prompt.kind, PROMPT_FILTER);
	stage_keys(s, "<Esc><F10>");
	assert_true(s->effects & APP_QUIT);
}

static void test_panes_grow(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "Z");
	stage_sees(s, "no pane is open");
	stage_keys(s, "<Resize:160x40><Enter>");
	stage_sees(s, "Account/User");
	stage_keys(s, "Z");
	stage_sees_not(s, "Account/User");
	assert_true(s->app->pane.focus);
	stage_sees(s, "Z size");
	stage_keys(s, "Z");
	stage_sees(s, "Account/User");
	assert_false(s->app->pane.focus);
	stage_keys(s, "<Resize:80x24>Z");
	stage_sees(s, "already at its largest");
}

static void test_help_is_searched(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_resize(s, 80, 24);
	stage_keys(s, "?");
	stage_sees_not(s, "shorter time span");
	stage_keys(s, "/SHORTER TIME");
	stage_sees(s, "shorter time span");
	assert_true(stage_has_role(s, "shorter time span", ROLE_MATCH));
	stage_keys(s, "<Esc>");
	stage_sees_not(s, "shorter time span");
	stage_sees(s, "move down or up");
	stage_keys(s, "/zoom<Enter>n");
	assert_true(stage_has_role(s, "zoom-out", ROLE_MATCH));
	stage_keys(s, "/nowhere<Enter>");
	stage_sees(s, "no match for 'nowhere' in this box");
	stage_sees_not(s, "why-slots");		/* it is of another view */
	stage_keys(s, "q3?/why-slots");
	stage_sees(s, "how the queue's slots are computed");
	stage_keys(s, "<Esc>q1/bob<Enter>");		/* rows are searched as before */
	stage_cursor_on(s, "bob");
	stage_keys(s, "!/sketch<Enter>nNq");
	/* In the list of columns a search selects the match. */
	stage_keys(s, "c/charged per<Enter>");
	assert_string_equal(sheet_choice(&s->app->sheets[VIEW_ACCOUNTS], s->app->pane.pick)->name,
			    "burn");
	stage_keys(s, "/served<Tab><Esc>");
	assert_string_equal(sheet_choice(&s->app->sheets[VIEW_ACCOUNTS], s->app->pane.pick)->name,
			    "burn");
	stage_keys(s, "nN/nowhere<Enter>");
	stage_sees(s, "no match for 'nowhere' in this box");
	stage_keys(s, "q");
}

/* ---- columns ------------------------------------------------------------------------------- */

static void test_wide(void **state)
{
	struct stage *s = *state = stage(TREE);
	struct sheet *sheet = &s->app->sheets[VIEW_ACCOUNTS];
	size_t usual = sheet->count;

	stage_keys(s, "<C-w>");
	assert_int_equal(sheet->count, sheet_choices(sheet));
	stage_keys(s, "<C-w>");
	assert_int_equal(sheet->count, usual);
	assert_false(sheet->chosen);
	stage_keys(s, ":columns F,R<Enter><C-w><C-w>");
	assert_int_equal(sheet->count, 2);
	assert_true(sheet->chosen);
	stage_keys(s, ":columns usual<Enter>");
	assert_int_equal(sheet->count, usual);
	stage_keys(s, "2:columns user<Enter>:columns usual<Enter>3<C-w><C-w>4<C-w><C-w>");
	stage_keys(s, "5<C-w><C-w>");
	assert_true(s->app->sheets[VIEW_JOBS].count > 3);
	assert_true(s->app->sheets[VIEW_POLICY].count >= 3);
}

/* ---- files --------------------------------------------------------------------------------- */

static void write_to(struct stage *s, const char *keys, char *text, size_t size)
{
	stage_keys(s, keys);
	assert_int_equal(s->app->errand, ERRAND_TABLE);
	s->effects = 0;
	snprintf(text, size, "%s", app_copied(s->app));
}

/* Writes the table as shown: columns, rows and order. */
static void test_table_is_written(void **state)
{
	struct stage *s = *state = stage(TREE);
	char text[8000];

	stage_keys(s, ":columns shares,bar,running<Enter>fuser=alice|user=dave<Enter>");
	stage_keys(s, ":sort -shares<Enter>");
	write_to(s, ":save a.csv<Enter>", text, sizeof(text));
	assert_string_equal(text, "path,shares,running\n/,1,\n/physics,40,\n"
		"/physics/hep,30,\n/physics/hep:alice,1,\n/bio,20,\n"
		"/bio:dave,1,\n/bio:alice,1,\n");
	stage_keys(s, "jh");			/* folded rows are not written */
	write_to(s, ":save a.json<Enter>", text, sizeof(text));
	assert_non_null(strstr(text, "\"rows\":["));
	assert_non_null(strstr(text, "\"path\":\"/bio:dave\""));
	write_to(s, ":save a.txt<Enter>", text, sizeof(text));
	assert_non_null(strstr(text, "Shares"));
	stage_keys(s, ":save a.xls<Enter>");
	stage_sees(s, "expected a name that ends in .csv, .json or .txt");
	stage_keys(s, ":save .csv<Enter>");
	stage_sees(s, "expected a name");
	write_to(s, "2<C-s>", text, sizeof(text));
	assert_memory_equal(s->app->save_path, "fairtop-jobs-", 13);
	write_to(s, "3<C-s>4<C-s>5<C-s>", text, sizeof(text));
	assert_non_null(strstr(text, "PriorityDecayHalfLife,"));
}

/* Simulates a file system without links; overrides libc's link(). */
static bool linkless;

int link(const char *from, const char *to)
{
	if (linkless) {
		errno = EPERM;
		return -1;
	}
	return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

static void assert_holds(const char *path, const char *text, unsigned mode)
{
	char found[40] = "";
	FILE *file = fopen(path, "r");
	struct stat st;

	assert_non_null(file);
	assert_int_equal(fread(found, 1, sizeof(found) - 1, file), strlen(text));
	assert_int_equal(fstat(fileno(file), &st), 0);
	fclose(file);
	assert_string_equal(found, text);
	assert_int_equal(st.st_mode & 0777, mode);
}

static void test_new_file(void **state)
{
	char path[SCRATCH_PATH_MAX];
	struct bytes b = { 0 };
	struct err err = { 0 };
	mode_t mask = umask(027);

	(void)state;
	scratch_path("table.csv", path);
	bytes_append(&b, "one\n", 4);
	assert_true(new_file_write(path, &b, false, &err));
	assert_holds(path, "one\n", 0640);
	bytes_append(&b, "two\n", 4);
	assert_false(new_file_write(path, &b, false, &err));
	assert_non_null(strstr(err.message, "table.csv: the file already exists"));
	assert_holds(path, "one\n", 0640);
	/* A file of one's own keeps its rights. */
	assert_int_equal(chmod(path, 0604), 0);
	assert_true(new_file_write(path, &b, true, &err));
	assert_holds(path, "one\ntwo\n", 0604);
	unlink(path);
	linkless = true;
	assert_true(new_file_write(path, &b, false, &err));
	assert_holds(path, "one\ntwo\n", 0640);
	assert_false(new_file_write(path, &b, false, &err));
	linkless = false;
	unlink(path);
	scratch_path("none/table.csv", path);
	assert_false(new_file_write(path, &b, false, &err));
	assert_int_equal(rmdir(scratch_directory()), 0);	/* nothing else is left */
	bytes_free(&b);
	umask(mask);
}

/* fairtop's own files are private, whatever the umask. */
static void test_own_file(void **state)
{
	char path[SCRATCH_PATH_MAX], dir[SCRATCH_PATH_MAX];
	struct bytes b = { 0 };
	struct err err = { 0 };
	mode_t mask = umask(0);
	struct stat st;

	(void)state;
	scratch_path("a/b/history", path);
	bytes_append(&b, "one\n", 4);
	assert_true(new_file_keep(path, &b, &err));
	assert_holds(path, "one\n", 0600);
	assert_int_equal(chmod(path, 0644), 0);
	bytes_append(&b, "two\n", 4);
	umask(0277);
	assert_true(new_file_keep(path, &b, &err));
	assert_holds(path, "one\ntwo\n", 0600);
	unlink(path);
	assert_int_equal(stat(scratch_path("a", dir), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(rmdir(scratch_path("a/b", path)), 0);	/* nothing else is there */
	assert_int_equal(rmdir(dir), 0);
	bytes_free(&b);
	umask(mask);
}

/* ---- time ---------------------------------------------------------------------------------- */

static void test_difference_since_the_last(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "D<Enter>");
	stage_sees(s, "no sample before this one");
	stage_keys(s, "<Esc>");
}

/* A change below the digits shown is a flat line, not one from corner to corner. */
static void test_chart_of_next_to_nothing(void **state)
{
	struct stage *s = *state =
		stage("physics 40\n\t+alice 1 90000000\nbiology 40\n\t+bob 1 30000000\n");

	stage_show(s, "~660\nphysics 40\n\t+alice 1 90000001\nbiology 40\n\t+bob 1 30000000\n");
	stage_keys(s, ":column F<Enter>jj6");
	stage_sees(s, "0.353553");
	stage_sees(s, " 0.5\xe2\x94\x82");	/* round numbers, and F of a fair share */
	stage_sees(s, " 0.35\xe2\x94\x82");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		stage_test(test_hints_are_of_the_box),
		stage_test(test_hints_are_clicked),
		stage_test(test_lists_are_clicked),
		stage_test(test_palette_finds),
		stage_test(test_show_takes_names),
		stage_test(test_help_begins_with_the_letters),
		stage_test(test_palette_is_clicked),
		stage_test(test_wheel),
		stage_test(test_prompt_tells_what_it_takes),
		stage_test(test_prompt_offers_the_old_value),
		stage_test(test_sorting_shows_the_top),
		stage_test(test_narrowed_box_has_the_keys),
		stage_test(test_precision_is_not_missing),
		stage_test(test_jobs_of_a_branch),
		stage_test(test_ends_of_the_tree),
		stage_test(test_filter_gives_the_cursor_back),
		stage_test(test_columns_refused),
		stage_test(test_sort_is_chosen),
		stage_test(test_filter_narrows),
		stage_test(test_prompt_and_refresh),
		stage_test(test_search_goes_round),
		stage_test(test_rows_and_views),
		stage_test(test_panes_grow),
		stage_test(test_help_is_searched),
		stage_test(test_wide),
		stage_test(test_table_is_written),
		cmocka_unit_test_setup_teardown(test_new_file, scratch_open, scratch_close),
		cmocka_unit_test_setup_teardown(test_own_file, scratch_open, scratch_close),
		stage_test(test_difference_since_the_last),
		stage_test(test_chart_of_next_to_nothing),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		fprintf(stderr, "skipped: there is no locale C.UTF-8\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
