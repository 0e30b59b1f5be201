/* SPDX-License-Identifier: GPL-2.0-or-later */
/* coarse: time spans in one unit, as people say them, and how long such a text stays valid. */
#ifndef FAIRTOP_TUI_BASE_COARSE_H
#define FAIRTOP_TUI_BASE_COARSE_H

#include <stddef.h>
#include <stdint.h>

/* ZERO (below 10 s), "20 s", "5 min", "3 h", "12 d"; returns the seconds until it changes. */
int64_t coarse(int64_t seconds, const char *zero, char *buf, size_t size);

/* The same for remaining time, which counts down; the text changes no sooner than returned. */
int64_t coarse_left(int64_t left, char *buf, size_t size);

#endif
