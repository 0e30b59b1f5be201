/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock: adapters/clock.h for tests, in place of the product's: the linker takes it where a test
 * names one of these. It goes as the real one does until it is told otherwise; whoever waits for
 * it notices within a millisecond or two.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_CLOCK_H
#define FAIRTOP_TESTS_SUPPORT_CLOCK_H

#include <stdatomic.h>
#include <stdint.h>

#include "adapters/clock.h"

/* From now on it is MS, and goes only as the test says. */
void clock_stop(int64_t ms);

/* It is MS later, whether it is stopped or goes. */
void clock_advance(int64_t ms);

/* It goes again, from where it is. */
void clock_go(void);

/* A stopped clock: it is MS later each time that somebody looks at it. 0: no more of this. */
void clock_tick(int64_t ms);

/*
 * A stopped clock: as soon as THREADS of them wait, and nothing that one of them polls is ready, it
 * is the time that the first of them waits for. Nobody may signal a condition then that is waited
 * for, but who comes from waiting himself. 0: no more of this.
 */
void clock_flow(unsigned threads);

/* How often somebody looked whether to wait for a condition, and did; for await_count(). */
extern atomic_uint clock_waits;

/* clock_time() is SECONDS now, and goes with the clock. */
void clock_set_time(int64_t seconds);

#endif
