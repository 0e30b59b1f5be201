/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file_text: a whole file as text. */
#ifndef FAIRTOP_TUI_BASE_FILE_TEXT_H
#define FAIRTOP_TUI_BASE_FILE_TEXT_H

#include "core/base/err.h"

/* Of FILE, the caller's; NULL and ERR_INPUT if it cannot be read. */
char *file_text(const char *file, struct err *err);

#endif
