/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The chart: one panel per column, one curve per row, letters to identify curves without colour,
 * and each value at the screen's time.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/share/decay.h"
#include "core/share/decay_policy.h"
#include "tui/panes/chart.h"
#include "tui/time/travel.h"

#define LABEL_WIDTH 10		/* of the scale, on the left */
#define LETTER_WIDTH 3		/* at the end of the curves, on the right */
#define FAR_ABOVE 4		/* times: from there a curve leaves the scale */
#define PANEL_LEAST 6		/* lines: a title and a curve */

struct chart_panel {
	const struct app *a;
	struct canvas *c;
	size_t column;			/* index in the chart */
	int x, y, width, height;	/* of the plot */
	int64_t from, to;
	double least, greatest, step;	/* of the scale */
	bool down;			/* small values are at the top: rank 1 is the best */
};

static const enum role curve_roles[CHART_ROWS] = {
	ROLE_CURVE_1, ROLE_CURVE_2, ROLE_CURVE_3, ROLE_CURVE_4, ROLE_CURVE_5, ROLE_CURVE_6,
};

static char chart_letter(uint32_t row)
{
	return (char)('a' + row);
}

static double chart_across(const struct chart_panel *p, int64_t time)
{
	return (double)(time - p->from) / (double)(p->to - p->from);
}

static double chart_up(const struct chart_panel *p, double value)
{
	double part = (value - p->least) / (p->greatest - p->least);

	return p->down ? 1 - part : part;
}

static const struct column *chart_column_of(const struct chart_panel *p)
{
	return p->a->chart->columns[p->column];
}

static void chart_value_text(const struct chart_panel *p, double value, char *buf, size_t size)
{
	struct value v = { .kind = isnan(value) ? VALUE_UNKNOWN : VALUE_REAL, .real = value };
	const struct column *column = chart_column_of(p);

	/* Integers were converted to be drawn. */
	if (column->format != COLUMN_RATIO && column->format != COLUMN_SI && isfinite(value)) {
		v.kind = VALUE_INT;
		v.integer = (int64_t)llround(value);
	}
	sheet_cell(column, &v, LABEL_WIDTH - 1, p->c->ascii, buf, size);
	buf[strcspn(buf, " ")] = '\0';
}

/* ---- scale --------------------------------------------------------------------------------- */

/* First and last point used by the panel's curves: including one beyond each border, if any. */
static void points_of(const struct chart_panel *p, size_t *first, size_t *end)
{
	const struct chart *c = p->a->chart;

	*first = 0;
	while (*first + 1 < c->count && c->points[*first + 1].time <= p->from)
		(*first)++;
	*end = *first;
	while (*end < c->count && c->points[*end].time <= p->to)
		(*end)++;
}

/* The value at which usage equals share; NaN if the column has none. */
static double goal_of(const struct chart_panel *p)
{
	const struct fs_result *fs = p->a->picture->model->fs;

	if (p->a->chart->view != VIEW_ACCOUNTS)
		return F64_UNKNOWN;
	if (chart_column_of(p) == p->a->sheets[VIEW_ACCOUNTS].ratio)
		return 1;
	return fs->effective_ratio && strcmp(chart_column_of(p)->name, "fairshare") == 0 ?
	       exp2(-1 / fs->damping) : F64_UNKNOWN;
}

/*
 * If one curve is far above all others, they would be flat: the axis ends above the second one, and
 * a sign at the first one's letter says that it continues.
 */
static double chart_top_of(const struct chart_panel *p, size_t first, size_t end, double goal)
{
	const struct chart *c = p->a->chart;
	double most = p->greatest, second = f64_known(goal) ? goal : -INFINITY;
	uint32_t highest = 0;

	for (size_t i = first; i < end; i++) {
		for (uint32_t r = 0; r < c->rows; r++)
			highest = c->points[i].values[p->column][r] == most ? r : highest;
	}
	for (size_t i = first; i < end; i++) {
		for (uint32_t r = 0; r < c->rows; r++) {
			double value = c->points[i].values[p->column][r];

			if (r != highest && isfinite(value))
				second = fmax(second, value);
		}
	}
	return c->rows > 1 && !p->down && second > 0 && most > FAR_ABOVE * second ? second : most;
}

/* False if no value is known. */
static bool chart_scale(struct chart_panel *p)
{
	const struct chart *c = p->a->chart;
	double goal = goal_of(p);
	size_t first, end;

	p->least = INFINITY;
	p->greatest = -INFINITY;
	points_of(p, &first, &end);
	for (size_t i = first; i < end; i++) {
		for (uint32_t r = 0; r < c->rows; r++) {
			double value = c->points[i].values[p->column][r];
			if (!isfinite(value))
				continue;
			p->least = fmin(p->least, value);
			p->greatest = fmax(p->greatest, value);
		}
	}
	if (!(p->least <= p->greatest))
		return false;
	p->greatest = fmax(chart_top_of(p, first, end, goal), p->least);
	if (f64_known(goal)) {
		p->least = fmin(p->least, goal);
		p->greatest = fmax(p->greatest, goal);
	}
	p->step = plot_round(&p->least, &p->greatest, p->height > 8 ? 4 : 2,
			     chart_column_of(p)->format == COLUMN_RATIO ? 0 : 1);
	return true;
}

static void draw_scale(const struct chart_panel *p)
{
	char text[64];
	int last = INT_MAX;

	for (int i = 0; i < p->height; i++)
		canvas_glyph_put(p->c, p->x - 1, p->y + i, ROLE_FRAME, GLYPH_VLINE);
	for (double v = p->least; v <= p->greatest + p->step / 2; v += p->step) {
		double part = (v - p->least) / (p->greatest - p->least);
		int line = (int)lround((p->down ? part : 1 - part) * (p->height - 1));

		if (line == last)
			continue;
		last = line;
		if (chart_column_of(p)->format == COLUMN_RATIO)
			snprintf(text, sizeof(text), "%.4g", fabs(v) < p->step / 2 ? 0 : v);
		else
			chart_value_text(p, v, text, sizeof(text));
		canvas_right(p->c, p->x - LABEL_WIDTH, p->y + line, LABEL_WIDTH - 1, ROLE_LABEL,
			     text);
	}
}

/* ---- curves -------------------------------------------------------------------------------- */

/* Unknown ranges have a shade instead of a line. */
static void shade_gaps(const struct chart_panel *p)
{
	const struct timeline *line = &p->a->travel->line;

	for (int i = 0; i < p->width; i++) {
		int64_t from = p->from + (int64_t)((double)(p->to - p->from) * i / p->width);
		int64_t to = p->from + (int64_t)((double)(p->to - p->from) * (i + 1) / p->width);
		if (!timeline_gap(line, from, to))
			continue;
		for (int j = 0; j < p->height; j++)
			canvas_glyph_put(p->c, p->x + i, p->y + j, ROLE_DIM, GLYPH_GAP);
	}
}

static void chart_draw_curve(const struct chart_panel *p, struct plot *plot, uint32_t r)
{
	const struct chart *c = p->a->chart;
	const struct timeline *line = &p->a->travel->line;
	const struct chart_point *last = NULL;
	size_t first, end;

	plot->role = curve_roles[r];
	plot->letter = chart_letter(r);
	points_of(p, &first, &end);
	for (size_t i = first; i < end; i++) {
		const struct chart_point *point = &c->points[i];
		double value = point->values[p->column][r];

		if (!isfinite(value)) {		/* ∞ is only in the title */
			last = NULL;
			continue;
		}
		if (last && !timeline_gap(line, last->time, point->time))
			plot_line(plot, chart_across(p, last->time),
				  chart_up(p, last->values[p->column][r]),
				  chart_across(p, point->time), chart_up(p, value));
		else
			plot_dot(plot, chart_across(p, point->time), chart_up(p, value));
		last = point;
	}
}

/*
 * Letters are at the curves' ends, at the height of each: overlapping ones move down, or up at the
 * bottom.
 */
static void draw_letters(const struct chart_panel *p, const struct plot *plot)
{
	const struct chart *c = p->a->chart;
	const struct chart_point *last = chart_at(c, p->to);
	uint32_t order[CHART_ROWS];
	int rows[CHART_ROWS], n = 0;

	for (uint32_t r = 0; last && r < c->rows && c->rows > 1; r++) {
		double height = chart_up(p, last->values[p->column][r]);
		int at = n;

		if (!isfinite(height))
			continue;
		for (; at > 0 && chart_up(p, last->values[p->column][order[at - 1]]) < height; at--)
			order[at] = order[at - 1];
		order[at] = r;
		n++;
	}
	for (int i = 0; i < n; i++) {
		rows[i] = plot_row(plot, chart_up(p, last->values[p->column][order[i]]));
		if (i > 0 && rows[i] <= rows[i - 1])
			rows[i] = rows[i - 1] + 1;
	}
	for (int i = n - 1, lowest = p->height - 1; i >= 0 && lowest >= 0; i--) {
		char text[2] = { chart_letter(order[i]) };

		lowest = rows[i] < lowest ? rows[i] : lowest;
		canvas_put(p->c, p->x + p->width + 1, p->y + lowest, 1, curve_roles[order[i]],
			   text);
		if (chart_up(p, last->values[p->column][order[i]]) > 1)
			canvas_glyph_put(p->c, p->x + p->width + 2, p->y + lowest,
					 curve_roles[order[i]], GLYPH_MORE_UP);
		lowest--;
	}
}

/* Draws usage by decay alone, from the screen's time on. */
static bool chart_draw_decay(const struct chart_panel *p, struct plot *plot)
{
	const struct app *a = p->a;
	int64_t half_life = decay_half_life(a->picture->cluster);
	const struct chart_point *here = chart_at(a->chart, travel_time(a));

	if (a->chart->view != VIEW_ACCOUNTS || strcmp(chart_column_of(p)->name, "usage") != 0 ||
	    half_life <= 0 || !here ||
	    policy_scheduler_of(cluster_meta(a->picture->cluster)->kind) != POLICY_OF_SLURM)
		return false;
	plot->role = ROLE_DIM;
	plot->letter = '.';
	for (uint32_t r = 0; r < a->chart->rows; r++) {
		for (int i = 0; i < 2 * p->width; i += 3) {
			int64_t time = p->from + (p->to - p->from) * i / (2 * p->width);
			double value = here->values[p->column][r];
			if (time <= here->time || !isfinite(value))
				continue;
			value *= decay_over(half_life, time - here->time);
			plot_dot(plot, chart_across(p, time), chart_up(p, value));
		}
	}
	return true;
}

/* ---- panels -------------------------------------------------------------------------------- */

/* "F fair-share factor", and each row's value at the screen's time. */
static void chart_draw_title(const struct chart_panel *p, int x, int y, int width, bool decay)
{
	const struct chart *c = p->a->chart;
	const struct chart_point *here = chart_at(c, travel_time(p->a));
	const struct column *column = chart_column_of(p);
	char text[80], legend[160];
	int end = x + width, wide;

	for (uint32_t r = c->rows; r-- > 0;) {
		char name[4] = { chart_letter(r), ' ' };

		chart_value_text(p, here ? here->values[p->column][r] : F64_UNKNOWN, text,
				 sizeof(text));
		wide = canvas_text_width(p->c, text) + (c->rows > 1 ? 4 : 2);
		if (end - wide < x + 4)
			break;
		end -= wide;
		int at = end;
		if (c->rows > 1)
			at += canvas_put(p->c, at, y, 2, curve_roles[r], name);
		canvas_put(p->c, at, y, width, ROLE_VALUE, text);
	}
	x += canvas_put(p->c, x, y, end - x, ROLE_TITLE, column->title) + 1;
	snprintf(legend, sizeof(legend), "%s%s", column->legend,
		 decay ? "; dotted: decay only" : "");
	canvas_name(p->c, x, y, end - x - 1, ROLE_LEGEND, legend);
}

/* Marks the screen's time below the curves. */
static void draw_here(const struct chart_panel *p)
{
	int64_t time = travel_time(p->a);
	int x;

	if (time == I64_UNKNOWN || time < p->from || time > p->to)
		return;
	x = p->x + (int)(chart_across(p, time) * (p->width - 1) + 0.5);
	for (int j = 0; j < p->height; j++) {
		canvas_glyph_put(p->c, x, p->y + j, ROLE_CHART_POINT, GLYPH_AXIS);
		canvas_ground(p->c, x, p->y + j, 1, GROUND_CURSOR);
	}
}

/* A dotted line where usage equals share. */
static void draw_goal(const struct chart_panel *p, struct plot *plot)
{
	double goal = goal_of(p);

	plot->role = ROLE_DIM;
	plot->letter = '.';
	for (int i = 0; f64_known(goal) && i < p->width; i++)
		plot_dot(plot, (double)i / p->width, chart_up(p, goal));
}

static void chart_draw_panel(struct chart_panel *p, int x, int y, int width)
{
	const struct chart *chart = p->a->chart;
	bool reading = chart->wanted_next < chart->wanted_count, decay = false;
	bool known = chart_scale(p) && (chart->count > 1 || reading);
	struct plot plot;

	if (known) {
		shade_gaps(p);
		draw_here(p);
		draw_scale(p);
		plot_init(&plot, p->width, p->height);
		draw_goal(p, &plot);
		decay = chart_draw_decay(p, &plot);
		for (uint32_t r = p->a->chart->rows; r-- > 0;)
			chart_draw_curve(p, &plot, r);
		plot_draw(&plot, p->c, p->x, p->y, p->a->chart_style);
		draw_letters(p, &plot);
		plot_free(&plot);
	} else {
		canvas_put(p->c, p->x, p->y + p->height / 2, p->width, ROLE_DIM,
			   reading ? "reading" : chart->count == 1 ?
			   "one sample so far: the curve starts with the next" :
			   "no data on it in this time");
	}
	chart_draw_title(p, x, y, width, decay);
}

/* Below the panels: round times, with the day where it begins; and how much was read. */
static void chart_draw_times(const struct chart_panel *p, int y)
{
	const struct chart *c = p->a->chart;
	int64_t step, time = plot_times(p->from, p->to, p->width, &step);
	bool first = true;
	char text[PLOT_TIME];

	if (c->wanted_next < c->wanted_count) {
		canvas_putf(p->c, p->x, y, p->width, ROLE_WARN, "reading %zu of %zu",
			    c->wanted_next, c->wanted_count);
		return;
	}
	for (; time <= p->to; time += step, first = false) {
		int x = p->x + (int)lround(chart_across(p, time) * (p->width - 1));

		plot_time_text(time, step, first, text);
		if (x + (int)strlen(text) > p->x + p->width + LETTER_WIDTH)
			continue;
		canvas_put(p->c, x, y, p->width, ROLE_LABEL, text);
	}
}

/* 1: above the goal, -1: below; 0: equal in the printed digits of R. */
static int chart_side_of(double value, double goal)
{
	return fabs(value - goal) <= 0.0005 * goal ? 0 : value > goal ? 1 : -1;
}

/* "/ocean over-served since 05:20": rows that crossed their share in the drawn time. */
static void draw_crossings(const struct chart_panel *of, int x, int y, int width)
{
	const struct chart *c = of->a->chart;
	struct chart_panel p = *of;
	int end = x + width, crossed = 0;

	for (p.column = 0; p.column < c->column_count && isnan(goal_of(&p)); )
		p.column++;
	for (uint32_t r = 0; r < c->rows && p.column < c->column_count; r++) {
		bool low = p.column < c->column_count &&
			   (chart_column_of(&p) != p.a->sheets[VIEW_ACCOUNTS].ratio ||
			    !sheet_over_is_large(&p.a->sheets[VIEW_ACCOUNTS]));
		double goal = goal_of(&p), last = F64_UNKNOWN;
		int64_t since = I64_UNKNOWN;
		char when[32], text[80], name[4] = { chart_letter(r), ' ' };

		for (size_t i = 0; i < c->count && c->points[i].time <= travel_time(p.a); i++) {
			double v = c->points[i].values[p.column][r];

			if (isnan(v) || c->points[i].time < p.from)
				continue;
			if (!isnan(last) && chart_side_of(v, goal) != chart_side_of(last, goal))
				since = c->points[i].time;
			last = v;
		}
		if (since == I64_UNKNOWN)
			continue;
		travel_name(since, p.to - p.from <= 86400, when, sizeof(when));
		snprintf(text, sizeof(text), "%s since %s  ", chart_side_of(last, goal) == 0 ?
			 "at its share" : (last > goal) != low ? "over-served" :
			 "below its share", when);
		if (c->rows > 1)
			x += canvas_put(p.c, x, y, end - x, curve_roles[r], name);
		x += canvas_put(p.c, x, y, end - x, ROLE_VALUE, text);
		crossed++;
	}
	if (crossed == 0 && p.column < c->column_count)
		canvas_put(p.c, x, y, end - x, ROLE_DIM, c->rows > 1 ?
			   "none of them crossed its share in this time" :
			   "it did not cross its share in this time");
}

/* "a /physics  b /chemistry:alice" */
static void draw_names(const struct app *a, struct canvas *canvas, int x, int y, int width)
{
	const struct chart *c = a->chart;
	int end = x + width;

	for (uint32_t r = 0; r < c->rows && x < end; r++) {
		char text[4] = { chart_letter(r), ' ' };
		int space = (end - x) / (int)(c->rows - r) - 4;

		if (c->rows > 1)
			x += canvas_put(canvas, x, y, end - x, curve_roles[r], text);
		x += canvas_name(canvas, x, y, space, curve_roles[r], c->names[r]) + 2;
	}
}

void chart_draw(struct app *a, struct canvas *canvas, struct area box)
{
	int x = box.x + 2, y = box.y + 1, width = box.width - 3;
	size_t panels = a->chart->column_count;
	struct chart_panel p = { .a = a, .c = canvas, .x = x + LABEL_WIDTH,
			   .width = width - LABEL_WIDTH - LETTER_WIDTH };
	int rest = box.height - 4;

	if (!travel_window(a, &p.from, &p.to) || p.width < 4) {
		canvas_put(canvas, x, y, width, ROLE_DIM, "no past data from this source");
		return;
	}
	draw_names(a, canvas, x, y++, width);
	if (a->chart->view == VIEW_ACCOUNTS && rest > PANEL_LEAST) {
		draw_crossings(&p, x, y++, width);
		rest--;
	}
	while (panels > 1 && rest / (int)panels < PANEL_LEAST)
		panels--;
	for (size_t k = 0; k < panels && rest > 1; k++) {
		int lines = rest / (int)(panels - k);

		p.column = k;
		p.down = strstr(a->chart->columns[k]->name, "rank") != NULL;
		p.y = y + 1;
		p.height = lines - 1;
		chart_draw_panel(&p, x, y, width - 1);
		y += lines;
		rest -= lines;
	}
	chart_draw_times(&p, y);
}
