/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worked: the worked cases of kind "tree" and "startup" as clusters.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_WORKED_H
#define FAIRTOP_TESTS_SUPPORT_WORKED_H

#include <jansson.h>

#include "core/cluster/cluster.h"

/*
 * The array of all cases; borrowed from *document, which the caller frees with json_decref().
 */
const json_t *worked_cases(json_t **document);

/*
 * Asserts that CHECK, which prints what differs, is true for every case of KIND, COUNT in all.
 */
void worked_hold(const char *kind, size_t count, bool (*check)(const json_t *one));

/* The tree of CASE with its usage and FairShareDampeningFactor. */
struct cluster *worked_cluster(const json_t *one);

/* The association that the cases call PATH ("root/A/x"); ROW_NONE if there is none. */
uint32_t worked_row(const struct cluster *c, const char *path);

#endif
