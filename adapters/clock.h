/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock: the one clock of the program. Times are milliseconds of a clock that does not jump when
 * somebody sets the time; an END below 0 means never. All waits for an END go through here.
 */
#ifndef FAIRTOP_ADAPTERS_CLOCK_H
#define FAIRTOP_ADAPTERS_CLOCK_H

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

int64_t clock_ms(void);

/* The wall clock, in seconds since 1970. */
int64_t clock_time(void);

/* Milliseconds left until END_MS: -1 for no end, else 0 .. INT32_MAX. */
int clock_left(int64_t end_ms);

/* poll() until END_MS; a signal does not end it. */
int clock_poll(struct pollfd *fds, nfds_t count, int64_t end_ms);

/* Initializes a condition for clock_cond_wait(). */
void clock_cond_init(pthread_cond_t *cond);

/* Like pthread_cond_wait(); false if END_MS came first. */
bool clock_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t end_ms);

#endif
