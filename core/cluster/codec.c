/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layout (all numbers little-endian, texts as u32 length and bytes):
 *
 *	u32 CODEC_VERSION
 *	meta	kind name version zone; i64 time last_decay boot last_reset last_backfill;
 *		f64 usage_quantum ratio_quantum; u32 1 if rows are hidden
 *	policy	u32 n, then n times: parameter name, value text
 *	notes	u32 n, then n times: subject, text
 *	texts	u32 bytes, the packed strings of core/base/text.h
 *	lists	u32 spans, u32 items, spans (u32 first, u32 count), items (u32 text handle)
 *	tres	u32 spans, u32 items, spans, items (u32 TRES row, f64 count)
 *	tables	u32 n, then n times: table name, u32 rows, u32 columns, then per column
 *		field name, u8 type, rows values of that type
 *
 * A column whose name or type this version does not know is skipped by its type's size.
 */
#include "core/cluster/codec.h"

#include <string.h>

#include "core/cluster/cluster_private.h"
#include "core/base/mem.h"

/* ---- writing ------------------------------------------------------------------------------- */

struct writer {
	struct sink sink;
	struct err *err;
	unsigned char buffer[16384];
	size_t used;
	bool failed;
};

static void codec_flush(struct writer *w)
{
	if (!w->failed && w->used != 0 &&
	    !w->sink.write(w->sink.context, (const char *)w->buffer, w->used, w->err))
		w->failed = true;
	w->used = 0;
}

static void codec_put_bytes(struct writer *w, const void *bytes, size_t length)
{
	if (length > sizeof(w->buffer) - w->used)
		codec_flush(w);
	if (length > sizeof(w->buffer)) {
		if (!w->failed && !w->sink.write(w->sink.context, bytes, length, w->err))
			w->failed = true;
		return;
	}
	memcpy(w->buffer + w->used, bytes, length);
	w->used += length;
}

static void codec_put_u32(struct writer *w, uint32_t x)
{
	unsigned char b[4] = { (unsigned char)x, (unsigned char)(x >> 8), (unsigned char)(x >> 16),
			       (unsigned char)(x >> 24) };

	codec_put_bytes(w, b, sizeof(b));
}

static void put_u64(struct writer *w, uint64_t x)
{
	codec_put_u32(w, (uint32_t)x);
	codec_put_u32(w, (uint32_t)(x >> 32));
}

static void codec_put_f64(struct writer *w, double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	put_u64(w, bits);
}

static void codec_put_text(struct writer *w, const char *s)
{
	uint32_t length = (uint32_t)strlen(s);

	codec_put_u32(w, length);
	codec_put_bytes(w, s, length);
}

/* Writes arrays as they are in memory on little-endian machines, value by value elsewhere. */
static bool little_endian(void)
{
	const uint16_t one = 1;

	return *(const unsigned char *)&one == 1;
}

static void codec_put_array(struct writer *w, const void *values, size_t size, uint32_t count)
{
	if (size == 1 || little_endian()) {
		codec_put_bytes(w, values, size * count);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (size == 4)
			codec_put_u32(w, ((const uint32_t *)values)[i]);
		else
			put_u64(w, ((const uint64_t *)values)[i]);
	}
}

static void put_meta(struct writer *w, const struct cluster *c)
{
	const struct cluster_meta *m = &c->meta;

	codec_put_text(w, m->kind);
	codec_put_text(w, m->name);
	codec_put_text(w, m->version);
	codec_put_text(w, m->zone);
	put_u64(w, (uint64_t)m->time);
	put_u64(w, (uint64_t)m->last_decay);
	put_u64(w, (uint64_t)m->boot);
	put_u64(w, (uint64_t)m->last_reset);
	put_u64(w, (uint64_t)m->last_backfill);
	codec_put_f64(w, m->usage_quantum);
	codec_put_f64(w, m->ratio_quantum);
	codec_put_u32(w, c->hidden);
}

static void codec_put_policy(struct writer *w, const struct policy *p)
{
	char text[POLICY_LIST_MAX + 128];
	uint32_t n = 0;

	for (size_t i = 0; i < policy_params_count; i++)
		n += policy_is_stated(p, i) ? 1 : 0;
	codec_put_u32(w, n);
	for (size_t i = 0; i < policy_params_count; i++) {
		if (!policy_is_stated(p, i))
			continue;
		policy_value_text(p, i, text, sizeof(text));
		codec_put_text(w, policy_params[i].name);
		codec_put_text(w, text);
	}
}

static void codec_put_pools(struct writer *w, const struct cluster *c)
{
	codec_put_u32(w, c->list_span_count);
	codec_put_u32(w, c->list_item_count);
	codec_put_array(w, c->list_spans, sizeof(uint32_t), c->list_span_count * 2);
	codec_put_array(w, c->list_items, sizeof(uint32_t), c->list_item_count);
	codec_put_u32(w, c->tres_span_count);
	codec_put_u32(w, c->tres_item_count);
	codec_put_array(w, c->tres_spans, sizeof(uint32_t), c->tres_span_count * 2);
	for (uint32_t i = 0; i < c->tres_item_count; i++) {
		codec_put_u32(w, c->tres_items[i].tres);
		codec_put_f64(w, c->tres_items[i].count);
	}
}

static void codec_put_table(struct writer *w, const struct cluster *c, enum table table)
{
	uint32_t columns = 0;
	unsigned first = table_first_field(table), f;

	for (f = first; f < F_COUNT && field_info[f].table == table; f++)
		columns += c->columns[f] ? 1 : 0;
	codec_put_text(w, table_name(table));
	codec_put_u32(w, c->rows[table]);
	codec_put_u32(w, columns);
	for (f = first; f < F_COUNT && field_info[f].table == table; f++) {
		unsigned char type = (unsigned char)field_info[f].type;

		if (!c->columns[f])
			continue;
		codec_put_text(w, field_info[f].name);
		codec_put_bytes(w, &type, 1);
		codec_put_array(w, c->columns[f], field_size(field_info[f].type), c->rows[table]);
	}
}

bool codec_write(const struct cluster *c, struct sink sink, struct err *err)
{
	struct writer *w = mem_alloc(1, sizeof(*w));
	bool ok;

	w->sink = sink;
	w->err = err;
	w->used = 0;
	w->failed = false;
	codec_put_u32(w, CODEC_VERSION);
	put_meta(w, c);
	codec_put_policy(w, &c->policy);
	codec_put_u32(w, c->note_count);
	for (uint32_t i = 0; i < c->note_count; i++) {
		codec_put_text(w, c->notes[i].subject);
		codec_put_text(w, c->notes[i].text);
	}
	codec_put_u32(w, (uint32_t)c->text_length);
	codec_put_bytes(w, c->text, c->text_length);
	codec_put_pools(w, c);
	codec_put_u32(w, TABLE_COUNT);
	for (unsigned t = 0; t < TABLE_COUNT; t++)
		codec_put_table(w, c, (enum table)t);
	codec_flush(w);
	ok = !w->failed;
	mem_free(w);
	return ok;
}

/* ---- reading ------------------------------------------------------------------------------- */

struct codec_reader {
	const unsigned char *bytes;
	size_t length, at;
	bool failed;
	struct err *err;
	struct builder *b;
	unsigned char *starts;	/* bit per byte of the texts: a string begins here */
	uint32_t text_length;
};

static bool codec_fail(struct codec_reader *r, const char *what)
{
	if (!r->failed)
		err_set(r->err, ERR_SOURCE, "cluster frame is damaged at byte %zu: %s", r->at,
			what);
	r->failed = true;
	return false;
}

static const unsigned char *codec_take(struct codec_reader *r, size_t length)
{
	const unsigned char *p = r->bytes + r->at;

	if (r->failed || length > r->length - r->at) {
		codec_fail(r, "it ends too early");
		return NULL;
	}
	r->at += length;
	return p;
}

static uint32_t get_u32(struct codec_reader *r)
{
	const unsigned char *p = codec_take(r, 4);

	return p ? (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
			       (uint32_t)p[3] << 24
		 : 0;
}

static uint64_t get_u64(struct codec_reader *r)
{
	uint64_t low = get_u32(r);

	return low | (uint64_t)get_u32(r) << 32;
}

static int64_t get_i64(struct codec_reader *r)
{
	uint64_t bits = get_u64(r);
	int64_t x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static double get_f64(struct codec_reader *r)
{
	uint64_t bits = get_u64(r);
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* Returns a copy that the caller frees; "" after a failure. */
static char *codec_get_text(struct codec_reader *r)
{
	uint32_t length = get_u32(r);
	const unsigned char *p = codec_take(r, length);

	if (p && memchr(p, 0, length))
		codec_fail(r, "a string contains a NUL byte");
	return r->failed ? mem_strdup("") : mem_strndup((const char *)p, length);
}

static void get_meta(struct codec_reader *r, uint32_t version)
{
	char *texts[4];
	struct cluster_meta m;

	for (size_t i = 0; i < 4; i++)
		texts[i] = codec_get_text(r);
	m = (struct cluster_meta){ .kind = texts[0], .name = texts[1], .version = texts[2],
				   .zone = texts[3] };
	m.time = get_i64(r);
	m.last_decay = get_i64(r);
	m.boot = get_i64(r);
	m.last_reset = get_i64(r);
	m.last_backfill = version < 2 ? 0 : get_i64(r);
	m.usage_quantum = get_f64(r);
	m.ratio_quantum = get_f64(r);
	builder_hidden(r->b, get_u32(r) & (HIDDEN_ASSOCS | HIDDEN_JOBS));
	builder_meta(r->b, &m);
	for (size_t i = 0; i < 4; i++)
		mem_free(texts[i]);
}

static void codec_get_policy(struct codec_reader *r)
{
	uint32_t n = get_u32(r);

	for (uint32_t i = 0; i < n && !r->failed; i++) {
		char *name = codec_get_text(r), *value = codec_get_text(r);
		size_t param = policy_param(name);

		if (!r->failed && param < policy_params_count &&
		    !policy_restore(builder_policy(r->b), param, value, r->err))
			r->failed = true;
		mem_free(name);
		mem_free(value);
	}
}

static void get_notes(struct codec_reader *r)
{
	uint32_t n = get_u32(r);

	for (uint32_t i = 0; i < n && !r->failed; i++) {
		char *subject = codec_get_text(r), *text = codec_get_text(r);

		if (!r->failed)
			builder_note(r->b, subject, "%s", text);
		mem_free(subject);
		mem_free(text);
	}
}

/*
 * Interns the strings one after the other. No two are equal, so each must land at its old offset
 * and handles need no translation; otherwise the frame is forged.
 */
static bool get_texts(struct codec_reader *r)
{
	uint32_t length = get_u32(r), at = 2;
	const char *bytes = (const char *)codec_take(r, length);

	if (!bytes)
		return false;
	if (length < 2 || bytes[0] != 0 || bytes[1] != 0 || bytes[length - 1] != 0)
		return codec_fail(r, "the strings are not NUL-terminated");
	r->text_length = length;
	r->starts = mem_zalloc((size_t)length / 8 + 1, 1);
	r->starts[0] |= 3;
	while (at < length) {
		size_t n = strlen(bytes + at);

		if (text_intern(r->b->text, bytes + at, n) != at)
			return codec_fail(r, "a string appears twice");
		r->starts[at / 8] = (unsigned char)(r->starts[at / 8] | 1U << at % 8);
		at += (uint32_t)n + 1;
	}
	return true;
}

static bool text_valid(const struct codec_reader *r, uint32_t handle)
{
	return handle < r->text_length && (r->starts[handle / 8] >> handle % 8 & 1) != 0;
}

/* Interns COUNT items from BODY; returns 0, the handle of no list, if one is not valid. */
static uint32_t get_list(const struct codec_reader *r, struct codec_reader *body, struct pool *pool,
			 bool tres, uint32_t count)
{
	/* Zeroed, since lists are compared by their bytes, padding included. */
	void *items = mem_zalloc(count, pool->item_size);
	uint32_t handle = 0;
	bool valid = true;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t x = get_u32(body);

		if (tres) {
			((struct tres_item *)items)[i].tres = x;
			((struct tres_item *)items)[i].count = get_f64(body);
		} else {
			((uint32_t *)items)[i] = x;
			valid = valid && x != TEXT_NONE && text_valid(r, x);
		}
	}
	if (valid)
		handle = pool_intern(pool, items, count);
	mem_free(items);
	return handle;
}

/* Spans must be contiguous and no list may repeat, so that handles stay the same. */
static bool codec_get_pool(struct codec_reader *r, bool tres)
{
	struct pool *pool = tres ? &r->b->tres : &r->b->lists;
	uint32_t spans = get_u32(r), items = get_u32(r), first = 0;
	size_t item_bytes = tres ? 12 : 4;
	struct codec_reader body = *r;

	if (spans == 0 || !codec_take(r, (size_t)spans * 8))
		return codec_fail(r, "a pool without lists");
	if (!codec_take(r, (size_t)items * item_bytes))
		return false;
	body.at = r->at - (size_t)items * item_bytes;
	struct codec_reader heads = *r;

	heads.at = body.at - (size_t)spans * 8;
	for (uint32_t h = 0; h < spans; h++) {
		uint32_t at = get_u32(&heads), count = get_u32(&heads);

		if (h == 0 && at == 0 && count == 0)
			continue;
		if (at != first || count > items - first)
			return codec_fail(r, "a list is outside its pool");
		if (get_list(r, &body, pool, tres, count) != h)
			return codec_fail(r, "a list appears twice, or contains a non-string");
		first += count;
	}
	return true;
}

static bool check_handles(struct codec_reader *r, enum field_type type, const uint32_t *values,
			  uint32_t rows)
{
	size_t lists = r->b->lists.span_count, tres = r->b->tres.span_count;

	for (uint32_t i = 0; i < rows; i++) {
		if ((type == FIELD_TEXT && !text_valid(r, values[i])) ||
		    (type == FIELD_LIST && values[i] >= lists) ||
		    (type == FIELD_TRES && values[i] >= tres))
			return codec_fail(r, "a value refers to nothing");
	}
	return true;
}

static bool codec_get_column(struct codec_reader *r, enum table table, uint32_t rows)
{
	char *name = codec_get_text(r);
	enum field field = table < TABLE_COUNT ? field_by_name(table, name, strlen(name)) : F_COUNT;
	const unsigned char *type = codec_take(r, 1), *values;
	void *copy;

	mem_free(name);
	if (!type || *type >= FIELD_TYPE_COUNT)
		return codec_fail(r, "unknown column type");
	size_t size = field_size((enum field_type)*type);

	values = codec_take(r, size * rows);
	if (!values)
		return false;
	if (field == F_COUNT || field_info[field].type != (enum field_type)*type || rows == 0)
		return true;
	copy = builder_column_room(r->b, field, rows);
	if (size == 1 || little_endian()) {
		memcpy(copy, values, size * rows);
	} else {
		struct codec_reader part = { .bytes = values, .length = size * rows };

		for (uint32_t i = 0; i < rows; i++) {
			if (size == 4)
				((uint32_t *)copy)[i] = get_u32(&part);
			else
				((uint64_t *)copy)[i] = get_u64(&part);
		}
	}
	return check_handles(r, field_info[field].type, copy, rows);
}

static bool get_table(struct codec_reader *r)
{
	char *name = codec_get_text(r);
	enum table table = table_by_name(name, strlen(name));
	uint32_t rows = get_u32(r), columns = get_u32(r);

	mem_free(name);
	/* A row takes at least one byte, so that a forged count cannot ask for all memory. */
	if (rows > r->length)
		return codec_fail(r, "more rows than bytes");
	if (table < TABLE_COUNT && r->b->rows[table] != 0)
		return codec_fail(r, "a table appears twice");
	if (table < TABLE_COUNT)
		r->b->rows[table] = rows;
	for (uint32_t i = 0; i < columns && !r->failed; i++)
		codec_get_column(r, table, rows);
	return !r->failed;
}

static bool check_tres_rows(struct codec_reader *r)
{
	const struct tres_item *items = (const struct tres_item *)(const void *)r->b->tres.items;

	for (size_t i = 0; i < r->b->tres.item_count; i++) {
		if (items[i].tres >= r->b->rows[TABLE_TRES])
			return codec_fail(r, "a TRES is not listed");
	}
	return true;
}

struct cluster *codec_read(const void *bytes, size_t length, struct err *err)
{
	struct codec_reader r = {
		.bytes = bytes, .length = length, .err = err, .b = builder_new()
	};
	struct cluster *c = NULL;
	uint32_t version = get_u32(&r), tables;

	if (!r.failed && (version < 1 || version > CODEC_VERSION)) {
		r.failed = true;
		err_set(err, ERR_SOURCE, "cluster frame has version %u (expected 1 to %d)",
			(unsigned)version, CODEC_VERSION);
	}
	get_meta(&r, version);
	codec_get_policy(&r);
	get_notes(&r);
	if (!r.failed && get_texts(&r) && codec_get_pool(&r, false) && codec_get_pool(&r, true)) {
		tables = get_u32(&r);
		for (uint32_t i = 0; i < tables && !r.failed; i++)
			get_table(&r);
		if (!r.failed && r.at != r.length)
			codec_fail(&r, "extra bytes at the end");
		if (!r.failed && check_tres_rows(&r)) {
			/* The sender did not sum up this usage; neither does the reader. */
			r.b->keep_usage = true;
			c = builder_seal(r.b, err);
			r.b = NULL;
		}
	}
	builder_free(r.b);
	mem_free(r.starts);
	return c;
}
