/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file_text: a whole file as text. */
#ifndef FAIRTOP_TUI_BASE_FILE_TEXT_H
#define FAIRTOP_TUI_BASE_FILE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

#define FILE_TEXT_MAX ((size_t)16 << 20)

/*
 * Of FILE, the caller's; NULL and ERR_INPUT, which names no file, if it cannot be read, is larger
 * than MAX bytes, or holds a byte 0, behind which text would be lost.
 */
char *file_text(const char *file, size_t max, struct err *err);

/*
 * The same of a file that nobody named, for it has its place: true and *TEXT NULL where there is
 * none, and ERR_INPUT, which names it, not only where it is none but also where it would have to be
 * waited for.
 */
bool file_text_found(const char *file, size_t max, char **text, struct err *err);

#endif
