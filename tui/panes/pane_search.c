/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searching in the text of a pane: line by line, ASCII case ignored; what is found is brought into
 * sight and marked.
 */
#include "tui/panes/pane.h"

#include <string.h>

#define LINE_MAX_BYTES 1024

bool pane_searchable(const struct app *a)
{
	return a->pane.focus && (a->pane.ops->doc != NULL || a->pane.ops->find != NULL);
}

/* Line I as it is read: a blank where spans do not touch. */
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

	if (p->ops->find != NULL)
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
	/* A line above it stays in sight, if there is one. */
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

void pane_mark_found(const struct app *a, struct canvas *c, struct area inside)
{
	const char *text = a->typing_pane ? a->prompt.text : a->pane.find;

	if (!pane_searchable(a) || text[0] == '\0')
		return;
	for (int y = inside.y; y < inside.y + inside.height && y < c->height; y++)
		mark_line(c, inside.x, y, inside.width, text);
}
