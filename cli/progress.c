/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define PROGRESS_MS 200

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

struct progress progress_begin(void)
{
	return (struct progress){ .terminal = isatty(STDERR_FILENO), .begun_ms = now_ms() };
}

void progress_show(struct progress *p, const char *what, double part, uint64_t count,
		   const char *unit)
{
	int64_t now = now_ms();
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

void progress_end(const struct progress *p)
{
	if (p->terminal)
		fputs("\r\033[K", stderr);
}
