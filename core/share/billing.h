/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * billing: billable TRES of a job, which is the usage charged per second.
 *
 * With v = count * weight of each TRES but "billing" itself:
 *	sum		sum of all v
 *	MAX_TRES	max(0, v of cpu, mem, node and every gres) + sum of the rest
 *	MAX_TRES_GRES	max(0, v of cpu, mem, node) + sum of gres + sum of the rest
 * Source: assoc_mgr_tres_weighted() of Slurm; the third mode is new in 25.05.
 */
#ifndef FAIRTOP_CORE_SHARE_BILLING_H
#define FAIRTOP_CORE_SHARE_BILLING_H

#include <stdint.h>

#include "core/cluster/cluster.h"
#include "core/cluster/tres.h"

enum billing_mode { BILLING_SUM, BILLING_MAX_TRES, BILLING_MAX_TRES_GRES };

/* Returns the mode set by PriorityFlags (enum policy_flag); MAX_TRES_GRES wins over MAX_TRES. */
enum billing_mode billing_mode_of(uint32_t flags);

/*
 * Returns the billable TRES. COUNTS: N allocated TRES (memory in MiB). WEIGHTS: M entries as
 * tres_parse_weights() gives them; if a TRES repeats, the last counts. WEIGHTS == NULL: the
 * partition has none; returns the number of CPUs (NaN if COUNTS has no "cpu").
 */
double billing_of(const struct tres_pair *counts, uint32_t n,
		  const struct tres_pair *weights, uint32_t m, enum billing_mode mode);

/* TRESBillingWeights of a partition, read once for many jobs. */
#define BILLING_WEIGHTS_MAX 64
struct billing_weights {
	struct tres_pair pairs[BILLING_WEIGHTS_MAX];
	uint32_t count;
	bool any;		/* weights are set, even if empty */
};

/* TEXT as written, NULL or "": none; items after an invalid one are ignored. */
void billing_read(struct billing_weights *w, const char *text);

/* Billable TRES of LIST of C, a job's own amounts: billing_of() with its first 64 TRES. */
double billing_of_list(const struct billing_weights *w, const struct cluster *c,
		       struct tres_list list, enum billing_mode mode);

/* Returns what JOB has allocated, else what it requests. */
struct tres_list billing_tres(const struct cluster *c, uint32_t job);

/*
 * Billable TRES of JOB: as reported, else by the weights of PARTITION (a row, or ROW_NONE), else
 * its CPUs; NaN if unknown.
 */
double billing_of_job(const struct cluster *c, uint32_t job, uint32_t partition,
		      enum billing_mode mode);

#endif
