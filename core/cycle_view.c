/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scheduling cycle over the waiting jobs of a picture. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/classes_view.h"
#include "core/mem.h"

static double count_of(struct tres_list list, uint32_t tres)
{
	for (uint32_t i = 0; i < list.count; i++) {
		if (list.items[i].tres == tres)
			return list.items[i].count;
	}
	return 0;
}

/* What the hosts have and do not use. TRES that no host has are never short. */
static void count_free(struct cycle_result *r)
{
	const struct cluster *c = r->data->jobs->model->cluster;
	uint32_t n = cluster_rows(c, TABLE_TRES);

	for (uint32_t t = 0; t < n; t++) {
		double sum = 0;
		bool any = false;

		for (uint32_t h = 0; h < cluster_rows(c, TABLE_HOST); h++) {
			struct tres_list has = cluster_tres(c, F_HOST_TRES, h);

			any = any || count_of(has, t) > 0;
			sum += count_of(has, t) - count_of(cluster_tres(c, F_HOST_TRES_USED, h), t);
		}
		r->free[t] = any ? sum : HUGE_VAL;
		(void)snprintf(r->reasons[t], sizeof(r->reasons[t]),
			       "Insufficient amount of resource: %.60s", cluster_tres_name(c, t));
	}
}

static const char *start(void *context, uint32_t job)
{
	struct cycle_result *r = context;
	const struct cluster *c = r->data->jobs->model->cluster;
	struct tres_list list =
		cluster_tres(c, F_JOB_TRES, r->data->set->job[r->jobs[job]]);

	for (uint32_t i = 0; i < list.count; i++) {
		if (list.items[i].count > r->free[list.items[i].tres])
			return r->reasons[list.items[i].tres];
	}
	for (uint32_t i = 0; i < list.count; i++)
		r->free[list.items[i].tres] -= list.items[i].count;
	return NULL;
}

struct cycle_result *cycle_of(const struct classes_data *d, bool enabled, uint32_t backfill_depth)
{
	struct cycle_result *r = mem_zalloc(1, sizeof(*r));
	uint32_t tres = cluster_rows(d->jobs->model->cluster, TABLE_TRES), n = 0;

	r->data = d;
	r->jobs = mem_alloc(d->set->jobs, sizeof(*r->jobs));
	r->order = mem_alloc(d->set->jobs, sizeof(*r->order));
	r->class_of = mem_alloc(d->set->jobs, sizeof(*r->class_of));
	r->free = mem_alloc(tres, sizeof(*r->free));
	r->reasons = mem_alloc(tres, sizeof(*r->reasons));
	count_free(r);
	for (uint32_t i = 0; i < d->set->jobs; i++) {
		if (d->rank[d->order[i]] == U32_UNKNOWN)
			continue;
		r->jobs[n] = d->order[i];
		r->order[n] = n;
		r->class_of[n] = d->classes->class_of[d->order[i]];
		n++;
	}
	r->input = (struct cycle_input){ .jobs = n, .order = r->order, .class_of = r->class_of,
					 .classes = d->classes->count, .enabled = enabled,
					 .backfill_depth = backfill_depth, .start = start,
					 .context = r };
	r->cycle = cycle_run(&r->input);
	return r;
}

void cycle_result_free(struct cycle_result *r)
{
	if (!r)
		return;
	cycle_free(r->cycle);
	mem_free(r->jobs);
	mem_free(r->order);
	mem_free(r->class_of);
	mem_free(r->free);
	mem_free(r->reasons);
	mem_free(r);
}
