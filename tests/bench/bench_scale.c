/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How each verb grows: 1,000 to 1,000,000 associations by 0 to 1,000,000 jobs, of the demo cluster
 * as a snapshot. A line for each: seconds of CPU, peak memory, and the exponent, which is how the
 * logarithm of the seconds grows with that of the size, against ten times fewer of the same. An
 * exponent above 1.15 is flagged. Seconds that the program takes to start are not part of it, for
 * they would hide how the rest grows; where less than BASE is left, nothing is judged. What has not
 * come back after SECONDS of the clock is "inf".
 *
 * Not a part of `make bench`, for it takes hours: `make bench-scale`. SCALE_MOST in the environment
 * is the most of either, and SCALE_VERBS the verbs, in one word separated by commas.
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
#define SECONDS 600		/* who has not come back by then is left */
#define COMMAND 4096

static const unsigned assocs[SIZES] = { 1000, 10000, 100000, 1000000 };
static const unsigned jobs[SIZES] = { 0, 10000, 100000, 1000000 };

/* $F is the snapshot, $J a waiting job in it. */
static const struct {
	const char *name, *arguments;
	bool of_jobs;			/* there must be some */
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

/* Who was left has used endlessly much: his child's time is nobody's. */
static double run(const char *fairtop, const char *snapshot, size_t verb, double *peak)
{
	char command[COMMAND], left[700];
	double seconds;

	/* Small numbers: something was found, or the demo has not what is asked for. */
	snprintf(command, sizeof(command), "F='%s'; J=$(cat $F.job); rm -f $F.rec* $F.left; "
		 "timeout %d '%s' %.*s %s > /dev/null 2> $F.err; s=$?; "
		 "test $s -ne 124 || exec touch $F.left; test $s -lt 64",
		 snapshot, SECONDS, fairtop,
		 (int)strcspn(verbs[verb].name, "-"), verbs[verb].name, verbs[verb].arguments);
	seconds = bench_command(command, peak);
	snprintf(left, sizeof(left), "%s.left", snapshot);
	return access(left, F_OK) == 0 ? (double)INFINITY : seconds;
}

/* Against ten times fewer associations, or jobs where these are the more; both without START. */
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
