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
	/* With NEED_JOBS: when the last pass was, for which NEED_PRIO is asked once a pass. */
	NEED_PASS	= 1 << 10,
	/* Nobody will ask again: the answer may take two calls at once. */
	NEED_ONCE	= 1 << 11,
	/* With NEED_JOBS: where they are unknown there is no answer; nothing to sources. */
	NEED_KNOWN_JOBS	= 1 << 12
};

enum column_format {
	COLUMN_PLAIN,		/* text, or an integer */
	COLUMN_RATIO,		/* real with DECIMALS decimals, aligned on the point */
	COLUMN_SI,		/* big number with k M G T */
	COLUMN_DURATION,
	COLUMN_TIME
};

struct column;

/* One cell of a view: what a getter is asked for. */
struct spot {
	const struct column *column;	/* whose getter it is: several may share one */
	const void *context;		/* of the view */
	uint32_t row;
};

/* The member of the struct RECORD that the column tells, by its offset. */
#define SPOT_MEMBER(spot, record) ((const void *)((const char *)(record) + (spot)->column->which))

/* Called for every row of each sort and filter: what takes longer belongs into the context. */
typedef void column_getter(const struct spot *spot, struct value *out);

/*
 * What a what-if changes in a column stands beside it: base_X before it, X_change behind it (see
 * changes_columns.h). All zero: with the column's title and width, dropped first, shown when asked
 * for. Texts and points in time have none, unless the change has a name.
 */
struct column_changes {
	struct {
		const char *title;	/* short: "Prio was", "Prio diff"; NULL: the column's own */
		uint8_t base_width, base_keep, width, keep;
	} shape;
	uint32_t base_only, only;
	bool none;		/* no columns beside this one */
	bool places;		/* the smaller the better: the change is the places gained */
	bool edit;		/* edits set it: a cell says both, "40→60", and is always seen */
	bool news;		/* what one would tell a colleague: marked after a refresh */
	const char *name, *heading;		/* of the change, in their own words; or NULL */
	const char *base_legend, *legend;	/* NULL: what is said of all */
};

enum column_kind {
	COLUMN_OWN,		/* of the view itself */
	COLUMN_BASE,		/* base_X */
	COLUMN_CHANGE,		/* X_change, a difference */
	COLUMN_PLACES		/* X_change, places gained */
};

struct column {
	const char *name;	/* key in JSON and CSV */
	const char *title;	/* header on the screen and in tables */
	const char *legend;	/* one line for the reader; also the manual's text */
	enum column_format format;
	enum unit unit;
	uint8_t width;		/* of the content on the screen */
	uint8_t decimals;
	uint8_t keep;		/* 0 is dropped first when the window is narrow */
	bool left;		/* left-aligned */
	bool rises;		/* a number of which the first is looked for: a place, an id */
	bool hides;		/* as long as it is unknown in all rows that are listed */
	uint32_t needs;		/* enum need */
	uint32_t only;		/* bit per enum fs_algorithm that shows it by default; 0: none */
	column_getter *get;
	bool path;		/* tells paths of associations */
	bool reportable;	/* schedulers report it, too: its values tell their origin */
	size_t which;		/* for a getter of several columns: a field, or an offset */
	struct column_changes changes;
	const void *data;	/* for the getter alone */
	/* Of columns beside others: */
	enum column_kind kind;
	const struct column *of;	/* the view's own; NULL: this is one */
};

struct view {
	const char *name;	/* "accounts" */
	const struct column *columns;
	size_t column_count;
	const void *context;
	uint32_t rows;
};

/* The value of a cell; unknown, nobody knows why, where the getter says nothing. */
void column_get(const struct column *column, const void *context, uint32_t row, struct value *out);

/*
 * The names of COLUMNS whose value in ROW is as the scheduler reported it and not computed: the
 * value of a column "reported".
 */
void column_list_reported(const struct column *columns, size_t count, const void *context,
			  uint32_t row, struct value *out);

/* By name, else by title (titles are case-sensitive: R is not r); NULL if there is none. */
const struct column *column_find(const struct column *columns, size_t count, const char *name,
				 size_t length);

/* Does a bare word of a filter look here? (left-aligned and plain) */
bool column_is_text(const struct column *column);

/*
 * ERR_INPUT that quotes NAME, with near misses, or all names if nothing is near; of a name like
 * those of changes_columns.h, where none of them is, with what it needs. Returns false.
 */
bool column_unknown(const struct column *columns, size_t count, const char *name, size_t length,
		    struct err *err);

#endif
