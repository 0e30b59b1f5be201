/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One row of a table. All its values are read and checked before any is put into the builder.
 *
 * Keys come in the same order line after line, so each field is first searched where it was the
 * last time: after the field before it.
 */
#include "adapters/snapshot/reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"

/* ---- which field --------------------------------------------------------------------------- */

/* Length of the part of a field's name before its dot; 0 without one. */
static size_t rows_group_length(int field)
{
	const char *name = field_info[field].name, *dot = strchr(name, '.');

	return dot ? (size_t)(dot - name) : 0;
}

/* The first field of FIELD's group in its table; F_COUNT if it has no group. */
static int rows_group_of(const struct snapshot_reader *r, int field)
{
	size_t length = rows_group_length(field);
	int f = r->first[field_info[field].table];

	while (length > 0 && (rows_group_length(f) != length ||
			      memcmp(field_info[f].name, field_info[field].name, length) != 0))
		f++;
	return length > 0 ? f : F_COUNT;
}

void reader_fields_init(struct snapshot_reader *r)
{
	for (int t = 0; t <= TABLE_COUNT; t++)
		r->first[t] = (uint16_t)table_first_field((enum table)t);
	for (int f = 0; f < F_COUNT; f++) {
		const char *name = field_info[f].name;
		size_t group = rows_group_length(f);

		r->leaves[f].name = group > 0 ? name + group + 1 : name;
		r->leaves[f].length = strlen(r->leaves[f].name);
		r->leaves[f].group = rows_group_of(r, f);
		r->follows[f] = (uint16_t)(f + 1);
	}
}

static bool is_leaf(const struct snapshot_reader *r, int field, int group,
		    const struct pull_value *key)
{
	const struct leaf *leaf = &r->leaves[field];

	return leaf->length == key->length && leaf->group == group &&
		memcmp(leaf->name, key->string, key->length) == 0;
}

/*
 * The field KEY of TABLE, F_COUNT if there is none. IN is the first field of the group being read,
 * F_COUNT at the top. PREVIOUS is the field read before, F_COUNT if it is the first.
 */
static int find_field(struct snapshot_reader *r, enum table table, int in, int previous,
		      const struct pull_value *key)
{
	int first = r->first[table], last = r->first[table + 1];
	int guess = previous < F_COUNT ? r->follows[previous] : in < F_COUNT ? in : first;

	if (guess >= first && guess < last && is_leaf(r, guess, in, key))
		return guess;
	for (int f = first; f < last; f++) {
		if (is_leaf(r, f, in, key)) {
			if (previous < F_COUNT)
				r->follows[previous] = (uint16_t)f;
			return f;
		}
	}
	return F_COUNT;
}

/* The first field of the group KEY of TABLE, F_COUNT if there is none. */
static int rows_find_group(const struct snapshot_reader *r, enum table table,
			   const struct pull_value *key)
{
	for (int f = r->first[table]; f < r->first[table + 1]; f++)
		if (r->leaves[f].group == f && rows_group_length(f) == key->length &&
		    memcmp(field_info[f].name, key->string, key->length) == 0)
			return f;
	return F_COUNT;
}

/* ---- values -------------------------------------------------------------------------------- */

static bool wrong_type(struct snapshot_reader *r, int field, const char *expected,
		       enum pull_kind found, struct err *err)
{
	return reader_wrong_type(r, err, table_name(field_info[field].table),
				 field_info[field].name, expected, found);
}

static bool rows_wrong(struct snapshot_reader *r, int field, const char *what, struct err *err)
{
	return reader_error(r, err, "%s: \"%s\": %s", table_name(field_info[field].table),
			    field_info[field].name, what);
}

static bool rows_is_word(const struct pull_value *v, const char *word)
{
	return v->kind == PULL_STRING && strcmp(v->string, word) == 0;
}

static bool rows_read_u32(struct snapshot_reader *r, int field, const struct pull_value *v,
			  struct snapshot_cell *cell, struct err *err)
{
	if (rows_is_word(v, "inf")) {
		cell->u32 = U32_INFINITE;
		return true;
	}
	if (v->kind != PULL_INT)
		return wrong_type(r, field, "an integer", v->kind, err);
	if (v->integer < 0 || v->integer >= U32_UNKNOWN)
		return rows_wrong(r, field, "out of range (expected 0 to 4294967293 or \"inf\")",
				  err);
	cell->u32 = (uint32_t)v->integer;
	return true;
}

static bool read_shares(struct snapshot_reader *r, int field, const struct pull_value *v,
			struct snapshot_cell *cell, struct err *err)
{
	if (rows_is_word(v, "parent")) {
		cell->u32 = SHARES_PARENT;
		return true;
	}
	if (v->kind != PULL_INT)
		return wrong_type(r, field, "an integer or \"parent\"", v->kind, err);
	if (v->integer < 0)
		return rows_wrong(r, field, "negative shares (expected 0 or more, or \"parent\")",
				  err);
	if (v->integer >= U32_UNKNOWN || v->integer == SHARES_PARENT)
		return rows_wrong(r, field, "out of range (expected at most 4294967293, and "
				  "\"parent\" for 2147483647)", err);
	cell->u32 = (uint32_t)v->integer;
	return true;
}

static bool rows_read_i64(struct snapshot_reader *r, int field, const struct pull_value *v,
			  struct snapshot_cell *cell, struct err *err)
{
	if (rows_is_word(v, "inf")) {
		cell->i64 = I64_INFINITE;
		return true;
	}
	if (v->kind != PULL_INT)
		return wrong_type(r, field, "an integer", v->kind, err);
	if (!i64_fits(v->integer))
		return rows_wrong(r, field, "out of range", err);
	cell->i64 = v->integer;
	return true;
}

static bool rows_read_f64(struct snapshot_reader *r, int field, const struct pull_value *v,
			  struct snapshot_cell *cell, struct err *err)
{
	if (rows_is_word(v, "inf") || rows_is_word(v, "-inf")) {
		cell->f64 = *v->string == '-' ? -HUGE_VAL : HUGE_VAL;
		return true;
	}
	if (v->kind != PULL_INT && v->kind != PULL_REAL)
		return wrong_type(r, field, "a number", v->kind, err);
	cell->f64 = v->real;
	return true;
}

static bool rows_read_text(struct snapshot_reader *r, int field, const struct pull_value *v,
			   struct snapshot_cell *cell, struct err *err)
{
	if (v->kind != PULL_STRING)
		return wrong_type(r, field, "a string", v->kind, err);
	cell->text.bytes = v->string;
	cell->text.length = v->length;
	return true;
}

static bool rows_read_list(struct snapshot_reader *r, int field, const struct pull_value *opened,
			   struct snapshot_cell *cell, struct err *err)
{
	struct pull_value v;

	if (opened->kind != PULL_ARRAY)
		return wrong_type(r, field, "a list of strings", opened->kind, err);
	cell->list.first = (uint32_t)r->string_count;
	while (pull_element(&r->pull)) {
		if (pull_value(&r->pull, &v) != PULL_STRING)
			return wrong_type(r, field, "strings in the list", v.kind, err);
		MEM_GROW(r->strings, r->string_capacity, r->string_count + 1);
		r->strings[r->string_count++] = v.string;
	}
	cell->list.count = (uint32_t)r->string_count - cell->list.first;
	return !r->pull.problem || reader_syntax(r, err);
}

/* The row of the TRES named KEY, which must not be repeated in this object. */
static bool rows_tres_row(struct snapshot_reader *r, int field, const struct pull_value *key,
			  uint32_t *row, struct err *err)
{
	if (key->length == 0)
		return rows_wrong(r, field, "a TRES without a name", err);
	*row = builder_tres_row(r->builder, key->string, key->length);
	if (*row >= SNAPSHOT_TRES_MAX)
		return rows_wrong(r, field, "more than 4096 kinds of TRES", err);
	if (r->tres_stamp[*row] == r->tres_serial)
		return reader_error(r, err, "%s: \"%s\": \"%.80s\": duplicate key",
				    table_name(field_info[field].table), field_info[field].name,
				    key->string);
	r->tres_stamp[*row] = r->tres_serial;
	return true;
}

static bool rows_read_tres(struct snapshot_reader *r, int field, const struct pull_value *opened,
			   struct snapshot_cell *cell, struct err *err)
{
	struct pull_value key, v;

	if (opened->kind != PULL_OBJECT)
		return wrong_type(r, field, "an object of TRES", opened->kind, err);
	cell->list.first = (uint32_t)r->item_count;
	r->tres_serial++;
	while (pull_member(&r->pull, &key)) {
		struct tres_item item;

		if (!rows_tres_row(r, field, &key, &item.tres, err))
			return false;
		pull_value(&r->pull, &v);
		if (rows_is_word(&v, "inf"))
			v.real = HUGE_VAL;
		else if (v.kind != PULL_INT && v.kind != PULL_REAL)
			return wrong_type(r, field, "numbers", v.kind, err);
		/* Jobs and vnodes of PBS may have negative resources. */
		if (v.real < 0 && field_info[field].table != TABLE_JOB &&
		    field_info[field].table != TABLE_HOST)
			return rows_wrong(r, field, "negative count", err);
		item.count = v.real;
		MEM_GROW(r->items, r->item_capacity, r->item_count + 1);
		r->items[r->item_count++] = item;
	}
	cell->list.count = (uint32_t)r->item_count - cell->list.first;
	return !r->pull.problem || reader_syntax(r, err);
}

/* Reads the value of FIELD into the next cell; null is unknown and gives no cell. */
static bool read_cell(struct snapshot_reader *r, int field, struct err *err)
{
	struct snapshot_cell *cell = &r->cells[r->cell_count];
	struct pull_value v;

	if (r->stamp[field] == r->line)
		return rows_wrong(r, field, "duplicate key", err);
	r->stamp[field] = r->line;
	if (pull_value(&r->pull, &v) == PULL_NULL)
		return true;
	cell->field = (enum field)field;
	r->cell_count++;
	switch (field_info[field].type) {
	case FIELD_U32:
		return rows_read_u32(r, field, &v, cell, err);
	case FIELD_SHARES:
		return read_shares(r, field, &v, cell, err);
	case FIELD_I64:
		return rows_read_i64(r, field, &v, cell, err);
	case FIELD_F64:
		return rows_read_f64(r, field, &v, cell, err);
	case FIELD_BOOL:
		cell->boolean = v.kind == PULL_BOOL && v.boolean;
		return v.kind == PULL_BOOL || wrong_type(r, field, "true or false", v.kind, err);
	case FIELD_TEXT:
		return rows_read_text(r, field, &v, cell, err);
	case FIELD_LIST:
		return rows_read_list(r, field, &v, cell, err);
	case FIELD_TRES:
		return rows_read_tres(r, field, &v, cell, err);
	case FIELD_TYPE_COUNT:
		break;
	}
	return false;
}

/* ---- objects ------------------------------------------------------------------------------- */

static const char *describe_group(char where[64], int in)
{
	snprintf(where, 64, "%s \"%.*s\"", table_name(field_info[in].table),
		 (int)rows_group_length(in), field_info[in].name);
	return where;
}

/* Reads the members of the group whose first field is IN. */
static bool read_group(struct snapshot_reader *r, enum table table, int in, struct err *err)
{
	uint32_t entered = reader_enter(r);
	struct pull_value key, v;
	int previous = F_COUNT;
	char where[64];

	pull_value(&r->pull, &v);
	if (v.kind == PULL_ERROR)
		return reader_syntax(r, err);
	if (v.kind != PULL_OBJECT && v.kind != PULL_NULL)
		return reader_error(r, err, "%s: expected an object, found %s",
				    describe_group(where, in), pull_kind_name(v.kind));
	while (v.kind == PULL_OBJECT && pull_member(&r->pull, &key)) {
		int field = find_field(r, table, in, previous, &key);

		if (!(field < F_COUNT ? read_cell(r, field, err) :
		      reader_stranger(r, describe_group(where, in), &key, err)))
			return false;
		previous = field < F_COUNT ? field : previous;
	}
	reader_leave(r, entered);
	return !r->pull.problem || reader_syntax(r, err);
}

/* Reads a key that is not a field: a group, or an unknown key. */
static bool read_other(struct snapshot_reader *r, enum table table, const struct pull_value *key,
		       struct err *err)
{
	int in = rows_find_group(r, table, key);

	if (in == F_COUNT)
		return reader_stranger(r, table_name(table), key, err);
	if (r->group_stamp[in] == r->line)
		return reader_error(r, err, "%s: \"%s\": duplicate key", table_name(table),
				    key->string);
	r->group_stamp[in] = r->line;
	return read_group(r, table, in, err);
}

static bool read_cells(struct snapshot_reader *r, enum table table, struct err *err)
{
	int previous = F_COUNT;
	struct pull_value key, v;

	r->cell_count = 0;
	r->item_count = r->string_count = 0;
	if (pull_value(&r->pull, &v) == PULL_ERROR)
		return reader_syntax(r, err);
	if (v.kind != PULL_OBJECT)
		return reader_error(r, err, "%s: expected an object, found %s", table_name(table),
				    pull_kind_name(v.kind));
	while (pull_member(&r->pull, &key)) {
		int field = find_field(r, table, F_COUNT, previous, &key);

		if (!(field < F_COUNT ? read_cell(r, field, err) :
		      read_other(r, table, &key, err)))
			return false;
		previous = field < F_COUNT ? field : previous;
	}
	return !r->pull.problem || reader_syntax(r, err);
}

/* ---- rules of tables ----------------------------------------------------------------------- */

static const struct snapshot_cell *find_cell(const struct snapshot_reader *r, int field)
{
	for (uint32_t i = 0; i < r->cell_count; i++)
		if (r->cells[i].field == (enum field)field)
			return &r->cells[i];
	return NULL;
}

/* Is this the first time that HANDLE occurs? */
static bool is_new(struct seen *seen, uint32_t handle)
{
	size_t had = seen->bytes, at = handle / 8;
	uint8_t bit = (uint8_t)(1u << handle % 8);

	seen->bits = mem_grow(seen->bits, &seen->bytes, at + 1, 1);
	memset(seen->bits + had, 0, seen->bytes - had);
	if (seen->bits[at] & bit)
		return false;
	seen->bits[at] |= bit;
	return true;
}

/*
 * The first field of each table but "prio" names its row; names are unique, except for the tasks of
 * an array job. Numbers and the names of TRES are required; other names may be unknown or empty.
 * Whether ids of associations are unique is checked when sealing.
 */
static bool check_identity(struct snapshot_reader *r, enum table table, struct err *err)
{
	int field = r->first[table];
	const struct snapshot_cell *cell = find_cell(r, field);

	if (!cell)
		return (field_info[field].type == FIELD_TEXT && table != TABLE_TRES) ||
			rows_wrong(r, field, "missing", err);
	if (table == TABLE_PRIO || table == TABLE_ASSOC ||
	    (table == TABLE_JOB && find_cell(r, F_JOB_TASK)))
		return true;
	if (field_info[field].type == FIELD_U32)
		return idmap_toggle(&r->ids[table], cell->u32) ||
			reader_error(r, err, "%s: \"%s\": %" PRIu32
				     " is also on an earlier line", table_name(table),
				     field_info[field].name, cell->u32);
	if (cell->text.length == 0)
		return table != TABLE_TRES || rows_wrong(r, field, "empty", err);
	return is_new(&r->names[table],
		      builder_handle(r->builder, cell->text.bytes, cell->text.length)) ||
		reader_error(r, err, "%s: \"%s\": \"%.80s\" is also on an earlier line",
			     table_name(table), field_info[field].name, cell->text.bytes);
}

/* Only the root's "parent" is null. */
static bool rows_check_assoc(struct snapshot_reader *r, struct err *err)
{
	const struct snapshot_cell *usage = find_cell(r, F_ASSOC_USAGE);

	if (r->stamp[F_ASSOC_PARENT] != r->line)
		return rows_wrong(r, F_ASSOC_PARENT, "missing (null for the root)", err);
	if (usage && (usage->f64 < 0 || isinf(usage->f64)))
		return rows_wrong(r, F_ASSOC_USAGE, "negative or infinite", err);
	return true;
}

static void rows_set_cell(struct snapshot_reader *r, const struct snapshot_cell *cell, uint32_t row)
{
	struct builder *b = r->builder;
	enum field f = cell->field;

	switch (field_info[f].type) {
	case FIELD_U32:
	case FIELD_SHARES:
		builder_u32(b, f, row, cell->u32);
		break;
	case FIELD_I64:
		builder_i64(b, f, row, cell->i64);
		break;
	case FIELD_F64:
		builder_f64(b, f, row, cell->f64);
		break;
	case FIELD_BOOL:
		builder_bool(b, f, row, cell->boolean);
		break;
	case FIELD_TEXT:
		builder_text(b, f, row, cell->text.bytes, cell->text.length);
		break;
	case FIELD_LIST:
		builder_list(b, f, row, r->strings + cell->list.first, cell->list.count);
		break;
	case FIELD_TRES:
		builder_tres(b, f, row, r->items + cell->list.first, cell->list.count);
		break;
	case FIELD_TYPE_COUNT:
		break;
	}
}

/* Another row may have named a TRES before its own line. */
static uint32_t new_row(struct snapshot_reader *r, enum table table)
{
	const struct snapshot_cell *name;

	if (table != TABLE_TRES)
		return builder_add(r->builder, table);
	name = find_cell(r, F_TRES_NAME);
	return builder_tres_row(r->builder, name->text.bytes, name->text.length);
}

/* A Slurm job without a key for its nice value has nice 0; null is unknown. */
static void set_nice(struct snapshot_reader *r, uint32_t row)
{
	if (r->stamp[F_JOB_NICE] != r->line &&
	    policy_scheduler_of(builder_get_meta(r->builder)->kind) == POLICY_OF_SLURM)
		builder_i64(r->builder, F_JOB_NICE, row, 0);
}

bool reader_row(struct snapshot_reader *r, enum table table, struct err *err)
{
	uint32_t row;

	if (!read_cells(r, table, err))
		return false;
	if (table == TABLE_ASSOC && !rows_check_assoc(r, err))
		return false;
	if (!check_identity(r, table, err))
		return false;
	row = new_row(r, table);
	if (table == TABLE_TRES && row >= SNAPSHOT_TRES_MAX)
		return rows_wrong(r, F_TRES_NAME, "more than 4096 kinds of TRES", err);
	for (uint32_t i = 0; i < r->cell_count; i++)
		rows_set_cell(r, &r->cells[i], row);
	if (table == TABLE_JOB)
		set_nice(r, row);
	r->counts[table]++;
	return true;
}
