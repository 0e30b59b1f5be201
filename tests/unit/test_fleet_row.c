/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cluster as one row among many: who is furthest from its share, which values are unknown, and
 * what remains of a source that no longer answers.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/fleet/fleet_row.h"
#include "tests/support/sketch.h"

/* By hand: S is 40, 20, 30 and 10 of 100; U 900, 50, 40 and 10 of 1000. */
#define TREE \
	"physics 40\n" \
	"\t+alice 1 900 r2 p3\n" \
	"biology 20\n" \
	"\t+bob 1 50 p1\n" \
	"chemistry 30\n" \
	"\t+carol 1 40 r1\n" \
	"guests 10\n" \
	"\t+dave 1 10 p2\n" \
	"zero 0\n" \
	"\t+erin 1 0\n"

static struct fleet_facts *facts_of(const char *text)
{
	struct cluster *c = sketch_cluster(text, FS_DEPTH_OBLIVIOUS);
	const struct model_options options = MODEL_OPTIONS_DEFAULT;
	struct model *m = model_new(c, &options, NULL);
	struct fleet_facts *f;

	assert_non_null(m);
	f = fleet_facts_new(m);
	model_free(m);
	cluster_free(c);
	return f;
}

static void test_facts(void **state)
{
	struct fleet_facts *f = facts_of(TREE);

	(void)state;
	assert_string_equal(f->name, "orion");
	assert_int_equal(f->time, SKETCH_TIME);
	assert_int_equal(f->summary.running, 3);
	assert_int_equal(f->summary.pending, 6);
	assert_true(f->summary.cpus == 256);
	/* chemistry is more under-served than biology (0.13, 0.25), but has no pending jobs. */
	assert_string_equal(f->under.name, "guests");
	assert_true(fabs(f->under.ratio - 0.1) < 1e-9);
	assert_string_equal(f->over.name, "physics");
	assert_true(fabs(f->over.ratio - 2.25) < 1e-9);
	fleet_facts_free(f);
}

/* Four nodes of 64 CPUs, three with 48 in use, and a fifth with some value unknown. */
static void test_a_node_that_is_not_told(void **state)
{
	struct fleet_facts *f = facts_of(TREE "*host name=n5 cpus_used=2\n");

	(void)state;
	assert_int_equal(f->summary.nodes, 5);
	assert_int_equal(f->summary.nodes_used, 4);
	assert_true(f->summary.cpus_used == 146);
	assert_false(f64_known(f->summary.cpus));
	fleet_facts_free(f);
	f = facts_of(TREE "*host name=n5 cpus=8\n");
	assert_int_equal(f->summary.nodes_used, U32_UNKNOWN);
	assert_false(f64_known(f->summary.cpus_used));
	assert_true(f->summary.cpus == 264);
	fleet_facts_free(f);
}

/* lsb.hosts and queues of LSF name groups, too; bhosts reports on one host only. */
static void test_a_name_is_no_host(void **state)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = *builder_get_meta(b);
	struct fleet_facts *f;
	struct cluster *c;
	struct model *m;

	(void)state;
	meta.kind = "lsf";
	builder_meta(b, &meta);
	for (uint32_t i = 0; i < 2; i++)
		builder_str(b, F_HOST_NAME, builder_add(b, TABLE_HOST), i == 0 ? "h1" : "group");
	builder_str(b, F_HOST_STATE, 0, "ok");
	builder_u32(b, F_HOST_SLOTS, 0, 8);
	builder_u32(b, F_HOST_SLOTS_USED, 0, 2);
	c = builder_seal(b, NULL);
	m = model_new(c, NULL, NULL);
	f = fleet_facts_new(m);
	assert_int_equal(f->summary.nodes, 1);
	assert_int_equal(f->summary.nodes_used, 1);
	assert_true(f->summary.cpus == 8);
	fleet_facts_free(f);
	model_free(m);
	cluster_free(c);
}

/* An account without shares is the most over-served, unless its usage is negligible. */
static void test_no_shares(void **state)
{
	struct fleet_facts *f = facts_of("a 1\n\t+x 1 500\nfree 0\n\t+y 1 300\nother 0\n"
					 "\t+z 1 199\nspeck 0\n\t+w 1 1\n");

	(void)state;
	assert_string_equal(f->over.name, "free");
	assert_true(isinf(f->over.ratio));
	fleet_facts_free(f);
	f = facts_of("a 1\n\t+x 1 999\nspeck 0\n\t+w 1 1\n");
	assert_string_equal(f->over.name, "");
	fleet_facts_free(f);
}

/* An account is found by its name, a user is not. */
static void test_accounts(void **state)
{
	struct fleet_facts *f = facts_of(TREE "twins 1\n\tdeep 1\n\t\t+x 1 1\n");
	const struct fleet_account *a = fleet_account(f, "physics");

	(void)state;
	assert_non_null(a);
	assert_int_equal(a->waiting, 3);
	assert_true(a->share > 0.3 && a->share < 0.4);
	assert_non_null(fleet_account(f, "deep"));
	assert_null(fleet_account(f, "alice"));
	assert_null(fleet_account(f, ""));
	fleet_facts_free(f);
	assert_null(fleet_account(NULL, "physics"));
}

static enum value_kind kind_of(const struct fleet_row *r, const char *column, struct value *v)
{
	const struct column *c = column_find(fleet_columns, fleet_columns_count, column,
					     strlen(column));

	assert_non_null(c);
	column_get(c, r, 0, v);
	return v->kind;
}

/* A source that never answered has only its names and its problem; all else is unknown, never 0. */
static void test_unknown(void **state)
{
	struct fleet_row r = { .source = "ssh:far/slurm", .age = I64_UNKNOWN,
			       .health = FLEET_DEAD, .problem = "no route to host" };
	struct value v;

	(void)state;
	for (size_t i = 0; i < fleet_columns_count; i++) {
		const char *name = fleet_columns[i].name;
		bool reported = strcmp(name, "cluster") == 0 || strcmp(name, "source") == 0 ||
			    strcmp(name, "health") == 0 || strcmp(name, "note") == 0;

		assert_int_equal(kind_of(&r, name, &v), reported ? VALUE_TEXT : VALUE_UNKNOWN);
	}
	(void)kind_of(&r, "note", &v);
	assert_string_equal(v.text, "no route to host");
	(void)kind_of(&r, "cluster", &v);
	assert_string_equal(v.text, "ssh:far/slurm");
	(void)kind_of(&r, "health", &v);
	assert_string_equal(v.text, "no answer");
	/* Without rules the number of alarms is unknown; with rules it is 0. */
	r.watched = true;
	assert_int_equal(kind_of(&r, "alarms", &v), VALUE_INT);
	assert_int_equal(v.integer, 0);
}

/* A failure keeps the former facts, an answer replaces them; the queue grows with answers. */
static void test_taking(void **state)
{
	struct fleet_row r = { .source = "x", .health = FLEET_GOOD };
	struct value v;

	(void)state;
	fleet_row_take(&r, NULL);
	assert_null(r.facts);
	assert_int_equal(r.queue_count, 0);
	fleet_row_take(&r, facts_of(TREE));
	fleet_row_take(&r, NULL);
	assert_int_equal(r.queue_count, 2);
	assert_true(r.queue[1] == 6);
	r.health = FLEET_OLD;
	assert_int_equal(kind_of(&r, "waiting", &v), VALUE_INT);
	assert_int_equal(v.integer, 6);
	assert_int_equal(kind_of(&r, "cpu_use", &v), VALUE_REAL);
	for (int i = 0; i < 2 * FLEET_QUEUE; i++)
		fleet_row_take(&r, NULL);
	fleet_row_take(&r, facts_of("a 1\n\t+x 1 1 p5\n"));
	assert_int_equal(r.queue_count, FLEET_QUEUE);
	assert_true(r.queue[FLEET_QUEUE - 1] == 5 && r.queue[0] == 6);
	fleet_facts_free(r.facts);
}

static void test_names(void **state)
{
	struct fleet_row rows[3] = { { .source = "a" }, { .source = "b" }, { .source = "c" } };
	char text[80];

	(void)state;
	rows[0].facts = facts_of("a 1\n");
	rows[1].facts = facts_of("a 1\n");
	strcpy(rows[2].name, "mine");
	fleet_rows_compare(rows, 3);
	fleet_row_title(&rows[0], text, sizeof(text));
	assert_string_equal(text, "orion (a)");
	fleet_row_title(&rows[2], text, sizeof(text));
	assert_string_equal(text, "mine");
	strcpy(rows[1].name, "other");
	fleet_rows_compare(rows, 3);
	fleet_row_title(&rows[0], text, sizeof(text));
	assert_string_equal(text, "orion");
	fleet_facts_free(rows[0].facts);
	fleet_facts_free(rows[1].facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_a_node_that_is_not_told),
		cmocka_unit_test(test_a_name_is_no_host), cmocka_unit_test(test_no_shares),
		cmocka_unit_test(test_accounts), cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_taking), cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
