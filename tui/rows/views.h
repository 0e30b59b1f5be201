/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * views: what each view shows of a picture, as a table: a new view is one entry.
 *
 * What one directory above needs of a view is in a table there (details in panes, edits in acts).
 */
#ifndef FAIRTOP_TUI_ROWS_VIEWS_H
#define FAIRTOP_TUI_ROWS_VIEWS_H

#include "tui/rows/state.h"

struct view_ops {
	/* The rows of P for a list; makes what they need in P. */
	struct list_data (*data)(const struct app *a, struct picture *p);
	const char *(*name)(const struct picture *p, uint32_t row);	/* as in the source */
	/* Sets the default columns, order and folds before DATA is in the list; NULL: unchanged. */
	void (*look)(struct sheet *sheet, const struct picture *p, const struct list_data *data);
	/* Why there are no rows; the text shown instead if there is a problem; NULL. */
	const char *empty;
	const char *(*problem)(const struct picture *p);
	const char *legend;		/* column that explains a row best; NULL: none */
	const char *example;		/* of a filter */
};
extern const struct view_ops view_ops[VIEW_COUNT];

const char *app_row_name(const struct app *a, uint32_t row);	/* of the open view */
/* The same, but the whole path of an account or user. */
void app_row_path(const struct app *a, uint32_t row, char *buf, size_t size);

#endif
