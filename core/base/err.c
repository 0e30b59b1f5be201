/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/err.h"

#include <stdio.h>
#include <string.h>

/* The analyser's view of them (err.h). */
#undef err_set
#undef err_set_line

static void err_vset(struct err *err, enum err_code code, uint32_t line, const char *format,
		     va_list args) ERR_PRINTF(4, 0);

static void err_vset(struct err *err, enum err_code code, uint32_t line, const char *format,
		     va_list args)
{
	if (!err)
		return;
	err->code = code;
	err->line = line;
	(void)vsnprintf(err->message, sizeof(err->message), format, args);
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

void err_prefix(struct err *err, const char *format, ...)
{
	char prefix[ERR_MESSAGE_MAX], whole[ERR_MESSAGE_MAX * 2 + 2];
	va_list args;

	if (!err)
		return;
	va_start(args, format);
	(void)vsnprintf(prefix, sizeof(prefix), format, args);
	va_end(args);
	(void)snprintf(whole, sizeof(whole), "%s: %s", prefix, err->message);
	memcpy(err->message, whole, sizeof(err->message) - 1);
	err->message[sizeof(err->message) - 1] = '\0';
}

void err_in_directory(struct err *err, const char *directory)
{
	char message[ERR_MESSAGE_MAX];

	if (!err)
		return;
	memcpy(message, err->message, sizeof(message));
	(void)snprintf(err->message, sizeof(err->message), "%.200s/%.300s", directory, message);
	err->line = 0;
}

void err_clear(struct err *err)
{
	if (err)
		*err = (struct err){ .code = ERR_NONE };
}
