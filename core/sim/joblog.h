/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * joblog: the jobs of a log for likely spans: how long they ran (lengths.h), which jobs came
 * (likely.h), and when pending ones began (calibration.h).
 *
 * A job without a time limit, or of unknown size, is left out.
 */
#ifndef FAIRTOP_CORE_SIM_JOBLOG_H
#define FAIRTOP_CORE_SIM_JOBLOG_H

#include "core/replay/replay.h"

#define JOBLOG_MOST 50000	/* only the last jobs of a log are kept */

struct joblog_job {
	int64_t submit;			/* from when it could begin */
	int64_t start;			/* I64_UNKNOWN: not started */
	int64_t end;			/* I64_UNKNOWN: not ended; may be set without a start */
	uint64_t user, account;		/* lengths_name() */
	uint32_t limit, procs;		/* s; at least 1 */
};

struct joblog {
	struct joblog_job *jobs;	/* by submission time */
	uint32_t count;
	size_t capacity;
	uint32_t *by_end;		/* those that ran and ended, by end time */
	uint32_t ended;
	int64_t begins, until;	/* the first end, and the time up to which the log is known */
};

struct joblog *joblog_new(int64_t until);
void joblog_free(struct joblog *h);	/* NULL is fine */

void joblog_add(struct joblog *h, const struct joblog_job *job);
void joblog_sort(struct joblog *h);	/* call it after the last one */

/* The jobs of R as known at UNTIL, or at the last event if that is earlier. */
struct joblog *joblog_of(struct replay *r, int64_t until);

/* Adds to L, which holds at most a first part of H, all that ended by UNTIL. */
struct lengths;
void joblog_learn(const struct joblog *h, int64_t until, struct lengths *l);

#endif
