/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tab in a prompt: completes the word before the cursor with what can be there; pressed again, the
 * next candidate replaces it.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/base/visible.h"
#include "tui/acts/act.h"
#include "tui/acts/settings_table.h"
#include "tui/acts/typing.h"
#include "tui/whatif/whatif_sets.h"

struct candidates {
	const char *prefix;
	size_t length;
	uint32_t wanted, count;
	char found[256];
};

static void complete_offer(struct candidates *c, const char *text)
{
	if (strncmp(text, c->prefix, c->length) != 0)
		return;
	if (c->count++ == c->wanted)
		snprintf(c->found, sizeof(c->found), "%s", text);
}

static void offer_columns(const struct sheet *sheet, struct candidates *c)
{
	complete_offer(c, sheet->all[0].name);
	for (size_t i = 0; i < sheet_choices(sheet); i++)
		complete_offer(c, sheet_choice(sheet, i)->name);
}

/* Values that a filter cannot read bare are offered in quotes. */
static void offer_value(struct candidates *c, const char *text)
{
	if (strncmp(text, c->prefix, c->length) != 0)
		return;
	if (c->count++ != c->wanted)
		return;
	if (strpbrk(text, " |!()=<>~^,\"\\"))
		app_quote(c->found, sizeof(c->found), text);
	else
		snprintf(c->found, sizeof(c->found), "%s", text);
}

/* Offers the texts of a column, each once, in the order of the rows. */
static void complete_offer_values(const struct sheet *sheet, const struct column *column,
				  struct candidates *c)
{
	const struct view *view = &sheet->list.now.view;
	struct idmap seen = { 0 };

	for (uint32_t row = 0; row < view->rows; row++) {
		struct value v = { .kind = VALUE_UNKNOWN };
		uint64_t hash;

		column_get(column, view->context, row, &v);
		if (v.kind != VALUE_TEXT || !visible_is_plain(v.text, strlen(v.text)))
			continue;
		hash = text_hash(v.text, strlen(v.text), 6);
		if (idmap_has(&seen, hash))
			continue;
		idmap_put(&seen, hash, 0);
		offer_value(c, v.text);
	}
	idmap_free(&seen);
	complete_offer(c, "unknown");
}

/* After an operator comes a value of the column before it; NULL: no such place. */
static const struct column *column_before(const struct app *a, const char *text, size_t from)
{
	const struct column *columns;
	size_t end = from, begin, count;

	while (end > 0 && strchr("=<>~^!", text[end - 1]))
		end--;
	begin = end;
	while (begin > 0 && !strchr(" |!()", text[begin - 1]))
		begin--;
	if (end == from || begin == end)
		return NULL;
	columns = sheet_filter_columns(app_sheet_get(a), &count);
	return column_find(columns, count, text + begin, end - begin);
}

static void offer_filter(const struct app *a, size_t from, struct candidates *c)
{
	const struct column *column = column_before(a, a->prompt.text, from);

	if (column)
		complete_offer_values(app_sheet_get(a), column, c);
	else
		offer_columns(app_sheet_get(a), c);
}

static void offer_commands(const struct app *a, struct candidates *c)
{
	for (const struct command *i = a->keymap.commands; i->name; i++)
		complete_offer(c, i->name);
}

static const char *theme_word(size_t i)
{
	return theme_builtin[i];
}

static void offer_words(const char *(*word)(size_t), struct candidates *c)
{
	for (size_t i = 0; word && word(i); i++)
		complete_offer(c, word(i));
}

/* Offers names, or after a name its values. */
static void offer_setting(const char *name, bool values, struct candidates *c)
{
	for (size_t i = 0; i < settings_count; i++) {
		if (!values)
			complete_offer(c, settings_table[i].name);
		else if (strcmp(name, settings_table[i].name) == 0)
			offer_words(settings_table[i].word, c);
	}
}

/* Offers the arguments of COMMAND. */
static void offer_arguments(const struct app *a, const char *command, struct candidates *c)
{
	char name[20];

	if (strncmp(command, "theme", 5) == 0) {
		offer_words(theme_word, c);
	} else if (strncmp(command, "set ", 4) == 0) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(command + 4, " "), command + 4);
		offer_setting(name, strchr(command + 4, ' ') != NULL, c);
	} else if (strncmp(command, "reset", 5) == 0) {
		complete_offer(c, "layout");
	} else if (strncmp(command, "bind", 4) == 0 || strncmp(command, "unbind", 6) == 0) {
		complete_offer(c, view_names[VIEW_ALL]);
		for (size_t i = 0; i < VIEW_COUNT; i++)
			complete_offer(c, view_names[i]);
		offer_commands(a, c);
	} else if (strncmp(command, "color", 5) == 0) {
		for (size_t i = 0; i < ROLE_COUNT; i++)
			complete_offer(c, role_info[i].name);
		for (size_t i = 0; i < GROUND_COUNT; i++)
			complete_offer(c, ground_info[i].name);
	} else if (strncmp(command, "save", 4) != 0) {
		if (strncmp(command, "columns", 7) == 0)
			complete_offer(c, "usual");
		offer_columns(app_sheet_get(a), c);
	}
}

static void offer_edit(void *context, const char *text)
{
	complete_offer(context, text);
}

/* The start of an edit: the whole of its own prompt, or what follows the command; NULL: none. */
static const char *edit_of(const struct prompt *p)
{
	if (p->kind == PROMPT_EDIT)
		return p->text;
	return p->kind == PROMPT_COMMAND && strncmp(p->text, "edit ", 5) == 0 ? p->text + 5 : NULL;
}

static void offer_all(const struct app *a, size_t from, struct candidates *c)
{
	const char *edit = edit_of(&a->prompt);

	if (a->prompt.kind == PROMPT_FILTER) {
		offer_filter(a, from, c);
	} else if (edit && a->prompt.text + from >= edit) {
		whatif_complete(a, a->prompt.text + from == edit ? c->prefix : edit,
				(struct whatif_offer){ offer_edit, c });
	} else if (a->prompt.kind == PROMPT_COMMAND && from > 0) {
		offer_arguments(a, a->prompt.text, c);
	} else if (a->prompt.kind == PROMPT_COMMAND) {
		offer_commands(a, c);
	}
}

/* The start of the word that ends at the cursor. */
static size_t word_start(const struct prompt *p)
{
	const char *edit = edit_of(p), *stops = p->kind == PROMPT_FILTER ? " |!()=<>~^" :
						edit ? " =,+" : " ,+-";
	size_t from = p->cursor, begin = edit ? (size_t)(edit - p->text) : 0;

	/* A command's own name may contain a minus. */
	if (p->kind == PROMPT_COMMAND && !memchr(p->text, ' ', p->cursor))
		return 0;
	if (edit && !memchr(p->text, '=', p->cursor))
		return begin;
	while (from > 0 && !strchr(stops, p->text[from - 1]))
		from--;
	return from;
}

void complete(struct app *a)
{
	struct prompt *p = &a->prompt;
	struct candidates c = { 0 };
	char prefix[PROMPT_MAX];

	if (p->complete_turn == 1) {
		p->complete_from = word_start(p);
		snprintf(p->complete_prefix, sizeof(p->complete_prefix), "%.*s",
			 (int)(p->cursor - p->complete_from), p->text + p->complete_from);
	}
	snprintf(prefix, sizeof(prefix), "%s", p->complete_prefix);
	c.prefix = prefix;
	c.length = strlen(prefix);
	c.wanted = UINT32_MAX;
	offer_all(a, p->complete_from, &c);
	if (c.count == 0) {
		app_say(a, ROLE_MESSAGE, "nothing completes this");
		return;
	}
	c.wanted = (p->complete_turn - 1) % c.count;
	if (c.count > 1)
		app_say(a, ROLE_MESSAGE, "%u of %u; Tab shows the next", c.wanted + 1, c.count);
	c.count = 0;
	offer_all(a, p->complete_from, &c);
	prompt_replace(p, p->complete_from, p->cursor - p->complete_from, c.found);
}
