/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assoc_index: which association a job is charged to.
 *
 * By the association id the source tells; where it tells none (texts of commands, imported logs),
 * by account, user and partition, and then by account and user alone.
 */
#ifndef FAIRTOP_CORE_CLUSTER_ASSOC_INDEX_H
#define FAIRTOP_CORE_CLUSTER_ASSOC_INDEX_H

#include "core/cluster/cluster.h"
#include "core/cluster/idmap.h"

/* Freed with assoc_index_free(). */
struct assoc_index {
	const struct cluster *c;	/* borrowed */
	struct idmap ids, names;	/* rows by number, and by a hash of the names */
};

struct assoc_index assoc_index_new(const struct cluster *c);
void assoc_index_free(struct assoc_index *x);

/* Row of the association, ROW_NONE if there is none. */
uint32_t assoc_of_id(const struct assoc_index *x, uint32_t id);
uint32_t assoc_of_job(const struct assoc_index *x, uint32_t job);

#endif
