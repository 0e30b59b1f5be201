/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pane of lint: what is wrong with the configuration that is on the screen, and the edits that
 * would mend it. What an edit mends is gone from the list, since it is of the what-if, too.
 */
#include <stdio.h>
#include <string.h>

#include "core/lint/lint_pools.h"
#include "core/lint/lint_slurm.h"
#include "tui/panes/pane.h"
#include "tui/whatif/trial_knobs.h"

#define DETAIL_LINES 6

static void check(struct app *a)
{
	struct trial *t = &a->trial;
	struct picture *p = a->picture;
	struct class_choice choice = class_choice_of(p->cluster);

	lint_free(&t->lint);
	lint_init(&t->lint);
	lint_pools(p->cluster, &t->lint);
	if (knobs_are_slurms(a)) {
		if (p->queue == NULL)
			p->queue = queue_new(p->model, &choice);
		lint_slurm(p->model, p->queue->jobs, &t->lint);
	}
	lint_sort(&t->lint);
}

static const struct lint_item *picked(const struct app *a)
{
	const struct lint *l = &a->trial.lint;

	return a->pane.pick < l->count ? &l->items[a->pane.pick] : NULL;
}

uint32_t lint_choices(const struct app *a)
{
	return (uint32_t)a->trial.lint.count;
}

int lint_height(const struct app *a)
{
	return (int)a->trial.lint.count + DETAIL_LINES + 3;
}

static void draw_item(const struct lint_item *item, struct canvas *c, int x, int y, int width)
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
	doc_line(d);
	doc_put(d, ROLE_LABEL, label);
	doc_wrap(d, role, (int)strlen(label), text);
}

static void item_doc(const struct lint_item *item, bool rule, struct doc *d)
{
	doc_line(d);
	doc_put(d, ROLE_VALUE, item->object);
	doc_put(d, ROLE_TEXT, item->object[0] != '\0' ? " " : "");
	doc_wrap(d, ROLE_TEXT, 0, item->message);
	if (rule)
		put_labelled(d, "rule: ", ROLE_LEGEND, item->source);
	if (item->suggestion[0] != '\0')
		put_labelled(d, lint_edits(item, NULL, NULL) ? "Enter: " : "do: ",
			     lint_edits(item, NULL, NULL) ? ROLE_KEY : ROLE_VALUE,
			     item->suggestion);
}

/* All of the picked item; where that is too long, what to do is worth more than the rule. */
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

void lint_draw(struct app *a, struct canvas *c, struct area area)
{
	struct pane *p = &a->pane;
	int x = area.x + 2, width = area.width - 4, y = area.y + 1, room;
	const struct lint *l = &a->trial.lint;

	p->lines = (uint32_t)l->count;
	p->list_y = y;
	p->page = area.height > DETAIL_LINES + 3 ? (uint32_t)(area.height - DETAIL_LINES - 3) : 1;
	room = area.height - 3 - (int)p->page;
	pane_move(a, 0);
	if (p->pick < p->scroll)
		p->scroll = p->pick;
	if (p->pick >= p->scroll + p->page)
		p->scroll = p->pick - p->page + 1;
	if (l->count == 0)
		canvas_name(c, x, y, width, ROLE_GOOD,
			    "Nothing is wrong with this policy as far as fairtop can tell.");
	for (uint32_t i = 0; i < p->page && p->scroll + i < l->count; i++) {
		draw_item(&l->items[p->scroll + i], c, x, y + (int)i, width);
		if (p->scroll + i == p->pick)
			canvas_ground(c, area.x + 1, y + (int)i, area.width - 2, GROUND_PICK);
	}
	if (picked(a) != NULL)
		draw_detail(picked(a), c, (struct area){ x, y + (int)p->page + 1, width, room });
}

void lint_open(struct app *a)
{
	check(a);
	pane_open(a, PANE_LINT);
}

void lint_again(struct app *a)
{
	if (a->pane.kind == PANE_LINT && a->picture != NULL)
		check(a);
}

struct taking {
	struct app *app;
	uint32_t taken;
	struct err err;
};

static bool take_edit(void *context, const char *edit)
{
	struct taking *t = context;
	bool done = trial_add(t->app, edit, &t->err);

	t->taken += done;
	return done;
}

/* All edits of the suggestion, or none. */
void lint_take(struct app *a)
{
	struct lint_item item;
	struct taking t = { .app = a };

	if (picked(a) == NULL)
		return;
	item = *picked(a);
	if (!lint_edits(&item, NULL, NULL)) {
		app_say(a, ROLE_MESSAGE, "no edit does it: %s",
			item.suggestion[0] != '\0' ? item.suggestion : "nothing is suggested");
		return;
	}
	if (!lint_edits(&item, take_edit, &t)) {
		while (t.taken-- > 0)
			whatif_undo(trial_edits(a));
		trial_show(a, false, NULL);
		app_say(a, ROLE_ERROR, "%s", t.err.message);
		return;
	}
	lint_again(a);
	app_say(a, ROLE_MESSAGE, "%s is in the what-if", item.suggestion);
}
