/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list: the rows of a view as the screen shows them: which, in what order, where the cursor is.
 *
 * Works for every view; a tree is a view whose rows are in pre-order with parent and span. The
 * user's state (cursor, folds, marks, scroll position) is kept by the rows' identities, so that it
 * survives a refresh in which rows come, go, move or change their name. Nothing here formats a
 * value or knows a column by name.
 *
 * Cost: a key press is at most one pass over the rows; sorting and filtering happen only when the
 * data, the order or the filter changes.
 */
#ifndef FAIRTOP_TUI_ROWS_LIST_H
#define FAIRTOP_TUI_ROWS_LIST_H

#include "core/table/filter.h"
#include "core/table/rows.h"
#include "core/cluster/idmap.h"

/*
 * One refresh of the rows. Everything is borrowed and must live until list_forget() after the next
 * refresh.
 */
struct list_data {
	struct view view;
	const uint64_t *keys;		/* identity of each row */
	const uint32_t *ids; /* the source's own numbers, to recognise a renamed row; or NULL */
	const uint32_t *parent, *span;	/* for a tree; NULL: flat */
	const uint16_t *depth;
	const struct cluster *cluster;	/* for a tree of accounts: which rows are users */
	/*
	 * In a flat view: rows shown as one until opened, at the first of them in the order shown.
	 * NULL: none.
	 */
	const uint32_t *group;		/* per row, the number of its group; ROW_NONE */
	const uint64_t *group_keys;	/* identity of each group */
	uint32_t groups;
	/*
	 * In a flat view: rows in ascending order of a column, if already known; rows that are
	 * absent have no value there. NULL: unknown.
	 */
	const uint32_t *sorted;
	uint32_t sorted_count;
	const struct column *sorted_by;
};

enum item_flag {
	ITEM_GHOST	= 1,	/* a row of the former data, now gone; cannot be selected */
	ITEM_CONTEXT	= 2,	/* does not match the filter, but something below it does */
	ITEM_MEMBER	= 4,	/* of an open group, but not its first */
	ITEM_USERS	= 8	/* represents the rest below its account; ROW is one of these */
};

struct list_item {
	uint32_t row;		/* in the present data; for a ghost in the former */
	uint32_t flags;
};

struct list_ghost {
	uint32_t row;		/* in the former data */
	uint32_t after;		/* present row that it followed; ROW_NONE: at the top */
};

struct list {
	struct list_data now, before;	/* before.keys == NULL: no former data */
	uint32_t *origin;		/* per row, its former row; NULL if no row moved */
	/* The user's state. */
	uint32_t fold_depth;		/* rows this deep and deeper are folded ... */
	struct idmap toggled;		/* ... except these, which are the opposite */
	struct idmap users;		/* accounts whose users are one item; LIST_REST */
	bool by_hand;			/* the user has changed folds */
	uint64_t *peeked;		/* of TOGGLED: those that list_peek() unfolded; owned */
	size_t peeked_count, peeked_capacity;
	struct idmap marks;
	struct row_order order;		/* count 0: the source's order */
	bool flat; /* sort across parents; rows are shown without their ancestors */
	struct filter *filter;		/* owned; NULL: all */
	/* What results from it. */
	uint32_t *sequence;		/* all rows in the order shown; NULL: 0, 1, 2 ... */
	uint8_t *match; /* per row: 2 matches, 1 only context, 0 hidden; NULL: all match */
	uint32_t matches;
	uint32_t version;		/* changes whenever data or filter change */
	struct list_item *items;
	size_t count, capacity;
	uint32_t built;			/* changes whenever items change */
	uint32_t *heads;		/* per group: the first of the rows that match */
	uint32_t *members;		/* per row: the next of its group; ROW_NONE */
	uint32_t *place;		/* per row: index of its item, ROW_NONE when hidden */
	struct list_ghost *ghosts;
	size_t ghost_count, ghost_capacity;
	uint32_t cursor;		/* index into items */
	uint64_t hidden;		/* row of the cursor before a filter hid it; 0: none */
	uint64_t instead;		/* row of the cursor since then */
	uint32_t top;			/* first item in the window */
	uint32_t page;			/* lines of the window */
};

void list_init(struct list *l);
void list_free(struct list *l);

/*
 * Takes the next refresh. The former data become `before` until list_forget(). The cursor's row
 * keeps its line, except that a cursor on the very first item does not follow a row off the page.
 */
void list_update(struct list *l, const struct list_data *data);
void list_forget(struct list *l); /* the former data are no longer needed: no ghosts, no changes */

void list_resize(struct list *l, uint32_t page);

/* Setters update the list and keep the cursor on its row, or on the nearest that remains. */
/*
 * Takes it over; NULL: all. If a filter had hidden the cursor's row, the cursor returns to it
 * unless it was moved since.
 */
void list_set_filter(struct list *l, struct filter *filter);
void list_set_order(struct list *l, const struct row_order *order, bool flat);
void list_set_fold_depth(struct list *l, uint32_t depth); /* 0: fold all; UINT32_MAX: unfold all */
#define LIST_GROUP_DEPTH 1		/* groups fold like a tree's rows of this depth */
void list_rebuild(struct list *l);

bool list_empty(const struct list *l);
/* The row under the cursor or ROW_NONE; for an item of all users, their account. */
uint32_t list_row(const struct list *l);
uint32_t list_row_of(const struct list *l, uint64_t key);	/* ROW_NONE: it is gone */
uint32_t list_before(const struct list *l,
		     uint32_t row); /* its row in the former data or ROW_NONE */

void list_move(struct list *l, int64_t by);			/* cursor, ghosts are skipped */
void list_move_to(struct list *l, uint32_t item);
void list_scroll(struct list *l, int64_t by); /* window; the cursor stays inside */
bool list_select(struct list *l, uint32_t row); /* unfolds what hides it; false if filtered out */
/* The same, but temporarily: folds again what the previous peek unfolded. */
bool list_peek(struct list *l, uint32_t row);
void list_stay(struct list *l);		/* keeps what the last peek unfolded */

/* Trees. */
#define LIST_REST 1	/* in USERS: an account that shares a line with the users beside it */
bool list_foldable(const struct list *l, uint32_t row);
bool list_folded(const struct list *l, uint32_t row);
bool list_toggled(const struct list *l, uint32_t row);	/* unlike the other rows of its depth */
void list_fold(struct list *l, uint32_t row, bool folded);
/* How many accounts and users below ACCOUNT one item represents; false: no such item. */
bool list_rest(const struct list *l, uint32_t account, uint32_t *accounts, uint32_t *users);
void list_show_rest(struct list *l, uint32_t account);
/* The same for DATA, which L does not show yet; false if there was no such item. */
bool list_rest_remove(struct list *l, const struct list_data *data, uint32_t account);
void list_fold_subtree(struct list *l, uint32_t row, bool folded);
uint32_t list_parent_row(const struct list *l,
			 uint32_t row); /* ROW_NONE for the root, in flat views, of no group */

/* The next row of the same group as shown when open; ROW_NONE: none. */
uint32_t list_next_member(const struct list *l, uint32_t row);
bool list_move_sibling(struct list *l, int direction);

bool list_marked(const struct list *l, uint32_t row);
bool list_toggle_mark(struct list *l, uint32_t row);

#endif
