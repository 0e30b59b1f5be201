/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/whatif/show.h"

#include "tui/rows/views.h"
#include "tui/whatif/whatif_sets.h"

/* ---- the lists ----------------------------------------------------------------------------- */

static void show_follow(struct app *a, enum view_id view)
{
	struct list *list = &a->sheets[view].list;
	bool followed = a->follow && a->follow_view == view;
	uint32_t row = followed ? list_row_of(list, a->follow_key) : ROW_NONE;

	if (row != ROW_NONE)
		list_select(list, row);
}

/* Accumulation is tracked even if the view is not open; a what-if is not part of the past. */
static void watch_pools(struct app *a, struct picture *base)
{
	app_make_pools(a, base);
	if (base->pools)
		pool_past_add(&a->pool_past, base->pools, cluster_meta(base->cluster)->time);
}

static void update_view(struct app *a, enum view_id view)
{
	struct picture *p = a->picture;
	struct list_data data = view_ops[view].data(a, p);

	if (view == VIEW_CLASSES)
		whatif_base_classes(a, false);
	if (view == VIEW_POOLS) {
		whatif_base_pools(a);
		watch_pools(a, whatif_base(a));
	}
	/* Columns of other schedulers cannot be chosen. */
	if (data.view.columns == a->sheets[view].all)
		a->sheets[view].all_count = data.view.column_count;
	if (view_ops[view].look)
		view_ops[view].look(&a->sheets[view], p, &data);
	list_update(&a->sheets[view].list, &data);
	show_follow(a, view);
}

/* After the lists have their data: sets up comparisons for the views. */
static void show_compare(struct app *a)
{
	if (whatif_changes(a))
		whatif_base(a)->queue->jobs->terms_as = a->terms_as;
	whatif_fit_columns(a);
}

static void update_lists(struct app *a)
{
	for (int view = 0; view < VIEW_COUNT; view++) {
		if (a->opened[view])
			update_view(a, (enum view_id)view);
	}
	show_compare(a);
}

void app_group_classes(struct app *a)
{
	struct sheet *sheet = &a->sheets[VIEW_CLASSES];
	struct queue *q = a->picture ? a->picture->queue : NULL, *former;
	struct class_choice choice;
	struct list_data data;

	if (!q)
		return;
	choice = app_class_choice(a);
	list_forget(&sheet->list);
	former = queue_group(q, &choice);
	whatif_base_classes(a, true);
	if (a->opened[VIEW_CLASSES]) {
		data = view_ops[VIEW_CLASSES].data(a, a->picture);
		list_update(&sheet->list, &data);
		list_forget(&sheet->list);
	}
	queue_free(former);
}

void app_pools_anew(struct app *a)
{
	struct picture *base = whatif_base(a), former = { .pools = NULL }, former_base = former;

	app_forget_before(a);
	/* The list finds its rows among the former ones. */
	picture_move_pools(a->picture, &former);
	if (base != a->picture)
		picture_move_pools(base, &former_base);
	/* The list of a view that was never opened is not updated, so it may have none. */
	if (a->opened[VIEW_POOLS]) {
		update_view(a, VIEW_POOLS);
		show_compare(a);
	}
	app_forget_before(a);
	picture_forget_pools(&former);
	picture_forget_pools(&former_base);
}

void app_tell_terms(struct app *a, enum jobs_terms terms)
{
	a->terms_as = terms;
	a->sheets[VIEW_JOBS].list.version++;	/* cells have other texts, of other widths */
	if (a->picture && a->picture->queue)
		a->picture->queue->jobs->terms_as = terms;
	if (a->picture)
		show_compare(a);
	list_rebuild(&a->sheets[VIEW_JOBS].list);
}

void app_open_view(struct app *a, enum view_id view)
{
	bool first = !a->opened[view];

	if (a->view != view) {
		pane_close_all(a);
		a->last_view = a->view;
	}
	a->view = view;
	a->opened[view] = true;
	if (first) {
		a->effects |= APP_REFRESH;
		if (a->picture)
			update_view(a, view);
		show_compare(a);
	}
}

void app_forget_before(struct app *a)
{
	for (int i = 0; i < VIEW_COUNT; i++)
		list_forget(&a->sheets[i].list);
	picture_free(a->before);
	a->before = NULL;
}

/* ---- pictures ------------------------------------------------------------------------------ */

/* Makes the picture for a new base, with the active edits over it. */
static struct picture *show_style(struct app *a, struct picture *base)
{
	struct whatif_former former;
	struct err err = { 0 };
	struct picture *p;

	whatif_forget(a->whatif);
	p = whatif_make(a, base, false, &former, &err);
	whatif_former_free(&former);
	if (err.code != ERR_NONE)
		app_say(a, ROLE_ERROR, "%s", err.message);
	return p ? p : base;
}

void app_show_picture(struct app *a, struct picture *picture)
{
	struct picture *old = a->before;

	/* If only queues have shares, the accounts would be an empty first view. */
	if (!a->picture && a->view == VIEW_ACCOUNTS &&
	    cluster_rows(picture->cluster, TABLE_ASSOC) == 0 &&
	    cluster_rows(picture->cluster, TABLE_POOL) > 0)
		app_open_view(a, VIEW_POOLS);
	if (cluster_rows(picture->cluster, TABLE_POOL) > 0)
		watch_pools(a, picture);
	a->before = a->picture;
	a->picture = show_style(a, picture);
	a->pictures++;
	update_lists(a);
	picture_free(old);
	a->marks_until = a->ms + MARKS_MS;
}

/* Shows another picture of the same data; the caller owns the former one. */
static void swap_picture(struct app *a, struct picture *picture)
{
	app_forget_before(a);
	a->picture = picture;
	a->pictures++;
	update_lists(a);
	app_forget_before(a);
}

bool whatif_show(struct app *a, bool anew, struct err *err)
{
	struct picture *shown = a->picture, *base = whatif_base(a), *next;
	struct whatif_former former;

	if (!base)
		return true;
	if (whatif_count(a) == 0)
		a->whatif->flipped = false;	/* there is nothing to switch back to */
	next = whatif_make(a, base, anew, &former, err);
	if (!next)
		return false;
	swap_picture(a, next);
	if (shown != base) {
		shown->base = NULL;
		picture_free(shown);
	}
	whatif_former_free(&former);
	return next != base || whatif_count(a) == 0 || a->whatif->flipped;
}

/* ---- edits --------------------------------------------------------------------------------- */

/* Restores the state before the last edit. */
static void show_take_back(struct app *a)
{
	whatif_undo(whatif_edits(a));
	whatif_show(a, false, NULL);
}

bool whatif_try(struct app *a, const char *text, struct err *err)
{
	struct whatif *w = whatif_edits(a);
	const struct whatif_entry *entry;

	if (!whatif_replace(w, text, err))
		return false;
	if (a->whatif->flipped) {
		a->whatif->flipped = false;
		app_say(a, ROLE_MESSAGE, "the what-if is shown again");
	}
	if (!whatif_show(a, false, err)) {
		show_take_back(a);
		return false;
	}
	entry = &w->entries[w->count - 1];
	if (whatif_awaits(w))
		app_say(a, ROLE_MESSAGE, "%s acts over time only, not at once: advance = 14d looks "
			"ahead, O draws the curve", whatif_awaits(w)->edit.target->name);
	if (!a->picture || entry->problem[0] == '\0')
		return true;
	err_set(err, ERR_INPUT, "%s: %s", text, entry->problem);
	show_take_back(a);
	return false;
}

/* ---- needs --------------------------------------------------------------------------------- */

/* What the header, the tree, columns, order and filter need. */
uint32_t app_needs(const struct app *a)
{
	uint32_t needs = NEED_SHARES | NEED_LIMITS | NEED_POLICY | NEED_HOSTS | NEED_JOBS |
			 NEED_QOS | NEED_PASS;

	for (int view = 0; view < VIEW_COUNT; view++) {
		const struct sheet *sheet = &a->sheets[view];

		for (size_t i = 0; a->opened[view] && i < sheet->count; i++)
			needs |= sheet->columns[i]->needs;
		if (a->opened[view])
			needs |= rows_needs(&sheet->list.order) | filter_needs(sheet->list.filter);
	}
	if (a->opened[VIEW_JOBS])
		needs |= NEED_ALL;	/* for the answer about a job (pane_why.h) */
	if (whatif_count(a) > 0 || a->watched)
		needs |= NEED_ALL & ~(uint32_t)NEED_LICENSES;
	return needs;
}
