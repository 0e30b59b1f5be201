/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starts: when and where the pending jobs of a Slurm cluster begin, if no more arrive and all run
 * to their limits or for a given time (slurm_run.h); and the likely span of each start, from a log
 * of past jobs (calibration.h).
 */
#ifndef FAIRTOP_CORE_SIM_STARTS_H
#define FAIRTOP_CORE_SIM_STARTS_H

#include "core/base/column.h"
#include "core/sim/joblog.h"
#include "core/sim/sim_site.h"

/* How long a job will run; for experiments. */
struct starts_run {
	uint32_t id, task;	/* U32_UNKNOWN: the job, or all tasks of the array */
	int64_t seconds;
	bool ignores_term;	/* holds its nodes for KillWait after its limit */
};

#define STARTS_BEFORE 3
#define STARTS_SOON 60		/* s: until the scheduler's next pass */
#define STARTS_MANY 100		/* above this, starts by limits are approximate at first */

struct starts_row {
	uint32_t job;		/* row of the JOB table */
	uint32_t id, task;
	uint32_t tasks;		/* tasks in this row, TASK first; START is TASK's; mostly 1 */
	uint64_t place;		/* 1: the first of the queue now */
	int64_t start;		/* I64_UNKNOWN: cannot be computed */
	int64_t p10, p50, p90;	/* calibrated start times; I64_UNKNOWN */
	uint32_t before[STARTS_BEFORE];	/* the first jobs that begin on its nodes ... */
	uint32_t before_count;		/* ... and how many */
	/*
	 * The last job to leave these nodes before, a row of the JOB table, running ones included,
	 * and when; ROW_NONE: none has to leave them.
	 */
	uint32_t after;
	int64_t after_end;
	enum site_obstacle obstacle;	/* why it is unknown; SITE_NO_OBSTACLE with a start */
	const char *brief;	/* the same in a word or two; static, NULL with a start */
	char *nodes;		/* owned; NULL without a start */
};

/* An assumption behind the starts, or how many jobs have no start for one reason. */
struct starts_note {
	char text[160];
};

struct starts {
	const struct cluster *c;	/* borrowed */
	struct starts_row *rows;
	size_t count;
	struct starts_note *notes;
	size_t note_count, note_capacity;
	bool rough;		/* starts by limits are still those of a pool of CPUs */
	int64_t reach;		/* s that were simulated if not all; else 0 */
};

struct starts_options {
	const struct starts_run *runs;
	size_t run_count;
	const struct joblog *log;	/* NULL: spans stay unknown; borrowed */
	uint64_t seed;
	/*
	 * Points that an edit adds to the priority of each entry of the job index; for one that the
	 * edit releases, its whole priority. NULL: none. Borrowed.
	 */
	const int64_t *points;
	/*
	 * The only row of the JOB table of interest; NULL: all. The simulation is exact, however
	 * many jobs are pending, and stops when that job begins; others may have no start.
	 */
	const uint32_t *only;
	int64_t until;		/* stop if ONLY does not start by then; 0: no bound */
	/* Called now and then: whether the answer is still wanted; NULL: yes. */
	bool (*wanted)(void *context);
	void *context;
};

/* ERR_INPUT if C is not Slurm or required data is unknown. */
bool starts_make(struct starts *s, const struct cluster *c, const struct starts_options *o,
		 struct err *err);
void starts_free(struct starts *s);

/*
 * How far an edit moves the priority of each entry, for starts_options.points. ENTRY maps each
 * entry to one of BASE, ROW_NONE for none, NULL: the same. The caller frees it.
 */
struct jobs;
int64_t *starts_points(const struct jobs *base, const struct jobs *edited, const uint32_t *entry);

/*
 * Whether START of the job at ROW contradicts the scheduler's last reason: some reasons exclude any
 * start, others one before its next pass. False if START is unknown. SEVERAL: the job has entries
 * in other partitions, and the reason may belong to one of those.
 */
bool starts_is_against(const struct cluster *c, uint32_t row, int64_t start, bool several);

/* The row of the job at row JOB of its table, for an array of its first task to begin; NULL. */
const struct starts_row *starts_row_of(const struct starts *s, uint32_t job);

/* "12", "12_3", of a bundle "12_[3,...]" */
size_t starts_name(const struct starts_row *row, char *buf, size_t size);

/*
 * The same step by step, for early answers: if many jobs are pending, starts by limits first come
 * from a pool of CPUs, and the exact ones last. starts_step() is false when nothing is left.
 * starts_so_far() returns a copy, which the caller frees, of what is known. C must outlive it.
 */
struct starting;
struct starting *starts_begin(const struct cluster *c, const struct starts_options *o,
			      struct err *err);
bool starts_step(struct starting *s);
void starts_so_far(struct starting *s, struct starts *out);
void starts_end(struct starting *s);	/* NULL is fine */

extern const struct column starts_columns[];
extern const size_t starts_columns_count;
struct view starts_view(const struct starts *s);

#endif
