/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pane: positions, scrolling and drawing of boxes; their content is in pane_*.c and the features,
 * each with its struct pane_ops (state.h).
 */
#ifndef FAIRTOP_TUI_PANES_PANE_H
#define FAIRTOP_TUI_PANES_PANE_H

#include "tui/cells/doc.h"
#include "tui/rows/state.h"

extern const struct pane_ops detail_pane, steps_pane, compare_pane, source_pane;
extern const struct pane_ops help_pane, columns_pane, sort_pane, exclude_pane, lint_pane;
extern const struct feature lint_feature, exclude_feature;

extern const struct pane_key pane_text_keys[];	/* of a text beside the rows */

void pane_open(struct app *a, const struct pane_ops *ops);
/* Closes it if it is open. */
void pane_toggle(struct app *a, const struct pane_ops *ops);
void pane_fit(struct app *a);			/* for another screen size */
bool pane_modal(const struct app *a);		/* over the view, with the focus */
void pane_move(struct app *a, int64_t lines);
struct area app_view_area(const struct app *a);	/* the area for titles and rows */
bool app_names_unshared(const struct app *a);	/* in the line above it */
struct area app_pane_area(const struct app *a);
void pane_draw(struct app *a, struct canvas *c);

/*
 * Lays out the columns of the open view. Drawing does this; so do keys and clicks before the next
 * frame that need the layout.
 */
void app_lay_out(struct app *a);

bool pane_searchable(const struct app *a);	/* focused, with text */
/* Finds the next line with TEXT from the first visible one, or after the last match. */
bool pane_find(struct app *a, const char *text, int direction, bool from_here);

/* The column picked in a list of columns; NULL. */
const struct column *pane_column(const struct app *a);

/* The present keys of both commands, "": none (pane_help.c). */
void pane_key_titles(const struct app *a, const struct pane_key *key, bool ascii, char *buf,
		     size_t size);

/* Class definition, tried on the screen (pane_exclude.c): toggles it, and sets the whole list. */
void exclude_all(struct app *a);
bool exclude_set(struct app *a, const char *list, struct err *err);

#endif
