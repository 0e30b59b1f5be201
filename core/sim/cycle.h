/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cycle: one scheduling cycle over jobs in their order, with or without equivalence classes.
 *
 * Jobs are considered in order. A job that cannot run is put on the calendar while places are left
 * (backfill_depth). After that, once a job cannot run, the rest of its class is skipped with the
 * same reason. The outcome is the same with and without classes; only the log and the number of
 * considerations differ. Source: PBS design document of the equivalence classes; spec of PBS, 1 and
 * 7.
 */
#ifndef FAIRTOP_CORE_SIM_CYCLE_H
#define FAIRTOP_CORE_SIM_CYCLE_H

#include <stdbool.h>
#include <stdint.h>

enum cycle_status {
	CYCLE_RUN,		/* started */
	CYCLE_CALENDARED,	/* cannot run now; the scheduler keeps a place for it */
	CYCLE_BLOCKED,		/* considered, cannot run */
	CYCLE_SKIPPED,		/* not considered: its class cannot run */
	CYCLE_UNKNOWN,		/* the outcome is unknown */
	CYCLE_LEFT_OUT,		/* not part of the cycle (cycle_view.h) */
	CYCLE_STATUSES
};

/* Which later jobs are not considered once a job cannot run. */
enum cycle_stop { CYCLE_STOP_NONE, CYCLE_STOP_QUEUE, CYCLE_STOP_ALL };

/*
 * A queue as main_sched_loop() and should_backfill_with_job() of OpenPBS see it: jobs of a queue
 * with its own calendar places use only those.
 */
struct cycle_queue {
	uint32_t depth;			/* U32_UNKNOWN: none of its own, backfill_depth applies */
	enum cycle_stop stop;
};

struct cycle_input {
	uint32_t jobs;			/* PLACED may add jobs later in the order */
	const uint32_t *order;		/* JOBS numbers, in the order of consideration */
	const uint32_t *class_of;	/* per job */
	uint32_t classes;
	bool enabled;			/* equiv_class_enable */
	/*
	 * True: even while the calendar has places, a job of a blocked class gets its reason
	 * untried (is_ok_to_run() of OpenPBS). False: it is tried then, as in the document.
	 */
	bool repeats;
	uint32_t backfill_depth;	/* places on the calendar; 0: none */
	const struct cycle_queue *queues;
	uint32_t queue_count;
	/* The number of JOB's queue. NULL: there are no queues, and no job is stopped. */
	uint32_t (*queue)(void *context, uint32_t job);
	const char *strict;		/* the reason shown for stopped jobs */
	const char *unknown;		/* why the outcome of every job is unknown; or NULL */
	/*
	 * Tries to start JOB. NULL: it has started and its resources are taken; else the reason, a
	 * text that lives as long as the input.
	 */
	const char *(*start)(void *context, uint32_t job);
	/*
	 * Called when the job at PLACE in the order has started or is calendared; may reorder the
	 * jobs after it. May be NULL.
	 */
	void (*placed)(void *context, uint32_t place, enum cycle_status status);
	/* START only reports, job by job: one may start although its class is blocked. */
	bool reported;
	const char *own;	/* a reason that blocks one job but not its class; or NULL */
	/* Whether JOB gets a free calendar place: no if it can never run. NULL: always. */
	bool (*plan)(void *context, uint32_t job);
	void *context;
};

struct cycle {
	uint32_t jobs;
	uint8_t *status;		/* enum cycle_status, per job */
	const char **reason;		/* per job, NULL for those that have started */
	uint32_t considered;
	uint32_t strict;		/* how many were not considered, for in->strict */
};

struct cycle *cycle_run(const struct cycle_input *in);
void cycle_free(struct cycle *c);

/*
 * Outputs the lines of the scheduler's log in order. LATER_CONSIDERED: later members of a blocked
 * class have a "Considering" line, too, as in OpenPBS; in the document they have none.
 */
typedef void cycle_line(void *context, uint32_t job, const char *text);
void cycle_log(const struct cycle_input *in, const struct cycle *c, bool later_considered,
	       cycle_line *line, void *context);

#endif
