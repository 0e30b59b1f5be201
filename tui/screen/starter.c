/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Simulates when jobs begin; its answers improve step by step. */
#include "tui/screen/worker.h"

#include <stdio.h>

#include "core/base/mem.h"
#include "tui/panes/start_times.h"

struct playing {
	struct start_order *order;
	struct starting *of[START_PICTURES];
	struct err err;
};

static bool starter_is_wanted(void *worker)
{
	return worker_wanted(worker);
}

static void starter_begin(struct playing *p, struct start_order *order, struct worker *worker)
{
	*p = (struct playing){ .order = order };
	for (int i = 0; i < START_PICTURES; i++) {
		struct starts_options options = { .log = order->log, .context = worker,
						  .wanted = worker ? starter_is_wanted : NULL };

		if (i == START_EDITED)
			options.points = order->points;
		if (order->clusters[i])
			p->of[i] = starts_begin(order->clusters[i], &options, &p->err);
	}
}

/* Takes one more step of each; false: nothing is left. */
static bool starter_step(struct playing *p)
{
	bool left = false;

	for (int i = 0; i < START_PICTURES; i++)
		left = (p->of[i] && starts_step(p->of[i])) || left;
	return left;
}

static struct start_answer *starter_answer_of(const struct playing *p)
{
	struct start_answer *answer = mem_zalloc(1, sizeof(*answer));

	answer->pictures = p->order->pictures;
	for (int i = 0; i < START_PICTURES; i++) {
		if (p->of[i])
			starts_so_far(p->of[i], &answer->starts[i]);
	}
	if (p->err.code != ERR_NONE)
		snprintf(answer->problem, sizeof(answer->problem), "%s", p->err.message);
	return answer;
}

static void starter_end(struct playing *p)
{
	for (int i = 0; i < START_PICTURES; i++)
		starts_end(p->of[i]);
	start_order_free(p->order);
}

static void *play_at_once(void *order)
{
	struct start_answer *answer;
	struct playing p;

	starter_begin(&p, order, NULL);
	while (starter_step(&p))
		;
	answer = starter_answer_of(&p);
	starter_end(&p);
	return answer;
}

static void starter_play(struct worker *w, void *order)
{
	struct playing p;
	bool left = true;

	starter_begin(&p, order, w);
	while (left) {
		left = starter_step(&p);
		if (!worker_wanted(w))
			break;
		if (!left || worker_due(w))
			worker_publish(w, starter_answer_of(&p));
	}
	starter_end(&p);
}

const struct work starter_work = {
	.order = start_times_order, .take = start_times_take,
	.run = starter_play,
	.answer = play_at_once, .order_free = start_order_free, .answer_free = start_answer_free,
};
