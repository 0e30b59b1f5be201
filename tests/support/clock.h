/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock: adapters/clock.h for tests. The linker uses it instead of the real one in a test that
 * calls one of these functions. It runs like the real clock until changed; a waiting thread notices
 * a change within a millisecond or two.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_CLOCK_H
#define FAIRTOP_TESTS_SUPPORT_CLOCK_H

#include <stdatomic.h>
#include <stdint.h>

#include "adapters/clock.h"

/* Sets the clock to MS and stops it: only the test advances it. */
void clock_stop(int64_t ms);

/* Advances the clock by MS, whether it is stopped or running. */
void clock_advance(int64_t ms);

/* Lets the clock run again, from its present value. */
void clock_go(void);

/* Makes a stopped clock advance by MS each time it is read. 0 ends this. */
void clock_tick(int64_t ms);

/*
 * Makes a stopped clock jump to the earliest deadline as soon as THREADS threads wait and nothing
 * they poll is ready. A condition that is waited for may then be signalled only by a thread that
 * has itself just returned from waiting. 0 ends this.
 */
void clock_flow(unsigned threads);

/* How often a thread began to wait for a condition; for await_count(). */
extern atomic_uint clock_waits;

/* Sets clock_time() to SECONDS; from then on it advances with the clock. */
void clock_set_time(int64_t seconds);

#endif
