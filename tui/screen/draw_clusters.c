/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The overview: its two lines at the top, and the cells of clusters. Old data is dim, so that it
 * does not look current; a source that never answered says why across its row.
 */
#include "tui/screen/draw.h"

#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "tui/base/coarse.h"
#include "tui/cells/plot.h"
#include "tui/rows/overview.h"

/* ---- cells ---------------------------------------------------------------------------------- */

void draw_spark(const struct app *a, struct canvas *c, int x, int y, int width, uint32_t row)
{
	const struct fleet_row *r = &a->overview->rows[row];
	uint32_t from = r->queue_count > (uint32_t)width ? r->queue_count - (uint32_t)width : 0;
	struct doc d;

	doc_init(&d, width, c->ascii);
	doc_line(&d);
	spark_put(&d, r->queue + from, r->queue_count - from, width);
	doc_draw(&d, c, x, y, width, 1, 0);
	doc_free(&d);
	if (r->health != FLEET_GOOD)
		canvas_role(c, x, y, width, ROLE_DIM);
}

static enum role role_of(enum column_drawn drawn, const struct fleet_row *r, const struct value *v)
{
	if (drawn == DRAWN_HEALTH)
		return r->health == FLEET_GOOD ? ROLE_GOOD : ROLE_ERROR;
	if (drawn == DRAWN_NOTE || (drawn == DRAWN_ALARMS && r->alarms > 0))
		return r->problem[0] != '\0' ? ROLE_ERROR : ROLE_WARN;
	if (drawn == DRAWN_AGE && r->health == FLEET_OLD)
		return ROLE_WARN;
	if (r->health != FLEET_GOOD || v->kind == VALUE_UNKNOWN)
		return ROLE_DIM;
	if (drawn == DRAWN_UNDER)
		return ROLE_UNDER;
	if (drawn == DRAWN_OVER)
		return ROLE_OVER;
	if (drawn == DRAWN_VERIFY)
		return r->facts->verify == 1 ? ROLE_ERROR : ROLE_NUMBER;
	return drawn == DRAWN_SOURCE ? ROLE_DIM : ROLE_NUMBER;
}

void draw_cluster_cell(const struct app *a, struct canvas *c, const struct sheet_slot *slot, int x,
		       int y, uint32_t row)
{
	const struct fleet_row *r = &a->overview->rows[row];
	struct value v = { .kind = VALUE_UNKNOWN };
	char text[ERR_MESSAGE_MAX];
	enum column_drawn drawn = slot->column->drawn;
	enum role role;

	column_get(slot->column, a->overview->rows, row, &v);
	sheet_cell(slot->column, &v, slot->width, c->ascii, text, sizeof(text));
	if (drawn == DRAWN_AGE && r->age != I64_UNKNOWN)
		coarse(r->age, "now", text, sizeof(text));
	role = role_of(drawn, r, &v);
	if (slot->column->left)
		canvas_name(c, x, y, slot->width, role, text);
	else
		canvas_right(c, x, y, slot->width, role, text);
	if (v.kind == VALUE_REAL && drawn == DRAWN_UNDER)
		canvas_glyph_put(c, x + slot->width, y, role, GLYPH_UNDER);
	if (v.kind == VALUE_REAL && drawn == DRAWN_OVER)
		canvas_glyph_put(c, x + slot->width, y, role, GLYPH_OVER);
}

bool draw_cluster_silent(const struct app *a, struct canvas *c, int x, int y, int width,
			 uint32_t row)
{
	const struct fleet_row *r = &a->overview->rows[row];
	char text[sizeof(r->source) + sizeof(r->problem) + 8];

	if (r->facts)
		return false;
	snprintf(text, sizeof(text), "%s%s%s", r->name[0] != '\0' ? r->source : "",
		 r->name[0] != '\0' ? ": " : "", r->problem[0] != '\0' ? r->problem : "asking");
	canvas_name(c, x, y, width, r->problem[0] != '\0' ? ROLE_ERROR : ROLE_DIM, text);
	return true;
}

/* ---- the two lines at the top --------------------------------------------------------------- */

struct clusters_line {
	struct canvas *c;
	int x, y, end;
};

/* Puts "waiting 1,234" if it fits. */
static void clusters_piece(struct clusters_line *l, enum role role, const char *label,
			   const char *value)
{
	int width = canvas_text_width(l->c, label) + 1 + canvas_text_width(l->c, value);

	if (l->x + width > l->end)
		return;
	l->x += canvas_put(l->c, l->x, l->y, width, ROLE_LABEL, label) + 1;
	l->x += canvas_name(l->c, l->x, l->y, width, role, value) + 2;
}

/* If some numbers are unknown, the sum is a lower bound. */
static void clusters_counted(struct clusters_line *l, const char *label, double number,
			     const struct overview_sum *s)
{
	char text[40] = "";

	if (s->known == 0)
		number = F64_UNKNOWN;
	else if (s->partial)
		snprintf(text, sizeof(text), "%s ", l->c->ascii ? ">=" : "≥");
	format_grouped(number, text + strlen(text), sizeof(text) - strlen(text));
	clusters_piece(l, ROLE_VALUE, label, text);
}

static void draw_badge(struct clusters_line *l, const char *label, const char *value)
{
	char text[600];
	int width;

	snprintf(text, sizeof(text), " %s %s ", label, value);
	width = canvas_text_width(l->c, text);
	if (l->end - width < l->x)
		return;
	l->end -= width;
	canvas_name(l->c, l->end, l->y, width, ROLE_BADGE, text);
	l->end--;
}

void draw_overview(const struct app *a, struct canvas *c)
{
	static const enum role roles[] = {
		[FLEET_ASKING] = ROLE_DIM, [FLEET_GOOD] = ROLE_GOOD, [FLEET_OLD] = ROLE_WARN,
		[FLEET_DEAD] = ROLE_ERROR,
	};
	static const enum fleet_health order[] = { FLEET_GOOD, FLEET_OLD, FLEET_DEAD,
						   FLEET_ASKING };
	struct clusters_line first = { c, 1, 0, c->width - 1 }, second = { c, 1, 1, c->width - 1 };
	const struct overview_sum s = overview_sum(a);
	char text[80];

	canvas_fill(c, 0, 0, c->width, 2, GROUND_BAR);
	if (a->frozen)
		draw_badge(&second, "FROZEN", "");
	if (a->filter_text[VIEW_CLUSTERS][0] != '\0')
		draw_badge(&second, "FILTER", a->filter_text[VIEW_CLUSTERS]);
	if (a->overview->account[0] != '\0')
		draw_badge(&second, "ACCOUNT", a->overview->account);
	snprintf(text, sizeof(text), "%u", a->overview->count);
	clusters_piece(&first, ROLE_ACCENT, "clusters", text);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		snprintf(text, sizeof(text), "%u", s.health[order[i]]);
		if (s.health[order[i]] > 0)
			clusters_piece(&first, roles[order[i]], fleet_health_words[order[i]], text);
	}
	clusters_counted(&second, "pending", s.waiting, &s);
	clusters_counted(&second, "running", s.running, &s);
	clusters_counted(&second, "CPUs in use", s.cpus_used, &s);
	clusters_counted(&second, "of", s.cpus, &s);
	if (s.alarms > 0) {
		snprintf(text, sizeof(text), "%u", s.alarms);
		clusters_piece(&second, ROLE_WARN, "alarms", text);
	}
}
