/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canvas: a grid of cells, the last stage before a terminal, a text, ANSI or SVG.
 *
 * A cell has one character as the reader sees it (a base character with its combining marks), its
 * width in columns, its role (the meaning of the text) and its ground (that of the background). A
 * wide character takes its cell and the next one, whose width is 0 and whose text is empty.
 *
 * Drawing outside the grid is cut, never an error. Widths come from wcwidth(), so LC_CTYPE must be
 * set.
 */
#ifndef FAIRTOP_TUI_CELLS_CANVAS_H
#define FAIRTOP_TUI_CELLS_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/sink.h"

enum role {
#define ROLE(id, name, meaning) ROLE_##id,
#include "tui/cells/roles.def"
#undef ROLE
	ROLE_COUNT
};

/* What is under a text; names begin with "ground." in themes. */
enum ground {
	GROUND_NONE,
	GROUND_BAR,		/* header and hint lines */
	GROUND_HEAD,		/* line of the column titles */
	GROUND_CURSOR,		/* the selected row */
	GROUND_MARK,		/* a marked row */
	GROUND_PANE,		/* boxes above the view */
	GROUND_PICK,		/* the selected line of a box */
	GROUND_PAST,		/* header of a screen that does not show the present */
	GROUND_CELL,		/* the cell of the selected row under the column cursor */
	GROUND_TITLE,		/* the title of the column under the cursor */
	GROUND_COUNT
};

struct role_info {
	const char *name, *meaning;
};
extern const struct role_info role_info[ROLE_COUNT];
extern const struct role_info ground_info[GROUND_COUNT];

#define CELL_TEXT 13

struct cell {
	char text[CELL_TEXT];	/* UTF-8, NUL-ended; "" right of a wide character */
	uint8_t width;		/* 1 or 2; 0 right of a wide character */
	uint8_t role;		/* enum role */
	uint8_t ground;		/* enum ground */
};

struct area {
	int x, y, width, height;
};

struct canvas {
	int width, height;
	bool ascii;		/* only ASCII is written */
	struct cell *cells;	/* height rows of width cells */
	int cursor_x, cursor_y;	/* position of the terminal's cursor; -1: hidden */
	int left, right, top, bottom;	/* the area that may be drawn on: before right and bottom */
};

/* Signs with a UTF-8 and an ASCII form. */
enum glyph {
	GLYPH_FOLDED, GLYPH_OPEN, GLYPH_OVER, GLYPH_UNDER, GLYPH_ELLIPSIS, GLYPH_ASCENDING,
	GLYPH_DESCENDING, GLYPH_MARK, GLYPH_NEW, GLYPH_GONE, GLYPH_AXIS, GLYPH_BAR,
	GLYPH_BAR_LEFT_HALF, GLYPH_BAR_RIGHT_HALF, GLYPH_LEFT, GLYPH_RIGHT, GLYPH_HLINE,
	GLYPH_VLINE, GLYPH_TOP_LEFT, GLYPH_TOP_RIGHT, GLYPH_BOTTOM_LEFT, GLYPH_BOTTOM_RIGHT,
	GLYPH_MORE_UP, GLYPH_MORE_DOWN, GLYPH_EMPTY, GLYPH_GAP, GLYPH_CHANGE, GLYPH_HERE,
	GLYPH_BLANK, GLYPH_REPORTED, GLYPH_DIFFERS,
	GLYPH_COUNT
};

struct canvas *canvas_new(int width, int height, bool ascii);
void canvas_free(struct canvas *c);
void canvas_resize(struct canvas *c, int width, int height);	/* also clears it */
void canvas_clear(struct canvas *c);

/* Restricts drawing to this area until canvas_clear(). */
void canvas_clip(struct canvas *c, int x, int y, int width, int height);

const char *canvas_glyph(const struct canvas *c, enum glyph glyph);

/*
 * Writes TEXT from column X of row Y, at most MAX columns; control characters and invalid bytes
 * become '?'. The ground of the cells stays. Returns the columns written.
 */
int canvas_put(struct canvas *c, int x, int y, int max, enum role role, const char *text);
int canvas_putf(struct canvas *c, int x, int y, int max, enum role role, const char *format, ...)
	ERR_PRINTF(6, 7);
int canvas_glyph_put(struct canvas *c, int x, int y, enum role role, enum glyph glyph);

/*
 * Writes an untrusted name: made safe by visible_copy(), and cut with an ellipsis if wider than
 * MAX.
 */
int canvas_name(struct canvas *c, int x, int y, int max, enum role role, const char *name);

/* The same, but cut in front: the end is more important. */
int canvas_name_end(struct canvas *c, int x, int y, int max, enum role role, const char *name);

/* Like canvas_put(), but right-aligned: ends before column X + MAX. */
int canvas_right(struct canvas *c, int x, int y, int max, enum role role, const char *text);

/* Sets the ground of a run of cells; canvas_fill() also blanks them. */
void canvas_ground(struct canvas *c, int x, int y, int width, enum ground ground);
void canvas_fill(struct canvas *c, int x, int y, int width, int height, enum ground ground);
void canvas_role(struct canvas *c, int x, int y, int width, enum role role);	/* keeps the text */

/* A box with a border and a title, blank inside, on GROUND_PANE. */
void canvas_box(struct canvas *c, int x, int y, int width, int height, const char *title);

/* Columns that TEXT takes (for names: after visible_copy()). */
int text_width(const char *text);
int canvas_text_width(const struct canvas *c, const char *text); /* as canvas_put() writes it */

/* Writes the canvas as text: a line per row without trailing blanks. */
bool canvas_write_text(const struct canvas *c, struct sink out, struct err *err);

/*
 * Writes roles and grounds, for tests: a grid with a letter per role, an empty line, and a grid
 * with a digit per ground.
 */
bool canvas_write_roles(const struct canvas *c, struct sink out, struct err *err);

#endif
