/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * theme: how each role looks.
 *
 * A theme is a file of the command language whose only command is
 *	color ROLE [COLOR] [on COLOR] [bold] [dim] [italic] [underline] [reverse]
 * ROLE is a role or ground of canvas.h. COLOR is default, one of the sixteen names, 0 to 255, or
 * #rrggbb. What a theme does not name, or calls default, has the colours of "text", whose ground is
 * that of the whole screen; where they are default, too, it is the terminal's own.
 *
 * Colours are reduced once, when the theme is loaded, to what the terminal has: direct -> 256 (the
 * nearest) -> 16 -> 8 (of the same hue, but black or white where that cannot be read, and without
 * quiet grounds) -> none (what the theme "mono" has for it).
 */
#ifndef FAIRTOP_TUI_CELLS_THEME_H
#define FAIRTOP_TUI_CELLS_THEME_H

#include "tui/cells/canvas.h"
#include "tui/base/script.h"

#define COLOR_INHERIT	(-2)		/* of a ground: keep the role's */
#define COLOR_DEFAULT	(-1)		/* that of text; of text: the terminal's own */
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
 * By name: DIR/themes/NAME.theme (DIR may be NULL), then the installed themes, then the built-in
 * ones. ERR_INPUT lists the names there are, or says what is wrong in which line.
 */
bool theme_load(struct theme *t, const char *name, const char *dir, struct err *err);
bool theme_parse(struct theme *t, const char *name, const char *file, const char *text,
		 size_t length, struct err *err);

/* One `color` command, as the prompt and fairtop.conf have it too. */
bool theme_color(struct theme *t, const struct words *words, struct err *err);

/*
 * The line that gives role I its look (the grounds follow), and what the role is for; false behind
 * the last.
 */
bool theme_spell(const struct theme *t, size_t i, const char **meaning, char *buf, size_t size);

void theme_reduce(struct theme *t, enum color_depth depth);

/* What a cell looks like. */
struct style theme_style(const struct theme *t, enum role role, enum ground ground);

/* #rrggbb of a colour (palette numbers too); FALLBACK for default and inherit. */
uint32_t theme_rgb(int32_t color, uint32_t fallback);

#endif
