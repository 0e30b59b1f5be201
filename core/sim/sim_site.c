/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/sim_site.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/cluster/host_list.h"
#include "core/cluster/host_state.h"
#include "core/cluster/job_tasks.h"
#include "core/queue/reasons.h"

#define LIMIT_TICK 30	/* s between two checks of time limits (PERIODIC_TIMEOUT) */
#define LIMIT_PHASE 1	/* s after the start of slurmctld */
#define UNLIMITED (INT64_C(365) * 86400)	/* s: YEAR_MINUTES, used by slurmctld in plans */

const struct site_obstacle_words site_obstacles[SITE_OBSTACLES] = {
	[SITE_NO_OBSTACLE] = { "never fits, or waits for something without a known end",
			       "unknown" },
	[SITE_HELD] = { "held", "held" },
	[SITE_NEVER] = { "its dependency is never satisfied", "dependency never" },
	[SITE_DOWN] = { "its partition is not up", "partition down" },
	[SITE_TOO_MANY_NODES] = { "its partition does not allow its number of nodes",
				  "node limit" },
	[SITE_TOO_LARGE] = { "it asks for more than its partition has", "too large" },
	[SITE_TOO_LONG] = { "its partition does not allow its time limit", "MaxTime limit" },
	[SITE_HIDDEN_JOBS] = { "other users' hidden jobs may come first", "hidden jobs" },
	[SITE_LATER] = { "it does not start within the simulated time", "later" },
	[SITE_NO_PARTITION] = { "its partition is unknown", "unknown partition" },
	[SITE_NO_LIMIT] = { "its time limit is unknown", "unknown time limit" },
	[SITE_NO_CPUS] = { "its CPUs are unknown", "unknown CPUs" },
	[SITE_NO_TRES] = { "the TRES it asks for are unknown", "unknown TRES" },
	[SITE_GRES] = { "GRES other than a number of one kind per node are not modelled", "GRES" },
	[SITE_LICENSES] = { "its licenses are unknown or alternatives", "licenses" },
	[SITE_FEATURES] = { "features with counts, brackets or both & and | are not modelled",
			    "features" },
	[SITE_NAMED_NODES] = { "nodes asked for by name are not modelled", "named nodes" },
	[SITE_RESERVATION] = { "starts in a reservation are not modelled", "reservation" },
	[SITE_DEADLINE] = { "deadlines are not modelled", "deadline" },
	[SITE_UNPLAYED] = { "the scheduler's reason is not modelled", "unknown" },
	[SITE_NO_PRIORITY] = { "its priority is unknown", "unknown priority" },
};

const char *site_obstacle_brief(const struct cluster *c, uint32_t row, enum site_obstacle obstacle)
{
	const char *word = cluster_text(c, F_JOB_REASON, row);
	const struct reason *r = word && *word ? reason_of(word) : NULL;
	bool open = !r || !r->brief || r->played == REASON_OPEN;

	if (open || (obstacle != SITE_NO_OBSTACLE && obstacle != SITE_UNPLAYED &&
		     obstacle != SITE_NO_PRIORITY))
		return site_obstacles[obstacle].brief;
	return r->brief;
}

static uint32_t known_or(uint32_t value, uint32_t otherwise)
{
	return value == U32_UNKNOWN ? otherwise : value;
}

/* ---- nodes and partitions ------------------------------------------------------------------ */

struct site_node site_empty_node(const struct site *s, uint32_t node)
{
	uint32_t cpus = known_or(cluster_u32(s->c, F_HOST_CPUS, node), 0);
	double memory = cluster_f64(s->c, F_HOST_MEMORY, node);
	struct site_node n = { .cpus = cpus, .free = cpus };

	n.free_memory = f64_known(memory) ? memory : 0;
	for (uint32_t k = 0; k < s->gres_count; k++) {
		double count = tres_list_count(cluster_tres(s->c, F_HOST_TRES, node), s->gres[k]);

		n.free_gres[k] = count < UINT16_MAX ? (int32_t)count : UINT16_MAX;
	}
	return n;
}

void site_use_node(struct site_node *node, const struct site_job *job, uint32_t cpus, int times)
{
	node->free -= (uint32_t)times * cpus;
	node->free_memory -= times * job->memory * cpus;
	for (uint32_t k = 0; k < SITE_GRES_KINDS; k++)
		node->free_gres[k] -= times * job->gres[k];
}

static void site_make_nodes(struct site *s)
{
	s->node_count = cluster_rows(s->c, TABLE_HOST);
	s->words = s->node_count / 64 + 1;
	s->nodes = mem_zalloc((size_t)s->node_count + 1, sizeof(*s->nodes));
	for (uint32_t i = 0; i < s->node_count; i++) {
		struct site_node *n = &s->nodes[i];
		double memory = cluster_f64(s->c, F_HOST_MEMORY, i);

		*n = site_empty_node(s, i);
		if (n->cpus == 0 || (s->counts_memory && !f64_known(memory)))
			s->guesses[SITE_NO_NODE_SIZE]++;
	}
}

static void make_partitions(struct site *s)
{
	uint32_t count = cluster_rows(s->c, TABLE_PARTITION);

	s->partitions = mem_zalloc((size_t)count + 1, sizeof(*s->partitions));
	for (uint32_t p = 0; p < count; p++) {
		struct site_partition *part = &s->partitions[p];
		const char *state = cluster_text(s->c, F_PARTITION_STATE, p);
		const char *name = cluster_text(s->c, F_PARTITION_NAME, p);

		part->nodes = mem_zalloc(s->words, sizeof(*part->nodes));
		part->tier = known_or(cluster_u32(s->c, F_PARTITION_TIER, p), 1);
		s->guesses[SITE_NO_TIER] += cluster_u32(s->c, F_PARTITION_TIER, p) == U32_UNKNOWN;
		/* A draining partition accepts no jobs, but starts those it has. */
		part->up = !state || strcmp(state, "UP") == 0 || strcmp(state, "DRAIN") == 0;
		part->qos = cluster_row_of(s->c, F_QOS_NAME,
					   cluster_text_id(s->c, F_PARTITION_QOS, p));
		for (uint32_t i = 0; i < s->node_count; i++) {
			if (cluster_list_has(s->c, F_HOST_PARTITIONS, i, name) &&
			    host_usable(s->c, i))
				site_put(part->nodes, i);
		}
	}
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static bool site_exceeds(int64_t seconds, int64_t most)
{
	return most != I64_UNKNOWN && most > 0 && seconds > most;
}

static bool is_of_nodes(const char *tres)
{
	return tres && (strcmp(tres, "cpu") == 0 || strcmp(tres, "mem") == 0 ||
			strcmp(tres, "node") == 0 || strncmp(tres, "gres/", 5) == 0);
}

/* Whether all of its partition, with every node up and free, is too small for JOB. */
static bool is_too_large(const struct site *s, const struct site_job *job)
{
	struct tres_list has = cluster_tres(s->c, F_PARTITION_TRES, job->partition);
	struct tres_list asks = cluster_tres(s->c, F_JOB_TRES, job->row);
	uint32_t cpus = cluster_u32(s->c, F_PARTITION_CPUS, job->partition);

	if ((job->cpus != U32_UNKNOWN && job->cpus > cpus) ||
	    job->min_nodes > cluster_u32(s->c, F_PARTITION_NODES, job->partition))
		return true;
	for (uint32_t i = 0; i < has.count; i++) {
		if (is_of_nodes(cluster_tres_name(s->c, has.items[i].tres)) &&
		    tres_list_count(asks, has.items[i].tres) > has.items[i].count)
			return true;
	}
	return false;
}

/* Whether its QOS lifts a limit of its partition. */
static bool site_lifts(const struct site *s, const struct site_job *job, const char *flag)
{
	return cluster_list_has(s->c, F_QOS_FLAGS, job->qos, flag);
}

/* Whether JOB's node count is outside its partition's range and its QOS does not override that. */
static bool is_of_other_nodes(const struct site *s, const struct site_job *job)
{
	uint32_t most = cluster_u32(s->c, F_PARTITION_MAX_NODES, job->partition);
	uint32_t least = known_or(cluster_u32(s->c, F_PARTITION_MIN_NODES, job->partition), 0);
	bool chosen = job->max_nodes != U32_INFINITE;

	if (job->min_nodes < least && !site_lifts(s, job, "PartitionMinNodes"))
		return true;
	return (chosen ? job->max_nodes : job->min_nodes) > most &&
	       !(chosen && site_lifts(s, job, "PartitionMaxNodes"));
}

/* Limits its node range to the partition's. Source: get_node_cnts(), 22.05. */
static void keep_to_partition(const struct site *s, struct site_job *job)
{
	uint32_t most = cluster_u32(s->c, F_PARTITION_MAX_NODES, job->partition);
	uint32_t least = known_or(cluster_u32(s->c, F_PARTITION_MIN_NODES, job->partition), 0);
	bool chosen = job->max_nodes != U32_INFINITE;

	if (most < job->max_nodes && (!chosen || !site_lifts(s, job, "PartitionMaxNodes")))
		job->max_nodes = most;
	job->wanted_nodes = chosen ? job->max_nodes : 0;
	if (least > job->min_nodes && !site_lifts(s, job, "PartitionMinNodes"))
		job->min_nodes = least;
}

/*
 * Why the start of pending job JOB cannot be computed. A job that its partition does not allow
 * (job_limits_check() of slurmctld, 22.05) is tried by neither scheduler and blocks no other.
 */
static enum site_obstacle site_obstacle_of(const struct site *s, struct site_job *job)
{
	const struct cluster *c = s->c;
	const char *reason = cluster_text(c, F_JOB_REASON, job->row);
	int64_t limit = cluster_i64(c, F_JOB_TIME_LIMIT, job->row);
	int64_t deadline = cluster_i64(c, F_JOB_DEADLINE, job->row);
	uint32_t part = job->partition;
	const bool missing[SITE_OBSTACLES] = {
		[SITE_HELD] = job->priority == 0,
		[SITE_NEVER] = reason && strcmp(reason, "DependencyNeverSatisfied") == 0,
		[SITE_DOWN] = part != ROW_NONE && !s->partitions[part].up,
		[SITE_TOO_MANY_NODES] = job->min_nodes > job->max_nodes ||
					(part != ROW_NONE && is_of_other_nodes(s, job)),
		[SITE_TOO_LARGE] = part != ROW_NONE && is_too_large(s, job),
		[SITE_TOO_LONG] = part != ROW_NONE && limit != I64_UNKNOWN &&
				  site_exceeds(limit, cluster_i64(c, F_PARTITION_MAX_TIME, part)) &&
				  !site_lifts(s, job, "PartitionTimeLimit"),
		[SITE_HIDDEN_JOBS] = cluster_hides_jobs(c),
		[SITE_NO_PARTITION] = job->partition == ROW_NONE,
		[SITE_NO_LIMIT] = limit == I64_UNKNOWN,
		[SITE_NO_CPUS] = job->cpus == U32_UNKNOWN || job->cpus == 0,
		[SITE_NO_TRES] = cluster_tres(c, F_JOB_TRES, job->row).count == 0,
		[SITE_GRES] = !site_ask_for_gres(s, job),
		[SITE_LICENSES] = !site_knows_licenses(c, job->row),
		[SITE_FEATURES] = !site_asks_for_words(c, F_JOB_FEATURES, job->row),
		[SITE_NAMED_NODES] = cluster_has_text(c, F_JOB_NODES_ASKED, job->row),
		[SITE_RESERVATION] = cluster_has_text(c, F_JOB_RESERVATION, job->row),
		[SITE_DEADLINE] = deadline != I64_UNKNOWN && deadline != 0,
		[SITE_UNPLAYED] = reason && *reason &&
				  reason_played(reason) == REASON_UNPLAYED,
		[SITE_NO_PRIORITY] = job->priority == U32_UNKNOWN,
	};
	unsigned obstacle = SITE_NO_OBSTACLE + 1;

	while (obstacle < SITE_OBSTACLES && !missing[obstacle])
		obstacle++;
	return obstacle < SITE_OBSTACLES ? (enum site_obstacle)obstacle : SITE_NO_OBSTACLE;
}

/* The index of the array of job ROW, or of the job itself. */
static uint32_t site_array_of(struct site *s, uint32_t row)
{
	uint32_t id = cluster_u32(s->c, F_JOB_ARRAY, row), found;

	if (id == U32_UNKNOWN || id == 0)
		id = cluster_u32(s->c, F_JOB_ID, row);
	found = idmap_get(&s->arrays, id, (uint32_t)s->arrays.count);
	if (found == s->arrays.count)
		idmap_put(&s->arrays, id, found);
	return found;
}

uint32_t site_over_time(const struct site *s, const struct site_job *job)
{
	uint32_t own = job->partition == ROW_NONE ? U32_UNKNOWN :
		       cluster_u32(s->c, F_PARTITION_OVER_TIME_LIMIT, job->partition);

	return known_or(own, s->policy->over_time_limit);
}

/* The reported priority of a job of several partitions or QOS is that of the last one examined. */
static uint32_t site_priority_of(const struct job_index *x, uint32_t entry, bool several)
{
	uint32_t own = cluster_u32(x->cluster, F_JOB_PRIORITY, x->job[entry]);

	if (!several || own == 0 || x->reported[entry] == ROW_NONE)
		return own;
	return known_or(cluster_u32(x->cluster, F_PRIO_PRIORITY, x->reported[entry]), own);
}

struct site_job site_job_of(struct site *s, const struct job_index *x, uint32_t entry)
{
	const struct cluster *c = s->c;
	uint32_t row = x->job[entry];
	bool runs = x->kind[entry] == JOB_RUNNING || x->kind[entry] == JOB_ENDED;
	enum field tres = runs ? F_JOB_TRES_ALLOC : F_JOB_TRES;
	struct site_job j = {
		.row = row, .entry = entry, .id = cluster_u32(c, F_JOB_ID, row),
		.several = (entry > 0 && x->job[entry - 1] == row) ||
			   (entry + 1 < x->n && x->job[entry + 1] == row),
		.task = cluster_u32(c, F_JOB_TASK, row), .count = 1, .at_once = U32_INFINITE,
		.array = site_array_of(s, row),
		.partition = x->partition[entry], .assoc = x->assoc[entry], .qos = x->qos[entry],
		.cpus = cluster_u32(c, F_JOB_CPUS, row),
		.tasks_per_node = known_or(cluster_u32(c, F_JOB_TASKS_PER_NODE, row), 0),
		.min_nodes = known_or(x->min_nodes[entry], 1),
		.max_nodes = known_or(cluster_u32(c, F_JOB_MAX_NODES, row), U32_INFINITE),
		.exclusive = cluster_bool(c, F_JOB_EXCLUSIVE, row) == 1,
		.limit = cluster_i64(c, F_JOB_TIME_LIMIT, row),
		.begin = cluster_i64(c, F_JOB_ELIGIBLE, row),
		.eligible = cluster_i64(c, F_JOB_ELIGIBLE, row),
		.start = I64_UNKNOWN, .end = I64_UNKNOWN,
	};

	site_order_qos(s, &j);
	j.priority = site_priority_of(x, entry, j.several);
	j.cpus_per_task = known_or(cluster_u32(c, F_JOB_CPUS_PER_TASK, row), 1);
	j.cpus_per_task = j.cpus_per_task > 0 ? j.cpus_per_task : 1;
	j.memory = tres_list_count(cluster_tres(c, tres, row), cluster_find_tres(c, "mem"));
	j.memory = j.cpus > 0 ? j.memory / j.cpus : 0;
	j.endless = j.limit == I64_UNKNOWN || j.limit == I64_INFINITE ||
		    site_over_time(s, &j) == U32_INFINITE;
	if (j.limit == I64_UNKNOWN || j.limit == I64_INFINITE)
		j.limit = UNLIMITED;
	j.run = SITE_TO_LIMIT;
	if (!runs)
		j.obstacle = site_obstacle_of(s, &j);
	if (!runs && j.partition != ROW_NONE)
		keep_to_partition(s, &j);
	if (!runs && j.partition != ROW_NONE && site_asks_for_words(c, F_JOB_FEATURES, row))
		j.choice = site_choice(s, j.row, j.partition);
	return j;
}

struct site_job *site_add(struct site *s, const struct site_job *job)
{
	MEM_GROW(s->jobs, s->job_capacity, s->job_count + 1);
	s->jobs[s->job_count] = *job;
	return &s->jobs[s->job_count++];
}

/* Whether the arrays have so many tasks that each becomes a bundle. */
static bool wants_bundles(const struct site *s, const struct job_index *x)
{
	uint64_t tasks = 0;

	for (uint32_t e = 0; e < x->n; e++) {
		const char *text = cluster_text(s->c, F_JOB_TASKS, x->job[e]);

		tasks += text ? job_tasks(text) : 0;
	}
	return tasks > SITE_TASKS;
}

static void add_tasks(struct site *s, struct site_job job)
{
	const char *tasks = cluster_text(s->c, F_JOB_TASKS, job.row);

	if (!tasks) {
		site_add(s, &job);
		return;
	}
	job.at_once = job_tasks_at_once(tasks);
	job.tasks = job_tasks_begin(tasks);
	job.count = s->bundles ? job_tasks(tasks) : 1;
	while ((job.task = job_tasks_next(&job.tasks)) != U32_UNKNOWN) {
		site_add(s, &job);
		if (s->bundles)
			break;
	}
}

/* Reads "n1=2;n[3-4]=1": the CPUs of a job on NODE. */
static uint32_t cpus_on(const char *text, const char *node)
{
	char list[1024];

	while (*text) {
		size_t length = strcspn(text, "="), used = length < sizeof(list) ? length : 0;

		memcpy(list, text, used);
		list[used] = '\0';
		if (host_list_has(list, node))
			return (uint32_t)strtoul(text + length + 1, NULL, 10);
		text += strcspn(text, ";");
		text += *text == ';';
	}
	return 0;
}

/*
 * Adds a running job with its nodes, and its CPUs there from scontrol -d, else filling node after
 * node. A job whose end is unknown, for example because it was suspended, keeps its nodes.
 */
static bool add_running(struct site *s, struct site_job job, struct err *err)
{
	const char *list = cluster_text(s->c, F_JOB_NODE_LIST, job.row);
	const char *cpus = cluster_text(s->c, F_JOB_NODE_CPUS, job.row);
	int64_t start = cluster_i64(s->c, F_JOB_START, job.row);
	struct site_share *shares = mem_alloc((size_t)s->node_count + 1, sizeof(*shares));
	const char *state = cluster_text(s->c, F_JOB_STATE, job.row);
	uint32_t count = 0, left = job.cpus;	/* all of each node's if unknown, U32_UNKNOWN */

	for (uint32_t i = 0; list && i < s->node_count; i++) {
		const char *name = cluster_text(s->c, F_HOST_NAME, i);

		if (!name || !host_list_has(list, name))
			continue;
		shares[count] = (struct site_share){ i, cpus ? cpus_on(cpus, name) : left };
		if (shares[count].cpus > s->nodes[i].free)
			shares[count].cpus = s->nodes[i].free;
		left -= shares[count].cpus < left ? shares[count].cpus : left;
		count++;
	}
	if (count == 0) {
		mem_free(shares);
		return err_set(err, ERR_INPUT, "job %lu: the nodes it runs on are unknown",
			       (unsigned long)job.id);
	}
	job.start = start;
	job.endless = job.endless || start == I64_UNKNOWN ||
		      (state && strncmp(state, "SUSPENDED", 9) == 0);
	site_gres_of_running(s, &job, count);
	s->guesses[SITE_NO_END] += job.endless;
	s->guesses[SITE_NO_SHARES] += !cpus && (count > 1 || job.cpus == U32_UNKNOWN);
	site_begin(s, site_add(s, &job), shares, count);
	return true;
}

static bool site_is_completing(const struct cluster *c, uint32_t row)
{
	const char *state = cluster_text(c, F_JOB_STATE, row);

	return state && strcmp(state, "COMPLETING") == 0;
}

/* Makes the running jobs, or if WAITING the pending ones. */
static bool site_make_jobs(struct site *s, const struct job_index *x, bool waiting, struct err *err)
{
	bool by_age = word_holds(s->policy->scheduler_parameters, "bf_min_age_reserve=");
	bool good = true;

	for (uint32_t e = 0; good && e < x->n; e++) {
		bool runs = x->kind[e] == JOB_RUNNING || site_is_completing(s->c, x->job[e]);
		struct site_job job;

		if (runs == waiting || (!runs && x->kind[e] == JOB_ENDED))
			continue;
		job = site_job_of(s, x, e);
		if (!runs) {
			s->guesses[SITE_NO_TASKS] += job.obstacle == SITE_NO_OBSTACLE &&
				cluster_u32(s->c, F_JOB_TASKS_PER_NODE, job.row) == U32_UNKNOWN;
			s->guesses[SITE_NO_AGE] += by_age && job.obstacle == SITE_NO_OBSTACLE &&
				x->kind[e] == JOB_PENDING && job.eligible == I64_UNKNOWN;
			add_tasks(s, job);
		} else {
			good = add_running(s, job, err);
		}
	}
	return good;
}

/* All entries of a job have the place of the first. */
void site_number(struct site *s)
{
	struct idmap first = { 0 };	/* by job and task, the first entry of several */
	uint64_t ahead = 0;

	s->waiting = 0;
	for (size_t i = 0; i < s->job_count; i++) {
		struct site_job *job = &s->jobs[i];
		uint64_t key = (uint64_t)job->row << 32 | job->task;
		uint32_t same = job->several ? idmap_get(&first, key, (uint32_t)i) : (uint32_t)i;

		if (job->state != SITE_WAITS && job->place == 0)
			continue;
		job->place = same < i ? s->jobs[same].place : ++s->waiting;
		job->ahead = same < i ? s->jobs[same].ahead : ahead;
		ahead += same < i ? 0 : job->count - 1;
		if (job->several && same == i)
			idmap_put(&first, key, same);
	}
	idmap_free(&first);
}

/* CR_CORE_MEMORY is the default since 21.08.1; before that "CR_CPU default" (slurmctld's log). */
static const char *site_select_of(const struct cluster *c)
{
	const char *version = cluster_meta(c)->version;

	if (!policy_knows(cluster_policy(c), "SelectTypeParameters") && version &&
	    strcmp(version, "21.08.1") < 0)
		return "CR_CPU";
	return cluster_policy(c)->select_parameters;
}

bool site_open(struct site *s, const struct cluster *c, const struct job_index *x, struct err *err)
{
	uint32_t tres = cluster_rows(c, TABLE_TRES);
	uint32_t assocs = cluster_rows(c, TABLE_ASSOC), qos = cluster_rows(c, TABLE_QOS);

	*s = (struct site){ .c = c, .policy = cluster_policy(c), .now = cluster_meta(c)->time,
			    .boot = cluster_meta(c)->boot };
	if (cluster_rows(c, TABLE_HOST) == 0 || cluster_rows(c, TABLE_PARTITION) == 0)
		return err_set(err, ERR_INPUT, "its nodes and partitions are unknown");
	if (s->now == I64_UNKNOWN)
		return err_set(err, ERR_INPUT, "the time of its data is unknown");
	s->guesses[SITE_NO_BOOT] = s->boot == I64_UNKNOWN;
	if (s->boot == I64_UNKNOWN)
		s->boot = s->now;
	s->select = site_select_of(c);
	s->counts_memory = word_holds(s->select, "memory");
	s->keeps_limits = policy_keeps_limits(s->policy);
	s->cpu_tres = cluster_find_tres(c, "cpu");
	site_make_gres(s);
	site_make_nodes(s);
	make_partitions(s);
	site_make_reserved(s);
	s->assoc_tres = mem_zalloc((size_t)assocs * tres + 1, sizeof(*s->assoc_tres));
	s->qos_tres = mem_zalloc((size_t)qos * tres + 1, sizeof(*s->qos_tres));
	s->assoc_jobs = mem_zalloc((size_t)assocs + 1, sizeof(*s->assoc_jobs));
	s->qos_jobs = mem_zalloc((size_t)qos + 1, sizeof(*s->qos_jobs));
	s->licenses_used = mem_zalloc((size_t)cluster_rows(c, TABLE_LICENSE) + 1,
				      sizeof(*s->licenses_used));
	s->array_jobs = mem_zalloc((size_t)cluster_rows(c, TABLE_JOB) + 1, sizeof(*s->array_jobs));
	if (!site_make_jobs(s, x, false, err))
		return false;
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_LICENSE); i++)
		s->licenses_used[i] = known_or(cluster_u32(c, F_LICENSE_USED, i),
					       s->licenses_used[i]);
	return true;
}

bool site_make(struct site *s, const struct cluster *c, struct err *err)
{
	struct job_index *x = job_index_new(c);
	bool good = site_open(s, c, x, err);

	s->bundles = wants_bundles(s, x);
	good = good && site_make_jobs(s, x, true, err);
	if (s->bundles)		/* for site_begin_task(): jobs must not move then */
		MEM_GROW(s->jobs, s->job_capacity, s->job_count + SITE_BEGUN);
	job_index_free(x);
	if (!good)
		return false;
	site_sort(s);
	site_number(s);
	return true;
}

void site_free(struct site *s)
{
	for (uint32_t p = 0; s->partitions && p < cluster_rows(s->c, TABLE_PARTITION); p++)
		mem_free(s->partitions[p].nodes);
	for (size_t i = 0; i < s->job_count; i++)
		mem_free(s->jobs[i].shares);
	MEM_FREE(s->partitions, s->nodes, s->jobs, s->assoc_tres, s->qos_tres, s->assoc_jobs,
		 s->qos_jobs, s->licenses_used, s->array_jobs, s->reserved);
	idmap_free(&s->arrays);
	for (size_t i = 0; i < s->choice_count; i++)
		mem_free(s->choices[i].nodes);
	mem_free(s->choices);
}

static void *sim_site_copy(const void *from, size_t count, size_t size)
{
	void *to = mem_alloc(count + 1, size);

	if (count > 0)
		memcpy(to, from, count * size);
	return to;
}

void site_copy(struct site *to, const struct site *from)
{
	size_t assocs = cluster_rows(from->c, TABLE_ASSOC), qos = cluster_rows(from->c, TABLE_QOS);
	size_t tres = cluster_rows(from->c, TABLE_TRES);
	size_t parts = cluster_rows(from->c, TABLE_PARTITION);

	*to = *from;
	to->nodes = sim_site_copy(from->nodes, from->node_count, sizeof(*to->nodes));
	to->partitions = sim_site_copy(from->partitions, parts, sizeof(*to->partitions));
	for (size_t i = 0; i < parts; i++)
		to->partitions[i].nodes = sim_site_copy(from->partitions[i].nodes, from->words,
							sizeof(*to->partitions[i].nodes));
	to->job_capacity = from->job_count + (from->bundles ? SITE_BEGUN : 0);
	to->jobs = mem_alloc(to->job_capacity + 1, sizeof(*to->jobs));
	if (from->job_count > 0)
		memcpy(to->jobs, from->jobs, from->job_count * sizeof(*to->jobs));
	for (size_t i = 0; i < from->job_count; i++)
		to->jobs[i].shares = from->jobs[i].shares ?
			sim_site_copy(from->jobs[i].shares, from->jobs[i].share_count,
				      sizeof(*to->jobs[i].shares)) : NULL;
	to->assoc_tres = sim_site_copy(from->assoc_tres, assocs * tres, sizeof(*to->assoc_tres));
	to->qos_tres = sim_site_copy(from->qos_tres, qos * tres, sizeof(*to->qos_tres));
	to->assoc_jobs = sim_site_copy(from->assoc_jobs, assocs, sizeof(*to->assoc_jobs));
	to->qos_jobs = sim_site_copy(from->qos_jobs, qos, sizeof(*to->qos_jobs));
	to->licenses_used = sim_site_copy(from->licenses_used, cluster_rows(from->c, TABLE_LICENSE),
					  sizeof(*to->licenses_used));
	to->array_jobs = sim_site_copy(from->array_jobs, cluster_rows(from->c, TABLE_JOB),
				       sizeof(*to->array_jobs));
	to->reserved = sim_site_copy(from->reserved,
				     (size_t)cluster_rows(from->c, TABLE_RESERVATION) * from->words,
				     sizeof(*to->reserved));
	to->arrays = (struct idmap){ 0 };
	to->choices = NULL;
	to->choice_count = to->choice_capacity = 0;
}

/* ---- order --------------------------------------------------------------------------------- */

/* A job with its tier, for sorting. */
struct site_place {
	struct site_job job;
	uint32_t tier;
};

static int site_by_place(const void *a, const void *b)
{
	const struct site_place *x = a, *y = b;

	if (x->tier != y->tier)
		return x->tier < y->tier ? 1 : -1;
	if (x->job.priority != y->job.priority)
		return x->job.priority < y->job.priority ? 1 : -1;
	if (x->job.id != y->job.id)
		return x->job.id > y->job.id ? 1 : -1;
	return (x->job.task > y->job.task) - (x->job.task < y->job.task);
}

void site_sort(struct site *s)
{
	struct site_place *places = mem_alloc(s->job_count + 1, sizeof(*places));

	for (size_t i = 0; i < s->job_count; i++)
		places[i] = (struct site_place){ s->jobs[i], s->jobs[i].partition == ROW_NONE ? 0 :
					    s->partitions[s->jobs[i].partition].tier };
	qsort(places, s->job_count, sizeof(*places), site_by_place);
	for (size_t i = 0; i < s->job_count; i++)
		s->jobs[i] = places[i].job;
	mem_free(places);
}

static int by_first_place(const void *a, const void *b)
{
	const struct site_job *x = a, *y = b;

	if (x->place != y->place)
		return x->place > y->place ? 1 : -1;
	return (x->task > y->task) - (x->task < y->task);
}

void site_number_begun(struct site *s)
{
	qsort(s->jobs, s->job_count, sizeof(*s->jobs), by_first_place);
	site_number(s);
}

/* ---- begin and end ------------------------------------------------------------------------- */

/* Adds JOB to the counts of limits, TIMES 1 or -1. */
static void site_tally(struct site *s, const struct site_job *job, int times)
{
	uint32_t all = cluster_rows(s->c, TABLE_TRES);
	struct tres_list list = cluster_tres(s->c, F_JOB_TRES_ALLOC, job->row);
	const uint32_t *parent = cluster_parent(s->c);

	site_use_licenses(s, job, times);
	s->array_jobs[job->array] += (uint32_t)times;
	if (list.count == 0)
		list = cluster_tres(s->c, F_JOB_TRES, job->row);
	for (uint32_t a = job->assoc; a != ROW_NONE; a = parent[a]) {
		s->assoc_jobs[a] += (uint32_t)times;
		for (uint32_t i = 0; i < list.count; i++)
			s->assoc_tres[(size_t)a * all + list.items[i].tres] +=
				times * site_tres_of(s, job, &list.items[i]);
	}
	site_count_qos(s, job, list, times);
}

int64_t site_limit_seen(const struct site *s, const struct site_job *job)
{
	int64_t over = job->start + job->limit + INT64_C(60) * site_over_time(s, job);
	int64_t phase = (over - s->boot - LIMIT_PHASE) % LIMIT_TICK;

	return over + (phase > 0 ? LIMIT_TICK - phase : -phase);
}

int64_t site_thought_end(const struct site *s, const struct site_job *job, int64_t now)
{
	uint32_t over = site_over_time(s, job);

	if (over == U32_INFINITE)
		return now + job->limit;
	return job->start + job->limit + s->policy->kill_wait + INT64_C(60) * over;
}

void site_foresee(const struct site *s, struct site_job *job)
{
	int64_t own = job->start + job->run, tick = site_limit_seen(s, job);
	int64_t wait = s->policy->kill_wait;

	if (job->endless && job->run == SITE_TO_LIMIT) {
		job->end = job->completing = I64_INFINITE;
		return;
	}
	/* A run that exceeded the limit by about KillWait means a job that ignored TERM. */
	bool ignores = job->ignores_term || (own - tick > wait / 2 && own - tick <= wait);

	job->end = own <= tick || job->run <= job->limit ? own :
		   !ignores ? tick : own < tick + wait ? own : tick + wait;
	job->completing = job->end < tick ? job->end : tick;
}

void site_leave_out_completing(const struct site *s, uint64_t *set)
{
	for (size_t i = 0; i < s->job_count; i++) {
		const struct site_job *job = &s->jobs[i];

		if (job->state != SITE_RUNS || job->completing > s->now || job->end <= s->now)
			continue;
		for (uint32_t k = 0; k < job->share_count; k++)
			site_take(set, job->shares[k].node);
	}
}

static void site_next_task(struct site_job *bundle)
{
	bundle->task = job_tasks_next(&bundle->tasks);
	bundle->count--;
}

/* Takes the first task out of BUNDLE as a job of its own. */
static struct site_job *site_begin_task(struct site *s, struct site_job *bundle)
{
	struct site_job *task = site_add(s, bundle);

	task->count = 1;
	site_next_task(bundle);
	s->over |= ++s->begun == SITE_BEGUN;
	return task;
}

struct site_job *site_begin(struct site *s, struct site_job *job, struct site_share *shares,
			    uint32_t n)
{
	if (job->count > 1)
		job = site_begin_task(s, job);
	job->state = SITE_RUNS;
	if (job->start == I64_UNKNOWN)
		job->start = s->now;
	site_foresee(s, job);
	for (size_t i = 0; job->several && i < s->job_count; i++) {
		if (s->jobs[i].state != SITE_WAITS || !site_same(job, &s->jobs[i]))
			continue;
		if (s->jobs[i].count > 1)
			site_next_task(&s->jobs[i]);
		else
			s->jobs[i].state = SITE_ELSEWHERE;
	}
	job->shares = shares;
	job->share_count = n;
	for (uint32_t i = 0; i < n; i++)
		site_use_node(&s->nodes[shares[i].node], job, shares[i].cpus, 1);
	site_tally(s, job, 1);
	return job;
}

void site_end(struct site *s, struct site_job *job)
{
	int64_t allowed = job->limit + INT64_C(60) * site_over_time(s, job);

	job->state = job->run > allowed && job->run != SITE_TO_LIMIT ? SITE_FAILED : SITE_DONE;
	for (uint32_t i = 0; i < job->share_count; i++)
		site_use_node(&s->nodes[job->shares[i].node], job, job->shares[i].cpus, -1);
	site_tally(s, job, -1);
}
