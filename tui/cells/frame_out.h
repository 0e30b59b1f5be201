/* SPDX-License-Identifier: GPL-2.0-or-later */
/* frame_out: a canvas with its theme as ANSI or SVG, for images without a terminal. */
#ifndef FAIRTOP_TUI_CELLS_FRAME_OUT_H
#define FAIRTOP_TUI_CELLS_FRAME_OUT_H

#include "tui/cells/canvas.h"
#include "tui/cells/theme.h"

/*
 * Uses the theme unchanged: reduce it first to what the reader can show. Lines end in a reset and a
 * newline.
 */
bool frame_write_ansi(const struct canvas *c, const struct theme *theme, struct sink out,
		      struct err *err);

/* Each cell has its own position, so that fonts cannot shift the columns. */
bool frame_write_svg(const struct canvas *c, const struct theme *theme, struct sink out,
		     struct err *err);

#endif
