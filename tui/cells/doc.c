/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/cells/doc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/visible.h"

#define PUT_MAX 2048

void doc_init(struct doc *d, int width, bool ascii)
{
	memset(d, 0, sizeof(*d));
	d->width = width > 10 ? width : 10;
	d->ascii = ascii;
}

void doc_free(struct doc *d)
{
	MEM_FREE(d->bytes, d->spans, d->lines);
	memset(d, 0, sizeof(*d));
}

void doc_line(struct doc *d)
{
	if (d->line_count == d->line_capacity)
		MEM_GROW(d->lines, d->line_capacity, d->line_count + 1);
	d->lines[d->line_count++] = (uint32_t)d->span_count;
	d->column = 0;
}

void doc_tab(struct doc *d, int column)
{
	d->column = d->column < column ? column : d->column + 1;
}

int doc_text_width(const struct doc *d, const char *text)
{
	struct canvas measure = { .ascii = d->ascii };

	return canvas_text_width(&measure, text);
}

/* TEXT is already safe. */
static void add_span(struct doc *d, enum role role, const char *text)
{
	size_t length = strlen(text) + 1;

	if (d->line_count == 0)
		doc_line(d);
	if (d->used + length > d->capacity)
		d->bytes = mem_grow(d->bytes, &d->capacity, d->used + length, 1);
	memcpy(d->bytes + d->used, text, length);
	if (d->span_count == d->span_capacity)
		MEM_GROW(d->spans, d->span_capacity, d->span_count + 1);
	d->spans[d->span_count++] = (struct doc_span){
		(uint32_t)d->used, (uint16_t)d->column, (uint8_t)role
	};
	d->used += length;
	d->column += doc_text_width(d, text);
}

void doc_put(struct doc *d, enum role role, const char *text)
{
	char safe[PUT_MAX];

	visible_copy(safe, sizeof(safe), text, strlen(text));
	add_span(d, role, safe);
}

void doc_right(struct doc *d, enum role role, int end, const char *text)
{
	doc_put_at(d, role, end - doc_text_width(d, text), text);
}

void doc_putf(struct doc *d, enum role role, const char *format, ...)
{
	char text[PUT_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	doc_put(d, role, text);
}

void doc_begin(struct doc *d, enum role role, const char *text)
{
	doc_line(d);
	doc_put(d, role, text);
}

void doc_beginf(struct doc *d, enum role role, const char *format, ...)
{
	char text[PUT_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	doc_begin(d, role, text);
}

void doc_put_at(struct doc *d, enum role role, int column, const char *text)
{
	doc_tab(d, column);
	doc_put(d, role, text);
}

void doc_wrap(struct doc *d, enum role role, int indent, const char *text)
{
	char safe[PUT_MAX], word[PUT_MAX];
	const char *at = safe;
	bool first = true;

	visible_copy(safe, sizeof(safe), text, strlen(text));
	while (*(at += strspn(at, " ")) != '\0') {
		size_t length = strcspn(at, " ");
		snprintf(word, sizeof(word), "%.*s", (int)length, at);
		if (!first && d->column + 1 + doc_text_width(d, word) > d->width) {
			doc_line(d);
			d->column = indent;
		} else if (!first) {
			d->column++;
		}
		add_span(d, role, word);
		first = false;
		at += length;
	}
}

void doc_wrap_at(struct doc *d, enum role role, int column, const char *text)
{
	doc_tab(d, column);
	doc_wrap(d, role, column, text);
}

void doc_title(struct doc *d, const char *text)
{
	if (d->line_count > 0)
		doc_line(d);
	doc_line(d);
	doc_put(d, ROLE_TITLE, text);
}

void doc_draw(const struct doc *d, struct canvas *c, int x, int y, int width, int height,
	      uint32_t first)
{
	for (int j = 0; j < height && first + (uint32_t)j < d->line_count; j++) {
		size_t line = first + (size_t)j;
		size_t end = line + 1 < d->line_count ? d->lines[line + 1] : d->span_count;
		for (size_t i = d->lines[line]; i < end; i++) {
			const struct doc_span *span = &d->spans[i];
			canvas_put(c, x + span->column, y + j, width - span->column,
				   (enum role)span->role, d->bytes + span->text);
		}
	}
}
