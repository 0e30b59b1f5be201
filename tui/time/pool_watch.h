/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool_watch: reads a recording's samples before the one shown, so that what the queues of a pool
 * have accumulated until then is known. A live source is watched as it comes (show.c).
 */
#ifndef FAIRTOP_TUI_TIME_POOL_WATCH_H
#define FAIRTOP_TUI_TIME_POOL_WATCH_H

#include "tui/rows/state.h"

extern const struct feature pool_watch_feature;

#endif
