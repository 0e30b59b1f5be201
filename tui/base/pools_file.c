/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/base/pools_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"
#include "tui/base/file_text.h"
#include "tui/base/script.h"

#define FILE_BYTES_MAX ((size_t)1 << 20)
#define LIST_MAX 10000

struct parsing {
	struct pools_config *config;
	uint32_t line;
};

/* ---- values -------------------------------------------------------------------------------- */

static bool pools_file_number(const char *word, const char *text, long least, long most, long *out,
			      struct err *err)
{
	char *end;
	long x = strtol(text, &end, 10);

	if (!*text || *end || x < least || x > most)
		return err_set(err, ERR_INPUT, "%.100s: expected a whole number from %ld to %ld",
			       word, least, most);
	*out = x;
	return true;
}

static bool pools_file_truth(const char *word, const char *text, bool *out, struct err *err)
{
	*out = strcmp(text, "yes") == 0;
	return *out || strcmp(text, "no") == 0 ||
	       err_set(err, ERR_INPUT, "%.100s: expected yes or no", word);
}

/* The text after "KEY=" in WORD; NULL if it begins otherwise. */
static const char *pools_file_after(const char *word, const char *key)
{
	return word_value(word, key, strlen(key));
}

/* ---- pool ---------------------------------------------------------------------------------- */

static uint32_t find_pool(const struct pools_config *c, const char *name)
{
	for (size_t i = 0; i < c->pool_count; i++) {
		if (strcmp(c->pools[i].name, name) == 0)
			return (uint32_t)i;
	}
	return POOLS_NONE;
}

static bool pool_word(struct pools_pool_rule *rule, const char *word, struct err *err)
{
	const char *value;
	long x;

	if ((value = pools_file_after(word, "max-slots"))) {
		if (!pools_file_number(word, value, 0, INT32_MAX, &x, err))
			return false;
		rule->max_slots = (uint32_t)x;
		return true;
	}
	if ((value = pools_file_after(word, "use-priority")))
		return pools_file_truth(word, value, &rule->use_priority, err);
	if ((value = pools_file_after(word, "strict")))
		return pools_file_truth(word, value, &rule->strict, err);
	return err_set(err, ERR_INPUT, "%.100s: unknown (expected max-slots=N, use-priority=yes or "
		       "strict=yes)", word);
}

static bool take_pool(struct parsing *p, const struct words *words, struct err *err)
{
	struct pools_config *c = p->config;
	struct pools_pool_rule rule = { .max_slots = SLOTS_NO_LIMIT };

	if (words->count < 2 || strchr(words->word[1], '='))
		return err_set(err, ERR_INPUT, "pool: expected pool NAME [max-slots=N] ...");
	if (strlen(words->word[1]) >= sizeof(rule.name))
		return err_set(err, ERR_INPUT, "pool %.80s: the name is longer than 60 characters",
			       words->word[1]);
	if (find_pool(c, words->word[1]) != POOLS_NONE)
		return err_set(err, ERR_INPUT, "pool %.80s: already defined", words->word[1]);
	if (c->pool_count == LIST_MAX)
		return err_set(err, ERR_INPUT, "more than %d pools", LIST_MAX);
	snprintf(rule.name, sizeof(rule.name), "%s", words->word[1]);
	for (size_t i = 2; i < words->count; i++) {
		if (!pool_word(&rule, words->word[i], err))
			return false;
	}
	c->pools = mem_grow(c->pools, &c->pool_capacity, c->pool_count + 1, sizeof(rule));
	c->pools[c->pool_count++] = rule;
	return true;
}

/* ---- queue --------------------------------------------------------------------------------- */

static bool queue_word(const struct pools_config *c, struct pools_queue_rule *rule,
		       const char *word, struct err *err)
{
	const char *value;
	long x = 0;

	if ((value = pools_file_after(word, "pool"))) {
		rule->pool = find_pool(c, value);
		return rule->pool != POOLS_NONE ||
		       err_set(err, ERR_INPUT, "%.80s: no such pool (expected a line \"pool "
			       "%.80s\" above)", word, value);
	}
	if ((value = pools_file_after(word, "share"))) {
		if (!pools_file_number(word, value, 1, 100, &x, err))
			return false;
		rule->share = (uint32_t)x;
	} else if ((value = pools_file_after(word, "priority"))) {
		if (!pools_file_number(word, value, -INT32_MAX, INT32_MAX, &x, err))
			return false;
		rule->priority = x;
	} else if ((value = pools_file_after(word, "limit"))) {
		if (!pools_file_number(word, value, 0, INT32_MAX, &x, err))
			return false;
		rule->limit = (uint32_t)x;
	} else {
		return err_set(err, ERR_INPUT,
			       "%.100s: unknown (expected pool=NAME, share=PERCENT, "
			       "priority=N or limit=SLOTS)", word);
	}
	return true;
}

static bool pools_file_take_queue(struct parsing *p, const struct words *words, struct err *err)
{
	struct pools_config *c = p->config;
	struct pools_queue_rule rule = { .pool = POOLS_NONE, .priority = I64_UNKNOWN,
					 .limit = SLOTS_NO_LIMIT, .line = p->line };

	if (words->count < 2 || strchr(words->word[1], '='))
		return err_set(err, ERR_INPUT,
			       "queue: expected queue NAME [pool=NAME share=PERCENT] "
			       "...");
	if (strlen(words->word[1]) >= sizeof(rule.name))
		return err_set(err, ERR_INPUT, "queue %.80s: the name is too long", words->word[1]);
	snprintf(rule.name, sizeof(rule.name), "%s", words->word[1]);
	for (size_t i = 0; i < c->queue_count; i++) {
		if (strcmp(c->queues[i].name, rule.name) == 0)
			return err_set(err, ERR_INPUT, "queue %.80s: already defined in line %u",
				       rule.name, (unsigned)c->queues[i].line);
	}
	for (size_t i = 2; i < words->count; i++) {
		if (!queue_word(c, &rule, words->word[i], err))
			return false;
	}
	if ((rule.pool == POOLS_NONE) != (rule.share == 0))
		return err_set(err, ERR_INPUT, "queue %.80s: %s without %s", rule.name,
			       rule.share ? "share" : "pool", rule.share ? "pool" : "share");
	if (c->queue_count == LIST_MAX)
		return err_set(err, ERR_INPUT, "more than %d queues", LIST_MAX);
	c->queues = mem_grow(c->queues, &c->queue_capacity, c->queue_count + 1, sizeof(rule));
	c->queues[c->queue_count++] = rule;
	return true;
}

/* ---- the file ------------------------------------------------------------------------------ */

static bool take_set(struct parsing *p, const struct words *words, struct err *err)
{
	const char *name = words->count > 1 ? words->word[1] : "";
	char *end;

	if (words->count == 3 && strcmp(name, "grouped") == 0)
		return pools_file_truth(name, words->word[2], &p->config->grouped, err);
	if (words->count == 3 && strcmp(name, "hist-hours") == 0) {
		double hours = strtod(words->word[2], &end);

		if (*end || end == words->word[2] || !(hours >= 0 && hours <= 1e6))
			return err_set(err, ERR_INPUT, "hist-hours %.60s: expected hours, 0 for no "
				       "decay", words->word[2]);
		p->config->hist_hours = hours;
		return true;
	}
	return err_set(err, ERR_INPUT, "set %.60s: expected set hist-hours N or set grouped yes",
		       name);
}

static bool pools_file_take_line(struct parsing *p, const struct words *words, struct err *err)
{
	if (strcmp(words->word[0], "pool") == 0)
		return take_pool(p, words, err);
	if (strcmp(words->word[0], "queue") == 0)
		return pools_file_take_queue(p, words, err);
	if (strcmp(words->word[0], "set") == 0)
		return take_set(p, words, err);
	return err_set(err, ERR_INPUT, "%.60s: no such command (expected pool, queue or set)",
		       words->word[0]);
}

bool pools_file_parse(const char *file, const char *text, size_t length,
		      struct pools_config *config, struct err *err)
{
	struct parsing p = { config, 0 };

	pools_config_init(config);
	snprintf(config->file, sizeof(config->file), "%s", file);
	/* Line by line, so that each rule knows its line number. */
	for (size_t at = 0; at < length;) {
		const char *end = memchr(text + at, '\n', length - at);
		size_t n = end ? (size_t)(end - text) - at : length - at;
		struct words words;

		p.line++;
		if (!script_split(text + at, n, &words, err) ||
		    (words.count > 0 && !pools_file_take_line(&p, &words, err)))
			return err_at(err, file, p.line);
		at += n + 1;
	}
	return true;
}

bool pools_file_read(const char *file, struct pools_config *config, struct err *err)
{
	char *text = file_text(file, FILE_BYTES_MAX, err);
	bool good = text ? pools_file_parse(file, text, strlen(text), config, err) :
			   err_at(err, file, 0);

	if (!text)
		pools_config_init(config);
	mem_free(text);
	return good;
}
