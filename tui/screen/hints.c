/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/screen/hints.h"

#include <ctype.h>
#include <string.h>

#include "tui/acts/commands.h"
#include "tui/rows/state.h"
#include "tui/panes/pane.h"

/* Commands whose keys stand before one word: "<> sort". */
#define HINT_KEYS 8

struct hint {
	const char *word;
	const char *commands[HINT_KEYS];
	size_t count;
};

/* What keys do while a box has them; those of the most worth first. The way out stands apart. */
struct pane_key {
	enum pane_kind kind;
	const char *command, *second;	/* SECOND: the other direction, or NULL */
	const char *word;
};

static const struct pane_key pane_keys[] = {
	{ PANE_DETAIL, "down", "up", "scroll" },
	{ PANE_DETAIL, "search", NULL, "find" },
	{ PANE_DETAIL, "page-down", "page-up", "page" },
	{ PANE_DETAIL, "maximize", NULL, "size" },
	{ PANE_DETAIL, "next-pane", NULL, "rows" },
	{ PANE_HELP, "down", "up", "scroll" },
	{ PANE_HELP, "page-down", "page-up", "page" },
	{ PANE_HELP, "search", NULL, "find" },
	{ PANE_COMPARE, "down", "up", "scroll" },
	{ PANE_COMPARE, "search", NULL, "find" },
	{ PANE_COMPARE, "next-pane", NULL, "rows" },
	{ PANE_COLUMNS, "details", NULL, "sort by it" },
	{ PANE_COLUMNS, "mark", NULL, "show or hide" },
	{ PANE_COLUMNS, "sort-column", NULL, "sort by it" },
	{ PANE_COLUMNS, "search", NULL, "find" },
	{ PANE_COLUMNS, "down", "up", "move" },
	{ PANE_SOURCE, "down", "up", "scroll" },
	{ PANE_SOURCE, "search", NULL, "find" },
	{ PANE_EXCLUDE, "mark", NULL, "count or exclude" },
	{ PANE_EXCLUDE, "down", "up", "move" },
	{ PANE_CHART, "down", "up", "row" },
	{ PANE_CHART, "column-left", "column-right", "column" },
	{ PANE_CHART, "zoom-in", "zoom-out", "zoom" },
	{ PANE_CHART, "earlier", "later", "time" },
	{ PANE_DIFFERENCE, "down", "up", "scroll" },
	{ PANE_DIFFERENCE, "search", NULL, "find" },
	{ PANE_DIFFERENCE, "next-pane", NULL, "rows" },
	{ PANE_LINT, "details", NULL, "into the what-if" },
	{ PANE_LINT, "down", "up", "move" },
	{ PANE_FORECAST, "down", "up", "scroll" },
	{ PANE_FORECAST, "search", NULL, "find" },
	{ PANE_FORECAST, "next-pane", NULL, "rows" },
	{ PANE_SEEK, "details", NULL, "into the what-if" },
	{ PANE_SEEK, "down", "up", "move" },
};

/* ---- one hint ------------------------------------------------------------------------------ */

static void key_of(const struct app *a, const struct canvas *c, const char *command, char *buf,
		   size_t size)
{
	keymap_titles(&a->keymap, a->view, command, c->ascii, 1, buf, size);
}

/* Signs stand together, "<>"; letters and names of keys would read as words. */
static bool apart(int used, const char *key)
{
	return used > 1 || (used > 0 && (strlen(key) > 1 || isalnum((unsigned char)key[0])));
}

/* Cells that its keys take; 0: none is bound. */
static int keys_width(const struct app *a, const struct canvas *c, const struct hint *hint)
{
	char key[32];
	int width = 0;

	for (size_t i = 0; i < hint->count; i++) {
		key_of(a, c, hint->commands[i], key, sizeof key);
		if (key[0] != '\0')
			width += apart(width, key) + canvas_text_width(c, key);
	}
	return width;
}

static void add_spot(struct app *a, int x, int width, const char *command)
{
	struct hints *h = &a->hints;

	if (h->count < HINT_SPOTS)
		h->spots[h->count++] = (struct hint_spot){ x, width, command };
}

/* Draws a hint between X and END, or at the right of it; its width, 0: no key or no room. */
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
		key_of(a, c, hint->commands[i], key, sizeof key);
		if (key[0] == '\0')
			continue;
		used += apart(used, key);
		add_spot(a, x + used, canvas_text_width(c, key), hint->commands[i]);
		used += canvas_put(c, x + used, y, c->width, ROLE_KEY, key);
	}
	canvas_put(c, x + used + 1, y, c->width, ROLE_HINT, hint->word);
	add_spot(a, x + used + 1, width - used - 1, hint->commands[0]);
	return width;
}

/* ---- of the view --------------------------------------------------------------------------- */

/* The commands of the open view that share WORD. */
static struct hint hint_of_word(const struct app *a, const char *word)
{
	struct hint hint = { .word = word };

	for (const struct command *command = a->keymap.commands;
	     command->name != NULL && hint.count < HINT_KEYS; command++) {
		if (command->hint != NULL && strcmp(command->hint, word) == 0 &&
		    (command->context == VIEW_ALL || command->context == a->view))
			hint.commands[hint.count++] = command->name;
	}
	return hint;
}

/* The way out and the key that tells all others keep their places, however narrow the screen is. */
static void draw_of_view(struct app *a, struct canvas *c)
{
	static const char *const kept[] = { "leave", "help" };
	int x = 1, end = c->width - 1, width;
	struct hint hint;

	for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
		hint = hint_of_word(a, kept[i]);
		width = draw_hint(a, c, &hint, x, end, true);
		end -= width > 0 ? width + 2 : 0;
	}
	for (size_t i = 0; hint_words[i] != NULL; i++) {
		hint = hint_of_word(a, hint_words[i]);
		width = draw_hint(a, c, &hint, x, end, false);
		x += width > 0 ? width + 2 : 0;
	}
}

/* ---- of a box ------------------------------------------------------------------------------ */

static struct hint hint_of_pair(const char *word, const char *command, const char *second)
{
	return (struct hint){ word, { command, second }, second != NULL ? 2 : 1 };
}

static void draw_of_panel(struct app *a, struct canvas *c)
{
	int x = 1, width;

	for (size_t i = 0; i < trial_keys_count; i++) {
		const struct trial_key *key = &trial_keys[i];
		struct hint hint = hint_of_pair(key->hint, key->command, key->second);

		width = draw_hint(a, c, &hint, x, c->width - 1, false);
		x += width > 0 ? width + 2 : 0;
	}
}

/* Of use only where there is room for the rows beside the box. */
static bool is_beside(const struct pane_key *key)
{
	return strcmp(key->command, "next-pane") == 0 || strcmp(key->command, "maximize") == 0;
}

/* The list of columns is opened to show and hide them, or to sort by one. */
static bool is_of_other_use(const struct app *a, const struct pane_key *key)
{
	return key->kind == PANE_COLUMNS &&
	       strcmp(key->command, a->pane.sorts ? "sort-column" : "details") == 0;
}

/* Nothing is listed that could be moved to or taken. */
static bool is_empty(const struct app *a)
{
	return (a->pane.kind == PANE_SEEK && seek_choices(a) == 0) ||
	       (a->pane.kind == PANE_LINT && a->trial.lint.count == 0);
}

static void draw_of_box(struct app *a, struct canvas *c)
{
	struct hint close = hint_of_pair("close", "back", NULL);
	int x = 1, end = c->width - 1, width;

	width = draw_hint(a, c, &close, x, end, true);
	end -= width > 0 ? width + 2 : 0;
	for (size_t i = 0; i < sizeof pane_keys / sizeof pane_keys[0]; i++) {
		const struct pane_key *key = &pane_keys[i];
		struct hint hint = hint_of_pair(key->word, key->command, key->second);

		if (key->kind != a->pane.kind || is_empty(a) || is_of_other_use(a, key) ||
		    (pane_modal(a) && !a->pane.large && is_beside(key)))
			continue;
		width = draw_hint(a, c, &hint, x, end, false);
		x += width > 0 ? width + 2 : 0;
	}
}

void hints_draw(struct app *a, struct canvas *c)
{
	a->hints.count = 0;
	if (!a->pane.focus)
		draw_of_view(a, c);
	else if (a->pane.kind == PANE_WHATIF)
		draw_of_panel(a, c);
	else if (a->pane.kind == PANE_TOUR)
		canvas_put(c, 1, c->height - 1, c->width - 2, ROLE_HINT, "any key begins");
	else
		draw_of_box(a, c);
}

const char *hints_at(const struct hints *h, int x)
{
	for (size_t i = 0; i < h->count; i++) {
		if (x >= h->spots[i].x && x < h->spots[i].x + h->spots[i].width)
			return h->spots[i].command;
	}
	return NULL;
}
