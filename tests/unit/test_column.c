/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns by name, near misses, and cells as text for users. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/format.h"
#include "core/share/model.h"
#include "core/base/near.h"

static void test_find(void **state)
{
	const struct column *c = accounts_columns;
	size_t n = accounts_columns_count;

	(void)state;
	assert_string_equal(column_find(c, n, "usage_ratio", 11)->name, "usage_ratio");
	assert_string_equal(column_find(c, n, "r", 1)->name, "usage_ratio");
	assert_string_equal(column_find(c, n, "R", 1)->name, "effective_ratio");
	assert_string_equal(column_find(c, n, "usage_", 5)->name, "usage");
	assert_null(column_find(c, n, "usage_", 6));
	assert_null(column_find(c, n, "", 0));
}

/* No name or title may mean two columns. */
static void check_table(const struct column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct column *c = &columns[i];

		assert_non_null(c->get);
		assert_true(c->legend && c->legend[0]);
		assert_ptr_equal(column_find(columns, count, c->name, strlen(c->name)), c);
		assert_ptr_equal(column_find(columns, count, c->title, strlen(c->title)), c);
	}
}

static void test_tables(void **state)
{
	(void)state;
	check_table(accounts_columns, accounts_columns_count);
	check_table(policy_columns, policy_columns_count);
}

/* The keys that the contract promises, in any order; an algorithm may add its own. */
static void test_contract(void **state)
{
	static const char *const accounts[] = {
		"path", "account", "user", "partition", "depth", "shares", "norm_shares", "usage",
		"norm_usage", "effective_usage", "usage_ratio", "local_ratio", "k",
		"effective_ratio", "fairshare", "level_fs", "rank", "fair_tree_rank", "running",
		"pending", "burn", "limits",
	};
	static const char *const policy[] = {
		"name", "value", "default", "unit", "meaning", "from", "what_if",
	};

	(void)state;
	assert_true(accounts_columns_count >= sizeof(accounts) / sizeof(accounts[0]));
	for (size_t i = 0; i < sizeof(accounts) / sizeof(accounts[0]); i++)
		assert_non_null(column_find(accounts_columns, accounts_columns_count, accounts[i],
					    strlen(accounts[i])));
	assert_int_equal(policy_columns_count, sizeof(policy) / sizeof(policy[0]));
	for (size_t i = 0; i < sizeof(policy) / sizeof(policy[0]); i++)
		assert_non_null(column_find(policy_columns, policy_columns_count, policy[i],
					    strlen(policy[i])));
}

static void test_unknown(void **state)
{
	struct err err;

	(void)state;
	assert_false(column_unknown(accounts_columns, accounts_columns_count, "usge", 4, &err));
	assert_int_equal(err.code, ERR_INPUT);
	assert_string_equal(err.message, "usge: no such column (did you mean usage?)");
	column_unknown(accounts_columns, accounts_columns_count, "rank_change", 11, &err);
	assert_string_equal(err.message, "rank_change: no such column "
			    "(comparison columns need a what-if)");
	column_unknown(accounts_columns, accounts_columns_count, "base_rank", 9, &err);
	assert_non_null(strstr(err.message, "columns need a what-if"));
	column_unknown(accounts_columns, accounts_columns_count, "_change", 7, &err);
	assert_null(strstr(err.message, "columns need a what-if"));
	column_unknown(policy_columns, policy_columns_count, "zzzzzz", 6, &err);
	assert_string_equal(err.message, "zzzzzz: no such column (name value what_if default unit "
			    "meaning from)");
}

static void test_distance(void **state)
{
	(void)state;
	assert_int_equal(near_distance("", 0, "abc", 3), 3);
	assert_int_equal(near_distance("kitten", 6, "sitting", 7), 3);
	assert_int_equal(near_distance("ab", 2, "BA", 2), 1);		/* swapped */
	assert_int_equal(near_distance("usage", 5, "usage", 5), 0);
}

static void test_near(void **state)
{
	struct near n;
	char buf[100];

	(void)state;
	near_init(&n, "ratio", 5);
	near_offer(&n, "usage_ratio");
	near_offer(&n, "shares");
	near_offer(&n, "local_ratio");
	near_offer(&n, "ratoi");
	near_offer(&n, "ratoi");
	near_offer(&n, "effective_ratio");
	assert_string_equal(near_text(&n, buf, sizeof(buf)),
			    "did you mean ratoi, usage_ratio or local_ratio?");
	near_init(&n, "q", 1);
	near_offer(&n, "sequence");
	near_offer(&n, "x");
	near_offer(&n, "");
	assert_string_equal(near_text(&n, buf, sizeof(buf)), "");
}

static const char *si(double x, unsigned decimals)
{
	static char buf[40];

	size_t length = format_si(x, decimals, buf, sizeof(buf));

	assert_int_equal(length, strlen(buf));
	return buf;
}

static void test_si(void **state)
{
	(void)state;
	assert_string_equal(si(0, 2), "0.00 ");
	assert_string_equal(si(818254, 2), "818.25k");
	assert_string_equal(si(999.994, 2), "999.99 ");
	assert_string_equal(si(999.996, 2), "1.00k");
	assert_string_equal(si(-1.5e9, 1), "-1.5G");
	assert_string_equal(si(1e21, 0), "1000E");
	assert_string_equal(si((double)INFINITY, 2), "inf ");
	assert_string_equal(si(F64_UNKNOWN, 2), "- ");
}

static const char *in_threes(double x)
{
	static char buf[60];
	size_t length = format_grouped(x, buf, sizeof(buf));

	assert_int_equal(length, strlen(buf));
	return buf;
}

static void test_grouped(void **state)
{
	char cut[4];

	(void)state;
	assert_string_equal(in_threes(0), "0");
	assert_string_equal(in_threes(-0.2), "0");
	assert_string_equal(in_threes(999), "999");
	assert_string_equal(in_threes(2.4e6), "2,400,000");
	assert_string_equal(in_threes(-1234.5), "-1,234");
	assert_string_equal(in_threes((double)INFINITY), "inf");
	assert_string_equal(in_threes(F64_UNKNOWN), "-");
	assert_int_equal(format_grouped(DBL_MAX, cut, sizeof(cut)), 309 + 102);
	assert_string_equal(cut, "179");
}

static const char *cell(enum column_format format, uint8_t decimals, const struct value *v)
{
	static char buf[100];
	struct column c = { .format = format, .decimals = decimals };

	size_t length = format_cell(&c, v, NULL, buf, sizeof(buf));

	assert_int_equal(length, strlen(buf));
	return buf;
}

static void test_cells(void **state)
{
	struct value real = { .kind = VALUE_REAL, .real = 2.0 / 3 };
	struct value integer = { .kind = VALUE_INT, .integer = -7200 };
	struct value yes = { .kind = VALUE_BOOL, .integer = 1 };
	struct value unknown = { .kind = VALUE_UNKNOWN };
	struct value nan = { .kind = VALUE_REAL, .real = F64_UNKNOWN };

	(void)state;
	assert_string_equal(cell(COLUMN_RATIO, 4, &real), "0.6667");
	assert_string_equal(cell(COLUMN_PLAIN, 0, &real), "0.6666666666666666");
	assert_string_equal(cell(COLUMN_PLAIN, 3, &real), "0.667");
	assert_string_equal(cell(COLUMN_PLAIN, 0, &integer), "-7200");
	assert_string_equal(cell(COLUMN_TIME, 0, &integer), "-7200");
	assert_string_equal(cell(COLUMN_PLAIN, 0, &yes), "yes");
	assert_string_equal(cell(COLUMN_RATIO, 4, &unknown), "-");
	assert_string_equal(cell(COLUMN_RATIO, 4, &nan), "-");
	assert_string_equal(cell(COLUMN_SI, 2, &unknown), "- ");
	integer.integer = 93784;
	assert_string_equal(cell(COLUMN_DURATION, 0, &integer), "1-02:03:04");
}

static void test_maps(void **state)
{
	static const struct value_entry entries[] = {
		{ .key = "max_jobs", .number = 5 }, { .key = "max_wall", .text = "02:00:00" }
	};
	struct value map = { .kind = VALUE_MAP, .entries = entries, .count = 2 };
	struct column c = { .format = COLUMN_PLAIN };
	char small[12];

	(void)state;
	assert_string_equal(cell(COLUMN_PLAIN, 0, &map), "max_jobs=5,max_wall=02:00:00");
	/* Like snprintf: cuts, terminates, and returns the full length. */
	assert_int_equal(format_cell(&c, &map, NULL, small, sizeof(small)), 28);
	assert_string_equal(small, "max_jobs=5,");
	map.count = 0;
	assert_string_equal(cell(COLUMN_PLAIN, 0, &map), "");
}

static void test_records(void **state)
{
	static const struct value_entry entries[] = {
		{ .key = "text", .text = "first", .begins = true }, { .key = "n", .number = 5 },
		{ .key = "text", .text = "second", .begins = true }, { .key = "s", .text = "t" }
	};
	struct value records = { .kind = VALUE_RECORDS, .entries = entries, .count = 4 };

	(void)state;
	assert_string_equal(cell(COLUMN_PLAIN, 0, &records), "first; second");
	records.count = 0;
	assert_string_equal(cell(COLUMN_PLAIN, 0, &records), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),	 cmocka_unit_test(test_tables),
		cmocka_unit_test(test_contract), cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_distance), cmocka_unit_test(test_near),
		cmocka_unit_test(test_si),	 cmocka_unit_test(test_grouped),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_records),
	};

	return cmocka_run_group_tests_name("column", tests, NULL, NULL);
}
