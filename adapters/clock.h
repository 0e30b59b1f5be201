/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock: the one clock of the adapters. Times are milliseconds of a clock that does not jump when
 * somebody sets the time; an END below 0 is never. Whoever waits until an END does it here.
 */
#ifndef FAIRTOP_ADAPTERS_CLOCK_H
#define FAIRTOP_ADAPTERS_CLOCK_H

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

int64_t clock_ms(void);

/* Seconds since 1970, as people and schedulers write them. */
int64_t clock_time(void);

/* What is left until END_MS: -1 for no end, else 0 .. INT32_MAX. */
int clock_left(int64_t end_ms);

/* poll() until END_MS, which a signal does not end. */
int clock_poll(struct pollfd *fds, nfds_t count, int64_t end_ms);

/* Of a condition that clock_cond_wait() waits for. */
void clock_cond_init(pthread_cond_t *cond);

/* Like pthread_cond_wait(); false when END_MS has come first. */
bool clock_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t end_ms);

#endif
