/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/rows/sheet.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/fleet/fleet_row.h"
#include "core/queue/reasons.h"
#include "core/share/model.h"
#include "tui/rows/queue.h"
#include "core/pools/pools.h"
#include "core/share/quota.h"
#include "tui/base/zone.h"

static void get_nothing(const struct position *pos, struct value *out)
{
	(void)pos;
	(void)out;
}

const struct column bar_column = {
	.name = "bar", .title = "under | over",
	.legend = "each cell: a factor of 1.5 from the fair share",
	.width = 13, .keep = 170, .drawn = DRAWN_SERVICE, .get = get_nothing,
};

static void get_quota(const struct position *pos, struct value *out)
{
	const struct model *m = pos->context;

	value_set_real(out, 100 * quota_fullest(m->cluster, pos->row));
}

const struct column quota_column = {
	.name = "limit_use", .title = "Limit%", .format = COLUMN_RATIO,
	.legend = "use of its fullest own group limit; Enter lists them",
	.width = 6, .keep = 105, .needs = NEED_LIMITS, .get = get_quota,
	.warns = 95,	/* from here on one more job may not start */
	.changes.none = true,
};

const struct column pool_bar_column = {
	.name = "bar", .title = "Slots in use",
	.legend = "bar: used; dots: allotted; right of axis: borrowed",
	.width = 24, .keep = 8, .drawn = DRAWN_SLOTS, .get = get_nothing,
};

static const struct column *const accounts_extra[2] = { &bar_column, &quota_column };
/* The history of a cluster's queue since watching began; it has no value. */
static const struct column queue_spark_column = {
	.name = "queue", .title = "Queue",
	.legend = "pending jobs at each refresh, from the least to the most",
	.width = 12, .keep = 120, .drawn = DRAWN_SPARK, .get = get_nothing,
};

static const struct column *const pools_extra[1] = { &pool_bar_column };
static const struct column *const clusters_extra[1] = { &queue_spark_column };

/* ---- making -------------------------------------------------------------------------------- */

void sheet_init(struct sheet *t, const char *view, const struct column *columns, size_t count)
{
	bool accounts = columns == accounts_columns;
	struct view shape = { .name = view, .columns = columns, .column_count = count };

	list_init(&t->list);
	t->all = columns;
	t->all_count = count;
	t->extra = accounts ? accounts_extra : columns == pools_columns ? pools_extra :
		   columns == fleet_columns ? clusters_extra : NULL;
	t->extra_count = accounts ? 2 : t->extra != NULL;
	t->changes = changes_columns_new(&shape, accounts ? &quota_column : NULL, true);
}

void sheet_free(struct sheet *t)
{
	list_free(&t->list);
	changes_columns_free(t->changes);
}

const struct column *sheet_filter_columns(const struct sheet *t, size_t *count)
{
	if (!t->changes) {
		*count = t->all_count;
		return t->all;
	}
	/* Columns that cannot be shown yet are not offered. */
	*count = t->held ? t->changes->count : t->changes->own;
	return t->changes->columns;
}

/* ---- choosing ------------------------------------------------------------------------------ */

const struct column *sheet_find(const struct sheet *t, const char *name, size_t length,
				struct err *err)
{
	const struct column *column;

	for (size_t i = 0; i < t->extra_count; i++) {
		column = t->extra[i];
		if ((length == strlen(column->name) && memcmp(name, column->name, length) == 0) ||
		    (length == strlen(column->title) && memcmp(name, column->title, length) == 0))
			return column;
	}
	column = column_find(t->all, t->all_count, name, length);
	if (!column && t->held && column_find(t->changes->columns, t->changes->count, name, length))
		err_set(err, ERR_INPUT, "%.*s: it is always shown beside its column", (int)length,
			name);
	else if (!column)
		column_unknown(t->all, t->all_count, name, length, err);
	return column;
}

size_t sheet_choices(const struct sheet *t)
{
	return t->all_count - 1 + t->extra_count;
}

const struct column *sheet_choice(const struct sheet *t, size_t i)
{
	return i + 1 < t->all_count ? &t->all[i + 1] : t->extra[i + 1 - t->all_count];
}

size_t sheet_index(const struct sheet *t, const struct column *column)
{
	size_t i = 0;

	while (i < t->count && t->columns[i] != column)
		i++;
	return i;
}

static void remove_column(struct sheet *t, const struct column *column)
{
	size_t i = sheet_index(t, column);

	if (i == t->count)
		return;
	memmove(&t->columns[i], &t->columns[i + 1], (t->count - i - 1) * sizeof(t->columns[0]));
	t->count--;
}

static size_t asked_index(const struct sheet *t, const struct column *column)
{
	size_t i = 0;

	while (i < t->asked_count && t->asked[i] != column)
		i++;
	return i;
}

void sheet_ask(struct sheet *t, const struct column *column)
{
	if (asked_index(t, column) == t->asked_count && t->asked_count < SHEET_COLUMNS)
		t->asked[t->asked_count++] = column;
}

static void sheet_add_column(struct sheet *t, const struct column *column)
{
	if (sheet_index(t, column) == t->count && t->count < SHEET_COLUMNS)
		t->columns[t->count++] = column;
}

bool sheet_choose(struct sheet *t, const char *text, struct err *err)
{
	struct sheet copy = *t;		/* on error nothing changes */
	char sign = text[0] == '+' || text[0] == '-' ? text[0] : '\0';
	const char *at = sign != '\0' ? text + 1 : text;

	bool waits = sign != '\0' && t->late && !t->chosen && !t->list.now.keys;

	if (sign == '\0')
		t->count = t->asked_count = 0;
	while (*at != '\0') {
		size_t length = strcspn(at, ",");
		const struct column *column = sheet_find(t, at, length, err);
		if (!column) {
			*t = copy;
			return false;
		}
		if (sign == '-')
			remove_column(t, column);
		else
			sheet_add_column(t, column);
		if (sign == '+')
			sheet_ask(t, column);
		at += length + (at[length] == ',');
	}
	if (waits) {
		*t = copy;
		snprintf(t->wish, sizeof(t->wish), "%s", text);
		return true;
	}
	t->wish[0] = '\0';
	t->chosen = true;
	t->scroll = 0;
	return true;
}

void sheet_grant(struct sheet *t)
{
	char wish[sizeof(t->wish)];

	memcpy(wish, t->wish, sizeof(wish));
	t->wish[0] = '\0';
	t->late = false;
	if (wish[0] != '\0' && !t->chosen)
		(void)sheet_choose(t, wish, NULL);
}

/* Index of a column in the view's own order; the bar comes after its ratio. */
static size_t sheet_rank_of(const struct sheet *t, const struct column *column)
{
	if (column == &bar_column)
		return t->ratio ? 2 * (size_t)(t->ratio - t->all) + 1 : SIZE_MAX;
	if (column == &quota_column || column == &pool_bar_column || column == &queue_spark_column)
		return SIZE_MAX - 1;
	return 2 * (size_t)(column - t->all);
}

bool sheet_toggle(struct sheet *t, const struct column *column)
{
	size_t at = 0;

	t->chosen = true;
	t->scroll = 0;
	if (sheet_index(t, column) < t->count) {
		if (t->count == 1)
			return false;
		remove_column(t, column);
		return true;
	}
	if (t->count == SHEET_COLUMNS)
		return false;
	while (at < t->count && sheet_rank_of(t, t->columns[at]) < sheet_rank_of(t, column))
		at++;
	memmove(&t->columns[at + 1], &t->columns[at], (t->count - at) * sizeof(t->columns[0]));
	t->columns[at] = column;
	t->count++;
	return true;
}

/* ---- sorting ------------------------------------------------------------------------------- */

const struct column *sheet_real(const struct sheet *t, const struct column *column)
{
	return column == &bar_column && t->ratio ? t->ratio : column;
}

bool sheet_sort_is(const struct sheet *t, const struct column *column)
{
	return t->list.order.count > 0 && column == t->picked;
}

int sheet_sort_index(const struct sheet *t)
{
	size_t i = t->list.order.count > 0 ? sheet_index(t, t->picked) : t->count;

	return i < t->count ? (int)i : -1;
}

void sheet_pick(struct sheet *t, const struct column *column, bool descending)
{
	struct row_order order = { .count = 0 };

	if (column) {
		order.keys[0] = (struct sort_key){ sheet_real(t, column), descending };
		order.count = 1;
	}
	t->picked = column;
	t->ordered = true;
	list_set_order(&t->list, &order, t->list.flat);
}

void sheet_order(struct sheet *t, const struct row_order *order)
{
	t->picked = order->count > 0 ? order->keys[0].column : NULL;
	t->ordered = true;
	list_set_order(&t->list, order, t->list.flat);
}

void sheet_set_ratio(struct sheet *t, const struct column *ratio)
{
	bool sorts = t->ratio != ratio && sheet_sort_is(t, &bar_column);

	t->ratio = ratio;
	if (sorts)
		t->list.order.keys[0].column = ratio;
}

/* ---- laying out ---------------------------------------------------------------------------- */

/*
 * Texts this wide are shown in full where possible: they shrink to ELASTIC_MIN before a column is
 * dropped.
 */
#define ELASTIC_WIDTH 30
#define ELASTIC_MIN 16

static bool is_elastic(const struct column *column)
{
	return column->left && column->width >= ELASTIC_WIDTH;
}

/* Minimum width of columns[I] in cells, measured by sheet_judge(). */
static int column_width(const struct sheet *t, size_t i)
{
	int title = text_width(t->columns[i]->title);
	int width = is_elastic(t->columns[i]) ? ELASTIC_MIN : t->need[i];

	return width > title ? width : title;
}

/* ---- the column cursor ---------------------------------------------------------------------- */

/*
 * While all columns fit, or those that do not are dropped, the cursor moves through the visible
 * columns, and nothing scrolls. Beyond the last one the columns scroll: then all columns are in a
 * row, as many as fit, and the cursor moves through all of them. Moving left beyond the first leads
 * back.
 */

const struct column *sheet_cursor(const struct sheet *t)
{
	return t->cursor && sheet_index(t, t->cursor) < t->count ? t->cursor : NULL;
}

void sheet_set_cursor(struct sheet *t, const struct column *column)
{
	t->cursor = column;
}

const struct column *sheet_explained(const struct sheet *t)
{
	const struct column *cursor = sheet_cursor(t);

	return cursor ? cursor : t->list.order.count > 0 ? t->picked : NULL;
}

/* Index of COLUMN in the layout, else its count. */
static size_t sheet_slot_of(const struct sheet *t, const struct column *column)
{
	size_t i = 0;

	while (i < t->layout.count && t->layout.slots[i].column != column)
		i++;
	return i;
}

static void step_left(struct sheet *t, const struct column *from, size_t slot)
{
	size_t index = sheet_index(t, from);

	if (slot > 0 && slot < t->layout.count)
		t->cursor = t->layout.slots[slot - 1].column;
	else if (t->scroll > 0 && index > 0 && index < t->count)
		t->cursor = t->columns[index - 1];
	else
		t->cursor = NULL;
}

static void step_right(struct sheet *t, const struct column *from, size_t slot)
{
	const struct sheet_layout *l = &t->layout;
	size_t index = sheet_index(t, from);

	if (slot + 1 < l->count) {
		t->cursor = l->slots[slot + 1].column;
	} else if (slot == l->count) {
		t->cursor = l->count > 0 ? l->slots[0].column : NULL;
	} else if (index + 1 < t->count) {
		t->cursor = t->columns[index + 1];
		t->scroll = t->scroll > 0 ? t->scroll : 1;
	} else if (t->scroll == 0 && l->dropped > 0) {
		t->cursor = from;	/* the last one: the dropped columns are still to come */
		t->scroll = 1;
	}
}

void sheet_step(struct sheet *t, int by)
{
	const struct column *from = sheet_explained(t);
	size_t slot = sheet_slot_of(t, from);

	if (by < 0)
		step_left(t, from, slot);
	else
		step_right(t, from, slot);
}

const struct column *sheet_column_at(const struct sheet *t, int x)
{
	for (size_t i = 0; i < t->layout.count; i++) {
		const struct sheet_slot *slot = &t->layout.slots[i];

		if (x >= slot->x && x < slot->x + slot->width)
			return slot->column;
	}
	return NULL;
}

static void sheet_reveal(struct sheet *t, int space)
{
	size_t at = sheet_cursor(t) ? sheet_index(t, t->cursor) : 0;
	int need = 0;

	if (t->scroll == 0)
		return;
	if (at < t->scroll)
		t->scroll = at;
	for (size_t i = t->scroll; i <= at && i < t->count; i++)
		need += column_width(t, i) + 1;
	while (need > space && t->scroll < at)
		need -= column_width(t, t->scroll++) + 1;
}

/* ---- informative columns -------------------------------------------------------------------- */

#define JUDGED_ROWS 100000	/* with more rows this is not examined */

static bool same_value(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case VALUE_UNKNOWN:
		return true;
	case VALUE_TEXT:
		return strcmp(a->text, b->text) == 0;
	case VALUE_REAL:
		return !(a->real < b->real) && !(a->real > b->real);
	case VALUE_INT:
		return a->integer == b->integer;
	default:
		return false;
	}
}

/* The values of COLUMN in the rows that match the filter; the root of a tree does not count. */
static enum sameness sameness_of(const struct sheet *t, const struct column *column)
{
	const struct list *l = &t->list;
	struct value first = { .kind = VALUE_UNKNOWN }, v;
	uint32_t rows = 0;

	if (column->get == get_nothing || column->of || l->now.view.rows > JUDGED_ROWS)
		return SAME_NOT;
	for (uint32_t row = l->now.span != NULL; row < l->now.view.rows; row++) {
		if (l->match && l->match[row] == 0)
			continue;
		v.kind = VALUE_UNKNOWN;
		column_get(column, l->now.view.context, row, rows == 0 ? &first : &v);
		if (rows++ > 0 && !same_value(&first, &v))
			return SAME_NOT;
	}
	return rows < 2 ? SAME_NOT : first.kind == VALUE_UNKNOWN ? SAME_UNKNOWN : SAME_ALL;
}

bool sheet_cell_edited(const struct sheet *t, const struct column *column, uint32_t row, bool ascii,
		       char *buf, size_t size)
{
	const struct position now = { column, t->list.now.view.context, row };
	struct value was, is = { .kind = VALUE_UNKNOWN };
	char old[80], text[80];

	/* Percentages change with the other parts of a priority. */
	if (!column->changes.edit || !t->held ||
	    (column->unit == UNIT_POINTS &&
	     ((const struct jobs *)now.context)->terms_as == JOBS_PERCENT) ||
	    !changes_was(t->changes, &now, NULL, &was))
		return false;
	column_get(column, now.context, row, &is);
	if (same_value(&was, &is))
		return false;
	sheet_cell(column, &was, column->width, ascii, old, sizeof(old));
	sheet_cell(column, &is, column->width, ascii, text, sizeof(text));
	snprintf(buf, size, "%s%s%s", old, ascii ? ">" : "→", text);
	return true;
}

/* The widest edited text in COLUMN, in cells; 0: none. */
static int edited_need(const struct sheet *t, const struct column *column)
{
	uint32_t rows = t->list.now.view.rows;
	int need = 0;
	char text[200];

	if (!column->changes.edit || !t->held || rows > JUDGED_ROWS)
		return 0;
	for (uint32_t row = 0; row < rows; row++) {
		if (sheet_cell_edited(t, column, row, false, text, sizeof(text)) &&
		    text_width(text) > need)
			need = text_width(text);
	}
	return need;
}

#define MEASURED_ROWS 500	/* rows examined for the longest text */
#define MEASURED_NAMES 5000	/* and for the longest name */

/* Cells that the texts in COLUMN need, up to the width it asks for, and at least LEAST. */
static int need_of(const struct sheet *t, const struct column *column, int least, uint32_t rows)
{
	const struct view *view = &t->list.now.view;
	int need = least;
	char text[400];

	for (uint32_t row = 0, seen = 0; row < view->rows && seen < rows; row++) {
		struct value v = { .kind = VALUE_UNKNOWN };
		int width;

		if (t->list.match && t->list.match[row] == 0)
			continue;
		seen++;
		column_get(column, view->context, row, &v);
		sheet_cell_brief(column, &v, column->width, false, text, sizeof(text));
		width = text_width(text);
		need = width > need ? width : need;
	}
	return need < column->width ? need : column->width;
}

/* A row's name is its first column; a number also gets the title: class 14. */
static int name_need_of(const struct sheet *t)
{
	int title = text_width(t->name_title), word = t->all[0].left ? 0 : title + 1;
	int need = 1 + word + need_of(t, &t->all[0], title - word, MEASURED_NAMES);

	return need < t->name_max ? need : t->name_max;
}

/* Whether COLUMN has a value in a listed row, visible or not. */
static bool sheet_is_known(const struct sheet *t, const struct column *column)
{
	const struct list *l = &t->list;
	struct value v = { .kind = VALUE_UNKNOWN };

	for (size_t i = 0; i < l->count && v.kind == VALUE_UNKNOWN; i++) {
		if ((l->items[i].flags & (ITEM_GHOST | ITEM_USERS)) == 0)
			column_get(column, l->now.view.context, l->items[i].row, &v);
	}
	return v.kind != VALUE_UNKNOWN;
}

/*
 * Runs once for the same rows and columns. Beside a long text, names and other texts get only what
 * they need if all of them are measured.
 */
static void sheet_judge(struct sheet *t)
{
	bool anew = t->judged_version != t->list.version, other = t->name_need == 0, close = false;
	bool listed = t->judged_built != t->list.built;
	int edited;

	t->judged_version = t->list.version;
	t->judged_built = t->list.built;
	for (size_t i = 0; i < t->count; i++) {
		close = close || is_elastic(t->columns[i]);
		if (listed || t->judged[i] != t->columns[i])
			t->known[i] = !t->columns[i]->hides || sheet_is_known(t, t->columns[i]);
		if (!anew && t->judged[i] == t->columns[i])
			continue;
		other = true;
		t->judged[i] = t->columns[i];
		t->same[i] = sameness_of(t, t->columns[i]);
	}
	if (!anew && !other)
		return;
	close = close && t->list.now.view.rows <= MEASURED_NAMES && !t->list.now.span;
	t->name_need = close ? name_need_of(t) : t->name_max;
	close = close && t->list.now.view.rows <= MEASURED_ROWS;
	for (size_t i = 0; i < t->count; i++) {
		const struct column *column = t->columns[i];

		t->need[i] = is_elastic(column) ? need_of(t, column, ELASTIC_MIN, MEASURED_ROWS) :
			     close && column->left ? need_of(t, column, 0, MEASURED_ROWS)
						   : column->width;
		edited = edited_need(t, column);
		t->edited[i] = edited > 0;
		t->need[i] = edited > t->need[i] ? edited : t->need[i];
	}
}

/* ---- fitting columns ------------------------------------------------------------------------ */

static unsigned keep_of(const struct sheet *t, const struct column *column)
{
	size_t i = sheet_index(t, column);
	bool idle = !t->chosen && i < t->count && t->same[i] != SAME_NOT;
	bool asked = asked_index(t, column) < t->asked_count;

	return (idle ? 0 : column->keep) + (asked ? UINT8_MAX + 1u : 0);
}

/* The sort column stays, to explain the order of rows; so do edited columns. */
static bool sheet_is_used(const struct sheet *t, const struct column *column)
{
	size_t i = sheet_index(t, column);

	return sheet_sort_is(t, column) || column == t->cursor || (i < t->count && t->edited[i]);
}

static bool sheet_stays(const struct sheet *t, const struct column *column)
{
	return sheet_is_used(t, column) || column == t->held;
}

/* Unless the user chose the columns, uninformative ones make way for others. */
static bool says_something(const struct sheet *t, size_t i)
{
	const struct column *column = t->columns[i];

	if (t->chosen || sheet_is_used(t, column))
		return true;
	return (t->same[i] != SAME_UNKNOWN || column == t->held) && t->known[i];
}

/* Removes the least important of the included columns, if it counts less than LIMIT. */
static bool drop_one(const struct sheet *t, bool *in, unsigned limit)
{
	size_t worst = t->count;

	for (size_t i = 0; i < t->count; i++) {
		if (in[i] && !sheet_stays(t, t->columns[i]) &&
		    (worst == t->count ||
		     keep_of(t, t->columns[i]) <= keep_of(t, t->columns[worst])))
			worst = i;	/* the last of equals */
	}
	if (worst == t->count || keep_of(t, t->columns[worst]) >= limit)
		return false;
	in[worst] = false;
	return true;
}

/*
 * A long text begins two cells after another text, so that they do not look like one; but not where
 * columns are scrolled, as that could push out the one under the cursor.
 */
static int gap_before(const struct sheet *t, const struct column *column,
		      const struct column *last, int gap)
{
	bool goes_on = last && last->left && is_elastic(column);

	return goes_on && t->scroll == 0 ? 2 : gap;
}

static int total_width(const struct sheet *t, const bool *in, int gap)
{
	const struct column *last = NULL;
	int total = 0;

	for (size_t i = 0; i < t->count; i++) {
		if (!in[i])
			continue;
		total += column_width(t, i);
		total += gap_before(t, t->columns[i], last, gap);
		last = t->columns[i];
	}
	return total;
}

/* Additional cells for texts to be shown in full. */
static int more_of(const struct sheet *t, const bool *in)
{
	int more = 0;

	for (size_t i = 0; i < t->count; i++)
		more += in[i] && is_elastic(t->columns[i]) ? t->need[i] - ELASTIC_MIN : 0;
	return more;
}

/*
 * Drops columns that do not fit; then, unless the user has chosen the columns, those that count
 * less than a text that they would cut.
 */
static void sheet_fit(const struct sheet *t, bool *in, int space)
{
	while (total_width(t, in, 1) > space && drop_one(t, in, UINT_MAX))
		;
	for (size_t i = 0; i < t->count && !t->chosen; i++) {
		while (in[i] && is_elastic(t->columns[i]) &&
		       total_width(t, in, 1) + more_of(t, in) > space &&
		       drop_one(t, in, keep_of(t, t->columns[i])))
			;
	}
}

/* Scrolled: columns from the first one on, as many as fit. */
static void fit_scrolled(struct sheet *t, bool *in, int space)
{
	bool full = false;

	for (size_t i = 0; i < t->count; i++) {
		int need = column_width(t, i) + 1;
		full = full || i < t->scroll || need > space;
		if (i < t->scroll)
			full = false;
		in[i] = i >= t->scroll && !full;
		if (in[i])
			space -= need;
	}
	t->layout.more_left = true;
	t->layout.more_right = !in[t->count - 1];
}

/* The name gets a fifth of the width before the columns get theirs. */
static int name_least(const struct sheet *t, int width)
{
	int least = width / 5 > t->name_min ? width / 5 : t->name_min;

	return least < t->name_need ? least : t->name_need;
}

bool sheet_title_left(const struct column *column)
{
	return column->left || column->drawn > DRAWN_SERVICE;
}

static bool title_fills(const struct sheet *t, size_t i)
{
	return text_width(t->columns[i]->title) == column_width(t, i);
}

/*
 * The column that needs one more cell, because the sort arrow beside its title would fill the only
 * cell between two titles (or the sign for scrolled columns); COUNT: none.
 */
static size_t arrow_index(const struct sheet *t, const bool *in)
{
	size_t before = t->count;

	for (size_t i = 0; i < t->count; i++) {
		const struct column *column = t->columns[i];
		const struct column *last = before < t->count ? t->columns[before] : NULL;
		bool left = sheet_title_left(column);

		if (!in[i])
			continue;
		if (sheet_sort_is(t, column) && !left && title_fills(t, i) &&
		    (!last ? t->scroll > 0
				  : !sheet_title_left(last) || title_fills(t, before)))
			return i;
		if (last && sheet_sort_is(t, last) && sheet_title_left(last) &&
		    title_fills(t, before) && (left || title_fills(t, i)))
			return before;
		before = i;
	}
	return t->count;
}

/* The width a text gets of EXTRA, with OTHERS after it: at most what it needs. */
static int elastic_share(const struct column *column, int extra, size_t others)
{
	int share = extra / (int)(others + 1), most = column->width - ELASTIC_MIN;

	return share < most ? share : most;
}

void sheet_layout(struct sheet *t, int width)
{
	struct sheet_layout *l = &t->layout;
	bool in[SHEET_COLUMNS];
	int gap, x, spare, extra, name_min;
	const struct column *last = NULL;
	size_t arrow, elastic = 0;

	memset(l, 0, sizeof(*l));
	memset(in, 1, sizeof(in));
	sheet_judge(t);
	name_min = name_least(t, width);
	sheet_reveal(t, width - name_min);
	if (t->scroll > 0) {
		fit_scrolled(t, in, width - name_min);
	} else {
		for (size_t i = 0; i < t->count; i++)
			in[i] = says_something(t, i);
		sheet_fit(t, in, width - name_min);
	}
	gap = total_width(t, in, 2) + more_of(t, in) <= width - name_min ? 2 : 1;
	arrow = gap == 1 ? arrow_index(t, in) : t->count;
	spare = width - total_width(t, in, gap) - (arrow < t->count);
	l->name_width = spare > t->name_need ? t->name_need : spare;
	extra = spare - l->name_width;
	x = l->name_width;
	for (size_t i = 0; i < t->count; i++)
		elastic += in[i] && is_elastic(t->columns[i]);
	for (size_t i = 0; i < t->count; i++) {
		if (!in[i]) {
			l->dropped++;
			continue;
		}
		struct sheet_slot *slot = &l->slots[l->count++];
		slot->column = t->columns[i];
		slot->width = column_width(t, i) + (i == arrow);
		slot->x = x + gap_before(t, slot->column, last, gap);
		last = slot->column;
		if (is_elastic(t->columns[i])) {
			int more = extra;

			if (--elastic > 0)
				more = elastic_share(t->columns[i], extra, elastic);
			slot->width += more;
			extra -= more;
		}
		x = slot->x + slot->width;
	}
}

/* ---- cells --------------------------------------------------------------------------------- */

/* A real too long for its column: fewer decimals, then powers of ten. Never a wrong digit. */
static void sheet_shorten(double real, unsigned decimals, int width, char *buf, size_t size)
{
	for (unsigned d = decimals; d-- > 0; ) {
		if (snprintf(buf, size, "%.*f", (int)d, real) <= width)
			return;
	}
	for (int d = 3; d >= 0; d--) {
		if (snprintf(buf, size, "%.*e", d, real) <= width)
			return;
	}
}

/*
 * An integer that is too long is rounded to thousands, millions ...: cutting it would change its
 * value.
 */
static void shorten_integer(int64_t integer, int width, char *buf, size_t size)
{
	for (unsigned d = 3; d-- > 0; ) {
		if (format_si((double)integer, d, buf, size) <= (size_t)width)
			return;
	}
}

/*
 * A reason that is too long keeps its last words: PBS names the resource there ("Insufficient
 * amount of resource: ncpus"). Non-ASCII text is left to the code that draws it.
 */
static void keep_last_words(int width, bool ascii, char *buf, size_t size)
{
	size_t length = strlen(buf), tail = length, head;
	char end[64];

	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)buf[i] >= 0x80)
			return;
	}
	for (size_t i = length; i > 0 && length - i < (size_t)width / 2; i--) {
		if (buf[i - 1] == ' ')
			tail = i;
	}
	if (tail == length || length - tail >= sizeof(end))
		return;
	memcpy(end, buf + tail, length - tail + 1);
	head = (size_t)width - 1 - (length - tail);
	snprintf(buf + head, size - head, "%s%s", ascii ? "~" : "…", end);
}

void sheet_cell(const struct column *column, const struct value *v, int width, bool ascii,
		char *buf, size_t size)
{
	size_t length = format_cell(column, v, &zone_local, buf, size);

	if (v->kind == VALUE_INT && column->format == COLUMN_PLAIN && length > (size_t)width)
		shorten_integer(v->integer, width, buf, size);
	if (v->kind == VALUE_TEXT && length > (size_t)width && length < size && width > 8 &&
	    strcmp(column->name, "reason") == 0)
		keep_last_words(width, ascii, buf, size);
	if (v->kind != VALUE_REAL)
		return;
	if (isinf(v->real))
		snprintf(buf, size, "%s%s", v->real < 0 ? "-" : "", ascii ? "inf" : "∞");
	else if (column->format == COLUMN_RATIO && length > (size_t)width)
		sheet_shorten(v->real, column->decimals, width, buf, size);
}

void sheet_cell_brief(const struct column *column, const struct value *v, int width, bool ascii,
		      char *buf, size_t size)
{
	bool of_class = column >= classes_columns &&
			column < classes_columns + classes_columns_count;

	sheet_cell(column, v, width, ascii, buf, size);
	if (of_class && v->kind == VALUE_TEXT && strcmp(column->name, "reason") == 0)
		reason_word(v->text, buf, size);
}

/* ---- service ------------------------------------------------------------------------------- */

/* Within five percent of its share, a row is neither over- nor under-served. */
#define FAIR_BAND 0.05

bool sheet_over_is_large(const struct sheet *t)
{
	return strcmp(t->ratio->name, "level_fs") != 0;
}

double sheet_served(const struct sheet *t, const struct list_data *data, uint32_t row)
{
	struct value v = { .kind = VALUE_UNKNOWN };

	if (!t->ratio)
		return F64_UNKNOWN;
	column_get(t->ratio, data->view.context, row, &v);
	if (v.kind != VALUE_REAL)
		return F64_UNKNOWN;
	return sheet_over_is_large(t) ? v.real : 1.0 / v.real;
}

enum service sheet_service(double ratio)
{
	if (!f64_known(ratio))
		return SERVICE_UNKNOWN;
	if (fabs(ratio - 1.0) <= FAIR_BAND)
		return SERVICE_FAIR;
	return ratio > 1.0 ? SERVICE_OVER : SERVICE_UNDER;
}
