/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pool_chart: the slots of the queues of one pool over time, one curve per queue. */
#ifndef FAIRTOP_TUI_PANES_POOL_CHART_H
#define FAIRTOP_TUI_PANES_POOL_CHART_H

#include "tui/cells/doc.h"
#include "tui/rows/state.h"

#define POOL_CHART_FRAME 2	/* lines besides the curves: title and times */
#define POOL_CHART_MIN 4	/* minimum lines of curves */

/*
 * Appends the chart of pool K (POOLS_NONE: the queues outside) with HEIGHT lines of curves. ROW is
 * the row under the cursor: its queue is highlighted, with a dotted line at its share. If nothing
 * is known of the past, one line says so.
 */
void pool_chart_doc(const struct app *a, struct doc *d, uint32_t k, uint32_t row, int height);

#endif
