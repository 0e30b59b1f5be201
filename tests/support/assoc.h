/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assoc: adds associations one by one, for trees of a few rows.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_ASSOC_H
#define FAIRTOP_TESTS_SUPPORT_ASSOC_H

#include "core/cluster/cluster.h"

/*
 * Adds an association and returns its row. PARENT is an id, 0 for the root; USER is NULL for an
 * account; a USAGE of NaN stays unknown.
 */
uint32_t assoc_add(struct builder *b, uint32_t id, uint32_t parent, const char *account,
		   const char *user, uint32_t shares, double usage);

#endif
