/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/job_limits.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/word.h"
#include "core/share/quota.h"

#define MINUTE 60.0
#define HOLDERS_MOST 64

/* The owner whose limits are checked; running jobs are counted for the same owner. */
struct limit_search {
	struct job_limits *found;
	const struct jobs *j;
	const struct cluster *c;
	uint32_t entry, job;
	enum job_limits_of owner;
	uint32_t of;			/* row of the association or of the QOS */
	char whose[1100];
	bool own;	/* the job's own association: per-user and per-job limits count, too */
	const char *kind;		/* "Grp", "Max", "Min"; "": any */
	bool all;			/* all kinds that Slurm checks */
	uint32_t qos[2], partition[2];	/* QOS that limit it, in order; PARTITION: whose QOS */
	uint32_t qos_count;
	uint32_t qos_asked;		/* how many of these come before the owner */
	bool qos_unknown;		/* one may not have been read */
	bool doubtful;			/* the current limit is */
};

/* Allocated amount of a TRES, or the requested one. */
static double limits_amount(const struct cluster *c, uint32_t job, uint32_t tres)
{
	struct tres_list list = cluster_tres(c, F_JOB_TRES_ALLOC, job);

	if (!list.items)
		list = cluster_tres(c, F_JOB_TRES, job);
	return list.items ? tres_list_count(list, tres) : F64_UNKNOWN;
}

/* ---- running jobs --------------------------------------------------------------------------- */

/* Does entry E count against the limits of the owner? */
static bool limits_counts(const struct limit_search *l, uint32_t e)
{
	const struct job_index *x = l->j->index;
	const char *own, *of_partition;

	if (x->kind[e] != JOB_RUNNING)
		return false;
	if (l->owner == JOB_LIMITS_ASSOC)
		return x->assoc[e] != ROW_NONE && x->assoc[e] >= l->of &&
		       x->assoc[e] < l->of + cluster_span(l->c)[l->of];
	if (x->qos[e] == l->of || x->partition[e] == ROW_NONE)
		return x->qos[e] == l->of;
	own = cluster_text(l->c, F_QOS_NAME, l->of);
	of_partition = cluster_text(l->c, F_PARTITION_QOS, x->partition[e]);
	return own && of_partition && strcmp(own, of_partition) == 0;
}

/* Minutes that a job may still run. */
static double minutes_left(const struct cluster *c, uint32_t job)
{
	int64_t end = cluster_i64(c, F_JOB_END, job), now = cluster_meta(c)->time;

	if (end == I64_UNKNOWN || end == I64_INFINITE)
		return end == I64_INFINITE ? HUGE_VAL : F64_UNKNOWN;
	return end > now ? (double)(end - now) / MINUTE : 0;
}

/* Does entry E count, and does it share FIELD (unless F_COUNT) with the job? */
static bool counts_with(const struct limit_search *l, uint32_t e, enum field field)
{
	return limits_counts(l, e) && (field == F_COUNT ||
				       cluster_text_id(l->c, field, l->j->index->job[e]) ==
				       cluster_text_id(l->c, field, l->job));
}

static double limits_has(const struct limit_search *l, uint32_t e, uint32_t tres)
{
	const struct job_index *x = l->j->index;

	return tres == ROW_NONE ? x->tasks[e] : limits_amount(l->c, x->job[e], tres);
}

/*
 * Sums running jobs, or their TRES, or TRES times MINUTES left, over jobs that share FIELD with the
 * job (F_COUNT: all). NaN if others may run unseen.
 */
static double limits_running(const struct limit_search *l, uint32_t tres, enum field field,
			     bool minutes)
{
	const struct job_index *x = l->j->index;
	double sum = 0;

	if (cluster_hides_jobs(l->c))
		return F64_UNKNOWN;
	for (uint32_t i = 0; i < x->running_count; i++) {
		uint32_t e = x->running[i];

		if (counts_with(l, e, field))
			sum += limits_has(l, e, tres) *
			       (minutes ? minutes_left(l->c, x->job[e]) : 1);
	}
	return sum;
}

/* The earliest end of a running job that counts; unknown if one should have ended by now. */
static int64_t next_end(const struct limit_search *l, uint32_t tres, enum field field)
{
	const struct job_index *x = l->j->index;
	int64_t first = I64_UNKNOWN;

	for (uint32_t i = 0; i < x->running_count && !cluster_hides_jobs(l->c); i++) {
		uint32_t e = x->running[i];
		int64_t end = cluster_i64(l->c, F_JOB_END, x->job[e]);

		if (end != I64_UNKNOWN && end != I64_INFINITE && counts_with(l, e, field) &&
		    limits_has(l, e, tres) > 0 && (first == I64_UNKNOWN || end < first))
			first = end;
	}
	return first > cluster_meta(l->c)->time ? first : I64_UNKNOWN;
}

/* Finds the users of running jobs; those beyond HOLDERS_MOST are left out. */
static uint32_t find_holders(const struct limit_search *l, uint32_t tres,
			     struct job_limit_holder *holders)
{
	const struct job_index *x = l->j->index;
	uint32_t n = 0;

	for (uint32_t k = 0; k < x->running_count; k++) {
		uint32_t e = x->running[k], i = 0;
		uint32_t user = cluster_text_id(l->c, F_JOB_USER, x->job[e]);
		double more;

		if (!limits_counts(l, e))
			continue;
		more = limits_has(l, e, tres);
		while (i < n && holders[i].user != user)
			i++;
		if (i == HOLDERS_MOST)
			continue;
		if (i == n)
			holders[n++] = (struct job_limit_holder){ user, 0 };
		holders[i].has += f64_known(more) ? more : 0;
	}
	return n;
}

static void take_holders(const struct limit_search *l, struct job_limit *limit)
{
	struct job_limit_holder all[HOLDERS_MOST];
	uint32_t n = find_holders(l, limit->tres, all);

	while (limit->holder_count < JOB_LIMIT_HOLDERS) {
		uint32_t most = 0;

		for (uint32_t i = 1; i < n; i++)
			most = all[i].has > all[most].has ? i : most;
		if (n == 0 || !(all[most].has > 0))
			return;
		limit->holders[limit->holder_count++] = all[most];
		all[most].has = 0;
	}
}

/* ---- one limit ------------------------------------------------------------------------------ */

/* What the job would add to a limit, in the limit's unit. */
static double limits_asked(const struct limit_search *l, const struct quota *q, bool minutes)
{
	int64_t seconds = cluster_i64(l->c, F_JOB_TIME_LIMIT, l->job);
	double much = q->tres == ROW_NONE ? 1 : limits_amount(l->c, l->job, q->tres);

	if (minutes && (seconds == I64_UNKNOWN || seconds == I64_INFINITE))
		return seconds == I64_INFINITE ? HUGE_VAL : F64_UNKNOWN;
	return minutes ? much * (double)seconds / MINUTE : much;
}

static struct job_limit *limits_add_limit(struct limit_search *l, const struct job_limit *limit)
{
	struct job_limits *found = l->found;

	MEM_GROW(found->reached, found->capacity, found->count + 1);
	found->reached[found->count] = *limit;
	found->reached[found->count].whose = mem_strdup(l->whose);
	return &found->reached[found->count++];
}

/* Does the owner's used amount decay? */
static bool usage_decays(const struct limit_search *l)
{
	bool kept = l->owner == JOB_LIMITS_QOS &&
		    cluster_list_has(l->c, F_QOS_FLAGS, l->of, "NoDecay");

	return !kept && cluster_policy(l->c)->half_life > 0;
}

/* FIELD: restricts the jobs that count to the job's user or account; F_COUNT: all. */
static void look_at(struct limit_search *l, const struct quota *q, double used, enum field field)
{
	bool minutes = strstr(q->name, "Wall") || strstr(q->name, "Mins");
	struct job_limit limit = {
		.tres = q->tres, .minutes = minutes, .each = strstr(q->name, "PerJob"),
		.spent = word_begins(q->name, "GrpTRESM") || word_begins(q->name, "GrpWall"),
		.doubtful = l->doubtful, .used = used, .most = q->limit,
		.asks = limits_asked(l, q, minutes), .next_end = I64_UNKNOWN,
	};
	struct job_limit *added;

	if (limit.each)
		limit.used = 0;
	limit.decays = limit.spent && usage_decays(l);
	if (!f64_known(limit.used) || !f64_known(limit.most) ||
	    ((l->all && limit.spent) || !f64_known(limit.asks) ?
	     limit.used < limit.most : limit.used + limit.asks <= limit.most))
		return;
	(void)snprintf(limit.name, sizeof(limit.name), "%s", q->name);
	added = limits_add_limit(l, &limit);
	if (limit.each || limit.spent)
		return;
	added->next_end = next_end(l, q->tres, field);
	if (word_begins(q->name, "Grp") && !cluster_hides_jobs(l->c))
		take_holders(l, added);
}

/* Does a QOS set the limit NAME of an association or of another QOS? */
struct limits_setting {
	const char *name;
	bool set;
};

static void compare_setting(void *context, const struct quota *q)
{
	struct limits_setting *s = context;

	s->set |= strcmp(q->name, s->name) == 0 ||
		  (strcmp(s->name, "MaxJobs") == 0 && word_begins(q->name, "MaxJobsPer"));
}

/* Does a QOS that precedes the owner override it? Doubtful if that QOS was not read. */
static bool limits_is_overridden(struct limit_search *l, const char *name)
{
	struct limits_setting s = { name, false };
	char unreported[300];

	l->doubtful = l->qos_unknown;
	for (uint32_t k = 0; k < l->qos_asked; k++) {
		quota_qos_list(l->c, l->qos[k], compare_setting, &s);
		quota_qos_unreported(l->c, l->qos[k], unreported, sizeof(unreported));
		l->doubtful |= word_listed(unreported, name, strcspn(name, " ")) ||
			       (strcmp(name, "MaxJobs") == 0 && strstr(unreported, "MaxJobsPer"));
	}
	return s.set;
}

static bool limits_is_asked(struct limit_search *l, const char *name)
{
	if (word_begins(name, "GrpJobsAccrue") || !word_begins(name, l->kind))
		return false;
	/* MaxTRESMins is enforced on some clusters only. */
	return !l->all || (!word_begins(name, "MaxTRESMins") && !limits_is_overridden(l, name));
}

static void limits_check_assoc(void *context, const struct quota *q)
{
	struct limit_search *l = context;

	/* Submission has succeeded, and an account's per-user limits are in the user's own row. */
	if (word_begins(q->name, "GrpSubmit") || word_begins(q->name, "MaxSubmit") ||
	    (word_begins(q->name, "Max") && !l->own) || !limits_is_asked(l, q->name))
		return;
	look_at(l, q, q->used, F_COUNT);
}

static void limits_check_qos(void *context, const struct quota *q)
{
	struct limit_search *l = context;
	enum field field = strstr(q->name, "PerUser") ? F_JOB_USER :
			   strstr(q->name, "PerAccount") ? F_JOB_ACCOUNT : F_COUNT;
	double used = q->used;

	if (!limits_is_asked(l, q->name))
		return;
	if (field != F_COUNT)
		used = limits_running(l, q->tres, field, strstr(q->name, "RunMins"));
	else if (!f64_known(used) &&
		 (word_begins(q->name, "GrpJobs") || word_begins(q->name, "GrpTRES ")))
		used = limits_running(l, q->tres, F_COUNT, false);
	look_at(l, q, used, field);
}

/* ---- all of one kind ------------------------------------------------------------------------ */

static void search_assocs(struct limit_search *l)
{
	const uint32_t *parent = cluster_parent(l->c);

	l->owner = JOB_LIMITS_ASSOC;
	l->own = true;
	l->qos_asked = l->qos_count;
	for (uint32_t row = l->j->index->assoc[l->entry]; row != ROW_NONE; row = parent[row]) {
		l->of = row;
		(void)cluster_path(l->c, row, l->whose, sizeof(l->whose));
		quota_list(l->c, row, limits_check_assoc, l);
		l->own = false;
	}
}

/* The minimum that a QOS requires of each job. */
static void look_at_least(struct limit_search *l)
{
	struct tres_list list = cluster_tres(l->c, F_QOS_MIN_TRES, l->of);

	for (uint32_t i = 0; i < list.count; i++) {
		struct job_limit limit = {
			.tres = list.items[i].tres, .each = true, .least = true,
			.most = list.items[i].count, .next_end = I64_UNKNOWN,
			.asks = limits_amount(l->c, l->job, list.items[i].tres),
		};

		if (!(limit.asks < limit.most))
			continue;
		(void)snprintf(limit.name, sizeof(limit.name), "MinTRESPerJob %s",
			       cluster_tres_name(l->c, limit.tres));
		limits_add_limit(l, &limit);
	}
}

static void search_qos(struct limit_search *l)
{
	for (uint32_t k = 0; k < l->qos_count; k++) {
		const char *name = cluster_text(l->c, F_QOS_NAME, l->qos[k]), *of = NULL;
		struct job_limit_qos *qos;

		if (l->partition[k] != ROW_NONE)
			of = cluster_text(l->c, F_PARTITION_NAME, l->partition[k]);
		l->owner = JOB_LIMITS_QOS;
		l->of = l->qos[k];
		l->qos_asked = k;
		(void)snprintf(l->whose, sizeof(l->whose), "QOS %s%s%s", name ? name : "-",
			       of ? " of partition " : "", of ? of : "");
		quota_qos_list(l->c, l->of, limits_check_qos, l);
		if (word_begins("Min", l->kind) && !(l->all && k > 0))
			look_at_least(l);
		if (l->all)
			continue;
		qos = &l->found->qos[l->found->qos_count++];
		qos->whose = mem_strdup(l->whose);
		qos->jobs = limits_running(l, ROW_NONE, F_COUNT, false);
		qos->of_user = limits_running(l, ROW_NONE, F_JOB_USER, false);
		quota_qos_unreported(l->c, l->of, qos->unreported, sizeof(qos->unreported));
	}
}

/* "AssocGrpCpuLimit": the part after the owner, if it is a known kind. */
static const char *limits_kind_of(const char *reason)
{
	static const char *const kinds[] = { "Grp", "Max", "Min" };
	const char *at = reason + (word_begins(reason, "Assoc") ? 5 :
				   word_begins(reason, "QOS") ? 3 : 0);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (word_begins(at, kinds[i]))
			return kinds[i];
	}
	return "";
}

/* Starts with the QOS of its partition, unless the job's own overrides that. */
static struct limit_search search_of(struct job_limits *found, const struct jobs *j, uint32_t entry)
{
	const struct job_index *x = j->index;
	uint32_t own = x->qos[entry], p = x->partition[entry], handle = TEXT_NONE, other = ROW_NONE;
	struct limit_search l = { .found = found, .j = j, .c = j->model->cluster, .entry = entry,
				  .job = x->job[entry], .kind = "" };

	*found = (struct job_limits){ .count = 0 };
	if (p != ROW_NONE) {
		handle = cluster_text_id(l.c, F_PARTITION_QOS, p);
		other = cluster_row_of(l.c, F_QOS_NAME, handle);
	}
	l.qos_unknown = own == ROW_NONE || p == ROW_NONE ||
			(other == ROW_NONE && handle > TEXT_EMPTY);
	if (other != ROW_NONE && other != own) {
		l.qos[l.qos_count] = other;
		l.partition[l.qos_count++] = p;
	}
	if (own != ROW_NONE) {
		l.qos[l.qos_count] = own;
		l.partition[l.qos_count++] = ROW_NONE;
	}
	return l;
}

enum job_limits_of job_limits_of(const char *reason)
{
	/* MaxCpuPerAccount, and since 24.05 MaxCpuRunMinsPerUser */
	bool max = word_begins(reason, "Max") &&
		   (strstr(reason, "PerAccount") || strstr(reason, "RunMinsPer"));

	if (word_begins(reason, "Assoc"))
		return JOB_LIMITS_ASSOC;
	if (max || (word_begins(reason, "QOS") && strcmp(reason, "QOSNotAllowed") != 0))
		return JOB_LIMITS_QOS;
	return JOB_LIMITS_NONE;
}

void job_limits_find(struct job_limits *found, const struct jobs *j, uint32_t entry,
		     const char *reason)
{
	struct limit_search l = search_of(found, j, entry);
	enum job_limits_of of = job_limits_of(reason);

	l.kind = limits_kind_of(reason);
	if (of == JOB_LIMITS_ASSOC)
		search_assocs(&l);
	else if (of == JOB_LIMITS_QOS)
		search_qos(&l);
}

void job_limits_find_all(struct job_limits *found, const struct jobs *j, uint32_t entry)
{
	struct limit_search l = search_of(found, j, entry);

	l.all = true;
	if (l.qos_count == 2 && cluster_list_has(l.c, F_QOS_FLAGS, l.qos[1], "OverPartQOS")) {
		l.qos[1] = l.qos[0];
		l.partition[1] = l.partition[0];
		l.qos[0] = j->index->qos[entry];
		l.partition[0] = ROW_NONE;
	}
	search_qos(&l);
	search_assocs(&l);
}

void job_limits_free(struct job_limits *l)
{
	for (size_t i = 0; i < l->count; i++)
		mem_free(l->reached[i].whose);
	for (uint32_t k = 0; k < l->qos_count; k++)
		mem_free(l->qos[k].whose);
	mem_free(l->reached);
}
