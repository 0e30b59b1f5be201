/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/whatif/whatif.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/whatif/whatif_private.h"

struct whatif *whatif_new(void)
{
	return mem_zalloc(1, sizeof(struct whatif));
}

static void forget_from(struct whatif *w, uint32_t first)
{
	for (uint32_t i = first; i < w->count; i++)
		edit_free(&w->entries[i].edit);
	w->count = first;
	for (uint32_t i = 0; i < first; i++) {
		if (w->entries[i].successor > first)
			w->entries[i].successor = 0;
	}
}

void whatif_free(struct whatif *w)
{
	if (!w)
		return;
	forget_from(w, 0);
	mem_free(w->entries);
	mem_free(w);
}

struct whatif *whatif_copy(const struct whatif *w)
{
	struct whatif *copy = mem_alloc(1, sizeof(*copy));

	*copy = *w;
	copy->capacity = (size_t)w->count + 1;
	copy->entries = mem_alloc(copy->capacity, sizeof(*copy->entries));
	for (uint32_t i = 0; i < w->count; i++) {
		struct edit *edit = &copy->entries[i].edit;

		copy->entries[i] = w->entries[i];
		edit->object = edit->object ? mem_strdup(edit->object) : NULL;
		edit->value = mem_strdup(edit->value);
	}
	return copy;
}

bool whatif_add(struct whatif *w, const char *text, struct err *err)
{
	struct edit edit;

	if (w->cursor >= WHATIF_EDITS_MAX)
		return err_set(err, ERR_INPUT, "more than %d edits", WHATIF_EDITS_MAX);
	if (!edit_parse(text, &edit, err))
		return false;
	forget_from(w, w->cursor);
	MEM_GROW(w->entries, w->capacity, (size_t)w->count + 1);
	memset(&w->entries[w->count], 0, sizeof(*w->entries));
	w->entries[w->count++].edit = edit;
	w->cursor = w->count;
	return true;
}

/* Does E add to the old value? */
static bool is_added(const struct edit *e)
{
	return e->relative && e->target->id != EDIT_JOB_BEGIN;
}

bool whatif_replace(struct whatif *w, const char *text, struct err *err)
{
	uint32_t last;

	if (!whatif_add(w, text, err))
		return false;
	last = w->count - 1;
	for (uint32_t i = 0; i < last && !is_added(&w->entries[last].edit); i++) {
		struct whatif_entry *e = &w->entries[i];

		if (e->successor == 0 && edit_same_target(&e->edit, &w->entries[last].edit))
			e->successor = w->count;
	}
	return true;
}

bool whatif_undo(struct whatif *w)
{
	if (w->cursor == 0)
		return false;
	w->cursor--;
	return true;
}

bool whatif_redo(struct whatif *w)
{
	if (w->cursor == w->count)
		return false;
	w->cursor++;
	return true;
}

void whatif_toggle(struct whatif *w, uint32_t entry)
{
	if (entry < w->count)
		w->entries[entry].off = !w->entries[entry].off;
}

bool whatif_replaced(const struct whatif *w, uint32_t entry)
{
	return w->entries[entry].successor != 0 && w->entries[entry].successor <= w->cursor;
}

uint32_t whatif_listed(const struct whatif *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->count; i++)
		n += !whatif_replaced(w, i);
	return n;
}

uint32_t whatif_listed_at(const struct whatif *w, uint32_t n)
{
	for (uint32_t i = 0; i < w->count; i++) {
		if (!whatif_replaced(w, i) && n-- == 0)
			return i;
	}
	return ROW_NONE;
}

bool whatif_in_force(const struct whatif *w, uint32_t entry)
{
	return entry < w->cursor && !w->entries[entry].off && !whatif_replaced(w, entry);
}

const struct whatif_entry *whatif_awaits(const struct whatif *w)
{
	static const char *const names[] = { "PriorityDecayHalfLife", "PriorityCalcPeriod",
					     "PriorityUsageResetPeriod" };
	const struct whatif_entry *last = NULL;

	for (uint32_t i = 0; i < w->count; i++) {
		const struct edit *e = &w->entries[i].edit;
		bool timely = false;

		if (!whatif_in_force(w, i))
			continue;
		for (size_t k = 0; e->target->id == EDIT_PARAM && k < 3; k++)
			timely = timely || strcmp(policy_params[e->param].name, names[k]) == 0;
		if (!timely)
			return NULL;
		last = &w->entries[i];
	}
	return last;
}

const char *whatif_schedule(const struct whatif *w)
{
	const char *name = NULL;

	for (uint32_t i = 0; w && i < w->count; i++) {
		if (whatif_in_force(w, i) && w->entries[i].edit.target->id == EDIT_SCHEDULE)
			name = w->entries[i].edit.value;
	}
	return name;
}

uint32_t whatif_active(const struct whatif *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->count; i++)
		n += whatif_in_force(w, i);
	return n;
}

/* ---- files --------------------------------------------------------------------------------- */

/* Reads one NUL-ended line without blanks around it. */
static bool load_line(struct whatif *w, char *line, struct err *err)
{
	bool off = strncmp(line, "#off ", 5) == 0;

	if (strncmp(line, "#name ", 6) == 0) {
		(void)snprintf(w->name, sizeof(w->name), "%.63s", line + 6);
		return true;
	}
	if (off)
		line += 5;
	for (char *c = line; *c; c++) {
		if (*c == '#' && (c == line || word_is_blank(c[-1]))) {
			*c = '\0';
			break;
		}
	}
	while (word_is_blank(*line))
		line++;
	if (!*line)
		return true;
	if (!whatif_add(w, line, err))
		return false;
	w->entries[w->count - 1].off = off;
	return true;
}

bool whatif_load(struct whatif *w, const char *text, struct err *err)
{
	uint32_t number = 0;

	while (*text) {
		size_t length = strcspn(text, "\n"), skip = 0;
		char *line;
		bool ok;

		while (skip < length && word_is_blank(text[skip]))
			skip++;
		line = mem_strndup(text + skip, length - skip);
		number++;
		ok = load_line(w, line, err);
		mem_free(line);
		if (!ok) {
			if (err)
				err->line = number;
			return false;
		}
		text += length + (text[length] == '\n');
	}
	return true;
}

static bool whatif_put(struct sink out, struct err *err, const char *a, const char *b)
{
	return out.write(out.context, a, strlen(a), err) &&
	       out.write(out.context, b, strlen(b), err) &&
	       out.write(out.context, "\n", 1, err);
}

bool whatif_save(const struct whatif *w, struct sink out, struct err *err)
{
	if (w->name[0] && !whatif_put(out, err, "#name ", w->name))
		return false;
	for (uint32_t i = 0; i < w->cursor; i++) {
		size_t size = edit_text(&w->entries[i].edit, NULL, 0) + 1;
		char *text;
		bool ok;

		if (whatif_replaced(w, i))
			continue;
		text = mem_alloc(size, 1);
		edit_text(&w->entries[i].edit, text, size);
		ok = whatif_put(out, err, w->entries[i].off ? "#off " : "", text);
		mem_free(text);
		if (!ok)
			return false;
	}
	return true;
}

/* ---- problems, and the objects of edits ------------------------------------------------------ */

bool whatif_problem(struct whatif_entry *entry, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(entry->problem, sizeof(entry->problem), format, args);
	va_end(args);
	return false;
}

bool whatif_check(const struct whatif *w, struct err *err)
{
	for (uint32_t i = 0; i < w->count; i++) {
		const struct whatif_entry *e = &w->entries[i];
		char text[200];

		if (!whatif_in_force(w, i) || !e->problem[0])
			continue;
		edit_text(&e->edit, text, sizeof(text));
		return err_set(err, ERR_INPUT, "edit \"%s\": %s", text, e->problem);
	}
	return true;
}

uint32_t whatif_assoc(struct whatif_entry *entry, const struct cluster *base,
		      const struct cluster *now)
{
	struct err err = { .code = ERR_NONE };
	uint32_t row = cluster_by_path(now, entry->edit.object);

	if (row != ROW_NONE)
		return row;
	row = cluster_find_assoc(base, entry->edit.object, &err);
	if (row != ROW_NONE && now != base)
		row = cluster_assoc_by_id(now, cluster_u32(base, F_ASSOC_ID, row));
	if (row == ROW_NONE)
		whatif_problem(entry, "%.180s", err.message[0] ? err.message : "it was removed");
	return row;
}

uint32_t whatif_job(const struct cluster *c, const char *object)
{
	struct job_name name;

	for (uint32_t row = 0; job_name_read(object, &name) && row < cluster_rows(c, TABLE_JOB);
	     row++) {
		if (job_name_is(&name, c, row))
			return row;
	}
	return ROW_NONE;
}

uint32_t whatif_named(const struct cluster *c, enum field field, const char *text)
{
	size_t size = strlen(text) + 1;
	char *name = mem_alloc(size, 1);
	uint32_t row = ROW_NONE;

	if (edit_unescape(text, size - 1, name, size))
		row = cluster_row_named(c, field, name, strlen(name));
	mem_free(name);
	return row;
}
