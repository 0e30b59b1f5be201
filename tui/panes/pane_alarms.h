/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The alarms of the screen: rules of the `alarm` command, which look at each picture that the
 * source gives (not at those of the past that the user goes to), and the list of what they told.
 */
#ifndef FAIRTOP_TUI_PANES_PANE_ALARMS_H
#define FAIRTOP_TUI_PANES_PANE_ALARMS_H

#include "tui/rows/state.h"

/* How an alarm that begins is told besides: "off", "bell", "osc9", "osc777"; then NULL. */
extern const char *const alarm_rings[];

extern const struct pane_ops alarms_pane;
extern const struct feature alarms_feature;

/* "NAME VIEW EXPRESSION [until EXPRESSION] [for TIME]"; ERR_INPUT. */
bool alarms_add(struct app *a, const char *rule, struct err *err);
bool alarms_set_ring(struct app *a, const char *value, struct err *err);
const char *alarms_ring(const struct app *a);

/* Rule I as `alarm` takes it; false behind the last one. */
bool alarms_rule(const struct app *a, size_t i, char *buf, size_t size);

/* PICTURE came from the source. */
void alarms_look(struct app *a, const struct picture *picture);
size_t alarms_on(const struct app *a);		/* how many go on */

/* What is to be told with APP_RING: "starved /physics", "3 alarms"; harmless for terminals. */
const char *alarms_news(const struct app *a);

#endif
