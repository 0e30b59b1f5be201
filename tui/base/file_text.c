/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/base/file_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"

#define FILE_MAX_BYTES (16u << 20)

char *file_text(const char *file, struct err *err)
{
	FILE *f = fopen(file, "r");
	size_t capacity = 0, used = 0, got;
	char *text = NULL;
	bool bad;

	if (!f) {
		err_set(err, ERR_INPUT, "%s", strerror(errno));
		return NULL;
	}
	do {
		text = mem_grow(text, &capacity, used + 4097, 1);
		got = fread(text + used, 1, 4096, f);
		used += got;
	} while (got > 0 && used < FILE_MAX_BYTES);
	bad = ferror(f) != 0 || used >= FILE_MAX_BYTES;
	fclose(f);
	text[used] = '\0';
	if (!bad)
		return text;
	err_set(err, ERR_INPUT, "cannot be read (or is larger than 16 MiB)");
	mem_free(text);
	return NULL;
}
