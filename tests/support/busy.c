/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/busy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/store/store.h"
#include "core/base/dice.h"
#include "core/replay/replay.h"
#include "core/sim/sim.h"

#define JOBS 150
#define PROCS 16

static void make_jobs(struct sim_job *jobs, uint64_t *dice)
{
	const struct sim_options fcfs = { .policy = SIM_FCFS, .procs = PROCS };
	struct err err = { .code = ERR_NONE };
	int64_t now = BUSY_BEGIN;

	for (int i = 0; i < JOBS; i++) {
		struct sim_job *j = &jobs[i];

		j->submit = now += dice_below(dice, 2000);
		j->procs = 1 + dice_below(dice, i % 5 == 0 ? PROCS : 4);
		j->run = 600 + dice_below(dice, 7200);
		j->estimate = (j->run + dice_below(dice, j->run)) / 60 * 60 + 60;
	}
	if (!sim_run(jobs, JOBS, &fcfs, &err))
		fail_msg("busy: %s", err.message);
}

static bool keep(void *context, struct cluster *c, struct err *err)
{
	return store_write(context, c, cluster_meta(c)->time, err);
}

void busy_record(const char *path)
{
	static const char *const accounts[] = { "atlas", "chemistry", "earth" };
	static const char *const users[] = { "alice", "bob", "carol" };
	struct replay_options o = REPLAY_OPTIONS_INIT;
	struct replay *r = replay_new();
	struct store_writer *writer;
	struct err err = { .code = ERR_NONE };
	struct sim_job jobs[JOBS];
	uint64_t dice = dice_stream(20, 7);

	make_jobs(jobs, &dice);
	for (uint32_t i = 0; i < JOBS; i++) {
		struct replay_job job = REPLAY_JOB_INIT;
		uint32_t who = dice_below(&dice, 6);

		who = who < 3 ? 0 : who < 5 ? 1 : 2;
		job.assoc = replay_assoc(r, replay_text(r, accounts[who], strlen(accounts[who])),
					 replay_text(r, users[who], strlen(users[who])), 0);
		job.id = 101 + i;
		job.submit = jobs[i].submit;
		job.start = jobs[i].start;
		job.end = jobs[i].start + jobs[i].run;
		job.cpus = jobs[i].procs;
		job.limit = jobs[i].estimate;
		job.billing = jobs[i].procs;
		job.state = replay_text(r, "COMPLETED", 9);
		replay_add(r, &job);
	}
	o.kind = "slurm";
	o.name = "busy";
	o.every = 1800;
	writer = store_writer_hurry(path, &err);
	if (!writer || !replay_run(r, &o, keep, writer, &err) ||
	    !store_writer_finish(writer, &err))
		fail_msg("busy: %s", err.message);
	store_writer_close(writer);
	replay_free(r);
}
