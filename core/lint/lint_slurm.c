/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of the policy but for its weights. */
#include "core/lint/lint_slurm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/lint/lint_slurm_private.h"
#include "core/base/mem.h"
#include "core/base/timestr.h"
#include "core/base/word.h"

int lint_compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return a < b ? -1 : a > b;
}

/* True if it is told. */
static bool check_age(struct lint *l, const struct policy *p, const struct jobs *j)
{
	bool typical = false;
	double *waits;
	uint32_t n = 0;
	int64_t now = jobs_now(j->model->cluster);
	char wait[40], age[40];
	struct lint_item *item;

	if (p->weight_age == 0 || now == I64_UNKNOWN || j->order->count < 10)
		return false;
	waits = mem_alloc(j->index->n, sizeof(*waits));
	for (uint32_t e = 0; e < j->index->n; e++) {
		/* From when on the age factor counts. */
		int64_t since = cluster_i64(j->model->cluster, p->flags & PF_ACCRUE_ALWAYS
							       ? F_JOB_SUBMIT : F_JOB_ACCRUE,
					    j->index->job[e]);

		if (j->order->rank[e] != U32_UNKNOWN && since > 0 && since <= now)
			waits[n++] = (double)(now - since);
	}
	qsort(waits, n, sizeof(*waits), lint_compare_doubles);
	typical = n >= 10 && waits[n / 2] > (double)p->max_age;
	if (typical) {
		timestr_format((int64_t)waits[n / 2], wait, sizeof(wait));
		timestr_format(p->max_age, age, sizeof(age));
		item = lint_add(l, LINT_WARNING, "S3", NULL, 0);
		lint_object(item, "PriorityMaxAge");
		lint_message(item, "%s, but half of the jobs have waited %s or longer: their age "
			     "is 1 and no longer tells them apart", age, wait);
		lint_source(item, LINT_CONF "PriorityMaxAge");
		lint_suggest(item, "max_age = %.0fs", 60 * ceil(waits[n / 2] / 30));
	}
	mem_free(waits);
	return typical;
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

/* Which part of what was used evenly over HALF_LIVES has decayed at their end. */
static double forgotten(double half_lives)
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
	if (p->half_life == 0 && (word_equal(p->reset_period, "NONE") || !p->reset_period[0])) {
		item = lint_add(l, LINT_ERROR, "S6", NULL, 0);
		lint_object(item, "PriorityDecayHalfLife");
		lint_message(item, "0 without PriorityUsageResetPeriod: usage counts for ever");
		lint_source(item, LINT_CONF "PriorityDecayHalfLife");
		lint_suggest(item, "half_life = 7-0");
		return;
	}
	if (p->half_life > 0 && longest > p->half_life) {
		timestr_format(longest, other, sizeof(other));
		item = lint_add(l, LINT_WARNING, "S5", NULL, 0);
		lint_object(item, "PriorityDecayHalfLife");
		lint_message(item, "%s, but jobs may run for %s: when such a job ends, %.0f "
			     "percent of what it used count no longer", half, other,
			     100 * forgotten((double)longest / (double)p->half_life));
		lint_source(item, LINT_CONF "PriorityDecayHalfLife");
		lint_suggest(item, "half_life = %s", other);
	}
	if (p->half_life > 0 && p->calc_period > 0 && p->half_life < 10 * p->calc_period) {
		timestr_format(p->calc_period, other, sizeof(other));
		item = lint_add(l, LINT_WARNING, "S5", NULL, 0);
		lint_object(item, "PriorityCalcPeriod");
		lint_message(item, "%s for a half-life of %s: usage falls by steps of %.0f percent",
			     other, half,
			     100 * (1 - exp2(-(double)p->calc_period / (double)p->half_life)));
		lint_source(item, LINT_CONF "PriorityCalcPeriod");
		/* Both are whole minutes. */
		if (p->half_life >= 10 * 60)
			lint_suggest(item, "calc_period = %.0fm",
				     fmax(1, floor((double)p->half_life / 6000)));
		else
			lint_suggest(item, "half_life = %.0fm",
				     ceil((double)p->calc_period / 6));
	}
}

/* ---- flags --------------------------------------------------------------------------------- */

/* The words of PriorityFlags but for those in LESS, as an edit. */
static void suggest_flags(struct lint_item *item, const struct policy *p, uint32_t less)
{
	lint_suggest(item, "flags = ");
	for (size_t i = 0, n = 0; i < policy_flags_count; i++) {
		if (p->flags & ~less & policy_flags[i].bit)
			lint_suggest_more(item, "%s%s", n++ > 0 ? "," : "", policy_flags[i].name);
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
	lint_source(item, LINT_CONF "PriorityFlags");
	suggest_flags(item, p, loser);
}

/*
 * slurmctld sets NO_FAIR_TREE with DEPTH_OBLIVIOUS, and the four with NO_NORMAL_ALL: only the text
 * tells whether somebody wrote both.
 */
static void check_flags(struct lint *l, const struct policy *p)
{
	struct lint_item *item;

	if (p->unknown_flags[0]) {
		item = lint_add(l, LINT_ERROR, "S7", NULL, 0);
		lint_object(item, "PriorityFlags");
		lint_message(item, "\"%s\": no version knows this", p->unknown_flags);
		lint_source(item, LINT_CONF "PriorityFlags");
		lint_mend_flags(item, p);
	}
	check_flag_pair(l, p, PF_MAX_TRES_GRES, PF_MAX_TRES, "MAX_TRES,MAX_TRES_GRES",
			"MAX_TRES_GRES wins, MAX_TRES adds nothing");
	check_flag_pair(l, p, PF_INCR_ONLY, PF_CALCULATE_RUNNING, "INCR_ONLY,CALCULATE_RUNNING",
			"priorities of running jobs can only rise, so that computing them again "
			"mostly changes nothing");
}

static void check_damping(struct lint *l, const struct policy *p, enum fs_algorithm algorithm)
{
	struct lint_item *item;
	bool tree = algorithm == FS_FAIR_TREE || algorithm == FS_FAIR_TREE_DOCUMENTED;

	if (p->damping == 1 || (!tree && p->damping < 10))
		return;
	item = lint_add(l, LINT_WARNING, "S14", NULL, 0);
	lint_object(item, "FairShareDampeningFactor");
	lint_source(item, LINT_CONF "FairShareDampeningFactor");
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
		lint_source(item, LINT_CONF "PriorityType");
		lint_suggest(item, "PriorityType = priority/multifactor");
	}
	if (!policy_has_accounting(p)) {
		item = lint_add(l, LINT_ERROR, "S10", NULL, 0);
		lint_object(item, "AccountingStorageType");
		lint_message(item, "no accounting database: there are no associations, so age and "
			     "fair share count nothing");
		lint_source(item, LINT_PRIORITY);
		lint_suggest(item, "AccountingStorageType = accounting_storage/slurmdbd");
	}
}

void lint_slurm(const struct model *model, const struct jobs *jobs, struct lint *l)
{
	const struct policy *p = cluster_policy(model->cluster);

	check_plugin(l, p);
	check_flags(l, p);
	if (policy_is_multifactor(p)) {
		bool saturates = jobs && check_age(l, p, jobs);

		lint_slurm_weights(p, model->cluster, jobs, saturates, l);
		check_half_life(l, p, model->cluster);
		check_damping(l, p, model->algo->id);
	}
	lint_slurm_tree(model, l);
	lint_sort(l);
}
