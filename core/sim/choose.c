/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/choose.h"

#include <stdlib.h>

#include "core/base/mem.h"

/* A search: what is left to find, and the CPUs for the job by node, 0 where taken. */
struct choose_search {
	const struct site_job *job;
	const struct site_node *nodes;
	uint32_t *usable;
	uint32_t count;			/* number of nodes */
	uint32_t cpus;
	uint32_t least, wanted, most;	/* nodes: the minimum, wanted if available, the maximum */
	struct site_share *shares;
	uint32_t found;
};

/* A run of adjacent nodes. */
struct choose_row {
	uint32_t first, end, cpus;
	bool sufficient;
};

/*
 * For a job with GRES, returns the CPUs that its tasks on a node use, the most that a node then
 * offers; 0: unknown. Source: _select_cores() of cons_tres/job_test.c, and
 * gres_select_filter_sock_core(), 22.05.
 */
static uint32_t bound_by_gres(const struct site_job *job)
{
	uint32_t tasks = job->cpus / job->cpus_per_task;
	bool asks = false;

	for (uint32_t k = 0; k < SITE_GRES_KINDS; k++)
		asks |= job->gres[k] > 0;
	if (!asks || job->exclusive)
		return 0;
	if (tasks == 1 || (tasks == job->min_nodes && tasks == job->max_nodes))
		return job->cpus_per_task;
	return job->max_nodes == 1 ? job->cpus : 0;
}

static uint32_t usable_of(const struct site *s, const struct site_node *n,
			  const struct site_job *job)
{
	uint32_t cpus = n->free, need;

	if (job->exclusive && n->free < n->cpus)
		return 0;
	for (uint32_t k = 0; k < SITE_GRES_KINDS; k++) {
		if (n->free_gres[k] < job->gres[k])
			return 0;
	}
	if (s->counts_memory && job->memory > 0 && n->free_memory < job->memory * cpus)
		cpus = n->free_memory > 0 ? (uint32_t)(n->free_memory / job->memory) : 0;
	cpus -= cpus % job->cpus_per_task;
	need = job->tasks_per_node * job->cpus_per_task;
	need = need > 0 ? need : bound_by_gres(job);
	if (need > 0)
		return cpus >= need ? need : 0;
	return job->max_nodes == 1 && cpus < job->cpus ? 0 : cpus;
}

/* Finds the best remaining row; false if there is none. */
static bool best_row(const struct choose_search *f, struct choose_row *best)
{
	bool any = false;

	for (uint32_t i = 0; i < f->count;) {
		struct choose_row r = { .first = i };

		for (; i < f->count && f->usable[i] > 0; i++)
			r.cpus += f->usable[i];
		r.end = i++;
		if (r.end == r.first)
			continue;
		r.sufficient = r.cpus >= f->cpus && r.end - r.first >= f->least;
		if (!any || (r.sufficient && !best->sufficient) ||
		    (r.sufficient && r.cpus < best->cpus) ||
		    (!r.sufficient && !best->sufficient && r.cpus > best->cpus))
			*best = r;
		any = true;
	}
	return any;
}

static void choose_take(struct choose_search *f, uint32_t node)
{
	uint32_t later = f->least > 1 ? (f->least - 1) * f->job->cpus_per_task : 0;
	uint32_t most = f->cpus > later ? f->cpus - later : f->job->cpus_per_task;
	uint32_t cpus = f->usable[node] < most ? f->usable[node] : most;

	f->shares[f->found++] = (struct site_share){
		node, f->job->exclusive ? f->nodes[node].cpus : cpus };
	f->usable[node] = 0;
	f->cpus -= cpus < f->cpus ? cpus : f->cpus;
	f->least -= f->least > 0;
	f->wanted -= f->wanted > 0;
	f->most--;
}

/* The smallest node of R that holds all that is left; ROW_NONE: none does. */
static uint32_t single_node(const struct choose_search *f, const struct choose_row *r)
{
	uint32_t best = ROW_NONE;

	for (uint32_t i = r->first; i < r->end && f->wanted <= 1; i++) {
		if (f->usable[i] >= f->cpus && (best == ROW_NONE || f->usable[i] < f->usable[best]))
			best = i;
	}
	return best;
}

static bool wants_more(const struct choose_search *f)
{
	return (f->cpus > 0 || f->wanted > 0) && f->most > 0;
}

static bool choose_search(struct choose_search *f)
{
	struct choose_row r = { 0 };
	uint32_t node;

	f->cpus = f->job->cpus;
	f->least = f->job->min_nodes;
	f->wanted = f->job->wanted_nodes > f->least ? f->job->wanted_nodes : f->least;
	f->most = f->job->max_nodes;
	f->found = 0;
	while (wants_more(f) && best_row(f, &r)) {
		node = single_node(f, &r);
		if (node != ROW_NONE)
			choose_take(f, node);
		for (node = r.first; node < r.end && wants_more(f); node++)
			choose_take(f, node);
	}
	return f->cpus == 0 && f->least == 0;
}

/*
 * If the most nodes that a job may have are too small, leaves out those with the fewest CPUs, one
 * CPU more at each turn. Source: choose_nodes() of cons_tres/job_test.c, 22.05.
 */
static bool search_larger(struct choose_search *f, const uint32_t *usable)
{
	uint32_t left = 0, most = 0;

	for (uint32_t i = 0; i < f->count; i++) {
		left += usable[i] > 0;
		most = usable[i] > most ? usable[i] : most;
	}
	for (uint32_t few = 1; few < most && left > f->job->min_nodes; few++) {
		left = 0;
		for (uint32_t i = 0; i < f->count; i++) {
			f->usable[i] = usable[i] > few ? usable[i] : 0;
			left += f->usable[i] > 0;
		}
		if (choose_search(f))
			return true;
	}
	return false;
}

static int by_node(const void *a, const void *b)
{
	const struct site_share *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

uint32_t choose_nodes(const struct site *s, const struct site_node *nodes,
		      const struct site_job *job, const uint64_t *avail, struct site_share *shares)
{
	struct choose_search f = {
		.job = job, .nodes = nodes, .count = s->node_count, .shares = shares
	};
	uint32_t *usable = mem_zalloc((size_t)s->node_count + 1, sizeof(*usable));
	bool found;

	f.usable = mem_alloc((size_t)s->node_count + 1, sizeof(*f.usable));
	for (uint32_t i = 0; i < s->node_count; i++) {
		if (site_has(avail, i))
			usable[i] = usable_of(s, &nodes[i], job);
		f.usable[i] = usable[i];
	}
	found = choose_search(&f) || (f.most == 0 && search_larger(&f, usable));
	mem_free(f.usable);
	mem_free(usable);
	if (found && f.found > 1)
		qsort(shares, f.found, sizeof(*shares), by_node);
	return found ? f.found : 0;
}
