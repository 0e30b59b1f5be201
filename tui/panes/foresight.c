/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/panes/foresight.h"

#include "core/base/mem.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

void foresight_free(void *foresight)
{
	struct foresight *f = foresight;

	if (f) {
		forecast_seek_free(f->work);
		if (f->state == ASK_DONE && f->kind == ASK_FORECAST)
			forecast_free(&f->answer.forecast);
		else if (f->state == ASK_DONE)
			seek_free(&f->answer.seek);
	}
	mem_free(f);
}

static void foresight_set_order(struct app *a, struct foresight *f)
{
	foresight_free(a->foresights->order);
	a->foresights->order = f;
}

enum forecast_seek_state foresight_ask(struct app *a, const struct forecast_seek_order *o,
				       uint32_t *id, union forecast_seek_answer *out,
				       struct err *err)
{
	const struct picture *base = whatif_base(a);
	struct forecast_seek *q = forecast_seek_new(o, a->picture->cluster,
						    base != a->picture ? base->cluster : NULL);
	enum forecast_seek_state state = forecast_seek_advance(q, true, out, err);
	struct foresight *f;

	if (state != ASK_UNDER_WAY) {
		forecast_seek_free(q);
		return state;
	}
	f = mem_zalloc(1, sizeof(*f));
	f->id = *id = ++a->foresights->last;
	f->kind = o->kind;
	f->work = q;
	forecast_seek_progress(q, f->progress, sizeof(f->progress));
	foresight_set_order(a, f);
	return state;
}

void foresight_stop(struct app *a, uint32_t *id)
{
	if (*id != 0 && *id == a->foresights->last)
		foresight_set_order(a, mem_zalloc(1, sizeof(struct foresight)));
	*id = 0;
}

void *foresight_order(struct app *a)
{
	struct foresight *f = a->foresights->order;

	a->foresights->order = NULL;
	return f;
}

static void foresight_init(struct app *a)
{
	a->foresights = mem_zalloc(1, sizeof(*a->foresights));
}

static void foresight_leave(struct app *a)
{
	foresight_free(a->foresights->order);
	mem_free(a->foresights);
}

const struct feature foresight_feature = { .init = foresight_init, .free = foresight_leave };
