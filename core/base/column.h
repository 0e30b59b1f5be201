/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column: what a view shows, as a table with one typed getter per column.
 *
 * Screen, table, JSON, CSV, sorting, filtering, the column chooser, the manual page and the shell
 * completion all come from these tables. A view is a column table, a context (what the getters
 * read) and a number of rows.
 */
#ifndef FAIRTOP_CORE_BASE_COLUMN_H
#define FAIRTOP_CORE_BASE_COLUMN_H

#include "core/base/err.h"
#include "core/base/unit.h"
#include "core/base/value.h"

/* Groups of data that a source can fetch on their own, so that hidden columns cost nothing. */
enum need {
	NEED_SHARES	= 1 << 0,	/* associations with shares and usage ratios */
	NEED_LIMITS	= 1 << 1,	/* limits, priority, raw usage at full precision, order */
	NEED_JOBS	= 1 << 2,
	NEED_PRIO	= 1 << 3,	/* priority terms per job */
	NEED_PARTITIONS	= 1 << 4,
	NEED_QOS	= 1 << 5,
	NEED_HOSTS	= 1 << 6,
	NEED_RESERVATIONS = 1 << 7,
	NEED_LICENSES	= 1 << 8,
	NEED_POLICY	= 1 << 9,
	NEED_ALL	= (1 << 10) - 1,
	/* With NEED_JOBS: the time of the last pass, too; NEED_PRIO is read once per pass. */
	NEED_PASS	= 1 << 10,
	/* No further request follows: the answer may take two calls at once. */
	NEED_ONCE	= 1 << 11,
	/* With NEED_JOBS: no answer if the jobs are unknown. Sources ignore it. */
	NEED_KNOWN_JOBS	= 1 << 12
};

enum column_format {
	COLUMN_PLAIN,		/* text, or an integer */
	COLUMN_RATIO,		/* real with DECIMALS decimals, aligned on the point */
	COLUMN_SI,		/* big number with k M G T */
	COLUMN_DURATION,
	COLUMN_TIME
};

/* What the screen draws in a cell. */
enum column_drawn {
	DRAWN_TEXT,		/* the value */
	/* The value, in a role that depends on a cluster's health: */
	DRAWN_SOURCE, DRAWN_HEALTH, DRAWN_AGE, DRAWN_UNDER, DRAWN_OVER, DRAWN_ALARMS, DRAWN_VERIFY,
	DRAWN_NOTE,
	/* Pictures, which are not written to files; all but the first begin on the left: */
	DRAWN_SERVICE, DRAWN_TERMS, DRAWN_SLOTS, DRAWN_SPARK, DRAWN_KINDS
};

struct column;

/* One cell of a view, as handed to a getter. */
struct position {
	const struct column *column;	/* the column to read: several may share a getter */
	const void *context;		/* the view's */
	uint32_t row;
};

/* The member of the struct RECORD that the column shows, by its offset. */
#define POSITION_MEMBER(pos, record) ((const void *)((const char *)(record) + (pos)->column->which))

/* Called for every row in each sort and filter: anything slow belongs in the context. */
typedef void column_getter(const struct position *pos, struct value *out);

/*
 * The columns that a what-if adds beside a column: base_X before it, X_change after it (see
 * changes_columns.h). All zero means: the column's own title and width, dropped first, shown on
 * request. Texts and points in time get none, unless the change has a name.
 */
struct column_changes {
	struct {
		const char *title;	/* short: "Prio was", "Prio diff"; NULL: the column's own */
		uint8_t base_width, base_keep, width, keep;
	} shape;
	uint32_t base_only, only;
	bool none;		/* no columns of changes */
	bool places;		/* smaller is better: the change is the number of places gained */
	bool edit;		/* set by edits: a cell shows both, "40→60", and is never hidden */
	bool news;		/* worth telling a colleague: marked after a refresh */
	const char *name, *heading;		/* the change's own; or NULL */
	const char *base_legend, *legend;	/* NULL: the generic text */
};

enum column_kind {
	COLUMN_OWN,		/* the view's own */
	COLUMN_BASE,		/* base_X */
	COLUMN_CHANGE,		/* X_change, a difference */
	COLUMN_PLACES		/* X_change, places gained */
};

#define ALWAYS UINT32_MAX		/* column.only: of all algorithms */

struct column {
	const char *name;	/* key in JSON and CSV */
	const char *title;	/* header on the screen and in tables */
	const char *legend;	/* one line for the reader; also the manual's text */
	enum column_format format;
	enum unit unit;
	uint8_t width;		/* of the content on the screen */
	uint8_t decimals;
	uint8_t keep;		/* the lowest is dropped first when the window is narrow */
	bool left;		/* left-aligned */
	enum column_drawn drawn;
	uint8_t warns;		/* the screen warns from this value on; 0: never */
	bool rises;		/* readers look for the smallest first: a place, an id */
	bool hides;		/* while it is unknown in all listed rows */
	uint32_t needs;		/* enum need */
	uint32_t only;		/* bit per enum fs_algorithm that shows it by default; 0: none */
	column_getter *get;
	bool path;		/* holds paths of associations */
	bool reportable;	/* schedulers report it, too: its values have an origin */
	size_t which;		/* for a getter of several columns: a field, or an offset */
	struct column_changes changes;
	const void *data;	/* for the getter only */
	/* For columns beside others: */
	enum column_kind kind;
	const struct column *of;	/* the view's own column; NULL: this is one */
};

struct view {
	const char *name;	/* "accounts" */
	const struct column *columns;
	size_t column_count;
	const void *context;
	uint32_t rows;
};

struct view view_of(const char *name, const struct column *columns, size_t column_count,
		    const void *context, size_t rows);

/* Returns the value of a cell in OUT; unknown, without a reason, where the getter sets none. */
void column_get(const struct column *column, const void *context, uint32_t row, struct value *out);

/*
 * Sets OUT to the names of the COLUMNS whose value in ROW is reported by the scheduler, not
 * computed: the value of the column "reported".
 */
void column_list_reported(const struct column *columns, size_t count, const void *context,
			  uint32_t row, struct value *out);

/* Finds by name, then by title (case-sensitive: R is not r); NULL if there is none. */
const struct column *column_find(const struct column *columns, size_t count, const char *name,
				 size_t length);

/* Does a bare word of a filter search this column? (left-aligned and plain) */
bool column_is_text(const struct column *column);

/*
 * Sets ERR_INPUT quoting NAME, with near misses, or all names if nothing is near. A name like those
 * of changes_columns.h gets what it requires instead, if no such column exists here. Returns false.
 */
bool column_unknown(const struct column *columns, size_t count, const char *name, size_t length,
		    struct err *err);

#endif
