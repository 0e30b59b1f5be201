/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/past_limits.h"

#include <stdio.h>

#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/cluster/idmap.h"

#define NO_LIMIT UINT32_MAX

/* A limit of each, or the amount used. */
struct past_amount {
	uint32_t jobs, cpus, nodes;
};

/* A QOS's limits per user, or per account, and their use, by the user's number. */
struct each {
	struct past_amount limit;
	struct past_amount *used;	/* NULL: no limit */
};

struct past_limits {
	const struct past *p;
	uint32_t cpu, node;		/* TRES; ROW_NONE: unknown, or not kept */
	struct past_amount *assoc, *assoc_used, *qos, *qos_used;
	uint32_t *max_jobs;		/* of the association itself */
	uint32_t *next;	/* the nearest association with limits, from itself upward; ROW_NONE */
	uint32_t *user, *account;	/* per association: the first with the same */
	struct each *users, *accounts;	/* per QOS */
	uint32_t above;
};

/* ---- limits -------------------------------------------------------------------------------- */

static uint32_t past_number_of(const struct cluster *c, enum field field, uint32_t row)
{
	uint32_t limit = cluster_u32(c, field, row);

	return limit == U32_UNKNOWN || limit == U32_INFINITE ? NO_LIMIT : limit;
}

static uint32_t past_tres_of(struct tres_list list, uint32_t tres)
{
	for (uint32_t i = 0; i < list.count && tres != ROW_NONE; i++) {
		if (list.items[i].tres == tres && list.items[i].count < NO_LIMIT)
			return (uint32_t)list.items[i].count;
	}
	return NO_LIMIT;
}

static struct past_amount past_limits_of(const struct past_limits *l, enum field jobs,
					 enum field tres, uint32_t row)
{
	struct tres_list list = cluster_tres(l->p->c, tres, row);

	return (struct past_amount){ past_number_of(l->p->c, jobs, row), past_tres_of(list, l->cpu),
				past_tres_of(list, l->node) };
}

static bool past_is_set(struct past_amount a)
{
	return a.jobs != NO_LIMIT || a.cpus != NO_LIMIT || a.nodes != NO_LIMIT;
}

/* The first association with the same text in FIELD, for each; the caller frees it. */
static uint32_t *same_of(const struct cluster *c, enum field field)
{
	uint32_t count = cluster_rows(c, TABLE_ASSOC);
	uint32_t *same = mem_alloc((size_t)count + 1, sizeof(*same));
	struct idmap first = { .size = 0 };

	for (uint32_t a = 0; a < count; a++) {
		uint32_t text = cluster_text_id(c, field, a);

		if (!idmap_has(&first, text))
			idmap_put(&first, text, a);
		same[a] = idmap_get(&first, text, a);
	}
	idmap_free(&first);
	return same;
}

/* Whether any association has a limit. */
static bool read_assocs(struct past_limits *l)
{
	const uint32_t *parent = cluster_parent(l->p->c);
	uint32_t count = cluster_rows(l->p->c, TABLE_ASSOC);
	bool any = false;

	l->assoc = mem_alloc((size_t)count + 1, sizeof(*l->assoc));
	l->assoc_used = mem_zalloc((size_t)count + 1, sizeof(*l->assoc_used));
	l->max_jobs = mem_alloc((size_t)count + 1, sizeof(*l->max_jobs));
	l->next = mem_alloc((size_t)count + 1, sizeof(*l->next));
	for (uint32_t a = 0; a < count; a++) {	/* parents come first */
		l->assoc[a] = past_limits_of(l, F_ASSOC_GRP_JOBS, F_ASSOC_GRP_TRES, a);
		l->max_jobs[a] = past_number_of(l->p->c, F_ASSOC_MAX_JOBS, a);
		l->next[a] = past_is_set(l->assoc[a]) || l->max_jobs[a] != NO_LIMIT ? a :
			     parent[a] == ROW_NONE ? ROW_NONE : l->next[parent[a]];
		any = any || l->next[a] == a;
	}
	l->user = same_of(l->p->c, F_ASSOC_USER);
	l->account = same_of(l->p->c, F_ASSOC_ACCOUNT);
	return any;
}

static struct each each_of(const struct past_limits *l, enum field jobs, enum field tres,
			   uint32_t row)
{
	size_t assocs = (size_t)cluster_rows(l->p->c, TABLE_ASSOC) + 1;
	struct each e = { past_limits_of(l, jobs, tres, row), NULL };

	if (past_is_set(e.limit))
		e.used = mem_zalloc(assocs, sizeof(*e.used));
	return e;
}

/* Whether any QOS has a limit. */
static bool past_read_qos(struct past_limits *l)
{
	uint32_t count = cluster_rows(l->p->c, TABLE_QOS);
	bool any = false;

	l->qos = mem_alloc((size_t)count + 1, sizeof(*l->qos));
	l->qos_used = mem_zalloc((size_t)count + 1, sizeof(*l->qos_used));
	l->users = mem_zalloc((size_t)count + 1, sizeof(*l->users));
	l->accounts = mem_zalloc((size_t)count + 1, sizeof(*l->accounts));
	for (uint32_t q = 0; q < count; q++) {
		l->qos[q] = past_limits_of(l, F_QOS_GRP_JOBS, F_QOS_GRP_TRES, q);
		l->users[q] = each_of(l, F_QOS_MAX_JOBS_USER, F_QOS_MAX_TRES_USER, q);
		l->accounts[q] = each_of(l, F_QOS_MAX_JOBS_ACCOUNT, F_QOS_MAX_TRES_ACCOUNT, q);
		any = any || past_is_set(l->qos[q]) || l->users[q].used || l->accounts[q].used;
	}
	return any;
}

/* ---- checks -------------------------------------------------------------------------------- */

static struct past_amount past_asked_by(const struct past_limits *l, uint32_t job)
{
	return (struct past_amount){ 1, l->p->sim_log->jobs[job].procs, l->p->jobs[job].nodes };
}

static bool past_fits(uint32_t limit, uint32_t used, uint32_t more)
{
	return limit == NO_LIMIT || more > limit || (uint64_t)used + more <= limit;
}

static bool past_has_room(struct past_amount limit, struct past_amount used,
			  struct past_amount more)
{
	return past_fits(limit.jobs, used.jobs, more.jobs) &&
	       past_fits(limit.cpus, used.cpus, more.cpus) &&
	       past_fits(limit.nodes, used.nodes, more.nodes);
}

static bool is_above(struct past_amount limit, struct past_amount a)
{
	return a.jobs > limit.jobs || a.cpus > limit.cpus || a.nodes > limit.nodes;
}

/* The group limits of association A that apply under QOS Q, whose own limits replace them. */
static struct past_amount under_qos(const struct past_limits *l, uint32_t a, uint32_t q)
{
	struct past_amount limit = l->assoc[a];

	if (q == ROW_NONE)
		return limit;
	limit.jobs = l->qos[q].jobs != NO_LIMIT ? NO_LIMIT : limit.jobs;
	limit.cpus = l->qos[q].cpus != NO_LIMIT ? NO_LIMIT : limit.cpus;
	limit.nodes = l->qos[q].nodes != NO_LIMIT ? NO_LIMIT : limit.nodes;
	return limit;
}

/* MaxJobs of association A, likewise. */
static struct past_amount own_under_qos(const struct past_limits *l, uint32_t a, uint32_t q)
{
	bool other = q != ROW_NONE && (l->users[q].limit.jobs != NO_LIMIT ||
				       l->accounts[q].limit.jobs != NO_LIMIT);

	return (struct past_amount){ other ? NO_LIMIT : l->max_jobs[a], NO_LIMIT, NO_LIMIT };
}

/* Calls TEST with each limit of JOB and the amount used, until it returns false. */
static bool all_limits(const struct past_limits *l, uint32_t job,
		       bool (*test)(struct past_amount limit, struct past_amount used,
				    struct past_amount more))
{
	const uint32_t *parent = cluster_parent(l->p->c);
	uint32_t own = l->p->jobs[job].assoc, q = l->p->jobs[job].qos;
	uint32_t a = own == ROW_NONE ? ROW_NONE : l->next[own];
	struct past_amount more = past_asked_by(l, job);

	if (a == own && own != ROW_NONE &&
	    !test(own_under_qos(l, own, q), l->assoc_used[own], more))
		return false;
	while (a != ROW_NONE) {
		if (!test(under_qos(l, a, q), l->assoc_used[a], more))
			return false;
		a = parent[a] == ROW_NONE ? ROW_NONE : l->next[parent[a]];
	}
	if (q == ROW_NONE)
		return true;
	if (!test(l->qos[q], l->qos_used[q], more))
		return false;
	return own == ROW_NONE ||
	       ((!l->users[q].used ||
		 test(l->users[q].limit, l->users[q].used[l->user[own]], more)) &&
		(!l->accounts[q].used ||
		 test(l->accounts[q].limit, l->accounts[q].used[l->account[own]], more)));
}

static bool alone_is_within(struct past_amount limit, struct past_amount used,
			    struct past_amount more)
{
	(void)used;
	return !is_above(limit, more);
}

bool past_limits_let(const struct past_limits *l, uint32_t job)
{
	return !l || all_limits(l, job, past_has_room);
}

/* ---- running jobs -------------------------------------------------------------------------- */

/* TIMES: 1, or UINT32_MAX to subtract. */
static void past_add(struct past_amount *used, struct past_amount more, uint32_t times)
{
	used->jobs += times * more.jobs;
	used->cpus += times * more.cpus;
	used->nodes += times * more.nodes;
}

static void keep_count(struct past_limits *l, uint32_t job, uint32_t nodes, uint32_t times)
{
	const uint32_t *parent = cluster_parent(l->p->c);
	uint32_t own = l->p->jobs[job].assoc, q = l->p->jobs[job].qos;
	struct past_amount more = past_asked_by(l, job);

	more.nodes = nodes;
	for (uint32_t a = own; a != ROW_NONE; a = parent[a])
		past_add(&l->assoc_used[a], more, times);
	if (q == ROW_NONE)
		return;
	past_add(&l->qos_used[q], more, times);
	if (own != ROW_NONE && l->users[q].used)
		past_add(&l->users[q].used[l->user[own]], more, times);
	if (own != ROW_NONE && l->accounts[q].used)
		past_add(&l->accounts[q].used[l->account[own]], more, times);
}

void past_limits_begin(struct past_limits *l, uint32_t job, uint32_t nodes)
{
	if (l)
		keep_count(l, job, nodes, 1);
}

void past_limits_end(struct past_limits *l, uint32_t job, uint32_t nodes)
{
	if (l)
		keep_count(l, job, nodes, UINT32_MAX);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static bool are_known(const struct cluster *c)
{
	return cluster_col(c, F_ASSOC_MAX_JOBS) || cluster_col(c, F_ASSOC_GRP_JOBS) ||
	       cluster_col(c, F_ASSOC_GRP_TRES);
}

void past_limits_note(const struct past *p, char *buf, size_t size)
{
	uint32_t above = p->limits ? p->limits->above : 0;

	buf[0] = '\0';
	if (!policy_keeps_limits(cluster_policy(p->c)))
		(void)snprintf(buf, size, "AccountingStorageEnforce does not list limits: those "
			       "of associations and QOS are not enforced");
	else if (!p->limits && !are_known(p->c))
		(void)snprintf(buf, size, "limits of associations and QOS are unknown: none is "
			       "enforced");
	else if (above > 0)
		(void)snprintf(buf, size, "%lu job%s above a limit of its association or QOS on "
			       "its own: that is not enforced for it", (unsigned long)above,
			       plural(above, " is", "s are"));
}

struct past_limits *past_limits_new(const struct past *p)
{
	struct past_limits *l;
	bool assocs, qos;

	if (!policy_keeps_limits(cluster_policy(p->c)))
		return NULL;
	l = mem_zalloc(1, sizeof(*l));
	l->p = p;
	l->cpu = cluster_find_tres(p->c, "cpu");
	l->node = p->unit ? ROW_NONE : cluster_find_tres(p->c, "node");
	assocs = read_assocs(l);
	qos = past_read_qos(l);
	if (!assocs && !qos) {
		past_limits_free(l);
		return NULL;
	}
	for (uint32_t i = 0; i < p->sim_log->count; i++)
		l->above += !all_limits(l, i, alone_is_within);
	return l;
}

void past_limits_free(struct past_limits *l)
{
	if (!l)
		return;
	for (uint32_t q = 0; q < cluster_rows(l->p->c, TABLE_QOS); q++) {
		mem_free(l->users[q].used);
		mem_free(l->accounts[q].used);
	}
	MEM_FREE(l->users, l->accounts, l->qos, l->qos_used, l->assoc, l->assoc_used, l->max_jobs,
		 l->next, l->user, l->account, l);
}
