/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/planted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/adapter.h"
#include "adapters/snapshot/snapshot.h"
#include "core/base/bytes.h"
#include "core/base/mem.h"
#include "core/cluster/cluster_copy.h"

#define LONGEST 1000

static void plant_list(struct builder *b, const struct cluster *c, enum field field, uint32_t row,
		       planted_text *plant)
{
	struct text_list list = cluster_list(c, field, row);
	char **texts, buf[LONGEST];

	if (!list.texts)
		return;
	texts = mem_alloc((size_t)list.count + 1, sizeof(*texts));
	for (uint32_t i = 0; i < list.count; i++)
		texts[i] = mem_strdup(plant(field, cluster_string(c, list.texts[i]), buf,
					    sizeof(buf)));
	builder_list(b, field, row, (const char *const *)texts, list.count);
	for (uint32_t i = 0; i < list.count; i++)
		mem_free(texts[i]);
	mem_free(texts);
}

static void plant_notes(struct builder *b, const struct cluster *c, planted_text *plant)
{
	char buf[LONGEST];

	builder_forget_notes(b);
	for (uint32_t i = 0; i < cluster_notes(c); i++)
		builder_note(b, cluster_note(c, i).subject, "%s",
			     plant(F_COUNT, cluster_note(c, i).text, buf, sizeof(buf)));
}

struct cluster *planted(const char *spec, planted_text *plant)
{
	struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1, .last = true };
	struct err err = { .code = ERR_NONE };
	struct source *source = source_open(spec, &err);
	struct cluster *c = NULL, *changed;
	char buf[LONGEST];
	struct builder *b;

	if (!source || source_fetch(source, &request, &c, &err) != FETCH_NEW)
		fail_msg("%s: %s", spec, err.message);
	b = cluster_copy(c);
	for (unsigned f = 0; f < F_COUNT; f++) {
		const struct field_info *info = &field_info[f];
		uint32_t rows = cluster_col(c, (enum field)f) ? cluster_rows(c, info->table) : 0;

		for (uint32_t row = 0; row < rows; row++) {
			const char *text = info->type == FIELD_TEXT ?
					   cluster_text(c, (enum field)f, row) : NULL;

			if (text)
				builder_str(b, (enum field)f, row,
					    plant((enum field)f, text, buf, sizeof(buf)));
			else if (info->type == FIELD_LIST)
				plant_list(b, c, (enum field)f, row, plant);
		}
	}
	plant_notes(b, c, plant);
	changed = builder_seal(b, &err);
	if (!changed)
		fail_msg("%s: %s", spec, err.message);
	cluster_free(c);
	source_close(source);
	return changed;
}

void planted_write(const struct cluster *c, const char *path)
{
	struct bytes text = { 0 };
	FILE *file = fopen(path, "wx");

	assert_non_null(file);
	assert_true(snapshot_write(c, bytes_sink(&text), NULL));
	assert_int_equal(fwrite(text.data, 1, text.length, file), text.length);
	assert_int_equal(fclose(file), 0);
	bytes_free(&text);
}
