/* SPDX-License-Identifier: GPL-2.0-or-later */
/* input: keys and the mouse. */
#ifndef FAIRTOP_TUI_SCREEN_INPUT_H
#define FAIRTOP_TUI_SCREEN_INPUT_H

#include "tui/rows/state.h"

void app_key(struct app *a, uint32_t key);
void app_paste(struct app *a, uint32_t letter);	/* for the open prompt; else ignored */
void app_click(struct app *a, int x, int y);
void app_wheel(struct app *a, int x, int y, int lines);

#endif
