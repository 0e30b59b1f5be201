/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Durations: what is accepted is in range, can be printed, and reads back. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/timestr.h"
#include "core/base/unknown.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size);
	int64_t seconds, again;
	struct err err = { 0 };
	char printed[32];

	if (timestr_parse(text, &seconds, &err)) {
		if (seconds < 0 || (seconds != I64_INFINITE && seconds % 60 != 0))
			abort();
		if (timestr_format(seconds, printed, sizeof(printed)) >= sizeof(printed))
			abort();
		if (!timestr_parse(printed, &again, &err) || again != seconds)
			abort();
	} else if (!err.message[0]) {
		abort();
	}
	mem_free(text);
	return 0;
}
