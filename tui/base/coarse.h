/* SPDX-License-Identifier: GPL-2.0-or-later */
/* coarse: spans of time in one unit, as people say them, and how long they stay true. */
#ifndef FAIRTOP_TUI_BASE_COARSE_H
#define FAIRTOP_TUI_BASE_COARSE_H

#include <stddef.h>
#include <stdint.h>

/* ZERO (below 10 s), "20 s", "5 min", "3 h", "12 d"; and how many seconds more it reads so. */
int64_t coarse(int64_t seconds, const char *zero, char *buf, size_t size);

/* The same of what is left: it reads otherwise when its last full unit is used up. */
int64_t coarse_left(int64_t left, char *buf, size_t size);

#endif
