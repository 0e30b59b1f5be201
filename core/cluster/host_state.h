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
 * True for a host whose state is unknown. Hosts that are kept for a reservation or for maintenance
 * are not usable: jobs outside may not have them.
 */
bool host_usable(const struct cluster *c, uint32_t host);

/*
 * LSF: did bhosts tell of it, and the slots in use where these are limited? Else it is a name that
 * lsb.hosts or a queue mentions, which may be a group of hosts.
 */
bool host_told(const struct cluster *c, uint32_t host);

/* How many of the hosts are. */
uint32_t hosts_usable(const struct cluster *c);

#endif
