/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why_past: what a job has waited for, picture by picture of a recording.
 *
 * The time from one picture to the next, or to the start of the job, counts for the reason in the
 * first of the two. Gaps of the recording do not count.
 */
#ifndef FAIRTOP_CORE_WHY_WHY_PAST_H
#define FAIRTOP_CORE_WHY_WHY_PAST_H

#include "core/why/why.h"

struct why_wait {
	char *reason;			/* the scheduler's; owned */
	int64_t seconds;
};

struct why_past {
	struct job_name name;		/* its text is borrowed */
	struct why_wait *waits;		/* owned, one per reason */
	size_t count, capacity;
	size_t waiting;	/* index of the current one, since SINCE; SIZE_MAX: not pending */
	int64_t since;
	int64_t apart;			/* the longest counted time between two pictures */
	int64_t seen;		/* the last picture with the job; I64_UNKNOWN: none */
	bool gone;			/* a later picture was requested; set by the caller */
};

/* The caller sets the name. */
#define WHY_PAST_INIT { .waiting = SIZE_MAX, .since = I64_UNKNOWN, .seen = I64_UNKNOWN }
void why_past_free(struct why_past *p);

/* Whether the job is pending in C. */
bool why_past_waits(const struct why_past *p, const struct cluster *c);

/* Adds the next picture. JOINED: there is no gap before it. */
void why_past_see(struct why_past *p, const struct cluster *c, bool joined);

/* Adds lines of WHY_HOLDS: what W, which runs or has ended, waited for; the longest first. */
void why_put_past(struct why *w, struct why_past *p);

#endif
