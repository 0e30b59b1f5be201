/* SPDX-License-Identifier: GPL-2.0-or-later */
/* item: a label and words beside it. */
#ifndef FAIRTOP_TUI_BASE_ITEM_H
#define FAIRTOP_TUI_BASE_ITEM_H

#include "core/base/sink.h"

/*
 * Writes LABEL, then TEXT from column INDENT on, wrapped to WIDTH columns unless a word is longer;
 * TEXT begins below a LABEL that reaches INDENT.
 */
void item_write(struct sink out, const char *label, size_t indent, size_t width, const char *text);

#endif
