/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checksums of a sample: one number per table, one for everything else.
 *
 * They are computed from the cluster given to the writer, so that any damage in the file (a bit of
 * a value, of a page's structure, of an index) makes the data read differ from the sum. Unknown
 * values do not count: a missing column is one of unknown values. Sums can be compared only if the
 * same fields and parameters are known as when they were made; the first number identifies these.
 */
#include <math.h>
#include <string.h>

#include "adapters/store/private.h"
#include "adapters/store/rebuild.h"
#include "core/base/text.h"

enum { KNOWN = TABLE_COUNT, FACTS, SUMS };

/* Each bit of X and H affects about half of the result's bits. */
static uint64_t sums_fold(uint64_t h, uint64_t x)
{
	h = (h ^ x) * UINT64_C(0x9fb21c651e98df25);
	return (h ^ h >> 35) * UINT64_C(0xd6e8feb86659fd93);
}

uint64_t sums_bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static uint64_t fold_double(uint64_t h, double x)
{
	return sums_fold(h, sums_bits_of(x));
}

static uint64_t fold_text(uint64_t h, const char *text)
{
	return text ? text_hash(text, strlen(text), h) : sums_fold(h, 1);
}

static uint64_t text_sum(const struct cluster *c, uint32_t handle)
{
	return fold_text(1, cluster_string(c, handle));
}

/* 0: unknown. */
static uint64_t list_sum(const struct cluster *c, enum field field, uint32_t row, uint64_t h)
{
	struct text_list list = cluster_list(c, field, row);

	for (uint32_t i = 0; list.texts && i < list.count; i++)
		h = sums_fold(h, text_sum(c, list.texts[i]));
	return list.texts ? sums_fold(h, list.count) : 0;
}

static uint64_t sums_tres_sum(const struct cluster *c, enum field field, uint32_t row, uint64_t h)
{
	struct tres_list tres = cluster_tres(c, field, row);

	for (uint32_t i = 0; tres.items && i < tres.count; i++)
		h = fold_double(sums_fold(h, tres.items[i].tres), tres.items[i].count);
	return tres.items ? sums_fold(h, tres.count) : 0;
}

/* Any change of X changes the sum: each step is invertible. H differs in each cell. */
static uint64_t sums_cell(uint64_t h, uint64_t x)
{
	x = (x ^ h) * UINT64_C(0x9fb21c651e98df25);
	return x ^ x >> 29;
}

#define STEP UINT64_C(0x9e3779b97f4a7c15)	/* from row to row */

static uint64_t column_sum(const struct cluster *c, enum field field, uint32_t n)
{
	const void *at = cluster_col(c, field);
	const int64_t *wide = at;
	const double *real = at;
	const uint32_t *word = at;
	const uint8_t *byte = at;
	uint64_t sum = 0, h = sums_fold(field + 1, 0);

	switch (field_info[field].type) {
	case FIELD_U32:
	case FIELD_SHARES:
		for (uint32_t i = 0; i < n; i++, h += STEP)
			sum += word[i] == U32_UNKNOWN ? 0 : sums_cell(h, word[i]);
		break;
	case FIELD_I64:
		for (uint32_t i = 0; i < n; i++, h += STEP)
			sum += wide[i] == I64_UNKNOWN ? 0 : sums_cell(h, (uint64_t)wide[i]);
		break;
	case FIELD_F64:
		for (uint32_t i = 0; i < n; i++, h += STEP)
			sum += isnan(real[i]) ? 0 : sums_cell(h, sums_bits_of(real[i]));
		break;
	case FIELD_BOOL:
		for (uint32_t i = 0; i < n; i++, h += STEP)
			sum += byte[i] == BOOL_UNKNOWN ? 0 : sums_cell(h, byte[i] != 0);
		break;
	case FIELD_TEXT:
		for (uint32_t i = 0; i < n; i++, h += STEP)
			sum += word[i] == TEXT_NONE ? 0 : sums_cell(h, text_sum(c, word[i]));
		break;
	case FIELD_LIST:
		for (uint32_t i = 0; i < n; i++, h += STEP)
			sum += list_sum(c, field, i, h);
		break;
	case FIELD_TRES:
		for (uint32_t i = 0; i < n; i++, h += STEP)
			sum += sums_tres_sum(c, field, i, h);
		break;
	case FIELD_TYPE_COUNT:
		break;
	}
	return sum;
}

static uint64_t table_sum(const struct cluster *c, enum table table)
{
	uint32_t n = cluster_rows(c, table);
	uint64_t sum = sums_fold(table, n);

	for (unsigned f = table_first_field(table); f < F_COUNT && field_info[f].table == table;
	     f++) {
		if (cluster_col(c, (enum field)f))
			sum += column_sum(c, (enum field)f, n);
	}
	return sum;
}

static uint64_t known_sum(struct db *db)
{
	uint64_t h = TABLE_COUNT + 1000;	/* the second algorithm */

	if (db->known_sum != 0)
		return db->known_sum;
	for (unsigned f = 0; f < F_COUNT; f++)
		h = fold_text(sums_fold(h, field_info[f].type), field_info[f].name);
	for (size_t i = 0; i < policy_params_count; i++)
		h = fold_text(h, policy_params[i].name);
	db->known_sum = h;
	return h;
}

static uint64_t facts_sum(const struct cluster *c)
{
	const struct cluster_meta *m = cluster_meta(c);
	const struct policy *p = cluster_policy(c);
	char text[POLICY_LIST_MAX + 128];
	uint64_t h = sums_fold((uint64_t)m->time, (uint64_t)m->last_decay);

	h = sums_fold(sums_fold(h, (uint64_t)m->boot), (uint64_t)m->last_reset);
	if (m->last_backfill > 0)
		h = sums_fold(h, (uint64_t)m->last_backfill);
	h = fold_text(fold_text(fold_text(fold_text(h, m->kind), m->name), m->version), m->zone);
	h = fold_double(fold_double(h, m->usage_quantum), m->ratio_quantum);
	h = sums_fold(h, cluster_hidden(c));
	for (size_t i = 0; i < policy_params_count; i++) {
		if (!policy_is_stated(p, i))
			continue;
		policy_value_text(p, i, text, sizeof(text));
		h = fold_text(sums_fold(h, i), text);
	}
	for (uint32_t i = 0; i < cluster_notes(c); i++)
		h = fold_text(fold_text(h, cluster_note(c, i).subject), cluster_note(c, i).text);
	return h;
}

/* Numbers in the file have the same bytes on every machine. */
static void sums_put_number(unsigned char *to, uint64_t x)
{
	for (int i = 0; i < 8; i++)
		to[i] = (unsigned char)(x >> (8 * i));
}

bool sums_write(struct db *db, int64_t sample, const struct cluster *c, struct err *err)
{
	unsigned char bytes[SUMS * 8];
	sqlite3_stmt *st = db_prepare(db, "INSERT INTO sums VALUES(?1, ?2)", err);

	if (!st)
		return false;
	for (int t = 0; t < TABLE_COUNT; t++)
		sums_put_number(bytes + t * 8, table_sum(c, (enum table)t));
	sums_put_number(bytes + KNOWN * 8, known_sum(db));
	sums_put_number(bytes + FACTS * 8, facts_sum(c));
	sqlite3_bind_int64(st, 1, sample);
	sqlite3_bind_blob(st, 2, bytes, sizeof(bytes), SQLITE_STATIC);
	return db_step_last(db, st, err);
}

/* Does the number at AT in the file's BYTES differ from X? */
static bool sums_differs(const unsigned char *bytes, int at, uint64_t x)
{
	unsigned char ours[8];

	sums_put_number(ours, x);
	return memcmp(bytes + at * 8, ours, 8) != 0;
}

static bool sums_compare(struct db *db, const unsigned char *bytes, int length, uint32_t needs,
			 const struct cluster *c, struct err *err)
{
	int t = 0;

	if (!bytes || length < 8 * (KNOWN + 1))
		return rebuild_damaged(err, "a checksum is missing");
	/* Written by a version that knows other tables, fields or parameters. */
	if (length != 8 * SUMS || sums_differs(bytes, KNOWN, known_sum(db)))
		return true;
	if (sums_differs(bytes, FACTS, facts_sum(c)))
		return rebuild_damaged(err, "parameters or notes are not those that were written");
	while (t < TABLE_COUNT && !(rebuild_needs((enum table)t, needs) &&
				    sums_differs(bytes, t, table_sum(c, (enum table)t))))
		t++;
	return t == TABLE_COUNT ||
	       err_set(err, ERR_INPUT, "the recording is damaged: %s is not what was written (its "
		       "checksum differs)", table_name((enum table)t));
}

#define MADE(table) "(SELECT rowid FROM sqlite_schema WHERE name = '" table "')"

bool sums_check(struct db *db, int64_t sample, uint32_t needs, const struct cluster *c,
		struct err *err)
{
	sqlite3_stmt *st = db->sums;
	int result;
	bool ok;

	/* Begun by a version without sums. */
	if (!schema_has(db, "sums"))
		return true;
	/* Or begun without and continued: the table was added later. A copy is taken as it is. */
	if (!st)
		st = db->sums = db_prepare(db, "SELECT (SELECT sums FROM sums WHERE sample = ?1),"
					   " ?1 < ifnull((SELECT min(sample) FROM sums), ?1 + 1)"
					   " AND (" MADE("sums") " > " MADE("tres") " OR EXISTS"
					   " (SELECT 1 FROM recording WHERE name GLOB 'copy_*'))",
					   err);
	if (!st)
		return false;
	sqlite3_bind_int64(st, 1, sample);
	result = sqlite3_step(st);
	ok = (result == SQLITE_ROW || db_fail(db, "reading", err)) &&
	     (sqlite3_column_int(st, 1) != 0 ||
	      (sqlite3_column_type(st, 0) == SQLITE_NULL && db_kept(db, sample) != sample) ||
	      sums_compare(db, sqlite3_column_blob(st, 0), sqlite3_column_bytes(st, 0), needs, c,
			   err));
	sqlite3_reset(st);
	return ok;
}
