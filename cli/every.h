/* SPDX-License-Identifier: GPL-2.0-or-later */
/* every: verbs that answer repeatedly, until a signal ends them. */
#ifndef FAIRTOP_CLI_EVERY_H
#define FAIRTOP_CLI_EVERY_H

#include <stdint.h>

/* Blocks SIGINT, SIGTERM and SIGHUP, or unblocks them. */
void every_hold(void);
void every_release(void);

/* Blocks them, and returns the descriptor that reports them; which one has come, 0: none. */
int every_open(void);
int every_take(int fd);

/* Waits until adapters/clock.h reaches NEXT_MS; returns 0, or the signal that came. */
int every_wait(int64_t next_ms);

#endif
