/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Outputs of Slurm 17.11 to 26.05 from other projects' test data and from manuals: each is read, or
 * refused with a reason. The files are not part of the source; without $FAIRTOP_SHARED/traces/slurm
 * the tests are skipped.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/file.h"
#include "adapters/slurm/parse_conf.h"
#include "core/base/mem.h"
#include "tests/support/data.h"
#include "tests/support/kept.h"
#include "tests/support/slurm.h"

static void need_traces(void)
{
	char path[4096];

	if (!data_shared("traces/slurm", path, sizeof(path)))
		skip();
}

static char *read_trace(const char *file, size_t *length)
{
	struct err err = { 0 };
	char name[200], path[4096], *bytes;

	snprintf(name, sizeof(name), "traces/slurm/%s", file);
	assert_non_null(data_shared(name, path, sizeof(path)));
	bytes = file_read(path, (size_t)1 << 26, length, &err);
	if (!bytes)
		fail_msg("%s", err.message);
	return bytes;
}

static struct cluster *build_trace(enum slurm_kind kind, const char *file, struct err *err)
{
	const char *slash = strrchr(file, '/');
	size_t length;
	char *text = read_trace(file, &length);
	struct cluster *c = slurm_try(kind, slash + 1, text, length, err);

	mem_free(text);
	return c;
}

static struct cluster *good_trace(enum slurm_kind kind, const char *file)
{
	struct err err = { 0 };
	struct cluster *c = kept_cluster(build_trace(kind, file, &err));

	if (!c)
		fail_msg("%s", err.message);
	return c;
}

/* The number of rows from each file. */
static void read_files(void **state)
{
	static const struct {
		enum slurm_kind kind;
		const char *file;
		enum table table;
		uint32_t rows;
	} files[] = {
		{ SLURM_ASSOC_MGR, "fixtures/huji/parse_scontrol_show.assoc_mgr.txt", TABLE_ASSOC,
		  5 },
		{ SLURM_ASSOC_MGR, "fixtures/huji/parse_scontrol_show.assoc_mgr_qos.txt", TABLE_QOS,
		  2 },
		{ SLURM_ASSOC_MGR, "fixtures/huji/get_qos.scontrol_qos.txt", TABLE_QOS, 3 },
		{ SLURM_QOS, "fixtures/huji/get_qos.sacct_qos.txt", TABLE_QOS, 3 },
		{ SLURM_JOB, "fixtures/huji/get_jobs.jobs.txt", TABLE_JOB, 9 },
		{ SLURM_JOB, "fixtures/huji/parse_scontrol_show.jobs.txt", TABLE_JOB, 2 },
		{ SLURM_NODE, "fixtures/huji/parse_scontrol_show.nodes.txt", TABLE_HOST, 3 },
		{ SLURM_PARTITION, "fixtures/huji/parse_scontrol_show.partitions.txt",
		  TABLE_PARTITION, 2 },
		{ SLURM_JOB, "fixtures/antvirf-stui/jobs.txt", TABLE_JOB, 630 },
		{ SLURM_PARTITION, "fixtures/antvirf-stui/partitions.txt", TABLE_PARTITION, 7 },
		{ SLURM_SQUEUE_JSON, "fixtures/rivos/squeue_out.json", TABLE_JOB, 2 },
		{ SLURM_SQUEUE_JSON, "slurmrestd/24.05/slurm-job-pending.json", TABLE_JOB, 1 },
		{ SLURM_SQUEUE_JSON, "slurmrestd/24.11/slurm-job-running.json", TABLE_JOB, 1 },
		{ SLURM_SQUEUE_JSON, "slurmrestd/25.05/slurm-job-pending.json", TABLE_JOB, 1 },
		{ SLURM_SQUEUE_JSON, "slurmrestd/25.11/slurm-job-running.json", TABLE_JOB, 1 },
		{ SLURM_USER, "fixtures/huji/get_users.users.txt", TABLE_USER, 7 },
		{ SLURM_SDIAG, "fixtures/sckyzo/slurm-26.05.2/scheduler.txt", TABLE_JOB, 0 },
		{ SLURM_SDIAG, "fixtures/vpenso/sdiag.txt", TABLE_JOB, 0 },
	};

	(void)state;
	need_traces();
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct cluster *c = good_trace(files[i].kind, files[i].file);

		if (cluster_rows(c, files[i].table) != files[i].rows)
			fail_msg("%s: %u rows, not %u", files[i].file,
				 (unsigned)cluster_rows(c, files[i].table),
				 (unsigned)files[i].rows);
	}
}

static void refused_files(void **state)
{
	static const struct {
		enum slurm_kind kind;
		const char *file, *message;
	} files[] = {
		{ SLURM_SSHARE, "fixtures/sckyzo/fairshare.txt",
		  "fairshare.txt:1: no column \"Account\"" },
		{ SLURM_SSHARE, "fixtures/sckyzo/slurm-26.05.2/fairshare.txt",
		  "fairshare.txt:1: no column \"Account\" in \"user6|||0.000000|0||\" or below "
		  "(expected the header line of " },
		{ SLURM_SQUEUE, "fixtures/qtop/basic-squeue.txt", "no column \"JOBID\"" },
		{ SLURM_SQUEUE, "fixtures/vpenso/squeue.txt", "no column \"JOBID\"" },
		{ SLURM_SQUEUE, "fixtures/sckyzo/slurm-24.11.7/squeue_jobs.txt",
		  "no column \"JOBID\"" },
		{ SLURM_ASSOC, "fixtures/huji/get_associations.associations.txt",
		  "rows of the clusters \"debug\" and \"rebug\"" },
		{ SLURM_SQUEUE_JSON, "fixtures/rivos/sdiag.json", "no list \"jobs\"" },
		{ SLURM_SQUEUE_JSON, "fixtures/rivos/squeue_fallback.txt",
		  "squeue_fallback.txt:2: " },
	};

	(void)state;
	need_traces();
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct err err = { 0 };

		if (build_trace(files[i].kind, files[i].file, &err))
			fail_msg("%s was read", files[i].file);
		assert_int_equal(err.code, ERR_INPUT);
		if (!strstr(err.message, files[i].message))
			fail_msg("\"%s\" instead of \"%s\"", err.message, files[i].message);
	}
}

/* Some values of each, checked by eye. */
static void values(void **state)
{
	struct cluster *c;
	uint32_t row;

	(void)state;
	need_traces();
	c = good_trace(SLURM_ASSOC_MGR, "fixtures/huji/parse_scontrol_show.assoc_mgr.txt");
	row = cluster_by_path(c, "/guests/account1:user1");
	assert_int_not_equal(row, ROW_NONE);
	assert_float_equal(cluster_f64(c, F_ASSOC_USAGE, row), 5.88, 0);
	assert_int_equal(cluster_u32(c, F_ASSOC_R_LEVEL_SHARES, row), 3);
	assert_float_equal(cluster_f64(c, F_ASSOC_USAGE, 0), 1646501252.24, 0);
	assert_int_equal(cluster_tres(c, F_ASSOC_GRP_TRES, cluster_by_path(c, "/guests")).count, 3);

	c = good_trace(SLURM_CONFIG, "fixtures/huji/get_config.config.txt");
	assert_int_equal(cluster_policy(c)->damping, 5);
	assert_string_equal(cluster_meta(c)->version, "17.11.12");
	assert_string_equal(cluster_meta(c)->name, "phoenix");
	(void)good_trace(SLURM_CONFIG, "fixtures/huji/get_config.config2.txt");

	c = good_trace(SLURM_SQUEUE_JSON, "slurmrestd/25.11/slurm-job-running.json");
	assert_string_equal(cluster_text(c, F_JOB_STATE, 0), "RUNNING");
	assert_true(cluster_i64(c, F_JOB_SUBMIT, 0) > 1700000000);
	assert_true(f64_known(cluster_f64(c, F_JOB_BILLING, 0)));
}

/* ---- rows printed in manuals and mails ----------------------------------------------------- */

/* Takes the next field of a line "a|b|c". */
static struct slice next_field(struct slice *line)
{
	struct slice field = { "", 0 };

	slice_piece(line, '|', &field);
	return field;
}

static double sum_of_terms(const struct cluster *c)
{
	static const enum field terms[] = { F_PRIO_AGE, F_PRIO_ASSOC, F_PRIO_FAIRSHARE,
					    F_PRIO_JOBSIZE, F_PRIO_PARTITION_TERM,
					    F_PRIO_QOS_TERM };
	double sum = 0;

	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		double x = cluster_f64(c, terms[i], 0);

		sum += f64_known(x) ? x : 0;
	}
	return sum;
}

/* Every layout of sprio that sites have published: values are in the right columns. */
static void published_sprio(void **state)
{
	struct slice rest, line;
	unsigned rows = 0;
	size_t length;
	char *file;

	(void)state;
	need_traces();
	file = read_trace("published/sprio_published.psv", &length);
	rest = (struct slice){ file, length };
	while (slice_line(&rest, &line)) {
		struct slice site, layout, row;
		struct err err = { 0 };
		struct cluster *c;
		char text[1024];

		if (line.length == 0 || line.at[0] == '#')
			continue;
		site = next_field(&line);
		layout = next_field(&line);
		row = next_field(&line);
		snprintf(text, sizeof(text), "%.*s\n%.*s\n", (int)layout.length, layout.at,
			 (int)row.length, row.at);
		c = slurm_try(SLURM_SPRIO, "sprio", text, strlen(text), &err);
		if (!c)
			fail_msg("%.*s: %s", SLICE_PRINT(site), err.message);
		if (slice_starts(row, "Weights")) {
			assert_int_equal(cluster_rows(c, TABLE_PRIO), 0);
		} else if (cluster_rows(c, TABLE_PRIO) == 1 && sum_of_terms(c) > 0) {
			struct slice words = row, word;
			double priority = 0;

			/* PRIORITY is the first number after the names. */
			for (int i = 0; slice_word(&words, &word); i++) {
				if (i >= 2 && slice_f64(word, &priority))
					break;
			}
			rows++;
			if (priority > 1 && fabs(priority - sum_of_terms(c)) > 400)
				fail_msg("%.*s: %.*s: the terms add up to %g", SLICE_PRINT(site),
					 SLICE_PRINT(row), sum_of_terms(c));
		}
		cluster_free(c);
	}
	mem_free(file);
	assert_true(rows >= 10);
}

static void published_sshare(void **state)
{
	static const char titles[] = "Account|User|RawShares|NormShares|RawUsage|NormUsage|"
				     "EffectvUsage|FairShare|LevelFS\n";
	struct slice rest, line;
	unsigned rows = 0;
	size_t length;
	char *file;

	(void)state;
	need_traces();
	file = read_trace("published/sshare_published.psv", &length);
	rest = (struct slice){ file, length };
	while (slice_line(&rest, &line)) {
		struct err err = { 0 };
		struct cluster *c;
		char text[1024];

		if (line.length == 0 || line.at[0] == '#')
			continue;
		next_field(&line);
		snprintf(text, sizeof(text), "%s%.*s\n", titles, (int)line.length, line.at);
		c = slurm_try(SLURM_SSHARE, "sshare", text, strlen(text), &err);
		if (!c)
			fail_msg("%s", err.message);
		/* One row without its tree: the root and a user's account are added. */
		assert_true(cluster_rows(c, TABLE_ASSOC) >= 2);
		assert_true(cluster_col(c, F_ASSOC_R_NORM_SHARES) != NULL);
		cluster_free(c);
		rows++;
	}
	mem_free(file);
	assert_true(rows >= 5);
}

/* ---- every file to every reader ------------------------------------------------------------ */

/* Every file through every reader: read, or refused with a reason, and no crash. */
static void everything_to_everyone(void **state)
{
	static const char *const files[] = {
		"fixtures/antvirf-stui/runaway_jobs.txt", "fixtures/huji/get_accounts.accounts.txt",
		"fixtures/huji/get_users.users.txt", "fixtures/huji/parse_conf.conf.txt",
		"fixtures/lcrownover/V0041OpenapiJobInfoResp.json",
		"fixtures/lcrownover/V0041OpenapiSharesResp.json",
		"fixtures/qtop/large_cluster-squeue.txt", "fixtures/rivos/sacctmgr.txt",
		"fixtures/rivos/sdiag_2405.json", "fixtures/sckyzo/queue_all_states.txt",
		"fixtures/sckyzo/scheduler.txt", "fixtures/slurm-view/sprio.txt",
		"slurmrestd/24.05/slurm-job-running.json", "golden/fair_tree_test24.4.psv",
		"fixtures/huji/parse_scontrol_show.assoc_mgr.txt",
	};

	(void)state;
	need_traces();
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		for (int kind = 0; kind < SLURM_KINDS; kind++) {
			struct err err = { 0 };
			struct cluster *c = build_trace((enum slurm_kind)kind, files[i], &err);

			if (!c)
				assert_true(err.code == ERR_INPUT && strlen(err.message) > 10);
			cluster_free(c);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_files),
		cmocka_unit_test(refused_files),
		cmocka_unit_test(values),
		cmocka_unit_test(published_sprio),
		cmocka_unit_test(published_sshare),
		cmocka_unit_test(everything_to_everyone),
	};

	return cmocka_run_group_tests(tests, NULL, kept_free);
}
