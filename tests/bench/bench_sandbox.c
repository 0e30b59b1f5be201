/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What it costs to read a snapshot in a sandboxed child, from the start of fairtop to its end: when
 * the child prints the answer (accounts), and when it hands over the data (a frame of the screen).
 * Wall-clock time, as most of it is spent in the kernel. A user does not notice 5 ms.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/bench.h"

#define RUNS 31u
#define TARGET_MS 5.0

static char program[4096], snapshot[4096];

static void run_it(const char *const *argv, const char *sandbox)
{
	posix_spawn_file_actions_t actions;
	int status = -1;
	pid_t pid;

	setenv("FAIRTOP_SANDBOX", sandbox, 1);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawn(&pid, program, &actions, NULL, (char *const *)argv, environ) != 0 ||
	    waitpid(pid, &status, 0) != pid || status != 0) {
		fprintf(stderr, "bench_sandbox: %s fails\n", program);
		exit(1);
	}
	posix_spawn_file_actions_destroy(&actions);
}

static double ms_of(const char *const *argv, const char *sandbox)
{
	struct timespec begin, end;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	run_it(argv, sandbox);
	clock_gettime(CLOCK_MONOTONIC, &end);
	return (double)(end.tv_sec - begin.tv_sec) * 1e3 +
	       (double)(end.tv_nsec - begin.tv_nsec) / 1e6;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Alternates on and off; judges the median of the differences. */
static void measure(const char *what, const char *const *argv)
{
	double more[RUNS];

	(void)ms_of(argv, "on");
	for (unsigned i = 0; i < RUNS; i++)
		more[i] = ms_of(argv, "on") - ms_of(argv, "off");
	qsort(more, RUNS, sizeof(*more), compare);
	bench_judge(more[RUNS / 2], "ms more", TARGET_MS, "%s", what);
}

int main(void)
{
	const char *build = getenv("FAIRTOP_BUILD"), *source = getenv("srcdir");
	const char *accounts[] = { program, "accounts", snapshot, NULL };
	const char *frame[] = { program, snapshot, "--render", "100x24", NULL };

	snprintf(program, sizeof(program), "%s/fairtop", build ? build : ".");
	snprintf(snapshot, sizeof(snapshot), "%s/data/demo.snapshot", source ? source : "..");
	printf("Who reads a snapshot shuts himself in (medians of %u turns)\n", RUNS);
	measure("accounts", accounts);
	measure("a frame of the screen", frame);
	return 0;
}
