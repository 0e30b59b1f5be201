/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makes a class: PBS's two attributes with their values, defaults and who may write them, and
 * every component with what excluding it, or taking it back in, would do to the classes.
 */
#include "tui/panes/pane.h"

#include <stdio.h>

#include "core/base/plural.h"

#define HEAD_LINES 7
#define ROOMY 18	/* from this height on there is a line for the near miss, too */
#define NAME_WIDTH 16

uint32_t exclude_choices(const struct app *a)
{
	struct queue *q = a->picture != NULL ? a->picture->queue : NULL;

	return q == NULL ? 1 : 1 + (uint32_t)queue_toggles(q)->count;
}

static void put_attribute(struct canvas *c, int x, int y, int width, const char *name,
			  const char *value)
{
	int used = canvas_put(c, x, y, width, ROLE_LABEL, name) + 1;

	canvas_name(c, x + used, y, width - used, ROLE_VALUE, value);
}

/* The near miss that would merge most. */
static void draw_nearest(struct canvas *c, int x, int y, int width, const struct class_toggles *t)
{
	size_t place;

	if (class_toggles_near(t, &place, 1) == 0)
		canvas_put(c, x, y, width, ROLE_HINT,
			   "nothing that is excluded alone merges any two");
	else
		canvas_putf(c, x, y, width, ROLE_ACCENT,
			    "nearest: %.16s, excluded alone, merges %u %s: %u %s",
			    t->list[place].name, t->list[place].jobs,
			    plural(t->list[place].jobs, "job", "jobs"), t->list[place].classes,
			    plural(t->list[place].classes, "class", "classes"));
}

static void draw_head(const struct app *a, struct canvas *c, int x, int y, int width)
{
	const struct queue *q = a->picture->queue;
	const struct cycle_saving *s = &q->saving;
	const char *exclude = q->choice.exclude;

	put_attribute(c, x, y, width, "equiv_class_enable", q->choice.apart ? "False" : "True");
	put_attribute(c, x, y + 1, width, "equiv_class_exclude",
		      exclude != NULL && exclude[0] != '\0' ? exclude : "-");
	canvas_put(c, x, y + 2, width, ROLE_HINT,
		   "default: unset (on, none); Write: Manager, Read: Everyone");
	canvas_put(c, x, y + 3, width, ROLE_HINT,
		   q->choice.rules == CLASS_OPENPBS ?
		   "tried here only: OpenPBS 23 itself has neither" :
		   q->choice.rules == CLASS_DOCUMENT ?
		   "tried here only: the scheduler is not told" :
		   "tried here only: they are PBS's, this one has neither");
	canvas_putf(c, x, y + 4, width, ROLE_TEXT, "%u %s by the rules of %s",
		    q->classes->classes->count,
		    plural(q->classes->classes->count, "class", "classes"),
		    class_rules_names[q->choice.rules]);
	if (s->blind)
		canvas_put(c, x, y + 5, width, ROLE_WARN,
			   "no hosts are known: a cycle cannot be simulated");
	else
		canvas_putf(c, x, y + 5, width, ROLE_TEXT,
			    "a cycle considers %u of %u jobs, without classes %u", s->with,
			    s->jobs, s->without);
}

static void draw_toggle(struct canvas *c, int x, int y, int width, const struct class_toggle *t,
			uint32_t classes)
{
	canvas_put(c, x, y, 3, t->excluded ? ROLE_DIM : ROLE_KEY, t->excluded ? "[ ]" : "[x]");
	canvas_name(c, x + 4, y, NAME_WIDTH, t->excluded ? ROLE_DIM : ROLE_VALUE, t->name);
	x += 5 + NAME_WIDTH;
	width -= 5 + NAME_WIDTH;
	if (t->jobs == 0)
		canvas_put(c, x, y, width, ROLE_DIM, "makes no difference");
	else if (t->excluded)
		canvas_putf(c, x, y, width, ROLE_TEXT, "counted: %u %s into %u", classes,
			    plural(classes, "class splits", "classes split"), t->classes);
	else
		canvas_putf(c, x, y, width, ROLE_TEXT, "excluded: %u %s, %u %s",
			    t->classes, plural(t->classes, "class", "classes"), t->jobs,
			    plural(t->jobs, "job merges", "jobs merge"));
}

void exclude_draw(struct app *a, struct canvas *c, struct area area)
{
	struct pane *p = &a->pane;
	int x = area.x + 2, width = area.width - 3, y = area.y + 1;
	int head = area.height < ROOMY ? HEAD_LINES : HEAD_LINES + 1;
	const struct class_toggles *t;

	if (a->picture == NULL || a->picture->queue == NULL)
		return;
	t = queue_toggles(a->picture->queue);
	draw_head(a, c, x, y, width);
	if (head > HEAD_LINES)
		draw_nearest(c, x, y + 6, width, t);
	p->lines = exclude_choices(a);
	p->list_y = y + head;
	p->page = area.height > head + 2 ? (uint32_t)(area.height - head - 2) : 1;
	pane_move(a, 0);
	if (p->pick < p->scroll)
		p->scroll = p->pick;
	if (p->pick >= p->scroll + p->page)
		p->scroll = p->pick - p->page + 1;
	for (uint32_t i = 0; i < p->page && p->scroll + i < p->lines; i++) {
		uint32_t line = p->scroll + i;
		int at = y + head + (int)i;

		if (line > 0) {
			draw_toggle(c, x, at, width, &t->list[line - 1], t->classes);
		} else {
			bool off = a->picture->queue->choice.apart;

			canvas_put(c, x, at, 3, off ? ROLE_DIM : ROLE_KEY, off ? "[ ]" : "[x]");
			canvas_put(c, x + 4, at, width - 4, ROLE_VALUE,
				   "classes (off: each job is considered by itself)");
		}
		if (line == p->pick)
			canvas_ground(c, area.x + 1, at, area.width - 2, GROUND_PICK);
	}
}
