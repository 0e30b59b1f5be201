/* SPDX-License-Identifier: GPL-2.0-or-later */
/* typing: lines of the command language, and prompts while something is typed. */
#ifndef FAIRTOP_TUI_ACTS_TYPING_H
#define FAIRTOP_TUI_ACTS_TYPING_H

#include "tui/rows/state.h"

/* Runs one line of the command language; the second shows errors at the bottom. */
bool app_run(struct app *a, const char *line, struct err *err);
void app_run_and_tell(struct app *a, const char *line);

/* A key while a prompt is open. */
void app_type(struct app *a, uint32_t key);

/* For what can be typed now; NULL: none. */
const char *app_example(const struct app *a);

/* Tab in a prompt (complete.c). */
void complete(struct app *a);

#endif
