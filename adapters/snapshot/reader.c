/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/snapshot/reader.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"

#define ROOM (UINT32_C(1) << 16)

/* ---- lines --------------------------------------------------------------------------------- */

/*
 * The error "expected a value" most likely means that the wrong file was named. Looks at the line
 * before reading changes it.
 */
static const char *reader_foreign(const struct snapshot_reader *r, const char *text, size_t length)
{
	if (r->line > 1 || snapshot_detect(text, length))
		return "";
	if (length >= 2 && memcmp(text, "\x1f\x8b", 2) == 0)
		return "; this is gzip data, neither a snapshot nor a recording (unpack it first)";
	return "; this is neither a snapshot nor a recording";
}

/* A kind of line that this version does not know. */
static bool unknown_line(struct snapshot_reader *r, const char *kind, struct err *err)
{
	char what[sizeof(r->warnings[0].what)];
	struct pull_value v;

	snprintf(what, sizeof(what), "unknown kind of line \"%.40s\"", kind);
	reader_warn(r, what);
	return pull_skip(&r->pull, pull_value(&r->pull, &v)) || reader_syntax(r, err);
}

static bool reader_dispatch(struct snapshot_reader *r, const struct pull_value *kind,
			    struct err *err)
{
	bool is_end = strcmp(kind->string, "end") == 0;
	enum table table = r->table;

	if (strcmp(kind->string, table_name(table)) == 0 && r->head_seen)
		return reader_row(r, table, err);
	if (strcmp(kind->string, "fairtop-snapshot") == 0)
		return r->head_seen ? reader_error(r, err, "a second first line") :
			reader_head(r, err);
	if (!r->head_seen)
		return reader_error(r, err, "not a snapshot "
				    "(expected a first line that begins {\"fairtop-snapshot\":1)");
	if (is_end)
		return reader_tail(r, err);
	table = table_by_name(kind->string, kind->length);
	if (table == TABLE_COUNT)
		return unknown_line(r, kind->string, err);
	r->table = table;
	return reader_row(r, table, err);
}

/* Reads one object with one key; reader_head() reads the rest of the first line. */
static bool reader_read_line(struct snapshot_reader *r, char *text, size_t length, struct err *err)
{
	struct pull_value v;
	enum pull_kind kind;
	bool first = !r->head_seen;

	r->line++;
	builder_line(r->builder, r->line);
	if (r->end_seen)
		return reader_error(r, err, "text after the end line");
	r->stranger_count = r->stranger_first = 0;
	r->foreign = reader_foreign(r, text, length);
	pull_init(&r->pull, text, length);
	kind = pull_value(&r->pull, &v);
	if (kind == PULL_ERROR)
		return length == 0 ? reader_error(r, err, "empty line%s", r->foreign) :
			reader_syntax(r, err);
	if (kind != PULL_OBJECT)
		return reader_error(r, err, "expected an object, found %s%s",
				    pull_kind_name(kind), r->foreign);
	if (!pull_member(&r->pull, &v))
		return r->pull.problem ? reader_syntax(r, err) :
			reader_error(r, err, "empty object (expected a key that says what it is)");
	if (!reader_dispatch(r, &v, err))
		return false;
	if (!first && pull_member(&r->pull, &v))
		return reader_error(r, err, "\"%.80s\": a line holds one object only", v.string);
	return pull_end(&r->pull) || reader_syntax(r, err);
}

/* ---- bytes --------------------------------------------------------------------------------- */

struct snapshot_reader *snapshot_reader_new(void)
{
	struct snapshot_reader *r = mem_zalloc(1, sizeof(*r));

	r->builder = builder_new();
	builder_parents_first(r->builder);
	r->buffer = mem_alloc(ROOM + 1, 1);
	r->capacity = ROOM;
	r->items = mem_grow(NULL, &r->item_capacity, 1, sizeof(*r->items));
	r->strings = mem_grow(NULL, &r->string_capacity, 1, sizeof(*r->strings));
	reader_fields_init(r);
	return r;
}

static void forget_names(struct snapshot_reader *r)
{
	for (int t = 0; t < TABLE_COUNT; t++) {
		idmap_free(&r->ids[t]);
		mem_free(r->names[t].bits);
		r->names[t] = (struct seen){ NULL, 0 };
	}
}

void snapshot_reader_free(struct snapshot_reader *r)
{
	if (!r)
		return;
	forget_names(r);
	builder_free(r->builder);
	MEM_FREE(r->buffer, r->items, r->strings, r);
}

char *snapshot_reader_room(struct snapshot_reader *r, size_t *size)
{
	if (r->capacity - r->used < ROOM / 2) {
		r->capacity *= 2;
		r->buffer = mem_realloc(r->buffer, r->capacity + 1, 1);
	}
	*size = r->capacity - r->used;
	return r->buffer + r->used;
}

static bool too_long(struct snapshot_reader *r, struct err *err)
{
	r->line++;
	return reader_error(r, err, "the line is longer than %u bytes%s",
			    (unsigned)SNAPSHOT_LINE_MAX,
			    reader_foreign(r, r->buffer, SNAPSHOT_LINE_MAX));
}

bool snapshot_reader_took(struct snapshot_reader *r, size_t length, struct err *err)
{
	char *at = r->buffer, *end = r->buffer + r->used + length;
	char *from = at + r->searched, *newline;

	while ((newline = memchr(from, '\n', (size_t)(end - from)))) {
		if ((size_t)(newline - at) > SNAPSHOT_LINE_MAX)
			return too_long(r, err);
		if (!reader_read_line(r, at, (size_t)(newline - at), err))
			return false;
		at = from = newline + 1;
	}
	r->used = r->searched = (size_t)(end - at);
	memmove(r->buffer, at, r->used);
	return r->used <= SNAPSHOT_LINE_MAX || too_long(r, err);
}

struct cluster *snapshot_reader_finish(struct snapshot_reader *r, struct err *err)
{
	struct builder *b;

	/* The last line may have no line end. */
	if (r->used > 0 && !reader_read_line(r, r->buffer, r->used, err))
		return NULL;
	r->used = 0;
	if (r->line == 0) {
		err_set(err, ERR_INPUT, "empty (expected a snapshot)");
		return NULL;
	}
	if (!r->end_seen) {
		reader_error(r, err, "truncated: the end line is missing");
		return NULL;
	}
	reader_note_warnings(r);
	forget_names(r);	/* sealing needs the memory */
	b = r->builder;
	r->builder = NULL;
	return builder_seal(b, err);
}

struct cluster *snapshot_parse(const char *text, size_t length, struct err *err)
{
	struct snapshot_reader *r = snapshot_reader_new();
	struct cluster *c = NULL;
	bool ok = true;

	while (ok && length > 0) {
		size_t size;
		char *room = snapshot_reader_room(r, &size);

		if (size > length)
			size = length;
		memcpy(room, text, size);
		text += size;
		length -= size;
		ok = snapshot_reader_took(r, size, err);
	}
	if (ok)
		c = snapshot_reader_finish(r, err);
	snapshot_reader_free(r);
	return c;
}

bool snapshot_detect(const char *head, size_t length)
{
	static const char key[] = "\"fairtop-snapshot\"";
	size_t at = 0;

	while (at < length && strchr(" \t\r\n", head[at]) && head[at])
		at++;
	if (at == length || head[at++] != '{')
		return false;
	while (at < length && strchr(" \t\r\n", head[at]) && head[at])
		at++;
	return length - at >= sizeof(key) - 1 && memcmp(head + at, key, sizeof(key) - 1) == 0;
}
