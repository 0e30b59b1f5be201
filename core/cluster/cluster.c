/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/cluster_private.h"

#include <assert.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/cluster/idmap.h"

void cluster_free(struct cluster *c)
{
	if (!c || atomic_fetch_sub(&c->shares, 1) > 0)
		return;
	for (size_t i = 0; i < c->block_count; i++)
		mem_free(c->blocks[i]);
	mem_free(c->blocks);
	cluster_free(c->under);
	mem_free(c->arena);
	mem_free(c);
}

struct cluster *cluster_share(struct cluster *c)
{
	atomic_fetch_add(&c->shares, 1);
	return c;
}

size_t cluster_bytes(const struct cluster *c)
{
	return c->bytes;
}

const struct cluster_meta *cluster_meta(const struct cluster *c)
{
	return &c->meta;
}

const struct policy *cluster_policy(const struct cluster *c)
{
	return &c->policy;
}

uint32_t cluster_hidden(const struct cluster *c)
{
	return c->hidden;
}

bool cluster_is_partial(const struct cluster *c)
{
	return c->hidden & HIDDEN_ASSOCS;
}

bool cluster_hides_jobs(const struct cluster *c)
{
	return c->hidden & HIDDEN_JOBS;
}

const char *cluster_noted(const struct cluster *c, const char *subject)
{
	uint32_t i = 0;

	while (i < c->note_count && strcmp(c->notes[i].subject, subject) != 0)
		i++;
	return i < c->note_count ? c->notes[i].text : NULL;
}

uint32_t cluster_notes(const struct cluster *c)
{
	return c->note_count;
}

struct note cluster_note(const struct cluster *c, uint32_t i)
{
	assert(i < c->note_count);
	return c->notes[i];
}

bool cluster_knows_jobs(const struct cluster *c, struct err *err)
{
	const char *why = cluster_noted(c, "jobs");

	if (c->rows[TABLE_JOB] != 0 || (!why && !cluster_hides_jobs(c)))
		return true;
	return err_set(err, ERR_SOURCE, "the jobs are unknown: %s",
		       why ? why : "jobs of other users are hidden from this user");
}

bool cluster_shows_all_jobs(const struct cluster *c, const char *what, struct err *err)
{
	return !cluster_hides_jobs(c) ||
	       err_set(err, ERR_SOURCE, "%s: needs the jobs of all users, and those of others are "
		       "hidden from this user", what);
}

uint32_t cluster_rows(const struct cluster *c, enum table table)
{
	return c->rows[table];
}

const void *cluster_col(const struct cluster *c, enum field field)
{
	return c->columns[field];
}

const uint32_t *cluster_col_u32(const struct cluster *c, enum field field)
{
	assert(field_size(field_info[field].type) == sizeof(uint32_t));
	return c->columns[field];
}

const int64_t *cluster_col_i64(const struct cluster *c, enum field field)
{
	assert(field_info[field].type == FIELD_I64);
	return c->columns[field];
}

const double *cluster_col_f64(const struct cluster *c, enum field field)
{
	assert(field_info[field].type == FIELD_F64);
	return c->columns[field];
}

uint32_t cluster_u32(const struct cluster *c, enum field field, uint32_t row)
{
	const uint32_t *column = c->columns[field];

	assert(field_info[field].type == FIELD_U32 || field_info[field].type == FIELD_SHARES);
	assert(row < c->rows[field_info[field].table]);
	return column ? column[row] : U32_UNKNOWN;
}

int64_t cluster_i64(const struct cluster *c, enum field field, uint32_t row)
{
	const int64_t *column = c->columns[field];

	assert(field_info[field].type == FIELD_I64 && row < c->rows[field_info[field].table]);
	return column ? column[row] : I64_UNKNOWN;
}

double cluster_f64(const struct cluster *c, enum field field, uint32_t row)
{
	const double *column = c->columns[field];

	assert(field_info[field].type == FIELD_F64 && row < c->rows[field_info[field].table]);
	return column ? column[row] : F64_UNKNOWN;
}

uint8_t cluster_bool(const struct cluster *c, enum field field, uint32_t row)
{
	const uint8_t *column = c->columns[field];

	assert(field_info[field].type == FIELD_BOOL && row < c->rows[field_info[field].table]);
	return column ? column[row] : BOOL_UNKNOWN;
}

uint32_t cluster_text_id(const struct cluster *c, enum field field, uint32_t row)
{
	const uint32_t *column = c->columns[field];

	assert(field_info[field].type == FIELD_TEXT && row < c->rows[field_info[field].table]);
	return column ? column[row] : TEXT_NONE;
}

const char *cluster_text(const struct cluster *c, enum field field, uint32_t row)
{
	return cluster_string(c, cluster_text_id(c, field, row));
}

const char *cluster_name(const struct cluster *c, enum field field, uint32_t row)
{
	const char *name = cluster_text(c, field, row);

	return name ? name : "";
}

bool cluster_has_text(const struct cluster *c, enum field field, uint32_t row)
{
	return cluster_text_id(c, field, row) > TEXT_EMPTY;
}

struct text_list cluster_list(const struct cluster *c, enum field field, uint32_t row)
{
	const uint32_t *column = c->columns[field];

	assert(field_info[field].type == FIELD_LIST && row < c->rows[field_info[field].table]);
	if (!column || column[row] == TEXT_NONE)
		return (struct text_list){ NULL, 0 };
	return (struct text_list){ c->list_items + c->list_spans[column[row]].first,
				   c->list_spans[column[row]].count };
}

bool cluster_list_has(const struct cluster *c, enum field field, uint32_t row, const char *text)
{
	struct text_list list = { NULL, 0 };

	if (text && row != ROW_NONE)
		list = cluster_list(c, field, row);
	for (uint32_t i = 0; i < list.count; i++) {
		if (strcmp(cluster_string(c, list.texts[i]), text) == 0)
			return true;
	}
	return false;
}

const char *cluster_list_value(const struct cluster *c, struct text_list list, const char *name,
			       size_t length)
{
	for (uint32_t i = 0; i < list.count; i++) {
		const char *value = word_value(cluster_string(c, list.texts[i]), name, length);

		if (value)
			return value;
	}
	return NULL;
}

uint32_t cluster_queue_of(const struct cluster *c, uint32_t job)
{
	return cluster_row_of(c, F_QUEUE_NAME, cluster_text_id(c, F_JOB_PARTITION, job));
}

struct tres_list cluster_tres(const struct cluster *c, enum field field, uint32_t row)
{
	const uint32_t *column = c->columns[field];

	assert(field_info[field].type == FIELD_TRES && row < c->rows[field_info[field].table]);
	if (!column || column[row] == TEXT_NONE)
		return (struct tres_list){ NULL, 0 };
	return (struct tres_list){ c->tres_items + c->tres_spans[column[row]].first,
				   c->tres_spans[column[row]].count };
}

bool cluster_is_known(const struct cluster *c, enum field field, uint32_t row)
{
	switch (field_info[field].type) {
	case FIELD_U32:
	case FIELD_SHARES:
		return cluster_u32(c, field, row) != U32_UNKNOWN;
	case FIELD_I64:
		return cluster_i64(c, field, row) != I64_UNKNOWN;
	case FIELD_F64:
		return f64_known(cluster_f64(c, field, row));
	case FIELD_BOOL:
		return cluster_bool(c, field, row) != BOOL_UNKNOWN;
	case FIELD_TEXT:
		return cluster_text_id(c, field, row) != TEXT_NONE;
	case FIELD_LIST:
		return cluster_list(c, field, row).texts != NULL;
	case FIELD_TRES:
		return cluster_tres(c, field, row).items != NULL;
	case FIELD_TYPE_COUNT:
		break;
	}
	return false;
}

double tres_list_count(struct tres_list list, uint32_t tres)
{
	for (uint32_t i = 0; i < list.count; i++) {
		if (list.items[i].tres == tres)
			return list.items[i].count;
	}
	return 0;
}

const char *cluster_string(const struct cluster *c, uint32_t handle)
{
	assert(handle < c->text_length);
	return handle == TEXT_NONE ? NULL : c->text + handle;
}

/*
 * A linear search: looking up a name is rare (a filter, an object on the command line) and takes
 * microseconds, so the builder's hash table is not kept.
 */
uint32_t cluster_find_string(const struct cluster *c, const char *s, size_t length)
{
	size_t at = 2;

	if (length == 0)
		return TEXT_EMPTY;
	while (at < c->text_length) {
		size_t n = strlen(c->text + at);

		if (n == length && memcmp(c->text + at, s, n) == 0)
			return (uint32_t)at;
		at += n + 1;
	}
	return TEXT_NONE;
}

uint32_t cluster_common_texts(const struct cluster *a, const struct cluster *b)
{
	size_t most = a->text_length < b->text_length ? a->text_length : b->text_length, n = 0;

	while (n < most) {
		size_t length = strlen(a->text + n) + 1;

		if (length > most - n || memcmp(a->text + n, b->text + n, length) != 0)
			break;
		n += length;
	}
	return (uint32_t)n;
}

const char *cluster_tres_name(const struct cluster *c, uint32_t tres_row)
{
	return cluster_name(c, F_TRES_NAME, tres_row);
}

uint32_t cluster_row_of(const struct cluster *c, enum field field, uint32_t handle)
{
	uint32_t rows = cluster_rows(c, field_info[field].table), row = 0;

	while (row < rows && cluster_text_id(c, field, row) != handle)
		row++;
	return row < rows && handle > TEXT_EMPTY ? row : ROW_NONE;
}

uint32_t cluster_row_named(const struct cluster *c, enum field field, const char *name,
			   size_t length)
{
	uint32_t rows = cluster_rows(c, field_info[field].table);

	for (uint32_t row = 0; row < rows && length > 0; row++) {
		const char *have = cluster_text(c, field, row);

		if (have && strncmp(have, name, length) == 0 && have[length] == '\0')
			return row;
	}
	return ROW_NONE;
}

struct idmap cluster_rows_by(const struct cluster *c, enum field field)
{
	struct idmap rows = { 0 };

	for (uint32_t row = cluster_rows(c, field_info[field].table); row-- > 0;)
		idmap_put(&rows, cluster_text_id(c, field, row), row);
	return rows;
}

uint32_t cluster_find_tres(const struct cluster *c, const char *name)
{
	for (uint32_t i = 0; i < c->rows[TABLE_TRES]; i++) {
		if (strcmp(cluster_tres_name(c, i), name) == 0)
			return i;
	}
	return ROW_NONE;
}

const uint32_t *cluster_parent(const struct cluster *c)
{
	return c->parent;
}

const uint32_t *cluster_span(const struct cluster *c)
{
	return c->span;
}

const uint16_t *cluster_depth(const struct cluster *c)
{
	return c->depth;
}

bool cluster_is_user(const struct cluster *c, uint32_t assoc)
{
	return cluster_has_text(c, F_ASSOC_USER, assoc);
}

void cluster_assoc_ids(const struct cluster *c, struct idmap *ids)
{
	idmap_reserve(ids, cluster_rows(c, TABLE_ASSOC));
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++)
		idmap_put(ids, cluster_u32(c, F_ASSOC_ID, i), i);
}

uint32_t cluster_assoc_by_id(const struct cluster *c, uint32_t id)
{
	const uint32_t *ids = c->columns[F_ASSOC_ID];

	for (uint32_t i = 0; ids && i < c->rows[TABLE_ASSOC]; i++) {
		if (ids[i] == id)
			return i;
	}
	return ROW_NONE;
}
