/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scheduling cycle over the waiting jobs of a picture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cluster/host_state.h"
#include "core/pools/cycle_view.h"
#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/queue/pbs_place.h"

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

	return d->set->rules != CLASS_OPENPBS || !*line || word_listed(line, name, strlen(name));
}

/* Beyond the hosts: counted elsewhere, or not at all. */
static bool is_of_hosts(const struct classes_data *d, const char *name)
{
	static const char *const others[] = { "billing", "energy", "vmem", "pages", "license/",
					      "bb/", "fs/", "ic/" };
	size_t i = 0, n = sizeof(others) / sizeof(others[0]);

	while (i < n && strncmp(name, others[i], strlen(others[i])) != 0)
		i++;
	return i == n && is_looked_at(d, name);
}

/* Of "name=4" in a list of the server; OTHERWISE if there is none. */
static double server_amount(const struct cluster *c, enum field field, const char *name,
			    double otherwise)
{
	struct text_list list = { NULL, 0 };
	size_t length = strlen(name);

	if (cluster_rows(c, TABLE_SERVER) > 0)
		list = cluster_list(c, field, 0);
	for (uint32_t i = 0; i < list.count; i++) {
		const char *item = cluster_string(c, list.texts[i]);
		char *end;
		double amount;

		if (strncmp(item, name, length) != 0 || item[length] != '=')
			continue;
		amount = strtod(item + length + 1, &end);
		if (end != item + length + 1 && *end == '\0')
			return amount;
	}
	return otherwise;
}

/* What the server has left for all jobs together; endless if it has no amount of it. */
static double server_free(const struct cluster *c, const char *name)
{
	return server_amount(c, F_SERVER_RESOURCES_AVAILABLE, name, HUGE_VAL) -
	       server_amount(c, F_SERVER_RESOURCES_ASSIGNED, name, 0);
}

/* What the usable hosts have and do not use. */
static void count_free(struct cycle_result *r)
{
	const struct cluster *c = r->data->jobs->model->cluster;
	uint32_t n = cluster_rows(c, TABLE_TRES), node = cluster_find_tres(c, "node");

	for (uint32_t t = 0; t < n; t++) {
		const char *name = resource_name(c, t);

		for (uint32_t h = 0; h < r->hosts; h++) {
			double has = t == node ? 1 : count_of(cluster_tres(c, F_HOST_TRES, h), t);

			r->total[t] += has;
			if (t != node)
				has -= count_of(cluster_tres(c, F_HOST_TRES_USED, h), t);
			r->free[t] += host_usable(c, h) ? has : 0;
		}
		if (r->blind || !is_of_hosts(r->data, name))
			r->free[t] = r->total[t] = HUGE_VAL;
		(void)snprintf(r->reasons[t], sizeof(r->reasons[t]),
			       "Insufficient amount of resource: %.60s", name);
	}
}

/*
 * Is it asked for in a chunk of the select, and so of a host? What PBS's jobs ask for beyond that
 * is the server's, and endless where that has no amount of it.
 */
static bool is_in_chunk(const struct cluster *c, uint32_t job, const char *name)
{
	const char *select = cluster_text(c, F_JOB_SCHEDSELECT, job);
	size_t length = strlen(name);

	select = select ? select : cluster_text(c, F_JOB_SELECT, job);
	for (const char *at = select; at && (at = strstr(at, name)); at += length) {
		if (at[length] == '=' && (at == select || at[-1] == ':' || at[-1] == '+'))
			return true;
	}
	return false;
}

/* The resource that is short for JOB of ROOM, a number per TRES; ROW_NONE. */
static uint32_t short_of(const struct cycle_result *r, uint32_t row, const double *room)
{
	const struct cluster *c = r->data->jobs->model->cluster;
	struct tres_list list = cluster_tres(c, F_JOB_TRES, row);
	bool is_pbs = strcmp(cluster_meta(c)->kind, "pbs") == 0;

	for (uint32_t i = 0; i < list.count; i++) {
		uint32_t t = list.items[i].tres;
		const char *name = resource_name(c, t);
		double has = room[t];

		if (is_pbs && r->total[t] == 0 && !is_in_chunk(c, row, name))
			has = server_free(c, name) - r->taken[t];
		if (list.items[i].count > has)
			return t;
	}
	return ROW_NONE;
}

static const char *start(void *context, uint32_t job)
{
	struct cycle_result *r = context;
	const struct cluster *c = r->data->jobs->model->cluster;
	uint32_t row = r->data->set->job[r->jobs[job]], t = short_of(r, row, r->free);
	struct tres_list list = cluster_tres(c, F_JOB_TRES, row);
	const char *why;

	if (t != ROW_NONE)
		return r->reasons[t];
	if (r->place && (why = pbs_place_start(r->place, row)))
		return why;
	for (uint32_t i = 0; i < list.count; i++) {
		/* Nodes are shared. */
		if (list.items[i].tres == cluster_find_tres(c, "node"))
			continue;
		r->free[list.items[i].tres] -= list.items[i].count;
		r->taken[list.items[i].tres] += list.items[i].count;
	}
	return NULL;
}

/* Does no amount of hosts have enough, or no time? */
static bool plan(void *context, uint32_t job)
{
	struct cycle_result *r = context;
	uint32_t row = r->data->set->job[r->jobs[job]];

	return short_of(r, row, r->total) == ROW_NONE &&
	       (!r->place || pbs_place_plan(r->place, row));
}

/* What is left is sorted anew by the usage that it has now: numbers of jobs by way of entries. */
static void sort_again(void *context, uint32_t place)
{
	struct cycle_result *r = context;
	uint32_t n = r->input.jobs - place - 1, *rest = r->order + place + 1;
	uint32_t *entries = mem_alloc(n, sizeof(*entries));
	uint32_t *job_of = mem_alloc(r->data->jobs->index->n, sizeof(*job_of));

	pbs_cycle_charge(r->within, r->entry[r->order[place]]);
	for (uint32_t i = 0; i < n; i++) {
		entries[i] = r->entry[rest[i]];
		job_of[entries[i]] = rest[i];
	}
	pbs_cycle_sort(r->within, entries, n);
	for (uint32_t i = 0; i < n; i++)
		rest[i] = job_of[entries[i]];
	mem_free(job_of);
	mem_free(entries);
}

static struct pbs_place *place_of(const struct cycle_result *r)
{
	const struct cluster *c = r->data->jobs->model->cluster;

	if (r->blind || policy_scheduler_of(cluster_meta(c)->kind) != POLICY_OF_PBS)
		return NULL;
	return pbs_place_new(c, r->data->set->rules == CLASS_OPENPBS ?
			     cluster_policy(c)->resources : NULL,
			     r->input.backfill_depth > 0);
}

static void run_cycle(struct cycle_result *r)
{
	const struct jobs *j = r->data->jobs;
	uint32_t *entry_of = mem_zalloc(cluster_rows(j->index->cluster, TABLE_JOB),
					sizeof(*entry_of));

	for (uint32_t e = 0; e < j->index->n; e++)
		entry_of[j->index->job[e]] = e;
	for (uint32_t i = 0; i < r->input.jobs; i++)
		r->entry[i] = entry_of[r->data->set->job[r->jobs[i]]];
	mem_free(entry_of);
	r->place = place_of(r);
	r->within = j->pbs && !r->blind ? pbs_cycle_new(j->pbs) : NULL;
	r->input.placed = r->within ? sort_again : NULL;
	r->cycle = cycle_run(&r->input);
	pbs_place_free(r->place);
	r->place = NULL;
	pbs_cycle_free(r->within);
	r->within = NULL;
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
	r->hosts = cluster_rows(d->jobs->model->cluster, TABLE_HOST);
	r->usable = hosts_usable(d->jobs->model->cluster);
	r->blind = r->hosts == 0;
	r->jobs = mem_alloc(d->set->jobs, sizeof(*r->jobs));
	r->order = mem_alloc(d->set->jobs, sizeof(*r->order));
	r->class_of = mem_alloc(d->set->jobs, sizeof(*r->class_of));
	r->entry = mem_alloc(d->set->jobs, sizeof(*r->entry));
	r->free = mem_zalloc(tres, sizeof(*r->free));
	r->total = mem_zalloc(tres, sizeof(*r->total));
	r->taken = mem_zalloc(tres, sizeof(*r->taken));
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
					 .plan = plan, .context = r };
	run_cycle(r);
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
	mem_free(r->entry);
	mem_free(r->free);
	mem_free(r->total);
	mem_free(r->taken);
	mem_free(r->reasons);
	mem_free(r);
}

uint32_t cycle_depth(const struct cluster *c)
{
	const struct policy *policy = cluster_policy(c);

	return policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_PBS &&
	       policy->strict_ordering ? policy->backfill_depth : 0;
}

struct cycle_saving cycle_saving_of(const struct classes_data *d)
{
	uint32_t depth = cycle_depth(d->jobs->model->cluster);
	struct cycle_result *with = cycle_of(d, true, depth), *without = cycle_of(d, false, depth);
	struct cycle_saving saving = { with->input.jobs, with->cycle->considered,
				       without->cycle->considered, with->blind };

	cycle_result_free(with);
	cycle_result_free(without);
	return saving;
}
