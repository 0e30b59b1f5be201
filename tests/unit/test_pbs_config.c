/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_config and holidays as pbs_sched reads them. The expected values were worked out by hand
 * from parse_config() and scan() of parse.cpp and from prime.cpp of OpenPBS.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "adapters/pbs/pbs_text.h"
#include "core/base/bytes.h"
#include "core/cluster/codec.h"
#include "core/cluster/policy.h"
#include "tests/support/kept.h"
#include "tests/support/note.h"

#define TEXT 2000
#define FRIDAY INT64_C(1795146621)	/* 2026-11-20 03:50:21 UTC, day 324 of its year */
#define HOUR 3600

/* Returns a cluster with CONFIG and, unless NULL, HOLIDAYS at TIME. */
static struct cluster *read_at(const char *config, const char *holidays, int64_t time)
{
	char lines[TEXT], days[TEXT], sched[] = "Sched default\n";
	struct pbs_texts texts = { .time = time };
	struct builder *b = builder_new();
	struct err err = { 0 };
	struct cluster *c = NULL;

	snprintf(lines, sizeof(lines), "%s", config);
	snprintf(days, sizeof(days), "%s", holidays ? holidays : "");
	texts.kind[PBS_SCHED] = (struct pbs_text){ "list sched", sched, strlen(sched), NULL, true };
	texts.kind[PBS_CONFIG] =
		(struct pbs_text){ "sched_config", lines, strlen(lines), NULL, true };
	if (holidays)
		texts.kind[PBS_HOLIDAYS] =
			(struct pbs_text){ "holidays", days, strlen(days), NULL, true };
	if (!pbs_text_build(&texts, b, &err) || !(c = builder_seal(b, &err)))
		fail_msg("%s", err.message);
	return c;
}

static void check_value(const struct cluster *c, const char *config, const char *name,
			const char *expected)
{
	char value[POLICY_LIST_MAX];
	size_t i = policy_param(name);

	policy_value_text(cluster_policy(c), i, value, sizeof(value));
	if (strcmp(value, expected) != 0)
		fail_msg("%s: %s is \"%s\", expected \"%s\"", config, name, value, expected);
}

static void test_lines(void **state)
{
	static const struct { const char *config, *name, *expected; } lines[] = {
		{ "fair_share: true ALL\n", "fair_share", "True" },
		{ "fair_share true ALL\n", "fair_share", "True" },
		{ "fair_share\ttrue\r\n", "fair_share", "True" },
		{ "  :fair_share:true\n", "fair_share", "True" },
		/* The colon is a value here; a value neither True nor False counts as True. */
		{ "fair_share : false\n", "fair_share", "True" },
		{ "fair_share: 0\n", "fair_share", "False" },
		{ "fair_share: 2\n", "fair_share", "True" },
		{ "fair_share: no\n", "fair_share", "True" },
		{ "Fair_Share: true\n", "fair_share", "False" },
		{ "fair_share\n", "fair_share", "False" },
		{ "#fair_share: true\n* fair_share: true\n", "fair_share", "False" },
		{ "fair_share: true\nfair_share: false\n", "fair_share", "False" },
		{ "fair_share: true none\n", "fair_share", "False" },
		/* An unknown word is an error, and the line applies at all times. */
		{ "fair_share: true Prime\n", "fair_share", "True" },
		{ "fair_share: tr\\\nue ALL\n", "fair_share", "True" },
		{ "# a comment \\\nfair_share: true\n", "fair_share", "False" },
		{ "unknown_shares 10\n", "unknown_shares", "10" },
		{ "unknown_shares: 10x\n", "unknown_shares", "10" },
		{ "unknown_shares: x\n", "unknown_shares", POLICY_UNREPORTED },
		{ "fairshare_usage_res: 'ncpus * 2'\n", "fairshare_usage_res", "ncpus * 2" },
		{ "fairshare_usage_res: ncpus * 2\n", "fairshare_usage_res", "ncpus" },
		{ "half_life: 168:00:00\n", "fairshare_decay_time", "168:00:00" },
		{ "fairshare_decay_time: soon\n", "fairshare_decay_time", POLICY_UNREPORTED },
		{ "strict_fifo: true\n", "strict_fifo", "True" },
		{ "strict_fifo: true\n", "strict_ordering", "False" },
		{ "backfill: false\n", "backfill", "False" },
		{ "sort_nodes: true\n", "node_sort_key", "sort_priority HIGH" },
		{ "job_sort_key: \"mem HIGH\" ALL\njob_sort_key: \"cput LOW\"\n", "job_sort_key",
		  "mem HIGH, cput LOW" },
		{ "resources: \"ncpus\"\nresources: \"mem\" prime\n", "resources", "ncpus, mem" },
		/* Defaults without a line: those of config::config(), not of the shipped file. */
		{ "", "by_queue", "False" }, { "", "preemptive_sched", "False" },
		{ "", "backfill", "True" }, { "", "job_sort_key", "" }, { "", "resources", "" },
		/* A setting of qmgr is ignored in the file. */
		{ "backfill_depth: 7\n", "backfill_depth", "1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct cluster *c = read_at(lines[i].config, NULL, FRIDAY);

		check_value(c, lines[i].config, lines[i].name, lines[i].expected);
		cluster_free(c);
	}
}

#define PAIR "fair_share: true prime\nfair_share: false non_prime\n"

/* Times are in UTC, the zone of the tests. */
static void test_prime_time(void **state)
{
	static const struct { const char *holidays; int64_t time; const char *expected; } days[] = {
		/* Without a year all time is prime time. */
		{ "", FRIDAY, "True" },
		{ "weekday none all\n", FRIDAY, "True" },
		{ "YEAR 2026\n* nothing else\n", FRIDAY, "True" },
		{ "YEAR *\nweekday none all\n", FRIDAY, "True" },
		{ "YEAR 2026\nweekday 0600 1730\n", FRIDAY, "False" },
		{ "YEAR 2026\nweekday 0600 1730\n", FRIDAY + 3 * HOUR, "True" },
		{ "YEAR 2026\nweekday 0350 1730\n", FRIDAY, "True" },
		{ "YEAR 2026\nweekday 0351 1730\n", FRIDAY, "False" },
		{ "YEAR 2026\nweekday 1730 0350\n", FRIDAY, "False" },
		{ "YEAR 2026\nweekday 1730 0351\n", FRIDAY, "True" },
		{ "YEAR 2026\nweekday 0600 0600\n", FRIDAY + 3 * HOUR, "False" },
		{ "YEAR 2026\nweekday 6am none\n", FRIDAY, "True" },
		{ "YEAR 2026\nweekday all none\n", FRIDAY, "True" },
		{ "YEAR 2026\nweekday none none\n", FRIDAY, "True" },
		{ "YEAR 2026\nweekday all all\n", FRIDAY, "True" },
		{ "YEAR 2026\nweekday NONE ALL\n", FRIDAY, "False" },
		/* A day's last line counts. */
		{ "YEAR 2026\nweekday 0600 1730\nfriday none all\n", FRIDAY + 3 * HOUR, "False" },
		{ "YEAR 2026\nsaturday none all\n", FRIDAY, "True" },
		{ "YEAR 2026\nsaturday none all\n", FRIDAY + 24 * HOUR, "False" },
		{ "YEAR 2026\n324 Nov 20 a holiday\n", FRIDAY, "False" },
		{ "YEAR 2026\n323 Nov 19 a holiday\n", FRIDAY, "True" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(days) / sizeof(days[0]); i++) {
		struct cluster *c = read_at(PAIR, days[i].holidays, days[i].time);

		check_value(c, days[i].holidays, "fair_share", days[i].expected);
		assert_true(note_says(c, "fair_share is \"True\" in prime time and \"False\" at"));
		cluster_free(c);
	}
}

/* The note names both values; the setting stays unknown in copies, too. */
static void test_no_holidays(void **state)
{
	struct cluster *c = kept_cluster(read_at(PAIR, NULL, FRIDAY)), *copy;
	struct bytes bytes = { NULL, 0, 0 };
	struct err err = { 0 };

	(void)state;
	check_value(c, PAIR, "fair_share", POLICY_UNREPORTED);
	assert_true(policy_hides(cluster_policy(c), "fair_share"));
	assert_false(policy_hides(cluster_policy(c), "by_queue"));
	assert_true(note_says(c, "which applies is unknown (expected sched_priv/holidays)"));
	assert_true(codec_write(c, bytes_sink(&bytes), &err));
	copy = kept_cluster(codec_read(bytes.data, bytes.length, &err));
	assert_non_null(copy);
	check_value(copy, PAIR, "fair_share", POLICY_UNREPORTED);
	bytes_free(&bytes);
	/* The same value for both times is known. */
	c = kept_cluster(read_at("fair_share: true prime\nfair_share: true non_prime\n", NULL,
				 FRIDAY));
	check_value(c, "both", "fair_share", "True");
	/* With one of the two lines, the other time has the default. */
	c = kept_cluster(read_at("by_queue: true prime\n", NULL, FRIDAY));
	check_value(c, "one", "by_queue", POLICY_UNREPORTED);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines), cmocka_unit_test(test_prime_time),
		cmocka_unit_test(test_no_holidays),
	};

	setenv("TZ", "UTC", 1);	/* the zone of its data */
	tzset();
	return cmocka_run_group_tests(tests, NULL, kept_free);
}
