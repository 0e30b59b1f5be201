/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slot pools: the worked cases of the kinds "pool" and "dispatch_order" (the document's examples
 * and the vendor's scenarios among them), and what every allocation must obey, on generated pools.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "core/slots.h"

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

static json_t *load(void)
{
	char path[4096];
	json_t *all;

	(void)snprintf(path, sizeof(path), "%s/tests/data/worked-cases.json", getenv("srcdir"));
	all = json_load_file(path, 0, NULL);
	if (!all)
		fail_msg("cannot read %s", path);
	return all;
}

static bool is_kind(json_t *one, const char *kind)
{
	return strcmp(json_string_value(json_object_get(one, "kind")), kind) == 0;
}

static uint32_t number(json_t *o, const char *key, uint32_t otherwise)
{
	json_t *v = json_object_get(o, key);

	return json_is_number(v) ? (uint32_t)json_number_value(v) : otherwise;
}

static const char *name_of(json_t *queues, size_t i)
{
	return json_string_value(json_object_get(json_array_get(queues, i), "name"));
}

/* The rounds of the case list the grants of more than 0 slots. */
static void check_rounds(json_t *one, const struct grants *g)
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

static void check_pool(json_t *one)
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
}

static void test_worked_pools(void **state)
{
	json_t *all = load(), *one;
	size_t i, done = 0;

	(void)state;
	json_array_foreach(json_object_get(all, "cases"), i, one)
	{
		if (!is_kind(one, "pool"))
			continue;
		print_message("%s\n", json_string_value(json_object_get(one, "name")));
		check_pool(one);
		done++;
	}
	assert_int_equal(done, 14);
	json_decref(all);
}

static uint32_t pool_number(json_t *q)
{
	json_t *pool = json_object_get(q, "pool");

	return json_is_string(pool) ? (uint32_t)json_string_value(pool)[0] : UINT32_MAX;
}

static void check_dispatch(json_t *one, bool grouped)
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

static void test_worked_dispatch_orders(void **state)
{
	json_t *all = load(), *one;
	size_t i, done = 0;

	(void)state;
	json_array_foreach(json_object_get(all, "cases"), i, one)
	{
		if (!is_kind(one, "dispatch_order"))
			continue;
		check_dispatch(one, false);
		check_dispatch(one, true);
		done++;
	}
	assert_int_equal(done, 2);
	json_decref(all);
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
 * Turning the file round changes ties only: queues that differ in accumulated / share or PRIORITY.
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
		cmocka_unit_test(test_accumulated_slots_decay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
