/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff: what has changed between two pictures of a cluster.
 *
 * Rows are matched by the paths of the associations. What has no size (texts, what came or went)
 * stands first; then the largest change, as a part of the whole: of all usage, of all ranks, of
 * F = 1, of the raw shares or the parameter itself.
 */
#ifndef FAIRTOP_CORE_SHARE_DIFF_H
#define FAIRTOP_CORE_SHARE_DIFF_H

#include "core/share/model.h"
#include "core/share/past.h"

/* What a diff looks at; of the policy everything, too. */
#define DIFF_NEEDS (NEED_SHARES | NEED_LIMITS | NEED_POLICY)

struct diff_row {
	uint32_t object, column;	/* texts */
	struct past_value before, after;
	double difference;		/* NaN: none */
	double size;			/* of the change, of the whole; else infinite */
	uint32_t number;		/* as found: for what is of one size */
};

struct diff {
	struct text *texts;
	struct diff_row *rows;		/* in the order of their size */
	size_t count, capacity;
};

/* Keeps nothing of the models. */
struct diff *diff_new(const struct model *before, const struct model *after);
void diff_free(struct diff *d);		/* NULL is fine */

extern const struct column diff_columns[];
extern const size_t diff_columns_count;
struct view diff_view(const struct diff *d);

#endif
