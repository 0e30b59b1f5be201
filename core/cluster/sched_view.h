/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_view: which of PBS's schedulers a cluster shows, and the cluster as another one sees it.
 *
 * Each scheduler has partitions, a policy and a fair-share tree of its own. A picture has the
 * policy and the tree of one: the default scheduler, unless SCHED.shown names another. Numbers are
 * rows of SCHED; SCHED_DEFAULT is the default scheduler, which may have no row; SCHED_NOBODY is an
 * unknown one.
 */
#ifndef FAIRTOP_CORE_CLUSTER_SCHED_VIEW_H
#define FAIRTOP_CORE_CLUSTER_SCHED_VIEW_H

#include "core/cluster/cluster.h"

#define SCHED_DEFAULT ROW_NONE
#define SCHED_NOBODY (ROW_NONE - 1)

uint32_t sched_shown(const struct cluster *c);
const char *sched_name(const struct cluster *c, uint32_t sched);
uint32_t sched_row(const struct cluster *c, uint32_t sched);	/* also of SCHED_DEFAULT */

/*
 * Returns the scheduler of a partition. PARTITION NULL, "" or "pbs-default" is the default
 * scheduler's (vnodes and queues in no partition).
 */
uint32_t sched_of_partition(const struct cluster *c, const char *partition);

/* The scheduler NAME; if unknown SCHED_NOBODY and ERR_INPUT, with the names that exist. */
uint32_t sched_by_name(const struct cluster *c, const char *name, struct err *err);

/*
 * Returns C as SCHED sees it, which must not be the one shown; C is freed with the result. Its
 * policy has what qmgr reports; what sched_config sets was not read, and no job has a place in its
 * fair-share tree.
 */
struct cluster *sched_view_over(struct cluster *c, uint32_t sched);

/* Number of jobs pending for SCHED. */
uint32_t sched_waiting(const struct cluster *c, uint32_t sched);

#endif
