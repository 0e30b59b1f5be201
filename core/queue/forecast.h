/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast: when does an account's F pass a value, or its job the one before it?
 *
 * Pass by pass the usage of every association is what the decay law makes of it, in closed form
 * (law.h), with the rates at which it is charged now; the engine then computes each moment as it
 * computes the present. Everybody else goes on as today; the object burns what it burns now,
 * nothing, or a given rate. Usage is reset as PriorityUsageResetPeriod says; jobs that start or end
 * are not foreseen.
 *
 * LSF has no F: its dynamic priority is asked about, after CPU time has decayed by HIST_HOURS and
 * what runs has added to the run time; without a value, when it passes that of the sibling which is
 * served right before.
 *
 * The first pass that meets the goal is looked for on a grid of a tenth of a half-life and then by
 * halving: exact where F only rises or only falls within a tenth of a half-life.
 */
#ifndef FAIRTOP_CORE_QUEUE_FORECAST_H
#define FAIRTOP_CORE_QUEUE_FORECAST_H

#include "core/queue/jobs.h"

enum forecast_burn { FORECAST_NOW, FORECAST_NONE, FORECAST_RATE };

struct forecast_question {
	uint32_t assoc;			/* row */
	uint32_t entry;			/* of the jobs of the model, ROW_NONE: about the account */
	enum forecast_burn burn;
	double rate;			/* billable TRES-seconds per hour, of FORECAST_RATE */
	double reach;			/* F, or a job's rank; NaN: none, or to pass one job */
	const struct calendar *calendar;	/* of the cluster: when resets are due */
	bool zone_is_ours;	/* it is of this machine's midnights, not the cluster's */
};

struct forecast_point {
	int64_t time;
	double fairshare, norm_usage;
	/* Of the job, else rank of the association; of LSF the dynamic priority. NaN unknown. */
	double priority, rank;
};

/* What is asked about: F, of LSF the dynamic priority; NaN unknown. */
double forecast_value(const struct forecast_point *p);

struct forecast {
	struct forecast_point *points;	/* owned; the first is the present */
	uint32_t count;
	bool asked;			/* there was a goal: an F, or another job to pass */
	int64_t reached;		/* time, I64_UNKNOWN: not within the horizon */
	int64_t horizon;		/* seconds that were looked ahead */
	char sentence[480];		/* without the date: core has no calendar */
};

/*
 * MODEL is what the scheduler has now; JOBS may be NULL without a job. ERR_INPUT where there is no
 * raw usage or no decay law that is known.
 */
bool forecast(const struct model *model, const struct jobs *jobs,
	      const struct forecast_question *question, struct forecast *out, struct err *err);
void forecast_free(struct forecast *f);

/*
 * The same moment by moment, for callers with other things to do in between. Model and jobs must
 * outlive it. forecast_step() is false when all is known; forecast_end() then gives the answer, or
 * gives up where OUT is NULL, and frees what was begun (NULL is fine).
 */
struct forecasting;
struct forecasting *forecast_begin(const struct model *model, const struct jobs *jobs,
				   const struct forecast_question *question, struct err *err);
bool forecast_step(struct forecasting *f);
int64_t forecast_ahead(const struct forecasting *f);	/* how far it looks now, in seconds */
void forecast_end(struct forecasting *f, struct forecast *out);

/*
 * For each association the seconds until it has used no more than its share (R at most 1, of Fair
 * Tree LevelFS at least 1) while everybody goes on as now: 0 where that is so, infinite where it is
 * not within the horizon, NaN unknown. Looked at are moments that lie a
 * twentieth of what has passed apart (a pass at least); between two R is taken as a straight line.
 * The caller's; NULL where forecast() is ERR_INPUT, where what runs now is unknown, and of LSF.
 */
double *forecast_recovery(const struct model *model, const struct calendar *calendar);

/* Usage of every association PASSES passes later, into USAGE. RATE: per second, by subtree. */
void forecast_usage(const struct cluster *c, const struct calendar *calendar, const double *rate,
		    int64_t passes, double *usage);

extern const struct column forecast_columns[];
extern const size_t forecast_columns_count;
struct view forecast_view(const struct forecast *f);

#endif
