/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nine factors with all terms, and the full ranking of 1,000,000 pending jobs, against glibc's
 * qsort of as many doubles, alternating in one process. As in a what-if, the jobs are computed
 * repeatedly over one index into the same memory. CPU time, medians of nine rounds after a warm-up
 * round. The second line includes the index, which is made once per picture.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/mem.h"
#include "core/queue/priority.h"
#include "core/queue/queue_order.h"
#include "tests/bench/bench.h"

#define JOBS 1000000U
#define ASSOCS 10000U
#define ROUNDS 9

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint32_t draw(uint32_t below)
{
	static uint64_t seed = 1;

	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((seed >> 33) % below);
}

static int compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *list)
{
	qsort(list, ROUNDS, sizeof(*list), compare_double);
	return list[ROUNDS / 2];
}

static void add_assocs(struct builder *b)
{
	char name[16];

	for (uint32_t i = 0; i < ASSOCS; i++) {
		uint32_t row = builder_add(b, TABLE_ASSOC);

		snprintf(name, sizeof(name), "a%u", i);
		builder_u32(b, F_ASSOC_ID, row, i + 1);
		if (i > 0)
			builder_u32(b, F_ASSOC_PARENT, row, 1);
		builder_str(b, F_ASSOC_ACCOUNT, row, name);
		builder_u32(b, F_ASSOC_PRIORITY, row, draw(100));
	}
}

static const char *const partitions[] = { "normal", "high", "low", "bill" };
static const char *const qos[] = { "normal", "high", "low" };

static void add_tables(struct builder *b, struct tres_item *items)
{
	items[0].tres = builder_tres_row(b, "cpu", 3);
	items[1].tres = builder_tres_row(b, "mem", 3);
	items[2].tres = builder_tres_row(b, "node", 4);
	items[0].count = 8000;
	items[1].count = 1e7;
	items[2].count = 100;
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t row = builder_add(b, TABLE_PARTITION);

		builder_str(b, F_PARTITION_NAME, row, partitions[i]);
		builder_u32(b, F_PARTITION_JOB_FACTOR, row, draw(100));
		builder_u32(b, F_PARTITION_TIER, row, 1 + i / 2);
		builder_tres(b, F_PARTITION_TRES, row, items, 3);
	}
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t row = builder_add(b, TABLE_QOS);

		builder_str(b, F_QOS_NAME, row, qos[i]);
		builder_u32(b, F_QOS_PRIORITY, row, draw(100));
	}
	for (uint32_t i = 0; i < 100; i++)
		builder_u32(b, F_HOST_CPUS, builder_add(b, TABLE_HOST), 80);
}

static void add_jobs(struct builder *b, struct tres_item *items)
{
	for (uint32_t i = 0; i < JOBS; i++) {
		uint32_t row = builder_add(b, TABLE_JOB);

		builder_u32(b, F_JOB_ID, row, i + 1);
		builder_u32(b, F_JOB_ASSOC, row, 2 + draw(ASSOCS - 2));
		builder_str(b, F_JOB_PARTITION, row, partitions[draw(4)]);
		builder_str(b, F_JOB_QOS, row, qos[draw(3)]);
		builder_str(b, F_JOB_STATE, row, "PENDING");
		builder_i64(b, F_JOB_SUBMIT, row, 1000000 + i / 7);
		builder_i64(b, F_JOB_ACCRUE, row, 1000000 + i / 7);
		builder_u32(b, F_JOB_PRIORITY, row, 1);
		builder_u32(b, F_JOB_CPUS, row, 1 + draw(64));
		builder_i64(b, F_JOB_TIME_LIMIT, row, 3600);
		builder_i64(b, F_JOB_NICE, row, draw(10) ? 0 : draw(100));
		items[0].count = 1 + draw(64);
		items[1].count = draw(100) * 1000;
		items[2].count = 1 + draw(4);
		builder_tres(b, F_JOB_TRES, row, items, 3);
	}
}

static struct policy weights(const struct cluster *c)
{
	struct policy p = *cluster_policy(c);

	p.weight[PRIO_AGE] = 1000;
	p.weight[PRIO_ASSOC] = 100;
	p.weight[PRIO_FAIRSHARE] = 100000;
	p.weight[PRIO_JOBSIZE] = 500;
	p.weight[PRIO_PARTITION] = 1000;
	p.weight[PRIO_QOS] = 2000;
	snprintf(p.weight_tres, sizeof(p.weight_tres), "cpu=100,mem=50");
	return p;
}

int main(void)
{
	double factors[ROUNDS], ranks[ROUNDS], base[ROUNDS], t, both;
	double *random = mem_alloc(JOBS, sizeof(*random)),
	       *sorted = mem_alloc(JOBS, sizeof(*sorted));
	struct builder *b = builder_new();
	struct tres_item items[3];
	double fairshare[ASSOCS];
	struct err err;

	add_assocs(b);
	add_tables(b, items);
	add_jobs(b, items);
	struct cluster *c = builder_seal(b, &err);
	struct policy p = weights(c);
	struct preempt *preempt = preempt_new(c, &p);

	t = now();
	struct job_index *x = job_index_new(c);
	double index = now() - t;	/* once per picture */

	for (uint32_t i = 0; i < ASSOCS; i++)
		fairshare[i] = draw(1000000) / 1e6;
	for (uint32_t i = 0; i < JOBS; i++)
		random[i] = draw(1U << 30);
	struct prio_input in = { x, &p, fairshare, 1200000 };
	struct prio_result *r = NULL;
	struct queue_order *q;

	for (unsigned k = 0; k < ROUNDS; k++) {
		prio_result_free(r);
		t = now();
		r = prio_run(&in);
		factors[k] = now() - t;
		t = now();
		q = queue_order_new(x, &p, preempt, r->priority);
		ranks[k] = now() - t;
		queue_order_free(q);
		memcpy(sorted, random, JOBS * sizeof(*sorted));
		t = now();
		qsort(sorted, JOBS, sizeof(*sorted), compare_double);
		base[k] = now() - t;
	}
	both = median(factors) + median(ranks);
	printf("%u jobs, six factors and two TRES weighted, two tiers; CPU time, medians of %d\n",
	       JOBS, ROUNDS);
	printf("  qsort of the doubles %.1f ms, index %.1f ms\n", median(base) * 1e3, index * 1e3);
	bench_judge(both / median(base), "times", BENCH_NO_TARGET,
		    "factors %.1f ms and ranking %.1f ms", median(factors) * 1e3,
		    median(ranks) * 1e3);
	bench_judge((both + index) / median(base), "times", BENCH_NO_TARGET,
		    "the same and the index");
	bench_judge((double)cluster_bytes(c) / JOBS, "bytes a job", 500, "memory");
	prio_result_free(r);
	preempt_free(preempt);
	job_index_free(x);
	cluster_free(c);
	mem_free(random);
	mem_free(sorted);
	return 0;
}
