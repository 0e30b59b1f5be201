/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/clock.h"

#include <errno.h>
#include <time.h>

int64_t clock_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t clock_time(void)
{
	return (int64_t)time(NULL);
}

int clock_left(int64_t end_ms)
{
	int64_t left;

	if (end_ms < 0)
		return -1;
	left = end_ms - clock_ms();
	return left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int)left;
}

int clock_poll(struct pollfd *fds, nfds_t count, int64_t end_ms)
{
	int n;

	do {
		n = poll(fds, count, clock_left(end_ms));
	} while ((n == 0 && clock_left(end_ms) != 0) || (n < 0 && errno == EINTR));
	return n;
}

void clock_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &attributes);
	pthread_condattr_destroy(&attributes);
}

bool clock_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t end_ms)
{
	struct timespec t = { end_ms / 1000, end_ms % 1000 * 1000000 };

	return (end_ms < 0 ? pthread_cond_wait(cond, lock) :
			     pthread_cond_timedwait(cond, lock, &t)) == 0;
}
