/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a user waits for: whole runs of verbs over a snapshot of 1,000,000 associations, and a
 * history from recordings, each against a limit in seconds of processor time of an idle machine.
 * The time of reading is also given as a multiple of fread() of the same bytes plus qsort() of as
 * many doubles.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "adapters/demo/demo.h"
#include "adapters/store/store.h"
#include "core/base/mem.h"
#include "tests/bench/bench.h"
#include "tests/support/dice.h"
#include "tests/support/scratch.h"

#define ASSOCS 1000000u
#define COMMAND 1024
#define EVERY 30		/* s between two samples */

static const char *program(void)
{
	static char path[512];
	const char *build = getenv("FAIRTOP_BUILD");

	snprintf(path, sizeof(path), "%s/fairtop", build ? build : ".");
	return path;
}

static void fail(const char *what)
{
	fprintf(stderr, "bench_waits: %s\n", what);
	exit(1);
}

/* Returns the CPU seconds of VERB with ARGUMENTS on FILE. */
static double took(const char *verb, const char *file, const char *arguments)
{
	char command[COMMAND];

	snprintf(command, sizeof(command), "'%s' %s '%s' %s > /dev/null", program(), verb, file,
		 arguments);
	return bench_command(command, NULL);
}

/* ---- a million associations ---------------------------------------------------------------- */

struct bare {
	const char *path;
	double *numbers;
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void read_and_sort(void *context)
{
	static char room[1 << 16];
	struct bare *b = context;
	FILE *file = fopen(b->path, "r");
	uint64_t seed = 1;

	if (!file)
		fail(b->path);
	while (fread(room, 1, sizeof(room), file) > 0)
		;
	fclose(file);
	for (uint32_t i = 0; i < ASSOCS; i++)
		b->numbers[i] = dice_below(&seed, UINT32_MAX);
	qsort(b->numbers, ASSOCS, sizeof(*b->numbers), compare);
}

static void bench_million(void)
{
	struct bare b = { .numbers = mem_alloc(ASSOCS, sizeof(double)) };
	struct bench bare = { .name = "fread and qsort", .run = read_and_sort, .context = &b };
	char path[SCRATCH_PATH_MAX], command[COMMAND];
	double load, csv;

	b.path = scratch_path("million.snapshot", path);
	snprintf(command, sizeof(command), "'%s' snapshot demo:1,accounts=%u,users=%u,jobs=0 >"
		 " '%s'", program(), ASSOCS / 10, ASSOCS / 10 * 8, path);
	bench_command(command, NULL);
	bench_once(&bare);
	printf("a snapshot of a demo of 100,000 accounts and 800,000 users\n");
	load = took("policy", path, "");
	bench_judge(load, "s", 1.0, "reading it, %.1f times fread and qsort of %.2f s",
		    load / bare.seconds[0], bare.seconds[0]);
	bench_judge(took("forecast", path, "account:biology --reach 0.9"), "s", 3, "forecast");
	bench_judge(took("seek", path, "account:biology --reach 0.9"), "s", 3, "seek");
	csv = took("accounts", path, "--format csv");
	bench_judge(took("accounts", path, "") / csv, "times", 1.3,
		    "accounts as a table against CSV, %.2f s", csv);
	mem_free(b.numbers);
}

/* ---- a recording --------------------------------------------------------------------------- */

#define HISTORY "account:biology --format csv "

/*
 * Measures SAMPLES samples, scaled to MANY except for the first rows, which are written before the
 * others are computed. Whoever waits asks for the hours of a month; the limit is HOURS seconds.
 */
static void bench_history(const struct demo_options *options, uint32_t samples, double first,
			  double hours, double many)
{
	struct demo *d = demo_new(options);
	struct err err = { .code = ERR_NONE };
	char path[SCRATCH_PATH_MAX];
	struct store_writer *w = store_writer_hurry(scratch_path("past.recording", path), &err);
	uint32_t rows = 0;

	for (uint32_t i = 0; i < samples; i++) {
		struct cluster *c = demo_picture(d, &err);

		rows = c ? cluster_rows(c, TABLE_ASSOC) : 0;
		if (!w || !c || !store_write(w, c, cluster_meta(c)->time, &err))
			fail(err.message);
		demo_advance(d, EVERY);
	}
	if (!store_writer_finish(w, &err))
		fail(err.message);
	store_writer_close(w);
	demo_free(d);
	printf("history of one account, %.0f samples of %u associations (from %u)\n", many, rows,
	       samples);
	bench_judge(took("history", path, HISTORY "-n 100"), "s", first, "the first 100 rows");
	bench_judge(took("history", path, HISTORY "--every 1h") * many / samples, "s", hours,
		    "a row for each hour");
	bench_judge(took("history", path, HISTORY) * many / samples, "s", BENCH_NO_TARGET,
		    "all rows");
}

int main(void)
{
	static const struct demo_options small = DEMO_OPTIONS_DEFAULT;
	static const struct demo_options large = { .seed = 1, .accounts = 2000, .users = 16000,
						   .jobs = 5000, .speed = 1 };

	if (scratch_open(NULL) != 0)
		return 1;
	bench_million();
	bench_history(&small, 20000, 0.1, 2, 100000);
	bench_history(&large, 240, 2, 2, 1200);
	return scratch_close(NULL);
}
