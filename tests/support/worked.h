/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worked: the worked cases of kind "tree" and "startup" as clusters.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_WORKED_H
#define FAIRTOP_TESTS_SUPPORT_WORKED_H

#include <jansson.h>

#include "core/cluster/cluster.h"

/*
 * The array of all cases; borrowed from *document, which the caller gives back with json_decref().
 */
const json_t *worked_cases(json_t **document);

/*
 * Whether CHECK, which says what differs, holds of every case of a kind; there must be COUNT.
 */
void worked_hold(const char *kind, size_t count, bool (*check)(const json_t *one));

/* The tree of CASE with its usage and FairShareDampeningFactor. */
struct cluster *worked_cluster(const json_t *one);

/* The association called "root/A/x" in the cases, ROW_NONE if there is none. */
uint32_t worked_row(const struct cluster *c, const char *path);

#endif
