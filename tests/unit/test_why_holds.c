/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What keeps a job from starting: the sentence and the facts of each kind of reason on clusters
 * that are small enough to count by hand, also where something was not read; and that of every
 * waiting job of every recording the scheduler's own word comes first.
 */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "adapters/adapter.h"
#include "core/cluster/policy.h"
#include "core/why/why.h"
#include "tests/support/data.h"
#include "tests/support/dump.h"
#include "tests/support/jobdump.h"

#define NOW INT64_C(1000026000)		/* 9 Sep 2001, 09:00 */
#define HOUR 3600
#define JOB 100

enum { CPU, MEM, NODE };		/* rows of TRES */
enum { ROOT, PHYSICS, HEP, ANNA };

static bool to_utc(void *context, int64_t time, struct civil *civil)
{
	time_t t = (time_t)time;
	struct tm tm;

	(void)context;
	gmtime_r(&t, &tm);
	*civil = (struct civil){ .year = tm.tm_year + 1900, .month = tm.tm_mon + 1,
				 .day = tm.tm_mday, .hour = tm.tm_hour, .minute = tm.tm_min };
	return true;
}

static const struct calendar utc = { .to_local = to_utc };

/* ---- a cluster of four nodes ---------------------------------------------------------------- */

static void add_tree(struct builder *b)
{
	static const char *const accounts[] = { "root", "physics", "hep", "hep" };

	for (uint32_t i = 0; i < 4; i++) {
		uint32_t row = builder_add(b, TABLE_ASSOC);

		builder_u32(b, F_ASSOC_ID, row, i + 1);
		if (i > 0)
			builder_u32(b, F_ASSOC_PARENT, row, i);
		builder_str(b, F_ASSOC_ACCOUNT, row, accounts[i]);
		if (i == ANNA)
			builder_str(b, F_ASSOC_USER, row, "anna");
		builder_u32(b, F_ASSOC_SHARES, row, 1);
		builder_f64(b, F_ASSOC_USAGE, row, 0);
	}
}

/* A QOS of which everything was read, and that limits nothing. */
static uint32_t add_qos(struct builder *b, const char *name)
{
	uint32_t row = builder_add(b, TABLE_QOS);
	const struct tres_item none = { 0, 0 };

	builder_str(b, F_QOS_NAME, row, name);
	for (enum field f = F_QOS_NAME; f < table_first_field(TABLE_QOS + 1); f++) {
		if (strstr(field_info[f].meaning, " limits"))
			builder_tres(b, f, row, &none, 0);
		else if (strstr(field_info[f].meaning, " limit") && f == F_QOS_GRP_WALL)
			builder_i64(b, f, row, I64_INFINITE);
		else if (strstr(field_info[f].meaning, " limit") && f == F_QOS_MAX_WALL)
			builder_i64(b, f, row, I64_INFINITE);
		else if (strstr(field_info[f].meaning, " limit"))
			builder_u32(b, f, row, U32_INFINITE);
	}
	return row;
}

static void add_nodes(struct builder *b)
{
	static const char *const names[] = { "n1", "n2", "n3", "n4" }, *const batch[] = { "batch" };
	uint32_t row = builder_add(b, TABLE_PARTITION);

	builder_str(b, F_PARTITION_NAME, row, "batch");
	builder_u32(b, F_PARTITION_NODES, row, 4);
	builder_u32(b, F_PARTITION_CPUS, row, 32);
	builder_u32(b, F_PARTITION_MAX_NODES, row, U32_INFINITE);
	builder_i64(b, F_PARTITION_MAX_TIME, row, 24 * HOUR);
	for (uint32_t i = 0; i < 4; i++) {
		row = builder_add(b, TABLE_HOST);
		builder_str(b, F_HOST_NAME, row, names[i]);
		builder_str(b, F_HOST_STATE, row, i == 3 ? "DOWN*" : i == 0 ? "MIXED" : "IDLE");
		builder_u32(b, F_HOST_CPUS, row, 8);
		builder_u32(b, F_HOST_CPUS_USED, row, i == 0 ? 6 : 0);
		builder_f64(b, F_HOST_MEMORY, row, 64000);
		builder_list(b, F_HOST_PARTITIONS, row, batch, 1);
	}
}

/* Of anna, for an hour; its row. */
static uint32_t add_job(struct builder *b, uint32_t id, const char *reason, uint32_t cpus)
{
	const struct tres_item items[] = { { CPU, cpus }, { NODE, 1 } };
	uint32_t row = builder_add(b, TABLE_JOB);

	builder_u32(b, F_JOB_ID, row, id);
	builder_str(b, F_JOB_USER, row, "anna");
	builder_str(b, F_JOB_ACCOUNT, row, "hep");
	builder_str(b, F_JOB_PARTITION, row, "batch");
	builder_str(b, F_JOB_QOS, row, "normal");
	builder_str(b, F_JOB_STATE, row, "PENDING");
	builder_str(b, F_JOB_REASON, row, reason);
	builder_u32(b, F_JOB_CPUS, row, cpus);
	builder_u32(b, F_JOB_MIN_NODES, row, 1);
	builder_tres(b, F_JOB_TRES, row, items, 2);
	builder_i64(b, F_JOB_TIME_LIMIT, row, HOUR);
	builder_i64(b, F_JOB_SUBMIT, row, NOW - 5000 + id);
	builder_u32(b, F_JOB_PRIORITY, row, strncmp(reason, "JobHeld", 7) == 0 ? 0 : 1000 - id);
	return row;
}

/* Six CPUs of n1 until 12:10. */
static uint32_t add_running(struct builder *b)
{
	uint32_t row = add_job(b, 90, "None", 6);
	const struct tres_item items[] = { { CPU, 6 }, { NODE, 1 } };

	builder_str(b, F_JOB_STATE, row, "RUNNING");
	builder_tres(b, F_JOB_TRES_ALLOC, row, items, 2);
	builder_str(b, F_JOB_NODE_LIST, row, "n1");
	builder_i64(b, F_JOB_START, row, NOW - HOUR);
	builder_i64(b, F_JOB_END, row, NOW + 3 * HOUR + 600);
	return row;
}

static size_t enforced(void)
{
	static const char name[] = "AccountingStorageEnforce";

	return policy_param_by_name(name, sizeof(name) - 1);
}

/* With that job, and one that waits for REASON, JOB, of so many CPUs; its row is 1. */
static struct builder *site(const char *reason, uint32_t cpus)
{
	struct cluster_meta meta = { .kind = "slurm", .name = "made", .version = "22.05.8",
				     .zone = "UTC", .time = NOW, .boot = NOW - 100000,
				     .last_decay = NOW - 100, .last_reset = I64_UNKNOWN };
	struct builder *b = builder_new();
	struct policy *p = builder_policy(b);
	struct err err = { .code = ERR_NONE };

	builder_meta(b, &meta);
	strcpy(p->type, "priority/basic");
	policy_set_text(p, enforced(), "associations,limits,qos", &err);
	policy_set_text(p, policy_param_by_name("SelectTypeParameters", 20), "CR_CPU", &err);
	(void)builder_tres_row(b, "cpu", 3);
	(void)builder_tres_row(b, "mem", 3);
	(void)builder_tres_row(b, "node", 4);
	add_tree(b);
	add_qos(b, "normal");
	add_nodes(b);
	add_running(b);
	add_job(b, JOB, reason, cpus);
	return b;
}

static void limit_tres(struct builder *b, enum field field, uint32_t row, uint32_t tres,
		       double count)
{
	const struct tres_item item = { tres, count };

	builder_tres(b, field, row, &item, 1);
}

/* ---- what is said of it --------------------------------------------------------------------- */

struct said {
	struct cluster *c;
	struct model *m;
	struct jobs *j;
	struct why *w;
};

static struct said say(struct builder *b)
{
	struct err err = { .code = ERR_NONE };
	struct said s = { .c = builder_seal(b, &err) };
	uint32_t e = 0;

	if (!s.c)
		fail_msg("%s", err.message);
	s.m = model_new(s.c, NULL, &err);
	assert_non_null(s.m);
	s.j = jobs_new(s.m, NULL);
	while (cluster_u32(s.c, F_JOB_ID, s.j->index->job[e]) != JOB)
		e++;
	s.w = why_new(s.j, e, &utc);
	return s;
}

static void said_free(struct said *s)
{
	why_free(s->w);
	jobs_free(s->j);
	model_free(s->m);
	cluster_free(s->c);
}

static const struct why_fact *fact(const struct why_line *line, const char *key)
{
	for (uint32_t i = 0; i < line->fact_count; i++) {
		if (strcmp(line->facts[i].key, key) == 0)
			return &line->facts[i];
	}
	fail_msg("\"%s\": no fact %s", line->text, key);
	return NULL;
}

static void is_number(const struct said *s, size_t line, const char *key, double x)
{
	double is = fact(&s->w->lines[line], key)->number;

	if (!(isnan(x) && isnan(is)) && !(is >= x && is <= x))
		fail_msg("\"%s\": %s is %g", s->w->lines[line].text, key, is);
}

static void is_line(const struct said *s, size_t i, const char *kind, const char *text)
{
	assert_true(i < s->w->count && s->w->lines[i].part == WHY_HOLDS);
	assert_string_equal(s->w->lines[i].text, text);
	assert_string_equal(fact(&s->w->lines[i], "kind")->text, kind);
	assert_int_equal(s->w->lines[i].never, strcmp(kind, "never") == 0);
}

static size_t held_lines(const struct why *w)
{
	size_t n = 0;

	while (n < w->count && w->lines[n].part == WHY_HOLDS)
		n++;
	return n;
}

/* One line, with the scheduler's word. */
static void one(struct builder *b, const char *kind, const char *cause, const char *text)
{
	struct said s = say(b);

	is_line(&s, 0, kind, text);
	assert_int_equal(held_lines(s.w), 1);
	assert_string_equal(s.w->cause, cause);
	assert_string_equal(fact(&s.w->lines[0], "reason")->text,
			    cluster_text(s.c, F_JOB_REASON, s.w->job));
	assert_int_equal(s.w->never, strcmp(kind, "never") == 0);
	said_free(&s);
}

/* The scheduler's line, as it may be, and behind it fairtop's own. */
static void then(struct builder *b, const char *kind, const char *text)
{
	struct said s = say(b);

	assert_int_equal(held_lines(s.w), 2);
	is_line(&s, 1, kind, text);
	assert_null(fact(&s.w->lines[1], "reason")->text);
	said_free(&s);
}

/* ---- limits --------------------------------------------------------------------------------- */

static void test_group_limits(void **state)
{
	struct builder *b = site("AssocGrpJobsLimit", 1);
	struct said s;

	(void)state;
	builder_u32(b, F_ASSOC_GRP_JOBS, PHYSICS, 1);
	builder_u32(b, F_ASSOC_USED_JOBS, PHYSICS, 1);
	s = say(b);
	is_line(&s, 0, "limit",
		"group limit: 1 of 1 job of /physics runs (anna 1; GrpJobs); the next ends by "
		"12:10");
	assert_string_equal(s.w->cause, "the group limit of /physics");
	assert_string_equal(fact(&s.w->lines[0], "holders")->text, "anna 1");
	is_number(&s, 0, "used", 1);
	is_number(&s, 0, "most", 1);
	is_number(&s, 0, "until", NOW + 3 * HOUR + 600);
	said_free(&s);

	b = site("AssocGrpCpuLimit", 4);
	limit_tres(b, F_ASSOC_GRP_TRES, PHYSICS, CPU, 8);
	limit_tres(b, F_ASSOC_USED_TRES, PHYSICS, CPU, 6);
	one(b, "limit", "the group limit of /physics",
	    "group limit: /physics uses 6 of 8 CPUs (anna 6; GrpTRES cpu), this job asks for 4 "
	    "more; the next of its jobs ends by 12:10");
	b = site("AssocGrpCpuLimit", 12);
	limit_tres(b, F_ASSOC_GRP_TRES, PHYSICS, CPU, 8);
	limit_tres(b, F_ASSOC_USED_TRES, PHYSICS, CPU, 6);
	one(b, "never", "a limit of /physics",
	    "asks for 12 CPUs, /physics may use 8 at most (GrpTRES cpu)");
	b = site("AssocMaxJobsLimit", 1);
	builder_u32(b, F_ASSOC_MAX_JOBS, ANNA, 1);
	builder_u32(b, F_ASSOC_USED_JOBS, ANNA, 1);
	one(b, "limit", "the limit of /physics/hep:anna",
	    "limit: 1 of 1 job of /physics/hep:anna runs (MaxJobs); the next ends by 12:10");
	b = site("AssocGrpCPUMinutesLimit", 1);
	limit_tres(b, F_ASSOC_GRP_TRES_MINS, PHYSICS, CPU, 100);
	builder_policy(b)->half_life = 604800;
	limit_tres(b, F_ASSOC_USED_TRES_SECS, PHYSICS, CPU, 6000);
	one(b, "limit", "the group limit of /physics",
	    "group limit: /physics has used 100 of 100 CPU-minutes (GrpTRESMins cpu); that falls "
	    "with time only");
	/* With "safe" what it asks for itself counts, too: then time is not all that helps. */
	b = site("AssocGrpCPUMinutesLimit", 1);
	limit_tres(b, F_ASSOC_GRP_TRES_MINS, PHYSICS, CPU, 100);
	limit_tres(b, F_ASSOC_USED_TRES_SECS, PHYSICS, CPU, 3000);
	one(b, "limit", "the group limit of /physics",
	    "group limit: /physics has used 50 of 100 CPU-minutes (GrpTRESMins cpu), this job asks "
	    "for 60 more");
	/* Without a half-life nothing of it falls. */
	b = site("AssocGrpCPUMinutesLimit", 1);
	builder_policy(b)->half_life = 0;
	limit_tres(b, F_ASSOC_GRP_TRES_MINS, PHYSICS, CPU, 100);
	limit_tres(b, F_ASSOC_USED_TRES_SECS, PHYSICS, CPU, 6000);
	one(b, "limit", "the group limit of /physics",
	    "group limit: /physics has used 100 of 100 CPU-minutes (GrpTRESMins cpu)");
}

/* Who has most of it; of minutes only who. */
static void test_holders(void **state)
{
	static const char *const users[] = { "bob", "bob", "carl", "dora", "eva" };
	static const char *const texts[] = { "bob 2, anna 1", "bob 2, anna 1, carl 1",
					     "bob 2, anna 1, carl 1, others" };
	static const uint32_t counts[] = { 2, 3, 5 };
	char name[101] = "", text[300];
	struct builder *b;

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		uint32_t n = counts[k];

		b = site("QOSGrpJobsLimit", 1);
		builder_u32(b, F_QOS_GRP_JOBS, 0, n + 1);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t row = add_job(b, 80 + i, "None", 1);

			builder_str(b, F_JOB_STATE, row, "RUNNING");
			builder_str(b, F_JOB_USER, row, users[i]);
		}
		snprintf(text, sizeof(text), "group limit: %u of %u jobs of QOS normal run (%s; "
			 "GrpJobs); the next ends by 12:10", n + 1, n + 1, texts[k]);
		one(b, "limit", "the group limit of QOS normal", text);
	}
	memset(name, 'x', 100);
	b = site("QOSGrpJobsLimit", 1);
	builder_u32(b, F_QOS_GRP_JOBS, 0, 1);
	builder_str(b, F_JOB_USER, 0, name);
	snprintf(text, sizeof(text), "group limit: 1 of 1 job of QOS normal runs (%.64s 1; "
		 "GrpJobs); the next ends by 12:10", name);
	one(b, "limit", "the group limit of QOS normal", text);
	b = site("AssocGrpCPURunMinutesLimit", 1);
	limit_tres(b, F_ASSOC_GRP_TRES_RUN_MINS, PHYSICS, CPU, 1170);
	limit_tres(b, F_ASSOC_USED_TRES_RUN_SECS, PHYSICS, CPU, 1140 * 60);
	one(b, "limit", "the group limit of /physics",
	    "group limit: what runs of /physics has 1,140 of 1,170 CPU-minutes to go (anna; "
	    "GrpTRESRunMins cpu), this job asks for 60 more; the next of its jobs ends by 12:10");
	/* Two jobs on one node have one node. */
	b = site("AssocGrpNodeLimit", 1);
	limit_tres(b, F_ASSOC_GRP_TRES, PHYSICS, NODE, 1);
	limit_tres(b, F_ASSOC_USED_TRES, PHYSICS, NODE, 1);
	builder_str(b, F_JOB_STATE, add_job(b, 80, "None", 1), "RUNNING");
	one(b, "limit", "the group limit of /physics",
	    "group limit: /physics uses 1 of 1 node (anna; GrpTRES node), this job asks for 1 more; "
	    "the next of its jobs ends by 12:10");
	/* Who has it and what ends is not known for sure where jobs are hidden. */
	b = site("AssocGrpJobsLimit", 1);
	builder_u32(b, F_ASSOC_GRP_JOBS, PHYSICS, 1);
	builder_u32(b, F_ASSOC_USED_JOBS, PHYSICS, 1);
	builder_hidden(b, HIDDEN_JOBS);
	one(b, "limit", "the group limit of /physics",
	    "group limit: 1 of 1 job of /physics runs (GrpJobs)");
}

/* What stops it after that, of the same kind. */
static void test_other_limits(void **state)
{
	struct builder *b = site("AssocGrpJobsLimit", 1);

	(void)state;
	builder_u32(b, F_ASSOC_GRP_JOBS, PHYSICS, 1);
	builder_u32(b, F_ASSOC_USED_JOBS, PHYSICS, 1);
	limit_tres(b, F_ASSOC_GRP_TRES, HEP, CPU, 6);
	limit_tres(b, F_ASSOC_USED_TRES, HEP, CPU, 6);
	one(b, "limit", "the group limit of /physics",
	    "group limit: 1 of 1 job of /physics runs (anna 1; GrpJobs); the next ends by 12:10; "
	    "another stops it, too: GrpTRES cpu of /physics/hep");
}

static void test_limits_of_qos(void **state)
{
	struct builder *b = site("QOSMaxJobsPerUserLimit", 1);

	(void)state;
	builder_u32(b, F_QOS_MAX_JOBS_USER, 0, 1);
	one(b, "limit", "the limit of user anna under QOS normal",
	    "limit: 1 of 1 job of user anna under QOS normal runs (MaxJobsPerUser); the next ends "
	    "by 12:10");
	b = site("MaxCpuPerAccount", 4);
	limit_tres(b, F_QOS_MAX_TRES_ACCOUNT, 0, CPU, 8);
	one(b, "limit", "the limit of account hep under QOS normal",
	    "limit: account hep under QOS normal uses 6 of 8 CPUs (MaxTRESPerAccount cpu), this "
	    "job asks for 4 more; the next of its jobs ends by 12:10");
	b = site("QOSMaxCPURunMinsPerUser", 1);
	limit_tres(b, F_QOS_MAX_TRES_RUN_MINS_USER, 0, CPU, 1170);
	one(b, "limit", "the limit of user anna under QOS normal",
	    "limit: what runs of user anna under QOS normal has 1,140 of 1,170 CPU-minutes to go "
	    "(MaxTRESRunMinsPerUser cpu), this job asks for 60 more; the next of its jobs ends by "
	    "12:10");
	b = site("QOSMaxWallDurationPerJobLimit", 1);
	builder_i64(b, F_QOS_MAX_WALL, 0, HOUR / 2);
	one(b, "never", "a limit of QOS normal", "its time limit is 1 h, QOS normal allows 30 min "
	    "at most (MaxWallDurationPerJob)");
	b = site("QOSMaxCpuPerJobLimit", 12);
	limit_tres(b, F_QOS_MAX_TRES, 0, CPU, 10);
	one(b, "never", "a limit of QOS normal",
	    "asks for 12 CPUs, QOS normal allows a job 10 at most (MaxTRESPerJob cpu)");
	b = site("QOSMinCpuNotSatisfied", 1);
	limit_tres(b, F_QOS_MIN_TRES, 0, CPU, 2);
	one(b, "never", "a limit of QOS normal",
	    "asks for 1 CPU, QOS normal wants 2 at least (MinTRESPerJob cpu)");
}

static void test_no_limit_reached(void **state)
{
	static const char none[] =
		"group limit: its association, or an account above, has reached a limit of the "
		"group (AssocGrpCpuLimit); no such limit that was read is reached now, it may "
		"have been so at the scheduler's last look";
	struct builder *b = site("AssocGrpCpuLimit", 1);
	char text[400];
	struct said s;

	(void)state;
	one(b, "limit", "a limit", none);
	/* Another one that is reached is not the one that is meant. */
	b = site("AssocGrpCpuLimit", 1);
	builder_u32(b, F_ASSOC_GRP_JOBS, PHYSICS, 1);
	builder_u32(b, F_ASSOC_USED_JOBS, PHYSICS, 1);
	snprintf(text, sizeof(text), "%s; another stops it, too: GrpJobs of /physics", none);
	one(b, "limit", "a limit", text);
	/* What runs, and what was not read, may explain one of a QOS. */
	b = site("QOSGrpJobsLimit", 1);
	builder_unknown(b, F_QOS_GRP_JOBS, 0);
	s = say(b);
	is_line(&s, 0, "limit",
		"group limit: all jobs of its QOS together have reached a limit (QOSGrpJobsLimit); "
		"no such limit that was read is reached now, it may have been so at the "
		"scheduler's last look; 1 job runs under QOS normal, 1 of anna");
	assert_string_equal(why_line_of(s.w, WHY_UNKNOWN)->text,
			    "limits of QOS normal that were not read: GrpJobs");
	said_free(&s);
}

static void test_array(void **state)
{
	struct builder *b = site("JobArrayTaskLimit", 1);

	(void)state;
	builder_u32(b, F_JOB_ARRAY, 0, JOB);
	builder_u32(b, F_JOB_TASK, 0, 0);
	builder_u32(b, F_JOB_ARRAY, 1, JOB);
	builder_str(b, F_JOB_TASKS, 1, "1-9%1");
	one(b, "limit", "the task limit of its array",
	    "limit: 1 of 1 task of its array run, which allows no more at once (%1)");
	/* Fewer run than it allows: no number explains the word. */
	b = site("JobArrayTaskLimit", 1);
	builder_u32(b, F_JOB_ARRAY, 1, JOB);
	builder_str(b, F_JOB_TASKS, 1, "1-9%1");
	one(b, "limit", "the task limit of its array",
	    "limit: as many tasks of the array run as it allows itself at once "
	    "(JobArrayTaskLimit)");
}

/* ---- jobs ahead and room -------------------------------------------------------------------- */

static void test_priority(void **state)
{
	struct builder *b = site("Priority", 1);
	struct said s;
	uint32_t row;

	(void)state;
	one(b, "priority", "priority", "priority: no job is ahead of it in batch now");
	b = site("Priority", 1);
	add_job(b, 95, "Priority", 4);
	row = add_job(b, 96, "Priority", 1);
	builder_u32(b, F_JOB_ARRAY, row, 96);
	builder_str(b, F_JOB_TASKS, row, "0-9");
	s = say(b);
	is_line(&s, 0, "priority",
		"priority: 11 jobs asking for 14 CPU-hours are ahead of it in batch");
	is_number(&s, 0, "jobs", 11);
	is_number(&s, 0, "jobs", jobs_ahead(s.j)->ahead[s.w->entry]);
	is_number(&s, 0, "cpu_hours", 14);
	said_free(&s);
	b = site("Priority", 1);
	builder_i64(b, F_JOB_TIME_LIMIT, add_job(b, 95, "Priority", 4), I64_INFINITE);
	one(b, "priority", "priority", "priority: 1 job is ahead of it in batch");
	b = site("Priority", 1);
	builder_hidden(b, HIDDEN_JOBS);
	s = say(b);
	is_line(&s, 0, "priority", "priority: how many jobs are ahead of it is unknown: jobs of "
		"others are hidden");
	is_number(&s, 0, "jobs", F64_UNKNOWN);
	said_free(&s);
}

static void test_resources(void **state)
{
	struct builder *b = site("Resources", 12);
	const struct tres_item items[] = { { CPU, 14 }, { NODE, 2 } };
	struct said s;

	(void)state;
	s = say(b);
	is_line(&s, 0, "resources",
		"resources: needs 12 CPUs; 18 CPUs of batch are free for it now; 1 of its 4 nodes "
		"cannot be used (down, drained or reserved)");
	is_number(&s, 0, "free_cpus", 18);
	is_number(&s, 0, "unusable_nodes", 1);
	said_free(&s);
	b = site("Resources", 14);
	builder_u32(b, F_JOB_MIN_NODES, 1, 2);
	builder_tres(b, F_JOB_TRES, 1, items, 2);
	builder_u32(b, F_HOST_CPUS_USED, 1, 4);
	s = say(b);
	is_line(&s, 0, "resources", "resources: needs 2 nodes with 14 CPUs in all; 1 node of batch "
		"has 7 CPUs free for it now; 1 of its 4 nodes cannot be used (down, drained or "
		"reserved)");
	is_number(&s, 0, "free_nodes", 1);
	said_free(&s);
	/* Nobody knows what is free for one that asks for nodes by name, or beside hidden jobs. */
	for (int hidden = 0; hidden < 2; hidden++) {
		b = site("Resources", 12);
		if (hidden)
			builder_hidden(b, HIDDEN_JOBS);
		else
			builder_str(b, F_JOB_NODES_ASKED, 1, "n1");
		s = say(b);
		is_line(&s, 0, "resources", "resources: needs 12 CPUs; 1 of its 4 nodes cannot be "
			"used (down, drained or reserved)");
		is_number(&s, 0, "free_cpus", F64_UNKNOWN);
		said_free(&s);
	}
}

/* Of CPUs without its GRES or memory none is free for it. */
static void test_resources_beside(void **state)
{
	struct builder *b = site("Resources", 4);
	uint32_t gpu = builder_tres_row(b, "gres/gpu", 8);
	const struct tres_item has[] = { { CPU, 8 }, { gpu, 1 } };
	const struct tres_item asks[] = { { CPU, 4 }, { NODE, 1 }, { gpu, 1 } };
	const struct tres_item much[] = { { CPU, 4 }, { MEM, 64000 }, { NODE, 1 } };

	(void)state;
	builder_tres(b, F_HOST_TRES, 1, has, 2);
	builder_tres(b, F_JOB_TRES, 1, asks, 3);
	builder_str(b, F_JOB_GRES, 1, "gres/gpu:1");
	one(b, "resources", "resources",
	    "resources: needs 4 CPUs and 1 gres/gpu on each node; 8 CPUs of batch are free for it "
	    "now; 1 of its 4 nodes cannot be used (down, drained or reserved)");
	b = site("Resources", 4);
	policy_set_text(builder_policy(b), policy_param_by_name("SelectTypeParameters", 20),
			"CR_CPU_MEMORY", NULL);
	builder_tres(b, F_JOB_TRES, 1, much, 3);
	one(b, "resources", "resources",
	    "resources: needs 4 CPUs and 64,000 MiB of memory; 10 CPUs of batch are free for it "
	    "now; 1 of its 4 nodes cannot be used (down, drained or reserved)");
}

/* ---- other reasons -------------------------------------------------------------------------- */

static void depends(const char *reason, const char *dependency, const char *kind, const char *text)
{
	struct builder *b = site(reason, 1);

	builder_str(b, F_JOB_DEPENDENCY, 1, dependency);
	add_job(b, 95, "Priority", 4);
	one(b, kind, "a dependency", text);
}

static void test_dependency(void **state)
{
	(void)state;
	depends("Dependency", "afterok:90(unfulfilled)", "dependency",
		"dependency: job 90 has run since 08:00 (its limit ends it by 12:10)");
	depends("Dependency", "afterany:95:77:90:78:79(unfulfilled)", "dependency",
		"dependency: job 95 waits itself: Priority; job 77 is no longer in the queue; job "
		"90 has run since 08:00 (its limit ends it by 12:10); job 78 is no longer in the "
		"queue; and 1 more");
	depends("Dependency", "singleton(unfulfilled)", "dependency",
		"dependency: an earlier job of its name and user is not through (singleton)");
	depends("Dependency", "afterok:90?afterany:95", "dependency",
		"dependency: job 90 has run since 08:00 (its limit ends it by 12:10); job 95 waits "
		"itself: Priority; one of them is enough");
	depends("DependencyNeverSatisfied", "afterok:77(failed)", "never",
		"dependency: job 77 ended in a way that does not fulfil it (afterok:77(failed))");
	depends("Dependency", "", "dependency", "dependency: it waits for another job");
}

/* The end of a task is not that of its array. */
static void test_dependency_on_array(void **state)
{
	struct builder *b = site("Dependency", 1);
	uint32_t row;
	struct said s;

	(void)state;
	builder_str(b, F_JOB_DEPENDENCY, 1, "afterok:80(unfulfilled)");
	builder_u32(b, F_JOB_ARRAY, 0, 80);
	builder_u32(b, F_JOB_TASK, 0, 1);
	row = add_job(b, 80, "Resources", 4);
	builder_u32(b, F_JOB_ARRAY, row, 80);
	builder_str(b, F_JOB_TASKS, row, "2-9");
	s = say(b);
	is_line(&s, 0, "dependency", "dependency: job 80 runs, and has more tasks");
	is_number(&s, 0, "until", F64_UNKNOWN);
	said_free(&s);
}

/* What stops it in one of its partitions is not for ever, and in words that fit it. */
static void test_several_partitions(void **state)
{
	struct builder *b = site("QOSMaxWallDurationPerJobLimit", 1);

	(void)state;
	builder_str(b, F_JOB_PARTITION, 1, "batch,other");
	builder_i64(b, F_QOS_MAX_WALL, 0, HOUR / 2);
	one(b, "limit", "a limit of QOS normal", "its time limit is 1 h, QOS normal allows 30 min "
	    "at most (MaxWallDurationPerJob)");
	b = site("BadConstraints", 1);
	builder_str(b, F_JOB_PARTITION, 1, "batch,other");
	one(b, "partition", "nodes that are not there",
	    "no node can fulfil what it asks for (BadConstraints)");
}

static void test_times(void **state)
{
	static const char *const users[] = { "anna", "bo\033b" }, *const names[] = { "gpu" };
	static const char *const others[] = { "-gpu", "-fat" };
	struct builder *b = site("BeginTime", 1);
	uint32_t row;

	(void)state;
	builder_i64(b, F_JOB_ELIGIBLE, 1, NOW + 48 * HOUR);
	one(b, "time", "its begin time", "may not begin before 11 Sep 09:00");
	b = site("BeginTime", 1);
	builder_i64(b, F_JOB_ELIGIBLE, 1, NOW - 60);
	one(b, "time", "its begin time",
	    "its begin time, 08:59, has come, which the scheduler has not seen yet");
	one(site("BeginTime", 1), "time", "its begin time",
	    "may not begin before its begin time, which is unknown");
	b = site("Reservation", 1);
	builder_str(b, F_JOB_RESERVATION, 1, "maint");
	row = builder_add(b, TABLE_RESERVATION);
	builder_str(b, F_RESERVATION_NAME, row, "maint");
	builder_i64(b, F_RESERVATION_START, row, NOW + HOUR);
	builder_i64(b, F_RESERVATION_END, row, NOW + 26 * HOUR);
	builder_list(b, F_RESERVATION_USERS, row, users, 2);
	/* The door to the terminal handles control characters. */
	one(b, "reservation", "its reservation",
	    "reservation: maint is from 10:00 to 10 Sep 11:00, for users anna, bo\033b");
	b = site("Reservation", 1);
	builder_str(b, F_JOB_RESERVATION, 1, "maint");
	builder_str(b, F_JOB_QOS, 1, "gpu");
	row = builder_add(b, TABLE_RESERVATION);
	builder_str(b, F_RESERVATION_NAME, row, "maint");
	builder_list(b, F_RESERVATION_PARTITIONS, row, names, 1);
	builder_list(b, F_RESERVATION_QOS, row, names, 1);
	one(b, "reservation", "its reservation",
	    "reservation: maint, for partitions gpu and not its own, for QOS gpu");
	b = site("Reservation", 1);
	builder_str(b, F_JOB_RESERVATION, 1, "maint");
	row = builder_add(b, TABLE_RESERVATION);
	builder_str(b, F_RESERVATION_NAME, row, "maint");
	builder_list(b, F_RESERVATION_PARTITIONS, row, others, 2);
	builder_list(b, F_RESERVATION_USERS, row, others, 1);
	one(b, "reservation", "its reservation",
	    "reservation: maint, not for partitions gpu, fat, not for users gpu");
	b = site("Resources", 4);
	builder_str(b, F_JOB_RESERVATION, 1, "maint");
	row = builder_add(b, TABLE_RESERVATION);
	builder_str(b, F_RESERVATION_NAME, row, "maint");
	builder_i64(b, F_RESERVATION_END, row, NOW + HOUR);
	one(b, "resources", "resources",
	    "resources: needs 4 CPUs; 1 of its 4 nodes cannot be used (down, drained or "
	    "reserved); only in reservation maint, until 10:00");
	b = site("Reservation", 1);
	builder_str(b, F_JOB_RESERVATION, 1, "maint");
	one(b, "reservation", "its reservation",
	    "reservation: maint is not among those that were read");
}

static void test_holds(void **state)
{
	struct builder *b;

	(void)state;
	one(site("JobHeldUser", 1), "held", "a hold by its owner", "held by its owner");
	one(site("JobHeldAdmin", 1), "held", "a hold by an administrator",
	    "held by an administrator: only one can release it");
	b = site("Held (user)", 1);
	builder_str(b, F_JOB_HOLD_TYPES, 1, "uo");
	one(b, "held", "a hold by its owner", "held by its owner and by an operator");
	one(site("Held (system)", 1), "held", "a hold by the system",
	    "held by the system or a manager");
}

static void licensed(const char *reason, const char *asks, uint32_t used, const char *kind,
		     const char *text)
{
	struct builder *b = site(reason, 1);
	uint32_t row = builder_add(b, TABLE_LICENSE);

	builder_str(b, F_LICENSE_NAME, row, "ansys");
	builder_u32(b, F_LICENSE_TOTAL, row, 4);
	builder_u32(b, F_LICENSE_USED, row, used);
	builder_str(b, F_JOB_LICENSES, 1, asks);
	if (strcmp(reason, "Licenses") == 0)
		one(b, kind, "a license", text);
	else
		then(b, kind, text);
}

static void test_licenses(void **state)
{
	(void)state;
	licensed("Licenses", "ansys:2", 4, "license",
		 "license ansys: 4 of 4 in use, it asks for 2");
	licensed("Licenses", "ansys:5", 0, "never", "asks for 5 of license ansys, there are 4");
	licensed("Licenses", "abaqus:1", 4, "license",
		 "license: not enough licenses are free (Licenses)");
	licensed("Priority", "ansys", 4, "license",
		 "then license ansys: 4 of 4 in use, it asks for 1");
}

static void test_partitions(void **state)
{
	struct builder *b = site("PartitionNodeLimit", 1);

	(void)state;
	builder_u32(b, F_JOB_MIN_NODES, 1, 20);
	one(b, "never", "a limit of partition batch", "asks for 20 nodes, partition batch has 4");
	b = site("PartitionNodeLimit", 1);
	builder_u32(b, F_JOB_MIN_NODES, 1, 3);
	builder_u32(b, F_PARTITION_MAX_NODES, 0, 2);
	one(b, "never", "a limit of partition batch",
	    "asks for 3 nodes, partition batch allows 2 at most (MaxNodes)");
	b = site("PartitionNodeLimit", 1);
	builder_u32(b, F_PARTITION_MIN_NODES, 0, 2);
	one(b, "never", "a limit of partition batch",
	    "asks for 1 node, partition batch wants 2 at least (MinNodes)");
	b = site("PartitionTimeLimit", 1);
	builder_i64(b, F_JOB_TIME_LIMIT, 1, 50 * HOUR);
	one(b, "never", "a limit of partition batch",
	    "its time limit is 2 days 2 h, partition batch allows 24 h at most (MaxTime)");
	one(site("PartitionTimeLimit", 1), "limit", "a limit",
	    "limit: its time limit is longer than its partition allows (PartitionTimeLimit)");
	one(site("PartitionDown", 1), "partition", "partition batch",
	    "partition batch: it starts no jobs (PartitionDown)");
	b = site("BadConstraints", 1);
	builder_str(b, F_JOB_FEATURES, 1, "avx");
	one(b, "never", "nodes that are not there",
	    "no node can fulfil what it asks for (BadConstraints); it asks for features avx");
	b = site("ReqNodeNotAvail", 1);
	builder_str(b, F_JOB_NODES_ASKED, 1, "n4");
	builder_str(b, F_JOB_REASON_TEXT, 1, "ReqNodeNotAvail, UnavailableNodes:n4");
	one(b, "resources", "nodes that are not available",
	    "resources: a node it needs is not available (down, drained or reserved) "
	    "(ReqNodeNotAvail); it asks for n4: UnavailableNodes:n4");
}

static void test_no_reason(void **state)
{
	struct builder *b = site("", 1);
	struct said s = say(b);

	(void)state;
	is_line(&s, 0, "other", "no reason was reported");
	assert_null(fact(&s.w->lines[0], "reason")->text);
	assert_null(s.w->cause);
	said_free(&s);
	one(site("None", 1), "other", "something else",
	    "the scheduler has not looked at it yet (None)");
	one(site("InvalidQOS", 1), "other", "something else",
	    "its QOS is not, or no longer, valid for it (InvalidQOS)");
	b = site("BurstBufferResources", 1);
	builder_str(b, F_JOB_REASON_TEXT, 1, "burst_buffer/lua: no pool");
	one(b, "resources", "resources", "resources: its burst buffer is not ready "
	    "(BurstBufferResources); the scheduler says: burst_buffer/lua: no pool");
	one(site("NewWord", 1), "other", "something else", "the scheduler says: NewWord");
}

/* PBS and LSF say it in words of their own. */
static void test_words(void **state)
{
	struct builder *b = site("Insufficient amount of resource: ncpus", 1);

	(void)state;
	builder_str(b, F_JOB_REASON_TEXT, 1,
		    "Not Running: Insufficient amount of resource: ncpus (R: 4 A: 0 T: 8)");
	one(b, "resources", "resources",
	    "resources: Insufficient amount of resource: ncpus (R: 4 A: 0 T: 8)");
	b = site("Insufficient amount of resource: ncpus", 1);
	builder_str(b, F_JOB_REASON_TEXT, 1,
		    "Can Never Run: Insufficient amount of resource: ncpus (R: 4 A: 0 T: 2)");
	one(b, "never", "what will never be",
	    "can never run: Insufficient amount of resource: ncpus (R: 4 A: 0 T: 2)");
}

/* ---- a second reason ------------------------------------------------------------------------ */

/* One that waits for its turn, in an account that is full. */
static struct builder *full(uint32_t cpus)
{
	struct builder *b = site("Priority", cpus);

	limit_tres(b, F_ASSOC_GRP_TRES, PHYSICS, CPU, 8);
	limit_tres(b, F_ASSOC_USED_TRES, PHYSICS, CPU, 6);
	return b;
}

static void test_next_limit(void **state)
{
	static const char next[] = "then a group limit: /physics uses 6 of 8 CPUs (anna 6; GrpTRES "
				   "cpu), this job asks for 4 more; the next of its jobs ends by "
				   "12:10";
	char doubtful[400];
	struct builder *b = full(4);
	struct said s;

	(void)state;
	then(b, "limit", next);
	/* What its QOS sets counts in place of the account's. */
	b = full(4);
	limit_tres(b, F_QOS_GRP_TRES, 0, CPU, 100);
	one(b, "priority", "priority", "priority: no job is ahead of it in batch now");
	b = full(4);
	builder_unknown(b, F_QOS_GRP_TRES, 0);
	snprintf(doubtful, sizeof(doubtful), "%s; its QOS, of which that was not read, may set "
		 "another in its place", next);
	then(b, "limit", doubtful);
	/* Only where limits are kept, and that was read. */
	for (int known = 0; known < 2; known++) {
		b = full(4);
		policy_forget(builder_policy(b), enforced());
		if (known)
			policy_set_text(builder_policy(b), enforced(), "associations", NULL);
		one(b, "priority", "priority", "priority: no job is ahead of it in batch now");
	}
	/* What can never be comes first. */
	s = say(full(12));
	is_line(&s, 0, "never", "asks for 12 CPUs, /physics may use 8 at most (GrpTRES cpu)");
	is_line(&s, 1, "priority", "priority: no job is ahead of it in batch now");
	assert_string_equal(s.w->cause, "a limit of /physics");
	assert_true(s.w->never);
	said_free(&s);
	/* Also where it waits for something else yet. */
	b = site("JobHeldUser", 1);
	builder_i64(b, F_JOB_TIME_LIMIT, 1, 50 * HOUR);
	s = say(b);
	is_line(&s, 0, "never",
		"its time limit is 2 days 2 h, partition batch allows 24 h at most (MaxTime)");
	is_line(&s, 1, "held", "held by its owner");
	said_free(&s);
}

static void test_next_others(void **state)
{
	struct builder *b = site("Priority", 1);

	(void)state;
	builder_str(b, F_PARTITION_STATE, 0, "DOWN");
	then(b, "partition", "then partition batch is DOWN: it starts no jobs");
	b = site("Priority", 1);
	builder_str(b, F_JOB_DEPENDENCY, 1, "afterok:90(unfulfilled)");
	then(b, "dependency", "then a dependency: job 90 has run since 08:00 (its limit ends it by "
	     "12:10)");
	b = site("None", 1);
	builder_i64(b, F_JOB_ELIGIBLE, 1, NOW + HOUR);
	then(b, "time", "then it may not begin before 10:00");
	/* One that may start elsewhere is not stopped. */
	b = full(12);
	builder_str(b, F_JOB_PARTITION, 1, "batch,other");
	one(b, "priority", "priority", "priority: no job is ahead of it in batch now");
}

/* ---- recordings ----------------------------------------------------------------------------- */

/* Of each job that waits the scheduler's own word comes first, but for what can never be. */
static uint32_t check_all(struct cluster *c, const char *name)
{
	struct err err = { .code = ERR_NONE };
	struct model *m = model_new(c, NULL, &err);
	struct jobs *j = jobs_new(m, NULL);
	uint32_t seen = 0;

	for (uint32_t e = 0; e < j->index->n; e++) {
		const char *reason = cluster_text(c, F_JOB_REASON, j->index->job[e]), *says;
		const struct why_line *line;
		struct why *w;

		if (j->index->kind[e] >= JOB_RUNNING)
			continue;
		w = why_new(j, e, NULL);
		line = why_line_of(w, WHY_HOLDS);
		if (!line || held_lines(w) > 3 || !*line->text)
			fail_msg("%s: %s: nothing holds it", name, w->name);
		if (line->never && !fact(line, "reason")->text)
			line++;
		says = fact(line, "reason")->text;
		if (strcmp(says ? says : "", reason ? reason : "") != 0)
			fail_msg("%s: %s: %s", name, w->name, line->text);
		why_free(w);
		seen++;
	}
	jobs_free(j);
	model_free(m);
	cluster_free(c);
	return seen;
}

/* What SPEC names, if it is a source. */
static uint32_t check_source(const char *spec)
{
	const struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	struct err err = { .code = ERR_NONE };
	struct source *s = source_open(spec, &err);
	struct cluster *c = NULL;
	uint32_t seen = 0;

	if (s && source_fetch(s, &request, &c, &err) == FETCH_NEW)
		seen = check_all(c, spec);
	if (s)
		source_close(s);
	return seen;
}

/* All below a directory of captures, so many levels deep. */
static uint32_t check_below(const char *scheme, const char *directory, int levels)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	uint32_t seen = 0;

	while (dir && (entry = readdir(dir))) {
		char path[1200], spec[1300];

		if (entry->d_name[0] == '.' || strchr(entry->d_name, '.'))
			continue;
		snprintf(path, sizeof(path), "%.900s/%.200s", directory, entry->d_name);
		snprintf(spec, sizeof(spec), "%s:%s", scheme, path);
		seen += check_source(spec);
		if (levels > 1)
			seen += check_below(scheme, path, levels - 1);
	}
	if (dir)
		closedir(dir);
	return seen;
}

static void test_recordings(void **state)
{
	static const char *const schemes[] = { "slurm", "pbs", "lsf" };
	static const uint32_t least[] = { 200, 500, 50 };
	char path[1000];

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_true(check_below(schemes[i], data_path(schemes[i], path, sizeof(path)), 2) >=
			    least[i]);
	for (size_t i = 0; i < dump_count; i++)
		(void)check_all(jobdump_cluster(dump_names[i]), dump_names[i]);
	assert_true(check_source(data_path("demo.snapshot", path, sizeof(path))) > 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_group_limits),
		cmocka_unit_test(test_holders),
		cmocka_unit_test(test_other_limits),
		cmocka_unit_test(test_limits_of_qos),
		cmocka_unit_test(test_no_limit_reached),
		cmocka_unit_test(test_array),
		cmocka_unit_test(test_priority),
		cmocka_unit_test(test_resources),
		cmocka_unit_test(test_resources_beside),
		cmocka_unit_test(test_dependency),
		cmocka_unit_test(test_dependency_on_array),
		cmocka_unit_test(test_several_partitions),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_holds),
		cmocka_unit_test(test_licenses),
		cmocka_unit_test(test_partitions),
		cmocka_unit_test(test_no_reason),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_next_limit),
		cmocka_unit_test(test_next_others),
		cmocka_unit_test(test_recordings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
