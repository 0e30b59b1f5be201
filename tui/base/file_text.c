/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/base/file_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/mem.h"

char *file_text(const char *file, size_t max, struct err *err)
{
	FILE *f = fopen(file, "re");
	size_t capacity = 0, used = 0, got;
	char *text = NULL;
	bool ok = false;

	if (!f) {
		err_set(err, ERR_INPUT, "%s", strerror(errno));
		return NULL;
	}
	do {
		text = mem_grow(text, &capacity, used + 4097, 1);
		got = fread(text + used, 1, 4096, f);
		used += got;
	} while (got > 0 && used <= max);
	text[used] = '\0';
	if (ferror(f))
		err_set(err, ERR_INPUT, "%s", strerror(errno));
	else if (used > max)
		err_set(err, ERR_INPUT, "larger than %zu KiB", max >> 10);
	else
		ok = strlen(text) == used || err_set(err, ERR_INPUT, "not a text file (zero byte)");
	fclose(f);
	if (ok)
		return text;
	mem_free(text);
	return NULL;
}

bool file_text_found(const char *file, size_t max, char **text, struct err *err)
{
	struct stat st = { 0 };

	*text = NULL;
	if (stat(file, &st) != 0 && errno != ELOOP)
		return true;
	if (S_ISFIFO(st.st_mode))
		return err_about(err, ERR_INPUT, file, "a FIFO (expected a file)");
	*text = file_text(file, max, err);
	return *text || err_at(err, file, 0);
}
