/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm by its commands: stand-ins for sshare, sprio, scontrol and sacctmgr print a recording,
 * fail, or hang; the source must give the cluster, name the failure, or give up in time.
 */
#include <math.h>
#include <pthread.h>
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

#include "adapters/slurm/slurm_text.h"
#include "tests/support/await.h"
#include "tests/support/data.h"
#include "tests/support/note.h"
#include "tests/support/scratch.h"

static char old_path[4096];

/* Of the current test. */
static struct source *s;
static struct cluster *c;		/* the last fetch */
static struct err err;

static const char scontrol_body[] =
	"while [ \"${1#-}\" != \"$1\" ]; do shift; done\n"
	"case $2 in\n"
	"config) f=config ;; assoc_mgr) f=assoc_mgr ;; partition) f=partition ;;\n"
	"node) f=nodes ;; reservation) f=reservation ;; license) f=licenses ;;\n"
	"job) f=jobs ;; *) exit 1 ;; esac\n"
	"cat $RECORDING/scontrol_$f.txt";

__attribute__((format(printf, 2, 3)))
static void write_program(const char *name, const char *body, ...)
{
	char path[SCRATCH_PATH_MAX];
	FILE *file = fopen(scratch_path(name, path), "w");
	va_list args;

	assert_non_null(file);
	fputs("#!/bin/sh\n", file);
	va_start(args, body);
	vfprintf(file, body, args);
	va_end(args);
	fputc('\n', file);
	fclose(file);
	assert_int_equal(chmod(path, 0755), 0);
}

/* The commands get the environment as it is now. */
static void open_commands(const char *conf)
{
	source_close(s);
	s = slurm_commands_open(conf, &err);
	if (!s)
		fail_msg("%s", err.message);
}

/* Frees the last fetch. */
static enum fetch_result fetch_within(int64_t deadline_ms, uint32_t needs)
{
	const struct fetch_request request = { .needs = needs, .deadline_ms = deadline_ms };

	cluster_free(c);
	c = NULL;
	return source_fetch(s, &request, &c, &err);
}

static void assert_fetched(uint32_t needs)
{
	if (fetch_within(60000, needs) != FETCH_NEW)
		fail_msg("%s", err.message);
}

static void assert_fails(int64_t deadline_ms, uint32_t needs)
{
	assert_int_equal(fetch_within(deadline_ms, needs), FETCH_FAILED);
	assert_null(c);
	assert_int_equal(err.code, ERR_SOURCE);
}

/* Stand-ins that print the recording in $RECORDING and log their calls. */
static int set_up(void **state)
{
	char path[4200], recording[4096];

	assert_int_equal(scratch_open(state), 0);
	snprintf(old_path, sizeof(old_path), "%s", getenv("PATH"));
	snprintf(path, sizeof(path), "%s:%s", scratch_directory(), old_path);
	setenv("PATH", path, 1);
	setenv("RECORDING", data_path("slurm/depthobl/quiet", recording, sizeof(recording)), 1);
	setenv("CALLS", scratch_directory(), 1);
	setenv("TZ", "UTC", 1);
	setenv("SLURM_CONF", "/nonexistent/slurm.conf", 1);
	setenv("SLURM_TIME_FORMAT", "relative", 1);
	write_program("sshare", "echo \"$SLURM_CONF,$SLURM_TIME_FORMAT,$*\" > $CALLS/sshare.call\n"
				"cat $RECORDING/sshare_all_fields.psv");
	write_program("squeue", "echo \"squeue: unrecognized option '--json'\" >&2; exit 1");
	write_program("sprio", "cat $RECORDING/sprio_weighted.psv");
	write_program("sacctmgr", "cat $RECORDING/sacctmgr_qos.psv");
	write_program("scontrol", "%s", scontrol_body);
	write_program("sdiag", "exit 1");
	open_commands(NULL);
	return 0;
}

static int tear_down(void **state)
{
	cluster_free(c);
	c = NULL;
	source_close(s);
	s = NULL;
	setenv("PATH", old_path, 1);
	unsetenv("SLURM_CONF");
	unsetenv("SLURM_TIME_FORMAT");
	return scratch_close(state);
}

static void everything(void **state)
{
	(void)state;
	assert_fetched(NEED_ALL);
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 86);
	assert_int_equal(cluster_rows(c, TABLE_JOB), 60);
	assert_int_equal(cluster_rows(c, TABLE_PRIO), 49);
	assert_int_equal(cluster_rows(c, TABLE_QOS), 5);
	assert_int_equal(cluster_rows(c, TABLE_HOST), 8);
	assert_int_equal(cluster_rows(c, TABLE_PARTITION), 4);
	assert_int_equal(cluster_rows(c, TABLE_RESERVATION), 2);
	assert_int_equal(cluster_rows(c, TABLE_LICENSE), 2);
	assert_string_equal(cluster_meta(c)->name, "lab");
	assert_int_equal(cluster_policy(c)->flags, PF_DEPTH_OBLIVIOUS | PF_NO_FAIR_TREE);
	assert_string_equal(s->health, "commands (6 decimals)");
	assert_false(note_says(c, " failed: "));
	assert_int_equal(cluster_meta(c)->last_backfill, 0);
	/* A live source also runs sdiag. */
	write_program("sdiag", "echo 'sdiag output at Fri Nov 20 05:04:27 2026 (1795151067)'\n"
			       "printf '\\tLast cycle when: Fri Nov 20 05:04:14 2026'\n"
			       "echo ' (1795151054)'");
	assert_fetched(NEED_ALL);
	assert_int_equal(cluster_meta(c)->last_backfill, 1795151054);
}

/* Runs only what is needed, with the configuration file named here. */
static void only_what_is_needed(void **state)
{
	char call[300] = "", path[200];
	FILE *file;

	(void)state;
	open_commands("/nonexistent/other.conf");
	assert_fetched(NEED_SHARES);
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 86);
	assert_int_equal(cluster_rows(c, TABLE_JOB), 0);
	assert_int_equal(cluster_rows(c, TABLE_HOST), 0);
	assert_float_equal(cluster_meta(c)->usage_quantum, 1, 0);
	snprintf(path, sizeof(path), "%s/sshare.call", scratch_directory());
	file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(call, sizeof(call), file));
	fclose(file);
	assert_string_equal(call, "/nonexistent/other.conf,,-a -l -m -P\n");
}

/*
 * Uses JSON if available, else the table, and then does not try JSON again: an older release prints
 * an error; one without the plugin prints nothing and exits with 0.
 */
static void json_where_it_is(void **state)
{
	static const struct {
		const char *json, *health;
		uint32_t rows;
	} cases[] = {
		{ "cat $JSON", "commands (JSON)", 8 },
		{ "echo \"sshare: unrecognized option '--json'\" >&2; exit 1",
		  "commands (6 decimals)", 86 },
		{ "exit 0", "commands (6 decimals)", 86 },
	};
	char json[4096];

	(void)state;
	setenv("JSON", data_path("slurm/json/v42/sshare.json", json, sizeof(json)), 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		open_commands(NULL);
		for (int round = 0; round < 2; round++) {
			write_program("sshare", "case $* in *--json*) %s ;;\n"
				      "*) cat $RECORDING/sshare_all_fields.psv ;; esac",
				      round == 0 || i == 0 ? cases[i].json : "cat $JSON");
			assert_fetched(NEED_SHARES);
			assert_int_equal(cluster_rows(c, TABLE_ASSOC), cases[i].rows);
			assert_string_equal(s->health, cases[i].health);
			assert_false(note_says(c, " failed: "));
		}
	}
}

/* Since 23.11 a user's settings for squeue and its default states also affect JSON. */
static void all_jobs_of_json(void **state)
{
	char json[4096];

	(void)state;
	setenv("SQUEUE_ACCOUNT", "nobody", 1);
	setenv("JSON", data_path("slurm/json/v42/squeue.json", json, sizeof(json)), 1);
	write_program("squeue", "case $SQUEUE_ACCOUNT,$* in ,*'-t all'*) cat $JSON ;;\n"
				"*) sed '/\"jobs\"/,$d' $JSON; echo '\"jobs\": []}' ;; esac");
	open_commands(NULL);
	unsetenv("SQUEUE_ACCOUNT");
	assert_fetched(NEED_JOBS);
	assert_int_equal(cluster_rows(c, TABLE_JOB), 2);
}

/*
 * Up to 23.11 (v0.0.40) JSON has cores of sockets but no CPUs of nodes: these come from scontrol
 * -d, for jobs that run on the nodes in JSON, when start estimates need them.
 */
static void cpus_beside_old_json(void **state)
{
	static const char jobs[] =
		"cat <<END\n{\"jobs\": ["
		"{\"job_id\": 47, \"job_state\": [\"RUNNING\"], \"nodes\": \"n[1-2]\", "
		"\"job_resources\": {\"nodes\": \"n[1-2]\", \"allocated_cpus\": 6, "
		"\"allocated_nodes\": [{\"sockets\": {\"0\": {\"cores\": {\"0\": "
		"\"allocated\"}}}, \"nodename\": \"n1\", \"cpus_used\": 0}]}}, "
		"{\"job_id\": 48, \"job_state\": [\"PENDING\"], \"nodes\": \"\"}]}\nEND";
	char text[4096];

	(void)state;
	setenv("TEXT", data_path("slurm/json/v45/running.txt", text, sizeof(text)), 1);
	write_program("squeue", "%s", jobs);
	write_program("scontrol", "case $* in '-a -d show job') exec cat $TEXT ;; esac\n%s",
		      scontrol_body);
	open_commands(NULL);
	assert_fetched(NEED_JOBS | NEED_HOSTS);
	assert_int_equal(cluster_rows(c, TABLE_JOB), 2);
	assert_string_equal(cluster_text(c, F_JOB_NODE_CPUS, 0), "n[1-2]=3");
	/* Pending in JSON, it has started since: its CPUs are not split in halves. */
	assert_null(cluster_text(c, F_JOB_NODE_CPUS, 1));
	assert_null(cluster_text(c, F_JOB_NODE_LIST, 1));
	assert_false(note_says(c, " failed: "));
	assert_fetched(NEED_JOBS);
	assert_null(cluster_text(c, F_JOB_NODE_CPUS, 0));
}

/* slurmctld gets one call at a time; slurmdbd is a separate server. */
static void one_call_at_a_time(void **state)
{
	static const char body[] =
		"mkdir $CALLS/call || exit 1\n"
		"sleep 0.05\n"		/* clock: time for another call */
		"rmdir $CALLS/call\n";
	(void)state;
	write_program("sshare", "%scat $RECORDING/sshare_all_fields.psv", body);
	write_program("sprio", "%scat $RECORDING/sprio_weighted.psv", body);
	write_program("scontrol", "%s%s", body, scontrol_body);
	assert_fetched(NEED_ALL);
	assert_false(note_says(c, " failed: "));
	assert_int_equal(cluster_rows(c, TABLE_PRIO), 49);
	assert_int_equal(cluster_rows(c, TABLE_LICENSE), 2);
}

static size_t calls_of_sprio(void)
{
	char path[200];
	struct stat st;

	snprintf(path, sizeof(path), "%s/sprio.call", scratch_directory());
	return stat(path, &st) == 0 ? (size_t)st.st_size : 0;
}

/* The time of the last pass comes from sprio, which runs once per pass. */
static void last_pass_once(void **state)
{
	int64_t first = 0;

	(void)state;
	write_program("sprio", "printf x >> $CALLS/sprio.call\n"
			       "cat $RECORDING/sprio_weighted.psv");
	/* The recording is old: with passes this far apart, none was due since. */
	write_program("scontrol", "%s | sed '/^PriorityCalcPeriod/s/=.*/= 40000-00:00:00/'",
		      scontrol_body);
	for (int i = 0; i < 3; i++) {
		assert_fetched(NEED_SHARES | NEED_JOBS | NEED_PASS);
		if (i == 0)
			first = cluster_meta(c)->last_decay;
		assert_true(first != I64_UNKNOWN);
		assert_true(cluster_meta(c)->last_decay == first);
		assert_int_equal(calls_of_sprio(), 1);
	}
	/* Now one is due every minute, so each time. */
	write_program("scontrol", "%s", scontrol_body);
	for (size_t i = 1; i <= 3; i++) {
		assert_fetched(NEED_SHARES | NEED_JOBS | NEED_PASS);
		assert_int_equal(calls_of_sprio(), i);
	}
}

/* Without pending jobs a pass shows in the usage. */
static void pass_goes_by(void **state)
{
	(void)state;
	write_program("sprio", "head -n 1 $RECORDING/sprio_weighted.psv");
	for (int i = 0; i < 4; i++) {
		bool seen = i >= 2;

		/* A user's usage grows, and shrinks later. */
		write_program("sshare", i != 1 ? "cat $RECORDING/sshare_all_fields.psv" :
			      "awk -F '|' -v OFS='|' '$2 == \"alice\" { $7 *= 10 } 1' "
			      "$RECORDING/sshare_all_fields.psv");
		assert_fetched(NEED_SHARES | NEED_JOBS | NEED_PASS);
		assert_int_equal(cluster_meta(c)->last_decay != I64_UNKNOWN, seen);
		assert_int_equal(note_about(c, "decay pass")[0] != '\0', i == 2);
	}
}

static void one_command_fails(void **state)
{
	(void)state;
	write_program("sprio", "echo 'sprio: error: not a supported plugin' >&2; exit 1");
	assert_fetched(NEED_ALL);
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 86);
	assert_int_equal(cluster_rows(c, TABLE_PRIO), 0);
	assert_non_null(strstr(note_about(c, "sprio"), "not a supported plugin"));
	assert_true(cluster_knows_jobs(c, &err));
}

/* Without jobs from squeue and scontrol, jobs are unknown, not none. */
static void jobs_fail(void **state)
{
	(void)state;
	write_program("scontrol", "case $* in *job*) echo 'Socket timed out' >&2; exit 1 ;; "
		      "esac\n%s", scontrol_body);
	assert_fetched(NEED_ALL);
	assert_int_equal(cluster_rows(c, TABLE_HOST), 8);
	assert_false(cluster_knows_jobs(c, &err));
	assert_string_equal(err.message,
			    "the jobs are unknown: scontrol failed: Socket timed out");
}

static void sshare_fails(void **state)
{
	(void)state;
	write_program("sshare", "echo 'sshare: error: Unable to contact controller' >&2; exit 1");
	assert_fails(60000, NEED_ALL);
	assert_non_null(strstr(err.message, "Unable to contact controller"));
	/* It recovers. */
	write_program("sshare", "cat $RECORDING/sshare_a_l.psv");
	assert_fetched(NEED_ALL);
}

/* Without an accounting database sshare must fail; jobs are read all the same. */
static void no_accounting(void **state)
{
	(void)state;
	write_program("sshare", "echo 'error: no supported accounting_storage' >&2; exit 1");
	write_program("scontrol",
		      "while [ \"${1#-}\" != \"$1\" ]; do shift; done\n"
		      "case $2 in\n"
		      "config) sed 's|accounting_storage/slurmdbd|accounting_storage/none|' "
		      "$RECORDING/scontrol_config.txt ;;\n"
		      "job) cat $RECORDING/scontrol_jobs.txt ;; *) exit 1 ;; esac");
	assert_fetched(NEED_ALL);
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 0);
	assert_int_equal(cluster_rows(c, TABLE_JOB), 60);
	assert_non_null(strstr(note_about(c, "sshare"), "no supported accounting_storage"));
}

/* With priority/basic sprio has no factors: nothing is missing. */
static void no_factors(void **state)
{
	(void)state;
	write_program("sprio", "echo 'Only multifactor is supported.' >&2; exit 1");
	write_program("scontrol", "%s | sed '/^PriorityType/s/multifactor/basic/'", scontrol_body);
	assert_fetched(NEED_ALL);
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 86);
	assert_string_equal(note_about(c, "sprio"), "");
	assert_false(note_says(c, " failed: "));
}

static void sshare_prints_garbage(void **state)
{
	(void)state;
	write_program("sshare", "echo 'Account|User'; echo 'root'");
	assert_fails(60000, NEED_SHARES);
	assert_non_null(strstr(err.message, "sshare:2: the row does not match the header"));
}

static void gives_up_in_time(void **state)
{
	(void)state;
	write_program("sshare", "exec tail -f /dev/null");
	assert_fails(300, NEED_SHARES);
}

static void *cancel_soon(void *source)
{
	await_file("begun");
	source_cancel(source);
	return NULL;
}

static void cancelled(void **state)
{
	pthread_t thread;

	(void)state;
	write_program("sshare", "echo > $CALLS/begun; exec tail -f /dev/null");
	assert_int_equal(pthread_create(&thread, NULL, cancel_soon, s), 0);
	assert_fails(-1, NEED_SHARES);
	pthread_join(thread, NULL);
	/* The next fetch is not cancelled. */
	write_program("sshare", "cat $RECORDING/sshare_a_l.psv");
	assert_fetched(NEED_SHARES);
}

static void not_installed(void **state)
{
	(void)state;
	setenv("PATH", "/nonexistent", 1);
	assert_fails(60000, NEED_SHARES);
	setenv("PATH", old_path, 1);
	assert_int_equal(strncmp(err.message, "scontrol: ", 10), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(everything, set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_what_is_needed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(json_where_it_is, set_up, tear_down),
		cmocka_unit_test_setup_teardown(all_jobs_of_json, set_up, tear_down),
		cmocka_unit_test_setup_teardown(cpus_beside_old_json, set_up, tear_down),
		cmocka_unit_test_setup_teardown(one_call_at_a_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(last_pass_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(pass_goes_by, set_up, tear_down),
		cmocka_unit_test_setup_teardown(one_command_fails, set_up, tear_down),
		cmocka_unit_test_setup_teardown(jobs_fail, set_up, tear_down),
		cmocka_unit_test_setup_teardown(sshare_fails, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_accounting, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_factors, set_up, tear_down),
		cmocka_unit_test_setup_teardown(sshare_prints_garbage, set_up, tear_down),
		cmocka_unit_test_setup_teardown(gives_up_in_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(cancelled, set_up, tear_down),
		cmocka_unit_test_setup_teardown(not_installed, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
