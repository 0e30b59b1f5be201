/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file: a file that is read as a whole, or its end.
 */
#ifndef FAIRTOP_ADAPTERS_FILE_H
#define FAIRTOP_ADAPTERS_FILE_H

#include <stddef.h>

#include "core/base/err.h"

/* A regular file, NUL-ended, at most MAX bytes; NULL and ERR_INPUT otherwise. ERR may be NULL. */
char *file_read(const char *path, size_t max, size_t *length, struct err *err);
/* The same, of a larger file its last MAX bytes or so: what has been written to a log of late. */
char *file_read_end(const char *path, size_t max, size_t *length, struct err *err);

/*
 * SPEC "PATH,NAME=VALUE", of which OPTION is ",NAME=": the path into PATH and the value into VALUE,
 * "" without one. What is there under the whole name is a path.
 */
void file_split_option(const char *spec, const char *option, char *path, size_t size, char *value,
		       size_t value_size);

#endif
