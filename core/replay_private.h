/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of replay: what is put in (replay.c), time (replay_run.c), pictures. */
#ifndef FAIRTOP_CORE_REPLAY_PRIVATE_H
#define FAIRTOP_CORE_REPLAY_PRIVATE_H

#include "core/replay.h"
#include "core/text.h"

/* flags of a job */
#define JOB_STEADY	1u		/* counted in the rate of its association */
#define JOB_ENDED	2u

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
	bool listed;			/* by replay_qos(); else met in a job */
};

struct replay {
	struct text *text;
	struct replay_node *nodes;
	size_t node_count, node_capacity;
	uint32_t *slots;		/* index of the nodes by names: number + 1, 0 free */
	size_t slot_count;		/* a power of two */
	uint32_t added, next_id;
	size_t tree_count;		/* the first nodes came with a tree, in its order */
	uint32_t *rows;			/* of pictures: the node at each row */
	struct replay_quality *qos;
	size_t qos_count, qos_capacity;
	struct replay_job *jobs;
	size_t job_count, job_capacity;
};

/* What is alive at the time of a picture, and the pictures' builder. */
struct replay_alive {
	uint32_t *jobs;
	size_t count, capacity;
	struct builder *b;		/* the picture before; NULL: all is put in anew */
	uint32_t rows;			/* the first ROWS of the jobs are in it, in this order */
	int64_t last;			/* its time */
	size_t bytes;			/* of the first picture of B */
};

void replay_sum(struct replay *r);

struct cluster *replay_picture(struct replay *r, const struct replay_options *o,
			       struct replay_alive *alive, int64_t now, struct err *err);
void replay_forget(struct replay_alive *alive);	/* the picture before */

#endif
