/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where panes lie, how they scroll, and what fills them.
 */
#include "tui/panes/pane.h"

#include <stdio.h>
#include <string.h>

#define HEADER_LINES 2
#define BOTTOM_LINES 2

enum placement { PLACE_RIGHT, PLACE_BELOW, PLACE_OVER };

/* Beside the view where there is room for both; over it where there is not. */
static enum placement placement(const struct app *a)
{
	if (a->pane.large)
		return PLACE_OVER;
	if (a->pane.kind != PANE_DETAIL && a->pane.kind != PANE_COMPARE &&
	    a->pane.kind != PANE_WHATIF && a->pane.kind != PANE_CHART &&
	    a->pane.kind != PANE_DIFFERENCE && a->pane.kind != PANE_FORECAST)
		return PLACE_OVER;
	if (a->width >= 150)
		return PLACE_RIGHT;
	if (a->pane.kind == PANE_WHATIF)
		return PLACE_BELOW;	/* it is there to be seen together with the rows */
	return a->height >= 34 ? PLACE_BELOW : PLACE_OVER;
}

static struct area whole(const struct app *a)
{
	int height = a->height - HEADER_LINES - BOTTOM_LINES - strip_lines(a);

	return (struct area){ 0, HEADER_LINES, a->width, height > 1 ? height : 1 };
}

static int right_width(const struct app *a)
{
	int width = a->width * 2 / 5;

	return width > 96 ? 96 : width;
}

static int below_height(const struct app *a)
{
	int height = a->height - HEADER_LINES - BOTTOM_LINES - strip_lines(a), wanted;

	if (a->pane.kind != PANE_WHATIF)
		return height / 2;
	wanted = whatif_height(a);
	return wanted < height * 3 / 5 ? wanted : height * 3 / 5;
}

struct area app_view_area(const struct app *a)
{
	struct area area = whole(a);

	if (a->pane.kind == PANE_NONE)
		return area;
	if (placement(a) == PLACE_RIGHT)
		area.width -= right_width(a);
	else if (placement(a) == PLACE_BELOW)
		area.height -= below_height(a);
	return area;
}

/* A box of the size its contents want, in the middle of the screen. */
static struct area box(const struct app *a, int width, int height)
{
	struct area area = whole(a);

	if (width < area.width - 2) {
		area.x = (area.width - width) / 2;
		area.width = width;
	}
	if (height < area.height) {
		area.y += (area.height - height) / 2;
		area.height = height;
	}
	return area;
}

struct area app_pane_area(const struct app *a)
{
	struct area area = whole(a);

	switch (a->pane.kind) {
	case PANE_HELP:
		return box(a, 100, 1000);
	case PANE_TOUR:
		return box(a, 64, 12);
	case PANE_SOURCE:
		return box(a, 90, 24);
	case PANE_COLUMNS:
		return box(a, 96, (int)sheet_choices(app_sheet_get(a)) + 2);
	case PANE_SEEK:
		return box(a, 110, seek_height(a));
	case PANE_LINT:
		return box(a, 120, lint_height(a));
	case PANE_EXCLUDE:
		return box(a, 72, (int)exclude_choices(a) + 10);
	default:
		break;
	}
	if (placement(a) == PLACE_RIGHT) {
		area.x = area.width - right_width(a);
		area.width = right_width(a);
	} else if (placement(a) == PLACE_BELOW) {
		area.y += area.height - below_height(a);
		area.height = below_height(a);
	}
	return area;
}

bool pane_modal(const struct app *a)
{
	return a->pane.kind != PANE_NONE && placement(a) == PLACE_OVER;
}

void pane_open(struct app *a, enum pane_kind kind)
{
	memset(&a->pane, 0, sizeof a->pane);
	a->pane.kind = kind;
	a->pane.focus = pane_modal(a);
}

void pane_close(struct app *a)
{
	memset(&a->pane, 0, sizeof a->pane);
}

void pane_move(struct app *a, int64_t lines)
{
	struct pane *p = &a->pane;
	bool picks = p->kind == PANE_COLUMNS || p->kind == PANE_EXCLUDE || p->kind == PANE_WHATIF ||
		     p->kind == PANE_LINT || p->kind == PANE_SEEK;
	int64_t last = p->kind == PANE_COLUMNS ? (int64_t)sheet_choices(app_sheet_get(a)) - 1 :
		       p->kind == PANE_EXCLUDE ? (int64_t)exclude_choices(a) - 1 :
		       p->kind == PANE_WHATIF ? (int64_t)trial_lines(a) - 1 :
		       p->kind == PANE_LINT ? (int64_t)lint_choices(a) - 1 :
		       p->kind == PANE_SEEK ? (int64_t)seek_choices(a) - 1 :
		       p->lines > p->page ? (int64_t)(p->lines - p->page) : 0;
	uint32_t *at = picks ? &p->pick : &p->scroll;
	int64_t target = (int64_t)*at + lines;

	*at = (uint32_t)(target > last ? (last > 0 ? last : 0) : target < 0 ? 0 : target);
}

static const char *title_of(const struct app *a)
{
	switch (a->pane.kind) {
	case PANE_HELP:
		return "Keys";
	case PANE_TOUR:
		return "Welcome to fairtop";
	case PANE_SOURCE:
		return "Source";
	case PANE_COLUMNS:
		return a->pane.sorts ? "Sort by" : "Columns";
	case PANE_FORECAST:
		return "What becomes of it";
	case PANE_SEEK:
		return "Which edit does it";
	case PANE_LINT:
		return "What is wrong with the policy";
	case PANE_EXCLUDE:
		return "What makes a class";
	case PANE_CHART:
		return "Over time";
	case PANE_DIFFERENCE:
		return "Difference";
	case PANE_COMPARE:
		return a->view == VIEW_CLASSES ? "What tells two classes apart" :
						 "Why this one before that one";
	case PANE_DETAIL:
	case PANE_WHATIF:
	case PANE_NONE:
		break;
	}
	if (a->pane.steps && a->view == VIEW_ACCOUNTS)
		return "How the factor came about";
	if (a->pane.steps && a->view == VIEW_JOBS)
		return "How the priority came about";
	return "Details";
}

static void fill(const struct app *a, struct doc *d)
{
	switch (a->pane.kind) {
	case PANE_HELP:
		help_doc(a, d);
		break;
	case PANE_SOURCE:
		source_doc(a, d);
		break;
	case PANE_TOUR:
		tour_doc(a, d);
		break;
	case PANE_COMPARE:
		compare_doc(a, d);
		break;
	case PANE_DIFFERENCE:
		difference_doc(a, d);
		break;
	case PANE_DETAIL:
		detail_doc(a, d);
		break;
	case PANE_FORECAST:
		forecast_doc(a, d);
		break;
	case PANE_COLUMNS:
	case PANE_EXCLUDE:
	case PANE_WHATIF:
	case PANE_CHART:
	case PANE_LINT:
	case PANE_SEEK:
	case PANE_NONE:
		break;
	}
}

void pane_doc(const struct app *a, struct doc *d)
{
	doc_init(d, app_pane_area(a).width - 4, a->ascii);
	fill(a, d);
}

/* Signs on the border that there is more above or below. */
static void draw_more(const struct pane *p, struct canvas *c, struct area area)
{
	if (p->scroll > 0)
		canvas_glyph_put(c, area.x + area.width - 3, area.y, ROLE_KEY, GLYPH_MORE_UP);
	if (p->scroll + p->page < p->lines)
		canvas_glyph_put(c, area.x + area.width - 3, area.y + area.height - 1, ROLE_KEY,
				 GLYPH_MORE_DOWN);
}

void draw_pane(struct app *a, struct canvas *c)
{
	struct pane *p = &a->pane;
	struct area area = app_pane_area(a);
	char title[120];
	struct doc d;

	if (p->kind == PANE_NONE)
		return;
	snprintf(title, sizeof title, "%s", title_of(a));
	if (p->kind == PANE_WHATIF)
		whatif_title(a, title, sizeof title);
	canvas_box(c, area.x, area.y, area.width, area.height, title);
	if (p->focus && !pane_modal(a))
		canvas_role(c, area.x, area.y, 2, ROLE_KEY);
	p->page = area.height > 2 ? (uint32_t)area.height - 2 : 1;
	if (p->kind == PANE_COLUMNS) {
		columns_draw(a, c, area);
		pane_mark_found(a, c, (struct area){ area.x + 2, area.y + 1, area.width - 4,
						     area.height - 2 });
		draw_more(p, c, area);
		return;
	}
	if (p->kind == PANE_WHATIF) {
		whatif_draw(a, c, area);
		return;
	}
	if (p->kind == PANE_CHART) {
		chart_draw(a, c, area.x + 2, area.y + 1, area.width - 3, area.height - 2);
		return;
	}
	if (p->kind == PANE_SEEK) {
		seek_draw(a, c, area);
		draw_more(p, c, area);
		return;
	}
	if (p->kind == PANE_LINT) {
		lint_draw(a, c, area);
		draw_more(p, c, area);
		return;
	}
	if (p->kind == PANE_EXCLUDE) {
		exclude_draw(a, c, area);
		draw_more(p, c, area);
		return;
	}
	pane_doc(a, &d);
	p->lines = (uint32_t)d.line_count;
	pane_move(a, 0);
	doc_draw(&d, c, area.x + 2, area.y + 1, area.width - 3, area.height - 2, p->scroll);
	doc_free(&d);
	pane_mark_found(a, c, (struct area){ area.x + 2, area.y + 1, area.width - 4,
					     area.height - 2 });
	draw_more(p, c, area);
}
