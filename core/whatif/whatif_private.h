/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stages of whatif_apply() that have a file of their own, and what all stages share. Each takes
 * the entries in force in their order and sets the problems of those it cannot make.
 */
#ifndef FAIRTOP_CORE_WHATIF_WHATIF_PRIVATE_H
#define FAIRTOP_CORE_WHATIF_WHATIF_PRIVATE_H

#include "core/cluster/overlay.h"
#include "core/whatif/whatif.h"

/*
 * BASE with rows added, moved and removed: associations, hypothetical jobs, places for direct
 * priorities. NULL if no edit asks for that (or the result could not be sealed).
 */
struct cluster *whatif_structure(struct whatif *w, const struct cluster *base);

/* Everything that changes values only. BASE is what paths of old places are looked up in. */
void whatif_values(struct whatif *w, const struct cluster *base, struct overlay *o);

/* Sets the problem; always false. */
bool whatif_problem(struct whatif_entry *entry, const char *format, ...) ERR_PRINTF(2, 3);

/* Row of the association an edit names: where it is now, or where it was. ROW_NONE: problem set. */
uint32_t whatif_assoc(struct whatif_entry *entry, const struct cluster *base,
		      const struct cluster *now);

/* Is C a Slurm of that release or a later one? Where the version is unknown it is. */
bool whatif_since(const struct cluster *c, unsigned long year, unsigned long month);

/* Row of the job, ROW_NONE if there is none. */
uint32_t whatif_job(const struct cluster *c, const char *object);

/* Row of TABLE whose name FIELD is TEXT (with %XX); ROW_NONE. */
uint32_t whatif_named(const struct cluster *c, enum field field, const char *text);

#endif
