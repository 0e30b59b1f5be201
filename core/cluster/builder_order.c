/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/cluster_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

/* TO[i] = FROM[order[i]], element by element of SIZE bytes. */
static void builder_gather(char *to, const char *from, size_t size, const uint32_t *order,
			   uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		memcpy(to + i * size, from + order[i] * size, size);
}

void builder_order(struct builder *b, enum table table, const uint32_t *order)
{
	uint32_t n = b->rows[table];
	char *copy = mem_alloc((size_t)n + 1, sizeof(uint64_t));

	assert(table != TABLE_ASSOC || !b->lines);
	for (unsigned f = table_first_field(table); f < F_COUNT && field_info[f].table == table;
	     f++) {
		struct build_column *column = &b->columns[f];
		size_t size = field_size(field_info[f].type);

		if (!column->values)
			continue;
		if (column->filled < n) {
			column->values = mem_grow(column->values, &column->capacity, n, size);
			column_fill_unknown(field_info[f].type, column->values, column->filled, n);
			column->filled = n;
		}
		builder_gather(copy, column->values, size, order, n);
		memcpy(column->values, copy, n * size);
	}
	mem_free(copy);
}

struct builder_named {
	const char *user, *account;	/* user NULL: an account */
	uint32_t row;
};

static int builder_compare_names(const void *left, const void *right)
{
	const struct builder_named *a = left, *b = right;
	int order = !a->user != !b->user ? !a->user - !b->user :
		    a->user ? strcmp(a->user, b->user) : strcmp(a->account, b->account);

	return order != 0 ? order : (a->row > b->row) - (a->row < b->row);
}

void builder_order_names(struct builder *b)
{
	uint32_t n = b->rows[TABLE_ASSOC], *order = mem_alloc((size_t)n + 1, sizeof(*order));
	struct builder_named *names = mem_alloc((size_t)n + 1, sizeof(*names));

	for (uint32_t i = 0; i < n; i++) {
		const char *account = builder_get_text(b, F_ASSOC_ACCOUNT, i);

		names[i] = (struct builder_named){ builder_get_text(b, F_ASSOC_USER, i),
					   account ? account : "", i };
	}
	qsort(names, n, sizeof(*names), builder_compare_names);
	for (uint32_t i = 0; i < n; i++)
		order[i] = names[i].row;
	builder_order(b, TABLE_ASSOC, order);
	mem_free(names);
	mem_free(order);
}
