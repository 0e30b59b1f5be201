/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why: one answer about one job, for the person who waits for it.
 *
 * An answer is a list of lines. A line belongs to a part, is a sentence for people, and has the
 * facts of its sentence by key, for programs. Ranks and jobs ahead are from jobs.h, deciding terms
 * from compare.h, starts from starts.h, limits from job_limits.h.
 *
 * What can be read from the picture is there at once, why_new(). Simulated lines come later, since
 * they may take long: why_put_start() and why_help.h.
 *
 * An array has one answer, for the record with its pending tasks.
 */
#ifndef FAIRTOP_CORE_WHY_WHY_H
#define FAIRTOP_CORE_WHY_WHY_H

#include "core/base/timestr.h"
#include "core/queue/jobs.h"

enum why_state { WHY_WAITS, WHY_RUNS, WHY_ENDED };

/* In the order of output. */
enum why_part {
	WHY_HOLDS,		/* what keeps it from starting */
	WHY_PLACE,		/* its rank in the queue; one line at most */
	WHY_AHEAD,		/* which job is right ahead of it, and by what */
	WHY_START,		/* when it starts, ends or has run; one line at most */
	WHY_BEHIND,		/* for a running job: which jobs wait for its nodes */
	WHY_HELPS,		/* what its owner could change, best first */
	WHY_UNKNOWN,		/* what was not read, or is not modelled */
	WHY_PARTS
};

#define WHY_FACTS 12
#define WHY_NAME_MAX 32

struct why_fact {
	const char *key;	/* a literal */
	double number;		/* where TEXT is NULL; NaN: unknown */
	char *text;		/* owned */
};

struct why_line {
	enum why_part part;
	bool never;		/* for WHY_HOLDS: as things are, it can never start */
	char *text;		/* the sentence, without a full stop; owned */
	struct why_fact facts[WHY_FACTS];
	uint32_t fact_count;
};

struct why {
	const struct jobs *jobs;		/* borrowed */
	const struct calendar *people;		/* for times in sentences; borrowed */
	uint32_t entry;				/* of the job index */
	uint32_t job;				/* row of the JOB table */
	enum why_state state;
	char name[WHY_NAME_MAX];
	/* The first reason in few words: "the group limit of /physics"; owned, NULL: none. */
	char *cause;
	bool never;				/* set by a line of WHY_HOLDS */
	bool has_span;				/* why_put_span() */
	int64_t start;				/* by limits; I64_UNKNOWN; see why_put_start() */
	bool unplayed;	/* what holds it is not simulated, so neither is the job */
	struct why_line *lines;			/* owned */
	size_t count, capacity;
};

/*
 * Returns the answer about ENTRY of JOBS, which must outlive it, without simulated lines. PEOPLE
 * may be NULL: times are then Unix seconds.
 */
struct why *why_new(const struct jobs *jobs, uint32_t entry, const struct calendar *people);
void why_free(struct why *w);		/* NULL is fine */

/* The entry that OBJECT names, as in jobs_find(); for a task of a pending array, the array's. */
uint32_t why_find(const struct jobs *jobs, const char *object, struct err *err);

/* The entry with the pending tasks of ENTRY's array; else ENTRY. */
uint32_t why_speaker(const struct jobs *jobs, uint32_t entry);

/*
 * Adds the line about its start: from S if known there, else the scheduler's estimate; what has to
 * happen first; for a running job, which jobs wait for its nodes (WHY_BEHIND); and unknowns that
 * affect the start (WHY_UNKNOWN). S NULL: nothing is simulated, and WHY_NOT says why. A job held
 * for a reason that S does not model has no start, even if S has one.
 */
struct starts;
void why_put_start(struct why *w, const struct starts *s, const char *why_not);
/* Adds the likely span of its start, if S has one and it is not there yet. */
void why_put_span(struct why *w, const struct starts *s);

/* "141648", "141648_3"; for an array's pending tasks, the array's id. Returns BUF. */
const char *why_job_name(const struct cluster *c, uint32_t job, char buf[WHY_NAME_MAX]);

/* The first line of PART, NULL if it has none. */
const struct why_line *why_line_of(const struct why *w, enum why_part part);

/* ---- for the modules of this directory ------------------------------------------------------ */

/* Adds a line at the end of its part. The next call may move it. */
struct why_line *why_add(struct why *w, enum why_part part, const char *format, ...)
	ERR_PRINTF(3, 4);
void why_number(struct why_line *line, const char *key, double x);	/* NaN: unknown */
void why_time(struct why_line *line, const char *key, int64_t time);	/* Unix seconds */
void why_word(struct why_line *line, const char *key, const char *text);	/* NULL: unknown */

/*
 * TIME for people, relative to the picture's: "14:20" on the same day, "17 May 14:20" in the same
 * year, else "17 May 2027". Spans: "3 h 20 min", "2 days 4 h", "40 s". Both return BUF.
 */
#define WHY_WHEN_MAX 40
const char *why_when(const struct why *w, int64_t time, char buf[WHY_WHEN_MAX]);
const char *why_span(int64_t seconds, char buf[WHY_WHEN_MAX]);

#endif
