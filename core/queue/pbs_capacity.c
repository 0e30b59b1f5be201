/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/pbs_capacity.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/queue/pbs_asked.h"

/* ---- changes --------------------------------------------------------------------------------- */

static bool pbs_capacity_is_before(const struct pbs_change *a, const struct pbs_change *b)
{
	return a->time != b->time ? a->time < b->time : a->amount > b->amount;
}

/* Inserts change number N by time. */
static void queue_change(struct pbs_capacity *r, uint32_t n)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (pbs_capacity_is_before(&r->changes[n], &r->changes[r->queue[middle]]))
			high = middle;
		else
			low = middle + 1;
	}
	MEM_GROW(r->queue, r->queue_capacity, r->count);
	memmove(r->queue + low + 1, r->queue + low, (n - low) * sizeof(*r->queue));
	r->queue[low] = n;
}

static void pbs_capacity_add_change(struct pbs_capacity *r, int64_t time, uint32_t node,
				    uint32_t column, double amount)
{
	uint32_t *at = &r->first[node], n = (uint32_t)r->count;

	if (!r->plans)
		return;
	MEM_GROW(r->changes, r->capacity, r->count + 1);
	r->changes[n] = (struct pbs_change){ time, node, column, ROW_NONE, amount };
	r->count++;
	while (*at != ROW_NONE && !pbs_capacity_is_before(&r->changes[n], &r->changes[*at]))
		at = &r->changes[*at].next;
	r->changes[n].next = *at;
	*at = n;
	queue_change(r, n);
}

/* COUNTED: already subtracted from what is left now. */
static void pbs_capacity_use(struct pbs_capacity *r, const struct pbs_taken *t, int64_t from,
			     int64_t to, bool counted)
{
	if (from > r->now)
		pbs_capacity_add_change(r, from, t->node, t->column, -t->amount);
	else if (!counted)
		r->left[(size_t)t->node * r->columns + t->column] -= t->amount;
	pbs_capacity_add_change(r, to, t->node, t->column, t->amount);
}

/* Uses "(n1:ncpus=4:mem=1gb+n2:ncpus=2)+(n1:ncpus=1)" of a running job or a reservation. */
static void use_all(struct pbs_capacity *r, const char *at, const char *place, int64_t from,
		    int64_t to)
{
	for (; at && *at; at += strcspn(at, "+"), at += *at == '+') {
		const char *name = at + strspn(at, "("), *text = name + strcspn(name, ":+)");
		uint32_t node = pbs_vnode_named(r->v, name, (size_t)(text - name));
		struct pbs_item item;

		if (node == r->v->n)
			continue;
		pbs_capacity_use(r, &(struct pbs_taken){ node, r->jobs, 1 }, from, to, false);
		if (place && strstr(place, "excl"))
			pbs_capacity_use(r, &(struct pbs_taken){ node, r->excl, 1 }, from, to,
					 false);
		for (text += *text == ':'; pbs_item_next(r->v->c, &text, &item);) {
			if (item.tres != ROW_NONE)
				pbs_capacity_use(r, &(struct pbs_taken){ node, item.tres,
						 item.amount }, from, to, true);
		}
	}
}

/* Future reservations; those that have begun show in the state of their vnodes. */
static void use_reservations(struct pbs_capacity *r)
{
	const struct cluster *c = r->v->c;

	for (uint32_t row = 0; row < cluster_rows(c, TABLE_RESERVATION); row++) {
		int64_t start = cluster_i64(c, F_RESERVATION_START, row);
		int64_t end = cluster_i64(c, F_RESERVATION_END, row);
		struct text_list flags = cluster_list(c, F_RESERVATION_FLAGS, row);

		if (start == I64_UNKNOWN || end == I64_UNKNOWN || start <= r->now)
			continue;
		r->plans = true;
		use_all(r, cluster_text(c, F_RESERVATION_NODE_LIST, row),
			flags.count > 0 ? cluster_string(c, flags.texts[0]) : NULL, start, end);
	}
}

static void use_jobs(struct pbs_capacity *r)
{
	const struct cluster *c = r->v->c;

	for (uint32_t job = 0; job < cluster_rows(c, TABLE_JOB); job++) {
		const char *state = cluster_text(c, F_JOB_STATE, job);

		if (state && strcmp(state, "RUNNING") == 0)
			use_all(r, cluster_text(c, F_JOB_EXEC_VNODE, job),
				cluster_text(c, F_JOB_PLACE, job), r->now,
				pbs_job_end(c, job, r->now));
	}
}

/* ---- the whole ------------------------------------------------------------------------------- */

void pbs_capacity_open(struct pbs_capacity *r, const struct pbs_vnodes *v, bool plans)
{
	uint32_t columns = v->columns + 2;
	size_t cells = (size_t)v->n * columns;
	int64_t now = cluster_meta(v->c)->time;

	*r = (struct pbs_capacity){ .v = v, .columns = columns, .jobs = v->columns,
				.excl = v->columns + 1, .plans = plans,
				.now = now == I64_UNKNOWN ? 0 : now };
	r->left = mem_zalloc(cells, sizeof(*r->left));
	r->at_first = mem_alloc(cells, sizeof(*r->at_first));
	r->later = mem_alloc(cells, sizeof(*r->later));
	r->freed = mem_zalloc(v->n, sizeof(*r->freed));
	r->has = mem_alloc(cells, sizeof(*r->has));
	r->least = mem_alloc(cells, sizeof(*r->least));
	r->scratch = mem_alloc(columns, sizeof(*r->scratch));
	r->seen = mem_zalloc(v->n, sizeof(*r->seen));
	r->first = mem_alloc(v->n, sizeof(*r->first));
	for (uint32_t n = 0; n < v->n; n++) {
		struct tres_list used = cluster_tres(v->c, F_HOST_TRES_USED, n);
		double *left = r->left + (size_t)n * columns;

		memcpy(left, v->has + (size_t)n * v->columns, v->columns * sizeof(*left));
		for (uint32_t i = 0; i < used.count; i++)
			left[used.items[i].tres] -= used.items[i].count;
		r->first[n] = ROW_NONE;
	}
	use_reservations(r);
	use_jobs(r);
	memcpy(r->at_first, r->left, cells * sizeof(*r->at_first));
}

void pbs_capacity_free(struct pbs_capacity *r)
{
	MEM_FREE(r->left, r->at_first, r->changes, r->queue, r->first, r->later, r->freed, r->seen,
		 r->has, r->least, r->scratch, r->taken);
}

void pbs_capacity_to_now(struct pbs_capacity *r)
{
	memcpy(r->later, r->left, (size_t)r->v->n * r->columns * sizeof(*r->later));
	memset(r->freed, 0, r->v->n * sizeof(*r->freed));
}

size_t pbs_capacity_to(struct pbs_capacity *r, size_t at, int64_t time)
{
	for (; at < r->count && r->changes[r->queue[at]].time <= time; at++) {
		const struct pbs_change *x = &r->changes[r->queue[at]];

		r->later[(size_t)x->node * r->columns + x->column] += x->amount;
		r->freed[x->node] = r->freed[x->node] || (x->column == r->jobs && x->amount > 0);
	}
	return at;
}

bool pbs_capacity_next(struct pbs_capacity *r, size_t *at)
{
	while (*at < r->count && r->changes[r->queue[*at]].amount <= 0)
		*at = pbs_capacity_to(r, *at, r->changes[r->queue[*at]].time);
	return *at < r->count;
}

/* ---- a try ----------------------------------------------------------------------------------- */

void pbs_capacity_try(struct pbs_capacity *r, bool later, int64_t from, int64_t length)
{
	r->base = later ? r->later : r->left;
	r->from = later ? from : INT64_MIN;
	r->until = from + length;
	r->number++;
	r->taken_count = 0;
}

static void pbs_capacity_look(struct pbs_capacity *r, uint32_t vnode)
{
	size_t cell = (size_t)vnode * r->columns, size = r->columns * sizeof(*r->has);
	uint32_t n = r->first[vnode];

	if (r->seen[vnode] == r->number)
		return;
	r->seen[vnode] = r->number;
	memcpy(r->has + cell, r->base + cell, size);
	memcpy(r->least + cell, r->base + cell, size);
	memcpy(r->scratch, r->base + cell, size);
	for (; n != ROW_NONE && r->changes[n].time < r->until; n = r->changes[n].next) {
		uint32_t column = r->changes[n].column;

		if (r->changes[n].time <= r->from)
			continue;
		r->scratch[column] += r->changes[n].amount;
		if (r->scratch[column] < r->least[cell + column])
			r->least[cell + column] = r->scratch[column];
	}
}

const double *pbs_capacity_has(struct pbs_capacity *r, uint32_t vnode)
{
	pbs_capacity_look(r, vnode);
	return r->has + (size_t)vnode * r->columns;
}

const double *pbs_capacity_least(struct pbs_capacity *r, uint32_t vnode)
{
	pbs_capacity_look(r, vnode);
	return r->least + (size_t)vnode * r->columns;
}

void pbs_capacity_take(struct pbs_capacity *r, uint32_t vnode, uint32_t column, double amount)
{
	size_t cell = (size_t)vnode * r->columns + column;

	pbs_capacity_look(r, vnode);
	r->has[cell] -= amount;
	r->least[cell] -= amount;
	MEM_GROW(r->taken, r->taken_capacity, r->taken_count + 1);
	r->taken[r->taken_count++] = (struct pbs_taken){ vnode, column, amount };
}

void pbs_capacity_undo(struct pbs_capacity *r, size_t count)
{
	while (r->taken_count > count) {
		const struct pbs_taken *t = &r->taken[--r->taken_count];
		size_t cell = (size_t)t->node * r->columns + t->column;

		r->has[cell] += t->amount;
		r->least[cell] += t->amount;
	}
}

void pbs_capacity_keep(struct pbs_capacity *r)
{
	int64_t from = r->from == INT64_MIN ? r->now : r->from;

	for (size_t i = 0; i < r->taken_count; i++)
		pbs_capacity_use(r, &r->taken[i], from, r->until, false);
}
