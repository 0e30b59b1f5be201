/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "adapters/postgres/private.h"
#include "core/base/mem.h"

char *sql_text(const char *format, va_list args)
{
	va_list again;
	size_t size;
	char *text;

	va_copy(again, args);
	size = (size_t)vsnprintf(NULL, 0, format, again) + 1;
	va_end(again);
	text = mem_alloc(size, 1);
	(void)vsnprintf(text, size, format, args);
	return text;
}

void sql_add(struct bytes *sql, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = sql_text(format, args);
	va_end(args);
	bytes_append(sql, text, strlen(text));
	mem_free(text);
}
