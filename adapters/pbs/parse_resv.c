/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pbs_rstat -F: reservations, their times and their resources on each vnode. */
#include <string.h>

#include "adapters/pbs/reader.h"
#include "core/base/mem.h"

static const struct pbs_attribute resv_attributes[] = {
	{ "reserve_start", F_RESERVATION_START, PBS_AS_TIME },
	{ "reserve_end", F_RESERVATION_END, PBS_AS_TIME },
	{ "resv_nodes", F_RESERVATION_NODE_LIST, PBS_AS_TEXT },
	{ NULL, F_COUNT, PBS_AS_TEXT }
};

/* "reserve_start = Fri Nov 20 05:55:00 2026"; place becomes a flag, "place=excl". */
static void pbs_resv_put_line(struct pbs_reader *r, uint32_t row, char *line)
{
	char *value = strstr(line, " = ");
	const struct pbs_attribute *a;

	if (!value)
		return;
	*value = '\0';
	value += strlen(" = ");
	a = pbs_attribute_find(resv_attributes, line);
	if (a)
		pbs_put(r, a, row, &(struct json_text){ PULL_STRING, value, strlen(value) });
	if (strcmp(line, "Resource_List.place") == 0) {
		struct pbs_list flags = { 0 };

		pbs_list_add(&flags, "place", value);
		pbs_list_put(&flags, r->b, F_RESERVATION_FLAGS, row);
		pbs_list_free(&flags);
	}
}

bool pbs_read_resv(struct pbs_reader *r)
{
	static const char head[] = "Resv ID: ";
	struct slice rest = { r->text->text, r->text->length }, line;
	uint32_t row = ROW_NONE;

	while (slice_line(&rest, &line)) {
		char *text;

		line = slice_trim(line);
		text = mem_zalloc(line.length + 1, 1);
		memcpy(text, line.at, line.length);
		if (slice_starts(line, head)) {
			row = builder_add(r->b, TABLE_RESERVATION);
			builder_str(r->b, F_RESERVATION_NAME, row, text + strlen(head));
		} else if (row != ROW_NONE) {
			pbs_resv_put_line(r, row, text);
		}
		mem_free(text);
	}
	return true;
}
