/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay_charge: what one job has left in the usage of its association, in closed form.
 *
 * The same law as replay.h (share/decay.h), job by job instead of pass by pass: what a pass adds is
 * decayed by all passes behind it, and the whole slices of a job are one difference of sums. So the
 * part of a job can be asked for from any pass on, as if all usage before had been zeroed there.
 */
#ifndef FAIRTOP_CORE_REPLAY_REPLAY_CHARGE_H
#define FAIRTOP_CORE_REPLAY_REPLAY_CHARGE_H

#include "core/replay/replay.h"

struct charge {
	int64_t half_life;
	int64_t until;		/* usage is of then */
	int64_t *pass;		/* owned, ascending; the first is when charging began */
	double *left;		/* of what pass I added, at the last one */
	double *sum;		/* of whole slices from pass I on, for one billable TRES */
	size_t count;
};

/*
 * PASSES: their times; NULL: every PERIOD seconds, one of them at ANCHOR. Those before SINCE and
 * behind UNTIL do not count. ERR_INPUT if there are more than 50 million.
 */
bool charge_open(struct charge *c, int64_t half_life, int64_t since, int64_t until,
		 const int64_t *passes, size_t count, int64_t period, int64_t anchor,
		 struct err *err);
void charge_close(struct charge *c);

/* The first pass that is not before TIME; COUNT if there is none. */
size_t charge_pass(const struct charge *c, int64_t time);

/*
 * Usage for one billable TRES of a job that ran from START to END (I64_UNKNOWN: it still runs),
 * of what pass FIRST and those behind it added. What ended when charging began is 0.
 */
double charge_of(const struct charge *c, int64_t start, int64_t end, size_t first);

#endif
