/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibration: how far likely spans have to be moved and stretched so that they hold.
 *
 * At instants of the past, jobs that waited then are asked what likely.h tells of them, by what was
 * known then, and what came of it. The distance of each start from the median of its rounds, in
 * units of its P90 or P10 from there, has quantiles: where they lie the span has to end, so that 80
 * of 100 such starts lie within it (split conformal prediction: V. Vovk, A. Gammerman, G. Shafer,
 * "Algorithmic learning in a random world", 2005). Of a job that has not begun yet it is known that
 * it begins later.
 *
 * The waiting jobs are taken in the order of their submission, as a log does not know priorities.
 */
#ifndef FAIRTOP_CORE_SIM_CALIBRATION_H
#define FAIRTOP_CORE_SIM_CALIBRATION_H

#include "core/sim/likely.h"

#define CALIBRATION_INSTANTS 100	/* the last ones count */
#define CALIBRATION_MOST 600		/* jobs that wait at an instant; of more only the first */
#define CALIBRATION_LEAST 100		/* jobs that have begun */

struct calibration;

/* Of a policy on so many processors, from O, without NOW. H is borrowed. */
struct calibration *calibration_new(const struct joblog *h, const struct likely_options *o);
void calibration_free(struct calibration *c);	/* NULL is fine */

/* Of a job that waited at ASKED. */
struct calibration_score {
	int64_t asked, start;		/* I64_UNKNOWN: it has not begun */
	uint32_t job;			/* of the log */
	uint32_t instant;		/* 0: the first that was asked */
	uint32_t by_limits;		/* its start if all run to their limits, s after ASKED */
	struct likely_span span;
};

/* Asks at NOW, which is not before the instants that were asked already. */
void calibration_ask(struct calibration *c, int64_t now);
/* Asks at the next of CALIBRATION_INSTANTS that are drawn; false: there is none. */
bool calibration_step(struct calibration *c);

uint32_t calibration_instants(const struct calibration *c);	/* that were asked */
const struct calibration_score *calibration_scores(const struct calibration *c, size_t *count);

/* Where the ends lie: 0 at the median of the rounds, 1 at their P90, -1 at their P10. */
struct likely_factors {
	double p10, p90;		/* P90 INFINITY: too many have not begun */
	uint32_t starts;		/* jobs that had begun */
};
/* By what is known at NOW; false: of too few starts, F says how many. */
bool calibration_factors(const struct calibration *c, int64_t now, struct likely_factors *f);
/* The median stays, unless it lies outside. */
struct likely_span likely_span_scale(struct likely_span span, const struct likely_factors *f);

#endif
