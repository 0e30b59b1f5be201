/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/snapshot/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/cluster/tres.h"
#include "core/base/value.h"

#define HEAD "first line"

/* ---- plain keys ---------------------------------------------------------------------------- */

/* A key of the first line, and how its value is read. */
struct head_key {
	const char *name;
	bool (*read)(struct snapshot_reader *r, const struct head_key *key, struct err *err);
	size_t which;		/* offset in struct cluster_meta, or what is hidden */
	bool needed;
};

/* Index of KEY in NAMES, COUNT if not found. */
static size_t head_find_key(const char *const *names, size_t count, const char *key)
{
	size_t i = 0;

	while (i < count && strcmp(names[i], key) != 0)
		i++;
	return i;
}

static bool head_read_string(struct snapshot_reader *r, const char *where, const char *key,
			     const char **text, struct err *err)
{
	struct pull_value v;

	if (pull_value(&r->pull, &v) != PULL_STRING)
		return reader_wrong_type(r, err, where, key, "a string", v.kind);
	*text = v.string;
	return true;
}

static bool head_read_text(struct snapshot_reader *r, const struct head_key *key, struct err *err)
{
	const char **text = (const char **)(void *)((char *)&r->meta + key->which);

	return head_read_string(r, HEAD, key->name, text, err);
}

/* A time; null is unknown. */
static bool head_read_time(struct snapshot_reader *r, const struct head_key *key, struct err *err)
{
	int64_t *time = (int64_t *)(void *)((char *)&r->meta + key->which);
	struct pull_value v;

	if (pull_value(&r->pull, &v) == PULL_NULL)
		return true;
	if (v.kind != PULL_INT)
		return reader_wrong_type(r, err, HEAD, key->name, "integer Unix seconds", v.kind);
	if (!i64_fits(v.integer))
		return reader_error(r, err, HEAD ": \"%s\": out of range", key->name);
	*time = v.integer;
	return true;
}

static bool read_hidden(struct snapshot_reader *r, const struct head_key *key, struct err *err)
{
	struct pull_value v;

	if (pull_value(&r->pull, &v) != PULL_BOOL)
		return reader_wrong_type(r, err, HEAD, key->name, "true or false", v.kind);
	if (v.boolean)
		builder_hidden(r->builder, (uint32_t)key->which);
	return true;
}

/* ---- precision, notes ---------------------------------------------------------------------- */

static bool read_precision(struct snapshot_reader *r, const struct head_key *head, struct err *err)
{
	static const char *const names[] = { "usage", "ratio" };
	double *const quanta[] = { &r->meta.usage_quantum, &r->meta.ratio_quantum };
	bool seen[2] = { false, false };
	uint32_t entered = reader_enter(r);
	struct pull_value key, v;

	if (pull_value(&r->pull, &v) != PULL_OBJECT)
		return reader_wrong_type(r, err, HEAD, head->name, "an object", v.kind);
	while (pull_member(&r->pull, &key)) {
		size_t i = head_find_key(names, 2, key.string);

		if (i == 2) {
			if (!reader_stranger(r, "precision", &key, err))
				return false;
			continue;
		}
		if (seen[i])
			return reader_error(r, err, "precision: \"%s\": duplicate key", names[i]);
		seen[i] = true;
		pull_value(&r->pull, &v);
		if (v.kind != PULL_INT && v.kind != PULL_REAL)
			return reader_wrong_type(r, err, "precision", names[i], "a number", v.kind);
		if (v.real < 0)
			return reader_error(r, err, "precision: \"%s\": negative", names[i]);
		*quanta[i] = v.real;
	}
	reader_leave(r, entered);
	return !r->pull.problem || reader_syntax(r, err);
}

static bool read_note(struct snapshot_reader *r, struct err *err)
{
	static const char *const names[] = { "subject", "text" };
	const char *texts[2] = { NULL, NULL };
	uint32_t entered = reader_enter(r);
	struct pull_value key, v;

	if (pull_value(&r->pull, &v) != PULL_OBJECT)
		return reader_wrong_type(r, err, HEAD, "notes", "a list of objects", v.kind);
	while (pull_member(&r->pull, &key)) {
		size_t i = head_find_key(names, 2, key.string);

		if (i == 2) {
			if (!reader_stranger(r, "notes", &key, err))
				return false;
			continue;
		}
		if (texts[i])
			return reader_error(r, err, "notes: \"%s\": duplicate key", names[i]);
		if (!head_read_string(r, "notes", names[i], &texts[i], err))
			return false;
	}
	reader_leave(r, entered);
	if (r->pull.problem)
		return reader_syntax(r, err);
	if (!texts[0] || !texts[1])
		return reader_error(r, err, "notes: a note has a \"subject\" and a \"text\"");
	builder_note(r->builder, texts[0], "%s", texts[1]);
	return true;
}

static bool read_notes(struct snapshot_reader *r, const struct head_key *key, struct err *err)
{
	struct pull_value v;

	if (pull_value(&r->pull, &v) != PULL_ARRAY)
		return reader_wrong_type(r, err, HEAD, key->name, "a list", v.kind);
	while (pull_element(&r->pull))
		if (!read_note(r, err))
			return false;
	return !r->pull.problem || reader_syntax(r, err);
}

/* ---- policy -------------------------------------------------------------------------------- */

/* Appends to TEXT with a comma before all but the first; false if it does not fit. */
static bool head_append(char *text, size_t size, const char *item, size_t length)
{
	size_t used = strlen(text);

	if (used + length + 2 > size)
		return false;
	if (used > 0)
		text[used++] = ',';
	memcpy(text + used, item, length);
	text[used + length] = '\0';
	return true;
}

/* Reads a list of words into the form of slurm.conf. */
static bool head_read_words(struct snapshot_reader *r, const char *name, enum pull_kind first,
			    char *text, size_t size, struct err *err)
{
	struct pull_value v;

	if (first != PULL_ARRAY)
		return reader_wrong_type(r, err, "policy", name, "a list of words", first);
	while (pull_element(&r->pull)) {
		if (pull_value(&r->pull, &v) != PULL_STRING)
			return reader_wrong_type(r, err, "policy", name, "words", v.kind);
		if (v.length == 0 || strpbrk(v.string, ", "))
			return reader_error(r, err, "policy: \"%s\": \"%.80s\" is not a word", name,
					    v.string);
		if (!head_append(text, size, v.string, v.length))
			return reader_error(r, err, "policy: \"%s\": too long", name);
	}
	return !r->pull.problem || reader_syntax(r, err);
}

/* Reads one weight into the form of slurm.conf. */
static bool read_weight(struct snapshot_reader *r, const char *name, const struct pull_value *key,
			char *text, size_t size, struct err *err)
{
	char number[VALUE_DOUBLE_MAX], item[TRES_NAME_MAX + VALUE_DOUBLE_MAX];
	struct pull_value v;
	int length;

	pull_value(&r->pull, &v);
	if (v.kind != PULL_INT && v.kind != PULL_REAL)
		return reader_wrong_type(r, err, "policy", name, "numbers", v.kind);
	value_print_double(v.real, number);
	length = snprintf(item, sizeof(item), "%s=%s", key->string, number);
	if (key->length == 0 || strpbrk(key->string, ",= ") || length >= (int)sizeof(item))
		return reader_error(r, err, "policy: \"%s\": \"%.80s\" is not a TRES", name,
				    key->string);
	if (!head_append(text, size, item, (size_t)length))
		return reader_error(r, err, "policy: \"%s\": too long", name);
	return true;
}

/* {"cpu":2000,"mem":1}; only what fits into SIZE, so searching it for duplicates is cheap. */
static bool read_weights(struct snapshot_reader *r, const char *name, char *text, size_t size,
			 struct err *err)
{
	struct pull_value keys[POLICY_TEXT_MAX / 4];
	size_t count = 0;

	while (pull_member(&r->pull, &keys[count])) {
		for (size_t i = 0; i < count; i++)
			if (strcmp(keys[i].string, keys[count].string) == 0)
				return reader_error(r, err, "policy: \"%s\": \"%s\": duplicate key",
						    name, keys[i].string);
		if (!read_weight(r, name, &keys[count], text, size, err))
			return false;
		count++;
	}
	return !r->pull.problem || reader_syntax(r, err);
}

static bool head_set_text(struct snapshot_reader *r, size_t i, const char *text, struct err *err)
{
	struct err inner = { 0 };

	return policy_set_text(builder_policy(r->builder), i, text, &inner) ||
		reader_error(r, err, "policy: %s", inner.message);
}

static bool head_set_number(struct snapshot_reader *r, size_t i, const struct pull_value *v,
			    struct err *err)
{
	const struct policy_param *param = &policy_params[i];
	int64_t max = param->type == POLICY_U32 ? UINT32_MAX : I64_MOST;

	if (v->kind != PULL_INT)
		return reader_wrong_type(r, err, "policy", param->name,
					 param->type == POLICY_U32 ? "an integer" :
					 "integer seconds or \"inf\"", v->kind);
	if (v->integer < 0 || v->integer > max)
		return reader_error(r, err, "policy: \"%s\": out of range (expected 0 to %" PRId64
				    ")", param->name, max);
	policy_set_number(builder_policy(r->builder), i, (uint64_t)v->integer);
	return true;
}

/* null: not reported by the source, without a configuration or from an excerpt. */
static bool is_unreported(struct snapshot_reader *r, size_t i, const struct pull_value *v)
{
	if (v->kind != PULL_NULL)
		return false;
	policy_forget(builder_policy(r->builder), i);
	return true;
}

static bool read_text_parameter(struct snapshot_reader *r, size_t i, struct pull_value *v,
				struct err *err)
{
	const struct policy_param *param = &policy_params[i];
	bool weights = param->offset == offsetof(struct policy, weight_tres);
	char text[POLICY_TEXT_MAX] = "";

	if (v->kind == PULL_OBJECT && weights)
		return read_weights(r, param->name, text, sizeof(text), err) &&
			head_set_text(r, i, text, err);
	if (policy_is_real(i) && (v->kind == PULL_INT || v->kind == PULL_REAL)) {
		value_print_double(v->real, text);
		return head_set_text(r, i, text, err);
	}
	if (v->kind != PULL_STRING)
		return reader_wrong_type(r, err, "policy", param->name,
					 policy_is_real(i) ? "a number"
					 : weights	   ? "an object or a string"
							   : "a string",
					 v->kind);
	return head_set_text(r, i, v->string, err);
}

static bool head_read_parameter(struct snapshot_reader *r, size_t i, struct err *err)
{
	const struct policy_param *param = &policy_params[i];
	char words[POLICY_TEXT_MAX] = "";
	struct pull_value v;

	pull_value(&r->pull, &v);
	if (is_unreported(r, i, &v))
		return true;
	switch (param->type) {
	case POLICY_TEXT:
		return read_text_parameter(r, i, &v, err);
	case POLICY_FLAGS:
		return head_read_words(r, param->name, v.kind, words, sizeof(words), err) &&
			head_set_text(r, i, words, err);
	case POLICY_BOOL:
		if (v.kind != PULL_BOOL)
			return reader_wrong_type(r, err, "policy", param->name, "true or false",
						 v.kind);
		policy_set_number(builder_policy(r->builder), i, v.boolean);
		return true;
	case POLICY_SECONDS:
		if (v.kind == PULL_STRING && strcmp(v.string, "inf") == 0) {
			policy_set_number(builder_policy(r->builder), i, I64_INFINITE);
			return true;
		}
		break;
	case POLICY_U32:
		break;
	}
	return head_set_number(r, i, &v, err);
}

static bool read_policy(struct snapshot_reader *r, const struct head_key *head, struct err *err)
{
	uint32_t entered = reader_enter(r);
	struct pull_value key, v;
	bool seen[POLICY_PARAMS_MAX] = { false };

	if (pull_value(&r->pull, &v) != PULL_OBJECT)
		return reader_wrong_type(r, err, HEAD, head->name, "an object", v.kind);
	while (pull_member(&r->pull, &key)) {
		size_t i = policy_param_by_name(key.string, key.length);

		if (i == policy_params_count) {
			if (!reader_stranger(r, "policy", &key, err))
				return false;
			continue;
		}
		if (seen[i])
			return reader_error(r, err, "policy: \"%s\": duplicate key",
					    policy_params[i].name);
		seen[i] = true;
		if (!head_read_parameter(r, i, err))
			return false;
	}
	reader_leave(r, entered);
	return !r->pull.problem || reader_syntax(r, err);
}

/* ---- the first line ------------------------------------------------------------------------ */

#define META(member) offsetof(struct cluster_meta, member)

static const struct head_key head_keys[] = {
	{ "kind", head_read_text, META(kind), true },
	{ "cluster", head_read_text, META(name), true },
	{ "version", head_read_text, META(version), false },
	{ "zone", head_read_text, META(zone), false },
	{ "time", head_read_time, META(time), true },
	{ "last_decay", head_read_time, META(last_decay), false },
	{ "boot", head_read_time, META(boot), false },
	{ "last_reset", head_read_time, META(last_reset), false },
	{ "last_backfill", head_read_time, META(last_backfill), false },
	{ "partial", read_hidden, HIDDEN_ASSOCS, false },
	{ "jobs_hidden", read_hidden, HIDDEN_JOBS, false },
	{ "precision", read_precision, 0, false },
	{ "notes", read_notes, 0, false },
	{ "policy", read_policy, 0, false },
};
#define HEAD_KEYS (sizeof(head_keys) / sizeof(head_keys[0]))

static bool read_format(struct snapshot_reader *r, struct err *err)
{
	struct pull_value v;

	if (pull_value(&r->pull, &v) != PULL_INT)
		return reader_wrong_type(r, err, HEAD, "fairtop-snapshot", "an integer", v.kind);
	if (v.integer != SNAPSHOT_FORMAT)
		return reader_error(r, err, "snapshot format %" PRId64 " (expected %d)", v.integer,
				    SNAPSHOT_FORMAT);
	return true;
}

bool reader_head(struct snapshot_reader *r, struct err *err)
{
	bool seen[HEAD_KEYS] = { false };
	struct pull_value key;

	r->meta = *builder_get_meta(r->builder);
	if (!read_format(r, err))
		return false;
	while (pull_member(&r->pull, &key)) {
		size_t i = 0;

		while (i < HEAD_KEYS && strcmp(head_keys[i].name, key.string) != 0)
			i++;
		if (i == HEAD_KEYS) {
			if (!reader_stranger(r, HEAD, &key, err))
				return false;
			continue;
		}
		if (seen[i])
			return reader_error(r, err, HEAD ": \"%s\": duplicate key", key.string);
		seen[i] = true;
		if (!head_keys[i].read(r, &head_keys[i], err))
			return false;
	}
	if (r->pull.problem)
		return reader_syntax(r, err);
	for (size_t i = 0; i < HEAD_KEYS; i++)
		if (head_keys[i].needed && !seen[i])
			return reader_error(r, err, HEAD ": \"%s\" is missing", head_keys[i].name);
	builder_meta(r->builder, &r->meta);
	r->head_seen = true;
	return true;
}

/* ---- the last line ------------------------------------------------------------------------- */

static bool head_read_count(struct snapshot_reader *r, const struct pull_value *key, bool *seen,
			    struct err *err)
{
	enum table table = table_by_name(key->string, key->length);
	struct pull_value v;

	if (table == TABLE_COUNT)
		return reader_stranger(r, "end", key, err);
	if (seen[table])
		return reader_error(r, err, "end: \"%s\": duplicate key", key->string);
	seen[table] = true;
	if (pull_value(&r->pull, &v) != PULL_INT)
		return reader_wrong_type(r, err, "end", key->string, "an integer", v.kind);
	if (v.integer != r->counts[table])
		return reader_error(r, err, "end: \"%s\": %" PRId64 " lines announced, %u found",
				    key->string, v.integer, (unsigned)r->counts[table]);
	return true;
}

bool reader_tail(struct snapshot_reader *r, struct err *err)
{
	bool seen[TABLE_COUNT] = { false };
	struct pull_value key, v;

	if (pull_value(&r->pull, &v) != PULL_OBJECT)
		return reader_wrong_type(r, err, "end", "end", "an object", v.kind);
	while (pull_member(&r->pull, &key))
		if (!head_read_count(r, &key, seen, err))
			return false;
	if (r->pull.problem)
		return reader_syntax(r, err);
	for (int t = 0; t < TABLE_COUNT; t++)
		if (!seen[t] && r->counts[t] > 0)
			return reader_error(r, err, "end: \"%s\" is missing (%u lines found)",
					    table_name((enum table)t), (unsigned)r->counts[t]);
	r->end_seen = true;
	return true;
}
