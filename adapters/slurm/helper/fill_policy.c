/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The configuration slurmctld runs with, under the names of slurm.conf. */
#include <stdio.h>
#include <string.h>

#include "adapters/slurm/helper/fill.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* By name: a name that the table of parameters does not have is a bug here. */
static void fill_policy_set_number(struct policy *p, const char *name, uint64_t value)
{
	size_t i = policy_param(name);

	if (i < policy_params_count)
		policy_set_number(p, i, value);
}

/* Texts that are too long are cut: the rest keeps the beginning of the value. */
static void fill_policy_set_text(struct policy *p, const char *name, const char *text)
{
	size_t i = policy_param(name);
	char cut[POLICY_TEXT_MAX];

	if (i == policy_params_count)
		return;
	snprintf(cut, sizeof(cut), "%.*s", (int)policy_params[i].size - 1, text ? text : "");
	policy_set_text(p, i, cut, NULL);
}

static const struct bit_name enforce_names[] = {
	{ 0x0001, "associations" }, { 0x0002, "limits" }, { 0x0004, "wckeys" }, { 0x0008, "qos" },
	{ 0x0010, "safe" }, { 0x0020, "nojobs" }, { 0x0040, "nosteps" }, { 0x0080, "tres" },
};

static const struct bit_name private_names[] = {
	{ PRIVATE_DATA_JOBS, "jobs" }, { PRIVATE_DATA_NODES, "nodes" },
	{ PRIVATE_DATA_PARTITIONS, "partitions" }, { PRIVATE_DATA_USAGE, "usage" },
	{ PRIVATE_DATA_USERS, "users" }, { PRIVATE_DATA_ACCOUNTS, "accounts" },
	{ PRIVATE_DATA_RESERVATIONS, "reservations" }, { 0x0080, "cloud" },
	{ PRIVATE_DATA_EVENTS, "events" },
};

static const struct {
	uint64_t bit;
	uint32_t flag;
} flag_bits[] = {
	{ PRIORITY_FLAGS_ACCRUE_ALWAYS, PF_ACCRUE_ALWAYS },
	{ PRIORITY_FLAGS_MAX_TRES, PF_MAX_TRES },
	{ PRIORITY_FLAGS_SIZE_RELATIVE, PF_SMALL_RELATIVE_TO_TIME },
	{ PRIORITY_FLAGS_DEPTH_OBLIVIOUS, PF_DEPTH_OBLIVIOUS },
	{ PRIORITY_FLAGS_CALCULATE_RUNNING, PF_CALCULATE_RUNNING },
	{ PRIORITY_FLAGS_INCR_ONLY, PF_INCR_ONLY },
	{ PRIORITY_FLAGS_NO_NORMAL_ASSOC, PF_NO_NORMAL_ASSOC },
	{ PRIORITY_FLAGS_NO_NORMAL_PART, PF_NO_NORMAL_PART },
	{ PRIORITY_FLAGS_NO_NORMAL_QOS, PF_NO_NORMAL_QOS },
	{ PRIORITY_FLAGS_NO_NORMAL_TRES, PF_NO_NORMAL_TRES },
#ifdef PRIORITY_FLAGS_MAX_TRES_GRES
	{ PRIORITY_FLAGS_MAX_TRES_GRES, PF_MAX_TRES_GRES },
#endif
};

/* Internally Slurm has a bit for Fair Tree; externally it has a word for its absence. */
static uint32_t flags_of(uint64_t bits)
{
	uint32_t flags = bits & PRIORITY_FLAGS_FAIR_TREE ? 0 : PF_NO_FAIR_TREE;

	for (size_t i = 0; i < COUNT(flag_bits); i++) {
		if (bits & flag_bits[i].bit)
			flags |= flag_bits[i].flag;
	}
	return flags;
}

static void fill_priority(struct policy *p, const slurm_conf_t *c)
{
	static const char *const resets[] = { "NONE", "NOW", "DAILY", "WEEKLY", "MONTHLY",
					      "QUARTERLY", "YEARLY" };

	fill_policy_set_text(p, "PriorityType", c->priority_type);
	fill_policy_set_number(p, "PriorityFlags", flags_of(c->priority_flags));
	fill_policy_set_number(p, "PriorityDecayHalfLife", c->priority_decay_hl);
	fill_policy_set_number(p, "PriorityCalcPeriod", c->priority_calc_period);
	fill_policy_set_number(p, "PriorityMaxAge", c->priority_max_age);
	if (c->priority_reset_period < COUNT(resets))
		fill_policy_set_text(p, "PriorityUsageResetPeriod",
				     resets[c->priority_reset_period]);
	fill_policy_set_number(p, "PriorityFavorSmall", c->priority_favor_small);
	fill_policy_set_number(p, "FairShareDampeningFactor", c->fs_dampening_factor);
	fill_policy_set_number(p, "PriorityWeightAge", c->priority_weight_age);
	fill_policy_set_number(p, "PriorityWeightAssoc", c->priority_weight_assoc);
	fill_policy_set_number(p, "PriorityWeightFairshare", c->priority_weight_fs);
	fill_policy_set_number(p, "PriorityWeightJobSize", c->priority_weight_js);
	fill_policy_set_number(p, "PriorityWeightPartition", c->priority_weight_part);
	fill_policy_set_number(p, "PriorityWeightQOS", c->priority_weight_qos);
	fill_policy_set_text(p, "PriorityWeightTRES", c->priority_weight_tres);
	fill_policy_set_text(p, "PrioritySiteFactorPlugin", c->site_factor_plugin);
	fill_policy_set_text(p, "PrioritySiteFactorParameters", c->site_factor_params);
	fill_policy_set_text(p, "PriorityParameters", c->priority_params);
}

/* What decides on which nodes a job starts, and when it ends. */
static void fill_select(struct policy *p, const slurm_conf_t *c)
{
	/* Its names differ between releases, the bits do not. */
	const char *unit = c->select_type_param & 0x0001 ? "CR_CPU" :
			   c->select_type_param & 0x0002 ? "CR_SOCKET" :
			   c->select_type_param & 0x0004 ? "CR_CORE" : NULL;
	char words[32];

	fill_policy_set_text(p, "SelectType", c->select_type);
	if (unit) {
		snprintf(words, sizeof(words), "%s%s", unit,
			 c->select_type_param & 0x0010 ? "_MEMORY" : "");
		fill_policy_set_text(p, "SelectTypeParameters", words);
	}
	fill_policy_set_number(p, "KillWait", c->kill_wait);
	fill_policy_set_number(p, "CompleteWait", c->complete_wait);
	fill_policy_set_number(p, "OverTimeLimit", c->over_time_limit == INFINITE16 ? U32_INFINITE :
			       c->over_time_limit);
}

void fill_policy(struct fill *f)
{
	static const char *const part_limits[] = { "NO", "ALL", "ANY" };
	struct policy *p = builder_policy(f->b);
	const slurm_conf_t *c = f->l->conf;
	char words[256];

	fill_priority(p, c);
	fill_policy_set_text(p, "AccountingStorageType", c->accounting_storage_type
						     ? c->accounting_storage_type
						     : "accounting_storage/none");
	bits_text(words, sizeof(words), c->accounting_storage_enforce, enforce_names,
		  COUNT(enforce_names));
	fill_policy_set_text(p, "AccountingStorageEnforce", words);
	fill_policy_set_text(p, "AccountingStorageTRES", c->accounting_storage_tres);
	fill_policy_set_text(p, "PreemptType", c->preempt_type ? c->preempt_type : "preempt/none");
	fill_policy_set_text(p, "PreemptMode",
			     preempt_mode_text(c->preempt_mode, words, sizeof(words)));
	if (c->enforce_part_limits < COUNT(part_limits))
		fill_policy_set_text(p, "EnforcePartLimits", part_limits[c->enforce_part_limits]);
	bits_text(words, sizeof(words), c->private_data, private_names, COUNT(private_names));
	fill_policy_set_text(p, "PrivateData", words);
	fill_policy_set_text(p, "SchedulerType", c->schedtype);
	fill_policy_set_text(p, "SchedulerParameters", c->sched_params);
	fill_select(p, c);
	fill_policy_set_number(p, "MessageTimeout", c->msg_timeout);
	fill_policy_set_number(p, "MinJobAge", c->min_job_age);
}
