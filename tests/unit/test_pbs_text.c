/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading PBS's outputs: every recorded file loads or is refused with the right message and exit
 * code; the counts are those that the server itself gives; values that qstat turned into other
 * types of JSON; bytes that are not JSON. The files are recordings of a real OpenPBS 23.06.06;
 * those of tests/data/pbs are always tried, all of them if $FAIRTOP_SHARED/captures/pbs exists.
 */
#include <dirent.h>
#include <math.h>
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

#include "adapters/pbs/pbs_text.h"
#include "core/base/mem.h"
#include "core/share/summary.h"
#include "tests/support/data.h"
#include "tests/support/kept.h"
#include "tests/support/note.h"
#include "tests/support/pbs.h"

#define PATH_SIZE 4096

/* ---- every file ------------------------------------------------------------------------------ */

/* The expected result for a file, by the first pattern that its name ends with or contains. */
static const struct expectation {
	const char *part;		/* of the name, or of the directory and the name */
	int code;			/* 0: it loads */
	const char *message;
} expectations[] = {
	{ "d_qstat_f_json.txt", 3, "qstat: cannot connect to server pbshead (errno=15010)" },
	{ "d_qstat_Qf_json.txt", 3, "qstat: cannot connect to server pbshead (errno=15010)" },
	{ "d_qstat_Bf_json.txt", 3, "qstat: cannot connect to server pbshead (errno=15010)" },
	{ "d_qstat.txt", 3, "qstat: cannot connect to server pbshead (errno=15010)" },
	{ "d_pbsnodes_json.txt", 3, "pbsnodes: cannot connect to server pbshead, error=15010" },
	{ "d_qmgr", 3, "qmgr: cannot connect to server" },
	{ "d_qselect.txt", 3, "qselect: cannot connect to server" },
	{ "d_pbs_rstat.txt", 3, "pbs_rstat: cannot connect to server" },
	{ "d_pbsfs_I.txt", 2, "Can't connect to the server" },
	{ "d_pbsfs_g.txt", 2, "not a known output of PBS" },
	{ "qstat_env.txt", 3, "cannot connect to server nosuchhost (errno=15008)" },
	{ "qstat_noconf.txt", 3, "cannot connect to server  (errno=0)" },
	{ "qstat_nosuchhost.txt", 3, "cannot connect to server pbshead (errno=15008)" },
	{ "qstat_unknown_job", 2, "qstat: Unknown Job Id 999999.pbshead" },
	{ "qstat_badq", 2, "qstat: Unknown queue nosuchq" },
	{ "pbsnodes_bad.txt", 2, "Unknown node" },
	{ "pbsnodes_bad_json.txt", 0, NULL },
	{ "pbsfs_as", 2, "Must be run by PBS_DAEMON_SERVICE_USER" },
	{ "user_read_usage", 2, "Permission denied" },
	{ "user_read_resgroup", 2, "Permission denied" },
	{ "qoj_false_other_job.txt", 2, "empty" },
	{ "pbsfs_bad_I", 2, "Scheduler othersched does not exist" },
	{ "_missing.txt", 2, "nobody_here does not exist" },
	{ "pbsfs_g_noarg", 2, "Usage: pbsfs" },
	{ "pbsfs_s_neg", 2, "Usage: pbsfs" },
	{ "09_badtree/pbsfs_s_", 2, "resgroup: error on line 19" },
	{ "09_badtree/pbsfs_d.txt", 2, "resgroup: error on line 19" },
	{ "09_badtree/pbsfs_e.txt", 2, "resgroup: error on line 19" },
	{ "05_lifecycle/pbs_rstat_F.txt", 0, NULL },
	{ "17_reserved/pbs_rstat_F.txt", 0, NULL },
	{ "25_again/pbs_rstat_F.txt", 0, NULL },
	{ "26_begun/pbs_rstat_F.txt", 0, NULL },
	{ "27_between/pbs_rstat_F.txt", 0, NULL },
	{ "pbs_rstat", 2, "" },
	{ "pbsnodes_l.txt", 2, "empty" },
	{ "pbsfs_I_weekend.txt", 0, NULL },
	{ "pbsfs.txt", 0, NULL },
	{ "pbsfs_p.txt", 0, NULL },
	{ "pbsfs_after", 0, NULL },
	{ "usage_accrual.txt", 2, "not a known output of PBS" },
	{ "ec_truth", 2, "not a known output of PBS" },
	{ "sched_log", 2, "not a known output of PBS" },
	{ "/usage", 0, NULL },
	{ "ls_", 2, "not a known output of PBS" },
	{ "formula_set_attempts.txt", 0, NULL },	/* a session: the listing shows settings */
	{ "qmgr_list_resource", 2, "not a known output of PBS" },
	{ "qmgr_print_resource", 2, "not a known output of PBS" },
	{ "qmgr_", 0, NULL },
	{ "print_sched.txt", 0, NULL },
	{ "/qstat_f.txt", 0, NULL },
	{ "/qstat_f_181.txt", 0, NULL },
	{ "/qstat_ft.txt", 0, NULL },
	{ "/qstat_fw.txt", 0, NULL },
	{ "/qstat_one_f.txt", 0, NULL },
	{ "/qstat_Bf.txt", 0, NULL },
	{ "/qstat_Qf.txt", 0, NULL },
	{ "/pbsnodes_a.txt", 0, NULL },
	{ "/qstat_a.txt", 2, "the table of qstat -a (expected qstat -f -t" },
	{ "/pbsnodes_aSj.txt", 2, "the table of pbsnodes -aS (expected pbsnodes -av)" },
	{ "list_sched", 0, NULL },
	{ "/resource_group", 0, NULL },
	{ "/sched_config", 0, NULL },
	{ "json_typing.txt", 2, "not a known output of PBS" },
	{ ".json", 0, NULL },
	{ "", 2, "" },
};

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

static void try_file(const char *path)
{
	const struct expectation *e = expectations;
	const char *slash = strrchr(path, '/');
	struct err err = { 0 };
	struct cluster *c;

	while (slash > path && slash[-1] != '/')
		slash--;
	while (!strstr(slash - 1, e->part))
		e++;
	c = pbs_try(path, &err);
	if ((!c) != (e->code != 0) || (!c && (int)err.code != e->code))
		fail_msg("%s: %s (code %d, expected %d)", path, c ? "loads" : err.message,
			 (int)err.code, e->code);
	if (!c && !strstr(err.message, e->message))
		fail_msg("%s: \"%s\" does not say \"%s\"", path, err.message, e->message);
	cluster_free(c);
}

static unsigned try_tree(const char *path)
{
	struct dirent *entry;
	unsigned tried = 0;
	DIR *dir = opendir(path);

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		char below[PATH_SIZE];
		struct stat st;

		if (entry->d_name[0] == '.' || ends_with(entry->d_name, ".err"))
			continue;
		snprintf(below, sizeof(below), "%s/%s", path, entry->d_name);
		if (stat(below, &st) == 0 && S_ISDIR(st.st_mode)) {
			tried += try_tree(below);
		} else {
			try_file(below);
			tried++;
		}
	}
	closedir(dir);
	return tried;
}

static void test_every_file(void **state)
{
	char path[PATH_SIZE];

	(void)state;
	assert_true(try_tree(data_path("pbs", path, sizeof(path))) > 120);
}

static void test_every_recording(void **state)
{
	char path[PATH_SIZE];

	(void)state;
	if (!data_shared("captures/pbs", path, sizeof(path)))
		skip();
	assert_true(try_tree(path) > 300);
}

/* ---- the server's own counts ----------------------------------------------------------------- */

/* Returns the number after "Held:" and the like; 0 if there is none. */
static unsigned counted(const char *text, const char *label)
{
	const char *at = text ? strstr(text, label) : NULL;

	return at ? (unsigned)strtoul(at + strlen(label), NULL, 10) : 0;
}

static unsigned rows_in(const struct cluster *c, const char *queue, char letter, const char *label)
{
	unsigned n = 0;

	for (uint32_t row = 0; row < cluster_rows(c, TABLE_JOB); row++) {
		const char *state = cluster_text(c, F_JOB_JOB_STATE, row);

		if (strcmp(cluster_text(c, F_JOB_PARTITION, row), queue) != 0)
			continue;
		n += state[0] == letter;
		/* Without -t a started array is one row that counts its subjobs. */
		if (state[0] == 'B' && strcmp(cluster_text(c, F_JOB_STATE, row), "BEGUN") != 0)
			n += counted(cluster_text(c, F_JOB_ARRAY_STATE_COUNT, row), label);
	}
	return n;
}

static void counts_agree(const char *recording)
{
	static const struct {
		char letter;
		const char *label;
	} states[] = { { 'Q', "Queued:" },
		       { 'H', "Held:" },
		       { 'W', "Waiting:" },
		       { 'R', "Running:" },
		       { 'B', "Begun:" } };
	struct cluster *c = kept_cluster(pbs_cluster(recording));
	unsigned sum = 0;

	for (uint32_t q = 0; q < cluster_rows(c, TABLE_QUEUE); q++) {
		const char *name = cluster_text(c, F_QUEUE_NAME, q);
		const char *count = cluster_text(c, F_QUEUE_STATE_COUNT, q);

		for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
			unsigned n = rows_in(c, name, states[i].letter, states[i].label);

			assert_int_equal(n, counted(count, states[i].label));
			sum += n;
		}
	}
	assert_true(sum > 100);
}

static void test_counts(void **state)
{
	(void)state;
	counts_agree("01_main");
	counts_agree("02_formula");
}

/* ---- one job, one queue, one node ------------------------------------------------------------ */

static bool list_has(const struct cluster *c, enum field field, uint32_t row, const char *item)
{
	struct text_list list = cluster_list(c, field, row);

	for (uint32_t i = 0; list.texts && i < list.count; i++) {
		if (strcmp(cluster_string(c, list.texts[i]), item) == 0)
			return true;
	}
	return false;
}

static void test_job(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("01_main"));
	uint32_t row = pbs_job(c, "75.pbshead");

	(void)state;
	assert_int_equal(cluster_u32(c, F_JOB_ID, row), 75);
	assert_string_equal(cluster_text(c, F_JOB_USER, row), "adele");
	assert_string_equal(cluster_text(c, F_JOB_EGROUP, row), "hepg");
	assert_string_equal(cluster_text(c, F_JOB_PARTITION, row), "workq");
	assert_string_equal(cluster_text(c, F_JOB_STATE, row), "PENDING");
	assert_string_equal(cluster_text(c, F_JOB_SELECT, row), "2:ncpus=64:mem=8gb");
	assert_string_equal(cluster_text(c, F_JOB_SCHEDSELECT, row), "2:ncpus=64:mem=8gb");
	assert_string_equal(cluster_text(c, F_JOB_PLACE, row), "scatter");
	assert_string_equal(cluster_text(c, F_JOB_PROJECT, row), "_pbs_project_default");
	assert_string_equal(cluster_text(c, F_JOB_REASON, row),
			    "Insufficient amount of resource: ncpus");
	assert_int_equal(cluster_u32(c, F_JOB_CPUS, row), 128);
	assert_int_equal(cluster_u32(c, F_JOB_NODES, row), 2);
	assert_int_equal(cluster_i64(c, F_JOB_TIME_LIMIT, row), 5 * 3600);
	assert_int_equal(cluster_i64(c, F_JOB_ELIGIBLE_TIME, row), 70);
	assert_int_equal(cluster_i64(c, F_JOB_QUEUE_RANK, row), INT64_C(1795146549657933));
	/* "Fri Nov 20 03:49:09 2026", whatever TZ is here */
	assert_int_equal(cluster_i64(c, F_JOB_SUBMIT, row), 1795146549);
	assert_int_equal(cluster_u32(c, F_JOB_ACCRUE_TYPE, row), 2);
	assert_true(list_has(c, F_JOB_RESOURCES, row, "mem=16gb"));
	assert_true(list_has(c, F_JOB_RESOURCES, row, "ncpus=128"));
	assert_int_equal(cluster_list(c, F_JOB_RESOURCES, row).count, 4);
	assert_string_equal(cluster_text(c, F_JOB_ENTITY, row), "adele");
	assert_string_equal(cluster_meta(c)->zone, "UTC");
	assert_string_equal(cluster_meta(c)->version, "23.06.06");
	assert_int_equal(cluster_meta(c)->time, 1795146619);
}

static void test_queue_and_server(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("01_main"));

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_QUEUE), 6);
	assert_true(list_has(c, F_QUEUE_LIMITS, 2, "max_run=[u:PBS_GENERIC=2],[u:bruno=1]"));
	assert_true(list_has(c, F_QUEUE_LIMITS, 3, "max_run_res.ngpus=[o:PBS_ALL=6]"));
	assert_true(list_has(c, F_QUEUE_RESOURCES_MAX, 2, "walltime=240:00:00"));
	assert_int_equal(cluster_list(c, F_QUEUE_LIMITS, 0).count, 0);
	assert_int_equal(cluster_bool(c, F_QUEUE_STARTED, 4), 0);
	assert_true(list_has(c, F_SERVER_LIMITS, 0, "max_queued=[u:PBS_GENERIC=500]"));
	assert_true(list_has(c, F_SERVER_RESOURCES_AVAILABLE, 0, "site_lic=4"));
	assert_int_equal(cluster_rows(c, TABLE_SCHED), 1);
	assert_string_equal(cluster_text(c, F_SCHED_PRIV, 0), "/opt/pbs/spool/sched_priv");
	assert_int_equal(cluster_rows(c, TABLE_HOST), 7);
	assert_true(cluster_f64(c, F_HOST_MEMORY, 6) == 4.0 * 1024 * 1024);
	assert_int_equal(cluster_u32(c, F_HOST_CPUS_USED, 6), 1000);
	assert_string_equal(cluster_policy(c)->resources,
			    "ncpus, mem, arch, host, vnode, aoe, eoe, ngpus");
	assert_int_equal(cluster_policy(c)->fairshare_decay_time, 12 * 3600);
	assert_int_equal(cluster_policy(c)->scheduler_iteration, 600);
	assert_false(cluster_policy(c)->by_queue);
}

/* The limits of every recorded configuration, identified by the lists that differ. */
static void test_limits(void **state)
{
	static const struct {
		const char *name, *server, *queue;
	} cases[] = {
		{ "b_srv_user", "max_run=[u:PBS_GENERIC=50]", NULL },
		{ "f_srv_user_soft", "max_run_soft=[u:PBS_GENERIC=50]", NULL },
		{ "k_srv_res_lic", "max_run_res.site_lic=[o:PBS_ALL=100]", NULL },
		{ "h_q_overall", NULL, "max_run=[o:PBS_ALL=300]" },
		{ "j_q_maxqueued", NULL, "max_queued=[u:PBS_GENERIC=600]" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char server[100], queue[100];
		struct pbs_file files[] = { { server, "qstat_Bf.json" }, { queue, "qstat_Qf.json" },
					    { "04_limits/qstat_f.json", "qstat_f.json" },
					    { NULL, NULL } };
		struct cluster *c;

		snprintf(server, sizeof(server), "04_limits/%s.qstat_Bf.json", cases[i].name);
		snprintf(queue, sizeof(queue), "04_limits/%s.qstat_Qf.json", cases[i].name);
		c = kept_cluster(pbs_cluster(pbs_directory(files)));
		if (cases[i].server)
			assert_true(list_has(c, F_SERVER_LIMITS, 0, cases[i].server));
		if (cases[i].queue)
			assert_true(list_has(c, F_QUEUE_LIMITS, 0, cases[i].queue));
		pbs_remove();
	}
}

static void test_arrays(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("01_main/qstat_arr_ft_json.json"));
	uint32_t rows = cluster_rows(c, TABLE_JOB), row;

	(void)state;
	/* Pending subjobs are in their array's row. */
	assert_int_equal(rows, 1);
	assert_string_equal(cluster_text(c, F_JOB_TASKS, 0), "1-5");
	assert_int_equal(cluster_u32(c, F_JOB_ARRAY, 0), 70);
	c = kept_cluster(pbs_cluster("01_main"));
	row = pbs_job(c, "56[].pbshead");
	/* Its three subjobs run, each as its own job; the array has nothing left to start. */
	assert_string_equal(cluster_text(c, F_JOB_STATE, row), "BEGUN");
	assert_null(cluster_text(c, F_JOB_TASKS, row));
	assert_null(cluster_text(c, F_JOB_REASON, row));
	for (int i = 1; i <= 3; i++) {
		char id[40];

		snprintf(id, sizeof(id), "56[%d].pbshead", i);
		row = pbs_job(c, id);
		assert_int_not_equal(row, ROW_NONE);
		assert_string_equal(cluster_text(c, F_JOB_STATE, row), "RUNNING");
		assert_int_equal(cluster_u32(c, F_JOB_TASK, row), i);
	}
	/* Held by a dependency, held by its owner, and waiting for its begin time. */
	assert_string_equal(cluster_text(c, F_JOB_REASON, pbs_job(c, "127.pbshead")), "Dependency");
	assert_string_equal(cluster_text(c, F_JOB_REASON, pbs_job(c, "124.pbshead")),
			    "Held (user)");
	assert_string_equal(cluster_text(c, F_JOB_REASON, pbs_job(c, "126.pbshead")), "BeginTime");
}

/*
 * An OpenPBS 23.06.06 built without cJSON indents with blanks, and jobs that have run have
 * resources_used before their state. Only an array's running subjobs have rows of their own.
 */
static void test_arrays_in_plain_json(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("10_plain/qstat_ft.json"));
	uint32_t running = 0;

	(void)state;
	for (uint32_t row = 0; row < cluster_rows(c, TABLE_JOB); row++)
		running += strcmp(cluster_text(c, F_JOB_JOB_STATE, row), "R") == 0;
	assert_int_equal(running, 3);
	assert_int_equal(cluster_rows(c, TABLE_JOB), 3 + 2);
	assert_int_equal(pbs_job(c, "45[1].pbshead"), ROW_NONE);
	assert_int_equal(pbs_job(c, "45[20].pbshead"), ROW_NONE);
}

/* ---- rights ---------------------------------------------------------------------------------- */

static struct summary summary(const struct cluster *c)
{
	struct model *m = kept_model(c);
	struct summary sum = summary_of(m);

	return sum;
}

static void test_rights(void **state)
{
	static const struct pbs_file hidden[] = {
		{ "08_rights/qoj_false_qstat_f.json", "qstat_f.json" },
		{ "08_rights/qoj_false_Qf.json", "qstat_Qf.json" }, { NULL, NULL }
	};
	/* The server counts more jobs than it lists, as seen on a live one. */
	static const struct pbs_file shown[] = {
		{ "08_rights/qoj_false_qstat_f.json", "qstat_f.json" },
		{ "08_rights/manager_qstat_Bf.json", "qstat_Bf.json" }, { NULL, NULL }
	};
	static const struct pbs_file ordinary[] = {
		{ "01_main/qstat_ft_json.json", "qstat_ft.json" },
		{ "01_main/qstat_Bf_json.json", "qstat_Bf.json" },
		{ "01_main/qstat_Qf_json.json", "qstat_Qf.json" }, { NULL, NULL }
	};
	struct cluster *user = kept_cluster(pbs_cluster("08_rights/user_qstat_f_one.json"));
	struct cluster *manager = kept_cluster(pbs_cluster("08_rights/manager_qstat_f_one.json"));
	struct cluster *c = kept_cluster(pbs_cluster(pbs_directory(hidden)));
	struct summary sum;

	(void)state;
	assert_string_equal(cluster_text(user, F_JOB_USER, 0), "adele");
	assert_null(cluster_text(user, F_JOB_SCHEDSELECT, 0));
	assert_null(cluster_text(user, F_JOB_EGROUP, 0));
	assert_true(note_says(user, "shown to managers only"));
	assert_true(note_says(user, "root runs `fairtop record pbs`, others open the file"));
	assert_string_equal(cluster_text(manager, F_JOB_EGROUP, 0), "hepg");
	assert_false(note_says(manager, "shown to managers only"));
	assert_int_equal(cluster_rows(c, TABLE_JOB), 21);
	assert_true(note_says(c, "of 143 jobs are hidden: query_other_jobs is False"));
	assert_true(cluster_hides_jobs(c));
	/* Counts by state are unknown; with all jobs shown they are known even without a tree. */
	sum = summary(c);
	assert_int_equal(sum.running, U32_UNKNOWN);
	assert_int_equal(sum.pending, U32_UNKNOWN);
	pbs_remove();
	c = kept_cluster(pbs_cluster(pbs_directory(shown)));
	assert_false(note_says(c, "query_other_jobs is False"));
	assert_false(cluster_hides_jobs(c));
	assert_true(note_says(c, "122 of 143 jobs that the server counts are not in its list"));
	pbs_remove();
	c = kept_cluster(pbs_cluster(pbs_directory(ordinary)));
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 0);
	sum = summary(c);
	assert_int_equal(sum.running, 59);
	assert_int_equal(sum.pending, 76 + 5 + 4 + 1);	/* Q, subjobs, H, W */
	pbs_remove();
}

static void test_schedulers(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("07_multisched"));
	uint32_t row;

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_SCHED), 2);
	assert_string_equal(cluster_text(c, F_SCHED_NAME, 1), "weekend");
	assert_true(list_has(c, F_SCHED_PARTITION, 1, "PW"));
	assert_true(note_says(c, "2 schedulers, each with its own partitions, policy and "
			      "fair-share tree: the policy and tree read are taken to be those of "
			      "the default one"));
	for (row = 0; strcmp(cluster_text(c, F_QUEUE_NAME, row), "wknd") != 0;)
		row++;
	assert_string_equal(cluster_text(c, F_QUEUE_PARTITION, row), "PW");
	c = kept_cluster(pbs_cluster("07_multisched/list_sched_weekend_down.txt"));
	assert_true(note_says(c, "scheduler weekend is down"));
}

/* The note says who may read a file if reading was denied, else which file was not read. */
static void test_denied(void **state)
{
	(void)state;
	for (int denied = 0; denied < 2; denied++) {
		char text[] = "Sched default\n    state = idle\n";
		struct pbs_texts texts = { .time = 1795147019, .denied = denied };
		struct builder *b = builder_new();
		struct err err = { 0 };
		struct cluster *c;

		texts.kind[PBS_SCHED] = (struct pbs_text){ .name = "qmgr", .text = text,
							   .length = strlen(text) };
		assert_true(pbs_text_build(&texts, b, &err));
		c = kept_cluster(builder_seal(b, &err));
		assert_int_equal(note_says(c, "only root may read"), denied);
		assert_int_equal(note_says(c, "sched_config was not read (expected from "
					   "sched_priv:"), !denied);
	}
}

/* ---- an empty queue and a silent server ------------------------------------------------------ */

static void test_nothing(void **state)
{
	static const struct pbs_file alone[] = {
		{ "06_down/d_qstat_f_json.txt", "qstat_f.json" }, { NULL, NULL }
	};
	static const struct pbs_file with_server[] = {
		{ "06_down/d_qstat_f_json.txt", "qstat_f.json" },
		{ "01_main/qstat_Bf_json.json", "qstat_Bf.json" }, { NULL, NULL }
	};
	struct err err = { 0 };
	struct cluster *c;

	(void)state;
	assert_null(pbs_try(pbs_directory(alone), &err));
	assert_int_equal(err.code, ERR_SOURCE);
	assert_non_null(strstr(err.message, "nothing shows whether the queue is empty"));
	pbs_remove();
	c = kept_cluster(pbs_cluster(pbs_directory(with_server)));
	assert_int_equal(cluster_rows(c, TABLE_JOB), 0);
	assert_true(note_says(c, "142 of 142 jobs that the server counts are not in its list"));
	pbs_remove();
}

/* ---- types of JSON --------------------------------------------------------------------------- */

#define HEAD                                                                                     \
	"{\"timestamp\":1795146621,\"pbs_version\":\"23.06.06\",\"pbs_server\":\"p\",\"Jobs\":{" \
	"\"7.p\":{\"job_state\":\"Q\",\"Job_Owner\":\"u@h\",\"queue\":\"q\","
#define TAIL "}}}"

/* Builds a cluster of one job with the attributes BODY. */
static struct cluster *job_with(const char *body, size_t length, struct err *err)
{
	struct pbs_texts texts = { .time = 0 };
	struct builder *b = builder_new();
	size_t head = strlen(HEAD), tail = strlen(TAIL);
	struct pbs_text *t = &texts.kind[PBS_JOBS];
	struct cluster *c = NULL;

	*t = (struct pbs_text){ "qstat", mem_alloc(head + length + tail + 1, 1),
				head + length + tail, NULL, true };
	memcpy(t->text, HEAD, head);
	memcpy(t->text + head, body, length);
	memcpy(t->text + head + length, TAIL, tail + 1);
	if (pbs_text_build(&texts, b, err))
		c = builder_seal(b, err);
	else
		builder_free(b);
	mem_free(t->text);
	return c;
}

static void comment_is(const char *json, const char *expected)
{
	char body[4096];
	struct err err = { 0 };
	struct cluster *c;
	const char *comment;
	int n = snprintf(body, sizeof(body), "\"comment\":%s,\"Priority\":3", json);

	c = kept_cluster(job_with(body, (size_t)n, &err));
	if (!c)
		fail_msg("%s: %s", json, err.message);
	comment = cluster_text(c, F_JOB_REASON_TEXT, 0);
	if ((!comment) != (!expected) || (comment && strcmp(comment, expected) != 0))
		fail_msg("%s: %s, expected %s", json, comment ? comment : "unknown",
			 expected ? expected : "unknown");
	/* It does not affect the following attributes. */
	assert_int_equal(cluster_i64(c, F_JOB_JOB_PRIORITY, 0), 3);
}

static void test_types(void **state)
{
	char deep[2001], body[2100];
	struct cluster *c;

	(void)state;
	comment_is("\"plain\"", "plain");
	comment_is("42", "42");
	comment_is("-1500", "-1500");
	comment_is("12345678901234567890", "12345678901234567890");
	comment_is("1.50", "1.50");
	comment_is("true", "true");
	comment_is("null", NULL);
	comment_is("1e999", NULL);
	comment_is("{\"a\":\t[1, 2, {\n\"b\":\t\"x y\"}]}", "{\"a\":[1,2,{\"b\":\"x y\"}]}");
	comment_is("[\"x\", 1]", "[\"x\",1]");
	comment_is("[\"a\\\"]\", \"}\"]", "[\"a\\\"]\",\"}\"]");
	comment_is("\"\xff\xfe end\"", "?? end");
	comment_is("\"\\u0000\\ud800x\\u001b\"", "\xef\xbf\xbd\xef\xbf\xbdx\x1b");
	comment_is("\"tab\there\"", "tab?here");
	/* A comment nested a thousand levels deep must not hide the job. */
	memset(deep, '[', 1000);
	memset(deep + 1000, ']', 1000);
	deep[2000] = '\0';
	snprintf(body, sizeof(body), "\"comment\":%s,\"Priority\":3", deep);
	c = kept_cluster(job_with(body, strlen(body), NULL));
	assert_non_null(c);
	assert_int_equal(cluster_i64(c, F_JOB_JOB_PRIORITY, 0), 3);
	assert_true(strncmp(cluster_text(c, F_JOB_REASON_TEXT, 0), "[[[", 3) == 0);
}

static void test_values(void **state)
{
	static const char body[] =
		"\"Variable_List\":{\"A\":1,\"A\":2,\"B\":\"{\"},"
		"\"Resource_List\":{\"ncpus\":12345678901234567890,\"mem\":\"4194304kb\","
		"\"strtag\":12,"
		"\"bonus\":1.25,\"walltime\":\"100:00:00\",\"select\":1},"
		"\"queue_rank\":1.795146549657933e+15,"
		"\"substate\":\"x\",\"eligible_time\":\"00:01:12\",\"ctime\":\"yesterday\"";
	struct err err = { 0 };
	struct cluster *c = kept_cluster(job_with(body, strlen(body), &err));

	(void)state;
	if (!c)
		fail_msg("%s", err.message);
	assert_int_equal(cluster_u32(c, F_JOB_CPUS, 0), U32_UNKNOWN);
	assert_true(list_has(c, F_JOB_RESOURCES, 0, "ncpus=12345678901234567890"));
	assert_true(list_has(c, F_JOB_RESOURCES, 0, "strtag=12"));
	assert_true(list_has(c, F_JOB_RESOURCES, 0, "bonus=1.25"));
	assert_string_equal(cluster_text(c, F_JOB_SELECT, 0), "1");
	assert_int_equal(cluster_i64(c, F_JOB_TIME_LIMIT, 0), 360000);
	assert_int_equal(cluster_i64(c, F_JOB_QUEUE_RANK, 0), INT64_C(1795146549657933));
	assert_int_equal(cluster_u32(c, F_JOB_SUBSTATE, 0), U32_UNKNOWN);
	assert_int_equal(cluster_i64(c, F_JOB_SUBMIT, 0), I64_UNKNOWN);
}

/* A value that is not True, False or a number counts as True: "no" in the real parse_config(). */
static void test_words_of_sched_config(void **state)
{
	static char config[] = "by_queue: no\nround_robin: 0 ALL\nstrict_ordering: FALSE\n"
			       "fair_share: true\nfairshare_enforce_no_shares: 01\n";
	static char jobs[] = "{\"timestamp\":1795146621,\"Jobs\":{\"1.p\":{\"job_state\":\"Q\"}}}";
	static char sched[] = "Sched default\n";
	struct pbs_texts texts = { .time = 1795146621 };
	struct builder *b = builder_new();
	struct err err = { 0 };
	struct cluster *c = NULL;
	const struct policy *p;

	(void)state;
	texts.kind[PBS_CONFIG] = (struct pbs_text){ "sched_config", config, sizeof(config) - 1,
						    NULL, false };
	texts.kind[PBS_SCHED] = (struct pbs_text){ "list sched", sched, sizeof(sched) - 1, NULL,
						   false };
	texts.kind[PBS_JOBS] = (struct pbs_text){ "qstat", jobs, sizeof(jobs) - 1, NULL, false };
	if (!pbs_text_build(&texts, b, &err) || !(c = kept_cluster(builder_seal(b, &err))))
		fail_msg("%s", err.message);
	p = cluster_policy(c);
	assert_true(p->by_queue);
	assert_false(p->round_robin);
	assert_false(p->strict_ordering);
	assert_true(p->fair_share);
	assert_true(p->fairshare_enforce_no_shares);
	assert_true(note_says(c, "by_queue: no is neither True nor False, and counts as True"));
	assert_false(note_says(c, "round_robin"));
}

static void test_no_json(void **state)
{
	static const char *const bodies[] = { "\"comment\":", "\"comment\":}", "\"a\" 1", "]" };

	(void)state;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		struct err err = { 0 };

		assert_null(job_with(bodies[i], strlen(bodies[i]), &err));
		assert_int_equal(err.code, ERR_INPUT);
		assert_non_null(strstr(err.message, "qstat:1: "));
	}
}

/* A log with a reason for each of so many jobs that the texts of the cluster move meanwhile. */
static void test_long_log(void **state)
{
	enum { LOGGED = 3000, BYTES_EACH = 300 };
	struct pbs_texts texts = { .time = 0 };
	struct pbs_text *jobs = &texts.kind[PBS_JOBS], *log = &texts.kind[PBS_LOG];
	struct builder *b = builder_new();
	struct cluster *c;
	char expected[BYTES_EACH];
	int at = 0;

	(void)state;
	*jobs = (struct pbs_text){ "qstat", mem_alloc(LOGGED + 1, BYTES_EACH), 0, NULL, true };
	*log = (struct pbs_text){ "sched_log", mem_alloc(LOGGED, BYTES_EACH), 0, NULL, true };
	at = sprintf(jobs->text, "{\"timestamp\":1795146621,\"pbs_version\":\"23.06.06\","
				 "\"pbs_server\":\"p\",\"Jobs\":{");
	for (int i = 1; i <= LOGGED; i++) {
		at += sprintf(jobs->text + at, "%s\"%d.p\":{\"job_state\":\"Q\","
					       "\"Job_Owner\":\"u@h\",\"queue\":\"q\"}",
			      i > 1 ? "," : "", i);
		log->length += (size_t)sprintf(log->text + log->length, "11/20/2026 03:52:08;0040;"
					       "pbs_sched;Job;%d.p;%0200d\n", i, i);
	}
	jobs->length = (size_t)(at + sprintf(jobs->text + at, "}}"));
	assert_true(pbs_text_build(&texts, b, NULL));
	c = kept_cluster(builder_seal(b, NULL));
	mem_free(jobs->text);
	mem_free(log->text);
	assert_int_equal(cluster_rows(c, TABLE_JOB), LOGGED);
	for (uint32_t row = 0; row < LOGGED; row++) {
		const char *reason = cluster_text(c, F_JOB_REASON, row);

		snprintf(expected, sizeof(expected), "%0200d",
			 atoi(cluster_text(c, F_JOB_JOB_ID, row)));
		assert_string_equal(reason ? reason : "none", expected);
	}
}

/* The recording with hostile names and comments has as many jobs as the server says. */
static void test_tricky(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("03_tricky"));

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_JOB), 167);
	for (uint32_t row = 0; row < cluster_rows(c, TABLE_JOB); row++) {
		assert_non_null(cluster_text(c, F_JOB_NAME, row));
		assert_non_null(cluster_text(c, F_JOB_USER, row));
		assert_int_not_equal(cluster_u32(c, F_JOB_ID, row), U32_UNKNOWN);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_file),  cmocka_unit_test(test_every_recording),
		cmocka_unit_test(test_counts),	    cmocka_unit_test(test_job),
		cmocka_unit_test(test_queue_and_server), cmocka_unit_test(test_limits),
		cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_arrays_in_plain_json),	    cmocka_unit_test(test_rights),
		cmocka_unit_test(test_schedulers),  cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_denied),
		cmocka_unit_test(test_types),	    cmocka_unit_test(test_values),
		cmocka_unit_test(test_no_json),	    cmocka_unit_test(test_tricky),
		cmocka_unit_test(test_long_log),
		cmocka_unit_test(test_words_of_sched_config),
	};

	return cmocka_run_group_tests(tests, NULL, kept_free);
}
