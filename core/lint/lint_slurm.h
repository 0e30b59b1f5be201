/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lint_slurm: what is wrong, or surprises, in how a Slurm decides who is next: the checks S1 to S19
 * of the table of rules.
 *
 * slurmctld itself returns flags as bits, without the words it did not know: S7, S8 and S18 need
 * the text. Sources of the rules: slurm.conf(5), "Multifactor Priority Plugin", "Fair Tree" and
 * "Depth-Oblivious Fair-share Factor" of Slurm's documents.
 */
#ifndef FAIRTOP_CORE_LINT_LINT_SLURM_H
#define FAIRTOP_CORE_LINT_LINT_SLURM_H

#include "core/queue/jobs.h"
#include "core/lint/lint.h"

/* JOBS may be NULL: what only waiting jobs can tell is then not checked. */
void lint_slurm(const struct model *model, const struct jobs *jobs, struct lint *l);

/* Parameters of slurm.conf as they are written, global ones or those of a PARTITION. */
struct lint_conf {
	struct lint *lint;
	struct lint_seen {
		char key[64], value[512], file[256];
		uint32_t line;
	} *seen;			/* owned */
	size_t count, capacity;
};

void lint_conf_init(struct lint_conf *c, struct lint *l);
void lint_conf_pair(struct lint_conf *c, const char *file, uint32_t line, bool partition,
		    const char *key, const char *value);

/*
 * The checks that need all of it, and the place of each parameter for what lint_slurm() has found
 * about it before; frees.
 */
void lint_conf_end(struct lint_conf *c);

#endif
