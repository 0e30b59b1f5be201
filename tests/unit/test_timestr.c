/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Durations and reset periods: the worked cases, the edges of each form, and days of 23 and 25
 * hours, compared with the C library's calendar.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "core/base/timestr.h"
#include "core/base/unknown.h"
#include "tests/support/data.h"
#include "tests/support/worked.h"

/* ---- durations ----------------------------------------------------------------------------- */

static bool check_duration(const json_t *one)
{
	const char *text = json_string_value(json_object_get(one, "text"));
	const json_t *expect = json_object_get(one, "expect");
	int64_t seconds = 12345;
	struct err err = { 0 };
	bool ok = timestr_parse(text, &seconds, &err);

	if (json_is_string(expect) && strcmp(json_string_value(expect), "error") == 0) {
		if (ok || seconds != 12345 || err.code != ERR_INPUT)
			fail_msg("\"%s\" was taken", text);
		return true;
	}
	if (!ok)
		fail_msg("\"%s\": %s", text, err.message);
	if (json_is_string(expect))
		assert_true(seconds == I64_INFINITE);
	else if (seconds != json_integer_value(expect))
		fail_msg("\"%s\" is %lld", text, (long long)seconds);
	return true;
}

static void test_worked_durations(void **state)
{
	(void)state;
	worked_hold("timestring", 25, check_duration);
}

static void test_bad_durations(void **state)
{
	static const char *const bad[] = {
		"-5", "1-2:", "1-:5", "1-2:3:4:5", "1:", ":1", "1:2:", " 5", "5 ", "+5", "1.5",
		"UNLIMITEDX", "99999999999999999999", "1000000-0", "71582788:16", "0x5",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		int64_t seconds;
		struct err err = { 0 };

		if (timestr_parse(bad[i], &seconds, &err) || !strstr(err.message, bad[i]))
			fail_msg("\"%s\" was taken, or not quoted: %s", bad[i], err.message);
	}
}

static void test_format(void **state)
{
	static const struct {
		int64_t seconds;
		const char *text;
	} cases[] = {
		{ 0, "00:00:00" }, { 59, "00:00:59" }, { 7200, "02:00:00" }, { 86399, "23:59:59" },
		{ 86400, "1-00:00:00" }, { 604800, "7-00:00:00" }, { 94020, "1-02:07:00" },
		{ I64_UNKNOWN, "" }, { I64_INFINITE, "UNLIMITED" }, { -1, "INVALID" },
	};
	char buf[32], tiny[4];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(timestr_format(cases[i].seconds, buf, sizeof(buf)),
				 strlen(cases[i].text));
		assert_string_equal(buf, cases[i].text);
	}
	assert_int_equal(timestr_format(604800, tiny, sizeof(tiny)), 10);
	assert_string_equal(tiny, "7-0");
}

/* Printed durations read back, for whole minutes. */
static void test_round_trip(void **state)
{
	char buf[32];
	int64_t back;

	(void)state;
	for (int64_t s = 0; s < 4000000; s += 7 * 60) {
		timestr_format(s, buf, sizeof(buf));
		assert_true(timestr_parse(buf, &back, NULL));
		assert_true(back == s);
	}
}

/* ---- reset periods ------------------------------------------------------------------------- */

static bool to_local(void *context, int64_t time, struct civil *civil)
{
	time_t t = (time_t)time;
	struct tm tm;

	(void)context;
	if (!localtime_r(&t, &tm))
		return false;
	*civil = (struct civil){ tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
				 tm.tm_min, tm.tm_sec, tm.tm_wday };
	return true;
}

static bool to_time(void *context, const struct civil *civil, int64_t *time)
{
	struct tm tm = { .tm_year = civil->year - 1900, .tm_mon = civil->month - 1,
			 .tm_mday = civil->day, .tm_hour = civil->hour, .tm_min = civil->minute,
			 .tm_sec = civil->second, .tm_isdst = -1 };

	(void)context;
	*time = mktime(&tm);
	return *time != -1;
}

static const struct calendar local = { to_local, to_time, NULL };

static void in_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static int64_t next_reset(const char *period, int64_t last, int64_t now)
{
	int64_t next;

	if (!reset_next(period, last, now, &local, &next))
		fail_msg("%s", period);
	return next;
}

static int64_t local_time(int year, int month, int day, int hour)
{
	struct civil civil = { year, month, day, hour, 0, 0, 0 };
	int64_t time;

	assert_true(to_time(NULL, &civil, &time));
	return time;
}

static bool check_reset(const json_t *one)
{
	int64_t last = json_integer_value(json_object_get(one, "last")), next;

	in_zone(json_string_value(json_object_get(one, "zone")));
	next = next_reset(json_string_value(json_object_get(one, "period")), last, last);
	if (next != json_integer_value(json_object_get(one, "expect")))
		fail_msg("%s: %lld", json_string_value(json_object_get(one, "name")),
			 (long long)next);
	return true;
}

static void test_worked_resets(void **state)
{
	(void)state;
	worked_hold("reset", 10, check_reset);
}

static void test_words(void **state)
{
	int64_t next = 0;

	(void)state;
	in_zone("UTC");
	assert_true(next_reset("NONE", 1, 2) == I64_UNKNOWN);
	assert_true(next_reset("now", 1, 2) == I64_UNKNOWN);
	assert_true(next_reset("Daily", I64_UNKNOWN, 2) == I64_UNKNOWN);
	assert_true(next_reset("mONTHLY", 0, 0) == 31 * 86400);
	assert_false(reset_next("HOURLY", 0, 0, &local, &next));
	assert_false(reset_next("", 0, 0, &local, &next));
}

/* The boundary returned is in the future, however long ago the last reset was. */
static void test_steps_past_now(void **state)
{
	static const char *const periods[] = {
		"DAILY", "WEEKLY", "MONTHLY", "QUARTERLY", "YEARLY"
	};
	const int64_t now = INT64_C(1795143600);	/* 2026-11-20 03:00 UTC, a Friday */

	(void)state;
	in_zone("UTC");
	for (size_t p = 0; p < 5; p++) {
		int64_t soon = next_reset(periods[p], now - 60, now);

		for (int64_t ago = 3600; ago < 60 * INT64_C(31556952); ago *= 3)
			assert_true(next_reset(periods[p], now - ago, now) == soon);
		assert_true(next_reset(periods[p], INT64_MIN + 1, now) == soon);
	}
	assert_true(next_reset("WEEKLY", now - 40 * 86400, now) == local_time(2026, 11, 22, 0));
	assert_true(next_reset("QUARTERLY", now - 400 * 86400, now) == local_time(2027, 1, 1, 0));
}

/*
 * Days of 23 and 25 hours (Europe/Paris: 2026-03-29 and 2026-10-25): days and weeks are fixed
 * numbers of seconds, months are not, and the boundary always advances.
 */
static void test_daylight_saving(void **state)
{
	int64_t last, next;

	(void)state;
	in_zone("Europe/Paris");
	last = local_time(2026, 3, 29, 0);
	assert_true(next_reset("DAILY", last, last) == last + 86400);	/* 01:00 on the 30th */
	last = local_time(2026, 10, 25, 0);
	next = next_reset("DAILY", last, last);
	assert_true(next == last + 86400);				/* 23:00 on the 25th */
	assert_true(next_reset("DAILY", next, next) > next);
	last = local_time(2026, 10, 22, 12);
	assert_true(next_reset("WEEKLY", last, last) == local_time(2026, 10, 25, 0));
	last = local_time(2026, 10, 25, 0);
	assert_true(next_reset("WEEKLY", last, last) == last + 7 * 86400);
	last = local_time(2026, 10, 3, 0);
	assert_true(next_reset("MONTHLY", last, last) == local_time(2026, 11, 1, 0));
	in_zone("UTC");
}

/* A calendar that fails leaves the answer unknown. */
static bool never(void *context, int64_t time, struct civil *civil)
{
	(void)context;
	(void)time;
	(void)civil;
	return false;
}

static void test_calendar_fails(void **state)
{
	const struct calendar broken = { never, to_time, NULL };
	int64_t next = 7;

	(void)state;
	assert_true(reset_next("DAILY", 0, 0, &broken, &next));
	assert_true(next == I64_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_durations),
		cmocka_unit_test(test_bad_durations),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_worked_resets),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_steps_past_now),
		cmocka_unit_test(test_daylight_saving),
		cmocka_unit_test(test_calendar_fails),
	};

	return cmocka_run_group_tests_name("timestr", tests, NULL, NULL);
}
