/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What runs and what waits below each association.
 */
#include "core/share/model_private.h"

#include <string.h>

#include "core/cluster/assoc_index.h"
#include "core/cluster/job_tasks.h"
#include "core/base/mem.h"
#include "core/base/text.h"

#define HOUR 3600.0

/* Handle of a text that may not occur in the cluster at all. */
static uint32_t text_of(const struct cluster *c, const char *s)
{
	uint32_t handle = cluster_find_string(c, s, strlen(s));

	return handle ? handle : UINT32_MAX;
}

/*
 * UsageFactor of the job's QOS: 1 without a QOS or with a negative factor, unknown if the QOS is
 * not listed.
 */
static double usage_factor(const struct cluster *c, uint32_t job)
{
	uint32_t name = cluster_text_id(c, F_JOB_QOS, job);
	double factor;

	if (name <= TEXT_EMPTY)
		return 1;
	for (uint32_t q = 0; q < cluster_rows(c, TABLE_QOS); q++) {
		if (cluster_text_id(c, F_QOS_NAME, q) == name) {
			factor = cluster_f64(c, F_QOS_USAGE_FACTOR, q);
			return factor < 0 ? 1 : factor;
		}
	}
	return F64_UNKNOWN;
}

double job_burn(const struct cluster *c, uint32_t job)
{
	return cluster_f64(c, F_JOB_BILLING, job) * usage_factor(c, job);
}

/* LSF counts slots, and suspended jobs keep theirs. */
static void count_slots(struct model *m, uint32_t job, uint32_t row, bool pends)
{
	uint32_t slots = cluster_u32(m->cluster, F_JOB_CPUS, job);

	*(pends ? &m->pending[row] : &m->running[row]) += slots < U32_UNKNOWN ? slots : 1;
}

static void count_job(struct model *m, uint32_t job, uint32_t row, uint32_t running,
		      uint32_t suspended, uint32_t pending)
{
	const struct cluster *c = m->cluster;
	uint32_t state = cluster_text_id(c, F_JOB_STATE, job);

	if (policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_LSF) {
		if (state == pending || state == running || state == suspended)
			count_slots(m, job, row, state == pending);
		return;
	}
	if (state == pending)
		m->pending[row] += job_tasks(cluster_text(c, F_JOB_TASKS, job));
	if (state == running)
		m->running[row]++;
	if (state == running || state == suspended)	/* both are charged */
		m->burn[row] += HOUR * job_burn(c, job);
}

static void sum_up(struct model *m)
{
	const uint32_t *parent = cluster_parent(m->cluster);

	for (uint32_t i = cluster_rows(m->cluster, TABLE_ASSOC); i-- > 1;) {
		m->running[parent[i]] += m->running[i];
		m->pending[parent[i]] += m->pending[i];
		m->burn[parent[i]] += m->burn[i];
	}
}

void workload_new(struct model *m)
{
	const struct cluster *c = m->cluster;
	uint32_t n = cluster_rows(c, TABLE_ASSOC), jobs = cluster_rows(c, TABLE_JOB);
	uint32_t running = text_of(c, "RUNNING"), suspended = text_of(c, "SUSPENDED");
	uint32_t pending = text_of(c, "PENDING");
	bool lsf = policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_LSF;
	struct assoc_index index;

	if (n == 0 || !cluster_col(c, F_JOB_STATE))
		return;
	m->running = mem_zalloc(n, sizeof(uint32_t));
	m->pending = mem_zalloc(n, sizeof(uint32_t));
	m->burn = mem_zalloc(n, sizeof(double));
	index = assoc_index_new(c);
	for (uint32_t j = 0; j < jobs; j++) {
		uint32_t row = assoc_of_job(&index, j);

		if (row != ROW_NONE)
			count_job(m, j, row, running, suspended, pending);
	}
	assoc_index_free(&index);
	sum_up(m);
	/* LSF has no billing. */
	for (uint32_t i = 0; lsf && i < n; i++)
		m->burn[i] = F64_UNKNOWN;
}
