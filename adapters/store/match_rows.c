/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pairs the rows of this sample with those of the last one, and orders them. */
#include <string.h>

#include "adapters/store/private.h"
#include "core/base/dice.h"
#include "core/base/mem.h"
#include "core/base/text.h"

#define STEP 1024		/* between two neighbours, so that others fit in between later */

static const struct {
	enum table table;
	enum field fields[4];
	size_t count;
} identity[] = {
	{ TABLE_ASSOC, { F_ASSOC_ID }, 1 },
	{ TABLE_JOB, { F_JOB_ID, F_JOB_ARRAY, F_JOB_TASK, F_JOB_JOB_ID }, 4 },
	{ TABLE_PRIO, { F_PRIO_JOB, F_PRIO_PARTITION, F_PRIO_QOS }, 3 },
};

static void mix_field(const struct cluster *c, enum field field, uint64_t *keys)
{
	uint32_t n = cluster_rows(c, field_info[field].table);
	const uint32_t *column = cluster_col(c, field);

	for (uint32_t i = 0; column && i < n; i++) {
		const char *text;

		if (field_info[field].type != FIELD_TEXT) {
			keys[i] = dice_mix(keys[i] ^ column[i]);
			continue;
		}
		text = cluster_string(c, column[i]);
		keys[i] = text_hash(text ? text : "", text ? strlen(text) : 0, keys[i]);
	}
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void row_keys(const struct cluster *c, enum table table, uint64_t *keys)
{
	uint32_t n = cluster_rows(c, table);
	size_t i;

	for (uint32_t row = 0; row < n; row++)
		keys[row] = table;
	for (i = 0; i < sizeof(identity) / sizeof(identity[0]); i++) {
		if (identity[i].table != table)
			continue;
		for (size_t f = 0; f < identity[i].count; f++)
			mix_field(c, identity[i].fields[f], keys);
		break;
	}
	/* The other tables begin with their name. */
	if (i == sizeof(identity) / sizeof(identity[0]))
		mix_field(c, table_first_field(table), keys);
}

void row_match(const struct cluster *c, enum table table, struct idmap *rows,
	       const struct idmap *old, uint32_t *where)
{
	uint32_t n = cluster_rows(c, table);
	uint64_t *keys = mem_alloc(n, sizeof(*keys));

	row_keys(c, table, keys);
	idmap_reserve(rows, n);
	for (uint32_t row = 0; row < n; row++) {
		while (idmap_has(rows, keys[row]))
			keys[row] = dice_mix(keys[row] + 1);
		idmap_put(rows, keys[row], row);
		if (old)
			where[row] = idmap_get(old, keys[row], ROW_NONE);
	}
	mem_free(keys);
}

/* ---- order --------------------------------------------------------------------------------- */

/*
 * Marks in KEEP a longest subsequence of rows whose positions increase (patience sorting): these
 * rows need not move.
 */
static void longest_increasing(const int64_t *position, uint32_t n, bool *keep)
{
	/* The last row of the best subsequence of each length. */
	uint32_t *tail = mem_alloc((size_t)n + 1, sizeof(*tail));
	uint32_t *before = mem_alloc((size_t)n + 1, sizeof(*before));
	uint32_t length = 0, row;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t low = 0, high = length;

		if (position[i] == POSITION_NONE)
			continue;
		while (low < high) {
			uint32_t middle = (low + high) / 2;

			if (position[tail[middle]] < position[i])
				low = middle + 1;
			else
				high = middle;
		}
		before[i] = low > 0 ? tail[low - 1] : ROW_NONE;
		tail[low] = i;
		if (low == length)
			length++;
	}
	for (row = length > 0 ? tail[length - 1] : ROW_NONE; row != ROW_NONE; row = before[row])
		keep[row] = true;
	mem_free(tail);
	mem_free(before);
}

/* In the usual case nothing moved: all rows with a position keep it. */
static bool all_increasing(const int64_t *position, uint32_t n, bool *keep)
{
	int64_t before = POSITION_NONE;

	for (uint32_t i = 0; i < n; i++) {
		keep[i] = position[i] != POSITION_NONE;
		if (keep[i] && position[i] <= before)
			return false;
		before = keep[i] ? position[i] : before;
	}
	return true;
}

static void match_rows_renumber(int64_t *position, uint32_t n, bool *changed)
{
	for (uint32_t i = 0; i < n; i++) {
		changed[i] = changed[i] || position[i] != (int64_t)(i + 1) * STEP;
		position[i] = (int64_t)(i + 1) * STEP;
	}
}

/* Spreads the rows [from, to) over positions between LOW and HIGH; false if there are too few. */
static bool match_rows_spread(int64_t *position, uint32_t from, uint32_t to, int64_t low,
			      int64_t high)
{
	int64_t count = (int64_t)to - from, step = (high - low) / (count + 1);

	if (step < 1)
		return false;
	for (uint32_t i = from; i < to; i++)
		position[i] = low + step * (int64_t)(i - from + 1);
	return true;
}

void row_positions(int64_t *position, uint32_t n, bool *changed)
{
	bool *keep = mem_zalloc((size_t)n + 1, sizeof(*keep));
	bool room = true;
	int64_t low = 0;
	uint32_t i = 0;

	if (!all_increasing(position, n, keep)) {
		memset(keep, 0, n * sizeof(*keep));
		longest_increasing(position, n, keep);
	}
	for (uint32_t row = 0; row < n; row++)
		changed[row] = !keep[row];
	while (room && i < n) {
		uint32_t end = i;

		if (keep[i]) {
			low = position[i++];
			continue;
		}
		while (end < n && !keep[end])
			end++;
		/* After the last one there are positions without end. */
		room = end < n ? match_rows_spread(position, i, end, low, position[end]) :
		       low < INT64_MAX / 4 && match_rows_spread(position, i, end, low, low + STEP *
								((int64_t)(end - i) + 1));
		i = end;
	}
	if (!room)
		match_rows_renumber(position, n, changed);
	mem_free(keep);
}
