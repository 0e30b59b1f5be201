/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/cells/plot.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "core/base/mem.h"
#include "core/base/visible.h"

#define BRAILLE 0x2800
#define TICK_WIDTH 14

const char *const plot_styles[PLOT_STYLES] = { "braille", "blocks", "letters" };

void plot_init(struct plot *p, int width, int height)
{
	p->width = width > 1 ? width : 1;
	p->height = height > 1 ? height : 1;
	p->dots = mem_zalloc((size_t)p->width * (size_t)p->height, 1);
	p->roles = mem_zalloc((size_t)p->width * (size_t)p->height, 1);
	p->letters = mem_zalloc((size_t)p->width * (size_t)p->height, 1);
	p->role = ROLE_CHART;
	p->letter = '*';
	p->point_x = p->point_y = -1;
}

void plot_free(struct plot *p)
{
	MEM_FREE(p->dots, p->roles, p->letters);
	p->dots = NULL;
}

/* Bits of the dots of a cell, by row and column. */
static const uint8_t bits[4][2] = { { 1, 8 }, { 2, 16 }, { 4, 32 }, { 64, 128 } };

static void set_dot(struct plot *p, int column, int row)
{
	int cell = row / 4 * p->width + column / 2;

	/* A cell has one colour: that drawn last. */
	if (p->roles[cell] != (uint8_t)p->role || p->letters[cell] != p->letter)
		p->dots[cell] = 0;
	p->dots[cell] |= bits[row % 4][column % 2];
	p->roles[cell] = (uint8_t)p->role;
	p->letters[cell] = p->letter;
}

static int dot_column(const struct plot *p, double x)
{
	return (int)lround(x * (2 * p->width - 1));
}

static int dot_row(const struct plot *p, double y)
{
	return (int)lround((1 - y) * (4 * p->height - 1));
}

void plot_dot(struct plot *p, double x, double y)
{
	if (x >= 0 && x <= 1 && y >= 0 && y <= 1)
		set_dot(p, dot_column(p, x), dot_row(p, y));
}

void plot_line(struct plot *p, double x0, double y0, double x1, double y1)
{
	double across = (x1 - x0) * (2 * p->width - 1);
	double down = (y1 - y0) * (4 * p->height - 1);
	double most = fmax(fabs(across), fabs(down));
	int steps = most < 1e5 ? (int)ceil(most) : 0;

	plot_dot(p, x0, y0);
	for (int i = 1; i <= steps; i++)
		plot_dot(p, x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps);
}

int plot_row(const struct plot *p, double y)
{
	return dot_row(p, fmin(fmax(y, 0), 1)) / 4;
}

/* The character for the quarters of a cell that have a dot: 1 and 2 above, 4 and 8 below. */
static const char *plot_block(uint8_t dots)
{
	static const char *const blocks[16] = { " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛",
						"▗", "▚", "▐", "▜", "▄", "▙", "▟", "█" };

	return blocks[((dots & 3) != 0) | ((dots & 24) != 0) << 1 | ((dots & 68) != 0) << 2 |
		      ((dots & 160) != 0) << 3];
}

bool plot_cell(const struct plot *p, int i, enum plot_style style, bool ascii, char text[PLOT_TEXT])
{
	memset(text, 0, PLOT_TEXT);
	text[0] = p->letters[i];
	if (p->dots[i] == 0)
		return false;
	if (style == PLOT_BLOCKS && !ascii)
		memcpy(text, plot_block(p->dots[i]), 4);
	else if (style == PLOT_BRAILLE && !ascii)
		text[utf8_encode(BRAILLE + p->dots[i], text)] = '\0';
	return true;
}

void plot_draw(const struct plot *p, struct canvas *c, int x, int y, enum plot_style style)
{
	for (int i = 0; i < p->width * p->height; i++) {
		char text[PLOT_TEXT];

		if (!plot_cell(p, i, style, c->ascii, text))
			continue;
		canvas_put(c, x + i % p->width, y + i / p->width, 1, (enum role)p->roles[i], text);
	}
}

void plot_point(struct plot *p, double x, double y)
{
	if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
		return;
	p->point_x = dot_column(p, x) / 2;
	p->point_y = dot_row(p, y) / 4;
}

/* Puts cells FROM to TO of a row. */
static void put_dots(const struct plot *p, struct doc *d, int row, int from, int to)
{
	char text[1024];
	size_t used = 0;

	for (int x = from; x < to && used + 4 < sizeof(text); x++) {
		int i = row * p->width + x;

		if (p->dots[i] == 0)
			text[used++] = ' ';
		else if (d->ascii)
			text[used++] = p->letters[i];
		else
			used += utf8_encode(BRAILLE + p->dots[i], text + used);
	}
	text[used] = '\0';
	if (used > 0)
		doc_put(d, ROLE_CHART, text);
}

void plot_put(const struct plot *p, struct doc *d, int row)
{
	if (row != p->point_y) {
		put_dots(p, d, row, 0, p->width);
		return;
	}
	put_dots(p, d, row, 0, p->point_x);
	doc_put(d, ROLE_CHART_POINT, d->ascii ? "O" : "●");
	put_dots(p, d, row, p->point_x + 1, p->width);
}

double plot_round(double *least, double *most, int steps, double least_step)
{
	double range = fmax(*most - *least, 1e-9 + fabs(*most) / 1e6);
	double power = pow(10, floor(log10(range / steps))), part = range / steps / power;
	double step = power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);

	step = fmax(step, least_step);
	*least = floor(*least / step) * step;
	*most = ceil(*most / step) * step;
	if (!(*most > *least))
		*most = *least + step;
	return step;
}

static int64_t local_offset(int64_t time)
{
	time_t t = (time_t)time;
	struct tm tm;

	return localtime_r(&t, &tm) ? tm.tm_gmtoff : 0;
}

int64_t plot_times(int64_t from, int64_t to, int width, int64_t *step)
{
	static const int64_t steps[] = { 10, 60, 300, 900, 1800, 3600, 2 * 3600, 3 * 3600,
					 6 * 3600, 12 * 3600, 86400, 2 * 86400, 7 * 86400 };
	int64_t least = (to - from) * TICK_WIDTH / width, offset = local_offset(from);

	*step = 7 * 86400;
	for (size_t i = sizeof(steps) / sizeof(steps[0]); i-- > 0 && steps[i] >= least; )
		*step = steps[i];
	if (*step < least)
		*step = (least / *step + 1) * *step;
	return (from + offset + *step - 1) / *step * *step - offset;
}

void plot_time_text(int64_t time, int64_t step, bool first, char text[PLOT_TIME])
{
	bool day = first || (time + local_offset(time)) % 86400 == 0;
	time_t t = (time_t)time;
	struct tm tm;

	if (!localtime_r(&t, &tm) ||
	    strftime(text, PLOT_TIME, step < 60 ? "%H:%M:%S" :
		     step >= 86400 ? "%a %-d %b" : day ? "%-d %b %H:%M" : "%H:%M", &tm) == 0)
		text[0] = '\0';
}

void spark_put(struct doc *d, const float *values, uint32_t count, int width)
{
	static const char *const bars[8] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char stairs[] = "_.-~=+*#";
	float least = INFINITY, greatest = -INFINITY;
	char text[1024];
	size_t used = 0;
	bool nothing;

	for (uint32_t i = 0; i < count; i++) {
		if (isfinite(values[i])) {
			least = fminf(least, values[i]);
			greatest = fmaxf(greatest, values[i]);
		}
	}
	nothing = !(least < 0) && !(greatest > 0);
	for (int x = 0; x < width && used + 4 < sizeof(text); x++) {
		uint32_t i = (uint32_t)((uint64_t)x * count / (uint32_t)width);
		float v = count < (uint32_t)width ? ((uint32_t)x < count ? values[x] : NAN)
						  : values[i];
		int step = greatest > least && isfinite(v) ?
			   (int)((v - least) / (greatest - least) * 7.999F) : nothing ? 0 : 3;
		if (count < (uint32_t)width && (uint32_t)x >= count)
			break;
		if (!isfinite(v)) {
			text[used++] = ' ';
		} else if (d->ascii) {
			text[used++] = stairs[step];
		} else {
			memcpy(text + used, bars[step], 3);
			used += 3;
		}
	}
	text[used] = '\0';
	doc_put(d, ROLE_CHART, text);
}
