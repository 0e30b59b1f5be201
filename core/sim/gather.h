/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gather: makes a log of jobs from the pictures of a recording.
 *
 * Id and task identify a job. The last known data counts. A job that is gone from a picture, and
 * whose end no picture reports, is assumed to have ended in between: at its time limit if that is
 * in between, else when it was gone. The pending tasks of an array are one record; each becomes a
 * job when it begins. An end later than its picture is a forecast and is ignored. A picture whose
 * jobs are unknown adds nothing.
 */
#ifndef FAIRTOP_CORE_SIM_GATHER_H
#define FAIRTOP_CORE_SIM_GATHER_H

#include "core/replay/replay.h"

struct gather;

/* R is borrowed; it has the tree of the recording or none (replay_tree()). */
struct gather *gather_new(struct replay *r);
void gather_free(struct gather *g);		/* NULL is fine */

/* Adds a picture; pictures come in the order of their times. */
void gather_add(struct gather *g, const struct cluster *c);

struct gathered {
	uint32_t ends_guessed;	/* jobs whose end no picture reported */
	uint32_t undated;	/* left out: jobs without a submission time */
	int64_t begins;		/* the time of the first picture */
	uint32_t tasks;		/* left out: pending array tasks that never became jobs */
};
struct gathered gather_tally(const struct gather *g);

struct sim_log;
/* Adds the jobs left out while gathering to the counts of T. */
void gather_left_out(const struct gathered *g, struct sim_log *t);

/* Processors of all nodes as last seen; without nodes the cluster's reported number, or 0. */
uint32_t gather_procs(const struct gather *g);

#endif
