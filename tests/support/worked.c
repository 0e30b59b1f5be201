/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/worked.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/support/data.h"

const json_t *worked_cases(json_t **document)
{
	char path[1024];

	*document = data_json(data_path("worked-cases.json", path, sizeof(path)));
	return json_object_get(*document, "cases");
}

void worked_hold(const char *kind, size_t count, bool (*check)(const json_t *one))
{
	json_t *document;
	const json_t *cases = worked_cases(&document), *one;
	size_t i, seen = 0;
	bool ok = true;

	json_array_foreach(cases, i, one) {
		if (strcmp(json_string_value(json_object_get(one, "kind")), kind) == 0) {
			print_message("%s\n", json_string_value(json_object_get(one, "name")));
			ok &= check(one);
			seen++;
		}
	}
	json_decref(document);
	assert_int_equal(seen, count);
	assert_true(ok);
}

/*
 * Own usage plus that of everything below, unless the case gives the scheduler's value ("raw").
 */
static double subtree_usage(const json_t *node)
{
	double own = data_number(node, "usage"), raw = data_number(node, "raw"), sum;
	const json_t *child;
	size_t i;

	if (!isnan(raw))
		return raw;
	sum = isnan(own) ? 0 : own;
	json_array_foreach(json_object_get(node, "children"), i, child)
		sum += subtree_usage(child);
	return sum;
}

/* Adds users before accounts among siblings, otherwise in the order of the file. */
static void add_node(struct builder *b, const json_t *node, uint32_t parent, const char *account,
		     const char *path)
{
	const char *name = json_string_value(json_object_get(node, "name"));
	const json_t *shares = json_object_get(node, "shares"), *child;
	bool user = json_is_true(json_object_get(node, "user"));
	uint32_t row = builder_add(b, TABLE_ASSOC);
	char own_path[256];
	size_t i;

	snprintf(own_path, sizeof(own_path), "%s%s%s", path, *path ? "/" : "", name);
	builder_u32(b, F_ASSOC_ID, row, row + 1);
	if (parent != ROW_NONE)
		builder_u32(b, F_ASSOC_PARENT, row, parent + 1);
	builder_str(b, F_ASSOC_ACCOUNT, row, user ? account : own_path);
	builder_str(b, F_ASSOC_USER, row, user ? name : NULL);
	builder_u32(b, F_ASSOC_SHARES, row, json_is_string(shares) ? SHARES_PARENT :
		    (uint32_t)json_integer_value(shares));
	builder_f64(b, F_ASSOC_USAGE, row, subtree_usage(node));
	for (int accounts = 0; accounts < 2; accounts++) {
		json_array_foreach(json_object_get(node, "children"), i, child) {
			if (json_is_true(json_object_get(child, "user")) != accounts)
				add_node(b, child, row, own_path, own_path);
		}
	}
}

struct cluster *worked_cluster(const json_t *one)
{
	struct builder *b = builder_new();
	double damping = data_number(one, "damp");
	struct err err = { 0 };
	struct cluster *c;

	if (!isnan(damping))
		builder_policy(b)->damping = (uint32_t)damping;
	add_node(b, json_object_get(one, "tree"), ROW_NONE, "", "");
	c = builder_seal(b, &err);
	if (!c) {
		fprintf(stderr, "worked case: %s\n", err.message);
		exit(1);
	}
	return c;
}

/* In these clusters the name of an account is its whole path. */
uint32_t worked_row(const struct cluster *c, const char *path)
{
	const char *slash = strrchr(path, '/');

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++) {
		const char *account = cluster_text(c, F_ASSOC_ACCOUNT, i);

		if (!cluster_is_user(c, i) && strcmp(account, path) == 0)
			return i;
		if (cluster_is_user(c, i) && slash && strlen(account) == (size_t)(slash - path) &&
		    strncmp(account, path, (size_t)(slash - path)) == 0 &&
		    strcmp(cluster_text(c, F_ASSOC_USER, i), slash + 1) == 0)
			return i;
	}
	return ROW_NONE;
}
