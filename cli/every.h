/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * every: verbs that answer again and again, until a signal ends them.
 */
#ifndef FAIRTOP_CLI_EVERY_H
#define FAIRTOP_CLI_EVERY_H

#include <stdint.h>

/* Blocks SIGINT, SIGTERM and SIGHUP, or lets them come. */
void every_hold(void);
void every_release(void);

/* Holds them, and gives the descriptor that they come through; which has come: 0 none. */
int every_open(void);
int every_take(int fd);

/* Until adapters/clock.h says NEXT_MS: 0, or the signal that came. */
int every_wait(int64_t next_ms);

#endif
