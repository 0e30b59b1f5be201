/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/base/item.h"

#include <string.h>

/* The number of characters in LENGTH bytes. */
static size_t count_characters(const char *text, size_t length)
{
	size_t n = 0;

	for (size_t i = 0; i < length; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n;
}

/* Errors are kept in the output. */
static void item_put(struct sink out, const char *text, size_t length)
{
	(void)out.write(out.context, text, length, NULL);
}

static void item_blanks(struct sink out, size_t count)
{
	while (count-- > 0)
		item_put(out, " ", 1);
}

void item_write(struct sink out, const char *label, size_t indent, size_t width, const char *text)
{
	size_t column = strlen(label);

	item_put(out, label, column);
	if (column > indent) {
		item_put(out, "\n", 1);
		column = 0;
	}
	item_blanks(out, indent - column);
	column = indent;
	while (*text) {
		size_t length = strcspn(text, " "), shown = count_characters(text, length);

		if (column > indent && column + 1 + shown > width) {
			item_put(out, "\n", 1);
			item_blanks(out, indent);
			column = indent;
		} else if (column > indent) {
			item_put(out, " ", 1);
			column++;
		}
		item_put(out, text, length);
		column += shown;
		text += length + (text[length] == ' ');
	}
	item_put(out, "\n", 1);
}
