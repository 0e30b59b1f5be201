/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/gather.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/value.h"
#include "core/cluster/job_tasks.h"
#include "core/sim/sim_log.h"
#include "core/cluster/idmap.h"
#include "core/queue/job_index.h"
#include "core/replay/wish.h"
#include "core/share/billing.h"

#define UNLIMITED (365u * 86400)	/* s: what slurmctld assumes in plans */

/* A job that has not ended, or was in the last picture. */
struct open {
	uint64_t key;
	uint32_t job;			/* index in the replay */
	bool ended, seen;		/* SEEN: in this picture */
};

struct gather {
	struct replay *r;
	struct idmap jobs;		/* keys to indices in OPEN */
	struct open *open;
	size_t count, capacity;
	struct idmap undated;		/* job and task */
	struct idmap arrays;		/* to the number of tasks that have not become jobs */
	struct idmap at_once;		/* by array, how many of its tasks may run */
	uint32_t guessed, tasks, procs;
	int64_t begins, last;		/* times of the first picture and of the previous one */
};

struct gather *gather_new(struct replay *r)
{
	struct gather *g = mem_zalloc(1, sizeof(*g));

	g->r = r;
	g->last = I64_UNKNOWN;
	return g;
}

void gather_free(struct gather *g)
{
	if (!g)
		return;
	idmap_free(&g->jobs);
	idmap_free(&g->undated);
	idmap_free(&g->arrays);
	idmap_free(&g->at_once);
	mem_free(g->open);
	mem_free(g);
}

/* ---- one job ------------------------------------------------------------------------------- */

static uint32_t gather_text_of(struct gather *g, const struct cluster *c, enum field field,
			       uint32_t row)
{
	const char *text = cluster_text(c, field, row);

	return text ? replay_text(g->r, text, strlen(text)) : 0;
}

/* Job ids are reused after years, so the key includes the submission time. */
static uint64_t gather_key_of(const struct cluster *c, uint32_t row)
{
	uint64_t id = cluster_u32(c, F_JOB_ID, row), task = cluster_u32(c, F_JOB_TASK, row);
	uint64_t submit = (uint64_t)cluster_i64(c, F_JOB_SUBMIT, row);

	return (id << 32 | task) ^ submit * UINT64_C(0x9e3779b97f4a7c15);
}

static uint32_t gather_seconds_of(int64_t seconds)
{
	if (seconds == I64_INFINITE)
		return UNLIMITED;
	return seconds < 0 || seconds >= U32_UNKNOWN ? U32_UNKNOWN : (uint32_t)seconds;
}

/* Ends JOB, which is gone by NOW. One that never ran has no start. */
static void close_job(struct gather *g, const struct open *open, int64_t now)
{
	struct replay_job *j = replay_job(g->r, open->job);
	int64_t limit;

	if (open->ended)
		return;
	if (j->start == I64_UNKNOWN) {
		j->end = now;
		return;
	}
	limit = j->limit == U32_UNKNOWN ? I64_UNKNOWN : j->start + j->limit;
	j->end = limit != I64_UNKNOWN && limit > g->last && limit < now ? limit : now;
	g->guessed++;
}

/* Updates what a pending job may change and a running one has. */
static void gather_place(struct gather *g, struct replay_job *j, const struct cluster *c,
			 uint32_t row)
{
	j->partition = gather_text_of(g, c, F_JOB_PARTITION, row);
	j->qos = gather_text_of(g, c, F_JOB_QOS, row);
	j->factor = replay_usage_factor(g->r, j->qos);
	j->assoc = replay_assoc(g->r, gather_text_of(g, c, F_JOB_ACCOUNT, row),
				gather_text_of(g, c, F_JOB_USER, row), j->partition);
}

/* The TRES of JOB in Slurm's format. */
static uint32_t gather_tres_of(struct gather *g, const struct cluster *c, uint32_t row)
{
	struct tres_list list = billing_tres(c, row);
	char text[1024], number[VALUE_DOUBLE_MAX];
	size_t used = 0;

	for (uint32_t i = 0; i < list.count && used < sizeof(text); i++) {
		value_print_double(list.items[i].count, number);
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s=%s", i ? "," : "",
					 cluster_tres_name(c, list.items[i].tres), number);
	}
	return used < sizeof(text) ? replay_text(g->r, text, used) : 0;
}

/* The number of the job's array, else its own. */
static uint32_t gather_array_of(const struct cluster *c, uint32_t row)
{
	uint32_t array = cluster_u32(c, F_JOB_ARRAY, row);

	return array == U32_UNKNOWN ? cluster_u32(c, F_JOB_ID, row) : array;
}

/* Updates JOB's other requests; a dependency that is gone because it was fulfilled is kept. */
static void take_wish(struct gather *g, struct replay_job *j, const struct cluster *c, uint32_t row)
{
	struct wish *w = wish_of(g->r, j);
	uint32_t after = gather_text_of(g, c, F_JOB_DEPENDENCY, row);
	uint32_t tasks = cluster_u32(c, F_JOB_TASKS_PER_NODE, row);
	uint32_t cpus = cluster_u32(c, F_JOB_CPUS_PER_TASK, row);
	uint32_t most = cluster_u32(c, F_JOB_MAX_NODES, row);

	if (tasks != U32_UNKNOWN)
		w->per_node = tasks * (cpus == U32_UNKNOWN || cpus == 0 ? 1 : cpus);
	w->most_nodes = most == U32_UNKNOWN ? w->most_nodes : most;
	w->at_once = idmap_get(&g->at_once, gather_array_of(c, row), w->at_once);
	w->after = after ? after : w->after;
	w->exclusive = cluster_bool(c, F_JOB_EXCLUSIVE, row) == 1;
}

/* Updates what a pending job requests, which is less than what it gets. */
static void take_asked(struct gather *g, struct replay_job *j, const struct cluster *c,
		       uint32_t row)
{
	uint32_t cpus = cluster_u32(c, F_JOB_CPUS, row);
	uint32_t nodes = job_min_nodes(c, row, cluster_find_tres(c, "node"));
	struct wish *w = wish_of(g->r, j);

	w->cpus = cpus == U32_UNKNOWN ? 0 : cpus;
	w->nodes = nodes == U32_UNKNOWN ? 0 : nodes;
}

/* Updates what changes while a job is alive. */
static void gather_update(struct gather *g, struct open *open, const struct cluster *c,
			  uint32_t row)
{
	struct replay_job *j = replay_job(g->r, open->job);
	enum job_kind kind = job_kind_of(c, row);
	int64_t limit = cluster_i64(c, F_JOB_TIME_LIMIT, row), now = cluster_meta(c)->time;
	int64_t end = cluster_i64(c, F_JOB_END, row);

	open->seen = true;
	take_wish(g, j, c, row);
	if (cluster_i64(c, F_JOB_ELIGIBLE, row) != I64_UNKNOWN)
		j->eligible = cluster_i64(c, F_JOB_ELIGIBLE, row);
	j->limit = limit == I64_UNKNOWN ? j->limit : gather_seconds_of(limit);
	j->cpus = cluster_u32(c, F_JOB_CPUS, row);
	j->nodes = cluster_u32(c, F_JOB_NODES, row);
	if (f64_known(cluster_f64(c, F_JOB_BILLING, row)))
		j->billing = cluster_f64(c, F_JOB_BILLING, row);
	if (kind != JOB_RUNNING && kind != JOB_ENDED) {
		take_asked(g, j, c, row);
		return;
	}
	j->start = cluster_i64(c, F_JOB_START, row);
	if (j->tres == 0)
		j->tres = gather_tres_of(g, c, row);
	gather_place(g, j, c, row);
	if (kind != JOB_ENDED)
		return;
	/* PBS reports a planned end for an exiting job, and none for one that did nothing. */
	if (end != I64_UNKNOWN && end <= now)
		j->end = end;
	else if (g->last != I64_UNKNOWN)
		close_job(g, open, now);
	open->ended = true;
	j->state = gather_text_of(g, c, F_JOB_STATE, row);
}

static void gather_add_job(struct gather *g, uint64_t key, const struct cluster *c, uint32_t row)
{
	struct replay_job j = REPLAY_JOB_INIT;

	j.billing = F64_UNKNOWN;
	j.submit = cluster_i64(c, F_JOB_SUBMIT, row);
	j.eligible = cluster_i64(c, F_JOB_ELIGIBLE, row);
	j.id = cluster_u32(c, F_JOB_ID, row);
	j.array = cluster_u32(c, F_JOB_ARRAY, row);
	j.task = cluster_u32(c, F_JOB_TASK, row);
	gather_place(g, &j, c, row);
	MEM_GROW(g->open, g->capacity, g->count + 1);
	g->open[g->count] = (struct open){ .key = key, .job = replay_add(g->r, &j) };
	idmap_put(&g->jobs, key, (uint32_t)g->count++);
}

/* ---- one picture --------------------------------------------------------------------------- */

/* Closes the jobs that are gone. */
static void close_gone(struct gather *g, int64_t now)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->count; i++) {
		if (!g->open[i].seen) {
			close_job(g, &g->open[i], now);
			idmap_remove(&g->jobs, g->open[i].key);
			continue;
		}
		g->open[i].seen = false;
		if (kept != i)
			idmap_put(&g->jobs, g->open[i].key, (uint32_t)kept);
		g->open[kept++] = g->open[i];
	}
	g->count = kept;
}

/* A job that is new may be a pending task of before: removes it from its array. */
static void leave_array(struct gather *g, const struct cluster *c, uint32_t row)
{
	uint32_t array = gather_array_of(c, row), tasks = idmap_get(&g->arrays, array, 0);

	if (tasks == 0)
		return;
	idmap_put(&g->arrays, array, tasks - 1);
	g->tasks--;
}

/* Call it after the picture's jobs: tasks that are jobs are not part of the array record. */
static void take_arrays(struct gather *g, const struct cluster *c)
{
	for (uint32_t row = 0; row < cluster_rows(c, TABLE_JOB); row++) {
		const char *text = cluster_text(c, F_JOB_TASKS, row);
		uint32_t tasks = text ? job_tasks(text) : 0;

		if (text && job_tasks_at_once(text) != U32_INFINITE)
			idmap_put(&g->at_once, gather_array_of(c, row), job_tasks_at_once(text));
		if (!text || idmap_has(&g->arrays, gather_array_of(c, row)))
			continue;
		idmap_put(&g->arrays, gather_array_of(c, row), tasks);
		g->tasks += tasks;
	}
}

static void skip_undated(struct gather *g, const struct cluster *c, uint32_t row)
{
	uint64_t id = cluster_u32(c, F_JOB_ID, row), task = cluster_u32(c, F_JOB_TASK, row);

	if (idmap_has(&g->undated, id << 32 | task))
		return;
	idmap_put(&g->undated, id << 32 | task, 0);
	leave_array(g, c, row);
}

static uint32_t gather_procs_of(const struct cluster *c)
{
	uint32_t procs = 0, cpu = cluster_find_tres(c, "cpu");

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_HOST); i++) {
		uint32_t cpus = cluster_u32(c, F_HOST_CPUS, i);

		procs += cpus == U32_UNKNOWN ? 0 : cpus;
	}
	/* A log has no nodes, but may have the number of processors. */
	if (cluster_rows(c, TABLE_HOST) == 0 && cpu != ROW_NONE &&
	    cluster_f64(c, F_TRES_COUNT, cpu) < U32_INFINITE)
		procs = (uint32_t)cluster_f64(c, F_TRES_COUNT, cpu);
	return procs;
}

void gather_add(struct gather *g, const struct cluster *c)
{
	int64_t now = cluster_meta(c)->time;

	if (!cluster_knows_jobs(c, NULL))
		return;
	g->begins = g->last == I64_UNKNOWN ? now : g->begins;
	for (uint32_t row = 0; row < cluster_rows(c, TABLE_JOB); row++) {
		uint64_t key = gather_key_of(c, row);
		uint32_t at;

		if (cluster_text(c, F_JOB_TASKS, row))
			continue;
		if (cluster_i64(c, F_JOB_SUBMIT, row) == I64_UNKNOWN) {
			skip_undated(g, c, row);
			continue;
		}
		if (!idmap_has(&g->jobs, key)) {
			leave_array(g, c, row);
			gather_add_job(g, key, c, row);
		}
		at = idmap_get(&g->jobs, key, 0);
		if (!g->open[at].ended)
			gather_update(g, &g->open[at], c, row);
		g->open[at].seen = true;
	}
	take_arrays(g, c);
	close_gone(g, now);
	g->procs = gather_procs_of(c) > 0 ? gather_procs_of(c) : g->procs;
	g->last = now;
}

struct gathered gather_tally(const struct gather *g)
{
	return (struct gathered){ g->guessed, (uint32_t)g->undated.count, g->begins, g->tasks };
}

void gather_left_out(const struct gathered *g, struct sim_log *t)
{
	t->left_out[SIM_LOG_NO_SUBMIT] = g->undated;
	t->left_out[SIM_LOG_NEVER_CAME] = g->tasks;
}

uint32_t gather_procs(const struct gather *g)
{
	return g->procs;
}
