/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data: paths of test data, and JSON documents.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_DATA_H
#define FAIRTOP_TESTS_SUPPORT_DATA_H

#include <jansson.h>
#include <stddef.h>

/*
 * Writes the path of FILE below tests/data of the source tree ($srcdir, else the current directory)
 * to BUF.
 */
const char *data_path(const char *file, char *buf, size_t size);

/*
 * The same below $FAIRTOP_SHARED, for recordings that are not part of the source. Returns NULL and
 * prints a message if FILE does not exist.
 */
const char *data_shared(const char *file, char *buf, size_t size);

/* Reads a JSON file; ends the test program with a message if it cannot be read. */
json_t *data_json(const char *path);

/* The number called NAME in an object: NaN for null or absent, infinity for "inf". */
double data_number(const json_t *object, const char *name);

#endif
