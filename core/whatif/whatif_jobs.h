/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What-if edits of single jobs; a stage of whatif_values(). */
#ifndef FAIRTOP_CORE_WHATIF_WHATIF_JOBS_H
#define FAIRTOP_CORE_WHATIF_WHATIF_JOBS_H

#include "core/cluster/overlay.h"
#include "core/whatif/whatif.h"

/* Sets the entry's problem if it cannot be made. */
void whatif_set_job(struct overlay *o, struct whatif_entry *entry);

#endif
