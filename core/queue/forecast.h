/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast: when does the F of an account reach a value, or its job pass the one before it?
 *
 * Computes the usage of every association pass by pass, in closed form (decay_policy.h), from decay
 * and the current burn rates; the engine then computes each moment as it does the present. All
 * others keep their burn rates; the object has its current one, none, or a given one. Usage is
 * reset by PriorityUsageResetPeriod; jobs that start or end are not foreseen.
 *
 * LSF has no F: the forecast is of its dynamic priority, with CPU time decayed by HIST_HOURS and
 * running jobs adding to the run time. Without a value, the goal is to pass the sibling that is
 * served right before.
 *
 * The first pass that meets the goal is searched on a grid of a tenth of a half-life, then by
 * bisection: exact if F only rises or only falls within a tenth of a half-life.
 */
#ifndef FAIRTOP_CORE_QUEUE_FORECAST_H
#define FAIRTOP_CORE_QUEUE_FORECAST_H

#include "core/queue/jobs.h"

enum forecast_burn { FORECAST_NOW, FORECAST_NONE, FORECAST_RATE };

struct forecast_question {
	uint32_t assoc;			/* row */
	uint32_t entry;			/* of the model's jobs, ROW_NONE: about the account */
	enum forecast_burn burn;
	double rate;			/* billable TRES-seconds per hour, with FORECAST_RATE */
	double reach;			/* F, or a job's rank; NaN: no goal, or to pass one job */
	const struct calendar *calendar;	/* of the cluster, for the times of resets */
	bool zone_is_ours;	/* it uses this machine's midnights, not the cluster's */
};

struct forecast_point {
	int64_t time;
	double fairshare, norm_usage;
	/* Of the job, or the association's rank; in LSF the dynamic priority. NaN unknown. */
	double priority, rank;
};

/* The value of interest: F, in LSF the dynamic priority; NaN unknown. */
double forecast_value(const struct forecast_point *p);

struct forecast {
	struct forecast_point *points;	/* owned; the first is the present */
	uint32_t count;
	bool asked;			/* there was a goal: an F, or another job to pass */
	int64_t reached;		/* time, I64_UNKNOWN: not within the horizon */
	int64_t horizon;		/* how far ahead the search went, in seconds */
	char sentence[480];		/* without the date: core has no calendar */
};

/*
 * MODEL is the present; JOBS may be NULL without a job. ERR_INPUT if raw usage or the decay
 * settings are unknown.
 */
bool forecast(const struct model *model, const struct jobs *jobs,
	      const struct forecast_question *question, struct forecast *out, struct err *err);
void forecast_free(struct forecast *f);

/*
 * The same in steps, for callers with other work in between. Model and jobs must outlive it.
 * forecast_step() returns false when it is done; forecast_end() then sets OUT, or abandons the
 * search if OUT is NULL, and frees it (NULL is fine).
 */
struct forecasting;
struct forecasting *forecast_begin(const struct model *model, const struct jobs *jobs,
				   const struct forecast_question *question, struct err *err);
bool forecast_step(struct forecasting *f);
int64_t forecast_ahead(const struct forecasting *f);	/* how far ahead it looks now, in seconds */
void forecast_end(struct forecasting *f, struct forecast *out);

/*
 * Returns for each association the seconds until its usage is at most its share (R at most 1, in
 * Fair Tree LevelFS at least 1) if all burn rates stay: 0 if so now, infinite if not within the
 * horizon, NaN unknown. Computes moments a twentieth of the elapsed time apart (at least one pass),
 * and R linearly in between. Caller frees; NULL if forecast() is ERR_INPUT, if the running jobs are
 * unknown, and for LSF.
 */
double *forecast_recovery(const struct model *model, const struct calendar *calendar);

/* Sets USAGE to every association's usage PASSES passes later. RATE: per second, by subtree. */
void forecast_usage(const struct cluster *c, const struct calendar *calendar, const double *rate,
		    int64_t passes, double *usage);

extern const struct column forecast_columns[];
extern const size_t forecast_columns_count;
struct view forecast_view(const struct forecast *f);

#endif
