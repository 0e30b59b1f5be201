/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backtests: the recording on the screen under other policies.
 *
 * Its pictures come one by one as answers to a survey, and are gathered as a log. A separate thread
 * then simulates that under the policies, and later makes the picture of one instant. Until the
 * thread is done, nothing else uses its data.
 */
#ifndef FAIRTOP_TUI_PANES_BACKTESTS_H
#define FAIRTOP_TUI_PANES_BACKTESTS_H

#include "core/sim/backtest.h"
#include "core/sim/gather.h"
#include "core/sim/past_play.h"
#include "tui/rows/state.h"

#define BACKTEST_POINTS 240	/* steps of its curves */

enum backtests_state {
	BACKTESTS_NONE,		/* not requested, or see PROBLEM */
	BACKTESTS_GATHERS, BACKTESTS_PLAYS,
	BACKTESTS_THERE
};

struct backtests_run {
	enum sim_policy policy;
	bool edited;			/* with the edits active at that time */
	char name[64];
	struct sim_log sim_log;
};

struct backtests_task;

struct backtests {
	enum backtests_state state;
	char problem[ERR_MESSAGE_MAX];
	/* Gathering. */
	int64_t *wanted;		/* owned: times to read, in this order */
	size_t wanted_count, next;
	bool shares;			/* the last and the first picture, complete */
	struct replay *replay;
	struct gather *gather;
	struct cluster *cluster, *edited; /* at the recording's beginning; EDITED may be NULL */
	uint64_t edits;			/* identifies the active edits */
	/* The runs: the first is the policy in effect, with which the others are compared. */
	struct backtests_run runs[BACKTEST_POLICIES];
	size_t count;
	uint32_t procs;
	bool guessed;			/* PROCS: the most in use at any time */
	struct backtest result;
	char fidelity[400], left_out[400];
	struct backtests_task *task;	/* running; NULL: none */
	/* The user's selection. */
	size_t run;
	uint32_t step;
};

extern const struct feature backtest_feature;
extern const struct pane_ops backtest_pane;

/* Simulates POLICIES besides the one in effect; none given: easy and fcfs. */
void backtests_ask(struct app *a, const enum sim_policy *policies, size_t count);

/* Nothing was requested yet, or the active edits have changed. */
bool backtests_are_old(const struct app *a);

/* Shows the cluster at the cursor's time under the selected run. */
void backtests_open(struct app *a);
int64_t backtests_time(const struct backtests *b);

/* Progress, 0 to 1, of gathering or of the simulation. */
double backtests_done(const struct backtests *b);

#endif
