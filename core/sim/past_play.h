/* SPDX-License-Identifier: GPL-2.0-or-later */
/* past_play: schedules the jobs of a log under a policy, and makes a picture of an instant. */
#ifndef FAIRTOP_CORE_SIM_PAST_PLAY_H
#define FAIRTOP_CORE_SIM_PAST_PLAY_H

#include "core/sim/past_cluster.h"

/*
 * The policy by which the jobs of C were scheduled, easy if unknown. EDITED: the value of an edit
 * of sched.policy, or NULL.
 */
enum sim_policy past_policy(const struct cluster *c, const char *edited);

struct past_play {
	struct sim_options sim;		/* leave PAST unset */
	const struct cluster *c;	/* the cluster with its edits; borrowed */
	bool nodes;			/* Slurm's policies use its nodes, if there are any */
	/* Called for policies of schedulers; or NULL. */
	void (*made)(void *context, enum sim_policy policy, const struct past *past);
};

/* Fills the starts of T, made from R. ERR_INPUT as for sim_run() and past_make(). */
bool past_play(const struct past_play *p, struct sim_log *t, struct replay *r, struct err *err);

/*
 * Returns C as it would be at TIME, with the jobs of T, made from R, that are submitted and have
 * not ended by then, and the usage that follows from C's by the decay settings of RULED. Removes
 * what the scheduler reported. NAME is appended to the cluster's name. NULL and ERR.
 */
struct cluster *past_picture(const struct cluster *c, const struct cluster *ruled,
			     const struct sim_log *t, struct replay *r, int64_t time,
			     const char *name, struct err *err);

/* Returns the last picture of a recording, taken over, with the usage of its first one. */
struct cluster *past_begun(struct cluster *last, const struct cluster *first);

/* "fidelity: slurm, played against what happened: ..."; WHY: where the policy is from. */
void past_fidelity(const struct sim_log *t, struct replay *r, enum sim_policy policy,
		   const char *why, char *buf, size_t size);

#endif
