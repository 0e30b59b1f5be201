/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/lint/lint_conf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/near.h"
#include "core/base/timestr.h"
#include "core/base/word.h"
#include "core/cluster/tres.h"

struct lint_item *lint_about_param(struct lint *l, enum lint_severity severity, const char *code,
				   const char *name)
{
	struct lint_item *item = lint_add(l, severity, code, "", "%s", name);

	lint_source(item, LINT_CONF "%s", name);
	return item;
}

/* ---- slurm.conf: unknown words and parameters ------------------------------------------------ */

/* Parameters that Slurm knows and the policy table does not need. */
static const char also_known[] = "PriorityCalcPeriod PriorityClass";

void lint_conf_init(struct lint_conf *c, struct lint *l)
{
	*c = (struct lint_conf){ .lint = l };
}

/* Does KEY begin as the parameters do that decide the order of jobs? */
static bool lint_conf_is_ours(const char *key)
{
	return word_equal_n(key, strlen("Priority"), "Priority") ||
	       word_equal_n(key, strlen("FairShare"), "FairShare");
}

static bool lint_conf_is_known(const char *key)
{
	return word_among(also_known, " ", key) || policy_param(key) < policy_params_count;
}

/* Suggests the right spelling, if that is an edit; else the names that are similar. */
static void suggest_key(struct lint_item *item, const struct near *near, const char *value)
{
	char hint[160];

	if (near->count > 0 && !strchr(value, ';')) {
		lint_suggest(item, "%s = %s", near->names[0], value);
		if (lint_edits(item, NULL, NULL))
			return;
	}
	lint_suggest(item, "%s", near_text(near, hint, sizeof(hint)));
}

static void check_key(struct lint_conf *c, const struct lint_seen *s)
{
	struct lint_item *item;
	struct near near;

	if (lint_conf_is_known(s->key))
		return;
	near_init(&near, s->key, strlen(s->key));
	for (size_t i = 0; i < policy_params_count; i++) {
		if (policy_params[i].scheduler == POLICY_OF_SLURM)
			near_offer(&near, policy_params[i].name);
	}
	item = lint_add(c->lint, LINT_ERROR, "S8", "slurm.conf(5)", "%s", s->key);
	lint_place(item, s->file, s->line);
	lint_message(item, "no version knows this parameter%s%s",
		     near.count > 0 ? "; similar: " : "", near.count > 0 ? near.names[0] : "");
	suggest_key(item, &near, s->value);
}

/* ---- what slurmctld refuses ---------------------------------------------------------------- */

static void lint_conf_refused(struct lint_conf *c, const struct lint_seen *s, const char *why)
{
	struct lint_item *item = lint_about_param(c->lint, LINT_ERROR, "S19", s->key);

	lint_place(item, s->file, s->line);
	lint_message(item, "slurmctld does not start with it: %s", why);
}

static bool lint_conf_any_weight(void *context, const struct tres_pair *pair, struct err *err)
{
	(void)context;
	return tres_is_type(pair->name, err);
}

/* Whether a number of a partition fits into 16 bits. True for other parameters. */
static bool is_short(const struct lint_seen *s)
{
	char *end;
	unsigned long n = strtoul(s->value, &end, 0);

	return (!word_equal(s->key, "PriorityJobFactor") && !word_equal(s->key, "PriorityTier") &&
		!word_equal(s->key, "Priority")) || (end != s->value && !*end && n <= UINT16_MAX);
}

static void check_value(struct lint_conf *c, const struct lint_seen *s, bool partition)
{
	size_t i = policy_param(s->key);
	struct policy *p = mem_alloc(1, sizeof(*p));
	char expected[POLICY_EXPECTED_MAX];
	struct err err = { .code = ERR_NONE };

	policy_init(p);
	if (i < policy_params_count && policy_params[i].scheduler == POLICY_OF_SLURM &&
	    policy_set_text(p, i, s->value, &err) && !policy_is_open(i) &&
	    policy_refused(p, i, expected, sizeof(expected)))
		err_set(&err, ERR_INPUT, "%s (expected %s)", s->value, expected);
	else if (word_equal(s->key, "PriorityWeightTRES") ||
		 word_equal(s->key, "TRESBillingWeights"))
		tres_parse_weights(s->value, lint_conf_any_weight, NULL, &err);
	else if (partition && !is_short(s))
		err_set(&err, ERR_INPUT, "%s (expected 0 to 65535)", s->value);
	if (err.code != ERR_NONE)
		lint_conf_refused(c, s, err.message);
	mem_free(p);
}

/* "PriorityDecayHalfLife=0" requires PriorityUsageResetPeriod. */
static void check_for_ever(struct lint_conf *c)
{
	const struct lint_seen *half_life = NULL;
	int64_t seconds;

	for (size_t i = 0; i < c->count; i++) {
		if (word_equal(c->seen[i].key, "PriorityUsageResetPeriod"))
			return;
		if (word_equal(c->seen[i].key, "PriorityDecayHalfLife"))
			half_life = &c->seen[i];
	}
	if (half_life && timestr_parse(half_life->value, &seconds, NULL) && seconds == 0)
		lint_conf_refused(c, half_life,
				  "0 requires a PriorityUsageResetPeriod line, even NONE");
}

/* ---- words of PriorityFlags ---------------------------------------------------------------- */

static const char *nearest_flag(const char *word, size_t length)
{
	struct near near;

	near_init(&near, word, length);
	for (size_t i = 0; i < policy_flags_count; i++)
		near_offer(&near, policy_flags[i].name);
	return near.count > 0 ? near.names[0] : NULL;
}

static uint32_t bit_of(const char *name)
{
	for (size_t i = 0; i < policy_flags_count; i++) {
		if (strcmp(policy_flags[i].name, name) == 0)
			return policy_flags[i].bit;
	}
	return 0;
}

void lint_suggest_flags(struct lint_item *item, uint32_t flags)
{
	lint_suggest(item, "flags = ");
	for (size_t i = 0, n = 0; i < policy_flags_count; i++) {
		if (flags & policy_flags[i].bit)
			lint_suggest_more(item, "%s%s", n++ > 0 ? "," : "", policy_flags[i].name);
	}
}

void lint_mend_flags(struct lint_item *item, const struct policy *p)
{
	uint32_t flags = p->flags;

	for (const char *at = p->unknown_flags; *at; at += strspn(at, ",")) {
		size_t length = strcspn(at, ",");
		const char *name = nearest_flag(at, length);

		flags |= name ? bit_of(name) : 0;
		at += length;
	}
	lint_suggest_flags(item, flags);
}

/* Words given together with one that includes or contradicts them. */
static const struct {
	const char *word, *with, *why;
} pairs[] = {
	{ "NO_FAIR_TREE", "DEPTH_OBLIVIOUS", "includes it" },
	{ "FAIR_TREE", "DEPTH_OBLIVIOUS", "turns Fair Tree off" },
	{ "FAIR_TREE", "NO_FAIR_TREE", "turns Fair Tree off" },
	{ "NO_NORMAL_ASSOC", "NO_NORMAL_ALL", "includes it" },
	{ "NO_NORMAL_PART", "NO_NORMAL_ALL", "includes it" },
	{ "NO_NORMAL_QOS", "NO_NORMAL_ALL", "includes it" },
	{ "NO_NORMAL_TRES", "NO_NORMAL_ALL", "includes it" },
};

static void check_pairs(struct lint_conf *c, const struct lint_seen *s, const struct policy *p)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct lint_item *item;

		if (!word_among(s->value, ", ", pairs[i].word) ||
		    !word_among(s->value, ", ", pairs[i].with))
			continue;
		item = lint_about_param(c->lint, LINT_WARNING, "S9", "PriorityFlags");
		lint_place(item, s->file, s->line);
		lint_message(item, "%s adds nothing: %s %s", pairs[i].word, pairs[i].with,
			     pairs[i].why);
		lint_suggest_flags(item, p->flags & ~bit_of(pairs[i].word));
	}
}

static void check_words(struct lint_conf *c, const struct lint_seen *s)
{
	struct policy *p = mem_alloc(1, sizeof(*p));
	struct lint_item *item;

	policy_init(p);
	/* This never fails for words. */
	(void)policy_set_text(p, policy_param(s->key), s->value, NULL);
	for (const char *at = p->unknown_flags; *at; at += strspn(at, ",")) {
		size_t length = strcspn(at, ",");
		const char *name = nearest_flag(at, length);

		item = lint_about_param(c->lint, LINT_ERROR, "S7", "PriorityFlags");
		lint_place(item, s->file, s->line);
		lint_message(item, "\"%.*s\": no version knows this word, slurmctld ignores it"
			     "%s%s", (int)length, at, name ? "; similar: " : "", name ? name : "");
		lint_mend_flags(item, p);
		at += length;
	}
	check_pairs(c, s, p);
	mem_free(p);
}

void lint_conf_pair(struct lint_conf *c, const char *file, uint32_t line, bool partition,
		    const char *key, const char *value)
{
	struct lint_seen s = { .line = line };

	(void)snprintf(s.key, sizeof(s.key), "%s", key);
	(void)snprintf(s.value, sizeof(s.value), "%s", value);
	(void)snprintf(s.file, sizeof(s.file), "%s", file ? file : "");
	check_value(c, &s, partition);
	if (partition || !lint_conf_is_ours(key))
		return;
	MEM_GROW(c->seen, c->capacity, c->count + 1);
	c->seen[c->count++] = s;
	check_key(c, &s);
	if (word_equal(key, "PriorityFlags"))
		check_words(c, &s);
}

/* The last line of a parameter counts, so findings about it get that location. */
static void tell_places(struct lint_conf *c)
{
	for (size_t i = 0; i < c->lint->count; i++) {
		struct lint_item *item = &c->lint->items[i];

		for (size_t k = c->seen ? c->count : 0; k-- > 0 && !item->file[0];) {
			const struct lint_seen *s = &c->seen[k];

			if (!word_equal(s->key, item->object))
				continue;
			memcpy(item->file, s->file, sizeof(item->file));
			item->line = s->line;
		}
	}
}

void lint_conf_end(struct lint_conf *c)
{
	for (size_t i = 0; i < c->count; i++) {
		for (size_t j = 0; j < i; j++) {
			const struct lint_seen *s = &c->seen[i], *before = &c->seen[j];
			struct lint_item *item;

			if (!word_equal(s->key, before->key))
				continue;
			item = lint_add(c->lint, LINT_WARNING, "S18", "slurm.conf(5)", "%s",
					s->key);
			lint_place(item, s->file, s->line);
			lint_message(item, "already set in line %u of %s: the last one counts",
				     (unsigned)before->line, before->file);
			lint_suggest(item, "remove line %u of %s", (unsigned)before->line,
				     before->file);
			break;
		}
	}
	check_for_ever(c);
	tell_places(c);
	lint_sort(c->lint);
	mem_free(c->seen);
	c->seen = NULL;
	c->count = c->capacity = 0;
}
