/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An excerpt lacks siblings. Every recording of a controller is printed as sshare does, cut as
 * "sshare -A x" and "sshare -u u" would, and read again: every number shown for such an excerpt
 * must be one that the whole picture shows or the scheduler reports, or be unknown.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/slurm/slurm_text.h"
#include "core/base/bytes.h"
#include "core/base/mem.h"
#include "core/share/evenness.h"
#include "core/share/model.h"
#include "core/whatif/seek.h"
#include "core/whatif/whatif_run.h"
#include "tests/support/compare.h"
#include "tests/support/copy.h"
#include "tests/support/dice.h"
#include "tests/support/dump.h"
#include "tests/support/lab.h"
#include "tests/support/steps.h"

/* ---- sshare -P -a -l -m -------------------------------------------------------------------- */

static void put(struct bytes *out, const char *format, ...) ERR_PRINTF(2, 3);

static void put(struct bytes *out, const char *format, ...)
{
	char text[500];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	bytes_append(out, text, strlen(text));
}

static void put_real(struct bytes *out, double x)
{
	if (isnan(x) || x == (double)U32_UNKNOWN)
		put(out, "|");
	else
		put(out, isinf(x) ? "|inf" : "|%.6f", x);
}

/* Outside Fair Tree sshare computes F itself. */
static double printed_factor(const struct cluster *c, uint32_t row)
{
	double s = cluster_f64(c, F_ASSOC_R_NORM_SHARES, row);
	double e = cluster_f64(c, F_ASSOC_R_EFFECTIVE_USAGE, row);
	double printed = cluster_f64(c, F_ASSOC_R_FAIRSHARE, row);

	if (fs_algorithm_of_cluster(c) == FS_FAIR_TREE)
		return cluster_is_user(c, row) ? printed : F64_UNKNOWN;
	if (printed > 0)
		return printed;
	return s > 0 ? exp2(-(e / s) / cluster_policy(c)->damping) : 0;
}

static void put_row(struct bytes *out, const struct cluster *c, uint32_t row, unsigned indent)
{
	uint32_t shares = cluster_u32(c, F_ASSOC_SHARES, row);
	const char *user = cluster_text(c, F_ASSOC_USER, row);
	const char *partition = cluster_text(c, F_ASSOC_PARTITION, row);
	bool fair_tree = fs_algorithm_of_cluster(c) == FS_FAIR_TREE;
	bool level = fair_tree && row != 0 && shares != SHARES_PARENT;

	put(out, "%*s%s|%s|%s|", (int)indent, "", cluster_text(c, F_ASSOC_ACCOUNT, row),
	    user ? user : "", partition ? partition : "");
	if (shares == SHARES_PARENT)
		put(out, "parent");
	else if (row != 0)
		put(out, "%u", (unsigned)shares);
	put_real(out, cluster_f64(c, F_ASSOC_R_NORM_SHARES, row));
	put(out, "|%.0f", floor(cluster_f64(c, F_ASSOC_USAGE, row)));
	put_real(out, row == 0 ? F64_UNKNOWN : cluster_f64(c, F_ASSOC_R_NORM_USAGE, row));
	put_real(out, cluster_f64(c, F_ASSOC_R_EFFECTIVE_USAGE, row));
	put_real(out, printed_factor(c, row));
	put_real(out, level ? cluster_f64(c, F_ASSOC_R_LEVEL_FS, row) : F64_UNKNOWN);
	put(out, "\n");
}

/* Prints the rows of C in KEEP (NULL: all) as sshare does and reads them, with C's policy. */
static struct cluster *read_excerpt(const struct cluster *c, const uint8_t *keep)
{
	static const char head[] = "Account|User|Partition|RawShares|NormShares|RawUsage|NormUsage|"
				   "EffectvUsage|FairShare|LevelFS\n";
	const struct policy *p = cluster_policy(c);
	struct slurm_texts texts = { .time = 1000, .from = "saved outputs", .whole = true };
	struct bytes out = { 0 };
	struct err err = { 0 };
	struct builder *b = builder_new();
	struct cluster *read;
	char conf[300];

	put(&out, "%s", head);
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++) {
		unsigned indent = 0;

		if (keep && !keep[i])
			continue;
		for (uint32_t up = i; up != 0; up = cluster_parent(c)[up])
			indent += !keep || keep[cluster_parent(c)[up]];
		put_row(&out, c, i, indent);
	}
	snprintf(conf, sizeof(conf), "ClusterName=lab\nPriorityType=priority/multifactor\n"
		 "FairShareDampeningFactor=%u\n%s", (unsigned)p->damping,
		 p->flags & PF_DEPTH_OBLIVIOUS ? "PriorityFlags=DEPTH_OBLIVIOUS\n" :
		 p->flags & PF_NO_FAIR_TREE ? "PriorityFlags=NO_FAIR_TREE\n" : "");
	texts.kind[SLURM_SSHARE] = (struct slurm_text){ "sshare", out.data, out.length };
	texts.kind[SLURM_CONF] = (struct slurm_text){ "slurm.conf", conf, strlen(conf) };
	if (!slurm_text_build(&texts, b, &err))
		fail_msg("%s", err.message);
	read = lab_sealed(b);
	bytes_free(&out);
	return read;
}

/* ---- the whole picture --------------------------------------------------------------------- */

struct whole {
	const char *name;
	struct cluster *c;
	struct model *by[2];		/* from either base; NULL: no model */
	uint32_t *row;			/* of the excerpt's rows */
};

static struct whole whole_new(const char *name)
{
	struct cluster *dump = dump_cluster(name);
	struct whole w = { name, read_excerpt(dump, NULL), { NULL, NULL }, NULL };

	for (int base = 0; base < 2; base++) {
		struct model_options options = { -1, base, -1 };

		w.by[base] = model_new(w.c, &options, NULL);
		/* The whole tree is not an excerpt, and all its equations hold. */
		assert_true(!w.by[base] || !w.by[base]->tree->excerpt);
	}
	assert_false(cluster_is_partial(w.c));
	cluster_free(dump);
	return w;
}

static void whole_end(struct whole *w)
{
	model_free(w->by[0]);
	model_free(w->by[1]);
	cluster_free(w->c);
}

static bool same_text(const struct cluster *c, uint32_t i, const struct cluster *d, uint32_t k,
		      enum field field)
{
	const char *a = cluster_text(c, field, i), *b = cluster_text(d, field, k);

	return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Returns the row of the whole that is row I of the excerpt. */
static uint32_t find_in(const struct whole *w, const struct cluster *c, uint32_t i)
{
	uint32_t k = 0;

	while (!same_text(c, i, w->c, k, F_ASSOC_ACCOUNT) ||
	       !same_text(c, i, w->c, k, F_ASSOC_USER) ||
	       !same_text(c, i, w->c, k, F_ASSOC_PARTITION))
		k++;
	return k;
}

/* ---- what is shown ------------------------------------------------------------------------- */

static struct counts {
	unsigned shown, factors, calculated, excerpts;
} counts;

static bool close_to(double x, double other)
{
	return x == other || fabs(x - other) <= 1e-12 * fabs(other);
}

static double *array_of(const struct fs_result *fs, const struct fs_quantity *q)
{
	double *array;

	memcpy(&array, (const char *)fs + q->offset, sizeof(array));
	return array;
}

/* Returns whether X is what the whole shows or the scheduler reports for row K. */
static bool is_right(const struct whole *w, const struct fs_quantity *q, uint32_t k, double x)
{
	for (int base = 0; base < 2; base++) {
		const struct model *m = w->by[base];

		if (m && (close_to(x, array_of(m->fs, q)[k]) ||
			  close_to(x, fs_reported(&m->input, fs_number_of(q->offset), k))))
			return true;
	}
	return false;
}

/* Checks R as shown: infinite for usage without shares. */
static void check_ratio(const struct whole *w, const struct model *m, uint32_t i, uint32_t k)
{
	double ratio = fs_ratio(m->fs, i);
	bool right = isnan(ratio);

	for (int base = 0; base < 2; base++)
		right = right || (w->by[base] && close_to(ratio, fs_ratio(w->by[base]->fs, k)));
	if (!right)
		fail_msg("%s: R %g", w->name, ratio);
}

static void check_rank(const struct whole *w, const struct model *m, uint32_t i, uint32_t k)
{
	uint32_t rank = m->fs->rank[i];
	bool right = rank == U32_UNKNOWN;

	for (int base = 0; base < 2; base++)
		right = right || (w->by[base] && w->by[base]->fs->rank[k] == rank);
	/* Without any usage, and without shares among siblings, nothing reveals missing rows. */
	right = right || (!m->fs->tree_rank && cluster_f64(m->cluster, F_ASSOC_USAGE, 0) == 0);
	if (!right)
		fail_msg("%s: rank %u", w->name, (unsigned)rank);
}

static void check_steps(const struct whole *w, const struct model *m, uint32_t i)
{
	struct explain e;

	explain_init(&e);
	m->algo->explain(&m->input, m->fs, i, &e);
	for (size_t s = 0; s < e.count; s++) {
		if (!steps_right(&e.steps[s], 1e-9, w->name, &counts.calculated))
			fail_msg("%s: %s", w->name, e.steps[s].name);
		/* Only a value that is 0 by definition has a note and no formula. */
		if (e.steps[s].formula[0] == '\0' && !(isnan(e.steps[s].value) ||
						       e.steps[s].value == 0 ||
						       isinf(e.steps[s].value)))
			fail_msg("%s: %s is %g, by nothing", w->name, e.steps[s].name,
				 e.steps[s].value);
		assert_true(e.steps[s].formula[0] || e.steps[s].note[0]);
	}
	explain_free(&e);
}

static void check_row(const struct whole *w, const struct model *m, uint32_t i)
{
	uint32_t k = find_in(w, m->cluster, i);
	char path[200];

	for (size_t n = 0; n < m->algo->quantity_count; n++) {
		const struct fs_quantity *q = &m->algo->quantities[n];
		double x = q->is_rank ? F64_UNKNOWN : array_of(m->fs, q)[i];

		if (isnan(x))
			continue;
		counts.shown++;
		cluster_path(m->cluster, i, path, sizeof(path));
		if (!is_right(w, q, k, x))
			fail_msg("%s: %s of %s is %.9g, the whole has %.9g and %.9g", w->name,
				 q->name, path, x, w->by[0] ? array_of(w->by[0]->fs, q)[k] : NAN,
				 w->by[1] ? array_of(w->by[1]->fs, q)[k] : NAN);
	}
	check_ratio(w, m, i, k);
	check_rank(w, m, i, k);
	counts.factors += cluster_is_user(m->cluster, i) && f64_known(m->fs->fairshare[i]);
	/* An F that sshare prints is always shown, computed or not. */
	if (cluster_is_user(m->cluster, i) &&
	    f64_known(fs_reported(&m->input, FS_NUMBER_F, i)))
		assert_true(f64_known(m->fs->fairshare[i]));
}

static void check_excerpt(const struct whole *w, const uint8_t *keep)
{
	/* The whole was printed and read once, so both have the precision of the text. */
	struct cluster *c = read_excerpt(w->c, keep);

	for (int base = -1; base < 2; base++) {
		struct model_options options = { -1, base, -1 };
		struct model *m = model_new(c, &options, NULL);

		for (uint32_t i = 0; m && i < cluster_rows(c, TABLE_ASSOC); i++) {
			check_row(w, m, i);
			check_steps(w, m, i);
		}
		counts.excerpts += m && m->tree->excerpt;
		/* An excerpt has no sums over all users. */
		assert_true(!m || !m->tree->excerpt || isnan(evenness_of(m).jain));
		model_free(m);
	}
	cluster_free(c);
}

/* ---- cuts ---------------------------------------------------------------------------------- */

/* "sshare -A x": keeps the account and its users; DEEP: and all below. */
static void keep_account(const struct cluster *c, uint8_t *keep, uint32_t account, bool deep)
{
	for (uint32_t i = account; i < account + cluster_span(c)[account]; i++)
		keep[i] |= deep || i == account ||
			   (cluster_is_user(c, i) && cluster_parent(c)[i] == account);
}

/* "sshare -u u": keeps the user's rows. */
static void keep_user(const struct cluster *c, uint8_t *keep, uint32_t row)
{
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++)
		keep[i] |= cluster_is_user(c, i) && same_text(c, i, c, row, F_ASSOC_USER);
}

static void keep_accounts(const struct cluster *c, uint8_t *keep)
{
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++)
		keep[i] |= !cluster_is_user(c, i);
}

enum cut { ACCOUNT, SUBTREE, TWO_ACCOUNTS, ROOT_AND_ACCOUNT, USER, TWO_USERS, OWN_ROWS, CUTS };

static void cut_at(const struct cluster *c, uint8_t *keep, enum cut cut, uint32_t row)
{
	uint32_t n = cluster_rows(c, TABLE_ASSOC), next = (row * 7 + 3) % n;

	memset(keep, 0, n);
	if (cut <= ROOT_AND_ACCOUNT) {
		keep_account(c, keep, row, cut == SUBTREE);
		keep[0] |= cut == ROOT_AND_ACCOUNT;
		if (cut == TWO_ACCOUNTS)
			keep_account(c, keep, next, false);
		return;
	}
	keep_user(c, keep, row);
	if (cut == TWO_USERS)
		keep_user(c, keep, next);
	if (cut != OWN_ROWS)
		keep_accounts(c, keep);
}

static void check_cuts(const struct whole *w)
{
	uint32_t n = cluster_rows(w->c, TABLE_ASSOC);
	uint8_t *keep = mem_alloc(n, 1);

	for (uint32_t row = 1; row < n; row++) {
		for (enum cut cut = 0; cut < CUTS; cut++) {
			if (cluster_is_user(w->c, row) != (cut >= USER))
				continue;
			cut_at(w->c, keep, cut, row);
			check_excerpt(w, keep);
		}
	}
	mem_free(keep);
}

static void test_every_cut(void **state)
{
	(void)state;
	for (size_t i = 0; i < dump_count; i++) {
		struct whole w = whole_new(dump_names[i]);

		counts = (struct counts){ 0 };
		check_cuts(&w);
		/* Most values are shown. */
		assert_true(counts.shown > 50000 && counts.factors > 1300);
		assert_true(counts.calculated > 5000 && counts.excerpts > 700);
		whole_end(&w);
	}
}

/* Leaves out users at random, as "sshare -u a,b,c" does. */
static void test_some_users(void **state)
{
	(void)state;
	for (size_t i = 0; i < dump_count; i++) {
		struct whole w = whole_new(dump_names[i]);
		uint32_t n = cluster_rows(w.c, TABLE_ASSOC);
		uint8_t *keep = mem_alloc(n, 1);
		uint64_t dice = i + 1;

		for (unsigned times = 0; times < 40; times++) {
			for (uint32_t k = 0; k < n; k++)
				keep[k] = !cluster_is_user(w.c, k) ||
					  dice_below(&dice, 8) > times % 8;
			check_excerpt(&w, keep);
		}
		mem_free(keep);
		whole_end(&w);
	}
}

/* ---- where a number comes from -------------------------------------------------------------- */

static const struct column *column_of(const char *name)
{
	return column_find(accounts_columns, accounts_columns_count, name, strlen(name));
}

/* Returns the number of rows with ORIGIN in column NAME. */
static uint32_t count_origin(const struct model *m, const char *name, enum value_origin origin)
{
	struct value v;
	uint32_t count = 0;

	for (uint32_t i = 0; i < cluster_rows(m->cluster, TABLE_ASSOC); i++) {
		column_get(column_of(name), m, i, &v);
		count += v.kind != VALUE_UNKNOWN && v.origin == origin;
	}
	return count;
}

static const char *const told_columns[] = { "norm_shares", "norm_usage", "effective_usage",
					    "level_fs", "fairshare" };
#define TOLD_COLUMNS (sizeof(told_columns) / sizeof(told_columns[0]))

/* In an idle controller nothing differs, as doubles and as printed, from either base. */
static void test_nothing_differs(void **state)
{
	static const char *const names[] = {
		"depthobl/quiet", "depthobl_xflags/quiet", "depthobl_damp3/quiet",
		"nofairtree/quiet", "nofairtree_xflags/quiet", "fairtree/quiet",
		"fairtree_xflags/quiet", "fairtree/after_update", "depthobl/zero_usage",
		"nofairtree/zero_usage", "fairtree/zero_usage" };

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(names) / sizeof(names[0]); i++) {
		struct cluster *dump = dump_cluster(names[i / 2]);
		struct cluster *c = i % 2 ? read_excerpt(dump, NULL) : dump_cluster(names[i / 2]);

		for (int base = 0; base < 2; base++) {
			struct model_options options = { -1, base, -1 };
			struct model *m = model_new(c, &options, NULL);

			for (size_t k = 0; k < TOLD_COLUMNS; k++) {
				/* Printed text lacks lft, by which 22.05 decides ties. */
				if (i % 2 == 1 && m->fs->tree_rank && k + 1 == TOLD_COLUMNS)
					continue;
				if (count_origin(m, told_columns[k], VALUE_DIFFERS) != 0)
					fail_msg("%s, base %d: %s", names[i / 2], base,
						 told_columns[k]);
			}
			model_free(m);
		}
		cluster_free(c);
		cluster_free(dump);
	}
}

/* Values that differ by more than their rounding are marked, and no others. */
static void test_what_differs(void **state)
{
	static const struct {
		const char *dump;
		enum field field;
		const char *column, *object;
		double factor;
		bool is_printed;
	} spoilt[] = {
		{ "nofairtree/quiet", F_ASSOC_R_NORM_SHARES, "norm_shares", "/physics:alice",
		  1.0001, false },
		{ "depthobl/quiet", F_ASSOC_R_EFFECTIVE_USAGE, "effective_usage",
		  "/class/cs101:s3", 1.0001, false },
		{ "nofairtree/quiet", F_ASSOC_R_FAIRSHARE, "fairshare", "/physics", 1.001,
		  true },
		{ "fairtree/quiet", F_ASSOC_R_FAIRSHARE, "fairshare", "/class/cs101:s3", 1.5,
		  false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(spoilt) / sizeof(spoilt[0]); i++) {
		struct cluster *dump = dump_cluster(spoilt[i].dump);
		struct cluster *c = spoilt[i].is_printed ? read_excerpt(dump, NULL) :
				    dump_cluster(spoilt[i].dump);
		struct cluster *d;
		struct err err = { 0 };
		uint32_t row = cluster_find_assoc(c, spoilt[i].object, &err);
		struct value v;
		struct model *m;

		d = copy_scaled(c, spoilt[i].field, row, spoilt[i].factor);
		m = model_new(d, NULL, NULL);
		column_get(column_of(spoilt[i].column), m, row, &v);
		if (v.origin != VALUE_DIFFERS)
			fail_msg("%s %s", spoilt[i].dump, spoilt[i].column);
		assert_int_equal(v.origin, VALUE_DIFFERS);
		assert_int_equal(count_origin(m, spoilt[i].column, VALUE_DIFFERS), 1);
		assert_int_equal(count_origin(m, spoilt[i].column, VALUE_REPORTED), 0);
		model_free(m);
		cluster_free(d);
		cluster_free(c);
		cluster_free(dump);
	}
}

/* ---- excerpts seen in practice --------------------------------------------------------------- */

static struct cluster *read_text(const char *sshare, const char *conf)
{
	struct slurm_texts texts = { .time = 1000, .from = "saved outputs", .whole = true };
	struct err err = { 0 };
	struct builder *b = builder_new();

	texts.kind[SLURM_SSHARE] = (struct slurm_text){ "sshare", sshare, strlen(sshare) };
	if (conf)
		texts.kind[SLURM_CONF] = (struct slurm_text){ "conf", conf, strlen(conf) };
	assert_true(slurm_text_build(&texts, b, &err));
	return lab_sealed(b);
}

#define SSHARE "Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|" \
	       "LevelFS\n"

static double shown(const struct model *m, const char *name, const char *path,
		    enum value_origin origin)
{
	uint32_t row = cluster_by_path(m->cluster, path);
	struct value v;

	assert_int_not_equal(row, ROW_NONE);
	column_get(column_of(name), m, row, &v);
	if (v.origin != origin)
		fail_msg("%s of %s: origin %d", name, path, (int)v.origin);
	return value_number(&v);
}

static const struct explain_step *last_step(const struct explain *e, const char *name)
{
	for (size_t i = e->count; i-- > 0;) {
		if (strcmp(e->steps[i].name, name) == 0)
			return &e->steps[i];
	}
	fail_msg("no step %s", name);
	return NULL;
}

/* sshare -A weld: 4 of 20 siblings, of 40 users. */
static const char weld[] = SSHARE
	"weld||5|0.012500|600|0.000006|0.000024||520.833333\n"
	" weld|ana|1|0.050000|0|0.000000|0.000000|0.725000|inf\n"
	" weld|bo|1|0.050000|150|0.000002|0.250000|0.625000|0.200000\n"
	" weld|cy|1|0.050000|450|0.000005|0.750000|0.600000|0.066667\n"
	" weld|di|1|0.050000|0|0.000000|0.000000|0.725000|inf\n";

static void test_one_account(void **state)
{
	struct lab *lab = *state = lab_of(read_text(weld, NULL));
	const struct model *m = lab->m;
	struct explain e;

	assert_true(shown(m, "norm_shares", "/weld", VALUE_REPORTED) == 0.0125);
	assert_true(shown(m, "norm_shares", "/weld:bo", VALUE_REPORTED) == 0.05);
	assert_true(shown(m, "fairshare", "/weld:bo", VALUE_REPORTED) == 0.625);
	assert_true(shown(m, "fairshare", "/weld:ana", VALUE_REPORTED) == 0.725);
	assert_true(shown(m, "level_fs", "/weld:cy", VALUE_REPORTED) == 0.066667);
	assert_true(shown(m, "effective_usage", "/weld:cy", VALUE_COMPUTED) == 0.75);
	assert_true(shown(m, "shares", "/weld:cy", VALUE_COMPUTED) == 1);
	assert_true(isnan(shown(m, "rank", "/weld:ana", VALUE_COMPUTED)));
	assert_true(isnan(shown(m, "fair_tree_rank", "/weld:ana", VALUE_COMPUTED)));
	/* The root is not listed; its row has no values. */
	assert_true(isnan(shown(m, "norm_shares", "/", VALUE_COMPUTED)));
	assert_true(shown(m, "reported_fairshare", "/weld:cy", VALUE_COMPUTED) == 0.6);
	assert_true(shown(m, "reported_norm_shares", "/weld:cy", VALUE_COMPUTED) == 0.05);

	explain_init(&e);
	m->algo->explain(&m->input, m->fs, cluster_by_path(lab->c, "/weld:bo"), &e);
	assert_string_equal(last_step(&e, "S")->formula, "as the scheduler reports it");
	assert_string_equal(last_step(&e, "S")->note, "an excerpt: siblings are missing");
	assert_true(isnan(last_step(&e, "L")->value) && isnan(last_step(&e, "place")->value));
	assert_string_equal(last_step(&e, "place")->note, "an excerpt: siblings are missing");
	assert_true(last_step(&e, "F")->value == 0.625);
	assert_int_equal(last_step(&e, "F")->origin, VALUE_REPORTED);
	assert_true(isnan(last_step(&e, "fair_tree_rank")->value));
	explain_free(&e);
}

/* A single row whose values all come from sshare. */
static void test_one_row(void **state)
{
	struct lab *lab = *state =
		lab_of(read_text(SSHARE
				 "lab|eve|3|0.000417|95|0.0131|0.0131|0.0071|0.031832\n",
				 "ClusterName=x\nPriorityType=priority/multifactor\n"));
	const struct model *m = lab->m;

	assert_true(shown(m, "shares", "/lab:eve", VALUE_COMPUTED) == 3);
	assert_true(shown(m, "norm_shares", "/lab:eve", VALUE_REPORTED) == 0.000417);
	assert_true(shown(m, "fairshare", "/lab:eve", VALUE_REPORTED) == 0.0071);
	assert_true(isnan(shown(m, "rank", "/lab:eve", VALUE_COMPUTED)));
}

/* sshare -u ana,bo -o ...: without NormShares only Fair Tree's F shows that users are missing. */
static void test_factors_tell(void **state)
{
	static const char text[] =
		"Account|User|RawShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS\n"
		"root|||1000||1.000000||\n"
		" weld||5|600|0.600000|0.600000||0.833333\n"
		"  weld|ana|1|100|0.100000|0.166667|0.650000|3.000000\n"
		"  weld|bo|1|500|0.500000|0.833333|0.600000|0.600000\n"
		" lab||5|400|0.400000|0.400000||1.250000\n";
	struct lab *lab = *state = lab_of(read_text(text, NULL));
	const struct model *m = lab->m;

	assert_true(m->tree->excerpt && !cluster_is_partial(lab->c));
	assert_true(shown(m, "fairshare", "/weld:ana", VALUE_REPORTED) == 0.65);
	assert_true(isnan(shown(m, "norm_shares", "/weld:ana", VALUE_COMPUTED)));
	assert_true(isnan(shown(m, "rank", "/weld:bo", VALUE_COMPUTED)));
}

/* Without slurm.conf the damping is unknown, so F is not computed; E may be either algorithm's. */
static void test_no_parameters(void **state)
{
	struct lab *lab = *state =
		lab_of(read_text(SSHARE "root|||1.000000|100||1.000000|0.500000|\n"
				 " a||3|0.750000|40|0.400000|0.400000|0.690990|\n"
				 "  a|v|1|0.750000|40|0.400000|0.400000|0.690990|\n"
				 " b||1|0.250000|60|0.600000|0.600000|0.189465|\n"
				 "  b|u|1|0.250000|60|0.600000|0.600000|0.189465|\n", NULL));
	const struct model *m = lab->m;

	assert_false(m->tree->excerpt);
	assert_true(shown(m, "norm_shares", "/b", VALUE_COMPUTED) == 0.25);
	assert_true(shown(m, "effective_usage", "/b:u", VALUE_REPORTED) == 0.6);
	assert_true(shown(m, "fairshare", "/b:u", VALUE_REPORTED) == 0.189465);
}

/* After a reconfigure NormShares are the other algorithm's; this is not an excerpt. */
static void test_switched_is_no_excerpt(void **state)
{
	struct cluster *tree = dump_cluster("fairtree/quiet");
	struct cluster *ratios = dump_cluster("nofairtree/quiet");
	struct cluster *switched[] = {
		copy_with_column(ratios, tree, F_ASSOC_R_NORM_SHARES),
		copy_with_column(tree, ratios, F_ASSOC_R_NORM_SHARES) };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		/* Printed text has no L. */
		struct cluster *c = read_excerpt(switched[i], NULL);
		struct fs_tree *t = fs_tree_new(c, FS_ORDER_LIST);

		assert_false(t->excerpt);
		for (uint32_t f = 0; f < t->families; f++)
			assert_true(t->family_known[f]);
		fs_tree_free(t);
		cluster_free(c);
		cluster_free(switched[i]);
	}
	cluster_free(ratios);
	cluster_free(tree);
}

/* ---- what-if --------------------------------------------------------------------------------- */

/* Lists two of four users of a and one of two of b, in the classic algorithm. */
static const char few[] = SSHARE
	"root|||1.000000|1000||1.000000|0.500000|\n"
	" a||3|0.750000|600|0.600000|0.600000|0.574349|\n"
	"  a|p|1|0.187500|400|0.400000|0.450000|0.189465|\n"
	"  a|q|1|0.187500|100|0.100000|0.225000|0.435275|\n"
	" b||1|0.250000|400|0.400000|0.400000|0.329877|\n"
	"  b|r|2|0.166667|300|0.300000|0.366667|0.217638|\n";

/*
 * An edit drops reported values, and with them the signs of an excerpt: nothing of the result may
 * be computed as if the tree were whole.
 */
static void test_edits_of_an_excerpt(void **state)
{
	static const char *const edits[] = { "shares:/a:p=2", "usage:/a:p=10", "damping=2" };
	struct model_options options = { -1, FS_BASE_USAGE, -1 };
	struct lab *lab = *state =
		lab_by(read_text(few, "ClusterName=x\nPriorityFlags=NO_FAIR_TREE\n"
				 "PriorityType=priority/multifactor\n"), &options);
	const struct model *m = lab->m;

	assert_true(shown(m, "fairshare", "/a:p", VALUE_REPORTED) == 0.189465);
	assert_true(shown(m, "norm_shares", "/b", VALUE_COMPUTED) == 0.25);
	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		struct whatif *w = whatif_new();
		struct whatif_run *r;
		struct model *whole;

		assert_true(whatif_add(w, edits[i], NULL));
		r = whatif_run_new(w, m, NULL, NULL);
		whole = model_new(r->cluster, &options, NULL);
		assert_true(isnan(shown(r->model, "fairshare", "/a:p", VALUE_COMPUTED)));
		assert_true(isnan(shown(r->model, "rank", "/a:p", VALUE_COMPUTED)));
		assert_true(isnan(shown(whole, "fairshare", "/b:r", VALUE_COMPUTED)));
		assert_true(whole->tree->excerpt && r->model->tree->excerpt);
		model_free(whole);
		whatif_run_free(r);
		whatif_free(w);
	}
}

/* The effect of edits on an F that is only reported is unknown, not zero. */
static void test_seek_in_an_excerpt(void **state)
{
	struct model_options options = { -1, FS_BASE_USAGE, -1 };
	struct lab *lab = *state =
		lab_by(read_text(few, "ClusterName=x\nPriorityFlags=NO_FAIR_TREE\n"
				 "PriorityType=priority/multifactor\n"), &options);
	const struct model *m = lab->m;
	struct seek_question question = { .entry = ROW_NONE, .reach = 0.6,
					  .assoc = cluster_by_path(lab->c, "/a:p") };
	struct err err = { 0 };
	struct seek out;

	assert_false(seek(m, NULL, &question, &out, &err));
	assert_non_null(strstr(err.message, "its F is only as reported"));
	/* The account's F follows from the listed rows. */
	question.assoc = cluster_by_path(lab->c, "/a");
	assert_true(seek(m, NULL, &question, &out, &err));
	assert_true(out.reached);
	seek_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_differs),
		cmocka_unit_test(test_what_differs),
		lab_test(test_one_account),
		lab_test(test_one_row),
		lab_test(test_factors_tell),
		lab_test(test_no_parameters),
		cmocka_unit_test(test_switched_is_no_excerpt),
		lab_test(test_edits_of_an_excerpt),
		lab_test(test_seek_in_an_excerpt),
		cmocka_unit_test(test_every_cut),
		cmocka_unit_test(test_some_users),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
