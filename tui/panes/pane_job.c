/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a job's priority is computed: its terms as bars and as a derivation, and its bill; and
 * everything about a class of jobs: what they share, which jobs they are, and similar classes.
 */
#include "tui/panes/detail.h"
#include "tui/panes/pane_why.h"
#include "tui/panes/start_times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/share/billing.h"
#include "core/base/format.h"
#include "core/base/plural.h"

#define BAR_WIDTH 24
#define NEAR_SHOWN 5
#define JOBS_SHOWN 40

/* ---- terms ---------------------------------------------------------------------------------- */

/* PBS: the terms of the formula; a term's name may be as long as a formula. */
static void put_formula(struct doc *d, const struct jobs *j, uint32_t row)
{
	const struct pbs_jobs *p = j->pbs;
	size_t n = p->formula ? pbs_formula_terms(p->formula) : 0;
	const double *inputs = p->inputs + row * (n > 0 ? pbs_formula_names(p->formula) : 0);
	double most = 0;
	char text[48];

	if (j->policy.job_sort_formula[0] == '\0')
		return;
	doc_title(d, "Terms of job_sort_formula");
	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(pbs_formula_term_value(p->formula, i, inputs)));
	for (size_t i = 0; i < n; i++) {
		double x = pbs_formula_term_value(p->formula, i, inputs);
		int bar = most > 0 && f64_known(x) ? (int)lround(fabs(x) / most * BAR_WIDTH) : 0;

		doc_line(d);
		snprintf(text, sizeof(text), "%12.4f", x);
		doc_put(d, f64_known(x) ? ROLE_NUMBER : ROLE_DIM, f64_known(x) ? text : "unknown");
		doc_tab(d, 14);
		for (int k = 0; k < bar; k++)
			doc_put(d, ROLE_ACCENT, d->ascii ? "#" : "█");
		doc_wrap_at(d, ROLE_LABEL, 14 + BAR_WIDTH + 2, pbs_formula_term(p->formula, i));
	}
	if (n > 0)
		return;
	doc_begin(d, ROLE_HINT, "the formula could not be parsed");
}

static void job_put_terms(struct doc *d, const struct jobs *j, uint32_t row)
{
	double most = 0;
	char text[48];

	if (j->pbs) {
		put_formula(d, j, row);
		return;
	}

	for (uint32_t i = 0; i < j->map_count; i++)
		most = fmax(most, fabs(prio_part(&j->input, j->prio, i, row, NULL)));
	if (!(most > 0))	/* no weight counts, or all its factors are 0 */
		return;
	doc_title(d, "Terms in points");
	for (uint32_t i = 0; i < j->map_count; i++) {
		const struct queue_part_info *part = &queue_parts[queue_part_of(i)];
		enum value_origin origin;
		double x = prio_part(&j->input, j->prio, i, row, &origin);
		int bar = most > 0 && f64_known(x) ? (int)lround(fabs(x) / most * BAR_WIDTH) : 0;

		if (x == 0 || !f64_known(x))
			continue;
		doc_begin(d, ROLE_LABEL, j->map_keys[i]);
		snprintf(text, sizeof(text), "%12.2f", x);
		doc_put_at(d, ROLE_NUMBER, PANE_LABEL, text);
		doc_tab(d, PANE_LABEL + 14);
		for (int k = 0; k < bar; k++)
			doc_put(d, part->role, part->sign[d->ascii]);
		if (origin == VALUE_REPORTED)
			doc_put(d, ROLE_HINT, "  as reported");
	}
}

/* ---- the bill ------------------------------------------------------------------------------- */

/* Each TRES with a weight: amount x weight; for duplicates the last weight counts. */
static void put_products(struct doc *d, const struct cluster *c, struct tres_list list,
			 const struct billing_weights *w)
{
	char line[200];

	for (uint32_t i = 0; i < list.count; i++) {
		const char *name = cluster_tres_name(c, list.items[i].tres);
		double have = list.items[i].count, weight = F64_UNKNOWN;

		for (uint32_t k = 0; k < w->count; k++) {
			if (strcmp(w->pairs[k].name, name) == 0)
				weight = w->pairs[k].value;
		}
		if (!f64_known(weight) || strcmp(name, "billing") == 0)
			continue;
		snprintf(line, sizeof(line), "%.12g x %.6g = %.6g", have, weight, have * weight);
		pane_pair(d, name, ROLE_HINT, line);
	}
}

static void put_billable(struct doc *d, const char *label, double billable, double factor,
			 bool used)
{
	char line[200], burn[80] = "the charge is unknown";

	if (f64_known(factor))
		burn_text(billable * 3600 * factor, burn, sizeof(burn));
	snprintf(line, sizeof(line), "%.6g billable: %s%s", billable, burn,
		 used ? "  (in effect)" : "");
	pane_pair(d, label, used ? ROLE_VALUE : ROLE_HINT, line);
}

static void put_bill(struct doc *d, const struct jobs *j, uint32_t row)
{
	static const char *const names[] = { "sum", "MAX_TRES", "MAX_TRES_GRES" };
	const struct cluster *c = j->model->cluster;
	uint32_t job = j->index->job[row], partition = j->index->partition[row];
	struct tres_list list = cluster_tres(c, F_JOB_TRES_ALLOC, job);
	const char *text = partition == ROW_NONE ? NULL :
			   cluster_text(c, F_PARTITION_BILLING_WEIGHTS, partition);
	int used = policy_hides(cluster_policy(c), "PriorityFlags") ? -1 :
		   (int)billing_mode_of(j->policy.flags);
	double reported = cluster_f64(c, F_JOB_BILLING, job);
	struct billing_weights w;
	double factor = job_usage_factor(c, job);
	char line[200] = "unknown";

	if (!list.items)
		list = cluster_tres(c, F_JOB_TRES, job);
	if (!list.items || j->lsf)
		return;
	if (j->pbs) {
		doc_title(d, "Usage");
		pane_pair(d, "counts", ROLE_VALUE, j->policy.fairshare_usage_res);
		pane_pair(d, "", ROLE_HINT, "of its use while it runs, each cycle");
		return;
	}
	billing_read(&w, text);
	doc_title(d, "Billing");
	pane_pair(d, "weights", ROLE_HINT, !text ? "unknown" : w.any ? text :
		  "none: one per CPU");
	put_products(d, c, list, &w);
	if (f64_known(factor))
		snprintf(line, sizeof(line), "%.6g, multiplies the charge of an hour", factor);
	if (factor != 1)
		pane_pair(d, "UsageFactor", ROLE_HINT, line);
	if (!text && f64_known(reported))
		put_billable(d, "as reported", reported, factor, true);
	for (int mode = 0; text && mode < 3; mode++)
		put_billable(d, names[mode], billing_of_list(&w, c, list, (enum billing_mode)mode),
			     factor, mode == used);
}

/* ---- the derivation ------------------------------------------------------------------------- */

static void job_put_steps(struct doc *d, const struct jobs *j, uint32_t row)
{
	struct explain e;

	explain_init(&e);
	jobs_explain(j, row, &e);
	doc_title(d, "From the job's data to the priority");
	for (size_t i = 0; i < e.count; i++)
		step_doc(d, PANE_LABEL + 2, &e.steps[i]);
	explain_free(&e);
}

/* An array: how many of its tasks run and are pending, over all its rows in this partition. */
static void job_put_array(struct doc *d, const struct queue *q, uint32_t row)
{
	const struct job_index *x = q->jobs->index;
	const char *tasks = cluster_text(x->cluster, F_JOB_TASKS, x->job[row]);
	uint32_t array = queue_array(q, row), running = 0, waiting = 0;
	char text[400];

	if (array == 0)
		return;
	for (uint32_t e = 0; e < x->n; e++) {
		if (queue_array(q, e) != array || x->partition[e] != x->partition[row] ||
		    x->qos[e] != x->qos[row])
			continue;
		running += x->kind[e] == JOB_RUNNING ? x->tasks[e] : 0;
		waiting += x->kind[e] < JOB_RUNNING ? x->tasks[e] : 0;
	}
	snprintf(text, sizeof(text), "%u: %u %s, %u %s", array, waiting,
		 plural(waiting, "pending task", "pending tasks"), running, "running");
	pane_pair(d, "array", ROLE_TEXT, text);
	if (x->tasks[row] > 1)
		pane_pair(d, "tasks", ROLE_HINT, tasks);
}

void job_doc(const struct app *a, struct doc *d, uint32_t row, bool steps)
{
	const struct jobs *j = a->picture->queue->jobs;
	const struct cluster *c = j->model->cluster;
	uint32_t job = j->index->job[row], assoc = j->index->assoc[row];
	char room[VALUE_ROOM];

	if (!steps) {
		why_doc(a, d, row);
		return;
	}
	doc_beginf(d, ROLE_ACCENT, "job %s", a->picture->queue->job_names[row]);
	pane_pair(d, "name", ROLE_TEXT, cluster_text(c, F_JOB_NAME, job));
	pane_pair(d, "charged to", ROLE_TEXT,
		  assoc == ROW_NONE ? "" : cluster_path_get(c, assoc, room));
	pane_pair(d, "state", ROLE_VALUE, cluster_text(c, F_JOB_STATE, job));
	job_put_array(d, a->picture->queue, row);
	if (jobs_has_terms(j, row))
		job_put_terms(d, j, row);
	put_bill(d, j, row);
	job_put_steps(d, j, row);
	start_times_notes(a, d);
}

/* ---- a class -------------------------------------------------------------------------------- */

/* The classes with the fewest differences: what a user could change to join them. */
static void put_nearest(struct doc *d, const struct classes_data *x, uint32_t row)
{
	char text[600];
	unsigned shown = 0;

	doc_title(d, "Same except for");
	for (uint32_t k = 0; k < x->classes->count && shown < NEAR_SHOWN; k++) {
		if (k == row || classes_differ(x, row, k) != 1)
			continue;
		classes_difference(x, row, k, text, sizeof(text));
		doc_beginf(d, ROLE_LABEL, "class %u", k);
		doc_tab(d, PANE_LABEL);
		doc_wrap(d, ROLE_TEXT, PANE_LABEL,
			 strncmp(text, "same except for ", 16) == 0 ? text + 16 : text);
		shown++;
	}
	if (shown == 0)
		doc_begin(d, ROLE_HINT, "no other class differs in only one value");
}

static void put_merges(struct doc *d, const struct class_toggles *t)
{
	size_t places[NEAR_SHOWN], n = class_toggles_near(t, places, NEAR_SHOWN);

	doc_title(d, "Exclusions that merge most");
	for (size_t i = 0; i < n; i++) {
		const struct class_toggle *toggle = &t->list[places[i]];

		doc_begin(d, ROLE_LABEL, toggle->name);
		doc_tab(d, PANE_LABEL);
		doc_putf(d, ROLE_TEXT, "%u %s left of %u, %u %s in a larger one",
			 toggle->classes, plural(toggle->classes, "class", "classes"), t->classes,
			 toggle->jobs, plural(toggle->jobs, "job", "jobs"));
	}
	if (t->known < t->count)
		doc_beginf(d, ROLE_HINT, "grouped without %zu of %zu so far", t->known, t->count);
	else if (n == 0)
		doc_begin(d, ROLE_HINT, "no single exclusion merges any classes");
}

static void job_put_ranks(struct doc *d, const struct class_facts *f)
{
	if (f->first_rank == f->last_rank)
		doc_putf(d, ROLE_NUMBER, "; rank %u", f->first_rank);
	else
		doc_putf(d, ROLE_NUMBER, "; ranks %u to %u", f->first_rank, f->last_rank);
}

/* How many, their ranks, and the reason of the first one. */
static void job_put_facts(struct doc *d, const struct classes_data *x, uint32_t row)
{
	const struct class_facts *f = &x->facts[row];
	const struct cluster *c = x->jobs->model->cluster;
	uint32_t job = x->set->job[f->head];
	const char *reason = cluster_text(c, F_JOB_REASON_TEXT, job), *meaning;
	char reported[200];

	doc_beginf(d, ROLE_TEXT, "%s%u pending, %u running, of %u %s",
		   cluster_hides_jobs(c) ? "at least " : "", f->waiting, f->running, f->users,
		   f->users == 1 ? "user" : "users");
	if (f->first_rank != U32_UNKNOWN)
		job_put_ranks(d, f);
	if (!reason || reason[0] == '\0')
		reason = cluster_text(c, F_JOB_REASON, job);
	if (f->waiting == 0 || !reason || reason[0] == '\0')
		return;
	doc_line(d);
	doc_wrap(d, ROLE_WARN, 0, reason);
	meaning = reason_of(reason)->meaning;
	doc_line(d);
	snprintf(reported, sizeof(reported),
		 "%s%sreason of its first job; in PBS the others inherit it",
		 meaning ? meaning : "", meaning ? "; " : "");
	doc_wrap(d, ROLE_HINT, 0, reported);
}

/* The last job in order: it follows one that cannot run. */
static uint32_t last_job(const struct classes_data *x, uint32_t row)
{
	uint32_t found = ROW_NONE;

	for (uint32_t m = x->classes->first[row]; m < x->classes->first[row + 1]; m++) {
		uint32_t i = x->classes->members[m];

		if (x->rank[i] == x->facts[row].last_rank && x->rank[i] != U32_UNKNOWN)
			found = x->set->job[i];
	}
	return found;
}

static void put_both(struct doc *d, enum role role, const char *left, const char *right)
{
	int half = d->width / 2;

	doc_beginf(d, role, "%.*s", half - 2, left);
	doc_tab(d, half);
	doc_putf(d, role, "%.*s", half - 2, right);
}

/* Both logs of a cycle side by side: they differ in the lines of skipped jobs. */
static void put_logs(struct doc *d, const struct classes_data *x, uint32_t row)
{
	const struct class_facts *f = &x->facts[row];
	const struct cluster *c = x->jobs->model->cluster;
	bool openpbs = x->set->rules == CLASS_OPENPBS;
	uint32_t job = f->first_rank != f->last_rank ? last_job(x, row) : ROW_NONE;
	const char *reason = cluster_text(c, F_JOB_REASON, x->set->job[f->head]);
	char considered[100], why[200];

	if (job == ROW_NONE || !class_rules_pbs(x->set->rules))
		return;
	snprintf(considered, sizeof(considered), "%u;Considering job to run",
		 cluster_u32(c, F_JOB_ID, job));
	snprintf(why, sizeof(why), "%u;%s", cluster_u32(c, F_JOB_ID, job),
		 reason && reason[0] != '\0' ? reason : "its class cannot run");
	doc_title(d, "Scheduler log of a cycle in which a job of the class cannot run");
	put_both(d, ROLE_LABEL, openpbs ? "by the design document" :
		 "by the design document: in effect",
		 openpbs ? "by OpenPBS: in effect" : "by OpenPBS");
	put_both(d, ROLE_TEXT, "", considered);
	put_both(d, ROLE_TEXT, why, why);
}

void class_doc(const struct app *a, struct doc *d, uint32_t row, bool steps)
{
	const struct classes_data *x = a->picture->queue->classes;
	const struct cluster *c = x->jobs->model->cluster;
	uint32_t member = x->classes->members[x->classes->first[row]], shown = 0;
	char value[600];

	(void)steps;	/* the details are the derivation */
	doc_beginf(d, ROLE_ACCENT, "class %u", row);
	doc_putf(d, ROLE_LABEL, "  by the rules of %s", class_rules_names[x->set->rules]);
	job_put_facts(d, x, row);
	doc_title(d, "Common to its jobs");
	for (size_t k = 0; k < x->set->count; k++) {
		class_set_shown(x->set, k, member, value, sizeof(value));
		if (!x->set->components[k].excluded)
			pane_pair(d, x->set->names[k], x->telling[k] ? ROLE_VALUE : ROLE_DIM,
				  value);
	}
	put_logs(d, x, row);
	put_nearest(d, x, row);
	put_merges(d, queue_toggles(a->picture->queue));
	doc_title(d, "Its jobs");
	for (uint32_t m = x->classes->first[row]; m < x->classes->first[row + 1]; m++) {
		uint32_t i = x->classes->members[m], job = x->set->job[i];

		if (++shown > JOBS_SHOWN)
			break;
		doc_beginf(d, ROLE_VALUE, "%u", cluster_u32(c, F_JOB_ID, job));
		doc_tab(d, PANE_LABEL);
		if (x->rank[i] != U32_UNKNOWN)
			doc_putf(d, ROLE_NUMBER, "rank %u  ", x->rank[i]);
		doc_put(d, ROLE_TEXT, cluster_text(c, F_JOB_STATE, job) ?
				      cluster_text(c, F_JOB_STATE, job) : "");
	}
	if (shown > JOBS_SHOWN) {
		doc_beginf(d, ROLE_HINT, "and %u more",
			   x->classes->first[row + 1] - x->classes->first[row] - JOBS_SHOWN);
	}
}
