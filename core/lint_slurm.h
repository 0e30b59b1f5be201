/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lint_slurm: what is wrong, or surprises, in how a Slurm decides who is next.
 *
 *	S1  a weight too small for the resolution of its factor
 *	S2  a factor that can never matter, or that always wins
 *	S3  age reaches 1 before jobs typically start
 *	S4  the weights add up to more than 2^32 - 1
 *	S5  half-life against the longest job and the pass period
 *	S6  half-life 0 without a reset period
 *	S7  a word of PriorityFlags that no version knows
 *	S8  a parameter that no version knows (from the text of slurm.conf)
 *	S9  flags that switch each other off
 *	S10 no accounting database, or no multifactor plugin
 *	S11 usage, but no shares
 *	S12 parent below parent
 *	S13 users without shares
 *	S14 damping that has no effect, or makes all alike
 *	S15 a QOS whose jobs are not charged
 *	S16 TRES weights that bill nothing
 *	S17 one account dominates
 *	S18 a parameter that is given twice (from the text)
 *
 * slurmctld itself returns flags as bits, without the words it did not know: S7, S8 and S18 need
 * the text. Sources of the rules: slurm.conf(5), "Multifactor Priority Plugin", "Fair Tree" and
 * "Depth-Oblivious Fair-share Factor" of Slurm's documents.
 */
#ifndef FAIRTOP_CORE_LINT_SLURM_H
#define FAIRTOP_CORE_LINT_SLURM_H

#include "core/jobs.h"
#include "core/lint.h"

/* JOBS may be NULL: what is told by waiting jobs is then not checked. */
void lint_slurm(const struct model *model, const struct jobs *jobs, struct lint *l);

/* One global parameter of slurm.conf as it is written. */
struct lint_conf {
	struct lint *lint;
	struct lint_seen {
		char key[64], value[512], file[256];
		uint32_t line;
	} *seen;			/* owned */
	size_t count, capacity;
};

void lint_conf_init(struct lint_conf *c, struct lint *l);
void lint_conf_pair(struct lint_conf *c, const char *file, uint32_t line, const char *key,
		    const char *value);
void lint_conf_end(struct lint_conf *c);	/* the checks that need all of it; frees */

#endif
