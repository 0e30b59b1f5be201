/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jansson.h of our own: as much of jansson as the tests of the core need where jansson is not (make
 * check-musl). The documents are our own test data: what is malformed ends the program, and so
 * does an escape other than of \ " /.
 */
#ifndef FAIRTOP_TESTS_MUSL_JANSSON_H
#define FAIRTOP_TESTS_MUSL_JANSSON_H

#include <stdbool.h>
#include <stddef.h>

#define JSON_DECODE_ANY 0

typedef struct json json_t;
typedef struct {
	int line;
	char text[80];
} json_error_t;

/* The latter: NULL, with ERROR set unless that is NULL, if there is no such file. */
json_t *json_loads(const char *text, size_t flags, json_error_t *error);
json_t *json_load_file(const char *path, size_t flags, json_error_t *error);
void json_decref(json_t *document);	/* of the whole document */

/* NULL, 0 or false where V is NULL or of another kind. */
json_t *json_object_get(const json_t *v, const char *key);
json_t *json_array_get(const json_t *v, size_t at);
size_t json_array_size(const json_t *v);
size_t json_object_size(const json_t *v);
const char *json_string_value(const json_t *v);
double json_number_value(const json_t *v);
long long json_integer_value(const json_t *v);
bool json_is_true(const json_t *v);
bool json_is_false(const json_t *v);
bool json_is_string(const json_t *v);
bool json_is_number(const json_t *v);

/* The members of an object, for json_object_foreach. */
json_t *json_first(const json_t *object);
json_t *json_next(const json_t *member);
const char *json_key(const json_t *member);

#define json_array_foreach(array, i, v) \
	for ((i) = 0; (i) < json_array_size(array) && ((v) = json_array_get(array, i)); (i)++)
#define json_object_foreach(object, k, v) \
	for ((v) = json_first(object); (v) && ((k) = json_key(v)); (v) = json_next(v))

#endif
