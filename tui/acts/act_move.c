/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that move: in the view, or in the focused pane. */
#include "tui/acts/act.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/classes/classes_explain.h"
#include "core/pools/pools.h"
#include "tui/panes/pane.h"
#include "tui/rows/queue.h"
#include "tui/whatif/show.h"

static bool no_arguments(const struct words *words, struct err *err)
{
	if (words->count > 1)
		return err_set(err, ERR_INPUT, "%s takes no argument ('%s')", words->word[0],
			       words->word[1]);
	return true;
}

/* A count after the command; 1 if there is none. */
static bool count_argument(const struct words *words, int64_t *count, struct err *err)
{
	char *end;

	*count = 1;
	if (words->count < 2)
		return true;
	*count = strtol(words->word[1], &end, 10);
	if (*end != '\0' || *count < 1 || *count > INT32_MAX || words->count > 2)
		return err_set(err, ERR_INPUT, "'%s': expected a number of rows", words->word[1]);
	return true;
}

/*
 * Moves BY lines, or to an end. The pane moves if it has the focus; a chart has no lines and shows
 * the next row instead.
 */
static void act_move(struct app *a, int64_t by)
{
	if (a->pane.focus && !a->pane.ops->over_time)
		pane_move(a, by);
	else
		list_move(&app_sheet(a)->list, by);
}

ACT(act_down)
{
	int64_t count;

	if (!count_argument(words, &count, err))
		return false;
	act_move(a, count);
	return true;
}

ACT(act_up)
{
	int64_t count;

	if (!count_argument(words, &count, err))
		return false;
	act_move(a, -count);
	return true;
}

/* A page keeps one row of the previous one. */
static int64_t act_page(const struct app *a)
{
	uint32_t lines = a->pane.focus ? a->pane.page : app_sheet_get(a)->list.page;

	return lines > 1 ? (int64_t)lines - 1 : 1;
}

ACT(act_page_down)
{
	act_move(a, act_page(a));
	return no_arguments(words, err);
}

ACT(act_page_up)
{
	act_move(a, -act_page(a));
	return no_arguments(words, err);
}

ACT(act_half_page_down)
{
	act_move(a, (act_page(a) + 1) / 2);
	return no_arguments(words, err);
}

ACT(act_half_page_up)
{
	act_move(a, -(act_page(a) + 1) / 2);
	return no_arguments(words, err);
}

/* ":row 40", or ":40" for short. The number is the one in the line above the keys. */
ACT(act_row)
{
	struct list *list = &app_sheet(a)->list;
	const char *text = words->word[words->count - 1];
	long long number;
	char *end;

	number = strtoll(text, &end, 10);
	if (*end != '\0' || number < 1 || words->count > 2)
		return err_set(err, ERR_INPUT, "'%s': expected a row number", text);
	if (list_empty(list))
		return true;
	list_move_to(list, number > (long long)list->count ? (uint32_t)list->count - 1 :
			   (uint32_t)number - 1);
	return true;
}

ACT(act_top)
{
	act_move(a, -INT32_MAX);
	return no_arguments(words, err);
}

ACT(act_bottom)
{
	act_move(a, INT32_MAX);
	return no_arguments(words, err);
}

ACT(act_next_pane)
{
	if (!pane_is_open(a))
		app_say(a, ROLE_MESSAGE, "only one pane is open; Enter opens the details");
	else if (!pane_modal(a))
		a->pane.focus = !a->pane.focus;
	return no_arguments(words, err);
}

ACT(act_maximize)
{
	if (!pane_is_open(a)) {
		app_say(a, ROLE_MESSAGE, "no pane is open; Enter opens the details");
	} else if (!a->pane.large && pane_modal(a)) {
		app_say(a, ROLE_MESSAGE, "the pane is already at its largest");
	} else {
		a->pane.large = !a->pane.large;
		a->pane.focus = a->pane.large;
	}
	return no_arguments(words, err);
}

/* ---- searching ----------------------------------------------------------------------------- */

ACT(act_search)
{
	if (pane_searchable(a)) {
		app_begin_typing(a);
		a->typing_pane = true;
		prompt_open(&a->prompt, PROMPT_SEARCH, "");
		return no_arguments(words, err);
	}
	if (list_empty(&app_sheet(a)->list)) {
		app_say(a, ROLE_MESSAGE, "nothing to search");
		return no_arguments(words, err);
	}
	app_begin_typing(a);
	prompt_open(&a->prompt, PROMPT_SEARCH, "");
	return no_arguments(words, err);
}

static void search_again(struct app *a, int direction)
{
	struct list *list = &app_sheet(a)->list;
	uint32_t row, from;

	if (pane_searchable(a) && a->pane.find[0] != '\0') {
		(void)pane_find(a, a->pane.find, direction, false);
		return;
	}
	if (a->search[0] == '\0' || pane_searchable(a)) {
		app_say(a, ROLE_MESSAGE, "no search yet: / starts one");
		return;
	}
	from = list_row(list);
	row = search_row(a, a->search, from, direction, false);
	if (row == ROW_NONE) {
		app_say(a, ROLE_WARN, "no name contains '%s'", a->search);
		return;
	}
	list_select(list, row);
	if (row == from)
		app_say(a, ROLE_MESSAGE, "no other name contains '%s'", a->search);
	else
		search_tell(a, a->search, from, row, direction);
}

ACT(act_search_next)
{
	search_again(a, 1);
	return no_arguments(words, err);
}

ACT(act_search_previous)
{
	search_again(a, -1);
	return no_arguments(words, err);
}

/* The row of the pool or queue OBJECT in the view of pools. */
static uint32_t pool_row(const struct pools *p, const char *object, struct err *err)
{
	bool pool = cluster_object_kinds(object) == OBJECT_POOL;
	const char *name = strchr(object, ':') + 1;
	uint32_t at;

	if (!p) {
		err_set(err, ERR_INPUT, "%.300s: no pools", object);
		return ROW_NONE;
	}
	at = pools_find(p, pool, name, err);
	if (at == ROW_NONE)
		return at;
	if (!pool)
		return pools_row(p, at);
	if (p->pools[at].slots.count > 0)
		return p->pools[at].first;
	err_set(err, ERR_INPUT, "%.300s: it has no queues", object);
	return ROW_NONE;
}

/* The row of OBJECT in its view, which is open. */
static uint32_t object_row(const struct app *a, const char *object, struct err *err)
{
	switch (a->view) {
	case VIEW_JOBS:
		return jobs_find(a->picture->queue->jobs, object, err);
	case VIEW_POOLS:
		return pool_row(a->picture->pools, object, err);
	case VIEW_CLASSES:
		return classes_find(a->picture->queue->classes, object, err);
	default:
		return cluster_find_assoc(a->picture->cluster, object, err);
	}
}

static enum view_id object_view(const char *object)
{
	switch (cluster_object_kinds(object)) {
	case OBJECT_JOB:
		return VIEW_JOBS;
	case OBJECT_QUEUE:
	case OBJECT_POOL:
		return VIEW_POOLS;
	case OBJECT_CLASS:
		return VIEW_CLASSES;
	default:
		return VIEW_ACCOUNTS;
	}
}

ACT(act_show)
{
	const unsigned kinds = OBJECT_ASSOC | OBJECT_JOB | OBJECT_QUEUE | OBJECT_POOL;
	enum view_id was = a->view;
	char *object, *name;
	uint32_t row;

	if (words->count != 2 && words->count != 3)
		return err_set(err, ERR_INPUT, "show: expected the name of an account, a user, a "
			       "job or a queue, or a path like /physics:alice");
	if (!a->picture)
		return err_set(err, ERR_INPUT, "show: no data yet");
	name = mem_format("%s%s%s", words->word[1], words->count == 3 ? ":" : "",
			  words->count == 3 ? words->word[2] : "");
	object = cluster_object(a->picture->cluster, name, kinds, err);
	mem_free(name);
	if (!object)
		return false;
	app_open_view(a, object_view(object));
	row = object_row(a, object, err);
	if (row == ROW_NONE)
		app_open_view(a, was);
	else if (!list_select(&app_sheet(a)->list, row))
		app_say(a, ROLE_MESSAGE, "the filter hides %s", object);
	mem_free(object);
	return row != ROW_NONE;
}
