/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * night: a recording of the demo cluster, made where a test needs one.
 *
 * 97 pictures, one every five minutes, from 2026-05-03 21:00 UTC on. From 23:30 to 00:30 nothing
 * is known ("slurmctld does not answer"); at 02:00 PriorityWeightAge becomes 2000.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_NIGHT_H
#define FAIRTOP_TESTS_SUPPORT_NIGHT_H

#include "adapters/adapter.h"

#define NIGHT_BEGIN INT64_C(1777842000)		/* 2026-05-03 21:00 UTC */

/* Writes PATH, which must not exist; ends the test program if that fails. */
void night_record(const char *path);

/*
 * What RECORD writes as a source that is called NAME.recording. It is made once a test program and
 * goes with it.
 */
struct source *night_source_of(const char *name, void (*record)(const char *path));
struct source *night_source(void);

#endif
