/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/cells/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/visible.h"

static const struct {
	const char *name;
	uint32_t key;
	const char *title;
} names[] = {
	{ "Up", KEYS_UP, "↑" }, { "Down", KEYS_DOWN, "↓" },
	{ "Left", KEYS_LEFT, "←" }, { "Right", KEYS_RIGHT, "→" },
	{ "PgUp", KEYS_PGUP, NULL }, { "PgDn", KEYS_PGDN, NULL },
	{ "Home", KEYS_HOME, NULL }, { "End", KEYS_END, NULL },
	{ "Insert", KEYS_INSERT, NULL }, { "Delete", KEYS_DELETE, NULL },
	{ "Tab", KEYS_TAB, NULL }, { "S-Tab", KEYS_BACKTAB, "Shift-Tab" },
	{ "S-Left", KEYS_SHIFT_LEFT, "Shift-←" }, { "S-Right", KEYS_SHIFT_RIGHT, "Shift-→" },
	{ "Enter", KEYS_ENTER, NULL }, { "Esc", KEYS_ESC, NULL },
	{ "Space", KEYS_SPACE, NULL }, { "Backspace", KEYS_BACKSPACE, NULL },
	{ "lt", '<', "<" },
};

static bool named_key(const char *name, size_t length, uint32_t *key)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i].name) == length &&
		    strncasecmp(name, names[i].name, length) == 0) {
			*key = names[i].key;
			return true;
		}
	}
	if (length == 3 && (name[0] == 'C' || name[0] == 'c') && name[1] == '-') {
		*key = KEY_CTRL(name[2]);
		return (name[2] >= 'a' && name[2] <= 'z') || (name[2] >= 'A' && name[2] <= 'Z') ||
		       (name[2] >= '[' && name[2] <= '_');
	}
	if ((length == 2 || length == 3) && (name[0] == 'F' || name[0] == 'f')) {
		int n = 0;
		for (size_t i = 1; i < length; i++) {
			if (name[i] < '0' || name[i] > '9')
				return false;
			n = 10 * n + name[i] - '0';
		}
		*key = KEYS_F1 + (uint32_t)n - 1;
		return n >= 1 && n <= 12;
	}
	return false;
}

size_t key_parse(const char *text, size_t length, uint32_t *key, struct err *err)
{
	const char *end;
	size_t used;

	if (length > 0 && text[0] == '<') {
		end = memchr(text, '>', length);
		if (!end) {
			err_set(err, ERR_INPUT,
				"'%.*s': a key name is not closed with > "
				"(the character itself is <lt>)",
				(int)(length > 40 ? 40 : length), text);
			return 0;
		}
		size_t inside = (size_t)(end - text) - 1;
		if (named_key(text + 1, inside, key))
			return inside + 2;
		err_set(err, ERR_INPUT,
			"'<%.*s>' is not a key (expected <Down>, <Enter>, <Esc>, <C-p>, "
			"<F5>, <Space>, <lt> ...)",
			(int)(inside > 40 ? 40 : inside), text + 1);
		return 0;
	}
	used = utf8_decode(text, length, key);
	if (used == 0 || *key == UINT32_MAX) {
		err_set(err, ERR_INPUT, "expected a key");
		return 0;
	}
	return used;
}

static void write_character(uint32_t key, char name[KEY_NAME_MAX])
{
	char utf8[4];
	size_t bytes = utf8_encode(key, utf8);

	snprintf(name, KEY_NAME_MAX, "%.*s", (int)bytes, utf8);
}

void key_spell(uint32_t key, char name[KEY_NAME_MAX])
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].key == key) {
			snprintf(name, KEY_NAME_MAX, "<%s>", names[i].name);
			return;
		}
	}
	if (key < 0x20)
		snprintf(name, KEY_NAME_MAX, "<C-%c>", key >= 1 && key <= 26 ? (char)(key + 0x60) :
						       (char)(key + 0x40));
	else if (key >= KEYS_F1 && key <= KEYS_F12)
		snprintf(name, KEY_NAME_MAX, "<F%u>", (unsigned)(key - KEYS_F1 + 1));
	else if (key > 0x10ffff)
		name[0] = '\0';
	else
		write_character(key, name);
}

void key_title(uint32_t key, bool ascii, char name[KEY_NAME_MAX])
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].key == key) {
			snprintf(name, KEY_NAME_MAX, "%s",
				 names[i].title &&
						 (!ascii || key < 0x80 || key == KEYS_BACKTAB)
					 ? names[i].title
					 : names[i].name);
			return;
		}
	}
	if (key < 0x20)
		snprintf(name, KEY_NAME_MAX, "Ctrl-%c", (char)(key + 0x40));
	else if (key >= KEYS_F1 && key <= KEYS_F12)
		snprintf(name, KEY_NAME_MAX, "F%u", (unsigned)(key - KEYS_F1 + 1));
	else
		key_spell(key, name);
}

/* "NAME:A,B>": two positive numbers with a separator; returns the bytes read, or 0. */
static size_t two_numbers(const char *text, const char *name, char separator,
			  struct script_step *step)
{
	size_t length = strlen(name);
	char *end;
	long x, y;

	if (strncasecmp(text, name, length) != 0)
		return 0;
	x = strtol(text + length, &end, 10);
	if (x < 1 || x > 9999 || *end != separator)
		return 0;
	y = strtol(end + 1, &end, 10);
	if (y < 1 || y > 9999 || *end != '>')
		return 0;
	step->x = (int)x;
	step->y = (int)y;
	return (size_t)(end + 1 - text);
}

size_t key_script_next(const char *text, size_t length, struct script_step *step, struct err *err)
{
	size_t used;

	memset(step, 0, sizeof(*step));
	if (length > 0 && text[0] == '<') {
		if ((used = two_numbers(text, "<Click:", ',', step)) > 0) {
			step->type = STEP_CLICK;
			step->x--;
			step->y--;
			return used;
		}
		if ((used = two_numbers(text, "<Resize:", 'x', step)) > 0) {
			step->type = STEP_RESIZE;
			return used;
		}
		if (strncasecmp(text, "<WheelUp>", 9) == 0 ||
		    strncasecmp(text, "<WheelDown>", 11) == 0) {
			step->type = STEP_WHEEL;
			step->y = strncasecmp(text, "<WheelUp>", 9) == 0 ? -1 : 1;
			return step->y < 0 ? 9 : 11;
		}
	}
	step->type = STEP_KEY;
	return key_parse(text, length, &step->key, err);
}
