/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why_past: what a job has waited for, picture by picture of a recording.
 *
 * The time from one picture to the next, or to the start of the job, counts for what the scheduler
 * says in the first of the two. What lies in a gap of the recording counts for nothing.
 */
#ifndef FAIRTOP_CORE_WHY_WHY_PAST_H
#define FAIRTOP_CORE_WHY_WHY_PAST_H

#include "core/why/why.h"

struct why_wait {
	char *reason;			/* in the scheduler's word; owned */
	int64_t seconds;
};

struct why_past {
	struct job_name name;		/* its text is borrowed */
	struct why_wait *waits;		/* owned, one a reason */
	size_t count, capacity;
	size_t waiting;			/* place in it since SINCE; SIZE_MAX: it does not wait */
	int64_t since;
	int64_t apart;			/* the most between two pictures whose time counts */
	int64_t seen;		/* the last picture that has the job; I64_UNKNOWN: none has */
	bool gone;			/* a later one was asked for; the caller's */
};

/* The name is still to be read. */
#define WHY_PAST_INIT { .waiting = SIZE_MAX, .since = I64_UNKNOWN, .seen = I64_UNKNOWN }
void why_past_free(struct why_past *p);

/* Does the job wait in C? */
bool why_past_waits(const struct why_past *p, const struct cluster *c);

/* The next picture. JOINED: nothing is missing between it and the one before. */
void why_past_see(struct why_past *p, const struct cluster *c, bool joined);

/* Lines of WHY_HOLDS: for what W, which runs or has ended, has waited; the longest first. */
void why_put_past(struct why *w, struct why_past *p);

#endif
