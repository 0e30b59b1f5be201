/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stage: a screen without a terminal, for tests that press keys and look. Clusters are sketches;
 * the user is alice. A test that does not see what it expects fails and prints the screen.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_STAGE_H
#define FAIRTOP_TESTS_SUPPORT_STAGE_H

#include "tests/support/sketch.h"
#include "tui/panes/chart.h"
#include "tui/panes/pane_forecast.h"
#include "tui/panes/pane.h"
#include "tui/screen/app.h"
#include "tui/screen/screen.h"
#include "tui/time/travel.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"
#include "tui/cells/keys.h"

struct stage {
	struct app *app;
	struct canvas *canvas;
	int64_t ms;
	uint32_t effects;	/* all since the test last set it to 0 */
	bool later;		/* what-ifs are made by stage_make() alone */
	char *text;
};

struct stage *stage_empty(const char *config);	/* 100x30, configured, no data yet */
struct stage *stage(const char *text);		/* with a first picture */
void stage_leave(struct stage *s);

/* A test that puts its stage into *state; the stage is freed when the test ends. */
#define stage_test(test) cmocka_unit_test_teardown(test, stage_close)
int stage_close(void **state);

/* Events. */
void stage_resize(struct stage *s, int width, int height);
void stage_source(struct stage *s, enum source_health health, const char *problem);
void stage_source_is(struct stage *s, const struct source_state *source);
void stage_show(struct stage *s, const char *text);
void stage_step(struct stage *s, const struct script_step *step);
void stage_keys(struct stage *s, const char *script);
void stage_wait(struct stage *s, int64_t ms);	/* and does all work */
void stage_make(struct stage *s);		/* makes the ordered picture and shows it */

/* What the screen shows. */
const char *stage_seen(struct stage *s);
void stage_sees(struct stage *s, const char *text);
void stage_sees_not(struct stage *s, const char *text);
void stage_cursor_on(struct stage *s, const char *name);
bool stage_has_role(struct stage *s, const char *text, enum role role);	/* in a line with TEXT */

/* A sink's function; CONTEXT is a buffer that must be large enough for the text. */
bool stage_append(void *context, const char *bytes, size_t length, struct err *err);

#endif
