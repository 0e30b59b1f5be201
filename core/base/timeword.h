/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeword: past times in the words that people use for them.
 *
 *	now
 *	2h ago, 90 minutes ago, 1d12h ago, -2h	s m h d w and the words; "ago" or a minus, not both
 *	09:30, 09:30:15		the last time the clock said that
 *	today, yesterday	their midnight; with a time: yesterday 14:00
 *	2026-11-03, 2026-11-03 14:00, 2026-11-03T14:00:00
 *	1793714400, @1793714400	Unix seconds
 *
 * Case is ignored. Days are counted in seconds of 86400 in "2d ago", by the calendar elsewhere.
 */
#ifndef FAIRTOP_CORE_BASE_TIMEWORD_H
#define FAIRTOP_CORE_BASE_TIMEWORD_H

#include "core/base/timestr.h"

/* ERR_INPUT quotes TEXT and says what was expected; *TIME is then untouched. */
bool timeword_parse(const char *text, int64_t now, const struct calendar *calendar, int64_t *time,
		    struct err *err);

/* "30s", "2m", "1.5h", "30d", "2w", "45" (seconds); false for anything else, or below zero. */
bool timeword_duration(const char *text, double *seconds);

#endif
