/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/whatif/show.h"

#include <string.h>

#include "core/whatif/whatif_apply.h"
#include "tui/rows/views.h"
#include "tui/whatif/making.h"

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
		whatif_base_classes(a);
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

/* Shows another picture of the same data. Takes over PICTURE. */
static void show_instead(struct app *a, struct picture *picture)
{
	struct picture *former = a->picture;

	app_forget_before(a);
	a->picture = picture;
	a->pictures++;
	update_lists(a);
	app_forget_before(a);
	picture_free(former);
}

/* Going back in time, nothing is marked as better or worse. */
static bool show_is_unmarked(const struct picture *before, struct picture *now)
{
	int64_t was = before ? cluster_meta(before->cluster)->time : I64_UNKNOWN;
	int64_t is = cluster_meta(now->cluster)->time;

	return picture_base(now)->unmarked || (was != I64_UNKNOWN && is != I64_UNKNOWN && is < was);
}

/* Shows a picture of newer, or other, data. Takes over PICTURE. */
static void show_next(struct app *a, struct picture *picture)
{
	struct picture *old = a->before;

	a->before = a->picture;
	a->picture = picture;
	a->pictures++;
	update_lists(a);
	picture_free(old);
	a->marks_until = a->ms + MARKS_MS;
	if (show_is_unmarked(a->before, picture))
		app_forget_before(a);
}

/* Takes over PICTURE. */
static void show_picture(struct app *a, struct picture *picture)
{
	if (a->picture && whatif_base(a)->cluster == picture_base(picture)->cluster)
		show_instead(a, picture);
	else
		show_next(a, picture);
}

/* Shows BASE, a picture of the source, as it is. */
static void show_base(struct app *a, struct picture *base)
{
	struct whatif_sets *t = a->whatif;

	if (base == t->coming) {
		t->coming = NULL;
		show_picture(a, base);
		whatif_forget(t);
	} else {
		show_picture(a, picture_share(base));
		t->sums[t->set].known = false;
		changes_places_free(t->places[t->set]);
		t->places[t->set] = NULL;
	}
	t->wanted = t->tells = false;
	t->answered = t->ordered;
}

void whatif_show(struct app *a)
{
	struct whatif_sets *t = a->whatif;
	struct picture *base = t->coming ? t->coming : whatif_base(a);

	if (!base)
		return;
	if (whatif_count(a) == 0)
		t->flipped = false;	/* there is nothing to switch back to */
	if (making_is_needless(a, base))
		show_base(a, base);
	else
		t->wanted = true;
}

void app_show_picture(struct app *a, struct picture *picture)
{
	/* If only queues have shares, the accounts would be an empty first view. */
	if (!a->picture && a->view == VIEW_ACCOUNTS &&
	    cluster_rows(picture->cluster, TABLE_ASSOC) == 0 &&
	    cluster_rows(picture->cluster, TABLE_POOL) > 0)
		app_open_view(a, VIEW_POOLS);
	if (cluster_rows(picture->cluster, TABLE_POOL) > 0)
		watch_pools(a, picture);
	picture_free(a->whatif->coming);
	a->whatif->coming = picture;
	whatif_show(a);
}

/* ---- answers ------------------------------------------------------------------------------- */

static bool show_is_newest(const struct whatif_sets *t, const struct making *m)
{
	return m->number == t->ordered && !t->wanted;
}

/*
 * While a weight slides, or time passes, each answer is shown although a newer order waits: the
 * picture follows the hand. Not if it is of another set, or what was shown at once came after it.
 */
static bool show_is_welcome(const struct app *a, const struct making *m)
{
	return m->number > a->whatif->answered &&
	       (show_is_newest(a->whatif, m) ||
		(m->picture && m->set == a->whatif->set && m->over == making_is_over(a)));
}

/* The places that were shown beside the former picture go to M, to be freed with it. */
static void show_take_sums(struct app *a, struct making *m)
{
	struct whatif_sets *t = a->whatif;
	struct picture *p = m->picture;
	const bool anew = picture_base(p) != whatif_base(a);

	t->was = m->over ? m->was : t->was;
	for (uint32_t i = 0; i < WHATIF_SETS; i++) {
		struct changes_places *former = t->places[i];

		if (anew || m->sums[i].known || i == m->set) {
			t->sums[i] = m->sums[i];
			t->places[i] = m->places[i];
			m->places[i] = former;
		}
		if (p->changes)
			p->changes->beside[i] = t->beside && i != m->set ? t->places[i] : NULL;
	}
}

/* The entries of the set on the screen learn what could not be applied. */
static void show_take_problems(struct app *a, const struct making *m)
{
	struct whatif *w = a->whatif->sets[m->set], *made = m->sets[m->set];

	for (uint32_t i = 0; m->over && i < w->count && i < made->count; i++)
		memcpy(w->entries[i].problem, made->entries[i].problem,
		       sizeof(w->entries[i].problem));
}

/* The effect of an edit. */
static void show_say_sum(struct app *a)
{
	char text[WHATIF_SUM_MAX];

	if (a->whatif->tells && a->message[0] == '\0' && whatif_sum_text(a, text))
		app_say(a, ROLE_MESSAGE, "%s", text);
	a->whatif->tells = false;
}

static void show_answer(struct app *a, struct making *m)
{
	struct picture *p = m->picture;

	m->picture = NULL;
	if (m->grouping)
		queue_take_grouping(picture_base(p)->queue, m->grouping);
	show_picture(a, p);
}

void making_take(struct app *a, struct making *m)
{
	struct whatif_sets *t = a->whatif;
	bool newest = show_is_newest(t, m);

	if (!show_is_welcome(a, m))
		return;
	t->answered = m->number;
	if (m->err.code != ERR_NONE)
		app_say(a, ROLE_ERROR, "%s", m->err.message);
	if (m->picture) {
		show_take_sums(a, m);
		if (newest)
			show_take_problems(a, m);
		show_answer(a, m);
	}
	if (!newest)
		return;
	picture_free(t->coming);
	t->coming = NULL;
	show_say_sum(a);
}

/* ---- edits --------------------------------------------------------------------------------- */

bool whatif_can(struct app *a, struct whatif *w, struct err *err)
{
	const struct picture *base = whatif_base(a);
	struct model_options options = a->model_options;
	struct cluster *edited;
	bool can;

	if (!base)
		return true;
	if (whatif_needs_usage(w, base->cluster))
		options.base = FS_BASE_USAGE;
	edited = whatif_apply_tree(w, base->cluster, base->model->tree);
	can = model_can(base->cluster, &options, err) && model_can(edited, &options, err);
	cluster_free(edited);
	return can;
}

bool whatif_try(struct app *a, const char *text, struct err *err)
{
	struct whatif *w = whatif_edits(a);
	const char *problem;

	if (!whatif_replace(w, text, err))
		return false;
	problem = w->entries[w->count - 1].problem;
	if (!whatif_can(a, w, err) || problem[0] != '\0') {
		if (problem[0] != '\0')
			err_set(err, ERR_INPUT, "%s: %s", text, problem);
		whatif_undo(w);
		(void)whatif_can(a, w, NULL);	/* the others' problems without it */
		return false;
	}
	if (a->whatif->flipped) {
		a->whatif->flipped = false;
		app_say(a, ROLE_MESSAGE, "the what-if is shown again");
	}
	whatif_show(a);
	if (whatif_awaits(w))
		app_say(a, ROLE_MESSAGE, "%s acts over time only, not at once: advance = 14d looks "
			"ahead, O draws the curve", whatif_awaits(w)->edit.target->name);
	return true;
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
