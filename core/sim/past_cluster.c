/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/past_cluster.h"

#include "core/base/mem.h"
#include "core/cluster/cluster_copy.h"
#include "core/queue/priority.h"
#include "core/replay/wish.h"
#include "core/share/fairshare.h"
#include "core/share/decay_policy.h"
#include "core/sim/past_limits.h"
#include "core/sim/past_ready.h"

#define CHUNK 16384		/* jobs whose priorities are computed at once */
#define PASSES_MOST 50000000	/* decay passes: 475 years of one every five minutes */
#define PROCS_MOST (UINT32_C(1) << 24)	/* most that are modelled as nodes */

static const char slurm_not_played[] =
	"slurm and slurm-builtin are simulated without memory, GRES, licenses, features, "
	"reservations, down nodes and preemption; without nice, site and TRES terms of priority; "
	"with association and QOS limits on running jobs and their CPUs and nodes, without those "
	"on minutes, other TRES and submitted jobs; without limits of partitions (MaxTime, "
	"MaxNodes, QOS); with a recording's tasks per node, dependencies except singleton, array "
	"throttles, begin times, and holds as long as they lasted; without KillWait of jobs that "
	"ignored SIGTERM at their time limits, and without usage resets; the phases of "
	"PriorityCalcPeriod, of backfill and of the ticks at which time limits are checked count "
	"from the first submission where the start of slurmctld is unknown";

static const char pbs_not_played[] =
	"pbs is simulated on one pool of processors: without vnodes, chunks and placement, memory "
	"and resources other than ncpus and walltime, reservations, preemption and dedicated or "
	"prime time; without arrays as such, dependencies, holds, groups, projects and stopped "
	"queues; job_priority counts as 0, running jobs are charged by their processors where the "
	"recording does not report the charge";

const char *past_not_played(enum sim_policy policy)
{
	return policy == SIM_PBS ? pbs_not_played :
	       policy == SIM_SLURM || policy == SIM_SLURM_BUILTIN ? slurm_not_played : NULL;
}

const char *const *past_params(enum sim_policy policy)
{
	static const char *const slurm[] = {
		"SchedulerParameters", "PriorityWeightFairshare", "PriorityWeightAge",
		"PriorityWeightQOS", "PriorityWeightPartition", NULL,
	};
	static const char *const pbs[] = {
		"job_sort_formula", "fair_share", "job_sort_key", "by_queue", "strict_ordering",
		"backfill_depth", NULL,
	};

	return policy == SIM_PBS ? pbs : slurm;
}

/* ---- nodes and partitions ------------------------------------------------------------------ */

static void past_make_nodes(struct past *p, uint32_t procs)
{
	uint32_t hosts = p->unit ? 0 : cluster_rows(p->c, TABLE_HOST);

	p->node_count = p->unit ? procs : hosts;
	p->words = p->node_count / 64 + 1;
	p->nodes = mem_zalloc((size_t)p->node_count + 1, sizeof(*p->nodes));
	for (uint32_t i = 0; i < p->node_count; i++) {
		uint32_t cpus = p->unit ? 1 : cluster_u32(p->c, F_HOST_CPUS, i);

		p->nodes[i].cpus = p->nodes[i].free = cpus == U32_UNKNOWN ? 0 : cpus;
	}
}

/* A partition without known nodes has none: its jobs count as too large for it. */
static void make_places(struct past *p)
{
	uint32_t partitions = cluster_rows(p->c, TABLE_PARTITION);

	p->place_count = partitions + 1;
	p->places = mem_zalloc(p->place_count, sizeof(*p->places));
	for (uint32_t k = 0; k < p->place_count; k++) {
		struct past_place *place = &p->places[k];
		bool all = p->unit || k == partitions;
		uint32_t tier = k == partitions ? 1 : cluster_u32(p->c, F_PARTITION_TIER, k);

		place->tier = tier == U32_UNKNOWN ? 1 : tier;
		place->nodes = mem_zalloc(p->words, sizeof(*place->nodes));
		for (uint32_t i = 0; i < p->node_count; i++) {
			if (!all && !cluster_list_has(p->c, F_HOST_PARTITIONS, i,
						      cluster_text(p->c, F_PARTITION_NAME, k)))
				continue;
			site_put(place->nodes, i);
			place->cpus += p->nodes[i].cpus;
			place->count += p->nodes[i].cpus > 0;
		}
	}
}

/* ---- priorities ---------------------------------------------------------------------------- */

static void past_put_name(struct builder *b, enum field field, uint32_t row, const char *name)
{
	if (name)
		builder_str(b, field, row, name);
}

/* The minimum number of nodes; what the job got if the request is unknown. */
static uint32_t past_nodes_of(const struct replay_job *j, const struct wish *w)
{
	return w->nodes > 0 ? w->nodes : j->nodes == U32_UNKNOWN || j->nodes == 0 ? 1 : j->nodes;
}

uint32_t past_put_job(struct builder *b, const struct past *p, uint32_t i)
{
	struct replay *r = p->replay;
	const struct replay_job *j = replay_job(r, p->sim_log->source[i]);
	const struct sim_job *job = &p->sim_log->jobs[i];
	const struct wish *w = wish_get(r, j);
	uint32_t row = builder_add(b, TABLE_JOB);

	builder_u32(b, F_JOB_ID, row, row + 1);
	builder_str(b, F_JOB_STATE, row, "PENDING");
	past_put_name(b, F_JOB_USER, row, replay_user(r, j->assoc));
	past_put_name(b, F_JOB_ACCOUNT, row, replay_account(r, j->assoc));
	past_put_name(b, F_JOB_PARTITION, row, replay_word(r, j->partition));
	past_put_name(b, F_JOB_QOS, row, replay_word(r, j->qos));
	builder_u32(b, F_JOB_CPUS, row, w->cpus > 0 ? w->cpus : job->procs);
	builder_u32(b, F_JOB_MIN_NODES, row, past_nodes_of(j, w));
	builder_i64(b, F_JOB_TIME_LIMIT, row, job->estimate);
	/* No log has it. */
	builder_i64(b, F_JOB_NICE, row, 0);
	return row;
}

/* Computes the constant terms: age and fair share have no weight here, nor does what no log has. */
static void take_fixed(struct past *p, const struct cluster *chunk, uint32_t first)
{
	struct job_index *x = job_index_new(chunk);
	struct policy *policy = mem_alloc(1, sizeof(*policy));
	struct prio_input in = { .index = x, .policy = policy, .now = I64_UNKNOWN };
	struct prio_result *prio;

	*policy = *cluster_policy(chunk);
	policy->weight[PRIO_AGE] = policy->weight[PRIO_FAIRSHARE] = 0;
	policy->weight_tres[0] = '\0';
	prio = prio_run(&in);
	for (uint32_t e = x->n; e-- > 0;) {
		struct past_job *job = &p->jobs[first + x->job[e]];

		job->fixed = f64_known(prio->sum[e]) ? prio->sum[e] : 0;
		if (e == 0 || x->job[e - 1] != x->job[e])	/* the first partition counts */
			p->no_terms += !f64_known(prio->sum[e]) && policy_is_multifactor(policy);
		job->assoc = x->assoc[e];
		job->qos = x->qos[e];
		job->place = x->partition[e] == ROW_NONE ? p->place_count - 1 : x->partition[e];
	}
	prio_result_free(prio);
	job_index_free(x);
	mem_free(policy);
}

static void past_finish_job(struct past *p, struct past_job *job, const struct replay_job *j,
			    const struct sim_job *sim)
{
	double billing = j->billing > 0 ? j->billing : sim->procs;

	job->rate = billing * (j->factor < 0 ? 1 : j->factor);
	job->nodes = p->unit ? 1 : past_nodes_of(j, wish_get(p->replay, j));
	if (sim->procs <= p->places[job->place].cpus && job->nodes <= p->places[job->place].count)
		return;
	job->place = p->place_count - 1;
	job->nodes = 1;
	p->too_large++;
}

static bool past_make_jobs(struct past *p, struct err *err)
{
	const struct sim_log *t = p->sim_log;
	struct builder *b = cluster_copy(p->c);
	struct cluster *chunk = NULL;
	uint32_t i = 0;

	builder_keep_usage(b);
	builder_remove(b, TABLE_PRIO, NULL);
	do {
		uint32_t first = i;

		builder_remove(b, TABLE_JOB, NULL);
		for (; i < t->count && i < first + CHUNK; i++)
			past_put_job(b, p, i);
		chunk = builder_picture(b, err);
		if (chunk)
			take_fixed(p, chunk, first);
		cluster_free(chunk);
	} while (chunk && i < t->count);
	builder_free(b);
	for (i = 0; chunk && i < t->count; i++)
		past_finish_job(p, &p->jobs[i], replay_job(p->replay, t->source[i]), &t->jobs[i]);
	return chunk != NULL;
}

int64_t past_period(const struct cluster *c)
{
	int64_t period = decay_period(c);

	return period > 0 ? period : 300;
}

bool past_make(struct past *p, const struct cluster *c, const struct sim_log *t, struct replay *r,
	       uint32_t procs, bool nodes, struct err *err)
{
	*p = (struct past){ .c = c, .sim_log = t, .replay = r,
			    .unit = !nodes || cluster_rows(c, TABLE_HOST) == 0 };
	if (p->unit && procs > PROCS_MOST)
		return err_set(err, ERR_INPUT, "%lu processors are too many for "
			       "the policies of schedulers", (unsigned long)procs);
	if (t->count > 0 &&
	    (t->jobs[t->count - 1].submit - t->jobs[0].submit) / past_period(c) > PASSES_MOST)
		return err_set(err, ERR_INPUT, "there are more than %d decay passes between the "
			       "first and the last submission", PASSES_MOST);
	p->no_usage = cluster_rows(c, TABLE_ASSOC) > 0 && !fs_base_available(c, FS_BASE_USAGE);
	past_make_nodes(p, procs);
	make_places(p);
	p->jobs = mem_zalloc((size_t)t->count + 1, sizeof(*p->jobs));
	if (!past_make_jobs(p, err))
		return false;
	p->limits = past_limits_new(p);
	p->ready = past_ready_new(p);
	return true;
}

void past_free(struct past *p)
{
	past_limits_free(p->limits);
	past_ready_free(p->ready);
	for (uint32_t k = 0; k < p->place_count; k++)
		mem_free(p->places[k].nodes);
	mem_free(p->places);
	mem_free(p->nodes);
	mem_free(p->jobs);
}
