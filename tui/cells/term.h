/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * term: the terminal. The only file that uses curses.
 *
 * Takes canvases and returns keys. Cells equal to those of the last canvas are not written; if none
 * differs, not one byte is written. There is one terminal per process.
 */
#ifndef FAIRTOP_TUI_CELLS_TERM_H
#define FAIRTOP_TUI_CELLS_TERM_H

#include "tui/cells/canvas.h"
#include "tui/cells/event.h"
#include "tui/cells/theme.h"

struct term;

const char *term_library(void);		/* "ncurses 6.4.20221231", the one in use */

/*
 * Enters the alternate screen. ERR_INPUT if standard input or output is no terminal, or TERM is
 * unknown.
 */
struct term *term_open(enum color_depth depth_limit, struct err *err);
void term_close(struct term *t);		/* restores the terminal */

/* The same from any thread, without allocation, for a program that ends at once. */
void term_rescue(void);

void term_suspend(struct term *t);	/* returns to the shell's screen until term_resume() */
void term_resume(struct term *t);

void term_size(const struct term *t, int *width, int *height);
void term_resize(struct term *t);		/* asks the kernel for the new size */

void term_set_theme(struct term *t, const struct theme *theme);
void term_set_mouse(struct term *t, bool on);
void term_copy(struct term *t, const char *text);	/* to the terminal's clipboard (OSC 52) */
/* HOW: "bell", or as a desktop notification "osc9" or "osc777"; TEXT is safe. */
void term_ring(struct term *t, const char *how, const char *text);
void term_repaint(struct term *t);		/* the next canvas is written completely */

void term_draw(struct term *t, const struct canvas *canvas);

/*
 * The next key or mouse event that has arrived; false if there is none. Fills type, key, x and y.
 */
bool term_read(struct term *t, struct event *event);
bool term_gone(const struct term *t);		/* it was hung up */

/*
 * --color: "auto", "direct", "256", "16", "never"; auto obeys NO_COLOR. ERR_INPUT for others. The
 * depth is a limit: the terminal may have less.
 */
bool term_parse_color(const char *text, enum color_depth *limit, struct err *err);

#endif
