/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Edits that change why a job is not considered, and which nodes it asks for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/queue/job_index.h"
#include "tests/support/assoc.h"
#include "tests/support/edits.h"

/* Returns a cluster with a job that is pending for REASON. */
static struct cluster *one_waits(const char *reason, const char *dependency, int64_t eligible,
				 uint32_t priority)
{
	struct cluster_meta meta = { .kind = "slurm", .name = "c", .version = "22.05.8",
				     .zone = "", .time = 5000, .boot = I64_UNKNOWN,
				     .last_decay = 5000, .last_reset = I64_UNKNOWN };
	struct builder *b = builder_new();

	assoc_add(b, 1, 0, "root", NULL, 1, 0);
	builder_meta(b, &meta);
	builder_add(b, TABLE_JOB);
	builder_u32(b, F_JOB_ID, 0, 1);
	builder_str(b, F_JOB_STATE, 0, "PENDING");
	builder_str(b, F_JOB_REASON, 0, reason);
	builder_str(b, F_JOB_DEPENDENCY, 0, dependency);
	builder_str(b, F_JOB_RESERVATION, 0, strcmp(reason, "Reservation") == 0 ? "r" : NULL);
	builder_u32(b, F_JOB_PRIORITY, 0, priority);
	builder_i64(b, F_JOB_ELIGIBLE, 0, eligible);
	builder_i64(b, F_JOB_ACCRUE, 0, 0);
	builder_i64(b, F_JOB_START, 0, 9000);
	return builder_seal(b, NULL);
}

struct waiting {
	const char *edit, *reason, *dependency;
	int64_t eligible;
	uint32_t priority;
	enum job_kind kind;
	const char *then;
	int64_t then_eligible, accrue;
};

static void check_waiting(const struct waiting *t)
{
	struct cluster *base = one_waits(t->reason, t->dependency, t->eligible, t->priority);
	struct whatif *w = edits_list(t->edit, NULL);
	struct cluster *c = edits_apply(w, base);

	if (job_kind_of(c, 0) != t->kind || cluster_i64(c, F_JOB_ELIGIBLE, 0) != t->then_eligible ||
	    cluster_i64(c, F_JOB_ACCRUE, 0) != t->accrue)
		fail_msg("%s of %s: kind %d, eligible %ld, accrue %ld", t->edit, t->reason,
			 (int)job_kind_of(c, 0), (long)cluster_i64(c, F_JOB_ELIGIBLE, 0),
			 (long)cluster_i64(c, F_JOB_ACCRUE, 0));
	assert_string_equal(cluster_text(c, F_JOB_REASON, 0), t->then);
	cluster_free(c);
	whatif_free(w);
	cluster_free(base);
}

/* The scheduler's reason and start for the original job do not apply to the edited one. */
static void test_said(void **state)
{
	static const char *const tests[][3] = {
		{ "job:1.nodes = 1", "PartitionNodeLimit", "None" },
		{ "job:1.time_limit = 1", "PartitionTimeLimit", "None" },
		{ "job:1.time_limit = 1", "BadConstraints", "BadConstraints" },
		{ "job:1.nodes = 1", "Resources", "Resources" },
		{ "job:1.nice = 1", "PartitionNodeLimit", "PartitionNodeLimit" },
		{ "job:1.hold = yes", "Priority", "Priority" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		struct cluster *base = one_waits(tests[i][1], NULL, 900, 7);
		struct whatif *w = edits_list(tests[i][0], NULL);
		struct cluster *c = edits_apply(w, base);

		assert_int_equal(cluster_i64(base, F_JOB_START, 0), 9000);
		assert_int_equal(cluster_i64(c, F_JOB_START, 0), I64_UNKNOWN);
		assert_string_equal(cluster_text(c, F_JOB_REASON, 0), tests[i][2]);
		cluster_free(c);
		whatif_free(w);
		cluster_free(base);
	}
}

/* Why a job is not considered, before and after an edit: the dependency comes first. */
static void test_waiting(void **state)
{
	static const struct waiting tests[] = {
		{ "job:1.begin = now", "BeginTime", NULL, 9000, 7, JOB_PENDING, "None", 5000,
		  5000 },
		{ "job:1.begin = +1h", "Priority", NULL, 900, 7, JOB_FUTURE, "BeginTime", 8600, 0 },
		{ "job:1.begin = 100", "BeginTime", NULL, 9000, 7, JOB_PENDING, "None", 5000,
		  5000 },
		{ "job:1.begin = now", "Resources", NULL, 900, 7, JOB_PENDING, "Resources", 5000,
		  5000 },
		{ "job:1.begin = now", "Dependency", "afterok:9", 9000, 7, JOB_DEPENDENT,
		  "Dependency", 5000, 0 },
		{ "job:1.begin = now", "JobHeldUser", NULL, 9000, 0, JOB_HELD, "JobHeldUser", 5000,
		  0 },
		{ "job:1.dependency =", "DependencyNeverSatisfied", "afterok:9", I64_UNKNOWN, 7,
		  JOB_PENDING, "None", 5000, 5000 },
		{ "job:1.dependency = none", "Dependency", "afterok:9", 9000, 7, JOB_FUTURE,
		  "BeginTime", 9000, 0 },
		{ "job:1.dependency = afterany:8", "Priority", NULL, 900, 7, JOB_DEPENDENT,
		  "Dependency", 900, 0 },
		{ "job:1.reservation = none", "Reservation", NULL, 0, 7, JOB_PENDING, "None", 5000,
		  5000 },
		{ "job:1.hold = no", "JobHeldUser", NULL, 9000, 0, JOB_FUTURE, "BeginTime", 9000,
		  0 },
		{ "job:1.hold = no", "JobHeldUser", "afterok:9", 900, 0, JOB_DEPENDENT,
		  "Dependency", 900, 0 },
		{ "job:1.hold = no", "JobHeldUser", NULL, 900, 0, JOB_PENDING, "None", 900, 5000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		check_waiting(&tests[i]);
}

static void test_no_such_reservation(void **state)
{
	struct cluster *base = one_waits("Priority", NULL, 900, 7), *c;
	struct whatif *w = edits_list("job:1.reservation = r", NULL);

	(void)state;
	c = whatif_apply(w, base);
	assert_non_null(strstr(w->entries[0].problem, "unknown reservation \"r\""));
	assert_null(cluster_text(c, F_JOB_RESERVATION, 0));
	cluster_free(c);
	whatif_free(w);
	cluster_free(base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_said),
		cmocka_unit_test(test_no_such_reservation),
	};

	return cmocka_run_group_tests_name("job_edits", tests, NULL, NULL);
}
