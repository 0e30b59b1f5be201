/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pane: what fills the panes, one function per kind, in pane_*.c.
 */
#ifndef FAIRTOP_TUI_PANES_PANE_H
#define FAIRTOP_TUI_PANES_PANE_H

#include "tui/rows/state.h"
#include "tui/cells/doc.h"

void help_doc(const struct app *a, struct doc *d);
void source_doc(const struct app *a, struct doc *d);
void tour_doc(const struct app *a, struct doc *d);
void detail_doc(const struct app *a, struct doc *d);
/* Column of the values behind their labels. */
#define PANE_LABEL 14

/* A line "label  text"; nothing for no text. */
void pane_pair(struct doc *d, const char *label, enum role role, const char *text);

/* INDENT: where the equals signs begin. */
void step_doc(struct doc *d, int indent, const struct explain_step *step);
void wait_doc(const struct queue *q, struct doc *d, uint32_t row);
/* The limits that REASON may mean: which are reached, how far, and who uses them up. */
void limits_doc(struct doc *d, const struct jobs *j, uint32_t row, const char *reason);
void job_doc(const struct app *a, struct doc *d, uint32_t row);
/*
 * The order of dispatch from where the doc is, later lines from INDENT on; of more than LINES lines
 * the rest is counted.
 */
void pool_order_doc(struct doc *d, const struct pools *p, int indent, int lines);
void pool_doc(const struct app *a, struct doc *d, uint32_t row);
void class_doc(const struct app *a, struct doc *d, uint32_t row);
void compare_doc(const struct app *a, struct doc *d);
void exclude_draw(struct app *a, struct canvas *c, struct area area);	/* inside the box */
uint32_t exclude_choices(const struct app *a);	/* lines of that pane that can be picked */
void whatif_draw(struct app *a, struct canvas *c, struct area area);	/* inside the box */
int whatif_height(const struct app *a);		/* lines of the box that show all weights */
void whatif_title(const struct app *a, char *buf, size_t size);
void forecast_doc(const struct app *a, struct doc *d);
void seek_draw(struct app *a, struct canvas *c, struct area area);	/* inside the box */
void seek_take(struct app *a);			/* the picked answer becomes an edit */
uint32_t seek_choices(const struct app *a);
int seek_height(const struct app *a);
void lint_open(struct app *a);
void lint_again(struct app *a);			/* after another picture came */
void lint_take(struct app *a);			/* the suggestion becomes an edit */
uint32_t lint_choices(const struct app *a);
int lint_height(const struct app *a);
void lint_draw(struct app *a, struct canvas *c, struct area area);	/* inside the box */
void columns_draw(struct app *a, struct canvas *c, struct area area);	/* inside the box */

/* The text of the open pane, for its width; doc_free() it. */
void pane_doc(const struct app *a, struct doc *d);

/* Searching in it (pane_search.c). */
bool pane_searchable(const struct app *a);	/* it has the keys, and text */
/* In the list of columns the one that has it is picked; it has at least one. */
bool columns_find(struct app *a, const char *text, int direction, bool from_here);
/* The next line with TEXT from the first one in sight on, or behind the last one that was found. */
bool pane_find(struct app *a, const char *text, int direction, bool from_here);
void pane_mark_found(const struct app *a, struct canvas *c, struct area inside);

#endif
