/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lint_conf: what is wrong in the text of slurm.conf. slurmctld itself returns flags as bits,
 * without the words it did not know, and the last of two lines: S7, S8 and S18 need the text.
 * Source of the rules: slurm.conf(5).
 */
#ifndef FAIRTOP_CORE_LINT_LINT_CONF_H
#define FAIRTOP_CORE_LINT_LINT_CONF_H

#include "core/cluster/policy.h"
#include "core/lint/lint.h"

#define LINT_CONF "slurm.conf(5), "	/* as a source, followed by the parameter */

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

/* ---- shared with the checks of the policy ---------------------------------------------------- */

/* About the parameter NAME of slurm.conf. */
struct lint_item *lint_about_param(struct lint *l, enum lint_severity severity, const char *code,
				   const char *name);

/* Suggests the words of FLAGS (PF_) as PriorityFlags. */
void lint_suggest_flags(struct lint_item *item, uint32_t flags);

/* The words that P has, with the nearest that exist in place of those that do not. */
void lint_mend_flags(struct lint_item *item, const struct policy *p);

#endif
