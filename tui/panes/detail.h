/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * detail: what the details of a row are made of; STEPS: only the derivation.
 *
 * One module of several files: pane_detail pane_job pane_why
 */
#ifndef FAIRTOP_TUI_PANES_DETAIL_H
#define FAIRTOP_TUI_PANES_DETAIL_H

#include "tui/cells/doc.h"
#include "tui/rows/state.h"

/* Column of the values behind their labels. */
#define PANE_LABEL 14

/* A line "label  text"; nothing for no text. */
void pane_pair(struct doc *d, const char *label, enum role role, const char *text);

/* Which of so many: "1st", "22nd", "113th". */
void detail_ordinal(uint32_t n, char *buf, size_t size);
/* So many times: "29.2", "10,073"; returns BUF. */
const char *detail_times(double times, char *buf, size_t size);
/* Of a row of the tree: "hep", "alice", "alice@gpu". */
void detail_name(const struct cluster *c, uint32_t row, char *buf, size_t size);
/* INDENT: where the equals signs begin. */
void step_doc(struct doc *d, int indent, const struct explain_step *step);
/* Why it waits; STEPS: how it came to its priority. */
void job_doc(const struct app *a, struct doc *d, uint32_t row, bool steps);
/*
 * The order of dispatch from where the doc is, later lines from INDENT on; of more than LINES lines
 * the rest is counted.
 */
void pool_order_doc(struct doc *d, const struct pools *p, int indent, int lines);
void pool_doc(const struct app *a, struct doc *d, uint32_t row, bool steps);
void class_doc(const struct app *a, struct doc *d, uint32_t row, bool steps);

/* Below the rows of the pools (pool_foot.c). */
void pool_foot_draw(const struct app *a, struct canvas *c, struct area area);
bool pool_foot_charts(const struct app *a);	/* does it show the charts? */

#endif
