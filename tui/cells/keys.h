/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys: the keys as numbers, and their names.
 *
 * A key is a Unicode code point (including controls: Ctrl-P is 0x10) or one of the KEY_ numbers
 * beyond Unicode. In writing, characters stand for themselves; other keys are <Down> <Enter> <Esc>
 * <C-p> <F5> <Space> <lt> ...
 */
#ifndef FAIRTOP_TUI_CELLS_KEYS_H
#define FAIRTOP_TUI_CELLS_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

enum key {
	KEYS_TAB = 0x09,
	KEYS_ENTER = 0x0d,
	KEYS_ESC = 0x1b,
	KEYS_SPACE = 0x20,
	KEYS_BACKSPACE = 0x7f,
	KEYS_UP = 0x110000,
	KEYS_DOWN,
	KEYS_LEFT,
	KEYS_RIGHT,
	KEYS_PGUP,
	KEYS_PGDN,
	KEYS_HOME,
	KEYS_END,
	KEYS_INSERT,
	KEYS_DELETE,
	KEYS_BACKTAB,
	KEYS_SHIFT_LEFT,
	KEYS_SHIFT_RIGHT,
	KEYS_F1,
	KEYS_F12 = KEYS_F1 + 11,
	KEYS_NONE = 0x11ffff
};

#define KEY_CTRL(letter) ((uint32_t)(letter) & 0x1f)
#define KEY_NAME_MAX 16

/*
 * Reads one written key from TEXT and returns its length in bytes; 0 and ERR_INPUT if it is not a
 * key ("<Foo>", half a character). Names ignore case.
 */
size_t key_parse(const char *text, size_t length, uint32_t *key, struct err *err);

/* Writes the key as key_parse() reads it. */
void key_spell(uint32_t key, char name[KEY_NAME_MAX]);

/* The name in hints and help: "Ctrl-P", "Enter", an arrow (ASCII: "Up"). */
void key_title(uint32_t key, bool ascii, char name[KEY_NAME_MAX]);

/*
 * Reads a step of a --keys script. Besides keys it can have <Click:X,Y> <WheelUp> <WheelDown>
 * <Resize:WxH>; columns and lines count from 1.
 */
enum script_step_type { STEP_KEY, STEP_CLICK, STEP_WHEEL, STEP_RESIZE };

struct script_step {
	enum script_step_type type;
	uint32_t key;
	int x, y;		/* CLICK; RESIZE: width and height; WHEEL: y is -1 up, 1 down */
};

size_t key_script_next(const char *text, size_t length, struct script_step *step, struct err *err);

#endif
