/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet: a view as the screen shows it: a list of rows and the columns chosen for it.
 *
 * The first column names the row (and draws the tree); it always stays. The others come from the
 * view's column table, plus the few that only a screen has (the bar around the fair share).
 */
#ifndef FAIRTOP_TUI_ROWS_SHEET_H
#define FAIRTOP_TUI_ROWS_SHEET_H

#include "core/whatif/changes_columns.h"
#include "tui/base/script.h"
#include "tui/cells/canvas.h"
#include "tui/rows/list.h"

#define SHEET_COLUMNS 64

/*
 * One column where it stands on the screen; its title and cells end at x + width - 1 (or begin at x
 * if left).
 */
struct sheet_slot {
	const struct column *column;
	size_t index;		/* in sheet.columns */
	int x, width;
};

struct sheet_layout {
	struct sheet_slot slots[SHEET_COLUMNS];
	size_t count;
	int name_width;
	size_t dropped;		/* columns without room */
	bool more_left, more_right;
};

/* A column that says nothing gives its place away as long as the user has not chosen it. */
enum sameness { SAME_NOT, SAME_ALL, SAME_UNKNOWN };

struct sheet {
	struct list list;
	const struct column *all;	/* the view's columns */
	size_t all_count;
	struct changes_columns *changes; /* these and those of a what-if beside them; or NULL */
	const struct column *columns[SHEET_COLUMNS];	/* the chosen ones, in order */
	size_t count;
	bool ordered;			/* by the user: looks do not change that */
	bool late;			/* which are usual is known with the first rows */
	char wish[SCRIPT_LINE];		/* "+a", "-a" before that, for then */
	bool chosen;			/* by the user: a new algorithm does not change them */
	/* While all are shown: those that were before. */
	const struct column *narrow[SHEET_COLUMNS];
	size_t narrow_count;
	bool wide, narrow_chosen;
	const struct column *picked; /* the column that sorts, as it was picked; see list.order */
	const struct column *held;	/* never dropped for want of room; NULL: none */
	const struct column *asked[SHEET_COLUMNS];	/* by hand: others are dropped first */
	size_t asked_count;
	const struct column *cursor;	/* as the user chose it, shown or not; see sheet_cursor() */
	size_t scroll; /* columns scrolled away on the left; 0 where there is no cursor */
	const struct column *const *extra;	/* what only a screen has can be chosen, too */
	size_t extra_count;
	const struct column *ratio;	/* what the bar draws; NULL: it has nothing to draw */
	const char *name_title;		/* "Account / user" */
	int name_min, name_max;
	/* What the rows have in those columns, as of a version of the list. */
	const struct column *judged[SHEET_COLUMNS];
	uint8_t same[SHEET_COLUMNS];	/* enum sameness */
	int need[SHEET_COLUMNS];	/* cells of their texts */
	bool edited[SHEET_COLUMNS];	/* a what-if sets one of them: never dropped */
	bool known[SHEET_COLUMNS];	/* a row that is listed has a value, or it never hides */
	int name_need;			/* and of the names: at most name_max */
	uint32_t judged_version, judged_built;
	struct sheet_layout layout;	/* as last drawn, for the mouse */
};

/* The bar of R around 1; without a value of its own: sorting by it sorts by the ratio it shows. */
extern const struct column bar_column;

/* Slots in use against those a queue is entitled to; without a value of its own. */
extern const struct column pool_bar_column;

/* The queue of a cluster since it is watched; likewise. */
extern const struct column queue_spark_column;

extern const struct column *const accounts_extra[2], *const pools_extra[1];

/* How full the fullest group limit of an association is, in percent. */
extern const struct column quota_column;

/* Of a view by that name; it has no columns chosen yet. */
void sheet_init(struct sheet *t, const char *view, const struct column *columns, size_t count);
void sheet_free(struct sheet *t);

/* Columns by name or title, the screen's own included; ERR_INPUT names the unknown one. */
const struct column *sheet_find(const struct sheet *t, const char *name, size_t length,
				struct err *err);

/*
 * The columns that a filter of the sheet may name: those of the view, of the screen's own those
 * that have a value, and while a what-if is shown those of its changes.
 */
const struct column *sheet_filter_columns(const struct sheet *t, size_t *count);

/* All that can be chosen, but the first column, which names the row anyway. */
size_t sheet_choices(const struct sheet *t);
const struct column *sheet_choice(const struct sheet *t, size_t i);

/*
 * "a,b,c" replaces, "+a,b" adds, "-a" takes away; of columns that are known with the first rows
 * only then, when sheet_grant() does it.
 */
bool sheet_choose(struct sheet *t, const char *text, struct err *err);
void sheet_grant(struct sheet *t);

/*
 * Shows or hides a column; one that is not shown yet goes to its place in the view's order. False
 * for the last one.
 */
bool sheet_toggle(struct sheet *t, const struct column *column);

/* The user put this column among the others: he wants to see it, also where room is scarce. */
void sheet_ask(struct sheet *t, const struct column *column);

/*
 * Lays the columns out in WIDTH cells: scrolled, else without the least important ones; the cursor
 * is among those that are seen.
 */
void sheet_layout(struct sheet *t, int width);

/*
 * The column cursor: kept by the column, whatever is shown beside it. NULL while
 * the user has chosen none, or hides the one he chose.
 */
const struct column *sheet_cursor(const struct sheet *t);
void sheet_set_cursor(struct sheet *t, const struct column *column);	/* NULL: none */

/* The column that the legend explains: the one under the cursor, else the one that sorts; NULL. */
const struct column *sheet_explained(const struct sheet *t);

/*
 * A column to the right (BY 1) or left (-1) of the cursor, of the column that sorts where there is
 * none; left of all there is none again. At the edge the columns scroll.
 */
void sheet_step(struct sheet *t, int by);

/* The column at cell X of the view's area as last drawn; NULL: the name, or between two. */
const struct column *sheet_column_at(const struct sheet *t, int x);

/* Index of COLUMN in columns, else count. */
size_t sheet_index(const struct sheet *t, const struct column *column);

/* Does the title stand at the left of its column, the arrow of the sort behind it? */
bool sheet_title_left(const struct column *column);

/*
 * Text of a cell as the screen shows it, at most WIDTH columns where that is possible without
 * lying.
 */
void sheet_cell(const struct column *column, const struct value *v, int width, bool ascii,
		char *buf, size_t size);

/* The same beside others: a class waits for what jobs wait for, in their short words. */
void sheet_cell_brief(const struct column *column, const struct value *v, int width, bool ascii,
		      char *buf, size_t size);

/*
 * The text of a cell that a what-if sets, with what it was: "40→60", cut nowhere. False: it is
 * none, or as it was.
 */
bool sheet_cell_edited(const struct sheet *t, const struct column *column, uint32_t row, bool ascii,
		       char *buf, size_t size);

/*
 * Index of the sort column in columns; -1 for the source's order (or a column that is not shown).
 */
int sheet_sort_index(const struct sheet *t);
bool sheet_sort_is(const struct sheet *t, const struct column *column);

/* The column whose values COLUMN shows: the bar stands for the ratio it draws. NULL is fine. */
const struct column *sheet_real(const struct sheet *t, const struct column *column);

/*
 * Sorts by a column as the user picks it: the bar stands for the ratio it draws; NULL is the
 * source's order.
 */
void sheet_pick(struct sheet *t, const struct column *column, bool descending);
void sheet_order(struct sheet *t, const struct row_order *order);

/* The ratio of another algorithm: whoever sorts by the bar sorts by that one now. */
void sheet_set_ratio(struct sheet *t, const struct column *ratio);

/*
 * How much of its share a row has used: R itself; Fair Tree's Level FS is the other way round. NaN
 * if that is unknown.
 */
enum service { SERVICE_UNKNOWN, SERVICE_FAIR, SERVICE_OVER, SERVICE_UNDER };
bool sheet_over_is_large(const struct sheet *t);	/* of the ratio's own values */
double sheet_served(const struct sheet *t, const struct list_data *data, uint32_t row);
enum service sheet_service(double ratio);

#endif
