/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/base/edits_load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "tui/base/output.h"

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

static bool load_file(struct whatif *w, const char *file, struct err *err)
{
	char *text = file_text(file, err);
	bool ok = text && whatif_load(w, text, err);

	mem_free(text);
	return ok;
}

int edits_load(const struct options *o, struct whatif **w)
{
	struct err err = { .code = ERR_NONE };

	*w = o->edit_count > 0 ? whatif_new() : NULL;
	for (size_t i = 0; i < o->edit_count; i++) {
		const struct edit_option *e = &o->edits[i];

		if (e->is_file && !load_file(*w, e->text, &err))
			return complain_about(e->text, &err);
		if (!e->is_file && !whatif_add(*w, e->text, &err))
			return complain_about("--set", &err);
	}
	return 0;
}
