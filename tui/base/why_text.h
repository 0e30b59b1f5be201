/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why_text: answers of core/why as lines of plain text, for a terminal or a mail. Names are made
 * safe. Errors are those of the sink.
 */
#ifndef FAIRTOP_TUI_BASE_WHY_TEXT_H
#define FAIRTOP_TUI_BASE_WHY_TEXT_H

#include "core/base/sink.h"
#include "core/why/why.h"

#define WHY_TEXT_LABEL 9		/* columns of the labels */
#define WHY_TEXT_WIDTH 80		/* if the width is unknown */

/* Writes LABEL, then TEXT from column INDENT on, wrapped to WIDTH columns. */
void why_text_item(struct sink out, const char *label, size_t indent, size_t width,
		   const char *text);

/* Writes the lines of PART; each command is below its line, unwrapped, to be copied. */
void why_text_part(struct sink out, const struct why *w, enum why_part part, size_t width);

#endif
