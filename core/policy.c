/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/policy.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/timestr.h"
#include "core/unknown.h"
#include "core/word.h"

const struct policy_flag_info policy_flags[] = {
	{ "ACCRUE_ALWAYS", PF_ACCRUE_ALWAYS,
	  "age grows from submission on, whatever holds the job back" },
	{ "CALCULATE_RUNNING", PF_CALCULATE_RUNNING,
	  "priorities of running and suspended jobs are recomputed, too" },
	{ "DEPTH_OBLIVIOUS", PF_DEPTH_OBLIVIOUS,
	  "fair share by the depth-oblivious formula; switches Fair Tree off" },
	{ "NO_FAIR_TREE", PF_NO_FAIR_TREE, "fair share by the classic formula instead of Fair Tree" },
	{ "INCR_ONLY", PF_INCR_ONLY, "a job's priority may rise but never fall" },
	{ "MAX_TRES", PF_MAX_TRES,
	  "billable is the largest weighted TRES of a node plus the sum of the global ones" },
	{ "MAX_TRES_GRES", PF_MAX_TRES_GRES,
	  "as MAX_TRES, but every GRES is added to the maximum (since 25.05)" },
	{ "NO_NORMAL_ALL", PF_NO_NORMAL_ALL, "none of the four factors below is normalised" },
	{ "NO_NORMAL_ASSOC", PF_NO_NORMAL_ASSOC, "association priority counts as written" },
	{ "NO_NORMAL_PART", PF_NO_NORMAL_PART, "partition PriorityJobFactor counts as written" },
	{ "NO_NORMAL_QOS", PF_NO_NORMAL_QOS, "QOS priority counts as written" },
	{ "NO_NORMAL_TRES", PF_NO_NORMAL_TRES, "TRES counts are not divided by the partition's" },
	{ "SMALL_RELATIVE_TO_TIME", PF_SMALL_RELATIVE_TO_TIME,
	  "job size is divided by the time limit" },
};
const size_t policy_flags_count = sizeof(policy_flags) / sizeof(policy_flags[0]);

#define MEMBER(m) offsetof(struct policy, m), sizeof(((struct policy *)NULL)->m)

const struct policy_param policy_params[] = {
	{ "PriorityType", POLICY_TEXT, MEMBER(type), "priority/multifactor", "",
	  "priority/multifactor weighs the factors; priority/basic is first in, first out" },
	{ "PriorityFlags", POLICY_FLAGS, MEMBER(flags), "", "",
	  "words that change how the factors are computed" },
	{ "PriorityDecayHalfLife", POLICY_SECONDS, MEMBER(half_life), "7-00:00:00", "s",
	  "after this time past usage counts half; 0 means it never decays" },
	{ "PriorityCalcPeriod", POLICY_SECONDS, MEMBER(calc_period), "00:05:00", "s",
	  "time between two passes that decay usage and recompute priorities" },
	{ "PriorityUsageResetPeriod", POLICY_TEXT, MEMBER(reset_period), "NONE", "",
	  "when all usage is set to zero" },
	{ "PriorityMaxAge", POLICY_SECONDS, MEMBER(max_age), "7-00:00:00", "s",
	  "waiting time at which the age factor reaches 1" },
	{ "PriorityFavorSmall", POLICY_BOOL, MEMBER(favor_small), "NO", "",
	  "the job size factor grows for smaller jobs" },
	{ "FairShareDampeningFactor", POLICY_U32, MEMBER(damping), "1", "",
	  "divides R in F = 2^(-R/d); no effect in Fair Tree" },
	{ "PriorityWeightAge", POLICY_U32, MEMBER(weight_age), "0", "points",
	  "weight of the age factor" },
	{ "PriorityWeightAssoc", POLICY_U32, MEMBER(weight_assoc), "0", "points",
	  "weight of the association factor" },
	{ "PriorityWeightFairshare", POLICY_U32, MEMBER(weight_fairshare), "0", "points",
	  "weight of the fair-share factor" },
	{ "PriorityWeightJobSize", POLICY_U32, MEMBER(weight_jobsize), "0", "points",
	  "weight of the job size factor" },
	{ "PriorityWeightPartition", POLICY_U32, MEMBER(weight_partition), "0", "points",
	  "weight of the partition factor" },
	{ "PriorityWeightQOS", POLICY_U32, MEMBER(weight_qos), "0", "points",
	  "weight of the QOS factor" },
	{ "PriorityWeightTRES", POLICY_TEXT, MEMBER(weight_tres), "", "points",
	  "weight of each TRES factor" },
	{ "PrioritySiteFactorPlugin", POLICY_TEXT, MEMBER(site_plugin), "", "",
	  "plugin that sets the site factor" },
	{ "PrioritySiteFactorParameters", POLICY_TEXT, MEMBER(site_parameters), "", "",
	  "parameters of the site factor plugin" },
	{ "PriorityParameters", POLICY_TEXT, MEMBER(parameters), "", "",
	  "parameters of the priority plugin" },
	{ "AccountingStorageType", POLICY_TEXT, MEMBER(storage_type), "", "",
	  "without accounting_storage/slurmdbd age and fair share count nothing" },
	{ "AccountingStorageEnforce", POLICY_TEXT, MEMBER(storage_enforce), "", "",
	  "what is enforced; with limits, accrue limits hold back age" },
	{ "AccountingStorageTRES", POLICY_TEXT, MEMBER(storage_tres), "", "",
	  "TRES that are counted beyond the built-in ones" },
	{ "PreemptType", POLICY_TEXT, MEMBER(preempt_type), "preempt/none", "",
	  "who may preempt whom" },
	{ "PreemptMode", POLICY_TEXT, MEMBER(preempt_mode), "OFF", "", "what happens to the preempted" },
	{ "EnforcePartLimits", POLICY_TEXT, MEMBER(enforce_part_limits), "NO", "",
	  "whether jobs beyond a partition's limits are refused at submission" },
	{ "PrivateData", POLICY_TEXT, MEMBER(private_data), "", "",
	  "what plain users may not see" },
	{ "SchedulerType", POLICY_TEXT, MEMBER(scheduler_type), "sched/backfill", "",
	  "scheduler plugin" },
	{ "SchedulerParameters", POLICY_TEXT, MEMBER(scheduler_parameters), "", "",
	  "parameters of the scheduler" },
	{ "MessageTimeout", POLICY_SECONDS, MEMBER(message_timeout), "10", "s",
	  "how long a call to slurmctld may take" },
	{ "MinJobAge", POLICY_SECONDS, MEMBER(min_job_age), "300", "s",
	  "how long ended jobs stay in memory" },
};
const size_t policy_params_count = sizeof(policy_params) / sizeof(policy_params[0]);

/* Plain numbers of slurm.conf that are seconds, while the others are Slurm time strings. */
static bool policy_plain_seconds(size_t i)
{
	return strcmp(policy_params[i].name, "MessageTimeout") == 0 ||
	       strcmp(policy_params[i].name, "MinJobAge") == 0;
}

static void *policy_member(struct policy *p, size_t i)
{
	return (char *)p + policy_params[i].offset;
}

static const void *policy_member_const(const struct policy *p, size_t i)
{
	return (const char *)p + policy_params[i].offset;
}

size_t policy_param_by_name(const char *name, size_t length)
{
	for (size_t i = 0; i < policy_params_count; i++) {
		if (word_equal_n(name, length, policy_params[i].name))
			return i;
	}
	return policy_params_count;
}

static void policy_note_unknown_flag(struct policy *p, const char *word, size_t length)
{
	size_t used = strlen(p->unknown_flags);

	if (used + length + 2 > sizeof(p->unknown_flags))
		return;
	if (used != 0)
		p->unknown_flags[used++] = ',';
	memcpy(p->unknown_flags + used, word, length);
	p->unknown_flags[used + length] = '\0';
}

/*
 * Slurm searches the whole text for each word, case ignored; so do we, by word, and keep what no
 * version knows. FAIR_TREE (the default of old versions) is known and means nothing.
 */
static void policy_set_flags(struct policy *p, const char *text)
{
	p->flags = 0;
	p->unknown_flags[0] = '\0';
	while (*text) {
		size_t length = strcspn(text, ", ");
		size_t i = 0;

		while (i < policy_flags_count && !word_equal_n(text, length, policy_flags[i].name))
			i++;
		if (i < policy_flags_count)
			p->flags |= policy_flags[i].bit;
		else if (length != 0 && !word_equal_n(text, length, "FAIR_TREE") &&
			 !word_equal_n(text, length, "(null)"))
			policy_note_unknown_flag(p, text, length);
		text += length;
		text += strspn(text, ", ");
	}
}

static bool policy_parse_u32(size_t i, const char *text, uint32_t *value, struct err *err)
{
	char *end;
	unsigned long long n = strtoull(text, &end, 10);

	if (end == text || *end != '\0' || text[0] == '-' || n > UINT32_MAX)
		return err_set(err, ERR_INPUT, "%s=%s: not a number (expected 0 to 4294967295)",
			       policy_params[i].name, text);
	*value = (uint32_t)n;
	return true;
}

static bool policy_parse_seconds(size_t i, const char *text, int64_t *value, struct err *err)
{
	uint32_t n;

	if (policy_plain_seconds(i)) {
		if (!policy_parse_u32(i, text, &n, err))
			return false;
		*value = n;
		return true;
	}
	if (!timestr_parse(text, value, err)) {
		err_prefix(err, "%s", policy_params[i].name);
		return false;
	}
	return true;
}

static bool policy_parse_bool(size_t i, const char *text, bool *value, struct err *err)
{
	static const char *const yes[] = { "YES", "TRUE", "UP", "1" };
	static const char *const no[] = { "NO", "FALSE", "DOWN", "0" };

	for (size_t w = 0; w < 4; w++) {
		if (word_equal(text, yes[w]) || word_equal(text, no[w])) {
			*value = word_equal(text, yes[w]);
			return true;
		}
	}
	return err_set(err, ERR_INPUT, "%s=%s: expected YES or NO", policy_params[i].name, text);
}

bool policy_set_text(struct policy *p, size_t i, const char *text, struct err *err)
{
	const struct policy_param *param = &policy_params[i];
	void *member = policy_member(p, i);

	assert(i < policy_params_count);
	switch (param->type) {
	case POLICY_U32:
		if (!policy_parse_u32(i, text, member, err))
			return false;
		break;
	case POLICY_SECONDS:
		if (!policy_parse_seconds(i, text, member, err))
			return false;
		break;
	case POLICY_BOOL:
		if (!policy_parse_bool(i, text, member, err))
			return false;
		break;
	case POLICY_FLAGS:
		policy_set_flags(p, text);
		break;
	case POLICY_TEXT:
		if (strcmp(text, "(null)") == 0)
			text = "";
		if (strlen(text) >= param->size)
			return err_set(err, ERR_INPUT, "%s: longer than %zu characters",
				       param->name, param->size - 1);
		memcpy(member, text, strlen(text) + 1);
		break;
	}
	p->known |= UINT64_C(1) << i;
	return true;
}

void policy_set_number(struct policy *p, size_t i, uint64_t value)
{
	void *member = policy_member(p, i);

	assert(i < policy_params_count && policy_params[i].type != POLICY_TEXT);
	switch (policy_params[i].type) {
	case POLICY_U32:
	case POLICY_FLAGS:
		*(uint32_t *)member = (uint32_t)value;
		break;
	case POLICY_SECONDS:
		*(int64_t *)member = (int64_t)value;
		break;
	case POLICY_BOOL:
		*(bool *)member = value != 0;
		break;
	case POLICY_TEXT:
		break;
	}
	p->known |= UINT64_C(1) << i;
}

uint64_t policy_number(const struct policy *p, size_t i)
{
	const void *member = policy_member_const(p, i);

	assert(i < policy_params_count);
	switch (policy_params[i].type) {
	case POLICY_U32:
	case POLICY_FLAGS:
		return *(const uint32_t *)member;
	case POLICY_SECONDS:
		return (uint64_t) * (const int64_t *)member;
	case POLICY_BOOL:
		return *(const bool *)member;
	case POLICY_TEXT:
		break;
	}
	return 0;
}

/* Appends WORD to the list in BUF behind a comma; USED is the length it would have so far. */
static size_t policy_append_word(char *buf, size_t size, size_t used, const char *word)
{
	size_t at = used < size ? used : size;

	return used + (size_t)snprintf(at < size ? buf + at : NULL, size - at, "%s%s",
				       used > 0 ? "," : "", word);
}

static size_t policy_flags_text(const struct policy *p, char *buf, size_t size)
{
	size_t used = 0;

	if (size > 0)
		buf[0] = '\0';
	for (size_t f = 0; f < policy_flags_count; f++) {
		if (p->flags & policy_flags[f].bit)
			used = policy_append_word(buf, size, used, policy_flags[f].name);
	}
	if (p->unknown_flags[0])
		used = policy_append_word(buf, size, used, p->unknown_flags);
	return used;
}

size_t policy_value_text(const struct policy *p, size_t i, char *buf, size_t size)
{
	uint64_t n = policy_number(p, i);

	switch (policy_params[i].type) {
	case POLICY_SECONDS:
		if (!policy_plain_seconds(i))
			return timestr_format((int64_t)n, buf, size);
		return (size_t)snprintf(buf, size, "%llu", (unsigned long long)n);
	case POLICY_U32:
		return (size_t)snprintf(buf, size, "%llu", (unsigned long long)n);
	case POLICY_BOOL:
		return (size_t)snprintf(buf, size, "%s", n ? "YES" : "NO");
	case POLICY_FLAGS:
		return policy_flags_text(p, buf, size);
	case POLICY_TEXT:
		break;
	}
	return (size_t)snprintf(buf, size, "%s", (const char *)policy_member_const(p, i));
}

void policy_init(struct policy *p)
{
	struct err err;

	memset(p, 0, sizeof(*p));
	for (size_t i = 0; i < policy_params_count; i++) {
		bool ok = policy_set_text(p, i, policy_params[i].default_value, &err);

		assert(ok);
		(void)ok;
	}
	p->known = 0;
}

bool policy_is_known(const struct policy *p, size_t i)
{
	return (p->known >> i & 1) != 0;
}

bool policy_is_multifactor(const struct policy *p)
{
	return strcmp(p->type, "priority/basic") != 0;
}

bool policy_has_accounting(const struct policy *p)
{
	size_t i = policy_param_by_name("AccountingStorageType", strlen("AccountingStorageType"));

	return !policy_is_known(p, i) || strcmp(p->storage_type, "accounting_storage/slurmdbd") == 0;
}
