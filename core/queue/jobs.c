/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/jobs.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"

int64_t jobs_now(const struct cluster *c)
{
	const struct cluster_meta *meta = cluster_meta(c);

	return meta->last_decay != I64_UNKNOWN ? meta->last_decay : meta->time;
}

/* "age", ..., "qos", "tres.cpu", ..., "site", "nice": one key per term, in the order of the sum. */
static void name_terms(struct jobs *j)
{
	const struct prio_result *r = j->prio;
	uint32_t n = PRIO_FACTORS + r->tres_count + 2, i = 0;
	size_t size = 0;
	char *at;

	for (uint32_t t = 0; t < r->tres_count; t++)
		size += strlen(cluster_tres_name(j->model->cluster, r->tres_row[t])) + 6;
	j->map_count = n;
	j->map_keys = mem_alloc(n, sizeof(*j->map_keys));
	j->scratch = mem_zalloc(n, sizeof(*j->scratch));
	j->map_names = at = mem_alloc(size, 1);
	for (unsigned f = 0; f < PRIO_FACTORS; f++)
		j->map_keys[i++] = factor_info[f].name;
	j->map_keys[i++] = "site";
	j->map_keys[i++] = "nice";
	for (uint32_t t = 0; t < r->tres_count; t++) {
		int length = snprintf(at, size, "tres.%s",
				      cluster_tres_name(j->model->cluster, r->tres_row[t]));

		j->map_keys[i++] = at;
		at += length + 1;
		size -= (size_t)length + 1;
	}
}

/* Makes the scratch hold a map of N entries. */
static void jobs_make_room(struct jobs *j, size_t n)
{
	if (n <= j->map_count)
		return;
	mem_free(j->scratch);
	j->scratch = mem_zalloc(n, sizeof(*j->scratch));
}

/* Order by the priorities; BASE as in jobs_over(), or NULL. */
static struct queue_order *jobs_order_of(const struct jobs *j, const struct jobs *base)
{
	const uint32_t *priority = j->pbs ? j->pbs->priority :
				   j->lsf ? j->lsf->priority : j->prio->priority;

	if (base && preempt_equal(j->preempt, base->preempt))
		return queue_order_over(base->order, j->index, &j->policy, j->preempt, priority);
	return queue_order_new(j->index, &j->policy, j->preempt, priority);
}

/* With hidden jobs all ranks are unknown, though the relative order of the others is known. */
static bool jobs_rank_is_vague(const struct jobs *j, uint32_t entry)
{
	return cluster_hides_jobs(j->model->cluster) || j->forgot ||
	       (j->lsf && lsf_jobs_vague(j->lsf, entry));
}

/* Makes unknown ranks U32_UNKNOWN, keeping those after them. */
static void forget_vague(const struct jobs *j)
{
	for (uint32_t e = 0; e < j->index->n; e++) {
		if (jobs_rank_is_vague(j, e))
			j->order->rank[e] = j->order->partition_rank[e] = U32_UNKNOWN;
	}
}

/*
 * For a job with --exclusive the scheduler always shows the requested CPUs; the reported size term
 * shows which CPUs it counted.
 */
static void jobs_count_whole_nodes(struct jobs *j, struct job_index *x)
{
	double weight = j->policy.weight[PRIO_JOBSIZE];

	for (uint32_t e = 0; e < x->n && weight > 0; e++) {
		uint32_t cpus = x->reported[e] == ROW_NONE ? U32_UNKNOWN : job_index_whole(x, e);
		double reported;

		if (cpus == U32_UNKNOWN)
			continue;
		reported = cluster_f64(x->cluster, F_PRIO_JOBSIZE, x->reported[e]);
		if (fabs(reported - weight * prio_size(&j->input, e, x->cpus[e])) > 1 &&
		    fabs(reported - weight * prio_size(&j->input, e, cpus)) <= 1)
			x->cpus[e] = cpus;
	}
}

/* ---- what is reported ---------------------------------------------------------------------- */

bool jobs_has_reported(const struct jobs *j)
{
	for (uint32_t e = 0; e < j->index->n; e++) {
		if (j->prio->origin[e] == PRIO_ORIGIN_UNREPORTED)
			return true;
	}
	return false;
}

static bool same_number(double a, double b)
{
	return a == b || (!f64_known(a) && !f64_known(b));
}

static bool same_rules(const struct jobs *j, const struct jobs *base)
{
	const struct policy *p = &j->policy, *q = &base->policy;

	for (unsigned f = 0; f < PRIO_FACTORS; f++) {
		if (!same_number(j->prio->weight[f], base->prio->weight[f]))
			return false;
	}
	return p->flags == q->flags && p->max_age == q->max_age &&
	       p->favor_small == q->favor_small && strcmp(p->type, q->type) == 0 &&
	       strcmp(p->weight_tres, q->weight_tres) == 0;
}

/* Do entries E and B have the same known inputs of their priorities? */
static bool same_inputs(const struct jobs *j, uint32_t e, const struct jobs *base, uint32_t b)
{
	uint32_t x = j->index->assoc[e], y = base->index->assoc[b];

	for (uint32_t i = 0; i < prio_part_count(j->prio); i++) {
		if (!same_number(prio_part(&j->input, j->prio, i, e, NULL),
				 prio_part(&base->input, base->prio, i, b, NULL)))
			return false;
	}
	return job_index_same_place(j->index, e, base->index, b) &&
	       (x == ROW_NONE) == (y == ROW_NONE) &&
	       (x == ROW_NONE ||
		same_number(j->input.fairshare[x], base->input.fairshare[y]));
}

/* Returns true if a priority became unknown. */
static bool forget_reported(struct jobs *j, const struct jobs *base)
{
	bool rules = same_rules(j, base), same = j->index == base->index;
	uint32_t at = 0;

	for (uint32_t e = 0; e < j->index->n; e++) {
		uint32_t b = same ? e : job_index_match(j->index, e, base->index, &at);

		if (j->prio->origin[e] != PRIO_ORIGIN_UNREPORTED ||
		    (rules && b != ROW_NONE && same_inputs(j, e, base, b)))
			continue;
		j->prio->origin[e] = PRIO_ORIGIN_UNKNOWN;
		j->prio->priority[e] = U32_UNKNOWN;
		j->forgot = j->prio->forgot = true;
	}
	return j->forgot;
}

void jobs_forget_reported(struct jobs *j, const struct jobs *base)
{
	const char *problem = j->order->problem;

	if (!jobs_has_reported(j) || !forget_reported(j, base))
		return;
	queue_order_free(j->order);
	j->order = jobs_order_of(j, NULL);
	j->order->problem = problem;
	forget_vague(j);
}

static struct jobs *jobs_make(const struct model *m, const struct policy *policy,
			      const struct jobs *base)
{
	struct jobs *j = mem_zalloc(1, sizeof(*j));

	j->model = m;
	j->policy = policy ? *policy : *cluster_policy(m->cluster);
	j->index = base ? base->index : job_index_new(m->cluster);
	j->borrowed_index = base != NULL;
	j->input = (struct prio_input){ .index = j->index,
					.policy = &j->policy,
					.fairshare = m->fs->fairshare,
					.now = jobs_now(m->cluster) };
	if (!base)
		jobs_count_whole_nodes(j, j->index);
	j->prio = base ? prio_run_over(&j->input, &base->input, base->prio)
		       : prio_run(&j->input);
	if (base && jobs_has_reported(j))
		forget_reported(j, base);
	j->preempt = preempt_new(m->cluster, &j->policy);
	switch (policy_scheduler_of(cluster_meta(m->cluster)->kind)) {
	case POLICY_OF_PBS:
		j->pbs = pbs_jobs_new(m, j->index, &j->policy);
		break;
	case POLICY_OF_LSF:
		j->lsf = lsf_jobs_new(m, j->index, false);
		break;
	case POLICY_OF_SLURM:
		break;
	}
	j->order = jobs_order_of(j, base);
	if (j->pbs && j->pbs->problem[0])
		j->order->problem = j->pbs->problem;
	if (j->lsf && j->lsf->problem[0])
		j->order->problem = j->lsf->problem;
	forget_vague(j);
	name_terms(j);
	if (j->pbs && j->pbs->formula)
		jobs_make_room(j, pbs_formula_names(j->pbs->formula) +
				     pbs_formula_terms(j->pbs->formula));
	j->tres_count = cluster_rows(m->cluster, TABLE_TRES);
	j->tres_scratch = mem_zalloc(j->tres_count, sizeof(*j->tres_scratch));
	return j;
}

const char *jobs_queue_word(const struct cluster *c)
{
	return policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_SLURM ? "partition" :
									       "queue";
}

struct jobs *jobs_new(const struct model *m, const struct policy *policy)
{
	return jobs_make(m, policy, NULL);
}

struct jobs *jobs_over(const struct model *m, const struct jobs *base)
{
	return jobs_make(m, NULL, base);
}

/* Ranks are only read here: another thread may read them, too. */
const struct queue_order *jobs_ahead(const struct jobs *j)
{
	if (j->order->ahead)
		return j->order;
	queue_order_ahead(j->order, j->index);
	for (uint32_t e = 0; e < j->index->n; e++) {
		if (jobs_rank_is_vague(j, e)) {
			j->order->ahead[e] = U32_UNKNOWN;
			j->order->ahead_cpu_hours[e] = F64_UNKNOWN;
		}
	}
	return j->order;
}

void jobs_free(struct jobs *j)
{
	if (!j)
		return;
	mem_free(j->class_of);
	mem_free(j->map_keys);
	mem_free(j->map_names);
	mem_free(j->scratch);
	mem_free(j->tres_scratch);
	queue_order_free(j->order);
	pbs_jobs_free(j->pbs);
	lsf_jobs_free(j->lsf);
	preempt_free(j->preempt);
	prio_result_free(j->prio);
	if (!j->borrowed_index)
		job_index_free(j->index);
	mem_free(j);
}

const char *jobs_stopped(const struct jobs *j, uint32_t entry)
{
	static const char *const words[] = {
		[JOB_PENDING] = NULL,
		[JOB_HELD] = "it is held",
		[JOB_FUTURE] = "its begin time or its reservation has not come",
		[JOB_DEPENDENT] = "it waits for another job",
		[JOB_RUNNING] = NULL, [JOB_ENDED] = NULL,
	};
	enum job_kind kind = (enum job_kind)j->index->kind[entry];

	if (kind == JOB_RUNNING || kind == JOB_ENDED)
		return NULL;
	if (j->lsf && j->lsf->stopped[entry])
		return j->lsf->stopped[entry];
	if (words[kind])
		return words[kind];
	return j->pbs ? pbs_jobs_stopped(j->pbs, entry) : NULL;
}

const char *jobs_left_out(const struct jobs *j, uint32_t entry)
{
	const char *stopped = jobs_stopped(j, entry);

	if (stopped || j->index->kind[entry] != JOB_PENDING || j->order->rank[entry] != U32_UNKNOWN)
		return stopped;
	if (cluster_hides_jobs(j->model->cluster))
		return "other users' jobs are hidden";
	if (j->forgot)
		return "reported priorities do not include the edits";
	if (j->pbs && pbs_jobs_unplaced(j->pbs, entry))
		return pbs_jobs_unplaced(j->pbs, entry);
	return j->lsf ? "the order of the jobs in its queue is unknown" :
			"its priority, or that of a job that may be ahead of it, is unknown";
}

void jobs_explain(const struct jobs *j, uint32_t entry, struct explain *e)
{
	if (j->pbs)
		pbs_jobs_explain(j->pbs, entry, e);
	else if (j->lsf)
		lsf_jobs_explain(j->lsf, entry, e);
	else
		prio_explain(&j->input, j->prio, entry, e);
}

uint32_t jobs_find(const struct jobs *j, const char *object, struct err *err)
{
	const struct cluster *c = j->model->cluster;
	struct job_name name;

	if (!job_name_read(object, &name)) {
		err_set(err, ERR_INPUT, "object \"%.100s\": not a job (expected job:ID, "
			"job:ID_TASK or job:ID[TASK])", object);
		return ROW_NONE;
	}
	for (uint32_t e = 0; e < j->index->n; e++) {
		if (job_name_is(&name, c, j->index->job[e]))
			return e;
	}
	if (job_name_unsplit(&name, c) != ROW_NONE)
		err_set(err, ERR_INPUT, "job \"%.100s\": is pending as part of its array (expected "
			"job:%lu)", name.text, name.id);
	else
		err_set(err, ERR_INPUT, "job \"%.100s\": not in the queue", name.text);
	return ROW_NONE;
}
