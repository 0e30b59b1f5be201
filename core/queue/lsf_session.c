/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/lsf_session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/cluster/idmap.h"
#include "core/queue/lsf_hosts.h"
#include "core/share/lsf_share.h"
#include "core/table/order.h"

/* MAX_JOBS of a user or a group. */
struct session_limit {
	const char *name;		/* NAME=SLOTS */
	uint64_t most, used;
};

struct lsf_session {
	struct lsf_jobs *l;
	struct lsf_hosts *hosts;	/* NULL: hosts are ignored */
	uint32_t *user;			/* per entry: number of its user */
	uint32_t user_count, queue_count;
	uint32_t *row;			/* per user: of USER, or ROW_NONE */
	uint64_t *running;		/* per user */
	uint64_t *queue_slots;		/* per queue, then per queue and user */
	uint64_t *on_hosts;		/* per queue: HJOB_LIMIT over all its hosts */
	struct idmap elements;		/* started elements of each array */
	struct session_limit *limits;
	size_t limit_count, limit_capacity;
};

static const struct cluster *session_cluster_of(const struct lsf_session *s)
{
	return s->l->model->cluster;
}

static uint32_t session_slots_of(const struct lsf_session *s, uint32_t entry)
{
	uint32_t slots = cluster_u32(session_cluster_of(s), F_JOB_CPUS, s->l->index->job[entry]);

	return slots < U32_UNKNOWN && slots > 0 ? slots : 1;
}

uint32_t lsf_session_user(const struct lsf_session *s, uint32_t entry)
{
	return s->user[entry];
}

uint32_t lsf_session_users(const struct lsf_session *s)
{
	return s->user_count;
}

uint64_t lsf_session_running(const struct lsf_session *s, uint32_t user)
{
	return s->running[user];
}

/* ---- users ---------------------------------------------------------------------------------- */

static void number_users(struct lsf_session *s)
{
	uint32_t n = s->l->n;
	struct order_item *all = mem_alloc((size_t)n + 1, 2 * sizeof(*all));

	s->user = mem_alloc((size_t)n + 1, sizeof(*s->user));
	s->row = mem_alloc((size_t)n + 1, sizeof(*s->row));
	for (uint32_t e = 0; e < n; e++)
		all[e] = (struct order_item){ cluster_text_id(session_cluster_of(s), F_JOB_USER,
							      s->l->index->job[e]), e, 0 };
	order_sort(all, all + n, n);
	for (uint32_t k = 0; k < n; k++) {
		if (k == 0 || all[k].key != all[k - 1].key)
			s->row[s->user_count++] = cluster_row_of(session_cluster_of(s), F_USER_NAME,
								 (uint32_t)all[k].key);
		s->user[all[k].row] = s->user_count - 1;
	}
	mem_free(all);
}

/* ---- limits --------------------------------------------------------------------------------- */

static struct session_limit *session_limit_of(struct lsf_session *s, const char *name)
{
	const char *equals = strchr(name, '=');

	for (size_t i = 0; i < s->limit_count; i++) {
		if (strcmp(s->limits[i].name, name) == 0)
			return &s->limits[i];
	}
	MEM_GROW(s->limits, s->limit_capacity, s->limit_count + 1);
	s->limits[s->limit_count] = (struct session_limit){
		name, equals ? strtoull(equals + 1, NULL, 10) : UINT64_MAX, 0 };
	return &s->limits[s->limit_count++];
}

static struct text_list session_limits_of(const struct lsf_session *s, uint32_t entry)
{
	uint32_t row = s->row[s->user[entry]];

	return row == ROW_NONE ? (struct text_list){ NULL, 0 } :
				 cluster_list(session_cluster_of(s), F_USER_LIMITS, row);
}

/* The slots that the tightest limit so far leaves, and LSF's words for it. */
struct session_room {
	uint64_t slots;
	const char *why;
};

/* Applies the limit MOST, if known, after USED. */
static void session_leave(struct session_room *room, uint64_t most, uint64_t used, const char *why)
{
	uint64_t left = used < most ? most - used : 0;

	if (most < U32_UNKNOWN && left < room->slots)
		*room = (struct session_room){ left, why };
}

/*
 * Sums HJOB_LIMIT and PJOB_LIMIT per CPU over the hosts of the queue; without a list, all hosts. A
 * name without a state from bhosts may be a group of any number of hosts.
 */
static uint64_t most_on_hosts(const struct cluster *c, uint32_t queue)
{
	uint32_t most = cluster_u32(c, F_QUEUE_HOST_LIMIT, queue);
	double per_cpu = cluster_f64(c, F_QUEUE_PROCESSOR_LIMIT, queue), sum = 0;
	struct text_list list = cluster_list(c, F_QUEUE_HOSTS, queue);
	uint32_t hosts = list.count > 0 ? list.count : cluster_rows(c, TABLE_HOST);

	if ((most >= U32_UNKNOWN && !f64_known(per_cpu)) || hosts == 0)
		return U32_UNKNOWN;
	for (uint32_t i = 0; i < hosts; i++) {
		uint32_t row = list.count > 0 ? cluster_row_of(c, F_HOST_NAME, list.texts[i]) : i;
		uint32_t cpus = row == ROW_NONE ? U32_UNKNOWN : lsf_host_cpus(c, row);

		if (row == ROW_NONE || !cluster_text(c, F_HOST_STATE, row) ||
		    (f64_known(per_cpu) && cpus >= U32_UNKNOWN))
			return U32_UNKNOWN;
		sum += fmin(most < U32_UNKNOWN ? most : (double)INFINITY, ceil(per_cpu * cpus));
	}
	return sum < U32_UNKNOWN ? (uint64_t)sum : U32_UNKNOWN;
}

uint64_t lsf_session_on_hosts(const struct lsf_session *s, uint32_t queue)
{
	return s->on_hosts[queue];
}

/* EMPTY: as if no jobs were running. */
static struct session_room session_room_for(struct lsf_session *s, uint32_t entry, bool empty)
{
	const struct cluster *c = session_cluster_of(s);
	struct text_list list = session_limits_of(s, entry);
	uint32_t queue = s->l->queue[entry];
	size_t mine = s->queue_count + (size_t)queue * s->user_count + s->user[entry];
	struct session_room room = { U32_UNKNOWN, NULL };
	const char *user = cluster_text(c, F_JOB_USER, s->l->index->job[entry]);

	for (uint32_t i = 0; i < list.count; i++) {
		const struct session_limit *limit =
			session_limit_of(s, cluster_string(c, list.texts[i]));

		session_leave(&room, limit->most, empty ? 0 : limit->used,
			      user && word_value(limit->name, user, strlen(user)) ?
			      "The user has reached his/her job slot limit" :
			      "One of the user's groups has reached its job slot limit");
	}
	if (queue == ROW_NONE)
		return room;
	session_leave(&room, cluster_u32(c, F_QUEUE_JOB_LIMIT, queue),
		      empty ? 0 : s->queue_slots[queue],
		      "The queue has reached its job slot limit");
	session_leave(&room, cluster_u32(c, F_QUEUE_USER_LIMIT, queue),
		      empty ? 0 : s->queue_slots[mine],
		      "User has reached the per-user job slot limit of the queue");
	session_leave(&room, s->on_hosts[queue], empty ? 0 : s->queue_slots[queue],
		      "Queue's per-host job slot limit reached");
	return room;
}

static void session_add(struct lsf_session *s, uint32_t entry, uint32_t slots, bool runs)
{
	struct text_list list = session_limits_of(s, entry);
	uint32_t queue = s->l->queue[entry], user = s->user[entry];
	uint32_t array = cluster_u32(session_cluster_of(s), F_JOB_ARRAY, s->l->index->job[entry]);

	for (uint32_t i = 0; i < list.count; i++)
		session_limit_of(s, cluster_string(session_cluster_of(s),
						   list.texts[i]))->used += slots;
	s->running[user] += runs ? slots : 0;
	if (array < U32_UNKNOWN)
		idmap_put(&s->elements, array, idmap_get(&s->elements, array, 0) + 1);
	if (queue == ROW_NONE)
		return;
	s->queue_slots[queue] += slots;
	s->queue_slots[s->queue_count + (size_t)queue * s->user_count + user] += slots;
}

struct lsf_session *lsf_session_new(struct lsf_jobs *l, bool on_hosts)
{
	struct lsf_session *s = mem_zalloc(1, sizeof(*s));

	s->l = l;
	s->queue_count = cluster_rows(session_cluster_of(s), TABLE_QUEUE);
	s->hosts = on_hosts ? lsf_hosts_new(session_cluster_of(s)) : NULL;
	number_users(s);
	s->running = mem_zalloc((size_t)s->user_count + 1, sizeof(*s->running));
	s->queue_slots = mem_zalloc(s->queue_count * ((size_t)s->user_count + 1) + 1,
				    sizeof(*s->queue_slots));
	s->on_hosts = mem_alloc((size_t)s->queue_count + 1, sizeof(*s->on_hosts));
	for (uint32_t q = 0; q < s->queue_count; q++)
		s->on_hosts[q] = most_on_hosts(session_cluster_of(s), q);
	for (uint32_t e = 0; e < l->n; e++) {
		const char *state = cluster_text(session_cluster_of(s), F_JOB_STATE,
						 l->index->job[e]);

		if (l->index->kind[e] != JOB_RUNNING)
			continue;
		session_add(s, e, session_slots_of(s, e), state && strcmp(state, "SUSPENDED") != 0);
		if (s->hosts)
			lsf_hosts_running(s->hosts,
					  &(struct lsf_asked){ .queue = l->queue[e],
							       .user = s->user[e] },
					  cluster_text(session_cluster_of(s), F_JOB_NODE_LIST,
						       l->index->job[e]),
					  cluster_i64(session_cluster_of(s), F_JOB_START,
						      l->index->job[e]));
	}
	return s;
}

void lsf_session_free(struct lsf_session *s)
{
	lsf_hosts_free(s->hosts);
	MEM_FREE(s->user, s->row, s->running, s->queue_slots, s->on_hosts);
	idmap_free(&s->elements);
	mem_free(s->limits);
	mem_free(s);
}

/* The entry's request for hosts. */
static struct lsf_asked session_asked_by(const struct lsf_session *s, uint32_t entry)
{
	const struct cluster *c = session_cluster_of(s);
	uint32_t job = s->l->index->job[entry];
	uint32_t tile = cluster_u32(c, F_JOB_TASKS_PER_NODE, job);

	return (struct lsf_asked){ .queue = s->l->queue[entry], .user = s->user[entry],
				   .alone = cluster_bool(c, F_JOB_EXCLUSIVE, job) == 1,
				   .one = cluster_u32(c, F_JOB_MAX_NODES, job) == 1,
				   .tile = tile < U32_UNKNOWN ? tile : 0,
				   .names = cluster_text(c, F_JOB_NODES_ASKED, job) };
}

/* Notes that some requested hosts are unknown: it may start or not, or on other hosts. */
static void name_hosts(const struct lsf_session *s, uint32_t entry, const char *names)
{
	const struct cluster *c = session_cluster_of(s);

	if (!s->l->problem[0] && !lsf_hosts_named(s->hosts, names))
		(void)snprintf(s->l->problem, sizeof(s->l->problem),
			       "not all that job %u asks for with -m (%.100s) are known hosts: it "
			       "may start elsewhere, or not at all",
			       (unsigned)cluster_u32(c, F_JOB_ID, s->l->index->job[entry]), names);
}

/* A load index with a threshold in QUEUE (lsb.queues: NAME = loadSched/loadStop); NULL. */
static const char *session_threshold_of(const struct cluster *c, uint32_t queue)
{
	static const char *const indices[] = { "r15s", "r1m", "r15m", "ut", "pg", "io", "ls", "it",
					       "tmp", "swp", "mem" };

	for (size_t i = 0; i < sizeof(indices) / sizeof(indices[0]); i++) {
		const char *value = lsf_queue_param(c, queue, indices[i]);

		if (value && *value && *value != '/')
			return indices[i];
	}
	return NULL;
}

/*
 * Notes what was ignored when it started: whether hosts have what it requests besides slots, and
 * the limit of an array, which bjobs only reports once reached.
 */
static void name_unknown(const struct lsf_session *s, uint32_t entry)
{
	const struct cluster *c = session_cluster_of(s);
	uint32_t job = s->l->index->job[entry], array = cluster_u32(c, F_JOB_ARRAY, job);
	const char *asked = cluster_text(c, F_JOB_FEATURES, job);
	const char *own = lsf_queue_param(c, s->l->queue[entry], "RES_REQ");
	const char *load = session_threshold_of(c, s->l->queue[entry]);
	char *problem = s->l->problem;

	if (problem[0])
		return;
	/* The source reports this span[] for all jobs, as if each requested it. */
	if (own && strcmp(own, "span[hosts=1]") != 0)
		(void)snprintf(problem, sizeof(s->l->problem),
			       "the hosts that satisfy queue %.60s (RES_REQ %.80s) are unknown: "
			       "its jobs may not start",
			       cluster_text(c, F_QUEUE_NAME, s->l->queue[entry]), own);
	else if (load)
		(void)snprintf(problem, sizeof(s->l->problem),
			       "the hosts with less load than queue %.60s allows (%s = %.40s) are "
			       "unknown: its jobs may not start",
			       cluster_text(c, F_QUEUE_NAME, s->l->queue[entry]), load,
			       lsf_queue_param(c, s->l->queue[entry], load));
	else if (asked)
		(void)snprintf(problem, sizeof(s->l->problem),
			       "the hosts that satisfy job %u (-R %.100s) are unknown: it may not "
			       "start", (unsigned)cluster_u32(c, F_JOB_ID, job), asked);
	else if (cluster_bool(c, F_JOB_EXCLUSIVE, job) == BOOL_UNKNOWN)
		(void)snprintf(problem, sizeof(s->l->problem),
			       "only bjobs -l shows what jobs need of hosts (-m, -R, -x): job "
			       "%u may not start", (unsigned)cluster_u32(c, F_JOB_ID, job));
	else if (array < U32_UNKNOWN && idmap_get(&s->elements, array, 0) > 0)
		(void)snprintf(problem, sizeof(s->l->problem),
			       "bjobs does not show how many elements of array %u may run at once "
			       "(%%N of its name): fewer may start", (unsigned)array);
}

/* Slots for a request of LEAST to MOST; 0, and why, if there are too few. */
static uint32_t slots_for(struct lsf_session *s, uint32_t entry, uint32_t least, uint32_t most)
{
	struct session_room room = session_room_for(s, entry, false);
	struct lsf_asked asked = session_asked_by(s, entry);

	s->l->reason[entry] = room.why;
	if (room.slots < least)
		return 0;
	s->l->reason[entry] = s->hosts ? lsf_hosts_closed(s->hosts, &asked) : NULL;
	if (s->l->reason[entry])
		return 0;
	asked.least = least;
	asked.most = most < room.slots ? most : room.slots;
	asked.ever = session_room_for(s, entry, true).slots;
	if (s->hosts) {
		name_hosts(s, entry, asked.names);
		asked.most = lsf_hosts_start(s->hosts, &asked, &s->l->reason[entry]);
		if (!s->l->problem[0] && lsf_hosts_doubt(s->hosts))
			(void)snprintf(s->l->problem, sizeof(s->l->problem), "%s",
				       lsf_hosts_doubt(s->hosts));
		if (asked.most == 0)
			return 0;
		name_unknown(s, entry);
	}
	s->l->reason[entry] = NULL;
	return (uint32_t)asked.most;
}

/*
 * The scheduler's last reason, if no command reports more of it: the limit of an array (%N of its
 * name), or hosts allowed by a select[]. As many elements as are started are allowed.
 */
static const char *reported_reason(const struct lsf_session *s, uint32_t entry)
{
	static const char array[] = "The job array has reached its running element limit";
	static const char hosts[] = "Job's resource requirements not satisfied";
	const struct cluster *c = session_cluster_of(s);
	uint32_t job = s->l->index->job[entry], id = cluster_u32(c, F_JOB_ARRAY, job);
	const char *reason = cluster_text(c, F_JOB_REASON, job);

	if (reason && strstr(reason, array) && idmap_get(&s->elements, id, 0) > 0)
		return array;
	/* For all hosts: otherwise another reason would be there, too. */
	if (s->hosts && reason && strncmp(reason, hosts, sizeof(hosts) - 1) == 0 &&
	    !strchr(reason, ';'))
		return hosts;
	return NULL;
}

static uint32_t try_start(struct lsf_session *s, uint32_t entry)
{
	const struct cluster *c = session_cluster_of(s);
	uint32_t slots = session_slots_of(s, entry), queue = s->l->queue[entry];
	uint32_t most = cluster_u32(c, F_JOB_MAX_CPUS, s->l->index->job[entry]);

	s->l->reason[entry] = reported_reason(s, entry);
	if (s->l->reason[entry])
		return 0;
	/* mbd.policy.c, cntUQSlots(): more than the whole queue may ever have. */
	if (most < U32_UNKNOWN && queue != ROW_NONE && lsf_is_volclava(c) &&
	    most > cluster_u32(c, F_QUEUE_JOB_LIMIT, queue)) {
		s->l->reason[entry] = "The queue has not enough job slots for the parallel job";
		return 0;
	}
	return slots_for(s, entry, slots, most < U32_UNKNOWN && most > slots ? most : slots);
}

uint32_t lsf_session_start(struct lsf_session *s, uint32_t entry)
{
	uint32_t slots = s->l->stopped[entry] ? 0 : try_start(s, entry);

	if (slots > 0)
		session_add(s, entry, slots, true);
	return slots;
}
