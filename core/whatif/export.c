/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by all exports: collecting, sorting and writing lines; quoting. */
#include "core/whatif/export_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/visible.h"

static bool export_is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c != '\0' && strchr("_./:=@%+,-", c));
}

struct word {
	char *buf;
	size_t size, used;
};

static void word_put(struct word *w, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++, w->used++) {
		if (w->used + 1 < w->size)
			w->buf[w->used] = bytes[i];
	}
}

/* Writes bytes that a terminal would act on or hide by printf, independent of locale. */
static void word_put_escaped(struct word *w, const char *text)
{
	size_t length = strlen(text), step;
	uint32_t code;
	char octal[8];

	word_put(w, "\"$(printf '", 11);
	for (size_t i = 0; i < length; i += step) {
		step = utf8_decode(text + i, length - i, &code);
		if (visible_is_plain(text + i, step) && !strchr("'\\%", text[i]) &&
		    (i > 0 || text[i] != '-')) {	/* it would be an option */
			word_put(w, text + i, step);
			continue;
		}
		for (size_t k = 0; k < step; k++) {
			(void)snprintf(octal, sizeof(octal), "\\%03o",
				       (unsigned)(unsigned char)text[i + k]);
			word_put(w, octal, 4);
		}
	}
	word_put(w, "')\"", 3);
}

size_t export_quote(const char *text, char *buf, size_t size)
{
	struct word w = { buf, size, 0 };
	size_t plain = 0;

	while (export_is_plain(text[plain]))
		plain++;
	if (text[0] && !text[plain]) {
		word_put(&w, text, plain);
	} else if (!visible_is_plain(text, strlen(text))) {
		word_put_escaped(&w, text);
	} else {
		word_put(&w, "'", 1);
		for (; *text; text++)
			word_put(&w, *text == '\'' ? "'\\''" : text, *text == '\'' ? 4 : 1);
		word_put(&w, "'", 1);
	}
	if (size > 0)
		buf[w.used < size ? w.used : size - 1] = '\0';
	return w.used;
}

bool export_name_is_safe(const char *name)
{
	size_t length = strlen(name);

	if (length == 0 || length > 255 || name[0] == ' ' || name[length - 1] == ' ' ||
	    name[0] == '-' || name[0] == '+')
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)name[i];

		if (c < ' ' || c == 0x7f || strchr("\"',=\\[]`", (char)c))
			return false;
	}
	return true;
}

bool export_counts(const struct whatif *w, uint32_t i)
{
	for (uint32_t j = i + 1; j < w->count; j++) {
		if (whatif_in_force(w, j) &&
		    edit_same_target(&w->entries[i].edit, &w->entries[j].edit))
			return false;
	}
	return whatif_in_force(w, i) && !w->entries[i].problem[0];
}

void plan_comment(struct plan *p, enum plan_step step, const char *format, ...)
{
	char text[1200], safe[2400];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* A name with a newline must not end the comment. */
	visible_copy(safe, sizeof(safe), text, strlen(text));
	MEM_GROW(p->lines, p->capacity, p->count + 1);
	p->lines[p->count] = (struct plan_line){ step, p->count, true, mem_strdup(safe) };
	p->count++;
}

void plan_command(struct plan *p, enum plan_step step, const char *const *words, size_t count)
{
	char quoted[2048];
	size_t used = 0, capacity = 0;
	char *line = NULL;

	for (size_t i = 0; i < count; i++) {
		size_t length = export_quote(words[i], quoted, sizeof(quoted));

		if (length >= sizeof(quoted) ||
		    (words[i][0] && words[i][strlen(words[i]) - 1] == '\n')) {
			mem_free(line);
			plan_comment(p, step, "not exported: a word is too long, or ends in a line "
				     "feed");
			return;
		}
		line = mem_grow(line, &capacity, used + length + 2, 1);
		if (i > 0)
			line[used++] = ' ';
		memcpy(line + used, quoted, length + 1);
		used += length;
	}
	MEM_GROW(p->lines, p->capacity, p->count + 1);
	p->lines[p->count] = (struct plan_line){ step, p->count, false, line };
	p->count++;
}

void plan_shell(struct plan *p, enum plan_step step, const char *text)
{
	MEM_GROW(p->lines, p->capacity, p->count + 1);
	p->lines[p->count] = (struct plan_line){ step, p->count, false, mem_strdup(text) };
	p->count++;
}

static int compare_lines(const void *left, const void *right)
{
	const struct plan_line *a = left, *b = right;

	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

static bool export_put(struct sink out, const char *text, struct err *err)
{
	return out.write(out.context, text, strlen(text), err);
}

static bool put_header_text(struct sink out, const char *text, struct err *err)
{
	char safe[2400];

	while (*text) {
		size_t length = strcspn(text, "\n");

		visible_copy(safe, sizeof(safe), text, length);
		if (!export_put(out, "# ", err) || !export_put(out, safe, err) ||
		    !export_put(out, "\n", err))
			return false;
		text += length + (text[length] == '\n');
	}
	return true;
}

bool plan_write(struct plan *p, const struct cluster *base, const struct export_options *options,
		struct sink out, struct err *err)
{
	const struct cluster_meta *meta = cluster_meta(base);
	char head[600], when[48] = "";
	bool ok;

	if (p->count > 0)
		qsort(p->lines, p->count, sizeof(*p->lines), compare_lines);
	if (options->calendar && meta->time != I64_UNKNOWN)
		(void)format_time(meta->time, options->calendar, when, sizeof(when));
	(void)snprintf(head, sizeof(head), "%s of a what-if for cluster \"%.100s\"%s%s\n%s",
		       options->inverse ? "the inverse" : "commands", meta->name,
		       when[0] ? ", data of " : "", when,
		       "fairtop has run none of them; read them before you run them");
	ok = export_put(out, "#!/bin/sh\n", err) && put_header_text(out, head, err) &&
	     put_header_text(out, options->effect, err);
	for (size_t i = 0; i < p->count && ok; i++)
		ok = export_put(out, p->lines[i].comment ? "# " : "", err) &&
		     export_put(out, p->lines[i].text, err) && export_put(out, "\n", err);
	return ok;
}

void plan_free(struct plan *p)
{
	for (size_t i = 0; i < p->count; i++)
		mem_free(p->lines[i].text);
	mem_free(p->lines);
}
