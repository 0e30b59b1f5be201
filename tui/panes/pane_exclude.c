/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class definition: PBS's two attributes with their values, defaults and who may write them, and
 * for each component the effect on classes of excluding or including it.
 */
#include "tui/panes/pane.h"

#include <stdio.h>
#include <string.h>

#include "core/base/plural.h"
#include "tui/whatif/show.h"

#define HEAD_LINES 8
#define ROOMY 16	/* from this height on there is also a line for the near miss */
#define NAME_WIDTH 16

/* ---- doing it ------------------------------------------------------------------------------ */

/* Switches to the user's settings, which start as the source's. */
static void exclude_choose(struct app *a)
{
	struct class_choice choice;

	if (a->class_pick.chosen)
		return;
	a->class_pick.chosen = true;
	if (!a->picture)
		return;
	choice = class_choice_of(a->picture->cluster);
	a->class_pick.apart = choice.apart;
	snprintf(a->class_pick.exclude, sizeof(a->class_pick.exclude), "%s",
		 choice.exclude ? choice.exclude : "");
}

static uint32_t class_count(const struct app *a)
{
	const struct queue *q = a->picture ? a->picture->queue : NULL;

	return q && q->classes ? q->classes->classes->count : 0;
}

/* Regroups, and then says WHAT was done. */
static void group_and_tell(struct app *a, const char *what)
{
	snprintf(a->regrouped, sizeof(a->regrouped), "%s", what);
	a->classes_before = class_count(a);
	whatif_show(a);
}

/* The number of classes before and after. */
static void exclude_say(struct app *a)
{
	uint32_t before = a->classes_before, after = class_count(a);
	const struct cycle_saving *saving = queue_saving(a->picture->queue);
	const char *what = a->regrouped;
	char effect[80];

	if (before == 0)	/* no view needed the classes before */
		before = after;
	if (after == before)
		snprintf(effect, sizeof(effect), "still %u %s", after,
			 plural(after, "class", "classes"));
	else
		snprintf(effect, sizeof(effect), "%u %s into %u", before,
			 after < before ? "classes merge" :
			 plural(before, "class splits", "classes split"), after);
	if (saving->unknown)
		app_say(a, ROLE_MESSAGE, "%s: %s", what, effect);
	else
		app_say(a, ROLE_MESSAGE, "%s: %s; a cycle considers %u of %u jobs", what, effect,
			a->class_pick.apart ? saving->without : saving->with, saving->jobs);
}

void exclude_all(struct app *a)
{
	exclude_choose(a);
	a->class_pick.apart = !a->class_pick.apart;
	group_and_tell(a, a->class_pick.apart ? "classes off, each job on its own" : "classes on");
}

static bool exclude_toggle(struct app *a, const char *name, struct err *err)
{
	char list[sizeof(a->class_pick.exclude)], what[CLASS_NAME_MAX + 16];
	bool excluded;

	exclude_choose(a);
	if (!class_exclude_toggle(a->class_pick.exclude, name, list, sizeof(list)))
		return err_set(err, ERR_INPUT, "exclude: the list is longer than %zu bytes",
			       sizeof(list) - 1);
	excluded = strlen(list) > strlen(a->class_pick.exclude);
	memcpy(a->class_pick.exclude, list, strlen(list) + 1);
	snprintf(what, sizeof(what), "%.*s %s", CLASS_NAME_MAX - 1, name,
		 excluded ? "excluded" : "counts");
	group_and_tell(a, what);
	return true;
}

bool exclude_set(struct app *a, const char *list, struct err *err)
{
	if (strlen(list) >= sizeof(a->class_pick.exclude))
		return err_set(err, ERR_INPUT, "exclude: the list is longer than %zu bytes",
			       sizeof(a->class_pick.exclude) - 1);
	exclude_choose(a);
	memcpy(a->class_pick.exclude, list, strlen(list) + 1);
	group_and_tell(a, list[0] != '\0' ? list : "nothing excluded");
	return true;
}

/* Line 1 of the pane is equiv_class_enable, the others are what can be excluded. */
static void exclude_toggle_picked(struct app *a)
{
	struct queue *q = a->picture ? a->picture->queue : NULL;
	struct err err = { 0 };
	char name[CLASS_NAME_MAX];

	if (!q)
		return;
	if (a->pane.pick == 0) {
		exclude_all(a);
	} else if (a->pane.pick - 1 < queue_toggles(q)->count) {
		/* Regrouping frees the list that has the name. */
		snprintf(name, sizeof(name), "%s", queue_toggles(q)->list[a->pane.pick - 1].name);
		if (!exclude_toggle(a, name, &err))
			app_say(a, ROLE_ERROR, "%s", err.message);
	}
}

/* ---- the pane ------------------------------------------------------------------------------ */

static uint32_t exclude_count(const struct app *a)
{
	struct queue *q = a->picture ? a->picture->queue : NULL;

	return !q ? 1 : 1 + (uint32_t)queue_toggles(q)->count;
}

static void exclude_put_attribute(struct canvas *c, int x, int y, int width, const char *name,
				  const char *value)
{
	int used = canvas_put(c, x, y, width, ROLE_LABEL, name) + 1;

	canvas_name(c, x + used, y, width - used, ROLE_VALUE, value);
}

/* The near miss that would merge the most classes. */
static void draw_nearest(struct canvas *c, int x, int y, int width, const struct class_toggles *t)
{
	size_t place;

	if (t->known < t->count)
		canvas_putf(c, x, y, width, ROLE_HINT, "grouped without %zu of %zu", t->known,
			    t->count);
	else if (class_toggles_near(t, &place, 1) == 0)
		canvas_put(c, x, y, width, ROLE_HINT, "no single exclusion merges any classes");
	else
		canvas_putf(c, x, y, width, ROLE_ACCENT,
			    "excluding %.16s alone merges most: %u %s, %u %s left",
			    t->list[place].name, t->list[place].jobs,
			    plural(t->list[place].jobs, "job", "jobs"), t->list[place].classes,
			    plural(t->list[place].classes, "class", "classes"));
}

static void draw_lines(struct queue *q, struct canvas *c, int x, int y, int width)
{
	const struct cycle_saving *s = queue_saving(q);
	const char *exclude = q->choice.exclude;

	exclude_put_attribute(c, x, y, width, "equiv_class_enable",
			      q->choice.apart ? "False" : "True");
	exclude_put_attribute(c, x, y + 1, width, "equiv_class_exclude",
			      exclude && exclude[0] != '\0' ? exclude : "-");
	canvas_put(c, x, y + 2, width, ROLE_HINT,
		   "default: unset (on, none); Write: Manager, Read: Everyone");
	canvas_put(c, x, y + 3, width, ROLE_HINT,
		   q->choice.rules == CLASS_OPENPBS ?
		   "tried here only: OpenPBS 23 itself has neither" :
		   q->choice.rules == CLASS_DOCUMENT ?
		   "tried here only: not set in the scheduler" :
		   "tried here only: this scheduler is not PBS and has neither");
	canvas_putf(c, x, y + 4, width, ROLE_TEXT, "%u %s by the rules of %s",
		    q->classes->classes->count,
		    plural(q->classes->classes->count, "class", "classes"),
		    class_rules_names[q->choice.rules]);
	if (s->unknown) {
		canvas_putf(c, x, y + 5, width, ROLE_WARN, "%s: a cycle cannot be simulated",
			    s->unknown);
		return;
	}
	canvas_putf(c, x, y + 5, width, ROLE_TEXT,
		    "a cycle considers %u of %u jobs, without classes %u", s->with, s->jobs,
		    s->without);
	canvas_put(c, x, y + 6, width, ROLE_HINT, cycle_methods[s->method]);
}

static void draw_toggle(struct canvas *c, int x, int y, int width, const struct class_toggle *t,
			bool known, uint32_t classes)
{
	canvas_put(c, x, y, 3, t->excluded ? ROLE_DIM : ROLE_KEY, t->excluded ? "[ ]" : "[x]");
	canvas_name(c, x + 4, y, NAME_WIDTH, t->excluded ? ROLE_DIM : ROLE_VALUE, t->name);
	x += 5 + NAME_WIDTH;
	width -= 5 + NAME_WIDTH;
	if (!known)
		canvas_put(c, x, y, width, ROLE_DIM, "...");
	else if (t->jobs == 0)
		canvas_put(c, x, y, width, ROLE_DIM, "makes no difference");
	else if (t->excluded)
		canvas_putf(c, x, y, width, ROLE_TEXT, "if counted: %u %s into %u", classes,
			    plural(classes, "class splits", "classes split"), t->classes);
	else
		canvas_putf(c, x, y, width, ROLE_TEXT, "if excluded: %u %s, %u %s",
			    t->classes, plural(t->classes, "class", "classes"), t->jobs,
			    plural(t->jobs, "job merges", "jobs merge"));
}

static int exclude_draw_head(const struct app *a, struct canvas *c, struct area inside)
{
	int x = inside.x + 1, width = inside.width - 1;

	if (!a->picture || !a->picture->queue)
		return HEAD_LINES;
	draw_lines(a->picture->queue, c, x, inside.y, width);
	if (inside.height < ROOMY)
		return HEAD_LINES;
	draw_nearest(c, x, inside.y + 7, width, queue_toggles(a->picture->queue));
	return HEAD_LINES + 1;
}

static void exclude_draw_line(const struct app *a, struct canvas *c, uint32_t i, struct area at)
{
	struct queue *q = a->picture ? a->picture->queue : NULL;
	const struct class_toggles *t = q ? queue_toggles(q) : NULL;

	if (!q)
		return;
	if (i > 0) {
		draw_toggle(c, at.x, at.y, at.width, &t->list[i - 1], i <= t->known, t->classes);
		return;
	}
	canvas_put(c, at.x, at.y, 3, q->choice.apart ? ROLE_DIM : ROLE_KEY,
		   q->choice.apart ? "[ ]" : "[x]");
	canvas_put(c, at.x + 4, at.y, at.width - 4, ROLE_VALUE,
		   "classes (off: each job is considered on its own)");
}

/* With the classes open, computes the effect of the components, some at a time. */
static void exclude_after_event(struct app *a)
{
	struct queue *q = a->picture ? a->picture->queue : NULL;
	struct class_choice choice;

	if (!q || !q->classes)
		return;
	choice = picture_choice(a->picture->cluster, &a->class_pick);
	if (a->regrouped[0] != '\0' && queue_is_grouped(q, &choice)) {
		if (a->message[0] == '\0')	/* else a later key has said something */
			exclude_say(a);
		a->regrouped[0] = '\0';
	}
	if (a->view == VIEW_CLASSES && queue_toggles_advance(q))
		a->effects |= APP_MORE;
}

const struct feature exclude_feature = { .after_event = exclude_after_event };

const struct pane_ops exclude_pane = {
	.title = "Class definition", .width = 72, .lines = HEAD_LINES + 3, .count = exclude_count,
	.line = exclude_draw_line, .head = exclude_draw_head, .enter = exclude_toggle_picked,
	.mark = exclude_toggle_picked, .boxes = true, .again = "mark",
	.keys = (const struct pane_key[]){
		{ "mark", NULL, "count or exclude", NULL }, { "down", "up", "move", NULL },
		{ .word = NULL },
	},
};
