/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A view's titles and rows. Formats only the rows inside the window. */
#include "tui/screen/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/visible.h"
#include "tui/panes/pane.h"
#include "tui/rows/views.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

static enum role service_role(enum service service)
{
	static const enum role roles[] = {
		[SERVICE_UNKNOWN] = ROLE_NUMBER, [SERVICE_FAIR] = ROLE_FAIR,
		[SERVICE_OVER] = ROLE_OVER, [SERVICE_UNDER] = ROLE_UNDER,
	};

	return roles[service];
}

/* ---- above the titles ----------------------------------------------------------------------- */

/* " no shares, 13 % of usage: visitors, guests and 2 more" */
void draw_unshared(const struct app *a, struct canvas *c, struct area area)
{
	const struct unshared *u = &a->picture->unshared;
	int x = area.x + 1, y = area.y - 1, end = area.x + area.width - 1;
	char percent[16] = "< 1 %", name[512];

	if (u->part >= 0.01)
		snprintf(percent, sizeof(percent), "%.0f %%", 100 * u->part);
	x += canvas_putf(c, x, y, end - x, ROLE_LABEL, "no shares, %s of usage:", percent) + 1;
	for (uint32_t i = 0; i < u->count; i++) {
		const char *text = app_row_name(a, u->rows[i].row);
		uint32_t left = u->count - i - 1;
		int space, width;

		visible_copy(name, sizeof(name), text, strlen(text));
		width = canvas_text_width(c, name) + (i > 0 ? 2 : 0);
		space = end - x;
		if (left > 0)
			space -= snprintf(NULL, 0, " and %u more", (unsigned)left);
		if (i > 0 && width > space) {
			canvas_putf(c, x, y, end - x, ROLE_LABEL, " and %u more",
				    (unsigned)left + 1);
			return;
		}
		if (i > 0)
			x += canvas_put(c, x, y, 2, ROLE_LABEL, ", ");
		x += canvas_name(c, x, y, space, ROLE_OVER, text);
	}
}

/* ---- titles -------------------------------------------------------------------------------- */

static void draw_sheet_draw_title(const struct app *a, struct canvas *c, int x, int y,
				  const struct sheet_slot *slot)
{
	const struct sheet *sheet = app_sheet_get(a);
	bool sorts = sheet_sort_is(sheet, slot->column);
	bool chosen = slot->column == sheet_cursor(sheet);
	enum role role = chosen ? ROLE_HEAD_CURSOR : sorts ? ROLE_HEAD_SORT : ROLE_HEAD;
	enum glyph arrow = GLYPH_ASCENDING;
	int width = canvas_text_width(c, slot->column->title);
	bool left = sheet_title_left(slot->column);
	int from = left ? x : x + slot->width - width;

	if (chosen)
		canvas_ground(c, x, y, slot->width, GROUND_TITLE);
	canvas_put(c, from, y, width, role, slot->column->title);
	if (!sorts)
		return;
	if (sheet->list.order.keys[0].descending)
		arrow = GLYPH_DESCENDING;
	canvas_glyph_put(c, left ? from + width : from - 1, y, role, arrow);
}

static void draw_titles(const struct app *a, struct canvas *c, struct area area)
{
	const struct sheet *sheet = app_sheet_get(a);
	const struct sheet_layout *l = &sheet->layout;
	bool elsewhere = sheet_explained(sheet) != NULL;
	char hint[32];

	canvas_fill(c, area.x, area.y, area.width, 1, GROUND_HEAD);
	canvas_put(c, area.x + 1, area.y, l->name_width - 1,
		   elsewhere ? ROLE_HEAD : ROLE_HEAD_CURSOR, sheet->name_title);
	if (l->more_left)
		canvas_glyph_put(c, area.x + l->name_width, area.y, ROLE_HEAD_CURSOR, GLYPH_LEFT);
	for (size_t i = 0; i < l->count; i++)
		draw_sheet_draw_title(a, c, area.x + l->slots[i].x, area.y, &l->slots[i]);
	if (l->more_right || (l->dropped > 0 && !l->more_left)) {
		snprintf(hint, sizeof(hint), "%s", canvas_glyph(c, GLYPH_RIGHT));
		canvas_right(c, area.x, area.y, area.width, ROLE_HEAD_CURSOR, hint);
	}
}

/* ---- the name ------------------------------------------------------------------------------ */

static enum role name_role(const struct app *a, const struct list_item *item, bool is_new,
			   bool is_user)
{
	if (item->flags & ITEM_GHOST)
		return ROLE_GONE;
	if (is_new)
		return ROLE_NEW;
	if (item->flags & ITEM_CONTEXT)
		return ROLE_CONTEXT;
	return is_user || a->view != VIEW_ACCOUNTS ? ROLE_USER : ROLE_ACCOUNT;
}

/* The sign before a row: what happened to it, or that it is marked. */
static void draw_sign(const struct app *a, struct canvas *c, int x, int y,
		      const struct list_item *item, bool is_new)
{
	const struct list *list = &app_sheet_get(a)->list;

	if (item->flags & ITEM_GHOST)
		canvas_glyph_put(c, x, y, ROLE_GONE, GLYPH_GONE);
	else if (list_marked(list, item->row))
		canvas_glyph_put(c, x, y, ROLE_MARK, GLYPH_MARK);
	else if (is_new)
		canvas_glyph_put(c, x, y, ROLE_NEW, GLYPH_NEW);
}

/*
 * In a flat list a row's path follows its name: alice  physics/hep. The nearest accounts say most,
 * so if they do not all fit it is alice  …/hep.
 */
static void draw_place(struct canvas *c, int x, int y, int space, const struct cluster *cluster,
		       uint32_t row)
{
	char path[512];
	const char *from = path + 1;
	char *end;
	int used;

	if (space < 6 || cluster_path(cluster, row, path, sizeof(path)) >= sizeof(path))
		return;
	end = strrchr(path, cluster_is_user(cluster, row) ? ':' : '/');
	if (!end || end == path)
		return;
	*end = '\0';
	if (canvas_text_width(c, from) <= space - 2 || !strchr(from, '/')) {
		canvas_name(c, x + 2, y, space - 2, ROLE_DIM, from);
		return;
	}
	while (strchr(from, '/') && canvas_text_width(c, from) > space - 4)
		from = strchr(from, '/') + 1;
	used = canvas_glyph_put(c, x + 2, y, ROLE_DIM, GLYPH_ELLIPSIS);
	used += canvas_put(c, x + 2 + used, y, 1, ROLE_DIM, "/");
	canvas_name(c, x + 2 + used, y, space - 2 - used, ROLE_DIM, from);
}

/* Highlights the part of NAME that matches the last search. */
static void draw_match(const struct app *a, struct canvas *c, int x, int y, int width,
		       const char *name)
{
	const char *text = a->prompt.kind == PROMPT_SEARCH ? a->prompt.text : a->search;
	const char *at = text[0] != '\0' ? strcasestr(name, text) : NULL;
	char before[512];
	int from, length;

	if (!at || !visible_is_plain(name, strlen(name)) || (size_t)(at - name) >= sizeof(before))
		return;
	snprintf(before, sizeof(before), "%.*s", (int)(at - name), name);
	from = canvas_text_width(c, before);
	snprintf(before, sizeof(before), "%.*s", (int)strlen(text), at);
	length = canvas_text_width(c, before);
	if (from >= width)
		return;
	canvas_role(c, x + from, y, from + length > width ? width - from : length, ROLE_MATCH);
}

/* How many rows a folded account hides. */
static void draw_size(struct canvas *c, int x, int y, int space, uint32_t rows)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", rows);
	if ((int)strlen(text) + 1 <= space)
		canvas_put(c, x + 1, y, space - 1, ROLE_DIM, text);
}

/* "…5 users", or "…17 more" if there are accounts among them. */
static void draw_rest(struct canvas *c, int x, int y, int width, const struct list *l,
		      uint32_t account)
{
	uint32_t accounts, users;

	(void)list_rest(l, account, &accounts, &users);
	canvas_putf(c, x, y, width, ROLE_DIM, "%s%u %s", c->ascii ? ".." : "…",
		    (unsigned)(accounts + users), accounts > 0 ? "more" : "users");
}

static void draw_tree_name(const struct app *a, struct canvas *c, int x, int y, int width,
			   const struct list_item *item, bool is_new)
{
	const struct list *list = &app_sheet_get(a)->list;
	bool ghost = (item->flags & ITEM_GHOST) != 0;
	const struct cluster *cluster = ghost ? a->before->cluster : a->picture->cluster;
	uint32_t row = item->row;
	bool is_user = cluster_is_user(cluster, row);
	const char *name = cluster_text(cluster, is_user ? F_ASSOC_USER : F_ASSOC_ACCOUNT, row);
	const char *partition = cluster_text(cluster, F_ASSOC_PARTITION, row);
	int step = width >= 28 ? 2 : 1, used;
	int indent = list->flat ? 0 : step * (int)cluster_depth(cluster)[row];

	if (indent > width / 2)
		indent = width / 2;
	x += indent;
	width -= indent;
	if (!ghost && list_foldable(list, row) && (item->flags & ITEM_USERS) == 0)
		canvas_glyph_put(c, x, y, ROLE_FOLD,
				 list_folded(list, row) && (item->flags & ITEM_CONTEXT) == 0 ?
					 GLYPH_FOLDED : GLYPH_OPEN);
	x += 2;
	width -= 2;
	if (item->flags & ITEM_USERS) {
		draw_rest(c, x, y, width, list, list->now.parent[row]);
		return;
	}
	if (!name || name[0] == '\0')
		name = row == 0 ? "root" : "-";
	used = canvas_name(c, x, y, width, name_role(a, item, is_new, is_user), name);
	if (!ghost)
		draw_match(a, c, x, y, used, name);
	if (partition && partition[0] != '\0' && width - used > 3) {
		used += canvas_put(c, x + used, y, 1, ROLE_DIM, "@");
		used += canvas_name(c, x + used, y, width - used, ROLE_DIM, partition);
	}
	if (list->flat)
		draw_place(c, x + used, y, width - used, cluster, row);
	else if (!ghost && list_folded(list, row) && !(item->flags & ITEM_CONTEXT))
		draw_size(c, x + used, y, width - used, list->now.span[row] - 1);
}

/* If there are arrays, ids leave cells for the fold sign. */
static int draw_array(const struct app *a, struct canvas *c, int x, int y, int width,
		      const struct list_item *item, bool is_new)
{
	const struct list *list = &app_sheet_get(a)->list;
	const struct queue *q = a->picture->queue;
	uint32_t jobs = 0;
	char name[24];
	int used;

	if (item->flags & ITEM_MEMBER)
		return 3;
	if (!list_foldable(list, item->row))
		return 2;
	canvas_glyph_put(c, x, y, ROLE_FOLD,
			 list_folded(list, item->row) ? GLYPH_FOLDED : GLYPH_OPEN);
	if (!list_folded(list, item->row))
		return 2;
	for (uint32_t row = item->row; row != ROW_NONE; row = list_next_member(list, row))
		jobs += q->jobs->index->tasks[row];
	snprintf(name, sizeof(name), "%u", queue_array(q, item->row));
	used = canvas_put(c, x + 2, y, width - 2, name_role(a, item, is_new, false), name);
	draw_size(c, x + 2 + used, y, width - 2 - used, jobs);
	return width;
}

static void draw_name(const struct app *a, struct canvas *c, int x, int y, int width,
		      const struct list_item *item)
{
	bool ghost = (item->flags & ITEM_GHOST) != 0;
	const struct list *list = &app_sheet_get(a)->list;
	/* A view that was just opened has no new rows. */
	bool is_new = !ghost && app_marks_shown(a) && list->before.keys &&
		      list_before(list, item->row) == ROW_NONE;

	draw_sign(a, c, x, y, item, is_new);
	if (a->view == VIEW_ACCOUNTS) {
		draw_tree_name(a, c, x + 1, y, width - 1, item, is_new);
		return;
	}
	if (ghost) {
		/* Indented below the others, which have cells for the fold sign. */
		int in = a->view == VIEW_JOBS && a->picture->queue->groups > 0 ? 3 : 1;

		if (a->before)
			canvas_name(c, x + in, y, width - in, ROLE_GONE,
				    view_ops[a->view].name(a->before, item->row));
		return;
	}
	if (a->view == VIEW_JOBS && a->picture->queue->groups > 0) {
		int used = draw_array(a, c, x + 1, y, width - 1, item, is_new);
		x += used;
		width -= used;
	}
	if (width < 2)
		return;
	canvas_name(c, x + 1, y, width - 1, name_role(a, item, is_new, false),
		    app_row_name(a, item->row));
	draw_match(a, c, x + 1, y, width - 1, app_row_name(a, item->row));
}

/* ---- cells --------------------------------------------------------------------------------- */

/* Each cell is a factor of 1.5, half a cell its root: six cells go from 1/11 to 11. */
static void draw_service(const struct app *a, struct canvas *c, int x, int y, int width,
			 uint32_t row)
{
	const struct sheet *sheet = app_sheet_get(a);
	double ratio = sheet_served(sheet, &sheet->list.now, row);
	enum role role = service_role(sheet_service(ratio));
	int side = width / 2, halves;

	canvas_glyph_put(c, x + side, y, ROLE_FAIR, GLYPH_AXIS);
	if (!f64_known(ratio))
		return;
	halves = 2 * side;
	if (ratio > 0 && fabs(log(ratio)) < side * log(1.5))
		halves = (int)lround(2 * fabs(log(ratio)) / log(1.5));
	for (int i = 0; i < halves; i += 2) {
		bool half = i + 1 == halves;
		if (ratio > 1)
			canvas_glyph_put(c, x + side + 1 + i / 2, y, role,
					 half ? GLYPH_BAR_LEFT_HALF : GLYPH_BAR);
		else
			canvas_glyph_put(c, x + side - 1 - i / 2, y, role,
					 half ? GLYPH_BAR_RIGHT_HALF : GLYPH_BAR);
	}
}

/* Each part has its role; in percent the bar is full, as it is only about this job. */
static void draw_stack(const struct app *a, struct canvas *c, int x, int y, int width, uint32_t row)
{
	const struct queue *q = a->picture->queue;
	double whole = a->terms_as == JOBS_PERCENT ? 0 : q->largest;
	int filled[PART_COUNT];

	for (int part = 0; part < PART_COUNT && a->terms_as == JOBS_PERCENT; part++)
		whole += fmax(queue_part(q->jobs, (enum queue_part)part, row), 0);
	if (!queue_stack(q->jobs, row, whole, width, filled))
		return;
	for (int part = 0; part < PART_COUNT; part++) {
		const struct queue_part_info *info = &queue_parts[part];

		for (int i = 0; i < filled[part]; i++)
			canvas_put(c, x++, y, 1, info->role, info->sign[c->ascii]);
	}
}

/*
 * Slots in use, dots up to the allotted ones, and a mark at the share; the whole width is the pool.
 */
static void draw_pool(const struct app *a, struct canvas *c, int x, int y, int width, uint32_t row)
{
	const struct pools *p = a->picture->pools;
	const struct pools_queue *q = &p->queues[p->members[row]];
	const struct slots_queue *s = pools_slots(p, p->members[row]);
	uint32_t whole = s ? p->pools[q->pool].slots.size : 0;
	int used, axis, allotted;

	if (whole == 0)
		return;
	used = q->used >= U32_UNKNOWN ? 0 : (int)lround((double)q->used / whole * (width - 1));
	axis = (int)lround((double)s->entitled / whole * (width - 1));
	allotted = s->allotted == U32_UNKNOWN ? 0 :
		   (int)lround((double)s->allotted / whole * (width - 1));
	for (int i = 0; i < width; i++) {
		if (i == axis)
			canvas_glyph_put(c, x + i, y, ROLE_FAIR, GLYPH_AXIS);
		else if (i < used || (i == used && used > axis))
			canvas_glyph_put(c, x + i, y, i < axis ? ROLE_UNDER : ROLE_OVER, GLYPH_BAR);
		else if (i < allotted || (i == allotted && allotted > axis))
			canvas_glyph_put(c, x + i, y, ROLE_DIM, GLYPH_EMPTY);
	}
}

/* The role of a change BY (see changes_by()). */
static enum role change_role(const struct column *column, double by)
{
	return !column->changes.places ? ROLE_CHANGED : by > 0 ? ROLE_UP : ROLE_DOWN;
}

/*
 * Position of the sign of a change: after the number, or before it if the service sign is after it.
 */
static int change_x(const struct app *a, const struct canvas *c, const struct sheet_slot *slot,
		    int x, const char *text)
{
	if (slot->column != app_sheet_get(a)->ratio)
		return x + slot->width;
	return x + slot->width - canvas_text_width(c, text) - 1;
}

/*
 * The value that a cell is compared with: while a what-if is shown, the one without it; else,
 * except for texts, the one before the last refresh. Both kinds of arrows would be confusing.
 */
static bool value_before(const struct app *a, const struct column *column, uint32_t row,
			 struct value *out)
{
	const struct sheet *sheet = app_sheet_get(a);
	const struct list *list = &sheet->list;
	const struct position now = { column, list->now.view.context, row }, before = {
		column, list->before.view.context,
		app_marks_shown(a) ? list_before(list, row) : ROW_NONE };

	return changes_was(sheet->changes, &now, whatif_changes(a) ? NULL : &before, out);
}

#define FAR 10			/* beyond this rank a move by 1 is not marked */

/*
 * Whether a change in a refresh is marked: only what is worth telling a colleague. That is a rank
 * that moved by a tenth (each job that comes or goes moves all behind it), a share that was crossed
 * or a job that began, but no other change of a number.
 */
static bool is_news(const struct sheet *sheet, const struct column *column,
		    const struct value *was, const struct value *is)
{
	if (column == sheet->ratio)
		return sheet_service(value_number(was)) != sheet_service(value_number(is));
	if (column->changes.places &&
	    fabs(value_number(is) - value_number(was)) * FAR < value_number(was))
		return false;
	return column->changes.news;
}

/* If the text of a cell has changed, highlights it and puts a sign for the direction. */
static enum role mark_change(const struct app *a, struct canvas *c, const struct sheet_slot *slot,
			     int x, int y, uint32_t row, const struct value *v, const char *text,
			     enum role role)
{
	struct value old, change;
	char old_text[256];
	double by;

	if (!value_before(a, slot->column, row, &old))
		return role;
	sheet_cell(slot->column, &old, slot->width, c->ascii, old_text, sizeof(old_text));
	if (strcmp(text, old_text) == 0 ||
	    (!whatif_changes(a) && !is_news(app_sheet_get(a), slot->column, &old, v)))
		return role;
	changes_by(slot->column, &old, v, &change);
	by = value_number(&change);
	role = change_role(slot->column, by);
	/* For a what-if's ranks, the column beside it shows the direction. */
	if (slot->column->left || (whatif_changes(a) && slot->column == app_sheet_get(a)->held))
		return role;
	if (by > 0 || by < 0)
		canvas_glyph_put(c, change_x(a, c, slot, x, text), y, role,
				 (by > 0) != slot->column->changes.places ? GLYPH_ASCENDING :
									    GLYPH_DESCENDING);
	return role;
}

/*
 * The sign for over- or under-served is in the gap after the ratio, even if the bar does not fit.
 */
static enum role service_sign(struct canvas *c, const struct sheet_slot *slot, int x, int y,
			      double ratio)
{
	enum service service = sheet_service(ratio);

	if (service == SERVICE_UNKNOWN)
		return ROLE_DIM;
	if (service == SERVICE_OVER)
		canvas_glyph_put(c, x + slot->width, y, ROLE_OVER, GLYPH_OVER);
	else if (service == SERVICE_UNDER)
		canvas_glyph_put(c, x + slot->width, y, ROLE_UNDER, GLYPH_UNDER);
	return service_role(service);
}

/* A cell of a column of changes: better and worse have their roles, no difference is dim. */
static void draw_beside(struct canvas *c, const struct sheet_slot *slot, int x, int y,
			  const struct list_data *data, uint32_t row)
{
	struct value v = { .kind = VALUE_UNKNOWN };
	enum role role = ROLE_CONTEXT;
	char text[80];
	double n;

	column_get(slot->column, data->view.context, row, &v);
	whatif_cell(slot->column, &v, c->ascii, text, sizeof(text));
	n = value_number(&v);
	if (slot->column->kind != COLUMN_BASE)
		role = n > 0 || n < 0 ? change_role(slot->column->of, n) : ROLE_DIM;
	canvas_right(c, x, y, slot->width, role, text);
}

/*
 * Reported values that could not be computed are followed by one sign, computed values that differ
 * from the reported ones by another.
 */
static void mark_origin(struct canvas *c, const struct sheet_slot *slot, int x, int y,
			const struct value *v)
{
	if (v->kind == VALUE_UNKNOWN || v->origin == VALUE_COMPUTED)
		return;
	canvas_glyph_put(c, x + slot->width, y, ROLE_DIM,
			 v->origin == VALUE_REPORTED ? GLYPH_REPORTED : GLYPH_DIFFERS);
}

typedef void picture_drawer(const struct app *a, struct canvas *c, int x, int y, int width,
			    uint32_t row);

static void draw_cell(const struct app *a, struct canvas *c, const struct sheet_slot *slot, int x,
		      int y, const struct list_item *item)
{
	static picture_drawer *const pictures[DRAWN_KINDS] = {
		[DRAWN_SERVICE] = draw_service, [DRAWN_TERMS] = draw_stack,
		[DRAWN_SLOTS] = draw_pool, [DRAWN_SPARK] = draw_spark,
	};
	picture_drawer *picture = pictures[slot->column->drawn];
	const struct sheet *sheet = app_sheet_get(a);
	bool ghost = (item->flags & ITEM_GHOST) != 0;
	const struct list_data *data = ghost ? &sheet->list.before : &sheet->list.now;
	struct value v = { .kind = VALUE_UNKNOWN };
	char text[1024], edited[200];
	enum role role;

	if (ghost && (picture || slot->column->of))
		return;
	if (picture) {
		picture(a, c, x, y, slot->width, item->row);
		return;
	}
	if (a->view == VIEW_CLUSTERS) {
		draw_cluster_cell(a, c, slot, x, y, item->row);
		return;
	}
	if (slot->column->of) {
		draw_beside(c, slot, x, y, data, item->row);
		return;
	}
	column_get(slot->column, data->view.context, item->row, &v);
	sheet_cell_brief(slot->column, &v, slot->width, c->ascii, text, sizeof(text));
	if (ghost)
		role = ROLE_GONE;
	else if (item->flags & ITEM_CONTEXT)
		role = ROLE_CONTEXT;
	else if (slot->column == sheet->ratio)
		role = service_sign(c, slot, x, y, sheet_served(sheet, data, item->row));
	else
		role = v.kind == VALUE_UNKNOWN ||
		       (v.kind != VALUE_BOOL && value_number(&v) == 0) ? ROLE_DIM :
		       slot->column->warns > 0 && value_number(&v) >= slot->column->warns ?
		       ROLE_WARN : ROLE_NUMBER;
	/* With very many rows this was not measured (sheet.c); do not cut a number. */
	if (!ghost && sheet_cell_edited(sheet, slot->column, item->row, c->ascii, edited,
					sizeof(edited)) && text_width(edited) <= slot->width) {
		snprintf(text, sizeof(text), "%s", edited);
		role = ROLE_CHANGED;
	} else if (!ghost) {
		mark_origin(c, slot, x, y, &v);
		role = mark_change(a, c, slot, x, y, item->row, &v, text, role);
	}
	if (slot->column->left)
		canvas_name(c, x, y, slot->width, role, text);
	else
		canvas_right(c, x, y, slot->width, role, text);
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* The selected row, and in it the cell of the column cursor. */
static void draw_cursor(const struct sheet *sheet, struct canvas *c, struct area area, int y)
{
	const struct sheet_layout *l = &sheet->layout;

	canvas_ground(c, area.x, y, area.width, GROUND_CURSOR);
	for (size_t i = 0; i < l->count; i++) {
		if (l->slots[i].column == sheet_cursor(sheet))
			canvas_ground(c, area.x + l->slots[i].x, y, l->slots[i].width, GROUND_CELL);
	}
}

static void draw_row(const struct app *a, struct canvas *c, struct area area, int y, size_t index)
{
	const struct sheet *sheet = app_sheet_get(a);
	const struct sheet_layout *l = &sheet->layout;
	const struct list_item *item = &sheet->list.items[index];

	draw_name(a, c, area.x, y, l->name_width, item);
	bool silent = a->view == VIEW_CLUSTERS && l->count > 0 &&
		      draw_cluster_silent(a, c, area.x + l->slots[0].x, y,
					  area.width - l->slots[0].x, item->row);
	for (size_t i = 0; i < l->count && !(item->flags & ITEM_USERS) && !silent; i++)
		draw_cell(a, c, &l->slots[i], area.x + l->slots[i].x, y, item);
	if (index == sheet->list.cursor)
		draw_cursor(sheet, c, area, y);
	else if ((item->flags & ITEM_GHOST) == 0 && list_marked(&sheet->list, item->row))
		canvas_ground(c, area.x, y, area.width, GROUND_MARK);
}

void draw_sheet(struct app *a, struct canvas *c, struct area area)
{
	const struct list *list = &app_sheet(a)->list;

	app_lay_out(a);
	draw_titles(a, c, area);
	for (int i = 0; i + 1 < area.height && list->top + (uint32_t)i < list->count; i++)
		draw_row(a, c, area, area.y + 1 + i, list->top + (uint32_t)i);
}
