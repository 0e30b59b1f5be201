/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The palette: every command above the prompt, fewer with each letter that is typed, the chosen one
 * run by Enter. It is the `:` prompt with a list, so that what is learned in one place holds in
 * the other.
 */
#include "tui/acts/palette.h"

#include <ctype.h>
#include <string.h>

#include "tui/cells/choice.h"
#include "tui/cells/keys.h"

#define PALETTE_WIDTH 92
#define PALETTE_LINES 12
#define KEYS_WIDTH 9

/* The letters of TEXT in this order somewhere in NAME, or TEXT as it is in the help. */
static bool fits(const struct command *command, const char *text)
{
	const char *at = command->name;

	if (strcasestr(command->help, text) != NULL)
		return true;
	for (; *text != '\0' && *text != ' '; text++) {
		while (*at != '\0' && tolower((unsigned char)*at) != tolower((unsigned char)*text))
			at++;
		if (*at++ == '\0')
			return false;
	}
	return true;
}

/* Those whose name begins with the text come first; the table's order otherwise. */
static size_t matches(const struct app *a, const struct command *found[])
{
	const char *text = a->prompt.text;
	size_t length = strcspn(text, " "), count = 0;

	for (int turn = 0; turn < 2; turn++) {
		for (const struct command *c = a->keymap.commands; c->name != NULL; c++) {
			bool begins = strncmp(c->name, text, length) == 0;
			if (begins == (turn == 0) && fits(c, text))
				found[count++] = c;
		}
	}
	return count;
}

/* The chosen command into the prompt; with arguments to type it waits for them. */
static void take(struct app *a, const struct command *command)
{
	prompt_replace(&a->prompt, 0, a->prompt.length, command->name);
	if (command->arguments[0] != '\0')
		prompt_insert(&a->prompt, " ", 1);
}

/* Arguments that must be there, not "[LIST]". */
static bool wants_arguments(const struct command *command)
{
	return command->arguments[0] != '\0' && command->arguments[0] != '[';
}

static void move(struct app *a, int by, size_t count)
{
	a->palette_pick = choice_move(a->palette_pick, by, (uint32_t)count);
}

static uint32_t picked(const struct app *a, size_t count)
{
	return a->palette_pick < count ? a->palette_pick : 0;
}

bool palette_key(struct app *a, uint32_t key)
{
	const struct command *found[PALETTE_COMMANDS];
	size_t count = matches(a, found);

	if (!a->palette || count == 0)
		return false;
	switch (key) {
	case KEYS_UP:
		move(a, -1, count);
		return true;
	case KEYS_DOWN:
		move(a, 1, count);
		return true;
	case KEYS_PGUP:
		move(a, -PALETTE_LINES, count);
		return true;
	case KEYS_PGDN:
		move(a, PALETTE_LINES, count);
		return true;
	case KEYS_TAB:
		take(a, found[picked(a, count)]);
		return true;
	case KEYS_ENTER:
		if (strchr(a->prompt.text, ' ') != NULL)
			return false;
		take(a, found[picked(a, count)]);
		return wants_arguments(found[picked(a, count)]);
	default:
		a->palette_pick = 0;
		return false;
	}
}

static void draw_command(const struct app *a, struct canvas *c, struct area at,
			 const struct command *command)
{
	char keys[32];
	int x = at.x, y = at.y, width = at.width, used;

	keymap_titles(&a->keymap, a->view, command->name, c->ascii, 2, keys, sizeof keys);
	if (canvas_text_width(c, keys) > KEYS_WIDTH)
		keymap_titles(&a->keymap, a->view, command->name, c->ascii, 1, keys, sizeof keys);
	canvas_put(c, x, y, 18, ROLE_VALUE, command->name);
	used = canvas_put(c, x + 19, y, width - 19, ROLE_KEY, keys);
	used = 20 + (used > KEYS_WIDTH ? used : KEYS_WIDTH);
	canvas_name(c, x + used, y, width - used, ROLE_HINT, command->help);
}

static struct area box_of(int width, int height)
{
	struct area area = { 0, 0, PALETTE_WIDTH, PALETTE_LINES + 2 };

	if (area.width > width)
		area.width = width;
	if (area.height > height - 4)
		area.height = height - 4;
	area.x = (width - area.width) / 2;
	area.y = height - 2 - area.height;
	return area;
}

/* Where the commands are, inside of the box. */
static struct area lines_of(int width, int height)
{
	struct area box = box_of(width, height);

	return (struct area){ box.x + 1, box.y + 1, box.width - 2, box.height - 2 };
}

bool palette_click(struct app *a, int x, int y)
{
	const struct command *found[PALETTE_COMMANDS];
	size_t count = matches(a, found);
	struct area at = lines_of(a->width, a->height);
	uint32_t line = choice_at(choice_first(0, picked(a, count), at.height), (uint32_t)count, at,
				  x, y);

	if (line == CHOICE_NONE)
		return false;
	a->palette_pick = line;
	return true;
}

struct listed {
	const struct app *app;
	const struct command *found[PALETTE_COMMANDS];
};

static void draw_line(const void *context, struct canvas *c, uint32_t i, struct area at)
{
	const struct listed *l = context;

	at.x++;
	at.width -= 2;
	draw_command(l->app, c, at, l->found[i]);
}

void palette_draw(const struct app *a, struct canvas *c)
{
	struct area box = box_of(c->width, c->height), at = lines_of(c->width, c->height);
	struct listed l = { .app = a };
	uint32_t count = (uint32_t)matches(a, l.found), pick = picked(a, count);

	if (!a->palette)
		return;
	canvas_box(c, box.x, box.y, box.width, box.height, "Commands");
	choice_draw(&(struct choice){ choice_first(0, pick, at.height), count, pick, draw_line,
				      &l }, c, at);
	if (count == 0)
		canvas_put(c, at.x + 1, at.y, at.width - 2, ROLE_HINT, "no command is like this");
}
