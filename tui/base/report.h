/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: any view as a table for people, as JSON or as CSV.
 *
 * The command line's counterpart of the screen: the same views, as text. Names, titles, units and
 * values all come from the column table.
 *
 * One module of several files: report report_csv report_json report_table
 */
#ifndef FAIRTOP_TUI_BASE_REPORT_H
#define FAIRTOP_TUI_BASE_REPORT_H

#include "core/base/jsonw.h"
#include "core/table/rows.h"
#include "core/base/timestr.h"

enum report_format { REPORT_TABLE, REPORT_JSON, REPORT_CSV, REPORT_FORMATS };

extern const char *const report_format_names[REPORT_FORMATS];

/* An additional key of the JSON object. */
struct report_extra {
	const char *key, *text;		/* text NULL: null */
};

struct report_count {
	const char *key;
	int64_t count;			/* I64_UNKNOWN: null */
};

struct report {
	struct view view;
	const struct column **columns;	/* owned; the selected ones in order */
	size_t column_count;
	uint32_t *rows;			/* owned; the selected ones in order */
	uint32_t row_count;
	/*
	 * Gives the rows after those, one at a time; ROW_NONE after the last one, or with *FAILED
	 * and ERR. CSV's keys do not include them; a table's numbers are as wide as on the screen,
	 * or as the rows before need. NULL: there are none.
	 */
	uint32_t (*more)(void *context, bool *failed, struct err *err);
	void *more_context;
	/* For JSON. All borrowed, NULL: none. */
	const struct cluster *cluster;
	const char *source, *health;
	const char *algorithm, *base;
	int64_t now;			/* for the age of the data */
	const struct report_extra *extras;
	size_t extra_count;
	const struct report_count *counts;
	size_t count_count;
	/* For several sources: the report of each, used instead. */
	const struct report **parts;
	size_t part_count;
	/* For people. */
	const struct calendar *local;
	size_t width;			/* cut lines to this many terminal columns; 0: never */
	bool terminal;			/* the reader is a terminal: no control characters */
};

/*
 * "a,b": exactly these; "+a,-b": the default ones with a and without b; NULL: the default ones,
 * which are all in JSON and CSV and those of ALGORITHM (column.only) in a table. ERR_INPUT names an
 * unknown column. The caller frees the array.
 */
const struct column **report_columns(const struct view *view, const char *text,
				     enum report_format format, unsigned algorithm, size_t *count,
				     struct err *err);

/* The enum need bits of all of them. */
uint32_t report_needs(const struct column *const *columns, size_t count);

bool report_write(const struct report *r, enum report_format format, struct sink out,
		  struct err *err);
void report_free(struct report *r);	/* frees what it owns */

/* For the formats: the row to be shown as number N, in order; else as report.more. */
uint32_t report_row(const struct report *r, uint32_t n, bool *failed, struct err *err);

/* One function per format, each in its own file. */
bool report_table(const struct report *r, struct sink out, struct err *err);
bool report_json(const struct report *r, struct sink out, struct err *err);
bool report_csv(const struct report *r, struct sink out, struct err *err);

#endif
