/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * travel: where in time the screen stands, and how it gets elsewhere.
 *
 * Of a recording the source is asked for another time (APP_SEEK); of a live source the screen keeps
 * what it has seen (recent.h). Either way there is one time line, and the screen stands at one of
 * its pictures, or at its end. At the end of a live source, or of a recording that is followed, it
 * shows what comes; anywhere else it shows the past and says so.
 */
#ifndef FAIRTOP_TUI_TIME_TRAVEL_H
#define FAIRTOP_TUI_TIME_TRAVEL_H

#include "core/cluster/timeline.h"
#include "core/cluster/recent.h"
#include "tui/rows/state.h"


struct travel {
	bool recorded;			/* the time line is the source's */
	struct timeline line;
	struct recent recent;		/* of a live source */
	bool outage;			/* it did not answer since the last picture */
	struct picture *latest;		/* came while the screen stood in the past; NULL */
	int64_t at;			/* time of the picture; I64_UNKNOWN: the end */
	bool simulated;			/* it never was: until the user goes elsewhere */
	bool strip;			/* the time line is shown though this is not the past */
	/* The part of time that time line and charts show; span 0: all of it. */
	int64_t span, from;
	/* Playing: so many seconds of the past in a second, 0 not at all. */
	int64_t speed;
	double head;			/* how far it has come, Unix time */
	int64_t tick_ms, waited_ms;	/* monotonic: the next step; since when it is overdue */
};

extern const struct feature travel_feature;

/* Is what the screen shows not the present? */
bool travel_past(const struct app *a);

/* "now"; of a picture that is not of the present, "then". */
const char *travel_now(const struct app *a);

/* When the picture that is shown was taken; I64_UNKNOWN without one. */
int64_t travel_time(const struct app *a);

/* The place of what is shown on the time line; TIMELINE_NONE while that is empty. */
uint32_t travel_index(const struct app *a);

/* A new picture from the source, or a new time line (taken over). */
void travel_arrived(struct app *a, struct picture *picture);
void travel_line(struct app *a, struct timeline *line);

/* A picture of TIME that never was. */
void travel_simulated(struct app *a, struct picture *picture, int64_t time);

/* To the picture with this number; the last one is the end. */
void travel_go(struct app *a, uint32_t index);
void travel_end(struct app *a);

/* By so many pictures, or seconds; always a picture on, where there is one. */
void travel_step(struct app *a, int64_t pictures);
void travel_by(struct app *a, int64_t seconds);

/* By a cell of the time that is shown. */
void travel_nudge(struct app *a, int direction);

/* To a time in words; ERR_INPUT. Relative ones count from the end of the time line. */
bool travel_parse(const struct app *a, const char *text, int64_t *time, struct err *err);
bool travel_to(struct app *a, const char *text, struct err *err);

/* What is shown of time; false while there is nothing. FROM < TO. */
bool travel_window(const struct app *a, int64_t *from, int64_t *to);
void travel_zoom(struct app *a, bool in);

/* Playing goes on with each event; 0 stops. */
void travel_play(struct app *a, int64_t speed);

/* "2026-11-03 14:00:00"; without the day where BRIEF, without seconds where they are 0. */
void travel_name(int64_t time, bool brief, char *buf, size_t size);

/* As people say it: the day stands where it is not within half a day of what is shown. */
void travel_clock(const struct app *a, int64_t time, char *buf, size_t size);

/* "10m", "1h": a speed or a span. */
void travel_spell(int64_t seconds, char *buf, size_t size);

/* The two lines of the time line, when it is shown (strip.c). */
struct canvas;
int strip_lines(const struct app *a);
void strip_draw(const struct app *a, struct canvas *c, int y);

/* A click at column X of it goes there. */
void strip_click(struct app *a, int x);

#endif
