/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the cost of each verb grows, from 1,000 to 1,000,000 associations and 0 to 1,000,000 jobs, on
 * snapshots of the demo cluster. Prints a line for each: seconds of CPU, peak memory, and the
 * exponent: the growth of log(seconds) over that of log(size), against a tenth of the size. An
 * exponent above 1.15 is flagged. The program's start-up time is subtracted first, as it would hide
 * the growth of the rest; if less than BASE remains, nothing is judged. A run of more than
 * SECONDS (wall clock) is "inf".
 *
 * Not a part of `make bench`, because it takes hours: `make bench-scale`. In the environment,
 * SCALE_MOST limits both sizes, and SCALE_VERBS lists the verbs, separated by commas.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/bench.h"
#include "tests/support/scratch.h"

#define BASE 0.1		/* s */
#define MOST_EXPONENT 1.15
#define SIZES 4
#define SECONDS 600		/* a run that takes longer is ended */
#define COMMAND 4096

static const unsigned assocs[SIZES] = { 1000, 10000, 100000, 1000000 };
static const unsigned jobs[SIZES] = { 0, 10000, 100000, 1000000 };

/* $F is the snapshot, $J a pending job in it. */
static const struct {
	const char *name, *arguments;
	bool of_jobs;			/* needs jobs */
} verbs[] = {
	{ "accounts", "$F --format csv", false }, { "accounts-table", "$F", false },
	{ "jobs", "$F --format csv", true }, { "jobs-table", "$F", true },
	{ "classes", "$F --format csv", true }, { "cycle", "$F --format csv", true },
	{ "pools", "$F --format csv", true }, { "lint", "$F", false },
	{ "explain", "$F job:$J", true }, { "why", "$F job:$J", true },
	{ "compare", "$F account:biology account:physics", false },
	{ "whatif", "$F --set shares:/biology=1 --format csv", false },
	{ "forecast", "$F account:biology --reach 0.9 --format csv", false },
	{ "forecast-job", "$F job:$J --reach 1 --format csv", true },
	{ "seek", "$F account:biology --reach 0.9 --format csv", false },
	{ "seek-job", "$F job:$J --reach 1 --format csv", true },
	{ "verify", "$F", false }, { "policy", "$F", false }, { "snapshot", "$F", false },
	{ "metrics", "$F", false }, { "starts", "$F --format csv", true },
	{ "record", "$F --count 1 -o $F.rec", false },
};
#define VERBS (sizeof(verbs) / sizeof(verbs[0]))

static bool is_asked(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',') {
		if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
			return true;
	}
	return !list;
}

/* Infinity if the run timed out, since its CPU time is then unknown. */
static double run(const char *fairtop, const char *snapshot, size_t verb, double *peak)
{
	char command[COMMAND], left[700];
	double seconds;

	/* Exit statuses below 64: findings, or the demo does not have the object. */
	snprintf(command, sizeof(command), "F='%s'; J=$(cat $F.job); rm -f $F.rec* $F.left; "
		 "timeout %d '%s' %.*s %s > /dev/null 2> $F.err; s=$?; "
		 "test $s -ne 124 || exec touch $F.left; test $s -lt 64",
		 snapshot, SECONDS, fairtop,
		 (int)strcspn(verbs[verb].name, "-"), verbs[verb].name, verbs[verb].arguments);
	seconds = bench_command(command, peak);
	snprintf(left, sizeof(left), "%s.left", snapshot);
	return access(left, F_OK) == 0 ? (double)INFINITY : seconds;
}

/* Against a tenth of the associations, or of the jobs if they are more; START is subtracted. */
static double exponent(double took[SIZES][SIZES], unsigned a, unsigned j, double start)
{
	double before = jobs[j] >= assocs[a] ? j > 1 ? took[a][j - 1] : 0 :
					       a > 0 ? took[a - 1][j] : 0;

	return before - start >= BASE ? log10((took[a][j] - start) / (before - start)) : NAN;
}

static unsigned measure(const char *fairtop, const char *snapshot, unsigned a, unsigned j,
			double start, double took[VERBS][SIZES][SIZES])
{
	const char *asked = getenv("SCALE_VERBS");
	unsigned flagged = 0;
	double peak, e;

	for (size_t v = 0; v < VERBS; v++) {
		if ((verbs[v].of_jobs && jobs[j] == 0) || !is_asked(asked, verbs[v].name))
			continue;
		took[v][a][j] = run(fairtop, snapshot, v, &peak);
		e = exponent(took[v], a, j, start);
		printf("%-16s %9u %9u %9.2f %9.0f %9.2f%s\n", verbs[v].name, assocs[a], jobs[j],
		       took[v][a][j], peak / 1048576, e, e > MOST_EXPONENT ? "  ABOVE" : "");
		fflush(stdout);
		flagged += e > MOST_EXPONENT;
	}
	return flagged;
}

static double start_of(const char *fairtop)
{
	char command[COMMAND];

	snprintf(command, sizeof(command), "'%s' --version > /dev/null", fairtop);
	return bench_command(command, NULL);
}

static void make(const char *fairtop, const char *snapshot, unsigned a, unsigned j)
{
	char command[COMMAND];

	snprintf(command, sizeof(command), "F='%s'; "
		 "'%s' snapshot demo:1,accounts=%u,users=%u,jobs=%u > $F && "
		 "'%s' jobs $F --format csv --columns id --filter state=PENDING | "
		 "sed -n 2p > $F.job", snapshot, fairtop, assocs[a] / 10,
		 assocs[a] - assocs[a] / 10, jobs[j], fairtop);
	bench_command(command, NULL);
}

int main(void)
{
	static double took[VERBS][SIZES][SIZES];
	const char *build = getenv("FAIRTOP_BUILD"), *limit = getenv("SCALE_MOST");
	unsigned most = limit ? (unsigned)atol(limit) : 1000000, flagged = 0;
	char fairtop[512], snapshot[600];
	double start;

	if (scratch_open(NULL) != 0)
		return 1;
	snprintf(fairtop, sizeof(fairtop), "%s/fairtop", build ? build : ".");
	snprintf(snapshot, sizeof(snapshot), "%s/snapshot", scratch_directory());
	start = start_of(fairtop);
	printf("a start takes %.3f s\n", start);
	printf("%-16s %9s %9s %9s %9s %9s\n", "", "assocs", "jobs", "s", "MiB", "exponent");
	for (unsigned a = 0; a < SIZES; a++) {
		for (unsigned j = 0; j < SIZES; j++) {
			if (assocs[a] > most || jobs[j] > most)
				continue;
			make(fairtop, snapshot, a, j);
			flagged += measure(fairtop, snapshot, a, j, start, took);
		}
	}
	printf("exponents above %.2f: %u\n", MOST_EXPONENT, flagged);
	return scratch_close(NULL);
}
