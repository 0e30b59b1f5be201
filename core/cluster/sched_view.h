/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_view: which of PBS's schedulers a cluster shows, and the same cluster as another one of
 * them sees it.
 *
 * Each has partitions, a policy and a fair-share tree of its own. A picture has the policy and the
 * tree of one, the default scheduler unless SCHED.shown names another. Numbers are rows of SCHED;
 * SCHED_DEFAULT is the default scheduler, which may have no row, SCHED_NOBODY one that is not told.
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
 * Whose a partition is: PARTITION NULL, "" or "pbs-default" is the default scheduler's (a vnode is
 * in none then, or a queue).
 */
uint32_t sched_of_partition(const struct cluster *c, const char *partition);

/* The scheduler NAME; SCHED_NOBODY and ERR_INPUT with those that there are. */
uint32_t sched_by_name(const struct cluster *c, const char *name, struct err *err);

/*
 * C as SCHED sees it, which is not the one that is shown; C is freed with it. Of its policy what
 * qmgr tells is known; what sched_config sets was not read, and no job has a place in its
 * fair-share tree.
 */
struct cluster *sched_view_over(struct cluster *c, uint32_t sched);

/* How many jobs wait for SCHED. */
uint32_t sched_waiting(const struct cluster *c, uint32_t sched);

#endif
