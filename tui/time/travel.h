/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * travel: the time that the screen shows, and moving to another one.
 *
 * For a recording, the source is asked for another time (APP_SEEK); for a live source, the screen
 * keeps what it has seen (recent.h). In both cases there is one time line, and the screen is at one
 * of its pictures or at its end. At the end of a live source, or of a recording that is followed,
 * it shows new pictures; elsewhere it shows the past and says so.
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
	bool outage;			/* no answer since the last picture */
	struct picture *latest;		/* arrived while the past was shown; NULL: none */
	int64_t at;			/* the picture's time; I64_UNKNOWN: the end */
	bool simulated;			/* a simulated picture, until the user moves */
	bool bar;			/* the time line is shown even for the present */
	/* The part of time that time line and charts show; span 0: all of it. */
	int64_t span, from;
	/* Playing: seconds of the past per second, 0: off. */
	int64_t speed;
	double head;			/* its position, Unix time */
	int64_t tick_ms, waited_ms;	/* monotonic: the next step; since when it is late */
};

extern const struct feature travel_feature;

/* Whether the screen shows something other than the present. */
bool travel_past(const struct app *a);

/* "now"; for a picture that is not the present, "then". */
const char *travel_now(const struct app *a);

/* The time of the shown picture; I64_UNKNOWN: none. */
int64_t travel_time(const struct app *a);

/* The index of the shown picture on the time line; TIMELINE_NONE: it is empty. */
uint32_t travel_index(const struct app *a);

/* A new picture from the source, or a new time line (taken over). */
void travel_arrived(struct app *a, struct picture *picture);
void travel_line(struct app *a, struct timeline *line);

/* Shows the simulated CLUSTER, which is taken over, at TIME. */
void travel_simulated(struct app *a, struct cluster *cluster, int64_t time);

/* Goes to picture INDEX; the last one is the end. */
void travel_go(struct app *a, uint32_t index);
void travel_end(struct app *a);

/* Moves by a number of pictures, or of seconds; by at least one picture, if there is one. */
void travel_step(struct app *a, int64_t pictures);
void travel_by(struct app *a, int64_t seconds);

/* Moves by a cell of the time line. */
void travel_nudge(struct app *a, int direction);

/* Goes to a time in words; ERR_INPUT. Relative ones count from the end of the time line. */
bool travel_parse(const struct app *a, const char *text, int64_t *time, struct err *err);
bool travel_to(struct app *a, const char *text, struct err *err);

/* The visible part of time; false: there is none. FROM < TO. */
bool travel_window(const struct app *a, int64_t *from, int64_t *to);
void travel_zoom(struct app *a, bool in);

/* Starts playing, which continues with each event; 0 stops. */
void travel_play(struct app *a, int64_t speed);

/* "2026-11-03 14:00:00"; without the day if BRIEF, without seconds if these are 0. */
void travel_name(int64_t time, bool brief, char *buf, size_t size);

/* As people say it: with the day unless it is within half a day of the shown time. */
void travel_clock(const struct app *a, int64_t time, char *buf, size_t size);

/* "10m", "1h": a speed or a span. */
void travel_spell(int64_t seconds, char *buf, size_t size);

/* The two lines of the time line, if shown (time_bar.c). */
struct canvas;
int time_bar_lines(const struct app *a);
void time_bar_draw(const struct app *a, struct canvas *c, int y);

/* A click at column X goes there. */
void time_bar_click(struct app *a, int x);

#endif
