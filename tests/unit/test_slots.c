/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slot pools: the worked cases of the kinds "pool" and "dispatch_order" (the document's examples
 * and the vendor's scenarios among them), and rules for every allocation, on generated pools.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/pools/slots.h"
#include "tests/support/worked.h"

#define MANY 40

struct grants {
	struct slots_grant list[4096];
	size_t count;
};

static void collect(void *context, const struct slots_grant *grant)
{
	struct grants *g = context;

	assert_true(g->count < sizeof(g->list) / sizeof(g->list[0]));
	g->list[g->count++] = *grant;
}

static uint32_t number(const json_t *o, const char *key, uint32_t otherwise)
{
	json_t *v = json_object_get(o, key);

	return json_is_number(v) ? (uint32_t)json_number_value(v) : otherwise;
}

static const char *name_of(json_t *queues, size_t i)
{
	return json_string_value(json_object_get(json_array_get(queues, i), "name"));
}

/* The rounds of the case list the grants of more than 0 slots. */
static void check_rounds(const json_t *one, const struct grants *g)
{
	json_t *rounds = json_object_get(json_object_get(one, "expect"), "rounds"), *round, *want;
	json_t *queues = json_object_get(one, "queues");
	size_t granted = 0, expected = 0, i;
	const char *name;

	for (i = 0; i < g->count; i++) {
		round = json_array_get(rounds, g->list[i].round - 1);
		want = json_object_get(round, name_of(queues, g->list[i].queue));
		granted += g->list[i].granted != 0;
		assert_int_equal(g->list[i].granted, want ? json_integer_value(want) : 0);
	}
	json_array_foreach(rounds, i, round)
	{
		json_object_foreach(round, name, want)
			expected++;
	}
	assert_int_equal(granted, expected);
}

static bool check_pool(const json_t *one)
{
	json_t *queues = json_object_get(one, "queues"), *expect = json_object_get(one, "expect"),
	       *q;
	struct slots_queue list[MANY] = { 0 };
	static struct grants g;
	uint32_t order[MANY];
	struct slots_pool p;
	size_t i;

	json_array_foreach(queues, i, q)
	{
		list[i].priority = number(q, "priority", 0);
		list[i].share = number(q, "share", 0);
		list[i].demand = number(q, "demand", 1000000);
		list[i].limit = number(q, "limit", 0);
		list[i].accumulated = number(q, "accumulated", 0);
	}
	slots_pool_init(&p, list, order, (uint32_t)i);
	p.host_slots = number(one, "total", 0);
	p.foreign = number(one, "nonpool_used", 0);
	p.max_slots = number(one, "max_slots", SLOTS_NO_LIMIT);
	p.use_priority = json_is_true(json_object_get(one, "use_priority"));
	g.count = 0;
	slots_allocate(&p, collect, &g);
	assert_int_equal(p.size, number(expect, "pool_slots", 0));
	assert_int_equal(p.idle, number(expect, "unused", 0));
	for (i = 0; i < p.count; i++) {
		json_t *place = json_array_get(json_object_get(expect, "allocation_order"), i);

		assert_int_equal(list[i].allotted, number(json_object_get(expect, "slots"),
							  name_of(queues, i), 9999));
		assert_string_equal(name_of(queues, order[i]), json_string_value(place));
		assert_int_equal(list[order[i]].order, i);
	}
	check_rounds(one, &g);
	return true;
}

static uint32_t pool_number(json_t *q)
{
	json_t *pool = json_object_get(q, "pool");

	return json_is_string(pool) ? (uint32_t)json_string_value(pool)[0] : UINT32_MAX;
}

static void check_dispatch(const json_t *one, bool grouped)
{
	json_t *queues = json_object_get(one, "queues"), *q;
	json_t *want =
		json_object_get(json_object_get(one, "expect"), grouped ? "grouped" : "order");
	struct slots_dispatch list[MANY];
	uint32_t order[MANY];
	size_t i;

	json_array_foreach(queues, i, q)
		list[i] = (struct slots_dispatch){ number(q, "priority", 0), pool_number(q) };
	slots_dispatch_order(list, (uint32_t)i, grouped, order);
	while (i-- > 0)
		assert_string_equal(name_of(queues, order[i]),
				    json_string_value(json_array_get(want, i)));
}

static bool check_dispatches(const json_t *one)
{
	check_dispatch(one, false);
	check_dispatch(one, true);
	return true;
}

static void test_worked_pools(void **state)
{
	(void)state;
	worked_hold("pool", 14, check_pool);
}

static void test_worked_dispatch_orders(void **state)
{
	(void)state;
	worked_hold("dispatch_order", 2, check_dispatches);
}

/* ---- properties ---------------------------------------------------------------------------- */

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*seed >> 33) % below);
}

static void generate(uint64_t seed, struct slots_pool *p, struct slots_queue *list, uint32_t *order)
{
	uint32_t n = 1 + draw(&seed, MANY - 1);

	memset(list, 0, MANY * sizeof(*list));
	for (uint32_t i = 0; i < n; i++) {
		list[i].priority = draw(&seed, 8);
		list[i].share = 1 + draw(&seed, 100);
		list[i].demand = draw(&seed, 3) == 0 ? 0 : draw(&seed, 200);
		list[i].limit = draw(&seed, 4) == 0 ? 1 + draw(&seed, 30) : 0;
		list[i].accumulated = draw(&seed, 5) * 10;
	}
	slots_pool_init(p, list, order, n);
	p->host_slots = draw(&seed, 500);
	p->foreign = draw(&seed, 3) == 0 ? draw(&seed, 600) : 0;
	p->use_priority = draw(&seed, 3) == 0;
	p->strict = draw(&seed, 5) == 0;
	if (draw(&seed, 4) == 0)
		p->max_slots = draw(&seed, 300);
}

static void test_every_allocation_obeys(void **state)
{
	struct slots_queue list[MANY];
	uint32_t order[MANY];
	struct slots_pool p;

	(void)state;
	for (uint64_t seed = 1; seed <= 3000; seed++) {
		uint32_t sum = 0;
		bool wanted = false;

		generate(seed, &p, list, order);
		slots_allocate(&p, NULL, NULL);
		for (uint32_t i = 0; i < p.count; i++) {
			sum += list[i].allotted;
			assert_true(list[i].allotted <= list[i].demand);
			assert_true(list[i].allotted <= list[i].limit);
			wanted |= list[i].allotted < list[i].demand &&
				  list[i].allotted < list[i].limit;
		}
		assert_int_equal(sum + p.idle, p.size);
		if (!p.strict)
			assert_false(p.idle != 0 && wanted);
	}
}

/*
 * Reversing the file affects ties only: here queues differ in accumulated / share or PRIORITY.
 */
static void test_permuting_the_file_changes_only_ties(void **state)
{
	struct slots_queue list[MANY], turned[MANY];
	uint32_t order[MANY], turned_order[MANY];
	struct slots_pool p, q;

	(void)state;
	for (uint64_t seed = 1; seed <= 1000; seed++) {
		generate(seed, &p, list, order);
		for (uint32_t i = 0; i < p.count; i++) {
			list[i].accumulated = 1 + i * list[i].share;
			list[i].priority = i;
		}
		q = p;
		q.queues = turned;
		q.order = turned_order;
		for (uint32_t i = 0; i < p.count; i++) {
			turned[i] = list[p.count - 1 - i];
			turned_order[i] = i;
		}
		slots_allocate(&p, NULL, NULL);
		slots_allocate(&q, NULL, NULL);
		for (uint32_t i = 0; i < p.count; i++)
			assert_int_equal(list[i].allotted, turned[p.count - 1 - i].allotted);
	}
}

/* ---- cycle after cycle --------------------------------------------------------------------- */

#define CROWD 300

/* Compares accumulated * the other's share by mantissa and exponent: integers, nothing rounds. */
static int compare_ratios(const struct slots_queue *x, const struct slots_queue *y)
{
	int x_exponent, y_exponent;
	int64_t a = (int64_t)ldexp(frexp(x->accumulated, &x_exponent), 53) * (int64_t)y->share;
	int64_t b = (int64_t)ldexp(frexp(y->accumulated, &y_exponent), 53) * (int64_t)x->share;

	if (a == 0 || b == 0)
		return (a > 0) - (b > 0);
	/* Both products have 53 to 60 bits: from a difference of 8 on the exponent decides. */
	if (x_exponent - y_exponent >= 8 || y_exponent - x_exponent >= 8)
		return x_exponent > y_exponent ? 1 : -1;
	for (; x_exponent > y_exponent; x_exponent--) {
		if (a > INT64_MAX / 2)
			return 1;
		a *= 2;
	}
	for (; y_exponent > x_exponent; y_exponent--) {
		if (b > INT64_MAX / 2)
			return -1;
		b *= 2;
	}
	return (a > b) - (a < b);
}

static bool comes_first(const struct slots_queue *list, uint32_t a, uint32_t b)
{
	int ratio = compare_ratios(&list[a], &list[b]);

	if (ratio != 0)
		return ratio < 0;
	if (list[a].priority != list[b].priority)
		return list[a].priority > list[b].priority;
	return a < b;
}

/*
 * A plain reference: each queue's place is the number of queues before it; then rounds as in the
 * documents, without use_priority.
 */
static void allocate_plainly(struct slots_pool *p)
{
	uint32_t left = slots_size(p), base;

	p->size = left;
	p->rounds = 0;
	for (uint32_t i = 0; i < p->count; i++) {
		struct slots_queue *q = &p->queues[i];

		q->order = 0;
		q->allotted = 0;
		q->entitled = (left * q->share + 99) / 100;
		for (uint32_t j = 0; j < p->count; j++)
			q->order += j != i && comes_first(p->queues, j, i);
		p->order[q->order] = i;
	}
	do {
		base = left;
		p->rounds++;
		for (uint32_t i = 0; i < p->count; i++) {
			struct slots_queue *q = &p->queues[p->order[i]];
			uint32_t got = (base * q->share + 99) / 100;
			uint32_t can_use = q->demand < q->limit ? q->demand : q->limit;

			if (got > can_use - q->allotted)
				got = can_use - q->allotted;
			if (got > left)
				got = left;
			q->allotted += got;
			left -= got;
		}
	} while (left != 0 && left != base && !p->strict);
	p->idle = left;
}

/* One cycle: accumulates slots with decay, and changes the demand of some queues. */
static void live(struct slots_queue *list, uint32_t count, double kept, uint64_t *seed)
{
	uint32_t changes = draw(seed, 1 + count / 10);

	for (uint32_t i = 0; i < count; i++)
		list[i].accumulated = list[i].accumulated * kept + list[i].allotted / 60.0;
	for (uint32_t i = 0; i < changes; i++)
		list[draw(seed, count)].demand = draw(seed, 4) == 0 ? 0 : draw(seed, 200);
	if (draw(seed, 20) == 0)
		list[draw(seed, count)].accumulated = draw(seed, 400);
	if (draw(seed, 20) == 0)
		list[draw(seed, count)].share = 1 + draw(seed, 100);
}

static void assert_same(const struct slots_pool *a, const struct slots_pool *b)
{
	assert_int_equal(a->size, b->size);
	assert_int_equal(a->idle, b->idle);
	assert_int_equal(a->rounds, b->rounds);
	assert_memory_equal(a->order, b->order, a->count * sizeof(*a->order));
	for (uint32_t i = 0; i < a->count; i++) {
		assert_int_equal(a->queues[i].order, b->queues[i].order);
		assert_int_equal(a->queues[i].entitled, b->queues[i].entitled);
		assert_int_equal(a->queues[i].allotted, b->queues[i].allotted);
	}
}

/* Each grant begins where its round's last one ended; their sums are the allotted slots. */
static void assert_told(const struct slots_pool *p, const struct grants *g)
{
	uint32_t sums[CROWD] = { 0 }, left = 0, round = 0;

	for (size_t i = 0; i < g->count; i++) {
		const struct slots_grant *one = &g->list[i];

		if (one->round != round)
			left = one->base;
		round = one->round;
		assert_int_equal(one->left, left);
		left -= one->granted;
		sums[one->queue] += one->granted;
	}
	assert_int_equal(left, p->idle);
	assert_int_equal(g->count, (size_t)p->rounds * p->count);
	for (uint32_t i = 0; i < p->count; i++)
		assert_int_equal(sums[i], p->queues[i].allotted);
}

/*
 * A pool that keeps its order over the cycles, one that starts from the order of the file in each,
 * and the plain reference: all equal to the slot and the place, with ties and near ties (queues
 * that start and are served alike stay within rounding of each other).
 */
static void run_course(uint64_t seed, uint32_t count)
{
	static struct slots_queue kept[CROWD], fresh[CROWD], plain[CROWD];
	static uint32_t kept_order[CROWD], fresh_order[CROWD], plain_order[CROWD];
	static struct grants g;
	double decay = slots_accumulate(1, 0, 1 / 60.0, draw(&seed, 2) == 0 ? 5 : 0);
	bool alike = draw(&seed, 3) == 0;
	struct slots_pool a, b, c;

	memset(kept, 0, sizeof(kept));
	for (uint32_t i = 0; i < count; i++) {
		kept[i].share = 1 + draw(&seed, alike ? 7 : 100) % 100;
		kept[i].priority = draw(&seed, 8);
		kept[i].demand = alike ? 200 : draw(&seed, 200);
		kept[i].limit = draw(&seed, 4) == 0 && !alike ? 1 + draw(&seed, 30) : 0;
		kept[i].accumulated = alike ? 0 : draw(&seed, 300) / 10.0;
	}
	slots_pool_init(&a, kept, kept_order, count);
	a.host_slots = 20 * count;
	for (int cycle = 0; cycle < 60; cycle++) {
		bool heard = cycle % 8 == 0 && count <= MANY;

		a.foreign = draw(&seed, 4) == 0 ? draw(&seed, 15 * count) : 0;
		a.strict = draw(&seed, 10) == 0;
		b = c = a;
		memcpy(fresh, kept, sizeof(fresh));
		memcpy(plain, kept, sizeof(plain));
		slots_pool_init(&b, fresh, fresh_order, count);
		b.host_slots = a.host_slots;
		b.foreign = a.foreign;
		b.strict = a.strict;
		c.queues = plain;
		c.order = plain_order;
		g.count = 0;
		slots_allocate(&a, heard ? collect : NULL, &g);
		slots_allocate(&b, NULL, NULL);
		allocate_plainly(&c);
		assert_same(&a, &c);
		assert_same(&b, &c);
		if (heard)
			assert_told(&a, &g);
		live(kept, count, decay, &seed);
	}
}

static void test_cycles_are_as_if_each_were_the_first(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 150; seed++)
		run_course(seed, 1 + (uint32_t)(seed * 7 % (MANY - 1)));
	for (uint64_t seed = 1; seed <= 6; seed++)
		run_course(seed, 60 + 40 * (uint32_t)seed);
}

static void test_accumulated_slots_decay(void **state)
{
	(void)state;
	assert_true(slots_accumulate(100, 0, 5, 5) > 9.999999999 &&
		    slots_accumulate(100, 0, 5, 5) < 10.000000001);
	assert_true(slots_accumulate(100, 6, 2, 0) == 112);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_pools),
		cmocka_unit_test(test_worked_dispatch_orders),
		cmocka_unit_test(test_every_allocation_obeys),
		cmocka_unit_test(test_permuting_the_file_changes_only_ties),
		cmocka_unit_test(test_cycles_are_as_if_each_were_the_first),
		cmocka_unit_test(test_accumulated_slots_decay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
