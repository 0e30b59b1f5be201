/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "adapters/clock.h"
#include "core/base/visible.h"
#include "tui/base/complain.h"

#define PROGRESS_MS 200

struct progress progress_begin(void)
{
	return (struct progress){ .terminal = isatty(STDERR_FILENO), .begun_ms = clock_ms() };
}

void progress_show(struct progress *p, const char *what, double part, uint64_t count,
		   const char *unit)
{
	int64_t now = clock_ms();
	double seconds = (double)(now - p->begun_ms) / 1000;

	if (!p->terminal || now - p->shown_ms < PROGRESS_MS)
		return;
	p->shown_ms = now;
	fprintf(stderr, "\r\033[K%s:", what);
	if (part > 0)
		fprintf(stderr, " %.0f %%,", 100 * part);
	fprintf(stderr, " %llu %s, %.0f/s", (unsigned long long)count, unit,
		seconds > 0 ? (double)count / seconds : 0);
	if (part > 0.01)
		fprintf(stderr, ", %.0f s left", seconds / part - seconds);
	fflush(stderr);
}

static void copy_name(char *buf, size_t size, const char *name)
{
	(void)visible_copy(buf, size, name, strlen(name));
	visible_hide_passwords(buf);
}

void progress_waits(const char *doing, const char *source, int64_t every_ms, const char *into)
{
	char from[256], to[256];

	if (!isatty(STDERR_FILENO))
		return;
	copy_name(from, sizeof(from), source ? source : "the scheduler here");
	copy_name(to, sizeof(to), into ? into : "");
	if (every_ms > 0)
		fprintf(stderr, "%s %s every %gs%s%s; Ctrl-C stops\n", doing, from,
			(double)every_ms / 1000, into ? " into " : "", to);
	fprintf(stderr, "asking %s ...", from);
}

void progress_heard(const char *format, ...)
{
	time_t now = (time_t)clock_time();
	struct tm tm;
	char clock[16];
	va_list args;

	if (!isatty(STDERR_FILENO) || !localtime_r(&now, &tm))
		return;
	(void)strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
	progress_clear();
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, " at %s", clock);
}

void progress_clear(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

void progress_remark(const char *subject, const char *text)
{
	progress_clear();
	remark(subject, "%s", text);
}
