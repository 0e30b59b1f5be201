/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Untrusted filters, sort orders and column lists, over the toy view: nothing may crash, hang or
 * depend on what was evaluated before.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/table/rows.h"
#include "tests/support/toy.h"
#include "tui/base/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_filter(const char *text)
{
	struct err err = { .code = ERR_NONE };
	struct filter *f = filter_parse(text, toy_columns, toy_columns_count, &err);
	struct view view = toy_view();

	if (!f) {
		/* A refusal always has a message. */
		if (err.code != ERR_INPUT || !err.message[0])
			abort();
		return;
	}
	for (uint32_t row = 0; row < view.rows; row++) {
		bool first = filter_match(f, &view, row);

		if (filter_match(f, &view, row) != first)
			abort();
	}
	(void)filter_needs(f);
	filter_free(f);
}

static void fuzz_sort(const char *text)
{
	struct view view = toy_view();
	struct row_order order;
	uint32_t count, *rows, seen = 0;

	if (!rows_parse_sort(text, toy_columns, toy_columns_count, &order, NULL))
		return;
	rows = rows_select(&view, NULL, &order, &count);
	for (uint32_t i = 0; i < count; i++)
		seen |= UINT32_C(1) << rows[i];
	if (count != view.rows || seen != (UINT32_C(1) << view.rows) - 1)
		abort();
	mem_free(rows);
}

static void fuzz_columns(const char *text)
{
	struct view view = toy_view();
	struct err err;
	size_t count;

	mem_free(report_columns(&view, text, REPORT_CSV, 0, &count, &err));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size);

	fuzz_filter(text);
	fuzz_sort(text);
	fuzz_columns(text);
	mem_free(text);
	return 0;
}
