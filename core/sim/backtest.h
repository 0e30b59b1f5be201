/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backtest: what a log would have been under each of some policies, in total and for each account,
 * user, partition and size of job.
 *
 *	wait			s, from submission to start; the mean is of exact sums
 *	bounded slowdown	max(1, (wait + run) / max(run, 10 s)), mean over jobs (D. Feitelson
 *				and others, JSSPP 1997); summed with the error of each step kept
 *				(A. Neumaier, ZAMM 54, 1974)
 *	utilisation		processor-seconds of the jobs as a part of those that the machine
 *				has from the first submission to the last end
 *	makespan		s, that time
 *	jain			Jain's index of the users' mean bounded slowdowns (evenness.h)
 *	promised		the normalised shares of the users of an account, or of a user's
 *				associations: the part of the machine that is theirs
 *	gain			s, how much less jobs wait on average than under the first policy
 *
 * Over time, in steps of equal length from the first submission to the last end:
 *	share, utilisation	of what was used of the machine in the step
 *	waiting			jobs that wait, mean over the step
 * of what there is of the step: the schedule ends in its last one.
 */
#ifndef FAIRTOP_CORE_SIM_BACKTEST_H
#define FAIRTOP_CORE_SIM_BACKTEST_H

#include "core/base/column.h"
#include "core/sim/trial.h"

#define BACKTEST_POLICIES 4

enum backtest_scope {
	BACKTEST_TOTAL, BACKTEST_ACCOUNT, BACKTEST_USER, BACKTEST_PARTITION, BACKTEST_SIZE,
	BACKTEST_SCOPES
};

struct backtest_row {
	const char *policy;		/* borrowed */
	enum backtest_scope scope;
	const char *name;		/* borrowed; NULL: unknown, and of the total */
	uint32_t jobs;
	double wait_mean, wait_p50, wait_p95, response, slowdown;
	double share;			/* of the processor-seconds of all jobs */
	double promised;		/* of account and user, else NaN */
	double utilisation, gain;
	double makespan, jain;		/* NaN but in total */
	/* Of a step, in the rows of the view; else I64_UNKNOWN and NaN. */
	int64_t time;
	double waiting;
	/* Of each step, where there are some: processor-seconds, and seconds of waiting; owned. */
	double *used, *waited;
	uint32_t steps;
};

struct backtest {
	struct backtest_row *rows;	/* policy by policy, in the same order in each */
	size_t count, capacity;
	size_t first;			/* rows of the first policy */
	int64_t step;			/* s, to be set before the first policy; 0: no steps */
	int64_t from;			/* the first submission: where they begin */
	uint32_t steps, procs;		/* STEPS of the schedule that took longest */
};

/* From the first submission of T, whose jobs have starts, to the last end, s. */
int64_t backtest_makespan(const struct trial *t);

/*
 * Measures what the jobs of T, which have starts, are under POLICY with the shares of C (NULL:
 * nothing is promised). R and POLICY are borrowed. ERR_INPUT if there are too many steps.
 */
bool backtest_add(struct backtest *b, const char *policy, const struct trial *t, struct replay *r,
		  uint32_t procs, const struct cluster *c, struct err *err);
void backtest_free(struct backtest *b);

/* Row ROW under POLICY, by their numbers, in STEP; what is not of a step is unknown then. */
struct backtest_row backtest_at(const struct backtest *b, size_t policy, size_t row,
				uint32_t step);

/* The rows; with steps a row for each of them, of which BACKTEST_STEP_COLUMNS tell something. */
#define BACKTEST_STEP_COLUMNS \
	"time,policy,scope,name,shares_promised,share_delivered,utilisation,waiting"
extern const struct column backtest_columns[];
extern const size_t backtest_columns_count;
struct view backtest_view(const struct backtest *b);

#endif
