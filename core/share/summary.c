/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/summary.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/host_state.h"
#include "core/cluster/job_tasks.h"

static double summary_number_of(const uint32_t *column, uint32_t row)
{
	return column && column[row] != U32_UNKNOWN ? column[row] : F64_UNKNOWN;
}

/* A sum with an unknown part is unknown. */
static void sum_hosts(const struct cluster *c, struct summary *s)
{
	/* LSF has slots. */
	const bool slots = policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_LSF;
	const uint32_t *cpus = cluster_col_u32(c, slots ? F_HOST_SLOTS : F_HOST_CPUS);
	const uint32_t *used = cluster_col_u32(c, slots ? F_HOST_SLOTS_USED : F_HOST_CPUS_USED);

	s->nodes = s->nodes_used = 0;
	s->cpus = s->cpus_used = 0;
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_HOST); i++) {
		if (!host_counts(c, i))
			continue;
		s->nodes++;
		s->cpus += summary_number_of(cpus, i);
		s->cpus_used += summary_number_of(used, i);
		s->nodes_used += summary_number_of(used, i) > 0;
	}
	if (s->nodes == 0) {
		s->nodes = U32_UNKNOWN;
		s->cpus = s->cpus_used = F64_UNKNOWN;
	}
	if (!f64_known(s->cpus_used))
		s->nodes_used = U32_UNKNOWN;
}

/* LSF's own counts cover all queues, share accounts only some. */
static uint32_t sum_queues(const struct cluster *c, enum field field)
{
	uint32_t sum = 0, n = cluster_rows(c, TABLE_QUEUE);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t own = cluster_u32(c, field, i);

		if (own >= U32_UNKNOWN)
			return U32_UNKNOWN;
		sum += own;
	}
	return n > 0 ? sum : U32_UNKNOWN;
}

/* Does PBS show the jobs of others? It does to managers, and shows queue_rank to no one else. */
static bool pbs_shows_jobs(const struct cluster *c)
{
	const struct policy *p = cluster_policy(c);

	return cluster_col(c, F_JOB_QUEUE_RANK) ||
	       (policy_knows(p, "query_other_jobs") && p->query_other_jobs);
}

/* PBS: counts every job of the server; its tree, if readable, has those of one scheduler only. */
static void sum_pbs_jobs(const struct cluster *c, struct summary *s)
{
	bool known = cluster_col(c, F_JOB_STATE) && pbs_shows_jobs(c) && !cluster_hides_jobs(c);

	s->running = s->pending = known ? 0 : U32_UNKNOWN;
	for (uint32_t j = 0; known && j < cluster_rows(c, TABLE_JOB); j++) {
		const char *state = cluster_text(c, F_JOB_STATE, j);

		if (state && strcmp(state, "RUNNING") == 0)
			s->running++;
		if (state && strcmp(state, "PENDING") == 0)
			s->pending += job_tasks(cluster_text(c, F_JOB_TASKS, j));
	}
}

static void sum_jobs(const struct model *m, struct summary *s)
{
	bool known = m->running && m->pending && m->tree->n > 0;

	if (policy_scheduler_of(cluster_meta(m->cluster)->kind) == POLICY_OF_PBS) {
		sum_pbs_jobs(m->cluster, s);
		return;
	}
	if (policy_scheduler_of(cluster_meta(m->cluster)->kind) == POLICY_OF_LSF) {
		s->running = sum_queues(m->cluster, F_QUEUE_RUNNING);
		s->pending = sum_queues(m->cluster, F_QUEUE_PENDING);
		return;
	}
	s->running = known ? m->running[0] : U32_UNKNOWN;
	s->pending = known ? m->pending[0] : U32_UNKNOWN;
}

/* Unknown if no associations were read, or some are hidden. */
static void sum_assocs(const struct cluster *c, struct summary *s)
{
	uint32_t n = cluster_rows(c, TABLE_ASSOC);

	s->accounts = s->users = n > 0 && !cluster_is_partial(c) ? 0 : U32_UNKNOWN;
	if (s->users == U32_UNKNOWN)
		return;
	for (uint32_t i = 1; i < n; i++) {
		if (cluster_is_user(c, i))
			s->users++;
		else
			s->accounts++;
	}
}

struct summary summary_of(const struct model *m)
{
	struct summary s;

	sum_hosts(m->cluster, &s);
	sum_jobs(m, &s);
	sum_assocs(m->cluster, &s);
	return s;
}

/* ---- accounts without shares ---------------------------------------------------------------- */

static int more_used(const void *a, const void *b)
{
	const struct unshared_row *one = a, *other = b;

	if (one->usage != other->usage)
		return one->usage > other->usage ? -1 : 1;
	return (one->row > other->row) - (one->row < other->row);
}

struct unshared unshared_of(const struct model *m)
{
	const struct cluster *c = m->cluster;
	const double *usage = cluster_col_f64(c, F_ASSOC_USAGE);
	uint32_t n = cluster_rows(c, TABLE_ASSOC);
	uint32_t below = 0;		/* the first row after the last one's subtree */
	struct unshared u = { .count = 0 };

	if (!usage || n == 0 || !(usage[0] > 0) || cluster_is_partial(c))
		return u;
	u.rows = mem_alloc(n, sizeof(*u.rows));
	for (uint32_t i = 1; i < n; i++) {
		if (cluster_is_user(c, i))
			continue;
		if (m->tree->shares[i] == U32_UNKNOWN || !f64_known(usage[i])) {
			u.count = 0;
			break;
		}
		if (m->tree->shares[i] > 0 || !(usage[i] > 0) || i < below)
			continue;
		u.rows[u.count++] = (struct unshared_row){ usage[i], i };
		u.part += usage[i] / usage[0];
		below = i + cluster_span(c)[i];
	}
	u.rows = mem_realloc(u.rows, u.count + 1, sizeof(*u.rows));
	qsort(u.rows, u.count, sizeof(*u.rows), more_used);
	return u;
}
