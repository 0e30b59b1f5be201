/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Simulates when a job starts, then what would help it. */
#include "tui/screen/worker.h"

#include "core/base/mem.h"
#include "core/sim/starts.h"
#include "core/why/why_help.h"
#include "tui/base/zone.h"
#include "tui/panes/pane_why.h"

static bool whyer_is_wanted(void *worker)
{
	return !worker || worker_wanted(worker);
}

/* Reads the answer from the picture; NULL: there is no model. */
static struct why_answer *whyer_read_answer(const struct why_order *o)
{
	struct why_answer *a = mem_zalloc(1, sizeof(*a));

	a->pictures = o->pictures;
	a->entry = o->entry;
	a->cluster = cluster_share(o->cluster);
	a->model = model_new(a->cluster, &o->options, NULL);
	if (a->model) {
		a->jobs = jobs_new(a->model, NULL);
		a->why = why_new(a->jobs, o->entry, &zone_local);
		return a;
	}
	why_answer_free(a);
	return NULL;
}

static void try_helps(struct why *w, struct worker *worker)
{
	struct why_helping *h = why_help_begin(w, whyer_is_wanted, worker);

	while (why_help_step(h))
		;
	why_help_end(h);
}

/*
 * Returns the last answer; a WORKER first publishes the one with only the start, if more follows.
 * NULL: there is no model.
 */
static struct why_answer *answer_order(const struct why_order *o, struct worker *worker)
{
	struct why_answer *first = whyer_read_answer(o), *last = first, *next = NULL;
	struct starts_options options = { .wanted = whyer_is_wanted, .context = worker };
	struct err err = { .code = ERR_NONE };
	struct starts starts;
	bool simulated;

	if (!first)
		return NULL;
	options.only = &first->why->job;
	simulated = starts_make(&starts, o->cluster, &options, &err);
	why_put_start(first->why, simulated ? &starts : NULL, err.message);
	if (worker && simulated && worker_wanted(worker))
		next = whyer_read_answer(o);
	if (next) {
		why_put_start(next->why, &starts, NULL);
		worker_publish(worker, first);
		last = next;
	}
	if (simulated) {
		starts_free(&starts);
		try_helps(last->why, worker);
	}
	last->done = true;
	return last;
}

static void find_out(struct worker *w, void *order)
{
	struct why_answer *last = answer_order(order, w);

	why_order_free(order);
	if (worker_wanted(w) && last)
		worker_publish(w, last);
	else
		why_answer_free(last);
}

static void *find_out_at_once(void *order)
{
	struct why_answer *last = answer_order(order, NULL);

	why_order_free(order);
	return last;
}

const struct work whyer_work = {
	.order = why_box_order, .take = why_box_take, .run = find_out,
	.answer = find_out_at_once, .order_free = why_order_free, .answer_free = why_answer_free,
};
