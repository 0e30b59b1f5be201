/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lastpass: when did the scheduler last decay usage and recompute priorities?
 *
 * It does not report that. But in each pass it sets the age factor of every pending job:
 *	age = (start of the pass - since) / PriorityMaxAge	(1 at most)
 * with whole seconds on the right; so the age of each job that is below 1 gives the start of the
 * pass, as exactly as the age is known. Jobs submitted or changed after the pass give that later
 * moment instead; they are few and do not agree with each other.
 * Source: spec of job priority, 2.1; priority_multifactor.c, _get_priority_age().
 */
#ifndef FAIRTOP_CORE_CLUSTER_LASTPASS_H
#define FAIRTOP_CORE_CLUSTER_LASTPASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The pass began somewhere from FROM to TO (Unix time), according to one job. */
struct lastpass_reported {
	double from, to;
};

/*
 * Computes the range from one job: TERM is its age term, WEIGHT included, accurate to DOUBT points
 * (half its last digit; 0 for a double); SINCE the time its age counts from (accrue time; submit
 * time with ACCRUE_ALWAYS). False if there is none: age 0 or full, no weight, no whole second fits.
 */
bool lastpass_of_job(double term, double doubt, uint32_t weight, int64_t max_age, int64_t since,
		     struct lastpass_reported *reported);

/*
 * Returns the second that most of COUNT jobs agree on, the earlier one of a tie; I64_UNKNOWN if
 * there is none, or if they leave more than five seconds open.
 */
int64_t lastpass_agree(const struct lastpass_reported *reported, size_t count);

/*
 * True if a pass lies between two readings of the same COUNT usages: only decay makes usage
 * smaller, and it does so for all usage that does not grow. (So does a reset, which is part of a
 * pass.)
 */
bool lastpass_between(const double *before, const double *after, size_t count);

#endif
