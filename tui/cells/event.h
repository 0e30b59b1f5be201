/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event: what happens to the screen from outside. */
#ifndef FAIRTOP_TUI_CELLS_EVENT_H
#define FAIRTOP_TUI_CELLS_EVENT_H

#include <stdint.h>

struct cluster;
struct fleet_news;
struct picture;
struct source_state;
struct timeline;
struct work;

enum event_type {
	EVENT_KEY,
	EVENT_PASTE,		/* a letter that was pasted: text, never a command */
	EVENT_CLICK, EVENT_WHEEL, EVENT_RESIZE, EVENT_SOURCE,
	EVENT_CLUSTER,		/* its picture is made at once */
	EVENT_PICTURE,		/* made in another thread (maker.h) */
	EVENT_PAST,		/* the time line of a source with a past */
	EVENT_LOOK,		/* one of the times of app_survey() */
	EVENT_ANSWER,		/* from a worker (screen/worker.h) */
	EVENT_FLEET,		/* news of an overview's source */
	EVENT_TIME		/* only time has passed */
};

struct event {
	enum event_type type;
	int64_t ms;		/* monotonic clock, milliseconds */
	int64_t now;		/* Unix time */
	uint32_t key;		/* KEY, PASTE */
	int x, y;		/* CLICK: cell; RESIZE: size; WHEEL: y lines, negative up */
	int at;			/* WHEEL: the pointer's line; x is its column */
	struct cluster *cluster;		/* CLUSTER, LOOK: taken over; LOOK: or NULL */
	struct picture *picture;		/* PICTURE: taken over */
	const struct source_state *source;	/* SOURCE */
	struct timeline *past;			/* PAST: its contents are taken over */
	const struct work *work;		/* ANSWER: the receiver ... */
	void *answer;				/* ... of this, which it takes over */
	const struct fleet_news *news;		/* FLEET: its facts are taken over */
	int64_t time;				/* LOOK: the requested time */
};

#endif
