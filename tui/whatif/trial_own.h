/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trial_own: columns that compare and that only a screen has: each term of a job's priority, and
 * the places that the other sets of edits give.
 */
#ifndef FAIRTOP_TUI_WHATIF_TRIAL_OWN_H
#define FAIRTOP_TUI_WHATIF_TRIAL_OWN_H

#include "core/whatif/compared.h"

struct app;

#define TRIAL_OWN_TABLES 3
extern const struct compared_table trial_own_tables[TRIAL_OWN_TABLES];

/* Is there something to show in it now? True of all others, too. */
bool trial_own_is_wanted(const struct app *a, const struct compared *column);

#endif
