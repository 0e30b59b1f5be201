/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The derivation of one job's priority: each factor with its numbers, its term, the sum. Every
 * number was used or computed by prio_run().
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/queue/priority.h"
#include "core/share/billing.h"
#include "core/base/value.h"

struct prio_place {
	const struct prio_input *in;
	const struct prio_result *r;
	struct explain *e;
	uint32_t entry, job;
};

static const struct cluster *prio_cluster_of(const struct prio_place *p)
{
	return p->in->index->cluster;
}

static bool prio_plain(const struct prio_place *p, uint32_t flag)
{
	return (p->in->policy->flags & (flag | PF_NO_NORMAL_ALL)) != 0;
}

static double explain_priority_factor(const struct prio_place *p, enum prio_factor f)
{
	return p->r->factor[f] ? p->r->factor[f][p->entry] : 0;
}

/*
 * The limit on accruing jobs that applies: of the job's QOS, else of its association, else the
 * nearest up the tree. Source: spec of job priority, 2.1.
 */
static bool accrue_limit(const struct prio_place *p, char *buf, size_t size)
{
	static const struct {
		const char *name;
		enum field field;
	} of_qos[] = {
		{ "GrpJobsAccrue", F_QOS_GRP_ACCRUE },
		{ "MaxJobsAccruePerAccount", F_QOS_MAX_ACCRUE_ACCOUNT },
		{ "MaxJobsAccruePerUser", F_QOS_MAX_ACCRUE_USER },
	};
	const struct cluster *c = prio_cluster_of(p);
	uint32_t qos = p->in->index->qos[p->entry], row = p->in->index->assoc[p->entry];

	for (size_t i = 0; qos != ROW_NONE && i < sizeof(of_qos) / sizeof(of_qos[0]); i++) {
		uint32_t limit = cluster_u32(c, of_qos[i].field, qos);

		if (limit >= U32_UNKNOWN)
			continue;
		(void)snprintf(buf, size, "%s of QOS %.60s is %u", of_qos[i].name,
			       cluster_text(c, F_QOS_NAME, qos), (unsigned)limit);
		return true;
	}
	for (bool own = true; row != ROW_NONE; row = cluster_parent(c)[row], own = false) {
		uint32_t most = own ? cluster_u32(c, F_ASSOC_MAX_ACCRUE, row) : U32_UNKNOWN;
		uint32_t group = cluster_u32(c, F_ASSOC_GRP_ACCRUE, row);
		char path[80];

		if (most >= U32_UNKNOWN && group >= U32_UNKNOWN)
			continue;
		cluster_path(c, row, path, sizeof(path));
		(void)snprintf(buf, size, "%s of %s is %u",
			       most < U32_UNKNOWN ? "MaxJobsAccrue" : "GrpJobsAccrue", path,
			       (unsigned)(most < U32_UNKNOWN ? most : group));
		return true;
	}
	return false;
}

/* Explains why it does not accrue age. */
static void explain_waiting(const struct prio_place *p, struct explain_step *s)
{
	char limit[160];

	switch ((enum job_kind)p->in->index->kind[p->entry]) {
	case JOB_FUTURE:
		explain_note(s, "no accrue time before its begin time or reservation");
		return;
	case JOB_DEPENDENT:
		explain_note(s, "no accrue time before its dependency is satisfied");
		return;
	case JOB_HELD:	/* has no factors */
	case JOB_PENDING:
	case JOB_RUNNING:
	case JOB_ENDED:
		break;
	}
	if (accrue_limit(p, limit, sizeof(limit)))
		explain_note(s, "no accrue time yet: %s, which it would exceed", limit);
	else
		explain_note(s, "no accrue time yet: the scheduler sets it when it tries the job");
}

/* The documents say that age stops then; slurmctld (22.05, tried) lets it grow. */
static bool beyond_partition(const struct prio_place *p)
{
	const char *reason = cluster_text(prio_cluster_of(p), F_JOB_REASON, p->job);

	return reason && (strcmp(reason, "PartitionNodeLimit") == 0 ||
			  strcmp(reason, "PartitionTimeLimit") == 0);
}

static void prio_age(struct prio_place *p)
{
	bool always = (p->in->policy->flags & PF_ACCRUE_ALWAYS) != 0;
	int64_t since =
		cluster_i64(prio_cluster_of(p), always ? F_JOB_SUBMIT : F_JOB_ACCRUE, p->job);
	struct explain_step *s = explain_add(p->e, "age", explain_priority_factor(p, PRIO_AGE),
					     NULL);

	explain_formula(s, "min(1, (pass - %s) / PriorityMaxAge)", always ? "submit" : "accrue");
	if (!f64_known(s->value) && since != I64_UNKNOWN && p->in->now != I64_UNKNOWN)
		explain_note(s, "PriorityMaxAge or PriorityFlags were not read");
	else if (since == I64_UNKNOWN)
		explain_note(s, "the source does not report since when it accrues age");
	else if (since == 0)
		explain_waiting(p, s);
	else if (p->in->now == I64_UNKNOWN)
		explain_note(s, "the time of the last pass is unknown");
	else if (since >= p->in->now)
		explain_note(s, "it started to accrue age after the last pass: none yet");
	else
		explain_with(s, "%lld s / %lld s", (long long)(p->in->now - since),
			     (long long)p->in->policy->max_age);
	if (since > 0 && beyond_partition(p))
		explain_note(s, "documented: age stops while a partition limit keeps the job "
			     "pending / the scheduler lets it grow");
}

/* Names the missing input of a factor: the job's row, or the number in the row. */
static void explain_unread(const struct prio_place *p, struct explain_step *s, const char *of,
			   const char *what, bool has_row)
{
	if (has_row && policy_hides(p->in->policy, "PriorityFlags"))
		explain_note(s, "PriorityFlags were not read: they decide how it is normalised");
	else if (has_row)
		explain_note(s, "the source reports no %s", what);
	else
		explain_note(s, "neither the %s nor its %s was read", of, what);
}

/* Explains a factor from another table: OF is the table, WHAT the number. */
static void prio_ratio(struct prio_place *p, enum prio_factor f, const char *of, const char *what,
		       uint32_t raw, uint32_t max, bool has_row)
{
	struct explain_step *s = explain_add(p->e, factor_info[f].name,
					     explain_priority_factor(p, f), NULL);

	if (!f64_known(s->value)) {
		explain_unread(p, s, of, what, has_row);
	} else if (raw >= U32_UNKNOWN) {
		explain_formula(s, "0");
		explain_note(s, has_row ? "it has no %s" : "it names no %s", has_row ? what : of);
	} else if (prio_plain(p, factor_info[f].plain)) {
		explain_formula(s, "%s, not normalised", what);
		explain_with(s, "%u", (unsigned)raw);
	} else {
		explain_formula(s, "%s / largest of all", what);
		explain_with(s, "%u / %u", (unsigned)raw, (unsigned)max);
	}
}

static uint32_t raw_of(const struct prio_place *p, const uint32_t *rows, enum field field)
{
	return rows[p->entry] == ROW_NONE ? U32_UNKNOWN
					  : cluster_u32(prio_cluster_of(p), field, rows[p->entry]);
}

static void prio_fairshare(struct prio_place *p)
{
	struct explain_step *s = explain_add(p->e, "fairshare",
					     explain_priority_factor(p, PRIO_FAIRSHARE), NULL);
	uint32_t assoc = p->in->index->assoc[p->entry];
	char path[EXPLAIN_TEXT_MAX / 2];

	explain_formula(s, "F of its association");
	if (assoc == ROW_NONE) {
		explain_note(s, f64_known(explain_priority_factor(p, PRIO_FAIRSHARE)) ?
			     "it has no association: 0" : "no associations were read");
		return;
	}
	cluster_path(prio_cluster_of(p), assoc, path, sizeof(path));
	explain_note(s, "%s", path);
}

/* Notes where the documents promise 1 and the scheduler computes less. */
static void prio_explain_size(const struct prio_place *p, struct explain_step *s, bool small)
{
	const struct job_index *x = p->in->index;
	uint32_t n = x->min_nodes[p->entry];

	if (small && n == 1 && x->nodes > 1)
		explain_note(s, "n nodes of N, c CPUs of C; documented: a job of one node gets 1 "
			     "/ the scheduler gives (N-1)/N, averaged with the CPUs");
	else if (!small && n == x->nodes && x->cpus[p->entry] < x->cluster_cpus)
		explain_note(s, "n nodes of N, c CPUs of C; documented: all nodes give 1 "
			     "/ the scheduler averages nodes and CPUs");
	else
		explain_note(s, "n nodes of N, c CPUs of C");
}

/* Says which CPUs count. */
static void jobsize_cpus(struct prio_place *p, struct explain_step *s)
{
	const struct job_index *x = p->in->index;
	uint32_t whole = job_index_whole(x, p->entry);

	if (whole != U32_UNKNOWN && x->cpus[p->entry] == whole)
		explain_note(s, "c is all CPUs of its nodes (--exclusive), as the scheduler's own "
			     "term counts them");
}

static void prio_jobsize(struct prio_place *p)
{
	const struct job_index *x = p->in->index;
	struct explain_step *s = explain_add(p->e, "jobsize",
					     explain_priority_factor(p, PRIO_JOBSIZE), NULL);
	bool small = p->in->policy->favor_small;

	if (p->in->policy->flags & PF_SMALL_RELATIVE_TO_TIME)
		explain_formula(s, small ? "1 - max(n*C/N, c) / minutes / C"
					 : "max(n*C/N, c) / minutes / C");
	else
		explain_formula(s, small ? "((N-n)/N + (C-c)/C) / 2" : "(n/N + c/C) / 2");
	if (x->min_nodes[p->entry] == U32_UNKNOWN) {
		explain_note(s, "the scheduler does not report how many nodes it asked for");
		return;
	}
	if (x->nodes == U32_UNKNOWN || x->cluster_cpus == U32_UNKNOWN) {
		explain_note(s, "the nodes of the cluster, or their CPUs, were not read");
		return;
	}
	if (x->cpus[p->entry] == U32_UNKNOWN || !f64_known(s->value)) {
		explain_note(s, x->cpus[p->entry] == U32_UNKNOWN ?
			     "the source does not report how many CPUs it asked for" :
			     "PriorityFlags, PriorityFavorSmall or the time limit were not read");
		return;
	}
	explain_with(s, "n=%u N=%u c=%u C=%u", (unsigned)x->min_nodes[p->entry],
		     (unsigned)x->nodes, (unsigned)x->cpus[p->entry], (unsigned)x->cluster_cpus);
	if (p->in->policy->flags & PF_SMALL_RELATIVE_TO_TIME)
		explain_note(s, "n nodes of N, c CPUs of C");
	else
		prio_explain_size(p, s, small);
	jobsize_cpus(p, s);
}

static void one_factor(struct prio_place *p, enum prio_factor f)
{
	const struct job_index *x = p->in->index;

	switch (f) {
	case PRIO_AGE:
		prio_age(p);
		break;
	case PRIO_ASSOC:
		prio_ratio(p, f, "association", "priority", raw_of(p, x->assoc, F_ASSOC_PRIORITY),
			   x->max_assoc, x->assoc[p->entry] != ROW_NONE);
		break;
	case PRIO_FAIRSHARE:
		prio_fairshare(p);
		break;
	case PRIO_JOBSIZE:
		prio_jobsize(p);
		break;
	case PRIO_PARTITION:
		prio_ratio(p, f, "partition", "PriorityJobFactor",
			   raw_of(p, x->partition, F_PARTITION_JOB_FACTOR), x->max_partition,
			   x->partition[p->entry] != ROW_NONE);
		break;
	case PRIO_QOS:
		prio_ratio(p, f, "QOS", "priority", raw_of(p, x->qos, F_QOS_PRIORITY), x->max_qos,
			   x->qos[p->entry] != ROW_NONE);
		break;
	case PRIO_FACTORS:
		break;
	}
}

static double prio_weight_of(const struct prio_place *p, uint32_t i)
{
	return i < PRIO_FACTORS ? p->r->weight[i] : p->r->tres_weight[i - PRIO_TRES];
}

/* Term I: weight times FACTOR; if one of them is unknown, as reported. */
static void explain_priority_term(struct prio_place *p, const char *name, uint32_t i,
				  double factor_value)
{
	enum value_origin origin;
	double value = prio_part(p->in, p->r, i, p->entry, &origin), weight = prio_weight_of(p, i);
	char title[48];
	struct explain_step *s;

	(void)snprintf(title, sizeof(title), "%.36s term", name);
	s = explain_add(p->e, title, value, NULL);
	if (origin == VALUE_REPORTED) {
		explain_formula(s, "as the scheduler reports it");
		return;
	}
	explain_formula(s, "weight * factor");
	s->reported = prio_reported_part(p->in, p->r, i, p->entry);
	if (!f64_known(weight))
		explain_note(s, "its weight was not read");
	if (f64_known(value))
		explain_with(s, "%s * %s", explain_number(weight).s,
			     explain_number(factor_value).s);
}

static void prio_tres(struct prio_place *p, uint32_t t)
{
	const char *name = cluster_tres_name(prio_cluster_of(p), p->r->tres_row[t]);
	double value = p->r->tres_factor[t][p->entry];
	struct explain_step *s = explain_add(p->e, name, value, NULL);

	explain_formula(s, prio_plain(p, PF_NO_NORMAL_TRES)
				   ? "count it asks for"
				   : "count it asks for / count in the partition");
	if (!f64_known(value))
		explain_note(s, "the source does not report both counts, or PriorityFlags");
	explain_priority_term(p, name, PRIO_TRES + t, value);
}

/* Site or nice: part I, as in the sum. */
static void plain_part(struct prio_place *p, uint32_t i, const char *name, const char *note)
{
	enum value_origin origin;
	double value = prio_part(p->in, p->r, i, p->entry, &origin);
	struct explain_step *s = explain_add(p->e, name, value,
					     origin == VALUE_REPORTED ?
					     "as the scheduler reports it" : NULL);

	if (!f64_known(value))
		explain_note(s, "the source does not report it");
	else if (note)
		explain_note(s, "%s", note);
}

static void prio_total(struct prio_place *p)
{
	uint32_t e = p->entry;
	struct explain_step *s;

	plain_part(p, PRIO_SITE, "site", NULL);
	plain_part(p, PRIO_NICE, "nice", "subtracted: a positive nice value lowers the priority");
	explain_add(p->e, "sum", p->r->sum[e], "all terms + site - nice");
	if (p->r->origin[e] == PRIO_ORIGIN_UNREPORTED) {
		explain_add(p->e, "priority", p->r->priority[e],
			    "as reported, as a term is unknown");
		return;
	}
	s = explain_add(p->e, "priority",
			p->r->priority[e] == U32_UNKNOWN ? F64_UNKNOWN : p->r->priority[e],
			"sum, at least 1, at most 4294967295, truncated");
	if (p->r->origin[e] == PRIO_COMPUTED && p->r->priority[e] > fmax(p->r->sum[e], 1))
		explain_note(s, "INCR_ONLY: it was %u before, and a smaller sum does not lower it",
			     (unsigned)p->r->priority[e]);
	else if (p->r->sum[e] < 1)
		explain_note(s, "never below 1 unless held");
	else if (p->r->sum[e] > (double)UINT32_MAX)
		explain_note(s, "cut to 2^32-1");
	if (prio_reported(p->in->index, e) != U32_UNKNOWN)
		s->reported = prio_reported(p->in->index, e);
}

/* "16 cpu * 1 + 61440 mem * 0.000244140625" */
static void bill_terms(const struct prio_place *p, const struct billing_weights *w,
		       struct tres_list list, struct explain_step *s)
{
	char text[EXPLAIN_TEXT_MAX] = "";

	for (uint32_t k = 0; k < w->count; k++) {
		uint32_t of = cluster_find_tres(prio_cluster_of(p), w->pairs[k].name);

		for (uint32_t i = 0; i < list.count; i++) {
			if (list.items[i].tres == of)
				format_append(text, sizeof(text), "%s%s %s * %s",
					      text[0] ? ", " : "",
					      explain_number(list.items[i].count).s,
					      w->pairs[k].name,
					      explain_number(w->pairs[k].value).s);
		}
	}
	if (text[0])
		explain_with(s, "%s", text);
}

/* Usage charged per second, which does not enter the priority. */
static void prio_bill(struct prio_place *p)
{
	static const char *const formulas[] = {
		[BILLING_SUM] = "sum of count * weight",
		[BILLING_MAX_TRES] = "MAX_TRES: largest count * weight of cpu, mem, node and gres, "
				     "and the sum of the others",
		[BILLING_MAX_TRES_GRES] = "MAX_TRES_GRES: largest count * weight of cpu, mem and "
					  "node, and the sum of the others",
	};
	const struct cluster *c = prio_cluster_of(p);
	uint32_t partition = p->in->index->partition[p->entry];
	const char *text = partition == ROW_NONE ? NULL :
			   cluster_text(c, F_PARTITION_BILLING_WEIGHTS, partition);
	enum billing_mode mode = billing_mode_of(p->in->policy->flags);
	double value = billing_of_job(c, p->job, partition, mode), own;
	struct billing_weights *w;
	struct explain_step *s;

	if (!f64_known(value))
		return;
	s = explain_add(p->e, "bill", value, NULL);
	w = mem_alloc(1, sizeof(*w));
	billing_read(w, text);
	own = billing_of_list(w, c, billing_tres(c, p->job), mode);
	if (!text)
		explain_formula(s, "as reported, TRESBillingWeights are unknown");
	else if (!(fabs(own - value) < 1))
		explain_formula(s, "as reported; TRESBillingWeights in effect give %s",
				explain_number(own).s);
	else if (!*text)
		explain_formula(s, "CPUs, as the partition has no TRESBillingWeights");
	else
		explain_formula(s, own == value ? "%s" : "%s, cut to a whole number",
				formulas[mode]);
	if (text && *text && fabs(own - value) < 1)
		bill_terms(p, w, billing_tres(c, p->job), s);
	mem_free(w);
	explain_note(s, f64_known(cluster_f64(c, F_JOB_BILLING, p->job)) ?
		     "billable TRES, charged per second to its association" :
		     "billable TRES, charged per second to its association; the source reports "
		     "only the weights");
}

static bool knows_terms(const struct prio_place *p)
{
	bool known = policy_tells_weights(p->in->policy);

	for (uint32_t i = 0; !known && i < prio_part_count(p->r); i++)
		known = f64_known(prio_part(p->in, p->r, i, p->entry, NULL));
	return known;
}

static bool prio_not_computed(struct prio_place *p)
{
	static const char *const notes[] = {
		[PRIO_ORIGIN_HELD] = "held: 0 until it is released",
		[PRIO_ORIGIN_DIRECT] = "set directly: the factors do not count",
		[PRIO_ORIGIN_KEPT] = "no longer recomputed: it is running or has ended",
		[PRIO_ORIGIN_BASIC] = "priority/basic: first in, first out, nothing else counts",
		[PRIO_ORIGIN_UNREPORTED] =
			"as reported: the source reports neither weights nor terms",
		[PRIO_ORIGIN_UNKNOWN] = "the source reports neither it nor weights and terms",
	};
	enum prio_origin origin = (enum prio_origin)p->r->origin[p->entry];
	uint32_t priority = p->r->priority[p->entry];
	double value;

	if (origin == PRIO_COMPUTED || ((origin == PRIO_ORIGIN_UNKNOWN ||
					 origin == PRIO_ORIGIN_UNREPORTED) && knows_terms(p)))
		return false;
	value = priority == U32_UNKNOWN ? F64_UNKNOWN : priority;
	explain_note(explain_add(p->e, "priority", value, NULL), "%s", notes[origin]);
	return true;
}

void prio_explain(const struct prio_input *in, const struct prio_result *r, uint32_t entry,
		  struct explain *e)
{
	struct prio_place p = { in, r, e, entry, in->index->job[entry] };

	prio_bill(&p);
	if (prio_not_computed(&p))
		return;
	for (unsigned f = 0; f < PRIO_FACTORS; f++) {
		if (r->weight[f] == 0)
			continue;
		one_factor(&p, (enum prio_factor)f);
		explain_priority_term(&p, factor_info[f].name, f,
				      explain_priority_factor(&p, (enum prio_factor)f));
	}
	for (uint32_t t = 0; t < r->tres_count; t++)
		prio_tres(&p, t);
	prio_total(&p);
}
