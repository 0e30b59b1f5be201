/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes_columns: what a what-if changes, as columns beside those of each view; and what a cell
 * was, in its base or before a refresh.
 *
 * base_X is what X is without the edits, X_change the value with them less the value without them
 * or, of a rank or an order, the places gained (negative ones are lost). They follow from the
 * view's own table: a column added there has both. Their getters read the same contexts and ask
 * those what they are compared with (changes, and what_if of a policy); without that, and where a
 * row is new, everything is unknown. A row that vanished is no row.
 */
#ifndef FAIRTOP_CORE_WHATIF_CHANGES_COLUMNS_H
#define FAIRTOP_CORE_WHATIF_CHANGES_COLUMNS_H

#include "core/base/column.h"

struct changes_columns {
	struct column *columns;		/* those of the view, then those beside them */
	size_t own, count;		/* OWN: without those beside them */
	const struct column *gain;	/* the one that tells who gains and who loses most */
	const struct changes_view *view;	/* what it knows of the base */
	struct changes_names *names;	/* what the others are called */
};

/*
 * The columns of VIEW, of which nothing but name and table is read, EXTRA (one more, or NULL), and
 * those beside them; SETS: those of other sets of edits, too. NULL: the view has no changes.
 */
struct changes_columns *changes_columns_new(const struct view *view, const struct column *extra,
					    bool sets);
void changes_columns_free(struct changes_columns *c);	/* NULL is fine */

/* Puts them where they belong, what was before a column, what changes behind it; moves them. */
void changes_columns_join(struct changes_columns *c);

/*
 * What cell NOW of the view was: in the base, by what its context knows, or at BEFORE, the same
 * cell of an earlier picture. False: there was none.
 */
bool changes_was(const struct changes_columns *c, const struct spot *now,
		 const struct spot *before, struct value *out);

/*
 * What IS less what WAS, or the places gained: integers stay integers, yes and no count as 1 and 0;
 * unknown where one of them is no number. Two infinities do not differ.
 */
void changes_by(const struct column *column, const struct value *was, const struct value *is,
		struct value *out);

/* Which of the other sets a column tells of, from 0 on; a large number for all others. */
size_t changes_set(const struct column *column);

#endif
