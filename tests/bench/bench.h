/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench: measures alternating runs, takes medians, and judges them against a target.
 *
 * Benches that are compared run alternately in one process, so that a ratio does not depend on the
 * load of the machine. Only ratios are judged.
 */
#ifndef FAIRTOP_TESTS_BENCH_BENCH_H
#define FAIRTOP_TESTS_BENCH_BENCH_H

#include <math.h>
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
 * Runs each of COUNT benches once unmeasured, then RUNS times alternately. A measurement is REPEAT
 * calls.
 */
void bench_run(struct bench *benches, size_t count, unsigned runs, unsigned repeat);

/* Runs B once and sets seconds[0]: for benches that need new data for each call. */
void bench_once(struct bench *b);

double bench_median(const struct bench *b, unsigned runs);	/* seconds per call */

/*
 * Runs COMMAND in a shell. Returns the processor time in seconds of it and its children, and in
 * *PEAK (may be NULL) the peak memory in bytes of the largest one. Ends the bench if it fails.
 */
double bench_command(const char *command, double *peak);

/*
 * Prints a line to bench_report (NULL: standard output) with the measured value, its target and
 * whether that is met: make bench ends with these lines. BENCH_NO_TARGET: only the value, for what
 * no user feels.
 */
#define BENCH_NO_TARGET NAN
extern FILE *bench_report;
void bench_judge(double value, const char *unit, double target, const char *what, ...)
	ERR_PRINTF(4, 5);

/* Judges the ratio of both medians. */
void bench_ratio(const struct bench *b, const struct bench *baseline, unsigned runs, double target);

#endif
