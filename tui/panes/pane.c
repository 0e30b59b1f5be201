/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/panes/pane.h"

#include <stdio.h>
#include <string.h>

#include "tui/cells/choice.h"
#include "tui/time/travel.h"

#define HEADER_LINES 2
#define BOTTOM_LINES 2
#define LINE_MAX_BYTES 1024
#define BESIDE_LEAST 15		/* screen lines needed for rows and a box */

const struct pane_key pane_text_keys[] = {
	{ "down", "up", "scroll", NULL }, { "search", NULL, "find", NULL },
	{ "next-pane", NULL, "rows", NULL }, { .word = NULL },
};

enum pane_placement { PLACE_RIGHT, PLACE_BELOW, PLACE_OVER };

/* ---- position ------------------------------------------------------------------------------ */

static const struct pane closed = { .ops = &pane_none };

/* The box beside the rows: the open one, or the one under it. */
static const struct pane *pane_beside(const struct app *a)
{
	if (!pane_is_open(a) || a->pane.ops->place != PANE_OVER)
		return &a->pane;
	return a->under_count > 0 && a->under[0].ops->place != PANE_OVER ? &a->under[0] : &closed;
}

/* Or what replaces it where it fits. */
static const struct pane_ops *pane_shown(const struct app *a, const struct pane *p)
{
	return p->ops == &pane_none && a->idle->has_room(a) ? a->idle : p->ops;
}

static enum pane_placement pane_placement(const struct app *a, const struct pane *p)
{
	const struct pane_ops *ops = pane_shown(a, p);
	enum pane_place place = ops->place;

	if (p->large || place == PANE_OVER || a->height < BESIDE_LEAST)
		return PLACE_OVER;
	if (a->width >= 150 && (ops != a->idle || a->height < 34))
		return PLACE_RIGHT;
	return place == PANE_ALWAYS_BESIDE || a->height >= 34 ? PLACE_BELOW : PLACE_OVER;
}

static struct area pane_whole(const struct app *a)
{
	int height = a->height - HEADER_LINES - BOTTOM_LINES - time_bar_lines(a);

	return (struct area){ 0, HEADER_LINES, a->width, height > 1 ? height : 1 };
}

static int right_width(const struct app *a)
{
	int width = a->width * 2 / 5;

	return width > 96 ? 96 : width;
}

static int below_height(const struct app *a, const struct pane *p)
{
	int height = a->height - HEADER_LINES - BOTTOM_LINES - time_bar_lines(a), wanted;

	if (!pane_shown(a, p)->height)
		return height / 2;
	wanted = pane_shown(a, p)->height(a);
	return wanted < height * 3 / 5 ? wanted : height * 3 / 5;
}

/* What a box leaves for the view. */
static struct area pane_left_of(const struct app *a)
{
	const struct pane *p = pane_beside(a);
	struct area area = pane_whole(a);

	if (pane_shown(a, p) == &pane_none)
		return area;
	if (pane_placement(a, p) == PLACE_RIGHT)
		area.width -= right_width(a);
	else if (pane_placement(a, p) == PLACE_BELOW)
		area.height -= below_height(a, p);
	return area;
}

bool app_names_unshared(const struct app *a)
{
	return a->view == VIEW_ACCOUNTS && a->picture && a->picture->unshared.count > 0 &&
	       pane_left_of(a).height - 2 >= UNSHARED_ROWS;
}

struct area app_view_area(const struct app *a)
{
	struct area area = pane_left_of(a);

	area.y += app_names_unshared(a);
	area.height -= app_names_unshared(a);
	return area;
}

/* A box of the requested size in the middle of the screen. */
static struct area pane_box(const struct app *a, int width, int height)
{
	struct area area = pane_whole(a);

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
	const struct pane_ops *ops = pane_shown(a, &a->pane);
	struct area area = pane_whole(a);

	if (ops->place == PANE_OVER)
		return pane_box(a, ops->width,
				ops->lines + (ops->count ? (int)ops->count(a) : 0));
	if (pane_placement(a, &a->pane) == PLACE_RIGHT) {
		area.x = area.width - right_width(a);
		area.width = right_width(a);
	} else if (pane_placement(a, &a->pane) == PLACE_BELOW) {
		area.y += area.height - below_height(a, &a->pane);
		area.height = below_height(a, &a->pane);
	}
	return area;
}

/* Leaves one column free at the right, for a sign after the last cell. */
void app_lay_out(struct app *a)
{
	sheet_layout(app_sheet(a), app_view_area(a).width - 1);
}

bool pane_modal(const struct app *a)
{
	return pane_is_open(a) && pane_placement(a, &a->pane) == PLACE_OVER;
}

static void pane_fit_box(const struct app *a, struct pane *p)
{
	bool covers = p->ops != &pane_none && pane_placement(a, p) == PLACE_OVER;

	if (covers && !p->focus)
		p->focus = p->covers = true;
	else if (!covers && p->covers)
		p->focus = p->covers = false;
}

void pane_fit(struct app *a)
{
	pane_fit_box(a, &a->pane);
	for (uint32_t i = 0; i < a->under_count; i++)
		pane_fit_box(a, &a->under[i]);
}

void pane_open(struct app *a, const struct pane_ops *ops)
{
	pane_drop(a, ops);
	if (ops->place != PANE_OVER)
		a->under_count = 0;
	else if (pane_is_open(a) && a->under_count < PANES_UNDER)
		a->under[a->under_count++] = a->pane;
	a->pane = (struct pane){ .ops = ops };
	a->pane.focus = pane_modal(a);
}

void pane_toggle(struct app *a, const struct pane_ops *ops)
{
	if (a->pane.ops == ops)
		pane_close(a);
	else
		pane_open(a, ops);
}

/* ---- moving in it -------------------------------------------------------------------------- */

void pane_move(struct app *a, int64_t lines)
{
	struct pane *p = &a->pane;

	if (p->ops->count)
		p->pick = choice_move(p->pick, lines, p->ops->count(a));
	else
		p->scroll = choice_move(p->scroll, lines,
					p->lines > p->page ? p->lines - p->page + 1 : 1);
}

const struct column *pane_column(const struct app *a)
{
	return a->pane.ops->column ? a->pane.ops->column(a) : NULL;
}

/* ---- searching ------------------------------------------------------------------------------ */

/* Line by line, ignoring ASCII case; scrolls to the match and marks it. */

/* The text of the open pane at its width; free it with doc_free(). */
static void pane_doc(const struct app *a, struct doc *d)
{
	doc_init(d, app_pane_area(a).width - 4, a->ascii);
	a->pane.ops->doc(a, d);
}

bool pane_searchable(const struct app *a)
{
	return a->pane.focus && (a->pane.ops->doc || a->pane.ops->find);
}

/* Line I as shown: with a blank between spans that do not touch. */
static void line_text(const struct doc *d, size_t i, char *buf)
{
	size_t end = i + 1 < d->line_count ? d->lines[i + 1] : d->span_count, used = 0;
	int column = 0;

	for (size_t s = d->lines[i]; s < end; s++) {
		const char *text = d->bytes + d->spans[s].text;
		size_t length = strlen(text);

		if (used + length + 2 > LINE_MAX_BYTES)
			break;
		if (d->spans[s].column > column)
			buf[used++] = ' ';
		memcpy(buf + used, text, length);
		used += length;
		column = d->spans[s].column + doc_text_width(d, text);
	}
	buf[used] = '\0';
}

bool pane_find(struct app *a, const char *text, int direction, bool from_here)
{
	struct pane *p = &a->pane;
	char line[LINE_MAX_BYTES];
	bool found = false;
	struct doc d;

	if (p->ops->find)
		return p->ops->find(a, text, direction, from_here);
	pane_doc(a, &d);
	for (size_t step = from_here ? 0 : 1; d.line_count > 0 && step <= d.line_count && !found;
	     step++) {
		size_t n = d.line_count, at = from_here ? p->scroll : p->found;

		at = (at + (direction > 0 ? step : n - step % n)) % n;
		line_text(&d, at, line);
		found = strcasestr(line, text) != NULL;
		if (found)
			p->found = (uint32_t)at;
	}
	doc_free(&d);
	/* The line above it stays visible, if there is one. */
	if (found && (p->found < p->scroll || p->found >= p->scroll + p->page))
		p->scroll = p->found > 0 ? p->found - 1 : 0;
	return found;
}

/* Marks TEXT in the cells of a line. */
static void mark_line(struct canvas *c, int x, int y, int width, const char *text)
{
	int length = (int)strlen(text);

	for (int i = x; i + length <= x + width; i++) {
		const struct cell *cells = &c->cells[(size_t)y * (size_t)c->width + (size_t)i];
		int n = 0;

		while (n < length && cells[n].text[1] == '\0' &&
		       strncasecmp(cells[n].text, text + n, 1) == 0)
			n++;
		if (n == length)
			canvas_role(c, i, y, length, ROLE_MATCH);
	}
}

static void pane_mark_found(const struct app *a, struct canvas *c, struct area inside)
{
	const char *text = a->typing_pane ? a->prompt.text : a->pane.find;

	if (!pane_searchable(a) || text[0] == '\0')
		return;
	for (int y = inside.y; y < inside.y + inside.height && y < c->height; y++)
		mark_line(c, inside.x, y, inside.width, text);
}

/* ---- drawing ------------------------------------------------------------------------------- */

/* Signs on the border for more lines above or below. */
static void draw_more(const struct pane *p, struct canvas *c, struct area area)
{
	if (p->scroll > 0)
		canvas_glyph_put(c, area.x + area.width - 3, area.y, ROLE_KEY, GLYPH_MORE_UP);
	if (p->scroll + p->page < p->lines)
		canvas_glyph_put(c, area.x + area.width - 3, area.y + area.height - 1, ROLE_KEY,
				 GLYPH_MORE_DOWN);
}

static void draw_text(struct app *a, struct canvas *c, struct area area)
{
	struct pane *p = &a->pane;
	struct doc d;

	pane_doc(a, &d);
	p->lines = (uint32_t)d.line_count;
	pane_move(a, 0);
	doc_draw(&d, c, area.x + 2, area.y + 1, area.width - 3, area.height - 2, p->scroll);
	doc_free(&d);
}

static void pane_draw_line(const void *context, struct canvas *c, uint32_t i, struct area at)
{
	const struct app *a = context;

	at.x++;
	at.width--;
	a->pane.ops->line(a, c, i, at);
}

/* Draws a text instead of the list, if there is one. */
static bool draw_instead(const struct app *a, struct canvas *c, struct area area)
{
	bool said;
	struct doc d;

	doc_init(&d, area.width - 4, c->ascii);
	said = a->pane.ops->instead(a, &d);
	if (said)
		doc_draw(&d, c, area.x + 2, area.y + 1, area.width - 4, area.height - 2, 0);
	doc_free(&d);
	return said;
}

static void draw_list(struct app *a, struct canvas *c, struct area area)
{
	struct area inside = { area.x + 1, area.y + 1, area.width - 2, area.height - 2 };
	const struct pane_ops *ops = a->pane.ops;
	int head = ops->head ? ops->head(a, c, inside) : 0;
	int page = inside.height - head - (ops->foot ? ops->foot_lines + 1 : 0);
	struct area at = { inside.x, inside.y + head, inside.width, page > 1 ? page : 1 };
	struct pane *p = &a->pane;

	p->lines = ops->count(a);
	p->list_y = at.y;
	p->page = (uint32_t)at.height;
	pane_move(a, 0);
	p->scroll = choice_first(p->scroll, p->pick, at.height);
	choice_draw(&(struct choice){ p->scroll, p->lines, p->pick, pane_draw_line, a }, c, at);
	if (ops->foot)
		ops->foot(a, c, (struct area){ at.x + 1, at.y + at.height + 1, at.width - 2,
					       inside.height - at.height - head - 1 });
}

static void pane_draw_box(struct app *a, struct canvas *c)
{
	struct area area = app_pane_area(a);
	const struct pane_ops *ops = pane_shown(a, &a->pane);
	char title[120];

	if (ops == &pane_none || (ops == a->idle && list_empty(&app_sheet_get(a)->list)))
		return;
	snprintf(title, sizeof(title), "%s", ops->title ? ops->title : "");
	if (ops->titled)
		ops->titled(a, title, sizeof(title));
	canvas_box(c, area.x, area.y, area.width, area.height, title);
	if (a->pane.focus && !pane_modal(a))
		canvas_role(c, area.x, area.y, 2, ROLE_KEY);
	a->pane.page = area.height > 2 ? (uint32_t)area.height - 2 : 1;
	/* On a small screen not everything fits. */
	canvas_clip(c, area.x + 1, area.y + 1, area.width - 2, area.height - 2);
	if (ops->draw)
		ops->draw(a, c, area);
	else if (ops->doc)
		draw_text(a, c, area);
	else if (!ops->instead || !draw_instead(a, c, area))
		draw_list(a, c, area);
	canvas_clip(c, 0, 0, c->width, c->height);
	if (ops->draw)
		return;
	pane_mark_found(a, c, (struct area){ area.x + 2, area.y + 1, area.width - 4,
					     area.height - 2 });
	draw_more(&a->pane, c, area);
}

void pane_draw(struct app *a, struct canvas *c)
{
	const struct pane *below = pane_beside(a);
	struct pane top = a->pane;

	if (below != &a->pane) {
		a->pane = *below;
		a->pane.focus = false;
		pane_draw_box(a, c);
		a->pane = top;
	}
	pane_draw_box(a, c);
}
