/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast_seek: runs a forecast or a search while the screen goes on.
 *
 * In a large cluster an answer takes hundreds of engine runs. They are done in slices; between
 * slices the caller may give up by freeing the object. It shares ownership of the clusters it
 * reads, so the picture shown may be replaced meanwhile.
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
	uint32_t assoc, entry;			/* entry ROW_NONE: about the account */
	struct forecast_question forecast;	/* its rows are set from the two above */
	double reach;				/* of seek_question, as UNTIL is */
	double (*until)(const struct jobs *base, const struct jobs *edited, uint32_t entry);
};

struct forecast_seek;

/* CLUSTER and BELOW, its base if it is an overlay (else NULL), are shared, not taken over. */
struct forecast_seek *forecast_seek_new(const struct forecast_seek_order *order,
					struct cluster *cluster, struct cluster *below);
void forecast_seek_free(struct forecast_seek *q);		/* NULL is fine */

/*
 * Does a slice of the work: one or two hundredths of a second, in a large cluster a single step.
 * With FIRST it does nothing if more than one slice is likely. When done, OUT has the answer; when
 * failed, ERR says why.
 */
union forecast_seek_answer {
	struct forecast forecast;
	struct seek seek;
};
enum forecast_seek_state forecast_seek_advance(struct forecast_seek *q, bool first,
					       union forecast_seek_answer *out, struct err *err);

/* Describes the progress for people. */
void forecast_seek_progress(const struct forecast_seek *q, char *buf, size_t size);

#endif
