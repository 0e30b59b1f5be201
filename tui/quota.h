/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quota: how full the group limits of an association are.
 */
#ifndef FAIRTOP_TUI_QUOTA_H
#define FAIRTOP_TUI_QUOTA_H

#include "core/cluster.h"

struct quota {
	char name[160];		/* the scheduler's word: "GrpTRES cpu", "GrpJobs" */
	double used,
		limit; /* in the unit of the limit (minutes where it says so); used may be NaN */
};

/*
 * Calls EACH for every limit that is set on the association itself, with what is used of it.
 * Limits for each job (Max...) have used NaN.
 */
typedef void quota_each(void *context, const struct quota *quota);
void quota_list(const struct cluster *c, uint32_t assoc, quota_each *each, void *context);

/* The fullest of them as used / limit; NaN if nothing is limited or nobody knows. */
double quota_fullest(const struct cluster *c, uint32_t assoc);

#endif
