/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backtest: measures the schedule of a log under each of some policies, in total and per account,
 * user, partition and size of job.
 *
 *	wait			s, from submission to start; the mean is of exact sums
 *	bounded slowdown	max(1, (wait + run) / max(run, 10 s)), mean over jobs (D. Feitelson
 *				and others, JSSPP 1997); compensated summation (A. Neumaier,
 *				ZAMM 54, 1974)
 *	utilisation		processor-seconds of the jobs over those that the machine has from
 *				the first submission to the last end
 *	makespan		s, that time
 *	jain			Jain's index of the users' mean bounded slowdowns (evenness.h)
 *	promised		the normalised shares of an account's users, or of a user's
 *				associations, as a fraction of the machine
 *	gain			s, how much shorter the mean wait is than under the first policy
 *
 * Over time, in steps of equal length from the first submission to the last end:
 *	share, utilisation	of the processor-seconds used in the step
 *	waiting			pending jobs, mean over the step
 * The last step is cut at the end of the schedule, and its values refer to that part.
 */
#ifndef FAIRTOP_CORE_SIM_BACKTEST_H
#define FAIRTOP_CORE_SIM_BACKTEST_H

#include "core/base/column.h"
#include "core/sim/sim_log.h"

#define BACKTEST_POLICIES 4

enum backtest_scope {
	BACKTEST_TOTAL, BACKTEST_ACCOUNT, BACKTEST_USER, BACKTEST_PARTITION, BACKTEST_SIZE,
	BACKTEST_SCOPES
};

struct backtest_row {
	const char *policy;		/* borrowed */
	enum backtest_scope scope;
	const char *name;		/* borrowed; NULL: unknown, or the row of the total */
	uint32_t jobs;
	double wait_mean, wait_p50, wait_p95, response, slowdown;
	double share;			/* of all jobs' processor-seconds */
	double promised;		/* for accounts and users, else NaN */
	double utilisation, gain;
	double makespan, jain;		/* NaN except in the total */
	/* Only in rows of a step; else I64_UNKNOWN and NaN. */
	int64_t time;
	double waiting;
	/*
	 * Per step, if there are steps: processor-seconds used, and seconds jobs were pending;
	 * owned.
	 */
	double *used, *waited;
	uint32_t steps;
};

struct backtest {
	struct backtest_row *rows;	/* grouped by policy, in the same order in each */
	size_t count, capacity;
	size_t first;			/* number of rows of the first policy */
	int64_t step;			/* s; set it before the first policy; 0: no steps */
	int64_t from;			/* the first submission, at which the steps begin */
	uint32_t steps, procs;		/* STEPS of the longest schedule */
};

/* Seconds from the first submission of T, whose jobs have starts, to the last end. */
int64_t backtest_makespan(const struct sim_log *t);

/*
 * Adds the measures of the jobs of T, which have starts, under POLICY with the shares of C (NULL:
 * no promised shares). R and POLICY are borrowed. ERR_INPUT if there are too many steps.
 */
bool backtest_add(struct backtest *b, const char *policy, const struct sim_log *t, struct replay *r,
		  uint32_t procs, const struct cluster *c, struct err *err);
void backtest_free(struct backtest *b);

/* Row ROW of policy POLICY (from 0) in STEP; values without a step are unknown. */
struct backtest_row backtest_at(const struct backtest *b, size_t policy, size_t row, uint32_t step);

/* The rows. With steps, each has one row per step; only BACKTEST_STEP_COLUMNS have values there. */
#define BACKTEST_STEP_COLUMNS \
	"time,policy,scope,name,shares_promised,share_delivered,utilisation,waiting"
extern const struct column backtest_columns[];
extern const size_t backtest_columns_count;
struct view backtest_view(const struct backtest *b);

#endif
