/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pane of lint: what is wrong with the configuration on the screen, and the edits that fix it.
 * Fixed findings disappear from the list, which includes the what-if's edits.
 */
#include <string.h>

#include "core/base/mem.h"
#include "core/lint/lint_all.h"
#include "tui/panes/pane.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"
#include "tui/whatif/sliders.h"

#define DETAIL_LINES 6

static void lint_check(struct app *a)
{
	struct picture *p = a->picture;

	lint_free(a->lint);
	lint_init(a->lint);
	if (sliders_are_slurms(a))
		picture_make_queue(p);
	lint_all(p->model, p->queue ? p->queue->jobs : NULL, a->lint);
	a->lint_seen = a->pictures;
}

static const struct lint_item *lint_picked(const struct app *a)
{
	const struct lint *l = a->lint;

	return a->pane.pick < l->count ? &l->items[a->pane.pick] : NULL;
}

static uint32_t lint_count(const struct app *a)
{
	return (uint32_t)a->lint->count;
}

static void lint_draw_item(const struct lint_item *item, struct canvas *c, int x, int y, int width)
{
	bool error = item->severity == LINT_ERROR;
	int used;

	canvas_put(c, x, y, 8, error ? ROLE_ERROR : ROLE_WARN, error ? "error" : "warning");
	canvas_put(c, x + 8, y, 4, ROLE_DIM, item->code);
	used = 12 + canvas_name(c, x + 12, y, 30, ROLE_VALUE, item->object) + 1;
	canvas_name(c, x + used, y, width - used, ROLE_TEXT, item->message);
}

static void put_labelled(struct doc *d, const char *label, enum role role, const char *text)
{
	doc_begin(d, ROLE_LABEL, label);
	doc_wrap(d, role, (int)strlen(label), text);
}

static void item_doc(const struct lint_item *item, bool rule, struct doc *d)
{
	doc_begin(d, ROLE_VALUE, item->object);
	doc_put(d, ROLE_TEXT, item->object[0] != '\0' ? " " : "");
	doc_wrap(d, ROLE_TEXT, 0, item->message);
	if (rule)
		put_labelled(d, "rule: ", ROLE_LEGEND, item->source);
	if (item->suggestion[0] != '\0')
		put_labelled(d, lint_edits(item, NULL, NULL) ? "Enter: " : "fix: ",
			     lint_edits(item, NULL, NULL) ? ROLE_KEY : ROLE_VALUE,
			     item->suggestion);
}

/* All of the picked item; if it is too long, the suggestion comes before the rule. */
static void draw_detail(const struct lint_item *item, struct canvas *c, struct area at)
{
	struct doc d;

	doc_init(&d, at.width, c->ascii);
	item_doc(item, true, &d);
	if ((int)d.line_count > at.height) {
		doc_free(&d);
		doc_init(&d, at.width, c->ascii);
		item_doc(item, false, &d);
	}
	doc_draw(&d, c, at.x, at.y, at.width, at.height, 0);
	doc_free(&d);
}

static void lint_draw_line(const struct app *a, struct canvas *c, uint32_t i, struct area at)
{
	lint_draw_item(&a->lint->items[i], c, at.x, at.y, at.width - 1);
}

/* Without findings there is no list. */
static int lint_draw_head(const struct app *a, struct canvas *c, struct area inside)
{
	if (a->lint->count == 0)
		canvas_name(c, inside.x + 1, inside.y, inside.width - 2, ROLE_GOOD,
			    "fairtop found no problem in this policy.");
	return 0;
}

static void lint_draw_foot(const struct app *a, struct canvas *c, struct area at)
{
	if (lint_picked(a))
		draw_detail(lint_picked(a), c, at);
}

struct taking {
	struct app *app;
	uint32_t taken;
	struct err err;
};

static bool lint_take_edit(void *context, const char *edit)
{
	struct taking *t = context;
	bool done = whatif_try(t->app, edit, &t->err);

	t->taken += done;
	return done;
}

/* Applies all edits of the suggestion, or none. */
static void lint_take(struct app *a)
{
	struct lint_item item;
	struct taking t = { .app = a };

	if (!lint_picked(a))
		return;
	item = *lint_picked(a);
	if (!lint_edits(&item, NULL, NULL)) {
		app_say(a, ROLE_MESSAGE, "no edit fixes it: %s",
			item.suggestion[0] != '\0' ? item.suggestion : "no fix is suggested");
		return;
	}
	if (!lint_edits(&item, lint_take_edit, &t)) {
		while (t.taken-- > 0)
			whatif_undo(whatif_edits(a));
		whatif_show(a);
		app_say(a, ROLE_ERROR, "%s", t.err.message);
		return;
	}
	lint_check(a);
	app_say(a, ROLE_MESSAGE, "%s is in the what-if", item.suggestion);
}

/* ---- the pane ------------------------------------------------------------------------------ */

const struct pane_ops lint_pane = {
	.title = "Policy problems", .width = 120, .lines = DETAIL_LINES + 3,
	.count = lint_count, .line = lint_draw_line, .head = lint_draw_head, .foot = lint_draw_foot,
	.foot_lines = DETAIL_LINES, .enter = lint_take, .mark = lint_take, .again = "mark",
	.keys = (const struct pane_key[]){
		{ "details", NULL, "add to what-if", NULL }, { "down", "up", "move", NULL },
		{ .word = NULL },
	},
};

static void pane_lint_init(struct app *a)
{
	a->lint = mem_zalloc(1, sizeof(*a->lint));
	lint_init(a->lint);
}

static void lint_end(struct app *a)
{
	lint_free(a->lint);
	mem_free(a->lint);
}

/* There may be a new picture. */
static void lint_after_event(struct app *a)
{
	if (a->pane.ops == &lint_pane && a->picture && a->pictures != a->lint_seen)
		lint_check(a);
}

const struct feature lint_feature = { .init = pane_lint_init,
				      .free = lint_end,
				      .after_event = lint_after_event };
