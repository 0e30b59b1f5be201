/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collector: the thread that asks a source, so that the screen never waits.
 *
 * One call in flight. The newest cluster lies in one atomic slot; an eventfd becomes readable when
 * it or the state changed. After a failure it asks again with a back-off (doubling from the
 * interval's tenth, at least 1 s, up to 60 s) and at once when asked to; when a reply took over a
 * second the interval is stretched to at least twenty times that. Frozen: it asks nothing.
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
	char health[200];
};

struct collector;

/* Takes over SOURCE. Signals must be blocked before: the thread inherits the mask. */
struct collector *collector_new(struct source *source, uint32_t needs, int64_t every_ms,
				struct err *err);
void collector_free(struct collector *c);	/* cancels, joins (bounded), closes the source */

int collector_fd(const struct collector *c);	/* poll for reading; collector_take() drains it */
struct cluster *collector_take(struct collector *c);	/* the newest, the caller's now; or NULL */
void collector_status(struct collector *c, struct collector_status *out);
void collector_refresh(struct collector *c);	/* ask now */
void collector_freeze(struct collector *c, bool frozen);
void collector_needs(struct collector *c, uint32_t needs);
void collector_every(struct collector *c, int64_t every_ms);	/* from the next answer on */

#endif
