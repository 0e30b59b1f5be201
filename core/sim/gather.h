/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gather: the jobs of a recording, picture by picture, as a log of jobs.
 *
 * A job is told by its id and task. What is known of it last counts. One that is gone from a
 * picture, and whose end no picture has, is taken to have ended between the two: at its time limit
 * if that lies between them, else when it was gone.
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

/* Jobs whose end no picture had; processors of all nodes that were seen last, 0 without nodes. */
uint32_t gather_ends_guessed(const struct gather *g);
uint32_t gather_procs(const struct gather *g);

#endif
