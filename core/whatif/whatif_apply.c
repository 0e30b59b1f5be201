/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/whatif/whatif_apply.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/classes/class_rules.h"
#include "core/cluster/assoc_index.h"
#include "core/cluster/tres.h"
#include "core/queue/job_index.h"
#include "core/queue/jobs.h"
#include "core/queue/pbs_formula.h"
#include "core/queue/pbs_words.h"
#include "core/share/fairshare.h"
#include "core/share/decay_policy.h"
#include "core/share/model.h"
#include "core/whatif/whatif_private.h"

/* ---- policy -------------------------------------------------------------------------------- */

/* The active entry that sets a weight; NULL without one. */
static struct whatif_entry *weight_entry(struct whatif *w, size_t param)
{
	for (uint32_t i = w->cursor; i-- > 0;) {
		struct whatif_entry *e = &w->entries[i];

		if (whatif_in_force(w, i) && e->edit.target->id == EDIT_WEIGHT &&
		    e->edit.param == param)
			return e;
	}
	return NULL;
}

/*
 * Percentages are of the sum of the six weights, which stays the same (10000 if it was 0). What
 * they and edited points leave is distributed over the other weights in their old proportion.
 */
static void percent_weights(struct whatif *w, const struct policy *base, struct policy *out)
{
	double sum = 0, percent = 0, points = 0, others = 0, scale;
	size_t param[PRIO_FACTORS];
	struct whatif_entry *entries[PRIO_FACTORS], *last = NULL;

	for (unsigned i = 0; i < PRIO_FACTORS; i++) {
		const char *name = factor_info[i].param;
		double was = base->weight[i];

		param[i] = policy_param(name);
		entries[i] = weight_entry(w, param[i]);
		sum += was;
		if (!entries[i])
			others += was;
		else if (entries[i]->edit.percent)
			percent += entries[i]->edit.number;
		else
			points += entries[i]->edit.number;
		if (entries[i] && entries[i]->edit.percent)
			last = entries[i];
	}
	if (!last)
		return;
	if (percent > 100 + 1e-9) {
		whatif_problem(last, "the percentages of the weights add up to %.10g", percent);
		return;
	}
	sum = sum > 0 ? sum : 10000;
	scale = others > 0 ? fmax(0, sum * (100 - percent) / 100 - points) / others : 0;
	for (unsigned i = 0; i < PRIO_FACTORS; i++) {
		double value = base->weight[i] * scale;

		if (entries[i] && !entries[i]->edit.percent)
			continue;
		if (entries[i])
			value = sum * entries[i]->edit.number / 100;
		policy_set_number(out, param[i], (uint64_t)llround(fmin(value, U32_UNKNOWN - 1)));
	}
}

static void whatif_set_algorithm(const struct edit *e, struct policy *out)
{
	uint32_t flags = out->flags & ~(uint32_t)(PF_DEPTH_OBLIVIOUS | PF_NO_FAIR_TREE);

	if (word_equal(e->value, "depth-oblivious"))
		flags |= PF_DEPTH_OBLIVIOUS;
	else if (word_equal(e->value, "classic"))
		flags |= PF_NO_FAIR_TREE;
	policy_set_number(out, e->param, flags);
}

/* A policy that no scheduler has is set by its own name. */
static void set_schedule(const struct edit *e, struct policy *out)
{
	const char *type = strcmp(e->value, "slurm") == 0 ? "sched/backfill" :
			   strcmp(e->value, "slurm-builtin") == 0 ? "sched/builtin" : e->value;

	policy_set_text(out, e->param, type, NULL);
}

/* Replaces the same word among the others. */
static void set_sched(struct whatif_entry *e, struct policy *out)
{
	const char *word = strchr(e->edit.target->name, '.') + 1;
	const char *at = out->scheduler_parameters;
	char text[POLICY_TEXT_MAX];
	int used = snprintf(text, sizeof(text), "%s=%.0f", word, e->edit.number);
	struct err err;

	for (size_t length; *at && used < (int)sizeof(text); at += length + (at[length] == ',')) {
		length = strcspn(at, ",");
		if (length > 0 && !word_value(at, word, strlen(word)))
			used += snprintf(text + used, sizeof(text) - (size_t)used, ",%.*s",
					 (int)length, at);
	}
	if (used >= (int)sizeof(text))
		whatif_problem(e, "SchedulerParameters would be too long");
	else if (!policy_set_text(out, e->edit.param, text, &err))
		whatif_problem(e, "%.150s", err.message);
}

/* Refuses usage that counts for ever, unless an edit sets a reset period: slurmctld refuses it. */
static void refuse_for_ever(struct whatif *w, const struct policy *base, struct policy *out)
{
	struct whatif_entry *half_life = NULL;

	for (uint32_t i = 0; i < w->count; i++) {
		struct whatif_entry *e = &w->entries[i];
		size_t param = e->edit.target->id == EDIT_PARAM ? e->edit.param :
			       policy_params_count;

		if (!whatif_in_force(w, i) || param == policy_params_count)
			continue;
		if (strcmp(policy_params[param].name, "PriorityUsageResetPeriod") == 0)
			return;
		if (param == policy_param("PriorityDecayHalfLife"))
			half_life = e;
	}
	if (!half_life || !policy_counts_for_ever(out) || policy_counts_for_ever(base))
		return;
	whatif_problem(half_life, "slurmctld refuses 0 without PriorityUsageResetPeriod: usage "
		       "would count forever (also set reset_period)");
	out->half_life = base->half_life;
}

void whatif_policy(struct whatif *w, const struct policy *base, struct policy *out)
{
	struct err err;

	*out = *base;
	for (uint32_t i = 0; i < w->count; i++) {
		struct whatif_entry *e = &w->entries[i];

		if (!whatif_in_force(w, i) || e->problem[0])
			continue;
		if (e->edit.target->id == EDIT_PARAM && !edit_set_param(&e->edit, out, &err))
			whatif_problem(e, "%.150s", err.message);
		else if (e->edit.target->id == EDIT_WEIGHT && !e->edit.percent)
			policy_set_number(out, e->edit.param, (uint64_t)e->edit.number);
		else if (e->edit.target->id == EDIT_ALGORITHM)
			whatif_set_algorithm(&e->edit, out);
		else if (e->edit.target->id == EDIT_SCHEDULE)
			set_schedule(&e->edit, out);
		else if (e->edit.target->id == EDIT_SCHED)
			set_sched(e, out);
	}
	percent_weights(w, base, out);
	refuse_for_ever(w, base, out);
	out->equiv_class_tried = base->equiv_class_tried || !class_rules_documented(base);
}

/* slurmctld knows TRES with a name only if they are in AccountingStorageTRES. */
static bool is_tracked(void *context, const struct tres_pair *pair, struct err *err)
{
	const char *at = context;
	size_t length;

	if (!strchr(pair->name, '/') || strcmp(pair->name, "fs/disk") == 0)
		return true;
	for (; *at; at += length + (at[length] == ',')) {
		length = strcspn(at, ",");
		if (word_equal_n(at, length, pair->name))
			return true;
	}
	return err_set(err, ERR_INPUT, "AccountingStorageTRES has no \"%.60s\"", pair->name);
}

static void refuse_untracked(struct whatif_entry *e, const struct policy *p)
{
	static const char list[] = "AccountingStorageTRES";
	const char *param = e->edit.target->param ? e->edit.target->param : "";
	char tres[POLICY_TEXT_MAX];
	struct err err;

	memcpy(tres, p->storage_tres, sizeof(tres));
	if ((e->edit.target->id == EDIT_BILLING_WEIGHTS ||
	     strcmp(param, "PriorityWeightTRES") == 0) &&
	    policy_knows(p, list) &&
	    !tres_parse_weights(e->edit.value, is_tracked, tres, &err))
		whatif_problem(e, "%.150s", err.message);
}

/* Like qmgr, which knows all resources. */
static void refuse_word(struct whatif_entry *e, const struct cluster *base)
{
	struct err err;
	struct pbs_formula *f = e->edit.value[0] ? pbs_formula_parse(e->edit.value, &err) : NULL;
	const char *why = NULL;

	if (!f && e->edit.value[0])
		whatif_problem(e, "%.150s", err.message);
	for (size_t i = 0; f && !why && i < pbs_formula_names(f); i++) {
		const char *name = pbs_formula_name(f, i);

		why = pbs_word_refused(base, name);
		if (why)
			whatif_problem(e, "formula contains %s: %.60s", why, name);
	}
	pbs_formula_free(f);
}

/* Targets of PBS that are not supported here; NULL. */
static const char *not_tried_of_pbs(const struct edit_target *t)
{
	static const struct {
		enum field field;
		const char *why;
	} settings[] = {
		{ F_JOB_TIME_LIMIT, "walltime (qalter -l walltime=) cannot be tried" },
		{ F_JOB_CPUS, "select (qalter -l select=) cannot be tried" },
		{ F_JOB_MIN_NODES, "select (qalter -l select=) cannot be tried" },
		{ F_JOB_PARTITION, "its queue (qmove) cannot be tried" },
		{ F_PRIO_DIRECT, "the priority of a job is job:ID.job_priority" },
		{ F_QUEUE_JOB_LIMIT, "max_run, max_run_res and max_queued cannot be tried" },
	};
	size_t i = 0, n = sizeof(settings) / sizeof(settings[0]);

	while (i < n && settings[i].field != t->field)
		i++;
	return i < n ? settings[i].why : t->id == EDIT_NEW_JOB ? "new jobs of PBS cannot be tried" :
								 NULL;
}

/* Refuses what the scheduler of BASE does not have, or what would have no effect. */
static void refuse_foreign(struct whatif_entry *e, const struct cluster *base)
{
	enum policy_scheduler own = policy_scheduler_of(cluster_meta(base)->kind);
	size_t param = e->edit.param;
	const char *why = own == POLICY_OF_PBS ? not_tried_of_pbs(e->edit.target) : NULL;

	if (why)
		whatif_problem(e, "%s", why);
	else if (!edit_target_of(e->edit.target, param, own))
		whatif_problem(e, "%s has no such setting%s%s", policy_scheduler_names[own],
			       param < policy_params_count ? ", it belongs to " : "",
			       param < policy_params_count ?
			       policy_scheduler_names[policy_params[param].scheduler] : "");
	else if (own == POLICY_OF_PBS && e->edit.parent)
		whatif_problem(e, "PBS shares must be numbers");
	else if (param < policy_params_count && policy_params[param].untried)
		whatif_problem(e, "%s cannot be tried: %s", policy_params[param].name,
			       policy_params[param].untried);
	else if (param < policy_params_count &&
		 strcmp(policy_params[param].name, "job_sort_formula") == 0)
		refuse_word(e, base);
	else
		refuse_untracked(e, cluster_policy(base));
}

/* ---- time ---------------------------------------------------------------------------------- */

/* How long a running job is still charged: until its time limit. */
static int64_t whatif_remaining(const struct cluster *c, uint32_t job, int64_t seconds)
{
	int64_t end = cluster_i64(c, F_JOB_END, job), start = cluster_i64(c, F_JOB_START, job);
	int64_t limit = cluster_i64(c, F_JOB_TIME_LIMIT, job), now = cluster_meta(c)->time;

	if (end == I64_UNKNOWN && start != I64_UNKNOWN && limit != I64_UNKNOWN &&
	    limit != I64_INFINITE)
		end = start + limit;
	if (end == I64_UNKNOWN || end == I64_INFINITE || now == I64_UNKNOWN || end - now > seconds)
		return seconds;
	return end > now ? end - now : 0;
}

/* FROM: earlier charges were reset; 0 without a reset. */
static void whatif_charge(struct overlay *o, double *own, int64_t from, int64_t seconds)
{
	const struct cluster *c = overlay_cluster(o);
	double left = decay_after(c, seconds - from).left;
	struct assoc_index index = assoc_index_new(c);

	for (uint32_t job = 0; job < cluster_rows(c, TABLE_JOB); job++) {
		uint32_t row = assoc_of_job(&index, job);
		int64_t runs = whatif_remaining(c, job, seconds) - from;
		struct burn b;
		double rate;

		if (row == ROW_NONE || job_kind_of(c, job) != JOB_RUNNING)
			continue;
		rate = job_burn(c, job);
		b = decay_after(c, runs);
		/* The charge decays for the rest of the time. */
		if (f64_known(rate) && left > 0)
			own[row] += rate * b.gained * (left / b.left);
	}
	assoc_index_free(&index);
}

/* Ends jobs whose time is over, so that they are not charged. */
static void whatif_end_jobs(struct overlay *o, int64_t seconds)
{
	uint32_t ended = TEXT_NONE;

	for (uint32_t job = 0; job < cluster_rows(overlay_cluster(o), TABLE_JOB); job++) {
		if (job_kind_of(overlay_cluster(o), job) != JOB_RUNNING ||
		    whatif_remaining(overlay_cluster(o), job, seconds) >= seconds)
			continue;
		if (ended == TEXT_NONE)
			ended = overlay_text(o, "COMPLETED");
		overlay_u32(o, F_JOB_STATE)[job] = ended;
	}
}

static void advance_usage(struct overlay *o, const struct calendar *calendar, int64_t seconds)
{
	const struct cluster *c = overlay_cluster(o);
	uint32_t n = cluster_rows(c, TABLE_ASSOC);
	const uint32_t *parent = cluster_parent(c);
	int64_t reset = decay_reset(c, calendar, jobs_now(c), seconds);
	double left = reset == I64_UNKNOWN ? decay_after(c, seconds).left : 0,
	       least = decay_least(c);
	double *usage, *own;

	if (n == 0 || !cluster_col(c, F_ASSOC_USAGE))
		return;
	usage = overlay_f64(o, F_ASSOC_USAGE);
	own = mem_zalloc(n, sizeof(*own));
	whatif_charge(o, own, reset == I64_UNKNOWN ? 0 : reset, seconds);
	for (uint32_t i = n; i-- > 0;) {
		if (i > 0)
			own[parent[i]] += own[i];
		usage[i] = fmax(least, usage[i] * left + own[i]);
	}
	mem_free(own);
}

static void whatif_advance(struct overlay *o, const struct calendar *calendar, int64_t seconds)
{
	struct cluster_meta *meta = overlay_meta(o);

	advance_usage(o, calendar, seconds);
	whatif_end_jobs(o, seconds);
	if (meta->time != I64_UNKNOWN)
		meta->time += seconds;
	if (meta->last_decay != I64_UNKNOWN)
		meta->last_decay += seconds;
}

/* ---- all of it ----------------------------------------------------------------------------- */

bool whatif_needs_usage(const struct whatif *w, const struct cluster *base)
{
	struct policy *p;
	bool other;

	for (uint32_t i = 0; i < w->count; i++) {
		enum edit_id id = w->entries[i].edit.target->id;

		if (whatif_in_force(w, i) &&
		    (id == EDIT_SHARES || id == EDIT_USAGE || id == EDIT_PARENT || id == EDIT_ADD ||
		     id == EDIT_REMOVE || id == EDIT_ADVANCE))
			return true;
	}
	p = mem_alloc(1, sizeof(*p));
	/* The list is only read: problems are set by whatif_apply(). */
	whatif_policy((struct whatif *)(uintptr_t)w, cluster_policy(base), p);
	other = fs_algorithm_of(p->flags) != fs_algorithm_of(cluster_policy(base)->flags) ||
		p->unknown_shares != cluster_policy(base)->unknown_shares;
	mem_free(p);
	return other;
}

/* An excerpt is recognised by reported values: without them the result has to be marked as one. */
static bool is_excerpt(const struct cluster *base, const struct fs_tree *tree)
{
	struct fs_tree *own = tree ? NULL : fs_tree_new(base, FS_ORDER_LIST);
	bool excerpt = (tree ? tree : own)->excerpt;

	fs_tree_free(own);
	return excerpt;
}

static void drop_reported(struct overlay *o)
{
	static const enum field fields[] = {
		F_ASSOC_R_NORM_SHARES, F_ASSOC_R_NORM_USAGE, F_ASSOC_R_EFFECTIVE_USAGE,
		F_ASSOC_R_LEVEL_FS, F_ASSOC_R_FAIRSHARE, F_ASSOC_R_LEVEL_SHARES, F_ASSOC_R_USAGE,
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		overlay_drop(o, fields[i]);
}

/* With other factors LSF's reported dynamic priorities are no longer valid. */
static bool other_factors(const struct policy *was, const struct policy *is)
{
	return strcmp(was->cpu_time_factor, is->cpu_time_factor) != 0 ||
	       strcmp(was->run_time_factor, is->run_time_factor) != 0 ||
	       strcmp(was->run_job_factor, is->run_job_factor) != 0 ||
	       strcmp(was->adjustment_factor, is->adjustment_factor) != 0 ||
	       strcmp(was->committed_factor, is->committed_factor) != 0 ||
	       strcmp(was->gpu_factor, is->gpu_factor) != 0 ||
	       strcmp(was->forward_factor, is->forward_factor) != 0;
}

static struct whatif_entry *advance_of(struct whatif *w)
{
	struct whatif_entry *e = NULL;

	for (uint32_t i = 0; i < w->count; i++) {
		if (whatif_in_force(w, i) && w->entries[i].edit.target->id == EDIT_ADVANCE)
			e = &w->entries[i];
	}
	return e;
}

static void apply_advance(struct whatif *w, const struct cluster *base, struct overlay *o)
{
	const struct policy *p = overlay_policy(o);
	struct whatif_entry *e = advance_of(w);

	if (e && policy_scheduler_of(cluster_meta(base)->kind) == POLICY_OF_LSF)
		whatif_problem(e, "only forecast computes the decay of LSF's usage");
	else if (e && !w->calendar && !word_equal(p->reset_period, "NONE"))
		whatif_problem(e, "the time of usage resets is unknown here");
	else if (e && e->edit.number > 0)
		whatif_advance(o, w->calendar, (int64_t)e->edit.number);
}

struct cluster *whatif_apply(struct whatif *w, const struct cluster *base)
{
	return whatif_apply_tree(w, base, NULL);
}

struct cluster *whatif_apply_tree(struct whatif *w, const struct cluster *base,
				  const struct fs_tree *tree)
{
	struct cluster *structure;
	struct overlay *o;

	for (uint32_t i = 0; i < w->count; i++) {
		w->entries[i].problem[0] = '\0';
		refuse_foreign(&w->entries[i], base);
	}
	structure = whatif_structure(w, base);
	o = structure ? overlay_new(structure, true) : overlay_over(base);
	if (whatif_active(w) == 0)
		return overlay_seal(o);
	whatif_policy(w, cluster_policy(base), overlay_policy(o));
	whatif_values(w, base, o);
	apply_advance(w, base, o);
	if (other_factors(cluster_policy(base), overlay_policy(o)))
		overlay_drop(o, F_ASSOC_R_DYNAMIC_PRIORITY);
	if (whatif_needs_usage(w, base)) {
		if (is_excerpt(base, tree))
			overlay_partial(o);
		drop_reported(o);
	} else if (fs_algorithm_of_cluster(base) != FS_FAIR_TREE &&
		   overlay_policy(o)->damping != cluster_policy(base)->damping) {
		overlay_drop(o, F_ASSOC_R_FAIRSHARE);
	}
	return overlay_seal(o);
}
