/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy_queues: the parameters of LSF's queues that bear on order and shares, as lsb.queues has
 * them, for the policy view.
 */
#ifndef FAIRTOP_CORE_SHARE_POLICY_QUEUES_H
#define FAIRTOP_CORE_SHARE_POLICY_QUEUES_H

#include "core/cluster/cluster.h"

/* Texts are borrowed from the cluster. */
struct policy_queue_row {
	const char *queue, *name, *value, *meaning;
};

/* Fills OUT with row N, if there is one. Returns how many rows there are. */
uint32_t policy_queue_find(const struct cluster *c, uint32_t n, struct policy_queue_row *out);

#endif
