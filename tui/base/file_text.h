/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file_text: a whole file as text. */
#ifndef FAIRTOP_TUI_BASE_FILE_TEXT_H
#define FAIRTOP_TUI_BASE_FILE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

#define FILE_TEXT_MAX ((size_t)16 << 20)

/*
 * The text of FILE, owned by the caller. NULL and ERR_INPUT, which does not name the file, if it is
 * unreadable, larger than MAX bytes, or contains a NUL byte, after which text would be lost.
 */
char *file_text(const char *file, size_t max, struct err *err);

/*
 * The same for a file at a fixed location: true and *TEXT NULL if it does not exist. ERR_INPUT,
 * which names the file, also if reading it could block.
 */
bool file_text_found(const char *file, size_t max, char **text, struct err *err);

#endif
