/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench: times of alternating runs, medians, and a verdict against a target.
 *
 * What is compared runs in turns in one process, so that a ratio does not depend on the machine's
 * mood. Only ratios are judged.
 */
#ifndef FAIRTOP_TESTS_BENCH_BENCH_H
#define FAIRTOP_TESTS_BENCH_BENCH_H

#include <stddef.h>
#include <stdio.h>

#include "core/base/err.h"

#define BENCH_RUNS_MAX 101

struct bench {
	const char *name;
	void (*run)(void *context);
	void *context;
	double seconds[BENCH_RUNS_MAX];
};

/*
 * Runs each of COUNT benches once unmeasured, then RUNS times in turns, REPEAT calls a measurement.
 */
void bench_run(struct bench *benches, size_t count, unsigned runs, unsigned repeat);

/* Runs it once and keeps the time in seconds[0]: for what needs something new for each call. */
void bench_once(struct bench *b);

double bench_median(const struct bench *b, unsigned runs);	/* seconds a call */

/*
 * Runs COMMAND in a shell; processor time in seconds of it and its children, and in *PEAK, which
 * may be NULL, the most memory in bytes that one of them held. The bench ends where it fails.
 */
double bench_command(const char *command, double *peak);

/*
 * A line on bench_report (NULL: the standard output) with what was measured, the most that it may
 * be and whether it is met: make bench ends with these lines.
 */
extern FILE *bench_report;
void bench_judge(double value, const char *unit, double target, const char *what, ...)
	ERR_PRINTF(4, 5);

/* Judges the ratio of both medians. */
void bench_ratio(const struct bench *b, const struct bench *baseline, unsigned runs, double target);

#endif
