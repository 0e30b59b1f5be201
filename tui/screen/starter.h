/* SPDX-License-Identifier: GPL-2.0-or-later */
/* starter: a worker (worker.h) that simulates when jobs begin; its answers get ever better. */
#ifndef FAIRTOP_TUI_SCREEN_STARTER_H
#define FAIRTOP_TUI_SCREEN_STARTER_H

#include "tui/panes/start_times.h"
#include "tui/screen/worker.h"

/* Orders are struct start_order *, answers struct start_answer *. */
extern const struct work_ops starter_work;

/* The last answer at once, without a thread. Takes over ORDER. */
struct start_answer *starter_answer(struct start_order *order);

#endif
