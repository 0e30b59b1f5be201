/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whyer: a worker (worker.h) that simulates when a job starts, then what would help it. */
#ifndef FAIRTOP_TUI_SCREEN_WHYER_H
#define FAIRTOP_TUI_SCREEN_WHYER_H

#include "tui/screen/worker.h"

extern const struct work whyer_work;	/* of pane_why.h */

#endif
