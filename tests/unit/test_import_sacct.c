/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sacct: columns in any order, of several versions, arrays, steps, odd states, values with several
 * lines or with the delimiter in them; and a real run of Slurm 22.05.8, whose jobs are replayed:
 * the usage of every association is compared with slurmctld's at eight times. sacct prints whole
 * billable TRES; their fractions are computed from the weights of the partition.
 */
#include <inttypes.h>
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

#include "core/share/decay.h"
#include "tests/support/data.h"
#include "tests/support/dump.h"
#include "tests/support/imported.h"

static bool read_text(const char *text, struct err *err)
{
	return imported_more(text, strlen(text), err);
}

static void good(const char *text)
{
	imported_text(&import_sacct, text);
}

static void refused(const char *text, const char *message)
{
	imported_refused(&import_sacct, text, message);
}

/* ---- the format ---------------------------------------------------------------------------- */

static void columns_in_any_order(void **state)
{
	const struct replay_job *job;

	(void)state;
	good("State|NewColumn|End|User|Start|Account|JobID|AllocTRES|Submit\n"
	     "CANCELLED by 7|x|2026-11-20T03:50:10|alice|2026-11-20T03:50:00|physics|42|"
	     "billing=3,cpu=2|2026-11-20T03:49:00\n");
	assert_int_equal(replay_jobs(im.replay), 1);
	job = replay_job(im.replay, 0);
	assert_int_equal(job->start, 1795146600);
	assert_int_equal(job->end, 1795146610);
	assert_int_equal(job->submit, 1795146540);
	assert_int_equal(job->id, 42);
	assert_true(job->billing == 3);
	assert_true(imported_is(job->state, "CANCELLED"));
}

#define HEAD "JobID|Account|User|State|Submit|Start|End|AllocCPUS|JobName\n"

/* A pending job has no size either, and is not odd. */
static void odd_jobs_are_counted(void **state)
{
	(void)state;
	good(HEAD
	     "1|p|a|COMPLETED|100|200|300|4|x\n"
	     "2|p|a|COMPLETED|100|200|150|4|x\n"
	     "3|p|a|COMPLETED|100|90|150|4|x\n"
	     "4|p|a|COMPLETED|100|200|300|0|x\n"
	     "5|p|a|COMPLETED|100|200|300||x\n"
	     "6|p|a|CANCELLED|100|Unknown|300|0|x\n");
	assert_int_equal(im.used, 6);
	assert_int_equal(imported_tally("ends before it starts"), 1);
	assert_int_equal(imported_tally("starts before it is submitted"), 1);
	assert_int_equal(imported_tally("no number of CPUs"), 2);
}

static void arrays_steps_and_odd_states(void **state)
{
	(void)state;
	good(HEAD
	     "7_3|p|a|COMPLETED|100|200|300|4|x\n"
	     "7_3.batch|p|a|COMPLETED|100|200|300|4|x\n"
	     "7_3.0|p|a|COMPLETED|100|200|300|4|x\n"
	     "7_[4-9%2]|p|a|PENDING|100|Unknown|Unknown|4|x\n"
	     "8+1|p|a|RUNNING|100|200|Unknown|4|x\n"
	     "9|p|a|FOO|100|200|300|4|x\n"
	     "10|p|a|COMPLETED|100|200|yesterday|4|x\n"
	     "eleven|p|a|COMPLETED|100|200|300|4|x\n");
	assert_int_equal(im.used, 4);
	assert_int_equal(im.skipped, 4);
	assert_int_equal(imported_tally("steps"), 2);
	assert_int_equal(imported_tally("an invalid time"), 1);
	assert_int_equal(imported_tally("an invalid job id"), 1);
	assert_int_equal(imported_tally("states unknown to Slurm"), 1);
	assert_int_equal(replay_job(im.replay, 0)->array, 7);
	assert_int_equal(replay_job(im.replay, 0)->task, 3);
	assert_true(replay_job(im.replay, 1)->start == I64_UNKNOWN);
	assert_true(imported_is(replay_job(im.replay, 1)->tasks, "[4-9%2]"));
	assert_int_equal(replay_job(im.replay, 2)->id, 8);
	assert_true(replay_job(im.replay, 2)->end == I64_UNKNOWN);
}

static void values_of_several_lines(void **state)
{
	(void)state;
	good(HEAD
	     "1|p|a|COMPLETED|100|200|300|4|two\n"
	     "2|p|a|COMPLETED|100|200|300|4|x\n"
	     "3|p|a\n"				/* cut: the next line is whole */
	     "4|p|a|COMPLETED|100|200|300|4|x\n");
	assert_int_equal(im.used, 3);
	assert_int_equal(imported_tally("fewer columns"), 1);
	good("JobID|Account|JobName|User|State|Submit|Start|End\n"
	     "1|p|a\n\nname\nof lines|a|COMPLETED|100|200|300\n"
	     "2|p|x|a|COMPLETED|100|200|300\n");
	assert_int_equal(im.used, 2);
	assert_true(imported_is(replay_job(im.replay, 0)->name, "a\n\nname\nof lines"));
}

static void delimiters_at_the_end(void **state)
{
	(void)state;
	good("JobID|Account|User|Start|End|\n1|p|a|200|300|\n2|p|a|b|200|300|\n");
	assert_int_equal(im.used, 1);
	assert_int_equal(imported_tally("more columns"), 1);
}

/* sacct does not quote "|" in constraints, command lines and names; a record may have several. */
static void delimiters_in_texts(void **state)
{
	const struct replay_job *job;

	(void)state;
	good("Constraints|JobID|JobName|Account|User|State|Submit|Start|End|SubmitLine|WorkDir\n"
	     "intel|amd|1|a|b|p|u|COMPLETED|100|200|300|sbatch -C intel|amd x|/tmp\n"
	     "|2|x|p|u|COMPLETED|100|200|300|sbatch --wrap=a | b | c|/tmp\n"
	     "|3|x|p|u|COMPLETED|100|200|300|sbatch|/tmp|2\n"
	     "|4|two\nlines|and bars|p|u|COMPLETED|100|200|300|sbatch|/tmp\n"
	     "|5|x|p|u|COMPLETED|100|200|soon|sbatch|a|/tmp\n"
	     "|6|x|p|u|NEVER|100|200|300|sbatch|a|/tmp\n");
	assert_int_equal(im.used, 4);
	assert_int_equal(imported_tally("a delimiter inside a text"), 4);
	assert_int_equal(imported_tally("more columns"), 2);
	for (uint32_t i = 0; i < 4; i++) {
		job = replay_job(im.replay, i);
		assert_int_equal(job->id, i + 1);
		assert_int_equal(job->submit, 100);
		assert_int_equal(job->start, 200);
		assert_int_equal(job->end, 300);
	}
	assert_true(imported_is(replay_job(im.replay, 0)->name, "a|b"));
	assert_true(imported_is(replay_job(im.replay, 3)->name, "two\nlines|and bars"));
	/* No split fits within reach: gives up instead of searching without end. */
	good("Comment|AdminComment|SystemComment|Extra|JobName|JobID|Account|User|Start|End\n"
	     "1|||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||x|p|u|200|300\n"
	     "|||||7|p|u|200|300\n");
	assert_int_equal(im.used, 1);
	assert_int_equal(imported_tally("more columns"), 1);
}

/* ---- versions ------------------------------------------------------------------------------ */

/* Returns a cell of one job for a title of `sacct -o ALL`; empty for other titles. */
static const char *value_of(const char *title)
{
	static const char *const values[][2] = {
		{ "Account", "p" }, { "AllocCPUS", "4" }, { "AllocTRES", "billing=5,cpu=4,node=2" },
		{ "Cluster", "c" }, { "Constraints", "intel|amd" }, { "Elapsed", "00:10:00" },
		{ "ElapsedRaw", "600" }, { "Eligible", "2026-11-20T03:49:01" },
		{ "End", "2026-11-20T04:00:00" }, { "ExitCode", "0:0" }, { "GID", "7" },
		{ "JobID", "7_3" }, { "JobIDRaw", "9" }, { "JobName", "a|b" },
		{ "NCPUS", "4" }, { "NNodes", "2" },
		{ "Partition", "long" }, { "Planned", "00:01:00" }, { "Priority", "4294901757" },
		{ "QOS", "high" }, { "Reason", "None" }, { "ReqCPUS", "4" }, { "ReqMem", "1Gn" },
		{ "Reserved", "00:01:00" }, { "Start", "2026-11-20T03:50:00" },
		{ "State", "CANCELLED by 7" }, { "Submit", "2026-11-20T03:49:00" },
		{ "SubmitLine", "sbatch --wrap=\"x | y\"" }, { "TimelimitRaw", "15" },
		{ "Timelimit", "00:15:00" }, { "UID", "7" }, { "User", "u" },
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (strcmp(values[i][0], title) == 0)
			return values[i][1];
	}
	return "";
}

static void check_job(const char *version)
{
	const struct replay_job *job = replay_job(im.replay, 0);

	if (im.used != 1)
		fail_msg("%s: %" PRIu64 " jobs", version, im.used);
	assert_int_equal(job->id, 9);
	assert_int_equal(job->array, 7);
	assert_int_equal(job->task, 3);
	assert_int_equal(job->submit, 1795146540);
	assert_int_equal(job->eligible, 1795146541);
	assert_int_equal(job->start, 1795146600);
	assert_int_equal(job->end, 1795147200);
	assert_int_equal(job->cpus, 4);
	assert_int_equal(job->nodes, 2);
	assert_int_equal(job->limit, 900);
	assert_true(job->billing == 5);
	assert_true(imported_is(job->state, "CANCELLED"));
	assert_true(imported_is(job->partition, "long"));
	assert_true(imported_is(job->qos, "high"));
	assert_true(imported_is(job->name, "a|b"));
	assert_string_equal(im.name, "c");
}

/* Every column that a version of sacct has, as sacct -P and as sacct -p print it. */
static void every_version(void **state)
{
	char path[4096], line[8192], text[16384], *rest, *title;
	unsigned versions = 0;
	FILE *f = fopen(data_path("sacct-headers.psv", path, sizeof(path)), "r");

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (line[0] == '#')
			continue;
		line[strcspn(line, "\n")] = 0;
		line[5] = 0;
		for (int closed = 0; closed < 2; closed++) {
			char row[4096] = "", copy[8192];

			snprintf(copy, sizeof(copy), "%s", line + 6);
			for (title = strtok_r(copy, "|", &rest); title;
			     title = strtok_r(NULL, "|", &rest)) {
				size_t length = strlen(row);

				snprintf(row + length, sizeof(row) - length, "%s%s",
					 value_of(title), rest && *rest ? "|" : "");
			}
			snprintf(text, sizeof(text), "%s%s\n%s%s\n", line + 6, closed ? "|" : "",
				 row, closed ? "|" : "");
			good(text);
			check_job(line);
		}
		versions++;
	}
	fclose(f);
	assert_int_equal(versions, 3);
}

static void no_header(void **state)
{
	struct err err = { 0 };

	(void)state;
	refused("1|p|a|200|300\n", "log:1: no header line");
	refused("JobID|User|Start|End\n", "the column Account is missing");
	refused("JobID|Account|User|Start\n", "the column End is missing");
	refused("", "no record in it");
	refused(HEAD "1.batch|p|a|COMPLETED|100|200|300|4|x\n", "steps");
	imported_open(&import_sacct);
	im.columns = "JobID,Account,User,Start,End";
	assert_true(read_text("1|p|a|200|300\n", &err));
	assert_int_equal(im.used, 1);
}

/* The billing mode that explains one job decides for jobs that several modes explain. */
static void fractions_of_billing(void **state)
{
	static const struct {
		const char *decisive;
		double expected;
	} cases[] = {
		/* cpu 4 + 64 GiB of 0.25: the sum is 20, the maximum 16 */
		{ "2|p|a|bill|100|200|cpu=4,mem=64G,billing=20\n", 19 + 0.25 * 1900 / 1024 },
		{ "2|p|a|bill|100|200|cpu=4,mem=64G,billing=16\n", 19 },
		{ "2|p|a|bill|100|200|cpu=1,billing=7\n", 19 + 0.25 * 1900 / 1024 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct builder *b = builder_new();
		struct err err = { 0 };
		struct cluster *c;
		char log[512];
		uint32_t row;

		row = builder_add(b, TABLE_PARTITION);
		builder_str(b, F_PARTITION_NAME, row, "bill");
		builder_str(b, F_PARTITION_BILLING_WEIGHTS, row, "CPU=1.0,Mem=0.25G");
		c = builder_seal(b, &err);
		imported_open(&import_sacct);
		import_take_weights(&im, c);
		cluster_free(c);
		snprintf(log, sizeof(log), "JobID|Account|User|Partition|Start|End|AllocTRES\n"
			 "1|p|a|bill|100|200|cpu=19,mem=1900M,billing=19\n%s", cases[i].decisive);
		if (!read_text(log, &err))
			fail_msg("%s", err.message);
		assert_true(fabs(replay_job(im.replay, 0)->billing - cases[i].expected) < 1e-12);
		assert_int_equal(imported_tally("billing not explained by the partition's weights"),
				 i == 2);
	}
}

/* ---- a real run ---------------------------------------------------------------------------- */

#define RESET 1795146355		/* when its usage was last set to zero */
#define PERIOD 60
#define PASSES_MAX 64
/* The longest time between two passes: slurmctld was restarted now and then. */
#define GAP 125

static const char *const taken[] = {
	"fairtree/live", "nofairtree/live", "depthobl/live_cold", "fairtree/quiet",
	"nofairtree/quiet", "depthobl/quiet_cold", "depthobl/quiet", "depthobl/live",
};

static void read_file(const char *file)
{
	char path[512];
	struct err err = { 0 };

	imported_open(&import_sacct);
	if (!import_tree(&im, data_path("slurm/depthobl/quiet/sacctmgr_dump.cfg", path,
					sizeof(path)), &err) ||
	    !import_qos(&im, data_path("slurm/depthobl/quiet/sacctmgr_qos.psv", path,
				       sizeof(path)), &err) ||
	    !import_partitions(&im, data_path("slurm/depthobl/quiet/scontrol_partition.txt", path,
					      sizeof(path)), &err) ||
	    !import_read(&im, data_path(file, path, sizeof(path)), &err))
		fail_msg("%s", err.message);
}

static struct cluster *end;

static bool keep(void *context, struct cluster *c, struct err *err)
{
	(void)context;
	(void)err;
	cluster_free(end);
	end = c;
	return true;
}

/*
 * Each charged second weighs q^x at the last pass T. By the decay settings x lies between its age
 * and its age + 2 GAP, wherever the passes were; so the two usages differ by q^(2 GAP) at most,
 * which is 2.9e-4.
 */
static double compare(const char *name)
{
	struct cluster *theirs = dump_cluster(name);
	double slack = 1 / decay_over(604800, 2 * GAP), worst = 0;
	uint32_t compared = 0;

	for (uint32_t row = 0; row < cluster_rows(end, TABLE_ASSOC); row++) {
		char path[256];
		double ours = cluster_f64(end, F_ASSOC_USAGE, row), w;
		uint32_t at;

		cluster_path(end, row, path, sizeof(path));
		at = cluster_by_path(theirs, path);
		if (at == ROW_NONE)
			continue;
		w = cluster_f64(theirs, F_ASSOC_USAGE, at);
		if (w < ours / slack - 1e-5 || w > ours * slack + 1e-5)
			fail_msg("%s %s: %.6f, but slurmctld had %.6f", name, path, ours, w);
		if (w > 0)
			worst = fmax(worst, fabs(w - ours) / w);
		compared += w > 0;
	}
	assert_true(compared > 30);
	cluster_free(theirs);
	return worst;
}

static void usage_equals_slurmctld(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
		struct replay_options o = REPLAY_OPTIONS_INIT;
		struct cluster *theirs = dump_cluster(taken[i]);
		int64_t passes[PASSES_MAX], now = cluster_meta(theirs)->last_decay;
		size_t n = (size_t)(now - RESET) / PERIOD;
		struct err err = { 0 };

		cluster_free(theirs);
		assert_true(now != I64_UNKNOWN && n < PASSES_MAX);
		for (size_t p = 0; p < n; p++)
			passes[p] = now - (int64_t)(n - 1 - p) * PERIOD;
		o.passes = passes;
		o.pass_count = n;
		o.every = 100000;
		read_file("replay/sacct.psv");
		assert_int_equal(replay_added(im.replay), 0);
		if (!replay_run(im.replay, &o, keep, NULL, &err))
			fail_msg("%s", err.message);
		print_message("%-22s worst %.2g of the usage, of 2.9e-4 allowed\n", taken[i],
			      compare(taken[i]));
		cluster_free(end);
		end = NULL;
	}
}

/* ---- other delimiters, and text pasted along with it ----------------------------------------- */

/* Checks the one job of the tests below. */
static void check_row(uint32_t row)
{
	const struct replay_job *job = replay_job(im.replay, row);

	assert_int_equal(job->id, 71);
	assert_int_equal(job->submit, 100);
	assert_int_equal(job->start, 200);
	assert_int_equal(job->end, 300);
	assert_int_equal(job->cpus, 4);
	assert_true(job->billing >= 9 && job->billing <= 9);
	assert_true(imported_is(job->name, "a"));
	assert_true(imported_is(job->state, "COMPLETED"));
}

/* Writes a header, that job and its step, with DELIMITER for "|", and at line ends if CLOSED. */
static void written_with(const char *delimiter, bool closed, char *text, size_t size)
{
	static const char lines[] =
		"JobID|JobName|Account|User|State|Submit|Start|End|AllocCPUS|AllocTRES\n"
		"71|a|p|u|COMPLETED|100|200|300|4|billing=9,cpu=4\n"
		"71.batch|a|p|u|COMPLETED|100|200|300|4|\n";
	size_t used = 0;

	for (const char *at = lines; *at; at++) {
		if (*at == '|' || (*at == '\n' && closed))
			used += (size_t)snprintf(text + used, size - used, "%s", delimiter);
		if (*at != '|')
			text[used++] = *at;
	}
	text[used] = '\0';
}

static void told_by_the_header(void **state)
{
	static const char *const delimiters[] = { ";", "\t", "\xe2\x98\x83", " | ", "::" };
	char text[400];

	(void)state;
	for (size_t i = 0; i < sizeof(delimiters) / sizeof(delimiters[0]); i++) {
		for (int closed = 0; closed < 2; closed++) {
			written_with(delimiters[i], closed, text, sizeof(text));
			good(text);
			assert_int_equal(im.used, 1);
			assert_int_equal(imported_tally("steps"), 1);
			check_row(0);
		}
	}
	/* A single blank does not separate padded columns. */
	refused("JobID    JobName  Account\n----- -------- ------\n", "no header line");
}

/* TRES lists contain commas: cuts so that each is a list with no resource twice. */
static void told_by_commas(void **state)
{
	(void)state;
	good("JobID,AllocTRES,ReqTRES,JobName,Account,User,State,Submit,Start,End,AllocCPUS,"
	     "NodeList\n"
	     "71,billing=9,cpu=4,mem=8G,cpu=4,mem=8G,a,p,u,COMPLETED,100,200,300,4,n[1-2,5]\n"
	     "71,billing=9,cpu=4,cpu=4,a,p,u,COMPLETED,100,200,300,4,n1\n"
	     "71,billing=9,,a,p,u,COMPLETED,100,200,300,4,n1,n2\n"
	     "72,billing=9,nonsense,cpu=4,,p,u,COMPLETED,100,200,300,4,n1\n"
	     /* The billing may belong to either list. */
	     "73,cpu=4,mem=8G,billing=9,cpu=4,mem=8G,a,p,u,COMPLETED,100,200,300,4,n1\n");
	assert_int_equal(im.used, 3);
	for (uint32_t i = 0; i < 3; i++)
		check_row(i);
	assert_int_equal(imported_tally("more columns"), 2);
}

static void told_by_the_caller(void **state)
{
	struct err err = { 0 };

	(void)state;
	imported_open(&import_sacct);
	im.delimiter = "xx";
	assert_true(read_text("JobIDxxJobNamexxAccountxxUserxxStatexxSubmitxxStartxxEndxxNCPUSxx"
			      "AllocTRES\n"
			      "71xxaxxpxxuxxCOMPLETEDxx100xx200xx300xx4xxbilling=9\n", &err));
	check_row(0);
	imported_open(&import_sacct);
	im.delimiter = ";";
	im.columns = "JobID,JobName,Account,User,State,Submit,Start,End,NCPUS,AllocTRES";
	assert_true(read_text("71;a;p;u;COMPLETED;100;200;300;4;billing=9,cpu=4\n", &err));
	check_row(0);
}

static void noise(void **state)
{
	(void)state;
	good("\xef\xbb\xbfLast login: Mon\n[u@login ~]$ sacct -P -a\n"
	     "\033[1mJobID|JobName|Account|User|State|Submit|Start|End|NCPUS|AllocTRES\033[0m\n"
	     "sacct: error: slurm_persist_conn_open: Something happened\n"
	     "71|a|p|u|\033[32mCOMPLETED\033[0m|100|200|300|4|billing=9\n"
	     "[u@login ~]$ exit\nConnection to login closed.\n");
	assert_int_equal(im.used, 1);
	check_row(0);
	assert_int_equal(imported_tally("before the header line"), 2);
	assert_int_equal(imported_tally("prompts and messages"), 3);
	refused("Last login: Mon\n$ sacct\n", "no header line");
	refused("1|a|p|u|COMPLETED\n", "no header line");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* The same job as Slurm 21.08, 23.02 and 24.11 print it, by sacct and by squeue. */
static void json_of_every_version(void **state)
{
	static const char *const texts[] = {
		"{\"meta\":{},\"errors\":[],\"jobs\":[{\"account\":\"p\","
		"\"array\":{\"job_id\":null,"
		"\"task\":null,\"task_id\":null},\"association\":{\"account\":\"q\","
		"\"cluster\":\"c\","
		"\"user\":\"v\",\"partition\":null},\"cluster\":\"c\",\"time\":{\"elapsed\":100,"
		"\"eligible\":100,\"end\":300,\"start\":200,\"submission\":100,\"limit\":30,"
		"\"total\":"
		"{\"seconds\":5}},\"job_id\":71,\"name\":\"a\",\"required\":{\"CPUs\":4},\"state\":"
		"{\"current\":\"COMPLETED\",\"reason\":\"None\"},"
		"\"steps\":[{\"time\":{\"start\":1},"
		"\"state\":\"FAILED\",\"tres\":{\"allocated\":[{\"type\":\"billing\","
		"\"count\":77}]}}],"
		"\"tres\":{\"allocated\":[{\"type\":\"cpu\",\"name\":null,\"id\":1,\"count\":4},"
		"{\"type\":\"mem\",\"name\":null,\"count\":512},{\"type\":\"gres\","
		"\"name\":\"gpu\","
		"\"count\":2},{\"type\":\"billing\",\"count\":9}],\"requested\":[]},"
		"\"user\":\"u\"}]}",
		"{\"jobs\":[{\"array\":{\"job_id\":0,\"task\":\"\",\"task_id\":{\"set\":false,"
		"\"infinite\":false,\"number\":0}},\"association\":{\"account\":\"p\","
		"\"user\":\"u\"},"
		"\"job_id\":71,\"name\":\"a\",\"required\":{\"CPUs\":4},\"state\":{\"current\":"
		"[\"COMPLETED\",\"RECONFIG_FAIL\"]},\"time\":{\"submission\":100,\"start\":200,"
		"\"end\":"
		"300,\"limit\":{\"set\":true,\"infinite\":false,\"number\":30}},"
		"\"tres\":{\"allocated\":"
		"[{\"type\":\"billing\",\"name\":\"\",\"count\":9}]}}],\"meta\":{}}",
		"{\"jobs\":[{\"account\":\"p\",\"array_job_id\":{\"set\":true,\"infinite\":false,"
		"\"number\":0},\"array_task_id\":{\"set\":false,\"number\":0},"
		"\"cpus\":{\"set\":true,"
		"\"number\":4},\"end_time\":{\"set\":true,\"number\":300},\"job_id\":71,"
		"\"job_state\":"
		"[\"COMPLETED\"],\"name\":\"a\",\"start_time\":{\"set\":true,\"number\":200},"
		"\"submit_time\":{\"set\":true,\"number\":100},"
		"\"time_limit\":{\"set\":true,\"number\":30},"
		"\"tres_alloc_str\":\"cpu=4,billing=9\",\"user_name\":\"u\"}]}",
		"{\"jobs\":[{\"account\":\"p\",\"array_job_id\":0,\"array_task_id\":null,"
		"\"cpus\":4,"
		"\"end_time\":300,\"job_id\":71,\"job_state\":\"COMPLETED\",\"name\":\"a\","
		"\"start_time\":200,\"submit_time\":100,\"time_limit\":30,\"tres_alloc_str\":"
		"\"cpu=4,billing=9\",\"user_name\":\"u\"}]}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		good(texts[i]);
		assert_int_equal(im.used, 1);
		check_row(0);
		assert_int_equal(replay_job(im.replay, 0)->limit, 1800);
		assert_int_equal(replay_job(im.replay, 0)->assoc,
				 replay_assoc(im.replay, replay_text(im.replay, "p", 1),
					      replay_text(im.replay, "u", 1),
					      replay_job(im.replay, 0)->partition));
	}
}

static void json_of_arrays_and_states(void **state)
{
	const struct replay_job *job;

	(void)state;
	good("$ sacct --json\n{\"jobs\":[\n"
	     "{\"job_id\":80,\"account\":\"p\",\"user\":\"u\",\"array\":{\"job_id\":78,\"task_id\":"
	     "{\"set\":true,\"number\":0}},\"state\":{\"current\":[\"RUNNING\"]},\"time\":"
	     "{\"submission\":100,\"start\":200,\"end\":900}},\n"
	     "{\"job_id\":78,\"account\":\"p\",\"user\":\"u\",\"array\":{\"job_id\":78,\"task_id\":"
	     "{\"set\":false},\"task\":\"2-4%2\"},\"state\":{\"current\":[\"PENDING\","
	     "\"REQUEUED\"]},"
	     "\"time\":{\"submission\":100,\"start\":950}},\n"
	     "{\"account\":\"p\"},\n7]}\nsacct: error: gone\n");
	assert_int_equal(im.used, 2);
	assert_int_equal(imported_tally("an invalid job id"), 1);
	assert_int_equal(imported_tally("messages from standard error"), 1);
	job = replay_job(im.replay, 0);
	assert_int_equal(job->id, 80);
	assert_int_equal(job->array, 78);
	assert_int_equal(job->task, 0);
	assert_true(job->end == I64_UNKNOWN);
	job = replay_job(im.replay, 1);
	assert_int_equal(job->array, 78);
	assert_true(job->start == I64_UNKNOWN);
	/* Several documents, one per month, in one file. */
	good("{\"jobs\":[{\"job_id\":1,\"submit_time\":5}]}\n"
	     "{\"jobs\":[{\"job_id\":2,\"submit_time\":6}]}\n");
	assert_int_equal(im.used, 2);
	refused("{\"jobs\":[{\"job_id\":1,\n\"submit_time\":5", "log:2: ");
	refused("{\"nodes\":[]}", "no list \"jobs\" (expected the output of sacct --json");
	refused("{\"jobs\":[]}", "no record in it");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_in_any_order),
		cmocka_unit_test(odd_jobs_are_counted),
		cmocka_unit_test(arrays_steps_and_odd_states),
		cmocka_unit_test(values_of_several_lines),
		cmocka_unit_test(delimiters_at_the_end),
		cmocka_unit_test(delimiters_in_texts),
		cmocka_unit_test(every_version),
		cmocka_unit_test(no_header),
		cmocka_unit_test(told_by_the_header),
		cmocka_unit_test(told_by_commas),
		cmocka_unit_test(told_by_the_caller),
		cmocka_unit_test(noise),
		cmocka_unit_test(json_of_every_version),
		cmocka_unit_test(json_of_arrays_and_states),
		cmocka_unit_test(fractions_of_billing),
		cmocka_unit_test(usage_equals_slurmctld),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, imported_close);
}
