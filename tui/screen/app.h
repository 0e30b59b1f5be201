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

#include "tui/cells/event.h"
#include "tui/rows/state.h"

struct screen_options;

/*
 * Made in three steps, so that the command line wins over the configuration: app_new() with the
 * user's configuration directory (or NULL), app_configure() with each file, app_options().
 * ERR_INPUT says which option or line is wrong.
 */
struct app *app_new(const char *dir);
void app_free(struct app *a);
bool app_configure(struct app *a, const char *file, const char *text, size_t length,
		   struct err *err);
/* Runs what has waited for rows (app.later), if there are some now; each event does. */
void app_run_later(struct app *a);
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
struct picture_order app_order(const struct app *a);	/* may change with every event */
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
