/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times in ordinary words, against a calendar of UTC (the expected numbers are those of
 * `date -u -d ... +%s`) and one that changes to summer time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "core/base/timeword.h"
#include "tui/base/zone.h"

#define NOW INT64_C(1793714400)		/* 2026-11-03 14:00:00 UTC, a Tuesday */

static int in_zone(void **state)
{
	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	return 0;
}

static void test_words(void **state)
{
	static const struct {
		const char *text;
		int64_t time;
	} cases[] = {
		{ "now", NOW }, { " NOW ", NOW }, { "2h ago", NOW - 7200 }, { "-2h", NOW - 7200 },
		{ "90 minutes ago", NOW - 5400 }, { "1d12h ago", NOW - 129600 },
		{ "1.5h ago", NOW - 5400 }, { "1 week ago", NOW - 604800 }, { "30s AGO", NOW - 30 },
		{ "09:30", 1793698200 }, { "9:30", 1793698200 }, { "14:00", NOW },
		{ "14:00:01", NOW + 1 - 86400 }, { "23:59", 1793750340 - 86400 },
		{ "today", 1793664000 }, { "yesterday", 1793577600 },
		{ "yesterday 14:00", NOW - 86400 }, { "today 00:30", 1793665800 },
		{ "2026-11-03", 1793664000 }, { "2026-11-03 14:00", NOW },
		{ "2026-11-03T14:00:00", NOW }, { "2024-02-29", 1709164800 },
		{ "1793714400", NOW }, { "@5", 5 }, { "0", 0 },
	};
	struct err err = { .code = ERR_NONE };
	int64_t t;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		t = -1;
		if (!timeword_parse(cases[i].text, NOW, &zone_local, &t, &err))
			fail_msg("%s", err.message);
		if (t != cases[i].time)
			fail_msg("%s: %lld, not %lld", cases[i].text, (long long)t,
				 (long long)cases[i].time);
	}
}

static void test_no_times(void **state)
{
	static const char *const cases[] = {
		"", "soon", "2h", "2 ago", "ago", "2h agos", "25:00", "12:60", "12:5", "1:2:3",
		"2026-02-29", "2026-13-01", "2026-00-01", "2026-1-1", "2026-11-03 25:00", "nowish",
		"yesterday at noon", "-", "2x ago", "12345678901234567890", "1793714400x",
		"-1h ago", "-5", "- 2h",
	};
	struct err err = { .code = ERR_NONE };
	int64_t t = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (timeword_parse(cases[i], NOW, &zone_local, &t, &err))
			fail_msg("\"%s\" is a time", cases[i]);
		assert_int_equal(err.code, ERR_INPUT);
		assert_int_equal(t, 7);
		assert_non_null(strstr(err.message, cases[i]));
	}
}

/* Europe/Paris: on 2026-03-29 clocks went from 02:00 to 03:00. */
static void test_summer_time(void **state)
{
	const int64_t now = 1774778400;		/* 2026-03-29 12:00 CEST */
	int64_t t;

	(void)state;
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	assert_true(timeword_parse("12:00", now, &zone_local, &t, NULL));
	assert_int_equal(t, now);
	assert_true(timeword_parse("yesterday 12:00", now, &zone_local, &t, NULL));
	assert_int_equal(t, now - 23 * 3600);
	assert_true(timeword_parse("1d ago", now, &zone_local, &t, NULL));
	assert_int_equal(t, now - 24 * 3600);
	in_zone(NULL);
}

static void test_durations(void **state)
{
	double s;

	(void)state;
	assert_true(timeword_duration("30d", &s) && s > 2591999.5 && s < 2592000.5);
	assert_true(timeword_duration("45", &s) && s > 44.5 && s < 45.5);
	assert_true(timeword_duration("1h30m", &s) && s > 5399.5 && s < 5400.5);
	assert_true(timeword_duration("3y", &s) && s > 94607999.5 && s < 94608000.5);
	assert_false(timeword_duration("", &s));
	assert_false(timeword_duration("-5m", &s));
	assert_false(timeword_duration("5x", &s));
	assert_false(timeword_duration("5m later", &s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_no_times),
		cmocka_unit_test(test_summer_time),
		cmocka_unit_test(test_durations),
	};

	return cmocka_run_group_tests(tests, in_zone, NULL);
}
