/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * night: a recording of the demo cluster, made where a test needs one.
 *
 * 97 samples, one every five minutes, from 2026-05-03 21:00 UTC on. Between 23:30 and 00:30 there
 * is no data ("slurmctld does not answer"); at 02:00 PriorityWeightAge becomes 2000.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_NIGHT_H
#define FAIRTOP_TESTS_SUPPORT_NIGHT_H

#include "adapters/adapter.h"

#define NIGHT_BEGIN INT64_C(1777842000)		/* 2026-05-03 21:00 UTC */

/* Writes PATH, which must not exist; ends the test program if that fails. */
void night_record(const char *path);

/*
 * The recording that RECORD writes, as a source called NAME.recording. It is written once per test
 * program and deleted when that ends.
 */
struct source *night_source_of(const char *name, void (*record)(const char *path));
struct source *night_source(void);

#endif
