/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wish: what a job asks for besides processors, nodes and time, or before it got other ones, which
 * only recordings have.
 */
#ifndef FAIRTOP_CORE_REPLAY_WISH_H
#define FAIRTOP_CORE_REPLAY_WISH_H

#include "core/replay/replay.h"

struct wish {
	uint32_t per_node;	/* CPUs for its tasks on a node; 0: any number */
	uint32_t most_nodes;	/* U32_INFINITE: any number */
	uint32_t at_once;	/* tasks of its array; U32_INFINITE: all */
	uint32_t after;		/* replay_text(): its dependency, as Slurm writes it; 0: none */
	uint32_t cpus, nodes;	/* while it waited, NODES: at least; 0: nobody has seen it wait */
	bool exclusive;		/* its nodes are for nobody else */
};
#define WISH_NONE { .most_nodes = U32_INFINITE, .at_once = U32_INFINITE }

/* The wish of J, a job of R, to be filled: one of its own. Borrowed until the next one is made. */
struct wish *wish_of(struct replay *r, struct replay_job *j);
/* What J asks for, WISH_NONE if it has none; borrowed likewise. */
const struct wish *wish_get(const struct replay *r, const struct replay_job *j);

#endif
