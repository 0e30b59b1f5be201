/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * new_file: files that are there whole or not at all, and never in the place of a stranger's.
 */
#ifndef FAIRTOP_TUI_BASE_NEW_FILE_H
#define FAIRTOP_TUI_BASE_NEW_FILE_H

#include "core/base/bytes.h"

/*
 * Whether the file that is there is empty or begins with BEGINNING, which only ours do; links and
 * devices are not ours.
 */
bool new_file_is_ours(const char *path, const char *beginning);

/*
 * REPLACE: the one that is there is known to be ours, and keeps who may read it; a new one goes by
 * the umask. Where the file system knows no links a crash may leave half a file. ERR_INPUT names
 * the file.
 */
bool new_file_write(const char *path, const struct bytes *b, bool replace, struct err *err);

/*
 * What fairtop keeps for its user alone: 0600 whatever the umask and whatever was there before,
 * in directories of 0700, which are made.
 */
bool new_file_keep(const char *path, const struct bytes *b, struct err *err);

/* The whole path of a file that was written, for who reads where it is. */
void new_file_place(const char *path, char *buf, size_t size);

#endif
