/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quota: how full the limits of an association or of a QOS are.
 */
#ifndef FAIRTOP_CORE_SHARE_QUOTA_H
#define FAIRTOP_CORE_SHARE_QUOTA_H

#include "core/cluster/cluster.h"

struct quota {
	char name[160];		/* the scheduler's word: "GrpTRES cpu", "GrpJobs" */
	uint32_t tres;		/* row of the TRES that is limited, ROW_NONE: jobs or time */
	double used,
		limit; /* in the unit of the limit (minutes where it says so); used may be NaN */
};

/*
 * Calls EACH for every limit that is set on the association itself, with what is used of it.
 * Limits for each job (Max...) have used NaN.
 */
typedef void quota_each(void *context, const struct quota *quota);
void quota_list(const struct cluster *c, uint32_t assoc, quota_each *each, void *context);

/*
 * The same for a QOS. Limits for each job, user or account (MaxTRESPerUser ...) have used NaN.
 */
void quota_qos_list(const struct cluster *c, uint32_t qos, quota_each *each, void *context);

/* Names of the limits of a QOS that the source does not tell, separated by commas; "" for none. */
void quota_qos_untold(const struct cluster *c, uint32_t qos, char *buf, size_t size);

/* The fullest of an association's as used / limit; NaN if nothing is limited or nobody knows. */
double quota_fullest(const struct cluster *c, uint32_t assoc);

#endif
