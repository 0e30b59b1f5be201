/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the command backtest costs: processor time of reading and of each schedule, peak memory per
 * job. All logs but the first are made here: jobs of random sizes and lengths that use nine tenths
 * of the machine.
 *
 * The cost of a schedule with fair share is that of the command with an edit, which adds one run,
 * minus that without.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/dice.h"
#include "tests/bench/bench.h"
#include "tests/support/scratch.h"

#define LOG "traces/swf/LCG-2005-1.swf.gz"
#define BYTES 150.0		/* per job */
#define FAIR "--set weight.fairshare=10000"

/* Returns the processor time of fairtop backtest on LOG; *BYTES is its peak memory. */
static double played(const char *log, const char *arguments, double *bytes)
{
	const char *build = getenv("FAIRTOP_BUILD");
	char command[1200];

	snprintf(command, sizeof(command), "exec '%s/fairtop' backtest '%s' %s --filter "
		 "scope=total > /dev/null 2>&1", build ? build : ".", log, arguments);
	return bench_command(command, bytes);
}

struct made {
	uint32_t jobs, procs, users, largest, longest;
	double gap;			/* mean time between submissions, s */
};

/* A number from 1 to MOST, log-uniformly distributed. */
static uint32_t any_size(uint64_t *dice, uint32_t most)
{
	double u = (double)dice_below(dice, 1000000) / 1e6;

	return (uint32_t)exp(u * log(most + 0.999));
}

static void make_log(const char *path, const struct made *m)
{
	uint64_t dice = dice_stream(7, 1);
	FILE *file = fopen(path, "w");
	double now = 0;

	if (!file)
		exit(1);
	fprintf(file, "; MaxProcs: %u\n", m->procs);
	for (uint32_t i = 1; i <= m->jobs; i++) {
		uint32_t procs = any_size(&dice, m->largest), user = dice_below(&dice, m->users);
		uint32_t run = 10 + any_size(&dice, m->longest);
		uint32_t limit = (run + dice_below(&dice, 4 * run)) / 60 * 60 + 60;

		now -= m->gap * log(1 - (double)dice_below(&dice, 1000000) / 1e6);
		fprintf(file, "%u %.0f 0 %u %u -1 -1 %u %u -1 1 %u %u -1 1 1 -1 -1\n", i,
			floor(now), run, procs, procs, limit, user, user % 300);
	}
	fclose(file);
}

/* The first line printed for each log describes it. */
static void bench_made(const char *path, const struct made *m, double easy, double slurm)
{
	double bytes, past, both;

	make_log(path, m);
	printf("%u jobs, %u users, %u nodes\n", m->jobs, m->users, m->procs);
	bench_judge(played(path, "--policy easy", &bytes), "s", easy, "easy");
	bench_judge(bytes / m->jobs, "bytes a job", BYTES, "easy, peak memory");
	past = played(path, "--policy slurm", &bytes);
	both = played(path, "--policy slurm " FAIR, &bytes);
	bench_judge(both - past, "s", slurm, "slurm with fair share each 300 s");
	bench_judge(bytes / m->jobs, "bytes a job", BYTES, "slurm, peak memory");
}

int main(void)
{
	static const struct made million = { 1000000, 64, 10000, 16, 3000, 33 };
	static const struct made months = { 600000, 5860, 3000, 300, 16000, 17.5 };
	const char *shared = getenv("FAIRTOP_SHARED");
	char log[512], path[SCRATCH_PATH_MAX];
	double bytes;

	if (scratch_open(NULL) != 0)
		return 1;
	scratch_path("log.swf", path);
	snprintf(log, sizeof(log), "%s/" LOG, shared ? shared : "");
	if (shared && access(log, R_OK) == 0)
		bench_judge(played(log, "--policy easy", &bytes), "s", 1, "LCG-2005, easy");
	else
		printf("LCG-2005 skipped: needs " LOG " below FAIRTOP_SHARED\n");
	bench_made(path, &million, 10, 60);
	bench_made(path, &months, 600, 600);
	return scratch_close(NULL);
}
