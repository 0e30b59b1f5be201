/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/panes/pool_chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "tui/time/travel.h"
#include "tui/cells/plot.h"

#define CURVES 9		/* as many as there are roles for curves */
#define AXIS_WIDTH 6
#define NAMES_WIDTH 22

static const enum role roles[CURVES] = {
	ROLE_TERM_FAIRSHARE, ROLE_TERM_AGE, ROLE_TERM_QOS, ROLE_TERM_PARTITION, ROLE_TERM_JOBSIZE,
	ROLE_TERM_TRES, ROLE_TERM_ASSOC, ROLE_TERM_SITE, ROLE_TERM_NICE
};

struct curve {
	uint32_t row;
	uint32_t place;		/* in the pool: selects colour and letter */
	float last;		/* NaN: unknown at present */
	struct pool_series series;
};

struct pool_chart {
	struct curve curves[CURVES];
	uint32_t count, left_out;
	int64_t begin, end;	/* of the known data */
	bool now;		/* END is the picture's time */
	float top;		/* slots at the upper edge */
	float share;		/* slots deserved by the queue under the cursor; NaN */
	uint32_t row;		/* under the cursor */
};

/* ---- which curves -------------------------------------------------------------------------- */

/* The rows of pool K; queues outside come after all pools. */
static uint32_t pool_chart_rows_of(const struct pools *p, uint32_t k, uint32_t *first)
{
	uint32_t last = p->pool_count;

	if (k != POOLS_NONE) {
		*first = p->pools[k].first;
		return p->pools[k].slots.count;
	}
	*first = last > 0 ? p->pools[last - 1].first + p->pools[last - 1].slots.count : 0;
	return p->queue_count - *first;
}

/* If there are more queues than curves, the one under the cursor is always included. */
static void pool_chart_choose(struct pool_chart *x, const struct pools *p, uint32_t k)
{
	uint32_t first, n = pool_chart_rows_of(p, k, &first);

	for (uint32_t i = 0; i < n; i++) {
		struct curve c = { .row = first + i };

		if (x->count < CURVES) {
			c.place = x->count;
			x->curves[x->count++] = c;
		} else if (c.row == x->row) {
			c.place = CURVES - 1;
			x->curves[CURVES - 1] = c;
		}
	}
	x->left_out = n - x->count;
}

static void pool_chart_fetch(const struct app *a, struct pool_chart *x)
{
	const struct picture *p = a->picture;
	int64_t now = cluster_meta(p->cluster)->time;

	x->begin = INT64_MAX;
	x->end = INT64_MIN;
	for (uint32_t i = 0; i < x->count; i++) {
		struct curve *c = &x->curves[i];
		struct pool_series *s = &c->series;
		const struct slots_queue *slots = pools_slots(p->pools, p->pools->members[c->row]);

		*s = pool_past_get(&a->pool_past, p->pools, c->row, now);
		c->last = s->count > 0 ? s->values[s->count - 1] : NAN;
		if (s->count > 0 && s->times[0] < x->begin)
			x->begin = s->times[0];
		if (s->count > 0 && s->times[s->count - 1] > x->end)
			x->end = s->times[s->count - 1];
		/* All shares fit, so that the scale stays the same when the cursor moves. */
		if (slots)
			x->top = fmaxf(x->top, (float)slots->entitled);
		for (size_t j = 0; j < s->count; j++)
			x->top = fmaxf(x->top, s->values[j]);
	}
	x->now = x->end == now;
}

/* ---- dots ---------------------------------------------------------------------------------- */

/* A value holds until the next sample; steps are connected to be visible as a line. */
static void pool_chart_draw_curve(const struct pool_chart *x, const struct curve *c,
				  struct plot *plot)
{
	const struct pool_series *s = &c->series;
	double span = (double)(x->end - x->begin), last = F64_UNKNOWN;

	plot->role = roles[c->place];
	plot->letter = (char)('a' + (int)c->place);
	for (size_t i = 0; i < s->count; i++) {
		int64_t until = i + 1 < s->count ? s->times[i + 1] : x->end;
		double from = (double)(s->times[i] - x->begin) / span;
		double to = (double)(until - x->begin) / span;
		double y = (double)s->values[i] / (double)x->top;

		if (f64_known(y) && f64_known(last))
			plot_line(plot, from, last, from, y);
		if (f64_known(y))
			plot_line(plot, from, y, to, y);
		last = y;
	}
}

/* The curve under the cursor is on top of the others, the share only in empty cells. */
static void draw_all(const struct pool_chart *x, struct plot *plot)
{
	double share = (double)(x->share / x->top);

	for (uint32_t i = 0; i < x->count; i++) {
		if (x->curves[i].row != x->row)
			pool_chart_draw_curve(x, &x->curves[i], plot);
	}
	for (uint32_t i = 0; i < x->count; i++) {
		if (x->curves[i].row == x->row)
			pool_chart_draw_curve(x, &x->curves[i], plot);
	}
	plot->role = ROLE_FAIR;
	plot->letter = '.';
	for (int i = 0; i < plot->width && isfinite(share); i += 2) {
		if (plot->dots[plot_row(plot, share) * plot->width + i] == 0)
			plot_dot(plot, 2.0 * i / (2 * plot->width - 1), share);
	}
}

static void pool_chart_put_line(const struct app *a, const struct plot *plot, struct doc *d,
				int line)
{
	for (int i = line * plot->width; i < (line + 1) * plot->width; i++) {
		char text[PLOT_TEXT];

		if (plot_cell(plot, i, a->chart_style, d->ascii, text))
			doc_put(d, (enum role)plot->roles[i], text);
		else
			doc_put(d, ROLE_TEXT, " ");
	}
}

/* ---- words --------------------------------------------------------------------------------- */

static void pool_chart_put_name(const struct app *a, const struct pool_chart *x, struct doc *d,
				uint32_t i)
{
	const struct curve *c = &x->curves[i];
	const struct pools *p = a->picture->pools;
	char sign[2] = { (char)('a' + (int)c->place), '\0' };
	bool letters = d->ascii || a->chart_style == PLOT_LETTERS;

	doc_put(d, ROLE_TEXT, "  ");
	doc_put(d, roles[c->place], letters ? sign : "━");
	doc_put(d, ROLE_TEXT, " ");
	if (isfinite(c->last))
		doc_putf(d, ROLE_NUMBER, "%5.0f ", (double)c->last);
	else
		doc_putf(d, ROLE_DIM, "%5s ", "-");
	doc_put(d, c->row == x->row ? ROLE_ACCENT : ROLE_TEXT,
		p->queues[p->members[c->row]].name);
}

/* The text right of line J of HEIGHT. */
static void pool_chart_put_names(const struct app *a, const struct pool_chart *x, struct doc *d,
				 int j, int height)
{
	uint32_t lines = (uint32_t)height, hidden;

	if ((uint32_t)j >= x->count)
		return;
	if (x->count + (x->left_out > 0) <= lines || j + 1 < height) {
		pool_chart_put_name(a, x, d, (uint32_t)j);
		return;
	}
	hidden = x->count - (uint32_t)j + x->left_out;
	doc_putf(d, ROLE_DIM, "  and %u more", (unsigned)hidden);
}

static void put_axis(const struct pool_chart *x, struct doc *d, int j, int share_line, int height)
{
	if (j == 0)
		doc_putf(d, ROLE_DIM, "%*.0f", AXIS_WIDTH - 1, (double)x->top);
	else if (j == share_line)
		doc_putf(d, ROLE_FAIR, "%*.0f", AXIS_WIDTH - 1, (double)x->share);
	else if (j + 1 == height)
		doc_putf(d, ROLE_DIM, "%*d", AXIS_WIDTH - 1, 0);
	doc_tab(d, AXIS_WIDTH);
}

/* "3 h": in the largest unit that is contained at least twice, or exactly once. */
static void pool_chart_span_text(int64_t seconds, const char *direction, char *buf, size_t size)
{
	static const struct {
		int64_t seconds;
		const char *name;
	} units[] = { { 86400, "d" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } };
	size_t i = 0;

	while (i < 3 && seconds < 2 * units[i].seconds && seconds != units[i].seconds)
		i++;
	snprintf(buf, size, "%lld %s %s", (long long)(seconds / units[i].seconds), units[i].name,
		 direction);
}

/* A log that ended long ago is shown until its end, not until now. */
static void pool_chart_put_times(const struct app *a, const struct pool_chart *x, struct doc *d,
				 int width)
{
	bool now = x->now && !travel_past(a);
	const char *direction = now ? "ago" : "before";
	char text[40];

	doc_line(d);
	doc_tab(d, AXIS_WIDTH);
	pool_chart_span_text(x->end - x->begin, direction, text, sizeof(text));
	doc_put(d, ROLE_DIM, text);
	if (width >= 60) {
		pool_chart_span_text((x->end - x->begin) / 2, direction, text, sizeof(text));
		doc_put_at(d, ROLE_DIM, AXIS_WIDTH + width / 2 - (int)strlen(text) / 2, text);
	}
	if (x->now)
		snprintf(text, sizeof(text), "%s", travel_now(a));
	else
		pool_chart_span_text(cluster_meta(a->picture->cluster)->time - x->end, "ago", text,
				     sizeof(text));
	doc_put_at(d, ROLE_DIM, AXIS_WIDTH + width - (int)strlen(text), text);
}

static void pool_chart_put_title(const struct app *a, const struct pool_chart *x, struct doc *d,
				 uint32_t k)
{
	const struct pools *p = a->picture->pools;

	doc_line(d);
	if (k == POOLS_NONE) {
		doc_put(d, ROLE_TITLE, "Slots over time, outside all pools");
		return;
	}
	doc_putf(d, ROLE_TITLE, "Slots over time, pool %s", p->pools[k].name);
	if (!isfinite(x->share))
		return;
	doc_put(d, ROLE_FAIR, d->ascii ? "  ..." : "  ···");
	doc_putf(d, ROLE_DIM, " share of %s", p->queues[p->members[x->row]].name);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void put_curves(const struct app *a, const struct pool_chart *x, struct doc *d, int width,
		       int height)
{
	struct plot plot;
	int share = -1;

	plot_init(&plot, width, height);
	if (isfinite(x->share))
		share = plot_row(&plot, (double)(x->share / x->top));
	draw_all(x, &plot);
	for (int j = 0; j < height; j++) {
		doc_line(d);
		put_axis(x, d, j, share, height);
		pool_chart_put_line(a, &plot, d, j);
		pool_chart_put_names(a, x, d, j, height);
	}
	plot_free(&plot);
	pool_chart_put_times(a, x, d, width);
}

/* Why there is no curve. */
static const char *pool_chart_nothing(const struct app *a, const struct pool_chart *x)
{
	if (x->begin < x->end)
		return "no slot was in use";
	if (a->travel->recorded)
		return "curves grow with each sample shown; 6 reads them from the file";
	if (a->source.live)
		return "no past data yet: curves start at the next refresh";
	return "no past data: it needs a dispatcher log";
}

void pool_chart_doc(const struct app *a, struct doc *d, uint32_t k, uint32_t row, int height)
{
	const struct pools *p = a->picture->pools;
	const struct slots_queue *s = row < p->queue_count ? pools_slots(p, p->members[row]) : NULL;
	struct pool_chart *x = mem_zalloc(1, sizeof(*x));
	int width = d->width - AXIS_WIDTH - NAMES_WIDTH;

	x->row = row;
	x->share = NAN;
	if (s && p->queues[p->members[row]].pool == k)
		x->share = (float)s->entitled;
	pool_chart_choose(x, p, k);
	pool_chart_fetch(a, x);
	pool_chart_put_title(a, x, d, k);
	if (x->begin >= x->end || !(x->top > 0) || width < 8) {
		doc_begin(d, ROLE_DIM, pool_chart_nothing(a, x));
	} else {
		put_curves(a, x, d, width, height);
	}
	for (uint32_t i = 0; i < x->count; i++)
		pool_series_free(&x->curves[i].series);
	mem_free(x);
}
