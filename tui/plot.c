/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/plot.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/visible.h"

#define BRAILLE 0x2800

void plot_init(struct plot *p, int width, int height)
{
	p->width = width > 1 ? width : 1;
	p->height = height > 1 ? height : 1;
	p->dots = mem_zalloc((size_t)p->width * (size_t)p->height, 1);
	p->point_x = p->point_y = -1;
}

void plot_free(struct plot *p)
{
	mem_free(p->dots);
	p->dots = NULL;
}

void plot_dot(struct plot *p, double x, double y)
{
	/* Bits of the dots of a cell, by row and column. */
	static const uint8_t bits[4][2] = { { 1, 8 }, { 2, 16 }, { 4, 32 }, { 64, 128 } };
	int column, row;

	if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
		return;
	column = (int)lround(x * (2 * p->width - 1));
	row = (int)lround((1 - y) * (4 * p->height - 1));
	p->dots[row / 4 * p->width + column / 2] |= bits[row % 4][column % 2];
}

void plot_point(struct plot *p, double x, double y)
{
	if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
		return;
	p->point_x = (int)lround(x * (2 * p->width - 1)) / 2;
	p->point_y = (int)lround((1 - y) * (4 * p->height - 1)) / 4;
}

static void put_dots(struct doc *d, const uint8_t *dots, int count)
{
	char text[1024];
	size_t used = 0;

	for (int i = 0; i < count && used + 4 < sizeof text; i++) {
		if (dots[i] == 0)
			text[used++] = ' ';
		else if (d->ascii)
			text[used++] = '*';
		else
			used += utf8_encode(BRAILLE + dots[i], text + used);
	}
	text[used] = '\0';
	if (used > 0)
		doc_put(d, ROLE_CHART, text);
}

void plot_put(const struct plot *p, struct doc *d, int row)
{
	const uint8_t *dots = p->dots + (size_t)row * (size_t)p->width;

	if (row != p->point_y) {
		put_dots(d, dots, p->width);
		return;
	}
	put_dots(d, dots, p->point_x);
	doc_put(d, ROLE_CHART_POINT, d->ascii ? "O" : "●");
	put_dots(d, dots + p->point_x + 1, p->width - p->point_x - 1);
}

void spark_put(struct doc *d, const float *values, uint32_t count, int width)
{
	static const char *const bars[8] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char stairs[] = "_.-~=+*#";
	float least = INFINITY, greatest = -INFINITY;
	char text[1024];
	size_t used = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (isfinite(values[i])) {
			least = fminf(least, values[i]);
			greatest = fmaxf(greatest, values[i]);
		}
	}
	for (int x = 0; x < width && used + 4 < sizeof text; x++) {
		uint32_t i = (uint32_t)((uint64_t)x * count / (uint32_t)width);
		float v = count < (uint32_t)width ? ((uint32_t)x < count ? values[x] : NAN)
						  : values[i];
		int step = greatest > least ? (int)((v - least) / (greatest - least) * 7.999F) : 3;
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
