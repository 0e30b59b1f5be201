/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify: the verdict on every recording of a live controller, the message about one that is not
 * settled, that it finds a wrong number, and that a tolerance follows from the precision of the
 * input.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/adapter.h"
#include "core/base/mem.h"
#include "core/verify/verify.h"
#include "tests/support/compare.h"
#include "tests/support/copy.h"
#include "tests/support/data.h"
#include "tests/support/dump.h"
#include "tests/support/gen_tree.h"
#include "tests/support/kept.h"
#include "tests/support/sketch.h"
#include "tests/support/startup.h"
#include "tests/support/worked.h"

static struct cluster *recorded(const char *name)
{
	return kept_cluster(dump_cluster(name));
}

static struct cluster *rounded(const struct cluster *c)
{
	return kept_cluster(copy_coarse(c));
}

/* Returns what a settled controller would report for a Fair Tree. */
static struct cluster *settled_tree(const struct cluster *c)
{
	return kept_cluster(startup_settled(c, FS_FAIR_TREE));
}

static const struct verify_row *find_row(const struct verify *v, const char *quantity)
{
	for (size_t i = 0; i < v->count; i++) {
		if (strcmp(v->rows[i].quantity, quantity) == 0)
			return &v->rows[i];
	}
	return NULL;
}

static void check_row(const struct verify *v, const char *quantity, enum verify_verdict verdict,
		      uint32_t rows)
{
	const struct verify_row *row = find_row(v, quantity);

	assert_non_null(row);
	if (row->verdict != verdict || row->rows < rows)
		fprintf(stderr, "%s: %u rows, %s\n", quantity, (unsigned)row->rows, row->why);
	assert_int_equal(row->verdict, verdict);
	assert_true(row->rows >= rows);
}

static const struct {
	const char *name;
	int exit_code;
	const char *reason;	/* a part of it */
} verdicts[] = {
	{ "depthobl/quiet", 0, "" },
	{ "depthobl/live", 4, "36 jobs run: accounts are a pass behind" },
	{ "depthobl/quiet_cold", 4, "slurmctld started 62 s ago" },
	{ "depthobl/live_cold", 4, "sshare -a" },
	{ "depthobl/zero_usage", 0, "" },
	{ "depthobl_xflags/quiet", 0, "" },
	{ "depthobl_damp3/quiet", 0, "" },
	{ "nofairtree/quiet", 0, "" },
	{ "nofairtree/live", 0, "12 jobs run: accounts are a pass behind" },
	{ "nofairtree/zero_usage", 0, "" },
	{ "nofairtree_xflags/quiet", 0, "" },
	{ "fairtree/quiet", 0, "" },
	{ "fairtree/live", 0, "" },
	{ "fairtree/zero_usage", 0, "" },
	{ "fairtree/after_update", 0, "" },
	{ "fairtree_xflags/quiet", 0, "" },
};

static void test_every_recording(void **state)
{
	(void)state;
	assert_int_equal(sizeof(verdicts) / sizeof(verdicts[0]), dump_count);
	for (size_t i = 0; i < dump_count; i++) {
		struct cluster *c = recorded(verdicts[i].name);
		struct verify *v = kept_verify(c);
		bool as_expected =
			v->exit_code == verdicts[i].exit_code &&
			(*verdicts[i].reason ? strstr(v->reason, verdicts[i].reason) != NULL
					     : v->reason[0] == '\0');

		if (!as_expected)
			fprintf(stderr, "%s: exit %d, \"%s\"\n", verdicts[i].name, v->exit_code,
				v->reason);
		assert_true(as_expected);
		check_row(v, "S", VERIFY_EQUAL, 85);
		check_row(v, "L", VERIFY_EQUAL, 85);
	}
}

/* "Equal" holds to more digits than any command prints. */
static void test_tolerances_are_tight(void **state)
{
	struct cluster *c = recorded("depthobl/quiet");
	struct verify *v = kept_verify(c);

	(void)state;
	check_row(v, "E from reported U", VERIFY_EQUAL, 85);
	check_row(v, "R from reported U", VERIFY_EQUAL, 68);
	check_row(v, "F of jobs from reported U", VERIFY_EQUAL, 25);
	check_row(v, "E from usage", VERIFY_EQUAL, 85);
	check_row(v, "F from reported U", VERIFY_NOT_COMPARABLE, 0);
	assert_true(find_row(v, "E from reported U")->max_rel < 1e-14);
	assert_true(find_row(v, "E from reported U")->tolerance < 1e-12);
	assert_true(find_row(v, "E from usage")->tolerance < 1e-6);
}

static void test_classic_from_reported_usage_while_jobs_run(void **state)
{
	struct cluster *c = recorded("nofairtree/live");
	struct verify *v = kept_verify(c);

	(void)state;
	check_row(v, "E from reported U", VERIFY_EQUAL, 85);
	check_row(v, "U from usage", VERIFY_NOT_COMPARABLE, 85);
	check_row(v, "E from usage", VERIFY_NOT_COMPARABLE, 85);
}

/* A wrong number among the reported ones is found, named, and sets exit code 1. */
static void spoil(const char *name, enum field field, const char *object, double factor,
		  const char *quantity)
{
	struct cluster *c = recorded(name), *spoilt;
	struct err err = { 0 };
	uint32_t row = cluster_find_assoc(c, object, &err);
	struct verify *v;

	assert_int_not_equal(row, ROW_NONE);
	spoilt = kept_cluster(copy_scaled(c, field, row, factor));
	v = kept_verify(spoilt);
	assert_int_equal(v->exit_code, 1);
	check_row(v, quantity, VERIFY_DIFFERS, 20);
	assert_int_equal(find_row(v, quantity)->worst, row);
}

static void test_a_wrong_number_is_found(void **state)
{
	(void)state;
	spoil("depthobl/quiet", F_ASSOC_R_NORM_SHARES, "/physics:alice", 1 + 1e-12, "S");
	spoil("depthobl/quiet", F_ASSOC_R_EFFECTIVE_USAGE, "/class/cs101:s3", 1 + 1e-11,
	      "E from reported U");
	spoil("depthobl/quiet", F_ASSOC_R_NORM_USAGE, "/class/cs101:s3", 1.001, "U from usage");
	spoil("nofairtree/quiet", F_ASSOC_R_EFFECTIVE_USAGE, "/class/cs101:s3", 1 + 1e-11,
	      "E from reported U");
	spoil("nofairtree/quiet", F_ASSOC_USAGE, "/class/cs101:s3", 1.01, "U from usage");
	spoil("fairtree/quiet", F_ASSOC_R_LEVEL_FS, "/class/cs101:s3", 1 + 1e-11,
	      "Level FS from reported E");
	spoil("fairtree/quiet", F_ASSOC_R_FAIRSHARE, "/class/cs101:s3", 1.5,
	      "F from reported Level FS");
}

/* With six decimals and integer usage the recordings are still equal, with wider tolerances. */
static void test_coarse_numbers(void **state)
{
	static const char *const names[] = { "depthobl/quiet", "nofairtree/quiet", "fairtree/quiet",
					     "fairtree/after_update", "depthobl/zero_usage" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct verify *v = kept_verify(rounded(recorded(names[i])));

		if (v->exit_code != 0) {
			for (size_t j = 0; j < v->count; j++)
				fprintf(stderr, "%s %s: %s\n", names[i], v->rows[j].quantity,
					v->rows[j].why);
		}
		assert_int_equal(v->exit_code, 0);
	}
}

static void test_coarse_numbers_still_find_a_mistake(void **state)
{
	struct cluster *c = recorded("depthobl/quiet"), *coarse = rounded(c), *spoilt;
	struct err err = { 0 };
	struct verify *v;

	(void)state;
	spoilt = kept_cluster(copy_scaled(coarse, F_ASSOC_R_EFFECTIVE_USAGE,
					  cluster_find_assoc(c, "/physics/astro", &err), 1.00001));
	v = kept_verify(spoilt);
	assert_int_equal(v->exit_code, 1);
}

/*
 * After a reconfigure all is computed by the new algorithm, with the old shares.
 */
static void test_switched_mode(void **state)
{
	struct cluster *tree = recorded("fairtree/quiet"),
		       *ratios = recorded("depthobl/quiet");
	struct cluster *switched =
		kept_cluster(copy_with_column(ratios, tree, F_ASSOC_R_NORM_SHARES));
	struct verify *v = kept_verify(switched);

	(void)state;
	check_row(v, "S", VERIFY_NOT_COMPARABLE, 85);
	assert_non_null(strstr(v->reason, "NormShares are still those of Fair Tree"));
	assert_int_equal(v->exit_code, 4);
}

/* The worked case of a starting controller: both passes, and the verdict on each. */
static void test_start_of_a_controller(void **state)
{
	json_t *document;
	const json_t *cases = worked_cases(&document);
	const json_t *one = NULL, *passes, *expected;
	struct cluster *c;
	size_t i, pass;
	const char *path;
	unsigned compared = 0, differing = 0;

	(void)state;
	json_array_foreach(cases, i, one) {
		if (strcmp(json_string_value(json_object_get(one, "kind")), "startup") == 0)
			break;
	}
	assert_non_null(one);
	c = kept_cluster(worked_cluster(one));
	passes = json_object_get(json_object_get(one, "expect"), "passes");
	for (pass = 0; pass < json_array_size(passes); pass++) {
		struct cluster *after = startup_after(c, (unsigned)pass + 1);
		struct verify *v = verify_run(after, NULL);

		json_object_foreach(json_array_get((json_t *)passes, pass), path, expected) {
			uint32_t row = worked_row(after, path);

			assert_int_not_equal(row, ROW_NONE);
			differing += !compare_close(cluster_f64(after, F_ASSOC_R_FAIRSHARE, row),
						    json_number_value(expected), 1e-12, path, "F");
			compared++;
		}
		assert_int_equal(v->exit_code, pass == 0 ? 4 : 0);
		if (pass == 0)
			assert_non_null(strstr(v->reason, "not evaluated yet"));
		verify_free(v);
		cluster_free(after);
	}
	assert_int_equal(compared, 16);
	assert_int_equal(differing, 0);
	json_decref(document);
}

/* Returns how many rows differ. */
static unsigned differs(const struct cluster *c, const char *where)
{
	struct verify *v = verify_run(c, NULL);
	unsigned differing = 0;

	for (size_t i = 0; i < v->count; i++) {
		if (v->rows[i].verdict != VERIFY_DIFFERS)
			continue;
		fprintf(stderr, "%s: %s: %s\n", where, v->rows[i].quantity, v->rows[i].why);
		differing++;
	}
	verify_free(v);
	return differing;
}

/*
 * On generated trees of every kind, with a settled controller's report in long double: the
 * tolerances suffice, at full precision and as sshare prints it.
 */
static void test_generated_trees(void **state)
{
	unsigned differing = 0, ratios = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct gen_options o = GEN_MIXED(seed, 100 + 20 * (uint32_t)seed);
		struct cluster *c;

		o.ties = seed % 4 == 0;
		o.balanced = seed % 3 == 0;
		c = gen_tree(&o);
		for (int a = FS_DEPTH_OBLIVIOUS; a <= FS_FAIR_TREE; a++) {
			struct cluster *reported = startup_settled(c, (enum fs_algorithm)a);
			struct cluster *coarse = copy_coarse(reported);
			struct verify *v = verify_run(reported, NULL);
			char where[64];

			snprintf(where, sizeof(where), "seed %u, %s", (unsigned)seed,
				 fs_algos[a]->name);
			assert_int_equal(v->exit_code, differs(reported, where) ? 1 : 0);
			ratios += v->rows[v->count - 1].rows;
			differing += v->exit_code;
			differing += differs(coarse, where);
			verify_free(v);
			cluster_free(coarse);
			cluster_free(reported);
		}
		cluster_free(c);
	}
	assert_true(ratios > 20000);
	assert_int_equal(differing, 0);
}

/*
 * Taken live, depth-oblivious, one pass after the last job: U follows from usage, but E not yet
 * from U. One pass later everything was equal to 1e-14.
 */
static void test_half_settled(void **state)
{
	static const struct fetch_request all = { .needs = NEED_ALL, .deadline_ms = -1 };
	struct err err = { .code = ERR_NONE };
	char path[512];
	struct source *s = source_open(data_path("slurm/half_settled.snapshot", path, sizeof(path)),
				       &err);
	struct cluster *c = NULL;
	struct verify *v;

	(void)state;
	assert_non_null(s);
	assert_int_equal(source_fetch(s, &all, &c, &err), FETCH_NEW);
	source_close(s);
	v = kept_verify(c);
	assert_int_equal(v->exit_code, 4);
	assert_non_null(strstr(v->reason, "48 jobs ran or ended less than two passes ago"));
	check_row(v, "U from usage", VERIFY_EQUAL, 108);
	check_row(v, "E from reported U", VERIFY_NOT_COMPARABLE, 108);
	cluster_free(c);
}

/* ---- ties of Fair Tree ---------------------------------------------------------------------- */

static const char idle_site[] = "+ops 1 0\n"
				"archive 30\n\t+ada 1 0\n"
				"visitors 5\n\t+ben 2 0\n\t+cem 1 0\n"
				"weather 60\n\t+dora 1 0\n\t+eli 3 5000\n\t+fay 1 70000\n";

/* Sets F of one row to VALUE; without LEVELS removes all level_fs. */
struct told_change {
	uint32_t row;
	double value;
	bool levels;
};

static double change_told(void *context, enum field field, uint32_t row, double value)
{
	const struct told_change *change = context;

	if (field == F_ASSOC_R_LEVEL_FS && !change->levels)
		return F64_UNKNOWN;
	return field == F_ASSOC_R_FAIRSHARE && row == change->row ? change->value : value;
}

static int exit_code_of(const struct cluster *c)
{
	struct verify *v = verify_run(c, NULL);
	int code = v->exit_code;

	verify_free(v);
	return code;
}

/* Tries each user with each wrong number. Returns how many were not found. */
static unsigned unfound(const struct cluster *c, bool levels, unsigned *tried)
{
	unsigned users = 0, missed = 0;

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++)
		users += cluster_is_user(c, i);
	for (uint32_t i = 1; i < cluster_rows(c, TABLE_ASSOC); i++) {
		for (unsigned rank = 0; cluster_is_user(c, i) && rank <= users; rank++) {
			double reported = cluster_f64(c, F_ASSOC_R_FAIRSHARE, i);
			struct told_change change = { i, (double)rank / users, levels };
			struct cluster *wrong;

			if (fabs(change.value - reported) < 1e-5)
				continue;
			wrong = copy_changed(c, change_told, &change);
			missed += exit_code_of(wrong) != 1;
			*tried += 1;
			cluster_free(wrong);
		}
	}
	return missed;
}

/* inf is certainly a tie, in six decimals, too. */
static void test_idle_users(void **state)
{
	struct cluster *c = kept_cluster(sketch_cluster(idle_site, FS_FAIR_TREE));
	struct cluster *reported = settled_tree(c), *coarse = rounded(reported);
	unsigned tried = 0;

	(void)state;
	assert_int_equal(exit_code_of(reported), 0);
	assert_int_equal(exit_code_of(coarse), 0);
	assert_int_equal(unfound(reported, true, &tried), 0);
	assert_int_equal(unfound(coarse, true, &tried), 0);
	assert_int_equal(tried, 2 * 7 * 7);
}

/*
 * Without LevelFS six decimals leave the order of idle users open, but F = 0 is impossible, users
 * with usage come after those without, and all numbers together must be those of a walk.
 */
static void test_idle_users_without_levels(void **state)
{
	struct cluster *c = kept_cluster(sketch_cluster(idle_site, FS_FAIR_TREE));
	struct cluster *reported = settled_tree(c), *coarse = rounded(reported);
	struct told_change none = { ROW_NONE, 0, false };
	struct cluster *bare = kept_cluster(copy_changed(coarse, change_told, &none));
	unsigned tried = 0, missed = unfound(coarse, false, &tried);

	(void)state;
	assert_int_equal(exit_code_of(bare), 0);
	assert_int_equal(tried, 49);
	/* A tied user one rank lower, or at another account's rank, is not found. */
	assert_true(missed <= 12);
}

static void test_precision_leaves_places_open(void **state)
{
	struct cluster *c = kept_cluster(sketch_cluster(
		"lab 1\n\t+gil 1 100000000\n\t+hal 1 100000001\n\t+ian 1 300000000\n",
		FS_FAIR_TREE));
	struct cluster *reported = settled_tree(c), *coarse = rounded(reported);
	struct told_change tied = { 3, 1, true }, beyond = { 2, 1.0 / 3, true };
	struct cluster *first = kept_cluster(copy_changed(coarse, change_told, &tied));
	struct cluster *wrong = kept_cluster(copy_changed(coarse, change_told, &beyond));
	struct verify *v = kept_verify(first);

	(void)state;
	assert_int_equal(exit_code_of(coarse), 0);
	check_row(v, "F from reported Level FS", VERIFY_EQUAL, 3);
	assert_non_null(strstr(find_row(v, "F from reported Level FS")->why,
			       "closer than the precision"));
	/* Both come before ian in any case. */
	assert_int_equal(exit_code_of(wrong), 1);
}

/* ---- reasons need proof --------------------------------------------------------------------- */

static void verdict_of(const char *text, int algorithm, int exit_code, const char *reason)
{
	struct cluster *c = kept_cluster(sketch_cluster(text, algorithm));
	struct verify *v = kept_verify(c);

	if (v->exit_code != exit_code || !strstr(v->reason, reason))
		fprintf(stderr, "exit %d, \"%s\" of\n%s", v->exit_code, v->reason, text);
	assert_int_equal(v->exit_code, exit_code);
	assert_non_null(strstr(v->reason, reason));
}

static void test_excerpt(void **state)
{
	(void)state;
	verdict_of("lab 10\n*assoc reported.norm_shares=1 reported.effective_usage=1\n"
		   "\t+kim 2 300\n*assoc reported.norm_shares=0.125 reported.effective_usage=0.5\n"
		   "\t+leo 3 300\n*assoc reported.norm_shares=0.1875 "
		   "reported.effective_usage=0.5\n", FS_FAIR_TREE, 4,
		   "an excerpt: siblings are missing below /lab (");
	verdict_of("lab 10\n*assoc reported.norm_shares=1 reported.effective_usage=1\n"
		   "\t+kim 2 300\n*assoc reported.norm_shares=0.125 reported.effective_usage=1\n"
		   "\t+leo 3 300\n*assoc reported.norm_shares=0.1875 "
		   "reported.effective_usage=1\n", FS_CLASSIC, 4, "an excerpt");
	/* A number that the others contradict is itself wrong. */
	verdict_of("lab 10\n*assoc reported.norm_shares=1 reported.effective_usage=1\n"
		   "\t+kim 2 300\n*assoc reported.norm_shares=0.125 "
		   "reported.effective_usage=0.5\n"
		   "\t+leo 3 300\n*assoc reported.norm_shares=0.6 "
		   "reported.effective_usage=0.5\n",
		   FS_FAIR_TREE, 1, "");
	/* With a single user it is unknown which number is wrong. */
	verdict_of("lab 10\n*assoc reported.norm_shares=1 reported.effective_usage=1\n"
		   "\t+kim 2 300\n*assoc reported.norm_shares=0.5 reported.effective_usage=1\n",
		   FS_FAIR_TREE, 4, "an excerpt");
}

static void test_not_computed_yet(void **state)
{
	(void)state;
	verdict_of("lab 10\n*assoc reported.effective_usage=0 reported.norm_shares=1\n"
		   "\t+kim 2 300\n*assoc reported.effective_usage=0 reported.fairshare=0\n"
		   "\t+leo 3 300\n*assoc reported.effective_usage=0 reported.fairshare=0\n",
		   FS_FAIR_TREE, 4, "has not computed fair share yet (E = 0, F = 0). Wait for the "
		   "next pass, 200 s from now");
	/* A ranked user proves that a pass has run. */
	verdict_of("lab 10\n*assoc reported.effective_usage=1 reported.norm_shares=1\n"
		   "\t+kim 2 300\n*assoc reported.effective_usage=1 reported.fairshare=0.5\n"
		   "\t+leo 3 0\n*assoc reported.effective_usage=0 reported.fairshare=0\n",
		   FS_FAIR_TREE, 1, "");
}

/* A new user excuses its own numbers and its siblings', no others. */
static void test_new_user_and_a_wrong_number(void **state)
{
	static const char site[] =
		"lab 10\n*assoc reported.effective_usage=1 reported.norm_usage=1 "
		"reported.level_fs=%s\n"
		"\t+kim 2 300\n*assoc reported.effective_usage=1 reported.norm_usage=1 "
		"reported.level_fs=1 reported.fairshare=%s\n"
		"\t+new 2 0\n*assoc reported.effective_usage=0 reported.level_fs=0 "
		"reported.fairshare=0\n";
	char text[600];

	(void)state;
	(void)snprintf(text, sizeof(text), site, "1", "1");
	verdict_of(text, FS_FAIR_TREE, 4, "/lab:new is new: Fair Tree has not ranked it yet");
	(void)snprintf(text, sizeof(text), site, "2", "1");
	verdict_of(text, FS_FAIR_TREE, 1, "");
	(void)snprintf(text, sizeof(text), site, "1", "0.5");
	verdict_of(text, FS_FAIR_TREE, 1, "");
}

/* ---- depth-oblivious while jobs run --------------------------------------------------------- */

#define PASSES 4

struct busy {
	struct cluster *usages[PASSES], *pictures[PASSES];
};

static struct busy busy_new(uint64_t seed, bool coarse)
{
	struct gen_options o = GEN_MIXED(seed, 150);
	struct cluster *c = gen_tree(&o);
	struct busy b;

	for (unsigned k = 0; k < PASSES; k++)
		b.usages[k] = startup_use_more(k == 0 ? c : b.usages[k - 1], k);
	startup_busy((const struct cluster *const *)b.usages, PASSES, b.pictures);
	for (unsigned k = 0; k < PASSES && coarse; k++) {
		struct cluster *fine = b.pictures[k];

		b.pictures[k] = copy_coarse(fine);
		cluster_free(fine);
	}
	cluster_free(c);
	return b;
}

static void busy_free(struct busy *b)
{
	for (unsigned k = 0; k < PASSES; k++) {
		cluster_free(b->usages[k]);
		cluster_free(b->pictures[k]);
	}
}

static int exit_code_across(const struct cluster *c, const struct cluster *before)
{
	struct verify *v = verify_across(c, before, NULL);
	int code = v->exit_code;

	verify_free(v);
	return code;
}

/* One picture may not suffice, but never "differs"; two passes are always equal. */
static void test_busy_passes(void **state)
{
	unsigned alone = 0, across = 0, wrong = 0, open = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct busy b = busy_new(seed, seed % 4 == 0);

		for (unsigned k = 1; k < PASSES; k++) {
			int code = exit_code_of(b.pictures[k]);

			alone += code == 1;
			open += code == 4;
			across += exit_code_across(b.pictures[k], b.pictures[k - 1]) != 0;
			wrong += verify_passes_between(b.pictures[k - 1], b.pictures[k]) != 1;
		}
		assert_int_equal(verify_passes_between(b.pictures[0], b.pictures[2]), 2);
		assert_int_equal(verify_passes_between(b.pictures[2], b.pictures[0]), -1);
		busy_free(&b);
	}
	assert_int_equal(alone, 0);
	assert_true(open > 40);
	assert_int_equal(across, 0);
	assert_int_equal(wrong, 0);
}

struct spoilt {
	enum field field;
	uint32_t row;
	double factor;
	double fairshare;	/* F that goes with it, if known */
};

static double spoil_told(void *context, enum field field, uint32_t row, double value)
{
	const struct spoilt *s = context;

	if (row != s->row)
		return value;
	if (field == F_ASSOC_R_FAIRSHARE && f64_known(s->fairshare))
		return s->fairshare;
	return field == s->field ? value * s->factor : value;
}

static bool is_found(const struct busy *b, unsigned k, struct spoilt *s, bool alone)
{
	struct cluster *c = copy_changed(b->pictures[k], spoil_told, s);
	int code = alone ? exit_code_of(c) : exit_code_across(c, b->pictures[k - 1]);

	cluster_free(c);
	return code == 1;
}

/* A wrong F is found in one picture; a wrong E, with the F that follows from it, across two. */
static void test_wrong_numbers_of_busy_passes(void **state)
{
	unsigned tried = 0, factors = 0, usages = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct busy b = busy_new(seed, false);

		for (uint32_t i = 1; i < cluster_rows(b.pictures[2], TABLE_ASSOC); i += 7) {
			const struct cluster *c = b.pictures[2];
			double e = cluster_f64(c, F_ASSOC_R_EFFECTIVE_USAGE, i);
			double s = cluster_f64(c, F_ASSOC_R_NORM_SHARES, i);
			double f = cluster_f64(c, F_ASSOC_R_FAIRSHARE, i);
			struct spoilt factor = { F_ASSOC_R_FAIRSHARE, i, 1.001, F64_UNKNOWN };
			struct spoilt usage = { F_ASSOC_R_EFFECTIVE_USAGE, i, 1.01,
						exp2(-e * 1.01 / s / cluster_policy(c)->damping) };

			if (cluster_u32(c, F_ASSOC_SHARES, i) == SHARES_PARENT ||
			    !(e > 0 && s > 0) || f < 1e-9)
				continue;
			tried++;
			factors += is_found(&b, 2, &factor, true);
			usages += is_found(&b, 2, &usage, false);
		}
		busy_free(&b);
	}
	assert_true(tried > 20);
	assert_int_equal(factors, tried);
	assert_int_equal(usages, tried);
}

/* The recording of a live controller: what one picture decides, and a wrong number in it. */
static void test_one_live_picture(void **state)
{
	struct cluster *c = recorded("depthobl/live");
	struct verify *v = kept_verify(c);

	(void)state;
	check_row(v, "E from reported U", VERIFY_NOT_COMPARABLE, 85);
	check_row(v, "F of jobs from reported U", VERIFY_EQUAL, 37);
	assert_int_equal(v->exit_code, 4);
	assert_true(v->undecided);
	assert_non_null(strstr(v->reason, "verify --wait compares across the next pass"));
	spoil("depthobl/live", F_ASSOC_R_EFFECTIVE_USAGE, "/physics/astro:mallory", 1 + 1e-9,
	      "E from reported U");
}

static void test_nothing_to_compare(void **state)
{
	struct builder *b = builder_new();
	struct cluster *c = kept_cluster(builder_seal(b, NULL));
	struct verify *v = kept_verify(c);

	(void)state;
	assert_int_equal(v->exit_code, 4);
	assert_string_equal(v->reason, "the source shows no associations to compare");
}

/*
 * Jobs that cannot be compared are counted and named; a job in several partitions is compared by
 * the priority in one of them.
 */
static void test_jobs_that_are_left_out(void **state)
{
	struct cluster *c = kept_cluster(sketch_cluster(
		"physics 40\n*assoc reported.fairshare=1\n\t+alice 3 900000\n"
		"*assoc reported.fairshare=1\n"
		"=PriorityWeightJobSize 1000\n=PriorityWeightPartition 2000\n"
		"*partition name=a job_factor=10\n*partition name=b job_factor=20\n"
		"*job id=1 user=alice account=physics assoc=2 partition=a state=PENDING nodes=1 "
		"cpus=64 priority=1250\n"
		"*prio job=1 partition=a jobsize=250 partition_term=1000\n"
		"*job id=2 user=alice account=physics assoc=2 partition=a state=PENDING nodes=2 "
		"cpus=64 priority=1250\n"
		"*prio job=2 partition=a jobsize=250 partition_term=1000\n"
		"*job id=3 user=alice account=physics assoc=2 partition=a,b state=PENDING nodes=1 "
		"cpus=64 priority=2250\n"
		"*prio job=3 partition=a jobsize=250 partition_term=1000\n"
		"*prio job=3 partition=b jobsize=250 partition_term=2000\n",
		FS_DEPTH_OBLIVIOUS));
	struct verify *v = kept_verify(c);
	const struct verify_row *size = find_row(v, "jobsize term of jobs");
	const struct verify_row *priority = find_row(v, "priority of jobs");

	(void)state;
	assert_int_equal(size->verdict, VERIFY_EQUAL);
	assert_int_equal(size->rows, 3);
	assert_non_null(strstr(size->why, "; left out: 1 whose requested minimum of nodes is not "
					  "reported, only an estimate (job 2)"));
	assert_int_equal(priority->verdict, VERIFY_EQUAL);
	assert_int_equal(priority->rows, 2);
	assert_non_null(strstr(priority->why, "(job 2)"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_recording),
		cmocka_unit_test(test_tolerances_are_tight),
		cmocka_unit_test(test_classic_from_reported_usage_while_jobs_run),
		cmocka_unit_test(test_a_wrong_number_is_found),
		cmocka_unit_test(test_coarse_numbers),
		cmocka_unit_test(test_coarse_numbers_still_find_a_mistake),
		cmocka_unit_test(test_switched_mode),
		cmocka_unit_test(test_start_of_a_controller),
		cmocka_unit_test(test_generated_trees),
		cmocka_unit_test(test_half_settled),
		cmocka_unit_test(test_jobs_that_are_left_out),
		cmocka_unit_test(test_idle_users),
		cmocka_unit_test(test_idle_users_without_levels),
		cmocka_unit_test(test_precision_leaves_places_open),
		cmocka_unit_test(test_excerpt),
		cmocka_unit_test(test_not_computed_yet),
		cmocka_unit_test(test_new_user_and_a_wrong_number),
		cmocka_unit_test(test_busy_passes),
		cmocka_unit_test(test_wrong_numbers_of_busy_passes),
		cmocka_unit_test(test_one_live_picture),
		cmocka_unit_test(test_nothing_to_compare),
	};

	return cmocka_run_group_tests(tests, NULL, kept_free);
}
