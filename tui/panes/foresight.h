/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foresight: forecasts and searches too slow for a key: the order, its computation in a separate
 * thread (screen/foreseer.c), and the receiver of the answer. Only one at a time, the newest: the
 * inspector's while no box is open, else the box's.
 */
#ifndef FAIRTOP_TUI_PANES_FORESIGHT_H
#define FAIRTOP_TUI_PANES_FORESIGHT_H

#include "core/whatif/forecast_seek.h"
#include "tui/rows/state.h"

/* An order, and its result. */
struct foresight {
	uint32_t id;
	enum forecast_seek_kind kind;
	struct forecast_seek *work;	/* of an order; NULL: cancels the running one */
	enum forecast_seek_state state;
	union forecast_seek_answer answer;	/* once done */
	struct err err;				/* once failed */
	char progress[120];			/* while running */
};
void foresight_free(void *foresight);	/* NULL is fine */

struct foresights {
	uint32_t last;			/* id of the newest */
	struct foresight *order;	/* NULL: taken */
};
extern const struct feature foresight_feature;

/*
 * Answers small requests at once, in OUT; others are ordered (ASK_UNDER_WAY), and ID, not 0,
 * identifies the order.
 */
enum forecast_seek_state foresight_ask(struct app *a, const struct forecast_seek_order *order,
				       uint32_t *id, union forecast_seek_answer *out,
				       struct err *err);
/* Cancels it; *ID, which may be 0, becomes 0. */
void foresight_stop(struct app *a, uint32_t *id);

void *foresight_order(struct app *a);	/* the caller's */

#endif
