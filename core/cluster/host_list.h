/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_list: names of nodes in the scheduler's notation.
 *
 *	c001
 *	c[001-004,007]
 *	c[001-002],g001
 *
 * Source: slurm.conf(5), NodeName; scontrol show hostlist.
 */
#ifndef FAIRTOP_CORE_CLUSTER_HOST_LIST_H
#define FAIRTOP_CORE_CLUSTER_HOST_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/bytes.h"

/*
 * Appends COUNT names in their order. Neighbours that differ only in a number at the end, with the
 * same count of digits, share a bracket; consecutive numbers become a range.
 */
void host_list_write(const char *const *names, uint32_t count, struct bytes *out);

/* Is NAME in LIST? */
bool host_list_has(const char *list, const char *name);

#endif
