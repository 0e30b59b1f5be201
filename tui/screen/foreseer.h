/* SPDX-License-Identifier: GPL-2.0-or-later */
/* foreseer: a worker (worker.h) that answers forecasts and searches, and reports its progress. */
#ifndef FAIRTOP_TUI_SCREEN_FORESEER_H
#define FAIRTOP_TUI_SCREEN_FORESEER_H

#include "tui/panes/foresight.h"
#include "tui/screen/worker.h"

extern const struct work foreseer_work;	/* of foresight.h */

#endif
