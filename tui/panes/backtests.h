/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backtests: the recording on the screen under other policies.
 *
 * Its pictures come one after the other as answers to a survey and are gathered as a log; a thread
 * of its own then plays that through the policies, and later makes the picture of one instant.
 * Until the thread has said that it is over, nobody else touches what it works on.
 */
#ifndef FAIRTOP_TUI_PANES_BACKTESTS_H
#define FAIRTOP_TUI_PANES_BACKTESTS_H

#include "core/sim/backtest.h"
#include "core/sim/gather.h"
#include "core/sim/past_play.h"
#include "tui/rows/state.h"

#define BACKTEST_POINTS 240	/* steps of its curves */

enum backtests_state {
	BACKTESTS_NONE,		/* nothing was asked for, or PROBLEM tells why there is nothing */
	BACKTESTS_GATHERS, BACKTESTS_PLAYS,
	BACKTESTS_THERE
};

struct backtests_run {
	enum sim_policy policy;
	bool edited;			/* under the edits in force then */
	char name[64];
	struct trial trial;
};

struct backtests_task;

struct backtests {
	enum backtests_state state;
	char problem[ERR_MESSAGE_MAX];
	/* What is gathered. */
	int64_t *wanted;		/* owned: times to look at, in this order */
	size_t wanted_count, next;
	bool shares;			/* these are the last picture and the first, whole */
	struct replay *replay;
	struct gather *gather;
	struct cluster *cluster, *edited;	/* as the recording began; EDITED may be NULL */
	uint64_t edits;			/* tells whether others are in force */
	/* What is played: the first is what ruled, which the others are compared with. */
	struct backtests_run runs[BACKTEST_POLICIES];
	size_t count;
	uint32_t procs;
	bool guessed;			/* PROCS are the most that were in use at a time */
	struct backtest result;
	char fidelity[400], left_out[400];
	struct backtests_task *task;	/* under way; NULL */
	/* Where the user looks. */
	size_t run;
	uint32_t step;
};

extern const struct feature backtest_feature;
extern const struct pane_ops backtest_pane;

/* Plays those POLICIES besides what ruled; none: easy and fcfs. */
void backtests_ask(struct app *a, const enum sim_policy *policies, size_t count);

/* Nothing was asked for yet, or other edits are in force since. */
bool backtests_are_old(const struct app *a);

/* The cluster at the time of the cursor under the run that is looked at: onto the screen. */
void backtests_open(struct app *a);
int64_t backtests_time(const struct backtests *b);

/* 0 to 1; of gathering, of playing and of nothing else. */
double backtests_done(const struct backtests *b);

#endif
