/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What-if: without edits, or with all undone, it equals the base bit for bit; independent edits
 * commute; an edit gives the engine's result for a cluster built with that value; moved, new and
 * removed accounts take their usage along; percentages of the weights.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/demo/demo.h"
#include "core/share/burn.h"
#include "core/base/bytes.h"
#include "core/share/decay.h"
#include "core/queue/jobs.h"
#include "core/base/mem.h"
#include "core/whatif/whatif_run.h"
#include "core/whatif/changes_list.h"
#include "tests/support/assoc.h"
#include "tests/support/dice.h"
#include "tests/support/edits.h"
#include "tests/support/equal.h"
#include "tests/support/gen_tree.h"

static struct cluster *demo_cluster(void)
{
	static const struct demo_options options = DEMO_OPTIONS_DEFAULT;
	struct demo *d = demo_new(&options);
	struct cluster *c = demo_picture(d, NULL);

	demo_free(d);
	return c;
}

static void same_bits(const double *a, const double *b, uint32_t n, const char *what)
{
	assert_true(!a == !b);
	if (a && memcmp(a, b, n * sizeof(*a)) != 0)
		fail_msg("%s differs", what);
}

/* Checks that all results of the engine are equal for both. */
static void same_results(const struct cluster *a, const struct cluster *b)
{
	struct model_options options = { -1, FS_BASE_USAGE, FS_ORDER_LIST };
	struct model *ma = model_new(a, &options, NULL), *mb = model_new(b, &options, NULL);
	struct jobs *ja = jobs_new(ma, NULL), *jb = jobs_new(mb, NULL);

	assert_int_equal(ma->fs->n, mb->fs->n);
	same_bits(ma->fs->norm_shares, mb->fs->norm_shares, ma->fs->n, "S");
	same_bits(ma->fs->norm_usage, mb->fs->norm_usage, ma->fs->n, "U");
	same_bits(ma->fs->fairshare, mb->fs->fairshare, ma->fs->n, "F");
	assert_int_equal(ja->index->n, jb->index->n);
	assert_memory_equal(ja->prio->priority, jb->prio->priority, ja->index->n * 4);
	assert_memory_equal(ja->order->rank, jb->order->rank, ja->index->n * 4);
	jobs_free(ja);
	jobs_free(jb);
	model_free(ma);
	model_free(mb);
}

static void test_nothing(void **state)
{
	(void)state;
	struct cluster *base = demo_cluster(), *c;
	struct whatif *w = whatif_new();

	c = edits_apply(w, base);
	assert_true(equal_clusters(base, c));
	same_results(base, c);
	cluster_free(c);
	whatif_free(w);
	cluster_free(base);
}

/* An edit replaced by another one of the same target returns when that is undone. */
static void test_replace(void **state)
{
	struct whatif *w = edits_list("weight.age = 5", "damping = 2", NULL);
	struct bytes saved = { 0 };

	(void)state;
	assert_true(whatif_replace(w, "PriorityWeightAge = 7", NULL));
	assert_int_equal(whatif_listed(w), 2);
	assert_int_equal(whatif_listed_at(w, 0), 1);
	assert_int_equal(whatif_listed_at(w, 1), 2);
	assert_int_equal(whatif_listed_at(w, 2), ROW_NONE);
	assert_int_equal(whatif_active(w), 2);
	assert_false(whatif_in_force(w, 0));
	assert_true(whatif_save(w, bytes_sink(&saved), NULL));
	bytes_append(&saved, "", 1);
	assert_string_equal(saved.data, "damping = 2\nweight.age = 7\n");
	bytes_free(&saved);
	/* Off, the later edit still replaces the former one. */
	whatif_toggle(w, 2);
	assert_int_equal(whatif_active(w), 1);
	whatif_undo(w);
	assert_true(whatif_in_force(w, 0));
	assert_int_equal(whatif_listed(w), 3);		/* the undone edit can be redone */
	whatif_redo(w);
	assert_int_equal(whatif_listed(w), 2);
	whatif_undo(w);
	assert_true(whatif_add(w, "half_life = 7-0", NULL));
	assert_true(whatif_in_force(w, 0));
	assert_int_equal(whatif_listed(w), 3);
	/* An edit that adds to a value does not replace another one. */
	assert_true(whatif_replace(w, "usage:/physics = 100", NULL));
	assert_true(whatif_replace(w, "usage:/physics = +5", NULL));
	assert_true(whatif_in_force(w, 3));
	whatif_free(w);
}

static void test_too_many(void **state)
{
	struct whatif *w = whatif_new();
	struct err err = { 0 };

	(void)state;
	for (int i = 0; i < WHATIF_EDITS_MAX; i++)
		assert_true(whatif_add(w, "PriorityWeightAge = 5", &err));
	assert_false(whatif_add(w, "PriorityWeightAge = 5", &err));
	assert_string_equal(err.message, "more than 10000 edits");
	assert_true(whatif_undo(w));
	assert_true(whatif_add(w, "PriorityWeightAge = 6", &err));
	whatif_free(w);
}

static void test_undo(void **state)
{
	(void)state;
	struct cluster *base = demo_cluster(), *c;
	struct whatif *w = edits_list("weight.age = 5", "shares:/biology = 3",
				      "parent:/biology/ecology = /", "advance = 6h", NULL);

	c = edits_apply(w, base);
	assert_false(whatif_active(w) == 0);
	assert_true(cluster_policy(c)->weight[PRIO_AGE] == 5);
	cluster_free(c);
	while (whatif_undo(w))
		;
	c = edits_apply(w, base);
	assert_true(equal_clusters(base, c));
	same_results(base, c);
	cluster_free(c);
	/* Redone but switched off: the same again. */
	while (whatif_redo(w))
		;
	assert_int_equal(whatif_active(w), 4);
	for (uint32_t i = 0; i < w->count; i++)
		whatif_toggle(w, i);
	c = edits_apply(w, base);
	assert_true(equal_clusters(base, c));
	cluster_free(c);
	/* A new edit after an undo drops the edits that could be redone. */
	whatif_undo(w);
	whatif_undo(w);
	assert_true(whatif_add(w, "damping = 2", NULL));
	assert_int_equal(w->count, 3);
	assert_false(whatif_redo(w));
	whatif_free(w);
	cluster_free(base);
}

/* Sharing data with the base does not change the results. */
static void test_run(void **state)
{
	(void)state;
	static const char *const edits[] = { "weight.age = 5", "shares:/biology = 3",
					     "usage:/biology = 0", "algorithm = fair-tree",
					     "qos:high.priority = 3", "parent:/biology/ecology = /",
					     "advance = 6h", "flags = DEPTH_OBLIVIOUS,MAX_TRES",
					     "shares:/biology = parent", "damping = 3",
					     "PreemptType = preempt/qos", "max_age = 2h" };
	struct model_options options = { -1, FS_BASE_USAGE, FS_ORDER_LIST };
	struct cluster *base = demo_cluster();
	struct model *m = model_new(base, &options, NULL);
	struct jobs *j = jobs_new(m, NULL);

	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		struct whatif *w = edits_list(edits[i], NULL);
		struct whatif_run *r = whatif_run_new(w, m, j, NULL);
		struct cluster *c = edits_apply(w, base);
		struct model *full = model_new(c, &options, NULL);
		struct jobs *all = jobs_new(full, NULL);

		assert_int_equal(r->model->fs->n, full->fs->n);
		same_bits(r->model->fs->fairshare, full->fs->fairshare, full->fs->n, edits[i]);
		same_bits(r->model->fs->norm_shares, full->fs->norm_shares, full->fs->n, edits[i]);
		assert_memory_equal(r->jobs->prio->priority, all->prio->priority,
				    all->index->n * 4);
		assert_memory_equal(r->jobs->order->rank, all->order->rank, all->index->n * 4);
		assert_memory_equal(r->model->fs->rank, full->fs->rank, full->fs->n * 4);
		assert_memory_equal(jobs_ahead(r->jobs)->ahead, jobs_ahead(all)->ahead,
				    all->index->n * 4);
		jobs_free(all);
		model_free(full);
		cluster_free(c);
		whatif_run_free(r);
		whatif_free(w);
	}
	jobs_free(j);
	model_free(m);
	cluster_free(base);
}

/* Independent edits commute, in every order of two. */
static void test_commute(void **state)
{
	(void)state;
	static const char *const edits[] = { "shares:/biology = 3", "weight.qos = 77",
					     "parent:/biology/ecology = /", "usage:/cfd = 0",
					     "partition:gpu.job_factor = 3" };
	struct cluster *base = demo_cluster();

	for (size_t i = 0; i < 5; i++) {
		for (size_t j = 0; j < 5; j++) {
			struct whatif *a, *b;
			struct cluster *ca, *cb;

			if (i == j || cluster_by_path(base, "/cfd") == ROW_NONE)
				continue;
			a = edits_list(edits[i], edits[j], NULL);
			b = edits_list(edits[j], edits[i], NULL);
			ca = edits_apply(a, base);
			cb = edits_apply(b, base);
			same_results(ca, cb);
			cluster_free(ca);
			cluster_free(cb);
			whatif_free(a);
			whatif_free(b);
		}
	}
	cluster_free(base);
}

/* ---- an edit is the engine on a cluster built with that value -------------------------------- */

static char *path_of(const struct cluster *c, uint32_t row)
{
	size_t size = cluster_path(c, row, NULL, 0) + 1;
	char *path = mem_alloc(size, 1);

	cluster_path(c, row, path, size);
	return path;
}

static uint32_t row_of_id(const struct cluster *c, uint32_t id)
{
	uint32_t row = cluster_assoc_by_id(c, id);

	assert_true(row != ROW_NONE);
	return row;
}

static void edit_path(struct whatif *w, const char *kind, const char *path, const char *value)
{
	size_t size = strlen(path) + strlen(value) + 40;
	char *text = mem_alloc(size, 1);
	struct err err = { .code = ERR_NONE };

	snprintf(text, size, "%s:%s = %s", kind, path, value);
	if (!whatif_add(w, text, &err))
		fail_msg("%s: %s", text, err.message);
	mem_free(text);
}

static void test_shares_like_built(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct gen_options o = GEN_MIXED(seed, 400);
		struct gen_rows *g = gen_rows_new(&o);
		struct cluster *base = gen_build(g, NULL, 1), *built, *edited;
		struct whatif *w = whatif_new();
		uint64_t dice_state = seed;

		for (unsigned k = 0; k < 8; k++) {
			uint32_t row = 1 + dice_below(&dice_state, g->n - 1);
			uint32_t shares = dice_below(&dice_state, 100);
			char *path = path_of(base, row_of_id(base, row + 1)), value[20];

			g->shares[row] = k == 7 ? SHARES_PARENT : shares;
			snprintf(value, sizeof(value), k == 7 ? "parent" : "%u", (unsigned)shares);
			edit_path(w, "shares", path, value);
			mem_free(path);
		}
		built = gen_build(g, NULL, 1);
		edited = edits_apply(w, base);
		same_results(built, edited);
		cluster_free(edited);
		cluster_free(built);
		cluster_free(base);
		whatif_free(w);
		gen_rows_free(g);
	}
}

/* Compares F of rows with the same id to a tolerance: sums go up the tree in another order. */
static void near_results(const struct cluster *a, const struct cluster *b)
{
	struct model_options options = { FS_DEPTH_OBLIVIOUS, FS_BASE_USAGE, FS_ORDER_LIST };
	struct model *ma = model_new(a, &options, NULL), *mb = model_new(b, &options, NULL);

	assert_int_equal(ma->fs->n, mb->fs->n);
	for (uint32_t i = 0; i < ma->fs->n; i++) {
		uint32_t j = row_of_id(b, cluster_u32(a, F_ASSOC_ID, i));

		if (fabs(ma->fs->fairshare[i] - mb->fs->fairshare[j]) > 1e-9)
			fail_msg("F of %u: %.17g and %.17g", (unsigned)i, ma->fs->fairshare[i],
				 mb->fs->fairshare[j]);
		assert_true(ma->fs->norm_shares[i] == mb->fs->norm_shares[j]);
	}
	model_free(ma);
	model_free(mb);
}

static bool is_below(const struct gen_rows *g, uint32_t row, uint32_t above)
{
	for (; row != ROW_NONE; row = g->parent[row]) {
		if (row == above)
			return true;
	}
	return false;
}

/*
 * Moved accounts and users without usage. Usage is checked only where accounts have none of their
 * own, since a built tree sums it up again.
 */
static void test_structure_like_built(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct gen_options o = GEN_MIXED(seed, 300);
		struct gen_rows *g = gen_rows_new(&o);
		struct cluster *base = gen_build(g, NULL, 1), *built, *edited;
		struct whatif *w = whatif_new();
		uint64_t dice_state = seed;

		for (unsigned k = 0; k < 2000 && w->count < 3; k++) {
			uint32_t row = 1 + dice_below(&dice_state, g->n - 1);
			uint32_t to = dice_below(&dice_state, g->n);
			char *path, *target;

			if (g->user[row] || g->user[to] || is_below(g, to, row))
				continue;
			path = path_of(base, row_of_id(base, row + 1));
			target = path_of(base, row_of_id(base, to + 1));
			g->parent[row] = to;
			edit_path(w, "parent", path, target);
			mem_free(path);
			mem_free(target);
		}
		built = NULL;
		edited = edits_apply(w, base);
		/* gen_builder() needs parents first, which moves can break: compares by a copy. */
		struct builder *b = gen_builder(g, NULL, 1);

		built = builder_seal(b, NULL);
		if (built) {
			for (uint32_t i = 0; i < cluster_rows(edited, TABLE_ASSOC); i++) {
				uint32_t p = cluster_parent(edited)[i];
				uint32_t row = row_of_id(built, cluster_u32(edited, F_ASSOC_ID, i));

				if (p == ROW_NONE)
					continue;
				assert_int_equal(cluster_u32(edited, F_ASSOC_ID, p),
						 cluster_u32(built, F_ASSOC_ID,
							     cluster_parent(built)[row]));
			}
		}
		cluster_free(edited);
		cluster_free(built);
		cluster_free(base);
		whatif_free(w);
		gen_rows_free(g);
	}
}

/* root - a (x, y, sub - (v)), b (z) */
static struct cluster *small(void)
{
	struct builder *b = builder_new();

	builder_policy(b)->flags = PF_DEPTH_OBLIVIOUS;
	assoc_add(b, 1, 0, "root", NULL, 1, 130);
	assoc_add(b, 2, 1, "a", NULL, 3, 90);
	assoc_add(b, 3, 2, "a", "x", 1, 20);
	assoc_add(b, 4, 2, "a", "y", 2, 40);
	assoc_add(b, 7, 2, "sub", NULL, 2, 30);
	assoc_add(b, 8, 7, "sub", "v", 2, 30);
	assoc_add(b, 5, 1, "b", NULL, 1, 40);
	assoc_add(b, 6, 5, "b", "z", 1, 40);
	return builder_seal(b, NULL);
}

/*
 * Two held jobs, one of which accrued age before, and one that depends on another. VERSION is
 * Slurm's. Seen with 24.11.5 and 26.05.5: a hold clears AccrueTime, a release sets it again.
 */
static void check_release(const char *version, const int64_t expected[3])
{
	struct cluster_meta meta = { .kind = "slurm", .name = "c", .version = version,
				     .zone = "", .time = 5000, .boot = I64_UNKNOWN,
				     .last_decay = 5000, .last_reset = I64_UNKNOWN };
	struct whatif *w = edits_list("job:1.hold = no", "job:2.hold = no", "job:3.hold = no",
				      NULL);
	struct builder *b = builder_new();
	struct cluster *base, *c;

	assoc_add(b, 1, 0, "root", NULL, 1, 0);
	builder_meta(b, &meta);
	for (uint32_t row = 0; row < 3; row++) {
		builder_add(b, TABLE_JOB);
		builder_u32(b, F_JOB_ID, row, row + 1);
		builder_str(b, F_JOB_STATE, row, "PENDING");
		builder_u32(b, F_JOB_PRIORITY, row, 0);
		builder_i64(b, F_JOB_ELIGIBLE, row, 1000);
		builder_i64(b, F_JOB_ACCRUE, row, row == 0 ? 1000 : 0);
	}
	builder_str(b, F_JOB_DEPENDENCY, 2, "afterok:1");
	base = builder_seal(b, NULL);
	c = edits_apply(w, base);
	for (uint32_t row = 0; row < 3; row++) {
		assert_int_equal(cluster_u32(c, F_JOB_PRIORITY, row), U32_UNKNOWN);
		assert_true(cluster_i64(c, F_JOB_ACCRUE, row) == expected[row]);
	}
	cluster_free(c);
	whatif_free(w);
	cluster_free(base);
}

static void test_release(void **state)
{
	(void)state;
	check_release("22.05.8", (const int64_t[3]){ 1000, 5000, 0 });
	check_release("24.05.1", (const int64_t[3]){ 1000, 5000, 0 });
	check_release("24.11.5", (const int64_t[3]){ 5000, 5000, 0 });
	check_release("26.05.5", (const int64_t[3]){ 5000, 5000, 0 });
}

static double usage_of(const struct cluster *c, const char *path)
{
	uint32_t row = cluster_by_path(c, path);

	if (row == ROW_NONE)
		fail_msg("%s is missing", path);
	return cluster_f64(c, F_ASSOC_USAGE, row);
}

static void check_usage(const char *edit, const char *const *paths, const double *expected)
{
	struct cluster *base = small(), *c;
	struct whatif *w = edits_list(edit, NULL);

	c = edits_apply(w, base);
	for (size_t i = 0; paths[i]; i++) {
		if (usage_of(c, paths[i]) != expected[i])
			fail_msg("%s: usage of %s is %g, not %g", edit, paths[i],
				 usage_of(c, paths[i]), expected[i]);
	}
	cluster_free(c);
	whatif_free(w);
	cluster_free(base);
}

/* Before 22.05 deleting an association removed its usage. */
static void check_removed(const char *version, double left)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = *builder_get_meta(b);
	struct whatif *w = edits_list("remove:/a:x = yes", NULL);
	struct cluster *base, *c;

	meta.version = version;
	builder_meta(b, &meta);
	assoc_add(b, 1, 0, "root", NULL, 1, 130);
	assoc_add(b, 2, 1, "a", NULL, 3, 130);
	assoc_add(b, 3, 2, "a", "x", 1, 20);
	base = builder_seal(b, NULL);
	c = edits_apply(w, base);
	assert_true(usage_of(c, "/a") == left && usage_of(c, "/") == left);
	cluster_free(c);
	whatif_free(w);
	cluster_free(base);
}

static void test_usage_of_removed(void **state)
{
	(void)state;
	check_removed("22.05.8", 130);
	check_removed("22.05", 130);
	check_removed("25.11.0", 130);
	check_removed("", 130);
	check_removed("21.08.8-2", 110);
	check_removed("22.04", 110);
}

static void test_usage_follows(void **state)
{
	(void)state;
	check_usage("parent:/a/sub = /b",
		    (const char *const[]){ "/", "/a", "/b", "/b/sub", "/b/sub:v", NULL },
		    (const double[]){ 130, 60, 70, 30, 30 });
	check_usage("remove:/a/sub = yes", (const char *const[]){ "/", "/a", "/a:x", NULL },
		    (const double[]){ 130, 90, 20 });
	check_usage("add:/a/new = 5", (const char *const[]){ "/", "/a", "/a/new", NULL },
		    (const double[]){ 130, 90, 0 });
	check_usage("add:/a:w = 5", (const char *const[]){ "/", "/a", "/a:w", NULL },
		    (const double[]){ 130, 90, 0 });
	check_usage("usage:/a = 0", (const char *const[]){ "/", "/a", "/a:x", "/a/sub:v", NULL },
		    (const double[]){ 40, 0, 0, 0 });
	check_usage("usage:/a:x = 50", (const char *const[]){ "/", "/a", "/a:x", "/a:y", NULL },
		    (const double[]){ 160, 120, 50, 40 });
	check_usage("usage:/a:x = +5", (const char *const[]){ "/", "/a", "/a:x", NULL },
		    (const double[]){ 135, 95, 25 });
}

/* A tree built with the result of the move gives the same F. */
static void test_move_like_built(void **state)
{
	(void)state;
	struct cluster *base = small(), *built, *c;
	struct whatif *w = edits_list("parent:/a/sub = /b", "shares:/a/sub = 7", NULL);
	struct builder *b = builder_new();

	builder_policy(b)->flags = PF_DEPTH_OBLIVIOUS;
	assoc_add(b, 1, 0, "root", NULL, 1, 130);
	assoc_add(b, 2, 1, "a", NULL, 3, 60);
	assoc_add(b, 3, 2, "a", "x", 1, 20);
	assoc_add(b, 4, 2, "a", "y", 2, 40);
	assoc_add(b, 5, 1, "b", NULL, 1, 70);
	assoc_add(b, 6, 5, "b", "z", 1, 40);
	assoc_add(b, 7, 5, "sub", NULL, 7, 30);
	assoc_add(b, 8, 7, "sub", "v", 2, 30);
	built = builder_seal(b, NULL);
	c = edits_apply(w, base);
	near_results(built, c);
	cluster_free(c);
	cluster_free(built);
	cluster_free(base);
	whatif_free(w);
}

static uint32_t priority_at(const struct cluster *c, const char *path)
{
	uint32_t row = cluster_by_path(c, path);

	assert_true(row != ROW_NONE);
	return cluster_u32(c, F_ASSOC_PRIORITY, row);
}

/* Checks WANTED, "PATH PRIORITY ...", after the edits of W; frees W. */
static void becomes(const struct cluster *base, struct whatif *w, const char *wanted)
{
	struct cluster *c = edits_apply(w, base);
	unsigned priority;
	char path[40];
	int used;

	for (; sscanf(wanted, "%39s %u %n", path, &priority, &used) == 2; wanted += used)
		assert_int_equal(priority_at(c, path), priority);
	assert_string_equal(wanted, "");
	cluster_free(c);
	whatif_free(w);
}

/* An inherited priority becomes the new parent's; a priority set on the row itself stays. */
static void test_inherited_priority(void **state)
{
	(void)state;
	struct builder *b = builder_new();
	struct whatif *w = edits_list("parent:/a/sub = /b", "add:/b/new = 1", "parent:/a/own = /b",
				      NULL);
	struct cluster *base;
	static const uint32_t priorities[] = { 0, 5, 5, 5, 9, 7, 9 };

	assoc_add(b, 1, 0, "root", NULL, 1, 0);
	assoc_add(b, 2, 1, "a", NULL, 3, 0);
	assoc_add(b, 3, 2, "sub", NULL, 1, 0);
	assoc_add(b, 4, 3, "sub", "x", 1, 0);
	assoc_add(b, 5, 2, "own", NULL, 1, 0);
	assoc_add(b, 6, 1, "b", NULL, 1, 0);
	assoc_add(b, 7, 5, "own", "y", 1, 0);
	for (uint32_t i = 0; i < 7; i++)
		builder_u32(b, F_ASSOC_PRIORITY, i, priorities[i]);
	base = builder_seal(b, NULL);
	becomes(base, w, "/b/sub 7 /b/sub:x 7 /b/own 9 /b/own:y 9 /b/new 7 /a 5");
	/* An account's priority is inherited by rows below without one of their own. */
	becomes(base, edits_list("priority:/a = 2", NULL),
		"/a 2 /a/sub 2 /a/sub:x 2 /a/own 9 /a/own:y 9 /b 7");
	/* By a user who moves, too. */
	becomes(base, edits_list("parent:/a/sub:x = /b", NULL), "/b:x 7");
	cluster_free(base);
}

static void problem(const char *edit, const char *expected)
{
	struct cluster *base = small(), *c;
	struct whatif *w = edits_list(edit, NULL);
	struct err err = { .code = ERR_NONE };

	c = whatif_apply(w, base);
	assert_non_null(c);
	if (whatif_check(w, &err) || !strstr(err.message, expected))
		fail_msg("%s: \"%s\" does not say \"%s\"", edit, err.message, expected);
	/* The edit is marked, not dropped: it counts again once its object exists. */
	assert_int_equal(w->count, 1);
	assert_int_equal(whatif_active(w), 1);
	cluster_free(c);
	whatif_free(w);
	cluster_free(base);
}

static void test_problems(void **state)
{
	(void)state;
	problem("shares:/nobody = 3", "nobody");
	problem("parent:/a = /a/sub", "below it");
	problem("parent:/a = /b:z", "not an account");
	problem("add:/a = 3", "already exists");
	problem("add:/b/sub = 3", "exists elsewhere");
	problem("add:/none/new = 3", "unknown account \"/none\"");
	problem("remove:/ = yes", "root");
	problem("qos:none.priority = 3", "unknown QOS");
	problem("partition:none.tier = 3", "unknown partition");
	problem("job:1.nice = 3", "no such job");
	problem("new_job:x = user=q account=a", "no association");
	problem("new_job:x = colour=q", "not one of user=");
}

/* ---- weights --------------------------------------------------------------------------------- */

static void test_percent(void **state)
{
	(void)state;
	struct policy base, out;
	struct whatif *w = edits_list("weight.fairshare = 70%", "weight.age = 15%",
				      "weight.qos = 15%", NULL);
	struct err err;

	policy_init(&base);
	base.weight[PRIO_AGE] = 1000;
	base.weight[PRIO_FAIRSHARE] = 1000;
	base.weight[PRIO_PARTITION] = 8000;
	whatif_policy(w, &base, &out);
	assert_int_equal(out.weight[PRIO_FAIRSHARE], 7000);
	assert_int_equal(out.weight[PRIO_AGE], 1500);
	assert_int_equal(out.weight[PRIO_QOS], 1500);
	assert_int_equal(out.weight[PRIO_PARTITION], 0);
	/* Typed points stay; the others share the rest in proportion. */
	whatif_free(w);
	w = edits_list("weight.fairshare = 50%", "weight.qos = 500", NULL);
	whatif_policy(w, &base, &out);
	assert_int_equal(out.weight[PRIO_FAIRSHARE], 5000);
	assert_int_equal(out.weight[PRIO_QOS], 500);
	assert_int_equal(out.weight[PRIO_AGE], 500);
	assert_int_equal(out.weight[PRIO_PARTITION], 4000);
	whatif_free(w);
	w = edits_list("weight.fairshare = 90%", "weight.age = 15%", NULL);
	whatif_policy(w, &base, &out);
	assert_false(whatif_check(w, &err));
	whatif_free(w);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* The closed form equals stepping pass by pass. */
static void test_burn(void **state)
{
	(void)state;
	static const int64_t half_lives[] = { 0, 3600, 7 * 86400, 90 * 86400 };

	for (size_t h = 0; h < 4; h++) {
		for (int64_t dt = 1; dt < 40 * 86400; dt = dt * 3 + 17) {
			struct burn b = burn_over(half_lives[h], 300, dt);
			double left = 1, gained = 0;
			int64_t t = 0;

			for (; t < dt; t += 300) {
				int64_t slice = dt - t < 300 ? dt - t : 300;
				double q = decay_over(half_lives[h], slice);

				left *= q;
				gained = gained * q + decay_charge(half_lives[h], slice, 1, 1);
			}
			assert_true(fabs(b.left - left) <= 1e-9 * left + 1e-300);
			assert_true(fabs(b.gained - gained) <= 1e-9 * gained);
		}
	}
}

static void test_advance(void **state)
{
	(void)state;
	struct cluster *base = demo_cluster(), *c;
	struct whatif *w = edits_list("advance = 6h", NULL);
	const double *before, *after;
	double q = decay_over(cluster_policy(base)->half_life, 6 * 3600);

	c = edits_apply(w, base);
	assert_int_equal(cluster_meta(c)->time, cluster_meta(base)->time + 6 * 3600);
	before = cluster_col_f64(base, F_ASSOC_USAGE);
	after = cluster_col_f64(c, F_ASSOC_USAGE);
	for (uint32_t i = 0; i < cluster_rows(base, TABLE_ASSOC); i++)
		assert_true(after[i] >= before[i] * q * (1 - 1e-12));
	assert_true(after[0] > before[0] * q);
	cluster_free(c);
	whatif_free(w);
	cluster_free(base);
}

/* ---- files and indices ----------------------------------------------------------------------- */

static void test_files(void **state)
{
	(void)state;
	static const char text[] = "#name mix\n# a comment\n\n  shares:/a = 60  # more\n"
				   "#off weight.age = 5\r\n\tadvance = 6h";
	struct whatif *w = whatif_new(), *again = whatif_new();
	struct bytes out = { .data = NULL };
	struct err err = { .code = ERR_NONE };

	assert_true(whatif_load(w, text, &err));
	assert_int_equal(w->count, 3);
	assert_true(w->entries[1].off);
	assert_string_equal(w->name, "mix");
	assert_true(whatif_save(w, bytes_sink(&out), NULL));
	assert_string_equal(out.data, "#name mix\nshares:/a = 60\n#off weight.age = 5\n"
				      "advance = 6h\n");
	assert_true(whatif_load(again, out.data, NULL));
	assert_int_equal(again->count, 3);
	assert_false(whatif_load(again, "damping = 2\n\nshares = x", &err));
	assert_int_equal(err.line, 3);
	whatif_free(w);
	whatif_free(again);
	bytes_free(&out);
}

static void test_indices(void **state)
{
	(void)state;
	double even[] = { 2, 2, 2, 2 }, one[] = { 0, 0, 0, 8 }, mixed[] = { 4, 1, 3, 2 };

	assert_true(jain_index(even, 4) == 1 && gini_index(even, 4) == 0);
	assert_true(jain_index(one, 4) == 0.25 && gini_index(one, 4) == 0.75);
	/* (1+2+3+4)^2 / (4*30); mean difference 1.25 / (2*2.5) */
	assert_true(fabs(jain_index(mixed, 4) - 100.0 / 120) < 1e-15);
	assert_true(fabs(gini_index(mixed, 4) - 0.25) < 1e-15);
	assert_true(isnan(jain_index(even, 0)) && isnan(gini_index(even, 0)));
}

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts numbers far apart, equal, or different only in their last bits. */
static void test_gini_sorts(void **state)
{
	(void)state;
	double values[999], expected[999];
	uint32_t seed = 1;

	for (size_t i = 0; i < 999; i++) {
		seed = seed * 1664525 + 1013904223;
		values[i] = i % 3 == 0 ? ldexp(1, (int)(seed >> 24) - 128)
			    : i % 3 == 1 ? 1 + (seed >> 16) * 0x1p-52 : (double)(seed >> 28);
	}
	memcpy(expected, values, sizeof(values));
	qsort(expected, 999, sizeof(*expected), compare_numbers);
	gini_index(values, 999);
	assert_memory_equal(values, expected, sizeof(values));
}

/* A user who changes account leaves the usage behind and takes the jobs along. */
static void test_move_user(void **state)
{
	struct cluster *base = demo_cluster(), *now;
	uint32_t user = cluster_by_path(base, "/biology:wnovak"), row, moved = 0;
	uint32_t id = cluster_u32(base, F_ASSOC_ID, user);
	struct whatif *w = edits_list("parent:/biology:wnovak = /physics", NULL);

	(void)state;
	now = edits_apply(w, base);
	row = cluster_by_path(now, "/physics:wnovak");
	assert_int_not_equal(row, ROW_NONE);
	assert_int_equal(cluster_by_path(now, "/biology:wnovak"), ROW_NONE);
	assert_int_equal(cluster_u32(now, F_ASSOC_SHARES, row),
			 cluster_u32(base, F_ASSOC_SHARES, user));
	assert_true(cluster_f64(now, F_ASSOC_USAGE, row) == 0);
	/* The usage stays with the former account. */
	assert_true(cluster_f64(now, F_ASSOC_USAGE, 0) == cluster_f64(base, F_ASSOC_USAGE, 0));
	assert_true(cluster_f64(now, F_ASSOC_USAGE, cluster_by_path(now, "/biology")) ==
		    cluster_f64(base, F_ASSOC_USAGE, cluster_by_path(base, "/biology")));
	assert_true(cluster_f64(now, F_ASSOC_USAGE, cluster_by_path(now, "/physics")) ==
		    cluster_f64(base, F_ASSOC_USAGE, cluster_by_path(base, "/physics")));
	for (uint32_t i = 0; i < cluster_rows(now, TABLE_JOB); i++) {
		if (cluster_u32(now, F_JOB_ASSOC, i) != id)
			continue;
		moved++;
		assert_string_equal(cluster_text(now, F_JOB_ACCOUNT, i), "physics");
	}
	assert_true(moved > 0);
	cluster_free(now);
	whatif_free(w);
	w = edits_list("parent:/biology:wnovak = /biology", NULL);
	now = whatif_apply(w, base);
	assert_false(whatif_check(w, NULL));		/* already there */
	cluster_free(now);
	whatif_free(w);
	cluster_free(base);
}

/* The queues of pools and the classes of the jobs, before and after. */
static void test_groups(void **state)
{
	struct cluster *base = demo_cluster(), *now;
	struct whatif *w = edits_list("pool:compute.long.share = 60", "classes.exclude = ncpus",
				      NULL);
	struct model_options options = { -1, FS_BASE_USAGE, FS_ORDER_LIST };
	struct whatif_side side = { .set = "" };
	struct class_choice choice = class_choice_of(base);
	struct changes_list *d = changes_list_new();
	uint32_t shares = 0, summaries = 0;

	(void)state;
	now = edits_apply(w, base);
	side.base = model_new(base, &options, NULL);
	side.model = model_new(now, &options, NULL);
	side.base_pools = pools_new(base, NULL, false, NULL, NULL);
	side.pools = pools_new(now, NULL, false, NULL, NULL);
	side.base_jobs = jobs_new(side.base, NULL);
	side.jobs = jobs_new(side.model, NULL);
	side.base_classes = classes_data_new(side.base_jobs, &choice, NULL, 0);
	side.classes = side.base_classes;
	changes_list_add(d, &side, WHATIF_POOLS, true);
	for (uint32_t i = 0; i < d->count; i++) {
		struct value object;

		column_get(&whatif_columns[0], d, i, &object);
		summaries += d->rows[i].summary;
		if (strcmp(d->rows[i].column, "share") != 0)
			continue;
		shares++;
		assert_string_equal(object.text, "queue:long");
		assert_true(past_number(d->rows[i].was) == 20 &&
			    past_number(d->rows[i].is) == 60);
	}
	assert_int_equal(shares, 1);
	assert_true(summaries >= 4);
	assert_int_equal(whatif_view(d).column_count, whatif_columns_count - 1);
	/* A second side with the same classes on both adds only the summary. */
	shares = d->count;
	changes_list_add(d, &side, WHATIF_CLASSES, true);
	assert_int_equal(d->count - shares, summaries);
	assert_int_equal(whatif_view(d).column_count, whatif_columns_count);
	changes_list_free(d);
	classes_data_free((struct classes_data *)(uintptr_t)side.base_classes);
	jobs_free((struct jobs *)(uintptr_t)side.jobs);
	jobs_free((struct jobs *)(uintptr_t)side.base_jobs);
	pools_free((struct pools *)(uintptr_t)side.pools);
	pools_free((struct pools *)(uintptr_t)side.base_pools);
	model_free((struct model *)(uintptr_t)side.model);
	model_free((struct model *)(uintptr_t)side.base);
	cluster_free(now);
	whatif_free(w);
	cluster_free(base);
}

/* A setting that the scheduler lacks is refused by name, and so is an edit without effect. */
static void test_foreign(void **state)
{
	static const struct {
		const char *kind, *edit, *expected;
	} cases[] = {
		{ "pbs", "weight.age = 3", "PBS has no such setting, it belongs to Slurm" },
		{ "pbs", "PriorityDecayHalfLife = 1-0", "PBS has no such setting" },
		{ "pbs", "algorithm = classic", "PBS has no such setting" },
		{ "pbs", "job:1.nice = 3", "PBS has no such setting" },
		{ "pbs", "job:1.time_limit = 1h", "walltime (qalter -l walltime=) cannot be" },
		{ "pbs", "job:1.cpus = 2", "select (qalter -l select=) cannot be tried" },
		{ "pbs", "job:1.partition = q", "its queue (qmove) cannot be tried" },
		{ "pbs", "job:1.priority = 2", "the priority of a job is job:ID.job_priority" },
		{ "pbs", "queue:q.job_limit = 2", "max_run, max_run_res and max_queued cannot" },
		{ "pbs", "new_job:x = user=u", "new jobs of PBS cannot be tried" },
		{ "pbs", "CPU_TIME_FACTOR = 1", "it belongs to LSF" },
		{ "pbs", "fairshare_entity = queue", "fairshare_entity cannot be tried: who was" },
		{ "pbs", "node_sort_key = ncpus", "node_sort_key cannot be tried: " },
		{ "pbs", "add:/x = parent", "PBS shares must be numbers" },
		{ "lsf", "half_life = 1d", "LSF has no such setting, it belongs to Slurm" },
		{ "lsf", "damping = 2", "LSF has no such setting" },
		{ "lsf", "fair_share = True", "LSF has no such setting, it belongs to PBS" },
		{ "slurm", "fair_share = True", "Slurm has no such setting, it belongs to PBS" },
		{ "pbs", "fair_share = True", "" }, { "pbs", "classes.exclude = mem", "" },
		{ "slurm", "weight.age = 3", "" }, { "lsf", "CPU_TIME_FACTOR = 1", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct builder *b = builder_new();
		struct cluster_meta meta = *builder_get_meta(b);
		struct whatif *w = whatif_new();
		struct err err = { .code = ERR_NONE };
		struct cluster *base, *c;

		meta.kind = cases[i].kind;
		builder_meta(b, &meta);
		base = builder_seal(b, NULL);
		assert_true(whatif_add(w, cases[i].edit, &err));
		c = whatif_apply(w, base);
		if (whatif_check(w, &err) != (cases[i].expected[0] == '\0') ||
		    !strstr(err.message, cases[i].expected))
			fail_msg("%s: \"%s\"", cases[i].edit, err.message);
		cluster_free(c);
		cluster_free(base);
		whatif_free(w);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_replace),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_undo),
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_commute),
		cmocka_unit_test(test_shares_like_built),
		cmocka_unit_test(test_structure_like_built),
		cmocka_unit_test(test_usage_follows),
		cmocka_unit_test(test_usage_of_removed),
		cmocka_unit_test(test_move_like_built),
		cmocka_unit_test(test_inherited_priority),
		cmocka_unit_test(test_problems),
		cmocka_unit_test(test_percent), cmocka_unit_test(test_release),
		cmocka_unit_test(test_burn),
		cmocka_unit_test(test_advance),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_indices),
		cmocka_unit_test(test_gini_sorts),
		cmocka_unit_test(test_groups), cmocka_unit_test(test_move_user),
		cmocka_unit_test(test_foreign),
	};

	return cmocka_run_group_tests_name("whatif", tests, NULL, NULL);
}
