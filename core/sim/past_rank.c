/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/overlay.h"
#include "core/share/decay.h"
#include "core/share/decay_policy.h"
#include "core/share/model.h"
#include "core/sim/passes.h"
#include "core/sim/past_cluster.h"

#define SCALE_LEAST 1e-100	/* below this, usage is rescaled to scale 1 */

struct past_rank {
	const struct past *p;
	const struct sim_machine *m;
	const struct policy *policy;
	struct model *model;
	struct overlay *overlay;	/* its usage is overwritten */
	double *usage;			/* its column, including all below */
	double *own;			/* own charges, over SCALE */
	double scale, left;		/* LEFT: fraction of usage left after a period */
	double whole;			/* what a rate of 1 adds in a period */
	int64_t period, half_life, last;
	uint32_t assocs;
};

/* Turns sums over subtrees into own values, or back. */
static void past_rank_sum_up(const struct past_rank *r, double *values, double sign)
{
	const uint32_t *parent = cluster_parent(r->p->c);

	for (uint32_t i = 0; i < r->assocs; i++) {
		uint32_t a = sign > 0 ? r->assocs - 1 - i : i;

		if (parent[a] != ROW_NONE)
			values[parent[a]] += sign * values[a];
	}
}

struct past_rank *past_rank_new(const struct past *p, const struct sim_machine *m)
{
	struct model_options options = MODEL_OPTIONS_DEFAULT;
	struct past_rank *r = mem_zalloc(1, sizeof(*r));
	int64_t boot = cluster_meta(p->c)->boot;
	struct err err = { .code = ERR_NONE };

	r->p = p;
	r->m = m;
	r->policy = cluster_policy(p->c);
	r->period = past_period(p->c);
	r->half_life = decay_half_life(p->c);
	r->last = boot == I64_UNKNOWN ? m->now :
		  passes_tick(boot, m->now, r->period) - r->period;
	r->scale = 1;
	r->left = decay_over(r->half_life, r->period);
	r->whole = decay_charge(r->half_life, r->period, 1, 1);
	r->assocs = cluster_rows(p->c, TABLE_ASSOC);
	options.base = FS_BASE_USAGE;
	r->model = r->assocs > 0 ? model_new(p->c, &options, &err) : NULL;	/* no accounting */
	if (!r->model)
		return r;
	r->overlay = overlay_over(p->c);
	r->usage = overlay_f64(r->overlay, F_ASSOC_USAGE);
	r->own = mem_alloc((size_t)r->assocs + 1, sizeof(*r->own));
	for (uint32_t a = 0; a < r->assocs; a++)
		r->own[a] = f64_known(r->usage[a]) ? r->usage[a] : 0;
	past_rank_sum_up(r, r->own, -1);
	r->model->input.cluster = overlay_cluster(r->overlay);
	return r;
}

void past_rank_free(struct past_rank *r)
{
	if (!r)
		return;
	if (r->overlay)
		cluster_free(overlay_seal(r->overlay));
	model_free(r->model);
	mem_free(r->own);
	mem_free(r);
}

/* ---- usage --------------------------------------------------------------------------------- */

/* Charges JOB from the last pass, or its start, up to TO. */
static void past_rank_charge(struct past_rank *r, uint32_t job, int64_t to)
{
	const struct past_job *j = &r->p->jobs[job];
	int64_t start = r->m->jobs[job].start, from = start > r->last ? start : r->last;
	double part = from == r->last && to - from == r->period ? r->whole :
		      to > from ? decay_charge(r->half_life, to - from, 1, 1) : 0;

	if (j->assoc != ROW_NONE && r->own)
		r->own[j->assoc] += j->rate * part / r->scale;
}

static void past_rank_rescale(struct past_rank *r)
{
	for (uint32_t a = 0; a < r->assocs && r->own; a++)
		r->own[a] *= r->scale;
	r->scale = 1;
}

/* Runs a pass. ENDED no longer runs but did until now; ROW_NONE: no such job. */
static void past_rank_pass(struct past_rank *r, uint32_t ended)
{
	r->scale *= r->left;
	if (r->scale < SCALE_LEAST)
		past_rank_rescale(r);
	for (size_t i = 0; i < r->m->running_count; i++)
		past_rank_charge(r, r->m->running[i], r->last + r->period);
	if (ended != ROW_NONE)
		past_rank_charge(r, ended, r->last + r->period);
	r->last += r->period;
}

int64_t past_rank_next(const struct past_rank *r)
{
	return r->last + r->period;
}

void past_rank_catch_up(struct past_rank *r)
{
	while (past_rank_next(r) <= r->m->now)
		past_rank_pass(r, ROW_NONE);
}

void past_rank_ended(struct past_rank *r, uint32_t job)
{
	while (past_rank_next(r) <= r->m->now)
		past_rank_pass(r, job);
	past_rank_charge(r, job, r->m->now);
}

/* ---- priorities ---------------------------------------------------------------------------- */

void past_rank_refresh(struct past_rank *r)
{
	if (!r->model || r->policy->weight[PRIO_FAIRSHARE] == 0)
		return;
	memcpy(r->usage, r->own, r->assocs * sizeof(*r->usage));
	past_rank_sum_up(r, r->usage, 1);
	fs_compute(r->model->algo, &r->model->input, r->model->fs);
}

/* Of Slurm's nine factors only age and fair share change. */
uint32_t past_rank_priority(const struct past_rank *r, uint32_t job)
{
	const struct past_job *j = &r->p->jobs[job];
	int64_t age = r->m->now - r->m->jobs[job].submit, most = r->policy->max_age;
	double sum = j->fixed, fairshare = 0;

	if (!policy_is_multifactor(r->policy))
		return 1;
	if (r->policy->weight[PRIO_AGE] > 0 && age > 0)
		sum += r->policy->weight[PRIO_AGE] * (age < most ? (double)age / (double)most : 1);
	if (r->model && j->assoc != ROW_NONE)
		fairshare = r->model->fs->fairshare[j->assoc];
	if (f64_known(fairshare))
		sum += r->policy->weight[PRIO_FAIRSHARE] * fairshare;
	return sum < 1 ? 1 : sum >= (double)UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
}
