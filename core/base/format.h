/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format: one cell as text for people, identical in the tables of the command line and on the
 * screen.
 *
 * The numbers of a column end in the same number of characters after the decimal point, so that
 * aligning them to the right aligns the points. Texts are copied as they are: callers that write
 * them to a terminal use visible_copy(). JSON and CSV are written elsewhere; they keep every digit.
 */
#ifndef FAIRTOP_CORE_BASE_FORMAT_H
#define FAIRTOP_CORE_BASE_FORMAT_H

#include "core/base/column.h"
#include "core/base/timestr.h"

/* Written for an unknown value. */
#define FORMAT_UNKNOWN "-"

/*
 * Like snprintf. LOCAL turns times into dates ("2026-07-01 12:00:00"); with NULL they stay Unix
 * seconds.
 *
 *	COLUMN_PLAIN	texts, yes and no, integers; reals with DECIMALS significant digits, all of
 *			them if that is 0
 *	COLUMN_RATIO	DECIMALS after the point
 *	COLUMN_SI	DECIMALS after the point, then one of " kMGTPE"
 *	COLUMN_DURATION	"2-03:00:00"
 *
 * Lists are joined by commas, the texts of records by "; ", maps are "key=value,key=value".
 */
size_t format_cell(const struct column *column, const struct value *v, const struct calendar *local,
		   char *buf, size_t size);

/* The same of a time alone. */
size_t format_time(int64_t time, const struct calendar *local, char *buf, size_t size);

/* Appends to TEXT, which has SIZE bytes, and cuts what does not fit. */
void format_append(char *text, size_t size, const char *format, ...) ERR_PRINTF(3, 4);

/* X with a suffix of one letter or a space: "818.25k", "12.00 ". */
size_t format_si(double x, unsigned decimals, char *buf, size_t size);

/* X rounded, digits grouped in threes: "1,234,567"; "-" if unknown. */
size_t format_grouped(double x, char *buf, size_t size);

#endif
