/* SPDX-License-Identifier: GPL-2.0-or-later */
/* starter: a worker (worker.h) that simulates when jobs begin; its answers improve step by step. */
#ifndef FAIRTOP_TUI_SCREEN_STARTER_H
#define FAIRTOP_TUI_SCREEN_STARTER_H

#include "tui/panes/start_times.h"
#include "tui/screen/worker.h"

extern const struct work starter_work;	/* of start_times.h */

#endif
