/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * joblog: the jobs of a log as likely spans need them: how long they ran (lengths.h), who came
 * (likely.h), and when those began that waited (calibration.h).
 *
 * A job without a time limit, or of unknown size, is left out.
 */
#ifndef FAIRTOP_CORE_SIM_JOBLOG_H
#define FAIRTOP_CORE_SIM_JOBLOG_H

#include "core/replay/replay.h"

#define JOBLOG_MOST 50000	/* jobs of a log: the last ones */

struct joblog_job {
	int64_t submit;			/* since when it might begin */
	int64_t start;			/* I64_UNKNOWN: it has not */
	int64_t end;			/* I64_UNKNOWN: not yet; it may be gone without a start */
	uint64_t user, account;		/* lengths_name() */
	uint32_t limit, procs;		/* s; at least 1 */
};

struct joblog {
	struct joblog_job *jobs;	/* by their submission */
	uint32_t count;
	size_t capacity;
	uint32_t *by_end;		/* those that ran and ended, by their ends */
	uint32_t ended;
	int64_t begins, until;		/* the first end, and the time that it is known to */
};

struct joblog *joblog_new(int64_t until);
void joblog_free(struct joblog *h);	/* NULL is fine */

void joblog_add(struct joblog *h, const struct joblog_job *job);
void joblog_sort(struct joblog *h);	/* after the last one */

/* What is known of the jobs of R at UNTIL; where they end before, up to the last event. */
struct joblog *joblog_of(struct replay *r, int64_t until);

/* Adds to L, which has none but the first ones of H, all that ended by UNTIL. */
struct lengths;
void joblog_learn(const struct joblog *h, int64_t until, struct lengths *l);

#endif
