/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starts: when the waiting jobs of a Slurm cluster begin, and where, if no more come and all run to
 * their limits, or for as long as they are said to (slurm_run.h); and likely between when, by a
 * log of what they did (calibration.h).
 */
#ifndef FAIRTOP_CORE_SIM_STARTS_H
#define FAIRTOP_CORE_SIM_STARTS_H

#include "core/base/column.h"
#include "core/sim/joblog.h"
#include "core/sim/sim_site.h"

/* How long a job will run, for trials. */
struct starts_run {
	uint32_t id, task;	/* U32_UNKNOWN: the job, or all tasks of the array */
	int64_t seconds;
	bool ignores_term;	/* holds its nodes for KillWait after its limit */
};

#define STARTS_BEFORE 3
#define STARTS_SOON 60		/* s: the next look of a scheduler */
#define STARTS_MANY 100		/* of more starts by limits come roughly at first */

struct starts_row {
	uint32_t job;		/* row of the JOB table */
	uint32_t id, task;
	uint32_t tasks;		/* that the row is of, TASK first, which START is of; mostly 1 */
	uint64_t place;		/* 1: the first of the queue now */
	int64_t start;		/* I64_UNKNOWN: not by what is known */
	int64_t p10, p50, p90;	/* of its start, calibrated; I64_UNKNOWN */
	uint32_t before[STARTS_BEFORE];	/* the first jobs to begin on its nodes ... */
	uint32_t before_count;		/* ... so many */
	/*
	 * The job, a row of the JOB table, that is the last to leave these nodes before, running
	 * ones included, and when; ROW_NONE: nobody has to leave them.
	 */
	uint32_t after;
	int64_t after_end;
	enum site_lack lack;	/* why it is unknown; SITE_NO_LACK with a start */
	const char *brief;	/* the same in a word or two; static, NULL with a start */
	char *nodes;		/* owned; NULL without a start */
};

/* What the starts rest on besides what is known, and how many have none, by reason. */
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
	int64_t reach;		/* s that were simulated, if not all; else 0 */
};

struct starts_options {
	const struct starts_run *runs;
	size_t run_count;
	const struct joblog *log;	/* NULL: spans stay unknown; borrowed */
	uint64_t seed;
	/*
	 * Points that an edit gives to the priority of each entry of the job index, of one that it
	 * releases all that it has; NULL: none. Borrowed.
	 */
	const int64_t *points;
	/*
	 * The row of the JOB table that is asked about; NULL: all. It is simulated until that job
	 * begins, exactly whatever the number of those that wait; others may have no start.
	 */
	const uint32_t *only;
	int64_t until;		/* a start of ONLY that is later is not wanted; 0: any is */
	/* Is the answer still wanted? Asked now and then; NULL: yes. */
	bool (*wanted)(void *context);
	void *context;
};

/* ERR_INPUT if C is no Slurm or lacks what is needed. */
bool starts_make(struct starts *s, const struct cluster *c, const struct starts_options *o,
		 struct err *err);
void starts_free(struct starts *s);

/*
 * How far an edit moves the priority of each entry, for the options; ENTRY: which of BASE it is,
 * ROW_NONE for none, NULL the same. The caller's.
 */
struct jobs;
int64_t *starts_points(const struct jobs *base, const struct jobs *edited, const uint32_t *entry);

/*
 * Is START of the job at ROW against the reason that the scheduler gave when it last looked: any
 * start, or one that is soon, as it looks next? Not if START is unknown. SEVERAL: the job has
 * entries in other partitions, and the reason is perhaps of another.
 */
bool starts_is_against(const struct cluster *c, uint32_t row, int64_t start, bool several);

/* The row of the job at row JOB of its table, of an array the task that begins first; NULL. */
const struct starts_row *starts_row_of(const struct starts *s, uint32_t job);

/* "12", "12_3", of a bundle "12_[3,...]" */
size_t starts_name(const struct starts_row *row, char *buf, size_t size);

/*
 * The same step by step, for whoever wants an answer soon: where many wait, starts by limits are at
 * first those of a pool of CPUs, and the exact ones come last. starts_step() is false when nothing
 * is left; starts_so_far() copies what is known, the caller's. C must outlive it.
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
