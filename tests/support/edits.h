/* SPDX-License-Identifier: GPL-2.0-or-later */
/* edits: reads what-if edits and applies them to a cluster; the test fails if that fails. */
#ifndef FAIRTOP_TESTS_SUPPORT_EDITS_H
#define FAIRTOP_TESTS_SUPPORT_EDITS_H

#include "core/whatif/whatif_apply.h"

/* Reads the edits FIRST, ..., up to a NULL. The test fails if one cannot be read. */
struct whatif *edits_list(const char *first, ...);

/* BASE with the edits of W; the caller frees it. The test fails if one cannot be applied. */
struct cluster *edits_apply(struct whatif *w, const struct cluster *base);

#endif
