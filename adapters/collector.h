/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collector: the thread that fetches from a source, so that the screen never waits.
 *
 * One fetch is under way at a time. Only the newest cluster (or what a maker made of it) is kept
 * for the owner; an eventfd becomes readable when it or the status changed. After a failure the
 * collector asks again with a back-off (doubling from a tenth of the interval up to the
 * interval, at least 1 s), and at once on request. After an answer it pauses for the interval
 * or, if that is longer, for as long as the answer took, up to a minute. While frozen it asks
 * nothing.
 *
 * A recording can be read at other times, too: at one time from now on (seek), also while frozen;
 * or at many times one after the other, when there is nothing else to do (survey).
 */
#ifndef FAIRTOP_ADAPTERS_COLLECTOR_H
#define FAIRTOP_ADAPTERS_COLLECTOR_H

#include "adapters/adapter.h"

enum collector_state {
	COLLECTOR_LOADING,	/* nothing has been read yet */
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
 * What to make of each cluster in the collector's thread, to spare the thread that takes it. MAKE
 * takes over the cluster and returns what collector_take() gives; DROP frees a result that nobody
 * took. The thread uses CONTEXT until it calls DONE (may be NULL) after the last MAKE.
 */
struct collector_maker {
	void *(*make)(void *context, struct cluster *cluster);
	void (*drop)(void *made);
	void (*done)(void *context);
	void *context;
};

/* Takes over SOURCE. Block signals before: the thread inherits the mask. */
struct collector *collector_new(struct source *source, uint32_t needs, int64_t every_ms,
				struct err *err);
struct collector *collector_new_making(struct source *source, uint32_t needs, int64_t every_ms,
				       const struct collector_maker *maker, struct err *err);
void collector_free(struct collector *c);	/* cancels, joins (bounded), closes the source */

int collector_fd(const struct collector *c);	/* poll for reading; collector_take() drains it */
/*
 * The newest cluster, or what was made of it; owned by the caller. NULL: nothing new. STATUS (may
 * be NULL) is of the same moment: a cluster never comes with the status of before its fetch.
 */
void *collector_take(struct collector *c, struct collector_status *status);
void collector_refresh(struct collector *c);	/* ask now */

/* Each of these may be called again at any time: nothing happens if nothing changes. */
void collector_every(struct collector *c, int64_t every_ms);	/* from the next answer on */
void collector_freeze(struct collector *c, bool frozen);
void collector_needs(struct collector *c, uint32_t needs);

void collector_seek(struct collector *c, int64_t at);	/* source_seek(), and ask now */

/* The time line of the past, if new since the last call; the caller owns OUT. Else false. */
bool collector_past(struct collector *c, struct timeline *out);

/* Starts a survey in place of the present one; COUNT 0 ends it. TIMES are copied. */
void collector_survey(struct collector *c, const int64_t *times, size_t count, uint32_t needs);

/*
 * The next answer of the survey, one for each time, in order; false if there is none yet. The
 * caller owns the cluster; NULL if it could not be read.
 */
bool collector_looked(struct collector *c, int64_t *time, struct cluster **cluster);

#endif
