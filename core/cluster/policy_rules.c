/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the schedulers' own parsers refuse. Sources: read_config.c of Slurm
 * (_validate_and_set_defaults()), spec of job priority, 6; parse.cpp of OpenPBS.
 */
#include <string.h>

#include "core/base/word.h"
#include "core/cluster/policy.h"

static bool one_of(const char *word, const char *const *words)
{
	while (*words && !word_equal(word, *words))
		words++;
	return *words != NULL;
}

/* A period is a whole number of minutes, and unlimited is none. */
static bool period_is_good(const struct policy *p)
{
	return p->calc_period >= 60 && p->calc_period < (INT64_C(1) << 32) - 60;
}

static bool reset_is_good(const struct policy *p)
{
	static const char *const words[] = { "NONE", "NOW", "DAILY", "WEEKLY", "MONTHLY",
					     "QUARTERLY", "YEARLY", NULL };

	return one_of(p->reset_period, words);
}

static bool damping_is_good(const struct policy *p)
{
	return p->damping >= 1 && p->damping <= 65533;
}

static bool factor_is_good(const struct policy *p)
{
	static const char name[] = "fairshare_decay_factor";
	double factor;

	return policy_real(p, policy_param_by_name(name, sizeof(name) - 1), &factor) &&
	       factor > 0 && factor < 1;
}

static bool entity_is_good(const struct policy *p)
{
	static const char *const words[] = { "euser", "egroup", "egroup:euser", "Account_Name",
					     "queue", NULL };

	return one_of(p->fairshare_entity, words);
}

static const struct {
	const char *name;
	bool (*is_good)(const struct policy *p);
	const char *expected;
} rules[] = {
	{ "PriorityCalcPeriod", period_is_good, "at least one minute, and a limit" },
	{ "PriorityUsageResetPeriod", reset_is_good,
	  "NONE, NOW, DAILY, WEEKLY, MONTHLY, QUARTERLY or YEARLY" },
	{ "FairShareDampeningFactor", damping_is_good, "a whole number from 1 to 65533" },
	{ "fairshare_decay_factor", factor_is_good, "a number between 0 and 1" },
	{ "fairshare_entity", entity_is_good,
	  "euser, egroup, egroup:euser, Account_Name or queue" },
};

const char *policy_refused(const struct policy *p, size_t i)
{
	for (size_t k = 0; k < sizeof(rules) / sizeof(rules[0]); k++) {
		if (strcmp(rules[k].name, policy_params[i].name) == 0)
			return rules[k].is_good(p) ? NULL : rules[k].expected;
	}
	return NULL;
}

bool policy_counts_for_ever(const struct policy *p)
{
	return p->half_life == 0 && word_equal(p->reset_period, "NONE");
}
