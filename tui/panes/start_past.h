/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * start_past: the jobs of the recording on the screen, for the likely spans of starts. Its last
 * START_PAST_MOST pictures come one by one as answers to a survey, once starts are shown; until
 * then there are no spans.
 */
#ifndef FAIRTOP_TUI_PANES_START_PAST_H
#define FAIRTOP_TUI_PANES_START_PAST_H

#include "core/sim/gather.h"
#include "core/sim/joblog.h"
#include "tui/rows/state.h"

#define START_PAST_MOST 2000

struct start_past {
	int64_t *wanted;		/* owned: times to read */
	size_t count, next;
	struct replay *replay;		/* NULL: starts were not shown yet */
	struct gather *gather;
	int64_t until;			/* time of the last gathered picture */
	uint32_t gathered;		/* how often a request was completed */
	bool failed;
};
extern const struct feature start_past_feature;

/* What was known at the picture's time; the caller frees it. NULL: no recording, or not yet. */
struct joblog *start_past_log(struct app *a);

#endif
