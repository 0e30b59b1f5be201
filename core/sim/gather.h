/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gather: the jobs of a recording, picture by picture, as a log of jobs.
 *
 * A job is told by its id and task. What is known of it last counts. One that is gone from a
 * picture, and whose end no picture has, is taken to have ended between the two: at its time limit
 * if that lies between them, else when it was gone. The tasks of an array that wait are one record;
 * each is a job from when it begins. An end that lies after its picture is a forecast, and counts
 * as none. A picture whose jobs are unknown tells of nobody.
 */
#ifndef FAIRTOP_CORE_SIM_GATHER_H
#define FAIRTOP_CORE_SIM_GATHER_H

#include "core/replay/replay.h"

struct gather;

/* R is borrowed; it has the tree of the recording, or none (replay_tree()). */
struct gather *gather_new(struct replay *r);
void gather_free(struct gather *g);		/* NULL is fine */

/* The pictures in the order of their times. */
void gather_add(struct gather *g, const struct cluster *c);

struct gathered {
	uint32_t ends_guessed;	/* jobs whose end no picture had */
	uint32_t undated;	/* jobs without a time of submission: left out */
	int64_t begins;		/* the time of the first picture */
	uint32_t tasks;		/* of arrays that waited, which never came as jobs: left out */
};
struct gathered gather_tally(const struct gather *g);

struct trial;
/* Counts in T what was left out before it. */
void gather_left_out(const struct gathered *g, struct trial *t);

/* Processors of all nodes that were seen last; without nodes those told of the cluster, or 0. */
uint32_t gather_procs(const struct gather *g);

#endif
