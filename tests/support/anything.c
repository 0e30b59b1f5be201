/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/anything.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/visible.h"
#include "tests/support/dice.h"

#define LIST_MAX 5

/* Any characters but NUL, as valid UTF-8. */
static size_t some_text(uint64_t *seed, char *buf, size_t size)
{
	static const uint32_t limits[] = { 0x20, 0x80, 0x100, 0x800, 0x10000, 0x110000 };
	size_t length = 0;

	for (uint32_t n = dice_below(seed, 12); n > 0 && length + 5 < size; n--) {
		uint32_t c = dice_below(seed, limits[dice_below(seed, 6)]);

		if (c == 0 || (c >= 0xd800 && c <= 0xdfff))
			c = '"';
		length += utf8_encode(c, buf + length);
	}
	buf[length] = '\0';
	return length;
}

static uint32_t some_u32(uint64_t *seed)
{
	switch (dice_below(seed, 4)) {
	case 0:
		return U32_INFINITE;
	case 1:
		return U32_UNKNOWN - 1;
	case 2:
		return dice_below(seed, 100);
	default:
		return dice_below(seed, U32_UNKNOWN);
	}
}

static int64_t some_i64(uint64_t *seed)
{
	switch (dice_below(seed, 4)) {
	case 0:
		return I64_INFINITE;
	case 1:
		return (int64_t)dice_below(seed, 1000000) - 500000;
	case 2:
		return dice_below(seed, 2) ? I64_INFINITE - 1 : I64_UNKNOWN + 1;
	default:
		return (int64_t)(dice_roll(seed) >> 2);
	}
}

static double some_f64(uint64_t *seed)
{
	double x = dice_double(seed);

	return dice_below(seed, 10) == 0 ? INFINITY : dice_below(seed, 4) == 0 ? -x : x;
}

static void set_list(struct builder *b, uint64_t *seed, enum field f, uint32_t row)
{
	char texts[LIST_MAX][64];
	const char *list[LIST_MAX];
	uint32_t n = dice_below(seed, LIST_MAX + 1);

	for (uint32_t i = 0; i < n; i++) {
		some_text(seed, texts[i], sizeof(texts[i]));
		list[i] = texts[i];
	}
	builder_list(b, f, row, list, n);
}

static void set_tres(struct builder *b, uint64_t *seed, enum field f, uint32_t row)
{
	struct tres_item items[LIST_MAX];
	uint32_t n = 0;

	for (uint32_t t = 0; t < builder_rows(b, TABLE_TRES) && n < LIST_MAX; t++)
		if (dice_below(seed, 2))
			items[n++] = (struct tres_item){ t, fabs(some_f64(seed)) };
	builder_tres(b, f, row, items, n);
}

static void set_anything(struct builder *b, uint64_t *seed, enum field f, uint32_t row)
{
	uint32_t shares = dice_below(seed, 3) ? dice_below(seed, 1000) : SHARES_PARENT;
	char text[64];
	size_t length;

	switch (field_info[f].type) {
	case FIELD_U32:
		builder_u32(b, f, row, some_u32(seed));
		break;
	case FIELD_SHARES:
		builder_u32(b, f, row, shares);
		break;
	case FIELD_I64:
		builder_i64(b, f, row, some_i64(seed));
		break;
	case FIELD_F64:
		builder_f64(b, f, row, some_f64(seed));
		break;
	case FIELD_BOOL:
		builder_bool(b, f, row, dice_below(seed, 2) != 0);
		break;
	case FIELD_TEXT:
		length = some_text(seed, text, sizeof(text));
		builder_text(b, f, row, text, length);
		break;
	case FIELD_LIST:
		set_list(b, seed, f, row);
		break;
	case FIELD_TRES:
		set_tres(b, seed, f, row);
		break;
	case FIELD_TYPE_COUNT:
		break;
	}
}

/* The key fields of a row must be set and unique. */
static void set_identity(struct builder *b, enum table table, uint32_t row)
{
	enum field f = table_first_field(table);
	char text[32];

	if (field_info[f].type == FIELD_U32) {
		builder_u32(b, f, row, row * 7 + 1);
		return;
	}
	snprintf(text, sizeof(text), "%s-%u", table_name(table), (unsigned)row);
	builder_str(b, f, row, text);
}

/* Every third association is an account; the parent is an earlier row; names are distinct. */
static void set_place(struct builder *b, uint64_t *seed, uint32_t row, bool hidden)
{
	uint32_t parent = dice_below(seed, (row + 2) / 3 + (row == 0)) * 3;
	char text[32];

	snprintf(text, sizeof(text), "%s%u", row % 3 ? "user-" : "account-", (unsigned)row);
	if (row > 0)
		builder_u32(b, F_ASSOC_PARENT, row, parent * 7 + 1);
	if (row % 3 == 0) {
		builder_str(b, F_ASSOC_ACCOUNT, row, text);
		if (!hidden || dice_below(seed, 2))
			builder_f64(b, F_ASSOC_USAGE, row, fabs(dice_double(seed)));
		return;
	}
	builder_str(b, F_ASSOC_USER, row, text);
	builder_str(b, F_ASSOC_ACCOUNT, row, builder_get_text(b, F_ASSOC_ACCOUNT, parent));
	if (dice_below(seed, 5))
		builder_f64(b, F_ASSOC_USAGE, row, fabs(dice_double(seed)));
}

static bool placed(enum field f)
{
	return f == F_ASSOC_PARENT || f == F_ASSOC_ACCOUNT || f == F_ASSOC_USER ||
		f == F_ASSOC_USAGE;
}

static void fill_table(struct builder *b, uint64_t *seed, enum table table, uint32_t rows,
		       bool hidden)
{
	enum field first = table_first_field(table);
	enum field last = table_first_field((enum table)(table + 1));

	for (uint32_t i = 0; i < rows; i++) {
		uint32_t row = builder_add(b, table);

		set_identity(b, table, row);
		if (table == TABLE_ASSOC)
			set_place(b, seed, row, hidden);
		for (enum field f = first + 1; f < last; f++)
			if (!placed(f) && dice_below(seed, 3) > 0)
				set_anything(b, seed, f, row);
	}
}

static void fill_policy(struct policy *p, uint64_t *seed)
{
	for (size_t i = 0; i < policy_params_count; i++) {
		if (dice_below(seed, 2))
			continue;
		switch (policy_params[i].type) {
		case POLICY_TEXT:
			policy_set_text(p, i, dice_below(seed, 2) ? "cpu=2.5,gres/gpu=9" : "",
					NULL);
			break;
		case POLICY_FLAGS:
			policy_set_text(p, i, "MAX_TRES,STRANGE_WORD,DEPTH_OBLIVIOUS", NULL);
			break;
		case POLICY_BOOL:
			policy_set_number(p, i, dice_below(seed, 2));
			break;
		case POLICY_U32:
			policy_set_number(p, i, dice_roll(seed) >> 32);
			break;
		case POLICY_SECONDS:
			policy_set_number(p, i, dice_below(seed, 3) ? dice_below(seed, 1000000) :
					  (uint64_t)I64_INFINITE);
			break;
		}
	}
}

static void fill_meta(struct builder *b, uint64_t *seed)
{
	char name[64], zone[64], version[64];
	struct cluster_meta meta = {
		.kind = "any", .name = name, .zone = zone, .version = version
	};

	some_text(seed, name, sizeof(name));
	some_text(seed, zone, sizeof(zone));
	some_text(seed, version, sizeof(version));
	meta.time = (int64_t)dice_below(seed, 2000000000);
	meta.last_decay = dice_below(seed, 2) ? I64_UNKNOWN : -5;
	meta.boot = dice_below(seed, 2) ? I64_UNKNOWN : 0;
	meta.last_reset = dice_below(seed, 2) ? I64_UNKNOWN : meta.time;
	meta.last_backfill = dice_below(seed, 2) ? 0 : meta.time - 7;
	meta.usage_quantum = dice_below(seed, 2) ? 1e-6 : 0;
	meta.ratio_quantum = dice_below(seed, 2) ? 1e-6 : 0;
	builder_meta(b, &meta);
	for (uint32_t n = dice_below(seed, 4); n > 0; n--)
		builder_note(b, name, "%s", zone);
}

struct cluster *anything_new(uint64_t seed, uint32_t rows, bool hidden)
{
	struct builder *b = builder_new();
	struct err err = { 0 };
	struct cluster *c;

	fill_meta(b, &seed);
	fill_policy(builder_policy(b), &seed);
	/* TRES first, because lists refer to their rows. */
	fill_table(b, &seed, TABLE_TRES, dice_below(&seed, 8), hidden);
	for (int t = 0; t < TABLE_COUNT; t++)
		if (t != TABLE_TRES)
			fill_table(b, &seed, (enum table)t, dice_below(&seed, rows + 1), hidden);
	if (hidden)
		builder_hidden(b, HIDDEN_ASSOCS | (dice_below(&seed, 2) ? HIDDEN_JOBS : 0));
	c = builder_seal(b, &err);
	if (!c) {
		fprintf(stderr, "anything: %s\n", err.message);
		abort();
	}
	return c;
}
