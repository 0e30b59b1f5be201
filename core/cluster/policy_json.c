/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/policy_json.h"

#include <string.h>

#include "core/cluster/tres.h"
#include "core/base/unknown.h"

/* More weights than this are written as text. */
#define WEIGHTS_MAX 64

struct weights {
	struct tres_pair pairs[WEIGHTS_MAX];
	size_t count;
};

/* If an item repeats, the last one counts. */
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

static void policy_put_weights(struct jsonw *j, const char *text)
{
	struct weights w;

	w.count = 0;
	if (!tres_parse_weights(text, keep_weight, &w, NULL)) {
		jsonw_string(j, text);
		return;
	}
	jsonw_object_begin(j);
	for (size_t i = 0; i < w.count; i++) {
		jsonw_key(j, w.pairs[i].name);
		jsonw_double(j, w.pairs[i].value);
	}
	jsonw_object_end(j);
}

/* TEXT, words between commas, as a list. */
static void policy_put_words(struct jsonw *j, const char *text)
{
	jsonw_array_begin(j);
	while (*text) {
		size_t length = strcspn(text, ",");

		if (length > 0)
			jsonw_string_n(j, text, length);
		text += length;
		text += *text == ',';
	}
	jsonw_array_end(j);
}

static void policy_put_parameter(struct jsonw *j, const struct policy *p, size_t i)
{
	char text[POLICY_LIST_MAX];
	uint64_t number = policy_number(p, i);
	double real;

	if (policy_is_unreported(p, i)) {
		jsonw_null(j);
		return;
	}
	switch (policy_params[i].type) {
	case POLICY_U32:
		jsonw_int(j, (int64_t)number);
		return;
	case POLICY_SECONDS:
		if ((int64_t)number == I64_INFINITE)
			jsonw_string(j, "inf");
		else
			jsonw_int(j, (int64_t)number);
		return;
	case POLICY_BOOL:
		jsonw_bool(j, number != 0);
		return;
	case POLICY_FLAGS:
		policy_value_text(p, i, text, sizeof(text));
		policy_put_words(j, text);
		return;
	case POLICY_TEXT:
		break;
	}
	if (policy_real(p, i, &real)) {
		jsonw_double(j, real);
		return;
	}
	policy_value_text(p, i, text, sizeof(text));
	if (policy_params[i].offset == offsetof(struct policy, weight_tres))
		policy_put_weights(j, text);
	else
		jsonw_string(j, text);
}

static bool policy_is_default(const struct policy *p, const struct policy *defaults, size_t i)
{
	char is[POLICY_LIST_MAX], should[POLICY_LIST_MAX];

	policy_value_text(p, i, is, sizeof(is));
	policy_value_text(defaults, i, should, sizeof(should));
	return strcmp(is, should) == 0;
}

void policy_json(struct jsonw *j, const struct policy *p)
{
	struct policy defaults;

	policy_init(&defaults);
	jsonw_object_begin(j);
	for (size_t i = 0; i < policy_params_count; i++) {
		if (!policy_is_known(p, i) && policy_is_default(p, &defaults, i))
			continue;
		jsonw_key(j, policy_params[i].name);
		policy_put_parameter(j, p, i);
	}
	jsonw_object_end(j);
}
