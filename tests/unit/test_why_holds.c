/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What keeps a job from starting: the sentence and the facts for each kind of reason, on clusters
 * small enough to count by hand, also with data not read; for every pending job of every recording
 * the scheduler's own reason comes first.
 */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/adapter.h"
#include "core/cluster/policy.h"
#include "tests/support/data.h"
#include "tests/support/dump.h"
#include "tests/support/held.h"
#include "tests/support/jobdump.h"

/* ---- jobs ahead and free resources ---------------------------------------------------------- */

static void test_priority(void **state)
{
	struct builder *b = held_site("Priority", 1);
	struct held s;
	uint32_t row;

	(void)state;
	held_once(b, "priority", "priority", "priority: no job is ahead of it in batch");
	b = held_site("Priority", 1);
	held_add_job(b, 95, "Priority", 4);
	row = held_add_job(b, 96, "Priority", 1);
	builder_u32(b, F_JOB_ARRAY, row, 96);
	builder_str(b, F_JOB_TASKS, row, "0-9");
	s = held_say(b);
	held_is_line(&s, 0, "priority",
		"priority: 11 jobs asking for 14 CPU-hours are ahead of it in batch");
	held_is_number(&s, 0, "jobs", 11);
	held_is_number(&s, 0, "jobs", jobs_ahead(s.j)->ahead[s.w->entry]);
	held_is_number(&s, 0, "cpu_hours", 14);
	held_free(&s);
	b = held_site("Priority", 1);
	builder_i64(b, F_JOB_TIME_LIMIT, held_add_job(b, 95, "Priority", 4), I64_INFINITE);
	held_once(b, "priority", "priority", "priority: 1 job is ahead of it in batch");
	b = held_site("Priority", 1);
	builder_hidden(b, HIDDEN_JOBS);
	s = held_say(b);
	held_is_line(&s, 0, "priority", "priority: the number of jobs ahead of it is unknown: "
		"other users' jobs are hidden");
	held_is_number(&s, 0, "jobs", F64_UNKNOWN);
	held_free(&s);
}

static void test_resources(void **state)
{
	struct builder *b = held_site("Resources", 12);
	const struct tres_item items[] = { { CPU, 14 }, { NODE, 2 } };
	struct held s;

	(void)state;
	s = held_say(b);
	held_is_line(&s, 0, "resources",
		"resources: needs 12 CPUs; 18 CPUs of batch are free for it; 1 of its 4 nodes "
		"cannot be used (down, drained or reserved)");
	held_is_number(&s, 0, "free_cpus", 18);
	held_is_number(&s, 0, "unusable_nodes", 1);
	held_free(&s);
	b = held_site("Resources", 14);
	builder_u32(b, F_JOB_MIN_NODES, 1, 2);
	builder_tres(b, F_JOB_TRES, 1, items, 2);
	builder_u32(b, F_HOST_CPUS_USED, 1, 4);
	s = held_say(b);
	held_is_line(&s, 0, "resources", "resources: needs 2 nodes with 14 CPUs in all; 1 node of "
		"batch has 7 CPUs free for it; 1 of its 4 nodes cannot be used (down, "
		"drained or reserved)");
	held_is_number(&s, 0, "free_nodes", 1);
	held_free(&s);
	/* Unknown free resources: for a job that asks for nodes by name, or beside hidden jobs. */
	for (int hidden = 0; hidden < 2; hidden++) {
		b = held_site("Resources", 12);
		if (hidden)
			builder_hidden(b, HIDDEN_JOBS);
		else
			builder_str(b, F_JOB_NODES_ASKED, 1, "n1");
		s = held_say(b);
		held_is_line(&s, 0, "resources", "resources: needs 12 CPUs; 1 of its 4 nodes "
			     "cannot be used (down, drained or reserved)");
		held_is_number(&s, 0, "free_cpus", F64_UNKNOWN);
		held_free(&s);
	}
}

/* CPUs without the job's GRES or memory are not free for it. */
static void test_resources_beside(void **state)
{
	struct builder *b = held_site("Resources", 4);
	uint32_t gpu = builder_tres_row(b, "gres/gpu", 8);
	const struct tres_item has[] = { { CPU, 8 }, { gpu, 1 } };
	const struct tres_item asks[] = { { CPU, 4 }, { NODE, 1 }, { gpu, 1 } };
	const struct tres_item much[] = { { CPU, 4 }, { MEM, 64000 }, { NODE, 1 } };

	(void)state;
	builder_tres(b, F_HOST_TRES, 1, has, 2);
	builder_tres(b, F_JOB_TRES, 1, asks, 3);
	builder_str(b, F_JOB_GRES, 1, "gres/gpu:1");
	held_once(b, "resources", "resources",
	    "resources: needs 4 CPUs and 1 gres/gpu on each node; 8 CPUs of batch are free for it; "
	    "1 of its 4 nodes cannot be used (down, drained or reserved)");
	b = held_site("Resources", 4);
	policy_set_text(builder_policy(b), policy_param("SelectTypeParameters"),
			"CR_CPU_MEMORY", NULL);
	builder_tres(b, F_JOB_TRES, 1, much, 3);
	held_once(b, "resources", "resources",
	    "resources: needs 4 CPUs and 64,000 MiB of memory; 10 CPUs of batch are free for it; "
	    "1 of its 4 nodes cannot be used (down, drained or reserved)");
}

/* ---- other reasons -------------------------------------------------------------------------- */

static void depends(const char *reason, const char *dependency, const char *kind, const char *text)
{
	struct builder *b = held_site(reason, 1);

	builder_str(b, F_JOB_DEPENDENCY, 1, dependency);
	held_add_job(b, 95, "Priority", 4);
	held_once(b, kind, "a dependency", text);
}

static void test_dependency(void **state)
{
	(void)state;
	depends("Dependency", "afterok:90(unfulfilled)", "dependency",
		"dependency: job 90 has been running since 08:00 (its time limit ends it by "
		"12:10)");
	depends("Dependency", "afterany:95:77:90:78:79(unfulfilled)", "dependency",
		"dependency: job 95 is itself pending: Priority; job 77 is no longer in the queue; "
		"job 90 has been running since 08:00 (its time limit ends it by 12:10); job 78 is "
		"no longer in the queue; and 1 more");
	depends("Dependency", "singleton(unfulfilled)", "dependency",
		"dependency: an earlier job with the same name and user has not ended (singleton)");
	depends("Dependency", "afterok:90?afterany:95", "dependency",
		"dependency: job 90 has been running since 08:00 (its time limit ends it by "
		"12:10); job 95 is itself pending: Priority; one of them is enough");
	depends("DependencyNeverSatisfied", "afterok:77(failed)", "never",
		"dependency: job 77 ended in a way that does not satisfy it (afterok:77(failed))");
	depends("Dependency", "", "dependency", "dependency: it waits for another job");
}

/* The end of one task is not the end of the array. */
static void test_dependency_on_array(void **state)
{
	struct builder *b = held_site("Dependency", 1);
	uint32_t row;
	struct held s;

	(void)state;
	builder_str(b, F_JOB_DEPENDENCY, 1, "afterok:80(unfulfilled)");
	builder_u32(b, F_JOB_ARRAY, 0, 80);
	builder_u32(b, F_JOB_TASK, 0, 1);
	row = held_add_job(b, 80, "Resources", 4);
	builder_u32(b, F_JOB_ARRAY, row, 80);
	builder_str(b, F_JOB_TASKS, row, "2-9");
	s = held_say(b);
	held_is_line(&s, 0, "dependency", "dependency: job 80 is running, and has more tasks");
	held_is_number(&s, 0, "until", F64_UNKNOWN);
	held_free(&s);
}

/* A limit in one of several partitions is not final, and the sentence says only what fits. */
static void test_several_partitions(void **state)
{
	struct builder *b = held_site("QOSMaxWallDurationPerJobLimit", 1);

	(void)state;
	builder_str(b, F_JOB_PARTITION, 1, "batch,other");
	builder_i64(b, F_QOS_MAX_WALL, 0, HOUR / 2);
	held_once(b, "limit", "a limit of QOS normal", "its time limit is 1 h, QOS normal allows "
		  "30 min at most (MaxWallDurationPerJob)");
	b = held_site("BadConstraints", 1);
	builder_str(b, F_JOB_PARTITION, 1, "batch,other");
	held_once(b, "partition", "a request that no node can satisfy",
	    "no node can satisfy its request (BadConstraints)");
}

static void test_times(void **state)
{
	static const char *const users[] = { "anna", "bo\033b" }, *const names[] = { "gpu" };
	static const char *const others[] = { "-gpu", "-fat" };
	struct builder *b = held_site("BeginTime", 1);
	uint32_t row;

	(void)state;
	builder_i64(b, F_JOB_ELIGIBLE, 1, NOW + 48 * HOUR);
	held_once(b, "time", "its begin time", "may not start before 11 Sep 09:00");
	b = held_site("BeginTime", 1);
	builder_i64(b, F_JOB_ELIGIBLE, 1, NOW - 60);
	held_once(b, "time", "its begin time",
	    "its begin time, 08:59, has passed, but the scheduler has not noticed it yet");
	held_once(held_site("BeginTime", 1), "time", "its begin time",
	    "may not start before its begin time, which is unknown");
	b = held_site("Reservation", 1);
	builder_str(b, F_JOB_RESERVATION, 1, "maint");
	row = builder_add(b, TABLE_RESERVATION);
	builder_str(b, F_RESERVATION_NAME, row, "maint");
	builder_i64(b, F_RESERVATION_START, row, NOW + HOUR);
	builder_i64(b, F_RESERVATION_END, row, NOW + 26 * HOUR);
	builder_list(b, F_RESERVATION_USERS, row, users, 2);
	/* Control characters are escaped later, on output. */
	held_once(b, "reservation", "its reservation",
	    "reservation: maint is from 10:00 to 10 Sep 11:00, for users anna, bo\033b");
	b = held_site("Reservation", 1);
	builder_str(b, F_JOB_RESERVATION, 1, "maint");
	builder_str(b, F_JOB_QOS, 1, "gpu");
	row = builder_add(b, TABLE_RESERVATION);
	builder_str(b, F_RESERVATION_NAME, row, "maint");
	builder_list(b, F_RESERVATION_PARTITIONS, row, names, 1);
	builder_list(b, F_RESERVATION_QOS, row, names, 1);
	held_once(b, "reservation", "its reservation",
	    "reservation: maint, for partitions gpu (not this job's), for QOS gpu");
	b = held_site("Reservation", 1);
	builder_str(b, F_JOB_RESERVATION, 1, "maint");
	row = builder_add(b, TABLE_RESERVATION);
	builder_str(b, F_RESERVATION_NAME, row, "maint");
	builder_list(b, F_RESERVATION_PARTITIONS, row, others, 2);
	builder_list(b, F_RESERVATION_USERS, row, others, 1);
	held_once(b, "reservation", "its reservation",
	    "reservation: maint, not for partitions gpu, fat, not for users gpu");
	b = held_site("Resources", 4);
	builder_str(b, F_JOB_RESERVATION, 1, "maint");
	row = builder_add(b, TABLE_RESERVATION);
	builder_str(b, F_RESERVATION_NAME, row, "maint");
	builder_i64(b, F_RESERVATION_END, row, NOW + HOUR);
	held_once(b, "resources", "resources",
	    "resources: needs 4 CPUs; 1 of its 4 nodes cannot be used (down, drained or "
	    "reserved); only in reservation maint, until 10:00");
	b = held_site("Reservation", 1);
	builder_str(b, F_JOB_RESERVATION, 1, "maint");
	held_once(b, "reservation", "its reservation",
	    "reservation: maint is not in the data");
}

static void test_holds(void **state)
{
	struct builder *b;

	(void)state;
	held_once(held_site("JobHeldUser", 1), "held", "a hold by its owner", "held by its owner");
	held_once(held_site("JobHeldAdmin", 1), "held", "a hold by an administrator",
	    "held by an administrator: only an administrator can release it");
	b = held_site("Held (user)", 1);
	builder_str(b, F_JOB_HOLD_TYPES, 1, "uo");
	held_once(b, "held", "a hold by its owner", "held by its owner and by an operator");
	held_once(held_site("Held (system)", 1), "held", "a hold by the system",
	    "held by the system or a manager");
}

static void licensed(const char *reason, const char *asks, uint32_t used, const char *kind,
		     const char *text)
{
	struct builder *b = held_site(reason, 1);
	uint32_t row = builder_add(b, TABLE_LICENSE);

	builder_str(b, F_LICENSE_NAME, row, "ansys");
	builder_u32(b, F_LICENSE_TOTAL, row, 4);
	builder_u32(b, F_LICENSE_USED, row, used);
	builder_str(b, F_JOB_LICENSES, 1, asks);
	if (strcmp(reason, "Licenses") == 0)
		held_once(b, kind, "a license", text);
	else
		held_twice(b, kind, text);
}

static void test_licenses(void **state)
{
	(void)state;
	licensed("Licenses", "ansys:2", 4, "license",
		 "license ansys: 4 of 4 in use, it asks for 2");
	licensed("Licenses", "ansys:5", 0, "never", "asks for 5 of license ansys, but there are 4");
	licensed("Licenses", "abaqus:1", 4, "license",
		 "license: not enough licenses are free (Licenses)");
	licensed("Priority", "ansys", 4, "license",
		 "then license ansys: 4 of 4 in use, it asks for 1");
}

static void test_partitions(void **state)
{
	struct builder *b = held_site("PartitionNodeLimit", 1);

	(void)state;
	builder_u32(b, F_JOB_MIN_NODES, 1, 20);
	held_once(b, "never", "a limit of partition batch",
		  "asks for 20 nodes, partition batch has 4");
	b = held_site("PartitionNodeLimit", 1);
	builder_u32(b, F_JOB_MIN_NODES, 1, 3);
	builder_u32(b, F_PARTITION_MAX_NODES, 0, 2);
	held_once(b, "never", "a limit of partition batch",
	    "asks for 3 nodes, partition batch allows 2 at most (MaxNodes)");
	b = held_site("PartitionNodeLimit", 1);
	builder_u32(b, F_PARTITION_MIN_NODES, 0, 2);
	held_once(b, "never", "a limit of partition batch",
	    "asks for 1 node, partition batch requires 2 at least (MinNodes)");
	b = held_site("PartitionTimeLimit", 1);
	builder_i64(b, F_JOB_TIME_LIMIT, 1, 50 * HOUR);
	held_once(b, "never", "a limit of partition batch",
	    "its time limit is 2 days 2 h, partition batch allows 24 h at most (MaxTime)");
	held_once(held_site("PartitionTimeLimit", 1), "limit", "a limit",
	    "limit: its time limit is longer than its partition allows (PartitionTimeLimit)");
	held_once(held_site("PartitionDown", 1), "partition", "partition batch",
	    "partition batch: it starts no jobs (PartitionDown)");
	b = held_site("BadConstraints", 1);
	builder_str(b, F_JOB_FEATURES, 1, "avx");
	held_once(b, "never", "a request that no node can satisfy",
	    "no node can satisfy its request (BadConstraints); it asks for features avx");
	b = held_site("ReqNodeNotAvail", 1);
	builder_str(b, F_JOB_NODES_ASKED, 1, "n4");
	builder_str(b, F_JOB_REASON_TEXT, 1, "ReqNodeNotAvail, UnavailableNodes:n4");
	held_once(b, "resources", "nodes that are not available",
	    "resources: a node it needs is not available (down, drained or reserved) "
	    "(ReqNodeNotAvail); it asks for n4: UnavailableNodes:n4");
}

static void test_no_reason(void **state)
{
	struct builder *b = held_site("", 1);
	struct held s = held_say(b);

	(void)state;
	held_is_line(&s, 0, "other", "no reason was reported");
	assert_null(held_fact(&s.w->lines[0], "reason")->text);
	assert_null(s.w->cause);
	held_free(&s);
	held_once(held_site("None", 1), "other", "another reason",
	    "the scheduler has not considered it yet (None)");
	held_once(held_site("InvalidQOS", 1), "other", "another reason",
	    "its QOS is not valid for it, or no longer valid (InvalidQOS)");
	b = held_site("BurstBufferResources", 1);
	builder_str(b, F_JOB_REASON_TEXT, 1, "burst_buffer/lua: no pool");
	held_once(b, "resources", "resources", "resources: its burst buffer is not ready "
	    "(BurstBufferResources); the scheduler reports: burst_buffer/lua: no pool");
	held_once(held_site("NewWord", 1), "other", "another reason",
		  "the scheduler reports: NewWord");
}

/* PBS and LSF use their own words. */
static void test_words(void **state)
{
	struct builder *b = held_site("Insufficient amount of resource: ncpus", 1);

	(void)state;
	builder_str(b, F_JOB_REASON_TEXT, 1,
		    "Not Running: Insufficient amount of resource: ncpus (R: 4 A: 0 T: 8)");
	held_once(b, "resources", "resources",
	    "resources: Insufficient amount of resource: ncpus (R: 4 A: 0 T: 8)");
	b = held_site("Insufficient amount of resource: ncpus", 1);
	builder_str(b, F_JOB_REASON_TEXT, 1,
		    "Can Never Run: Insufficient amount of resource: ncpus (R: 4 A: 0 T: 2)");
	held_once(b, "never", "a permanent reason",
	    "can never run: Insufficient amount of resource: ncpus (R: 4 A: 0 T: 2)");
}

/* ---- a second reason ------------------------------------------------------------------------ */

/* A pending job with reason Priority, in an account that is full. */
static struct builder *full(uint32_t cpus)
{
	struct builder *b = held_site("Priority", cpus);

	held_limit_tres(b, F_ASSOC_GRP_TRES, PHYSICS, CPU, 8);
	held_limit_tres(b, F_ASSOC_USED_TRES, PHYSICS, CPU, 6);
	return b;
}

static void test_next_limit(void **state)
{
	static const char next[] = "then a group limit: /physics uses 6 of 8 CPUs (anna 6; GrpTRES "
				   "cpu), this job asks for 4 more; the next of its jobs ends by "
				   "12:10";
	char doubtful[400];
	struct builder *b = full(4);
	struct held s;

	(void)state;
	held_twice(b, "limit", next);
	/* A limit of its QOS replaces the account's. */
	b = full(4);
	held_limit_tres(b, F_QOS_GRP_TRES, 0, CPU, 100);
	held_once(b, "priority", "priority", "priority: no job is ahead of it in batch");
	b = full(4);
	builder_unknown(b, F_QOS_GRP_TRES, 0);
	snprintf(doubtful, sizeof(doubtful), "%s; its QOS, whose limit was not read, may override "
		 "it", next);
	held_twice(b, "limit", doubtful);
	/* Only if limits are enforced, and that is known. */
	for (int known = 0; known < 2; known++) {
		b = full(4);
		policy_forget(builder_policy(b), held_enforced());
		if (known)
			policy_set_text(builder_policy(b), held_enforced(), "associations", NULL);
		held_once(b, "priority", "priority",
			  "priority: no job is ahead of it in batch");
	}
	/* What can never be comes first. */
	s = held_say(full(12));
	held_is_line(&s, 0, "never", "asks for 12 CPUs, /physics may use 8 at most (GrpTRES cpu)");
	held_is_line(&s, 1, "priority", "priority: no job is ahead of it in batch");
	assert_string_equal(s.w->cause, "a limit of /physics");
	assert_true(s.w->never);
	held_free(&s);
	/* Also if it still waits for something else. */
	b = held_site("JobHeldUser", 1);
	builder_i64(b, F_JOB_TIME_LIMIT, 1, 50 * HOUR);
	s = held_say(b);
	held_is_line(&s, 0, "never",
		"its time limit is 2 days 2 h, partition batch allows 24 h at most (MaxTime)");
	held_is_line(&s, 1, "held", "held by its owner");
	held_free(&s);
}

static void test_next_others(void **state)
{
	struct builder *b = held_site("Priority", 1);

	(void)state;
	builder_str(b, F_PARTITION_STATE, 0, "DOWN");
	held_twice(b, "partition", "then partition batch is DOWN: it starts no jobs");
	b = held_site("Priority", 1);
	builder_str(b, F_JOB_DEPENDENCY, 1, "afterok:90(unfulfilled)");
	held_twice(b, "dependency",
		   "then a dependency: job 90 has been running since 08:00 (its time limit ends it "
		   "by 12:10)");
	b = held_site("None", 1);
	builder_i64(b, F_JOB_ELIGIBLE, 1, NOW + HOUR);
	held_twice(b, "time", "then it may not start before 10:00");
	/* A job that may start in another partition is not stopped. */
	b = full(12);
	builder_str(b, F_JOB_PARTITION, 1, "batch,other");
	held_once(b, "priority", "priority", "priority: no job is ahead of it in batch");
}

/* ---- recordings ----------------------------------------------------------------------------- */

/* For each pending job the scheduler's own reason comes first, except after "never". */
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
		if (line->never && !held_fact(line, "reason")->text)
			line++;
		says = held_fact(line, "reason")->text;
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

/* Checks the cluster of SPEC, if that is a source. */
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

/* Checks everything below a directory of captures, LEVELS deep. */
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
