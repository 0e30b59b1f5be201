/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compared: what a what-if changes, as columns beside those of each view.
 *
 * base_X is what X is without the edits, X_change the value with them less the value without them
 * or, of a rank or an order, the places gained (negative ones are lost). Their getters read the
 * same contexts as the views' own and ask those what they are compared with (versus, and what_if of
 * a policy); without that, and where a row is new, everything is unknown. A row that vanished is no
 * row.
 */
#ifndef FAIRTOP_CORE_WHATIF_COMPARED_H
#define FAIRTOP_CORE_WHATIF_COMPARED_H

#include "core/base/column.h"

enum compared_kind { COMPARED_BASE, COMPARED_CHANGE, COMPARED_RANK };

struct compared {
	struct column column;
	enum compared_kind kind;
	const char *of;			/* the column of the view that it stands beside */
};

struct compared_table {
	const char *view;		/* its name, as in struct view */
	const struct compared *columns;
	size_t count;
	const char *gain;		/* the column that tells who gains and who loses most */
};

#define COMPARED_TABLES 5
extern const struct compared_table *const compared_tables[COMPARED_TABLES];

/* NULL: the rows of this view are not compared. */
const struct compared_table *compared_find(const char *view);

/*
 * The columns of VIEW with those that compare beside theirs: what was before, what changes behind.
 * One array, the caller's; NULL where compared_find() is.
 */
struct column *compared_join(const struct view *view, size_t *count);

/*
 * What IS less what WAS: integers stay integers, yes and no count as 1 and 0; unknown where one of
 * them is no number. Two infinities do not differ.
 */
void compared_difference(const struct value *was, const struct value *is, struct value *out);

#endif
