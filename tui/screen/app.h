/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * app: the screen as a state machine. state + event -> state; draw(state) -> cells.
 *
 * It has no terminal, no clock and no source: time comes with each event, pictures of the cluster
 * come as events, and what the outside must do (read the source, quit) is returned as effects; its
 * settings and an errand with files are there after each event. So a key script without a terminal
 * and a person at a terminal run the same code.
 */
#ifndef FAIRTOP_TUI_SCREEN_APP_H
#define FAIRTOP_TUI_SCREEN_APP_H

#include "tui/cells/event.h"
#include "tui/rows/state.h"

struct screen_options;

/*
 * Made in three steps, so that the command line overrides the configuration: app_new() with the
 * user's configuration directory (or NULL), app_configure() with each file, app_options().
 * ERR_INPUT names the wrong option or line.
 */
struct app *app_new(const char *dir);
void app_free(struct app *a);
bool app_configure(struct app *a, const char *file, const char *text, size_t length,
		   struct err *err);
/* Runs the lines that wait for rows (app.later), if there are rows now; each event does. */
void app_run_later(struct app *a);
bool app_options(struct app *a, const struct screen_options *options, struct err *err);

uint32_t app_event(struct app *a, const struct event *event);	/* enum app_effect */
void app_draw(struct app *a, struct canvas *canvas);

/*
 * Monotonic time at which the screen changes by itself (an age, a mark that disappears); -1: never.
 * At least a second from now, unless the past is played.
 */
int64_t app_next_ms(const struct app *a);

bool app_frozen(const struct app *a);
bool app_mouse(const struct app *a);
bool app_ascii(const struct app *a);
/* For a recording, Unix time; I64_UNKNOWN: its end. */
int64_t app_seek_time(const struct app *a);

/*
 * Further times to read, one after the other, for EVENT_LOOK; borrowed until the next event. Times
 * of an earlier call are no longer needed.
 */
const int64_t *app_survey(const struct app *a, size_t *count, uint32_t *needs);
const struct theme *app_theme(const struct app *a);	/* not reduced yet */
const char *app_copied(const struct app *a);
const char *app_write_path(const struct app *a);
/* The result of writing; MADE: the directory is new; TEXT: why it failed. */
void app_written(struct app *a, bool done, bool made, const char *text);
uint16_t app_exit_status(const struct app *a);

#endif
