/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foresight: forecasts and searches that take longer than a key may: who asks, what is under way
 * in a thread of its own (screen/foreseer.h), and who gets the answer. One at a time, the newest:
 * the inspector's, while no box is open, or that of the box.
 */
#ifndef FAIRTOP_TUI_PANES_FORESIGHT_H
#define FAIRTOP_TUI_PANES_FORESIGHT_H

#include "core/whatif/forecast_seek.h"
#include "tui/rows/state.h"

/* An order, and what has become of it. */
struct foresight {
	uint32_t id;
	enum forecast_seek_kind kind;
	struct forecast_seek *work;	/* of an order; NULL: what is under way is to be given up */
	enum forecast_seek_state state;
	union forecast_seek_answer answer;	/* once it is done */
	struct err err;				/* once it has failed */
	char progress[120];			/* as long as it is under way */
};
void foresight_free(void *foresight);	/* NULL is fine */

struct foresights {
	uint32_t last;			/* id of the newest */
	struct foresight *order;	/* of APP_FORESEE; NULL: taken */
};
extern const struct feature foresight_feature;

/*
 * What is small is answered at once, in OUT; else it is ordered (ASK_UNDER_WAY), and ID, which is
 * not 0, names it.
 */
enum forecast_seek_state foresight_ask(struct app *a, const struct forecast_seek_order *order,
				       uint32_t *id, union forecast_seek_answer *out,
				       struct err *err);
/* Nobody wants it any longer; *ID, which may be 0, becomes 0. */
void foresight_stop(struct app *a, uint32_t *id);

void *foresight_order(struct app *a);	/* the caller's */

#endif
