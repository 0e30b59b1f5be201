/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/visible.h"

void output_init(struct output *o)
{
	struct winsize size;

	o->used = 0;
	o->failed = false;
	/* If a sandbox refuses the call, it may be a terminal. */
	o->terminal = isatty(STDOUT_FILENO) || errno == EPERM;
	o->width = 0;
	if (o->terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		o->width = size.ws_col;
}

static bool output_all(struct output *o, const char *bytes, size_t length, struct err *err)
{
	while (length > 0) {
		ssize_t n = write(STDOUT_FILENO, bytes, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			o->failed = true;
			if (errno == EPIPE)
				return err_set(err, ERR_INPUT, "%s", "");
			return err_set(err, ERR_INPUT, "standard output: %s", strerror(errno));
		}
		bytes += n;
		length -= (size_t)n;
	}
	return true;
}

static bool output_raw(struct output *o, const char *bytes, size_t length, struct err *err)
{
	if (o->failed)
		return false;
	if (length <= sizeof(o->buffer) - o->used) {
		memcpy(o->buffer + o->used, bytes, length);
		o->used += length;
		return true;
	}
	if (!output_finish(o, err))
		return false;
	if (length >= sizeof(o->buffer))
		return output_all(o, bytes, length, err);
	memcpy(o->buffer, bytes, length);
	o->used = length;
	return true;
}

/* The only way to a terminal: makes visible what it would act upon or hide, except newlines. */
static bool output_write(void *context, const char *bytes, size_t length, struct err *err)
{
	struct output *o = context;
	char piece[16];
	uint32_t code;
	size_t n, run;
	bool ok = true;

	if (!o->terminal)
		return output_raw(o, bytes, length, err);
	for (; ok && length > 0; bytes += n, length -= n) {
		n = visible_ascii(bytes, length);
		for (run = n; run < length && (bytes[run] == '\n' || bytes[run] == '\t'); run++)
			;
		if (run > 0) {
			n = run;
			ok = output_raw(o, bytes, n, err);
			continue;
		}
		n = utf8_decode(bytes, length, &code);
		ok = output_raw(o, piece, visible_copy(piece, sizeof(piece), bytes, n), err);
	}
	return ok;
}

struct sink output_sink(struct output *o)
{
	return (struct sink){ .write = output_write, .context = o };
}

void output_text(struct output *o, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = mem_vformat(format, args);
	va_end(args);
	/* OUTPUT keeps the error for output_finish(). */
	(void)output_write(o, text, strlen(text), NULL);
	mem_free(text);
}

void output_line(struct output *o, const char *format, ...)
{
	va_list args;
	char *text, *safe;
	size_t size;

	va_start(args, format);
	text = mem_vformat(format, args);
	va_end(args);
	size = strlen(text) * 8 + 1;
	safe = mem_alloc(size, 1);
	visible_copy(safe, size, text, strlen(text));
	output_text(o, "%s\n", safe);
	mem_free(safe);
	mem_free(text);
}

bool output_finish(struct output *o, struct err *err)
{
	size_t used = o->used;

	o->used = 0;
	if (o->failed)
		return err_set(err, ERR_INPUT, "standard output: writing failed");
	return output_all(o, o->buffer, used, err);
}
