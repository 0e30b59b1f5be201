/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/equal.h"

#include <stdio.h>
#include <string.h>

#include "core/cluster/tres.h"

static bool differ(const char *what, const char *name, uint32_t row)
{
	fprintf(stderr, "differ: %s %s, row %u\n", what, name, (unsigned)row);
	return false;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_bits(double a, double b)
{
	return memcmp(&a, &b, sizeof(a)) == 0 || (a != a && b != b);
}

static bool same_list(const struct cluster *a, struct text_list x, const struct cluster *b,
		      struct text_list y)
{
	if (!x.texts != !y.texts || x.count != y.count)
		return false;
	for (uint32_t i = 0; i < x.count; i++)
		if (!same_text(cluster_string(a, x.texts[i]), cluster_string(b, y.texts[i])))
			return false;
	return true;
}

static bool same_tres(struct tres_list x, struct tres_list y)
{
	if (!x.items != !y.items || x.count != y.count)
		return false;
	for (uint32_t i = 0; i < x.count; i++)
		if (x.items[i].tres != y.items[i].tres ||
		    !same_bits(x.items[i].count, y.items[i].count))
			return false;
	return true;
}

static bool same_cell(const struct cluster *a, const struct cluster *b, enum field f, uint32_t row)
{
	switch (field_info[f].type) {
	case FIELD_U32:
	case FIELD_SHARES:
		return cluster_u32(a, f, row) == cluster_u32(b, f, row);
	case FIELD_I64:
		return cluster_i64(a, f, row) == cluster_i64(b, f, row);
	case FIELD_F64:
		return same_bits(cluster_f64(a, f, row), cluster_f64(b, f, row));
	case FIELD_BOOL:
		return cluster_bool(a, f, row) == cluster_bool(b, f, row);
	case FIELD_TEXT:
		return same_text(cluster_text(a, f, row), cluster_text(b, f, row));
	case FIELD_LIST:
		return same_list(a, cluster_list(a, f, row), b, cluster_list(b, f, row));
	case FIELD_TRES:
		return same_tres(cluster_tres(a, f, row), cluster_tres(b, f, row));
	case FIELD_TYPE_COUNT:
		break;
	}
	return false;
}

static bool same_tables(const struct cluster *a, const struct cluster *b)
{
	for (int t = 0; t < TABLE_COUNT; t++)
		if (cluster_rows(a, (enum table)t) != cluster_rows(b, (enum table)t))
			return differ("rows of", table_name((enum table)t), 0);
	for (int f = 0; f < F_COUNT; f++) {
		enum table table = field_info[f].table;

		for (uint32_t row = 0; row < cluster_rows(a, table); row++)
			if (!same_cell(a, b, (enum field)f, row))
				return differ(table_name(table), field_info[f].name, row);
	}
	return true;
}

static bool same_tree(const struct cluster *a, const struct cluster *b)
{
	for (uint32_t i = 0; i < cluster_rows(a, TABLE_ASSOC); i++)
		if (cluster_parent(a)[i] != cluster_parent(b)[i] ||
		    cluster_span(a)[i] != cluster_span(b)[i] ||
		    cluster_depth(a)[i] != cluster_depth(b)[i])
			return differ("tree", "parent, span or depth", i);
	return true;
}

static bool same_meta(const struct cluster *a, const struct cluster *b)
{
	const struct cluster_meta *x = cluster_meta(a), *y = cluster_meta(b);

	if (!same_text(x->kind, y->kind) || !same_text(x->name, y->name) ||
	    !same_text(x->version, y->version) || !same_text(x->zone, y->zone))
		return differ("meta", "texts", 0);
	if (x->time != y->time || x->last_decay != y->last_decay || x->boot != y->boot ||
	    x->last_reset != y->last_reset || x->last_backfill != y->last_backfill)
		return differ("meta", "times", 0);
	if (!same_bits(x->usage_quantum, y->usage_quantum) ||
	    !same_bits(x->ratio_quantum, y->ratio_quantum))
		return differ("meta", "quanta", 0);
	if (cluster_hidden(a) != cluster_hidden(b))
		return differ("meta", "what is hidden", 0);
	if (cluster_notes(a) != cluster_notes(b))
		return differ("notes", "number", 0);
	for (uint32_t i = 0; i < cluster_notes(a); i++)
		if (!same_text(cluster_note(a, i).subject, cluster_note(b, i).subject) ||
		    !same_text(cluster_note(a, i).text, cluster_note(b, i).text))
			return differ("note", cluster_note(a, i).text, i);
	return true;
}

struct weights {
	struct tres_pair pairs[32];
	size_t count;
};

static bool keep(void *context, const struct tres_pair *pair, struct err *err)
{
	struct weights *w = context;

	(void)err;
	if (w->count == 32)
		return false;
	memset(&w->pairs[w->count], 0, sizeof(*pair));
	strcpy(w->pairs[w->count].name, pair->name);
	w->pairs[w->count++].value = pair->value;
	return true;
}

static bool same_weights(const char *a, const char *b)
{
	struct weights x = { .count = 0 }, y = { .count = 0 };

	return strcmp(a, b) == 0 ||
		(tres_parse_weights(a, keep, &x, NULL) && tres_parse_weights(b, keep, &y, NULL) &&
		 x.count == y.count && memcmp(x.pairs, y.pairs, x.count * sizeof(*x.pairs)) == 0);
}

static bool same_policy(const struct policy *a, const struct policy *b)
{
	for (size_t i = 0; i < policy_params_count; i++) {
		char x[1024], y[1024];

		policy_value_text(a, i, x, sizeof(x));
		policy_value_text(b, i, y, sizeof(y));
		if (policy_params[i].offset == offsetof(struct policy, weight_tres) ?
		    !same_weights(x, y) : strcmp(x, y) != 0)
			return differ("policy", policy_params[i].name, 0);
		if (policy_number(a, i) != policy_number(b, i) ||
		    (policy_is_known(a, i) && !policy_is_known(b, i)))
			return differ("policy", policy_params[i].name, 1);
	}
	return strcmp(a->unknown_flags, b->unknown_flags) == 0 ||
		differ("policy", "unknown flags", 0);
}

bool equal_clusters(const struct cluster *a, const struct cluster *b)
{
	return same_meta(a, b) && same_policy(cluster_policy(a), cluster_policy(b)) &&
		same_tables(a, b) && same_tree(a, b);
}
