/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/panes/chart.h"

#include <string.h>

#include "core/base/mem.h"

#define POINTS_MOST 4096	/* kept from earlier windows */

/* The number of points at or before TIME. */
static size_t points_until(const struct chart *c, int64_t time)
{
	size_t low = 0, high = c->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->points[middle].time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct chart_point *chart_at(const struct chart *c, int64_t time)
{
	size_t n = points_until(c, time);

	return n > 0 ? &c->points[n - 1] : NULL;
}

bool chart_has(const struct chart *c, int64_t time)
{
	const struct chart_point *p = chart_at(c, time);

	return p && p->time == time;
}

struct chart_point *chart_place(struct chart *c, int64_t time)
{
	size_t at = points_until(c, time);

	if (at > 0 && c->points[at - 1].time == time)
		return &c->points[at - 1];
	if (c->count >= POINTS_MOST) {
		c->count = at = 0;
		c->plan = 0;
	}
	MEM_GROW(c->points, c->capacity, c->count + 1);
	memmove(c->points + at + 1, c->points + at, (c->count - at) * sizeof(*c->points));
	c->count++;
	c->points[at].time = time;
	return &c->points[at];
}
