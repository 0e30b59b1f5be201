/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/panes/chart.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "tui/panes/pane.h"
#include "tui/rows/views.h"
#include "tui/time/travel.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

#define TIMES_MOST 400		/* per window */

/* ---- values -------------------------------------------------------------------------------- */

/*
 * Parameters are shown as people write them; a chart needs their numbers. Past classes are grouped
 * like the present ones.
 */
static void chart_read_point(struct app *a, struct picture *p, struct chart_point *point)
{
	const struct chart *c = a->chart;
	bool for_people = p->policy.for_people;
	struct list_data data;

	for (size_t k = 0; k < CHART_COLUMNS; k++) {
		for (uint32_t r = 0; r < CHART_ROWS; r++)
			point->values[k][r] = F64_UNKNOWN;
	}
	p->policy.for_people = false;
	data = view_ops[c->view].data(a, p);
	for (uint32_t row = 0; row < data.view.rows; row++) {
		for (uint32_t r = 0; r < c->rows; r++) {
			if (data.keys[row] != c->keys[r])
				continue;
			for (size_t k = 0; k < c->column_count; k++) {
				struct value v = { .kind = VALUE_UNKNOWN };
				column_get(c->columns[k], data.view.context, row, &v);
				point->values[k][r] = value_number(&v);
			}
		}
	}
	p->policy.for_people = for_people;
}

static void chart_take(struct app *a, int64_t time, struct cluster *cluster)
{
	struct chart *c = a->chart;
	struct picture *p = NULL;

	if (c->wanted_next < c->wanted_count && c->wanted[c->wanted_next] == time)
		c->wanted_next++;
	if (cluster)
		p = app_picture(a, cluster);
	if (p) {
		chart_read_point(a, p, chart_place(c, time));
	} else {
		struct chart_point *point = chart_place(c, time);

		for (size_t k = 0; k < CHART_COLUMNS * CHART_ROWS; k++)
			point->values[k / CHART_ROWS][k % CHART_ROWS] = F64_UNKNOWN;
	}
	picture_free(p);
}

/* ---- requests ------------------------------------------------------------------------------ */

/*
 * The first picture of each slice of the window, and the one before. Slices are powers of two
 * seconds, counted from 1970, so that they stay the same as time goes on, and those of a longer
 * window are a subset of those of a shorter one.
 */
static size_t choose_times(const struct app *a, int64_t *times, size_t most)
{
	const struct timeline *line = &a->travel->line;
	int64_t from, to, slice = 1;
	uint32_t i;
	size_t n = 0;

	if (!travel_window(a, &from, &to))
		return 0;
	while (slice < (to - from) / (int64_t)(most - 3))
		slice *= 2;
	i = timeline_at(line, from);
	if (i == TIMELINE_NONE)
		i = 0;
	while (i < line->count && line->samples[i] <= to && n + 1 < most) {
		times[n++] = line->samples[i];
		i = timeline_from(line, (line->samples[i] / slice + 1) * slice);
		if (i == TIMELINE_NONE)
			break;
	}
	i = timeline_at(line, to);
	if (i != TIMELINE_NONE && (n == 0 || times[n - 1] < line->samples[i]))
		times[n++] = line->samples[i];
	return n;
}

static void chart_want(struct chart *c, int64_t time)
{
	if (!chart_has(c, time))
		c->wanted[c->wanted_count++] = time;
}

/* Coarse ones first: those at multiples of large powers of two. */
static void order_wanted(struct chart *c, const int64_t *times, size_t n)
{
	size_t step = 1;

	c->wanted_count = c->wanted_next = 0;
	MEM_GROW(c->wanted, c->wanted_capacity, n + 1);
	if (n > 0)
		chart_want(c, times[0]);
	while (step < n)
		step *= 2;
	for (step /= 2; step > 0; step /= 2) {
		for (size_t i = step; i < n; i += 2 * step)
			chart_want(c, times[i]);
	}
}

/* Requests the times of the window, if they have changed. */
static void chart_plan(struct app *a)
{
	struct chart *c = a->chart;
	int64_t times[TIMES_MOST];
	size_t most = (size_t)a->width * 2;
	uint64_t plan;
	size_t n;

	n = choose_times(a, times, most < TIMES_MOST ? most : TIMES_MOST);
	plan = text_hash((const char *)times, n * sizeof(*times), n + 1) | 1;
	if (plan == c->plan)
		return;
	c->plan = plan;
	order_wanted(c, times, n);
	if (a->travel->recorded)
		a->effects |= APP_SURVEY;
}

/* Ranks of jobs need everything; the tree only needs the tree. */
static uint32_t needs_of(const struct app *a)
{
	uint32_t needs = NEED_SHARES | NEED_LIMITS | NEED_POLICY;

	for (size_t k = 0; k < a->chart->column_count; k++)
		needs |= a->chart->columns[k]->needs;
	return a->chart->view == VIEW_ACCOUNTS || a->chart->view == VIEW_POLICY ?
	       needs : app_needs(a);
}

/* ---- selected rows ------------------------------------------------------------------------- */

static void chart_add_row(struct app *a, uint32_t row)
{
	struct chart *c = a->chart;

	if (row == ROW_NONE || c->rows == CHART_ROWS)
		return;
	c->keys[c->rows] = app_sheet(a)->list.now.keys[row];
	app_row_path(a, row, c->names[c->rows], sizeof(c->names[c->rows]));
	c->rows++;
}

/* Adds the row under the cursor and its siblings; for the root, its children. */
static void add_siblings(struct app *a)
{
	const struct list *l = &app_sheet(a)->list;
	uint32_t here = list_row(l), parent = here == 0 ? 0 : l->now.parent[here];

	if (here != 0)
		chart_add_row(a, here);
	for (uint32_t i = 0; i < l->now.view.rows && a->chart->rows < CHART_ROWS; i++) {
		uint32_t row = l->sequence ? l->sequence[i] : i;

		if (row != here && row != 0 && l->now.parent[row] == parent)
			chart_add_row(a, row);
	}
}

/* Picks the marked rows in the order shown, else the one under the cursor with its siblings. */
static void pick_rows(struct app *a)
{
	struct chart *c = a->chart;
	const struct list *l = &app_sheet(a)->list;

	c->rows = 0;
	for (size_t i = 0; i < l->count && l->marks.count > 0; i++) {
		if (!(l->items[i].flags & (ITEM_GHOST | ITEM_USERS)) &&
		    list_marked(l, l->items[i].row))
			chart_add_row(a, l->items[i].row);
	}
	if (c->rows == 0 && l->now.parent && list_row(l) != ROW_NONE)
		add_siblings(a);
	if (c->rows == 0)
		chart_add_row(a, list_row(l));
}

static void chart_drop(struct chart *c)
{
	c->count = 0;
	c->plan = 0;
}

void chart_forget(struct app *a)
{
	chart_drop(a->chart);
}

/* A view's default columns. */
static const char *usual_columns(const struct app *a)
{
	static const char *const usual[VIEW_COUNT] = {
		[VIEW_JOBS] = "priority,rank", [VIEW_POOLS] = "allotted,used,pending",
		[VIEW_CLASSES] = "waiting", [VIEW_POLICY] = "value",
	};

	if (a->view != VIEW_ACCOUNTS)
		return usual[a->view];
	switch (a->picture->model->algo->id) {
	case FS_FAIR_TREE:
	case FS_FAIR_TREE_DOCUMENTED:
		return "fairshare,level_fs,norm_usage";
	case FS_PBS:
		return "effective_ratio,norm_usage,usage";
	case FS_LSF:
		return "dynamic_priority,cpu_time,run_time";
	case FS_DEPTH_OBLIVIOUS:
	case FS_CLASSIC:
	case FS_ALGORITHMS:
		break;
	}
	return "fairshare,effective_ratio,norm_usage";
}

static bool find_columns(struct app *a, const char *text, struct err *err)
{
	const struct column *found[CHART_COLUMNS];
	size_t count = 0, length;
	struct chart *c = a->chart;

	for (; *text != '\0'; text += length + (text[length] == ',')) {
		length = strcspn(text, ",");
		if (count == CHART_COLUMNS)
			return err_set(err, ERR_INPUT, "history: expected at most %d columns",
				       CHART_COLUMNS);
		found[count] = sheet_find(app_sheet(a), text, length, err);
		if (!found[count])
			return false;
		if (found[count] == &bar_column && app_sheet(a)->ratio)
			found[count] = app_sheet(a)->ratio;
		/* Parameters are texts, but many of them are numbers. */
		if (found[count] == &pool_bar_column ||
		    (column_is_text(found[count]) && a->view != VIEW_POLICY) ||
		    found[count]->of)
			return err_set(err, ERR_INPUT, "history: %s is not a number",
				       found[count]->name);
		count++;
	}
	memcpy(c->columns, found, count * sizeof(*found));
	c->column_count = count;
	chart_drop(c);
	return true;
}

bool chart_choose(struct app *a, const char *text, struct err *err)
{
	struct chart *c = a->chart;

	if (!find_columns(a, text, err))
		return false;
	c->chosen[a->view] = c->column_count > 0;
	memcpy(c->choice[a->view], c->columns, sizeof(c->columns));
	c->counts[a->view] = c->column_count;
	return true;
}

/* Uses only the column of the cursor, if it can be drawn. */
static bool find_cursor(struct app *a)
{
	const struct column *column = sheet_cursor(app_sheet(a));

	return column && find_columns(a, column->name, NULL);
}

static void open_on(struct app *a, bool by_cursor)
{
	struct chart *c = a->chart;

	c->view = a->view;
	if (by_cursor && find_cursor(a))
		return;
	if (c->chosen[a->view]) {
		memcpy(c->columns, c->choice[a->view], sizeof(c->columns));
		c->column_count = c->counts[a->view];
	} else {
		(void)find_columns(a, usual_columns(a), NULL);
	}
	chart_drop(c);
}

/*
 * A row that is not in a picture of the past stays in the chart: only the user changes rows, never
 * time.
 */
static bool chart_user_moved(struct app *a)
{
	struct chart *c = a->chart;
	const struct list *l = &app_sheet(a)->list;
	uint32_t row = list_row(l);
	uint64_t key = row != ROW_NONE ? l->now.keys[row] : 0;
	bool same_picture = c->seen == a->pictures;
	const struct column *column = sheet_cursor(app_sheet(a));
	bool moved = c->marks != l->marks.count ||
		     (same_picture && l->marks.count == 0 && c->cursor != key);

	c->seen = a->pictures;
	c->cursor = key;
	c->marks = l->marks.count;
	if (c->column != column) {
		c->column = column;
		if (a->pane.ops == &chart_pane)
			open_on(a, true);
	}
	return moved;
}

/* ---- after each event ---------------------------------------------------------------------- */

/* Serves one request from what the screen has kept. */
static void chart_serve(struct app *a)
{
	struct chart *c = a->chart;
	struct cluster *kept;

	if (a->travel->recorded || c->wanted_next == c->wanted_count)
		return;
	kept = recent_at(&a->travel->recent, c->wanted[c->wanted_next]);
	chart_take(a, c->wanted[c->wanted_next], kept ? cluster_share(kept) : NULL);
	if (c->wanted_next < c->wanted_count)
		a->effects |= APP_MORE;
}

void chart_open(struct app *a, bool by_cursor)
{
	struct chart *c = a->chart;

	open_on(a, by_cursor);
	(void)chart_user_moved(a);
	pick_rows(a);
	pane_open(a, &chart_pane);
	c->plan = 0;
	if (app_sheet(a)->list.marks.count > CHART_ROWS)
		app_say(a, ROLE_MESSAGE, "the first %d of the marked rows", CHART_ROWS);
}

/* Updates rows, requests, APP_SURVEY and APP_MORE. */
static void chart_after_event(struct app *a)
{
	struct chart *c = a->chart;
	int64_t time = travel_time(a);

	if (!pane_holds(a, &chart_pane) || !a->picture) {
		if (c->plan != 0 && a->travel->recorded)
			a->effects |= APP_SURVEY;
		c->plan = 0;
		c->wanted_count = c->wanted_next = 0;
		return;
	}
	if (chart_user_moved(a)) {
		pick_rows(a);
		chart_drop(c);
	}
	if (c->rows == 0) {
		pane_drop(a, &chart_pane);
		return;
	}
	/* The past is drawn without the edits of a what-if, but by the algorithm that is wanted. */
	if (time != I64_UNKNOWN && !chart_has(c, time) && !whatif_waits(a))
		chart_read_point(a, whatif_base(a), chart_place(c, time));
	chart_plan(a);
	chart_serve(a);
}

/* ---- the pane and the feature -------------------------------------------------------------- */

const struct pane_ops chart_pane = {
	.title = "Over time", .place = PANE_BESIDE, .draw = chart_draw, .turn = travel_nudge,
	.over_time = true,
	.keys = (const struct pane_key[]){
		{ "down", "up", "row", NULL }, { "column-left", "column-right", "column", NULL },
		{ "zoom-in", "zoom-out", "zoom", NULL }, { "earlier", "later", "time", NULL },
		{ .word = NULL },
	},
};

static void chart_init(struct app *a)
{
	a->chart = mem_zalloc(1, sizeof(*a->chart));
}

static void chart_end(struct app *a)
{
	MEM_FREE(a->chart->points, a->chart->wanted, a->chart);
}

static const int64_t *chart_survey(const struct app *a, size_t *count, uint32_t *needs)
{
	const struct chart *c = a->chart;

	*count = c->wanted_count - c->wanted_next;
	*needs = needs_of(a);
	return c->wanted ? c->wanted + c->wanted_next : NULL;
}

static bool chart_look(struct app *a, int64_t time, struct cluster *cluster)
{
	chart_take(a, time, cluster);
	return true;
}

const struct feature chart_feature = {
	.init = chart_init, .free = chart_end, .after_event = chart_after_event,
	.survey = chart_survey, .look = chart_look,
};
