/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/cells/canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "core/base/mem.h"
#include "core/base/visible.h"

/* Enough for the widest line of the widest terminal, including combining marks. */
#define TEXT_MAX 4096

const struct role_info role_info[ROLE_COUNT] = {
#define ROLE(id, name, meaning) [ROLE_##id] = { name, meaning },
#include "tui/cells/roles.def"
#undef ROLE
};

const struct role_info ground_info[GROUND_COUNT] = {
	[GROUND_NONE] = { "ground.none", "where no other ground applies" },
	[GROUND_BAR] = { "ground.bar", "header and hint lines" },
	[GROUND_HEAD] = { "ground.head", "the line of column titles" },
	[GROUND_CURSOR] = { "ground.cursor", "the selected row" },
	[GROUND_MARK] = { "ground.mark", "marked rows" },
	[GROUND_PANE] = { "ground.pane", "boxes above the view" },
	[GROUND_PICK] = { "ground.pick", "the selected line of a box" },
	[GROUND_PAST] = { "ground.past", "the header of a screen that shows the past" },
	[GROUND_CELL] = { "ground.cell", "the selected row's cell under the column cursor" },
	[GROUND_TITLE] = { "ground.title", "the title of the column under the cursor" },
};

static const char *const glyphs[GLYPH_COUNT][2] = {
	[GLYPH_FOLDED] = { "▸", ">" },
	[GLYPH_OPEN] = { "▾", "v" },
	[GLYPH_OVER] = { "▲", "^" },
	[GLYPH_UNDER] = { "▼", "v" },
	[GLYPH_ELLIPSIS] = { "…", "~" },
	[GLYPH_ASCENDING] = { "↑", "^" },
	[GLYPH_DESCENDING] = { "↓", "v" },
	[GLYPH_MARK] = { "●", "*" },
	[GLYPH_NEW] = { "+", "+" },
	[GLYPH_GONE] = { "✕", "x" },
	[GLYPH_AXIS] = { "│", "|" },
	[GLYPH_BAR] = { "━", "=" },
	[GLYPH_BAR_LEFT_HALF] = { "╸", "-" },
	[GLYPH_BAR_RIGHT_HALF] = { "╺", "-" },
	[GLYPH_LEFT] = { "◂", "<" },
	[GLYPH_RIGHT] = { "▸", ">" },
	[GLYPH_HLINE] = { "─", "-" },
	[GLYPH_VLINE] = { "│", "|" },
	[GLYPH_TOP_LEFT] = { "┌", "+" },
	[GLYPH_TOP_RIGHT] = { "┐", "+" },
	[GLYPH_BOTTOM_LEFT] = { "└", "+" },
	[GLYPH_BOTTOM_RIGHT] = { "┘", "+" },
	[GLYPH_MORE_UP] = { "↑", "^" },
	[GLYPH_MORE_DOWN] = { "↓", "v" },
	[GLYPH_REPORTED] = { "′", "'" },
	[GLYPH_DIFFERS] = { "≠", "!" },
	[GLYPH_EMPTY] = { "·", "." },
	[GLYPH_GAP] = { "░", ":" },
	[GLYPH_CHANGE] = { "◆", "*" },
	[GLYPH_HERE] = { "┃", "|" },
	[GLYPH_BLANK] = { " ", " " },
};

static const struct cell blank = { " ", 1, ROLE_TEXT, GROUND_NONE };

struct canvas *canvas_new(int width, int height, bool ascii)
{
	struct canvas *c = mem_zalloc(1, sizeof(*c));

	c->ascii = ascii;
	canvas_resize(c, width, height);
	return c;
}

void canvas_free(struct canvas *c)
{
	if (!c)
		return;
	mem_free(c->cells);
	mem_free(c);
}

void canvas_resize(struct canvas *c, int width, int height)
{
	c->width = width > 0 ? width : 1;
	c->height = height > 0 ? height : 1;
	mem_free(c->cells);
	c->cells = mem_alloc((size_t)c->width * (size_t)c->height, sizeof(*c->cells));
	canvas_clear(c);
}

void canvas_clear(struct canvas *c)
{
	size_t n = (size_t)c->width * (size_t)c->height;

	for (size_t i = 0; i < n; i++)
		c->cells[i] = blank;
	c->cursor_x = c->cursor_y = -1;
	canvas_clip(c, 0, 0, c->width, c->height);
}

void canvas_clip(struct canvas *c, int x, int y, int width, int height)
{
	c->left = x > 0 ? x : 0;
	c->right = x + width < c->width ? x + width : c->width;
	c->top = y > 0 ? y : 0;
	c->bottom = y + height < c->height ? y + height : c->height;
}

const char *canvas_glyph(const struct canvas *c, enum glyph glyph)
{
	return glyphs[glyph][c->ascii];
}

/* ---- characters ---------------------------------------------------------------------------- */

/*
 * Reads the next code point of TEXT, as it will be written. Returns its bytes in TEXT (0 at the
 * end), sets *columns and the bytes to write. Drops variation selectors: terminals disagree on
 * their effect on the width.
 */
static size_t next_character(const char *text, size_t length, bool ascii, char out[16],
			     int *columns)
{
	uint32_t code_point;
	size_t used = utf8_decode(text, length, &code_point);

	*columns = 0;
	out[0] = '\0';
	if (used == 0)
		return 0;
	if (code_point < 0x80) {
		bool control = code_point < 0x20 || code_point == 0x7f;
		out[0] = control ? '?' : (char)code_point;
		out[1] = '\0';
		*columns = 1;
	} else if (code_point == UINT32_MAX) {
		memcpy(out, "?", 2);
		*columns = 1;
	} else if (code_point >= 0xfe00 && code_point <= 0xfe0f) {
		;
	} else if (ascii) {
		*columns = snprintf(out, 16, "<U+%04X>", (unsigned)code_point);
	} else {
		*columns = wcwidth((wchar_t)code_point);
		if (*columns < 0) {
			*columns = 1;
			memcpy(out, "?", 2);
		} else {
			size_t bytes = utf8_encode(code_point, out);
			out[bytes] = '\0';
		}
	}
	return used;
}

static int canvas_measure(const char *text, bool ascii)
{
	size_t length = strlen(text), used;
	int width = 0, columns;
	char out[16];

	while ((used = next_character(text, length, ascii, out, &columns)) > 0) {
		width += columns;
		text += used;
		length -= used;
	}
	return width;
}

int text_width(const char *text)
{
	return canvas_measure(text, false);
}

int canvas_text_width(const struct canvas *c, const char *text)
{
	return canvas_measure(text, c->ascii);
}

/* Blanks a whole wide character that loses one of its cells. */
static void break_wide(struct canvas *c, int x, int y)
{
	struct cell *row = c->cells + (size_t)y * (size_t)c->width;

	if (row[x].width == 0 && x > 0) {
		memset(row[x - 1].text, 0, CELL_TEXT);
		row[x - 1].text[0] = ' ';
		row[x - 1].width = 1;
	}
	if (row[x].width == 2 && x + 1 < c->width) {
		memset(row[x + 1].text, 0, CELL_TEXT);
		row[x + 1].text[0] = ' ';
		row[x + 1].width = 1;
	}
}

static void canvas_set_cell(struct canvas *c, int x, int y, int width, enum role role,
			    const char *text)
{
	struct cell *cell = c->cells + (size_t)y * (size_t)c->width + x;

	break_wide(c, x, y);
	memset(cell->text, 0, CELL_TEXT);	/* no stale bytes: cells are compared as memory */
	memcpy(cell->text, text, strlen(text));
	cell->width = (uint8_t)width;
	cell->role = (uint8_t)role;
	if (width == 2) {
		break_wide(c, x + 1, y);
		memset(cell[1].text, 0, CELL_TEXT);
		cell[1].width = 0;
		cell[1].role = (uint8_t)role;
	}
}

static void canvas_combine(struct canvas *c, int x, int y, const char *mark)
{
	struct cell *cell;
	size_t length;

	if (x < c->left || x >= c->right)
		return;
	cell = c->cells + (size_t)y * (size_t)c->width + x;
	if (cell->width == 0 && x > 0)
		cell--;
	length = strlen(cell->text);
	if (length + strlen(mark) < CELL_TEXT)
		memcpy(cell->text + length, mark, strlen(mark) + 1);
}

/*
 * Writes one character of COLUMNS columns (in ASCII mode several cells); false if it would pass
 * END.
 */
static bool put_character(struct canvas *c, int x, int y, int end, enum role role, const char *text,
			  int columns)
{
	if (x + columns > end)
		return false;
	if (text[0] != '\0' && text[1] != '\0' && (unsigned char)text[0] < 0x80) {
		char one[2] = "";
		for (int i = 0; i < columns; i++) {
			one[0] = text[i];
			if (x + i >= c->left)
				canvas_set_cell(c, x + i, y, 1, role, one);
		}
		return true;
	}
	if (x >= c->left)
		canvas_set_cell(c, x, y, columns, role, text);
	return true;
}

int canvas_put(struct canvas *c, int x, int y, int max, enum role role, const char *text)
{
	size_t length = strlen(text), used;
	int at = x, columns, end = max < c->right - x ? x + max : c->right;
	char out[16];

	if (y < c->top || y >= c->bottom || max <= 0 || x >= c->right)
		return 0;
	while ((used = next_character(text, length, c->ascii, out, &columns)) > 0) {
		if (columns == 0) {
			if (out[0] != '\0' && at > x)
				canvas_combine(c, at - 1, y, out);
		} else if (!put_character(c, at, y, end, role, out, columns)) {
			break;
		}
		at += columns;
		text += used;
		length -= used;
	}
	return at - x;
}

int canvas_putf(struct canvas *c, int x, int y, int max, enum role role, const char *format, ...)
{
	char text[TEXT_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return canvas_put(c, x, y, max, role, text);
}

int canvas_glyph_put(struct canvas *c, int x, int y, enum role role, enum glyph glyph)
{
	return canvas_put(c, x, y, c->width, role, canvas_glyph(c, glyph));
}

int canvas_name(struct canvas *c, int x, int y, int max, enum role role, const char *name)
{
	char text[TEXT_MAX];
	size_t length = strlen(name);
	int used;

	if (max <= 0)
		return 0;
	/* What does not fit the buffer does not fit the line; it is cut below. */
	bool cut = visible_copy(text, sizeof(text), name, length) >= sizeof(text);

	if (!cut && canvas_text_width(c, text) <= max)
		return canvas_put(c, x, y, max, role, text);
	used = canvas_put(c, x, y, max - 1, role, text);
	return used + canvas_put(c, x + used, y, 1, role, canvas_glyph(c, GLYPH_ELLIPSIS));
}

int canvas_name_end(struct canvas *c, int x, int y, int max, enum role role, const char *name)
{
	char text[TEXT_MAX];
	size_t from = 0;
	uint32_t ignored;
	int used;

	visible_copy(text, sizeof(text), name, strlen(name));
	if (max <= 0 || canvas_text_width(c, text) <= max)
		return canvas_put(c, x, y, max, role, text);
	while (canvas_text_width(c, text + from) > max - 1)
		from += utf8_decode(text + from, strlen(text + from), &ignored);
	used = canvas_put(c, x, y, 1, role, canvas_glyph(c, GLYPH_ELLIPSIS));
	return used + canvas_put(c, x + used, y, max - used, role, text + from);
}

int canvas_right(struct canvas *c, int x, int y, int max, enum role role, const char *text)
{
	int width = canvas_text_width(c, text);

	if (width > max)
		width = max;
	return canvas_put(c, x + max - width, y, width, role, text);
}

/* ---- areas --------------------------------------------------------------------------------- */

static void canvas_clip_span(const struct canvas *c, int *x, int *width)
{
	if (*x < c->left) {
		*width -= c->left - *x;
		*x = c->left;
	}
	if (*width > c->right - *x)
		*width = c->right - *x;
}

void canvas_ground(struct canvas *c, int x, int y, int width, enum ground ground)
{
	if (y < c->top || y >= c->bottom)
		return;
	canvas_clip_span(c, &x, &width);
	for (int i = 0; i < width; i++)
		c->cells[(size_t)y * (size_t)c->width + (size_t)(x + i)].ground = (uint8_t)ground;
}

void canvas_role(struct canvas *c, int x, int y, int width, enum role role)
{
	if (y < c->top || y >= c->bottom)
		return;
	canvas_clip_span(c, &x, &width);
	for (int i = 0; i < width; i++)
		c->cells[(size_t)y * (size_t)c->width + (size_t)(x + i)].role = (uint8_t)role;
}

void canvas_fill(struct canvas *c, int x, int y, int width, int height, enum ground ground)
{
	canvas_clip_span(c, &x, &width);
	for (int j = y < c->top ? c->top : y; j < y + height && j < c->bottom; j++) {
		if (width > 0) {
			break_wide(c, x, j);
			break_wide(c, x + width - 1, j);
		}
		for (int i = 0; i < width; i++) {
			struct cell *cell = c->cells + (size_t)j * (size_t)c->width + x + i;
			*cell = blank;
			cell->ground = (uint8_t)ground;
		}
	}
}

void canvas_box(struct canvas *c, int x, int y, int width, int height, const char *title)
{
	canvas_fill(c, x, y, width, height, GROUND_PANE);
	for (int i = 1; i < width - 1; i++) {
		canvas_glyph_put(c, x + i, y, ROLE_FRAME, GLYPH_HLINE);
		canvas_glyph_put(c, x + i, y + height - 1, ROLE_FRAME, GLYPH_HLINE);
	}
	for (int j = 1; j < height - 1; j++) {
		canvas_glyph_put(c, x, y + j, ROLE_FRAME, GLYPH_VLINE);
		canvas_glyph_put(c, x + width - 1, y + j, ROLE_FRAME, GLYPH_VLINE);
	}
	canvas_glyph_put(c, x, y, ROLE_FRAME, GLYPH_TOP_LEFT);
	canvas_glyph_put(c, x + width - 1, y, ROLE_FRAME, GLYPH_TOP_RIGHT);
	canvas_glyph_put(c, x, y + height - 1, ROLE_FRAME, GLYPH_BOTTOM_LEFT);
	canvas_glyph_put(c, x + width - 1, y + height - 1, ROLE_FRAME, GLYPH_BOTTOM_RIGHT);
	if (title && width > 6) {
		int used = canvas_name(c, x + 3, y, width - 6, ROLE_TITLE, title);
		canvas_put(c, x + 2, y, 1, ROLE_TITLE, " ");
		canvas_put(c, x + 3 + used, y, 1, ROLE_TITLE, " ");
	}
}

/* ---- out ----------------------------------------------------------------------------------- */

/* Row Y without trailing blanks; LINE holds width * CELL_TEXT bytes. Returns its bytes. */
static size_t row_text(const struct canvas *c, int y, char *line)
{
	const struct cell *row = c->cells + (size_t)y * (size_t)c->width;
	size_t length = 0, last = 0;

	for (int x = 0; x < c->width; x++) {
		size_t bytes = strlen(row[x].text);
		memcpy(line + length, row[x].text, bytes);
		length += bytes;
		if (bytes > 0 && strcmp(row[x].text, " ") != 0)
			last = length;
	}
	return last;
}

bool canvas_write_text(const struct canvas *c, struct sink out, struct err *err)
{
	char *line = mem_alloc((size_t)c->width + 1, CELL_TEXT);
	bool ok = true;

	for (int y = 0; ok && y < c->height; y++) {
		size_t length = row_text(c, y, line);
		line[length++] = '\n';
		ok = out.write(out.context, line, length, err);
	}
	mem_free(line);
	return ok;
}

/* The letter of a role: a blank for ROLE_TEXT, else A-Z then a-z in the table's order. */
static char role_letter(unsigned role)
{
	if (role == ROLE_TEXT)
		return ' ';
	return role <= 26 ? (char)('A' + role - 1) : (char)('a' + role - 27);
}

static bool write_grid(const struct canvas *c, bool grounds, struct sink out, struct err *err)
{
	char *line = mem_alloc((size_t)c->width + 1, 1);
	bool ok = true;

	for (int y = 0; ok && y < c->height; y++) {
		const struct cell *row = c->cells + (size_t)y * (size_t)c->width;
		int last = 0;
		for (int x = 0; x < c->width; x++) {
			bool bare = strcmp(row[x].text, " ") == 0;
			if (grounds)
				line[x] = row[x].ground == 0 ? ' ' : (char)('0' + row[x].ground);
			else
				line[x] = bare ? ' ' : role_letter(row[x].role);
			if (line[x] != ' ')
				last = x + 1;
		}
		line[last] = '\n';
		ok = out.write(out.context, line, (size_t)last + 1, err);
	}
	mem_free(line);
	return ok;
}

bool canvas_write_roles(const struct canvas *c, struct sink out, struct err *err)
{
	return write_grid(c, false, out, err) && out.write(out.context, "\n", 1, err) &&
	       write_grid(c, true, out, err);
}
