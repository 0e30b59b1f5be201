/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What only the text of slurm.conf tells: words and parameters that nobody knows. */
#include <stdio.h>
#include <string.h>

#include "core/lint_slurm_private.h"
#include "core/mem.h"
#include "core/near.h"
#include "core/word.h"

/* Parameters that decide who is next begin with one of these. */
static const char *const beginnings[] = { "Priority", "FairShare" };

/* Those that the policy table has no use for, but Slurm knows. */
static const char *const others[] = { "PriorityCalcPeriod", "PriorityClass" };

void lint_conf_init(struct lint_conf *c, struct lint *l)
{
	*c = (struct lint_conf){ .lint = l };
}

static bool begins(const char *key, const char *word)
{
	while (*word && word_lower(*key) == word_lower(*word)) {
		key++;
		word++;
	}
	return !*word;
}

static bool is_ours(const char *key)
{
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
		if (begins(key, beginnings[i]))
			return true;
	}
	return false;
}

static bool is_known(const char *key)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (word_equal(key, others[i]))
			return true;
	}
	return policy_param_by_name(key, strlen(key)) < policy_params_count;
}

static void check_key(struct lint_conf *c, const struct lint_seen *s)
{
	struct lint_item *item;
	struct near near;
	char hint[160];

	if (is_known(s->key))
		return;
	near_init(&near, s->key, strlen(s->key));
	for (size_t i = 0; i < policy_params_count; i++) {
		if (policy_params[i].scheduler == POLICY_OF_SLURM)
			near_offer(&near, policy_params[i].name);
	}
	item = lint_add(c->lint, LINT_ERROR, "S8", s->file, s->line);
	lint_object(item, "%s", s->key);
	lint_message(item, "no version knows this parameter");
	lint_source(item, "slurm.conf(5)");
	lint_suggest(item, "%s", near_text(&near, hint, sizeof(hint)));
}

static bool is_flag(const char *word, size_t length)
{
	for (size_t i = 0; i < policy_flags_count; i++) {
		if (word_equal_n(word, length, policy_flags[i].name))
			return true;
	}
	/* Since 19.05 the default and accepted; before, the word that asked for it. */
	return word_equal_n(word, length, "FAIR_TREE");
}

static void check_words(struct lint_conf *c, const struct lint_seen *s)
{
	const char *at = s->value;

	while (*at) {
		size_t length = strcspn(at, ",");
		struct lint_item *item;
		struct near near;
		char hint[160];

		if (length > 0 && !is_flag(at, length)) {
			near_init(&near, at, length);
			for (size_t i = 0; i < policy_flags_count; i++)
				near_offer(&near, policy_flags[i].name);
			item = lint_add(c->lint, LINT_ERROR, "S7", s->file, s->line);
			lint_object(item, "PriorityFlags");
			lint_message(item, "\"%.*s\": no version knows this word, slurmctld passes "
				     "over it", (int)length, at);
			lint_source(item, "slurm.conf(5), PriorityFlags");
			lint_suggest(item, "%s", near_text(&near, hint, sizeof(hint)));
		}
		at += length + (at[length] == ',');
	}
}

void lint_conf_pair(struct lint_conf *c, const char *file, uint32_t line, const char *key,
		    const char *value)
{
	struct lint_seen *s;

	if (!is_ours(key))
		return;
	c->seen = mem_grow(c->seen, &c->capacity, c->count + 1, sizeof(*c->seen));
	s = &c->seen[c->count++];
	(void)snprintf(s->key, sizeof(s->key), "%s", key);
	(void)snprintf(s->value, sizeof(s->value), "%s", value);
	(void)snprintf(s->file, sizeof(s->file), "%s", file ? file : "");
	s->line = line;
	check_key(c, s);
	if (word_equal(key, "PriorityFlags"))
		check_words(c, s);
}

void lint_conf_end(struct lint_conf *c)
{
	for (size_t i = 0; i < c->count; i++) {
		for (size_t j = 0; j < i; j++) {
			struct lint_item *item;

			if (!word_equal(c->seen[i].key, c->seen[j].key))
				continue;
			item = lint_add(c->lint, LINT_WARNING, "S18", c->seen[i].file,
					c->seen[i].line);
			lint_object(item, "%s", c->seen[i].key);
			lint_message(item, "given before, in line %u: the last one counts",
				     (unsigned)c->seen[j].line);
			lint_source(item, "slurm.conf(5)");
			break;
		}
	}
	lint_sort(c->lint);
	mem_free(c->seen);
	c->seen = NULL;
	c->count = c->capacity = 0;
}
