/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timestr: durations and calendar steps as Slurm reads them.
 */
#ifndef FAIRTOP_CORE_BASE_TIMESTR_H
#define FAIRTOP_CORE_BASE_TIMESTR_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

/*
 * "minutes", "minutes:seconds", "hours:minutes:seconds", "days-", "days-hours",
 * "days-hours:minutes" and "days-hours:minutes:seconds", rounded up to whole minutes as the
 * scheduler does; "-1", UNLIMITED and INFINITE (case ignored) are I64_INFINITE. *SECONDS is
 * untouched on error. ERR_INPUT quotes TEXT. Source: time_str2mins() of Slurm.
 */
bool timestr_parse(const char *text, int64_t *seconds, struct err *err);

/*
 * "7-00:00:00", "02:00:00", "UNLIMITED" for I64_INFINITE, "" for I64_UNKNOWN, "INVALID" for
 * negative durations as squeue shows them. Returns the length like snprintf().
 */
size_t timestr_format(int64_t seconds, char *buf, size_t size);

/*
 * Local calendar of the cluster's own time zone, supplied by the caller since core has no clock.
 * Both functions may return false for times they cannot convert.
 */
struct civil {
	int year;
	int month;		/* 1-12 */
	int day;		/* 1-31 */
	int hour, minute, second;
	int weekday;		/* 0 = Sunday; to_time does not read it */
};
struct calendar {
	bool (*to_local)(void *context, int64_t time, struct civil *civil);
	bool (*to_time)(void *context, const struct civil *civil, int64_t *time);
	void *context;
};

/*
 * Next usage reset after LAST (the last reset, or the start of the scheduler when unknown), for
 * PERIOD: NONE NOW DAILY WEEKLY MONTHLY QUARTERLY YEARLY, case ignored. Steps from boundary to
 * boundary, as the scheduler does when it records one, until the boundary lies after NOW:
 * DAILY is the midnight before plus 86400 s, WEEKLY the midnight before plus whole days to the next
 * Sunday, so that both shift by an hour over a change of daylight saving time; MONTHLY,
 * QUARTERLY and YEARLY are the midnight of the next such first day. A reset that is due but has not
 * happened (LAST + one step <= NOW) is not reported: the next pass does it.
 *
 * *NEXT is I64_UNKNOWN for NONE and NOW, and where LAST is unknown or the calendar fails. False for
 * other words. Source: _next_reset() of priority_multifactor.c.
 */
bool reset_next(const char *period, int64_t last, int64_t now, const struct calendar *calendar,
		int64_t *next);

#endif
