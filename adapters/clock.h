/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock: the one clock for deadlines. It does not jump when somebody sets the time.
 */
#ifndef FAIRTOP_ADAPTERS_CLOCK_H
#define FAIRTOP_ADAPTERS_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/*
 * What is left until END_MS, as poll() wants it: -1 for no end (END_MS < 0), else 0 ..
 * INT32_MAX.
 */
static inline int clock_left(int64_t end_ms)
{
	int64_t left;

	if (end_ms < 0)
		return -1;
	left = end_ms - clock_ms();
	return left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int)left;
}

#endif
