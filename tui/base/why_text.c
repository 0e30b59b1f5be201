/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/base/why_text.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/visible.h"
#include "core/why/why_view.h"
#include "tui/base/item.h"

#define SENTENCE 1000		/* bytes: a name may be of any length */

/* TEXT made safe for a terminal, at most MOST bytes of it; the caller frees it. */
static char *why_text_visible(const char *text, size_t most)
{
	size_t length = strlen(text), size = length * 8 + 1 < most ? length * 8 + 1 : most;
	char *safe = mem_alloc(size + strlen("..."), 1);

	if (visible_copy(safe, size, text, length) >= size)
		memcpy(safe + strlen(safe), "...", sizeof("..."));
	return safe;
}

void why_text_item(struct sink out, const char *label, size_t indent, size_t width,
		   const char *text)
{
	char *safe = why_text_visible(text, SENTENCE);

	item_write(out, label, indent, width, safe);
	mem_free(safe);
}

static void why_text_command(struct sink out, const char *command)
{
	char *safe = why_text_visible(command, SIZE_MAX);

	(void)out.write(out.context, "           ", WHY_TEXT_LABEL + 2, NULL);
	(void)out.write(out.context, safe, strlen(safe), NULL);
	(void)out.write(out.context, "\n", 1, NULL);
	mem_free(safe);
}

void why_text_part(struct sink out, const struct why *w, enum why_part part, size_t width)
{
	const struct why_line *line;
	const char *command;

	for (size_t n = 0; (line = why_shown(w, part, n)); n++) {
		why_text_item(out, n == 0 ? why_label(w, part) : "", WHY_TEXT_LABEL, width,
			      line->text);
		command = why_command(line);
		if (command)
			why_text_command(out, command);
	}
}
