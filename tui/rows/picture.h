/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture: one refresh for the screen: the cluster, the engine's results, and what the views need
 * in addition: names and identities of rows, sums for the header.
 */
#ifndef FAIRTOP_TUI_ROWS_PICTURE_H
#define FAIRTOP_TUI_ROWS_PICTURE_H

#include <stdatomic.h>

#include "core/pools/pools.h"
#include "core/share/model.h"
#include "core/share/summary.h"
#include "core/whatif/changes_pair.h"
#include "core/whatif/whatif_run.h"
#include "tui/rows/queue.h"

/*
 * One refresh: the cluster, the engine's results, and what the views need in addition. Pictures are
 * shared between threads: each reads cluster, model and jobs; only that of the screen makes pools
 * and classes, and takes start times.
 */
struct picture {
	_Atomic uint32_t owners;
	struct cluster *cluster;
	struct model *model;		/* NULL: cannot be made, see PROBLEM */
	struct model_options options;	/* used for the model */
	char problem[ERR_MESSAGE_MAX];
	struct queue *queue;		/* NULL until a view of jobs or classes is open */
	struct pools *pools;		/* NULL until needed, or with a problem */
	bool pools_made;
	char pools_problem[ERR_MESSAGE_MAX];
	uint64_t *pool_keys;
	char (*pool_names)[80];		/* pool/queue */
	uint64_t *assoc_keys, *policy_keys;
	char (*policy_names)[160];	/* queue.parameter at most */
	struct policy_view policy;
	struct summary summary;
	struct unshared unshared;	/* named in a line above the accounts, if ... */
#define UNSHARED_ROWS 6			/* ... at least so many rows still fit */
	int64_t arrived_ms;		/* monotonic, when it was read; -1: long ago */
	double rate;			/* seconds of the cluster per real second; 1: normal */
	bool unmarked;			/* nothing is marked as new in it */
	int start;			/* model_options.base that the model was made with */
	/* For a what-if: its base, its computation, and the comparison; else NULL. */
	struct picture *base;		/* shared */
	struct whatif_run *run;		/* owner of this cluster, model and jobs */
	struct changes_pair *changes;
	bool shares_keys;		/* assoc_keys are the base's */
};

/* The user's choice of classes; the source's unless CHOSEN. */
struct class_pick {
	bool chosen;
	bool apart;			/* as if equiv_class_enable was False */
	char exclude[POLICY_TEXT_MAX];	/* as if equiv_class_exclude was this */
};

/* How to make a picture, and which parts the open views need. */
struct picture_order {
	struct model_options options;
	bool queue, classes;
	struct class_pick pick;
};

struct picture *picture_share(struct picture *p);	/* P itself, with one more owner */
void picture_free(struct picture *p);		/* by its last owner; NULL is fine */
/* The source's picture that P is computed over; P itself without a what-if. */
struct picture *picture_base(struct picture *p);

/*
 * Takes over CLUSTER. Uses nothing but the cluster and its results, so any thread may call it.
 * Without a model the picture has only its cluster and its problem.
 */
struct picture *picture_new(struct cluster *cluster, const struct picture_order *order);

/* Only the cluster, which is taken over: a picture that is still to be made. */
struct picture *picture_bare(struct cluster *cluster);

/* The picture of a what-if, which then owns both. Pools and classes are made on demand. */
struct picture *picture_over(struct picture *base, struct whatif_run *run);

/* How PICK groups the jobs of CLUSTER; its text belongs to one of the two. */
struct class_choice picture_choice(const struct cluster *cluster, const struct class_pick *pick);
/* Makes the classes, with savings and toggles, for a picture that is not shown yet. */
void picture_make_classes(struct picture *p, const struct picture_order *order);

/*
 * Make the parts that not every view needs, with their names and identities, once. The queue has no
 * classes yet (queue_group()). Pools are the source's, or made by CONFIG.
 */
void picture_make_queue(struct picture *p);
void picture_make_pools(struct picture *p, const struct pools_config *config, bool grouped,
			const struct pool_past *past);
void picture_forget_pools(struct picture *p);	/* they are remade on demand */
/* Moves the pools to TO, whose own are freed by picture_forget_pools() first. */
void picture_move_pools(struct picture *p, struct picture *to);

#endif
