/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The alarms of the screen: rules of the `alarm` command, evaluated for each picture from the
 * source (not for those of the past that the user goes to), and the list of alarms.
 */
#ifndef FAIRTOP_TUI_PANES_PANE_ALARMS_H
#define FAIRTOP_TUI_PANES_PANE_ALARMS_H

#include "tui/rows/state.h"

/* Further notifications for an alarm that begins: "off", "bell", "osc9", "osc777"; then NULL. */
extern const char *const alarm_rings[];

extern const struct pane_ops alarms_pane;
extern const struct feature alarms_feature;

/* Adds "NAME VIEW EXPRESSION [until EXPRESSION] [for TIME]"; ERR_INPUT. */
bool alarms_add(struct app *a, const char *rule, struct err *err);
bool alarms_set_ring(struct app *a, const char *value, struct err *err);
const char *alarms_ring(const struct app *a);

/* Rule I as `alarm` reads it; false after the last one. */
bool alarms_rule(const struct app *a, size_t i, char *buf, size_t size);

/* Evaluates PICTURE, which came from the source. */
void alarms_look(struct app *a, const struct picture *picture);
size_t alarms_on(const struct app *a);		/* how many are on */

/* The text for APP_RING: "starved /physics", "3 alarms"; safe for terminals. */
const char *alarms_news(const struct app *a);

#endif
