/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * theme: how each role looks.
 *
 * A theme is a file of the command language whose only command is
 *	color ROLE [COLOR] [on COLOR] [bold] [dim] [italic] [underline] [reverse]
 * ROLE is a role or ground of canvas.h. COLOR is default, one of the sixteen names, 0 to 255, or
 * #rrggbb. Roles that a theme omits or sets to default have the colours of "text", whose ground is
 * that of the whole screen; if these are default, too, the terminal's own.
 *
 * Colours are reduced once, when the theme is loaded, to what the terminal has: direct -> 256 (the
 * nearest) -> 16 -> 8 (of the same hue, but black or white where that is unreadable, and without
 * quiet grounds) -> none (as in the theme "mono").
 */
#ifndef FAIRTOP_TUI_CELLS_THEME_H
#define FAIRTOP_TUI_CELLS_THEME_H

#include "tui/cells/canvas.h"
#include "tui/base/script.h"

#define COLOR_INHERIT	(-2)		/* for a ground: keep the role's */
#define COLOR_DEFAULT	(-1)		/* that of text; for text: the terminal's own */
#define COLOR_RGB	0x1000000	/* or'ed with rrggbb; below it a palette number */

enum style_attr {
	STYLE_BOLD = 1, STYLE_DIM = 2, STYLE_ITALIC = 4, STYLE_UNDERLINE = 8, STYLE_REVERSE = 16
};

struct style {
	int32_t fg, bg;
	uint16_t attrs;
};

enum color_depth {
	DEPTH_MONO = 0,
	DEPTH_8 = 8,
	DEPTH_16 = 16,
	DEPTH_256 = 256,
	DEPTH_DIRECT = COLOR_RGB
};

#define THEME_NAME 32

struct theme {
	char name[THEME_NAME];
	struct style roles[ROLE_COUNT];
	struct style grounds[GROUND_COUNT];
};

extern const char *const theme_builtin[];	/* names, NULL-ended; the first is the default */

/*
 * Loads by name: DIR/themes/NAME.theme (DIR may be NULL), then the installed themes, then the
 * built-in ones. ERR_INPUT lists the known names, or says what is wrong in which line.
 */
bool theme_load(struct theme *t, const char *name, const char *dir, struct err *err);
bool theme_parse(struct theme *t, const char *name, const char *file, const char *text,
		 size_t length, struct err *err);

/* Runs a `color` command, also for the prompt and fairtop.conf. */
bool theme_color(struct theme *t, const struct words *words, struct err *err);

/*
 * The line that sets the look of role I (grounds come after roles), and the role's meaning; false
 * after the last.
 */
bool theme_spell(const struct theme *t, size_t i, const char **meaning, char *buf, size_t size);

void theme_reduce(struct theme *t, enum color_depth depth);

/* The style of a cell. */
struct style theme_style(const struct theme *t, enum role role, enum ground ground);

/* #rrggbb of a colour (palette numbers too); FALLBACK for default and inherit. */
uint32_t theme_rgb(int32_t color, uint32_t fallback);

#endif
