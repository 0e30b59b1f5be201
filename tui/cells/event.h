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
	EVENT_CLUSTER,		/* the picture is made of it at once */
	EVENT_PICTURE,		/* made before, in another thread (maker.h) */
	EVENT_PAST,		/* the time line of a source that keeps its past */
	EVENT_LOOK,		/* one answer to app_survey() */
	EVENT_ANSWER,		/* of a worker (screen/worker.h) */
	EVENT_FLEET,		/* what a source of the overview says */
	EVENT_TIME		/* nothing but time has passed */
};

struct event {
	enum event_type type;
	int64_t ms;		/* monotonic clock, milliseconds */
	int64_t now;		/* Unix time */
	uint32_t key;		/* KEY, PASTE */
	int x, y;		/* CLICK: cell; RESIZE: size; WHEEL: y lines, negative up */
	int at;			/* WHEEL: line of the pointer, whose column is x */
	struct cluster *cluster;		/* CLUSTER, LOOK: taken over; LOOK: or NULL */
	struct picture *picture;		/* PICTURE: taken over */
	const struct source_state *source;	/* SOURCE */
	struct timeline *past;			/* PAST: what it owns is taken over */
	const struct work *work;		/* ANSWER: who takes ... */
	void *answer;				/* ... this over */
	const struct fleet_news *news;		/* FLEET: its facts are taken over */
	int64_t time;				/* LOOK: what was asked for */
};

#endif
