/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes_columns: the changes that a what-if makes, as columns beside those of each view; and the
 * earlier value of a cell, in the base or before a refresh.
 *
 * Column base_X is X without the edits. X_change is the value with the edits minus the value
 * without them; for a rank or an order it is the places gained (negative: lost). Both are derived
 * from the view's own table, so every column added there gets them. Their getters read the same
 * contexts and find the base there (changes, and what_if of a policy). Without a base, and for a
 * new row, all are unknown. Rows that vanished are not listed.
 */
#ifndef FAIRTOP_CORE_WHATIF_CHANGES_COLUMNS_H
#define FAIRTOP_CORE_WHATIF_CHANGES_COLUMNS_H

#include "core/base/column.h"

struct changes_columns {
	struct column *columns;		/* the view's columns, then the derived ones */
	size_t own, count;		/* OWN: without the derived columns */
	const struct column *gain;	/* shows who gains and who loses most */
	const struct changes_view *view;	/* how the view reads the base */
	struct changes_names *names;	/* owned names of the derived columns */
};

/*
 * Returns the columns of VIEW (only its name and table are read), EXTRA (one more, or NULL), and
 * the derived ones; with SETS also those for other sets of edits. NULL: the view has no changes.
 */
struct changes_columns *changes_columns_new(const struct view *view, const struct column *extra,
					    bool sets);
void changes_columns_free(struct changes_columns *c);	/* NULL is fine */

/* Puts base_X before X and X_change behind it; this moves the columns. */
void changes_columns_join(struct changes_columns *c);

/*
 * The earlier value of cell NOW of the view: in the base, if its context has one, or at BEFORE, the
 * same cell of an earlier picture. False if there was none.
 */
bool changes_was(const struct changes_columns *c, const struct position *now,
		 const struct position *before, struct value *out);

/*
 * IS minus WAS, or the places gained. Integers stay integers; yes and no count as 1 and 0. Unknown
 * if either is not a number. Two infinities do not differ.
 */
void changes_by(const struct column *column, const struct value *was, const struct value *is,
		struct value *out);

/* The index of the other set that a column belongs to, from 0; a large number for other columns. */
size_t changes_set(const struct column *column);

#endif
