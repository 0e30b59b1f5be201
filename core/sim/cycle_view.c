/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scheduling cycle over the pending jobs of a picture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cluster/host_state.h"
#include "core/cluster/idmap.h"
#include "core/sim/cycle_queues.h"
#include "core/sim/cycle_view.h"
#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/queue/pbs_asked.h"
#include "core/queue/pbs_place.h"
#include "core/queue/pbs_request.h"

/* The name of a resource as the picture's scheduler spells it. */
static const char *resource_name(const struct cluster *c, uint32_t tres)
{
	const char *name = cluster_tres_name(c, tres);

	return strcmp(cluster_meta(c)->kind, "pbs") == 0 && strcmp(name, "cpu") == 0 ? "ncpus"
										      : name;
}

/* OpenPBS looks at the resources of its resources: line only. */
static bool cycle_is_looked_at(const struct classes_data *d, const char *name)
{
	const char *line = cluster_policy(d->jobs->model->cluster)->resources;

	return d->set->rules != CLASS_OPENPBS || !*line || word_listed(line, name, strlen(name));
}

/* False for a resource that is counted elsewhere or not at all. */
static bool is_of_hosts(const struct classes_data *d, const char *name)
{
	static const char *const others[] = { "billing", "energy", "vmem", "pages", "license/",
					      "bb/", "fs/", "ic/" };
	size_t i = 0, n = sizeof(others) / sizeof(others[0]);

	while (i < n && strncmp(name, others[i], strlen(others[i])) != 0)
		i++;
	return i == n && cycle_is_looked_at(d, name);
}

/* PBS's default scheduler does not use vnodes of another one. */
static bool cycle_is_seen(const struct cluster *c, uint32_t host)
{
	return host_counts(c, host) && !host_elsewhere(c, host);
}

/* Counts what the usable hosts have free. */
static void cycle_count_free(struct cycle_result *r)
{
	const struct cluster *c = r->data->jobs->model->cluster;
	uint32_t n = cluster_rows(c, TABLE_TRES), node = cluster_find_tres(c, "node");
	uint32_t hosts = cluster_rows(c, TABLE_HOST);

	for (uint32_t t = 0; t < n; t++) {
		const char *name = resource_name(c, t);

		for (uint32_t h = 0; h < hosts; h++) {
			struct tres_list all = cluster_tres(c, F_HOST_TRES, h);
			double has = t == node ? 1 : tres_list_count(all, t);

			if (!cycle_is_seen(c, h))
				continue;
			r->total[t] += has;
			if (t != node)
				has -= tres_list_count(cluster_tres(c, F_HOST_TRES_USED, h), t);
			r->free[t] += host_usable(c, h) ? has : 0;
		}
		if (r->blind || !is_of_hosts(r->data, name))
			r->free[t] = r->total[t] = HUGE_VAL;
		(void)snprintf(r->reasons[t], sizeof(r->reasons[t]),
			       "Insufficient amount of resource: %.60s", name);
	}
}

/*
 * Whether it is requested in a chunk of the select, and so of a host. Other requests of PBS jobs
 * are for the server, and unlimited if the server has no amount of it.
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

/* Whether resource T of JOB is counted by the PBS server, not on vnodes. */
static bool is_of_server(const struct cycle_result *r, uint32_t row, uint32_t t)
{
	const struct cluster *c = r->data->jobs->model->cluster;

	return strcmp(cluster_meta(c)->kind, "pbs") == 0 && r->total[t] == 0 &&
	       !is_in_chunk(c, row, resource_name(c, t));
}

/* The TRES, other than the server's, of which ROOM (per TRES) has too little for JOB; ROW_NONE. */
static uint32_t short_of(const struct cycle_result *r, uint32_t row, const double *room)
{
	struct tres_list list = cluster_tres(r->data->jobs->model->cluster, F_JOB_TRES, row);

	for (uint32_t i = 0; i < list.count; i++) {
		uint32_t t = list.items[i].tres;

		if (!is_of_server(r, row, t) && list.items[i].count > 0 &&
		    list.items[i].count > room[t])
			return t;
	}
	return ROW_NONE;
}

static const char subjobs_limit[] = "Number of concurrent running subjobs limit reached";

/* The reason by the sums over all usable hosts in ROOM, before the cycle or now; NULL: enough. */
static const char *short_in_sums(const struct cycle_result *r, uint32_t row, const double *room)
{
	uint32_t t = short_of(r, row, room);

	return t == ROW_NONE ? NULL : r->reasons[t];
}

/* PBS: whether the job is in a reservation, which has its own vnodes. */
static bool is_reserved(const struct cycle_result *r, uint32_t row)
{
	return r->reserved && job_is_reserved(r->data->jobs->model->cluster, row);
}

/* Whether r->place knows JOB's request per vnode; else only sums are known. */
static bool cycle_is_reported(const struct cycle_result *r, uint32_t row)
{
	return r->place && pbs_request_reported(r->data->jobs->model->cluster, row);
}

/* The reason by all vnodes before the cycle, or by the job's reservation; NULL: enough. */
static const char *short_of_all(const struct cycle_result *r, uint32_t row, bool reported)
{
	uint32_t t;

	if (!is_reserved(r, row))
		return reported ? pbs_place_fits(r->place, row) :
			      short_in_sums(r, row, r->at_first);
	t = cycle_reserved_short(r->reserved, row);
	return t == ROW_NONE ? NULL : r->reasons[t];
}

/* Checks in the order of is_ok_to_run(): all vnodes before the cycle, limits, server, vnodes. */
static const char *start_pbs(const struct cycle_result *r, uint32_t row, uint32_t job)
{
	bool reported = cycle_is_reported(r, row);
	const char *why = short_of_all(r, row, reported);

	if (!why && r->place)
		why = pbs_place_limited(r->place, row);
	if (!why && r->tasks[job].room == 0)
		why = subjobs_limit;
	if (!why && r->place)
		why = pbs_place_supplied(r->place, row);
	if (!why && !reported && !is_reserved(r, row))
		why = short_in_sums(r, row, r->free);
	return why || !r->place ? why : pbs_place_start(r->place, row);
}

static const char *start_others(const struct cycle_result *r, uint32_t row, uint32_t job)
{
	const char *why;

	if (r->session)
		return r->session->reason[r->entry[job]];
	why = short_in_sums(r, row, r->free);
	if (!why && r->tasks[job].room == 0)
		why = subjobs_limit;
	return why || !r->nodes ? why : cycle_nodes_start(r->nodes, r->entry[job]);
}

static const char *cycle_start(void *context, uint32_t job)
{
	struct cycle_result *r = context;
	const struct cluster *c = r->data->jobs->model->cluster;
	uint32_t row = r->data->set->job[r->jobs[job]];
	struct tres_list list = cluster_tres(c, F_JOB_TRES, row);
	const char *why = policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_PBS ?
		start_pbs(r, row, job) : start_others(r, row, job);

	if (why || r->session)
		return why;
	if (is_reserved(r, row))
		cycle_reserved_take(r->reserved, row);
	for (uint32_t i = 0; i < list.count; i++) {
		/* Nodes are shared, so their number is no limit. */
		if (list.items[i].tres == cluster_find_tres(c, "node"))
			continue;
		if (!is_reserved(r, row))
			r->free[list.items[i].tres] -= list.items[i].count;
	}
	return NULL;
}

/* When the first task of JOB's array ends if no more tasks may run at once; else now. */
static int64_t task_end(const struct cycle_result *r, uint32_t job)
{
	const struct cluster *c = r->data->jobs->model->cluster;
	uint32_t row = r->data->set->job[r->jobs[job]], array = cluster_u32(c, F_JOB_ARRAY, row);
	int64_t now = cluster_meta(c)->time, first = now + pbs_job_length(c, row);

	if (now == I64_UNKNOWN || r->tasks[job].room > 0)
		return INT64_MIN;
	for (uint32_t i = 0; array != U32_UNKNOWN && i < cluster_rows(c, TABLE_JOB); i++) {
		const char *state = cluster_text(c, F_JOB_STATE, i);
		int64_t end = pbs_job_end(c, i, now);

		if (cluster_u32(c, F_JOB_ARRAY, i) == array && state &&
		    strcmp(state, "RUNNING") == 0 && end < first)
			first = end;
	}
	return first;
}

/*
 * Whether JOB gets a calendar place: false if all hosts together are too small or it is never
 * possible, for jobs of reservations, and for jobs marked ineligible (should_backfill_with_job()).
 */
static bool cycle_plan(void *context, uint32_t job)
{
	struct cycle_result *r = context;
	uint32_t row = r->data->set->job[r->jobs[job]];

	if (is_reserved(r, row) ||
	    cluster_bool(r->data->jobs->model->cluster, F_JOB_TOPJOB_INELIGIBLE, row) == true ||
	    (!cycle_is_reported(r, row) && short_of(r, row, r->total) != ROW_NONE))
		return false;
	return !r->place || pbs_place_plan(r->place, row, task_end(r, job));
}

/* Sorts the remaining jobs again by current usage; maps job numbers by way of entries. */
static void cycle_sort_again(struct cycle_result *r, uint32_t place, bool runs)
{
	uint32_t n = r->input.jobs - place - 1, *rest = r->order + place + 1;
	uint32_t *entries = mem_alloc(n, sizeof(*entries));
	uint32_t *job_of = mem_alloc(r->data->jobs->index->n, sizeof(*job_of));

	pbs_cycle_charge(r->within, r->entry[r->order[place]], runs);
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

/* ---- arrays ---------------------------------------------------------------------------------- */

/* Makes job N a copy of job LIKE of the class set. */
static void cycle_put_job(struct cycle_result *r, size_t n, uint32_t like, uint32_t entry)
{
	if (n == r->capacity) {
		r->capacity = 2 * n + 16;
		r->jobs = mem_realloc(r->jobs, r->capacity, sizeof(*r->jobs));
		r->order = mem_realloc(r->order, r->capacity, sizeof(*r->order));
		r->class_of = mem_realloc(r->class_of, r->capacity, sizeof(*r->class_of));
		r->entry = mem_realloc(r->entry, r->capacity, sizeof(*r->entry));
		r->tasks = mem_realloc(r->tasks, r->capacity, sizeof(*r->tasks));
		r->input.order = r->order;
		r->input.class_of = r->class_of;
	}
	r->jobs[n] = like;
	r->order[n] = (uint32_t)n;
	r->class_of[n] = r->data->classes->class_of[like];
	r->entry[n] = entry;
	r->tasks[n] = (struct cycle_task){ .number = U32_UNKNOWN, .room = U32_INFINITE };
}

/* Adds a job to the cycle; returns its number. */
static uint32_t cycle_add_job(struct cycle_result *r, uint32_t like, uint32_t entry)
{
	cycle_put_job(r, r->input.jobs, like, entry);
	return r->input.jobs++;
}

/* The number of running tasks by array number. */
static struct idmap cycle_count_running(const struct cluster *c)
{
	const uint32_t *array = cluster_col_u32(c, F_JOB_ARRAY);
	struct idmap running = { 0 };

	for (uint32_t i = 0; array && i < cluster_rows(c, TABLE_JOB); i++) {
		const char *state = cluster_text(c, F_JOB_STATE, i);

		if (array[i] != U32_UNKNOWN && state && strcmp(state, "RUNNING") == 0)
			idmap_put(&running, array[i], idmap_get(&running, array[i], 0) + 1);
	}
	return running;
}

/* The running tasks of an array: as reported, else as counted. */
static uint32_t running_tasks(const struct cluster *c, const struct idmap *running, uint32_t row)
{
	const char *counts = cluster_text(c, F_JOB_ARRAY_STATE_COUNT, row);
	const char *reported = counts ? strstr(counts, "Running:") : NULL;

	return reported ? (uint32_t)strtoul(reported + strlen("Running:"), NULL, 10) :
		      idmap_get(running, cluster_u32(c, F_JOB_ARRAY, row), 0);
}

static void begin_array(struct cycle_result *r, const struct idmap *running, uint32_t job)
{
	const struct cluster *c = r->data->jobs->model->cluster;
	uint32_t row = r->data->set->job[r->jobs[job]];
	const char *tasks = cluster_text(c, F_JOB_TASKS, row);
	uint32_t most = tasks ? job_tasks_at_once(tasks) : U32_INFINITE;

	if (!tasks)
		return;
	r->tasks[job].left = job_tasks_begin(tasks);
	r->tasks[job].number = job_tasks_next(&r->tasks[job].left);
	if (most != U32_INFINITE) {
		uint32_t run = running_tasks(c, running, row);

		r->tasks[job].room = most > run ? most - run : 0;
	}
}

/* After a task of an array has begun, puts the next one in its place. */
static void cycle_next_task(struct cycle_result *r, uint32_t place)
{
	uint32_t job = r->order[place], next;
	struct cycle_task task = r->tasks[job];

	task.number = task.left.text ? job_tasks_next(&task.left) : U32_UNKNOWN;
	if (task.number == U32_UNKNOWN)
		return;
	next = cycle_add_job(r, r->jobs[job], r->entry[job]);
	r->tasks[job].left.text = NULL;
	if (task.room != U32_INFINITE)
		task.room--;
	r->tasks[next] = task;
	memmove(r->order + place + 2, r->order + place + 1,
		(r->input.jobs - place - 2) * sizeof(*r->order));
	r->order[place + 1] = next;
}

static void cycle_placed(void *context, uint32_t place, enum cycle_status status)
{
	struct cycle_result *r = context;

	if (status == CYCLE_RUN)
		cycle_next_task(r, place);
	if (r->within)
		cycle_sort_again(r, place, status == CYCLE_RUN);
}

void cycle_job_name(const struct cycle_result *r, uint32_t job, bool task, char *buf, size_t size)
{
	const struct cluster *c = r->data->jobs->model->cluster;
	uint32_t row = r->data->set->job[r->jobs[job]], number = r->tasks[job].number;
	uint32_t array = cluster_u32(c, F_JOB_ARRAY, row), own = cluster_u32(c, F_JOB_TASK, row);
	const char *id = cluster_text(c, F_JOB_JOB_ID, row), *in = id ? strchr(id, '[') : NULL;

	if (!task)
		number = U32_UNKNOWN;
	if (id && in && number != U32_UNKNOWN)
		(void)snprintf(buf, size, "%.*s[%u%s", (int)(in - id), id, number, in + 1);
	else if (id)
		(void)snprintf(buf, size, "%s", id);
	else if (number != U32_UNKNOWN)
		(void)snprintf(buf, size, "%u_%u", cluster_u32(c, F_JOB_ID, row), number);
	else if (array != U32_UNKNOWN && array != 0 && own != U32_UNKNOWN)
		(void)snprintf(buf, size, "%u_%u", array, own);
	else
		(void)snprintf(buf, size, "%u", cluster_u32(c, F_JOB_ID, row));
}

/* ---- the cycle ------------------------------------------------------------------------------- */

static struct pbs_place *cycle_place_of(const struct cycle_result *r)
{
	const struct cluster *c = r->data->jobs->model->cluster;

	if (r->blind || policy_scheduler_of(cluster_meta(c)->kind) != POLICY_OF_PBS)
		return NULL;
	return pbs_place_new(c, r->data->set->rules == CLASS_OPENPBS ?
			     cluster_policy(c)->resources : NULL,
			     r->input.backfill_depth > 0 || cycle_plans(c));
}

static void run_cycle(struct cycle_result *r)
{
	const struct jobs *j = r->data->jobs;
	const struct cluster *c = j->model->cluster;
	struct idmap running = cycle_count_running(c);

	for (uint32_t i = 0; i < r->input.jobs; i++)
		begin_array(r, &running, i);
	idmap_free(&running);
	r->input.reported = r->session != NULL;
	r->place = cycle_place_of(r);
	if (!r->blind && policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_SLURM)
		r->nodes = cycle_nodes_new(c, j->index);
	r->within = j->pbs && !r->blind ? pbs_cycle_new(j->pbs) : NULL;
	r->cycle = cycle_run(&r->input);
	r->method = r->place && !pbs_place_sorted(r->place) ? CYCLE_VNODES_UNSORTED :
		    r->place ? CYCLE_VNODES : r->nodes ? CYCLE_NODES :
		    r->session ? CYCLE_SLOTS : CYCLE_TOTALS;
	r->guessed = r->nodes ? cycle_nodes_guessed(r->nodes) : 0;
	cycle_nodes_free(r->nodes);
	r->nodes = NULL;
	pbs_cycle_free(r->within);
	r->within = NULL;
}

/* The first entry of each job of the table. */
static uint32_t *first_entries(const struct job_index *x)
{
	uint32_t *first = mem_zalloc(cluster_rows(x->cluster, TABLE_JOB), sizeof(*first));

	for (uint32_t e = x->n; e-- > 0;)
		first[x->job[e]] = e;
	return first;
}

/*
 * Why the job at ROW, whose first entry is ENTRY, is not part of the cycle; NULL: it is. A job of
 * several partitions or QOS takes part if one of its entries has a place.
 */
static const char *why_left_out(const struct cycle_result *r, uint32_t row, uint32_t entry)
{
	const struct job_index *x = r->data->jobs->index;
	const char *why = NULL;

	for (uint32_t e = entry; e < x->n && x->job[e] == row; e++) {
		why = jobs_left_out(r->data->jobs, e);
		if (!why)
			break;
	}
	if (!why && is_reserved(r, row) && !cycle_reserved_reported(r->reserved, row))
		why = "the resources of its reservation are unknown";
	return why;
}

bool cycle_is_unplaced(const struct cycle_result *r, uint32_t i)
{
	const struct job_index *x = r->data->jobs->index;
	uint32_t entry = r->entry[r->input.jobs + i], row = x->job[entry];

	while (entry < x->n && x->job[entry] == row && jobs_stopped(r->data->jobs, entry))
		entry++;
	return entry < x->n && x->job[entry] == row;
}

/* Adds the considered jobs in their order, or the others, which come after all of those. */
static void cycle_add_jobs(struct cycle_result *r, bool considered)
{
	const struct classes_data *d = r->data;
	uint32_t *entries = first_entries(d->jobs->index);

	for (uint32_t i = 0; i < d->set->jobs; i++) {
		uint32_t row = d->set->job[d->order[i]], entry = entries[row];
		const char *why = why_left_out(r, row, entry);
		enum job_kind kind = job_kind_of(d->jobs->index->cluster, row);

		if (considered && !why && d->rank[d->order[i]] != U32_UNKNOWN) {
			(void)cycle_add_job(r, d->order[i], entry);
		} else if (!considered && why && kind != JOB_RUNNING && kind != JOB_ENDED) {
			cycle_put_job(r, r->input.jobs + r->left_out, d->order[i], entry);
			MEM_GROW(r->why, r->why_capacity, r->left_out + 1);
			r->why[r->left_out++] = why;
		}
	}
	mem_free(entries);
}

/* The job's index in r->queues. */
static uint32_t cycle_queue_of(void *context, uint32_t job)
{
	const struct cycle_result *r = context;
	const struct jobs *j = r->data->jobs;
	uint32_t queue = j->pbs->queue[r->entry[job]];

	if (is_reserved(r, r->data->set->job[r->jobs[job]]))
		return CYCLE_RESERVED(j->model->cluster);
	return queue == ROW_NONE ? CYCLE_NO_QUEUE(j->model->cluster) : queue;
}

/* Why the outcome of every job is unknown; NULL: it is not. */
static const char *unknown_of(const struct cycle_result *r)
{
	const struct policy *p = cluster_policy(r->data->jobs->model->cluster);

	if (r->blind)
		return "unknown: no data on hosts that may take it";
	if (r->data->jobs->pbs &&
	    (policy_unreported(p, "strict_ordering") || policy_unreported(p, "strict_fifo") ||
	     policy_unreported(p, "backfill")))
		return "unknown, as strict_ordering, strict_fifo or backfill is";
	return NULL;
}

/* LSF: uses the order in which the session tries the jobs. */
static void order_by_session(struct cycle_result *r)
{
	uint32_t n = r->session->n, jobs = r->input.jobs;
	uint32_t *job_at = mem_alloc((size_t)n + 1, sizeof(*job_at)), k = 0;

	for (uint32_t place = 0; place <= n; place++)
		job_at[place] = ROW_NONE;
	for (uint32_t i = 0; i < jobs; i++)
		job_at[n - r->session->priority[r->entry[i]]] = i;
	for (uint32_t place = 0; place <= n && k < jobs; place++) {
		if (job_at[place] != ROW_NONE)
			r->order[k++] = job_at[place];
	}
	mem_free(job_at);
}

static bool is_blind(const struct cluster *c)
{
	bool lsf = policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_LSF;
	uint32_t n = cluster_rows(c, TABLE_HOST), h = 0;

	while (h < n && !(lsf ? host_reported(c, h) : host_known(c, h)))
		h++;
	/* If all known hosts take no jobs, any job may run on the unknown ones. */
	return h == n || (!lsf && hosts_usable(c) == 0 && hosts_unknown(c) > 0);
}

struct cycle_result *cycle_of(const struct classes_data *d, bool enabled, uint32_t backfill_depth)
{
	struct cycle_result *r = mem_zalloc(1, sizeof(*r));
	uint32_t tres = cluster_rows(d->jobs->model->cluster, TABLE_TRES);

	r->data = d;
	for (uint32_t h = 0; h < cluster_rows(d->jobs->model->cluster, TABLE_HOST); h++)
		r->hosts += cycle_is_seen(d->jobs->model->cluster, h);
	r->usable = hosts_usable(d->jobs->model->cluster);
	r->unknown = hosts_unknown(d->jobs->model->cluster);
	r->blind = is_blind(d->jobs->model->cluster);
	r->free = mem_zalloc(tres, sizeof(*r->free));
	r->total = mem_zalloc(tres, sizeof(*r->total));
	r->reasons = mem_alloc(tres, sizeof(*r->reasons));
	cycle_count_free(r);
	r->at_first = mem_alloc(tres, sizeof(*r->at_first));
	memcpy(r->at_first, r->free, tres * sizeof(*r->at_first));
	r->input = (struct cycle_input){ .classes = d->classes->count, .enabled = enabled,
					 .backfill_depth = backfill_depth,
					 .start = cycle_start,
					 .repeats = d->set->rules == CLASS_OPENPBS,
					 .placed = cycle_placed, .unknown = unknown_of(r),
					 .own = subjobs_limit, .plan = cycle_plan, .context = r };
	if (d->jobs->pbs) {
		r->reserved = cycle_reserved_new(d->jobs->model->cluster);
		r->input.queues = r->queues = cycle_queues_new(d->jobs->model->cluster);
		r->input.queue_count = CYCLE_QUEUES(d->jobs->model->cluster);
		r->input.queue = cycle_queue_of;
		r->input.strict = "Job would break strict sorted order";
	}
	cycle_add_jobs(r, true);
	if (d->jobs->lsf) {
		r->session = lsf_jobs_new(d->jobs->model, d->jobs->index, !r->blind);
		order_by_session(r);
	}
	run_cycle(r);
	cycle_add_jobs(r, false);
	return r;
}

void cycle_result_free(struct cycle_result *r)
{
	if (!r)
		return;
	mem_free(r->tasks);
	pbs_place_free(r->place);
	cycle_reserved_free(r->reserved);
	mem_free(r->queues);
	lsf_jobs_free(r->session);
	cycle_free(r->cycle);
	MEM_FREE(r->jobs, r->order, r->class_of, r->entry, r->free, r->at_first, r->total,
		 r->reasons, r->why, r);
}

uint32_t cycle_depth(const struct cluster *c)
{
	return cycle_plans(c) ? cluster_policy(c)->backfill_depth : 0;
}

struct cycle_saving cycle_saving_of(const struct classes_data *d)
{
	struct cycle_result *with = cycle_of(d, true, cycle_depth(d->jobs->model->cluster));
	/* Without classes the outcome is the same, and each job is considered. */
	struct cycle_saving saving = { with->input.jobs, with->cycle->considered,
				       with->input.jobs - with->cycle->strict, NULL,
				       with->method };

	if (with->input.unknown)
		saving.unknown = with->blind ? "no data on hosts" :
					       "strict_ordering or backfill is unknown";
	cycle_result_free(with);
	return saving;
}

const char *const cycle_methods[] = {
	[CYCLE_TOTALS] = "sums of all usable hosts, not hosts one by one; no limits",
	[CYCLE_NODES] = "nodes as cons_tres has them, limits; no room is kept for later",
	[CYCLE_SLOTS] = "slots of hosts, limits, hosts as in bjobs -l; not: select[], load",
	[CYCLE_VNODES] = "vnodes, limits; not: preemption, placement sets",
	[CYCLE_VNODES_UNSORTED] =
		"vnodes, limits; node_sort_key unknown; not: preemption, placement sets",
};
