/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hints: the keys at the bottom, of the view or of the focused box; a click on one acts like the
 * key. The header's views and reasons of pending jobs are clicked in the same way.
 */
#ifndef FAIRTOP_TUI_SCREEN_HINTS_H
#define FAIRTOP_TUI_SCREEN_HINTS_H

#include "tui/rows/state.h"


/* The cells of a hint as last drawn, and the command that a click on it runs. */
struct hint_position {
	int x, y, width;
	const char *command;
};

#define HINT_POSITIONS 64

struct hints {
	struct hint_position positions[HINT_POSITIONS];
	size_t count;
};

extern const struct feature hints_feature;

/* Draws on the last line of C. */
void hints_draw(struct app *a, struct canvas *c);

void hints_add(struct hints *h, int x, int y, int width, const char *command);

/* The command at cell X of line Y; NULL: none. */
const char *hints_at(const struct hints *h, int x, int y);

#endif
