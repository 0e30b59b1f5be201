/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * app: the screen as a state machine. state + event -> state; draw(state) -> cells.
 *
 * No terminal, no clock, no source in here: time comes with each event, pictures of the cluster
 * come as events, and what the outside must do (ask the source, leave, ring for a new theme) comes
 * back as effects. So a key script without a terminal and a person at a terminal drive the very
 * same code.
 */
#ifndef FAIRTOP_TUI_SCREEN_APP_H
#define FAIRTOP_TUI_SCREEN_APP_H

#include "core/share/model.h"
#include "core/cluster/timeline.h"
#include "tui/cells/canvas.h"
#include "tui/cells/theme.h"

struct app;
struct screen_options;

enum source_health { SOURCE_LOADING, SOURCE_GOOD, SOURCE_STALE, SOURCE_ENDED };

/* What is known about the source, apart from its clusters. */
struct source_state {
	enum source_health health;
	bool live;			/* can be asked again */
	bool busy;			/* is being asked right now */
	int64_t last_good_ms;		/* monotonic; -1 never */
	char name[256];			/* as the user wrote it */
	char detail[200];		/* how it is read: "helper", "commands (6 decimals)" */
	char problem[ERR_MESSAGE_MAX];	/* what is wrong, "" if nothing */
};

enum event_type {
	EVENT_KEY, EVENT_CLICK, EVENT_WHEEL, EVENT_RESIZE, EVENT_SOURCE,
	EVENT_CLUSTER,		/* the picture is made of it at once */
	EVENT_PICTURE,		/* made before, in another thread (maker.h) */
	EVENT_PAST,		/* the time line of a source that keeps its past */
	EVENT_LOOK,		/* one answer to app_survey() */
	EVENT_TIME		/* nothing but time has passed */
};

/* How the next picture is to be made, and which of its parts the open views need. */
struct picture_order {
	struct model_options options;
	bool queue, classes, pools;
};
struct picture;

struct event {
	enum event_type type;
	int64_t ms;		/* monotonic clock, milliseconds */
	int64_t now;		/* Unix time */
	uint32_t key;		/* KEY */
	int x, y;		/* CLICK: cell; RESIZE: size; WHEEL: y lines, negative up */
	int at;			/* WHEEL: line of the pointer, whose column is x */
	struct cluster *cluster;		/* CLUSTER, LOOK: taken over; LOOK: or NULL */
	struct picture *picture;		/* PICTURE: taken over */
	const struct source_state *source;	/* SOURCE */
	struct timeline *past;			/* PAST: what it owns is taken over */
	int64_t time;				/* LOOK: what was asked for */
};

enum app_effect {
	APP_DRAW	= 1 << 0,	/* something on the screen may have changed */
	APP_QUIT	= 1 << 1,
	APP_REFRESH	= 1 << 2,	/* ask the source now */
	APP_FREEZE	= 1 << 3,	/* app_frozen() changed */
	APP_THEME	= 1 << 4,	/* app_theme() changed */
	APP_MOUSE	= 1 << 5,	/* app_mouse() changed */
	APP_COPY	= 1 << 6,	/* app_copied() is meant for the clipboard */
	APP_NEEDS	= 1 << 7,	/* app_needs() changed */
	APP_EVERY	= 1 << 8,	/* app_every_ms() changed */
	APP_REDRAW	= 1 << 9,	/* the terminal is to be painted anew */
	APP_WRITE	= 1 << 10,	/* app_write_path() is to be written (settings.h) */
	APP_SEEK	= 1 << 11,	/* app_seek_time() changed: ask for it now */
	APP_SURVEY	= 1 << 12,	/* app_survey() changed */
	APP_MORE	= 1 << 13,	/* work is left: send EVENT_TIME soon */
	APP_FILE	= 1 << 14,	/* edits are to be saved, loaded or exported (trial.h) */
	APP_SAVE	= 1 << 15	/* the table is to be written (table_save.h) */
};

/*
 * Made in three steps, so that the command line wins over the configuration: app_new() with the
 * user's configuration directory (or NULL), app_configure() with each file, app_options().
 * ERR_INPUT says which option or line is wrong.
 */
struct app *app_new(const char *dir);
void app_free(struct app *a);
bool app_configure(struct app *a, const char *file, const char *text, size_t length,
		   struct err *err);
bool app_options(struct app *a, const struct screen_options *options, struct err *err);

uint32_t app_event(struct app *a, const struct event *event);	/* enum app_effect */
void app_draw(struct app *a, struct canvas *canvas);

/*
 * Monotonic time at which the picture changes by itself (an age, a mark that fades); -1: never.
 * Never sooner than a second from now, unless the past is played.
 */
int64_t app_next_ms(const struct app *a);

bool app_frozen(const struct app *a);
bool app_mouse(const struct app *a);
bool app_ascii(const struct app *a);
uint32_t app_needs(const struct app *a);
struct picture_order app_order(const struct app *a);	/* may change with every event */
int64_t app_every_ms(const struct app *a);
/* Of a recording, Unix time: I64_UNKNOWN is its end. */
int64_t app_seek_time(const struct app *a);

/*
 * Times to look at besides, one after the other, as EVENT_LOOK; borrowed until the next event. What
 * was asked for before is no longer wanted.
 */
const int64_t *app_survey(const struct app *a, size_t *count, uint32_t *needs);
const struct theme *app_theme(const struct app *a);	/* not reduced yet */
const char *app_copied(const struct app *a);
const char *app_write_path(const struct app *a);
/* What came of it; MADE: the directory is new; TEXT: why not. */
void app_written(struct app *a, bool done, bool made, const char *text);
uint16_t app_exit_status(const struct app *a);

#endif
