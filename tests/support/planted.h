/* SPDX-License-Identifier: GPL-2.0-or-later */
/* planted: a cluster whose texts are another's, changed one by one; for what must not come out. */
#ifndef FAIRTOP_TESTS_SUPPORT_PLANTED_H
#define FAIRTOP_TESTS_SUPPORT_PLANTED_H

#include "core/cluster/cluster.h"

/* What TEXT of FIELD (F_COUNT: of a note) becomes: itself, or what is in BUF. */
typedef const char *planted_text(enum field field, const char *text, char *buf, size_t size);

/* The cluster of the source SPEC with what PLANT makes of every text and of every one of a list. */
struct cluster *planted(const char *spec, planted_text *plant);

/* Writes C as a snapshot; the test fails where that does. */
void planted_write(const struct cluster *c, const char *path);

#endif
