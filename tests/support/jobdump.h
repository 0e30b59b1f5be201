/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobdump: a recording of a live slurmctld with all inputs of its job priorities.
 *
 * dump_cluster() has what the fair-share engine reads; this adds partitions, QOS, nodes, weights,
 * the jobs' own facts and the terms that slurmctld reported, all at full precision.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_JOBDUMP_H
#define FAIRTOP_TESTS_SUPPORT_JOBDUMP_H

#include "core/cluster/cluster.h"

struct cluster *jobdump_cluster(const char *name);

#endif
