/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * last_pass: when slurmctld last recomputed usage and priorities, from the jobs of a builder.
 * The arithmetic is core/lastpass.h's.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_LAST_PASS_H
#define FAIRTOP_ADAPTERS_SLURM_LAST_PASS_H

#include "core/cluster/cluster.h"

/*
 * Start of the last decay pass from the jobs, priority terms and policy in B, Unix time;
 * I64_UNKNOWN if they do not tell. EXACT: the terms are doubles as slurmctld holds them; else
 * they were printed, whole numbers rounded.
 */
int64_t slurm_last_pass(struct builder *b, bool exact);

/* Usages as last read, to see a pass go by where no job tells of it. All zero: nothing read yet. */
struct pass_watch {
	uint32_t *ids;			/* owned */
	double *usages;			/* owned */
	size_t count;
	double quantum;			/* their last digit: others cannot be compared with them */
	int64_t taken;			/* when they were read */
	int64_t seen;			/* a pass began in the time up to then; 0: none was seen */
};

/*
 * Remembers the usages in B, whose last digit is QUANTUM, read at NOW. A pass that went by since
 * the last call is noted in B. The time of the last that was seen, as long as the next cannot have
 * been missed; else I64_UNKNOWN.
 */
int64_t pass_watch_look(struct pass_watch *w, struct builder *b, double quantum, int64_t now);
void pass_watch_free(struct pass_watch *w);	/* what it holds, not itself */

#endif
