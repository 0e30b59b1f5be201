/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The overview without a terminal and without sources: news arrive, keys are pressed. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/many.h"

#define TREE \
	"physics 40\n\t+alice 1 900 r2 p3\n" \
	"biology 20\n\t+bob 1 50 p1\n" \
	"chemistry 30\n\t+carol 1 40 r1\n"

static const char *const names[] = { "alpha", "beta", NULL, NULL };
static const char *const sources[] = { "slurm", "ssh:login2/slurm", "c.recording", "pbs" };

static struct stage *open_stage(void)
{
	struct stage *s = stage_empty(NULL);

	overview_begin(s->app, names, sources, 4);
	stage_resize(s, 120, 30);
	return s;
}

/* Sends news about a cluster; TEXT NULL: no new facts. */
static void hear(struct stage *s, uint32_t row, enum fleet_health health, const char *problem,
		 const char *text)
{
	many_hear(s, row, health, problem, text ? many_facts(text) : NULL);
}

static void test_rows(void **state)
{
	struct stage *s = *state = open_stage();

	stage_sees(s, "clusters 4  asking 4");
	stage_sees(s, "pending -");
	hear(s, 0, FLEET_GOOD, "", TREE);
	hear(s, 2, FLEET_GOOD, "", TREE);
	hear(s, 1, FLEET_DEAD, "no route to host", NULL);
	stage_sees(s, "good 2  no answer 1  asking 1");
	stage_sees(s, "pending ≥ 8");
	stage_sees(s, "ssh:login2/slurm: no route to host");
	stage_sees(s, "alpha");
	stage_sees(s, "orion");
	stage_sees(s, "physics");
	hear(s, 1, FLEET_GOOD, "", TREE);
	hear(s, 3, FLEET_GOOD, "", TREE);
	stage_sees(s, "pending 16");
	stage_sees(s, "orion (pbs)");
}

/* A cluster that stops answering keeps its figures, marked as old, with the reason. */
static void test_old(void **state)
{
	struct stage *s = *state = open_stage();

	hear(s, 0, FLEET_GOOD, "", TREE);
	stage_wait(s, 90000);
	hear(s, 0, FLEET_OLD, "slurmctld: timed out", NULL);
	stage_sees(s, "old 1");
	stage_sees(s, "1 min");
	stage_sees(s, "slurmctld: timed out");
	assert_true(stage_has_role(s, "alpha", ROLE_DIM));
	assert_int_equal(s->app->overview->rows[0].facts->summary.pending, 4);
}

/* An answer without a model does not renew the figures, and counts in no sum. */
static void test_answer_without_model(void **state)
{
	struct stage *s = *state = open_stage();

	hear(s, 0, FLEET_GOOD, "", TREE);
	hear(s, 1, FLEET_GOOD, "", TREE);
	stage_sees(s, "pending ≥ 8");
	stage_wait(s, 90000);
	hear(s, 0, FLEET_OLD, "no shares at all", "physics 40\n\t+alice 1 900 r2 p9\n");
	assert_int_equal(s->app->overview->rows[0].facts->summary.pending, 9);
	assert_int_equal(s->app->overview->rows[0].age, 90);
	stage_sees(s, "pending ≥ 4");
	hear(s, 1, FLEET_OLD, "away", NULL);
	stage_sees(s, "pending -");
}

/* A saved picture is as old as its own time, however often it is read. */
static void test_dated(void **state)
{
	struct stage *s = *state = open_stage();
	struct fleet_facts *facts = many_facts(TREE);
	struct fleet_news news = { .health = FLEET_GOOD, .problem = "", .alarm = "no such field",
				   .good_ms = s->ms, .dated = true, .facts = facts };
	struct event event = { .type = EVENT_FLEET, .ms = s->ms, .now = facts->time + 7200,
			       .news = &news };

	(void)app_event(s->app, &event);
	assert_int_equal(s->app->overview->rows[0].age, 7200);
	facts->time = I64_UNKNOWN;
	news.facts = NULL;
	(void)app_event(s->app, &event);
	assert_true(s->app->overview->rows[0].age == I64_UNKNOWN);
	stage_resize(s, 200, 30);
	stage_sees(s, "no such field");		/* an alarm shows in a good row, too */
}

static void test_passwords(void **state)
{
	static const char *const urls[] = { "postgresql://u:se%20cret@h/d?cluster=a",
					    "postgres://h/d?password=secret&cluster=a" };
	static const char *const none[] = { NULL, NULL };
	struct stage *s = *state = stage_empty(NULL);

	overview_begin(s->app, none, urls, 2);
	stage_resize(s, 200, 30);
	hear(s, 0, FLEET_DEAD, "postgresql://u:secret@h: away", NULL);
	assert_string_equal(s->app->overview->rows[1].source,
			    "postgres://h/d?password=******&cluster=a");
	stage_sees_not(s, "cret");
}

static void test_keys(void **state)
{
	struct stage *s = *state = open_stage();

	for (uint32_t i = 0; i < 3; i++)
		hear(s, i, FLEET_GOOD, "", TREE);
	s->effects = 0;
	stage_keys(s, "j<Enter>");
	assert_true(s->effects & APP_OPEN);
	assert_int_equal(s->app->overview->open, 1);
	s->effects = 0;
	stage_keys(s, "G<Enter>");		/* no answer so far */
	assert_false(s->effects & APP_OPEN);
	stage_sees(s, "pbs has not answered yet");
	stage_keys(s, "/bet<Enter>");
	stage_cursor_on(s, "beta");
	stage_keys(s, "fhealth=good<Enter>");
	stage_sees(s, "FILTER health=good");
	stage_sees_not(s, "asking\n");
	stage_keys(s, "<Esc>:sort waiting<Enter>c");
	stage_sees(s, "Worst-served");
	stage_keys(s, "<Esc>w");
	stage_sees(s, "what-if: only for one cluster; Enter opens it");
	stage_keys(s, "?");
	stage_sees(s, "account [NAME]");
	stage_sees_not(s, "what-if");
	stage_keys(s, "<Esc>");
	s->effects = 0;
	stage_keys(s, "<Esc>");
	assert_false(s->effects & APP_QUIT);
	stage_keys(s, "q");
	assert_true(s->effects & APP_QUIT);
}

/* Each key that acts within a cluster is harmless here. */
static void test_all_keys(void **state)
{
	struct stage *s = *state = open_stage();

	for (int answered = 0; answered < 2; answered++) {
		for (int key = '!'; key <= '~'; key++) {
			char script[8];

			snprintf(script, sizeof(script), key == '<' ? "<lt>" : "%c", (char)key);
			stage_keys(s, script);
			stage_keys(s, "<Esc><Esc><Esc>");
			assert_int_equal(s->app->view, VIEW_CLUSTERS);
		}
		hear(s, 1, FLEET_GOOD, "", TREE);
	}
}

static void test_account(void **state)
{
	struct stage *s = *state = open_stage();

	stage_resize(s, 200, 30);
	hear(s, 0, FLEET_GOOD, "", TREE);
	hear(s, 1, FLEET_GOOD, "", "other 1\n\t+x 1 1\n");
	stage_keys(s, ":account physics<Enter>");
	stage_sees(s, "ACCOUNT physics");
	stage_sees(s, "S of it");
	stage_sees(s, "0.4444");		/* 40 of 90 */
	assert_null(s->app->overview->rows[1].account);
	hear(s, 1, FLEET_GOOD, "", TREE);
	assert_non_null(s->app->overview->rows[1].account);
	hear(s, 1, FLEET_GOOD, "", "other 1\n\t+x 1 1\n");
	assert_null(s->app->overview->rows[1].account);
	stage_keys(s, ":account<Enter>");
	stage_sees_not(s, "S of it");
}

/* In a cluster opened from it: Esc at the end goes back, Q quits. */
static void test_nested(void **state)
{
	struct stage *s = *state = stage(TREE);

	s->app->nested = true;
	stage_keys(s, "2");
	s->effects = 0;
	stage_keys(s, "<Esc>");
	assert_false(s->effects & APP_BACK);
	stage_keys(s, "<Esc>");
	assert_true(s->effects & APP_BACK);
	s->effects = 0;
	stage_keys(s, "aweight.age = 7<Enter><Esc>");
	stage_sees(s, "1 edit is not saved");
	assert_false(s->effects & APP_BACK);
	stage_keys(s, "<Esc>");
	assert_true(s->effects & APP_BACK);
	s->effects = 0;
	stage_keys(s, ":account physics<Enter>");
	stage_sees(s, "only in the overview");
}

int main(void)
{
	setlocale(LC_CTYPE, "");
	const struct CMUnitTest tests[] = {
		stage_test(test_rows), stage_test(test_old),
		stage_test(test_answer_without_model), stage_test(test_dated),
		stage_test(test_passwords), stage_test(test_keys),
		stage_test(test_all_keys),
		stage_test(test_account), stage_test(test_nested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
