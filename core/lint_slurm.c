/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of the policy. */
#include "core/lint_slurm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/lint_slurm_private.h"
#include "core/mem.h"
#include "core/timestr.h"
#include "core/word.h"

#define DOC_PRIORITY "Multifactor Priority Plugin"
#define CONF(name) "slurm.conf(5), " name
#define WEIGHT_LEAST 1000	/* where the document says to start */

static const struct {
	const char *param, *edit;
	size_t offset;
	enum prio_factor factor;
} weights[] = {
	{ "PriorityWeightAge", "weight.age", offsetof(struct policy, weight_age), PRIO_AGE },
	{ "PriorityWeightAssoc", "weight.assoc", offsetof(struct policy, weight_assoc),
	  PRIO_ASSOC },
	{ "PriorityWeightFairshare", "weight.fairshare",
	  offsetof(struct policy, weight_fairshare), PRIO_FAIRSHARE },
	{ "PriorityWeightJobSize", "weight.jobsize", offsetof(struct policy, weight_jobsize),
	  PRIO_JOBSIZE },
	{ "PriorityWeightPartition", "weight.partition",
	  offsetof(struct policy, weight_partition), PRIO_PARTITION },
	{ "PriorityWeightQOS", "weight.qos", offsetof(struct policy, weight_qos), PRIO_QOS },
};
#define WEIGHTS (sizeof(weights) / sizeof(weights[0]))

static uint32_t weight_of(const struct policy *p, size_t i)
{
	uint32_t weight;

	memcpy(&weight, (const char *)p + weights[i].offset, sizeof(weight));
	return weight;
}

static double weight_sum(const struct policy *p)
{
	double sum = 0;

	for (size_t i = 0; i < WEIGHTS; i++)
		sum += weight_of(p, i);
	return sum;
}

static void check_small(struct lint *l, const struct policy *p)
{
	for (size_t i = 0; i < WEIGHTS; i++) {
		uint32_t weight = weight_of(p, i);
		struct lint_item *item;

		if (weight == 0 || weight >= WEIGHT_LEAST)
			continue;
		item = lint_add(l, LINT_WARNING, "S1", NULL, 0);
		lint_object(item, "%s", weights[i].param);
		lint_message(item, "%u: factors from 0 to 1 become %u steps; jobs that differ by "
			     "less than %.3g get the same points", (unsigned)weight,
			     (unsigned)weight, 1.0 / weight);
		lint_source(item, "%s: start around 1000 or so", DOC_PRIORITY);
		lint_suggest(item, "%s = %d", weights[i].edit, WEIGHT_LEAST);
	}
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return a < b ? -1 : a > b;
}

/* Distinct values of a factor among the jobs that wait: how many, and the smallest step. */
static size_t steps_of(const struct jobs *j, enum prio_factor f, double *smallest)
{
	const double *factor = j->prio->factor[f];
	double *values = mem_alloc((size_t)j->index->n + 1, sizeof(*values));
	size_t n = 0, distinct;

	*smallest = (double)INFINITY;
	for (uint32_t e = 0; factor && e < j->index->n; e++) {
		if (j->order->rank[e] != U32_UNKNOWN && f64_known(factor[e]))
			values[n++] = factor[e];
	}
	qsort(values, n, sizeof(*values), compare_doubles);
	distinct = n > 0;
	for (size_t i = 1; i < n; i++) {
		if (values[i] == values[i - 1])
			continue;
		distinct++;
		*smallest = fmin(*smallest, values[i] - values[i - 1]);
	}
	mem_free(values);
	return distinct;
}

static void check_matters(struct lint *l, const struct policy *p, const struct jobs *j)
{
	double sum = weight_sum(p), smallest;

	for (size_t i = 0; j && i < WEIGHTS; i++) {
		double weight = weight_of(p, i);
		size_t distinct;
		struct lint_item *item;

		if (weight == 0 || j->order->count < 2)
			continue;
		distinct = steps_of(j, weights[i].factor, &smallest);
		if (distinct != 1 && !(weight * smallest > sum - weight && distinct > 1))
			continue;
		item = lint_add(l, LINT_WARNING, "S2", NULL, 0);
		lint_object(item, "%s", weights[i].param);
		lint_source(item, "%s", DOC_PRIORITY);
		if (distinct == 1) {
			lint_message(item, "%.0f points, but the factor is the same for all %u "
				     "jobs that wait: it decides nothing", weight,
				     (unsigned)j->order->count);
			continue;
		}
		lint_message(item, "its smallest step among the waiting jobs is %.4g points, more "
			     "than all other weights together (%.0f): it always wins",
			     weight * smallest, sum - weight);
		lint_suggest(item, "%s = %.0f", weights[i].edit,
			     floor((sum - weight) / smallest / 2));
	}
}

static void check_age(struct lint *l, const struct policy *p, const struct jobs *j)
{
	double *waits;
	uint32_t n = 0;
	int64_t now = j ? jobs_now(j->model->cluster) : I64_UNKNOWN;
	char wait[40], age[40];
	struct lint_item *item;

	if (p->weight_age == 0 || now == I64_UNKNOWN || j->order->count < 10)
		return;
	waits = mem_alloc(j->index->n, sizeof(*waits));
	for (uint32_t e = 0; e < j->index->n; e++) {
		int64_t since = cluster_i64(j->model->cluster, F_JOB_ELIGIBLE, j->index->job[e]);

		if (j->order->rank[e] != U32_UNKNOWN && since > 0 && since <= now)
			waits[n++] = (double)(now - since);
	}
	qsort(waits, n, sizeof(*waits), compare_doubles);
	if (n >= 10 && waits[n / 2] > (double)p->max_age) {
		timestr_format((int64_t)waits[n / 2], wait, sizeof(wait));
		timestr_format(p->max_age, age, sizeof(age));
		item = lint_add(l, LINT_WARNING, "S3", NULL, 0);
		lint_object(item, "PriorityMaxAge");
		lint_message(item, "%s, but half of the jobs have waited longer than %s: their age "
			     "is 1 and no longer tells them apart", age, wait);
		lint_source(item, CONF("PriorityMaxAge"));
		lint_suggest(item, "max_age = %.0fs", 60 * ceil(waits[n / 2] / 30));
	}
	mem_free(waits);
}

static void check_sum(struct lint *l, const struct policy *p)
{
	double sum = weight_sum(p);
	struct lint_item *item;

	if (sum <= UINT32_MAX)
		return;
	item = lint_add(l, LINT_ERROR, "S4", NULL, 0);
	lint_object(item, "PriorityWeight*");
	lint_message(item, "the weights add up to %.0f, more than 4294967295: the largest "
		     "priorities are cut off and equal", sum);
	lint_source(item, "%s: priorities are 32-bit", DOC_PRIORITY);
	lint_suggest(item, "divide all weights by %.0f", ceil(sum / UINT32_MAX));
}

/* The longest time a job may run or runs; 0 unknown. */
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

static void check_half_life(struct lint *l, const struct policy *p, const struct cluster *c)
{
	int64_t longest = longest_job(c);
	struct lint_item *item;
	char half[40], other[40];

	timestr_format(p->half_life, half, sizeof(half));
	if (p->half_life == 0 && (word_equal(p->reset_period, "NONE") || !p->reset_period[0])) {
		item = lint_add(l, LINT_ERROR, "S6", NULL, 0);
		lint_object(item, "PriorityDecayHalfLife");
		lint_message(item, "0 without PriorityUsageResetPeriod: usage counts for ever");
		lint_source(item, CONF("PriorityDecayHalfLife"));
		lint_suggest(item, "half_life = 7-0");
		return;
	}
	if (p->half_life > 0 && longest > p->half_life) {
		timestr_format(longest, other, sizeof(other));
		item = lint_add(l, LINT_WARNING, "S5", NULL, 0);
		lint_object(item, "PriorityDecayHalfLife");
		lint_message(item, "%s, but jobs may run for %s: when such a job ends, most of "
			     "what it used is forgotten", half, other);
		lint_source(item, CONF("PriorityDecayHalfLife"));
		lint_suggest(item, "half_life = %s", other);
	}
	if (p->half_life > 0 && p->calc_period > 0 && p->half_life < 10 * p->calc_period) {
		timestr_format(p->calc_period, other, sizeof(other));
		item = lint_add(l, LINT_WARNING, "S5", NULL, 0);
		lint_object(item, "PriorityCalcPeriod");
		lint_message(item, "%s for a half-life of %s: usage falls by steps of %.0f percent",
			     other, half,
			     100 * (1 - exp2(-(double)p->calc_period / (double)p->half_life)));
		lint_source(item, CONF("PriorityCalcPeriod"));
		lint_suggest(item, "calc_period = %.0fs", fmax(60, (double)(p->half_life / 100)));
	}
}

static void check_flag_pair(struct lint *l, const struct policy *p, uint32_t winner,
			    uint32_t loser, const char *names, const char *message)
{
	struct lint_item *item;

	if (!(p->flags & winner) || !(p->flags & loser))
		return;
	item = lint_add(l, LINT_WARNING, "S9", NULL, 0);
	lint_object(item, "PriorityFlags");
	lint_message(item, "%s: %s", names, message);
	lint_source(item, CONF("PriorityFlags"));
}

static void check_flags(struct lint *l, const struct policy *p)
{
	struct lint_item *item;

	if (p->unknown_flags[0]) {
		item = lint_add(l, LINT_ERROR, "S7", NULL, 0);
		lint_object(item, "PriorityFlags");
		lint_message(item, "\"%s\": no version knows this", p->unknown_flags);
		lint_source(item, CONF("PriorityFlags"));
	}
	check_flag_pair(l, p, PF_DEPTH_OBLIVIOUS, PF_NO_FAIR_TREE, "DEPTH_OBLIVIOUS,NO_FAIR_TREE",
			"the first decides, the second adds nothing");
	check_flag_pair(l, p, PF_MAX_TRES_GRES, PF_MAX_TRES, "MAX_TRES,MAX_TRES_GRES",
			"MAX_TRES_GRES wins");
	check_flag_pair(l, p, PF_NO_NORMAL_ALL,
			PF_NO_NORMAL_ASSOC | PF_NO_NORMAL_PART | PF_NO_NORMAL_QOS |
				PF_NO_NORMAL_TRES,
			"NO_NORMAL_ALL", "includes the other NO_NORMAL words");
	check_flag_pair(l, p, PF_INCR_ONLY, PF_CALCULATE_RUNNING, "INCR_ONLY,CALCULATE_RUNNING",
			"priorities of running jobs can only rise");
}

static void check_damping(struct lint *l, const struct policy *p, enum fs_algorithm algorithm)
{
	struct lint_item *item;
	bool tree = algorithm == FS_FAIR_TREE || algorithm == FS_FAIR_TREE_DOCUMENTED;

	if (p->damping == 1 || (!tree && p->damping < 10))
		return;
	item = lint_add(l, LINT_WARNING, "S14", NULL, 0);
	lint_object(item, "FairShareDampeningFactor");
	lint_source(item, CONF("FairShareDampeningFactor"));
	lint_suggest(item, "damping = 1");
	if (tree)
		lint_message(item, "%u has no effect in Fair Tree", (unsigned)p->damping);
	else
		lint_message(item, "%u: whoever used ten times his share still has F = %.3f",
			     (unsigned)p->damping, exp2(-10.0 / p->damping));
}

static void check_plugin(struct lint *l, const struct policy *p)
{
	struct lint_item *item;

	if (!policy_is_multifactor(p)) {
		item = lint_add(l, LINT_WARNING, "S10", NULL, 0);
		lint_object(item, "PriorityType");
		lint_message(item, "\"%s\": first in, first out; weights and shares count nothing",
			     p->type);
		lint_source(item, CONF("PriorityType"));
		lint_suggest(item, "PriorityType = priority/multifactor");
	}
	if (!policy_has_accounting(p)) {
		item = lint_add(l, LINT_ERROR, "S10", NULL, 0);
		lint_object(item, "AccountingStorageType");
		lint_message(item, "no accounting database: there are no associations, so age and "
			     "fair share count nothing");
		lint_source(item, "%s", DOC_PRIORITY);
		lint_suggest(item, "AccountingStorageType = accounting_storage/slurmdbd");
	}
}

void lint_slurm(const struct model *model, const struct jobs *jobs, struct lint *l)
{
	const struct policy *p = cluster_policy(model->cluster);

	check_plugin(l, p);
	check_flags(l, p);
	if (policy_is_multifactor(p)) {
		check_small(l, p);
		check_matters(l, p, jobs);
		check_age(l, p, jobs);
		check_sum(l, p);
		check_half_life(l, p, model->cluster);
		check_damping(l, p, model->algo->id);
	}
	lint_slurm_tree(model, l);
	lint_sort(l);
}
