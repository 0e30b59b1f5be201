/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/lint/lint.h"

#include <stdio.h>
#include <string.h>

#include "core/whatif/edits.h"
#include "core/base/mem.h"

void lint_init(struct lint *l)
{
	*l = (struct lint){ NULL, 0, 0 };
}

void lint_free(struct lint *l)
{
	for (size_t i = 0; i < l->count; i++)
		mem_free(l->items[i].object);
	mem_free(l->items);
	lint_init(l);
}

struct lint_item *lint_add(struct lint *l, enum lint_severity severity, const char *code,
			   const char *source, const char *object, ...)
{
	struct lint_item *item;
	va_list ap;

	MEM_GROW(l->items, l->capacity, l->count + 1);
	item = &l->items[l->count++];
	memset(item, 0, sizeof(*item));
	item->severity = severity;
	snprintf(item->code, sizeof(item->code), "%s", code);
	snprintf(item->source, sizeof(item->source), "%s", source);
	va_start(ap, object);
	item->object = mem_vformat(object, ap);
	va_end(ap);
	return item;
}

void lint_place(struct lint_item *item, const char *file, uint32_t line)
{
	snprintf(item->file, sizeof(item->file), "%s", file ? file : "");
	item->line = line;
}

#define PRINT_INTO(field)						\
	do {								\
		va_list ap;						\
									\
		va_start(ap, format);					\
		vsnprintf(item->field, sizeof(item->field), format, ap);	\
		va_end(ap);						\
	} while (0)

void lint_object(struct lint_item *item, const char *format, ...)
{
	va_list ap;

	mem_free(item->object);
	va_start(ap, format);
	item->object = mem_vformat(format, ap);
	va_end(ap);
}

void lint_message(struct lint_item *item, const char *format, ...)
{
	PRINT_INTO(message);
}

void lint_source(struct lint_item *item, const char *format, ...)
{
	PRINT_INTO(source);
}

void lint_suggest(struct lint_item *item, const char *format, ...)
{
	PRINT_INTO(suggestion);
}

#define PRINT_BEHIND(field)						\
	do {								\
		size_t used = strlen(item->field);			\
		va_list ap;						\
									\
		va_start(ap, format);					\
		vsnprintf(item->field + used, sizeof(item->field) - used, format, ap);	\
		va_end(ap);						\
	} while (0)

void lint_message_more(struct lint_item *item, const char *format, ...)
{
	PRINT_BEHIND(message);
}

void lint_suggest_more(struct lint_item *item, const char *format, ...)
{
	PRINT_BEHIND(suggestion);
}

const char *lint_name(const char *name, bool path, char *buf, size_t size)
{
	size_t used = 0;

	for (; *name && used + 4 <= size; name++) {
		unsigned char c = (unsigned char)*name;

		if (strchr("=#;", c) || (!path && (c == '%' || c < ' ' || c == 0x7f)))
			used += (size_t)snprintf(buf + used, size - used, "%%%02X", c);
		else
			buf[used++] = (char)c;
	}
	buf[used] = '\0';
	return buf;
}

bool lint_edits(const struct lint_item *item, lint_each *each, void *context)
{
	char text[sizeof(item->suggestion)], *at = text;

	memcpy(text, item->suggestion, sizeof(text));
	for (char *end; at; at = end) {
		struct edit edit;

		end = strstr(at, "; ");
		if (end) {
			*end = '\0';
			end += 2;
		}
		if (!edit_parse(at, &edit, NULL))
			return false;
		edit_free(&edit);
		if (each && !each(context, at))
			return false;
	}
	return true;
}

void lint_sort(struct lint *l)
{
	struct lint_item *sorted = mem_alloc(l->count, sizeof(*sorted));
	size_t n = 0;

	for (int severity = LINT_ERROR; severity <= LINT_WARNING; severity++) {
		for (size_t i = 0; i < l->count; i++) {
			if ((int)l->items[i].severity == severity)
				sorted[n++] = l->items[i];
		}
	}
	mem_free(l->items);
	l->items = sorted;
	l->capacity = l->count;
}

size_t lint_errors(const struct lint *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->count; i++)
		n += l->items[i].severity == LINT_ERROR;
	return n;
}

/* ---- columns ------------------------------------------------------------------------------- */

static const struct lint_item *item_at(const struct position *pos)
{
	return &((const struct lint *)pos->context)->items[pos->row];
}

static void get_severity(const struct position *pos, struct value *out)
{
	value_set_text(out, item_at(pos)->severity == LINT_ERROR ? "error" : "warning");
}

static void lint_get_text(const struct position *pos, struct value *out)
{
	value_set_text(out, POSITION_MEMBER(pos, item_at(pos)));
}

static void lint_get_object(const struct position *pos, struct value *out)
{
	value_set_text(out, item_at(pos)->object);
}

static void get_line(const struct position *pos, struct value *out)
{
	if (item_at(pos)->line)
		value_set_int(out, item_at(pos)->line);
}

#define ITEM(text) offsetof(struct lint_item, text)

const struct column lint_columns[] = {
	{ .name = "severity", .title = "Severity", .legend = "error or warning",
	  .width = 8, .keep = 8, .left = true, .only = ALWAYS, .get = get_severity },
	{ .name = "code", .title = "Code", .legend = "code of the check", .width = 4, .keep = 7,
	  .left = true, .only = ALWAYS, .get = lint_get_text, .which = ITEM(code) },
	{ .name = "object", .title = "Object", .legend = "its subject", .width = 16, .keep = 6,
	  .path = true, .left = true, .only = ALWAYS, .get = lint_get_object },
	{ .name = "file", .title = "File", .legend = "file that has it", .width = 12, .keep = 5,
	  .left = true, .only = ALWAYS, .get = lint_get_text, .which = ITEM(file) },
	{ .name = "line", .title = "Line", .legend = "line in that file",
	  .width = 5, .keep = 5, .only = ALWAYS, .get = get_line },
	{ .name = "message", .title = "Message", .legend = "the problem", .width = 60, .keep = 9,
	  .left = true, .only = ALWAYS, .get = lint_get_text, .which = ITEM(message) },
	{ .name = "source", .title = "Source", .legend = "document from which the rule is taken",
	  .width = 30, .keep = 2, .left = true, .only = ALWAYS, .get = lint_get_text,
	  .which = ITEM(source) },
	{ .name = "suggestion", .title = "Suggestion",
	  .legend = "how to fix it: an edit, or several joined by \"; \"; otherwise words",
	  .width = 40, .keep = 3, .left = true, .only = ALWAYS, .get = lint_get_text,
	  .which = ITEM(suggestion) },
};
const size_t lint_columns_count = sizeof(lint_columns) / sizeof(lint_columns[0]);

struct view lint_view(const struct lint *l)
{
	return view_of("lint", lint_columns, lint_columns_count, l, l->count);
}
