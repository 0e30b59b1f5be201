/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Edits: every target of the table can be written and read back; values are held to their ranges;
 * errors name what was expected; escaped and hostile names survive.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/whatif/edits.h"
#include "core/base/mem.h"
#include "tests/support/hostile.h"

static struct edit good(const char *text)
{
	struct err err = { .code = ERR_NONE };
	struct edit e;

	if (!edit_parse(text, &e, &err))
		fail_msg("%s: %s", text, err.message);
	return e;
}

static void refused(const char *text, const char *expected)
{
	struct err err = { .code = ERR_NONE };
	struct edit e;

	if (edit_parse(text, &e, &err))
		fail_msg("%s: should be refused", text);
	assert_int_equal(err.code, ERR_INPUT);
	if (!strstr(err.message, expected))
		fail_msg("%s: \"%s\" does not say \"%s\"", text, err.message, expected);
}

static void is_number(const char *text, enum edit_id id, double number)
{
	struct edit e = good(text);

	assert_int_equal(e.target->id, id);
	assert_true(e.number == number);
	edit_free(&e);
}

/* The examples of the contract. */
static void test_contract(void **state)
{
	(void)state;
	struct edit e = good("shares:/physics/hep:alice = parent");

	assert_int_equal(e.target->id, EDIT_SHARES);
	assert_string_equal(e.object, "/physics/hep:alice");
	assert_true(e.parent);
	edit_free(&e);
	is_number("shares:/physics/hep = 40", EDIT_SHARES, 40);
	is_number("weight.age = 1000", EDIT_WEIGHT, 1000);
	is_number("PriorityWeightAge = 1000", EDIT_WEIGHT, 1000);
	is_number("half_life = 14-0", EDIT_PARAM, 14 * 86400);
	is_number("max_age=7-0", EDIT_PARAM, 7 * 86400);
	is_number("damping = 2", EDIT_PARAM, 2);
	is_number("sched.bf_interval = 60", EDIT_SCHED, 60);
	is_number("sched.policy = easy", EDIT_SCHEDULE, 0);
	is_number("flags = DEPTH_OBLIVIOUS,MAX_TRES", EDIT_PARAM, PF_DEPTH_OBLIVIOUS | PF_MAX_TRES);
	is_number("qos:high.priority = 50", EDIT_FIELD, 50);
	is_number("partition:gpu.job_factor = 10", EDIT_FIELD, 10);
	is_number("job:174.nice = 100", EDIT_FIELD, 100);
	is_number("job:174_3.nice = -100", EDIT_FIELD, -100);
	is_number("usage:/physics = 0", EDIT_USAGE, 0);
	is_number("advance = 6h", EDIT_ADVANCE, 6 * 3600);
	is_number("pool:P.queue1.share = 50", EDIT_FIELD, 50);
	e = good("classes.exclude = walltime");
	assert_string_equal(e.value, "walltime");
	edit_free(&e);
	e = good("weight.tres = CPU=10,Mem=5");
	assert_string_equal(e.value, "CPU=10,Mem=5");
	edit_free(&e);
}

static void test_values(void **state)
{
	(void)state;
	struct edit e = good("  weight.fairshare=70% ");

	assert_true(e.percent && e.number == 70);
	edit_free(&e);
	e = good("usage:/a:b=+1e6");
	assert_true(e.relative && e.number == 1e6);
	edit_free(&e);
	e = good("job:5.begin = NOW");
	assert_true(e.relative && e.number == 0);
	edit_free(&e);
	e = good("job:5.begin = +2h");
	assert_true(e.relative && e.number == 7200);
	edit_free(&e);
	e = good("job:5.dependency =");
	assert_string_equal(e.value, "");
	edit_free(&e);
	e = good("job:5.submit=-6h");
	assert_true(e.relative && e.number == -6 * 3600);
	edit_free(&e);
	is_number("half_life = 14d", EDIT_PARAM, 14 * 86400);
	is_number("advance = 1-12", EDIT_ADVANCE, 36 * 3600);
	is_number("advance = 90", EDIT_ADVANCE, 90 * 60);
	is_number("remove:/a = yes", EDIT_REMOVE, 1);
	is_number("MessageTimeout = 10", EDIT_PARAM, 10);
	is_number("KillWait = 2m", EDIT_PARAM, 120);
	is_number("CompleteWait = 3m", EDIT_PARAM, 180);
}

static void test_refused(void **state)
{
	(void)state;
	refused("", "TARGET = VALUE");
	refused("weight.age", "TARGET = VALUE");
	refused("weight.aeg = 5", "did you mean weight.age");
	refused("wheight:/a = 5", "unknown target");
	refused("shares: = 5", "no object");
	refused("shares:/a = -1", "from 0 to");
	refused("half_life = 99999999d", "at most 136 years");
	refused("max_age = 7102w", "at most 136 years");
	refused("shares:/a = 2147483647", "from 0 to 2147483646");
	refused("shares:/a = 1.5", "whole number");
	refused("shares:/a = nan", "a number, or parent");
	refused("shares:/a =", "a number, or parent");
	refused("weight.age = 101%", "percentage");
	refused("weight.age = 4294967294", "out of range");
	refused("weight.age = 0x10", "points");
	refused("damping = 0", "1 to 65533");
	refused("flags = DEPTH_OBLIVOUS", "words of PriorityFlags");
	refused("job:abc.nice = 1", "not a job");
	refused("job:5.submit = now", "relative like -6h");
	refused("job:5.begin = soon", "now, Unix seconds");
	refused("job:5.qos =", "a value");
	refused("job:12.colour = 1", "unknown target");
	refused("algorithm = best", "depth-oblivious, classic or fair-tree");
	refused("sched.policy = best", "slurm, slurm-builtin, pbs");
	refused("sched.bf_interval = 0", "from 1 to");
	refused("remove:/a = perhaps", "yes or no");
	refused("advance = UNLIMITED", "a finite duration");
	refused("advance = soon", "soon");
	refused("weight.tres = CPU", "CPU");
	refused("parent:/a =#/b", "%23");
	refused("shares:/a #b = 1", "%23");
}

/* Returns a value that fits the type of T. */
static const char *value_for(const struct edit_target *t)
{
	switch (t->type) {
	case EDIT_SHARES_OR_PARENT:
		return "parent";
	case EDIT_DURATION:
		return "6h";
	case EDIT_YES_NO:
		return "yes";
	case EDIT_AS_PARAM:
		return !t->param ? "OFF"
		       : strstr(t->param, "Favor") || strstr(t->param, "enable") ? "YES"
		       : strstr(t->param, "TRES")	      ? "cpu=1"
		       : strstr(t->param, "Flags")	      ? "MAX_TRES"
		       : strstr(t->param, "Reset")	      ? "WEEKLY"
							      : "3";
	case EDIT_TEXT:
		return t->id == EDIT_ALGORITHM ? "classic" :
		       t->id == EDIT_SCHEDULE ? "easy" : "cpu=1";
	default:
		return "2";
	}
}

/* Builds "shares:PATH" with OBJECT in place of the capital letters. */
static void pattern(const struct edit_target *t, const char *object, char *buf, size_t size)
{
	const char *colon = strchr(t->name, ':'), *dot = colon ? strrchr(colon, '.') : NULL;

	if (!colon)
		snprintf(buf, size, "%s = %s",
			 strcmp(t->name, "PARAMETER") == 0 ? "PreemptMode" : t->name,
			 value_for(t));
	else
		snprintf(buf, size, "%.*s:%s%s = %s", (int)(colon - t->name), t->name, object,
			 dot ? dot : "", value_for(t));
}

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < edit_targets_count; i++) {
		const struct edit_target *t = &edit_targets[i];
		char text[300], again[300];
		struct edit e;

		pattern(t, t->object == EDIT_OF_JOB ? "17_4" : "/a.b:c@d", text, sizeof(text));
		e = good(text);
		if (strcmp(t->name, "PARAMETER") != 0)
			assert_ptr_equal(e.target, t);
		assert_true(edit_text(&e, again, sizeof(again)) < sizeof(again));
		assert_string_equal(again, text);
		edit_free(&e);
		/* An edit that is never exported says why; others name their keyword or command. */
		assert_true(t->slurm != EDIT_NEVER || t->why);
		assert_true(t->inverse || t->why);
		assert_true(t->meaning[0] != '\0');
	}
}

/* Hostile names: escaped or not, they come back as they were typed. */
static void test_hostile(void **state)
{
	(void)state;
	for (size_t i = 0; i < hostile_count(); i++) {
		char *name = hostile_name(i), *text, *again;
		size_t size = strlen(name) + 100, length = strlen(name);
		/* A trailing blank is written %20. */
		bool plain = !strchr(name, '=') && length > 0 && name[length - 1] != ' ';
		struct edit e;

		text = mem_alloc(size, 1);
		again = mem_alloc(size, 1);
		snprintf(text, size, "shares:/%s = 3", name);
		if (plain && edit_parse(text, &e, NULL)) {
			edit_text(&e, again, size);
			assert_string_equal(again, text);
			edit_free(&e);
		}
		mem_free(text);
		mem_free(again);
		mem_free(name);
	}
}

static void test_unescape(void **state)
{
	(void)state;
	char buf[20];

	assert_true(edit_unescape("a%3Db%2f", 8, buf, sizeof(buf)));
	assert_string_equal(buf, "a=b/");
	assert_false(edit_unescape("a%3", 3, buf, sizeof(buf)));
	assert_false(edit_unescape("a%zz", 4, buf, sizeof(buf)));
	assert_false(edit_unescape("%00", 3, buf, sizeof(buf)));
	assert_false(edit_unescape("123456", 6, buf, 6));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contract), cmocka_unit_test(test_values),
		cmocka_unit_test(test_refused),	 cmocka_unit_test(test_table),
		cmocka_unit_test(test_hostile),	 cmocka_unit_test(test_unescape),
	};

	return cmocka_run_group_tests_name("edits", tests, NULL, NULL);
}
