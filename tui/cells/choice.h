/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choice: a list of lines of which one is picked; used by all lists except the rows. */
#ifndef FAIRTOP_TUI_CELLS_CHOICE_H
#define FAIRTOP_TUI_CELLS_CHOICE_H

#include "tui/cells/canvas.h"

#define CHOICE_NONE UINT32_MAX

/* PICK moved BY lines, within COUNT. */
uint32_t choice_move(uint32_t pick, int64_t by, uint32_t count);

/* The first line of a window of SPACE lines that contains PICK, as near to FIRST as possible. */
uint32_t choice_first(uint32_t first, uint32_t pick, int space);

/* Draws the lines from FIRST on into AT, with the ground of the picked one (CHOICE_NONE: none). */
struct choice {
	uint32_t first, count, pick;
	void (*line)(const void *context, struct canvas *c, uint32_t i, struct area at);
	const void *context;
};
void choice_draw(const struct choice *choice, struct canvas *c, struct area at);

/* The line at a cell; CHOICE_NONE: none. */
uint32_t choice_at(uint32_t first, uint32_t count, struct area at, int x, int y);

#endif
