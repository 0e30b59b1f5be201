/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first second: what the screen shows before any key is pressed, and what follows the cursor
 * without one.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/queue/reasons.h"
#include "tests/support/stage.h"
#include "tui/panes/pane_inspect.h"

/* Builds fifteen accounts of five users each: more rows than a page has. */
static char *forest(char *text, size_t size)
{
	size_t used = 0;

	for (int i = 0; i < 15; i++) {
		used += (size_t)snprintf(text + used, size - used, "dept%d 10\n", i);
		for (int k = 0; k < 5; k++)
			used += (size_t)snprintf(text + used, size - used, "\t+u%d_%d 1 1\n", i,
						 k);
		if (i == 7)
			used += (size_t)snprintf(text + used, size - used,
						 "\tdeep 1\n\t\t+culprit 1 9000000\n");
	}
	return text;
}

static struct stage *opened(const char *text, const char *config)
{
	struct stage *s = stage_empty(config);

	stage_show(s, text);
	return s;
}

/* Without a key, the branch of the worst user is open; branches that do not fit are closed. */
static void test_opens_by_need(void **state)
{
	char text[8000];
	struct stage *s = *state = opened(forest(text, sizeof(text)), "sort -R\n");
	const struct list *l = &s->app->sheets[VIEW_ACCOUNTS].list;

	assert_true(l->count <= l->page);
	assert_true(l->count + 5 > l->page);	/* one more branch does not fit */
	stage_sees(s, "culprit");
	stage_sees(s, "deep");
	stage_sees(s, "dept14");
}

/*
 * Of many accounts the worst come first, the others share one line. No branch opens for an account
 * without shares, or for users below it.
 */
static void test_few_of_many(void **state)
{
	static char text[40000];
	size_t used = 0;
	struct stage *s;

	for (int i = 0; i < 21; i++) {
		used += (size_t)snprintf(text + used, sizeof(text) - used, "dept%d 10\n", i);
		for (int k = 0; k < 40; k++)
			used += (size_t)snprintf(text + used, sizeof(text) - used,
						 "\tgroup%d_%d %d\n\t\t+u%d_%d 1 %d\n", i, k,
						 i == 1 && k == 7 ? 0 : 1, i, k,
						 i == 4 && k == 31 ? 900000 : 100);
	}
	s = *state = opened(text, "sort -R\n");
	stage_sees(s, "group4_31");
	stage_sees(s, "…39 more");
	stage_sees(s, "dept20");
	stage_sees_not(s, "▸ group1_7");
	stage_keys(s, "jjjl");		/* the line "more": shows all */
	stage_cursor_on(s, "group4_0");
	stage_sees_not(s, "…39 more");
	stage_leave(s);
	/* A search finds rows hidden behind that line. */
	s = *state = opened(text, "sort -R\n");
	stage_keys(s, "/u4_3<Enter>");
	stage_cursor_on(s, "u4_3");
}

/*
 * With space for one branch only, it opens that of much usage at hundreds of times the share, not
 * that of a little usage without shares. Such a factor is shown as a number.
 */
static void test_much_before_none(void **state)
{
	static const char tree[] = "a 10\n\tfar 1\n\t\t+u 1 900000\n\twide 90000\n\t\t+v 1 1\n"
				   "b 90\n\tnone 0\n\t\t+w 1 15000\n\tother 1\n\t\t+x 1 1\n"
				   "c 1\nd 1\ne 1\nf 1\ng 1\n";
	struct stage *s = *state = stage_empty("sort -R\n");

	stage_resize(s, 60, 16);
	stage_show(s, tree);
	stage_sees(s, "far");
	stage_sees_not(s, "▸ none");
	stage_resize(s, 100, 40);
	stage_keys(s, "g");
	stage_sees(s, "Most over-served:  /a/far 929,516 times");
}

/* Returns whether these names appear below each other, in the order given. */
static bool stand(struct stage *s, const char *first, const char *second, const char *third)
{
	const char *at = strstr(stage_seen(s), first);

	at = at ? strstr(at, second) : NULL;
	return at && strstr(at, third);
}

static void click_row(struct stage *s, const char *text)
{
	struct script_step step = { .type = STEP_CLICK, .x = 4, .y = 0 };

	for (const char *at = stage_seen(s), *end = strstr(at, text); at < end; at++)
		step.y += *at == '\n';
	stage_step(s, &step);
}

/*
 * Usage without shares is infinitely over-served. It is named above the rows, whatever sorts them,
 * and ranks after all that can be compared.
 */
static void test_no_shares(void **state)
{
	static const char tree[] = "none 0\n\t+b 1 10\nrich 10\n\t+a 1 900000\nidle 0\n\t+c 1 0\n";
	struct stage *s = *state = opened(tree, "sort -R\n");
	struct list *l = &s->app->sheets[VIEW_ACCOUNTS].list;

	stage_sees(s, "\n no shares, < 1 % of usage: none\n Account/User");
	stage_sees(s, "∞▲");
	assert_true(stand(s, "▾ rich", "▾ none", "▾ idle"));
	stage_keys(s, ":sort +R<Enter>");
	assert_true(stand(s, "▾ rich", "▾ none", "▾ idle"));
	click_row(s, "▾ none");
	stage_cursor_on(s, "none");
	click_row(s, " Account/User");			/* a title, not a row */
	assert_int_equal(l->order.count, 0);
	assert_true(stand(s, "▾ none", "▾ rich", "▾ idle"));
	stage_resize(s, 60, 16);
	assert_int_equal(l->page, 10);
	stage_keys(s, "w");				/* leaves five lines to the view */
	stage_sees_not(s, "no shares");
	assert_int_equal(l->page, 4);
	stage_keys(s, "q2");
	stage_sees_not(s, "no shares");
	assert_int_equal(l->page, 11);
	stage_keys(s, "1:filter R>1000<Enter>");
	stage_sees(s, "no shares");			/* counts the whole cluster */
	stage_sees(s, "▾ none");
	stage_sees_not(s, "rich");
	stage_sees_not(s, "idle");	/* no share, no usage: unknown */
	stage_keys(s, ":filter \"\"<Enter>gj");
	stage_resize(s, 100, 40);
	stage_show(s, tree);
	stage_show(s, "~600\nnone 0\n\t+b 1 10\nrich 10\n\t+a 1 900000\n");
	stage_sees(s, "No share at all: ");
	stage_sees(s, ", over-served since before ");
	stage_keys(s, "washares:/none = 5<Enter>q");
	stage_sees_not(s, "no shares");
}

/*
 * Most usage first, as many as fit; none below another one, none without usage. Names may be
 * hostile. Nothing is named if an account's shares or usage are unknown.
 */
static void test_names_of_no_shares(void **state)
{
#define FEW "a 10\n\t+u 1 40\nb 0\n\t+v 1 10\n\tbelow 0\n\t\t+w 1 10\n"
	static const char few[] = FEW "c%1b[2J 0\n\t+x 1 40\nd 0\n";
	char many[2000] = "a 10\n\t+u 1 700\n";
	size_t used = strlen(many);
	struct stage *s = *state = stage(few);

	stage_sees(s, "\n no shares, 60 % of usage: c<1B>[2J, b\n");
	stage_show(s, FEW "e -\n\t+y 1 5\n");
	stage_sees_not(s, "no shares");
	stage_show(s, FEW "e 10\n\t+y 1 -\n");
	stage_sees_not(s, "no shares");
	for (int i = 0; i < 30; i++)
		used += (size_t)snprintf(many + used, sizeof(many) - used,
					 "guest%02d 0\n\t+g%d 1 10\n", i, i);
	stage_show(s, many);
	stage_resize(s, 60, 24);
	stage_sees(s, "\n no shares, 30 % of usage: guest00, guest01 and 28 more\n");
}

/* The inspector does not fit at 100x30; where it fits, it follows the cursor and takes no key. */
static void test_inspector(void **state)
{
	static const char tree[] = "rich 10\n\t+a 1 900000\n\t+b 1 100000\npoor 30\n\t+c 1 10\n";
	struct stage *s = *state = stage(tree);
	struct err err = { 0 };

	stage_sees_not(s, "times its share");
	stage_resize(s, 100, 40);
	stage_sees(s, "Most over-served:  /rich 4 times");
	stage_keys(s, "j");
	stage_sees(s, "4 times its share: 100.0 % of the usage, 25.0 % of the shares");
	stage_sees(s, "a ━━━━━━━━━━ 90.0 %");
	stage_keys(s, "j");
	stage_cursor_on(s, "a");
	stage_keys(s, ":set inspector who<Enter>k");
	stage_sees_not(s, "times its share");
	stage_sees(s, "90.0 %");
	assert_false(inspect_choose(s->app, "nonsense", &err));
	stage_keys(s, ":set inspector off<Enter>");
	stage_sees_not(s, "90.0 %");
}

/* Long names are cut before the percentages and the number of other users. */
static void test_inspector_of_long_names(void **state)
{
	static const char tree[] =
		"rich 10\n\t+averylongnameofauser1 1 900000\n\t+averylongnameofauser2 1 900000\n"
		"\t+averylongnameofauser3 1 900000\n\t+averylongnameofauser4 1 900000\n"
		"\t+averylongnameofauser5 1 900000\npoor 30\n\t+c 1 10\n";
	struct stage *s = *state = stage(tree);

	stage_resize(s, 80, 40);
	stage_keys(s, "j");
	stage_sees(s, "4 others 80.0 %");
	stage_resize(s, 120, 40);
	stage_sees(s, "3 others 60.0 %");
}

/* The column shows why a job is pending, in words that a filter takes; running jobs have none. */
static void test_waits(void **state)
{
	static const char jobs[] =
		"physics 40\n\t+alice 1 5\n"
		"*job id=1 user=alice account=physics assoc=3 partition=p state=PENDING cpus=1 "
		"submit=1794000000 reason=AssocGrpCpuLimit\n"
		"*job id=2 user=alice account=physics assoc=3 partition=p state=PENDING cpus=1 "
		"submit=1794000000 reason=Priority\n"
		"*job id=3 user=alice account=physics assoc=3 partition=p state=RUNNING cpus=1 "
		"submit=1794000000 reason=None\n";
	struct stage *s = *state = stage(jobs);

	stage_keys(s, "2");
	stage_sees(s, "group limit");
	stage_sees_not(s, "not considered");
	stage_keys(s, ":filter wait~limit<Enter>");
	stage_sees(s, "1/1");
	stage_keys(s, ":filter id=3<Enter><Enter>");
	stage_sees(s, "is running in p");
	stage_sees_not(s, "is pending");
	assert_string_equal(reason_of("Job Array Began at Sun Nov 22 at 13:16")->brief,
			    "array started");
}

/* The first line lists the views, the open one in brackets; a click on a name opens it. */
static void test_views_are_clicked(void **state)
{
	struct stage *s = *state = stage("physics 40\n\t+alice 1 5 p3\n");

	stage_resize(s, 80, 24);
	stage_sees(s, "[1 Accounts] 2 Jobs  3 Pools  4 Classes  5 Policy");
	stage_keys(s, "<Click:16,1>");
	stage_sees(s, "1 Accounts [2 Jobs]");
	stage_keys(s, "<Click:24,1>");
	stage_sees(s, " 2 Jobs [3 Pools]");
	stage_keys(s, "<Click:34,1>");
	stage_sees(s, " 3 Pools [4 Classes]");
	stage_keys(s, "<Click:44,1>");
	stage_sees(s, " 4 Classes [5 Policy]");
	stage_keys(s, "<Click:5,1>");
	stage_sees(s, "[1 Accounts] 2 Jobs");
	stage_keys(s, "<Click:16,1>");
	/* The source's name is cut before them. */
	stage_source_is(s, &(struct source_state){ .health = SOURCE_ENDED, .last_good_ms = s->ms,
						   .name = "slurm:/somewhere/far/below" });
	stage_sees(s, "1 Accounts [2 Jobs] 3 Pools  4 Classes  5 Policy");
	/* A cluster named like its source appears once. */
	stage_source_is(s, &(struct source_state){ .health = SOURCE_GOOD, .last_good_ms = s->ms,
						   .name = "orion" });
	stage_sees(s, "orion  now");
	stage_sees_not(s, "orion  orion");
	stage_source(s, SOURCE_GOOD, "");
	stage_resize(s, 60, 16);
	stage_sees(s, "1 Acc [2 Job] 3 Poo  4 Cla  5 Pol");
}

#define WAITING(id, reason) \
	"*job id=" #id " user=u" #id " account=physics assoc=3 partition=p state=PENDING " \
	"cpus=" #id " submit=1794000000 reason=" reason "\n"

/* Counts pending jobs by reason: a click filters the queue by it, another shows all again. */
static void test_waits_are_clicked(void **state)
{
	struct stage *s = *state = stage("physics 40\n\t+alice 1 5\n" WAITING(1, "Priority")
					 WAITING(2, "Dependency") WAITING(3, "Priority"));

	stage_keys(s, "2");
	stage_sees(s, "pending 3: priority 2  dependency 1");
	stage_keys(s, "<Click:15,2>");
	stage_sees(s, "FILTER wait^=priority");
	stage_sees(s, "/2");
	stage_keys(s, "<Click:15,2>");
	stage_sees_not(s, "FILTER");
	stage_keys(s, "fuser=xyz<Enter>");
	stage_sees(s, "No match for user=xyz; Esc clears the filter");
	stage_keys(s, "<Esc>");
	stage_sees(s, "dependency");
}

/* The classes use the same short words, the box beside them the scheduler's. */
static void test_classes_wait_in_short(void **state)
{
	struct stage *s = *state =
		stage("physics 40\n\t+alice 1 5\n" WAITING(1, "AssocGrpCpuLimit"));

	stage_keys(s, "4");
	stage_sees(s, "group limit");
	stage_sees_not(s, "AssocGrpCpuLimit");
	stage_keys(s, ":filter reason=AssocGrpCpuLimit<Enter>");	/* as on the command line */
	stage_sees(s, "1/1");
	stage_keys(s, "<Enter>");
	stage_sees(s, "AssocGrpCpuLimit");
}

/* Rows are marked new against an earlier picture, not because their view was just opened. */
static void test_opened_is_not_new(void **state)
{
	static const char first[] = "~0\nphysics 40\n\t+alice 1 5\n" WAITING(1, "Priority");
	static const char next[] = "~30\nphysics 40\n\t+alice 1 5\n" WAITING(1, "Priority")
				   WAITING(2, "Priority");
	struct stage *s = *state = stage(first);

	stage_show(s, first);
	stage_keys(s, "2");
	stage_sees(s, "1 u1");
	stage_sees_not(s, "+");
	stage_show(s, next);
	stage_sees(s, "+2 ");
}

/* A column without known values hides until it has one or the user asks for it. */
static void test_empty_columns_hide(void **state)
{
	struct stage *s = *state = stage("physics 40\n\t+alice 1 5\n" WAITING(1, "Priority")
					 WAITING(2, "Dependency"));

	stage_resize(s, 200, 40);
	stage_keys(s, "2");
	stage_sees(s, "Waits for");
	stage_sees_not(s, "QOS");
	stage_keys(s, ":columns +qos<Enter>");
	stage_sees(s, "QOS");
	stage_keys(s, ":columns usual<Enter>");
	stage_sees_not(s, "QOS");
	stage_show(s, "*qos name=long priority=1\nphysics 40\n\t+alice 1 5\n"
		   "*job id=1 user=a account=physics assoc=3 qos=long state=PENDING cpus=1\n"
		   "*job id=2 user=b account=physics assoc=3 state=PENDING cpus=1\n");
	stage_sees(s, "QOS");
}

/* Only users have a rank: the column stays while a user is in the list, visible or not. */
static void test_rank_hides(void **state)
{
	struct stage *s = *state = stage("physics 40\n\t+alice 1 5\nbiology 20\n\t+bob 1 5\n");

	stage_resize(s, 120, 16);
	stage_sees(s, " Rank");
	stage_keys(s, ":fold-depth 1<Enter>");
	stage_sees_not(s, " Rank");
	stage_keys(s, ":column rank<Enter>");	/* the cursor is on it */
	stage_sees(s, " Rank");
	stage_keys(s, "<Esc>");
	stage_sees_not(s, " Rank");
	stage_keys(s, ":sort rank<Enter>");
	stage_sees(s, "Rank");
	stage_keys(s, ":sort -R<Enter>");
	stage_sees_not(s, " Rank");
	stage_keys(s, "jl");
	stage_sees(s, " Rank");
	stage_keys(s, "h:columns +rank<Enter>");
	stage_sees(s, " Rank");
}

/* The columns of sshare and sprio are shown at 80 columns, whatever the algorithm. */
static void test_80_columns(void **state)
{
	static const char tree[] = "physics 40\n\t+alice 1 5\nbiology 20\n\t+bob 1 9\n";
	static const char *const titles[] = { "Shares", "Usage", "under | over", " F" };
	struct stage *s = *state = stage(tree);

	stage_resize(s, 80, 24);
	for (int i = 0; i < 3; i++) {
		static const char *const algorithms[] = { "depth-oblivious", "classic",
							  "fair-tree" };
		char line[60];

		snprintf(line, sizeof(line), ":set algorithm %s<Enter>", algorithms[i]);
		stage_keys(s, line);
		for (size_t k = 0; k < sizeof(titles) / sizeof(titles[0]); k++)
			stage_sees(s, titles[k]);
		stage_sees(s, i < 2 ? "↓R " : "↑Level FS");
	}
	stage_show(s, "physics 40\n\t+alice 1 5\nbiology 20\n\t+bob 1 9\n"
		   "*job id=1 user=alice account=physics state=RUNNING cpus=1\n"
		   "*job id=2 user=bob account=biology state=PENDING reason=Priority cpus=1\n"
		   "*job id=3 user=alice account=physics state=PENDING reason=Resources cpus=1\n");
	stage_keys(s, "2");
	stage_sees(s, "User      Account     State   Waits for         Priority");
}

/* The algorithm is named where there is space, before the sums on narrow screens. */
static void test_algorithm_is_named(void **state)
{
	struct stage *s = *state = stage("physics 40\n\t+alice 1 5\n");

	stage_resize(s, 80, 24);
	stage_sees(s, "\n depth-oblivious  CPUs 144/256  ");
	stage_keys(s, ":set algorithm fair-tree<Enter>");
	stage_sees(s, "\n Fair Tree  CPUs 144/256  ");
	stage_sees(s, " OTHER ALGORITHM");
	stage_keys(s, "2");
	stage_sees(s, "\n pending 0");		/* the reasons of pending jobs come first */
	stage_keys(s, "1:set algorithm depth-oblivious<Enter><Resize:60x16>");
	stage_sees(s, "\n depth-oblivious  CPUs 144/256  ");
	stage_keys(s, ":filter user=alice<Enter>");
	stage_sees_not(s, "depth-oblivious");	/* badges and sums come first */
	stage_keys(s, "<Resize:120x24>");
	stage_sees(s, "orion  depth-oblivious  half-life 7 d");
	stage_sees_not(s, "\n depth-oblivious");
}

/* The list of columns: a search prefers names to descriptions. */
static void test_column_is_found_by_name(void **state)
{
	struct stage *s = *state = stage("physics 40\n\t+alice 1 5\n");

	stage_keys(s, "c/usage<Enter>");
	assert_string_equal(s->app->pane.ops->column(s->app)->name, "usage");
	stage_keys(s, "g/rank<Enter>");
	assert_string_equal(s->app->pane.ops->column(s->app)->name, "rank");
	stage_keys(s, "g/ignoring<Enter>");	/* only in a description */
	assert_string_equal(s->app->pane.ops->column(s->app)->name, "usage_ratio");
}

/* For the root the chart draws the accounts below it; with one sample it says so. */
static void test_chart_of_the_root(void **state)
{
	static const char tree[] = "rich 10\n\t+a 1 900000\nnone 0\n\t+b 1 10\n";
	struct stage *s = *state = stage(tree);

	stage_resize(s, 120, 40);
	stage_keys(s, "6");
	stage_sees(s, "a /rich  b /none");
	stage_sees(s, "one sample so far");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		stage_test(test_opens_by_need), stage_test(test_much_before_none),
		stage_test(test_few_of_many),
		stage_test(test_no_shares),
		stage_test(test_names_of_no_shares),
		stage_test(test_inspector),
		stage_test(test_inspector_of_long_names),
		stage_test(test_waits),
		stage_test(test_views_are_clicked),
		stage_test(test_waits_are_clicked),
		stage_test(test_classes_wait_in_short),
		stage_test(test_opened_is_not_new),
		stage_test(test_empty_columns_hide),
		stage_test(test_rank_hides),
		stage_test(test_80_columns),
		stage_test(test_algorithm_is_named),
		stage_test(test_column_is_found_by_name),
		stage_test(test_chart_of_the_root),
	};

	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
