/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay_charge: what remains of one job in the usage of its association, in closed form.
 *
 * The same formula as replay.h (share/decay.h), job by job instead of pass by pass: what a pass
 * adds is decayed by all later passes, and the whole slices of a job are a difference of two sums.
 * So a job's part can be computed from any pass on, as if all usage before had been zeroed there.
 */
#ifndef FAIRTOP_CORE_REPLAY_REPLAY_CHARGE_H
#define FAIRTOP_CORE_REPLAY_REPLAY_CHARGE_H

#include "core/replay/replay.h"

struct charge {
	int64_t half_life;
	int64_t until;		/* the time that usage is computed for */
	int64_t *pass;		/* owned, ascending; the first is the start of charging */
	double *left;		/* part of what pass I added that remains at the last one */
	double *sum;		/* of whole slices from pass I on, per billable TRES */
	size_t count;
};

/*
 * PASSES: their times; NULL: every PERIOD seconds, one of them at ANCHOR. Passes before SINCE and
 * after UNTIL do not count. ERR_INPUT if there are more than 50 million.
 */
bool charge_open(struct charge *c, int64_t half_life, int64_t since, int64_t until,
		 const int64_t *passes, size_t count, int64_t period, int64_t anchor,
		 struct err *err);
void charge_close(struct charge *c);

/* The first pass not before TIME; COUNT if there is none. */
size_t charge_pass(const struct charge *c, int64_t time);

/*
 * Returns the usage per billable TRES that pass FIRST and later ones added for a job that ran from
 * START to END (I64_UNKNOWN: still runs). 0 for a job that ended before charging began.
 */
double charge_of(const struct charge *c, int64_t start, int64_t end, size_t first);

#endif
