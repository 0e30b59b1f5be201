/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FAIRTOP_TUI_ACTS_PALETTE_H
#define FAIRTOP_TUI_ACTS_PALETTE_H

#include "tui/rows/state.h"

void palette_open(struct app *a);
/* Handles a key while the palette is open; false if it is for the prompt. */
bool palette_key(struct app *a, uint32_t key);
/* A click on a line picks it; false: no line. */
bool palette_click(struct app *a, int x, int y);
void palette_draw(struct app *a, struct canvas *c);

#endif
