/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/played.h"

#include <stdio.h>

#include "core/base/mem.h"
#include "tests/support/sketch.h"
#include "tui/panes/backtests.h"

#define STEPS 20
#define PROCS 16
#define ACCOUNTS 3

/* Policies whose columns and curves differ visibly. */
static const enum sim_policy policies[] = { SIM_SLURM, SIM_EASY, SIM_FCFS };
#define RUNS (sizeof(policies) / sizeof(policies[0]))

static double *each_step(double first, double by)
{
	double *values = mem_alloc(STEPS, sizeof(*values));

	for (int i = 0; i < STEPS; i++)
		values[i] = first + by * i;
	return values;
}

/* The row of all jobs (NUMBER 0), or of an account, numbered from 1. */
static struct backtest_row row_of(int run, int number)
{
	static const char *const names[] = { NULL, "chemistry", "atlas", "earth" };
	struct backtest_row row = {
		.scope = number > 0 ? BACKTEST_ACCOUNT : BACKTEST_TOTAL, .name = names[number],
		.wait_mean = 3600 + 1800 * run, .wait_p95 = 7200 + 9000 * run,
		.slowdown = 1.5 + run,
		.gain = run == 0 ? 0 : number > 0 ? 900 - 600 * number : 6000 - 4500 * run,
		.utilisation = 0.75 + 0.05 * run, .jain = 0.95 - 0.1 * run,
		.makespan = STEPS * 3600,
		.share = 0.5 - 0.15 * number, .promised = 1.0 / ACCOUNTS, .steps = STEPS,
	};

	row.used = number > 0 ? each_step(PROCS * 360 * number, PROCS * 36 * run) :
		   each_step(PROCS * 1800, PROCS * 36 * (run + 1));
	row.waited = each_step(3600 * run, 3600);
	return row;
}

static void make_up(struct backtests *b)
{
	struct backtest *r = &b->result;

	b->count = RUNS;
	b->guessed = true;
	b->step = STEPS / 2;
	b->run = 1;
	b->procs = PROCS;
	snprintf(b->fidelity, sizeof(b->fidelity),
		 "how well the first of them, as it is simulated, "
		 "explains what happened is told in words that take more than one line");
	*r = (struct backtest){ .first = 1 + ACCOUNTS, .step = 3600, .from = SKETCH_TIME,
				.steps = STEPS, .procs = PROCS };
	r->rows = mem_alloc(RUNS * r->first, sizeof(*r->rows));
	for (size_t run = 0; run < RUNS; run++) {
		b->runs[run].policy = policies[run];
		snprintf(b->runs[run].name, sizeof(b->runs[run].name), "%s",
			 policy_schedules[policies[run]]);
		for (int number = 0; number <= ACCOUNTS; number++)
			r->rows[r->count++] = row_of((int)run, number);
	}
	b->state = BACKTESTS_THERE;
}

struct stage *played_stage(void)
{
	struct stage *s = stage("physics 40\n\t+alice 1 5000\n");
	struct timeline line = { .count = 0 };
	struct event event = { .type = EVENT_PAST, .past = &line, .ms = s->ms,
			       .now = SKETCH_TIME };

	timeline_add(&line, SKETCH_TIME);
	timeline_add(&line, SKETCH_TIME + 120);
	app_event(s->app, &event);
	make_up(s->app->backtests);
	return s;
}
