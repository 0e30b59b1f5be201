/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/cells/prompt.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/visible.h"
#include "tui/cells/keys.h"

static const char *const signs[PROMPT_KINDS] = {
	[PROMPT_SEARCH] = "/", [PROMPT_FILTER] = "filter: ", [PROMPT_COMMAND] = ":",
	[PROMPT_TIME] = "go to: ", [PROMPT_DIFFERENCE] = "difference from: ",
	[PROMPT_EDIT] = "what if ",
};

void prompt_free(struct prompt *p)
{
	for (int kind = 0; kind < PROMPT_KINDS; kind++) {
		for (size_t i = 0; i < p->history_count[kind]; i++)
			mem_free(p->history[kind][i]);
	}
	memset(p, 0, sizeof(*p));
}

static void prompt_set_text(struct prompt *p, const char *text)
{
	size_t length = strlen(text);

	if (length >= sizeof(p->text))
		length = sizeof(p->text) - 1;
	memcpy(p->text, text, length);
	p->text[length] = '\0';
	p->length = p->cursor = length;
}

void prompt_open(struct prompt *p, enum prompt_kind kind, const char *text)
{
	p->kind = kind;
	p->history_at = p->history_count[kind];
	p->complete_turn = 0;
	p->fixed = 0;
	p->offers = false;
	prompt_set_text(p, text);
}

void prompt_offer(struct prompt *p, enum prompt_kind kind, const char *text, size_t from)
{
	prompt_open(p, kind, text);
	p->fixed = p->offered = from;
	p->offers = from < p->length;
}

void prompt_remember(struct prompt *p, enum prompt_kind kind, const char *text)
{
	size_t n = p->history_count[kind];
	char **history = p->history[kind];

	if (text[0] == '\0' || (n > 0 && strcmp(history[n - 1], text) == 0))
		return;
	if (n == PROMPT_HISTORY) {
		mem_free(history[0]);
		memmove(history, history + 1, (n - 1) * sizeof(*history));
		n--;
	}
	history[n] = mem_strdup(text);
	p->history_count[kind] = n + 1;
}

void prompt_close(struct prompt *p, bool remember)
{
	if (remember)
		prompt_remember(p, p->kind, p->text);
	p->kind = PROMPT_NONE;
}

/* ---- editing ------------------------------------------------------------------------------- */

/* Bytes of the character before the cursor; combining marks count separately. */
static size_t character_before(const struct prompt *p)
{
	size_t n = 1;

	while (n < p->cursor && ((unsigned char)p->text[p->cursor - n] & 0xc0) == 0x80)
		n++;
	return p->cursor > p->fixed ? n : 0;
}

static size_t character_after(const struct prompt *p)
{
	uint32_t ignored;

	return utf8_decode(p->text + p->cursor, p->length - p->cursor, &ignored);
}

void prompt_replace(struct prompt *p, size_t from, size_t length, const char *text)
{
	size_t n = strlen(text);

	if (p->length - length + n >= sizeof(p->text))
		return;
	memmove(p->text + from + n, p->text + from + length, p->length - from - length + 1);
	memcpy(p->text + from, text, n);
	p->length = p->length - length + n;
	p->cursor = from + n;
}

void prompt_insert(struct prompt *p, const char *text, size_t length)
{
	char copy[PROMPT_MAX];

	if (length >= sizeof(copy))
		return;
	memcpy(copy, text, length);
	copy[length] = '\0';
	prompt_replace(p, p->cursor, 0, copy);
}

static void prompt_erase(struct prompt *p, size_t from, size_t length)
{
	prompt_replace(p, from, length, "");
}

static void erase_word(struct prompt *p)
{
	size_t from = p->cursor;

	while (from > p->fixed && p->text[from - 1] == ' ')
		from--;
	while (from > p->fixed && p->text[from - 1] != ' ')
		from--;
	prompt_erase(p, from, p->cursor - from);
}

static void show_history(struct prompt *p, int direction)
{
	size_t n = p->history_count[p->kind];

	if (p->fixed > 0 || (direction < 0 && p->history_at == 0) ||
	    (direction > 0 && p->history_at == n))
		return;
	if (p->history_at == n)
		memcpy(p->draft, p->text, p->length + 1);
	p->history_at = direction < 0 ? p->history_at - 1 : p->history_at + 1;
	prompt_set_text(p, p->history_at == n ? p->draft : p->history[p->kind][p->history_at]);
}

/* Handles keys that move or erase; false for other keys. */
static bool prompt_edit(struct prompt *p, uint32_t key)
{
	switch (key) {
	case KEYS_LEFT:
	case KEY_CTRL('b'):
		p->cursor -= character_before(p);
		return true;
	case KEYS_RIGHT:
	case KEY_CTRL('f'):
		p->cursor += character_after(p);
		return true;
	case KEYS_HOME:
	case KEY_CTRL('a'):
		p->cursor = p->fixed;
		return true;
	case KEYS_END:
	case KEY_CTRL('e'):
		p->cursor = p->length;
		return true;
	case KEYS_BACKSPACE:
	case KEY_CTRL('h'):
		prompt_erase(p, p->cursor - character_before(p), character_before(p));
		return true;
	case KEYS_DELETE:
	case KEY_CTRL('d'):
		prompt_erase(p, p->cursor, character_after(p));
		return true;
	case KEY_CTRL('u'):
		prompt_erase(p, p->fixed, p->cursor - p->fixed);
		return true;
	case KEY_CTRL('k'):
		prompt_erase(p, p->cursor, p->length - p->cursor);
		return true;
	case KEY_CTRL('w'):
		erase_word(p);
		return true;
	case KEYS_UP:
		show_history(p, -1);
		return true;
	case KEYS_DOWN:
		show_history(p, 1);
		return true;
	default:
		return false;
	}
}

static bool prompt_is_letter(uint32_t key)
{
	return key >= 0x20 && key <= 0x10ffff;
}

static bool prompt_erases(uint32_t key)
{
	return key == KEYS_BACKSPACE || key == KEY_CTRL('h') || key == KEYS_DELETE ||
	       key == KEY_CTRL('d');
}

enum prompt_result prompt_key(struct prompt *p, uint32_t key)
{
	bool offers = p->offers;
	char utf8[4];

	p->offers = false;
	if (key == KEYS_TAB) {
		p->complete_turn++;
		return PROMPT_COMPLETE;
	}
	p->complete_turn = 0;
	if (key == KEYS_ENTER)
		return PROMPT_DONE;
	if (key == KEYS_ESC || key == KEY_CTRL('g'))
		return PROMPT_CANCELLED;
	if (key == KEYS_BACKSPACE && p->length == 0)
		return PROMPT_CANCELLED;
	if (offers && (prompt_erases(key) || prompt_is_letter(key))) {
		prompt_erase(p, p->offered, p->length - p->offered);
		if (prompt_erases(key))
			return PROMPT_TYPED;
	}
	if (prompt_edit(p, key))
		return PROMPT_TYPED;
	if (!prompt_is_letter(key))
		return PROMPT_IGNORED;
	prompt_insert(p, utf8, utf8_encode(key, utf8));
	return PROMPT_TYPED;
}

/* ---- drawing ------------------------------------------------------------------------------- */

void prompt_draw(const struct prompt *p, struct canvas *c, int y, const char *example)
{
	char before[PROMPT_MAX * 4], text[PROMPT_MAX * 4], kept[PROMPT_MAX * 4];
	size_t hidden = 0;
	int x, space, from, end;
	uint32_t ignored;

	canvas_fill(c, 0, y, c->width, 1, GROUND_BAR);
	x = canvas_put(c, 0, y, c->width, ROLE_PROMPT, signs[p->kind]);
	space = c->width - x - 1;
	visible_copy(before, sizeof(before), p->text, p->cursor);
	visible_copy(text, sizeof(text), p->text, p->length);
	while (canvas_text_width(c, before + hidden) > space)
		hidden += utf8_decode(before + hidden, strlen(before + hidden), &ignored);
	end = x + canvas_put(c, x, y, space + 1, ROLE_INPUT, text + hidden);
	c->cursor_x = x + canvas_text_width(c, before + hidden);
	c->cursor_y = y;
	if (p->offers) {
		visible_copy(kept, sizeof(kept), p->text, p->offered);
		from = strlen(kept) > hidden ? x + canvas_text_width(c, kept + hidden) : x;
		canvas_ground(c, from, y, end - from, GROUND_PICK);
	}
	if (example)
		canvas_name(c, end + 2, y, c->width - end - 3, ROLE_LEGEND, example);
}
