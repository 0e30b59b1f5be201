/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs: a live PBS by its client commands ("pbs": the local one, "pbs:@HOST": that server), or saved
 * outputs of them ("pbs:DIR", "pbs:FILE"; pbs_text.h). ",sched=NAME" behind it selects a scheduler:
 * its policy, its tree, its partitions.
 *
 * qstat, pbsnodes and qmgr are run in parallel, each within the deadline, and only in forms that
 * read. What only root may see (the fair-share tree) is read from sched_priv and pbsfs if that is
 * allowed; else it is unknown, and a note names the missing right.
 */
#ifndef FAIRTOP_ADAPTERS_PBS_PBS_H
#define FAIRTOP_ADAPTERS_PBS_PBS_H

#include "adapters/adapter.h"

extern const struct source_ops pbs_source;

/* Are there saved outputs at PATH or PATH,sched=NAME? */
bool pbs_is_saved(const char *spec);

#endif
