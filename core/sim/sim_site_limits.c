/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits on running jobs. Each is that of the job's first QOS that sets it; only if none does, the
 * limits of its associations apply. Source: acct_policy.c of slurmctld, 22.05.
 */
#include <string.h>

#include "core/sim/sim_site.h"

#define MOST_TRES 64	/* with more, limits per user are not enforced */

/* The use by some running jobs. */
struct running {
	uint32_t jobs;
	double tres[MOST_TRES];
};

void site_order_qos(const struct site *s, struct site_job *job)
{
	uint32_t of_partition = job->partition == ROW_NONE ? ROW_NONE :
				s->partitions[job->partition].qos;
	bool own_first = of_partition == ROW_NONE ||
			 cluster_list_has(s->c, F_QOS_FLAGS, job->qos, "OverPartQOS");

	job->limiters[0] = own_first ? job->qos : of_partition;
	job->limiters[1] = own_first ? of_partition : job->qos;
	if (job->limiters[1] == job->limiters[0])
		job->limiters[1] = ROW_NONE;
}

double site_tres_of(const struct site *s, const struct site_job *job, const struct tres_item *t)
{
	uint32_t cpus = 0, node = 0;

	if (!job->exclusive || job->place == 0 || t->tres != s->cpu_tres)
		return t->count;
	for (uint32_t k = 0; k < job->share_count; k++)
		cpus += job->shares[k].cpus;
	if (cpus > 0)
		return cpus;
	while (node < s->node_count && !site_has(site_nodes(s, job), node))
		node++;
	return node < s->node_count ? (double)s->nodes[node].cpus * job->min_nodes : t->count;
}

void site_count_qos(struct site *s, const struct site_job *job, struct tres_list list, int times)
{
	uint32_t all = cluster_rows(s->c, TABLE_TRES);

	for (unsigned k = 0; k < 2 && job->limiters[k] != ROW_NONE; k++) {
		uint32_t q = job->limiters[k];

		s->qos_jobs[q] += (uint32_t)times;
		for (uint32_t i = 0; i < list.count; i++)
			s->qos_tres[(size_t)q * all + list.items[i].tres] +=
				times * site_tres_of(s, job, &list.items[i]);
	}
}

/* ---- which limit applies ------------------------------------------------------------------- */

static bool site_is_set(const struct site *s, enum field field, uint32_t row)
{
	uint32_t limit = cluster_u32(s->c, field, row);

	return limit != U32_UNKNOWN && limit != U32_INFINITE;
}

/* The QOS of JOB that sets number FIELD; ROW_NONE: none. */
static uint32_t number_setter(const struct site *s, const struct site_job *job, enum field field)
{
	for (unsigned k = 0; k < 2 && job->limiters[k] != ROW_NONE; k++) {
		if (site_is_set(s, field, job->limiters[k]))
			return job->limiters[k];
	}
	return ROW_NONE;
}

/* The same for TRES in FIELD. */
static uint32_t tres_setter(const struct site *s, const struct site_job *job, enum field field,
			    uint32_t tres)
{
	for (unsigned k = 0; k < 2 && job->limiters[k] != ROW_NONE; k++) {
		struct tres_list limits = cluster_tres(s->c, field, job->limiters[k]);

		for (uint32_t i = 0; i < limits.count; i++) {
			if (limits.items[i].tres == tres)
				return job->limiters[k];
		}
	}
	return ROW_NONE;
}

/* ---- checks -------------------------------------------------------------------------------- */

/* Whether one more job, besides USED running ones, is within number FIELD of ROW. */
static bool site_below(const struct site *s, enum field field, uint32_t row, uint32_t used)
{
	return !site_is_set(s, field, row) || used < cluster_u32(s->c, field, row);
}

/*
 * Whether JOB, besides USED (by TRES row; NULL: nothing), is within those LIMITS that SETTER (a
 * QOS, or ROW_NONE for associations) decides in FIELD of QOS.
 */
static bool site_has_room(const struct site *s, const struct site_job *job, struct tres_list limits,
			  enum field field, uint32_t setter, const double *used)
{
	struct tres_list asked = cluster_tres(s->c, F_JOB_TRES, job->row);

	for (uint32_t i = 0; i < limits.count; i++) {
		uint32_t tres = limits.items[i].tres;
		double more = 0;

		for (uint32_t k = 0; k < asked.count; k++) {
			if (asked.items[k].tres == tres)
				more += site_tres_of(s, job, &asked.items[k]);
		}
		if (more > 0 && (used ? used[tres] : 0) + more > limits.items[i].count &&
		    tres_setter(s, job, field, tres) == setter)
			return false;
	}
	return true;
}

/* Sums up the running jobs under QOS of JOB's user, or account if WHO is F_JOB_ACCOUNT. */
static void site_add_up(const struct site *s, const struct site_job *job, uint32_t qos,
			enum field who, struct running *all)
{
	memset(all, 0, sizeof(*all));
	for (size_t i = 0; i < s->job_count; i++) {
		const struct site_job *j = &s->jobs[i];
		struct tres_list has = cluster_tres(s->c, F_JOB_TRES_ALLOC, j->row);

		if (j->state != SITE_RUNS || (j->limiters[0] != qos && j->limiters[1] != qos) ||
		    cluster_text_id(s->c, who, j->row) != cluster_text_id(s->c, who, job->row))
			continue;
		has = has.count > 0 ? has : cluster_tres(s->c, F_JOB_TRES, j->row);
		all->jobs++;
		for (uint32_t k = 0; k < has.count; k++)
			all->tres[has.items[k].tres % MOST_TRES] +=
				site_tres_of(s, j, &has.items[k]);
	}
}

/* Whether one more job is within QOS's limit on the jobs per WHO. */
static bool has_own_job(const struct site *s, const struct site_job *job, uint32_t qos,
			enum field who, enum field jobs)
{
	struct running all;

	if (!site_is_set(s, jobs, qos) || number_setter(s, job, jobs) != qos)
		return true;
	site_add_up(s, job, qos, who, &all);
	return site_below(s, jobs, qos, all.jobs);
}

/* The same for the limit on their TRES. */
static bool has_own_room(const struct site *s, const struct site_job *job, uint32_t qos,
			 enum field who, enum field tres)
{
	struct tres_list limits = cluster_tres(s->c, tres, qos);
	struct running all;

	if (limits.count == 0 || cluster_rows(s->c, TABLE_TRES) > MOST_TRES)
		return true;
	site_add_up(s, job, qos, who, &all);
	return site_has_room(s, job, limits, tres, qos, all.tres);
}

static bool qos_lets(const struct site *s, const struct site_job *job, uint32_t q)
{
	return (number_setter(s, job, F_QOS_GRP_JOBS) != q ||
		site_below(s, F_QOS_GRP_JOBS, q, s->qos_jobs[q])) &&
	       has_own_job(s, job, q, F_JOB_USER, F_QOS_MAX_JOBS_USER) &&
	       has_own_job(s, job, q, F_JOB_ACCOUNT, F_QOS_MAX_JOBS_ACCOUNT);
}

static bool qos_has_room(const struct site *s, const struct site_job *job, uint32_t q)
{
	const double *used = s->qos_tres + (size_t)q * cluster_rows(s->c, TABLE_TRES);

	return site_has_room(s, job, cluster_tres(s->c, F_QOS_GRP_TRES, q), F_QOS_GRP_TRES, q,
			     used) && site_has_room(s, job, cluster_tres(s->c, F_QOS_MAX_TRES, q),
						    F_QOS_MAX_TRES, q, NULL) &&
	       has_own_room(s, job, q, F_JOB_USER, F_QOS_MAX_TRES_USER) &&
	       has_own_room(s, job, q, F_JOB_ACCOUNT, F_QOS_MAX_TRES_ACCOUNT);
}

/* Checks the limits per job, which accounts pass down, and group limits up to the root. */
static bool associations_let(const struct site *s, const struct site_job *job)
{
	const uint32_t *parent = cluster_parent(s->c);
	uint32_t a = job->assoc;

	if (a != ROW_NONE && number_setter(s, job, F_QOS_MAX_JOBS_USER) == ROW_NONE &&
	    number_setter(s, job, F_QOS_MAX_JOBS_ACCOUNT) == ROW_NONE &&
	    !site_below(s, F_ASSOC_MAX_JOBS, a, s->assoc_jobs[a]))
		return false;
	if (number_setter(s, job, F_QOS_GRP_JOBS) != ROW_NONE)
		return true;
	for (; a != ROW_NONE; a = parent[a]) {
		if (!site_below(s, F_ASSOC_GRP_JOBS, a, s->assoc_jobs[a]))
			return false;
	}
	return true;
}

static bool associations_have_room(const struct site *s, const struct site_job *job)
{
	uint32_t all = cluster_rows(s->c, TABLE_TRES), a = job->assoc;
	const uint32_t *parent = cluster_parent(s->c);

	if (a != ROW_NONE && !site_has_room(s, job, cluster_tres(s->c, F_ASSOC_MAX_TRES, a),
					    F_QOS_MAX_TRES, ROW_NONE, NULL))
		return false;
	for (; a != ROW_NONE; a = parent[a]) {
		if (!site_has_room(s, job, cluster_tres(s->c, F_ASSOC_GRP_TRES, a), F_QOS_GRP_TRES,
				   ROW_NONE, s->assoc_tres + (size_t)a * all))
			return false;
	}
	return true;
}

/* Checks MaxWallDurationPerJob of the first QOS that sets it, else of the association. */
static bool is_short_enough(const struct site *s, const struct site_job *job)
{
	int64_t most = I64_UNKNOWN;

	for (unsigned k = 0; k < 2 && job->limiters[k] != ROW_NONE; k++) {
		most = cluster_i64(s->c, F_QOS_MAX_WALL, job->limiters[k]);
		if (most != I64_UNKNOWN && most != I64_INFINITE)
			return job->limit <= most;
	}
	if (job->assoc != ROW_NONE)
		most = cluster_i64(s->c, F_ASSOC_MAX_WALL, job->assoc);
	return most == I64_UNKNOWN || most == I64_INFINITE || job->limit <= most;
}

bool site_within_job_limits(const struct site *s, const struct site_job *job)
{
	if (!s->keeps_limits)
		return true;
	for (unsigned k = 0; k < 2 && job->limiters[k] != ROW_NONE; k++) {
		if (!qos_lets(s, job, job->limiters[k]))
			return false;
	}
	return associations_let(s, job) && is_short_enough(s, job);
}

bool site_within_tres_limits(const struct site *s, const struct site_job *job)
{
	if (!s->keeps_limits)
		return true;
	for (unsigned k = 0; k < 2 && job->limiters[k] != ROW_NONE; k++) {
		if (!qos_has_room(s, job, job->limiters[k]))
			return false;
	}
	return associations_have_room(s, job);
}
