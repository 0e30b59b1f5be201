/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pane: where boxes lie, how they move, and how they are drawn; what fills them is in pane_*.c and
 * the features, each with its struct pane_ops (state.h).
 */
#ifndef FAIRTOP_TUI_PANES_PANE_H
#define FAIRTOP_TUI_PANES_PANE_H

#include "tui/cells/doc.h"
#include "tui/rows/state.h"

extern const struct pane_ops detail_pane, steps_pane, compare_pane, source_pane;
extern const struct pane_ops help_pane, columns_pane, sort_pane, exclude_pane, lint_pane;
extern const struct feature lint_feature, exclude_feature;

void pane_open(struct app *a, const struct pane_ops *ops);
/* Closes it if it is open. */
void pane_toggle(struct app *a, const struct pane_ops *ops);
void pane_fit(struct app *a);			/* to another size of the screen */
bool pane_modal(const struct app *a);		/* it lies above the view and takes the keys */
void pane_move(struct app *a, int64_t lines);
struct area app_view_area(const struct app *a);	/* what is left for titles and rows */
bool app_names_unshared(const struct app *a);	/* in the line above it */
struct area app_pane_area(const struct app *a);
void pane_draw(struct app *a, struct canvas *c);

/*
 * Lays out the columns of the open view. Drawing does; keys and clicks that come before the next
 * frame do, too, where they need to know what stands beside what.
 */
void app_lay_out(struct app *a);

bool pane_searchable(const struct app *a);	/* it has the keys, and text */
/* The next line with TEXT from the first one in sight on, or behind the last one that was found. */
bool pane_find(struct app *a, const char *text, int direction, bool from_here);

/* The column that is picked in a list of columns; NULL. */
const struct column *pane_column(const struct app *a);

/* The keys of both commands as they are bound now, "" if there is none (pane_help.c). */
void pane_key_titles(const struct app *a, const struct pane_key *key, bool ascii, char *buf,
		     size_t size);

/* Class definition, tried on the screen (pane_exclude.c): off or on, and the whole list. */
void exclude_all(struct app *a);
bool exclude_set(struct app *a, const char *list, struct err *err);

#endif
