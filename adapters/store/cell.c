/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One value in a column, to the file and back without loss.
 *
 * Unknown is NULL. No limit is the text 'inf' in a column of integers and infinity in one of reals;
 * shares are a number or 'parent'; minus zero, which SQLite does not keep, is the blob '-0'. Lists
 * are joined by commas, TRES as name=count; in a name , = % # and control characters are written
 * %XX, and an empty one is %00. A TRES whose name is not unique is #ROW. The number of a word may
 * stand for any such text.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/store/private.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/value.h"
#include "core/base/word.h"

/* ---- writing ------------------------------------------------------------------------------- */

static void cell_put(struct scratch *s, const char *bytes, size_t length)
{
	s->bytes = mem_grow(s->bytes, &s->capacity, s->used + length + 1, 1);
	memcpy(s->bytes + s->used, bytes, length);
	s->used += length;
}

static void cell_put_word(struct scratch *s, const char *word)
{
	char hex[4];

	if (!*word)
		cell_put(s, "%00", 3);
	for (; *word; word++) {
		size_t plain = 0;

		while (word[plain] && !strchr(",=%#", word[plain]) &&
		       (unsigned char)word[plain] >= ' ' && word[plain] != 0x7f)
			plain++;
		cell_put(s, word, plain);
		word += plain;
		if (!*word)
			return;
		snprintf(hex, sizeof(hex), "%%%02X", (unsigned)(unsigned char)*word);
		cell_put(s, hex, 3);
	}
}

void tres_words_init(struct tres_words *t, const struct cluster *c)
{
	t->count = cluster_rows(c, TABLE_TRES);
	t->words = mem_zalloc(t->count + 1, sizeof(*t->words));
	for (uint32_t i = 0; i < t->count; i++) {
		const char *name = cluster_tres_name(c, i);
		struct scratch s = { NULL, 0, 0 };
		char number[16];

		snprintf(number, sizeof(number), "#%u", (unsigned)i);
		if (*name && cluster_find_tres(c, name) == i)
			cell_put_word(&s, name);
		else
			cell_put(&s, number, strlen(number));
		s.bytes[s.used] = '\0';
		t->words[i] = s.bytes;
	}
}

void tres_words_free(struct tres_words *t)
{
	mem_free_texts(t->words, t->count);
	*t = (struct tres_words){ NULL, 0 };
}

/* Binds TEXT, or its number. */
static void bind_text(sqlite3_stmt *st, int at, const char *text, size_t length,
		      sqlite3_destructor_type copy, struct store_words *dictionary)
{
	int64_t number = dictionary ? words_number(dictionary, text, length) : 0;

	if (number != 0)
		sqlite3_bind_int64(st, at, number);
	else
		sqlite3_bind_text(st, at, text, (int)length, copy);
}

static void cell_put_list(const struct cluster *c, struct text_list list, struct scratch *s)
{
	s->used = 0;
	for (uint32_t i = 0; i < list.count; i++) {
		if (i > 0)
			cell_put(s, ",", 1);
		cell_put_word(s, cluster_string(c, list.texts[i]));
	}
}

static void cell_put_tres(struct tres_list list, const struct tres_words *words, struct scratch *s)
{
	char number[VALUE_DOUBLE_MAX];

	s->used = 0;
	for (uint32_t i = 0; i < list.count; i++) {
		const char *word = words->words[list.items[i].tres];

		if (i > 0)
			cell_put(s, ",", 1);
		cell_put(s, word, strlen(word));
		cell_put(s, "=", 1);
		cell_put(s, number, value_print_double(list.items[i].count, number));
	}
}

static void bind_scratch(sqlite3_stmt *st, int at, struct scratch *s,
			 struct store_words *dictionary)
{
	/* SQLite copies it, because the next list overwrites it. */
	bind_text(st, at, s->bytes ? s->bytes : "", s->used, SQLITE_TRANSIENT, dictionary);
}

/* A job's own ids belong to one job: they become no words, though each version repeats them. */
static bool is_name_of_one(enum field field)
{
	return field == F_JOB_JOB_ID || field == F_JOB_SLUID;
}

static void bind_f64(sqlite3_stmt *st, int at, double x)
{
	if (x == 0 && signbit(x))
		sqlite3_bind_blob(st, at, "-0", 2, SQLITE_STATIC);
	else
		sqlite3_bind_double(st, at, x);
}

static void bind_u32(sqlite3_stmt *st, int at, uint32_t x, bool shares)
{
	if (x == U32_INFINITE)
		sqlite3_bind_text(st, at, "inf", 3, SQLITE_STATIC);
	else if (shares && x == SHARES_PARENT)
		sqlite3_bind_text(st, at, "parent", 6, SQLITE_STATIC);
	else
		sqlite3_bind_int64(st, at, x);
}

static void bind_i64(sqlite3_stmt *st, int at, int64_t x)
{
	if (x == I64_INFINITE)
		sqlite3_bind_text(st, at, "inf", 3, SQLITE_STATIC);
	else
		sqlite3_bind_int64(st, at, x);
}

void cell_bind(sqlite3_stmt *st, int at, const struct cluster *c, enum field field, uint32_t row,
	       const struct tres_words *words, struct scratch *scratch,
	       struct store_words *dictionary)
{
	enum field_type type = field_info[field].type;
	const char *text;

	if (!cluster_is_known(c, field, row)) {
		sqlite3_bind_null(st, at);
		return;
	}
	switch (type) {
	case FIELD_U32:
	case FIELD_SHARES:
		bind_u32(st, at, cluster_u32(c, field, row), type == FIELD_SHARES);
		break;
	case FIELD_I64:
		bind_i64(st, at, cluster_i64(c, field, row));
		break;
	case FIELD_F64:
		bind_f64(st, at, cluster_f64(c, field, row));
		break;
	case FIELD_BOOL:
		sqlite3_bind_int(st, at, cluster_bool(c, field, row) != 0);
		break;
	case FIELD_TEXT:
		text = cluster_text(c, field, row);
		/* The cluster outlives the execution of the statement. */
		bind_text(st, at, text, strlen(text), SQLITE_STATIC,
			  is_name_of_one(field) ? NULL : dictionary);
		break;
	case FIELD_LIST:
		cell_put_list(c, cluster_list(c, field, row), scratch);
		bind_scratch(st, at, scratch, dictionary);
		break;
	case FIELD_TRES:
		cell_put_tres(cluster_tres(c, field, row), words, scratch);
		bind_scratch(st, at, scratch, dictionary);
		break;
	case FIELD_TYPE_COUNT:
		break;
	}
}

/* ---- reading ------------------------------------------------------------------------------- */

#define LIST_ITEMS_MAX 65536
#define CACHE_SLOTS 512			/* a power of two */

/* A cache of TRES lists: jobs repeat the same ones. */
struct cached {
	char *text;
	size_t length;
	struct tres_item *items;
	uint32_t count;
};

struct cell_reader {
	struct builder *b;
	struct db *db;			/* for its words */
	struct scratch scratch;
	const char **texts;
	struct tres_item *items;
	size_t texts_capacity, items_capacity;
	struct cached cache[CACHE_SLOTS];
};

struct cell_reader *cell_reader_new(struct builder *b, struct db *db)
{
	struct cell_reader *r = mem_zalloc(1, sizeof(*r));

	r->b = b;
	r->db = db;
	return r;
}

void cell_reader_free(struct cell_reader *r)
{
	for (size_t i = 0; i < CACHE_SLOTS; i++) {
		mem_free(r->cache[i].text);
		mem_free(r->cache[i].items);
	}
	MEM_FREE(r->scratch.bytes, r->texts, r->items, r);
}

/* Decodes %XX in place; NULL if malformed. */
static const char *cell_take_word(char *word)
{
	char *to = word;

	for (const char *from = word; *from; from++) {
		int high, low;

		if (*from != '%') {
			*to++ = *from;
			continue;
		}
		high = word_hex_digit(from[1]);
		low = high < 0 ? -1 : word_hex_digit(from[2]);
		if (low < 0)
			return NULL;
		if (high * 16 + low != 0)
			*to++ = (char)(high * 16 + low);
		from += 2;
	}
	*to = '\0';
	return word;
}

/* The next part of *REST up to a comma; NULL at the end. */
static char *cell_take_part(char **rest)
{
	char *part = *rest;

	if (!part)
		return NULL;
	*rest = strchr(part, ',');
	if (*rest)
		*(*rest)++ = '\0';
	return part;
}

static bool cell_read_list(struct cell_reader *r, char *text, enum field field, uint32_t row)
{
	char *rest = *text ? text : NULL, *part;
	uint32_t n = 0;

	while ((part = cell_take_part(&rest))) {
		if (n == LIST_ITEMS_MAX || !cell_take_word(part))
			return false;
		MEM_GROW(r->texts, r->texts_capacity, (size_t)n + 1);
		r->texts[n++] = part;
	}
	builder_list(r->b, field, row, r->texts ? r->texts : &(const char *){ "" }, n);
	return true;
}

/* The row of a TRES by its word; ROW_NONE. */
static uint32_t read_tres_row(const struct cell_reader *r, char *word)
{
	uint32_t rows = builder_rows(r->b, TABLE_TRES);
	unsigned long number;
	char *end;

	if (word[0] == '#') {
		number = strtoul(word + 1, &end, 10);
		return word[1] && !*end && number < rows ? (uint32_t)number : ROW_NONE;
	}
	if (!cell_take_word(word))
		return ROW_NONE;
	for (uint32_t i = 0; i < rows; i++) {
		const char *name = builder_get_text(r->b, F_TRES_NAME, i);

		if (name && strcmp(name, word) == 0)
			return i;
	}
	return ROW_NONE;
}

static bool parse_tres(struct cell_reader *r, char *text, uint32_t *count)
{
	char *rest = *text ? text : NULL, *part;
	uint32_t n = 0;

	while ((part = cell_take_part(&rest))) {
		char *equal = strchr(part, '='), *end;
		struct tres_item item = { ROW_NONE, 0 };

		if (!equal || n == LIST_ITEMS_MAX)
			return false;
		*equal = '\0';
		item.tres = read_tres_row(r, part);
		item.count = strtod(equal + 1, &end);
		if (item.tres == ROW_NONE || !equal[1] || *end)
			return false;
		r->items = mem_grow(r->items, &r->items_capacity, (size_t)n + 1, sizeof(item));
		r->items[n++] = item;
	}
	*count = n;
	return true;
}

static bool cell_read_tres(struct cell_reader *r, const char *text, size_t length, enum field field,
			   uint32_t row)
{
	struct cached *hit = &r->cache[text_hash(text, length, 1) & (CACHE_SLOTS - 1)];
	static const struct tres_item none;
	uint32_t count = 0;

	if (!hit->text || hit->length != length || memcmp(hit->text, text, length) != 0) {
		r->scratch.used = 0;
		cell_put(&r->scratch, text, length);
		r->scratch.bytes[length] = '\0';
		if (!parse_tres(r, r->scratch.bytes, &count))
			return false;
		mem_free(hit->text);
		mem_free(hit->items);
		*hit = (struct cached){ mem_strndup(text, length), length,
					mem_alloc((size_t)count + 1, sizeof(*hit->items)), count };
		if (count > 0)
			memcpy(hit->items, r->items, count * sizeof(*hit->items));
	}
	builder_tres(r->b, field, row, hit->count > 0 ? hit->items : &none, hit->count);
	return true;
}

static bool cell_read_text(struct cell_reader *r, sqlite3_stmt *st, int at, enum field field,
			   uint32_t row)
{
	const char *text;
	size_t length = 0;

	if (sqlite3_column_type(st, at) == SQLITE_INTEGER) {
		text = word_text(r->db, sqlite3_column_int64(st, at), &length);
	} else {
		text = (const char *)sqlite3_column_text(st, at);
		length = (size_t)sqlite3_column_bytes(st, at);
	}
	if (!text || memchr(text, 0, length))
		return false;
	if (field_info[field].type == FIELD_TEXT) {
		builder_text(r->b, field, row, text, length);
		return true;
	}
	if (field_info[field].type == FIELD_TRES)
		return cell_read_tres(r, text, length, field, row);
	r->scratch.used = 0;
	cell_put(&r->scratch, text, length);
	r->scratch.bytes[length] = '\0';
	return cell_read_list(r, r->scratch.bytes, field, row);
}

static bool cell_is_word(sqlite3_stmt *st, int at, const char *word)
{
	return sqlite3_column_type(st, at) == SQLITE_TEXT &&
	       strcmp((const char *)sqlite3_column_text(st, at), word) == 0;
}

static bool cell_read_u32(struct cell_reader *r, sqlite3_stmt *st, int at, int type,
			  enum field field, uint32_t row)
{
	int64_t x = sqlite3_column_int64(st, at);

	if (type != SQLITE_INTEGER) {
		if (cell_is_word(st, at, "inf"))
			x = U32_INFINITE;
		else if (field_info[field].type == FIELD_SHARES && cell_is_word(st, at, "parent"))
			x = SHARES_PARENT;
		else
			return false;
	} else if (x < 0 || x >= U32_UNKNOWN) {
		return false;
	}
	builder_u32(r->b, field, row, (uint32_t)x);
	return true;
}

static bool cell_read_i64(struct cell_reader *r, sqlite3_stmt *st, int at, int type,
			  enum field field, uint32_t row)
{
	int64_t x = type == SQLITE_INTEGER ? sqlite3_column_int64(st, at) : I64_INFINITE;

	if (type == SQLITE_INTEGER ? !i64_fits(x) : !cell_is_word(st, at, "inf"))
		return false;
	builder_i64(r->b, field, row, x);
	return true;
}

static bool cell_read_f64(struct cell_reader *r, sqlite3_stmt *st, int at, int type,
			  enum field field, uint32_t row)
{
	if (type == SQLITE_BLOB && sqlite3_column_bytes(st, at) == 2)
		builder_f64(r->b, field, row, -0.0);
	else if (type == SQLITE_FLOAT || type == SQLITE_INTEGER)
		builder_f64(r->b, field, row, sqlite3_column_double(st, at));
	else
		return false;
	return true;
}

bool cell_read(struct cell_reader *r, sqlite3_stmt *st, int at, enum field field, uint32_t row)
{
	int type = sqlite3_column_type(st, at);

	if (type == SQLITE_NULL) {
		builder_unknown(r->b, field, row);
		return true;
	}
	switch (field_info[field].type) {
	case FIELD_U32:
	case FIELD_SHARES:
		return cell_read_u32(r, st, at, type, field, row);
	case FIELD_I64:
		return cell_read_i64(r, st, at, type, field, row);
	case FIELD_F64:
		return cell_read_f64(r, st, at, type, field, row);
	case FIELD_BOOL:
		builder_bool(r->b, field, row, sqlite3_column_int(st, at) != 0);
		return true;
	case FIELD_TEXT:
	case FIELD_LIST:
	case FIELD_TRES:
		return cell_read_text(r, st, at, field, row);
	case FIELD_TYPE_COUNT:
		break;
	}
	return false;
}
