/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cycle: one scheduling cycle over jobs in their order, with or without equivalence classes.
 *
 * Jobs are considered in order. One that cannot run is put on the calendar as long as that has room
 * (backfill_depth); after that, once a job cannot run, the rest of its class is passed over with
 * the same reason. The outcome is the same with classes and without; only the log and the number of
 * considerations differ. Source: PBS design document of the equivalence classes; spec of PBS, 1
 * and 7.
 */
#ifndef FAIRTOP_CORE_SIM_CYCLE_H
#define FAIRTOP_CORE_SIM_CYCLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cycle_status {
	CYCLE_RUN,		/* started */
	CYCLE_CALENDARED,	/* cannot run now; the scheduler keeps a place for it */
	CYCLE_BLOCKED,		/* considered, cannot run */
	CYCLE_SKIPPED,		/* not considered: its class cannot run */
	CYCLE_UNKNOWN,		/* nobody can tell */
	CYCLE_LEFT_OUT,		/* of cycle_view.h: no part of the cycle */
	CYCLE_STATUSES
};

/* Which jobs are not considered behind one that cannot run. */
enum cycle_stop { CYCLE_STOP_NONE, CYCLE_STOP_QUEUE, CYCLE_STOP_ALL };

/*
 * A queue as main_sched_loop() and should_backfill_with_job() of OpenPBS look at it: with places of
 * its own on the calendar its jobs have those, and no other.
 */
struct cycle_queue {
	uint32_t depth;			/* U32_UNKNOWN: none of its own, backfill_depth counts */
	enum cycle_stop stop;
};

struct cycle_input {
	uint32_t jobs;			/* PLACED may add some, behind its place in the order */
	const uint32_t *order;		/* JOBS numbers, first considered first */
	const uint32_t *class_of;	/* per job */
	uint32_t classes;
	bool enabled;			/* equiv_class_enable */
	/*
	 * While the calendar has places, too, a job whose class cannot run has its reason and is
	 * not tried (is_ok_to_run() of OpenPBS); else it is tried then, as the document has it.
	 */
	bool repeats;
	uint32_t backfill_depth;	/* places on the calendar; 0: none */
	const struct cycle_queue *queues;
	uint32_t queue_count;
	/* The number of JOB's queue. NULL: there are no queues, and nobody is stopped. */
	uint32_t (*queue)(void *context, uint32_t job);
	const char *strict;		/* the words for those that are stopped */
	const char *unknown;		/* why nobody can tell what comes of any job; or NULL */
	/*
	 * Tries to start JOB: NULL if it fits, and what it takes is then gone; else why not, a text
	 * that lives as long as the input.
	 */
	const char *(*start)(void *context, uint32_t job);
	/*
	 * The job at PLACE of the order runs or is calendared: what follows may be sorted anew. May
	 * be NULL.
	 */
	void (*placed)(void *context, uint32_t place, enum cycle_status status);
	/* START only tells, job by job: one may start where others of its class do not. */
	bool told;
	const char *own;		/* a reason that blocks a job and not its class; or NULL */
	/* There are places: does JOB get one? No, if it can never run. NULL: yes. */
	bool (*plan)(void *context, uint32_t job);
	void *context;
};

struct cycle {
	uint32_t jobs;
	uint8_t *status;		/* enum cycle_status, per job */
	const char **reason;		/* per job, NULL for those that run */
	uint32_t considered;
	uint32_t strict;		/* not considered for in->strict */
};

struct cycle *cycle_run(const struct cycle_input *in);
void cycle_free(struct cycle *c);

/*
 * The lines of the scheduler's log, in order. LATER_CONSIDERED: later members of a blocked class
 * have a "Considering" line, too, as OpenPBS writes them; the document's do not.
 */
typedef void cycle_line(void *context, uint32_t job, const char *text);
void cycle_log(const struct cycle_input *in, const struct cycle *c, bool later_considered,
	       cycle_line *line, void *context);

#endif
