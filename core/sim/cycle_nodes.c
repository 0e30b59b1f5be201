/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/cycle_nodes.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/sim/choose.h"

struct cycle_nodes {
	struct site site;
	const struct job_index *x;
	uint32_t tres;			/* rows */
	double *given;			/* nodes times TRES, allocated in this cycle */
	uint64_t *avail;
	uint32_t guessed;
};

struct cycle_nodes *cycle_nodes_new(const struct cluster *c, const struct job_index *x)
{
	struct cycle_nodes *n = mem_zalloc(1, sizeof(*n));
	struct err err = { .code = ERR_NONE };

	if (!site_open(&n->site, c, x, &err)) {
		cycle_nodes_free(n);
		return NULL;
	}
	n->x = x;
	n->tres = cluster_rows(c, TABLE_TRES);
	n->given = mem_zalloc((size_t)n->site.node_count * n->tres, sizeof(*n->given));
	n->avail = mem_alloc(n->site.words, sizeof(*n->avail));
	return n;
}

void cycle_nodes_free(struct cycle_nodes *n)
{
	if (!n)
		return;
	site_free(&n->site);
	MEM_FREE(n->given, n->avail, n);
}

uint32_t cycle_nodes_guessed(const struct cycle_nodes *n)
{
	return n->guessed;
}

static bool cycle_nodes_is_gres(const struct cluster *c, uint32_t tres)
{
	const char *name = cluster_tres_name(c, tres);

	return name && strncmp(name, "gres/", 5) == 0;
}

/* Removes the nodes with too little GRES left for their part of the job. */
static void cycle_nodes_leave_out(struct cycle_nodes *n, const struct site_job *job)
{
	const struct cluster *c = n->site.c;
	struct tres_list need = cluster_tres(c, F_JOB_TRES, job->row);
	uint32_t parts = job->min_nodes > 0 ? job->min_nodes : 1;

	for (uint32_t i = 0; i < need.count; i++) {
		uint32_t t = need.items[i].tres;

		for (uint32_t h = 0; cycle_nodes_is_gres(c, t) && h < n->site.node_count; h++) {
			double left = tres_list_count(cluster_tres(c, F_HOST_TRES, h), t) -
				      tres_list_count(cluster_tres(c, F_HOST_TRES_USED, h), t) -
				      n->given[(size_t)h * n->tres + t];

			if (left < need.items[i].count / parts)
				site_take(n->avail, h);
		}
	}
}

/* Whether a request of JOB is ignored: job->obstacle names only one, and GRES count as TRES. */
static bool is_guessed(const struct cluster *c, const struct site_job *job)
{
	struct tres_list need = cluster_tres(c, F_JOB_TRES, job->row);
	const char *gres = cluster_text(c, F_JOB_GRES, job->row);
	const char *nodes = cluster_text(c, F_JOB_NODES_ASKED, job->row);
	const char *reservation = cluster_text(c, F_JOB_RESERVATION, job->row);
	int64_t deadline = cluster_i64(c, F_JOB_DEADLINE, job->row);
	bool counted = !gres || !*gres;

	for (uint32_t i = 0; i < need.count; i++)
		counted = counted || cycle_nodes_is_gres(c, need.items[i].tres);
	return need.count == 0 || !counted || (nodes && *nodes) || (reservation && *reservation) ||
	       (deadline != I64_UNKNOWN && deadline != 0) || !site_knows_licenses(c, job->row) ||
	       !site_asks_for_words(c, F_JOB_FEATURES, job->row);
}

static void cycle_nodes_begin(struct cycle_nodes *n, const struct site_job *job,
			      struct site_share *shares, uint32_t count)
{
	struct tres_list need = cluster_tres(n->site.c, F_JOB_TRES, job->row);

	for (uint32_t k = 0; k < count * need.count; k++) {
		const struct tres_item *t = &need.items[k % need.count];

		n->given[(size_t)shares[k / need.count].node * n->tres + t->tres] +=
			t->count / count;
	}
	n->guessed += is_guessed(n->site.c, job);
	shares = mem_realloc(shares, count, sizeof(*shares));
	site_begin(&n->site, site_add(&n->site, job), shares, count);
}

/* Tries one partition; NULL: it has begun. */
static const char *cycle_nodes_start_in(struct cycle_nodes *n, const struct site_job *job)
{
	struct site_share *shares;
	uint32_t count;

	if (job->obstacle != SITE_NO_OBSTACLE && job->obstacle <= SITE_NO_PARTITION)
		return site_obstacles[job->obstacle].text;
	if (job->cpus == U32_UNKNOWN || job->cpus == 0)	/* even if job->obstacle is another */
		return site_obstacles[SITE_NO_CPUS].text;
	if (!site_has_licenses(&n->site, job))
		return "Licenses";
	if (!site_within_job_limits(&n->site, job) || !site_within_tres_limits(&n->site, job))
		return "A limit of its association or QOS is reached";
	memcpy(n->avail, site_nodes(&n->site, job), n->site.words * sizeof(*n->avail));
	cycle_nodes_leave_out(n, job);
	shares = mem_alloc((size_t)n->site.node_count + 1, sizeof(*shares));
	count = choose_nodes(&n->site, n->site.nodes, job, n->avail, shares);
	if (count == 0) {
		mem_free(shares);
		return "No usable nodes of its partition have room for it";
	}
	cycle_nodes_begin(n, job, shares, count);
	return NULL;
}

const char *cycle_nodes_start(struct cycle_nodes *n, uint32_t entry)
{
	const char *why = NULL;

	for (uint32_t e = entry; e < n->x->n && n->x->job[e] == n->x->job[entry]; e++) {
		struct site_job job = site_job_of(&n->site, n->x, e);

		why = cycle_nodes_start_in(n, &job);
		if (!why)
			break;
	}
	return why;
}
