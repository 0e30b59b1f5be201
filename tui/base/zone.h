/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zone: local time, of this machine or of a cluster's time zone, for core's struct calendar.
 *
 * Entering another zone changes TZ of the process, which must not happen while other threads read
 * the time: only for verbs that print one answer.
 */
#ifndef FAIRTOP_TUI_BASE_ZONE_H
#define FAIRTOP_TUI_BASE_ZONE_H

#include "core/base/timestr.h"

/* The zone of this process; constant, usable from any thread. */
extern const struct calendar zone_local;

/* Enters ZONE ("Europe/Paris"; "": the local one) until zone_leave(). */
void zone_enter(const char *zone);
void zone_leave(void);

#endif
