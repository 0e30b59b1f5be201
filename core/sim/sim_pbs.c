/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs over a log: a cycle (cycle_view.h) after each submission and end, and every
 * scheduler_iteration, over a picture of that time: jobs by formula, fair share, keys and queues,
 * limits, strict_ordering and the places of backfill_depth are those of `fairtop cycle`. The
 * picture has all pending and running jobs, so a log with a long backlog takes hours.
 *
 * All processors are one vnode. Usage grows with what runs, and decays as in decay_policy.h: it is
 * multiplied by fairshare_decay_factor every fairshare_decay_time, and is never below 1.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/unknown.h"
#include "core/base/word.h"
#include "core/cluster/cluster_copy.h"
#include "core/share/decay_policy.h"
#include "core/sim/cycle_view.h"
#include "core/sim/past_cluster.h"

#define ITERATION 600		/* s: scheduler_iteration if unknown */
#define IDLE_MOST 5000		/* consecutive cycles that start no job: five weeks of them */
#define ELIGIBLE 2		/* accrue_type of a job that is pending for resources */

struct pbs {
	struct sim_machine *m;
	const struct past *p;
	struct cluster *base;		/* without jobs, all processors as one host */
	uint32_t cpu;			/* its row of TRES */
	uint32_t *waiting;		/* in the order of submission */
	size_t count;
	double *usage;			/* per row of ASSOC, including all below */
	int64_t charged, decays;	/* time of USAGE; next decay, I64_INFINITE */
	int64_t iteration, due;
	bool changed;			/* since the last cycle */
	uint32_t idle;			/* cycles since the last change; they started no job */
};

/* ---- usage --------------------------------------------------------------------------------- */

static void sim_pbs_charge(struct pbs *s, uint32_t job, int64_t until)
{
	const struct past_job *j = &s->p->jobs[job];
	const uint32_t *parent = cluster_parent(s->base);
	int64_t start = s->m->jobs[job].start, from = start > s->charged ? start : s->charged;

	for (uint32_t a = j->assoc; a != ROW_NONE && until > from; a = parent[a])
		s->usage[a] += j->rate * (double)(until - from);
}

static void sim_pbs_charge_all(struct pbs *s, uint32_t ended, int64_t until)
{
	for (size_t i = 0; i < s->m->running_count; i++)
		sim_pbs_charge(s, s->m->running[i], until);
	if (ended != ROW_NONE)
		sim_pbs_charge(s, ended, until);
	s->charged = until;
}

/* Charges usage up to now; ENDED, if it is a job, has run until now. */
static void sim_pbs_use(struct pbs *s, uint32_t ended)
{
	double left = decay_after(s->base, decay_period(s->base)).left,
	       least = decay_least(s->base);

	for (; s->decays <= s->m->now; s->decays += decay_period(s->base)) {
		sim_pbs_charge_all(s, ended, s->decays);
		for (uint32_t a = 0; a < cluster_rows(s->base, TABLE_ASSOC); a++) {
			s->usage[a] *= left;
			s->usage[a] = s->usage[a] < least ? least : s->usage[a];
		}
	}
	sim_pbs_charge_all(s, ended, s->m->now);
}

/* The first decay after NOW, in phase with the last known one. */
static int64_t first_decay(const struct cluster *c, int64_t now)
{
	int64_t period = decay_period(c), last = cluster_meta(c)->last_decay, over;

	if (period == I64_UNKNOWN)
		return I64_INFINITE;
	over = last == I64_UNKNOWN ? 0 : (now - last) % period;
	return now + period - (over < 0 ? over + period : over);
}

/* ---- a picture ----------------------------------------------------------------------------- */

/*
 * Removes limits of groups and projects from ROW: a log has neither, and a job under such a limit
 * would never begin. Overwrites the names with "-", which names no limit and no kind of limit.
 */
static void forget_groups(struct builder *b, const struct cluster *c, enum field field,
			  uint32_t row)
{
	static const char of_groups[] = "max_group_";
	struct text_list list = cluster_list(c, field, row);
	char **texts = mem_alloc((size_t)list.count + 1, sizeof(*texts));

	for (uint32_t i = 0; i < list.count; i++) {
		texts[i] = mem_strdup(cluster_string(c, list.texts[i]));
		if (word_equal_n(texts[i], sizeof(of_groups) - 1, of_groups))
			texts[i][0] = '-';
		for (char *at = texts[i]; (at = strchr(at, '[')); at++)
			at[1] = at[1] == 'g' || at[1] == 'p' ? '-' : at[1];
	}
	if (list.count > 0)
		builder_list(b, field, row, (const char *const *)texts, list.count);
	mem_free_texts(texts, list.count);
}

static struct cluster *base_of(const struct pbs *s)
{
	static const enum table gone[] = { TABLE_JOB, TABLE_PRIO, TABLE_HOST, TABLE_RESERVATION };
	struct builder *b = cluster_copy(s->p->c);
	struct cluster_meta meta = *builder_get_meta(b);
	struct tres_item all = { builder_tres_row(b, "cpu", 3), s->m->procs };
	struct err err;
	uint32_t host;

	meta.kind = "pbs";
	builder_meta(b, &meta);
	builder_keep_usage(b);
	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		builder_remove(b, gone[i], NULL);
	for (uint32_t q = 0; q < builder_rows(b, TABLE_QUEUE); q++) {
		builder_unknown(b, F_QUEUE_STARTED, q);
		builder_unknown(b, F_QUEUE_RESOURCES_ASSIGNED, q);
		forget_groups(b, s->p->c, F_QUEUE_LIMITS, q);
	}
	for (uint32_t r = 0; r < builder_rows(b, TABLE_SERVER); r++) {
		builder_unknown(b, F_SERVER_RESOURCES_ASSIGNED, r);
		forget_groups(b, s->p->c, F_SERVER_LIMITS, r);
	}
	host = builder_add(b, TABLE_HOST);
	builder_str(b, F_HOST_NAME, host, "pool");
	builder_str(b, F_HOST_STATE, host, "free");
	builder_u32(b, F_HOST_CPUS, host, s->m->procs);
	builder_tres(b, F_HOST_TRES, host, &all, 1);
	return builder_seal(b, &err);
}

static void sim_pbs_put_job(struct builder *b, const struct pbs *s, uint32_t job, bool runs)
{
	const struct sim_job *j = &s->m->jobs[job];
	struct tres_item need = { s->cpu, j->procs };
	char ncpus[40], walltime[40], chunk[60];
	const char *const asks[] = { ncpus, walltime };
	uint32_t row = past_put_job(b, s->p, job);

	snprintf(ncpus, sizeof(ncpus), "ncpus=%lu", (unsigned long)j->procs);
	snprintf(walltime, sizeof(walltime), "walltime=%lu", (unsigned long)j->estimate);
	snprintf(chunk, sizeof(chunk), runs ? "(pool:%s)" : "1:%s", ncpus);
	builder_tres(b, F_JOB_TRES, row, &need, 1);
	builder_list(b, F_JOB_RESOURCES, row, asks, 2);
	builder_str(b, F_JOB_PLACE, row, "free");
	builder_i64(b, F_JOB_SUBMIT, row, j->submit);
	builder_i64(b, F_JOB_QUEUE_RANK, row, job);
	builder_i64(b, F_JOB_ELIGIBLE_TIME, row, (runs ? j->start : s->m->now) - j->submit);
	builder_u32(b, F_JOB_ACCRUE_TYPE, row, ELIGIBLE);
	builder_i64(b, F_JOB_JOB_PRIORITY, row, 0);
	builder_str(b, runs ? F_JOB_EXEC_VNODE : F_JOB_SCHEDSELECT, row, chunk);
	if (!runs)
		return;
	builder_str(b, F_JOB_STATE, row, "RUNNING");
	builder_i64(b, F_JOB_START, row, j->start);
}

/* Pending jobs are the first rows of the JOB table, in their order. */
static struct cluster *picture_of(const struct pbs *s, struct err *err)
{
	struct builder *b = cluster_copy(s->base);
	struct cluster_meta meta = *builder_get_meta(b);
	struct tres_item used = { s->cpu, (double)(s->m->procs - s->m->free) };

	meta.time = s->m->now;
	builder_meta(b, &meta);
	builder_keep_usage(b);
	builder_tres(b, F_HOST_TRES_USED, 0, &used, 1);
	for (uint32_t a = 0; a < cluster_rows(s->base, TABLE_ASSOC); a++)
		builder_f64(b, F_ASSOC_USAGE, a, s->usage[a]);
	for (size_t i = 0; i < s->count; i++)
		sim_pbs_put_job(b, s, s->waiting[i], false);
	for (size_t i = 0; i < s->m->running_count; i++)
		sim_pbs_put_job(b, s, s->m->running[i], true);
	return builder_seal(b, err);
}

/* ---- a cycle ------------------------------------------------------------------------------- */

/* Starts the jobs that run in R; the rest keep their order. */
static void sim_pbs_start_jobs(struct pbs *s, const struct cycle_result *r)
{
	size_t kept = 0;

	s->idle++;
	for (uint32_t i = 0; i < r->input.jobs; i++) {
		uint32_t job = r->order[i], row = r->data->set->job[r->jobs[job]];

		if (r->cycle->status[job] != CYCLE_RUN)
			continue;
		sim_machine_start(s->m, s->waiting[row]);
		s->waiting[row] = ROW_NONE;
		s->idle = 0;
	}
	for (size_t i = 0; i < s->count; i++) {
		if (s->waiting[i] != ROW_NONE)
			s->waiting[kept++] = s->waiting[i];
	}
	s->count = kept;
}

static void sim_pbs_cycle(struct pbs *s)
{
	struct model_options options = MODEL_OPTIONS_DEFAULT;
	struct err err;
	struct cluster *c = picture_of(s, &err);
	struct class_choice choice = class_choice_of(s->base);
	struct model *model;
	struct jobs *jobs;

	options.base = FS_BASE_USAGE;
	model = c ? model_new(c, &options, &err) : NULL;
	jobs = model ? jobs_new(model, NULL) : NULL;
	if (jobs) {
		struct classes_data *d = classes_data_new(jobs, &choice, NULL, 0);
		struct cycle_result *r = cycle_of(d, true, cycle_depth(c));

		sim_pbs_start_jobs(s, r);
		cycle_result_free(r);
		classes_data_free(d);
	}
	jobs_free(jobs);
	model_free(model);
	cluster_free(c);
}

/* ---- calls of the loop --------------------------------------------------------------------- */

static void *pbs_make(struct sim_machine *m, const struct sim_options *o)
{
	struct pbs *s = mem_zalloc(1, sizeof(*s));
	const struct cluster *c = o->past->c;
	uint32_t assocs = cluster_rows(c, TABLE_ASSOC);
	int64_t iteration = cluster_policy(c)->scheduler_iteration;

	s->m = m;
	s->p = o->past;
	s->base = base_of(s);
	s->cpu = cluster_find_tres(s->base, "cpu");
	s->waiting = mem_alloc((size_t)m->count + 1, sizeof(*s->waiting));
	s->usage = mem_zalloc((size_t)assocs + 1, sizeof(*s->usage));
	for (uint32_t a = 0; a < assocs; a++) {
		double usage = cluster_f64(c, F_ASSOC_USAGE, a), least = decay_least(s->base);

		s->usage[a] = f64_known(usage) && usage > least ? usage : least;
	}
	s->charged = m->now;
	s->decays = first_decay(s->base, m->now);
	s->iteration = iteration > 0 ? iteration : ITERATION;
	s->due = m->now + s->iteration;
	return s;
}

static void pbs_free(void *state)
{
	struct pbs *s = state;

	cluster_free(s->base);
	MEM_FREE(s->waiting, s->usage, s);
}

static void pbs_submitted(void *state, uint32_t job)
{
	struct pbs *s = state;

	s->waiting[s->count++] = job;
	s->changed = true;
}

static void pbs_ended(void *state, uint32_t job)
{
	struct pbs *s = state;

	sim_pbs_use(s, job);
	s->changed = true;
}

/*
 * While nothing runs, a cycle that starts no job repeats itself, unless a formula can pass its
 * threshold as time goes on.
 */
static int64_t pbs_next(void *state)
{
	const struct pbs *s = state;
	uint32_t most = cluster_policy(s->base)->job_sort_formula_threshold[0] ? IDLE_MOST : 1;

	return s->count == 0 || (s->idle >= most && s->m->running_count == 0) ? I64_INFINITE
									      : s->due;
}

static void pbs_start(void *state)
{
	struct pbs *s = state;
	const struct sim_machine *m = s->m;
	uint32_t least = UINT32_MAX;

	if (!s->changed && m->now < s->due)
		return;
	sim_pbs_use(s, ROW_NONE);
	s->idle = s->changed ? 0 : s->idle;
	for (size_t i = 0; i < s->count; i++)
		least = m->jobs[s->waiting[i]].procs < least ? m->jobs[s->waiting[i]].procs : least;
	if (s->count > 0 && m->free >= least)
		sim_pbs_cycle(s);
	s->changed = false;
	s->due = m->now + s->iteration;
}

const struct sim_rules sim_pbs = {
	.make = pbs_make, .free = pbs_free, .submitted = pbs_submitted, .ended = pbs_ended,
	.next = pbs_next, .start = pbs_start,
};
