/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The JSON of Slurm's commands against the text that the same Slurm printed at the same time: data
 * parsers v0.0.40 and v0.0.42 of Slurm 24.11.5, v0.0.45 of 26.05.5 (tests/data/slurm/json).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "adapters/file.h"
#include "core/base/mem.h"
#include "core/queue/job_index.h"
#include "tests/support/data.h"
#include "tests/support/kept.h"
#include "tests/support/slurm.h"

static const char *const versions[] = { "v40", "v42", "v45" };
#define VERSIONS (sizeof(versions) / sizeof(versions[0]))

static char *read_fixture(const char *version, const char *file, size_t *length)
{
	char name[100], path[4096];
	struct err err = { 0 };
	char *text;

	snprintf(name, sizeof(name), "slurm/json/%s/%s", version, file);
	text = file_read(data_path(name, path, sizeof(path)), (size_t)1 << 20, length, &err);
	if (!text)
		fail_msg("%s", err.message);
	return text;
}

static const struct cluster *build_fixture(enum slurm_kind kind, const char *version,
					   const char *file)
{
	struct err err = { 0 };
	size_t length;
	char *text = read_fixture(version, file, &length);
	struct cluster *c = kept_cluster(slurm_try(kind, file, text, length, &err));

	if (!c)
		fail_msg("%s/%s: %s", version, file, err.message);
	mem_free(text);
	return c;
}

static uint32_t row_of_id(const struct cluster *c, uint32_t id)
{
	for (uint32_t row = 0; row < cluster_rows(c, TABLE_ASSOC); row++) {
		if (cluster_u32(c, F_ASSOC_ID, row) == id)
			return row;
	}
	fail_msg("no association %u", (unsigned)id);
	return ROW_NONE;
}

/* sshare prints its values rounded to six decimals; blank is unknown. */
static void check_ratio(const char *version, const char *path, double json, double text,
			unsigned *finer)
{
	if (isnan(text) || isinf(text) || isnan(json) || isinf(json)) {
		if (isnan(text) != isnan(json) || isinf(text) != isinf(json))
			fail_msg("%s, %s: %.17g in JSON, %.17g as text", version, path, json, text);
		return;
	}
	if (fabs(json - text) > 0.5e-6 + 1e-12)
		fail_msg("%s, %s: %.17g in JSON, %.17g as text", version, path, json, text);
	*finer += json != text;
}

static void ratios_are_the_texts(void **state)
{
	static const enum field ratios[] = {
		F_ASSOC_R_NORM_SHARES, F_ASSOC_R_NORM_USAGE, F_ASSOC_R_EFFECTIVE_USAGE,
		F_ASSOC_R_LEVEL_FS, F_ASSOC_R_FAIRSHARE,
	};

	(void)state;
	for (size_t v = 0; v < VERSIONS; v++) {
		const struct cluster *json =
			build_fixture(SLURM_SSHARE_JSON, versions[v], "sshare.json");
		const struct cluster *text = build_fixture(SLURM_SSHARE, versions[v], "sshare.psv");
		unsigned finer = 0;
		char path[200];

		/* Both lack a root; it is added. */
		assert_int_equal(cluster_rows(text, TABLE_ASSOC), 8);
		assert_int_equal(cluster_rows(json, TABLE_ASSOC), 8);
		assert_float_equal(cluster_meta(json)->ratio_quantum, 0, 0);
		for (uint32_t row = 1; row < 8; row++) {
			uint32_t other = row_of_id(json, cluster_u32(text, F_ASSOC_ID, row));

			cluster_path(json, other, path, sizeof(path));
			assert_string_equal(cluster_text(json, F_ASSOC_ACCOUNT, other),
					    cluster_text(text, F_ASSOC_ACCOUNT, row));
			assert_int_equal(cluster_u32(json, F_ASSOC_SHARES, other),
					 cluster_u32(text, F_ASSOC_SHARES, row));
			assert_float_equal(cluster_f64(json, F_ASSOC_USAGE, other),
					   cluster_f64(text, F_ASSOC_USAGE, row), 0);
			for (size_t i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++)
				check_ratio(versions[v], path,
					    cluster_f64(json, ratios[i], other),
					    cluster_f64(text, ratios[i], row), &finer);
		}
		assert_true(finer > 10);
	}
}

/* Seconds in JSON, truncated to minutes as text; an infinite limit is none. */
static void lists_are_the_texts(void **state)
{
	(void)state;
	for (size_t v = 0; v < VERSIONS; v++) {
		const struct cluster *json =
			build_fixture(SLURM_SSHARE_JSON, versions[v], "sshare.json");
		const struct cluster *text = build_fixture(SLURM_SSHARE, versions[v], "sshare.psv");

		for (uint32_t row = 1; row < 8; row++) {
			uint32_t other = row_of_id(json, cluster_u32(text, F_ASSOC_ID, row));
			struct tres_list a = cluster_tres(json, F_ASSOC_USED_TRES_SECS, other);
			struct tres_list b = cluster_tres(text, F_ASSOC_USED_TRES_SECS, row);

			assert_int_equal(a.count, b.count);
			assert_int_equal(a.count, 8);
			for (uint32_t i = 0; i < a.count; i++)
				assert_true(floor(a.items[i].count / 60) * 60 == b.items[i].count);
			assert_int_equal(cluster_tres(json, F_ASSOC_GRP_TRES_MINS, other).count, 0);
			a = cluster_tres(json, F_ASSOC_USED_TRES_RUN_SECS, other);
			assert_int_equal(a.count, 8);
		}
	}
}

/* Two jobs: one exclusive, one with two partitions and two QOS. */
static void jobs_are_the_texts(void **state)
{
	static const enum field same[] = { F_JOB_ID, F_JOB_UID, F_JOB_NODES, F_JOB_CPUS,
					   F_JOB_PRIORITY, F_JOB_RESTARTS };
	static const enum field words[] = { F_JOB_NAME, F_JOB_USER, F_JOB_ACCOUNT, F_JOB_PARTITION,
					    F_JOB_QOS, F_JOB_STATE, F_JOB_REASON,
					    F_JOB_REASON_TEXT };
	static const enum field times[] = { F_JOB_TIME_LIMIT, F_JOB_SUBMIT, F_JOB_ELIGIBLE,
					    F_JOB_ACCRUE, F_JOB_NICE };

	(void)state;
	for (size_t v = 0; v < VERSIONS; v++) {
		const struct cluster *json =
			build_fixture(SLURM_SQUEUE_JSON, versions[v], "squeue.json");
		const struct cluster *text =
			build_fixture(SLURM_JOB, versions[v], "scontrol_jobs.txt");

		assert_int_equal(cluster_rows(json, TABLE_JOB), 2);
		assert_int_equal(cluster_rows(text, TABLE_JOB), 2);
		for (uint32_t row = 0; row < 2; row++) {
			for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
				assert_int_equal(cluster_u32(json, same[i], row),
						 cluster_u32(text, same[i], row));
			for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
				assert_true(cluster_i64(json, times[i], row) ==
					    cluster_i64(text, times[i], row));
			for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
				const char *a = cluster_text(json, words[i], row);
				const char *b = cluster_text(text, words[i], row);

				assert_string_equal(a ? a : "", b ? b : "");
			}
		}
		assert_int_equal(cluster_u32(json, F_JOB_ASSOC, 0), 25);
		/* Since 25.11 OverSubscribe is NO for every job, and JSON no longer has it. */
		assert_int_equal(cluster_bool(json, F_JOB_EXCLUSIVE, 0),
				 v == 2 ? BOOL_UNKNOWN : 1);
		assert_int_equal(cluster_bool(text, F_JOB_EXCLUSIVE, 0), 1);
		assert_int_equal(cluster_bool(text, F_JOB_EXCLUSIVE, 1), 0);
		assert_string_equal(cluster_text(json, F_JOB_QOS, 1), "low,high");
	}
}

/* Values of running jobs that "starts" needs, and the SLUID of 26.05, by JSON and scontrol -d. */
static void running_jobs_are_the_texts(void **state)
{
	static const enum field same[] = { F_JOB_ID, F_JOB_NUM_TASKS, F_JOB_CPUS_PER_TASK,
					   F_JOB_TASKS_PER_NODE, F_JOB_MAX_NODES, F_JOB_NODES };
	static const struct {
		const char *sluid, *json, *text;
		uint32_t tasks, per_node;
	} jobs[] = {
		{ "sBD1M82FHC9D00", "n1=3;n2=3", "n[1-2]=3", 6, 3 },
		{ "sBD1M82FHCAS00", "n1=6;n2=1", "n1=6;n2=1", 7, 0 },
	};
	const struct cluster *json = build_fixture(SLURM_SQUEUE_JSON, "v45", "running.json");
	const struct cluster *text = build_fixture(SLURM_JOB, "v45", "running.txt");

	(void)state;
	assert_int_equal(cluster_rows(json, TABLE_JOB), 2);
	for (uint32_t row = 0; row < 2; row++) {
		for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
			assert_int_equal(cluster_u32(json, same[i], row),
					 cluster_u32(text, same[i], row));
		assert_int_equal(cluster_u32(json, F_JOB_NUM_TASKS, row), jobs[row].tasks);
		assert_int_equal(cluster_u32(json, F_JOB_TASKS_PER_NODE, row), jobs[row].per_node);
		assert_string_equal(cluster_text(json, F_JOB_NODE_CPUS, row), jobs[row].json);
		assert_string_equal(cluster_text(text, F_JOB_NODE_CPUS, row), jobs[row].text);
		assert_string_equal(cluster_text(json, F_JOB_SLUID, row), jobs[row].sluid);
		assert_string_equal(cluster_text(text, F_JOB_SLUID, row), jobs[row].sluid);
	}
}

/* A job requeued for a failed node is pending; its state is the word after PENDING. */
static void expediting_jobs_wait(void **state)
{
	const struct cluster *json = build_fixture(SLURM_SQUEUE_JSON, "v45", "expediting.json");
	const struct cluster *text = build_fixture(SLURM_JOB, "v45", "expediting.txt");

	(void)state;
	assert_string_equal(cluster_text(json, F_JOB_STATE, 0), "EXPEDITING");
	assert_string_equal(cluster_text(text, F_JOB_STATE, 0), "EXPEDITING");
	assert_int_equal(job_kind_of(json, 0), JOB_PENDING);
	assert_int_equal(job_kind_of(text, 0), JOB_PENDING);
}

/* Since 25.11 a reservation may be for certain QOS and partitions. */
static void reservations_let_in(void **state)
{
	const struct cluster *c =
		build_fixture(SLURM_RESERVATION, "v45", "scontrol_reservation.txt");
	struct text_list qos = cluster_list(c, F_RESERVATION_QOS, 0);
	struct text_list partitions = cluster_list(c, F_RESERVATION_PARTITIONS, 0);

	(void)state;
	assert_int_equal(qos.count, 1);
	assert_string_equal(cluster_string(c, qos.texts[0]), "high");
	assert_int_equal(partitions.count, 1);
	assert_string_equal(cluster_string(c, partitions.texts[0]), "high");
}

static void refused(void **state)
{
	static const char row[] = "{\"shares\": {\"shares\": [{\"id\": 1, \"name\": \"root\"}, "
				  "{\"id\": 7, \"name\": \"a\", \"parent\": \"root\"}, %s]}}";
	char text[500];
	size_t length;
	char *whole = read_fixture("v42", "sshare.json", &length);

	(void)state;
	slurm_refused(SLURM_SSHARE_JSON, "{\"jobs\": []}", "no list \"shares\"");
	snprintf(text, sizeof(text), row, "{\"name\": \"b\"}");
	slurm_refused(SLURM_SSHARE_JSON, text, "without id or name");
	snprintf(text, sizeof(text), row, "{\"id\": 7, \"name\": \"b\"}");
	slurm_refused(SLURM_SSHARE_JSON, text, "different elsewhere");
	snprintf(text, sizeof(text), row, "{\"id\": 7, \"name\": \"a\"}");
	slurm_refused(SLURM_SSHARE_JSON, text, "twice");
	for (size_t cut = 0; cut + 2 < length; cut += 997) {
		struct err err = { 0 };
		struct cluster *c = slurm_try(SLURM_SSHARE_JSON, "file", whole, cut, &err);

		assert_null(c);
		assert_int_equal(err.code, ERR_INPUT);
	}
	mem_free(whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ratios_are_the_texts),
		cmocka_unit_test(lists_are_the_texts),
		cmocka_unit_test(jobs_are_the_texts),
		cmocka_unit_test(running_jobs_are_the_texts),
		cmocka_unit_test(expediting_jobs_wait),
		cmocka_unit_test(reservations_let_in),
		cmocka_unit_test(refused),
	};

	setenv("TZ", "UTC", 1);	/* the zone of its data */
	tzset();
	return cmocka_run_group_tests(tests, NULL, kept_free);
}
