/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocating 1,000 pools of 100 queues each against glibc's qsort() of as many random doubles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/pools/slots.h"
#include "tests/bench/bench.h"
#include "tests/support/gen_tree.h"

#define RUNS 15u
#define POOLS 1000u
#define QUEUES 100u
#define ALL (POOLS * QUEUES)

struct site {
	struct slots_pool pools[POOLS];
	struct slots_queue *queues, *start;
	uint32_t *orders;
	double *random, *sorted;
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sort_doubles(void *context)
{
	struct site *s = context;

	memcpy(s->sorted, s->random, ALL * sizeof(double));
	qsort(s->sorted, ALL, sizeof(double), compare);
}

static void begin(struct site *s)
{
	memcpy(s->queues, s->start, ALL * sizeof(*s->queues));
	for (uint32_t k = 0; k < POOLS; k++) {
		slots_pool_init(&s->pools[k], s->queues + k * QUEUES, s->orders + k * QUEUES,
				QUEUES);
		s->pools[k].host_slots = 5000;
	}
}

static void allocate(void *context)
{
	struct site *s = context;

	begin(s);
	for (uint32_t k = 0; k < POOLS; k++)
		slots_allocate(&s->pools[k], NULL, NULL);
}

int main(void)
{
	static struct site s;
	struct bench benches[] = {
		{ .name = "qsort", .run = sort_doubles, .context = &s },
		{ .name = "one allocation", .run = allocate, .context = &s },
	};
	uint64_t seed = 1;

	s.queues = mem_alloc(ALL, sizeof(*s.queues));
	s.start = mem_zalloc(ALL, sizeof(*s.start));
	s.orders = mem_alloc(ALL, sizeof(*s.orders));
	s.random = mem_alloc(ALL, sizeof(double));
	s.sorted = mem_alloc(ALL, sizeof(double));
	for (uint32_t i = 0; i < ALL; i++) {
		s.random[i] = gen_unit(&seed);
		s.start[i].share = 1 + (uint32_t)(gen_unit(&seed) * 3);
		s.start[i].priority = (int64_t)(gen_unit(&seed) * 50);
		s.start[i].demand = (uint32_t)(gen_unit(&seed) * 200);
		s.start[i].limit = gen_unit(&seed) < 0.1 ? 20 : SLOTS_NO_LIMIT;
		s.start[i].accumulated = gen_unit(&seed) * 300;
	}
	printf("%u pools of %u queues (medians of %u turns)\n", POOLS, QUEUES, RUNS);
	bench_run(benches, 2, RUNS, 1);
	bench_ratio(&benches[1], &benches[0], RUNS, 1);
	mem_free(s.queues);
	mem_free(s.start);
	mem_free(s.orders);
	mem_free(s.random);
	mem_free(s.sorted);
	return 0;
}
