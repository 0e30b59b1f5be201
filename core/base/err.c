/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/err.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/visible.h"

/* The analyser's view of them (err.h). */
#undef err_vset
#undef err_set
#undef err_set_line
#undef err_about
#undef err_join
#undef err_prefix
#undef err_at

#define PREFIX_SHORT 62		/* bytes; a prefix up to this, with its separator, is never cut */

bool err_vset(struct err *err, enum err_code code, uint32_t line, const char *format, va_list args)
{
	if (!err)
		return false;
	err->code = code;
	err->line = line;
	(void)vsnprintf(err->message, sizeof(err->message), format, args);
	return false;
}

bool err_set(struct err *err, enum err_code code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	err_vset(err, code, 0, format, args);
	va_end(args);
	return false;
}

bool err_set_line(struct err *err, enum err_code code, uint32_t line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	err_vset(err, code, line, format, args);
	va_end(args);
	return false;
}

/*
 * A long prefix leaves room for the message, and for the least of another prefix that a layer above
 * puts before it: the message stays whole. The passwords of a URL are hidden before its beginning
 * is left out: whoever prints the message finds them by its scheme.
 */
bool err_join(struct err *err, const char *prefix, size_t length, const char *separator)
{
	char whole[ERR_MESSAGE_MAX * 3], *shown = NULL;
	size_t spare = ERR_MESSAGE_MAX - 1 - PREFIX_SHORT, room, taken;
	const char *dots = "";

	if (!err || length == 0)
		return false;
	while (length > 0 && separator[0] == '/' && prefix[length - 1] == '/')
		length--;
	taken = strlen(separator) + strlen(err->message);
	room = PREFIX_SHORT - strlen(separator);
	if (taken + room < spare)
		room = spare - taken;
	if (length > room) {
		dots = "...";
		shown = mem_strndup(prefix, length);
		visible_hide_passwords(shown);
		prefix = shown + length - room + strlen(dots);
		length = room - strlen(dots);
	}
	while (*dots && length > 0 && ((unsigned char)*prefix & 0xc0) == 0x80) {
		prefix++;		/* begins with a whole character */
		length--;
	}
	(void)snprintf(whole, sizeof(whole), "%s%.*s%s%s", dots, (int)length, prefix, separator,
		       err->message);
	memcpy(err->message, whole, sizeof(err->message) - 1);
	err->message[sizeof(err->message) - 1] = '\0';
	mem_free(shown);
	return false;
}

bool err_about(struct err *err, enum err_code code, const char *name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	err_vset(err, code, 0, format, args);
	va_end(args);
	return err_join(err, name, strlen(name), ": ");
}

bool err_prefix(struct err *err, const char *format, ...)
{
	va_list args;
	char *prefix;

	if (!err)
		return false;
	va_start(args, format);
	prefix = mem_vformat(format, args);
	va_end(args);
	err_join(err, prefix, strlen(prefix), ": ");
	mem_free(prefix);
	return false;
}

bool err_at(struct err *err, const char *name, uint64_t line)
{
	char separator[sizeof(":18446744073709551615: ")] = ": ";

	if (!err)
		return false;
	if (line == 0)
		line = err->line;
	if (line > 0)
		(void)snprintf(separator, sizeof(separator), ":%llu: ", (unsigned long long)line);
	err->line = 0;
	return err_join(err, name, strlen(name), separator);
}

void err_clear(struct err *err)
{
	if (err)
		*err = (struct err){ .code = ERR_NONE };
}
