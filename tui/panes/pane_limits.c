/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limit that a job waits for. The scheduler says of which kind it is (AssocGrpCpuLimit), not
 * whose: so every limit of that kind (Grp, Max, Min) that the job would pass is named, with its
 * owner, what is in use, what the job would add, and the users who have it in use.
 *
 * A limit of a QOS counts for the job's own and for the QOS of its partition. What the source does
 * not tell of a QOS is counted over the running jobs; what it does not tell at all is named.
 */
#include "tui/panes/detail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/share/quota.h"

#define MINUTE 60.0
#define HOLDERS_MOST 64
#define HOLDERS_SHOWN 4
#define NOT_SEEN \
	"no limit that can be seen from here is reached; it may have been so at the " \
	"scheduler's last look"

/* Whose limit it is: what runs is counted over the same jobs. */
enum owner { OWNER_ASSOC, OWNER_QOS };

struct limits {
	struct doc *d;
	const struct jobs *j;
	uint32_t row;			/* of the job */
	enum owner owner;
	uint32_t of;			/* row of the association or of the QOS */
	char whose[1100];
	bool own;	/* its own association: limits of each job and user count, too */
	const char *kind;		/* "Grp", "Max", "Min"; "": any */
	unsigned reached;
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* What a job has of a TRES, or asks for. */
static double amount(const struct cluster *c, uint32_t job, uint32_t tres)
{
	struct tres_list list = cluster_tres(c, F_JOB_TRES_ALLOC, job);

	if (list.items == NULL)
		list = cluster_tres(c, F_JOB_TRES, job);
	for (uint32_t i = 0; i < list.count; i++) {
		if (list.items[i].tres == tres)
			return list.items[i].count;
	}
	return list.items != NULL ? 0 : F64_UNKNOWN;
}

/* ---- what runs ----------------------------------------------------------------------------- */

/* Does entry E count against the limits of the owner? */
static bool counts(const struct limits *l, uint32_t e)
{
	const struct job_index *x = l->j->index;
	const char *own, *of_partition;

	if (x->kind[e] != JOB_RUNNING)
		return false;
	if (l->owner == OWNER_ASSOC)
		return x->assoc[e] != ROW_NONE && x->assoc[e] >= l->of &&
		       x->assoc[e] < l->of + cluster_span(x->cluster)[l->of];
	if (x->qos[e] == l->of || x->partition[e] == ROW_NONE)
		return x->qos[e] == l->of;
	own = cluster_text(x->cluster, F_QOS_NAME, l->of);
	of_partition = cluster_text(x->cluster, F_PARTITION_QOS, x->partition[e]);
	return own != NULL && of_partition != NULL && strcmp(own, of_partition) == 0;
}

/* Minutes that a job may still run. */
static double minutes_left(const struct cluster *c, uint32_t job)
{
	int64_t end = cluster_i64(c, F_JOB_END, job), now = cluster_meta(c)->time;

	if (end == I64_UNKNOWN || end == I64_INFINITE)
		return end == I64_INFINITE ? HUGE_VAL : F64_UNKNOWN;
	return end > now ? (double)(end - now) / MINUTE : 0;
}

/*
 * Jobs that run, or what they have of TRES, or that times the MINUTES they have left; of those
 * whose FIELD is the job's only, or F_COUNT. NaN where others may run unseen.
 */
static double running(const struct limits *l, uint32_t tres, enum field field, bool minutes)
{
	const struct job_index *x = l->j->index;
	uint32_t who = 0;
	double sum = 0;

	if (cluster_hides_jobs(x->cluster))
		return F64_UNKNOWN;
	if (field != F_COUNT)
		who = cluster_text_id(x->cluster, field, x->job[l->row]);
	for (uint32_t e = 0; e < x->n; e++) {
		if (!counts(l, e))
			continue;
		if (field != F_COUNT && cluster_text_id(x->cluster, field, x->job[e]) != who)
			continue;
		sum += (tres == ROW_NONE ? x->tasks[e] : amount(x->cluster, x->job[e], tres)) *
		       (minutes ? minutes_left(x->cluster, x->job[e]) : 1);
	}
	return sum;
}

struct holder {
	uint32_t user;		/* text */
	double has;
};

/* The users of what runs; those beyond HOLDERS_MOST are left out. */
static size_t find_holders(const struct limits *l, uint32_t tres, struct holder *holders)
{
	const struct job_index *x = l->j->index;
	size_t n = 0;

	for (uint32_t e = 0; e < x->n; e++) {
		uint32_t user = cluster_text_id(x->cluster, F_JOB_USER, x->job[e]);
		double has = tres == ROW_NONE ? x->tasks[e] : 0;
		size_t i = 0;

		if (!counts(l, e))
			continue;
		if (tres != ROW_NONE)
			has = amount(x->cluster, x->job[e], tres);
		while (i < n && holders[i].user != user)
			i++;
		if (i == HOLDERS_MOST)
			continue;
		if (i == n)
			holders[n++] = (struct holder){ user, 0 };
		holders[i].has += f64_known(has) ? has : 0;
	}
	return n;
}

static void put_holders(const struct limits *l, uint32_t tres)
{
	struct holder holders[HOLDERS_MOST];
	size_t n = find_holders(l, tres, holders), used = 0;
	char text[400];

	used = (size_t)snprintf(text, sizeof text, "in use by ");
	for (size_t shown = 0; shown < HOLDERS_SHOWN; shown++) {
		size_t most = 0;
		const char *name;

		for (size_t i = 1; i < n; i++)
			most = holders[i].has > holders[most].has ? i : most;
		if (n == 0 || !(holders[most].has > 0))
			break;
		name = cluster_string(l->j->model->cluster, holders[most].user);
		if (used < sizeof text)
			used += (size_t)snprintf(text + used, sizeof text - used, "%s%.64s %.15g",
						 shown > 0 ? ", " : "", name != NULL ? name : "-",
						 holders[most].has);
		holders[most].has = 0;
	}
	if (strcmp(text, "in use by ") != 0)
		pane_pair(l->d, "", ROLE_HINT, text);
}

/* ---- one limit ----------------------------------------------------------------------------- */

/* What the job would add to a limit, in the limit's unit. */
static double asked(const struct limits *l, const struct quota *q)
{
	const struct cluster *c = l->j->model->cluster;
	uint32_t job = l->j->index->job[l->row];
	int64_t seconds = cluster_i64(c, F_JOB_TIME_LIMIT, job);
	bool time = strstr(q->name, "Wall") != NULL || strstr(q->name, "Mins") != NULL;
	double much = q->tres == ROW_NONE ? 1 : amount(c, job, q->tres);

	if (time && (seconds == I64_UNKNOWN || seconds == I64_INFINITE))
		return seconds == I64_INFINITE ? HUGE_VAL : F64_UNKNOWN;
	return time ? much * (double)seconds / MINUTE : much;
}

static void put_limit(struct limits *l, const struct quota *q, double used, bool each)
{
	bool time = strstr(q->name, "Wall") != NULL || strstr(q->name, "Mins") != NULL;
	const char *unit = time ? " minutes" : "";
	double asks = asked(l, q);
	char text[1500];

	if (!f64_known(used) || !f64_known(q->limit))
		return;
	if (f64_known(asks) ? used + asks <= q->limit : used < q->limit)
		return;
	l->reached++;
	if (each)
		snprintf(text, sizeof text, "%s of %s: %.15g%s, it asks for %.15g", q->name,
			 l->whose, q->limit, unit, asks);
	else if (f64_known(asks))
		snprintf(text, sizeof text, "%s of %s: %.15g of %.15g%s in use, it asks for %.15g",
			 q->name, l->whose, used, q->limit, unit, asks);
	else
		snprintf(text, sizeof text, "%s of %s: %.15g of %.15g%s in use", q->name, l->whose,
			 used, q->limit, unit);
	pane_pair(l->d, l->reached == 1 ? "limit" : "", ROLE_WARN, text);
	if (!each && begins(q->name, "Grp") && !begins(q->name, "GrpTRESM") &&
	    !begins(q->name, "GrpWall") && !cluster_hides_jobs(l->j->model->cluster))
		put_holders(l, q->tres);
}

/* Does it limit each job by itself? */
static bool is_each(const char *name)
{
	return strstr(name, "PerJob") != NULL;
}

static void check_assoc(void *context, const struct quota *q)
{
	struct limits *l = context;

	/* Submitting has succeeded, and what an account says of each user is in his own row. */
	if (begins(q->name, "GrpSubmit") || begins(q->name, "MaxSubmit") ||
	    begins(q->name, "GrpJobsAccrue") || (begins(q->name, "Max") && !l->own) ||
	    !begins(q->name, l->kind))
		return;
	put_limit(l, q, is_each(q->name) ? 0 : q->used, is_each(q->name));
}

static void check_qos(void *context, const struct quota *q)
{
	struct limits *l = context;
	bool minutes = strstr(q->name, "RunMins") != NULL;
	double used = q->used;

	if (begins(q->name, "GrpJobsAccrue") || !begins(q->name, l->kind))
		return;
	if (is_each(q->name))
		used = 0;
	else if (strstr(q->name, "PerUser") != NULL)
		used = running(l, q->tres, F_JOB_USER, minutes);
	else if (strstr(q->name, "PerAccount") != NULL)
		used = running(l, q->tres, F_JOB_ACCOUNT, minutes);
	else if (!f64_known(used) && (begins(q->name, "GrpJobs") || begins(q->name, "GrpTRES ")))
		used = running(l, q->tres, F_COUNT, false);
	put_limit(l, q, used, is_each(q->name));
}

/* ---- all of one kind ----------------------------------------------------------------------- */

static void put_assoc_limits(struct limits *l)
{
	const struct cluster *c = l->j->model->cluster;
	const uint32_t *parent = cluster_parent(c);

	l->owner = OWNER_ASSOC;
	l->own = true;
	for (uint32_t row = l->j->index->assoc[l->row]; row != ROW_NONE; row = parent[row]) {
		l->of = row;
		cluster_path(c, row, l->whose, sizeof l->whose);
		quota_list(c, row, check_assoc, l);
		l->own = false;
	}
	if (l->reached == 0)
		pane_pair(l->d, "limit", ROLE_HINT, NOT_SEEN);
}

/* The least that a QOS wants of each job. */
static void put_least(struct limits *l)
{
	const struct cluster *c = l->j->model->cluster;
	struct tres_list list = cluster_tres(c, F_QOS_MIN_TRES, l->of);
	char text[1400];

	for (uint32_t i = 0; i < list.count; i++) {
		double asks = amount(c, l->j->index->job[l->row], list.items[i].tres);

		if (!(asks < list.items[i].count))
			continue;
		l->reached++;
		snprintf(text, sizeof text, "MinTRESPerJob %s of %s: %.15g, it asks for %.15g",
			 cluster_tres_name(c, list.items[i].tres), l->whose, list.items[i].count,
			 asks);
		pane_pair(l->d, l->reached == 1 ? "limit" : "", ROLE_WARN, text);
	}
}

/* PARTITION: whose QOS it is; NULL: the job's own. */
static void enter_qos(struct limits *l, uint32_t qos, uint32_t partition)
{
	const struct cluster *c = l->j->model->cluster;
	const char *name = cluster_text(c, F_QOS_NAME, qos), *of = NULL;

	if (partition != ROW_NONE)
		of = cluster_text(c, F_PARTITION_NAME, partition);
	l->owner = OWNER_QOS;
	l->of = qos;
	snprintf(l->whose, sizeof l->whose, "QOS %s%s%s", name != NULL ? name : "-",
		 of != NULL ? " of partition " : "", of != NULL ? of : "");
}

static void put_qos(struct limits *l, uint32_t qos, uint32_t partition)
{
	if (qos == ROW_NONE)
		return;
	enter_qos(l, qos, partition);
	quota_qos_list(l->j->model->cluster, qos, check_qos, l);
	if (begins("Min", l->kind))
		put_least(l);
}

/* Nothing that is told is reached: what runs, and what is not told. */
static void put_untold(struct limits *l, uint32_t qos, uint32_t partition)
{
	char untold[300], text[1400];

	if (qos == ROW_NONE)
		return;
	enter_qos(l, qos, partition);
	if (cluster_hides_jobs(l->j->model->cluster))
		snprintf(text, sizeof text, "%s: jobs of others are hidden", l->whose);
	else
		snprintf(text, sizeof text, "%s: %.15g jobs run, %.15g of them its user's",
			 l->whose, running(l, ROW_NONE, F_COUNT, false),
			 running(l, ROW_NONE, F_JOB_USER, false));
	pane_pair(l->d, "", ROLE_HINT, text);
	quota_qos_untold(l->j->model->cluster, qos, untold, sizeof untold);
	if (untold[0] == '\0')
		return;
	snprintf(text, sizeof text, "the source does not tell its %s", untold);
	pane_pair(l->d, "", ROLE_HINT, text);
}

static void put_qos_limits(struct limits *l)
{
	const struct job_index *x = l->j->index;
	uint32_t own = x->qos[l->row], p = x->partition[l->row], other = ROW_NONE;

	if (p != ROW_NONE)
		other = cluster_row_of(x->cluster, F_QOS_NAME,
				       cluster_text_id(x->cluster, F_PARTITION_QOS, p));
	if (other == own)
		other = ROW_NONE;
	put_qos(l, other, p);
	put_qos(l, own, ROW_NONE);
	if (l->reached > 0)
		return;
	pane_pair(l->d, "limit", ROLE_HINT,
		  own == ROW_NONE && other == ROW_NONE ? "the source tells nothing of its QOS"
						       : NOT_SEEN);
	put_untold(l, other, p);
	put_untold(l, own, ROW_NONE);
}

/* "AssocGrpCpuLimit": what follows the owner, where it is of a kind. */
static const char *kind_of(const char *reason)
{
	static const char *const kinds[] = { "Grp", "Max", "Min" };
	const char *at = reason + (begins(reason, "Assoc") ? 5 : begins(reason, "QOS") ? 3 : 0);

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (begins(at, kinds[i]))
			return kinds[i];
	}
	return "";
}

void limits_doc(struct doc *d, const struct jobs *j, uint32_t row, const char *reason)
{
	struct limits l = { .d = d, .j = j, .row = row, .kind = kind_of(reason) };

	if (begins(reason, "Assoc") || begins(reason, "MaxJobsPer"))
		put_assoc_limits(&l);
	else if ((begins(reason, "QOS") && strcmp(reason, "QOSNotAllowed") != 0) ||
		 strstr(reason, "RunMinsPer"))	/* MaxCpuRunMinsPerUser, since 24.05 */
		put_qos_limits(&l);
}
