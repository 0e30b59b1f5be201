/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collector: the thread that asks a source, so that the screen never waits.
 *
 * One call in flight. The newest cluster (or what a maker made of it) lies in one atomic slot; an
 * eventfd becomes readable when it or the state changed. After a failure it asks again with a
 * back-off (doubling from the interval's tenth up to the interval, at least 1 s) and at once when
 * asked to. After an answer it pauses for the interval, or for as long as the answer took, up to a
 * minute, if that is longer.
 * Frozen: it asks nothing.
 *
 * Of a recording it can be asked for other times, too: to stand at one from now on (seek), also
 * when frozen; or to look at many, one after the other, while nothing else is to be done (survey).
 */
#ifndef FAIRTOP_ADAPTERS_COLLECTOR_H
#define FAIRTOP_ADAPTERS_COLLECTOR_H

#include "adapters/adapter.h"

enum collector_state {
	COLLECTOR_LOADING,	/* nothing has come yet */
	COLLECTOR_GOOD,
	COLLECTOR_STALE,	/* the last fetch failed; the last good cluster stays */
	COLLECTOR_ENDED		/* a source that was read once */
};

struct collector_status {
	enum collector_state state;
	bool busy;		/* a fetch is under way */
	bool frozen;
	int64_t last_good_ms;	/* clock_ms() of the last FETCH_NEW or FETCH_SAME, -1 never */
	int64_t next_ms;	/* when it asks next, -1 never */
	int64_t took_ms;	/* how long the last fetch took */
	char problem[ERR_MESSAGE_MAX];	/* what is wrong, "" if nothing */
	enum err_code code;	/* of the problem ... */
	uint32_t line;		/* ... and the line it is about, 0 if none */
	char health[200];
};

struct collector;

/*
 * What is made of each cluster in the collector's thread, so that whoever takes it need not. MAKE
 * takes the cluster over and returns what collector_take() gives; DROP frees one that nobody took.
 * CONTEXT is shared with that thread until DONE, which may be NULL: nobody makes anything any more.
 */
struct collector_maker {
	void *(*make)(void *context, struct cluster *cluster);
	void (*drop)(void *made);
	void (*done)(void *context);
	void *context;
};

/* Takes over SOURCE. Signals must be blocked before: the thread inherits the mask. */
struct collector *collector_new(struct source *source, uint32_t needs, int64_t every_ms,
				struct err *err);
struct collector *collector_new_making(struct source *source, uint32_t needs, int64_t every_ms,
				       const struct collector_maker *maker, struct err *err);
void collector_free(struct collector *c);	/* cancels, joins (bounded), closes the source */

int collector_fd(const struct collector *c);	/* poll for reading; collector_take() drains it */
/* The newest cluster, or what was made of it; the caller's now. NULL: nothing new. */
void *collector_take(struct collector *c);
void collector_status(struct collector *c, struct collector_status *out);
void collector_refresh(struct collector *c);	/* ask now */
void collector_freeze(struct collector *c, bool frozen);
void collector_needs(struct collector *c, uint32_t needs);
void collector_seek(struct collector *c, int64_t at);	/* source_seek(), and ask now */

/* What there is of the past, if that is new since the last call; else false. OUT is then owned. */
bool collector_past(struct collector *c, struct timeline *out);

/* Takes the place of a survey that is under way; COUNT 0 ends it. TIMES are copied. */
void collector_survey(struct collector *c, const int64_t *times, size_t count, uint32_t needs);

/*
 * The next answer of the survey, each of its times once and in order: false where there is none
 * yet. The cluster is the caller's; NULL if that could not be read.
 */
bool collector_looked(struct collector *c, int64_t *time, struct cluster **cluster);
void collector_every(struct collector *c, int64_t every_ms);	/* from the next answer on */

#endif
