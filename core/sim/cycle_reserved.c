/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/cycle_reserved.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/queue/job_index.h"
#include "core/queue/pbs_request.h"

struct cycle_reserved {
	const struct cluster *c;
	uint32_t columns;		/* TRES */
	double *left;			/* reservations times columns; infinite: no limit */
};

/* Reads "(n1:ncpus=4:mem=1gb+n2:ncpus=2)": resources named there are limited to the sum. */
static void cycle_reserved_add_nodes(const struct cycle_reserved *r, const char *at, double *left)
{
	for (; at && *at; at += strcspn(at, "+"), at += *at == '+') {
		const char *text = at + strcspn(at, ":+)");
		struct pbs_item item;

		for (text += *text == ':'; pbs_item_next(r->c, &text, &item);) {
			if (item.tres != ROW_NONE)
				left[item.tres] = (isinf(left[item.tres]) ? 0 : left[item.tres]) +
						  item.amount;
		}
	}
}

static double *cycle_reserved_left_of(const struct cycle_reserved *r, uint32_t job)
{
	uint32_t name = cluster_text_id(r->c, F_JOB_RESERVATION, job);
	uint32_t row = cluster_row_of(r->c, F_RESERVATION_NAME, name);

	return row == ROW_NONE || !cluster_text(r->c, F_RESERVATION_NODE_LIST, row) ?
		NULL : r->left + (size_t)row * r->columns;
}

struct cycle_reserved *cycle_reserved_new(const struct cluster *c)
{
	struct cycle_reserved *r = mem_zalloc(1, sizeof(*r));
	uint32_t n = cluster_rows(c, TABLE_RESERVATION);

	*r = (struct cycle_reserved){ .c = c, .columns = cluster_rows(c, TABLE_TRES) };
	r->left = mem_alloc((size_t)n * r->columns, sizeof(*r->left));
	for (size_t i = 0; i < (size_t)n * r->columns; i++)
		r->left[i] = HUGE_VAL;
	for (uint32_t row = 0; row < n; row++)
		cycle_reserved_add_nodes(r, cluster_text(c, F_RESERVATION_NODE_LIST, row),
					 r->left + (size_t)row * r->columns);
	for (uint32_t job = 0; job < cluster_rows(c, TABLE_JOB); job++) {
		const char *state = cluster_text(c, F_JOB_STATE, job);

		if (state && strcmp(state, "RUNNING") == 0 && job_is_reserved(c, job))
			cycle_reserved_take(r, job);
	}
	return r;
}

void cycle_reserved_free(struct cycle_reserved *r)
{
	if (!r)
		return;
	mem_free(r->left);
	mem_free(r);
}

bool cycle_reserved_reported(const struct cycle_reserved *r, uint32_t job)
{
	return cycle_reserved_left_of(r, job) != NULL;
}

uint32_t cycle_reserved_short(const struct cycle_reserved *r, uint32_t job)
{
	struct tres_list list = cluster_tres(r->c, F_JOB_TRES, job);
	const double *left = cycle_reserved_left_of(r, job);

	for (uint32_t i = 0; left && i < list.count; i++) {
		if (list.items[i].count > 0 && list.items[i].count > left[list.items[i].tres])
			return list.items[i].tres;
	}
	return ROW_NONE;
}

void cycle_reserved_take(struct cycle_reserved *r, uint32_t job)
{
	struct tres_list list = cluster_tres(r->c, F_JOB_TRES, job);
	double *left = cycle_reserved_left_of(r, job);

	for (uint32_t i = 0; left && i < list.count; i++)
		left[list.items[i].tres] -= list.items[i].count;
}
