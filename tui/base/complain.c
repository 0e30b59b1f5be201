/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/base/complain.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/visible.h"

/* Bytes. */
#define LONG_NAME 240	/* the name of a source so long may have lost its end */
#define CUT_NAME 40	/* of a path in a name so long err_join() may leave out the beginning */

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

/* The length of the path that NAME is or begins with: without options and slashes at its end. */
static size_t complaint_path(const char *name)
{
	const char *sched = strstr(name, ",sched="), *cluster = strstr(name, ",cluster=");
	const char *option = sched ? sched : cluster;
	size_t length = option ? (size_t)(option - name) : strlen(name);

	while (length > 1 && name[length - 1] == '/')
		length--;
	return length;
}

/* Is MESSAGE about a path of which the beginning was left out, as it may be of a NAME so long? */
static bool complaint_is_cut(const char *message, const char *name)
{
	return strncmp(message, "...", 3) == 0 && strlen(name) >= CUT_NAME;
}

/* The character after NAME if MESSAGE begins with NAME as a whole or as a directory, else '\0'. */
static char complaint_follows(const char *message, const char *name)
{
	size_t length = complaint_path(name);
	char next;

	if (strncmp(message, name, length) != 0 || length == 0)
		return '\0';
	next = message[length];
	return next == ':' || next == ' ' || next == '/' ? next :
	       length >= LONG_NAME ? ':' : '\0';
}

void complaint_name(struct err *err, const char *subject)
{
	const char *colon = subject ? strchr(subject, ':') : NULL;
	size_t scheme = colon ? (size_t)(colon + 1 - subject) : 0;
	char whole, rest;

	if (!err->message[0] || !subject || !subject[0])
		return;
	/* The message may already begin with its subject, or with DIR of "slurm:DIR". */
	whole = complaint_follows(err->message, subject);
	rest = colon ? complaint_follows(err->message, colon + 1) : '\0';
	if (complaint_is_cut(err->message, subject))
		rest = ':';
	else if (strncmp(err->message, subject, scheme) == 0 &&
		 complaint_is_cut(err->message + scheme, subject))
		whole = ':';
	if (err->line > 0 || (!whole && !rest))
		err_at(err, subject, 0);
	else if (!whole && rest != '/')
		err_join(err, subject, scheme, "");
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
