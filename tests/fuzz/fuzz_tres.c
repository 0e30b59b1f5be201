/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TRES lists, as counts and as weights: names are bounded and plain, values finite. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/tres.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool check(void *context, const struct tres_pair *pair, struct err *err)
{
	size_t length = strnlen(pair->name, TRES_NAME_MAX);

	(void)err;
	if (length == 0 || length == TRES_NAME_MAX || strpbrk(pair->name, ",= ") ||
	    isnan(pair->value))
		abort();
	return ++*(size_t *)context < 1000;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size);
	size_t counts = 0, weights = 0;
	struct err err = { 0 };

	if (!tres_parse_counts(text, check, &counts, &err) && counts < 1000 && !err.message[0])
		abort();
	err_clear(&err);
	if (!tres_parse_weights(text, check, &weights, &err) && weights < 1000 && !err.message[0])
		abort();
	mem_free(text);
	return 0;
}
