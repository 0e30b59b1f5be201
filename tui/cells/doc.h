/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doc: text with roles, as lines that a pane scrolls: details, help, comparisons.
 *
 * Rebuilt for each frame that shows it; lines consist of spans that follow each other or begin at a
 * column.
 */
#ifndef FAIRTOP_TUI_CELLS_DOC_H
#define FAIRTOP_TUI_CELLS_DOC_H

#include "tui/cells/canvas.h"

struct doc_span {
	uint32_t text;		/* offset into bytes */
	uint16_t column;	/* where it begins */
	uint8_t role;
};

struct doc {
	char *bytes;			/* owned: NUL-ended texts */
	size_t used, capacity;
	struct doc_span *spans;		/* owned */
	size_t span_count, span_capacity;
	uint32_t *lines;		/* owned: first span of each line */
	size_t line_count, line_capacity;
	int width;			/* wrapping ends here */
	int column;			/* where the next span begins */
	bool ascii;
};

void doc_init(struct doc *d, int width, bool ascii);
void doc_free(struct doc *d);

void doc_line(struct doc *d);			/* begins a line */
void doc_tab(struct doc *d, int column); /* the next span begins there, or after one blank */

/* Texts are made safe like names; longer ones are cut at the pane's edge. */
void doc_put(struct doc *d, enum role role, const char *text);
void doc_putf(struct doc *d, enum role role, const char *format, ...) ERR_PRINTF(3, 4);
/* The same at the beginning of a new line. */
void doc_begin(struct doc *d, enum role role, const char *text);
void doc_beginf(struct doc *d, enum role role, const char *format, ...) ERR_PRINTF(3, 4);
/* The same behind doc_tab() to COLUMN. */
void doc_put_at(struct doc *d, enum role role, int column, const char *text);

/* Adds words that wrap; lines after the first begin at column INDENT. */
void doc_wrap(struct doc *d, enum role role, int indent, const char *text);
/* The same with all lines at COLUMN. */
void doc_wrap_at(struct doc *d, enum role role, int column, const char *text);

/* Right-aligned text that ends before column END, if all of it fits. */
void doc_right(struct doc *d, enum role role, int end, const char *text);

/* Columns that a text takes. */
int doc_text_width(const struct doc *d, const char *text);

/* Adds an empty line, then a line with a title. */
void doc_title(struct doc *d, const char *text);

/* Draws the lines from FIRST on into a rectangle of the canvas. */
void doc_draw(const struct doc *d, struct canvas *c, int x, int y, int width, int height,
	      uint32_t first);

#endif
