/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wish: what a job requested besides processors, nodes and time, and its processors and nodes while
 * it was pending, which only recordings know.
 */
#ifndef FAIRTOP_CORE_REPLAY_WISH_H
#define FAIRTOP_CORE_REPLAY_WISH_H

#include "core/replay/replay.h"

struct wish {
	uint32_t per_node;	/* CPUs for its tasks on a node; 0: any number */
	uint32_t most_nodes;	/* U32_INFINITE: any number */
	uint32_t at_once;	/* tasks of its array; U32_INFINITE: all */
	uint32_t after;		/* replay_text(): its dependency, as Slurm writes it; 0: none */
	uint32_t cpus, nodes;	/* while pending, NODES: at least; 0: not observed */
	bool exclusive;		/* no other job may use its nodes */
};
#define WISH_NONE { .most_nodes = U32_INFINITE, .at_once = U32_INFINITE }

/*
 * The wish of J, a job of R, to be filled; added if J has none. Borrowed until the next is added.
 */
struct wish *wish_of(struct replay *r, struct replay_job *j);
/* What J requests, WISH_NONE if it has none; borrowed likewise. */
const struct wish *wish_get(const struct replay *r, const struct replay_job *j);

#endif
