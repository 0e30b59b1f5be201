/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scheduling cycle over the waiting jobs of a picture. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/classes/class_values.h"
#include "core/classes/classes_view.h"
#include "core/base/mem.h"

static double count_of(struct tres_list list, uint32_t tres)
{
	for (uint32_t i = 0; i < list.count; i++) {
		if (list.items[i].tres == tres)
			return list.items[i].count;
	}
	return 0;
}

/* As the scheduler of the picture calls it. */
static const char *resource_name(const struct cluster *c, uint32_t tres)
{
	const char *name = cluster_tres_name(c, tres);

	return strcmp(cluster_meta(c)->kind, "pbs") == 0 && strcmp(name, "cpu") == 0 ? "ncpus"
										      : name;
}

/* OpenPBS looks at the resources of its resources: line only. */
static bool is_looked_at(const struct classes_data *d, const char *name)
{
	const char *line = cluster_policy(d->jobs->model->cluster)->resources;

	return d->set->rules != CLASS_OPENPBS || !*line || class_listed(line, name, strlen(name));
}

/* What the hosts have and do not use. TRES that no host has are never short. */
static void count_free(struct cycle_result *r)
{
	const struct cluster *c = r->data->jobs->model->cluster;
	uint32_t n = cluster_rows(c, TABLE_TRES);

	for (uint32_t t = 0; t < n; t++) {
		double sum = 0;
		bool any = false, counts = is_looked_at(r->data, resource_name(c, t));

		for (uint32_t h = 0; h < cluster_rows(c, TABLE_HOST); h++) {
			struct tres_list has = cluster_tres(c, F_HOST_TRES, h);

			any = any || count_of(has, t) > 0;
			sum += count_of(has, t) - count_of(cluster_tres(c, F_HOST_TRES_USED, h), t);
		}
		r->free[t] = any && counts ? sum : HUGE_VAL;
		(void)snprintf(r->reasons[t], sizeof(r->reasons[t]),
			       "Insufficient amount of resource: %.60s", resource_name(c, t));
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

/* Per row of the JOB table: PBS does not consider it as things are. */
static bool *stopped_jobs(const struct jobs *j)
{
	bool *stopped = mem_zalloc(cluster_rows(j->index->cluster, TABLE_JOB), sizeof(*stopped));

	for (uint32_t e = 0; j->pbs && e < j->index->n; e++)
		stopped[j->index->job[e]] = pbs_jobs_stopped(j->pbs, e) != NULL;
	return stopped;
}

struct cycle_result *cycle_of(const struct classes_data *d, bool enabled, uint32_t backfill_depth)
{
	struct cycle_result *r = mem_zalloc(1, sizeof(*r));
	uint32_t tres = cluster_rows(d->jobs->model->cluster, TABLE_TRES), n = 0;
	bool *stopped;

	r->data = d;
	r->blind = cluster_rows(d->jobs->model->cluster, TABLE_HOST) == 0;
	r->jobs = mem_alloc(d->set->jobs, sizeof(*r->jobs));
	r->order = mem_alloc(d->set->jobs, sizeof(*r->order));
	r->class_of = mem_alloc(d->set->jobs, sizeof(*r->class_of));
	r->free = mem_alloc(tres, sizeof(*r->free));
	r->reasons = mem_alloc(tres, sizeof(*r->reasons));
	count_free(r);
	stopped = stopped_jobs(d->jobs);
	for (uint32_t i = 0; i < d->set->jobs; i++) {
		if (d->rank[d->order[i]] == U32_UNKNOWN)
			continue;
		if (stopped[d->set->job[d->order[i]]]) {
			r->left_out++;
			continue;
		}
		r->jobs[n] = d->order[i];
		r->order[n] = n;
		r->class_of[n] = d->classes->class_of[d->order[i]];
		n++;
	}
	mem_free(stopped);
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

uint32_t cycle_depth(const struct cluster *c)
{
	return strcmp(cluster_meta(c)->kind, "pbs") == 0 ? cluster_policy(c)->backfill_depth : 0;
}

struct cycle_saving cycle_saving_of(const struct jobs *j, const struct class_choice *choice)
{
	struct class_choice grouped = { .rules = choice->rules, .exclude = choice->exclude };
	struct classes_data *d = classes_data_new(j, &grouped, NULL, 0);
	uint32_t depth = cycle_depth(j->model->cluster);
	struct cycle_result *with = cycle_of(d, true, depth), *without = cycle_of(d, false, depth);
	struct cycle_saving saving = { with->input.jobs, with->cycle->considered,
				       without->cycle->considered, with->blind };

	cycle_result_free(with);
	cycle_result_free(without);
	classes_data_free(d);
	return saving;
}
