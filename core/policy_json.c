/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/policy_json.h"

#include <string.h>

#include "core/tres.h"
#include "core/unknown.h"

/* More weights than a cluster has kinds of TRES are written as text. */
#define WEIGHTS_MAX 64

struct weights {
	struct tres_pair pairs[WEIGHTS_MAX];
	size_t count;
};

/* Of an item that repeats the last one counts. */
static bool keep_weight(void *context, const struct tres_pair *pair, struct err *err)
{
	struct weights *w = context;
	size_t i = 0;

	while (i < w->count && strcmp(w->pairs[i].name, pair->name) != 0)
		i++;
	if (i == WEIGHTS_MAX)
		return err_set(err, ERR_INPUT, "more than %d weights", WEIGHTS_MAX);
	w->pairs[i] = *pair;
	w->count += i == w->count;
	return true;
}

static void put_weights(struct json *j, const char *text)
{
	struct weights w;

	w.count = 0;
	if (!tres_parse_weights(text, keep_weight, &w, NULL)) {
		json_string(j, text);
		return;
	}
	json_object_begin(j);
	for (size_t i = 0; i < w.count; i++) {
		json_key(j, w.pairs[i].name);
		json_double(j, w.pairs[i].value);
	}
	json_object_end(j);
}

/* TEXT, words between commas, as a list. */
static void put_words(struct json *j, const char *text)
{
	json_array_begin(j);
	while (*text) {
		size_t length = strcspn(text, ",");

		if (length > 0)
			json_string_n(j, text, length);
		text += length;
		text += *text == ',';
	}
	json_array_end(j);
}

static void put_parameter(struct json *j, const struct policy *p, size_t i)
{
	char text[POLICY_TEXT_MAX];
	uint64_t number = policy_number(p, i);

	switch (policy_params[i].type) {
	case POLICY_U32:
		json_int(j, (int64_t)number);
		return;
	case POLICY_SECONDS:
		if ((int64_t)number == I64_INFINITE)
			json_string(j, "inf");
		else
			json_int(j, (int64_t)number);
		return;
	case POLICY_BOOL:
		json_bool(j, number != 0);
		return;
	case POLICY_FLAGS:
		policy_value_text(p, i, text, sizeof(text));
		put_words(j, text);
		return;
	case POLICY_TEXT:
		break;
	}
	policy_value_text(p, i, text, sizeof(text));
	if (policy_params[i].offset == offsetof(struct policy, weight_tres))
		put_weights(j, text);
	else
		json_string(j, text);
}

void policy_json(struct json *j, const struct policy *p)
{
	json_object_begin(j);
	for (size_t i = 0; i < policy_params_count; i++) {
		if (!policy_is_known(p, i))
			continue;
		json_key(j, policy_params[i].name);
		put_parameter(j, p, i);
	}
	json_object_end(j);
}
