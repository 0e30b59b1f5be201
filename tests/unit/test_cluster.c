/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cluster: what a builder accepts and refuses, pre-order, sums, paths, keys, objects, and the
 * codec, which must restore every bit and survive any damage.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/bytes.h"
#include "core/cluster/cluster_copy.h"
#include "core/cluster/codec.h"
#include "core/base/mem.h"
#include "tests/support/assoc.h"

static uint32_t add(struct builder *b, uint32_t id, uint32_t parent, const char *account,
		    const char *user, const char *partition, double usage)
{
	uint32_t row = assoc_add(b, id, parent, account, user, 1, usage);

	builder_str(b, F_ASSOC_PARTITION, row, partition);
	return row;
}

/* Children come before their parents and between unrelated rows, as a source may send them. */
static struct builder *small_tree(void)
{
	struct builder *b = builder_new();

	add(b, 5, 3, "hep", "alice", NULL, 30);
	add(b, 2, 1, "physics", NULL, NULL, NAN);
	add(b, 6, 3, "hep", "alice", "gpu", 5);
	add(b, 1, 0, "root", NULL, NULL, NAN);
	add(b, 4, 1, "bio", NULL, NULL, NAN);
	add(b, 3, 2, "hep", NULL, NULL, NAN);
	add(b, 7, 2, "physics", "bob", NULL, 7);
	add(b, 8, 1, "root", "root", NULL, 0);
	return b;
}

static struct cluster *must_seal(struct builder *b)
{
	struct err err = { 0 };
	struct cluster *c = builder_seal(b, &err);

	if (!c)
		fail_msg("%s", err.message);
	return c;
}

static void test_preorder_and_sums(void **state)
{
	static const uint32_t ids[] = { 1, 2, 3, 5, 6, 7, 4, 8 };
	static const uint32_t spans[] = { 8, 5, 3, 1, 1, 1, 1, 1 };
	static const double usage[] = { 42, 42, 35, 30, 5, 7, 0, 0 };
	struct cluster *c = must_seal(small_tree());

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 8);
	for (uint32_t i = 0; i < 8; i++) {
		assert_int_equal(cluster_u32(c, F_ASSOC_ID, i), ids[i]);
		assert_int_equal(cluster_span(c)[i], spans[i]);
		assert_true(cluster_f64(c, F_ASSOC_USAGE, i) == usage[i]);
		if (i > 0)
			assert_true(cluster_parent(c)[i] < i);
	}
	assert_int_equal(cluster_parent(c)[0], ROW_NONE);
	assert_int_equal(cluster_depth(c)[3], 3);
	assert_null(cluster_col(c, F_ASSOC_PRIORITY));
	assert_int_equal(cluster_u32(c, F_ASSOC_PRIORITY, 3), U32_UNKNOWN);
	assert_int_equal(cluster_assoc_by_id(c, 7), 5);
	assert_int_equal(cluster_assoc_by_id(c, 99), ROW_NONE);
	cluster_free(c);
}

static void test_hidden_rows_are_not_summed(void **state)
{
	struct builder *b = small_tree();
	struct cluster *c;

	(void)state;
	builder_hidden(b, HIDDEN_ASSOCS);
	c = must_seal(b);
	assert_true(isnan(cluster_f64(c, F_ASSOC_USAGE, 0)));
	cluster_free(c);
}

static void test_unknown_usage_below_makes_the_sum_unknown(void **state)
{
	struct builder *b = small_tree();
	struct cluster *c;

	(void)state;
	add(b, 9, 4, "bio", "carl", NULL, NAN);
	c = must_seal(b);
	assert_true(isnan(cluster_f64(c, F_ASSOC_USAGE, cluster_by_path(c, "/bio"))));
	assert_true(isnan(cluster_f64(c, F_ASSOC_USAGE, 0)));
	assert_true(cluster_f64(c, F_ASSOC_USAGE, cluster_by_path(c, "/physics")) == 42);
	cluster_free(c);
}

static void refused(struct builder *b, const char *what, uint32_t line)
{
	struct err err = { 0 };
	struct cluster *c = builder_seal(b, &err);

	assert_null(c);
	assert_int_equal(err.code, ERR_INPUT);
	if (!strstr(err.message, what))
		fail_msg("\"%s\" does not say \"%s\"", err.message, what);
	assert_int_equal(err.line, line);
}

/* Most ids are smaller than twice their number; these are not. */
static void test_ids_far_apart(void **state)
{
	struct builder *b = small_tree();
	struct cluster *c;
	uint32_t far = UINT32_C(4000000000);

	(void)state;
	add(b, far, 1, "far", NULL, NULL, NAN);
	add(b, far + 1, far, "far", "carl", NULL, 3);
	c = must_seal(b);
	assert_int_equal(cluster_parent(c)[cluster_assoc_by_id(c, far + 1)],
			 cluster_assoc_by_id(c, far));
	assert_true(cluster_f64(c, F_ASSOC_USAGE, 0) == 45);
	cluster_free(c);
}

static void test_refusals(void **state)
{
	struct builder *b;

	(void)state;
	b = small_tree();
	builder_parents_first(b);
	builder_line(b, 16);
	add(b, 9, 4, "x", NULL, NULL, 1);
	refused(b, "earlier line", 0);		/* its first row */
	b = small_tree();
	builder_line(b, 17);
	add(b, 5, 1, "x", NULL, NULL, 1);
	refused(b, "duplicate id", 17);
	b = small_tree();
	builder_line(b, 18);
	add(b, 9, 77, "x", NULL, NULL, 1);
	refused(b, "parent id is missing", 18);
	b = small_tree();
	add(b, 9, 0, "x", NULL, NULL, 1);
	refused(b, "second root", 0);
	b = small_tree();
	add(b, 9, 10, "x", NULL, NULL, 1);
	add(b, 10, 9, "y", NULL, NULL, 1);
	refused(b, "own ancestor", 0);
	b = small_tree();
	add(b, 9, 4, "hep", NULL, NULL, 1);
	refused(b, "account appears twice", 0);
	b = small_tree();
	add(b, 9, 3, "hep", "alice", "gpu", 1);
	refused(b, "user appears twice", 0);
	b = small_tree();
	add(b, 9, 5, "hep", "carl", NULL, 1);
	refused(b, "parent is a user", 0);
	b = small_tree();
	add(b, 9, 4, "bio", "carl", NULL, -1);
	refused(b, "negative or infinite", 0);
	b = small_tree();
	add(b, 9, 4, NULL, "carl", NULL, 1);
	refused(b, "no account name", 0);
	b = builder_new();
	add(b, 1, 2, "x", NULL, NULL, 1);
	add(b, 2, 1, "y", NULL, NULL, 1);
	refused(b, "no root", 0);
}

static void test_a_tree_is_1024_levels_deep_at_most(void **state)
{
	struct builder *b = builder_new();
	char name[32];
	struct cluster *c;

	(void)state;
	for (uint32_t i = 1; i <= 1024; i++) {
		(void)snprintf(name, sizeof(name), "a%u", (unsigned)i);
		add(b, i, i - 1, name, NULL, NULL, NAN);
	}
	add(b, 1025, 1024, "a1024", "u", NULL, 3);
	c = must_seal(b);
	assert_true(cluster_f64(c, F_ASSOC_USAGE, 0) == 3);
	assert_int_equal(cluster_depth(c)[1024], 1024);
	cluster_free(c);
	b = builder_new();
	for (uint32_t i = 1; i <= 70000; i++) {
		builder_line(b, i + 7);
		(void)snprintf(name, sizeof(name), "a%u", (unsigned)i);
		add(b, i, i - 1, name, NULL, NULL, NAN);
	}
	refused(b, "at most 1024 levels", 1033);
}

static void test_paths(void **state)
{
	struct builder *b = small_tree();
	struct cluster *c;
	char path[256];

	(void)state;
	add(b, 9, 4, "a/b:c@d%e\x1b", NULL, NULL, NAN);
	add(b, 10, 9, "a/b:c@d%e\x1b", "x@y", "p/q", 1);
	c = must_seal(b);
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++) {
		assert_true(cluster_path(c, i, path, sizeof(path)) < sizeof(path));
		assert_int_equal(cluster_by_path(c, path), i);
		for (uint32_t j = 0; j < i; j++)
			assert_true(cluster_key(c, TABLE_ASSOC, i) !=
				    cluster_key(c, TABLE_ASSOC, j));
	}
	cluster_path(c, 0, path, sizeof(path));
	assert_string_equal(path, "/");
	cluster_path(c, 4, path, sizeof(path));
	assert_string_equal(path, "/physics/hep:alice@gpu");
	cluster_path(c, cluster_assoc_by_id(c, 10), path, sizeof(path));
	assert_string_equal(path, "/bio/a%2Fb%3Ac%40d%25e%1B:x%40y@p%2Fq");
	assert_int_equal(cluster_path(c, 4, path, 5), strlen("/physics/hep:alice@gpu"));
	assert_string_equal(path, "...u");	/* the end that fits */
	assert_int_equal(cluster_by_path(c, "/physics/none"), ROW_NONE);
	assert_int_equal(cluster_by_path(c, "physics"), ROW_NONE);
	cluster_free(c);
}

/* An entity of PBS, group and user, is written as pbsfs prints it, and can be read again. */
static void test_entity_of_pbs(void **state)
{
	struct builder *b = small_tree();
	struct cluster_meta meta = *builder_get_meta(b);
	struct cluster *c;
	uint32_t row;
	char path[100];

	(void)state;
	meta.kind = "pbs";
	builder_meta(b, &meta);
	add(b, 9, 4, "dl:all", NULL, NULL, NAN);
	add(b, 10, 9, "dl:all", "dl:quinn", NULL, 1);
	c = must_seal(b);
	row = cluster_assoc_by_id(c, 10);
	cluster_path(c, row, path, sizeof(path));
	assert_string_equal(path, "/bio/dl%3Aall:dl:quinn");
	assert_int_equal(cluster_by_path(c, path), row);
	assert_int_equal(cluster_find_assoc(c, "user:dl:quinn", NULL), row);
	cluster_free(c);
}

static void test_a_nul_ends_a_text(void **state)
{
	struct builder *b = small_tree();
	uint32_t row = builder_add(b, TABLE_USER);
	struct cluster *c;

	(void)state;
	builder_text(b, F_USER_NAME, row, "ab\0cd", 5);
	c = must_seal(b);
	assert_string_equal(cluster_text(c, F_USER_NAME, 0), "ab");
	cluster_free(c);
}

static void test_keys_survive_a_change_of_rows(void **state)
{
	struct cluster *a = must_seal(small_tree()), *c;
	struct builder *b = builder_new();

	(void)state;
	add(b, 100, 0, "root", NULL, NULL, NAN);
	add(b, 101, 100, "aaa", NULL, NULL, NAN);
	add(b, 200, 100, "physics", NULL, NULL, NAN);
	add(b, 300, 200, "hep", NULL, NULL, NAN);
	add(b, 500, 300, "hep", "alice", NULL, 9);
	c = must_seal(b);
	assert_true(cluster_key(a, TABLE_ASSOC, cluster_by_path(a, "/physics/hep:alice")) ==
		    cluster_key(c, TABLE_ASSOC, cluster_by_path(c, "/physics/hep:alice")));
	cluster_free(a);
	cluster_free(c);
}

static void test_objects(void **state)
{
	struct cluster *c = must_seal(small_tree());
	struct err err = { 0 };

	(void)state;
	assert_int_equal(cluster_find_assoc(c, "account:hep", &err), 2);
	assert_int_equal(cluster_find_assoc(c, "user:alice@hep", &err), 3);
	assert_int_equal(cluster_find_assoc(c, "user:alice@hep@gpu", &err), 4);
	assert_int_equal(cluster_find_assoc(c, "user:bob", &err), 5);
	assert_int_equal(cluster_find_assoc(c, "/physics:bob", &err), 5);
	assert_int_equal(cluster_find_assoc(c, "user:alice", &err), ROW_NONE);
	assert_non_null(strstr(err.message, "/physics/hep:alice@gpu"));
	assert_int_equal(cluster_find_assoc(c, "account:phisics", &err), ROW_NONE);
	assert_int_equal(err.code, ERR_INPUT);
	assert_non_null(strstr(err.message, "physics"));
	assert_int_equal(cluster_find_assoc(c, "user:alice@physics", &err), ROW_NONE);
	assert_non_null(strstr(err.message, "/physics/hep:alice"));
	assert_int_equal(cluster_find_assoc(c, "queue:short", &err), ROW_NONE);
	cluster_free(c);
}

static void assert_object(const struct cluster *c, const char *text, unsigned kinds,
			  const char *expected)
{
	struct err err = { 0 };
	char *object = cluster_object(c, text, kinds, &err);

	if (!object)
		fail_msg("%s: %s", text, err.message);
	assert_string_equal(object, expected);
	mem_free(object);
}

/* Checks that TEXT is refused with a message that contains WORDS. */
static void assert_no_object(const struct cluster *c, const char *text, unsigned kinds,
			     const char *words)
{
	struct err err = { 0 };

	assert_null(cluster_object(c, text, kinds, &err));
	assert_int_equal(err.code, ERR_INPUT);
	if (!strstr(err.message, words))
		fail_msg("%s: %s", text, err.message);
}

static void test_bare_names(void **state)
{
	const unsigned all = OBJECT_ASSOC | OBJECT_JOB | OBJECT_QUEUE | OBJECT_POOL;
	struct builder *b = small_tree();
	struct cluster *c;
	struct err err = { 0 };
	char name[40], wide[250];

	(void)state;
	add(b, 700, 2, "hep2", NULL, NULL, 1);
	add(b, 701, 700, "hep2", "rna", NULL, 1);
	add(b, 702, 700, "hep2", "4711", NULL, 1);
	add(b, 703, 700, "hep2", "4712", NULL, 1);
	add(b, 704, 700, "hep2", "ann@site", NULL, 1);
	memset(wide, 'w', sizeof(wide) - 1);
	wide[sizeof(wide) - 1] = '\0';
	add(b, 705, 2, wide, NULL, NULL, 1);
	add(b, 706, 705, wide, "carl", NULL, 1);
	add(b, 707, 705, wide, "carl", "gpu", 1);
	for (unsigned i = 0; i < 12; i++) {
		(void)snprintf(name, sizeof(name), "many%u", i);
		add(b, 800 + 2 * i, 700, name, NULL, NULL, 1);
		add(b, 801 + 2 * i, 800 + 2 * i, name, "many", NULL, 1);
	}
	builder_text(b, F_QUEUE_NAME, builder_add(b, TABLE_QUEUE), "short", 5);
	builder_text(b, F_QUEUE_NAME, builder_add(b, TABLE_QUEUE), "rna", 3);
	builder_text(b, F_POOL_NAME, builder_add(b, TABLE_POOL), "accel", 5);
	builder_u32(b, F_JOB_ID, builder_add(b, TABLE_JOB), 4711);
	c = must_seal(b);

	assert_object(c, "hep", all, "/physics/hep");
	assert_object(c, "bob", all, "/physics:bob");
	assert_object(c, "bob@physics", all, "/physics:bob");
	assert_object(c, "alice@hep@gpu", all, "/physics/hep:alice@gpu");
	assert_object(c, "physics/hep", all, "/physics/hep");
	assert_object(c, "physics:bob", all, "/physics:bob");
	assert_object(c, "short", all, "queue:short");
	assert_object(c, "accel", all, "pool:accel");
	/* A text with its kind stays as it is, even if no such object exists. */
	assert_object(c, "user:nobody", all, "user:nobody");
	assert_object(c, "/nowhere", all, "/nowhere");
	assert_object(c, "class:3", all, "class:3");
	/* A plain number is a job, a user, or both. */
	assert_object(c, "4712", all, "/physics/hep2:4712");
	assert_object(c, "99", all, "job:99");
	assert_object(c, "99_3", OBJECT_JOB, "job:99_3");
	assert_no_object(c, "4711", all, "/physics/hep2:4711, job:4711");
	assert_object(c, "4711", OBJECT_JOB, "job:4711");

	assert_no_object(c, "rna", all, "2 matches (expected one of /physics/hep2:rna, queue:rna)");
	assert_object(c, "rna", OBJECT_ASSOC, "/physics/hep2:rna");
	assert_no_object(c, "alice", all, "/physics/hep:alice, /physics/hep:alice@gpu");
	assert_no_object(c, "shrot", all, "did you mean short?");
	assert_no_object(c, "short", OBJECT_ASSOC | OBJECT_JOB, "no such account, user or job");
	assert_no_object(c, "", all, "no such object");
	assert_no_object(c, "bob", OBJECT_JOB, "no such job");
	/* A name may contain an @. */
	assert_object(c, "ann@site", all, "/physics/hep2:ann%40site");
	assert_object(c, "ann@site@hep2", all, "/physics/hep2:ann%40site");
	assert_string_equal(cluster_text(c, F_ASSOC_USER, cluster_find_assoc(c, "user:ann@site",
									     &err)), "ann@site");
	/* Names at most ten matches, and only those that fit. */
	assert_no_object(c, "carl", all, "2 matches (");
	assert_no_object(c, "carl", all, " ...)");
	assert_no_object(c, "many", all, "12 matches (");
	assert_no_object(c, "many", all, " ...)");
	cluster_free(c);
}

/* ---- codec --------------------------------------------------------------------------------- */

static struct cluster *rich_cluster(void)
{
	struct builder *b = small_tree();
	const char *flags[] = { "MAINT", "DAILY" };
	struct tres_item items[300];
	struct err err;
	uint32_t row;

	builder_meta(b, &(struct cluster_meta){ .kind = "slurm", .name = "lab",
						.version = "22.05.8", .zone = "Europe/Paris",
						.time = 1795147466,
						.last_decay = 1795147465,
						.boot = I64_UNKNOWN,
						.last_reset = 0,
						.usage_quantum = 1e-6 });
	builder_note(b, "usage", "hidden by %s", "PrivateData");
	assert_true(policy_set_text(builder_policy(b), policy_param("priorityflags"),
				    "DEPTH_OBLIVIOUS,WHAT_IS_THIS", &err));
	row = builder_add(b, TABLE_RESERVATION);
	builder_str(b, F_RESERVATION_NAME, row, "maint");
	builder_list(b, F_RESERVATION_FLAGS, row, flags, 2);
	builder_list(b, F_RESERVATION_USERS, row, NULL, 0);
	for (uint32_t i = 0; i < 300; i++) {
		char name[32];
		int n = snprintf(name, sizeof(name), "gres/g%u", (unsigned)i);

		items[i].tres = builder_tres_row(b, name, (size_t)n);
		items[i].count = i * 0.1;
	}
	for (uint32_t i = 0; i < 3; i++) {
		row = builder_add(b, TABLE_JOB);
		builder_u32(b, F_JOB_ID, row, 100 + i);
		builder_tres(b, F_JOB_TRES, row, items, i == 2 ? 300 : 4);
		builder_i64(b, F_JOB_TIME_LIMIT, row, I64_INFINITE);
	}
	row = builder_add(b, TABLE_POOL);
	builder_bool(b, F_POOL_USE_PRIORITY, row, true);
	return must_seal(b);
}

static void same_bytes(const struct bytes *a, const struct bytes *b)
{
	assert_int_equal(a->length, b->length);
	assert_memory_equal(a->data, b->data, a->length);
}

static void test_codec_gives_back_every_bit(void **state)
{
	struct cluster *a = rich_cluster(), *c;
	struct bytes first = { 0 }, second = { 0 };
	struct err err = { 0 };
	char text[200];

	(void)state;
	assert_true(codec_write(a, bytes_sink(&first), &err));
	c = codec_read(first.data, first.length, &err);
	if (!c)
		fail_msg("%s", err.message);
	assert_true(codec_write(c, bytes_sink(&second), &err));
	same_bytes(&first, &second);
	assert_string_equal(cluster_meta(c)->zone, "Europe/Paris");
	assert_string_equal(cluster_note(c, 0).text, "hidden by PrivateData");
	policy_value_text(cluster_policy(c), policy_param("PriorityFlags"), text, sizeof(text));
	assert_string_equal(text, "DEPTH_OBLIVIOUS,WHAT_IS_THIS");
	assert_int_equal(cluster_tres(c, F_JOB_TRES, 2).count, 300);
	assert_true(cluster_tres(c, F_JOB_TRES, 0).items == cluster_tres(c, F_JOB_TRES, 1).items);
	assert_non_null(cluster_list(c, F_RESERVATION_USERS, 0).texts);
	assert_int_equal(cluster_list(c, F_RESERVATION_USERS, 0).count, 0);
	assert_null(cluster_list(c, F_RESERVATION_ACCOUNTS, 0).texts);
	assert_string_equal(cluster_string(c, cluster_list(c, F_RESERVATION_FLAGS, 0).texts[1]),
			    "DAILY");
	assert_true(cluster_i64(c, F_JOB_TIME_LIMIT, 0) == I64_INFINITE);
	cluster_free(a);
	cluster_free(c);
	bytes_free(&first);
	bytes_free(&second);
}

static void test_hidden_rows_stay_hidden_on_the_way(void **state)
{
	struct builder *b = small_tree();
	struct bytes bytes = { 0 };
	struct err err = { 0 };
	struct cluster *c, *back;

	(void)state;
	builder_hidden(b, HIDDEN_ASSOCS);
	c = must_seal(b);
	assert_true(cluster_is_partial(c));
	assert_true(codec_write(c, bytes_sink(&bytes), &err));
	back = codec_read(bytes.data, bytes.length, &err);
	assert_true(cluster_is_partial(back));
	assert_false(cluster_hides_jobs(back));
	cluster_free(back);
	cluster_free(c);
	bytes_free(&bytes);
	c = must_seal(small_tree());
	assert_false(cluster_is_partial(c));
	cluster_free(c);
	b = small_tree();
	builder_hidden(b, HIDDEN_JOBS);
	c = must_seal(b);
	assert_true(codec_write(c, bytes_sink(&bytes), &err));
	back = codec_read(bytes.data, bytes.length, &err);
	assert_int_equal(cluster_hidden(back), HIDDEN_JOBS);
	cluster_free(back);
	back = must_seal(cluster_copy(c));
	assert_int_equal(cluster_hidden(back), HIDDEN_JOBS);
	cluster_free(back);
	cluster_free(c);
	bytes_free(&bytes);
}

static void test_codec_survives_damage(void **state)
{
	struct cluster *a = rich_cluster(), *c;
	struct bytes whole = { 0 };
	struct err err;
	char *broken;

	(void)state;
	assert_true(codec_write(a, bytes_sink(&whole), &err));
	broken = mem_alloc(whole.length, 1);
	for (size_t cut = 0; cut < whole.length; cut += 7) {
		err_clear(&err);
		memcpy(broken, whole.data, cut);
		c = codec_read(broken, cut, &err);
		assert_null(c);
		assert_int_equal(err.code, ERR_SOURCE);
	}
	for (size_t at = 0; at < whole.length; at++) {
		memcpy(broken, whole.data, whole.length);
		broken[at] = (char)~broken[at];
		cluster_free(codec_read(broken, whole.length, &err));
	}
	cluster_free(a);
	bytes_free(&whole);
	mem_free(broken);
}

/* A text of a list is compared by its bytes, so "unknown", the handle 0, must not get there. */
static void test_codec_refuses_an_unknown_text_in_a_list(void **state)
{
	struct cluster *a = rich_cluster(), *c;
	const uint32_t *flags = cluster_list(a, F_RESERVATION_FLAGS, 0).texts;
	struct bytes whole = { 0 };
	struct err err = { 0 };
	unsigned char both[8];
	size_t at = 0;

	(void)state;
	for (unsigned i = 0; i < sizeof(both); i++)
		both[i] = (unsigned char)(flags[i / 4] >> i % 4 * 8);
	assert_true(codec_write(a, bytes_sink(&whole), &err));
	while (at + sizeof(both) < whole.length && memcmp(whole.data + at, both, sizeof(both)) != 0)
		at++;
	memset(whole.data + at + 4, 0, 4);
	c = codec_read(whole.data, whole.length, &err);
	assert_null(c);
	assert_non_null(strstr(err.message, "contains a non-string"));
	cluster_free(a);
	bytes_free(&whole);
}

static bool full(void *context, const char *data, size_t length, struct err *err)
{
	(void)context, (void)data, (void)length;
	return err_set(err, ERR_SOURCE, "no room");
}

static void test_codec_reports_a_full_sink(void **state)
{
	struct cluster *a = rich_cluster();
	struct err err = { 0 };

	(void)state;
	assert_false(codec_write(a, (struct sink){ full, NULL }, &err));
	assert_string_equal(err.message, "no room");
	cluster_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_preorder_and_sums),
		cmocka_unit_test(test_hidden_rows_are_not_summed),
		cmocka_unit_test(test_unknown_usage_below_makes_the_sum_unknown),
		cmocka_unit_test(test_ids_far_apart),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_a_tree_is_1024_levels_deep_at_most),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_entity_of_pbs),
		cmocka_unit_test(test_a_nul_ends_a_text),
		cmocka_unit_test(test_keys_survive_a_change_of_rows),
		cmocka_unit_test(test_objects),
		cmocka_unit_test(test_bare_names),
		cmocka_unit_test(test_codec_gives_back_every_bit),
		cmocka_unit_test(test_hidden_rows_stay_hidden_on_the_way),
		cmocka_unit_test(test_codec_survives_damage),
		cmocka_unit_test(test_codec_refuses_an_unknown_text_in_a_list),
		cmocka_unit_test(test_codec_reports_a_full_sink),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
