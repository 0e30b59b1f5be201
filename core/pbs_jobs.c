/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/pbs_jobs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

/* ---- what a formula may ask ------------------------------------------------------------------ */

static uint32_t queue_row(const struct cluster *c, const char *name)
{
	for (uint32_t row = 0; name && row < cluster_rows(c, TABLE_QUEUE); row++) {
		const char *have = cluster_text(c, F_QUEUE_NAME, row);

		if (have && strcmp(have, name) == 0)
			return row;
	}
	return ROW_NONE;
}

double pbs_jobs_queue_priority(const struct pbs_jobs *p, uint32_t entry)
{
	const struct cluster *c = p->model->cluster;
	uint32_t row = queue_row(c, cluster_text(c, F_JOB_PARTITION, p->index->job[entry]));
	int64_t priority = row == ROW_NONE ? 0 : cluster_i64(c, F_QUEUE_PRIORITY, row);

	if (cluster_rows(c, TABLE_QUEUE) == 0)
		return F64_UNKNOWN;
	return priority == I64_UNKNOWN ? 0 : (double)priority;
}

const char *pbs_jobs_stopped(const struct pbs_jobs *p, uint32_t entry)
{
	const struct cluster *c = p->model->cluster;
	uint32_t row = queue_row(c, cluster_text(c, F_JOB_PARTITION, p->index->job[entry]));
	uint32_t assoc = p->index->assoc[entry];

	if (row != ROW_NONE && cluster_bool(c, F_QUEUE_STARTED, row) == 0)
		return "its queue is not started";
	if (p->policy->fair_share && p->policy->fairshare_enforce_no_shares && assoc != ROW_NONE &&
	    p->model->fs->norm_shares[assoc] == 0)
		return "its entity has no shares, and fairshare_enforce_no_shares is set";
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

static double resource(const struct cluster *c, uint32_t job, const char *name)
{
	struct text_list list = cluster_list(c, F_JOB_RESOURCES, job);
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
	return resource(c, job, name);
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

/* ---- order ----------------------------------------------------------------------------------- */

struct sortable {
	double queue, value;
	bool stopped, express;
	uint32_t place;			/* of the entity; U32_UNKNOWN */
	int64_t rank;
	uint32_t index;			/* in the order of submission */
	uint32_t entry;
};

/* The larger first; unknown comes last. */
static int larger(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return a > b ? -1 : a < b;
}

static int smaller(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare(const struct sortable *a, const struct sortable *b, enum pbs_reason *why)
{
	int order = (int)a->stopped - (int)b->stopped;

	*why = PBS_REASON_RUNNABLE;
	if (order == 0) {
		*why = PBS_REASON_QUEUE;
		order = larger(a->queue, b->queue);
	}
	if (order == 0) {
		*why = PBS_REASON_EXPRESS;
		order = (int)b->express - (int)a->express;
	}
	if (order == 0) {
		*why = PBS_REASON_FORMULA;
		order = larger(a->value, b->value);
	}
	if (order == 0) {
		*why = PBS_REASON_FAIRSHARE;
		order = smaller(a->place, b->place);
	}
	if (order == 0) {
		*why = PBS_REASON_RANK;
		order = smaller(a->rank, b->rank);
	}
	return order != 0 ? order : smaller(a->index, b->index);
}

static int compare_sortable(const void *a, const void *b)
{
	enum pbs_reason why;

	return compare(a, b, &why);
}

static struct sortable sortable_of(const struct pbs_jobs *p, uint32_t entry, uint32_t index)
{
	const struct cluster *c = p->model->cluster;
	uint32_t job = p->index->job[entry], assoc = p->index->assoc[entry];
	int64_t rank = cluster_i64(c, F_JOB_QUEUE_RANK, job);
	bool formula = p->policy->job_sort_formula[0] != '\0';
	bool paths = !formula && p->policy->fair_share && assoc != ROW_NONE;

	return (struct sortable){
		.queue = p->policy->by_queue ? pbs_jobs_queue_priority(p, entry) : 0,
		.stopped = pbs_jobs_stopped(p, entry) != NULL,
		.express = pbs_jobs_is_express(p, entry),
		.value = formula ? p->value[entry] : 0,
		.place = paths ? p->model->fs->rank[assoc] : 0,
		.rank = rank == I64_UNKNOWN ? 0 : rank, .index = index, .entry = entry,
	};
}

static void set_order(struct pbs_jobs *p)
{
	struct sortable *all = mem_alloc(p->n, sizeof(*all));
	bool formula = p->policy->job_sort_formula[0] != '\0';

	for (uint32_t i = 0; i < p->n; i++)
		all[i] = sortable_of(p, p->index->by_submit[i], i);
	qsort(all, p->n, sizeof(*all), compare_sortable);
	for (uint32_t i = 0; i < p->n; i++) {
		bool unknown = formula && isnan(p->value[all[i].entry]);

		p->priority[all[i].entry] = unknown ? U32_UNKNOWN : p->n - i;
	}
	mem_free(all);
}

enum pbs_reason pbs_jobs_reason(const struct pbs_jobs *p, uint32_t a, uint32_t b)
{
	struct sortable x = sortable_of(p, a, a), y = sortable_of(p, b, b);
	enum pbs_reason why;

	(void)compare(&x, &y, &why);
	return why;
}

static void note_round_robin(struct pbs_jobs *p)
{
	size_t used = strlen(p->problem);

	snprintf(p->problem + used, sizeof(p->problem) - used,
		 "%sround_robin is not followed: the scheduler takes one job of each queue in "
		 "turn, here they stand in one order", used ? "; " : "");
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
			snprintf(p->problem, sizeof(p->problem), "%.290s", err.message);
	} else if (policy->job_sort_key[0]) {
		snprintf(p->problem, sizeof(p->problem), "job_sort_key %.100s is not followed: "
			 "jobs that are equal by all else stand in the order of arrival",
			 policy->job_sort_key);
	}
	if (policy->round_robin)
		note_round_robin(p);
	evaluate(p);
	set_order(p);
	return p;
}

void pbs_jobs_free(struct pbs_jobs *p)
{
	if (!p)
		return;
	pbs_formula_free(p->formula);
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

void pbs_jobs_explain(const struct pbs_jobs *p, uint32_t entry, struct explain *e)
{
	const struct cluster *c = p->model->cluster;
	uint32_t assoc = p->index->assoc[entry];
	struct explain_step *s;

	if (pbs_jobs_stopped(p, entry)) {
		s = explain_add(e, "runs", 0);
		explain_note(s, "%s", pbs_jobs_stopped(p, entry));
	}
	if (p->policy->by_queue) {
		s = explain_add(e, "queue", pbs_jobs_queue_priority(p, entry));
		explain_formula(s, "priority of the queue");
		explain_note(s, "by_queue: queue after queue");
	}
	if (p->policy->preemptive_sched) {
		s = explain_add(e, "express", pbs_jobs_is_express(p, entry) ? 1 : 0);
		explain_formula(s, "priority of the queue >= preempt_queue_prio");
	}
	if (p->formula) {
		explain_formula_of(p, entry, e);
	} else if (p->problem[0] && p->policy->job_sort_formula[0]) {
		s = explain_add(e, "priority", F64_UNKNOWN);
		explain_note(s, "%.190s", p->problem);
	} else if (p->policy->fair_share && assoc != ROW_NONE) {
		p->model->algo->explain(&p->model->input, p->model->fs, assoc, e);
	} else {
		s = explain_add(e, "fair share", F64_UNKNOWN);
		explain_note(s, p->policy->fair_share ? "the entity or the tree is unknown"
						      : "fair_share is off and no formula is set");
	}
	s = explain_add(e, "queue_rank",
			whole(cluster_i64(c, F_JOB_QUEUE_RANK, p->index->job[entry])));
	explain_formula(s, "time of arrival, in microseconds");
	explain_note(s, "decides between jobs that are equal by all above; the smaller is first");
}
