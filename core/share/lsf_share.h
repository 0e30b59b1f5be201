/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lsf_share: LSF's user fair share of queues (FAIRSHARE = USER_SHARES[...]).
 *
 *	load     = CPU_TIME/3600 * CPU_TIME_FACTOR + RUN_TIME/3600 * RUN_TIME_FACTOR
 *		   + (1 + STARTED + RESERVED) * RUN_JOB_FACTOR
 *		   + ADJUST * FAIRSHARE_ADJUSTMENT_FACTOR
 *	PRIORITY = SHARES / load		the "dynamic priority"
 *
 * with the columns of bqueues -l (-r for whole trees); times in seconds there. A factor is the
 * queue's if set, else that of lsb.params. Shares count among siblings only, and nothing is
 * multiplied down the tree: the next account is found by walking from the queue down, at each level
 * to the largest PRIORITY. Below a queue's account are groups and users; the leaves (a user, a
 * group without shares inside, "others") are charged.
 *
 * Sources: "Fairshare scheduling, dynamic user priority" and "bqueues" of the IBM documentation of
 * LSF 10.1; volclava 2.2, daemons/mbd.fairshare.c, calcDynamicPriority(). volclava raises a load
 * below 0.01 to 0.01, and if a queue sets RUN_JOB_FACTOR, it multiplies slots by the queue's
 * RUN_TIME_FACTOR (-1 if not set) instead: fairtop does both for volclava only. IBM's documents
 * name no least load; with a load of 0 or less there is no priority. If all factors are 0 the
 * priority is static: most shares first, whatever was used ("Priority user and static priority
 * fairshare" there), as if the load were 1. IBM's formula also has terms with
 * COMMITTED_RUN_TIME_FACTOR, GPU_RUN_TIME_FACTOR and FWD_JOB_FACTOR, whose inputs are not printed,
 * or not by every version; if one is set, the load is unknown. CPU time decays to a tenth in
 * HIST_HOURS; in volclava in steps of 900 s, the first of which only turns it into history
 * (updAllSAcctForDecay()).
 */
#ifndef FAIRTOP_CORE_SHARE_LSF_SHARE_H
#define FAIRTOP_CORE_SHARE_LSF_SHARE_H

#include "core/share/fairshare.h"

/* The algorithm's own arrays in struct fs_result. */
enum lsf_own {
	LSF_OWN_PRIORITY, LSF_OWN_STARTED, LSF_OWN_CPU_TIME, LSF_OWN_RUN_TIME,
	LSF_OWN_QUEUE		/* PRIORITY of the queue that the row is in */
};

struct lsf_factors {
	double cpu, run, job, adjust;	/* NaN: unknown */
	bool slipped;			/* job has volclava's slip (see above) */
	double least;			/* least load; NaN: there is none */
	bool unsure;			/* the version, and so least, is unknown */
	const char *missing;		/* factor, perhaps not 0, of a term not computed; NULL */
};

/* Account of a job that no account of its fair-share queue is charged for: it comes last. */
#define LSF_NO_SHARES "(no shares)"

/* What an account has used; NaN unknown. */
struct lsf_use {
	double slots, cpu, run, adjust;
};

/* Is it volclava, whose slips are reproduced? */
bool lsf_is_volclava(const struct cluster *c);

/*
 * The CPUs that limits "per CPU" count, or U32_UNKNOWN. For hosts with MXJ volclava counts slots
 * instead (mbd.init.c, mbd.host.c: "users know how many job slots they have").
 */
uint32_t lsf_host_cpus(const struct cluster *c, uint32_t host);

/* The row of QUEUE of the fair-share queue that contains ASSOC; ROW_NONE. */
uint32_t lsf_queue_of(const struct cluster *c, uint32_t assoc);

/*
 * Is ASSOC a group without shares inside, or "others", in volclava? A session skips it once the
 * last job of one of its users was elected there (rmJobFromFSJobSet() of mbd.fairshare.c marks the
 * group, not the user): jobs of its other users come after all that the walk elects.
 */
bool lsf_is_passed_over(const struct cluster *c, uint32_t assoc);

/* The value if ITEM of F_QUEUE_PARAMETERS, LINE:NAME=value, is of NAME; else NULL. */
const char *lsf_param_value(const char *item, const char *name);
/* A parameter of a queue as in lsb.queues; NULL if it is not set. */
const char *lsf_queue_param(const struct cluster *c, uint32_t queue, const char *name);
/* Is it set for the queue, with unknown value? LINE:NAME in F_QUEUE_PARAMETERS, no value. */
bool lsf_queue_unreported(const struct cluster *c, uint32_t queue, const char *name);

/* HIST_HOURS of a queue, or of lsb.params; NaN unknown. */
double lsf_hist_hours(const struct cluster *c, const struct policy *policy, uint32_t queue);

struct lsf_factors lsf_factors_of(const struct cluster *c, const struct policy *policy,
				  uint32_t queue);
/* Static priority: is every factor known to be 0? Then usage does not count. */
bool lsf_is_static(const struct lsf_factors *f);
struct lsf_use lsf_use_of(const struct cluster *c, uint32_t assoc);

double lsf_load(const struct lsf_factors *f, const struct lsf_use *use);	/* NaN unknown */
double lsf_priority(const struct lsf_factors *f, double shares, const struct lsf_use *use);

/*
 * Returns -1 if A comes first, 1 if B does, 0 if they are equal or one is above the other. Sets *X
 * and *Y to the siblings that decide, or to the root's row 0 if there are none.
 */
int lsf_compare_paths(const struct fs_tree *t, const struct fs_result *r, uint32_t a, uint32_t b,
		      uint32_t *x, uint32_t *y);

#endif
