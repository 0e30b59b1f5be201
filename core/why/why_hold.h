/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why_hold: the input of one line of WHY_HOLDS, for the modules that make them. */
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
	bool several;		/* it has other partitions or QOS, which may not be blocked */
	const char *reason;	/* from the scheduler; NULL: fairtop found it */
	const char *intro;	/* "", or words before the sentence: "then a " */
};

/* Adds a line with its first facts. KIND "never": it can never start. */
struct why_line *hold_line(const struct hold *h, const char *kind, const char *format, ...)
	ERR_PRINTF(3, 4);
/* Sets the reason in few words, unless it is set already. */
void hold_cause(const struct hold *h, const char *format, ...) ERR_PRINTF(2, 3);

/* Adds only the meaning of REASON, which is not NULL. */
void hold_plainly(const struct hold *h);

/* ---- why_limits.c --------------------------------------------------------------------------- */

void hold_by_limits(const struct hold *h);	/* adds those that REASON may mean */
void hold_by_array(const struct hold *h);
/* Adds the first limit of any kind, or the first that the job can NEVER pass; false: none. */
bool hold_by_next_limit(const struct hold *h, bool never);

/* ---- why_needs.c ---------------------------------------------------------------------------- */

void hold_by_priority(const struct hold *h);
void hold_by_resources(const struct hold *h);
void hold_by_nodes(const struct hold *h);	/* those that are not available */
bool hold_by_license(const struct hold *h);	/* false: no known license is the reason */
/* Adds what its partition does not allow or have; false: no reason that is known. */
bool hold_by_size(const struct hold *h);
bool hold_by_time_limit(const struct hold *h);

#endif
