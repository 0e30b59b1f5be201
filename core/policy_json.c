/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/policy_json.h"

#include <string.h>

#include "core/tres.h"
#include "core/unknown.h"

static bool policy_json_weight(void *context, const struct tres_pair *pair, struct err *err)
{
	struct json *j = context;

	(void)err;
	json_key(j, pair->name);
	json_double(j, pair->value);
	return true;
}

static bool policy_json_nothing(void *context, const struct tres_pair *pair, struct err *err)
{
	(void)context;
	(void)pair;
	(void)err;
	return true;
}

/* Weights that cannot be read stay the text they are. */
static void policy_json_tres(struct json *j, const char *text)
{
	if (!tres_parse_weights(text, policy_json_nothing, NULL, NULL)) {
		json_string(j, text);
		return;
	}
	json_object_begin(j);
	(void)tres_parse_weights(text, policy_json_weight, j, NULL);
	json_object_end(j);
}

static void policy_json_flags(struct json *j, const struct policy *p)
{
	const char *word = p->unknown_flags;

	json_array_begin(j);
	for (size_t i = 0; i < policy_flags_count; i++) {
		if (p->flags & policy_flags[i].bit)
			json_string(j, policy_flags[i].name);
	}
	while (*word) {
		size_t length = strcspn(word, ",");

		if (length > 0)
			json_string_n(j, word, length);
		word += length + (word[length] == ',');
	}
	json_array_end(j);
}

static void policy_json_value(struct json *j, const struct policy *p, size_t i)
{
	char text[POLICY_TEXT_MAX];

	switch (policy_params[i].type) {
	case POLICY_FLAGS:
		policy_json_flags(j, p);
		return;
	case POLICY_BOOL:
		json_bool(j, policy_number(p, i) != 0);
		return;
	case POLICY_U32:
	case POLICY_SECONDS:
		if ((int64_t)policy_number(p, i) == I64_INFINITE)
			json_double(j, (double)INFINITY);
		else
			json_int(j, (int64_t)policy_number(p, i));
		return;
	case POLICY_TEXT:
		break;
	}
	policy_value_text(p, i, text, sizeof(text));
	if (policy_params[i].offset == offsetof(struct policy, weight_tres) && text[0])
		policy_json_tres(j, text);
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
		policy_json_value(j, p, i);
	}
	json_object_end(j);
}
