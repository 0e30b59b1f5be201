/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * busy: a recording of two days in which 150 jobs of three accounts wait for the 16 processors of
 * a Slurm without backfill; one sample every half hour.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_BUSY_H
#define FAIRTOP_TESTS_SUPPORT_BUSY_H

#include <stdint.h>

#define BUSY_BEGIN INT64_C(1777842000)		/* 2026-05-03 21:00 UTC */

/* Writes PATH, which must not exist; ends the test program if that fails. */
void busy_record(const char *path);

#endif
