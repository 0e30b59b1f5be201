/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *data_path(const char *file, char *buf, size_t size)
{
	const char *top = getenv("srcdir");

	snprintf(buf, size, "%s/tests/data/%s", top ? top : ".", file);
	return buf;
}

const char *data_shared(const char *file, char *buf, size_t size)
{
	const char *shared = getenv("FAIRTOP_SHARED");

	snprintf(buf, size, "%s/%s", shared ? shared : "../shared", file);
	if (access(buf, R_OK) == 0)
		return buf;
	printf("%s is not here (FAIRTOP_SHARED)\n", buf);
	return NULL;
}

json_t *data_json(const char *path)
{
	json_error_t error;
	json_t *json = json_load_file(path, JSON_DECODE_ANY, &error);

	if (!json) {
		fprintf(stderr, "%s:%d: %s\n", path, error.line, error.text);
		exit(1);
	}
	return json;
}

double data_number(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	if (json_is_string(value) && strcmp(json_string_value(value), "inf") == 0)
		return INFINITY;
	return json_is_number(value) ? json_number_value(value) : NAN;
}
