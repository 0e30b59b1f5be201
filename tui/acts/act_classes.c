/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of the classes view: what PBS's two attributes would do, tried on the screen. */
#include "tui/acts/act.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/plural.h"
#include "tui/rows/state.h"
#include "tui/panes/pane.h"

struct class_choice app_class_choice(const struct app *a)
{
	struct class_choice choice = class_choice_of(a->picture->cluster);

	if (a->classes_chosen) {
		choice.apart = a->classes_off;
		choice.exclude = a->exclude;
	}
	return choice;
}

/* From here on the user's settings count; they begin as the source's. */
static void choose(struct app *a)
{
	struct class_choice choice;

	if (a->classes_chosen)
		return;
	a->classes_chosen = true;
	if (a->picture == NULL)
		return;
	choice = class_choice_of(a->picture->cluster);
	a->classes_off = choice.apart;
	snprintf(a->exclude, sizeof a->exclude, "%s",
		 choice.exclude != NULL ? choice.exclude : "");
}

static uint32_t class_count(const struct app *a)
{
	const struct queue *q = a->picture != NULL ? a->picture->queue : NULL;

	return q != NULL && q->classes != NULL ? q->classes->classes->count : 0;
}

/* Groups anew and says how many classes there were and are. */
static void group_and_tell(struct app *a, const char *what)
{
	uint32_t before = class_count(a), after;
	const struct cycle_saving *saving;
	char effect[80];

	app_group_classes(a);
	if (a->picture == NULL || a->picture->queue == NULL)
		return;
	after = class_count(a);
	saving = &a->picture->queue->saving;
	if (before == 0)	/* no view had needed the classes yet */
		before = after;
	if (after == before)
		snprintf(effect, sizeof effect, "still %u %s", after,
			 plural(after, "class", "classes"));
	else
		snprintf(effect, sizeof effect, "%u %s into %u", before,
			 after < before ? "classes merge" :
			 plural(before, "class splits", "classes split"), after);
	if (saving->blind)
		app_say(a, ROLE_MESSAGE, "%s: %s", what, effect);
	else
		app_say(a, ROLE_MESSAGE, "%s: %s; a cycle considers %u of %u jobs", what, effect,
			a->classes_off ? saving->without : saving->with, saving->jobs);
}

ACT(act_equivalence)
{
	(void)line, (void)words, (void)err;
	choose(a);
	a->classes_off = !a->classes_off;
	group_and_tell(a, a->classes_off ? "classes off, each job by itself" : "classes on");
	return true;
}

static bool toggle(struct app *a, const char *name, struct err *err)
{
	char list[sizeof a->exclude], what[CLASS_NAME_MAX + 16];
	bool excluded;

	choose(a);
	if (!class_exclude_toggle(a->exclude, name, list, sizeof list))
		return err_set(err, ERR_INPUT, "exclude: the list is longer than %zu bytes",
			       sizeof list - 1);
	excluded = strlen(list) > strlen(a->exclude);
	memcpy(a->exclude, list, strlen(list) + 1);
	snprintf(what, sizeof what, "%.*s %s", CLASS_NAME_MAX - 1, name,
		 excluded ? "excluded" : "counts");
	group_and_tell(a, what);
	return true;
}

static bool set_list(struct app *a, const char *list, struct err *err)
{
	if (strlen(list) >= sizeof a->exclude)
		return err_set(err, ERR_INPUT, "exclude: the list is longer than %zu bytes",
			       sizeof a->exclude - 1);
	choose(a);
	memcpy(a->exclude, list, strlen(list) + 1);
	group_and_tell(a, list[0] != '\0' ? list : "nothing excluded");
	return true;
}

ACT(act_exclude)
{
	(void)line;
	if (words->count == 2)
		return set_list(a, words->word[1], err);
	if (words->count > 2)
		return err_set(err, ERR_INPUT, "exclude: expected [NAME,...]");
	if (a->pane.kind == PANE_EXCLUDE) {
		pane_close(a);
		return true;
	}
	app_open_view(a, VIEW_CLASSES);
	if (a->picture != NULL && a->picture->queue != NULL)
		pane_open(a, PANE_EXCLUDE);
	return true;
}

/* The first line of the pane is equiv_class_enable, the others are what may be excluded. */
void pane_toggle_class(struct app *a)
{
	struct queue *q = a->picture != NULL ? a->picture->queue : NULL;
	struct err err = { 0 };
	char name[CLASS_NAME_MAX];

	if (q == NULL)
		return;
	if (a->pane.pick == 0) {
		act_equivalence(a, "", NULL, &err);
	} else if (a->pane.pick - 1 < queue_toggles(q)->count) {
		/* Grouping anew frees the list that the name is in. */
		snprintf(name, sizeof name, "%s", queue_toggles(q)->list[a->pane.pick - 1].name);
		if (!toggle(a, name, &err))
			app_say(a, ROLE_ERROR, "%s", err.message);
	}
}

/* ---- a class's jobs -------------------------------------------------------------------------- */

static int by_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return a < b ? -1 : a > b;
}

static size_t sorted_ids(const struct classes_data *d, uint32_t row, uint32_t *ids)
{
	const struct cluster *c = d->jobs->model->cluster;
	size_t n = 0;

	for (uint32_t m = d->classes->first[row]; m < d->classes->first[row + 1]; m++)
		ids[n++] = cluster_u32(c, F_JOB_ID, d->set->job[d->classes->members[m]]);
	qsort(ids, n, sizeof *ids, by_number);
	return n;
}

/*
 * The jobs of a class as a filter; runs of numbers are written as such. False when that is longer
 * than a filter may be.
 */
static bool filter_of_class(const struct classes_data *d, uint32_t row, char *buf, size_t size)
{
	uint32_t *ids = mem_alloc(d->set->jobs, sizeof *ids);
	size_t n = sorted_ids(d, row, ids), used = 0;

	for (size_t i = 0, end; i < n && used < size; i = end) {
		const char *bar = used > 0 ? "|" : "";
		uint32_t last;

		for (end = i + 1; end < n && ids[end] - ids[end - 1] <= 1; end++)
			;
		last = ids[end - 1];
		used += (size_t)(last != ids[i] ?
				 snprintf(buf + used, size - used, "%s(id>=%u id<=%u)", bar, ids[i],
					  last) :
				 snprintf(buf + used, size - used, "%sid=%u", bar, last));
	}
	mem_free(ids);
	return used < size;
}

bool class_to_jobs(struct app *a, uint32_t row, struct err *err)
{
	char text[SCRIPT_LINE];

	if (!filter_of_class(a->picture->queue->classes, row, text, sizeof text))
		return err_set(err, ERR_INPUT,
			       "go-across: class %u has too many jobs for a filter; Enter lists "
			       "them", row);
	app_open_view(a, VIEW_JOBS);
	return app_set_filter(a, VIEW_JOBS, text, err);
}
