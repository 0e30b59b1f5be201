/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit: which fields of associations and QOS are limits, by what names, and what is used of them.
 *
 * The scheduler's own word for a limit is the first one of its field's meaning: "GrpTRES limits".
 */
#ifndef FAIRTOP_CORE_CLUSTER_LIMIT_H
#define FAIRTOP_CORE_CLUSTER_LIMIT_H

#include <stdbool.h>

#include "core/cluster/fields.h"

#define LIMIT_NAME_MAX 32

bool limit_is(enum field field);
void limit_name(enum field limit, char name[LIMIT_NAME_MAX]);

/*
 * The limit of TABLE that one of Slurm's commands calls by this name; each abbreviates in its own
 * way: MaxWallDurationPerJob, MaxWallPJ, MaxWall. ASCII case ignored; F_COUNT if there is none.
 */
enum field limit_named(enum table table, const char *name, size_t length);

/* Where what counts against LIMIT is recorded; F_COUNT for limits of each job, user, account. */
enum field limit_used(enum field limit);

#endif
