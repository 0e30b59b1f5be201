/* SPDX-License-Identifier: GPL-2.0-or-later */
/* planted: a copy of a cluster with every text changed, to prove that texts do not leak. */
#ifndef FAIRTOP_TESTS_SUPPORT_PLANTED_H
#define FAIRTOP_TESTS_SUPPORT_PLANTED_H

#include "core/cluster/cluster.h"

/* Returns the replacement of TEXT in FIELD (F_COUNT: a note): TEXT itself, or BUF. */
typedef const char *planted_text(enum field field, const char *text, char *buf, size_t size);

/* The cluster of the source SPEC; PLANT replaces every text, also those in lists. */
struct cluster *planted(const char *spec, planted_text *plant);

/* Writes C as a snapshot; the test fails if that fails. */
void planted_write(const struct cluster *c, const char *path);

#endif
