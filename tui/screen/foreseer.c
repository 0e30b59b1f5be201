/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers forecasts and searches, and reports its progress. */
#include "tui/screen/worker.h"

#include "core/base/mem.h"
#include "tui/panes/pane_forecast.h"
#include "tui/panes/pane_inspect.h"

/* Computes one more slice; false: nothing is left. */
static bool foreseer_step(struct foresight *f)
{
	f->state = forecast_seek_advance(f->work, false, &f->answer, &f->err);
	if (f->state == ASK_UNDER_WAY) {
		forecast_seek_progress(f->work, f->progress, sizeof(f->progress));
		return true;
	}
	forecast_seek_free(f->work);
	f->work = NULL;
	return false;
}

static void *foresee_at_once(void *order)
{
	struct foresight *f = order;

	while (f->work && foreseer_step(f))
		;
	return f;
}

static void foreseer_run(struct worker *w, void *order)
{
	struct foresight *f = order, *now;

	while (f->work && worker_wanted(w)) {
		if (!foreseer_step(f)) {
			worker_publish(w, f);
			return;
		}
		if (!worker_due(w))
			continue;
		now = mem_alloc(1, sizeof(*now));
		*now = *f;
		now->work = NULL;
		worker_publish(w, now);
	}
	foresight_free(f);
}

/* A receiver that takes the answer sets ASK_UNDER_WAY, so that it is not freed here. */
static void foreseer_take_answer(struct app *a, void *answer)
{
	struct foresight *f = answer;

	if (f->id == a->forecasts->asked)
		forecast_take(a, f);
	else if (f->id == a->inspect->asked)
		inspect_take(a, f);
	foresight_free(f);
}

const struct work foreseer_work = {
	.order = foresight_order, .take = foreseer_take_answer,
	.run = foreseer_run,
	.answer = foresee_at_once, .order_free = foresight_free, .answer_free = foresight_free,
};
