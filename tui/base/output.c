/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/base/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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
	struct sink sink = { .write = output_write, .context = o };

	return sink;
}

void output_text(struct output *o, const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0)
		abort();
	/* OUTPUT keeps the error for output_finish(). */
	(void)output_write(o, text, (size_t)n, NULL);
	free(text);
}

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

void output_item(struct sink out, const char *label, size_t indent, size_t width, const char *text)
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

bool output_finish(struct output *o, struct err *err)
{
	size_t used = o->used;

	o->used = 0;
	if (o->failed)
		return err_set(err, ERR_INPUT, "standard output: writing failed");
	return output_all(o, o->buffer, used, err);
}

static volatile int standard_error = STDERR_FILENO;

void complain_to(int fd)
{
	standard_error = fd;
}

void complain_of_memory(void)
{
	static const char line[] = "fairtop: out of memory (see ulimit -v, or ask for fewer "
				   "rows)\n";
	ssize_t written = write(standard_error, line, sizeof(line) - 1);

	(void)written;
}

static void complain_line(const char *line)
{
	size_t size = strlen(line) * 8 + 1;
	char *safe = mem_alloc(size, 1);

	visible_copy(safe, size, line, strlen(line));
	visible_hide_passwords(safe);
	(void)fprintf(stderr, "fairtop: %s\n", safe);
	mem_free(safe);
}

int complain(const struct err *err)
{
	if (err->message[0])
		complain_line(err->message);
	return err->code == ERR_NONE ? ERR_INPUT : (int)err->code;
}

/* The character after NAME if MESSAGE begins with NAME as a whole or as a directory, else '\0'. */
static char output_follows(const char *message, const char *name)
{
	size_t length = strlen(name);
	char next;

	while (length > 1 && name[length - 1] == '/')
		length--;
	next = strncmp(message, name, length) == 0 ? message[length] : '\0';
	return length > 0 && (next == ':' || next == ' ' || next == '/') ? next : '\0';
}

void complaint_name(struct err *err, const char *subject)
{
	const char *colon = subject ? strchr(subject, ':') : NULL;
	char whole, rest;

	if (!err->message[0] || !subject || !subject[0])
		return;
	/* The message may already begin with its subject, or with DIR of "slurm:DIR". */
	whole = output_follows(err->message, subject);
	rest = colon ? output_follows(err->message, colon + 1) : '\0';
	if (err->line > 0 || (!whole && !rest))
		err_at(err, subject, 0);
	else if (!whole && rest != '/')
		err_join(err, subject, (size_t)(colon + 1 - subject), "");
}

int complain_about(const char *subject, const struct err *err)
{
	struct err copy = *err;

	complaint_name(&copy, subject);
	return complain(&copy);
}

void remark(const char *subject, const char *format, ...)
{
	va_list ap;
	char *text, *line;

	va_start(ap, format);
	text = mem_vformat(format, ap);
	va_end(ap);
	line = mem_format("%s: %s", subject, text);
	complain_line(line);
	mem_free(line);
	mem_free(text);
}
