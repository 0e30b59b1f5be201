/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "adapters/postgres/private.h"
#include "core/base/mem.h"

void sql_add(struct bytes *sql, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = mem_vformat(format, args);
	va_end(args);
	bytes_append(sql, text, strlen(text));
	mem_free(text);
}
