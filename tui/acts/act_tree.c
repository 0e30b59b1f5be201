/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of the tree (and of arrays of jobs): folds, and moving along its branches. */
#include "tui/acts/act.h"

#include <stdlib.h>
#include <string.h>

#include "tui/panes/pane.h"

static const char nothing_to_fold[] = "nothing to fold or unfold here";

static struct list *act_tree(struct app *a)
{
	return &a->sheets[VIEW_ACCOUNTS].list;
}

/* The number of levels below the root. */
static uint32_t tree_deepest(const struct list *l)
{
	uint32_t depth = 0;

	for (uint32_t i = 0; l->now.depth && i < l->now.view.rows; i++) {
		if (l->now.depth[i] > depth)
			depth = l->now.depth[i];
	}
	return depth;
}

/* Folds the array job:ID: its tasks in each partition are a fold. */
static bool fold_array(struct app *a, const char *id, bool folded)
{
	struct list *l = &a->sheets[VIEW_JOBS].list;
	char *end;
	unsigned long array = strtoul(id, &end, 10);
	bool found = false;

	if (*end != '\0' || array == 0)		/* 0: no array */
		return false;
	for (uint32_t row = 0; a->picture->queue && row < l->now.view.rows; row++) {
		if (!list_foldable(l, row) || queue_array(a->picture->queue, row) != array)
			continue;
		list_fold(l, row, folded);
		found = true;
	}
	return found;
}

/* Folds the account whose path follows the command, or the array. */
static bool fold_named(struct app *a, const struct words *words, bool folded, struct err *err)
{
	const char *name = words->word[1];
	uint32_t row;

	if (!a->picture)
		return err_set(err, ERR_INPUT, "%s: no data yet", words->word[0]);
	if (cluster_object_kinds(name) == OBJECT_JOB)
		return fold_array(a, name + 4, folded) ||
		       err_set(err, ERR_INPUT, "%s: no array '%s' is shown", words->word[0], name);
	row = cluster_find_assoc(a->picture->cluster, name, err);
	if (row == ROW_NONE)
		return err_prefix(err, "%s", words->word[0]);
	if (list_foldable(act_tree(a), row))
		list_fold(act_tree(a), row, folded);
	return true;
}

ACT(act_fold)
{
	struct list *l = &app_sheet(a)->list;
	uint32_t row = list_row(l), parent;

	if (words->count > 1)
		return fold_named(a, words, true, err);
	if (a->pane.focus && a->pane.ops->turn) {
		a->pane.ops->turn(a, -1);
		return true;
	}
	if (a->pane.focus) {
		a->pane.focus = pane_modal(a);
		return true;
	}
	if (row == ROW_NONE)
		return true;
	if (list_foldable(l, row) && !list_folded(l, row)) {
		list_fold(l, row, true);
		return true;
	}
	parent = list_parent_row(l, row);
	if (parent != ROW_NONE)
		list_select(l, parent);
	else
		app_say(a, ROLE_MESSAGE, "%s", nothing_to_fold);
	return true;
}

/* Equal pending tasks are one job to the scheduler, so there is nothing to open. */
static void tell_tasks(struct app *a, uint32_t row)
{
	const struct job_index *x = a->picture->queue->jobs->index;
	const char *tasks = cluster_text(x->cluster, F_JOB_TASKS, x->job[row]);

	if (x->tasks[row] > 1 && tasks)
		app_say(a, ROLE_MESSAGE, "%u pending tasks are one row: %s", x->tasks[row], tasks);
	else
		app_say(a, ROLE_MESSAGE, "%s", nothing_to_fold);
}

ACT(act_unfold)
{
	struct list *l = &app_sheet(a)->list;
	uint32_t row = list_row(l), accounts, users;

	if (words->count > 1)
		return fold_named(a, words, false, err);
	if (a->pane.focus && a->pane.ops->turn)
		a->pane.ops->turn(a, 1);
	if (row == ROW_NONE || a->pane.focus)
		return true;
	if (a->view == VIEW_CLASSES)
		return class_to_jobs(a, row, err);
	if (a->view == VIEW_JOBS && !list_foldable(l, row))
		tell_tasks(a, row);
	else if (a->view == VIEW_ACCOUNTS && list_rest(l, row, &accounts, &users))
		list_show_rest(l, row);
	else if (list_folded(l, row))
		list_fold(l, row, false);
	else if (list_foldable(l, row))
		list_move(l, 1);
	else
		app_say(a, ROLE_MESSAGE, "%s", nothing_to_fold);
	return true;
}

ACT(act_fold_all)
{
	struct list *l = &app_sheet(a)->list;
	bool some_folded = false, some_foldable = false;

	for (uint32_t i = 0; i < l->now.view.rows && !some_folded; i++) {
		some_folded = list_folded(l, i);
		some_foldable = some_foldable || list_foldable(l, i);
	}
	if (!some_folded && !some_foldable)
		app_say(a, ROLE_MESSAGE, "%s", nothing_to_fold);
	list_set_fold_depth(l, some_folded ? UINT32_MAX : LIST_GROUP_DEPTH);
	return true;
}

ACT(act_fold_subtree)
{
	struct list *l = act_tree(a);
	uint32_t row = list_row(l);
	bool some_folded = false;

	if (row == ROW_NONE || !list_foldable(l, row)) {
		app_say(a, ROLE_MESSAGE, "%s", nothing_to_fold);
		return true;
	}
	for (uint32_t i = row; i < row + l->now.span[row]; i++)
		some_folded = some_folded || list_folded(l, i);
	list_fold_subtree(l, row, !some_folded);
	return true;
}

ACT(act_fold_depth)
{
	char *end;
	long depth;

	if (words->count != 2)
		return err_set(err, ERR_INPUT, "fold-depth: expected a depth (1 shows the accounts "
			       "below the root)");
	depth = strtol(words->word[1], &end, 10);
	if (*end != '\0' || depth < 0 || depth > 1000)
		return err_set(err, ERR_INPUT, "'%s': expected a depth, 0 to 1000", words->word[1]);
	list_set_fold_depth(a->view == VIEW_JOBS ? &app_sheet(a)->list : act_tree(a),
			    (uint32_t)depth);
	return true;
}

ACT(act_deeper)
{
	struct list *l = act_tree(a);
	uint32_t max = tree_deepest(l), depth = l->fold_depth;
	size_t shown = l->count;

	list_set_fold_depth(l, depth < max ? depth + 1 : UINT32_MAX);
	if (depth >= max && l->count == shown)
		app_say(a, ROLE_MESSAGE, "everything unfolded");
	return true;
}

ACT(act_shallower)
{
	struct list *l = act_tree(a);
	uint32_t max = tree_deepest(l), depth = l->fold_depth < max ? l->fold_depth : max;
	size_t shown = l->count;

	list_set_fold_depth(l, depth > 1 ? depth - 1 : 1);
	if (depth <= 1 && l->count == shown)
		app_say(a, ROLE_MESSAGE, "everything folded");
	return true;
}

ACT(act_parent)
{
	struct list *l = act_tree(a);
	uint32_t row = list_row(l), parent = row != ROW_NONE ? list_parent_row(l, row) : ROW_NONE;

	if (parent != ROW_NONE)
		list_select(l, parent);
	else
		app_say(a, ROLE_MESSAGE, "no account above this one");
	return true;
}

ACT(act_next_sibling)
{
	if (!list_move_sibling(act_tree(a), 1))
		app_say(a, ROLE_MESSAGE, "the last row of its account");
	return true;
}

ACT(act_previous_sibling)
{
	if (!list_move_sibling(act_tree(a), -1))
		app_say(a, ROLE_MESSAGE, "the first row of its account");
	return true;
}
