/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Below the rows of the pools: the size of each pool and its reason, the order in which queues are
 * tried, and the slots of the queues over time; in this order, as far as they fit.
 */
#include "tui/panes/detail.h"

#include <string.h>

#include "core/base/visible.h"
#include "tui/panes/pane.h"
#include "tui/panes/pool_chart.h"

#define ORDER_LINES 3
#define POOLS_SHOWN 4		/* more sizes would take the lines of the rest */
#define CHART_LINES 14
#define MORE_WIDTH 14		/* " and 9999 more" */

static void pool_foot_put_queue(struct doc *d, const struct pools *p, const struct pools_queue *q,
				const char *arrow)
{
	doc_put(d, ROLE_DIM, arrow);
	doc_putf(d, q->pool != POOLS_NONE ? ROLE_ACCOUNT : ROLE_TEXT, "%s", q->name);
	if (q->pool != POOLS_NONE)
		doc_putf(d, ROLE_LABEL, " [%s]", p->pools[q->pool].name);
}

static int queue_width(const struct doc *d, const struct pools *p, const struct pools_queue *q)
{
	char safe[300];
	int width;

	visible_copy(safe, sizeof(safe), q->name, strlen(q->name));
	width = 4 + doc_text_width(d, safe);
	if (q->pool != POOLS_NONE) {
		visible_copy(safe, sizeof(safe), p->pools[q->pool].name,
			     strlen(p->pools[q->pool].name));
		width += 3 + doc_text_width(d, safe);
	}
	return width;
}

void pool_order_doc(struct doc *d, const struct pools *p, int indent, int lines)
{
	for (uint32_t i = 0; i < p->queue_count; i++) {
		const struct pools_queue *q = &p->queues[p->dispatch[i]];
		bool ends = i + 1 == p->queue_count;
		int end = d->width - (lines == 1 && !ends ? MORE_WIDTH : 0);

		if (d->column + queue_width(d, p, q) > end && i > 0) {
			if (lines-- == 1) {
				doc_putf(d, ROLE_DIM, " and %u more",
					 (unsigned)(p->queue_count - i));
				return;
			}
			doc_line(d);
			doc_tab(d, indent);
		}
		pool_foot_put_queue(d, p, q, i > 0 ? " -> " : "");
	}
}

/* "244 slots = 256 of 64 hosts - 12 in use by others, at most 200". */
static void put_size(struct doc *d, const struct pools_pool *pool)
{
	const struct slots_pool *s = &pool->slots;

	doc_beginf(d, ROLE_ACCENT, "%s", pool->name);
	doc_putf(d, ROLE_VALUE, "  %u slots", (unsigned)s->size);
	doc_putf(d, ROLE_LABEL, " = %u of %u %s", (unsigned)s->host_slots,
		 (unsigned)pool->host_count, pool->host_count == 1 ? "host" : "hosts");
	if (pool->hosts_unknown > 0)
		doc_putf(d, ROLE_WARN, " (%u without a known limit)",
			 (unsigned)pool->hosts_unknown);
	if (s->foreign > 0)
		doc_putf(d, ROLE_LABEL, " - %u in use by others", (unsigned)s->foreign);
	if (s->max_slots != SLOTS_NO_LIMIT)
		doc_putf(d, ROLE_LABEL, ", at most %u", (unsigned)s->max_slots);
	if (s->rounds == U32_UNKNOWN) {
		doc_put(d, ROLE_WARN, "; slots its queues can use: unknown");
		return;
	}
	doc_putf(d, ROLE_LABEL, "; %u %s", (unsigned)s->rounds, s->rounds == 1 ? "round" :
		 "rounds");
	doc_putf(d, s->idle > 0 ? ROLE_WARN : ROLE_LABEL, ", %u idle", (unsigned)s->idle);
}

/* The pool of the row under the cursor, POOLS_NONE outside. */
static uint32_t pool_foot_pool_of(const struct pools *p, uint32_t row)
{
	return row < p->queue_count ? p->queues[p->members[row]].pool : POOLS_NONE;
}

/* All pools if they all fit, so that nothing jumps when the cursor moves. */
static bool put_charts(const struct app *a, struct doc *d, uint32_t row, int lines)
{
	const struct pools *p = a->picture->pools;
	int count = (int)(p->pool_count < 100 ? p->pool_count : 100), height;
	uint32_t own = pool_foot_pool_of(p, row);
	bool apart = true, all = true;

	if (count * (POOL_CHART_MIN + POOL_CHART_FRAME + 1) > lines) {
		all = false;
		count = 1;
		apart = lines > POOL_CHART_MIN + POOL_CHART_FRAME;
	}
	height = lines / count - POOL_CHART_FRAME - apart;
	if (height > CHART_LINES)
		height = CHART_LINES;
	if (height < POOL_CHART_MIN)
		return false;
	for (int i = 0; i < count; i++) {
		if (apart)
			doc_line(d);
		pool_chart_doc(a, d, all ? (uint32_t)i : own, row, height);
	}
	return true;
}

static int pool_foot_space_of(const struct app *a, struct area area)
{
	const struct list *list = &app_sheet_get(a)->list;
	size_t rows = list->count - list->top;

	return rows + 1 < (size_t)area.height ? area.height - 1 - (int)rows : 0;
}

/* Fills the foot; returns whether the charts fit, too. */
static bool pool_foot_fill(const struct app *a, struct doc *d, int space)
{
	const struct pools *p = a->picture->pools;
	uint32_t row = list_row(&app_sheet_get(a)->list), own = pool_foot_pool_of(p, row);
	int sizes = p->pool_count <= POOLS_SHOWN ? (int)p->pool_count : own != POOLS_NONE;

	if (sizes + 2 > space)
		sizes = own != POOLS_NONE;
	doc_line(d);
	for (uint32_t k = 0; k < p->pool_count; k++) {
		if (sizes == (int)p->pool_count || k == own)
			put_size(d, &p->pools[k]);
	}
	space -= (int)d->line_count;
	doc_begin(d, ROLE_TITLE, p->grouped ? "Dispatch, pools as blocks " : "Dispatch ");
	pool_order_doc(d, p, 8, space < ORDER_LINES ? space : ORDER_LINES);
	return put_charts(a, d, row, space + 1 + sizes - (int)d->line_count);
}

/* Two lines are too few: the minimum is an empty line, the pool and the order. */
#define FOOT_MIN 3

static bool has_foot(const struct app *a, int space)
{
	return a->picture->pools && a->picture->pools->pool_count > 0 && space >= FOOT_MIN;
}

void pool_foot_draw(const struct app *a, struct canvas *c, struct area area)
{
	int space = pool_foot_space_of(a, area);
	struct doc d;

	if (!has_foot(a, space))
		return;
	doc_init(&d, area.width - 2, c->ascii);
	pool_foot_fill(a, &d, space);
	doc_draw(&d, c, area.x + 1, area.y + area.height - space, area.width - 2, space, 0);
	doc_free(&d);
}

bool pool_foot_charts(const struct app *a)
{
	struct area area = app_view_area(a);
	int space = pool_foot_space_of(a, area);
	struct doc d;
	bool shown;

	if (!has_foot(a, space) || pane_modal(a))
		return false;
	doc_init(&d, area.width - 2, a->ascii);
	shown = pool_foot_fill(a, &d, space);
	doc_free(&d);
	return shown;
}
