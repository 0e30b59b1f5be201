/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_play: the jobs of a trial under a policy, and one instant of the schedule that it makes.
 */
#ifndef FAIRTOP_CORE_SIM_PAST_PLAY_H
#define FAIRTOP_CORE_SIM_PAST_PLAY_H

#include "core/sim/past_site.h"

/*
 * By which the jobs of C were scheduled, as far as it is known: else by easy. EDITED: what an edit
 * of sched.policy says, or NULL.
 */
enum sim_policy past_policy(const struct cluster *c, const char *edited);

struct past_play {
	struct sim_options sim;		/* PAST is not to be set */
	const struct cluster *c;	/* where they run, with its edits; borrowed */
	bool nodes;			/* slurm's policies run on its nodes, if it has some */
	/* Of policies of schedulers; or NULL. */
	void (*made)(void *context, enum sim_policy policy, const struct past *past);
};

/* Fills the starts of T, out of R. ERR_INPUT as sim_run() and past_make(). */
bool past_play(const struct past_play *p, struct trial *t, struct replay *r, struct err *err);

/*
 * C as it would be at TIME: the jobs of T, out of R, that have been submitted and have not ended by
 * their schedule, and the usage that this leads to from that of C on, by the law of RULED. What the
 * scheduler reported is gone. NAME stands behind that of the cluster. NULL and ERR.
 */
struct cluster *past_picture(const struct cluster *c, const struct cluster *ruled,
			     const struct trial *t, struct replay *r, int64_t time,
			     const char *name, struct err *err);

/* The last picture of a recording, taken over, with the usage of its first. */
struct cluster *past_begun(struct cluster *last, const struct cluster *first);

/* "fidelity: slurm, played against what happened: ..."; WHY: what the policy was taken for. */
void past_fidelity(const struct trial *t, struct replay *r, enum sim_policy policy,
		   const char *why, char *buf, size_t size);

#endif
