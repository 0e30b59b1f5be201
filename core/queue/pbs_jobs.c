/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/queue/pbs_jobs_private.h"

#define ACCRUE_ELIGIBLE 2

/* ---- what a formula may ask ------------------------------------------------------------------ */

double pbs_jobs_queue_priority(const struct pbs_jobs *p, uint32_t entry)
{
	const struct cluster *c = p->model->cluster;
	uint32_t row = p->queue[entry];
	int64_t priority = row == ROW_NONE ? 0 : cluster_i64(c, F_QUEUE_PRIORITY, row);

	if (cluster_rows(c, TABLE_QUEUE) == 0)
		return F64_UNKNOWN;
	return priority == I64_UNKNOWN ? 0 : (double)priority;
}

/* job_sort_formula_threshold; false where there is none. */
static bool threshold_of(const struct policy *policy, double *threshold)
{
	static const char name[] = "job_sort_formula_threshold";

	return policy_real(policy, policy_param_by_name(name, sizeof(name) - 1), threshold);
}

const char *pbs_jobs_stopped(const struct pbs_jobs *p, uint32_t entry)
{
	uint32_t row = p->queue[entry], assoc = p->index->assoc[entry];

	if (row != ROW_NONE && cluster_bool(p->model->cluster, F_QUEUE_STARTED, row) == 0)
		return "its queue is not started";
	if (p->policy->fair_share && p->policy->fairshare_enforce_no_shares && assoc != ROW_NONE &&
	    p->model->fs->norm_shares[assoc] == 0)
		return "its entity has no shares, and fairshare_enforce_no_shares is set";
	if (p->has_threshold && p->value[entry] <= p->threshold)
		return "the formula gives it no more than job_sort_formula_threshold";
	return NULL;
}

bool pbs_jobs_is_express(const struct pbs_jobs *p, uint32_t entry)
{
	return p->policy->preemptive_sched &&
	       pbs_jobs_queue_priority(p, entry) >= p->policy->preempt_queue_prio;
}

/* "16gb" in kB, "05:00:00" in seconds, "128"; NaN for what is no amount. */
static double amount_of(const char *text)
{
	static const char letters[] = "kmgtp";
	char *end;
	double number = strtod(text, &end);

	if (end == text || *text < '0' || *text > '9')
		return F64_UNKNOWN;
	for (; *end == ':'; ) {
		const char *from = end + 1;

		number = number * 60 + strtod(from, &end);
		if (end == from)
			return F64_UNKNOWN;
	}
	if (*end && strchr(letters, *end) && (end[1] == 'b' || end[1] == 'w')) {
		for (const char *l = letters; *l != *end; l++)
			number *= 1024;
		return end[1] == 'w' ? number * 8 : number;
	}
	if (strcmp(end, "b") == 0)
		return ceil(number / 1024);
	return *end == '\0' ? number : F64_UNKNOWN;
}

double pbs_jobs_resource(const struct pbs_jobs *p, uint32_t entry, const char *name)
{
	const struct cluster *c = p->model->cluster;
	struct text_list list = cluster_list(c, F_JOB_RESOURCES, p->index->job[entry]);
	size_t length = strlen(name);

	if (!list.texts)
		return F64_UNKNOWN;
	for (uint32_t i = 0; i < list.count; i++) {
		const char *item = cluster_string(c, list.texts[i]);

		if (strncmp(item, name, length) == 0 && item[length] == '=')
			return amount_of(item + length + 1);
	}
	return 0;
}

/* As "%f" prints it. */
static double six_decimals(double x)
{
	return round(x * 1e6) / 1e6;
}

static double fairshare(const struct pbs_jobs *p, const double *array, uint32_t entry)
{
	uint32_t assoc = p->index->assoc[entry];

	return array && assoc != ROW_NONE ? six_decimals(array[assoc]) : F64_UNKNOWN;
}

static double whole(int64_t x)
{
	return x == I64_UNKNOWN ? F64_UNKNOWN : (double)x;
}

static double input(const struct pbs_jobs *p, const char *name, uint32_t entry)
{
	const struct cluster *c = p->model->cluster;
	const struct fs_result *fs = p->model->fs;
	uint32_t job = p->index->job[entry], accrue = cluster_u32(c, F_JOB_ACCRUE_TYPE, job);

	if (strcmp(name, "eligible_time") == 0) {
		int64_t eligible = cluster_i64(c, F_JOB_ELIGIBLE_TIME, job);

		return eligible == I64_UNKNOWN && !p->policy->eligible_time_enable
			       ? 0
			       : whole(eligible);
	}
	if (strcmp(name, "queue_priority") == 0)
		return pbs_jobs_queue_priority(p, entry);
	if (strcmp(name, "job_priority") == 0)
		return whole(cluster_i64(c, F_JOB_JOB_PRIORITY, job));
	if (strcmp(name, "fairshare_perc") == 0 || strcmp(name, "fair_share_perc") == 0)
		return fairshare(p, fs->norm_shares, entry);
	if (strcmp(name, "fairshare_tree_usage") == 0)
		return fairshare(p, fs->effective_usage, entry);
	if (strcmp(name, "fairshare_factor") == 0)
		return fairshare(p, fs->fairshare, entry);
	if (strcmp(name, "accrue_type") == 0)
		return accrue == U32_UNKNOWN ? F64_UNKNOWN : accrue;
	return pbs_jobs_resource(p, entry, name);
}

static void evaluate(struct pbs_jobs *p)
{
	size_t names = p->formula ? pbs_formula_names(p->formula) : 0;

	p->inputs = mem_alloc(p->n, names * sizeof(double));
	for (uint32_t e = 0; e < p->n; e++) {
		double *row = p->inputs + e * names;

		for (size_t i = 0; i < names; i++)
			row[i] = input(p, pbs_formula_name(p->formula, i), e);
		p->value[e] = p->formula ? pbs_formula_value(p->formula, row, NULL) : F64_UNKNOWN;
	}
}

double pbs_jobs_value_at(const struct pbs_jobs *p, uint32_t entry, int64_t time)
{
	const struct cluster *c = p->model->cluster;
	size_t names = p->formula ? pbs_formula_names(p->formula) : 0;
	int64_t now = cluster_meta(c)->time;
	double *values, value;

	if (!p->formula || now == I64_UNKNOWN || time == I64_UNKNOWN)
		return F64_UNKNOWN;
	values = mem_alloc(names, sizeof(*values));
	for (size_t i = 0; i < names; i++) {
		values[i] = p->inputs[entry * names + i];
		if (strcmp(pbs_formula_name(p->formula, i), "eligible_time") == 0 &&
		    cluster_u32(c, F_JOB_ACCRUE_TYPE, p->index->job[entry]) == ACCRUE_ELIGIBLE)
			values[i] -= (double)(now - time);
	}
	value = pbs_formula_value(p->formula, values, NULL);
	mem_free(values);
	return value;
}

struct pbs_jobs *pbs_jobs_new(const struct model *m, const struct job_index *x,
			      const struct policy *policy)
{
	struct pbs_jobs *p = mem_zalloc(1, sizeof(*p));
	struct err err = { .code = ERR_NONE };

	*p = (struct pbs_jobs){ .model = m, .index = x, .policy = policy, .n = x->n };
	p->value = mem_alloc(p->n, sizeof(*p->value));
	p->priority = mem_alloc(p->n, sizeof(*p->priority));
	if (policy->job_sort_formula[0]) {
		p->formula = pbs_formula_parse(policy->job_sort_formula, &err);
		if (!p->formula)
			pbs_jobs_note(p, "%.290s", err.message);
	}
	p->has_threshold = p->formula && threshold_of(policy, &p->threshold);
	pbs_order_queues(p);
	evaluate(p);
	pbs_order_set(p);
	return p;
}

void pbs_jobs_free(struct pbs_jobs *p)
{
	if (!p)
		return;
	pbs_formula_free(p->formula);
	pbs_order_free(p);
	mem_free(p->inputs);
	mem_free(p->value);
	mem_free(p->priority);
	mem_free(p);
}

/* ---- explanation ----------------------------------------------------------------------------- */

static void explain_formula_of(const struct pbs_jobs *p, uint32_t entry, struct explain *e)
{
	size_t names = pbs_formula_names(p->formula);
	const double *row = p->inputs + entry * names;
	struct explain_step *s;

	for (size_t i = 0; i < names; i++) {
		s = explain_add(e, pbs_formula_name(p->formula, i), row[i]);
		if (isnan(row[i]))
			explain_note(s, "not told to this reader, or unknown");
		else
			explain_formula(s, "what the formula asks of the job");
	}
	for (size_t i = 0; i < pbs_formula_terms(p->formula); i++) {
		s = explain_add(e, "term", pbs_formula_term_value(p->formula, i, row));
		explain_formula(s, "%s", pbs_formula_term(p->formula, i));
	}
	s = explain_add(e, "priority", p->value[entry]);
	explain_formula(s, "%.190s", p->policy->job_sort_formula);
	explain_note(s, "in single precision: close values tie");
}

/* Which of the jobs of several queues comes first. */
static void explain_queue_of(const struct pbs_jobs *p, uint32_t entry, struct explain *e)
{
	uint32_t row = p->queue[entry];
	struct explain_step *s = explain_add(e, "queue", pbs_jobs_queue_priority(p, entry));

	explain_formula(s, "priority of the queue");
	explain_note(s, p->policy->round_robin ? "round_robin: level after level of this priority"
					       : "by_queue: queue after queue");
	if (p->turn) {
		s = explain_add(e, "turn", p->turn[entry] ? p->turn[entry] : F64_UNKNOWN);
		explain_formula(s, "place within its queue");
		explain_note(s, "the first job of each queue of a level, then the second of each");
	}
	if (row != ROW_NONE) {
		s = explain_add(e, "place", p->place[row]);
		explain_formula(s, "place of the queue");
		explain_note(s, "queues of equal priority stand in the server's order");
	}
}

static void explain_keys(const struct pbs_jobs *p, uint32_t entry, struct explain *e)
{
	for (size_t k = 0; k < p->key_count; k++) {
		struct explain_step *s = explain_add(e, p->keys[k].name,
						     p->key_values[entry * p->key_count + k]);

		explain_formula(s, "job_sort_key %s %s", p->keys[k].name,
				p->keys[k].high ? "HIGH" : "LOW");
		explain_note(s, "decides between jobs that are equal by all above; the %s is first",
			     p->keys[k].high ? "larger" : "smaller");
	}
}

void pbs_jobs_explain(const struct pbs_jobs *p, uint32_t entry, struct explain *e)
{
	const struct cluster *c = p->model->cluster;
	uint32_t assoc = p->index->assoc[entry];
	struct explain_step *s;

	if (pbs_jobs_stopped(p, entry)) {
		s = explain_add(e, "runs", 0);
		explain_note(s, "%s", pbs_jobs_stopped(p, entry));
	}
	if (p->policy->by_queue || p->policy->round_robin)
		explain_queue_of(p, entry, e);
	if (p->policy->preemptive_sched) {
		s = explain_add(e, "express", pbs_jobs_is_express(p, entry) ? 1 : 0);
		explain_formula(s, "priority of the queue >= preempt_queue_prio");
	}
	if (p->formula) {
		explain_formula_of(p, entry, e);
	} else if (p->problem[0] && p->policy->job_sort_formula[0]) {
		s = explain_add(e, "priority", F64_UNKNOWN);
		explain_note(s, "%.190s", p->problem);
	}
	if (p->policy->fair_share && assoc != ROW_NONE) {
		p->model->algo->explain(&p->model->input, p->model->fs, assoc, e);
	} else if (p->policy->fair_share || !p->policy->job_sort_formula[0]) {
		s = explain_add(e, "fair share", F64_UNKNOWN);
		explain_note(s, p->policy->fair_share ? "the entity or the tree is unknown"
						      : "fair_share is off and no formula is set");
	}
	explain_keys(p, entry, e);
	s = explain_add(e, "queue_rank",
			whole(cluster_i64(c, F_JOB_QUEUE_RANK, p->index->job[entry])));
	explain_formula(s, "time of arrival, in microseconds");
	explain_note(s, "decides between jobs that are equal by all above; the smaller is first");
}
