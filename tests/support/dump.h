/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump: a recording of a live slurmctld, taken through libslurm, as a cluster.
 *
 * NAME is "depthobl/quiet" and the like, a directory of tests/data/captures. Ratios are doubles at
 * full precision; raw usage has six decimals. The recordings hold only what the tests read.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_DUMP_H
#define FAIRTOP_TESTS_SUPPORT_DUMP_H

#include "core/cluster/cluster.h"

struct cluster *dump_cluster(const char *name);
struct builder *dump_builder(const char *name);	/* the same before it is sealed */

extern const char *const dump_names[];
extern const size_t dump_count;

#endif
