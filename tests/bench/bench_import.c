/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Importing a public log of 188,041 jobs against SQLite's command line importing the same records:
 * processor time and peak memory, also with ten times as many jobs.
 *
 * Both read gzip (SQLite through zcat). The columns of the log are separated by any number of
 * blanks, which .import cannot read, so it gets the same records with | as the separator. fairtop
 * reads the log and replays it, charging every association at each of 4,500 passes. The whole
 * import also writes the recording, which takes most of its time: some 900 samples with all pending
 * and running jobs, in 880,000 rows, where .import writes 188,041.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapters/import/import.h"
#include "tests/bench/bench.h"
#include "tests/support/scratch.h"

#define LOG "traces/swf/LCG-2005-1.swf.gz"
#define JOBS 188041u
#define RUNS 7u
#define TARGET 1.2
#define MEMORY_TARGET 64.0		/* MiB */
#define LONG_TARGET 35.0		/* MiB, for a log of any length */

/* ---- what the processes do ----------------------------------------------------------------- */

static int ingest(const char *path)
{
	static struct import im;
	struct replay_options o = REPLAY_OPTIONS_INIT;
	struct err err = { 0 };

	import_init(&im, &import_swf);
	if (!import_read(&im, path, &err) || !replay_run(im.replay, &o, NULL, NULL, &err)) {
		fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	return replay_jobs(im.replay) == JOBS && replay_used(im.replay, 0) > 0 ? 0 : 1;
}

/* ---- the comparison ------------------------------------------------------------------------ */

enum { SQLITE, INGEST, RECORD, RIVALS };

static void judge_memory(const char *what, double memory, double target)
{
	bench_judge(memory / (1024 * 1024), "MiB", target, "%s, peak", what);
}

/* The log ten times, one after the other. */
static void long_log(const char *log, const char *fairtop, const char *dir)
{
	char command[2048];
	double memory;

	snprintf(command, sizeof(command), "zcat '%s' | awk '/^;/ { print; next }"
		 " { line[n++] = $0; last = $2 } END { for (i = 0; i < 10; i++)"
		 " for (k = 0; k < n; k++) { $0 = line[k]; $1 = i * n + k + 1;"
		 " $2 += i * last; print } }' | gzip -1 > '%s/long.gz'", log, dir);
	bench_command(command, NULL);
	snprintf(command, sizeof(command), "exec '%s' import swf '%s/long.gz' -o '%s/c.db' >"
		 " /dev/null", fairtop, dir, dir);
	bench_command(command, &memory);
	judge_memory("ten times as many jobs", memory, LONG_TARGET);
}

static void compare(const char *self, const char *log, const char *fairtop, const char *dir)
{
	struct bench benches[RIVALS] = {
		{ .name = "sqlite3 .import" }, { .name = "read and replay" },
		{ .name = "the whole import" },
	};
	double memory[RIVALS] = { 0 };
	char command[RIVALS][2048], prepare[2048];

	snprintf(prepare, sizeof(prepare), "zcat '%s' | grep -v '^;' | tr -s ' ' '|' | "
		 "sed 's/^|//' | gzip > '%s/log.gz'", log, dir);
	bench_command(prepare, NULL);
	snprintf(command[SQLITE], sizeof(command[SQLITE]), "rm -f '%s/a.db'; sqlite3 '%s/a.db' "
		 "'CREATE TABLE j(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r)' '.mode list' "
		 "\".import '|zcat %s/log.gz' j\"", dir, dir, dir);
	snprintf(command[INGEST], sizeof(command[INGEST]), "exec '%s' ingest '%s'", self, log);
	snprintf(command[RECORD], sizeof(command[RECORD]), "rm -f '%s'/b.db*; exec '%s' import swf "
		 "'%s' -o '%s/b.db' > /dev/null", dir, fairtop, log, dir);
	for (unsigned i = 0; i <= RUNS; i++) {
		for (size_t k = 0; k < RIVALS; k++) {
			double seconds = bench_command(command[k], &memory[k]);

			if (i > 0)
				benches[k].seconds[i - 1] = seconds;
		}
	}
	bench_ratio(&benches[INGEST], &benches[SQLITE], RUNS, TARGET);
	bench_ratio(&benches[RECORD], &benches[SQLITE], RUNS, TARGET);
	for (size_t k = INGEST; k < RIVALS; k++)
		judge_memory(benches[k].name, memory[k], MEMORY_TARGET);
}

int main(int argc, char **argv)
{
	const char *shared = getenv("FAIRTOP_SHARED"), *build = getenv("FAIRTOP_BUILD");
	char log[512], fairtop[512];

	if (argc == 3 && strcmp(argv[1], "ingest") == 0)
		return ingest(argv[2]);
	snprintf(log, sizeof(log), "%s/" LOG, shared ? shared : "");
	if (!shared || access(log, R_OK) != 0 || system("command -v sqlite3 > /dev/null") != 0) {
		printf("skipped: needs " LOG " below FAIRTOP_SHARED, and sqlite3\n");
		return 0;
	}
	snprintf(fairtop, sizeof(fairtop), "%s/fairtop", build ? build : ".");
	if (scratch_open(NULL) != 0)
		return 1;
	compare(argv[0], log, fairtop, scratch_directory());
	long_log(log, fairtop, scratch_directory());
	return scratch_close(NULL);
}
