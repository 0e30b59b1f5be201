/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim_log: the jobs of a log for the simulator, in the order of submission, and how many cannot be
 * used.
 *
 * A job that ran longer than its estimate is assumed to have been ended then. If no job of the log
 * has a time limit, run times are used as limits.
 */
#ifndef FAIRTOP_CORE_SIM_SIM_LOG_H
#define FAIRTOP_CORE_SIM_SIM_LOG_H

#include "core/replay/replay.h"
#include "core/sim/sim.h"

struct sim_log_options {
	uint32_t procs;		/* of the machine */
	int64_t from, to;	/* range of submission times; I64_UNKNOWN: no bound */
	double estimates;	/* factor on the time limit; 0: the exact run time */
	double load;		/* > 0: factor by which jobs arrive faster */
};
#define SIM_LOG_OPTIONS_INIT { .from = I64_UNKNOWN, .to = I64_UNKNOWN, .estimates = 1, .load = 1 }

/* Why a job is left out; gather.h sets the last two. */
enum sim_log_skip {
	SIM_LOG_NEVER_RAN, SIM_LOG_NOT_ENDED, SIM_LOG_NO_PROCS, SIM_LOG_NO_LIMIT, SIM_LOG_TOO_LARGE,
	SIM_LOG_NO_SUBMIT, SIM_LOG_NEVER_CAME,
	SIM_LOG_SKIPS
};
extern const char *const sim_log_skip_names[SIM_LOG_SKIPS];

struct sim_log {
	struct sim_job *jobs;
	uint32_t *source;	/* index in the replay of each job */
	uint32_t count;
	uint32_t left_out[SIM_LOG_SKIPS];
	uint32_t by_limit;	/* jobs that ran at least as long as their time limit */
	bool no_limits;		/* none was known */
};

/* ERR_INPUT if no job can be used. */
bool sim_log_make(struct sim_log *t, struct replay *r, const struct sim_log_options *o,
		  struct err *err);
void sim_log_free(struct sim_log *t);

/* The most processors in use at any time; 0 if nothing ran. */
uint32_t sim_log_peak(struct replay *r);

/* How well a policy explains what happened, over the jobs with known waits. */
struct sim_log_fidelity {
	uint32_t unknown;	/* jobs with unknown waits; if all, the rest is NaN */
	double correlation;	/* of ln(10 s + wait), NaN where waits do not differ */
	double within;		/* fraction of starts that are at most 60 s off */
	double mean, mean_true;	/* waits, s */
};
struct sim_log_fidelity sim_log_fidelity_of(const struct sim_log *t, struct replay *r);

#endif
