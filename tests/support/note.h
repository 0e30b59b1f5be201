/* SPDX-License-Identifier: GPL-2.0-or-later */
/* note: looks at the notes of a cluster. */
#ifndef FAIRTOP_TESTS_SUPPORT_NOTE_H
#define FAIRTOP_TESTS_SUPPORT_NOTE_H

#include "core/cluster/cluster.h"

/* The first note about SUBJECT, borrowed; "" without one. */
const char *note_about(const struct cluster *c, const char *subject);

/* Does any note contain WORDS? */
bool note_says(const struct cluster *c, const char *words);

#endif
