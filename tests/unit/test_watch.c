/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Alarms: they begin and end as defined, for random rows, times and rules, compared with a second
 * implementation that looks at the whole past; mistakes in rules are reported; changes of ranks,
 * verdicts and sources occur once; without an answer alarms stay as they are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "core/base/dice.h"
#include "core/base/mem.h"
#include "core/watch/watch.h"
#include "tests/support/stage.h"
#include "tui/panes/pane_alarms.h"
#include "tui/screen/settings.h"

/* ---- the property --------------------------------------------------------------------------- */

#define ROWS 4
#define LOOKS 60

/* What each row has at each look. */
struct story {
	int64_t time[LOOKS];
	bool there[LOOKS][ROWS], a[LOOKS][ROWS], b[LOOKS][ROWS];
	bool until;
	int64_t wait;
	/* The look of a view, and its rows. */
	int look, rows[ROWS];
	/* What the watch reported: 1 begins, -1 ends. */
	int reported[LOOKS][ROWS];
};

static int row_of(const struct position *pos)
{
	return ((const struct story *)pos->context)->rows[pos->row];
}

static void get_id(const struct position *pos, struct value *out)
{
	snprintf(out->buffer, sizeof(out->buffer), "row%d", row_of(pos));
	value_set_text(out, out->buffer);
}

static void get_a(const struct position *pos, struct value *out)
{
	const struct story *s = pos->context;

	value_set_int(out, s->a[s->look][row_of(pos)]);
}

static void get_b(const struct position *pos, struct value *out)
{
	const struct story *s = pos->context;

	value_set_int(out, s->b[s->look][row_of(pos)]);
}

static const struct column columns[] = {
	{ .name = "id", .title = "Id", .left = true, .get = get_id },
	{ .name = "a", .title = "A", .get = get_a }, { .name = "b", .title = "B", .get = get_b },
};
static const size_t column_count = 3;
static const struct alarm_view views[] = {
	{ "rows", columns, &column_count, { "id" } },
	{ "others", columns, &column_count, { "id" } },
};

static void note(void *context, const struct alarm_rule *rule, const struct alarm_row *row,
		 int64_t time)
{
	struct story *s = context;
	int id = row->object[3] - '0';

	(void)rule;
	assert_int_equal(time, s->time[s->look]);
	assert_int_equal(s->reported[s->look][id], 0);
	s->reported[s->look][id] = row->on ? 1 : -1;
}

/* At look K, from look FIRST on: returns whether row I's state lasted for the whole wait. */
static bool lasted(const struct story *s, int first, int k, int i, bool on)
{
	for (int j = k; j >= first; j--) {
		bool holds = s->there[j][i] && s->a[j][i];
		bool over = s->until ? !s->there[j][i] || (!s->a[j][i] && s->b[j][i]) : !holds;

		if (on ? !over : !holds)
			return false;
		if (s->time[k] - s->time[j] >= s->wait)
			return true;
	}
	return false;
}

static void check_story(const struct story *s, int *begins)
{
	for (int i = 0; i < ROWS; i++) {
		bool on = false;
		int first = 0;

		for (int k = 0; k < LOOKS; k++) {
			int expected = lasted(s, first, k, i, on) ? on ? -1 : 1 : 0;

			assert_int_equal(s->reported[k][i], expected);
			if (expected != 0) {
				on = !on;
				first = k + 1;
				*begins += on;
			}
		}
	}
}

static void tell_story(struct story *s, uint64_t *dice)
{
	int64_t time = 1000;
	/* Some rows stay unchanged for a while, some flap. */
	uint32_t calm = 2 + dice_below(dice, 6);

	for (int k = 0; k < LOOKS; k++) {
		time += dice_below(dice, 40);
		s->time[k] = time;
		for (int i = 0; i < ROWS; i++) {
			bool keep = k > 0 && dice_below(dice, calm) > 0;

			s->there[k][i] = dice_below(dice, 12) > 0;
			s->a[k][i] = keep ? s->a[k - 1][i] : dice_below(dice, 2);
			s->b[k][i] = keep ? s->b[k - 1][i] : dice_below(dice, 2);
		}
	}
}

static void play(struct story *s, const char *text)
{
	struct alarm_rule r;
	struct err err = { .code = ERR_NONE };

	assert_true(alarm_rule_parse(text, true, views, 2, &r, &err));
	for (s->look = 0; s->look < LOOKS; s->look++) {
		struct view view = { "rows", columns, column_count, s, 0 };

		for (int i = 0; i < ROWS; i++) {
			if (s->there[s->look][i])
				s->rows[view.rows++] = i;
		}
		assert_true(alarm_look(&r, &view, s->time[s->look], note, s, &err));
	}
	alarm_rule_free(&r);
}

static void test_times(void **state)
{
	uint64_t dice = 21;
	int begins = 0;

	(void)state;
	for (int n = 0; n < 2000; n++) {
		struct story *s = mem_zalloc(1, sizeof(*s));
		char text[100];

		s->until = dice_below(&dice, 2);
		s->wait = dice_below(&dice, 3) ? dice_below(&dice, 150) : 0;
		snprintf(text, sizeof(text), "n: rows a=1%s%s%d", s->until ? " until b=1" : "",
			 s->wait ? " for " : " for 0", (int)s->wait);
		tell_story(s, &dice);
		play(s, text);
		check_story(s, &begins);
		mem_free(s);
	}
	assert_true(begins > 10000);
}

/* ---- reading -------------------------------------------------------------------------------- */

static void refused(const char *text, bool colon, const char *why)
{
	struct err err = { .code = ERR_NONE };
	struct alarm_rule r;

	assert_false(alarm_rule_parse(text, colon, views, 2, &r, &err));
	assert_int_equal(err.code, ERR_INPUT);
	if (!strstr(err.message, why))
		fail_msg("%s: %s", text, err.message);
	assert_null(r.text);
}

static void test_rules(void **state)
{
	struct err err = { .code = ERR_NONE };
	struct alarm_rule r;

	(void)state;
	refused("", true, "expected NAME: VIEW EXPRESSION");
	refused("", false, "expected NAME VIEW EXPRESSION");
	refused("rows a=1", true, "expected NAME: ");
	refused("n:", true, "a view is missing");
	refused("n: row a=1", true, "n: row: no such view (did you mean rows?)");
	refused("n: zzzzzz a=1", true, "expected rows or others");
	refused("n: rows", true, "n: an expression is missing");
	refused("n: rows for 3m", true, "an expression is missing");
	refused("n: rows a=1 until for 3m", true, "an expression is missing");
	refused("n: rows c=1", true, "n: filter: c: no such column");
	refused("n: rows a=1 until (b=1", true, ") is missing");
	refused("n: rows a=1 for ever", true, "for ever: not a time");
	refused("n: rows a=1 for", true, "not a time");
	refused("n: rows a=1 for 3m b=1", true, "for 3m b=1: not a time");
	refused("n: rows a=1 for 500d", true, "not a time");
	refused("a123456789b123456789c123456789d123456789e123456789f123456789g123: rows a=1", true,
		"longer than 63");
	assert_true(alarm_rule_parse("n rows a=1 \"for\" 'until' for 1.5h", false, views, 2, &r,
				     &err));
	assert_string_equal(r.name, "n");
	assert_string_equal(r.text, "rows a=1 \"for\" 'until' for 1.5h");
	assert_int_equal(r.wait, 5400);
	assert_null(r.until);
	alarm_rule_free(&r);
}

/* ---- over a source -------------------------------------------------------------------------- */

struct heard {
	char text[2000];
};

static void hear(void *context, const struct alarm_rule *rule, const struct alarm_row *row,
		 int64_t time)
{
	struct heard *h = context;
	size_t used = strlen(h->text);

	(void)time;
	snprintf(h->text + used, sizeof(h->text) - used, "%s%s %s;", row->on ? "+" : "-",
		 rule->name, row->object);
}

/* Looks at the sketch TEXT (NULL: no answer) and checks what is reported. */
static void look(struct watch *w, const char *text, const char *expected)
{
	static const struct model_options options = MODEL_OPTIONS_DEFAULT;
	struct cluster *c = text ? sketch_cluster(text, FS_DEPTH_OBLIVIOUS) : NULL;
	struct err err = { .code = ERR_NONE };
	struct model *m = c ? model_new(c, NULL, &err) : NULL;
	struct watch_answer answer = { .source = "s", .model = m, .options = &options,
				       .now = SKETCH_TIME + 60 };
	struct heard h = { "" };

	assert_true(watch_look(w, &answer, hear, &h, &err));
	assert_string_equal(h.text, expected);
	model_free(m);
	cluster_free(c);
}

static void add(struct watch *w, const char *rule)
{
	struct err err = { .code = ERR_NONE };

	if (!watch_add(w, rule, true, &err))
		fail_msg("%s", err.message);
}

static const char before[] = "a 1\n\t+x 1 100\nb 1\n\t+y 1 900\n";
static const char after[] = "a 1\n\t+x 1 5000\nb 1\n\t+y 1 900\n~300\n";
static const char later[] = "a 1\n\t+x 1 5000\nb 1\n\t+y 1 900\n~600\n";

static void test_changes(void **state)
{
	struct watch *w = watch_new(false);

	(void)state;
	add(w, "worse: changes what=rank by>0");
	add(w, "better: changes what=rank by<0");
	add(w, "gone: changes what=source is=down");
	add(w, "down: source state=down");
	add(w, "old: source age>5m");
	add(w, "much: accounts usage>4000");
	look(w, before, "");
	look(w, after, "+worse rank /a:x;+better rank /b:y;+much /;+much /a;+much /a:x;");
	assert_int_equal(watch_count(w), 5);
	look(w, later, "-worse rank /a:x;-better rank /b:y;");
	/* A missing answer changes no alarm of accounts. */
	look(w, NULL, "+gone source s;+down s;");
	assert_int_equal(watch_count(w), 5);
	look(w, NULL, "-gone source s;");
	look(w, before, "+worse rank /b:y;+better rank /a:x;-down s;-much /;-much /a;-much /a:x;");
	watch_free(w);
}

/* A clock set back, by hours or for good, delays neither the begin nor the end of an alarm. */
static void test_set_back(void **state)
{
	static const char usual[] = "a 1\n\t+x 1 100\n", much[] = "a 1\n\t+x 1 5000\n";
	struct watch *w = watch_new(false);
	char text[200];
	const struct {
		const char *sketch;
		int seconds;
		const char *expected;
	} looks[] = {
		{ much, 7200, "" }, { much, 60, "" }, { much, 120, "" },
		{ much, 180, "+much /a:x;" }, { usual, 9000, "" }, { usual, 0, "" },
		{ usual, 60, "" }, { usual, 120, "-much /a:x;" },
	};

	(void)state;
	add(w, "much: accounts usage>4000 user=x for 2m");
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
		snprintf(text, sizeof(text), "%s~%d\n", looks[i].sketch, looks[i].seconds);
		look(w, text, looks[i].expected);
	}
	watch_free(w);
}

#define REPORTED(f) "a 1\n\t+x 1 100\n*assoc reported.fairshare=" f "\n"

/* A single user has F = 0.5; a changed verdict occurs once, the verdict rule holds meanwhile. */
static void test_verdicts(void **state)
{
	struct watch *w = watch_new(false);

	(void)state;
	add(w, "verify: changes what=verify is=differs");
	add(w, "back: changes what=verify was=differs is=equal");
	add(w, "differs: source verify=differs");
	look(w, REPORTED("0.5"), "");
	look(w, REPORTED("0.7") "~300\n", "+verify verify s;+differs s;");
	look(w, REPORTED("0.7") "~600\n", "-verify verify s;");
	look(w, NULL, "");
	look(w, REPORTED("0.5") "~900\n", "+back verify s;-differs s;");
	watch_free(w);
}

static void test_views(void **state)
{
	struct watch *w = watch_new(true);
	struct err err = { .code = ERR_NONE };

	(void)state;
	/* Every view can be watched, and the alarm names its row. */
	add(w, "jobs: jobs state=PENDING");
	add(w, "classes: classes waiting>0");
	add(w, "pools: pools used>0");
	add(w, "lint: lint code=S4 for 1h");
	add(w, "verify: verify verdict=differs");
	add(w, "policy: policy name=PriorityWeightAge value>0 for 1h");
	assert_false(watch_add(w, "jobs: jobs state=RUNNING", true, &err));
	assert_non_null(strstr(err.message, "a rule of that name"));
	look(w, "a 1\n\t+x 1 100\n*partition name=day\n*qos name=normal\n"
		"=PriorityWeightAge 1000\n"
		"*job id=7 user=x account=a state=PENDING cpus=1 partition=day qos=normal\n",
	     "+jobs 7 day normal;+classes ;+policy PriorityWeightAge;");
	watch_free(w);
}

/* ---- on the screen -------------------------------------------------------------------------- */

/* Shows a picture SECONDS after the first one, in which alice has used USAGE. */
static void show(struct stage *s, int seconds, int usage)
{
	char text[200];

	snprintf(text, sizeof(text), "~%d\nphysics 40\n\t+alice 1 %d\nma%%1bth 20\n\t+bob 1 0\n",
		 seconds, usage);
	s->ms = 1000000 + seconds * 1000;
	stage_show(s, text);
}

static void test_screen(void **state)
{
	struct stage *s = *state =
		stage_empty("set ring osc9\nalarm much accounts usage>5000 user=alice "
			    "until usage<2000 for 2m\nalarm down source state=down\n");
	char text[4000] = "";
	struct err err = { .code = ERR_NONE };

	show(s, 0, 1000);
	stage_sees_not(s, "ALARM");
	show(s, 60, 6000);
	show(s, 120, 6000);
	stage_sees_not(s, "ALARM");
	s->effects = 0;
	show(s, 180, 6000);
	stage_sees(s, "1 ALARM");
	assert_true(s->effects & APP_RING);
	assert_string_equal(alarms_news(s->app), "much /physics:alice");
	s->effects = 0;
	show(s, 240, 3000);		/* neither condition */
	show(s, 600, 3000);
	stage_sees(s, "1 ALARM");
	show(s, 660, 1000);
	show(s, 780, 1000);
	stage_sees_not(s, "ALARM");
	assert_false(s->effects & APP_RING);
	/* The list of alarms leads to the row and the time. */
	stage_keys(s, "gg8");
	stage_sees(s, "2026-11-09 00:03     ");
	stage_keys(s, "<Enter>");
	stage_sees(s, "PAST 2026-11-09 00:03");
	stage_cursor_on(s, "alice");
	/* Pictures that arrive while the past is shown are checked, too. */
	show(s, 840, 6000);
	show(s, 960, 6000);
	stage_sees(s, "PAST");
	stage_sees(s, "1 ALARM");
	stage_keys(s, "=");
	/* A source fails; hostile names. */
	stage_source(s, SOURCE_STALE, "gone");
	stage_sees(s, "2 ALARMS");
	stage_source(s, SOURCE_GOOD, "");
	show(s, 1020, 6000);
	stage_sees(s, "1 ALARM");
	stage_keys(s, ":alarm all accounts account~ma<Enter>");
	stage_sees(s, "3 ALARMS");
	assert_string_equal(alarms_news(s->app), "2 alarms");
	stage_keys(s, ":alarm all accounts account~ma<Enter>");
	stage_sees(s, "all: a rule of that name already exists");
	stage_keys(s, ":alarm one accounts path~ma user=unknown<Enter>");
	assert_string_equal(alarms_news(s->app), "one /ma%1Bth");
	stage_keys(s, ":set ring loud<Enter>");
	stage_sees(s, "expected off, bell, osc9 or osc777");
	/* :write saves the rules. */
	assert_true(settings_write(s->app, (struct sink){ stage_append, text }, &err));
	assert_non_null(strstr(text, "\nset ring osc9\n"));
	assert_non_null(strstr(text, "\nalarm much accounts usage>5000 user=alice until usage<2000 "
				     "for 2m\nalarm down source state=down\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times), cmocka_unit_test(test_rules),
		cmocka_unit_test(test_changes), cmocka_unit_test(test_views),
		cmocka_unit_test(test_verdicts), cmocka_unit_test(test_set_back),
		stage_test(test_screen),
	};

	setenv("TZ", "UTC", 1);	/* the zone of its data */
	tzset();
	return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}
