/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast_seek: a forecast or a search that is under way while the screen goes on.
 *
 * In a large cluster the engine is asked hundreds of times before there is an answer: in slices,
 * between which whoever is no longer interested frees it. It owns what it looks at: the picture may
 * go meanwhile.
 */
#ifndef FAIRTOP_CORE_WHATIF_FORECAST_SEEK_H
#define FAIRTOP_CORE_WHATIF_FORECAST_SEEK_H

#include "core/queue/forecast.h"
#include "core/whatif/seek.h"

enum forecast_seek_kind { ASK_FORECAST, ASK_SEEK };
enum forecast_seek_state { ASK_UNDER_WAY, ASK_DONE, ASK_FAILED };

struct forecast_seek_order {
	enum forecast_seek_kind kind;
	struct model_options options;
	uint32_t assoc, entry;			/* entry ROW_NONE: of the account */
	struct forecast_question forecast;	/* rows are filled in from the above */
	double reach;				/* of seek, as is the next, of seek_question */
	double (*until)(const struct jobs *base, const struct jobs *edited, uint32_t entry);
};

struct forecast_seek;

/* CLUSTER and BELOW, which it may lie over (else NULL), are shared, not taken. */
struct forecast_seek *forecast_seek_new(const struct forecast_seek_order *order,
					struct cluster *cluster, struct cluster *below);
void forecast_seek_free(struct forecast_seek *q);		/* NULL is fine */

/*
 * A slice of the work: a hundredth of a second or two, of a large cluster a single step; nothing
 * of it at FIRST where more than one slice is likely. When it is done, OUT has the answer, and ERR
 * why it failed.
 */
union forecast_seek_answer {
	struct forecast forecast;
	struct seek seek;
};
enum forecast_seek_state forecast_seek_advance(struct forecast_seek *q, bool first,
					       union forecast_seek_answer *out, struct err *err);

/* How far it is, for people. */
void forecast_seek_progress(const struct forecast_seek *q, char *buf, size_t size);

#endif
