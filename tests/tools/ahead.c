/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library to preload: it sets the wall clock $TEST_AHEAD seconds ahead (back if negative).
 * Deadlines (CLOCK_MONOTONIC) and the times of files stay those of the machine. (libfaketime would
 * keep a descriptor open, which tests that close descriptors would notice.)
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *t)
{
	const char *ahead = getenv("TEST_AHEAD");
	long failed = syscall(SYS_clock_gettime, clock, t);

	if (!failed && ahead && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
		t->tv_sec += atol(ahead);
	return failed ? -1 : 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	struct timespec t;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &t);
	now->tv_sec = t.tv_sec;
	now->tv_usec = t.tv_nsec / 1000;
	return 0;
}

time_t time(time_t *now)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	if (now)
		*now = t.tv_sec;
	return t.tv_sec;
}
