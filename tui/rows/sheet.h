/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet: a view as the screen shows it: a list of rows and the columns chosen for it.
 *
 * The first column names the row (and draws the tree); it is always shown. The others come from the
 * view's column table, plus a few that only the screen has (the bar around the fair share).
 */
#ifndef FAIRTOP_TUI_ROWS_SHEET_H
#define FAIRTOP_TUI_ROWS_SHEET_H

#include "core/whatif/changes_columns.h"
#include "tui/base/script.h"
#include "tui/cells/canvas.h"
#include "tui/rows/list.h"

#define SHEET_COLUMNS 64

/* A column on the screen; title and cells end at x + width - 1 (or begin at x if LEFT). */
struct sheet_slot {
	const struct column *column;
	int x, width;
};

struct sheet_layout {
	struct sheet_slot slots[SHEET_COLUMNS];
	size_t count;
	int name_width;
	size_t dropped;		/* columns that did not fit */
	bool more_left, more_right;
};

/* An uninformative column makes way for others unless the user has chosen the columns. */
enum sameness { SAME_NOT, SAME_ALL, SAME_UNKNOWN };

struct sheet {
	struct list list;
	const struct column *all;	/* the view's columns */
	size_t all_count;
	struct changes_columns *changes; /* ALL plus the what-if columns; or NULL */
	const struct column *columns[SHEET_COLUMNS];	/* the chosen ones, in order */
	size_t count;
	bool ordered;			/* by the user: defaults do not change it */
	bool late;			/* the defaults are known only with the first rows */
	char wish[SCRIPT_LINE];		/* "+a", "-a" given before that */
	bool chosen;			/* by the user: a new algorithm keeps them */
	/* While all are shown: the previous ones. */
	const struct column *narrow[SHEET_COLUMNS];
	size_t narrow_count;
	bool wide, narrow_chosen;
	const struct column *picked; /* the sort column as picked; see list.order */
	const struct column *held;	/* never dropped; NULL: none */
	const struct column *asked[SHEET_COLUMNS]; /* requested by hand: others are dropped first */
	size_t asked_count;
	const struct column *cursor;	/* chosen by the user, shown or not; see sheet_cursor() */
	size_t scroll; /* columns scrolled off on the left; 0 without a cursor */
	const struct column *const *extra;	/* screen-only columns that can be chosen, too */
	size_t extra_count;
	const struct column *ratio;	/* shown by the bar; NULL: none */
	const char *name_title;		/* "Account / user" */
	int name_min, name_max;
	/* The contents of those columns, for a version of the list. */
	const struct column *judged[SHEET_COLUMNS];
	uint8_t same[SHEET_COLUMNS];	/* enum sameness */
	int need[SHEET_COLUMNS];	/* cells their texts need */
	bool edited[SHEET_COLUMNS];	/* a what-if sets one of them: never dropped */
	bool known[SHEET_COLUMNS];	/* a listed row has a value, or the column never hides */
	int name_need;			/* likewise for names: at most name_max */
	uint32_t judged_version, judged_built;
	struct sheet_layout layout;	/* as last drawn, for the mouse */
};

/* The bar of R around 1. It has no value: sorting by it sorts by its ratio. */
extern const struct column bar_column;

/* Slots in use against a queue's deserved slots; it has no value. */
extern const struct column pool_bar_column;

/* Use of an association's fullest group limit, in percent. */
extern const struct column quota_column;

/* Prepares T for the view of that name, with no columns chosen yet. */
void sheet_init(struct sheet *t, const char *view, const struct column *columns, size_t count);
void sheet_free(struct sheet *t);

/* Finds a column by name or title, including screen-only ones; ERR_INPUT names an unknown one. */
const struct column *sheet_find(const struct sheet *t, const char *name, size_t length,
				struct err *err);

/*
 * The columns that a filter may name: the view's, screen-only ones with a value, and those of
 * changes while a what-if is shown.
 */
const struct column *sheet_filter_columns(const struct sheet *t, size_t *count);

/* All that can be chosen; not the first column, which is always shown. */
size_t sheet_choices(const struct sheet *t);
const struct column *sheet_choice(const struct sheet *t, size_t i);

/*
 * "a,b,c" replaces, "+a,b" adds, "-a" removes. If the columns are known only with the first rows,
 * sheet_grant() does it then.
 */
bool sheet_choose(struct sheet *t, const char *text, struct err *err);
void sheet_grant(struct sheet *t);

/*
 * Shows or hides a column; a new one goes to its place in the view's order. False for the last one.
 */
bool sheet_toggle(struct sheet *t, const struct column *column);

/* The user requested this column: it is kept when others must be dropped. */
void sheet_ask(struct sheet *t, const struct column *column);

/*
 * Lays the columns out in WIDTH cells: scrolled, else without the least important ones. The column
 * under the cursor is visible.
 */
void sheet_layout(struct sheet *t, int width);

/*
 * The column under the cursor, whatever is shown beside it. NULL if the user has chosen none, or
 * hides it.
 */
const struct column *sheet_cursor(const struct sheet *t);
void sheet_set_cursor(struct sheet *t, const struct column *column);	/* NULL: none */

/* The column that the legend explains: that under the cursor, else the sort column; NULL. */
const struct column *sheet_explained(const struct sheet *t);

/*
 * Moves the column cursor right (BY 1) or left (-1), starting from the sort column if there is no
 * cursor; left of the first column the cursor disappears. At the edge the columns scroll.
 */
void sheet_step(struct sheet *t, int by);

/* The column at cell X of the view as last drawn; NULL: the name, or between two columns. */
const struct column *sheet_column_at(const struct sheet *t, int x);

/* Index of COLUMN in columns, else count. */
size_t sheet_index(const struct sheet *t, const struct column *column);

/* Whether the title is left-aligned, followed by the sort arrow. */
bool sheet_title_left(const struct column *column);

/* The text of a cell on the screen, at most WIDTH columns unless that would falsify it. */
void sheet_cell(const struct column *column, const struct value *v, int width, bool ascii,
		char *buf, size_t size);

/* The same beside other columns: reasons of classes use the short words of jobs. */
void sheet_cell_brief(const struct column *column, const struct value *v, int width, bool ascii,
		      char *buf, size_t size);

/*
 * The text of a cell edited by a what-if, with its former value: "40→60", never cut. False: not
 * edited, or unchanged.
 */
bool sheet_cell_edited(const struct sheet *t, const struct column *column, uint32_t row, bool ascii,
		       char *buf, size_t size);

/* Index of the sort column in COLUMNS; -1: the source's order, or a hidden column. */
int sheet_sort_index(const struct sheet *t);
bool sheet_sort_is(const struct sheet *t, const struct column *column);

/* The column whose values COLUMN shows: for the bar its ratio. NULL is fine. */
const struct column *sheet_real(const struct sheet *t, const struct column *column);

/* Sorts by COLUMN as the user picks it; the bar means its ratio, NULL the source's order. */
void sheet_pick(struct sheet *t, const struct column *column, bool descending);
void sheet_order(struct sheet *t, const struct row_order *order);

/* Sets another algorithm's ratio; a sheet sorted by the bar is then sorted by that. */
void sheet_set_ratio(struct sheet *t, const struct column *ratio);

/* Usage over share of a row: R itself; the inverse of Fair Tree's Level FS. NaN if unknown. */
enum service { SERVICE_UNKNOWN, SERVICE_FAIR, SERVICE_OVER, SERVICE_UNDER };
bool sheet_over_is_large(const struct sheet *t);	/* for the ratio's own values */
double sheet_served(const struct sheet *t, const struct list_data *data, uint32_t row);
enum service sheet_service(double ratio);

#endif
