/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/lsf_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/queue/lsf_walk.h"
#include "core/share/lsf_share.h"

static const struct cluster *lsf_jobs_cluster_of(const struct lsf_jobs *l)
{
	return l->model->cluster;
}

static double lsf_jobs_whole(int64_t x)
{
	return x == I64_UNKNOWN ? F64_UNKNOWN : (double)x;
}

double lsf_jobs_queue_priority(const struct lsf_jobs *l, uint32_t entry)
{
	return l->queue[entry] == ROW_NONE ? F64_UNKNOWN :
	       lsf_jobs_whole(cluster_i64(lsf_jobs_cluster_of(l), F_QUEUE_PRIORITY,
					  l->queue[entry]));
}

static double lsf_jobs_dynamic_priority(const struct lsf_jobs *l, uint32_t entry)
{
	uint32_t assoc = l->index->assoc[entry];

	return assoc == ROW_NONE || l->model->algo->id != FS_LSF ? F64_UNKNOWN :
	       l->model->fs->own[LSF_OWN_PRIORITY][assoc];
}

double lsf_jobs_job_priority(const struct lsf_jobs *l, uint32_t entry)
{
	return lsf_jobs_whole(cluster_i64(lsf_jobs_cluster_of(l), F_JOB_JOB_PRIORITY,
					  l->index->job[entry]));
}

uint32_t lsf_jobs_factors(const struct lsf_jobs *l, uint32_t entry, struct value_entry *entries)
{
	const struct value_entry all[LSF_JOBS_FACTORS] = {
		{ .key = "queue_priority", .number = lsf_jobs_queue_priority(l, entry) },
		{ .key = "dynamic_priority", .number = lsf_jobs_dynamic_priority(l, entry) },
		{ .key = "job_priority", .number = lsf_jobs_job_priority(l, entry) },
	};
	uint32_t n = 0;

	for (size_t i = 0; i < LSF_JOBS_FACTORS; i++) {
		if (f64_known(all[i].number))
			entries[n++] = all[i];
	}
	return n;
}

/* NULL, or why the entry is not considered at present. */
static const char *find_stop(const struct lsf_jobs *l, uint32_t entry)
{
	const struct cluster *c = lsf_jobs_cluster_of(l);
	const char *reason = cluster_text(c, F_JOB_REASON, l->index->job[entry]);
	int64_t begin = cluster_i64(c, F_JOB_ELIGIBLE, l->index->job[entry]);
	const char *state = l->queue[entry] == ROW_NONE ? NULL :
			    cluster_text(c, F_QUEUE_STATE, l->queue[entry]);

	if (l->index->kind[entry] == JOB_HELD)
		return "it is held (PSUSP)";
	if (cluster_text(c, F_JOB_DEPENDENCY, l->index->job[entry]))
		return "it waits for another job";
	if ((begin != I64_UNKNOWN && begin > cluster_meta(c)->time) ||
	    (reason && strstr(reason, "specified start time")))
		return "its begin time has not come";
	if (state && strstr(state, ":Inact"))
		return "its queue is inactive";
	return NULL;
}

/* ---- order --------------------------------------------------------------------------------- */

/* An entry that has a rank. */
struct lsf_jobs_waiting {
	int64_t queue_priority, list, job_priority, submit;
	uint32_t block;		/* row of its queue; of the first one of equal plain queues */
	uint32_t id, task, entry;
};

static bool is_fair(const struct lsf_jobs *l, uint32_t queue)
{
	const char *policy = lsf_queue_param(lsf_jobs_cluster_of(l), queue, "FAIRSHARE");

	return policy && strstr(policy, "USER_SHARES");
}

/* Plain queues of equal priority are one. */
static uint32_t block_of(const struct lsf_jobs *l, uint32_t queue)
{
	const struct cluster *c = lsf_jobs_cluster_of(l);
	int64_t priority;

	if (queue == ROW_NONE || is_fair(l, queue))
		return queue;
	priority = cluster_i64(c, F_QUEUE_PRIORITY, queue);
	for (uint32_t q = 0; q < queue; q++) {
		if (cluster_i64(c, F_QUEUE_PRIORITY, q) == priority && !is_fair(l, q))
			return q;
	}
	return queue;
}

#define COMPARE(x, y) \
	do { \
		if ((x) != (y)) \
			return (x) < (y) ? -1 : 1; \
	} while (0)

static int lsf_jobs_by_place(const void *left, const void *right)
{
	const struct lsf_jobs_waiting *a = left, *b = right;

	COMPARE(b->queue_priority, a->queue_priority);
	COMPARE(a->block, b->block);
	COMPARE(a->list, b->list);
	COMPARE(b->job_priority, a->job_priority);
	COMPARE(a->submit, b->submit);
	COMPARE(a->id, b->id);
	COMPARE(a->task, b->task);
	return 0;
}

static void lsf_jobs_find_queues(struct lsf_jobs *l)
{
	const struct cluster *c = lsf_jobs_cluster_of(l);
	uint32_t last = TEXT_NONE, row = ROW_NONE;

	for (uint32_t e = 0; e < l->n; e++) {
		uint32_t name = cluster_text_id(c, F_JOB_PARTITION, l->index->job[e]);

		if (name != last) {
			last = name;
			row = cluster_row_of(c, F_QUEUE_NAME, name);
		}
		l->queue[e] = row;
	}
	for (uint32_t e = 0; e < l->n; e++)
		l->stopped[e] = find_stop(l, e);
}

static uint32_t list_waiting(const struct lsf_jobs *l, struct lsf_jobs_waiting *out)
{
	const struct cluster *c = lsf_jobs_cluster_of(l);
	uint32_t queues = cluster_rows(c, TABLE_QUEUE), n = 0;
	uint32_t *blocks = mem_alloc(queues, sizeof(*blocks));

	for (uint32_t q = 0; q < queues; q++)
		blocks[q] = block_of(l, q);
	for (uint32_t e = 0; e < l->n; e++) {
		uint32_t job = l->index->job[e], queue = l->queue[e];

		if (l->index->kind[e] == JOB_RUNNING || l->index->kind[e] == JOB_ENDED)
			continue;
		out[n++] = (struct lsf_jobs_waiting){
			.queue_priority = queue == ROW_NONE ? I64_UNKNOWN :
					  cluster_i64(c, F_QUEUE_PRIORITY, queue),
			.block = queue == ROW_NONE ? ROW_NONE : blocks[queue],
			.list = cluster_i64(c, F_JOB_QUEUE_RANK, job),
			.job_priority = cluster_i64(c, F_JOB_JOB_PRIORITY, job),
			.submit = cluster_i64(c, F_JOB_SUBMIT, job),
			.id = cluster_u32(c, F_JOB_ID, job),
			.task = cluster_u32(c, F_JOB_TASK, job), .entry = e };
	}
	mem_free(blocks);
	qsort(out, n, sizeof(*out), lsf_jobs_by_place);
	return n;
}

static bool is_round(const struct lsf_jobs *l, uint32_t entry)
{
	const char *policy = lsf_queue_param(lsf_jobs_cluster_of(l), l->queue[entry],
					     "ROUND_ROBIN_POLICY");

	return policy && (policy[0] == 'Y' || policy[0] == 'y');
}

/* The next user: the fewest running slots, then first in the list. */
static uint32_t whose_turn(const struct lsf_session *s, const uint32_t *first)
{
	uint32_t best = ROW_NONE;

	for (uint32_t u = 0; u < lsf_session_users(s); u++) {
		uint64_t own = lsf_session_running(s, u);
		uint64_t least = best == ROW_NONE ? 0 : lsf_session_running(s, best);

		if (first[u] != ROW_NONE && (best == ROW_NONE || own < least ||
					     (own == least && first[u] < first[best])))
			best = u;
	}
	return best;
}

/* Sorts ENTRIES by turns: always the next user's first job. */
static void lsf_jobs_take_turns(struct lsf_session *s, uint32_t *entries, uint32_t count)
{
	uint32_t users = lsf_session_users(s), turn;
	uint32_t *first = mem_alloc((size_t)users + 1, sizeof(*first));
	uint32_t *next = mem_alloc((size_t)count + 1, sizeof(*next));
	uint32_t *list = mem_alloc((size_t)count + 1, sizeof(*list)), n = 0;

	for (uint32_t u = 0; u < users; u++)
		first[u] = ROW_NONE;
	for (uint32_t k = count; k > 0; k--) {
		turn = lsf_session_user(s, entries[k - 1]);
		list[k - 1] = entries[k - 1];
		next[k - 1] = first[turn];
		first[turn] = k - 1;
	}
	while ((turn = whose_turn(s, first)) != ROW_NONE) {
		uint32_t k = first[turn];

		first[turn] = next[k];
		lsf_session_start(s, list[k]);
		entries[n++] = list[k];
	}
	MEM_FREE(list, next, first);
}

/* Among plain queues of equal priority, those that go by the list precede round-robin ones. */
static void order_plain(struct lsf_jobs *l, struct lsf_session *s, uint32_t *entries,
			uint32_t count)
{
	uint32_t *round = mem_alloc((size_t)count + 1, sizeof(*round)), n = 0, done = 0;

	for (uint32_t k = 0; k < count; k++) {
		if (is_round(l, entries[k])) {
			round[n++] = entries[k];
			continue;
		}
		lsf_session_start(s, entries[k]);
		entries[done++] = entries[k];
	}
	memcpy(entries + done, round, n * sizeof(*round));
	lsf_jobs_take_turns(s, entries + done, n);
	mem_free(round);
}

/*
 * Sorts the entries of one block: as listed, by turns, or by election. If nobody can be elected,
 * they still use slots.
 */
static void order_block(struct lsf_jobs *l, struct lsf_session *s, uint32_t block,
			uint32_t *entries, uint32_t count)
{
	bool unshared = block != ROW_NONE &&
			lsf_queue_unreported(lsf_jobs_cluster_of(l), block, "FAIRSHARE");

	if (block == ROW_NONE || !is_fair(l, block)) {
		order_plain(l, s, entries, count);
	} else if (!lsf_walk(l, s, block, entries, count)) {
		l->vague[block] |= count > 1;
		order_plain(l, s, entries, count);
	}
	if (unshared)
		l->vague[block] |= count > 1;
	if (block != ROW_NONE && l->vague[block] && !l->problem[0])
		(void)snprintf(l->problem, sizeof(l->problem),
			       unshared ? "FAIRSHARE of queue %.60s is unknown (expected "
			       "bqueues -r), and so are the ranks of its jobs" :
			       "the dynamic priorities of queue %.60s are unknown, and so are "
			       "the ranks of its jobs",
			       cluster_text(lsf_jobs_cluster_of(l), F_QUEUE_NAME, block));
}

static void mark_vague(struct lsf_jobs *l, const char *names)
{
	const struct cluster *c = lsf_jobs_cluster_of(l);
	size_t length;

	for (; *(names += strspn(names, " \t,")) != '\0'; names += length) {
		uint32_t row;

		length = strcspn(names, " \t,");
		row = cluster_row_named(c, F_QUEUE_NAME, names, length);
		if (row != ROW_NONE)
			l->vague[row] = true;
	}
}

bool lsf_jobs_vague(const struct lsf_jobs *l, uint32_t entry)
{
	return l->unreported || (l->queue[entry] != ROW_NONE && l->vague[l->queue[entry]]);
}

/* A queue with unknown priority may come before any other. */
static void find_unreported(struct lsf_jobs *l)
{
	for (uint32_t e = 0; e < l->n && !l->unreported; e++) {
		const char *queue = cluster_text(lsf_jobs_cluster_of(l), F_JOB_PARTITION,
						 l->index->job[e]);

		if (l->index->kind[e] != JOB_PENDING || l->stopped[e] ||
		    f64_known(lsf_jobs_queue_priority(l, e)))
			continue;
		l->unreported = true;
		(void)snprintf(l->problem, sizeof(l->problem),
			       "the priority of queue %.60s is unknown (expected bqueues -r): "
			       "the ranks of all jobs are unknown", queue ? queue : "");
	}
}

/* Shared fair share of several queues, and APS: their order is not computed here. */
static void find_shared(struct lsf_jobs *l)
{
	/* volclava ignores the parameter. */
	if (lsf_is_volclava(lsf_jobs_cluster_of(l)))
		return;
	for (uint32_t q = 0; q < cluster_rows(lsf_jobs_cluster_of(l), TABLE_QUEUE); q++) {
		const char *others = lsf_queue_param(lsf_jobs_cluster_of(l), q, "FAIRSHARE_QUEUES");
		const char *aps = lsf_queue_param(lsf_jobs_cluster_of(l), q, "APS_PRIORITY");

		if (aps && !l->problem[0])
			(void)snprintf(l->problem, sizeof(l->problem),
				       "queue %.60s orders its jobs by APS_PRIORITY, which is not "
				       "computed here: their ranks are unknown",
				       cluster_text(lsf_jobs_cluster_of(l), F_QUEUE_NAME, q));
		if (others && !l->problem[0])
			(void)snprintf(l->problem, sizeof(l->problem),
				       "queue %.40s shares its fair share with %.60s "
				       "(FAIRSHARE_QUEUES): the ranks of their jobs are unknown",
				       cluster_text(lsf_jobs_cluster_of(l), F_QUEUE_NAME, q),
				       others);
		l->vague[q] |= aps || others;
		if (others)
			mark_vague(l, others);
	}
}

static void name_limits(struct lsf_jobs *l, const struct lsf_session *s)
{
	const struct cluster *c = lsf_jobs_cluster_of(l);

	for (uint32_t e = 0; e < l->n && !l->problem[0]; e++) {
		uint32_t q = l->queue[e];
		bool per_cpu;

		if (l->index->kind[e] != JOB_PENDING || q == ROW_NONE ||
		    lsf_session_on_hosts(s, q) < U32_UNKNOWN)
			continue;
		per_cpu = f64_known(cluster_f64(c, F_QUEUE_PROCESSOR_LIMIT, q));
		if (per_cpu || cluster_u32(c, F_QUEUE_HOST_LIMIT, q) < U32_UNKNOWN)
			(void)snprintf(l->problem, sizeof(l->problem),
				       "%s of queue %.60s is not applied: not all of its hosts%s "
				       "are known", per_cpu ? "PJOB_LIMIT" : "HJOB_LIMIT",
				       cluster_text(c, F_QUEUE_NAME, q),
				       per_cpu ? " and their CPUs (lshosts -w)" : "");
	}
}

static void lsf_jobs_set_order(struct lsf_jobs *l, bool on_hosts)
{
	struct lsf_jobs_waiting *all = mem_alloc(l->n, sizeof(*all));
	uint32_t n = list_waiting(l, all), *entries = mem_alloc(n, sizeof(*entries));
	struct lsf_session *session = lsf_session_new(l, on_hosts);

	for (uint32_t e = 0; e < l->n; e++)
		l->priority[e] = U32_UNKNOWN;
	for (uint32_t i = 0; i < n; i++)
		entries[i] = all[i].entry;
	for (uint32_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && all[to].block == all[from].block; to++)
			;
		order_block(l, session, all[from].block, entries + from, to - from);
	}
	for (uint32_t i = 0; i < n; i++)
		l->priority[entries[i]] = l->stopped[entries[i]] ? U32_UNKNOWN : n - i;
	name_limits(l, session);
	lsf_session_free(session);
	mem_free(entries);
	mem_free(all);
}

struct lsf_jobs *lsf_jobs_new(const struct model *m, const struct job_index *x, bool on_hosts)
{
	struct lsf_jobs *l = mem_zalloc(1, sizeof(*l));

	*l = (struct lsf_jobs){ .model = m, .index = x, .n = x->n };
	l->queue = mem_alloc(l->n, sizeof(*l->queue));
	l->priority = mem_alloc(l->n, sizeof(*l->priority));
	l->last = mem_zalloc((size_t)l->n + 1, sizeof(*l->last));
	l->stopped = mem_zalloc((size_t)l->n + 1, sizeof(*l->stopped));
	l->vague = mem_zalloc(cluster_rows(m->cluster, TABLE_QUEUE), sizeof(*l->vague));
	l->reason = mem_zalloc((size_t)l->n + 1, sizeof(*l->reason));
	lsf_jobs_find_queues(l);
	find_unreported(l);
	find_shared(l);
	lsf_jobs_set_order(l, on_hosts);
	return l;
}

void lsf_jobs_free(struct lsf_jobs *l)
{
	if (!l)
		return;
	MEM_FREE(l->queue, l->priority, l->last, l->stopped, l->vague, l->reason, l);
}

/* ---- why ----------------------------------------------------------------------------------- */

static bool has_no_shares(const struct lsf_jobs *l, uint32_t entry)
{
	const char *account = cluster_text(lsf_jobs_cluster_of(l), F_JOB_ACCOUNT,
					   l->index->job[entry]);

	return account && strcmp(account, LSF_NO_SHARES) == 0;
}

/* What precedes the list, where no account of a user fair share is charged. */
static const char *queue_note(const struct lsf_jobs *l, uint32_t entry)
{
	if (has_no_shares(l, entry))
		return "no fair-share account includes the user: comes after users with shares";
	if (lsf_jobs_vague(l, entry))
		return "the order of its jobs is unknown";
	if (l->queue[entry] != ROW_NONE && is_fair(l, l->queue[entry]))
		return "a fair-share queue, but the account that pays for the job is unknown";
	if (is_round(l, entry))
		return "round robin: the user with the fewest slots running is next";
	return "queues of higher priority are emptied first";
}

/* With several accounts to charge, the walk may elect the job by another than the charged one. */
static bool has_charged(const struct lsf_jobs *l, uint32_t entry)
{
	return cluster_list(lsf_jobs_cluster_of(l), F_JOB_CHARGED, l->index->job[entry]).count > 0;
}

enum lsf_reason lsf_jobs_reason(const struct lsf_jobs *l, uint32_t a, uint32_t b)
{
	double x = lsf_jobs_queue_priority(l, a), y = lsf_jobs_queue_priority(l, b);
	uint32_t one = l->index->assoc[a], other = l->index->assoc[b];

	if (l->priority[a] == U32_UNKNOWN || l->priority[b] == U32_UNKNOWN)
		return LSF_REASON_STOPPED;
	if (lsf_jobs_vague(l, a) || lsf_jobs_vague(l, b))
		return LSF_REASON_VAGUE;
	if (x < y || x > y)
		return LSF_REASON_QUEUE;
	if (l->queue[a] != l->queue[b] &&
	    (l->queue[a] == ROW_NONE || l->queue[b] == ROW_NONE ||
	     block_of(l, l->queue[a]) != block_of(l, l->queue[b])))
		return LSF_REASON_PLACE;
	if (l->last[a] != l->last[b])
		return has_no_shares(l, l->last[a] ? a : b) ? LSF_REASON_NO_SHARES :
							       LSF_REASON_PASSED;
	if (l->last[a])
		return LSF_REASON_LIST;
	if (one != ROW_NONE && other != ROW_NONE &&
	    (one != other || has_charged(l, a) || has_charged(l, b)))
		return LSF_REASON_ACCOUNT;
	return is_round(l, a) || is_round(l, b) ? LSF_REASON_TURN : LSF_REASON_LIST;
}

void lsf_jobs_explain(const struct lsf_jobs *l, uint32_t entry, struct explain *e)
{
	const struct cluster *c = lsf_jobs_cluster_of(l);
	uint32_t assoc = l->index->assoc[entry], job = l->index->job[entry];
	const char *reason = cluster_text(c, F_JOB_REASON, job);
	struct explain_step *s;

	if (l->stopped[entry] && l->index->kind[entry] != JOB_RUNNING) {
		s = explain_add(e, "runs", 0, NULL);
		explain_note(s, "%s", l->stopped[entry]);
	}
	if (assoc != ROW_NONE && l->model->algo->id == FS_LSF) {
		l->model->algo->explain(&l->model->input, l->model->fs, assoc, e);
	} else {
		s = explain_add(e, "queue", lsf_jobs_queue_priority(l, entry),
				"PRIORITY of the queue");
		explain_note(s, "%s", queue_note(l, entry));
	}
	if (cluster_list(c, F_JOB_CHARGED, job).count > 0) {
		s = explain_add(e, "accounts", cluster_list(c, F_JOB_CHARGED, job).count, NULL);
		explain_note(s, "that may pay: each offers the job, and the walk decides");
	}
	if (assoc != ROW_NONE && lsf_is_passed_over(c, assoc)) {
		s = explain_add(e, "group", F64_UNKNOWN, NULL);
		explain_note(s, "volclava skips it for the rest of a session once one of its users "
				"has no job left%s", l->last[entry] ? ", as here" : "");
	}
	s = explain_add(e, "job priority", lsf_jobs_job_priority(l, entry), "bsub -sp");
	explain_note(s, "decides within an account, or a queue without fair share");
	s = explain_add(e, "list", lsf_jobs_whole(cluster_i64(c, F_JOB_QUEUE_RANK, job)),
			"order in the output of bjobs");
	explain_note(s, "job priority, then submission, then job id; btop and bbot move jobs");
	if (reason) {
		s = explain_add(e, "reason", F64_UNKNOWN, NULL);
		explain_note(s, "%.190s", reason);
	}
}
