/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file: reads a file as a whole, or its end. */
#ifndef FAIRTOP_ADAPTERS_FILE_H
#define FAIRTOP_ADAPTERS_FILE_H

#include <stddef.h>

#include "core/base/err.h"

/* The most that is read of one saved output, and of one configuration with what it includes. */
#define FILE_BYTES_MAX ((size_t)1 << 30)
#define CONF_BYTES_MAX ((size_t)16 << 20)

bool file_is_regular(const char *path);
/* Length of the directory of PATH, with its slash; 0 without one. */
size_t file_directory(const char *path);

/*
 * Reads a regular file of at most MAX bytes, adds a NUL. Else NULL and ERR_INPUT. ERR may be NULL.
 */
char *file_read(const char *path, size_t max, size_t *length, struct err *err);
/* The same; of a larger file about its last MAX bytes: the recent part of a log. */
char *file_read_end(const char *path, size_t max, size_t *length, struct err *err);

/*
 * Splits SPEC "PATH,NAME=VALUE", where OPTION is ",NAME=", into PATH and VALUE ("" without one). If
 * a file with the whole name SPEC exists, all of it is the path.
 */
void file_split_option(const char *spec, const char *option, char *path, size_t size, char *value,
		       size_t value_size);

#endif
