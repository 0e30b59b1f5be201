/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of replay: input (replay.c), the run (replay_run.c), pictures (replay_picture.c). */
#ifndef FAIRTOP_CORE_REPLAY_REPLAY_PRIVATE_H
#define FAIRTOP_CORE_REPLAY_REPLAY_PRIVATE_H

#include "core/replay/wish.h"
#include "core/base/text.h"
#include "core/cluster/idmap.h"

/* flags of a job */
#define JOB_STEADY	1u		/* counted in the rate of its association */
#define JOB_ENDED	2u

#define ROOM_BYTES (24u << 20)	/* of jobs; up to this they are held in memory */
#define ROOM_STEP (4u << 20)	/* jobs grow by so many bytes */
#define ROOM_TOUCHED 40000	/* consecutive jobs that stay in memory: below 6 MB */

struct replay_node {
	uint32_t parent;		/* ROW_NONE for the root; always a lower number */
	uint32_t id, shares;
	uint32_t account, user, partition;	/* texts */
	uint32_t steady;		/* jobs in the rate */
	double own;			/* usage without the children's, as of the last pass */
	double rate;			/* billable TRES of jobs that ran since the last pass */
	double total;			/* with the children's, when summed up */
};

struct replay_quality {
	uint32_t name, priority;
	double factor;
};

struct replay {
	struct text *text;
	struct replay_node *nodes;
	size_t node_count, node_capacity;
	struct idmap by_names;		/* nodes by a hash of their names */
	uint32_t added, next_id;
	size_t tree_count;		/* the first nodes are those of a tree, in its order */
	uint32_t *rows;			/* the node at each row of a picture */
	struct replay_quality *qos;
	size_t qos_count, qos_capacity;
	struct replay_job *jobs;
	size_t job_count, job_capacity;
	bool jobs_in_room;
	struct wish *wishes;		/* one for each job shown in a picture */
	size_t wish_count, wish_capacity;
	struct replay_storage storage;	/* without functions if there is none */
	size_t touched;			/* jobs read since storage_rest() */
};

/* The jobs to be shown at the time of a picture, and the pictures' builder. */
struct replay_alive {
	uint32_t *jobs;
	size_t count, capacity;
	struct builder *b;		/* the picture before; NULL: build from scratch */
	uint32_t rows;			/* the first ROWS of JOBS are in it, in this order */
	int64_t last;			/* its time */
	int64_t last_reset;		/* I64_UNKNOWN: none */
	size_t bytes;			/* of the first picture since B was tidied; 0: none yet */
};

void replay_sum(struct replay *r);

/* ---- blocks that may be in struct replay_storage (replay_storage.c)
 * ------------------------------ */

/* Grows BLOCK from OLD to NEED bytes; *IN_ROOM says where it is. */
void *storage_grow(struct replay *r, void *block, bool *in_room, size_t old, size_t need);
void storage_free(struct replay *r, void *block, bool in_room);

void storage_rest(struct replay *r);

/* COUNT jobs, or entries of their orders, were read. */
static inline void storage_touch(struct replay *r, size_t count)
{
	r->touched += count;
	if (r->touched >= ROOM_TOUCHED)
		storage_rest(r);
}

struct cluster *replay_picture(struct replay *r, const struct replay_options *o,
			       struct replay_alive *alive, int64_t now, struct err *err);
void replay_forget(struct replay_alive *alive);	/* frees the picture before */

#endif
