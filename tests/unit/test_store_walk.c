/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A walk through a recording gives the same for each sample as reading it alone: over rows that
 * appear, disappear, move and lose values, notes and parameters that change, with every stride,
 * backwards, beside a running writer, after old samples were forgotten, and in a file whose samples
 * were replaced. Samples left in a thinned recording are unchanged to the last bit, with every
 * job's end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "adapters/demo/demo.h"
#include "adapters/store/store.h"
#include "core/cluster/cluster_copy.h"
#include "core/base/column.h"
#include "core/base/mem.h"
#include "core/sim/gather.h"
#include "tests/support/anything.h"
#include "tests/support/dice.h"
#include "tests/support/equal.h"
#include "tests/support/recording.h"
#include "tests/support/scratch.h"
#include "tests/support/walk.h"

#define SAMPLES 200
#define VARIANTS walk_steps(140, SAMPLES)	/* more than REFRESH_FACTS */

static const char *path_of(const char *name)
{
	static char path[SCRATCH_PATH_MAX];

	return scratch_path(name, path);
}

/* ---- a past -------------------------------------------------------------------------------- */

static void drop_rows(struct builder *b, const struct cluster *c, enum table table, uint64_t *dice)
{
	uint32_t n = cluster_rows(c, table);
	bool *drop = mem_zalloc((size_t)n + 1, sizeof(*drop));

	for (uint32_t i = 0; i < n; i++)
		drop[i] = (table != TABLE_ASSOC || cluster_is_user(c, i)) &&
			  dice_below(dice, 8) == 0;
	builder_remove(b, table, drop);
	mem_free(drop);
}

static void swap_rows(struct builder *b, enum table table, uint64_t *dice)
{
	uint32_t n = builder_rows(b, table), *order = mem_alloc((size_t)n + 1, sizeof(*order));

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	if (n > 1) {
		uint32_t i = dice_below(dice, n), k = dice_below(dice, n), row = order[i];

		order[i] = order[k];
		order[k] = row;
		builder_order(b, table, order);
	}
	mem_free(order);
}

static void forget_values(struct builder *b, uint64_t *dice)
{
	for (unsigned f = 0; f < F_COUNT; f++) {
		enum table table = field_info[f].table;
		uint32_t n = builder_rows(b, table);

		/* Names and ids make the tree, and lists name TRES. */
		if (n == 0 || table == TABLE_TRES || f == F_ASSOC_ID || f == F_ASSOC_PARENT ||
		    f == F_ASSOC_ACCOUNT || f == F_ASSOC_USER || f == F_ASSOC_PARTITION)
			continue;
		if (dice_below(dice, 40) == 0) {
			for (uint32_t i = 0; i < n; i++)
				builder_unknown(b, (enum field)f, i);
		}
		builder_unknown(b, (enum field)f, dice_below(dice, n));
	}
}

/* Returns BASE with random changes for sample I. */
static struct cluster *variant(const struct cluster *base, unsigned i)
{
	struct builder *b = cluster_copy(base);
	struct cluster_meta meta = *cluster_meta(base);
	uint64_t dice = i + 1;
	struct err err = { .code = ERR_NONE };
	struct cluster *c;

	meta.time = 1000 + i * 30;
	meta.last_decay = i % 3 ? 900 + i : I64_UNKNOWN;
	builder_meta(b, &meta);
	for (int t = 0; t < TABLE_COUNT; t++) {
		if (t == TABLE_TRES)
			continue;
		drop_rows(b, base, (enum table)t, &dice);
		if (t != TABLE_ASSOC)
			swap_rows(b, (enum table)t, &dice);
	}
	forget_values(b, &dice);
	if (i % 7 == 3)
		builder_note(b, "usage", "note %u", i / 14);
	if (i > VARIANTS / 2)
		policy_set_number(builder_policy(b), policy_param("PriorityWeightAge"), i / 50);
	c = builder_seal(b, &err);
	if (!c)
		fail_msg("sample %u: %s", i, err.message);
	return c;
}

/* Returns random content with enough associations and jobs to lose some. */
static struct cluster *crowded(void)
{
	for (uint64_t seed = 7;; seed++) {
		struct cluster *c = anything_new(seed, 30, true);

		if (cluster_rows(c, TABLE_ASSOC) >= 10 && cluster_rows(c, TABLE_JOB) >= 10)
			return c;
		cluster_free(c);
	}
}

static void thin(struct store_writer *w, const char *ages)
{
	struct err err = { .code = ERR_NONE };
	struct store_keep keep;

	assert_true(!ages || store_keep_parse(ages, &keep, &err));
	if (ages && !store_thin(w, &keep, INT64_MAX, &err))
		fail_msg("%s", err.message);
}

/* Writes all variants, thinned after each sample by AGES (NULL: not). */
static void write_variants(const char *path, const char *ages)
{
	struct store_writer *w = recording_writer(path);
	struct cluster *base = crowded();

	for (unsigned i = 0; i < VARIANTS; i++) {
		recording_write(w, variant(base, i), i);
		thin(w, ages);
	}
	cluster_free(base);
	store_writer_close(w);
}

/* Returns a recording of all variants, made once. */
static const char *variants(void)
{
	static char made[SCRATCH_PATH_MAX];

	if (!made[0])
		write_variants(scratch_path("whole.rec", made), NULL);
	return made;
}

/* ---- walking ------------------------------------------------------------------------------- */

static void assert_same(struct store_reader *r, struct store_walk *w, int64_t id, uint32_t needs)
{
	struct err err = { .code = ERR_NONE };
	struct cluster *expected = store_read(r, id, needs, &err);
	const struct cluster *c = store_walk_to(w, id, &err);
	struct cluster *taken = store_walk_take(w, id, &err);

	if (!expected || !c || !taken)
		fail_msg("sample %lld: %s", (long long)id, err.message);
	if (!equal_clusters(expected, c) || !equal_clusters(expected, taken))
		fail_msg("sample %lld differs", (long long)id);
	for (unsigned f = 0; f < F_COUNT; f++) {
		if (!cluster_col(expected, (enum field)f) != !cluster_col(c, (enum field)f))
			fail_msg("sample %lld: column %s of %s", (long long)id, field_info[f].name,
				 table_name(field_info[f].table));
	}
	cluster_free(expected);
	cluster_free(taken);
}

static void walk(const char *path, int64_t from, int64_t to, int64_t stride, uint32_t needs)
{
	struct err err = { .code = ERR_NONE };
	struct store_reader *r = store_reader_open(path, &err);
	struct store_walk *w = store_walk_new(r, needs);

	for (int64_t id = from; stride > 0 ? id <= to : id >= to; id += stride)
		assert_same(r, w, id, needs);
	store_walk_free(w);
	store_reader_close(r);
}

static void test_every_stride(void **state)
{
	const char *path = variants();

	(void)state;
	walk(path, 1, VARIANTS, 1, NEED_ALL);
	walk(path, 1, VARIANTS, 5, NEED_ALL);
	walk(path, 3, VARIANTS, 47, NEED_ALL);
	walk(path, VARIANTS, 1, -9, NEED_ALL);
	walk(path, 1, VARIANTS, 2, NEED_SHARES | NEED_POLICY);
	walk(path, 1, VARIANTS, 1, NEED_JOBS);
}

/* Fewer jobs: each job is read in the same way. */
static struct demo *small_demo(void)
{
	struct demo_options o = DEMO_OPTIONS_DEFAULT;

	o.jobs = 150;
	return demo_new(&o);
}

/* Jobs arrive, run and end, usage decays: only changes are read. */
static void test_a_life(void **state)
{
	const char *path = path_of("life.rec");
	struct demo *demo = small_demo();
	struct store_writer *writer = recording_writer(path);
	struct err err = { .code = ERR_NONE };
	struct store_reader *r = store_reader_open(path, &err);
	struct store_walk *w = store_walk_new(r, NEED_ALL), *shares;

	(void)state;
	shares = store_walk_new(r, NEED_SHARES);
	for (int64_t id = 1; id <= SAMPLES; id++) {
		struct cluster *c;

		demo_advance(demo, 300);
		c = demo_picture(demo, &err);
		if (!c)
			fail_msg("%s", err.message);
		recording_write(writer, c, id);
		/* Beside the writer: one step per sample, sometimes one for several. */
		if (id % 50 > 40)
			continue;
		assert_same(r, w, id, NEED_ALL);
		assert_same(r, shares, id, NEED_SHARES);
	}
	assert_true(store_forget(writer, 0, INT64_MAX, &err));
	assert_same(r, w, SAMPLES, NEED_ALL);
	assert_null(store_walk_to(w, SAMPLES + 1, &err));
	assert_null(store_walk_to(w, 3, &err));
	assert_same(r, w, SAMPLES, NEED_ALL);
	store_walk_free(w);
	store_walk_free(shares);
	store_reader_close(r);
	store_writer_close(writer);
	demo_free(demo);
}

/* ---- thinning ------------------------------------------------------------------------------ */

/* Checks that each sample left in THINNED equals WHOLE's; returns their number. */
static int assert_left(const char *whole, const char *thinned)
{
	struct err err = { .code = ERR_NONE };
	struct store_reader *a = recording_reader(whole), *b = recording_reader(thinned);
	struct store_walk *w = store_walk_new(b, NEED_ALL);
	struct store_sample s;
	int count = 0;

	for (int64_t id = 1; store_next(b, id, &s, NULL); id = s.id + 1, count++) {
		struct cluster *expected = store_read(a, s.id, NEED_ALL, &err);
		struct cluster *c = store_read(b, s.id, NEED_ALL, &err);
		const struct cluster *walked = store_walk_to(w, s.id, &err);

		if (!expected || !c || !walked)
			fail_msg("sample %lld: %s", (long long)s.id, err.message);
		if (!equal_clusters(expected, c) || !equal_clusters(expected, walked))
			fail_msg("sample %lld differs", (long long)s.id);
		cluster_free(expected);
		cluster_free(c);
	}
	store_walk_free(w);
	store_reader_close(a);
	store_reader_close(b);
	return count;
}

static struct replay *jobs_of(const char *path)
{
	struct err err = { .code = ERR_NONE };
	struct store_reader *r = recording_reader(path);
	struct store_walk *w = store_walk_new(r, NEED_JOBS | NEED_HOSTS);
	struct replay *replay = replay_new();
	struct gather *g = gather_new(replay);

	for (int64_t id = 1; id <= SAMPLES; id++) {
		const struct cluster *c = store_walk_to(w, id, &err);

		if (!c)
			fail_msg("sample %lld: %s", (long long)id, err.message);
		gather_add(g, c);
	}
	gather_free(g);
	store_walk_free(w);
	store_reader_close(r);
	return replay;
}

static void test_thinned_variants(void **state)
{
	/* All of the last minute, then one in two of ten minutes and one in ten of a hundred. */
	static const char *const ages[] = { "1m,10m:2m,10h:10m", "1m,10h:1h", "10h:5m" };

	(void)state;
	for (size_t i = 0; i < sizeof(ages) / sizeof(ages[0]); i++) {
		const char *path = path_of("thinned.rec");

		unlink(path);
		write_variants(path, ages[i]);
		assert_in_range(assert_left(variants(), path), 3, VARIANTS / 3);
	}
}

/* The demo has no priority terms: adds some for each pending job. */
static void add_terms(struct builder *b, const struct cluster *c)
{
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
		const char *state = cluster_text(c, F_JOB_STATE, i);
		uint32_t row;

		if (!state || strcmp(state, "PENDING") != 0)
			continue;
		row = builder_add(b, TABLE_PRIO);
		builder_u32(b, F_PRIO_JOB, row, cluster_u32(c, F_JOB_ID, i));
		builder_f64(b, F_PRIO_AGE, row, (double)(cluster_meta(c)->time % 86400));
	}
}

/* With another parameter from sample 77 on, and an outage between 90 and 91. */
static void write_life(const char *path, const char *ages)
{
	struct demo *demo = small_demo();
	struct store_writer *w = recording_writer(path);
	struct err err = { .code = ERR_NONE };
	int64_t before = 0;

	for (int64_t id = 1; id <= SAMPLES; id++) {
		struct cluster *c, *plain;
		struct builder *b;
		int64_t time;

		demo_advance(demo, 300);
		plain = demo_picture(demo, &err);
		b = cluster_copy(plain);
		add_terms(b, plain);
		cluster_free(plain);
		if (id >= 77)
			policy_set_number(builder_policy(b), policy_param("PriorityWeightAge"), 7);
		c = builder_seal(b, &err);
		if (!c)
			fail_msg("%s", err.message);
		time = cluster_meta(c)->time;
		recording_write(w, c, time);
		if (id == 91)
			assert_true(store_write_gap(w, before, time, "away", &err));
		before = time;
		thin(w, ages);
	}
	store_writer_close(w);
	demo_free(demo);
}

static void assert_kept(const char *path, int64_t id, bool kept)
{
	struct store_reader *r = recording_reader(path);
	struct store_sample s;

	assert_true(store_next(r, id, &s, NULL));
	if ((s.id == id) != kept)
		fail_msg("sample %lld is%s there", (long long)id, kept ? " not" : "");
	store_reader_close(r);
}

static int64_t number_of(const char *path, const char *sql)
{
	sqlite3 *db;
	sqlite3_stmt *q;
	int64_t number;

	assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(q), SQLITE_ROW);
	number = sqlite3_column_int64(q, 0);
	sqlite3_finalize(q);
	sqlite3_close(db);
	return number;
}

/* Checks that priority terms used by no remaining sample are gone; their jobs stay. */
static void assert_terms_gone(const char *whole, const char *path)
{
	static const char in_none[] =
		"SELECT count(*) FROM (SELECT object, min(version) AS came FROM prio GROUP BY"
		" object) p JOIN gone g ON g.object = p.object WHERE NOT EXISTS (SELECT 1 FROM"
		" sample s WHERE s.rows >= 0 AND s.id >= p.came >> 24 AND s.id < g.version >> 24)";
	static const char terms[] = "SELECT count(DISTINCT object) FROM prio";
	static const char jobs[] = "SELECT count(DISTINCT object) FROM job";

	assert_int_equal(number_of(path, in_none), 0);
	assert_in_range(number_of(path, terms), 1, (uint64_t)number_of(whole, terms) - 1);
	assert_int_equal(number_of(path, jobs), number_of(whole, jobs));
}

static void test_thinned_life(void **state)
{
	char whole[SCRATCH_PATH_MAX];
	const char *path = path_of("thin-life.rec");
	struct replay *a, *b;
	uint32_t ended = 0;

	(void)state;
	scratch_path("whole-life.rec", whole);
	write_life(whole, NULL);
	write_life(path, "1h,5h:30m,100h:6h");
	/* 12 of the last hour, 8 of the four before, 3 of the rest; the first, and ends of gaps. */
	assert_in_range(assert_left(whole, path), 20, 35);
	assert_kept(path, 1, true);
	assert_kept(path, 77, true);
	assert_kept(path, 90, true);
	assert_kept(path, 91, true);
	assert_kept(path, 80, false);
	assert_kept(path, SAMPLES, true);
	assert_terms_gone(whole, path);
	a = jobs_of(whole);
	b = jobs_of(path);
	assert_int_equal(replay_jobs(a), replay_jobs(b));
	for (uint32_t i = 0; i < replay_jobs(a); i++) {
		const struct replay_job *x = replay_job(a, i), *y = replay_job(b, i);

		assert_int_equal(x->submit, y->submit);
		assert_int_equal(x->start, y->start);
		assert_int_equal(x->end, y->end);
		ended += x->end != I64_UNKNOWN;
	}
	assert_in_range(ended, 20, UINT32_MAX);
	replay_free(a);
	replay_free(b);
}

/* Returns the first sample from the 50th on that wrote a row of TABLE. */
static int64_t sample_of(sqlite3 *db, const char *table)
{
	sqlite3_stmt *q;
	char sql[128];
	int64_t id;

	snprintf(sql, sizeof(sql), "SELECT min(version >> 24) FROM %s WHERE version >> 24 >= 50",
		 table);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(q), SQLITE_ROW);
	id = sqlite3_column_int64(q, 0);
	sqlite3_finalize(q);
	assert_in_range(id, 50, VARIANTS - 1);
	return id;
}

/* Damaged samples are refused, those before and after them are not. */
static void test_damage(void **state)
{
	static const struct {
		const char *table, *sql;
	} damages[] = {
		{ "job_state", "DELETE FROM job_state WHERE version >> 24 = " },
		{ "assoc_state", "UPDATE assoc_state SET usage = 'much' WHERE version >> 24 = " },
		{ "job_state", "UPDATE sample SET rows = rows + 1 WHERE id = " },
	};
	const char *path = path_of("damaged.rec");

	(void)state;
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct err err = { .code = ERR_NONE };
		struct store_reader *r;
		struct store_walk *w;
		char sql[128];
		sqlite3 *db;
		int64_t at;

		scratch_copy(variants(), path);
		assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
		at = sample_of(db, damages[i].table);
		snprintf(sql, sizeof(sql), "%s%lld", damages[i].sql, (long long)at);
		assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
		sqlite3_close(db);
		r = store_reader_open(path, &err);
		w = store_walk_new(r, NEED_ALL);
		assert_same(r, w, at - 2, NEED_ALL);
		assert_same(r, w, at - 1, NEED_ALL);
		assert_null(store_walk_to(w, at, &err));
		assert_non_null(store_walk_to(w, at - 1, &err));
		store_walk_free(w);
		store_reader_close(r);
	}
}

/* ---- a copy that is made anew --------------------------------------------------------------- */

static void write_short(const char *path, uint64_t seed)
{
	struct demo_options o = DEMO_OPTIONS_DEFAULT;
	struct store_writer *writer = recording_writer(path);
	struct err err = { .code = ERR_NONE };
	struct demo *demo;

	o.seed = seed;
	demo = demo_new(&o);
	for (int64_t id = 1; id <= 3; id++) {
		struct cluster *c;

		demo_advance(demo, 300);
		c = demo_picture(demo, &err);
		assert_non_null(c);
		recording_write(writer, c, id);
	}
	store_writer_close(writer);
	demo_free(demo);
}

/* Replaces the content of TO, which may be open elsewhere, with FROM. */
static void replace(const char *to, const char *from)
{
	sqlite3 *source, *target;
	sqlite3_backup *backup;

	assert_int_equal(sqlite3_open(from, &source), SQLITE_OK);
	assert_int_equal(sqlite3_open(to, &target), SQLITE_OK);
	backup = sqlite3_backup_init(target, "main", source, "main");
	assert_non_null(backup);
	assert_int_equal(sqlite3_backup_step(backup, -1), SQLITE_DONE);
	sqlite3_backup_finish(backup);
	sqlite3_close(source);
	sqlite3_close(target);
}

/* Samples and words have numbers that others had before. */
static void test_begun_anew(void **state)
{
	char first[SCRATCH_PATH_MAX], second[SCRATCH_PATH_MAX];
	struct err err = { .code = ERR_NONE };
	struct store_reader *r, *other;
	struct cluster *expected, *c;
	struct store_walk *w;

	(void)state;
	scratch_path("first.rec", first);
	scratch_path("second.rec", second);
	write_short(first, 1);
	write_short(second, 2);
	r = store_reader_open(first, &err);
	w = store_walk_new(r, NEED_ALL);
	other = store_reader_open(second, &err);
	assert_same(r, w, 2, NEED_ALL);
	replace(first, second);
	for (int64_t id = 2; id <= 3; id++) {
		expected = store_read(other, id, NEED_ALL, &err);
		c = store_walk_take(w, id, &err);
		if (!expected || !c)
			fail_msg("sample %lld: %s", (long long)id, err.message);
		assert_true(equal_clusters(expected, c));
		cluster_free(expected);
		cluster_free(c);
	}
	store_walk_free(w);
	store_reader_close(other);
	store_reader_close(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_stride),
		cmocka_unit_test(test_a_life),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_thinned_variants),
		cmocka_unit_test(test_thinned_life),
		cmocka_unit_test(test_begun_anew),
	};

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
