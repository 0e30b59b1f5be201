/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibration: how far likely spans must be shifted and stretched to hold.
 *
 * At instants of the past, computes the spans of likely.h for the jobs that were pending, from what
 * was known then, and compares them with the actual starts. A start's distance from the median of
 * its rounds is measured in units of the distance of P90 (or P10) from that median. The quantiles
 * of these distances say where a span must end so that 80 of 100 such starts lie within it (split
 * conformal prediction: V. Vovk, A. Gammerman, G. Shafer, "Algorithmic learning in a random world",
 * 2005). A job that has not begun counts as beginning later.
 *
 * Pending jobs are taken in the order of submission, as a log has no priorities.
 */
#ifndef FAIRTOP_CORE_SIM_CALIBRATION_H
#define FAIRTOP_CORE_SIM_CALIBRATION_H

#include "core/sim/likely.h"

#define CALIBRATION_INSTANTS 100	/* only the last ones count */
#define CALIBRATION_MOST 600		/* pending jobs per instant; only the first ones count */
#define CALIBRATION_LEAST 100		/* jobs that have begun, at least */

struct calibration;

/* Uses the policy and processors of O, not its NOW. H is borrowed. */
struct calibration *calibration_new(const struct joblog *h, const struct likely_options *o);
void calibration_free(struct calibration *c);	/* NULL is fine */

/* The span computed at ASKED for a job that was pending then. */
struct calibration_score {
	int64_t asked, start;		/* I64_UNKNOWN: it has not begun */
	uint32_t job;			/* index in the log */
	uint32_t instant;		/* 0: the first instant */
	uint32_t by_limits;		/* its start if all run to their limits, s after ASKED */
	struct likely_span span;
};

/* Computes the spans at NOW, which must not be before any earlier instant. */
void calibration_ask(struct calibration *c, int64_t now);
/* Does so at the next of CALIBRATION_INSTANTS drawn instants; false: there is none left. */
bool calibration_step(struct calibration *c);

uint32_t calibration_instants(const struct calibration *c);	/* so far */
const struct calibration_score *calibration_scores(const struct calibration *c, size_t *count);

/* Where the ends of a span belong: 0 is the median of the rounds, 1 their P90, -1 their P10. */
struct likely_factors {
	double p10, p90;		/* P90 INFINITY: too many jobs have not begun */
	uint32_t starts;		/* jobs that have begun */
};
/* From what is known at NOW; false: too few starts, F says how many. */
bool calibration_factors(const struct calibration *c, int64_t now, struct likely_factors *f);
/* Scales the ends; the median stays unless it would lie outside. */
struct likely_span likely_span_scale(struct likely_span span, const struct likely_factors *f);

#endif
