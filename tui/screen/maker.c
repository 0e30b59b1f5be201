/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/screen/maker.h"

#include <stdatomic.h>
#include <string.h>

#include "core/base/mem.h"
#include "tui/rows/picture.h"
#include "tui/screen/worker.h"
#include "tui/whatif/making.h"
#include "tui/whatif/show.h"

struct maker {
	_Atomic(struct picture_order *) slot;	/* newest wins; NULL: taken */
	struct picture_order said;		/* screen's side: the last one sent */
	struct picture_order taken;		/* thread's side */
};

struct maker *maker_new(const struct picture_order *order)
{
	struct maker *m = mem_zalloc(1, sizeof(*m));

	m->said = m->taken = *order;
	atomic_init(&m->slot, NULL);
	return m;
}

static bool maker_same(const struct picture_order *a, const struct picture_order *b)
{
	return a->options.algorithm == b->options.algorithm && a->options.base == b->options.base &&
	       a->options.order == b->options.order && a->queue == b->queue &&
	       a->classes == b->classes && a->pick.chosen == b->pick.chosen &&
	       a->pick.apart == b->pick.apart && strcmp(a->pick.exclude, b->pick.exclude) == 0;
}

void maker_order(struct maker *m, const struct picture_order *order)
{
	struct picture_order *copy;

	if (maker_same(order, &m->said))
		return;
	copy = mem_alloc(1, sizeof(*copy));
	*copy = m->said = *order;
	mem_free(atomic_exchange(&m->slot, copy));
}

static void *maker_make(void *context, struct cluster *cluster)
{
	struct maker *m = context;
	struct picture_order *newest = atomic_exchange(&m->slot, NULL);

	if (newest)
		m->taken = *newest;
	mem_free(newest);
	return picture_new(cluster, &m->taken);
}

static void maker_drop(void *picture)
{
	picture_free(picture);
}

static void maker_done(void *context)
{
	struct maker *m = context;

	mem_free(atomic_exchange(&m->slot, NULL));
	mem_free(m);
}

struct collector_maker maker_for_collector(struct maker *m)
{
	return (struct collector_maker){ maker_make, maker_drop, maker_done, m };
}

/* ---- the worker ---------------------------------------------------------------------------- */

static void *maker_work_order(struct app *a)
{
	return making_order(a);
}

static void *maker_work_at_once(void *order)
{
	making_run(order);
	return order;
}

static void maker_work_run(struct worker *w, void *order)
{
	worker_publish(w, maker_work_at_once(order));
}

static void maker_work_free(void *making)
{
	making_free(making);
}

static void maker_work_take(struct app *a, void *answer)
{
	making_take(a, answer);
	making_free(answer);
}

const struct work maker_work = {
	.order = maker_work_order, .take = maker_work_take, .run = maker_work_run,
	.answer = maker_work_at_once, .order_free = maker_work_free, .answer_free = maker_work_free,
};
