/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/toy.h"

#include <stdio.h>

static const struct value_entry map0[] = { { .key = "cpu", .number = 4 },
					   { .key = "wall", .text = "1-0" } };
static const struct value_entry map3[] = { { .key = "cpu", .number = 8 } };
static const struct value_entry map4[] = { { .key = "wall", .text = "2-0" } };
static const struct value_entry list0[] = { { .text = "a" }, { .text = "b" } };
static const struct value_entry list3[] = { { .text = "b" } };
static const struct value_entry list4[] = { { .text = "c" } };

#define UNKNOWN { .kind = VALUE_UNKNOWN }
#define INT(n) { .kind = VALUE_INT, .integer = n }
#define REAL(x) { .kind = VALUE_REAL, .real = x }
#define TEXT(s) { .kind = VALUE_TEXT, .text = s }
#define BOOL(n) { .kind = VALUE_BOOL, .integer = n }
#define MAP(e, n) { .kind = VALUE_MAP, .entries = e, .count = n }
#define LIST(e, n) { .kind = VALUE_LIST, .entries = e, .count = n }

static const struct value names[] = {
	TEXT("alpha"), TEXT("Beta"), TEXT("gamma \"q\""), TEXT("de,lta"), TEXT("\033[31m"),
};
static const struct value sizes[] = { INT(3), UNKNOWN, INT(10), TEXT("parent"), INT(3) };
static const struct value ratios[] = {
	REAL(0.5), REAL(F64_UNKNOWN), REAL((double)INFINITY), REAL(2), REAL(0.25),
};
static const struct value times[] = { INT(3600), UNKNOWN, INT(60), INT(93784), INT(0) };
static const struct value since[] = { INT(1000), UNKNOWN, INT(2000), INT(500), INT(0) };
static const struct value ups[] = { BOOL(1), UNKNOWN, BOOL(0), BOOL(1), BOOL(0) };
static const struct value maps[] = {
	MAP(map0, 2), UNKNOWN, MAP(NULL, 0), MAP(map3, 1), MAP(map4, 1),
};
static const struct value lists[] = {
	LIST(list0, 2), UNKNOWN, LIST(NULL, 0), LIST(list3, 1), LIST(list4, 1),
};

#define GETTER(what, array) \
	static void what(const struct position *pos, struct value *out) \
	{ \
		*out = array[pos->row]; \
	}
GETTER(get_size, sizes)
GETTER(get_ratio, ratios)
GETTER(get_time, times)
GETTER(get_since, since)
GETTER(get_up, ups)
GETTER(get_limits, maps)
GETTER(get_tags, lists)

/* As in getters that format: the text is in the value itself. */
static void get_name(const struct position *pos, struct value *out)
{
	out->kind = VALUE_TEXT;
	(void)snprintf(out->buffer, sizeof(out->buffer), "%s", names[pos->row].text);
	out->text = out->buffer;
}

const struct column toy_columns[] = {
	{ .name = "name", .title = "N", .legend = "x", .left = true, .only = 3, .needs = 1,
	  .get = get_name },
	{ .name = "size", .title = "Size", .legend = "x", .only = 1, .needs = 2, .get = get_size },
	{ .name = "ratio", .title = "R", .legend = "x", .format = COLUMN_RATIO, .decimals = 2,
	  .unit = UNIT_RATIO, .only = 1, .needs = 4, .get = get_ratio },
	{ .name = "time", .title = "Time", .legend = "x", .format = COLUMN_DURATION,
	  .unit = UNIT_SECONDS, .only = 1, .needs = 8, .get = get_time },
	{ .name = "since", .title = "Since", .legend = "x", .format = COLUMN_TIME,
	  .unit = UNIT_TIME, .needs = 16, .get = get_since },
	{ .name = "up", .title = "Up", .legend = "x", .needs = 32, .get = get_up },
	{ .name = "limits", .title = "Limits", .legend = "x", .needs = 64, .get = get_limits },
	{ .name = "tags", .title = "Tags", .legend = "x", .left = true, .needs = 128,
	  .get = get_tags },
};
const size_t toy_columns_count = sizeof(toy_columns) / sizeof(toy_columns[0]);

struct view toy_view(void)
{
	struct view view = { .name = "toy", .columns = toy_columns,
			     .column_count = toy_columns_count, .rows = TOY_ROWS };

	return view;
}
