/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/edits_load.h"

#include "core/base/mem.h"
#include "tui/base/file_text.h"
#include "tui/base/output.h"
#include "tui/base/zone.h"

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
	if (*w)
		(*w)->calendar = &zone_local;
	for (size_t i = 0; i < o->edit_count; i++) {
		const struct edit_option *e = &o->edits[i];

		if (e->is_file && !load_file(*w, e->text, &err))
			return complain_about(e->text, &err);
		if (!e->is_file && !whatif_add(*w, e->text, &err))
			return complain_about("--set", &err);
	}
	return 0;
}
