/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of the tree, the weights and the policy. */
#include "core/lint/lint_slurm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/base/timestr.h"
#include "core/cluster/tres.h"
#include "core/lint/lint_conf.h"

#define LINT_PRIORITY "Multifactor Priority Plugin"

/* ---- the tree ------------------------------------------------------------------------------- */

/* Whether PART is more than nine tenths, without rounding errors. */
static bool lint_slurm_dominates(double part, double whole)
{
	return 10 * part > 9 * whole;
}

/* Suggests an edit of the shares of ROW. */
static void suggest_shares(struct lint_item *item, const struct cluster *c, uint32_t row,
			   double shares)
{
	char path[sizeof(item->suggestion)], name[sizeof(item->suggestion)];

	if (cluster_path(c, row, path, sizeof(path)) < sizeof(path))
		lint_suggest(item, "shares:%s = %.0f",
			     lint_name(path, true, name, sizeof(name)), shares);
}

static struct lint_item *lint_slurm_about(struct lint *l, const char *code, const char *source,
					  const struct cluster *c, uint32_t row)
{
	char room[VALUE_ROOM];

	return lint_add(l, LINT_WARNING, code, source, "%s", cluster_path_get(c, row, room));
}

static void check_shares(struct lint *l, const struct model *m, uint32_t row)
{
	const struct cluster *c = m->cluster;
	double usage = cluster_f64(c, F_ASSOC_USAGE, row);
	double f = m->fs->fairshare ? m->fs->fairshare[row] : F64_UNKNOWN;
	uint32_t others = 0;
	struct lint_item *item;
	char used[32];

	if (m->tree->shares[row] != 0)
		return;
	if (!(usage > 0) && !(m->tree->is_user[row] && fs_level_shares(m->tree, row, &others)))
		return;
	item = lint_slurm_about(l, usage > 0 ? "S11" : "S13", "sacctmgr(1), Fairshare", c, row);
	if (f64_known(f))
		lint_message(item, "F is %.4g: ", f);
	(void)format_si(usage, 2, used, sizeof(used));
	used[strcspn(used, " ")] = '\0';	/* Without a suffix there is a blank. */
	if (usage > 0)
		lint_message_more(item, "no shares, but usage of %s TRES-s, also "
				  "charged to its account", used);
	else
		lint_message_more(item, "no shares; its siblings have %u", (unsigned)others);
	suggest_shares(item, c, row, 1);
}

static void check_parent(struct lint *l, const struct model *m, uint32_t row)
{
	uint32_t above = cluster_parent(m->cluster)[row];
	struct lint_item *item;

	if (above == ROW_NONE || m->tree->is_user[row] || m->tree->shares[row] != SHARES_PARENT ||
	    m->tree->shares[above] != SHARES_PARENT)
		return;
	item = lint_slurm_about(l, "S12", "sacctmgr(1), Fairshare=parent", m->cluster, row);
	lint_message(item, "fairshare=parent below an account with fairshare=parent: both levels "
		     "vanish, and its children compete two levels higher");
	suggest_shares(item, m->cluster, row, 1);
}

/* Checks the first level, by shares and by usage. */
static void check_dominant(struct lint *l, const struct model *m)
{
	const struct cluster *c = m->cluster;
	uint32_t n = m->tree->n, siblings = n > 0 ? m->tree->family_first[1] : 0;
	double all = n > 0 ? cluster_f64(c, F_ASSOC_USAGE, 0) : 0;

	for (uint32_t i = 0; siblings > 1 && i < siblings; i++) {
		uint32_t row = m->tree->members[i], level;
		double usage = cluster_f64(c, F_ASSOC_USAGE, row);
		bool shares = m->tree->shares[row] != SHARES_PARENT &&
			      fs_level_shares(m->tree, row, &level) &&
			      lint_slurm_dominates(m->tree->shares[row], level);
		struct lint_item *item;

		if (!shares && !lint_slurm_dominates(usage, all))
			continue;
		item = lint_slurm_about(l, "S17", LINT_PRIORITY, c, row);
		if (!shares) {
			lint_message(item, "has %.0f percent of all usage", 100 * usage / all);
			continue;
		}
		lint_message(item, "has %u of the %u shares of the first level",
			     (unsigned)m->tree->shares[row], (unsigned)level);
		/* The most shares with which it does not dominate: nine times the others'. */
		if (level > m->tree->shares[row])
			suggest_shares(item, c, row, 9.0 * (level - m->tree->shares[row]));
	}
}

static void lint_slurm_check_qos(struct lint *l, const struct cluster *c)
{
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_QOS); i++) {
		const char *name = cluster_text(c, F_QOS_NAME, i);
		char written[400];
		struct lint_item *item;

		if (cluster_f64(c, F_QOS_USAGE_FACTOR, i) != 0)
			continue;
		item = lint_add(l, LINT_WARNING, "S15", "sacctmgr(1), UsageFactor", "qos:%s",
				name ? name : "");
		lint_message(item, "UsageFactor 0: its jobs are never charged");
		lint_suggest(item, "qos:%s.usage_factor = 1",
			     lint_name(name ? name : "", false, written, sizeof(written)));
	}
}

struct weighed {
	const struct cluster *c;
	double sum;
	char unknown[TRES_NAME_MAX];
	char known[300];	/* the items that are counted and have a weight, as written */
};

static bool lint_slurm_weigh(void *context, const struct tres_pair *pair, struct err *err)
{
	struct weighed *w = context;

	(void)err;
	w->sum += fabs(pair->value);
	if (cluster_rows(w->c, TABLE_TRES) > 0 && cluster_find_tres(w->c, pair->name) == ROW_NONE)
		memcpy(w->unknown, pair->name, sizeof(w->unknown));
	else if (pair->value != 0)
		format_append(w->known, sizeof(w->known), "%s%s=%.10g", w->known[0] ? "," : "",
			      pair->name, pair->value);
	return true;
}

static void check_partition(struct lint *l, const struct cluster *c, const char *name,
			    const char *text)
{
	struct weighed w = { .c = c };
	struct err err = { .code = ERR_NONE };
	struct lint_item *item;
	bool read = tres_parse_weights(text, lint_slurm_weigh, &w, &err);
	char written[400];

	if (read && w.sum > 0 && !w.unknown[0])
		return;
	item = lint_add(l, LINT_WARNING, "S16", LINT_CONF "TRESBillingWeights", "partition:%s",
			name);
	lint_suggest(item, "partition:%s.billing_weights = %s",
		     lint_name(name, false, written, sizeof(written)),
		     read && w.known[0] ? w.known : "cpu=1");
	if (!read)
		lint_message(item, "%s", err.message);
	else if (w.sum == 0)
		lint_message(item, "\"%s\" bills nothing: its jobs add no usage", text);
	else
		lint_message(item, "\"%s\" weights \"%s\", which is not counted", text, w.unknown);
}

static void check_billing(struct lint *l, const struct cluster *c)
{
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_PARTITION); i++) {
		const char *text = cluster_text(c, F_PARTITION_BILLING_WEIGHTS, i);
		const char *name = cluster_text(c, F_PARTITION_NAME, i);

		if (text && *text)
			check_partition(l, c, name ? name : "", text);
	}
}

/* Checks accounts, QOS and partitions: S11 to S13, S15 to S17. */
static void lint_slurm_tree(const struct model *model, struct lint *l)
{
	for (uint32_t row = 1; row < model->tree->n; row++) {
		check_shares(l, model, row);
		check_parent(l, model, row);
	}
	check_dominant(l, model);
	lint_slurm_check_qos(l, model->cluster);
	check_billing(l, model->cluster);
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return a < b ? -1 : a > b;
}

/* ---- weights ------------------------------------------------------------------------------- */

#define WEIGHT_LEAST 1000	/* the document's recommended start value */

/* What those factors come from that may be 0 for all jobs. */
static const struct {
	size_t most;		/* in job_index: the largest raw value of all jobs */
	const char *nobody;	/* text for the case that all raw values are 0 */
} raw_values[PRIO_FACTORS] = {
	[PRIO_ASSOC] = { offsetof(struct job_index, max_assoc), "no association has a priority" },
	[PRIO_PARTITION] = { offsetof(struct job_index, max_partition),
			     "no partition has a PriorityJobFactor" },
	[PRIO_QOS] = { offsetof(struct job_index, max_qos), "no QOS has a priority" },
};

static double weight_sum(const struct policy *p)
{
	double sum = 0;

	for (unsigned f = 0; f < PRIO_FACTORS; f++)
		sum += p->weight[f];
	return sum;
}

/* ---- S1 ------------------------------------------------------------------------------------ */

static void check_small(struct lint *l, const struct policy *p)
{
	for (unsigned f = 0; f < PRIO_FACTORS; f++) {
		uint32_t weight = p->weight[f], plain = factor_info[f].plain;
		struct lint_item *item;

		if (weight == 0 || weight >= WEIGHT_LEAST ||
		    p->flags & (plain | (plain ? PF_NO_NORMAL_ALL : 0)))
			continue;
		item = lint_add(l, LINT_WARNING, "S1", LINT_PRIORITY ": start around 1000 or so",
				"%s", factor_info[f].param);
		lint_message(item, "%u: factors from 0 to 1 become %u %s; jobs that differ by less "
			     "than %.3g get the same term", (unsigned)weight,
			     (unsigned)weight, plural(weight, "step", "steps"), 1.0 / weight);
		lint_suggest(item, "%s = %d", factor_info[f].edit, WEIGHT_LEAST);
	}
}

/* PriorityWeightTRES, item by item, and rewritten without the wrong items. */
struct tres_text {
	const struct cluster *c;
	char found[200], mended[300];
	double sum;
	bool unknown;		/* look for uncounted TRES; else for small weights */
};

static void lint_slurm_append(char *buf, size_t size, const char *name, double value)
{
	format_append(buf, size, "%s%s=%.10g", buf[0] ? "," : "", name, value);
}

static bool look_at_tres(void *context, const struct tres_pair *pair, struct err *err)
{
	struct tres_text *t = context;
	bool there = cluster_rows(t->c, TABLE_TRES) == 0 ||
		     cluster_find_tres(t->c, pair->name) != ROW_NONE;
	bool wrong = t->unknown ? !there
				: there && pair->value != 0 && fabs(pair->value) < WEIGHT_LEAST;

	(void)err;
	t->sum += there ? fabs(pair->value) : 0;
	if (wrong)
		lint_slurm_append(t->found, sizeof(t->found), pair->name, pair->value);
	if (!wrong || !t->unknown)
		lint_slurm_append(t->mended, sizeof(t->mended), pair->name,
				  wrong ? copysign(WEIGHT_LEAST, pair->value) : pair->value);
	return true;
}

/* False if there is nothing to report. */
static bool lint_slurm_read_tres(struct tres_text *t, const struct policy *p)
{
	struct err err;

	return p->weight_tres[0] && tres_parse_weights(p->weight_tres, look_at_tres, t, &err) &&
	       t->found[0];
}

static double lint_slurm_tres_sum(const struct policy *p, const struct cluster *c)
{
	struct tres_text t = { .c = c };

	(void)lint_slurm_read_tres(&t, p);
	return t.sum;
}

static void check_tres(struct lint *l, const struct policy *p, const struct cluster *c)
{
	struct tres_text small = { .c = c }, unknown = { .c = c, .unknown = true };
	struct lint_item *item;

	if (lint_slurm_read_tres(&unknown, p)) {
		item = lint_about_param(l, LINT_WARNING, "S2", "PriorityWeightTRES");
		lint_message(item, "%s: the cluster does not count that, so it never matters",
			     unknown.found);
		lint_suggest(item, "weight.tres = %s", unknown.mended);
	}
	if (!(p->flags & (PF_NO_NORMAL_TRES | PF_NO_NORMAL_ALL)) &&
	    lint_slurm_read_tres(&small, p)) {
		item = lint_add(l, LINT_WARNING, "S1", LINT_PRIORITY ": start around 1000 or so",
				"PriorityWeightTRES");
		lint_message(item, "%s: factors from 0 to 1 become that many steps", small.found);
		lint_suggest(item, "weight.tres = %s", small.mended);
	}
}

/* ---- S2 ------------------------------------------------------------------------------------ */

/* The smallest step between two values of a factor among pending jobs. */
static double lint_slurm_step_of(double *values, size_t n)
{
	double smallest = (double)INFINITY;

	qsort(values, n, sizeof(*values), compare_doubles);
	for (size_t i = 1; i < n; i++) {
		if (values[i] > values[i - 1])
			smallest = fmin(smallest, values[i] - values[i - 1]);
	}
	return smallest;
}

/*
 * Counts the distinct values of a factor among pending jobs: 0, 1, or 2 for more. *SMALLEST is at
 * most the smallest step between neighbours in the queue. The smallest of all, which needs a sort,
 * is only computed if all those steps are worth more than OTHERS.
 */
static size_t steps_of(const struct jobs *j, unsigned f, double weight, double others,
		       double *smallest)
{
	const double *factor = j->prio->factor[f];
	double *values = mem_alloc((size_t)j->index->n + 1, sizeof(*values));
	size_t n = 0, distinct;

	*smallest = (double)INFINITY;
	for (uint32_t e = 0; factor && e < j->index->n; e++) {
		if (j->order->rank[e] == U32_UNKNOWN || !f64_known(factor[e]))
			continue;
		if (n > 0 && factor[e] != values[n - 1])
			*smallest = fmin(*smallest, fabs(factor[e] - values[n - 1]));
		values[n++] = factor[e];
	}
	distinct = n == 0 ? 0 : isfinite(*smallest) ? 2 : 1;
	if (distinct == 2 && weight * *smallest > others)
		*smallest = lint_slurm_step_of(values, n);
	mem_free(values);
	return distinct;
}

static bool nobody_has(const struct jobs *j, unsigned f)
{
	uint32_t most;

	if (!raw_values[f].nobody)
		return false;
	memcpy(&most, (const char *)j->index + raw_values[f].most, sizeof(most));
	return most == 0;
}

static void never_matters(struct lint *l, unsigned f, double weight, const struct jobs *j,
			  bool nobody)
{
	struct lint_item *item = lint_add(l, LINT_WARNING, "S2", LINT_PRIORITY, "%s",
					  factor_info[f].param);

	lint_suggest(item, "%s = 0", factor_info[f].edit);
	if (nobody)
		lint_message(item, "weight %.0f, but %s: the factor is 0 for all jobs and never "
			     "matters", weight, raw_values[f].nobody);
	else
		lint_message(item, "weight %.0f, but the factor is the same for all %u pending "
			     "jobs: it decides nothing", weight, (unsigned)j->order->count);
}

/* OTHERS: the most that all other weights can add up to. */
static void always_wins(struct lint *l, unsigned f, double weight, double smallest, double others)
{
	struct lint_item *item = lint_add(l, LINT_WARNING, "S2", LINT_PRIORITY, "%s",
					  factor_info[f].param);
	double less = floor(others / smallest / 2);

	lint_message(item, "its smallest step among the pending jobs is %.4g points, more than "
		     "all other weights together (%.0f): it always wins", weight * smallest,
		     others);
	if (less >= 1)
		lint_suggest(item, "%s = %.0f", factor_info[f].edit, less);
}

static void check_matters(struct lint *l, const struct policy *p, const struct jobs *j,
			  bool saturates)
{
	double sum = weight_sum(p) + lint_slurm_tres_sum(p, j->model->cluster), smallest;

	for (unsigned f = 0; f < PRIO_FACTORS; f++) {
		double weight = p->weight[f];
		bool nobody = nobody_has(j, f);
		size_t distinct;

		if (weight == 0 || (j->order->count < 2 && !nobody) ||
		    (saturates && f == PRIO_AGE))
			continue;
		distinct = nobody ? 1 : steps_of(j, f, weight, sum - weight, &smallest);
		if (distinct == 1)
			never_matters(l, f, weight, j, nobody);
		else if (distinct > 1 && sum > weight && weight * smallest > sum - weight)
			always_wins(l, f, weight, smallest, sum - weight);
	}
}

/* ---- S4 ------------------------------------------------------------------------------------ */

static void lint_slurm_check_sum(struct lint *l, const struct policy *p)
{
	double sum = weight_sum(p), by = ceil(sum / UINT32_MAX);
	struct lint_item *item;

	if (sum <= UINT32_MAX)
		return;
	item = lint_add(l, LINT_ERROR, "S4", LINT_PRIORITY ": priorities are 32-bit",
			"PriorityWeight*");
	lint_message(item, "the weights add up to %.0f, more than 4294967295: the largest "
		     "priorities are capped and equal; weights divided by %.0f keep the mix", sum,
		     by);
	for (unsigned f = 0; f < PRIO_FACTORS; f++) {
		if (p->weight[f] != 0)
			lint_suggest_more(item, "%s%s = %.0f", item->suggestion[0] ? "; " : "",
					  factor_info[f].edit, floor(p->weight[f] / by));
	}
}

/*
 * J may be NULL. SATURATES: a finding says that age reaches 1 too early, so that age decides
 * nothing is not reported again.
 */
static void check_weights(const struct policy *p, const struct cluster *c, const struct jobs *j,
			  bool saturates, struct lint *l)
{
	check_small(l, p);
	check_tres(l, p, c);
	if (j)
		check_matters(l, p, j, saturates);
	lint_slurm_check_sum(l, p);
}

/* ---- age and half-life ---------------------------------------------------------------------- */

/* True if it adds a finding. */
static bool check_age(struct lint *l, const struct policy *p, const struct jobs *j)
{
	bool typical = false;
	double *waits;
	uint32_t n = 0, longer = 0;
	int64_t now = jobs_now(j->model->cluster);
	char wait[40], age[40];
	struct lint_item *item;

	if (p->weight[PRIO_AGE] == 0 || now == I64_UNKNOWN || j->order->count < 10)
		return false;
	waits = mem_alloc(j->index->n, sizeof(*waits));
	for (uint32_t e = 0; e < j->index->n; e++) {
		/* When the age factor begins to count. */
		int64_t since = cluster_i64(j->model->cluster, p->flags & PF_ACCRUE_ALWAYS
							       ? F_JOB_SUBMIT : F_JOB_ACCRUE,
					    j->index->job[e]);

		if (j->order->rank[e] == U32_UNKNOWN || since <= 0 || since > now)
			continue;
		longer += now - since > p->max_age;
		waits[n++] = (double)(now - since);
	}
	typical = n >= 10 && longer >= n - n / 2;
	if (typical) {
		qsort(waits, n, sizeof(*waits), compare_doubles);
		timestr_format((int64_t)waits[n / 2], wait, sizeof(wait));
		timestr_format(p->max_age, age, sizeof(age));
		item = lint_about_param(l, LINT_WARNING, "S3", "PriorityMaxAge");
		lint_message(item, "%s, but half of the jobs have waited %s or longer: their age "
			     "factor is 1 and no longer separates them", age, wait);
		lint_suggest(item, "max_age = %.0fs", 60 * ceil(waits[n / 2] / 30));
	}
	mem_free(waits);
	return typical;
}

/* The longest time limit or run time of a job; 0: unknown. */
static int64_t longest_job(const struct cluster *c)
{
	int64_t longest = 0;

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
		int64_t limit = cluster_i64(c, F_JOB_TIME_LIMIT, i);

		if (limit != I64_INFINITE && limit > longest)
			longest = limit;
	}
	return longest;
}

/* The fraction of usage accumulated evenly over HALF_LIVES that has decayed at their end. */
static double lint_slurm_forgotten(double half_lives)
{
	double decay = half_lives * log(2);

	return 1 - (1 - exp(-decay)) / decay;
}

static void check_half_life(struct lint *l, const struct policy *p, const struct cluster *c)
{
	int64_t longest = longest_job(c);
	struct lint_item *item;
	char half[40], other[40];

	timestr_format(p->half_life, half, sizeof(half));
	if (policy_counts_for_ever(p)) {
		item = lint_about_param(l, LINT_ERROR, "S6", "PriorityDecayHalfLife");
		lint_message(item, "0 without PriorityUsageResetPeriod: usage counts for ever");
		lint_suggest(item, "half_life = 7-0");
		return;
	}
	if (p->half_life > 0 && longest > p->half_life) {
		timestr_format(longest, other, sizeof(other));
		item = lint_about_param(l, LINT_WARNING, "S5", "PriorityDecayHalfLife");
		lint_message(item, "%s, but jobs may run for %s: when such a job ends, %.0f "
			     "percent of its usage no longer counts", half, other,
			     100 * lint_slurm_forgotten((double)longest / (double)p->half_life));
		lint_suggest(item, "half_life = %s", other);
	}
	if (p->half_life > 0 && p->calc_period > 0 && p->half_life < 10 * p->calc_period) {
		timestr_format(p->calc_period, other, sizeof(other));
		item = lint_about_param(l, LINT_WARNING, "S5", "PriorityCalcPeriod");
		lint_message(item, "%s for a half-life of %s: usage falls in steps of %.0f percent",
			     other, half,
			     100 * (1 - exp2(-(double)p->calc_period / (double)p->half_life)));
		/* Both are whole minutes. */
		if (p->half_life >= 10 * 60)
			lint_suggest(item, "calc_period = %.0fm",
				     fmax(1, floor((double)p->half_life / 6000)));
		else
			lint_suggest(item, "half_life = %.0fm", ceil((double)p->calc_period / 6));
	}
}

/* ---- flags --------------------------------------------------------------------------------- */

static void check_flag_pair(struct lint *l, const struct policy *p, uint32_t winner,
			    uint32_t loser, const char *names, const char *message)
{
	struct lint_item *item;

	if (!(p->flags & winner) || !(p->flags & loser))
		return;
	item = lint_about_param(l, LINT_WARNING, "S9", "PriorityFlags");
	lint_message(item, "%s: %s", names, message);
	lint_suggest_flags(item, p->flags & ~loser);
}

/*
 * slurmctld sets NO_FAIR_TREE with DEPTH_OBLIVIOUS, and the four with NO_NORMAL_ALL: whether both
 * were written is visible only in the text.
 */
static void check_flags(struct lint *l, const struct policy *p)
{
	struct lint_item *item;

	if (p->unknown_flags[0]) {
		item = lint_about_param(l, LINT_ERROR, "S7", "PriorityFlags");
		lint_message(item, "\"%s\": no version knows this", p->unknown_flags);
		lint_mend_flags(item, p);
	}
	check_flag_pair(l, p, PF_MAX_TRES_GRES, PF_MAX_TRES, "MAX_TRES,MAX_TRES_GRES",
			"MAX_TRES_GRES wins, MAX_TRES adds nothing");
	check_flag_pair(l, p, PF_INCR_ONLY, PF_CALCULATE_RUNNING, "INCR_ONLY,CALCULATE_RUNNING",
			"priorities of running jobs can only rise, so computing them again mostly "
			"changes nothing");
}

static void check_damping(struct lint *l, const struct policy *p, enum fs_algorithm algorithm)
{
	struct lint_item *item;
	bool tree = algorithm == FS_FAIR_TREE || algorithm == FS_FAIR_TREE_DOCUMENTED;

	if (p->damping == 1 || (!tree && p->damping < 10))
		return;
	item = lint_about_param(l, LINT_WARNING, "S14", "FairShareDampeningFactor");
	lint_suggest(item, "damping = 1");
	if (tree)
		lint_message(item, "%u has no effect in Fair Tree", (unsigned)p->damping);
	else
		lint_message(item, "%u: a user who used ten times the share still has F = %.3f",
			     (unsigned)p->damping, exp2(-10.0 / p->damping));
}

static void check_plugin(struct lint *l, const struct policy *p)
{
	struct lint_item *item;

	if (!policy_is_multifactor(p)) {
		item = lint_about_param(l, LINT_WARNING, "S10", "PriorityType");
		lint_message(item, "\"%s\": first in, first out; weights and shares have no effect",
			     p->type);
		lint_suggest(item, "PriorityType = priority/multifactor");
	}
	if (!policy_has_accounting(p)) {
		item = lint_add(l, LINT_ERROR, "S10", LINT_PRIORITY, "AccountingStorageType");
		lint_message(item, "no accounting database: there are no associations, so age and "
			     "fair share have no effect");
		lint_suggest(item, "AccountingStorageType = accounting_storage/slurmdbd");
	}
}

/* slurmctld reads its file at its next start, and then fails. */
static void check_refused(struct lint *l, const struct policy *p)
{
	for (size_t i = 0; i < policy_params_count; i++) {
		struct lint_item *item;
		char value[POLICY_TEXT_MAX], expected[POLICY_EXPECTED_MAX];

		if (policy_params[i].scheduler != POLICY_OF_SLURM || !policy_is_known(p, i) ||
		    policy_is_open(i) || !policy_refused(p, i, expected, sizeof(expected)))
			continue;
		policy_value_text(p, i, value, sizeof(value));
		item = lint_about_param(l, LINT_ERROR, "S19", policy_params[i].name);
		lint_message(item, "%.100s: expected %s", value, expected);
		lint_suggest(item, "%s = %s", policy_params[i].name,
			     policy_params[i].default_value);
	}
}

void lint_slurm(const struct model *model, const struct jobs *jobs, struct lint *l)
{
	const struct policy *p = cluster_policy(model->cluster);

	check_refused(l, p);
	check_plugin(l, p);
	check_flags(l, p);
	if (policy_is_multifactor(p) && policy_tells_weights(p)) {
		/* A subset of the jobs says nothing about all. */
		bool saturates;

		if (cluster_hides_jobs(model->cluster))
			jobs = NULL;
		saturates = jobs && check_age(l, p, jobs);

		check_weights(p, model->cluster, jobs, saturates, l);
		check_half_life(l, p, model->cluster);
		check_damping(l, p, model->algo->id);
	}
	lint_slurm_tree(model, l);
}
