/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What-if on 100,000 associations and 100,000 jobs: from an edit to the compared result, against
 * the sum of what must be computed in any case: one bare run of the engine, one pass of the
 * factors, one ranking. Then the same on the screen: from a key that changes a setting until the
 * frame is drawn, with the panel open next to the tree and next to the queue. As a weight does not
 * change fair share, edits of shares and usage, after which nothing can be reused, follow.
 */
#include <stdio.h>
#include <stdlib.h>

#include "adapters/demo/demo.h"
#include "core/whatif/whatif_run.h"
#include "core/base/mem.h"
#include "tests/bench/bench.h"
#include "tui/panes/chart.h"
#include "tui/panes/pane_forecast.h"
#include "tui/panes/pane.h"
#include "tui/whatif/show.h"
#include "tui/screen/app.h"
#include "tui/screen/screen.h"
#include "tui/time/travel.h"
#include "tui/whatif/whatif_sets.h"
#include "tui/cells/keys.h"

#define RUNS 31u
#define TARGET_MS 10.0

struct stage {
	const struct model *model;
	const struct jobs *jobs;
	struct fs_result *fs;
	struct whatif *whatif;
	double moved;
};

static void bare(void *context)
{
	struct stage *s = context;
	struct prio_result *prio;
	struct queue_order *order;

	fs_compute(s->model->algo, &s->model->input, s->fs);
	fs_rank(s->model->tree, s->fs);
	prio = prio_run(&s->jobs->input);
	order = queue_order_new(s->jobs->index, &s->jobs->policy, s->jobs->preempt,
				prio->priority);
	queue_order_free(order);
	prio_result_free(prio);
}

/* Applies the edit, computes, ranks, and compares the ranks. */
static void evaluate(void *context)
{
	struct stage *s = context;
	struct whatif_run *r = whatif_run_new(s->whatif, s->model, s->jobs, NULL);

	s->moved = 0;
	for (uint32_t e = 0; e < r->jobs->index->n; e++)
		s->moved += r->jobs->order->rank[e] != s->jobs->order->rank[e];
	whatif_run_free(r);
}

static void judge(const struct bench benches[2], const char *until)
{
	double ms = bench_median(&benches[0], RUNS) * 1e3;

	bench_judge(ms, "ms", TARGET_MS, "%s, %s (%s %.2f ms)", benches[0].name, until,
		    benches[1].name, bench_median(&benches[1], RUNS) * 1e3);
}

static void bench_edit(struct stage *s, const char *edit)
{
	struct bench benches[2] = { { edit, evaluate, s, { 0 } },
				    { "engine + factors + ranking", bare, s, { 0 } } };

	s->whatif = whatif_new();
	if (!whatif_add(s->whatif, edit, NULL))
		abort();
	bench_run(benches, 2, RUNS, 1);
	judge(benches, "from the edit to the compared ranks");
	printf("    %.0f jobs move\n", s->moved);
	whatif_free(s->whatif);
}

/* ---- on the screen --------------------------------------------------------------------------- */

struct seat {
	struct app *app;
	struct canvas *canvas;
	bool right;			/* the next key increases the weight */
};

static void press(struct seat *s, uint32_t key)
{
	struct event event = { .type = EVENT_KEY, .key = key, .ms = 1, .now = 1794200000 };

	app_event(s->app, &event);
	app_draw(s->app, s->canvas);
}

static void turn(void *context)
{
	struct seat *s = context;

	press(s, s->right ? 'l' : 'h');
	s->right = !s->right;
}

/* Switches from the first of two edits to both and back. */
static void redo(void *context)
{
	struct seat *s = context;

	press(s, s->right ? KEY_CTRL('r') : KEY_CTRL('u'));
	s->right = !s->right;
}

static void to_frame(struct stage *stage, struct seat *s, const char *name,
		     void (*run)(void *context))
{
	struct bench benches[2] = { { name, run, s, { 0 } },
				    { "engine + factors + ranking", bare, stage, { 0 } } };

	run(s);
	bench_run(benches, 2, RUNS, 1);
	judge(benches, "from the key to the drawn frame");
	while (whatif_count(s->app) > 0)
		press(s, KEY_CTRL('u'));
}

static void bench_edits(struct stage *stage, struct seat *s, const char *name, const char *first,
			const char *second)
{
	if (!whatif_try(s->app, first, NULL) || !whatif_try(s->app, second, NULL))
		abort();
	s->right = false;
	to_frame(stage, s, name, redo);
}

static void bench_view(struct stage *stage, struct seat *s, const char *name, uint32_t view)
{
	printf("on the screen, beside the %s\n", name);
	press(s, view);
	press(s, 'w');
	to_frame(stage, s, "weight", turn);
	bench_edits(stage, s, "shares", "shares:/biology = 60", "shares:/physics = 61");
	bench_edits(stage, s, "usage", "usage:/biology = 0", "usage:/physics = 0");
}

static void bench_screen(struct stage *stage, struct cluster *c)
{
	struct seat s = { .app = app_new(NULL), .canvas = canvas_new(200, 60, false) };
	struct event size = { .type = EVENT_RESIZE, .x = 200, .y = 60, .ms = 1 };
	struct event picture = { .type = EVENT_CLUSTER, .cluster = c, .ms = 1, .now = 1794200000 };

	app_event(s.app, &size);
	app_event(s.app, &picture);
	bench_view(stage, &s, "tree", '1');
	bench_view(stage, &s, "queue", '2');
	canvas_free(s.canvas);
	app_free(s.app);
}

int main(void)
{
	static const struct demo_options options = { .seed = 1, .accounts = 20000, .users = 72000,
						     .jobs = 100000, .speed = 0 };
	struct model_options usage = { -1, FS_BASE_USAGE, FS_ORDER_LIST };
	struct demo *d = demo_new(&options);
	struct cluster *c = demo_picture(d, NULL);
	struct model *m = model_new(c, &usage, NULL);
	struct jobs *j = jobs_new(m, NULL);
	struct stage stage = { .model = m, .jobs = j, .fs = fs_result_new(m->algo, m->tree) };

	printf("what-if: %u associations, %u entries of the queue\n", (unsigned)m->tree->n,
	       (unsigned)j->index->n);
	bench_edit(&stage, "weight.fairshare = 70%");
	bench_edit(&stage, "shares:/biology = 60");
	bench_edit(&stage, "usage:/biology = 0");
	bench_edit(&stage, "half_life = 14-0");
	bench_screen(&stage, cluster_share(c));
	fs_result_free(stage.fs);
	jobs_free(j);
	model_free(m);
	cluster_free(c);
	demo_free(d);
	return 0;
}
