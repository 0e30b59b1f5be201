/* SPDX-License-Identifier: GPL-2.0-or-later */
/* edits: what-if edits and what they make of a cluster, where both must be possible. */
#ifndef FAIRTOP_TESTS_SUPPORT_EDITS_H
#define FAIRTOP_TESTS_SUPPORT_EDITS_H

#include "core/whatif/whatif_apply.h"

/* The edits FIRST, ..., up to a NULL. The test fails where one cannot be read. */
struct whatif *edits_list(const char *first, ...);

/* BASE with the edits of W, the caller's to free. The test fails where one cannot be applied. */
struct cluster *edits_apply(struct whatif *w, const struct cluster *base);

#endif
