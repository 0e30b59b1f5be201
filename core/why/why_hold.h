/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why_hold: what one line of WHY_HOLDS is made of, for the modules that make them. */
#ifndef FAIRTOP_CORE_WHY_WHY_HOLD_H
#define FAIRTOP_CORE_WHY_WHY_HOLD_H

#include "core/why/why_private.h"

struct hold {
	struct why *w;
	const struct jobs *j;
	const struct cluster *c;
	uint32_t entry, job;
	uint32_t partition;	/* row, ROW_NONE */
	const char *partition_name;	/* never NULL */
	bool several;		/* it has other partitions or QOS: what stops one may not stop it */
	const char *reason;	/* the scheduler's word; NULL: fairtop found it */
	const char *intro;	/* "", or words before the sentence: "then a " */
};

/* A line, with its first facts. KIND "never": it can never start. */
struct why_line *hold_line(const struct hold *h, const char *kind, const char *format, ...)
	ERR_PRINTF(3, 4);
/* In few words, unless something before it has said it. */
void hold_cause(const struct hold *h, const char *format, ...) ERR_PRINTF(2, 3);

/* Only its meaning; REASON of H is not NULL. */
void hold_plainly(const struct hold *h);

/* ---- why_limits.c --------------------------------------------------------------------------- */

void hold_by_limits(const struct hold *h);	/* that the reason may mean */
void hold_by_array(const struct hold *h);
/* By the first limit of all kinds, or the first that it can NEVER pass; false: by none. */
bool hold_by_next_limit(const struct hold *h, bool never);

/* ---- why_needs.c ---------------------------------------------------------------------------- */

void hold_by_priority(const struct hold *h);
void hold_by_resources(const struct hold *h);
void hold_by_nodes(const struct hold *h);	/* that are not available */
bool hold_by_license(const struct hold *h);	/* false: by none of which that was read */
/* By what its partition allows or has; false: by nothing that was read. */
bool hold_by_size(const struct hold *h);
bool hold_by_time_limit(const struct hold *h);

#endif
