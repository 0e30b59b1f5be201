/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quota: how far the limits of an association or of a QOS are used up. */
#ifndef FAIRTOP_CORE_SHARE_QUOTA_H
#define FAIRTOP_CORE_SHARE_QUOTA_H

#include "core/cluster/cluster.h"

struct quota {
	char name[160];		/* the scheduler's name: "GrpTRES cpu", "GrpJobs" */
	uint32_t tres;		/* row of the limited TRES, ROW_NONE: jobs or time */
	double used,
		limit; /* in the unit of the limit (minutes if its name says so); used may be NaN */
};

/*
 * Calls EACH for every limit set on the association itself, with the amount used. For limits per
 * job (Max...) used is NaN.
 */
typedef void quota_each(void *context, const struct quota *quota);
void quota_list(const struct cluster *c, uint32_t assoc, quota_each *each, void *context);

/* The same for a QOS. For limits per job, user or account (MaxTRESPerUser ...) used is NaN. */
void quota_qos_list(const struct cluster *c, uint32_t qos, quota_each *each, void *context);

/* Names of the QOS limits that the source does not report, comma-separated; "" for none. */
void quota_qos_unreported(const struct cluster *c, uint32_t qos, char *buf, size_t size);

/* The highest used / limit of an association; NaN if there are no limits, or if unknown. */
double quota_fullest(const struct cluster *c, uint32_t assoc);

#endif
