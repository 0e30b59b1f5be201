/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two rows, and the first place where their ways from the root part. */
#include "tui/pane.h"

static uint32_t find_key(const struct list *l, uint64_t key)
{
	for (uint32_t i = 0; i < l->now.view.rows; i++) {
		if (l->now.keys[i] == key)
			return i;
	}
	return ROW_NONE;
}

void compare_doc(const struct app *a, struct doc *d)
{
	const struct list *l = &a->sheets[VIEW_ACCOUNTS].list;
	uint32_t one = find_key(l, a->compare_keys[0]), two = find_key(l, a->compare_keys[1]);

	doc_line(d);
	if (one == ROW_NONE || two == ROW_NONE)
		doc_put(d, ROLE_WARN, "one of the two is gone");
}
