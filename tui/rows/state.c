/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/rows/state.h"

#include <stdio.h>
#include <string.h>

void app_say(struct app *a, enum role role, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(a->message, sizeof(a->message), format, args);
	va_end(args);
	a->message_role = role;
}

struct sheet *app_sheet(struct app *a)
{
	return &a->sheets[a->view];
}

const struct sheet *app_sheet_get(const struct app *a)
{
	return &a->sheets[a->view];
}

int64_t app_every_ms(const struct app *a)
{
	return a->every_ms > 0 ? a->every_ms :
	       a->source.every_ms > 0 ? a->source.every_ms : EVERY_DEFAULT_MS;
}

bool app_marks_shown(const struct app *a)
{
	return a->before && a->ms < a->marks_until;
}

/* ---- sorting by hand ----------------------------------------------------------------------- */

bool app_looks_at_top(const struct app *a)
{
	return app_sheet_get(a)->list.cursor == 0 && !a->follow;
}

/* If there is a column cursor, it moves to the new sort column. */
void app_sorted(struct app *a, bool at_top)
{
	struct sheet *sheet = app_sheet(a);

	if (at_top)
		list_move_to(&sheet->list, 0);
	if (sheet_cursor(sheet))
		sheet_set_cursor(sheet, sheet->picked);
}

void app_sort_by(struct app *a, const struct column *column)
{
	bool at_top = app_looks_at_top(a);

	sheet_pick(app_sheet(a), column, column && rows_falls_first(column));
	app_sorted(a, at_top);
}

void app_sort_and_tell(struct app *a, const struct column *column)
{
	app_sort_by(a, column);
	app_say(a, ROLE_MESSAGE, "sorted by %s", column->title);
}

/* ---- pictures ------------------------------------------------------------------------------ */

struct picture_order app_order(const struct app *a)
{
	return (struct picture_order){ .options = a->model_options, .queue = true,
				       .classes = true, .pick = a->class_pick };
}

struct picture *app_picture(const struct app *a, struct cluster *cluster)
{
	const struct picture_order order = { .options = a->model_options, .queue = true };
	struct picture *p = picture_new(cluster, &order);

	if (p->model)
		return p;
	picture_free(p);
	return NULL;
}

void app_make_pools(const struct app *a, struct picture *p)
{
	picture_make_pools(p, a->pools_by_file ? &a->pools_config : NULL, a->grouped,
			   &a->pool_past);
}

/* ---- no box -------------------------------------------------------------------------------- */

const struct pane_ops pane_none = { .title = "" };

void pane_close(struct app *a)
{
	a->pane = a->under_count > 0 ? a->under[--a->under_count] :
				       (struct pane){ .ops = &pane_none };
}

void pane_close_all(struct app *a)
{
	a->under_count = 0;
	pane_close(a);
}

bool pane_is_open(const struct app *a)
{
	return a->pane.ops != &pane_none;
}

bool pane_holds(const struct app *a, const struct pane_ops *ops)
{
	uint32_t i = 0;

	while (i < a->under_count && a->under[i].ops != ops)
		i++;
	return i < a->under_count || a->pane.ops == ops;
}

void pane_drop(struct app *a, const struct pane_ops *ops)
{
	while (pane_holds(a, ops))
		pane_close(a);
}
