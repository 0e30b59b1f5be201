/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture: one refresh as the screen keeps it: the cluster, what the engine made of it, and what
 * the views need besides: names and identities of rows, sums for the header.
 */
#ifndef FAIRTOP_TUI_ROWS_PICTURE_H
#define FAIRTOP_TUI_ROWS_PICTURE_H

#include "core/pools/pools.h"
#include "core/share/evenness.h"
#include "core/share/model.h"
#include "core/share/summary.h"
#include "core/whatif/changes_pair.h"
#include "core/whatif/whatif_run.h"
#include "tui/rows/queue.h"

/* One refresh: the cluster, what the engine made of it, and what the views need besides. */
struct picture {
	struct cluster *cluster;
	struct model *model;		/* NULL: it cannot be made, see problem */
	struct model_options options;	/* what it was made with */
	char problem[ERR_MESSAGE_MAX];
	struct queue *queue;		/* NULL until a view of jobs or classes is open */
	struct pools *pools;		/* NULL until asked for, or with a problem */
	bool pools_made;
	char pools_problem[ERR_MESSAGE_MAX];
	uint64_t *pool_keys;
	char (*pool_names)[80];		/* pool/queue */
	uint64_t *assoc_keys, *policy_keys;
	char (*policy_names)[160];	/* queue.parameter at most */
	struct policy_view policy;
	struct summary summary;
	struct unshared unshared;	/* a line above the accounts names them, where ... */
#define UNSHARED_ROWS 6			/* ... it leaves room for so many rows */
	int64_t arrived_ms;		/* monotonic, when the source gave it; -1: long ago */
	double rate;			/* seconds of the cluster in one of ours; 1 if not faster */
	struct evenness evenness;	/* of the model, once it is the base of a what-if */
	bool evenness_known;
	int start;			/* model_options.base that the model was made with */
	/* Of a what-if: what it lies over, what computed it, and both compared; else NULL. */
	struct picture *base;		/* owned, as the others are */
	struct whatif_run *run;		/* whose cluster, model and jobs these are */
	struct changes_pair *changes;
	bool shares_keys;		/* assoc_keys are the base's */
};

/* How a picture is to be made, and which of its parts the open views need. */
struct picture_order {
	struct model_options options;
	bool queue, classes;
	/* Classes as the user has chosen them, else as the source says. */
	bool chosen, apart;
	char exclude[POLICY_TEXT_MAX];
};

void picture_free(struct picture *p);		/* NULL is fine */

/*
 * Takes over CLUSTER. Touches nothing but the cluster and what it makes of it, so that any thread
 * may call it. Without a model the picture has its cluster and its problem, and nothing else.
 */
struct picture *picture_new(struct cluster *cluster, const struct picture_order *order);

/* The picture of a what-if, which owns both from then on. Pools and classes are made when asked. */
struct picture *picture_over(struct picture *base, struct whatif_run *run);

/*
 * The parts that not every view needs, with their names and identities; made once. The queue has
 * no classes yet (queue_group()). Pools: as the source has them, or as CONFIG makes them.
 */
void picture_make_queue(struct picture *p);
void picture_make_pools(struct picture *p, const struct pools_config *config, bool grouped,
			const struct pool_past *past);
void picture_forget_pools(struct picture *p);	/* they are made anew when asked for */
/* The same, but they live on in TO, whom picture_forget_pools() frees of them. */
void picture_move_pools(struct picture *p, struct picture *to);

#endif
