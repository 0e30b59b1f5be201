/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the schedulers' own parsers refuse. Sources: read_config.c of Slurm
 * (_validate_and_set_defaults()), spec of job priority, 6; parse.cpp of OpenPBS.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/unknown.h"
#include "core/base/word.h"
#include "core/cluster/policy.h"

/* A period is a whole number of minutes, and not unlimited. */
static bool period_is_good(const struct policy *p)
{
	return p->calc_period >= 60 && p->calc_period < (INT64_C(1) << 32) - 60;
}

static bool damping_is_good(const struct policy *p)
{
	return p->damping >= 1 && p->damping <= 65533;
}

static bool timeout_is_good(const struct policy *p)
{
	return p->message_timeout >= 1 && p->message_timeout <= 65533;
}

static bool kill_wait_is_good(const struct policy *p)
{
	return p->kill_wait >= 0 && p->kill_wait <= 65533;
}

static bool complete_wait_is_good(const struct policy *p)
{
	return p->complete_wait >= 0 && p->complete_wait <= 65533;
}

static bool over_is_good(const struct policy *p)
{
	return p->over_time_limit <= 65533 || p->over_time_limit == U32_INFINITE;
}

static bool factor_is_good(const struct policy *p)
{
	double factor;

	return policy_real(p, policy_param("fairshare_decay_factor"), &factor) && factor > 0 &&
	       factor < 1;
}

/* Words of preempt_prio. */
static const char *const levels[] = { "normal_jobs", "fairshare", "queue_softlimits",
				      "server_softlimits", "express_queue", NULL };

/* Is this a level: words joined by +? Only the space counts as a blank. */
static bool is_level(const char *s, size_t length)
{
	for (size_t n;; s += n + 1, length -= n + 1) {
		size_t i = 0;

		for (n = 0; n < length && s[n] != '+';)
			n++;
		while (levels[i] && !word_equal_n(s, n, levels[i]))
			i++;
		if (!levels[i])
			return false;
		if (n == length)
			return true;
	}
}

static bool levels_are_good(const struct policy *p)
{
	for (const char *s = p->preempt_prio;; s++) {
		size_t length = strcspn(s += strspn(s, " "), ","), next = length;

		while (length > 0 && s[length - 1] == ' ')
			length--;
		if (!is_level(s, length))
			return false;
		s += next;
		if (!*s)
			return true;
	}
}

static bool decay_time_is_good(const struct policy *p)
{
	return p->fairshare_decay_time > 0;
}

static bool threshold_is_good(const struct policy *p)
{
	double threshold;

	return !p->job_sort_formula_threshold[0] ||
	       policy_real(p, policy_param("job_sort_formula_threshold"), &threshold);
}

#define WORDS(...) (const char *const[]){ __VA_ARGS__, NULL }

/*
 * A value is one of WORDS, or, with LIST, several joined by commas; or IS_GOOD decides, if set.
 * OPEN: a plugin of the site, or another version, may accept more words.
 */
enum policy_rules_words { NO_WORDS, ONE = 1, LIST = 2, OPEN = 4 };

static const struct rule {
	const char *name;
	const char *const *words;
	unsigned how;			/* enum words */
	bool (*is_good)(const struct policy *p);
	const char *expected;		/* by IS_GOOD */
} rules[] = {
	{ "PriorityType", WORDS("priority/multifactor", "priority/basic"), ONE | OPEN, NULL,
	  NULL },
	{ "PriorityCalcPeriod", NULL, NO_WORDS, period_is_good,
	  "at least one minute, not unlimited" },
	{ "PriorityUsageResetPeriod", WORDS("NONE", "NOW", "DAILY", "WEEKLY", "MONTHLY",
					    "QUARTERLY", "YEARLY"), ONE, NULL, NULL },
	{ "FairShareDampeningFactor", NULL, NO_WORDS, damping_is_good,
	  "a whole number from 1 to 65533" },
	{ "AccountingStorageType", WORDS("accounting_storage/slurmdbd", "accounting_storage/none"),
	  ONE | OPEN, NULL, NULL },
	{ "AccountingStorageEnforce", WORDS("associations", "limits", "nojobs", "nosteps", "qos",
					    "safe", "wckeys", "all", "none"), LIST | OPEN, NULL,
	  NULL },
	{ "PreemptType", WORDS("preempt/none", "preempt/partition_prio", "preempt/qos"),
	  ONE | OPEN, NULL, NULL },
	{ "PreemptMode", WORDS("OFF", "CANCEL", "GANG", "REQUEUE", "SUSPEND", "WITHIN"),
	  LIST | OPEN, NULL, NULL },
	{ "EnforcePartLimits", WORDS("NO", "YES", "ALL", "ANY"), ONE, NULL, NULL },
	{ "PrivateData", WORDS("accounts", "cloud", "events", "jobs", "nodes", "partitions",
			       "reservations", "usage", "users", "all", "none"), LIST | OPEN, NULL,
	  NULL },
	{ "SchedulerType", WORDS("sched/backfill", "sched/builtin"), ONE | OPEN, NULL, NULL },
	{ "MessageTimeout", NULL, NO_WORDS, timeout_is_good, "a whole number from 1 to 65533" },
	{ "SelectType", WORDS("select/cons_tres", "select/cons_res", "select/linear"), ONE | OPEN,
	  NULL, NULL },
	{ "KillWait", NULL, NO_WORDS, kill_wait_is_good, "a whole number up to 65533" },
	{ "CompleteWait", NULL, NO_WORDS, complete_wait_is_good, "a whole number up to 65533" },
	{ "OverTimeLimit", NULL, NO_WORDS, over_is_good,
	  "a whole number up to 65533, or UNLIMITED" },
	{ "fairshare_entity", WORDS("euser", "egroup", "egroup:euser", "Account_Name", "queue"),
	  ONE, NULL, NULL },
	{ "fairshare_decay_factor", NULL, NO_WORDS, factor_is_good, "a number between 0 and 1" },
	{ "fairshare_decay_time", NULL, NO_WORDS, decay_time_is_good, "a time above 0" },
	{ "job_sort_formula_threshold", NULL, NO_WORDS, threshold_is_good, "a number, or none" },
	{ "preempt_prio", levels, LIST, levels_are_good,
	  "normal_jobs, fairshare, queue_softlimits, server_softlimits or express_queue, joined by "
	  "+ within a level, levels separated by commas" },
};

static const struct rule *policy_rule_of(size_t i)
{
	for (size_t k = 0; k < sizeof(rules) / sizeof(rules[0]); k++) {
		if (strcmp(rules[k].name, policy_params[i].name) == 0)
			return &rules[k];
	}
	return NULL;
}

const char *policy_word(size_t i, size_t n)
{
	static const char *const yes_no[][2] = {
		[POLICY_OF_SLURM] = { "YES", "NO" }, [POLICY_OF_PBS] = { "True", "False" },
		[POLICY_OF_LSF] = { "Y", "N" },
	};
	const struct rule *rule = policy_rule_of(i);

	if (policy_params[i].type == POLICY_FLAGS)
		return n < policy_flags_count ? policy_flags[n].name : NULL;
	if (policy_params[i].type == POLICY_BOOL)
		return n < 2 ? yes_no[policy_params[i].scheduler][n] : NULL;
	for (size_t k = 0; rule && rule->words && rule->words[k]; k++) {
		if (k == n)
			return rule->words[k];
	}
	return NULL;
}

static bool policy_is_word(const struct rule *rule, const char *text, size_t length)
{
	size_t k = 0;

	while (rule->words[k] && !word_equal_n(text, length, rule->words[k]))
		k++;
	return rule->words[k] != NULL;
}

static bool are_words(const struct rule *rule, const char *text)
{
	size_t length;

	for (;; text += length + 1) {
		length = rule->how & LIST ? strcspn(text, ",") : strlen(text);
		if (!policy_is_word(rule, text, length))
			return false;
		if (!text[length])
			return true;
	}
}

/* "NONE, NOW or DAILY" */
static void say_words(const struct rule *rule, char *buf, size_t size)
{
	buf[0] = '\0';
	for (size_t k = 0; rule->words[k]; k++)
		format_append(buf, size, "%s%s", k == 0 ? "" : rule->words[k + 1] ? ", " : " or ",
			      rule->words[k]);
}

bool policy_is_open(size_t i)
{
	const struct rule *rule = policy_rule_of(i);

	return rule && rule->how & OPEN;
}

bool policy_refused(const struct policy *p, size_t i, char *buf, size_t size)
{
	const char *text = (const char *)p + policy_params[i].offset;
	const struct rule *rule = policy_rule_of(i);

	/* Without a line its default holds. */
	if (!rule || (rule->words && !text[0] && !policy_params[i].default_value[0]) ||
	    (rule->is_good ? rule->is_good(p) : !rule->words || are_words(rule, text)))
		return false;
	if (!rule->is_good)
		say_words(rule, buf, size);
	else
		(void)snprintf(buf, size, "%s", rule->expected);
	return true;
}

bool policy_counts_for_ever(const struct policy *p)
{
	return p->half_life == 0 && word_equal(p->reset_period, "NONE");
}
