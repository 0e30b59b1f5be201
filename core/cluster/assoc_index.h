/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assoc_index: which association a job is charged to.
 *
 * Looks up by the association id that the source reports; without one (texts of commands, imported
 * logs) by account, user and partition, then by account and user only.
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

/* Returns the row of the association, ROW_NONE if there is none. */
uint32_t assoc_of_id(const struct assoc_index *x, uint32_t id);
uint32_t assoc_of_job(const struct assoc_index *x, uint32_t job);

#endif
