/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/timeword.h"

#include <string.h>

#include "core/base/word.h"

#define DAY 86400

/* A piece of text that is read from its front. */
struct scan {
	const char *at;
};

static void timeword_skip_space(struct scan *s)
{
	while (*s->at == ' ' || *s->at == '\t')
		s->at++;
}

/* Exactly COUNT digits. */
static bool scan_digits(struct scan *s, int count, int *number)
{
	*number = 0;
	for (int i = 0; i < count; i++) {
		if (!word_is_digit(s->at[i]))
			return false;
		*number = *number * 10 + (s->at[i] - '0');
	}
	s->at += count;
	return true;
}

/* WORD, case ignored, not followed by a letter. */
static bool scan_word(struct scan *s, const char *word)
{
	size_t n = strlen(word);
	char behind;

	for (size_t i = 0; i < n; i++) {
		if (word_lower(s->at[i]) != word[i])
			return false;
	}
	behind = word_lower(s->at[n]);
	if (behind >= 'a' && behind <= 'z')
		return false;
	s->at += n;
	timeword_skip_space(s);
	return true;
}

/* "9:30", "09:30" or "09:30:15" up to the end of the text. */
static bool scan_clock(struct scan *s, struct civil *civil)
{
	bool ok = word_is_digit(s->at[0]) && s->at[1] == ':' ? scan_digits(s, 1, &civil->hour) :
		  scan_digits(s, 2, &civil->hour);

	if (!ok || *s->at++ != ':' || !scan_digits(s, 2, &civil->minute))
		return false;
	civil->second = 0;
	if (*s->at == ':') {
		s->at++;
		if (!scan_digits(s, 2, &civil->second))
			return false;
	}
	timeword_skip_space(s);
	return !*s->at && civil->hour < 24 && civil->minute < 60 && civil->second < 60;
}

static int month_days(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

/* "2026-11-03", then nothing or a time of the day. */
static bool scan_date(struct scan *s, struct civil *civil)
{
	if (!scan_digits(s, 4, &civil->year) || *s->at++ != '-' ||
	    !scan_digits(s, 2, &civil->month) || *s->at++ != '-' ||
	    !scan_digits(s, 2, &civil->day) || civil->month < 1 || civil->month > 12 ||
	    civil->day < 1 || civil->day > month_days(civil->year, civil->month))
		return false;
	if (word_lower(*s->at) == 't')
		s->at++;
	timeword_skip_space(s);
	return !*s->at || scan_clock(s, civil);
}

/* ---- durations ----------------------------------------------------------------------------- */

static const struct {
	const char *word;
	double seconds;
} units[] = {
	{ "s", 1 }, { "sec", 1 }, { "secs", 1 }, { "second", 1 }, { "seconds", 1 },
	{ "m", 60 }, { "min", 60 }, { "mins", 60 }, { "minute", 60 }, { "minutes", 60 },
	{ "h", 3600 }, { "hour", 3600 }, { "hours", 3600 },
	{ "d", DAY }, { "day", DAY }, { "days", DAY },
	{ "w", 7 * DAY }, { "week", 7 * DAY }, { "weeks", 7 * DAY },
	{ "y", 365 * DAY }, { "year", 365 * DAY }, { "years", 365 * DAY },
};

/* A number without a sign; decimals are allowed. */
static bool scan_number(struct scan *s, double *number)
{
	double scale = 1;

	if (!word_is_digit(*s->at))
		return false;
	for (*number = 0; word_is_digit(*s->at); s->at++)
		*number = *number * 10 + (*s->at - '0');
	if (*s->at == '.') {
		for (s->at++; word_is_digit(*s->at); s->at++)
			*number += (*s->at - '0') * (scale /= 10);
	}
	timeword_skip_space(s);
	return *number < 1e12;
}

static bool scan_unit(struct scan *s, double *seconds)
{
	/* Digits may follow at once, as in 1d12h; letters may not. */
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (scan_word(s, units[i].word)) {
			*seconds = units[i].seconds;
			return true;
		}
	}
	return false;
}

/* "1d12h", "90 minutes": numbers with units; stops before anything else. */
static bool scan_span(struct scan *s, double *seconds)
{
	double number, unit;
	bool any = false;

	*seconds = 0;
	while (word_is_digit(*s->at)) {
		if (!scan_number(s, &number) || !scan_unit(s, &unit))
			return false;
		*seconds += number * unit;
		any = true;
	}
	return any;
}

bool timeword_duration(const char *text, double *seconds)
{
	struct scan s = { text }, bare = { text };

	if (scan_number(&bare, seconds) && !*bare.at)
		return true;
	return scan_span(&s, seconds) && !*s.at;
}

/* "2h ago", "-2h" */
static bool scan_ago(struct scan s, int64_t now, int64_t *time)
{
	bool minus = *s.at == '-';
	double seconds;

	if (minus)
		s.at++;
	if (!scan_span(&s, &seconds) || scan_word(&s, "ago") == minus || *s.at)
		return false;
	*time = now - (int64_t)seconds;
	return true;
}

/* ---- all of them --------------------------------------------------------------------------- */

/* "09:30": today, or yesterday if that is still in the future. */
static bool last_clock(struct scan s, int64_t now, const struct calendar *calendar, int64_t *time)
{
	struct civil civil;
	int64_t t;

	if (!calendar->to_local(calendar->context, now, &civil) || !scan_clock(&s, &civil) ||
	    !calendar->to_time(calendar->context, &civil, &t))
		return false;
	if (t > now) {
		/* Day 0 is the last one of the month before, as in mktime(). */
		civil.day--;
		if (!calendar->to_time(calendar->context, &civil, &t))
			return false;
	}
	*time = t;
	return true;
}

/* "today", "yesterday 14:00" */
static bool named_day(struct scan s, int64_t now, const struct calendar *calendar, int64_t *time)
{
	bool yesterday = scan_word(&s, "yesterday");
	struct civil civil;

	if ((!yesterday && !scan_word(&s, "today")) ||
	    !calendar->to_local(calendar->context, now, &civil))
		return false;
	civil.hour = civil.minute = civil.second = 0;
	civil.day -= yesterday;
	return (!*s.at || scan_clock(&s, &civil)) &&
	       calendar->to_time(calendar->context, &civil, time);
}

static bool unix_seconds(struct scan s, int64_t *time)
{
	int64_t t = 0;
	int digits = 0;

	if (*s.at == '@')
		s.at++;
	for (; word_is_digit(*s.at) && digits < 15; s.at++, digits++)
		t = t * 10 + (*s.at - '0');
	if (*s.at || digits == 0)
		return false;
	*time = t;
	return true;
}

static bool calendar_date(struct scan s, const struct calendar *calendar, int64_t *time)
{
	struct civil civil = { .year = 0 };

	return scan_date(&s, &civil) && calendar->to_time(calendar->context, &civil, time);
}

static bool is_now(struct scan s)
{
	return scan_word(&s, "now") && !*s.at;
}

bool timeword_parse(const char *text, int64_t now, const struct calendar *calendar, int64_t *time,
		    struct err *err)
{
	struct scan s = { text };
	int64_t t = now;

	timeword_skip_space(&s);
	if (!is_now(s) && !unix_seconds(s, &t) && !scan_ago(s, now, &t) &&
	    !named_day(s, now, calendar, &t) && !last_clock(s, now, calendar, &t) &&
	    !calendar_date(s, calendar, &t))
		return err_set(err, ERR_INPUT, "\"%.80s\" is not a time (expected for example "
			       "now, 2h ago, 09:30, yesterday 14:00, 2026-11-03 14:00 or Unix "
			       "seconds)", text);
	*time = t;
	return true;
}
