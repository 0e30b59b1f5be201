/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/bench/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Processor time of this thread, so that other load on the machine matters less. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void bench_run(struct bench *benches, size_t count, unsigned runs, unsigned repeat)
{
	for (size_t i = 0; i < count; i++)
		benches[i].run(benches[i].context);
	for (unsigned r = 0; r < runs; r++) {
		for (size_t i = 0; i < count; i++) {
			double start = now();

			for (unsigned k = 0; k < repeat; k++)
				benches[i].run(benches[i].context);
			benches[i].seconds[r] = (now() - start) / repeat;
		}
	}
}

void bench_once(struct bench *b)
{
	double start = now();

	b->run(b->context);
	b->seconds[0] = now() - start;
}

static double seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + 1e-6 * (double)t->tv_usec;
}

double bench_command(const char *command, double *peak)
{
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status != 0) {
		fprintf(stderr, "failed: %s\n", command);
		exit(1);
	}
	if (peak)
		*peak = 1024.0 * (double)usage.ru_maxrss;
	return seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double bench_median(const struct bench *b, unsigned runs)
{
	double sorted[BENCH_RUNS_MAX];

	memcpy(sorted, b->seconds, runs * sizeof(*sorted));
	qsort(sorted, runs, sizeof(*sorted), compare);
	return sorted[runs / 2];
}

FILE *bench_report;

void bench_judge(double value, const char *unit, double target, const char *what, ...)
{
	FILE *to = bench_report ? bench_report : stdout;
	va_list args;

	va_start(args, what);
	fputs("  ", to);
	vfprintf(to, what, args);
	fprintf(to, ": %.*f %s", value < 100 ? 2 : 0, value, unit);
	if (!isnan(target))
		fprintf(to, ", target at most %.4g: %s", target,
			value <= target ? "met" : "MISSED");
	fputc('\n', to);
	fflush(to);
	va_end(args);
}

void bench_ratio(const struct bench *b, const struct bench *baseline, unsigned runs, double target)
{
	double time = bench_median(b, runs), base = bench_median(baseline, runs);

	bench_judge(time / base, "times", target, "%s %.3f ms, %s %.3f ms", b->name, 1e3 * time,
		    baseline->name, 1e3 * base);
}
