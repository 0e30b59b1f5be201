/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/sim_rank.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/overlay.h"
#include "core/queue/jobs.h"
#include "core/share/decay.h"
#include "core/share/decay_policy.h"

struct sim_rank {
	const struct cluster *c;
	struct model *model;		/* initial model; shared where values do not change */
	struct jobs *jobs;
	struct overlay *overlay;	/* its usage and time are overwritten */
	struct cluster_meta *meta;
	double *seen;			/* usage of associations as the overlay has it */
	double *usage;			/* the actual usage */
	bool late;			/* a pass does not see all that it adds */
	int64_t period, half_life, last;	/* s; the last pass */
	int64_t ranked;				/* the pass that priorities date from */
};

/* By the next pass slurmctld will have tried the pending jobs. */
static void sim_rank_count_whole_nodes(struct sim_rank *r)
{
	const struct job_index *x = r->jobs->index;
	double *sizes = r->jobs->prio->factor[PRIO_JOBSIZE];

	for (uint32_t e = 0; sizes && e < x->n; e++) {
		uint32_t cpus = job_index_whole(x, e);

		if (cpus != U32_UNKNOWN)
			sizes[e] = prio_size(&r->jobs->input, e, cpus);
	}
}

/* As reported; else by the rhythm since slurmctld's start, which is a second or so off. */
static int64_t sim_rank_last_pass(const struct sim_rank *r, const struct site *s)
{
	int64_t reported = cluster_meta(s->c)->last_decay;

	if (reported != I64_UNKNOWN && reported <= s->now && reported > s->now - r->period)
		return reported;
	return s->now - (s->now - s->boot) % r->period;
}

struct sim_rank *sim_rank_new(const struct site *s)
{
	static const struct model_options options = MODEL_OPTIONS_DEFAULT;
	struct sim_rank *r = mem_zalloc(1, sizeof(*r));
	struct model_options from_usage = options;
	struct err err = { .code = ERR_NONE };

	from_usage.base = FS_BASE_USAGE;
	r->c = s->c;
	r->period = decay_period(s->c);
	r->half_life = decay_half_life(s->c);
	if (strcmp(s->policy->type, "priority/multifactor") == 0 &&
	    r->period != I64_UNKNOWN && r->period > 0)
		r->model = model_new(s->c, &from_usage, &err);
	if (!r->model) {
		mem_free(r);
		return NULL;
	}
	r->jobs = jobs_new(r->model, NULL);
	sim_rank_count_whole_nodes(r);
	r->overlay = overlay_over(s->c);
	r->seen = overlay_f64(r->overlay, F_ASSOC_USAGE);
	r->usage = mem_alloc(cluster_rows(s->c, TABLE_ASSOC) + (size_t)1, sizeof(*r->usage));
	for (uint32_t a = 0; a < cluster_rows(s->c, TABLE_ASSOC); a++)
		r->usage[a] = r->seen[a];
	r->late = r->model->algo->id == FS_CLASSIC || r->model->algo->id == FS_DEPTH_OBLIVIOUS;
	r->meta = overlay_meta(r->overlay);
	r->last = r->ranked = sim_rank_last_pass(r, s);
	return r;
}

void sim_rank_free(struct sim_rank *r)
{
	if (!r)
		return;
	cluster_free(overlay_seal(r->overlay));
	jobs_free(r->jobs);
	model_free(r->model);
	mem_free(r->usage);
	mem_free(r);
}

/* ---- usage --------------------------------------------------------------------------------- */

/* The factor on its billing: an exclusive job begun here is billed for all CPUs of its nodes. */
static double times_asked(const struct site_job *job)
{
	uint32_t cpus = 0;

	for (uint32_t k = 0; k < job->share_count; k++)
		cpus += job->shares[k].cpus;
	return job->exclusive && job->place > 0 && job->cpus > 0 ? (double)cpus / job->cpus : 1;
}

static double sim_rank_billing_of(const struct cluster *c, uint32_t row)
{
	double billing = cluster_f64(c, F_JOB_BILLING, row);
	struct tres_list list = cluster_tres(c, F_JOB_TRES, row);
	uint32_t tres = cluster_find_tres(c, "billing");

	for (uint32_t i = 0; !f64_known(billing) && i < list.count; i++) {
		if (list.items[i].tres == tres)
			billing = list.items[i].count;
	}
	return f64_known(billing) ? billing : 0;
}

/* Charges JOB from the last pass, or its start, up to TO. */
static void sim_rank_charge(struct sim_rank *r, const struct site_job *job, int64_t to)
{
	const uint32_t *parent = cluster_parent(r->c);
	int64_t from = job->start > r->last ? job->start : r->last;
	double factor = job->qos == ROW_NONE ? 1 : cluster_f64(r->c, F_QOS_USAGE_FACTOR, job->qos);
	double billing = sim_rank_billing_of(r->c, job->row) * times_asked(job), used = 0;

	if (to > from)
		used = decay_charge(r->half_life, to - from, billing,
				    f64_known(factor) ? factor : 1);
	for (uint32_t a = job->assoc; a != ROW_NONE; a = parent[a])
		r->usage[a] += used;
}

static int by_id(const void *a, const void *b)
{
	const struct site_job *x = *(const struct site_job *const *)a;
	const struct site_job *y = *(const struct site_job *const *)b;

	return (x->id > y->id) - (x->id < y->id);
}

/* The root association above A. */
static uint32_t sim_rank_top_of(const struct sim_rank *r, uint32_t a)
{
	while (cluster_parent(r->c)[a] != ROW_NONE)
		a = cluster_parent(r->c)[a];
	return a;
}

static double sim_rank_part_of(double usage, double all)
{
	return all > 0 ? usage / all : 0;
}

/*
 * Charges running jobs up to TO. Fractions of all usage are those at the time slurmctld reads them:
 * for accounts before the pass, so one pass late; for a user at the first pending job, including
 * what jobs with lower IDs have added by then. Source: _decay_thread(), _set_children_usage_efctv()
 * and _get_fairshare_priority() of priority/multifactor, 22.05.
 */
static void add_seen_late(struct sim_rank *r, const struct site *s, int64_t to)
{
	const struct site_job **jobs = mem_alloc(s->job_count + 1, sizeof(const struct site_job *));
	uint32_t assocs = cluster_rows(r->c, TABLE_ASSOC);
	bool *asked = mem_zalloc((size_t)assocs + 1, sizeof(*asked));
	size_t n = 0;

	for (uint32_t a = 0; a < assocs; a++)
		r->seen[a] = sim_rank_part_of(r->usage[a], r->usage[sim_rank_top_of(r, a)]);
	for (size_t i = 0; i < s->job_count; i++) {
		if (s->jobs[i].state == SITE_RUNS || s->jobs[i].state == SITE_WAITS)
			jobs[n++] = &s->jobs[i];
	}
	qsort(jobs, n, sizeof(*jobs), by_id);
	for (size_t i = 0; i < n; i++) {
		uint32_t a = jobs[i]->assoc;

		if (jobs[i]->state == SITE_RUNS) {
			sim_rank_charge(r, jobs[i], to);
		} else if (a != ROW_NONE && !asked[a]) {
			asked[a] = true;
			r->seen[a] = sim_rank_part_of(r->usage[a], r->usage[sim_rank_top_of(r, a)]);
		}
	}
	for (uint32_t a = 0; a < assocs; a++)
		r->seen[a] *= r->usage[sim_rank_top_of(r, a)];
	mem_free(jobs);
	mem_free(asked);
}

/* The same with Fair Tree, which adds everything before it reads, so that no order matters. */
static void add_seen(struct sim_rank *r, const struct site *s, int64_t to)
{
	for (size_t i = 0; i < s->job_count; i++) {
		if (s->jobs[i].state == SITE_RUNS)
			sim_rank_charge(r, &s->jobs[i], to);
	}
	for (uint32_t a = 0; a < cluster_rows(r->c, TABLE_ASSOC); a++)
		r->seen[a] = r->usage[a];
}

static void sim_rank_pass(struct sim_rank *r, const struct site *s)
{
	double left = decay_over(r->half_life, r->period);

	for (uint32_t a = 0; a < cluster_rows(r->c, TABLE_ASSOC); a++)
		r->usage[a] *= left;
	(r->late ? add_seen_late : add_seen)(r, s, r->last + r->period);
	r->last += r->period;
}

void sim_rank_ended(struct sim_rank *r, const struct site *s, const struct site_job *job)
{
	if (!r)
		return;
	while (r->last + r->period <= job->end)
		sim_rank_pass(r, s);
	sim_rank_charge(r, job, job->end);
}

/* ---- priorities ---------------------------------------------------------------------------- */

static void sim_rank_jobs(struct sim_rank *r, struct site *s)
{
	struct model later = *r->model;
	struct jobs *jobs;

	r->meta->last_decay = r->last;
	r->meta->time = r->last;
	r->ranked = r->last;
	later.cluster = overlay_cluster(r->overlay);
	later.input.cluster = later.cluster;
	later.fs = fs_run(later.algo, &later.input);
	jobs = jobs_over(&later, r->jobs);
	for (size_t i = 0; i < s->job_count; i++) {
		struct site_job *job = &s->jobs[i];
		uint32_t priority = jobs->prio->priority[job->entry];

		if (job->state == SITE_WAITS && job->priority > 0 && priority != U32_UNKNOWN)
			job->priority = priority;
	}
	jobs_free(jobs);
	fs_result_free(later.fs);
	site_sort(s);
}

void sim_rank_catch_up(struct sim_rank *r, struct site *s)
{
	if (!r)
		return;
	while (r->last + r->period <= s->now)
		sim_rank_pass(r, s);
	if (r->ranked < r->last)
		sim_rank_jobs(r, s);
}
