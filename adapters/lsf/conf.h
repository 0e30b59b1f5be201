/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf: LSF's configuration files (lsb.queues, lsb.hosts, lsb.resources, lsb.params), section by
 * section.
 *
 *	Begin NAME ... End NAME		one section
 *	KEYWORD = value			in a vertical section: one record
 *	KEYWORD KEYWORD ...		in a horizontal one: its first line names the columns, every
 *	cell (cell cell) ()		other line is a record; blanks stay in () and quotes
 *	... \				continues in the next line
 *	# comment			to the end of the line, not inside "..." or '...'
 *	#if EXPRESSION / #elif / #else / #endif
 *	EXPRESSION = time(WINDOW...) | E && E | E || E | !E | (E)
 *	WINDOW = [day:]hour[:minute]-[day:]hour[:minute], days 1 Monday ... 7 or 0 Sunday
 *
 * Sources: "lsb.queues", "lsb.hosts", "lsb.resources" and "Automatic time-based configuration" of
 * the IBM documentation of LSF 10.1, "Time Syntax and Configuration" of Administering Platform LSF
 * 7.3; the files that openlava and volclava ship. None was tested with LSF. There a word after a
 * window is a time zone; it is ignored here: windows are in the time that the caller gives.
 */
#ifndef FAIRTOP_ADAPTERS_LSF_CONF_H
#define FAIRTOP_ADAPTERS_LSF_CONF_H

#include "adapters/slice.h"
#include "core/base/err.h"

#define LSF_CELLS_MAX 256	/* of one record */

/* The time of #if time(...). */
struct lsf_when {
	int weekday;		/* 0 Sunday ... 6 */
	int minute;		/* of the day */
};

struct lsf_cell {
	struct slice name, value;	/* value without brackets or quotes around it */
	uint32_t line;
};

struct lsf_record {
	struct slice section;		/* "Queue" */
	uint32_t line;			/* its first line */
	bool horizontal;
	const struct lsf_cell *cells;
	uint32_t count;
};

/*
 * Calls EACH for every record, in order; texts are borrowed during the call. Stops at the first
 * error: ERR_INPUT with err->line, from this reader (no End, text outside sections, a row with more
 * cells than columns, an #if that is malformed or not closed, ...) or from EACH.
 */
typedef bool lsf_each(void *context, const struct lsf_record *record, struct err *err);
bool lsf_conf_read(const char *text, size_t length, const struct lsf_when *when, lsf_each *each,
		   void *context, struct err *err);

/* Is EXPRESSION true at WHEN? ERR_INPUT if it cannot be read. */
bool lsf_condition(struct slice expression, const struct lsf_when *when, bool *is, struct err *err);

/* The cell named NAME (ASCII case ignored), the last one if there are several; NULL if none. */
const struct lsf_cell *lsf_cell(const struct lsf_record *record, const char *name);

#endif
