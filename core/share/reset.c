/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/timestr.h"

#include "core/base/unknown.h"
#include "core/base/word.h"

#define DAY INT64_C(86400)

/*
 * Every step starts from a local midnight, so an early boundary leads to the same result as a later
 * one of the same kind; starting at most this long ago bounds the number of steps.
 */
#define FAR (800 * DAY)

enum period { NONE, NOW, DAILY, WEEKLY, MONTHLY, QUARTERLY, YEARLY, PERIODS };

static const char *const period_names[PERIODS] = {
	[NONE] = "NONE", [NOW] = "NOW", [DAILY] = "DAILY", [WEEKLY] = "WEEKLY",
	[MONTHLY] = "MONTHLY", [QUARTERLY] = "QUARTERLY", [YEARLY] = "YEARLY"
};

static enum period period_by_name(const char *name)
{
	enum period p = NONE;

	while (p < PERIODS && !word_equal(name, period_names[p]))
		p++;
	return p;
}

/* Sets CIVIL to the first day of the month that starts the next period of MONTHS months. */
static void to_next_period(struct civil *civil, int months)
{
	civil->day = 1;
	civil->month = (civil->month - 1) / months * months + months + 1;
	if (civil->month > 12) {
		civil->month = 1;
		civil->year++;
	}
}

/* The boundary after LAST. */
static bool reset_step(enum period period, int64_t last, const struct calendar *calendar,
		       int64_t *next)
{
	struct civil civil;
	int64_t days = 0;

	if (!calendar->to_local(calendar->context, last, &civil))
		return false;
	civil.hour = civil.minute = civil.second = 0;
	if (period == DAILY)
		days = 1;
	else if (period == WEEKLY)
		days = 7 - civil.weekday;
	else
		to_next_period(&civil, period == MONTHLY ? 1 : period == QUARTERLY ? 3 : 12);
	if (!calendar->to_time(calendar->context, &civil, next))
		return false;
	*next += days * DAY;
	/* 23 h after midnight on a day of 25 h: the same boundary again. */
	if (*next <= last)
		*next += DAY;
	return *next > last;
}

bool reset_next(const char *period, int64_t last, int64_t now, const struct calendar *calendar,
		int64_t *next)
{
	enum period p = period_by_name(period);
	int64_t boundary;

	if (p == PERIODS)
		return false;
	*next = I64_UNKNOWN;
	if (p == NONE || p == NOW || last == I64_UNKNOWN || !calendar)
		return true;
	boundary = now > INT64_MIN + FAR && last < now - FAR ? now - FAR : last;
	do {
		if (!reset_step(p, boundary, calendar, &boundary))
			return true;
	} while (boundary <= now);
	*next = boundary;
	return true;
}
