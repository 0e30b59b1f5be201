/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The schedulers' attributes (qmgr -c 'list sched') and sched_priv/sched_config.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/pbs/reader.h"

#define VALUE_MAX 4096

/* ---- qmgr -c 'list sched' ------------------------------------------------------------------ */

static const struct pbs_attribute sched_attributes[] = {
	{ "sched_host", F_SCHED_HOST, PBS_AS_TEXT },
	{ "state", F_SCHED_STATE, PBS_AS_TEXT },
	{ "scheduling", F_SCHED_SCHEDULING, PBS_AS_BOOL },
	{ "sched_priv", F_SCHED_PRIV, PBS_AS_TEXT },
	{ "sched_log", F_SCHED_LOG, PBS_AS_TEXT },
	{ "log_events", F_SCHED_LOG_EVENTS, PBS_AS_U32 },
	{ "job_sort_formula", F_SCHED_FORMULA, PBS_AS_TEXT },
	{ NULL, F_COUNT, PBS_AS_TEXT }
};

/* "pbs-default,weekend" */
static void put_partitions(struct pbs_reader *r, uint32_t row, const char *value)
{
	struct slice rest = slice_of(value), piece;
	char names[32][100];
	const char *items[32];
	uint32_t n = 0;

	while (n < 32 && slice_piece(&rest, ',', &piece)) {
		piece = slice_trim(piece);
		snprintf(names[n], sizeof(names[n]), "%.*s", SLICE_PRINT(piece));
		items[n] = names[n];
		n++;
	}
	builder_list(r->b, F_SCHED_PARTITION, row, items, n);
}

static void put_attribute(struct pbs_reader *r, uint32_t row, const char *name, const char *value)
{
	const struct pbs_attribute *a = pbs_attribute_find(sched_attributes, name);
	struct pbs_value v = { PULL_STRING, value, strlen(value) };
	/* Borrowed, and gone with the next text that is put. */
	const char *sched = builder_get_text(r->b, F_SCHED_NAME, row);
	bool is_default = sched && strcmp(sched, "default") == 0;

	if (a)
		pbs_put(r, a, row, &v);
	if (strcmp(name, "partition") == 0)
		put_partitions(r, row, value);
	/* Others have a policy of their own; what is shown is the default scheduler's. */
	if (is_default)
		pbs_put_policy(r, name, value);
}

/* "name = value", as long as both fit. */
static bool split(struct slice line, char *name, size_t name_size, char *value, size_t size)
{
	const char *equals = memchr(line.at, '=', line.length);
	struct slice left, right;

	if (!equals)
		return false;
	left = slice_trim((struct slice){ line.at, (size_t)(equals - line.at) });
	right = slice_trim(slice_from(line, (size_t)(equals - line.at) + 1));
	if (left.length >= name_size || right.length >= size)
		return false;
	memcpy(name, left.at, left.length);
	name[left.length] = '\0';
	memcpy(value, right.at, right.length);
	value[right.length] = '\0';
	return true;
}

/* Long values go on in lines that begin with a tab. */
static void append_line(char *value, size_t size, struct slice line)
{
	size_t used = strlen(value);

	line = slice_trim(line);
	if (used + line.length < size) {
		memcpy(value + used, line.at, line.length);
		value[used + line.length] = '\0';
	}
}

bool pbs_read_sched(struct pbs_reader *r)
{
	struct slice rest = { r->text->text, r->text->length }, line, word;
	char name[100] = "", value[VALUE_MAX] = "";
	uint32_t row = ROW_NONE;

	while (slice_line(&rest, &line)) {
		if (line.length > 0 && line.at[0] == '\t') {
			append_line(value, sizeof(value), line);
			continue;
		}
		if (row != ROW_NONE && name[0])
			put_attribute(r, row, name, value);
		name[0] = '\0';
		if (slice_starts(line, "Sched ")) {
			row = builder_add(r->b, TABLE_SCHED);
			word = slice_trim(slice_from(line, 6));
			builder_text(r->b, F_SCHED_NAME, row, word.at, word.length);
		} else if (slice_trim(line).length > 0 && row == ROW_NONE) {
			return pbs_fail(r, "\"%.*s\": expected the output of qmgr -c 'list sched'",
					SLICE_PRINT(line));
		} else if (!split(line, name, sizeof(name), value, sizeof(value))) {
			name[0] = '\0';
		}
	}
	if (row != ROW_NONE && name[0])
		put_attribute(r, row, name, value);
	return true;
}

/* ---- sched_config -------------------------------------------------------------------------- */

/* When a line of sched_config holds. */
enum prime { PRIME_ALL, PRIME_ONLY, PRIME_NON, PRIME_NONE };

/* "value [all|prime|non_prime]" with the value bare or in double quotes. */
static enum prime split_value(struct slice s, struct slice *value)
{
	struct slice rest;

	s = slice_trim(s);
	if (s.length > 0 && s.at[0] == '"') {
		const char *close = memchr(s.at + 1, '"', s.length - 1);
		size_t length = close ? (size_t)(close - s.at) - 1 : s.length - 1;

		*value = (struct slice){ s.at + 1, length };
		rest = slice_from(s, length + 1 + (close != NULL));
	} else {
		rest = s;
		if (!slice_word(&rest, value))
			*value = (struct slice){ s.at, 0 };
	}
	rest = slice_trim(rest);
	if (slice_same(rest, "prime"))
		return PRIME_ONLY;
	if (slice_same(rest, "non_prime"))
		return PRIME_NON;
	return slice_same(rest, "none") ? PRIME_NONE : PRIME_ALL;
}

/* Settings of which several lines may stand, each a further key; what is for prime time, or not. */
struct sort_keys {
	const char *name;
	char prime[VALUE_MAX], other[VALUE_MAX];
};

static void append_key(char *list, struct slice value)
{
	size_t used = strlen(list);

	if (value.length > 0 && used + 1 < VALUE_MAX)
		snprintf(list + used, VALUE_MAX - used, "%s%.*s", used ? ", " : "",
			 SLICE_PRINT(value));
}

static bool is_key_line(struct sort_keys *keys, struct slice name, struct slice value,
			enum prime prime)
{
	for (; keys->name; keys++) {
		if (!slice_same(name, keys->name))
			continue;
		if (prime == PRIME_ALL || prime == PRIME_ONLY)
			append_key(keys->prime, value);
		if (prime == PRIME_NON)
			append_key(keys->other, value);
		return true;
	}
	return false;
}

/*
 * Of a setting that is True or False: False is the word, in any case, or a number that is 0; all
 * else counts as True, "no" too. Source: parse_config() of parse.cpp.
 */
static struct slice boolean(struct pbs_reader *r, const char *name, struct slice value)
{
	if (slice_same(value, "true") || slice_same(value, "false"))
		return value;
	if (value.length > 0 && value.at[0] >= '0' && value.at[0] <= '9')
		return slice_of(strtol(value.at, NULL, 10) != 0 ? "True" : "False");
	builder_note(r->b, "policy", "%s: %s: %.*s is neither True nor False, and counts as True",
		     r->text->name, name, SLICE_PRINT(value));
	return slice_of("True");
}

static void put_line(struct pbs_reader *r, struct slice line, struct sort_keys *keys,
		     bool *resources)
{
	struct policy *policy = builder_policy(r->b);
	const char *colon = memchr(line.at, ':', line.length);
	char name[100], text[VALUE_MAX];
	struct slice key, value;
	enum prime prime;
	size_t i;

	if (line.length == 0 || line.at[0] == '#' || !colon)
		return;
	key = slice_trim((struct slice){ line.at, (size_t)(colon - line.at) });
	prime = split_value(slice_from(line, (size_t)(colon - line.at) + 1), &value);
	if (is_key_line(keys, key, value, prime))
		return;
	if (slice_same(key, "smp_cluster_dist") && !slice_same(value, "pack"))
		builder_note(r->b, "cycle", "smp_cluster_dist is %.*s: it is not followed, vnodes "
			     "are filled one after the other", SLICE_PRINT(value));
	i = policy_param_by_name(key.at, key.length);
	if (i == policy_params_count || policy_params[i].scheduler != POLICY_OF_PBS ||
	    prime == PRIME_NONE || (prime == PRIME_NON && policy_is_known(policy, i)))
		return;
	if (value.length >= sizeof(text)) {
		builder_note(r->b, "policy", "%s: %s is too long", r->text->name,
			     policy_params[i].name);
		return;
	}
	if (policy_params[i].type == POLICY_BOOL)
		value = boolean(r, policy_params[i].name, value);
	snprintf(name, sizeof(name), "%s", policy_params[i].name);
	memcpy(text, value.at, value.length);
	text[value.length] = '\0';
	pbs_put_policy(r, name, text);
	*resources = *resources || strcmp(name, "resources") == 0;
}

bool pbs_read_config(struct pbs_reader *r)
{
	struct sort_keys keys[] = { { .name = "job_sort_key" }, { .name = "node_sort_key" },
				    { .name = NULL } };
	struct slice rest = { r->text->text, r->text->length }, line;
	bool resources = false;

	while (slice_line(&rest, &line))
		put_line(r, slice_trim(line), keys, &resources);
	/* Without a line jobs have no key, and vnodes are tried in the server's order. */
	for (const struct sort_keys *k = keys; k->name; k++)
		pbs_put_policy(r, k->name, k->prime[0] ? k->prime : k->other);
	/* Without the line the scheduler compares and places by no resource at all. */
	if (!resources)
		pbs_put_policy(r, "resources", "");
	return true;
}
