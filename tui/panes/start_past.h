/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * start_past: the jobs of a recording that is on the screen, for the likely spans of starts. Its
 * last START_PAST_MOST pictures come one after the other as answers to a survey, once starts are
 * looked at; before that there are no spans.
 */
#ifndef FAIRTOP_TUI_PANES_START_PAST_H
#define FAIRTOP_TUI_PANES_START_PAST_H

#include "core/sim/gather.h"
#include "core/sim/joblog.h"
#include "tui/rows/state.h"

#define START_PAST_MOST 2000

struct start_past {
	int64_t *wanted;		/* owned: times to look at */
	size_t count, next;
	struct replay *replay;		/* NULL: nobody has looked at starts */
	struct gather *gather;
	int64_t until;			/* the last picture that is gathered */
	uint32_t gathered;		/* how often all that was wanted has come */
	bool failed;
};
extern const struct feature start_past_feature;

/* What was known at the picture's time; the caller's. NULL: no recording, or not known yet. */
struct joblog *start_past_log(struct app *a);

#endif
