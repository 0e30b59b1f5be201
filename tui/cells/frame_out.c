/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/cells/frame_out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CELL_WIDTH 8.4
#define CELL_HEIGHT 18
#define BASELINE 13
#define FONT_SIZE 14
#define MARGIN 10
#define INK 0xe0e0e0		/* a picture file has no terminal default colours */
#define PAPER 0x101010

struct frame_out {
	struct sink sink;
	struct err *err;
	bool ok;
};

static void frame_out_put(struct frame_out *o, const char *text, size_t length)
{
	if (o->ok)
		o->ok = o->sink.write(o->sink.context, text, length, o->err);
}

static void frame_out_putf(struct frame_out *o, const char *format, ...) ERR_PRINTF(2, 3);
static void frame_out_putf(struct frame_out *o, const char *format, ...)
{
	char text[512];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	frame_out_put(o, text, length < (int)sizeof(text) ? (size_t)length : sizeof(text) - 1);
}

static const struct cell *cell_at(const struct canvas *c, int x, int y)
{
	return c->cells + (size_t)y * (size_t)c->width + x;
}

static bool frame_out_same(struct style a, struct style b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs;
}

static struct style style_at(const struct canvas *c, const struct theme *theme, int x, int y)
{
	const struct cell *cell = cell_at(c, x, y);

	return theme_style(theme, (enum role)cell->role, (enum ground)cell->ground);
}

/* ---- ANSI ---------------------------------------------------------------------------------- */

static void ansi_color(struct frame_out *o, int32_t color, bool background)
{
	int base = background ? 40 : 30;

	if (color < 0)
		return;
	if (color & COLOR_RGB)
		frame_out_putf(o, ";%d;2;%d;%d;%d", base + 8, (int)(color >> 16 & 255),
			       (int)(color >> 8 & 255), (int)(color & 255));
	else if (color < 8)
		frame_out_putf(o, ";%d", base + (int)color);
	else if (color < 16)
		frame_out_putf(o, ";%d", base + 60 + (int)color - 8);
	else
		frame_out_putf(o, ";%d;5;%d", base + 8, (int)color);
}

static void ansi_style(struct frame_out *o, struct style s)
{
	frame_out_putf(o, "\033[0%s%s%s%s%s", s.attrs & STYLE_BOLD ? ";1" : "",
		       s.attrs & STYLE_DIM ? ";2" : "", s.attrs & STYLE_ITALIC ? ";3" : "",
		       s.attrs & STYLE_UNDERLINE ? ";4" : "", s.attrs & STYLE_REVERSE ? ";7" : "");
	ansi_color(o, s.fg, false);
	ansi_color(o, s.bg, true);
	frame_out_putf(o, "m");
}

bool frame_write_ansi(const struct canvas *c, const struct theme *theme, struct sink sink,
		      struct err *err)
{
	struct frame_out o = { sink, err, true };

	for (int y = 0; y < c->height; y++) {
		struct style last = { COLOR_DEFAULT, COLOR_DEFAULT, 0 };
		for (int x = 0; x < c->width; x++) {
			const struct cell *cell = cell_at(c, x, y);
			struct style s = style_at(c, theme, x, y);
			if (cell->width > 0 && !frame_out_same(s, last)) {
				ansi_style(&o, s);
				last = s;
			}
			frame_out_put(&o, cell->text, strlen(cell->text));
		}
		frame_out_putf(&o, "\033[0m\n");
	}
	return o.ok;
}

/* ---- SVG ----------------------------------------------------------------------------------- */

/* Foreground and background as painted, with reverse applied. */
static void frame_out_painted(struct style s, uint32_t *fg, uint32_t *bg)
{
	*fg = theme_rgb(s.fg, INK);
	*bg = theme_rgb(s.bg, PAPER);
	if (s.attrs & STYLE_REVERSE) {
		uint32_t swap = *fg;
		*fg = *bg;
		*bg = swap;
	}
}

static uint32_t paper_of(const struct theme *theme)
{
	return theme_rgb(theme_style(theme, ROLE_TEXT, GROUND_NONE).bg, PAPER);
}

static void svg_text(struct frame_out *o, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '&')
			frame_out_putf(o, "&amp;");
		else if (*text == '<')
			frame_out_putf(o, "&lt;");
		else if (*text == '>')
			frame_out_putf(o, "&gt;");
		else
			frame_out_put(o, text, 1);
	}
}

static void svg_ground(struct frame_out *o, const struct canvas *c, const struct theme *theme,
		       int y)
{
	uint32_t paper = paper_of(theme), fg, bg, next;
	int end;

	for (int x = 0; x < c->width; x = end) {
		frame_out_painted(style_at(c, theme, x, y), &fg, &bg);
		for (end = x + 1; end < c->width; end++) {
			frame_out_painted(style_at(c, theme, end, y), &fg, &next);
			if (next != bg)
				break;
		}
		if (bg != paper)
			frame_out_putf(o, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" "
				       "fill=\"#%06x\"/>\n",
				       MARGIN + x * CELL_WIDTH, MARGIN + y * CELL_HEIGHT,
				       (end - x) * CELL_WIDTH, CELL_HEIGHT, (unsigned)bg);
	}
}

static bool frame_out_is_blank(const struct cell *cell)
{
	return cell->text[0] == '\0' || strcmp(cell->text, " ") == 0;
}

/* Non-ASCII characters may come from a font with other widths. */
static bool is_ascii(const struct cell *cell)
{
	return (unsigned char)cell->text[0] < 0x80;
}

/* U+2800 to U+28FF: few fixed fonts have them, and some SVG viewers ignore a text's length. */
static bool is_braille(const struct cell *cell)
{
	unsigned char second = (unsigned char)cell->text[1];

	return (unsigned char)cell->text[0] == 0xe2 && second >= 0xa0 && second <= 0xa3;
}

static bool same_font(const struct cell *a, const struct cell *b)
{
	return is_ascii(a) == is_ascii(b) && !is_braille(a) && !is_braille(b);
}

/* A run of equal style and font, without wide characters, is one text of fixed length. */
static int svg_run(struct frame_out *o, const struct canvas *c, const struct theme *theme, int x,
		   int y)
{
	struct style s = style_at(c, theme, x, y);
	uint32_t fg, bg;
	int end = x + 1, last = x;

	while (end < c->width && cell_at(c, end, y)->width == 1 && cell_at(c, x, y)->width == 1 &&
	       frame_out_same(style_at(c, theme, end, y), s) &&
	       same_font(cell_at(c, end, y), cell_at(c, x, y))) {
		if (!frame_out_is_blank(cell_at(c, end, y)))
			last = end;
		end++;
	}
	frame_out_painted(s, &fg, &bg);
	frame_out_putf(o, "<text x=\"%.1f\" y=\"%d\" fill=\"#%06x\" textLength=\"%.1f\"%s%s%s%s>",
		       MARGIN + x * CELL_WIDTH, MARGIN + y * CELL_HEIGHT + BASELINE, (unsigned)fg,
		       (last - x + (cell_at(c, x, y)->width == 2 ? 2 : 1)) * CELL_WIDTH,
		       s.attrs & STYLE_BOLD ? " font-weight=\"bold\"" : "",
		       s.attrs & STYLE_DIM ? " opacity=\"0.6\"" : "",
		       s.attrs & STYLE_ITALIC ? " font-style=\"italic\"" : "",
		       s.attrs & STYLE_UNDERLINE ? " text-decoration=\"underline\"" : "");
	for (int i = x; i <= last; i++)
		svg_text(o, cell_at(c, i, y)->text);
	frame_out_putf(o, "</text>\n");
	return end;
}

bool frame_write_svg(const struct canvas *c, const struct theme *theme, struct sink sink,
		     struct err *err)
{
	struct frame_out o = { sink, err, true };
	double width = 2 * MARGIN + c->width * CELL_WIDTH;
	int height = 2 * MARGIN + c->height * CELL_HEIGHT;

	frame_out_putf(&o, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%d\" "
		       "viewBox=\"0 0 %.0f %d\">\n", width, height, width, height);
	frame_out_putf(&o, "<rect width=\"100%%\" height=\"100%%\" rx=\"6\" fill=\"#%06x\"/>\n",
		       (unsigned)paper_of(theme));
	frame_out_putf(
		&o,
		"<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"%d\" "
		"xml:space=\"preserve\">\n",
		FONT_SIZE);
	for (int y = 0; y < c->height; y++)
		svg_ground(&o, c, theme, y);
	for (int y = 0; y < c->height; y++) {
		for (int x = 0; x < c->width; ) {
			if (frame_out_is_blank(cell_at(c, x, y)))
				x++;
			else
				x = svg_run(&o, c, theme, x, y);
		}
	}
	frame_out_putf(&o, "</g>\n</svg>\n");
	return o.ok;
}
