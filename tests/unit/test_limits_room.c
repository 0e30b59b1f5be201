/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a job is pending: limits of associations (assoc_load) and free resources on the nodes
 * (placement). The cases are small enough to work out by hand from sacctmgr(1) and slurm.conf(5).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/cluster/assoc_load.h"
#include "core/queue/placement.h"
#include "tests/support/lab.h"

#define NOW 1000000

enum { CPU, MEM, NODE, GPU };
enum { ROOT, PHYSICS, ALICE, BOB };
enum { SMALL, WIDE, LICENSED, DEVICE, EITHER, UNTOLD, NOWHERE };

static uint32_t add_assoc(struct builder *b, uint32_t parent, const char *account,
			  const char *user)
{
	const uint32_t row = builder_add(b, TABLE_ASSOC);

	builder_u32(b, F_ASSOC_ID, row, row + 1);
	if (row > 0)
		builder_u32(b, F_ASSOC_PARENT, row, parent + 1);
	builder_str(b, F_ASSOC_ACCOUNT, row, account);
	builder_str(b, F_ASSOC_USER, row, user);
	return row;
}

static void add_host(struct builder *b, const char *name, const char *state, const char *partition,
		     double gpus)
{
	const struct tres_item items[] = { { CPU, 8 }, { MEM, 1000 }, { NODE, 1 }, { GPU, gpus } };
	const uint32_t row = builder_add(b, TABLE_HOST);

	builder_str(b, F_HOST_NAME, row, name);
	builder_str(b, F_HOST_STATE, row, state);
	builder_list(b, F_HOST_PARTITIONS, row, &partition, 1);
	builder_tres(b, F_HOST_TRES, row, items, gpus > 0 ? 4 : 3);
}

static void add_job(struct builder *b, const char *partition, uint32_t nodes, double cpus,
		    double gpus, const char *licenses)
{
	const struct tres_item items[] = {
		{ CPU, cpus }, { MEM, 100.0 * nodes }, { NODE, nodes }, { GPU, gpus },
	};
	const uint32_t row = builder_add(b, TABLE_JOB);

	builder_str(b, F_JOB_PARTITION, row, partition);
	builder_u32(b, F_JOB_NODES, row, nodes);
	builder_i64(b, F_JOB_TIME_LIMIT, row, 3600);
	builder_str(b, F_JOB_LICENSES, row, licenses);
	builder_tres(b, F_JOB_TRES, row, items, gpus > 0 ? 4 : 3);
}

static struct cluster *site(void)
{
	static const char *const tres[] = { "cpu", "mem", "node", "gres/gpu" };
	const struct cluster_meta meta = { .kind = "test", .time = NOW };
	struct builder *b = builder_new();

	builder_meta(b, &meta);
	for (uint32_t i = 0; i < 4; i++)
		builder_tres_row(b, tres[i], strlen(tres[i]));
	add_assoc(b, ROW_NONE, "root", NULL);
	add_assoc(b, ROOT, "physics", NULL);
	add_assoc(b, PHYSICS, "physics", "alice");
	add_assoc(b, PHYSICS, "physics", "bob");
	add_host(b, "c1", "IDLE", "batch", 0);
	add_host(b, "c2", "DOWN*", "batch", 0);
	add_host(b, "c3", "IDLE", "batch", 0);
	add_host(b, "g1", "IDLE", "gpu", 2);
	add_job(b, "batch", 1, 4, 0, NULL);
	add_job(b, "batch", 2, 8, 0, NULL);
	add_job(b, "batch", 1, 1, 0, "comsol,matlab:2");
	add_job(b, "gpu", 1, 4, 1, NULL);
	add_job(b, "batch", 1, 1, 0, "matlab:2|ansys");
	add_job(b, "batch", 1, 1, 0, "untold");
	add_job(b, "batch", 1, 1, 0, "nowhere");
	builder_add(b, TABLE_LICENSE);
	builder_str(b, F_LICENSE_NAME, 0, "matlab");
	builder_u32(b, F_LICENSE_TOTAL, 0, 3);
	builder_add(b, TABLE_LICENSE);
	builder_str(b, F_LICENSE_NAME, 1, "ansys");
	builder_u32(b, F_LICENSE_TOTAL, 1, 1);
	builder_add(b, TABLE_LICENSE);
	builder_str(b, F_LICENSE_NAME, 2, "comsol");
	builder_u32(b, F_LICENSE_TOTAL, 2, 1);
	builder_add(b, TABLE_LICENSE);
	builder_str(b, F_LICENSE_NAME, 3, "untold");
	builder_u32(b, F_ASSOC_GRP_JOBS, PHYSICS, 3);
	builder_u32(b, F_ASSOC_MAX_JOBS, ALICE, 2);
	builder_tres(b, F_ASSOC_GRP_TRES, PHYSICS,
		     (const struct tres_item[]){ { CPU, 12 }, { GPU, 1 } }, 2);
	builder_tres(b, F_ASSOC_GRP_TRES_RUN_MINS, BOB,
		     (const struct tres_item[]){ { CPU, 500 } }, 1);
	return lab_sealed(b);
}

static const char *refuses(const struct assoc_load *l, const struct cluster *c, uint32_t assoc,
			   uint32_t job)
{
	const char *reason = assoc_load_refuses(l, assoc, c, job, NOW);

	return reason ? reason : "";
}

static void test_limits(void **state)
{
	struct cluster *c = site();
	struct assoc_load *l = assoc_load_new(c);

	(void)state;
	assert_string_equal(refuses(l, c, ALICE, SMALL), "");
	assoc_load_run(l, ALICE, c, SMALL, NOW + 3600, 1);
	assoc_load_run(l, ALICE, c, DEVICE, NOW + 3600, 1);
	assert_string_equal(refuses(l, c, ALICE, SMALL), "AssocMaxJobsLimit");
	/* 8 of 12 CPUs are in use, and the one device that physics may use. */
	assert_string_equal(refuses(l, c, BOB, SMALL), "");
	assert_string_equal(refuses(l, c, BOB, WIDE), "AssocGrpCpuLimit");
	assert_string_equal(refuses(l, c, BOB, DEVICE), "AssocGrpGRES");
	/* 4 CPUs for an hour are 240 minutes, 8 more are 480: together more than 500. */
	assoc_load_run(l, ALICE, c, DEVICE, NOW + 3600, -1);
	assoc_load_run(l, BOB, c, SMALL, NOW + 3600, 1);
	assert_string_equal(refuses(l, c, BOB, WIDE), "AssocGrpCPURunMinutesLimit");
	assert_string_equal(refuses(l, c, BOB, SMALL), "");
	assert_non_null(assoc_load_refuses(l, BOB, c, WIDE, NOW + 3000));
	assoc_load_run(l, ALICE, c, SMALL, NOW + 3600, -1);
	assert_null(assoc_load_refuses(l, BOB, c, WIDE, NOW + 3600));
	assoc_load_run(l, ALICE, c, SMALL, NOW + 3600, 1);
	assoc_load_run(l, ALICE, c, LICENSED, NOW + 3600, 1);
	assert_string_equal(refuses(l, c, BOB, LICENSED), "AssocGrpJobsLimit");
	assoc_load_free(l);
	cluster_free(c);
}

static double amount(struct tres_list list, uint32_t tres)
{
	for (uint32_t i = 0; i < list.count; i++)
		if (list.items[i].tres == tres)
			return list.items[i].count;
	return 0;
}

/* Returns a builder with the rows of C, for further values. */
static struct builder *rows_of(const struct cluster *c)
{
	struct builder *b = builder_new();

	builder_keep_usage(b);
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_TRES); i++)
		builder_tres_row(b, cluster_tres_name(c, i), strlen(cluster_tres_name(c, i)));
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++)
		add_assoc(b, i == PHYSICS ? ROOT : PHYSICS, cluster_text(c, F_ASSOC_ACCOUNT, i),
			  cluster_text(c, F_ASSOC_USER, i));
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_HOST); i++)
		builder_str(b, F_HOST_STATE, builder_add(b, TABLE_HOST), "as it was");
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_LICENSE); i++)
		builder_add(b, TABLE_LICENSE);
	return b;
}

static void test_counts(void **state)
{
	struct cluster *c = site(), *set;
	struct assoc_load *l = assoc_load_new(c);
	struct builder *b = rows_of(c);
	struct tres_list used, left;

	(void)state;
	assoc_load_submit(l, ALICE, 5);
	assoc_load_submit(l, BOB, 1);
	assoc_load_submit(l, ALICE, -2);
	assoc_load_run(l, ALICE, c, WIDE, NOW + 100, 1);
	assoc_load_run(l, BOB, c, DEVICE, NOW + 50, 1);
	assert_int_equal(assoc_load_submitted(l, ROOT), 4);
	assoc_load_set(l, b, NOW + 10);
	set = lab_sealed(b);
	assert_int_equal(cluster_u32(set, F_ASSOC_USED_SUBMIT, ALICE), 3);
	assert_int_equal(cluster_u32(set, F_ASSOC_USED_JOBS, ALICE), 1);
	assert_int_equal(cluster_u32(set, F_ASSOC_USED_JOBS, ROOT), 2);
	used = cluster_tres(set, F_ASSOC_USED_TRES, PHYSICS);
	left = cluster_tres(set, F_ASSOC_USED_TRES_RUN_SECS, PHYSICS);
	assert_true(amount(used, CPU) == 12 && amount(used, NODE) == 3 && amount(used, GPU) == 1);
	assert_true(amount(left, CPU) == 8 * 90 + 4 * 40 && amount(left, GPU) == 40);
	assert_true(amount(cluster_tres(set, F_ASSOC_USED_TRES, BOB), CPU) == 4);
	cluster_free(set);
	assoc_load_free(l);
	cluster_free(c);
}

static void test_room(void **state)
{
	struct cluster *c = site();
	struct placement *p = placement_new(c);
	uint32_t hosts[2], other[2];

	(void)state;
	/* c2 is down: the two nodes are c1 and c3, with 4 of 8 CPUs each. */
	assert_null(placement_find(p, WIDE, hosts));
	assert_true(hosts[0] == 0 && hosts[1] == 2);
	placement_use(p, WIDE, hosts, 1);
	assert_null(placement_find(p, SMALL, other));
	assert_int_equal(other[0], 0);
	placement_use(p, SMALL, other, 1);
	assert_null(placement_find(p, SMALL, other));
	assert_int_equal(other[0], 2);
	assert_string_equal(placement_find(p, WIDE, other), "Resources");
	placement_use(p, WIDE, hosts, -1);
	assert_null(placement_find(p, WIDE, other));
	assert_null(placement_find(p, LICENSED, other));
	placement_use(p, LICENSED, other, 1);
	assert_string_equal(placement_find(p, LICENSED, other), "Licenses");
	/* Only one of its two licenses is free. */
	assert_null(placement_find(p, EITHER, other));
	assert_null(placement_find(p, DEVICE, other));
	assert_int_equal(other[0], 3);
	/* A license whose count, or existence, is unknown is not available. */
	assert_string_equal(placement_find(p, UNTOLD, other), "Licenses");
	assert_string_equal(placement_find(p, NOWHERE, other), "Licenses");
	placement_free(p);
	cluster_free(c);
}

static void test_states(void **state)
{
	struct cluster *c = site(), *set;
	struct placement *p = placement_new(c);
	struct builder *b = rows_of(c);
	uint32_t first = 0, wide[] = { 0, 2 }, job;

	(void)state;
	placement_use(p, SMALL, &first, 1);
	placement_use(p, WIDE, wide, 1);
	placement_use(p, LICENSED, &wide[1], 1);
	placement_set(p, b);
	job = builder_add(b, TABLE_JOB);
	placement_set_job(p, WIDE, wide, b, job);
	set = lab_sealed(b);
	assert_string_equal(cluster_text(set, F_HOST_STATE, 0), "ALLOCATED");
	assert_string_equal(cluster_text(set, F_HOST_STATE, 1), "as it was");
	assert_string_equal(cluster_text(set, F_HOST_STATE, 2), "MIXED");
	assert_string_equal(cluster_text(set, F_HOST_STATE, 3), "IDLE");
	assert_int_equal(cluster_u32(set, F_HOST_CPUS_USED, 0), 8);
	assert_int_equal(cluster_u32(set, F_HOST_CPUS_USED, 2), 5);
	assert_true(amount(cluster_tres(set, F_HOST_TRES_USED, 0), MEM) == 200);
	assert_true(amount(cluster_tres(set, F_HOST_TRES_USED, 0), NODE) == 0);
	assert_int_equal(cluster_tres(set, F_HOST_TRES_USED, 3).count, 0);
	assert_int_equal(cluster_u32(set, F_LICENSE_USED, 0), 2);
	assert_string_equal(cluster_text(set, F_JOB_NODE_LIST, job), "c[1,3]");
	assert_true(amount(cluster_tres(set, F_JOB_TRES_ALLOC, job), CPU) == 8);
	cluster_free(set);
	placement_free(p);
	cluster_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_states),
	};

	return cmocka_run_group_tests_name("limits and room", tests, NULL, NULL);
}
