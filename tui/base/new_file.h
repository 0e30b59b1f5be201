/* SPDX-License-Identifier: GPL-2.0-or-later */
/* new_file: files that are written completely or not at all, and never replace a foreign file. */
#ifndef FAIRTOP_TUI_BASE_NEW_FILE_H
#define FAIRTOP_TUI_BASE_NEW_FILE_H

#include "core/base/bytes.h"

/*
 * Whether the existing file is empty or begins with BEGINNING, which marks fairtop's files; links
 * and devices are not fairtop's.
 */
bool new_file_is_ours(const char *path, const char *beginning);

/*
 * REPLACE: the existing file is fairtop's, and keeps its permissions; a new file gets those of the
 * umask. Without hard links, a crash may leave half a file. ERR_INPUT names the file.
 */
bool new_file_write(const char *path, const struct bytes *b, bool replace, struct err *err);

/*
 * Writes a file for the user alone: 0600 whatever the umask or the old file, in directories of
 * 0700, which are made.
 */
bool new_file_keep(const char *path, const struct bytes *b, struct err *err);

/* The absolute path of a written file, to show to the user. */
void new_file_place(const char *path, char *buf, size_t size);

#endif
