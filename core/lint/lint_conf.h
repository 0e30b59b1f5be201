/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lint_conf: what is wrong in the text of slurm.conf. slurmctld reports flags as bits, without the
 * words it did not know, and only the last of two lines: S7, S8 and S18 need the text. Source of
 * the rules: slurm.conf(5).
 */
#ifndef FAIRTOP_CORE_LINT_LINT_CONF_H
#define FAIRTOP_CORE_LINT_LINT_CONF_H

#include "core/cluster/policy.h"
#include "core/lint/lint.h"

#define LINT_CONF "slurm.conf(5), "	/* as a source, followed by the parameter */

/* The parameters of slurm.conf as written, global or of a PARTITION. */
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
 * Runs the checks that need the whole file, and adds locations to what lint_slurm() found before;
 * frees C.
 */
void lint_conf_end(struct lint_conf *c);

/* ---- shared with the checks of the policy ---------------------------------------------------- */

/* Adds an item about the parameter NAME of slurm.conf. */
struct lint_item *lint_about_param(struct lint *l, enum lint_severity severity, const char *code,
				   const char *name);

/* Suggests the words of FLAGS (PF_) as PriorityFlags. */
void lint_suggest_flags(struct lint_item *item, uint32_t flags);

/* Suggests the words of P, each unknown one replaced by the nearest that exists. */
void lint_mend_flags(struct lint_item *item, const struct policy *p);

#endif
