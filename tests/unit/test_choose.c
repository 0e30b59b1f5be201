/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which nodes a job gets, and what a backfill cycle counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "core/base/mem.h"
#include "core/cluster/policy.h"
#include "core/sim/backfill.h"
#include "core/sim/choose.h"

/* As a real slurmctld (22.05): "-n 6" on 2, 0, 1 and 4 free CPUs; "-n 1 --gres=gpu:1". */
static void chosen_nodes(void **state)
{
	struct site_node nodes[] = { { .free = 2 }, { .free = 0 }, { .free = 1 }, { .free = 4 } };
	struct site_job job = { .cpus = 6, .cpus_per_task = 1, .min_nodes = 1,
				.max_nodes = U32_INFINITE };
	const struct site s = { .node_count = 4, .words = 1 };
	const uint64_t all = 15;
	struct site_share shares[5];

	(void)state;
	assert_int_equal(choose_nodes(&s, nodes, &job, &all, shares), 3);
	assert_int_equal(shares[0].node, 0);
	assert_int_equal(shares[0].cpus, 1);
	assert_int_equal(shares[1].node, 2);
	assert_int_equal(shares[2].node, 3);
	for (uint32_t i = 0; i < 4; i++)
		nodes[i] = (struct site_node){ .free = 4 - i, .free_gres = { 4 } };
	job.cpus = 1;
	assert_int_equal(choose_nodes(&s, nodes, &job, &all, shares), 1);
	assert_int_equal(shares[0].node, 3);	/* the tightest fit */
	job.gres[0] = 1;
	assert_int_equal(choose_nodes(&s, nodes, &job, &all, shares), 1);
	assert_int_equal(shares[0].node, 0);	/* every node offers the one CPU needed */
}

/*
 * By choose_nodes() and _eval_nodes() of cons_tres: "-N 2 -n 6" does not fit on the first two of 4,
 * 1, 1, 4 free CPUs, so small nodes are skipped; "-N 1-3 -n 4" gets three nodes, or as many as
 * there are; "-N 2 -n 4" gets two although one would do.
 */
static void chosen_ranges(void **state)
{
	struct site_node nodes[] = { { .free = 4 }, { .free = 1 }, { .free = 1 }, { .free = 4 } };
	struct site_job job = { .cpus = 6, .cpus_per_task = 1, .min_nodes = 2, .max_nodes = 2,
				.wanted_nodes = 2 };
	const struct site s = { .node_count = 4, .words = 1 };
	const uint64_t all = 15, two = 3;
	struct site_share shares[5];

	(void)state;
	assert_int_equal(choose_nodes(&s, nodes, &job, &all, shares), 2);
	assert_int_equal(shares[0].node, 0);
	assert_int_equal(shares[1].node, 3);
	job.cpus = 9;
	assert_int_equal(choose_nodes(&s, nodes, &job, &all, shares), 0);
	job.cpus = 4;
	assert_int_equal(choose_nodes(&s, nodes, &job, &all, shares), 2);
	job.min_nodes = 1;
	job.max_nodes = job.wanted_nodes = 3;
	assert_int_equal(choose_nodes(&s, nodes, &job, &all, shares), 3);
	assert_int_equal(choose_nodes(&s, nodes, &job, &two, shares), 2);
}

/* A limit per association disables the limit per user, as slurmctld's log says. */
static void which_count(void **state)
{
	static const char both[] = "bf_max_job_user=2,bf_max_job_assoc=3";
	struct policy *p = mem_zalloc(1, sizeof(*p));
	struct backfill_options o;

	(void)state;
	snprintf(p->scheduler_parameters, sizeof(p->scheduler_parameters), "%s", both);
	backfill_options_of(p, &o);
	assert_int_equal(o.max_job_user, 0);
	assert_int_equal(o.max_job_assoc, 3);
	snprintf(p->scheduler_parameters, sizeof(p->scheduler_parameters), "%.17s", both);
	backfill_options_of(p, &o);
	assert_int_equal(o.max_job_user, 2);
	mem_free(p);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(chosen_nodes),
		cmocka_unit_test(chosen_ranges),
		cmocka_unit_test(which_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
