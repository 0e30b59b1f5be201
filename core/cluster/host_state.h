/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_state: may the scheduler start a job on a host in this state?
 *
 * States are the scheduler's own words: "IDLE+DRAIN", "DOWN*" (scontrol show node), "free",
 * "offline,down" (pbsnodes), "closed_Adm" (bhosts -w). Sources: slurm.h, node_states; OpenPBS,
 * set_node_info_state() and is_vnode_eligible() of node_info.cpp, which takes vnodes that are free
 * and no others; bhosts(1) of LSF.
 */
#ifndef FAIRTOP_CORE_CLUSTER_HOST_STATE_H
#define FAIRTOP_CORE_CLUSTER_HOST_STATE_H

#include "core/cluster/cluster.h"

/*
 * Hosts that are kept for a reservation or for maintenance are not usable: jobs outside may not
 * have them. Nor are vnodes of PBS whose state is unknown; of the others those without a state
 * are, for which LSF has host_told().
 */
bool host_usable(const struct cluster *c, uint32_t host);

/* PBS: is a state told, in words that tell whether it is usable? True of the others. */
bool host_known(const struct cluster *c, uint32_t host);

/*
 * LSF: did bhosts tell of it, and the slots in use where these are limited? Else it is a name that
 * lsb.hosts or a queue mentions, which may be a group of hosts.
 */
bool host_told(const struct cluster *c, uint32_t host);

/*
 * PBS: is the vnode, the queue at row QUEUE, which may be ROW_NONE, another scheduler's than the
 * one that is shown (sched_view.h)? Then that one sees neither it nor its jobs. The default one has
 * what is in no partition, each other one what is in its own. Source: node_in_partition() of
 * node_info.cpp, queue_in_partition() of queue_info.cpp.
 */
bool host_elsewhere(const struct cluster *c, uint32_t host);
bool queue_elsewhere(const struct cluster *c, uint32_t queue);

/* The hosts of a cluster: of LSF those of which bhosts told a state, if it told any. */
bool host_counts(const struct cluster *c, uint32_t host);

/* How many of these are usable; of how many nobody can tell (PBS). */
uint32_t hosts_usable(const struct cluster *c);
uint32_t hosts_unknown(const struct cluster *c);

#endif
