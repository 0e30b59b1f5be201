/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduling cycle and the classes it uses: the worked cases of the kind "equiv" (the
 * document's own log among them), and that classes change nothing but the log and the number of
 * considerations, on generated queues.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "core/classes/class_rules.h"
#include "core/sim/cycle.h"
#include "core/base/mem.h"
#include "tests/support/data.h"
#include "tests/support/lab.h"

#define MANY 400

/* ---- worked cases ---------------------------------------------------------------------------- */

struct site {
	json_t *jobs, *free;
	double ncpus;
};

static const char *text(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static const char *start(void *context, uint32_t job)
{
	struct site *s = context;
	const json_t *list = json_object_get(json_array_get(s->jobs, job), "Resource_List");
	double wanted = json_number_value(json_object_get(list, "ncpus"));

	if (wanted > s->ncpus)
		return "Insufficient amount of resource: ncpus";
	s->ncpus -= wanted;
	return NULL;
}

static void add_resources(struct builder *b, uint32_t row, json_t *list)
{
	char texts[8][64];
	const char *names[8], *name;
	uint32_t n = 0;
	json_t *v;

	json_object_foreach(list, name, v) {
		if (json_is_string(v))
			snprintf(texts[n], sizeof(texts[n]), "%s=%s", name, json_string_value(v));
		else
			snprintf(texts[n], sizeof(texts[n]), "%s=%g", name, json_number_value(v));
		names[n] = texts[n];
		n++;
	}
	builder_list(b, F_JOB_RESOURCES, row, names, n);
}

static struct cluster *cluster_of(const json_t *one)
{
	json_t *job, *rules = json_object_get(one, "rules");
	struct builder *b = builder_new();
	const char *limit = "max_run=[u:PBS_GENERIC=5]";
	struct err err = { 0 };
	uint32_t server = builder_add(b, TABLE_SERVER);
	size_t i;

	builder_str(b, F_SERVER_NAME, server, "mars");
	if (json_is_true(json_object_get(rules, "user_limits")))
		builder_list(b, F_SERVER_LIMITS, server, &limit, 1);
	policy_set_text(builder_policy(b), policy_param("resources"), "ncpus, mem", &err);
	json_array_foreach(json_object_get(one, "jobs"), i, job) {
		uint32_t row = builder_add(b, TABLE_JOB);

		builder_str(b, F_JOB_JOB_ID, row, text(job, "id"));
		builder_str(b, F_JOB_JOB_STATE, row, "Q");
		builder_str(b, F_JOB_USER, row, text(job, "euser"));
		builder_str(b, F_JOB_EGROUP, row, text(job, "egroup"));
		builder_str(b, F_JOB_PROJECT, row, text(job, "project"));
		builder_str(b, F_JOB_SELECT, row, text(job, "select"));
		builder_str(b, F_JOB_PLACE, row, text(job, "place"));
		add_resources(b, row, json_object_get(job, "Resource_List"));
	}
	return lab_sealed(b);
}

static void exclude_of(const json_t *one, char *buf, size_t size)
{
	json_t *name, *list = json_object_get(json_object_get(one, "rules"), "exclude");
	size_t i;

	buf[0] = '\0';
	json_array_foreach(list, i, name)
		snprintf(buf + strlen(buf), size - strlen(buf), "%s%s", i ? "," : "",
			 json_string_value(name));
}

struct log {
	const json_t *jobs, *want;
	size_t lines;
};

static void check_line(void *context, uint32_t job, const char *line)
{
	struct log *l = context;
	char have[200];

	snprintf(have, sizeof(have), "%s;%s", text(json_array_get(l->jobs, job), "id"), line);
	assert_string_equal(have, json_string_value(json_array_get(l->want, l->lines++)));
}

static void check_case(const json_t *one)
{
	static const char *const words[] = { "run", "calendared", "blocked", "skipped" };
	const char *mode = text(json_object_get(one, "rules"), "mode");
	json_t *expect = json_object_get(one, "expect"), *jobs = json_object_get(one, "jobs"), *job;
	struct cluster *c = cluster_of(one);
	uint32_t order[MANY];
	char exclude[200], unknown[200];
	struct class_set *set;
	struct classes *classes;
	struct cycle *cycle;
	struct site site = { jobs, NULL, 0 };
	struct log log = { jobs, json_object_get(expect, "log"), 0 };
	size_t i;

	exclude_of(one, exclude, sizeof(exclude));
	set = class_set_new(c,
			    mode && strcmp(mode, "openpbs") == 0 ? CLASS_OPENPBS : CLASS_DOCUMENT,
			    exclude, unknown, sizeof(unknown));
	assert_string_equal(unknown, "");
	classes = classes_new(set->components, set->count, set->jobs);
	assert_int_equal(classes->count, json_integer_value(json_object_get(expect, "classes")));
	site.ncpus = json_number_value(json_object_get(json_object_get(one, "free"), "ncpus"));
	for (i = 0; i < set->jobs; i++)
		order[i] = (uint32_t)i;
	struct cycle_input in = {
		.jobs = set->jobs, .order = order, .class_of = classes->class_of,
		.classes = classes->count,
		.enabled = !json_is_false(json_object_get(one, "enabled")),
		.backfill_depth =
			(uint32_t)json_integer_value(json_object_get(one, "backfill_depth")),
		.start = start, .context = &site,
	};
	cycle = cycle_run(&in);
	json_array_foreach(jobs, i, job) {
		assert_int_equal(classes->class_of[i], json_integer_value(json_object_get(
			json_object_get(expect, "class_of"), text(job, "id"))));
		assert_string_equal(words[cycle->status[i]],
				    text(json_object_get(expect, "status"), text(job, "id")));
	}
	assert_int_equal(cycle->considered, json_array_size(json_object_get(expect, "considered")));
	cycle_log(&in, cycle, false, check_line, &log);
	assert_int_equal(log.lines, json_array_size(log.want));
	cycle_free(cycle);
	classes_free(classes);
	class_set_free(set);
	cluster_free(c);
}

static void test_worked_cases(void **state)
{
	char path[1024];
	json_t *all = data_json(data_path("worked-cases.json", path, sizeof(path))), *one;
	size_t i, done = 0;

	(void)state;
	json_array_foreach(json_object_get(all, "cases"), i, one) {
		if (strcmp(text(one, "kind"), "equiv") != 0)
			continue;
		print_message("%s\n", text(one, "name"));
		check_case(one);
		done++;
	}
	assert_int_equal(done, 9);
	json_decref(all);
}

/* ---- properties ----------------------------------------------------------------------------- */

struct room {
	uint32_t left, wanted[MANY];
};

static const char *start_by_size(void *context, uint32_t job)
{
	struct room *r = context;

	if (r->wanted[job] > r->left)
		return "no room";
	r->left -= r->wanted[job];
	return NULL;
}

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*seed >> 33) % below);
}

static void test_classes_change_only_log_and_count(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 500; seed++) {
		uint64_t s = seed;
		uint32_t order[MANY], n = 1 + draw(&s, MANY - 1), depth = draw(&s, 5);
		struct room with, without;
		struct class_component component = { "size", with.wanted, false };
		struct cycle *a, *b;

		with.left = draw(&s, 300);
		for (uint32_t i = 0; i < n; i++) {
			with.wanted[i] = 1 + draw(&s, 12);
			order[i] = i;
		}
		without = with;
		struct classes *classes = classes_new(&component, 1, n);
		struct cycle_input in = {
			.jobs = n, .order = order, .class_of = classes->class_of,
			.classes = classes->count, .enabled = true, .backfill_depth = depth,
			.start = start_by_size, .context = &with,
		};

		a = cycle_run(&in);
		in.enabled = false;
		in.context = &without;
		b = cycle_run(&in);
		assert_true(a->considered <= b->considered);
		assert_int_equal(b->considered, n);
		for (uint32_t i = 0; i < n; i++) {
			assert_int_equal(a->status[i] == CYCLE_RUN, b->status[i] == CYCLE_RUN);
			assert_int_equal(a->status[i] == CYCLE_CALENDARED,
					 b->status[i] == CYCLE_CALENDARED);
		}
		cycle_free(a);
		cycle_free(b);
		classes_free(classes);
	}
}

static uint32_t queue_by_parity(void *context, uint32_t job)
{
	(void)context;
	return job % 2;
}

/* Two queues take turns: r runs, c calendared, b blocked, s stopped. */
static void test_queues(void **state)
{
	static const struct {
		uint32_t depth;			/* of all queues */
		struct cycle_queue queues[2];
		const char *expected;
	} cases[] = {
		{ 1, { { U32_UNKNOWN, CYCLE_STOP_NONE }, { U32_UNKNOWN, CYCLE_STOP_NONE } },
		  "rrcbbbr" },
		{ 0, { { U32_UNKNOWN, CYCLE_STOP_ALL }, { U32_UNKNOWN, CYCLE_STOP_ALL } },
		  "rrbssss" },
		{ 0, { { U32_UNKNOWN, CYCLE_STOP_QUEUE }, { U32_UNKNOWN, CYCLE_STOP_QUEUE } },
		  "rrbbsss" },
		/* A queue's own places are not shared in either direction. */
		{ 1, { { 0, CYCLE_STOP_QUEUE }, { U32_UNKNOWN, CYCLE_STOP_NONE } }, "rrbcsbs" },
		{ 0, { { 2, CYCLE_STOP_NONE }, { U32_UNKNOWN, CYCLE_STOP_NONE } }, "rrcbcbr" },
		{ 9, { { 1, CYCLE_STOP_NONE }, { U32_UNKNOWN, CYCLE_STOP_NONE } }, "rrccbcr" },
		/* A queue of a reservation stops no other. */
		{ 0, { { U32_UNKNOWN, CYCLE_STOP_NONE }, { U32_UNKNOWN, CYCLE_STOP_ALL } },
		  "rrbbsss" },
	};
	static const char letters[] = { 'r', 'c', 'b', 's' };

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct room room = { .left = 4, .wanted = { 2, 1, 4, 5, 6, 7, 1 } };
		uint32_t order[] = { 0, 1, 2, 3, 4, 5, 6 };
		struct cycle_input in = {
			.jobs = 7, .order = order, .class_of = order, .classes = 7,
			.backfill_depth = cases[k].depth, .queues = cases[k].queues,
			.queue_count = 2, .queue = queue_by_parity, .strict = "strictly",
			.start = start_by_size, .context = &room,
		};
		struct cycle *c = cycle_run(&in);
		char text[8] = "";
		uint32_t stopped = 0;

		for (uint32_t i = 0; i < 7; i++) {
			text[i] = letters[c->status[i]];
			stopped += c->status[i] == CYCLE_SKIPPED;
			assert_true((c->reason[i] == in.strict) ==
				    (c->status[i] == CYCLE_SKIPPED));
		}
		assert_string_equal(text, cases[k].expected);
		assert_int_equal(c->strict, stopped);
		assert_int_equal(c->considered, 7 - stopped);
		cycle_free(c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_cases),
		cmocka_unit_test(test_classes_change_only_log_and_count),
		cmocka_unit_test(test_queues),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
