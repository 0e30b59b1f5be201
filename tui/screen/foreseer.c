/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/screen/foreseer.h"

#include "core/base/mem.h"

/* One more slice; false: nothing is left. */
static bool step(struct foresight *f)
{
	f->state = forecast_seek_advance(f->work, false, &f->answer, &f->err);
	if (f->state == ASK_UNDER_WAY) {
		forecast_seek_progress(f->work, f->progress, sizeof f->progress);
		return true;
	}
	forecast_seek_free(f->work);
	f->work = NULL;
	return false;
}

struct foresight *foreseer_answer(struct foresight *order)
{
	while (order->work != NULL && step(order))
		;
	return order;
}

static void run(struct worker *w, void *order)
{
	struct foresight *f = order, *now;

	while (f->work != NULL && worker_wanted(w)) {
		if (!step(f)) {
			worker_publish(w, f);
			return;
		}
		if (!worker_due(w))
			continue;
		now = mem_alloc(1, sizeof *now);
		*now = *f;
		now->work = NULL;
		worker_publish(w, now);
	}
	foresight_free(f);
}

static void drop(void *f)
{
	foresight_free(f);
}

const struct work_ops foreseer_work = { run, drop, drop };
