/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The back-test on the screen: the policies side by side, each account's gain or loss; queue,
 * utilisation and shares over time with a cursor, from which the cluster at that time is opened.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/cells/plot.h"
#include "tui/panes/backtests.h"
#include "tui/panes/pane.h"
#include "tui/time/travel.h"

#define POLICY_WIDTH 20
#define NUMBER_WIDTH 10
#define ACCOUNT_LEAST 36	/* columns of the accounts */
#define ACCOUNT_ROOMY 44	/* those with promised shares */
#define ACCOUNT_MOST 72
#define SHARE_WIDTH 6
#define GAIN_WIDTH 8
#define PANEL_LEAST 3		/* lines of a panel: a title and a curve */
#define PANELS 3

static const enum role curves[BACKTEST_POLICIES] = {
	ROLE_CURVE_1, ROLE_CURVE_2, ROLE_CURVE_3, ROLE_CURVE_4,
};

static const struct backtest_row *pane_backtest_row_of(const struct backtests *b, size_t run,
						       size_t row)
{
	return &b->result.rows[run * b->result.first + row];
}

/* The first account row, and the number of accounts. */
static uint32_t accounts_of(const struct backtests *b, size_t *first)
{
	uint32_t count = 0;

	*first = 0;
	if (b->state != BACKTESTS_THERE)
		return 0;
	while (*first < b->result.first && b->result.rows[*first].scope < BACKTEST_ACCOUNT)
		++*first;
	while (*first + count < b->result.first &&
	       b->result.rows[*first + count].scope == BACKTEST_ACCOUNT)
		count++;
	return count;
}

static const char *pane_backtest_name_of(const struct backtest_row *row)
{
	return row->name ? row->name : "-";
}

/* "1.5h", "-20m"; SIGN: with a sign if it is not 0. */
static void backtest_span_text(double seconds, bool sign, char *buf, size_t size)
{
	char text[32];

	snprintf(buf, size, "-");
	if (!f64_known(seconds))
		return;
	travel_spell((int64_t)llround(fabs(seconds)), text, sizeof(text));
	snprintf(buf, size, "%s%s", seconds < -0.5 ? "-" : sign && seconds > 0.5 ? "+" : "", text);
}

static void part_text(double part, char *buf, size_t size)
{
	snprintf(buf, size, "-");
	if (f64_known(part))
		snprintf(buf, size, "%.*f%%", part < 0.0995 ? 1 : 0, 100 * part);
}

/* ---- the policies -------------------------------------------------------------------------- */

static const char *const heads[] = {
	"wait", "P95", "gain", "slowdown", "util", "even", "makespan",
};
#define NUMBERS (sizeof(heads) / sizeof(heads[0]))

static void number_text(const struct backtest_row *row, size_t i, char *buf, size_t size)
{
	if (i == 0)
		backtest_span_text(row->wait_mean, false, buf, size);
	else if (i == 1)
		backtest_span_text(row->wait_p95, false, buf, size);
	else if (i == 2)
		backtest_span_text(row->gain, true, buf, size);
	else if (i == 4)
		part_text(row->utilisation, buf, size);
	else if (i == 6)
		backtest_span_text(row->makespan, false, buf, size);
	else
		snprintf(buf, size, "%.*f", i == 5 ? 3 : 1, i == 3 ? row->slowdown : row->jain);
}

/* Returns the next free line. */
static int draw_policies(const struct backtests *b, struct canvas *c, struct area at)
{
	int space = (at.width - POLICY_WIDTH) / NUMBER_WIDTH;
	char text[48];

	for (size_t i = 0; i < NUMBERS && (int)i < space; i++)
		canvas_right(c, at.x + POLICY_WIDTH + (int)i * NUMBER_WIDTH, at.y, NUMBER_WIDTH,
			     ROLE_HEAD, heads[i]);
	for (size_t run = 0; run < b->count; run++) {
		const struct backtest_row *row = pane_backtest_row_of(b, run, 0);
		int y = at.y + 1 + (int)run;

		canvas_putf(c, at.x, y, 2, curves[run], "%c ", (char)('a' + run));
		snprintf(text, sizeof(text), "%.30s%s", b->runs[run].name,
			 past_not_played(b->runs[run].policy) ? ", partly" : "");
		canvas_name(c, at.x + 2, y, POLICY_WIDTH - 2, curves[run], text);
		for (size_t i = 0; i < NUMBERS && (int)i < space; i++) {
			number_text(row, i, text, sizeof(text));
			canvas_right(c, at.x + POLICY_WIDTH + (int)i * NUMBER_WIDTH, y,
				     NUMBER_WIDTH, ROLE_NUMBER, text);
		}
		if (run == b->run)
			canvas_ground(c, at.x, y, at.width, GROUND_PICK);
	}
	return at.y + 1 + (int)b->count;
}

/* ---- the accounts -------------------------------------------------------------------------- */

/* From the axis in the middle of AT: to the right for shorter waits, to the left for longer. */
static void backtest_draw_bar(struct canvas *c, struct area at, double part)
{
	int half = (at.width - 1) / 2, axis = at.x + half;
	int length = (int)ceil(fabs(part) * half - 1e-9);

	canvas_glyph_put(c, axis, at.y, ROLE_FAIR, GLYPH_AXIS);
	for (int i = 1; i <= length && i <= half; i++)
		canvas_glyph_put(c, part > 0 ? axis + i : axis - i, at.y,
				 part > 0 ? ROLE_UNDER : ROLE_OVER, GLYPH_BAR);
}

static double most_gain(const struct backtests *b, size_t first, uint32_t count)
{
	double most = 0;

	for (uint32_t i = 0; i < count; i++)
		most = fmax(most, fabs(pane_backtest_row_of(b, b->run, first + i)->gain));
	return most;
}

static void draw_account(const struct backtests *b, struct canvas *c, struct area at, size_t row,
			 double most)
{
	const struct backtest_row *r = pane_backtest_row_of(b, b->run, row);
	int name = at.width / 4, x = at.x + name;
	char text[48];

	canvas_name(c, at.x, at.y, name, ROLE_ACCOUNT, pane_backtest_name_of(r));
	part_text(r->promised, text, sizeof(text));
	if (at.width >= ACCOUNT_ROOMY) {
		canvas_right(c, x, at.y, SHARE_WIDTH, ROLE_DIM, text);
		x += SHARE_WIDTH;
	}
	part_text(r->share, text, sizeof(text));
	canvas_right(c, x, at.y, SHARE_WIDTH, ROLE_NUMBER, text);
	backtest_span_text(r->gain, true, text, sizeof(text));
	canvas_right(c, x + SHARE_WIDTH, at.y, GAIN_WIDTH, r->gain < -0.5 ? ROLE_OVER :
		     r->gain > 0.5 ? ROLE_UNDER : ROLE_DIM, text);
	x += SHARE_WIDTH + GAIN_WIDTH + 1;
	if (at.x + at.width - x >= 3)
		backtest_draw_bar(c, (struct area){ x, at.y, at.x + at.width - x, 1 },
				  most > 0 ? r->gain / most : 0);
}

static void draw_accounts(struct app *a, struct canvas *c, struct area at)
{
	const struct backtests *b = a->backtests;
	struct pane *p = &a->pane;
	size_t first;
	uint32_t count = accounts_of(b, &first);
	double most = most_gain(b, first, count);

	canvas_name(c, at.x, at.y, at.width - 1, ROLE_HEAD, at.width > ACCOUNT_ROOMY ?
		    "account, promised, got, wait saved" : "account, got, wait saved");
	at.y++;
	at.height--;
	p->lines = count;
	p->list_y = at.y;
	p->page = at.height > 0 ? (uint32_t)at.height : 1;
	pane_move(a, 0);
	if (p->pick < p->scroll)
		p->scroll = p->pick;
	if (p->pick >= p->scroll + p->page)
		p->scroll = p->pick - p->page + 1;
	for (uint32_t i = 0; i < p->page && p->scroll + i < count; i++) {
		struct area line = { at.x, at.y + (int)i, at.width - 1, 1 };

		draw_account(b, c, line, first + p->scroll + i, most);
		if (p->scroll + i == p->pick)
			canvas_ground(c, at.x, line.y, at.width - 1, GROUND_PICK);
	}
}

/* ---- over time ----------------------------------------------------------------------------- */

struct backtest_panel {
	const struct backtests *b;
	int which;			/* 0 the queue, 1 utilisation, 2 the share of ... */
	size_t row;			/* ... this account */
};

static double backtest_value_at(const struct backtest_panel *p, size_t run, uint32_t step)
{
	struct backtest_row at = backtest_at(&p->b->result, run, p->which == 2 ? p->row : 0, step);

	return p->which == 0 ? at.waiting : p->which == 1 ? at.utilisation : at.share;
}

static double backtest_promised(const struct backtest_panel *p)
{
	return p->which == 2 ? pane_backtest_row_of(p->b, p->b->run, p->row)->promised
			     : F64_UNKNOWN;
}

static double backtest_most_of(const struct backtest_panel *p)
{
	double most = p->which == 0 ? 1 : F64_UNKNOWN;

	if (p->which > 0)
		return 1;
	for (size_t run = 0; run < p->b->count; run++) {
		for (uint32_t i = 0; i < p->b->result.steps; i++)
			most = fmax(most, backtest_value_at(p, run, i));
	}
	return most;
}

static void backtest_value_text(const struct backtest_panel *p, double value, char *buf,
				size_t size)
{
	if (p->which > 0)
		part_text(value, buf, size);
	else if (f64_known(value))
		snprintf(buf, size, "%.*f", value < 9.95 ? 1 : 0, value);
	else
		snprintf(buf, size, "-");
}

/* Its name, and each run's value at the cursor. */
static void backtest_draw_title(const struct backtest_panel *p, struct canvas *c, struct area at)
{
	static const char *const titles[PANELS] = { "pending jobs", "utilisation", "share of " };
	int x = at.x, end = at.x + at.width;
	char text[64], value[32];

	for (size_t run = p->b->count; run-- > 0;) {
		backtest_value_text(p, backtest_value_at(p, run, p->b->step), value, sizeof(value));
		snprintf(text, sizeof(text), " %c %s", (char)('a' + run), value);
		end -= canvas_text_width(c, text);
		canvas_put(c, end, at.y, 40, curves[run], text);
	}
	x += canvas_put(c, x, at.y, end - x, ROLE_TITLE, titles[p->which]);
	if (p->which == 2)
		canvas_name(c, x, at.y, end - x, ROLE_ACCOUNT,
			    pane_backtest_name_of(pane_backtest_row_of(p->b, 0, p->row)));
}

static void backtest_draw_curve(const struct backtest_panel *p, struct plot *plot, size_t run,
				double most)
{
	uint32_t steps = p->b->result.steps;

	plot->role = curves[run];
	plot->letter = (char)('a' + run);
	for (uint32_t i = 0; i + 1 < steps; i++) {
		double from = backtest_value_at(p, run, i), to = backtest_value_at(p, run, i + 1);

		if (f64_known(from) && f64_known(to))
			plot_line(plot, (i + 0.5) / steps, from / most, (i + 1.5) / steps,
				  to / most);
	}
}

/* The promised share as a dotted line. */
static void draw_promise(const struct backtest_panel *p, struct plot *plot, double most)
{
	plot->role = ROLE_DIM;
	plot->letter = '.';
	for (int i = 0; f64_known(backtest_promised(p)) && i < plot->width; i++)
		plot_dot(plot, (double)i / plot->width, backtest_promised(p) / most);
}

static void backtest_draw_panel(const struct app *a, const struct backtest_panel *p,
				struct canvas *c, struct area at)
{
	double most = backtest_most_of(p);
	struct plot plot;
	char text[32];
	int x;

	backtest_draw_title(p, c, at);
	plot_init(&plot, at.width - SHARE_WIDTH, at.height - 1);
	draw_promise(p, &plot, most);
	for (size_t run = p->b->count; run-- > 0;)
		backtest_draw_curve(p, &plot, run, most);
	x = at.x + SHARE_WIDTH;
	plot_draw(&plot, c, x, at.y + 1, a->chart_style);
	backtest_value_text(p, most, text, sizeof(text));
	canvas_right(c, at.x, at.y + 1, SHARE_WIDTH - 1, ROLE_LABEL, text);
	if (at.height > 2)
		canvas_right(c, at.x, at.y + at.height - 1, SHARE_WIDTH - 1, ROLE_LABEL, "0");
	for (int i = 1; i < at.height; i++)
		canvas_glyph_put(c, x - 1, at.y + i, ROLE_FRAME, GLYPH_VLINE);
	x += (int)((p->b->step + 0.5) / p->b->result.steps * plot.width);
	for (int i = 1; i < at.height; i++) {
		canvas_glyph_put(c, x, at.y + i, ROLE_CHART_POINT, GLYPH_AXIS);
		canvas_ground(c, x, at.y + i, 1, GROUND_CURSOR);
	}
	plot_free(&plot);
}

static void draw_time(const struct app *a, struct canvas *c, struct area at)
{
	const struct backtests *b = a->backtests;
	struct backtest_panel p = { .b = b };
	size_t first;
	uint32_t names = accounts_of(b, &first);
	int panels = (at.height - 1) / PANEL_LEAST, height;
	char when[32];

	panels = panels > PANELS ? PANELS : panels;
	if (names == 0 && panels == PANELS)
		panels--;
	height = panels > 0 ? (at.height - 1) / panels : 0;
	p.row = first + a->pane.pick;
	for (int i = 0; i < panels; i++) {
		p.which = panels < PANELS && names > 0 ? (i + 2) % PANELS : i;
		backtest_draw_panel(a, &p, c,
				    (struct area){ at.x, at.y + i * height, at.width, height });
	}
	travel_name(backtests_time(b), false, when, sizeof(when));
	canvas_putf(c, at.x, at.y + at.height - 1, at.width, ROLE_VALUE, "%s%s%s", when,
		    b->guessed ? "   CPUs guessed" : "",
		    b->task ? "   opening" : "");
}

/* ---- the box ------------------------------------------------------------------------------- */

static void backtest_draw_state(const struct app *a, struct canvas *c, struct area at)
{
	const struct backtests *b = a->backtests;
	struct doc d;

	doc_init(&d, at.width - 1, c->ascii);
	doc_line(&d);
	if (b->problem[0] != '\0')
		doc_wrap(&d, ROLE_WARN, 0, b->problem);
	else
		doc_putf(&d, ROLE_TEXT, "%s: %.0f %%", b->state == BACKTESTS_PLAYS ?
			 "Simulating the jobs" : "Reading the recording", 100 * backtests_done(b));
	doc_draw(&d, c, at.x, at.y, at.width, at.height, 0);
	doc_free(&d);
}

/* The full list of what is not modelled would take the charts' lines. */
static void put_played_in_part(struct doc *d, const struct backtests *b)
{
	const char *reported = NULL;

	for (size_t i = 0; i < b->count; i++) {
		const char *text = past_not_played(b->runs[i].policy);

		if (!text || text == reported)
			continue;
		reported = text;
		doc_beginf(d, ROLE_LEGEND, "%s is simulated in part: see fairtop backtest",
			   policy_schedules[b->runs[i].policy]);
	}
}

/* The fidelity, what is left out and what is not modelled; returns the lines used. */
static int draw_words(const struct backtests *b, struct canvas *c, struct area at)
{
	struct doc d;
	int lines;

	doc_init(&d, at.width - 1, c->ascii);
	doc_line(&d);
	doc_wrap(&d, ROLE_LEGEND, 0, b->fidelity);
	if (b->left_out[0] != '\0') {
		doc_line(&d);
		doc_wrap(&d, ROLE_WARN, 0, b->left_out);
	}
	put_played_in_part(&d, b);
	lines = (int)d.line_count < at.height / 4 ? (int)d.line_count : at.height / 4;
	doc_draw(&d, c, at.x, at.y, at.width, lines, 0);
	doc_free(&d);
	return lines;
}

static void backtest_draw(struct app *a, struct canvas *c, struct area area)
{
	const struct backtests *b = a->backtests;
	struct area at = { area.x + 2, area.y + 1, area.width - 3, area.height - 2 };
	int end = at.y + at.height, wide = at.width * 2 / 5;

	if (b->state != BACKTESTS_THERE) {
		backtest_draw_state(a, c, at);
		return;
	}
	at.y += draw_words(b, c, at);
	at.y = draw_policies(b, c, at);
	at.height = end - at.y;
	wide = wide < ACCOUNT_LEAST ? ACCOUNT_LEAST : wide > ACCOUNT_MOST ? ACCOUNT_MOST : wide;
	draw_accounts(a, c, (struct area){ at.x, at.y, wide, at.height });
	draw_time(a, c, (struct area){ at.x + wide + 1, at.y, at.width - wide - 1, at.height });
}

static uint32_t backtest_accounts(const struct app *a)
{
	size_t first;

	return accounts_of(a->backtests, &first);
}

static void next_run(struct app *a)
{
	struct backtests *b = a->backtests;

	if (b->state == BACKTESTS_THERE)
		b->run = (b->run + 1) % b->count;
}

static void backtest_move(struct app *a, int by)
{
	struct backtests *b = a->backtests;
	int64_t step, last;

	/* The thread owns the result until then. */
	if (b->state != BACKTESTS_THERE)
		return;
	step = (int64_t)b->step + by;
	last = (int64_t)b->result.steps - 1;
	b->step = (uint32_t)(step < 0 ? 0 : step > last ? last : step);
}

static void backtest_jump(struct app *a, int by)
{
	backtest_move(a, by * BACKTEST_POINTS / 10);
}

const struct pane_ops backtest_pane = {
	.title = "Back-test: the past under other policies", .place = PANE_BESIDE,
	.count = backtest_accounts, .draw = backtest_draw, .enter = backtests_open,
	.mark = next_run, .turn = backtest_move, .jump = backtest_jump, .again = "details",
	.keys = (const struct pane_key[]){
		{ "details", NULL, "cluster at that time", NULL },
		{ "unfold", "fold", "time", NULL }, { "mark", NULL, "policy", NULL },
		{ "down", "up", "account", NULL },
		{ "column-right", "column-left", "big steps", NULL }, { .word = NULL },
	},
};
