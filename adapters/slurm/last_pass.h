/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * last_pass: when slurmctld last computed usage and priorities, from the jobs of a builder. The
 * arithmetic is in core/cluster/lastpass.h.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_LAST_PASS_H
#define FAIRTOP_ADAPTERS_SLURM_LAST_PASS_H

#include "core/cluster/cluster.h"

/*
 * Returns the start of the last decay pass from the jobs, priority terms and policy in B, Unix
 * time; I64_UNKNOWN if it cannot be found. EXACT: the terms are slurmctld's doubles; else printed,
 * rounded to whole numbers.
 */
int64_t slurm_last_pass(struct builder *b, bool exact);

/* Usages last read, to notice a pass that no job shows. All zero: nothing read yet. */
struct pass_watch {
	uint32_t *ids;			/* owned */
	double *usages;			/* owned */
	size_t count;
	double quantum;			/* their last digit; only equal quanta are compared */
	int64_t taken;			/* when they were read */
	int64_t seen;			/* a pass began shortly before this; 0: none was seen */
};

/*
 * Remembers the usages in B, whose last digit is QUANTUM, read at NOW, and notes in B a pass since
 * the last call. Returns the time of the last pass seen, or I64_UNKNOWN if a later one may have
 * been missed.
 */
int64_t pass_watch_look(struct pass_watch *w, struct builder *b, double quantum, int64_t now);
void pass_watch_free(struct pass_watch *w);	/* what it holds, not itself */

#endif
