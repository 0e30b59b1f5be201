/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs: a live PBS ("pbs" this machine's, "pbs:@HOST" that server's) by its client commands, or
 * saved outputs of them ("pbs:DIR", "pbs:FILE"; text.h). With ",sched=NAME" behind it, as that
 * scheduler sees it: its policy, its tree, its partitions.
 *
 * qstat, pbsnodes and qmgr are run in parallel, each within the deadline, and only in forms that
 * read. What only root may see (the fair-share tree) is read from sched_priv and pbsfs where that
 * is allowed; else it is unknown, and a note says whose right is missing.
 */
#ifndef FAIRTOP_ADAPTERS_PBS_PBS_H
#define FAIRTOP_ADAPTERS_PBS_PBS_H

#include "adapters/adapter.h"

extern const struct source_ops pbs_source;

/* Is there something saved at PATH or PATH,sched=NAME? */
bool pbs_is_saved(const char *spec);

#endif
