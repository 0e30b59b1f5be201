/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything about one queue of a slot pool: its slots, grant by grant; the pool's size and rounds;
 * and the order in which the queues are tried.
 */
#include "tui/panes/detail.h"
#include "tui/panes/pool_chart.h"

#include <limits.h>

#define STEP_WIDTH (PANE_LABEL + 4)
#define CHART_LINES 8

static void pane_pool_put_steps(struct doc *d, const char *title, const struct explain *e)
{
	doc_title(d, title);
	for (size_t i = 0; i < e->count; i++)
		step_doc(d, STEP_WIDTH, &e->steps[i]);
}

void pool_doc(const struct app *a, struct doc *d, uint32_t row, bool steps)
{
	const struct pools *p = a->picture->pools;
	const struct pools_queue *q = &p->queues[p->members[row]];
	struct explain e;

	doc_beginf(d, ROLE_ACCENT, "queue %s", q->name);
	if (q->pool != POOLS_NONE)
		doc_putf(d, ROLE_LABEL, "  of pool %s", p->pools[q->pool].name);
	explain_init(&e);
	pools_explain_queue(p, p->members[row], &e);
	pane_pool_put_steps(d, q->pool != POOLS_NONE ? "How slots are computed" :
			    "Outside all pools", &e);
	explain_free(&e);
	if (q->pool != POOLS_NONE && !steps) {
		explain_init(&e);
		pools_explain_pool(p, q->pool, &e);
		pane_pool_put_steps(d, "The pool, round by round", &e);
		explain_free(&e);
	}
	doc_title(d, p->grouped ? "Dispatch order, pools as blocks" : "Dispatch order");
	doc_line(d);
	pool_order_doc(d, p, 0, INT_MAX);
	if (!steps && !pool_foot_charts(a)) {
		doc_line(d);
		pool_chart_doc(a, d, q->pool, row, CHART_LINES);
	}
}
