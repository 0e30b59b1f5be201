/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm.conf and scontrol show config: the grammar, includes, the resulting policy, and that no
 * secret is kept.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/slurm/conf.h"
#include "adapters/slurm/parse_conf.h"
#include "tests/support/data.h"
#include "tests/support/kept.h"
#include "tests/support/note.h"
#include "tests/support/scratch.h"

static bool policy_pair(void *context, const struct slurm_conf_pair *pair, struct err *err)
{
	bool cut = false;

	return !slurm_conf_is_global(pair) ||
	       slurm_conf_policy(context, pair->key, pair->value, &cut, err) ||
	       err_at(err, pair->file, pair->line);
}

/* Reads the policy of a slurm.conf and of its includes. */
static bool read_policy(const char *path, struct policy *policy, struct err *err)
{
	return slurm_conf_read(path, policy_pair, policy, err);
}

/* ---- grammar ------------------------------------------------------------------------------- */

struct seen {
	char text[4096];
	size_t used;
};

/* Appends "line head key=value;". */
static bool note_pair(void *context, const struct slurm_conf_pair *pair, struct err *err)
{
	struct seen *seen = context;

	(void)err;
	seen->used += (size_t)snprintf(seen->text + seen->used, sizeof(seen->text) - seen->used,
				       "%u %.*s %.*s=%.*s;", (unsigned)pair->line,
				       SLICE_PRINT(pair->head), SLICE_PRINT(pair->key),
				       SLICE_PRINT(pair->value));
	assert_true(seen->used < sizeof(seen->text));
	return true;
}

static void scan_is(const char *text, const char *expected)
{
	const struct slurm_text source = { "slurm.conf", text, strlen(text) };
	struct seen seen = { .used = 0 };
	struct err err = { 0 };

	if (!slurm_conf_scan(&source, note_pair, &seen, &err))
		fail_msg("%s", err.message);
	assert_string_equal(seen.text, expected);
}

static void grammar(void **state)
{
	(void)state;
	scan_is("", "");
	scan_is("# nothing\n\n   \n", "");
	scan_is("ClusterName=lab", "1 ClusterName ClusterName=lab;");
	scan_is("  A = 1 # why\n", "1 A A=1;");
	scan_is("A=1 B=2\tC=3\r\n", "1 A A=1;1 A B=2;1 A C=3;");
	scan_is("A=\"two words\" B=3\n", "1 A A=two words;1 A B=3;");
	scan_is("A=1,\\\n2,\\\n3\nB=4\n", "1 A A=1,2,3;4 B B=4;");
	scan_is("A=x\\#y\n", "1 A A=x\\#y;");
	scan_is("A=1 # B=2 \\\nC=3\n", "1 A A=1;2 C C=3;");
	scan_is("NodeName=n[1-8] State=UP\n", "1 NodeName NodeName=n[1-8];1 NodeName State=UP;");
	scan_is("include  extra.conf \n", "1 include include=extra.conf;");
	scan_is("A+=1\nB-=2\n", "1 A A=1;2 B B=2;");
	scan_is("A=1\\", "1 A A=1;");
}

static void wrong_lines(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "A=1\ngarbage\n", "slurm.conf:2: \"garbage\": expected Key=Value" },
		{ "PriorityFlags=\n", "slurm.conf:1: \"PriorityFlags=\": expected Key=Value" },
		{ "A=1 stray\n", "slurm.conf:1: \"stray\": expected Key=Value" },
		{ "A=\"open\n", "slurm.conf:1: \"A=\"open\": expected Key=Value" },
		{ "\n\n=3\n", "slurm.conf:3: \"=3\": expected Key=Value" },
		{ "A=1,\\\n2\nB\n", "slurm.conf:3: \"B\"" },
		{ "Include\n", "slurm.conf:1: \"Include\": expected Key=Value" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct slurm_text source = { "slurm.conf", cases[i].text,
						   strlen(cases[i].text) };
		struct seen seen = { .used = 0 };
		struct err err = { 0 };

		assert_false(slurm_conf_scan(&source, note_pair, &seen, &err));
		assert_int_equal(err.code, ERR_INPUT);
		if (!strstr(err.message, cases[i].message))
			fail_msg("\"%s\" instead of \"%s\"", err.message, cases[i].message);
	}
}

/* ---- files --------------------------------------------------------------------------------- */

static const char *in_directory(const char *name)
{
	static char path[SCRATCH_PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", scratch_directory(), name);
	return path;
}

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(in_directory(name), "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void includes(void **state)
{
	struct policy policy;
	struct err err = { 0 };

	(void)state;
	write_file("slurm.conf", "ClusterName=lab\nPriorityWeightAge=1\nInclude weights.conf\n"
				 "INCLUDE %c.conf\nPriorityWeightQOS=4\n");
	write_file("weights.conf", "PriorityWeightAge=2 PriorityWeightAssoc=3\n");
	write_file("lab.conf", "PriorityFlags=DEPTH_OBLIVIOUS,ODD_WORD\n");
	policy_init(&policy);
	if (!read_policy(in_directory("slurm.conf"), &policy, &err))
		fail_msg("%s", err.message);
	assert_int_equal(policy.weight[PRIO_AGE], 2);
	assert_int_equal(policy.weight[PRIO_ASSOC], 3);
	assert_int_equal(policy.weight[PRIO_QOS], 4);
	assert_int_equal(policy.flags, PF_DEPTH_OBLIVIOUS);
	assert_string_equal(policy.unknown_flags, "ODD_WORD");
}

/* Each file includes the next one twenty times and nothing else; none includes itself. */
static void many_includes(void **state)
{
	char name[32], text[20 * 32] = "";
	struct err err = { 0 };

	(void)state;
	for (int i = 0; i < 7; i++) {
		text[0] = '\0';
		for (int n = 0; n < 20; n++)
			sprintf(text + strlen(text), "Include %d.conf\n", i + 1);
		snprintf(name, sizeof(name), "%d.conf", i);
		write_file(name, text);
	}
	write_file("7.conf", "PriorityWeightAge=1\n");
	assert_false(slurm_conf_ends(in_directory("0.conf"), &err));
	if (!strstr(err.message, "files include each other more than 8 deep or 1000 times"))
		fail_msg("%s", err.message);
	write_file("0.conf", "garbage\n");
	assert_true(slurm_conf_ends(in_directory("0.conf"), &err));
}

static void wrong_includes(void **state)
{
	struct policy policy;
	struct err err = { 0 };
	const char *path;
	char found[600], here[400];

	(void)state;
	policy_init(&policy);
	write_file("slurm.conf", "Include nowhere.conf\n");
	assert_false(read_policy(in_directory("slurm.conf"), &policy, &err));
	assert_non_null(strstr(err.message, "nowhere.conf: No such file"));

	write_file("slurm.conf", "A=1\nInclude slurm.conf\n");
	assert_false(read_policy(in_directory("slurm.conf"), &policy, &err));
	assert_non_null(strstr(err.message, "slurm.conf:2: Include \"slurm.conf\": files include"));

	/* An error before libslurm reads it, as that would never end. */
	assert_false(slurm_conf_find(in_directory("slurm.conf"), found, sizeof(found), &err));
	assert_int_equal(err.code, ERR_SOURCE);
	assert_non_null(strstr(err.message, "slurm.conf:2: Include \"slurm.conf\": files include"));
	assert_string_equal(found, "");

	/* libslurm does not find includes beside a name without a slash; the search goes on. */
	write_file("slurm.conf", "A=1\n");
	assert_non_null(getcwd(here, sizeof(here)));
	assert_int_equal(chdir(scratch_directory()), 0);
	assert_true(slurm_conf_find("slurm.conf", found, sizeof(found), &err));
	assert_int_equal(chdir(here), 0);
	assert_int_equal(found[0], '/');
	assert_string_equal(strrchr(found, '/'), "/slurm.conf");

	write_file("slurm.conf", "\nInclude weights.conf\n");
	write_file("weights.conf", "\nPriorityWeightAge=heavy\n");
	assert_false(read_policy(in_directory("slurm.conf"), &policy, &err));
	assert_non_null(strstr(err.message, "weights.conf:2: PriorityWeightAge=heavy"));

	/* A FIFO must not block, and a directory is no file. */
	path = in_directory("fifo");
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_false(read_policy(in_directory("fifo"), &policy, &err));
	assert_non_null(strstr(err.message, "not a regular file"));
	assert_false(read_policy(scratch_directory(), &policy, &err));
	assert_non_null(strstr(err.message, "not a regular file"));
}

/* ---- policy -------------------------------------------------------------------------------- */

static struct cluster *build(const char *conf, const char *config)
{
	struct slurm_texts texts = { .time = 1000, .from = "saved outputs" };
	struct builder *b = builder_new();
	struct err err = { 0 };

	if (conf)
		texts.kind[SLURM_CONF] = (struct slurm_text){ "slurm.conf", conf, strlen(conf) };
	if (config)
		texts.kind[SLURM_CONFIG] = (struct slurm_text){ "config", config, strlen(config) };
	if (!slurm_text_build(&texts, b, &err))
		fail_msg("%s", err.message);
	return kept_cluster(builder_seal(b, &err));
}

#define HEAD "Configuration data as of 2026-11-20T04:04:27\n"

static void configuration(void **state)
{
	struct cluster *c = build(NULL, HEAD
		"BOOT_TIME               = 2026-11-20T04:01:24\n"
		"ClusterName             = lab\n"
		"AccountingStorageTRES   = cpu,mem,GRES/gpu\n"
		"AccountingStorageEnforce = associations,limits,qos\n"
		"FairShareDampeningFactor = 3\n"
		"MessageTimeout          = 30 sec\n"
		"MinJobAge               = 300 sec\n"
		"PriorityDecayHalfLife   = 7-00:00:00\n"
		"PriorityCalcPeriod      = 00:05:00\n"
		"PriorityFavorSmall      = Yes\n"
		"PriorityFlags           = DEPTH_OBLIVIOUS,NO_FAIR_TREE\n"
		"PriorityMaxAge          = 02:00:00\n"
		"PriorityWeightFairShare = 100000\n"
		"PriorityWeightTRES      = CPU=2000,Mem=3000\n"
		"PrivateData             = none\n"
		"PrioritySiteFactorPlugin = (null)\n"
		"SLURM_VERSION           = 22.05.8\n\n"
		"Slurmctld(primary) at vm is UP\n");
	const struct policy *p = cluster_policy(c);

	(void)state;
	assert_int_equal(p->damping, 3);
	assert_int_equal(p->message_timeout, 30);
	assert_int_equal(p->half_life, 604800);
	assert_int_equal(p->calc_period, 300);
	assert_int_equal(p->max_age, 7200);
	assert_true(p->favor_small);
	assert_int_equal(p->flags, PF_DEPTH_OBLIVIOUS | PF_NO_FAIR_TREE);
	assert_int_equal(p->weight[PRIO_FAIRSHARE], 100000);
	assert_string_equal(p->weight_tres, "CPU=2000,Mem=3000");
	assert_string_equal(p->private_data, "");
	assert_string_equal(p->site_plugin, "");
	assert_string_equal(p->storage_enforce, "associations,limits,qos");
	assert_false(policy_is_known(p, policy_param("PriorityWeightAge")));
	assert_string_equal(cluster_meta(c)->version, "22.05.8");
	assert_int_equal(cluster_meta(c)->boot, cluster_meta(c)->time - 183);
	assert_int_equal(cluster_rows(c, TABLE_TRES), 3);
	assert_string_equal(cluster_tres_name(c, 2), "gres/gpu");
}

/* slurmctld prints NO_NORMAL_ALL for any of the four, and drops unknown words. */
static void flags_of_both(void **state)
{
	static const char config[] = HEAD "PriorityFlags = NO_NORMAL_ALL,NO_FAIR_TREE\n";
	struct cluster *c = build(NULL, config);

	(void)state;
	assert_int_equal(cluster_policy(c)->flags, PF_NO_NORMAL_ALL | PF_NO_FAIR_TREE);
	assert_string_not_equal(note_about(c, "PriorityFlags"), "");

	c = build("PriorityFlags=NO_FAIR_TREE,NO_NORMAL_QOS,TICKET_BASED\n", config);
	assert_int_equal(cluster_policy(c)->flags, PF_NO_NORMAL_QOS | PF_NO_FAIR_TREE);
	assert_string_equal(cluster_policy(c)->unknown_flags, "TICKET_BASED");
	assert_string_equal(note_about(c, "PriorityFlags"), "");

	c = build("PriorityFlags=NO_NORMAL_ALL\n", config);
	assert_int_equal(cluster_policy(c)->flags, PF_NO_NORMAL_ALL | PF_NO_FAIR_TREE);
	assert_string_equal(note_about(c, "PriorityFlags"), "");
}

/* The running configuration wins; an unreadable file then only gets a note. */
static void running_configuration_wins(void **state)
{
	static const char config[] = HEAD "PriorityWeightAge = 7\n";
	struct cluster *c = build("PriorityWeightAge=5\nPriorityWeightQOS=6\n", config);

	(void)state;
	assert_int_equal(cluster_policy(c)->weight[PRIO_AGE], 7);
	assert_int_equal(cluster_policy(c)->weight[PRIO_QOS], 6);
	c = build("PriorityWeightAge=5\ngarbage\n", config);
	assert_int_equal(cluster_policy(c)->weight[PRIO_AGE], 7);
	assert_non_null(strstr(note_about(c, "policy"), "slurm.conf:2"));
}

static void only_global_parameters(void **state)
{
	struct cluster *c = build("ClusterName=lab\nInclude more.conf\n"
				  "PartitionName=x PreemptMode=CANCEL PriorityWeightAge=9\n", NULL);

	(void)state;
	assert_string_equal(cluster_policy(c)->preempt_mode, "OFF");
	assert_int_equal(cluster_policy(c)->weight[PRIO_AGE], 0);
	assert_string_equal(cluster_meta(c)->name, "lab");
	assert_string_equal(note_about(c, "policy"),
			    "slurm.conf:2: Include more.conf was not read");
}

static void long_texts_are_cut(void **state)
{
	char conf[2000] = "SchedulerParameters=bf_first";
	struct cluster *c;

	(void)state;
	while (strlen(conf) < 1500)
		strcat(conf, ",bf_interval=30");
	c = build(conf, NULL);
	assert_true(strlen(cluster_policy(c)->scheduler_parameters) < POLICY_TEXT_MAX);
	assert_true(strlen(cluster_policy(c)->scheduler_parameters) > POLICY_TEXT_MAX - 20);
	assert_string_equal(note_about(c, "policy"), "SchedulerParameters is too long and was cut");
}

/* No byte of a secret is kept in memory. */
static void no_secrets(void **state)
{
	static const char secret[] = "swordfish";
	struct policy policy;
	struct cluster *c;
	struct err err = { 0 };

	(void)state;
	write_file("slurm.conf",
		   "AccountingStoragePass=swordfish\nJobCompPass=swordfish\n"
		   "AuthAltParameters=jwt_key=/etc/swordfish\nAuthInfo=swordfish\n"
		   "StoragePass=\"swordfish\" SlurmctldParameters=swordfish\n");
	policy_init(&policy);
	assert_true(read_policy(in_directory("slurm.conf"), &policy, &err));
	assert_null(memmem(&policy, sizeof(policy), secret, sizeof(secret) - 1));
	c = build("AccountingStoragePass=swordfish\nAuthAltParameters=jwt_key=/etc/swordfish\n",
		  HEAD "AccountingStoragePass = swordfish\n");
	assert_null(memmem(cluster_policy(c), sizeof(*cluster_policy(c)), secret,
			   sizeof(secret) - 1));
	assert_int_equal(cluster_find_string(c, secret, sizeof(secret) - 1), 0);
	assert_string_equal(note_about(c, "policy"), "");
}

/* ---- files of other projects --------------------------------------------------------------- */

static void published_files(void **state)
{
	static const struct {
		const char *file;
		uint32_t damping, weight_fairshare;
	} files[] = {
		{ "traces/slurm/conf/slurm.conf.example", 1, 0 },
		{ "traces/slurm/fixtures/huji/parse_conf.conf.txt", 5, 1000000 },
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char path[4096];
		struct policy policy;
		struct err err = { 0 };

		if (!data_shared(files[i].file, path, sizeof(path)))
			continue;
		policy_init(&policy);
		if (!read_policy(path, &policy, &err))
			fail_msg("%s", err.message);
		assert_int_equal(policy.damping, files[i].damping);
		assert_int_equal(policy.weight[PRIO_FAIRSHARE], files[i].weight_fairshare);
		assert_string_equal(policy.storage_type, "accounting_storage/slurmdbd");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grammar),
		cmocka_unit_test(wrong_lines),
		cmocka_unit_test_setup_teardown(includes, scratch_open, scratch_close),
		cmocka_unit_test_setup_teardown(many_includes, scratch_open, scratch_close),
		cmocka_unit_test_setup_teardown(wrong_includes, scratch_open, scratch_close),
		cmocka_unit_test(configuration),
		cmocka_unit_test(flags_of_both),
		cmocka_unit_test(running_configuration_wins),
		cmocka_unit_test(only_global_parameters),
		cmocka_unit_test(long_texts_are_cut),
		cmocka_unit_test_setup_teardown(no_secrets, scratch_open, scratch_close),
		cmocka_unit_test(published_files),
	};

	return cmocka_run_group_tests(tests, NULL, kept_free);
}
