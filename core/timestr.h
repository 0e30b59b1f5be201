/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timestr: durations and calendar steps as Slurm reads them.
 *
 * "minutes", "minutes:seconds", "hours:minutes:seconds", "days-hours", "days-hours:minutes",
 * "days-hours:minutes:seconds", UNLIMITED and INFINITE.
 */
#ifndef FAIRTOP_CORE_TIMESTR_H
#define FAIRTOP_CORE_TIMESTR_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

/* Seconds, I64_INFINITE for UNLIMITED. ERR_INPUT quotes TEXT. */
bool timestr_parse(const char *text, int64_t *seconds, struct err *err);

/* "7-00:00:00", "02:00:00", "UNLIMITED", "" for unknown; like snprintf. */
size_t timestr_format(int64_t seconds, char *buf, size_t size);

/*
 * Local calendar of the cluster's own time zone, supplied by the caller since core has no clock.
 * to_local fills year/month(1-12)/day/hour/min/sec/weekday(0 = Sunday); to_time is its inverse.
 */
struct civil {
	int year, month, day, hour, minute, second, weekday;
};
struct calendar {
	bool (*to_local)(void *context, int64_t time, struct civil *civil);
	bool (*to_time)(void *context, const struct civil *civil, int64_t *time);
	void *context;
};

/*
 * Next usage reset after LAST for PERIOD (NONE NOW DAILY WEEKLY MONTHLY QUARTERLY YEARLY, case
 * ignored), the first one later than NOW as the scheduler steps. Source: spec of fair share, 5.1.
 * I64_UNKNOWN for NONE and NOW; ERR_INPUT for other words.
 */
bool reset_next(const char *period, int64_t last, int64_t now, const struct calendar *calendar,
		int64_t *next, struct err *err);

#endif
