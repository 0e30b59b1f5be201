/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_state: may the scheduler start a job on a host in this state?
 *
 * States are the scheduler's own words: "IDLE+DRAIN", "DOWN*" (scontrol show node), "free",
 * "offline,down" (pbsnodes), "closed_Adm" (bhosts -w). Sources: slurm.h, node_states; OpenPBS,
 * set_node_info_state() and is_vnode_eligible() of node_info.cpp, which uses free vnodes only;
 * bhosts(1) of LSF.
 */
#ifndef FAIRTOP_CORE_CLUSTER_HOST_STATE_H
#define FAIRTOP_CORE_CLUSTER_HOST_STATE_H

#include "core/cluster/cluster.h"

/*
 * Hosts kept for a reservation or for maintenance are not usable: other jobs cannot use them. An
 * unknown state means not usable for PBS, usable for the others; for LSF see host_reported().
 */
bool host_usable(const struct cluster *c, uint32_t host);

/* PBS: is a state reported, in words that say whether it is usable? Always true of the others. */
bool host_known(const struct cluster *c, uint32_t host);

/*
 * LSF: did bhosts report the host, and its slots in use where these are limited? If not, it is only
 * a name from lsb.hosts or a queue, possibly of a group of hosts.
 */
bool host_reported(const struct cluster *c, uint32_t host);

/*
 * PBS: does the vnode (the queue at row QUEUE, or ROW_NONE) belong to another scheduler than the
 * one shown (sched_view.h)? That one then sees neither it nor its jobs. The default scheduler has
 * what is in no partition, the others what is in their own. Source: node_in_partition() of
 * node_info.cpp, queue_in_partition() of queue_info.cpp.
 */
bool host_elsewhere(const struct cluster *c, uint32_t host);
bool queue_elsewhere(const struct cluster *c, uint32_t queue);

/* Does the host count as one? In LSF only with a state from bhosts, if any host has one. */
bool host_counts(const struct cluster *c, uint32_t host);

/* Number of these that are usable; number of those with unknown usability (PBS). */
uint32_t hosts_usable(const struct cluster *c);
uint32_t hosts_unknown(const struct cluster *c);

#endif
