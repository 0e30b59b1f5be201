/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * detail: the parts of a row's details; STEPS: only the derivation.
 *
 * One module of several files: pane_detail pane_job pane_why
 */
#ifndef FAIRTOP_TUI_PANES_DETAIL_H
#define FAIRTOP_TUI_PANES_DETAIL_H

#include "tui/cells/doc.h"
#include "tui/rows/state.h"

/* Column of the values after their labels. */
#define PANE_LABEL 14

/* Adds a line "label text"; nothing without text. */
void pane_pair(struct doc *d, const char *label, enum role role, const char *text);

/* An ordinal: "1st", "22nd", "113th". */
void detail_ordinal(uint32_t n, char *buf, size_t size);
/* A factor: "29.2", "10,073"; returns BUF. */
const char *detail_times(double times, char *buf, size_t size);
/* For a row of the tree: "hep", "alice", "alice@gpu". */
void detail_name(const struct cluster *c, uint32_t row, char *buf, size_t size);
/* INDENT: column of the equals signs. */
void step_doc(struct doc *d, int indent, const struct explain_step *step);
/* Why it is pending; STEPS: how its priority is computed. */
void job_doc(const struct app *a, struct doc *d, uint32_t row, bool steps);
/*
 * The order of dispatch from the doc's position, later lines from INDENT on; lines beyond LINES are
 * only counted.
 */
void pool_order_doc(struct doc *d, const struct pools *p, int indent, int lines);
void pool_doc(const struct app *a, struct doc *d, uint32_t row, bool steps);
void class_doc(const struct app *a, struct doc *d, uint32_t row, bool steps);

/* Below the rows of the pools (pool_foot.c). */
void pool_foot_draw(const struct app *a, struct canvas *c, struct area area);
bool pool_foot_charts(const struct app *a);	/* whether it has the charts */

#endif
