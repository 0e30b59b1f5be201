/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stages of whatif_apply() that have their own file, and what all stages share. Each takes the
 * active entries in order and sets the problem of each that it cannot make.
 */
#ifndef FAIRTOP_CORE_WHATIF_WHATIF_PRIVATE_H
#define FAIRTOP_CORE_WHATIF_WHATIF_PRIVATE_H

#include "core/cluster/overlay.h"
#include "core/whatif/whatif.h"

/*
 * Returns BASE with rows added, moved and removed: associations, hypothetical jobs, priority rows
 * for direct priorities. NULL if no edit needs that (or the result could not be sealed).
 */
struct cluster *whatif_structure(struct whatif *w, const struct cluster *base);

/* All edits that only change values. BASE is used to look up the paths of moved associations. */
void whatif_values(struct whatif *w, const struct cluster *base, struct overlay *o);

/* Sets the problem; always returns false. */
bool whatif_problem(struct whatif_entry *entry, const char *format, ...) ERR_PRINTF(2, 3);

/* Row of the association an edit names, by its new or its old path. ROW_NONE: problem set. */
uint32_t whatif_assoc(struct whatif_entry *entry, const struct cluster *base,
		      const struct cluster *now);

/* Is C of that Slurm release or a later one? True if the version is unknown. */
bool whatif_since(const struct cluster *c, unsigned long year, unsigned long month);

/* Row of the job, ROW_NONE if there is none. */
uint32_t whatif_job(const struct cluster *c, const char *object);

/* Row of FIELD's table whose name in FIELD is TEXT (with %XX); ROW_NONE. */
uint32_t whatif_named(const struct cluster *c, enum field field, const char *text);

#endif
