/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a snapshot of a million associations against jansson building a document from the same
 * text: processor time and peak memory.
 *
 * The text is what a live Slurm gives: associations with shares, usage and all that the scheduler
 * reports. Each reading runs in a process of its own (this program, executed again), so that its
 * peak memory is measured alone. jansson reads the same file as one list, without holding the text.
 * The processes alternate.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/snapshot/snapshot.h"
#include "core/share/fairshare.h"
#include "tests/bench/bench.h"
#include "tests/support/gen_tree.h"

#define ASSOCIATIONS 1000000u
#define RUNS 5u

/* ---- what the processes do ----------------------------------------------------------------- */

static void add(struct builder *b, const struct cluster *c, const struct fs_result *f, uint32_t i)
{
	uint32_t row = builder_add(b, TABLE_ASSOC), parent = cluster_parent(c)[i];

	builder_u32(b, F_ASSOC_ID, row, cluster_u32(c, F_ASSOC_ID, i));
	if (parent != ROW_NONE)
		builder_u32(b, F_ASSOC_PARENT, row, cluster_u32(c, F_ASSOC_ID, parent));
	builder_str(b, F_ASSOC_ACCOUNT, row, cluster_text(c, F_ASSOC_ACCOUNT, i));
	builder_str(b, F_ASSOC_USER, row, cluster_text(c, F_ASSOC_USER, i));
	builder_str(b, F_ASSOC_PARTITION, row, cluster_text(c, F_ASSOC_PARTITION, i));
	builder_u32(b, F_ASSOC_SHARES, row, cluster_u32(c, F_ASSOC_SHARES, i));
	builder_f64(b, F_ASSOC_USAGE, row, cluster_f64(c, F_ASSOC_USAGE, i));
	builder_u32(b, F_ASSOC_PRIORITY, row, 0);
	builder_f64(b, F_ASSOC_R_NORM_SHARES, row, f->norm_shares[i]);
	builder_f64(b, F_ASSOC_R_NORM_USAGE, row, f->norm_usage[i]);
	builder_f64(b, F_ASSOC_R_EFFECTIVE_USAGE, row, f->effective_usage[i]);
	builder_f64(b, F_ASSOC_R_FAIRSHARE, row, f->fairshare[i]);
	builder_f64(b, F_ASSOC_R_LEVEL_FS, row, 0);
}

static bool to_file(void *context, const char *bytes, size_t length, struct err *err)
{
	return fwrite(bytes, 1, length, context) == length ||
		err_set(err, ERR_SOURCE, "cannot write");
}

static int make(const char *path)
{
	struct gen_options options = GEN_MIXED(3, ASSOCIATIONS);
	struct cluster *c = gen_tree(&options);
	struct fs_tree *tree = fs_tree_new(c, FS_ORDER_LIST);
	struct fs_input in = { c, tree, FS_BASE_USAGE, 1 };
	struct fs_result *f = fs_run(fs_algos[FS_DEPTH_OBLIVIOUS], &in);
	struct builder *b = builder_new();
	FILE *file = fopen(path, "w");

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++)
		add(b, c, f, i);
	c = builder_seal(b, NULL);
	bench_judge((double)cluster_bytes(c) / cluster_rows(c, TABLE_ASSOC), "bytes", 256,
		    "memory an association");
	return file && snapshot_write(c, (struct sink){ to_file, file }, NULL) &&
		fclose(file) == 0 ? 0 : 1;
}

static int by_reader(const char *path)
{
	struct fetch_request request = { .needs = 0, .deadline_ms = -1 };
	struct source *s = snapshot_source.open(path, NULL);
	struct cluster *c = NULL;
	struct err err = { 0 };

	if (!s || snapshot_source.fetch(s, &request, &c, &err) != FETCH_NEW) {
		fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	return cluster_rows(c, TABLE_ASSOC) == ASSOCIATIONS ? 0 : 1;
}

/* Presents the lines of the file as the elements of one list. */
struct as_list {
	FILE *file;
	bool begun, ended;
	char last;
};

static size_t next_bytes(void *buffer, size_t length, void *context)
{
	struct as_list *l = context;
	char *bytes = buffer;
	size_t n;

	if (!l->begun) {
		l->begun = true;
		*bytes = '[';
		return 1;
	}
	n = fread(bytes, 1, length, l->file);
	for (size_t i = 0; i < n; i++)
		if (bytes[i] == '\n')
			bytes[i] = ',';
	if (n == 0 && !l->ended) {
		/* a last element, because of the comma after the last line */
		l->ended = true;
		memcpy(bytes, "0]", 2);
		return 2;
	}
	return n;
}

static int by_jansson(const char *path)
{
	struct as_list list = { .file = fopen(path, "r") };
	json_error_t error;
	json_t *root = list.file ? json_load_callback(next_bytes, &list, 0, &error) : NULL;

	return json_array_size(root) == ASSOCIATIONS + 3 ? 0 : 1;
}

/* ---- measuring ----------------------------------------------------------------------------- */

struct cost {
	double seconds[RUNS], megabytes[RUNS];
};

/* Runs this program again with WHAT and PATH as its arguments. */
static struct rusage measure(const char *what, const char *path)
{
	struct rusage usage;
	pid_t child = fork();
	int status;

	if (child == 0) {
		execl("/proc/self/exe", "bench_snapshot", what, path, (char *)NULL);
		_exit(127);
	}
	if (wait4(child, &status, 0, &usage) != child || status != 0) {
		fprintf(stderr, "%s failed\n", what);
		unlink(path);
		exit(1);
	}
	return usage;
}

static void measure_run(struct cost *cost, unsigned run, const char *what, const char *path)
{
	struct rusage u = measure(what, path);

	cost->seconds[run] = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
	cost->megabytes[run] = (double)u.ru_maxrss / 1024;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double values[RUNS])
{
	qsort(values, RUNS, sizeof(*values), compare);
	return values[RUNS / 2];
}

static void report(const char *what, const char *unit, double is, double base, double target)
{
	bench_judge(is / base, "times", target, "%s: fairtop %.2f %s, jansson %.2f %s", what, is,
		    unit, base, unit);
}

int main(int argc, char **argv)
{
	struct cost reader, jansson;
	char path[64];

	if (argc == 3 && strcmp(argv[1], "make") == 0)
		return make(argv[2]);
	if (argc == 3 && strcmp(argv[1], "reader") == 0)
		return by_reader(argv[2]);
	if (argc == 3 && strcmp(argv[1], "jansson") == 0)
		return by_jansson(argv[2]);

	snprintf(path, sizeof(path), "bench-%ld.snapshot", (long)getpid());
	printf("A snapshot of %u associations against jansson's document of the same text "
	       "(medians of %u turns)\n", ASSOCIATIONS, RUNS);
	fflush(stdout);
	measure("make", path);
	for (unsigned run = 0; run < RUNS; run++) {
		measure_run(&reader, run, "reader", path);
		measure_run(&jansson, run, "jansson", path);
	}
	unlink(path);
	report("processor time", "s", median(reader.seconds), median(jansson.seconds), 0.8);
	report("peak memory", "MB", median(reader.megabytes), median(jansson.megabytes), 0.25);
	return 0;
}
