/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PBS's fair share against a real OpenPBS 23.06.06: the output of pbsfs for the same tree and usage
 * (all nodes, pbsfs -g of single ones, pbsfs -c of pairs), a tree that was broken on purpose, and
 * the usage file in every state in which it must be refused.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/queue/compare.h"
#include "core/base/mem.h"
#include "core/share/decay_policy.h"
#include "core/share/pbs_share.h"
#include "core/verify/verify.h"
#include "core/whatif/whatif_apply.h"
#include "tests/support/copy.h"
#include "tests/support/kept.h"
#include "tests/support/note.h"
#include "tests/support/pbs.h"

static struct model *model_of(const struct cluster *c)
{
	struct model *m = kept_model(c);

	assert_non_null(m);
	assert_int_equal(m->algo->id, FS_PBS);
	return m;
}

/* ---- pbsfs ----------------------------------------------------------------------------------- */

/* S equals the value that pbsfs prints, to its digits. */
static void test_where_s_comes_from(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("01_main"));
	struct cluster *off = kept_cluster(copy_scaled(c, F_ASSOC_R_NORM_SHARES, 2, 1.001));
	struct model *m = model_of(c), *other = model_of(off);

	(void)state;
	for (uint32_t i = 0; i < m->fs->n; i++) {
		assert_int_equal(fs_origin(&m->input, m->fs, FS_NUMBER_S, i), VALUE_COMPUTED);
		assert_int_equal(fs_origin(&other->input, other->fs, FS_NUMBER_S, i),
				 i == 2 ? VALUE_DIFFERS : VALUE_COMPUTED);
	}
	assert_true(f64_known(fs_reported(&m->input, FS_NUMBER_S, 2)));
}

/* FORMULAS: the number of job_sort_formula values in the recording's log; 0: it has no formula. */
static void verified(const char *name, int exit_code, uint32_t rows, uint32_t formulas)
{
	struct cluster *c = kept_cluster(pbs_cluster(name));
	struct verify *v = kept_verify(c);

	assert_int_equal(v->count, formulas > 0 ? 3 : 2);
	assert_int_equal(v->exit_code, exit_code);
	assert_int_equal(v->rows[0].verdict, VERIFY_EQUAL);
	assert_int_equal(v->rows[0].rows, rows);
	if (formulas > 0) {
		assert_int_equal(v->rows[2].verdict, VERIFY_EQUAL);
		assert_int_equal(v->rows[2].rows, formulas);
	}
}

static void test_pbsfs(void **state)
{
	(void)state;
	verified("01_main", 0, 27, 0);
	verified("02_formula", 0, 27, 139);
	verified("00_fresh", 0, 24, 0);
	/* pbsfs gives two entities of "unknown" more: a third one has a job, but no usage yet. */
	verified("23_entity", 0, 17, 0);
}

/* fairshare_entity: egroup:euser. Paths end in the names that pbsfs prints for the same tree. */
static void test_entities_of_group_and_user(void **state)
{
	static const char *const paths[] = { "/dl:dl:quinn", "/dl:dl:rosa", "/unknown:phys:ann",
					     "/unknown:chem:dee", "/phys/hep:ann" };
	struct cluster *c = kept_cluster(pbs_cluster("23_entity"));
	size_t length;
	char *printed = pbs_text("23_entity/pbsfs.txt", &length), path[100];

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		const char *name = strchr(paths[i], ':') + 1;
		uint32_t row = cluster_by_path(c, paths[i]);

		assert_int_not_equal(row, ROW_NONE);
		cluster_path(c, row, path, sizeof(path));
		assert_string_equal(path, paths[i]);
		assert_string_equal(cluster_text(c, F_ASSOC_USER, row), name);
		assert_non_null(strstr(printed, name));
	}
	mem_free(printed);
}

/*
 * Recorded live after a decay with a formula of fairshare_tree_usage. The scheduler's memory, where
 * no group falls below 1 either, differs from its usage file, and gus's values of 0.00004 are 0 in
 * its log: both are within the stated tolerance. Another formula is not.
 */
static void test_drift(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("11_drift")), *other;
	struct whatif *w = whatif_new();
	struct verify *v;

	(void)state;
	verified("11_drift", 0, 15, 17);
	v = kept_verify(c);
	assert_non_null(strstr(v->rows[2].why, "decays make its memory and its usage file"));
	assert_true(v->rows[2].max_abs > 1e-3 && v->rows[2].max_abs < 2e-3);
	assert_true(whatif_add(w, "job_sort_formula = fairshare_tree_usage*9.5 if ncpus > 1 else "
			       "fairshare_tree_usage/10", NULL));
	other = kept_cluster(whatif_apply(w, c));
	v = kept_verify(other);
	assert_int_equal(v->rows[2].verdict, VERIFY_DIFFERS);
	assert_non_null(strstr(v->rows[2].why, "unless the formula was set after that cycle"));
	whatif_free(w);
}

/* Usage of another time is reported as a difference. */
static void test_other_usage(void **state)
{
	static const struct pbs_file files[] = { { "01_main/pbsfs.txt", "pbsfs.txt" },
						 { "01_main/resource_group", "resource_group" },
						 { "01_main/sched_config", "sched_config" },
						 { "05_lifecycle/usage_step3.usage.bin", "usage" },
						 { NULL, NULL } };
	struct cluster *c = kept_cluster(pbs_cluster(pbs_directory(files)));
	struct verify *v = kept_verify(c);

	(void)state;
	assert_int_equal(v->exit_code, 1);
	assert_int_equal(v->rows[0].verdict, VERIFY_EQUAL);
	assert_int_equal(v->rows[1].verdict, VERIFY_DIFFERS);
	assert_non_null(strstr(v->rows[1].why, "rows are further apart"));
	pbs_remove();
}

/* Returns the number after LABEL in the output of pbsfs -g. */
static double reported(const char *text, const char *label)
{
	const char *at = strstr(text, label);

	assert_non_null(at);
	at += strlen(label);
	return strtod(at + strspn(at, "\t :"), NULL);
}

static void node_is(const struct model *m, const char *recording, const char *name)
{
	char file[100];
	size_t length;
	char *text;
	uint32_t row = pbs_node(m->cluster, name);

	snprintf(file, sizeof(file), "%s/pbsfs_g_%s.txt", recording, name);
	text = pbs_text(file, &length);
	assert_int_not_equal(row, ROW_NONE);
	assert_true(fabs(m->fs->norm_shares[row] * 100 - reported(text, "Percentage")) < 1e-5);
	assert_true(fabs(m->fs->effective_usage[row] - reported(text, "tree_usage")) < 1e-6);
	assert_true(fabs(m->fs->own[PBS_OWN_USAGE_PERC][row] - reported(text, "usage/perc")) <=
		    1e-7 * reported(text, "usage/perc") + 1);
	mem_free(text);
}

static void test_single_nodes(void **state)
{
	static const char *const main_nodes[] = { "adele", "bruno", "hep" };
	static const char *const formula_nodes[] = { "atlas", "chenli", "farid" };
	struct cluster *c = kept_cluster(pbs_cluster("01_main"));
	struct cluster *d = kept_cluster(pbs_cluster("02_formula"));
	struct model *m = model_of(c), *n = model_of(d);

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		node_is(m, "01_main", main_nodes[i]);
		node_is(n, "02_formula", formula_nodes[i]);
	}
}

/* Checks the more deserving entity that pbsfs -c A B prints. */
static void winner_is(const char *recording, const char *a, const char *b)
{
	struct cluster *c = kept_cluster(pbs_cluster(recording));
	struct model *m = model_of(c);
	uint32_t row_a = pbs_node(c, a), row_b = pbs_node(c, b);
	struct compare compare;
	char file[100], winner[64];
	size_t length;
	char *text;

	snprintf(file, sizeof(file), "%s/pbsfs_c_%s_%s.txt", recording, a, b);
	text = pbs_text(file, &length);
	assert_int_equal(sscanf(text, "%63s", winner), 1);
	compare_accounts(m, row_a, row_b, &compare);
	assert_string_equal(winner, compare.order < 0 ? a : compare.order > 0 ? b : "==");
	/* The first level that differs is marked as the deciding one. */
	assert_true(compare.rows[1].decides);
	assert_true(strncmp(compare.rows[1].name, "Usage/S of ", 11) == 0);
	assert_int_equal(compare.order < 0, m->fs->rank[row_a] < m->fs->rank[row_b]);
	compare_free(&compare);
	mem_free(text);
}

static void test_compare(void **state)
{
	(void)state;
	winner_is("01_main", "adele", "bruno");
	winner_is("01_main", "bruno", "adele");
	winner_is("02_formula", "chenli", "farid");
	winner_is("02_formula", "farid", "chenli");
}

/* ---- a tree that was broken on purpose ------------------------------------------------------- */

/*
 * Its pbsfs ran before its usage was changed, so only values independent of usage are compared.
 */
static void test_bad_tree(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("09_badtree"));
	struct verify *v = kept_verify(c);
	struct model *m = model_of(c);

	(void)state;
	assert_int_equal(v->rows[0].verdict, VERIFY_EQUAL);
	assert_int_equal(v->rows[0].rows, 30);
	assert_true(note_says(c, "9 lines are left out"));
	assert_true(m->fs->norm_shares[pbs_node(c, "zeta")] < 0);
	assert_int_equal(cluster_i64(c, F_ASSOC_SIGNED_SHARES, pbs_node(c, "big2")), INT32_MIN);
	assert_true(m->fs->fairshare[pbs_node(c, "zchild")] == 0);
	assert_int_not_equal(pbs_node(c, "grp:user"), ROW_NONE);
	assert_int_equal(pbs_node(c, "beta"), ROW_NONE);
}

static void test_explanation(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("01_main"));
	struct model *m = model_of(c);
	uint32_t row = pbs_node(c, "adele");
	struct explain e;

	(void)state;
	explain_init(&e);
	m->algo->explain(&m->input, m->fs, row, &e);
	/* Five levels of seven steps each; then R, F and the rank. */
	assert_int_equal(e.count, 5 * 7 + 3);
	assert_string_equal(e.steps[e.count - 2].name, "F");
	assert_true(e.steps[e.count - 2].value == m->fs->fairshare[row]);
	assert_true(e.steps[e.count - 1].value == m->fs->rank[row]);
	explain_free(&e);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Ranks agree with pbs_compare_paths() on every pair. */
static void test_ranks(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("01_main"));
	struct model *m = model_of(c);
	uint32_t x, y, pairs = 0;

	(void)state;
	for (uint32_t i = 0; i < m->fs->n; i++) {
		for (uint32_t j = 0; j < m->fs->n; j++) {
			int order;

			if (!cluster_is_user(c, i) || !cluster_is_user(c, j))
				continue;
			order = pbs_compare_paths(m->tree, m->fs, i, j, &x, &y);
			assert_int_equal(order, m->fs->rank[i] < m->fs->rank[j] ? -1 :
						m->fs->rank[i] > m->fs->rank[j]);
			pairs++;
		}
	}
	assert_int_equal(pairs, 12 * 12);
}

/* ---- the usage file -------------------------------------------------------------------------- */

static void refused(const char *bytes, size_t length, const char *message)
{
	char path[] = "/tmp/fairtop-usage-XXXXXX";
	int fd = mkstemp(path);
	struct err err = { 0 };
	struct cluster *c;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, length), (ssize_t)length);
	close(fd);
	c = pbs_try(path, &err);
	unlink(path);
	if (!message) {
		assert_non_null(c);
		cluster_free(c);
		return;
	}
	assert_null(c);
	assert_int_equal(err.code, ERR_INPUT);
	if (!strstr(err.message, message))
		fail_msg("\"%s\" does not say \"%s\"", err.message, message);
}

static void test_usage_files(void **state)
{
	size_t length;
	char *good = pbs_text("01_main/usage", &length), *bad = mem_alloc(length, 1);
	const double three = 3, nothing = -1;

	(void)state;
	refused(good, length, NULL);
	refused(good, 32, NULL);
	refused(good, length - 1, "cut in the middle");
	refused(good, 40, "cut in the middle");
	refused(good, 20, "not a usage file");
	memcpy(bad, good, length);
	memcpy(bad + 16, &three, 8);
	refused(bad, length, "version 3");
	memcpy(bad, good, length);
	for (size_t i = 0; i < 4; i++) {	/* another byte order */
		char c = bad[16 + i];

		bad[16 + i] = bad[23 - i];
		bad[23 - i] = c;
	}
	refused(bad, length, "byte order");
	memcpy(bad, good, length);
	memcpy(bad + 32 + 56, &nothing, 8);
	refused(bad, length, "damaged");
	memcpy(bad, good, length);
	memset(bad + 32, 'x', 50);
	refused(bad, length, "damaged");
	mem_free(bad);
	mem_free(good);
}

/* ---- usage over time ------------------------------------------------------------------------- */

/*
 * fairshare_usage_res is ncpus*walltime: the CPUs that the server reports as assigned, per second.
 */
static void test_burn_is_what_the_server_has_assigned(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("01_main"));
	struct model *m = model_of(c);

	(void)state;
	assert_true(fabs(m->burn[0] - (1520 * 3600.0)) <= 1e-6);
}

/* Seen on a real one: 132 s at intervals of 40 s had three decays. */
static void test_decays(void **state)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = { .kind = "pbs", .time = 1000, .last_decay = 1000 };
	struct err err = { 0 };
	struct cluster *c;
	struct burn burn;
	size_t time = policy_param("fairshare_decay_time");

	(void)state;
	assert_true(policy_set_text(builder_policy(b), time, "00:00:40", &err));
	builder_meta(b, &meta);
	c = kept_cluster(builder_seal(b, &err));
	assert_non_null(c);
	assert_int_equal(decay_period(c), 40);
	assert_int_equal(decay_half_life(c), 40);
	burn = decay_after(c, 132);
	assert_true(fabs(burn.left - (0.125)) <= 1e-15);
	/* Three intervals of 40 s, halved three times, twice and once; then 12 s. */
	assert_true(fabs(burn.gained - (5 + 10 + 20 + 12)) <= 1e-12);
	burn = decay_after(c, 39);
	assert_true(fabs(burn.left - (1)) <= 0);
	assert_true(fabs(burn.gained - (39)) <= 0);
}

/* Without sched_config the decay is unknown: no default is shown as a fact. */
static void test_hidden_policy(void **state)
{
	static const struct pbs_file files[] = {
		{ "01_main/qstat_ft_json.json", "qstat_ft.json" },
		{ "01_main/qstat_Bf_json.json", "qstat_Bf.json" },
		{ "01_main/qmgr_list_sched.txt", "qmgr_list_sched.txt" }, { NULL, NULL }
	};
	struct cluster *c = kept_cluster(pbs_cluster(pbs_directory(files)));
	struct cluster *whole = kept_cluster(pbs_cluster("01_main"));
	struct policy_view shape = { .policy = cluster_policy(c), .meta = cluster_meta(c),
				     .next_reset = I64_UNKNOWN };
	struct view view = policy_view(&shape);
	uint32_t hidden = 0;

	(void)state;
	assert_int_equal(decay_period(c), I64_UNKNOWN);
	assert_int_equal(decay_period(whole), 12 * 3600);
	for (uint32_t row = 0; row < view.rows; row++) {
		struct value name, value, from;

		column_get(column_find(view.columns, view.column_count, "name", 4), view.context,
			   row, &name);
		column_get(column_find(view.columns, view.column_count, "value", 5), view.context,
			   row, &value);
		column_get(column_find(view.columns, view.column_count, "from", 4), view.context,
			   row, &from);
		if (strcmp(name.text, "fair_share") == 0 || strcmp(name.text, "by_queue") == 0)
			assert_string_equal(from.text, "hidden");
		if (strcmp(name.text, "backfill_depth") == 0)
			assert_string_not_equal(from.text, "hidden");
		if (strcmp(from.text, "hidden") == 0) {
			assert_int_equal(value.kind, VALUE_UNKNOWN);
			hidden++;
		}
	}
	assert_true(hidden > 10);
	pbs_remove();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_burn_is_what_the_server_has_assigned),
		cmocka_unit_test(test_decays),	     cmocka_unit_test(test_hidden_policy),
		cmocka_unit_test(test_pbsfs),	     cmocka_unit_test(test_other_usage),
		cmocka_unit_test(test_where_s_comes_from),
		cmocka_unit_test(test_entities_of_group_and_user),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_single_nodes), cmocka_unit_test(test_compare),
		cmocka_unit_test(test_bad_tree),     cmocka_unit_test(test_explanation),
		cmocka_unit_test(test_ranks),	     cmocka_unit_test(test_usage_files),
	};

	return cmocka_run_group_tests(tests, NULL, kept_free);
}
