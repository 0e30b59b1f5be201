/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit: the fields of associations and QOS that are limits, their names, and how much is used.
 *
 * The scheduler's own name of a limit is the first word of its field's meaning: "GrpTRES limits".
 */
#ifndef FAIRTOP_CORE_CLUSTER_LIMIT_H
#define FAIRTOP_CORE_CLUSTER_LIMIT_H

#include <stdbool.h>

#include "core/cluster/fields.h"

#define LIMIT_NAME_MAX 32

bool limit_is(enum field field);
void limit_name(enum field limit, char name[LIMIT_NAME_MAX]);

/*
 * Finds the limit of TABLE by its name in any of Slurm's commands; each abbreviates in its own way:
 * MaxWallDurationPerJob, MaxWallPJ, MaxWall. ASCII case ignored; F_COUNT if there is none.
 */
enum field limit_named(enum table table, const char *name, size_t length);

/* Field with what counts against LIMIT; F_COUNT for limits per job, user or account. */
enum field limit_used(enum field limit);

#endif
