/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trial: the jobs of a log for the simulator, in the order of submission, and how many cannot be
 * used.
 *
 * A job that ran longer than its estimate is assumed to have been ended then. If no job of the log
 * has a time limit, run times are used as limits.
 */
#ifndef FAIRTOP_CORE_SIM_TRIAL_H
#define FAIRTOP_CORE_SIM_TRIAL_H

#include "core/replay/replay.h"
#include "core/sim/sim.h"

struct trial_options {
	uint32_t procs;		/* of the machine */
	int64_t from, to;	/* range of submission times; I64_UNKNOWN: no bound */
	double estimates;	/* factor on the time limit; 0: the exact run time */
	double load;		/* > 0: factor by which jobs arrive faster */
};
#define TRIAL_OPTIONS_INIT { .from = I64_UNKNOWN, .to = I64_UNKNOWN, .estimates = 1, .load = 1 }

/* Why a job is left out; gather.h sets the last two. */
enum trial_lack {
	TRIAL_NEVER_RAN, TRIAL_NOT_ENDED, TRIAL_NO_PROCS, TRIAL_NO_LIMIT, TRIAL_TOO_LARGE,
	TRIAL_NO_SUBMIT, TRIAL_NEVER_CAME,
	TRIAL_LACKS
};
extern const char *const trial_lack_names[TRIAL_LACKS];

struct trial {
	struct sim_job *jobs;
	uint32_t *source;	/* index in the replay of each job */
	uint32_t count;
	uint32_t left_out[TRIAL_LACKS];
	uint32_t by_limit;	/* jobs that ran at least as long as their time limit */
	bool no_limits;		/* none was known */
};

/* ERR_INPUT if no job can be used. */
bool trial_make(struct trial *t, struct replay *r, const struct trial_options *o, struct err *err);
void trial_free(struct trial *t);

/* The most processors in use at any time; 0 if nothing ran. */
uint32_t trial_peak(struct replay *r);

/* How well a policy explains what happened, over the jobs with known waits. */
struct trial_fidelity {
	uint32_t unknown;	/* jobs with unknown waits; if all, the rest is NaN */
	double correlation;	/* of ln(10 s + wait), NaN where waits do not differ */
	double within;		/* fraction of starts that are at most 60 s off */
	double mean, mean_true;	/* waits, s */
};
struct trial_fidelity trial_fidelity_of(const struct trial *t, struct replay *r);

#endif
