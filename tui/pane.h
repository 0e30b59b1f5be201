/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pane: what fills the panes, one function per kind, in pane_*.c.
 */
#ifndef FAIRTOP_TUI_PANE_H
#define FAIRTOP_TUI_PANE_H

#include "tui/app_private.h"
#include "tui/doc.h"

void help_doc(const struct app *a, struct doc *d);
void source_doc(const struct app *a, struct doc *d);
void tour_doc(const struct app *a, struct doc *d);
void detail_doc(const struct app *a, struct doc *d);
/* Column of the values behind their labels. */
#define PANE_LABEL 14

/* INDENT: where the equals signs begin. */
void step_doc(struct doc *d, int indent, const struct explain_step *step);
void wait_doc(const struct queue *q, struct doc *d, uint32_t row);
void job_doc(const struct app *a, struct doc *d, uint32_t row);
void pool_doc(const struct app *a, struct doc *d, uint32_t row);
void class_doc(const struct app *a, struct doc *d, uint32_t row);
void compare_doc(const struct app *a, struct doc *d);
void exclude_draw(struct app *a, struct canvas *c, struct area area);	/* inside the box */
uint32_t exclude_choices(const struct app *a);	/* lines of that pane that can be picked */
void columns_draw(struct app *a, struct canvas *c, struct area area);	/* inside the box */

#endif
