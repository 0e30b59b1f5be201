/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/screen/hints.h"

#include <ctype.h>
#include <string.h>

#include "core/base/mem.h"
#include "tui/acts/commands.h"
#include "tui/panes/pane.h"
#include "tui/whatif/whatif_sets.h"

/* most keys before one word: "<> sort" */
#define HINT_KEYS 8

struct hint {
	const char *word;
	const char *commands[HINT_KEYS];
	size_t count;
};

/* ---- one hint ------------------------------------------------------------------------------ */

static void hints_key_of(const struct app *a, const struct canvas *c, const char *command,
			 char *buf, size_t size)
{
	keymap_titles(&a->keymap, a->view, command, c->ascii, 1, buf, size);
}

/* Signs are joined, "<>"; letters and names of keys are separated, as they would read as words. */
static bool hints_apart(int used, const char *key)
{
	return used > 1 || (used > 0 && (strlen(key) > 1 || isalnum((unsigned char)key[0])));
}

/* Cells that its keys take; 0: none is bound. */
static int keys_width(const struct app *a, const struct canvas *c, const struct hint *hint)
{
	char key[32];
	int width = 0;

	for (size_t i = 0; i < hint->count; i++) {
		hints_key_of(a, c, hint->commands[i], key, sizeof(key));
		if (key[0] != '\0')
			width += hints_apart(width, key) + canvas_text_width(c, key);
	}
	return width;
}

void hints_add(struct hints *h, int x, int y, int width, const char *command)
{
	if (h->count < HINT_POSITIONS)
		h->positions[h->count++] = (struct hint_position){ x, y, width, command };
}

/* Draws a hint between X and END, or right-aligned; returns its width, 0: no key, does not fit. */
static int draw_hint(struct app *a, struct canvas *c, const struct hint *hint, int x, int end,
		     bool right)
{
	int keys = keys_width(a, c, hint), y = c->height - 1, used = 0;
	int width = keys + 1 + canvas_text_width(c, hint->word);
	char key[32];

	if (keys == 0 || x + width > end)
		return 0;
	if (right)
		x = end - width;
	for (size_t i = 0; i < hint->count; i++) {
		hints_key_of(a, c, hint->commands[i], key, sizeof(key));
		if (key[0] == '\0')
			continue;
		used += hints_apart(used, key);
		hints_add(a->hints, x + used, y, canvas_text_width(c, key), hint->commands[i]);
		used += canvas_put(c, x + used, y, c->width, ROLE_KEY, key);
	}
	canvas_put(c, x + used + 1, y, c->width, ROLE_HINT, hint->word);
	hints_add(a->hints, x + used + 1, y, width - used - 1, hint->commands[0]);
	return width;
}

/* ---- of the view --------------------------------------------------------------------------- */

/* The commands of the open view with the same WORD. */
static struct hint hint_of_word(const struct app *a, const char *word)
{
	struct hint hint = { .word = word };

	for (const struct command *command = a->keymap.commands;
	     command->name && hint.count < HINT_KEYS; command++) {
		if (command->hint && strcmp(command->hint, word) == 0 &&
		    command_is_of(command, a->view))
			hint.commands[hint.count++] = command->name;
	}
	return hint;
}

/* The hints for quit and help keep their places on any screen width. */
static void draw_of_view(struct app *a, struct canvas *c)
{
	static const char *const kept[] = { "quit", "help" };
	int x = 1, end = c->width - 1, width;
	struct hint hint;

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		hint = hint_of_word(a, kept[i]);
		width = draw_hint(a, c, &hint, x, end, true);
		end -= width > 0 ? width + 2 : 0;
	}
	for (size_t i = whatif_count(a) > 0 ? 0 : HINTS_OF_EDITS; hint_words[i]; i++) {
		hint = hint_of_word(a, hint_words[i]);
		width = draw_hint(a, c, &hint, x, end, false);
		x += width > 0 ? width + 2 : 0;
	}
}

/* ---- a box --------------------------------------------------------------------------------- */

static struct hint hint_of_pair(const char *word, const char *command, const char *second)
{
	return (struct hint){ word, { command, second }, second ? 2 : 1 };
}

/* Useful only if the rows fit beside the box. */
static bool is_beside(const struct pane_key *key)
{
	return strcmp(key->command, "next-pane") == 0 || strcmp(key->command, "maximize") == 0;
}

static void draw_of_box(struct app *a, struct canvas *c)
{
	const struct pane_ops *ops = a->pane.ops;
	struct hint close = hint_of_pair("close", "back", NULL);
	int x = 1, end = c->width - 1, width = 0;

	if (!ops->tells_close)
		width = draw_hint(a, c, &close, x, end, true);
	end -= width > 0 ? width + 2 : 0;
	if (ops->count && ops->count(a) == 0)
		return;		/* there are no lines to move to or to take */
	for (const struct pane_key *key = ops->keys; key->command; key++) {
		struct hint hint = hint_of_pair(key->word, key->command, key->second);

		if (pane_modal(a) && !a->pane.large && is_beside(key))
			continue;
		width = draw_hint(a, c, &hint, x, end, false);
		x += width > 0 ? width + 2 : 0;
	}
}

void hints_draw(struct app *a, struct canvas *c)
{
	if (!a->pane.focus)
		draw_of_view(a, c);
	else
		draw_of_box(a, c);
}

const char *hints_at(const struct hints *h, int x, int y)
{
	for (size_t i = 0; i < h->count; i++) {
		const struct hint_position *pos = &h->positions[i];

		if (y == pos->y && x >= pos->x && x < pos->x + pos->width)
			return pos->command;
	}
	return NULL;
}

static void hints_init(struct app *a)
{
	a->hints = mem_zalloc(1, sizeof(*a->hints));
}

static void hints_leave(struct app *a)
{
	mem_free(a->hints);
}

const struct feature hints_feature = { .init = hints_init, .free = hints_leave };
