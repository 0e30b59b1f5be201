/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trial: the jobs of a log as the simulator takes them, in the order of their submission, and how
 * many of the log cannot be.
 *
 * A job that ran longer than its estimate is taken to have been ended then. If no job of the log
 * has a time limit, run times are taken for them.
 */
#ifndef FAIRTOP_CORE_SIM_TRIAL_H
#define FAIRTOP_CORE_SIM_TRIAL_H

#include "core/replay/replay.h"
#include "core/sim/sim.h"

struct trial_options {
	uint32_t procs;		/* of the machine */
	int64_t from, to;	/* submitted in this time; I64_UNKNOWN: no bound */
	double estimates;	/* of the time limit; 0: the run time, as if it were known */
	double load;		/* > 0: jobs arrive that many times as fast */
};
#define TRIAL_OPTIONS_INIT { .from = I64_UNKNOWN, .to = I64_UNKNOWN, .estimates = 1, .load = 1 }

/* Why a job is left out; the last two by who gathers the jobs of a recording (gather.h). */
enum trial_lack {
	TRIAL_NEVER_RAN, TRIAL_NOT_ENDED, TRIAL_NO_PROCS, TRIAL_NO_LIMIT, TRIAL_TOO_LARGE,
	TRIAL_NO_SUBMIT, TRIAL_NEVER_CAME,
	TRIAL_LACKS
};
extern const char *const trial_lack_names[TRIAL_LACKS];

struct trial {
	struct sim_job *jobs;
	uint32_t *source;	/* the job of the replay that each one is */
	uint32_t count;
	uint32_t left_out[TRIAL_LACKS];
	uint32_t by_limit;	/* jobs that ran as long as their time limit, or longer */
	bool no_limits;		/* none was known */
};

/* ERR_INPUT if no job can be taken. */
bool trial_make(struct trial *t, struct replay *r, const struct trial_options *o, struct err *err);
void trial_free(struct trial *t);

/* The most processors that were in use at a time; 0 if nothing ran. */
uint32_t trial_peak(struct replay *r);

/* How well a policy explains what happened, over the jobs whose waits are known. */
struct trial_fidelity {
	uint32_t unknown;	/* of how many jobs the wait is not; if of all, the rest is NaN */
	double correlation;	/* of ln(10 s + wait), NaN where waits do not differ */
	double within;		/* share of the starts that are at most 60 s off */
	double mean, mean_true;	/* waits, s */
};
struct trial_fidelity trial_fidelity_of(const struct trial *t, struct replay *r);

#endif
