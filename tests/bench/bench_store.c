/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings against bare SQLite.
 *
 * Writing: a sample of 2,000 associations and 5,000 jobs of which a tenth changed (one job in fifty
 * ended and was replaced by a new one), against inserting as many rows of the same kind into the
 * same tables in one transaction. The time of a sample includes finding what changed and
 * refreshing, but not making the cluster.
 *
 * Reading: the sealed cluster at a random instant of a day of 2,880 samples, against a plain
 * indexed SELECT of one sample from two tables (associations, jobs) that hold every sample in full,
 * with each value fetched in its type.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/store/private.h"
#include "core/base/mem.h"
#include "tests/bench/bench.h"
#include "tests/support/dice.h"
#include "tests/support/scratch.h"

#define ASSOCS 2000u
#define ACCOUNTS 200u
#define JOBS 5000u
#define DAY 2880u
#define FLAT 24u		/* samples in the tables of the baseline */
#define RUNS 41u

/* ---- a cluster that moves ------------------------------------------------------------------ */

struct life {
	uint64_t seed;
	int64_t now;
	double usage[ASSOCS];
	uint32_t job[JOBS], next_job;
	uint32_t priority[JOBS];
	bool running[JOBS];
	int64_t start[JOBS];
};

static void life_init(struct life *l)
{
	*l = (struct life){ .seed = 1, .now = 1700000000, .next_job = 100000 };
	for (uint32_t i = 0; i < ASSOCS; i++)
		l->usage[i] = dice_below(&l->seed, 1000000000) / 7.0;
	for (uint32_t i = 0; i < JOBS; i++) {
		l->job[i] = l->next_job++;
		l->priority[i] = dice_below(&l->seed, 20000);
		l->running[i] = dice_below(&l->seed, 3) == 0;
		l->start[i] = l->now - dice_below(&l->seed, 80000);
	}
}

static void life_step(struct life *l)
{
	l->now += 30;
	for (uint32_t i = 0; i < ASSOCS / 10; i++)
		l->usage[dice_below(&l->seed, ASSOCS)] *= 1.0001;
	for (uint32_t i = 0; i < JOBS / 10 - JOBS / 500; i++)
		l->priority[dice_below(&l->seed, JOBS)]++;
	/* The oldest jobs end, new ones are added at the end of the list. */
	for (uint32_t i = 0; i < JOBS / 500; i++) {
		uint32_t gone = dice_below(&l->seed, JOBS);

		memmove(l->job + gone, l->job + gone + 1, (JOBS - gone - 1) * sizeof(*l->job));
		memmove(l->priority + gone, l->priority + gone + 1,
			(JOBS - gone - 1) * sizeof(*l->priority));
		memmove(l->running + gone, l->running + gone + 1,
			(JOBS - gone - 1) * sizeof(*l->running));
		memmove(l->start + gone, l->start + gone + 1,
			(JOBS - gone - 1) * sizeof(*l->start));
		l->job[JOBS - 1] = l->next_job++;
		l->priority[JOBS - 1] = 5000;
		l->running[JOBS - 1] = false;
		l->start[JOBS - 1] = l->now;
	}
}

static void add_assoc(struct builder *b, const struct life *l, uint32_t i)
{
	uint32_t row = builder_add(b, TABLE_ASSOC);
	bool account = i < ACCOUNTS;
	const char *qos[] = { "normal", "high" };
	char name[32];

	builder_u32(b, F_ASSOC_ID, row, i + 1);
	if (i > 0)
		builder_u32(b, F_ASSOC_PARENT, row, account ? 1 : i % (ACCOUNTS - 1) + 2);
	snprintf(name, sizeof(name), "account%u",
		 (unsigned)(account ? i : i % (ACCOUNTS - 1) + 1));
	builder_str(b, F_ASSOC_ACCOUNT, row, name);
	if (!account) {
		snprintf(name, sizeof(name), "user%u", (unsigned)i);
		builder_str(b, F_ASSOC_USER, row, name);
		builder_u32(b, F_ASSOC_UID, row, 10000 + i);
	}
	builder_u32(b, F_ASSOC_SHARES, row, 1 + i % 40);
	builder_u32(b, F_ASSOC_LFT, row, i * 2);
	builder_list(b, F_ASSOC_QOS, row, qos, 2);
	builder_f64(b, F_ASSOC_USAGE, row, l->usage[i]);
	builder_f64(b, F_ASSOC_R_NORM_SHARES, row, 1.0 / (1 + i % 40));
	builder_f64(b, F_ASSOC_R_NORM_USAGE, row, l->usage[i] / 1e12);
	builder_f64(b, F_ASSOC_R_EFFECTIVE_USAGE, row, l->usage[i] / 1.5e12);
	builder_f64(b, F_ASSOC_R_FAIRSHARE, row, 1 / (1 + l->usage[i] / 1e7));
	builder_u32(b, F_ASSOC_USED_JOBS, row, i % 7);
}

static void add_job(struct builder *b, const struct life *l, uint32_t i)
{
	uint32_t row = builder_add(b, TABLE_JOB), id = l->job[i];
	uint32_t assoc = ACCOUNTS + id % (ASSOCS - ACCOUNTS);
	struct tres_item tres[] = { { 0, 1u << id % 6 }, { 1, 2000.0 * (id % 6 + 1) }, { 2, 1 } };
	char name[32];

	builder_u32(b, F_JOB_ID, row, id);
	snprintf(name, sizeof(name), "job%u", (unsigned)(id % 700));
	builder_str(b, F_JOB_NAME, row, name);
	snprintf(name, sizeof(name), "user%u", (unsigned)assoc);
	builder_str(b, F_JOB_USER, row, name);
	builder_u32(b, F_JOB_UID, row, 10000 + assoc);
	snprintf(name, sizeof(name), "account%u", (unsigned)(assoc % (ACCOUNTS - 1) + 1));
	builder_str(b, F_JOB_ACCOUNT, row, name);
	builder_u32(b, F_JOB_ASSOC, row, assoc + 1);
	builder_str(b, F_JOB_PARTITION, row, id % 4 ? "batch" : "gpu");
	builder_str(b, F_JOB_QOS, row, id % 5 ? "normal" : "high");
	builder_str(b, F_JOB_STATE, row, l->running[i] ? "RUNNING" : "PENDING");
	builder_str(b, F_JOB_REASON, row, l->running[i] ? "None" : "Priority");
	builder_u32(b, F_JOB_NODES, row, 1);
	builder_u32(b, F_JOB_CPUS, row, 1u << id % 6);
	builder_tres(b, F_JOB_TRES, row, tres, 3);
	builder_i64(b, F_JOB_TIME_LIMIT, row, 3600 * (1 + id % 24));
	builder_i64(b, F_JOB_SUBMIT, row, 1699900000 + id);
	builder_i64(b, F_JOB_ELIGIBLE, row, 1699900000 + id);
	builder_i64(b, F_JOB_ACCRUE, row, 1699900000 + id);
	if (l->running[i]) {
		snprintf(name, sizeof(name), "c[%04u-%04u]", (unsigned)(id % 500),
			 (unsigned)(id % 500 + 3));
		builder_tres(b, F_JOB_TRES_ALLOC, row, tres, 3);
		builder_i64(b, F_JOB_START, row, l->start[i]);
		builder_i64(b, F_JOB_END, row, l->start[i] + 86400);
		builder_str(b, F_JOB_NODE_LIST, row, name);
	}
	builder_u32(b, F_JOB_PRIORITY, row, l->priority[i]);
	builder_i64(b, F_JOB_NICE, row, 0);
}

static struct cluster *life_picture(const struct life *l)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = { .kind = "slurm", .name = "bench", .version = "22.05.8",
				     .zone = "UTC", .time = l->now };
	struct err err = { .code = ERR_NONE };
	struct cluster *c;

	meta.last_decay = l->now;
	meta.boot = meta.last_reset = I64_UNKNOWN;
	builder_meta(b, &meta);
	builder_tres_row(b, "cpu", 3);
	builder_tres_row(b, "mem", 3);
	builder_tres_row(b, "node", 4);
	for (uint32_t i = 0; i < ASSOCS; i++)
		add_assoc(b, l, i);
	for (uint32_t i = 0; i < JOBS; i++)
		add_job(b, l, i);
	c = builder_seal(b, &err);
	if (!c) {
		fprintf(stderr, "bench_store: %s\n", err.message);
		exit(1);
	}
	return c;
}

static void fail(const char *what)
{
	fprintf(stderr, "bench_store: %s\n", what);
	exit(1);
}

/* ---- writing ------------------------------------------------------------------------------- */

struct writing {
	struct life *life;
	struct store_writer *store;
	struct cluster *next;
	/* Bare: the same rows, one after the other, in a separate file. */
	sqlite3 *bare;
	sqlite3_stmt *assoc, *job;
	uint32_t assoc_rows, job_rows;
	int64_t version;
	struct cluster *model;
	struct tres_words words;
	struct scratch scratch;
};

static void write_sample(void *context)
{
	struct writing *w = context;
	struct err err = { .code = ERR_NONE };

	if (!store_write(w->store, w->next, w->life->now, &err))
		fail(err.message);
	w->next = NULL;
}

static void bind_row(struct writing *w, sqlite3_stmt *st, const struct stream *s, uint32_t row)
{
	int at = 3;

	sqlite3_bind_int64(st, 1, w->version++);
	sqlite3_bind_int64(st, 2, row);
	for (unsigned f = 0; f < F_COUNT; f++) {
		if (stream_has(s, (enum field)f) && cluster_col(w->model, (enum field)f))
			cell_bind(st, at++, w->model, (enum field)f, row, &w->words, &w->scratch,
				  NULL);
	}
	if (sqlite3_step(st) != SQLITE_DONE)
		fail(sqlite3_errmsg(w->bare));
	sqlite3_reset(st);
}

static void write_bare(void *context)
{
	struct writing *w = context;

	sqlite3_exec(w->bare, "BEGIN", NULL, NULL, NULL);
	for (uint32_t i = 0; i < w->assoc_rows; i++)
		bind_row(w, w->assoc, &streams[2], i * 7 % ASSOCS);
	for (uint32_t i = 0; i < w->job_rows; i++)
		bind_row(w, w->job, &streams[7], i * 7 % JOBS);
	if (sqlite3_exec(w->bare, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
		fail(sqlite3_errmsg(w->bare));
}

/* Creates a table of those columns of a stream that the cluster has; returns its INSERT. */
static sqlite3_stmt *bare_table(struct writing *w, const struct stream *s)
{
	sqlite3_str *create = sqlite3_str_new(NULL), *insert = sqlite3_str_new(NULL);
	sqlite3_stmt *st = NULL;
	char name[COLUMN_MAX], *text;

	sqlite3_str_appendf(create, "CREATE TABLE \"%s\"(version INTEGER PRIMARY KEY, object",
			    s->name);
	sqlite3_str_appendf(insert, "INSERT INTO \"%s\" VALUES(?,?", s->name);
	for (unsigned f = 0; f < F_COUNT; f++) {
		if (!stream_has(s, (enum field)f) || !cluster_col(w->model, (enum field)f))
			continue;
		sqlite3_str_appendf(create, ", \"%s\"", column_name((enum field)f, name));
		sqlite3_str_appendall(insert, ",?");
	}
	sqlite3_str_appendall(create, ")");
	sqlite3_str_appendall(insert, ")");
	text = sqlite3_str_finish(create);
	sqlite3_exec(w->bare, text, NULL, NULL, NULL);
	sqlite3_free(text);
	text = sqlite3_str_finish(insert);
	if (sqlite3_prepare_v2(w->bare, text, -1, &st, NULL) != SQLITE_OK)
		fail(sqlite3_errmsg(w->bare));
	sqlite3_free(text);
	return st;
}

static void bench_writing(struct life *l, const char *directory)
{
	struct writing w = { .life = l };
	struct bench benches[2] = { { .name = "sample", .run = write_sample, .context = &w },
				    { .name = "bare insert", .run = write_bare, .context = &w } };
	struct err err = { .code = ERR_NONE };
	char path[300];

	snprintf(path, sizeof(path), "%s/write.rec", directory);
	w.store = store_writer_open(path, &err);
	if (!w.store)
		fail(err.message);
	snprintf(path, sizeof(path), "%s/bare.db", directory);
	sqlite3_open(path, &w.bare);
	sqlite3_exec(w.bare, "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL;"
		     "PRAGMA synchronous = FULL", NULL, NULL, NULL);
	w.model = life_picture(l);
	tres_words_init(&w.words, w.model);
	w.assoc = bare_table(&w, &streams[2]);
	w.job = bare_table(&w, &streams[7]);
	/* Reach the steady state, in which each sample refreshes its part. */
	for (unsigned i = 0; i < 140; i++) {
		life_step(l);
		w.next = life_picture(l);
		write_sample(&w);
	}
	w.assoc_rows = ASSOCS / 10;
	w.job_rows = JOBS / 10;
	for (unsigned r = 0; r < RUNS; r++) {
		struct bench once[2] = { benches[0], benches[1] };

		/* One measured call each, because the clusters are made outside the measurement. */
		for (int k = 0; k < 2; k++) {
			if (k == 0) {
				life_step(l);
				w.next = life_picture(l);
			}
			bench_once(&once[k]);
			benches[k].seconds[r] = once[k].seconds[0];
		}
	}
	printf("writing a sample of %u associations and %u jobs of which a tenth changed "
	       "(%llu rows, %llu of them refreshed)\n", ASSOCS, JOBS,
	       (unsigned long long)store_written(w.store).rows,
	       (unsigned long long)(store_written(w.store).rows -
				    store_written(w.store).changed));
	bench_ratio(&benches[0], &benches[1], RUNS, BENCH_NO_TARGET);
	store_writer_close(w.store);
	sqlite3_finalize(w.assoc);
	sqlite3_finalize(w.job);
	sqlite3_close(w.bare);
	tres_words_free(&w.words);
	mem_free(w.scratch.bytes);
	cluster_free(w.model);
}

/* ---- reading ------------------------------------------------------------------------------- */

struct reading {
	struct store_reader *reader;
	uint64_t seed;
	sqlite3 *flat;
	sqlite3_stmt *select[2];
	int64_t sum;		/* makes sure that every value is read */
};

static void read_random(void *context)
{
	struct reading *r = context;
	struct err err = { .code = ERR_NONE };
	struct cluster *c = store_read(r->reader, 200 + dice_below(&r->seed, DAY - 200), NEED_ALL,
				       &err);

	if (!c)
		fail(err.message);
	cluster_free(c);
}

static void fetch_value(struct reading *r, sqlite3_stmt *st, int at)
{
	switch (sqlite3_column_type(st, at)) {
	case SQLITE_INTEGER:
		r->sum += sqlite3_column_int64(st, at);
		break;
	case SQLITE_FLOAT:
		r->sum += (int64_t)sqlite3_column_double(st, at);
		break;
	case SQLITE_TEXT:
		r->sum += sqlite3_column_text(st, at)[0] + sqlite3_column_bytes(st, at);
		break;
	default:
		break;
	}
}

static void read_flat(void *context)
{
	struct reading *r = context;
	int64_t sample = dice_below(&r->seed, FLAT);

	for (int t = 0; t < 2; t++) {
		sqlite3_stmt *st = r->select[t];
		int columns = sqlite3_column_count(st);

		sqlite3_bind_int64(st, 1, sample);
		while (sqlite3_step(st) == SQLITE_ROW) {
			for (int i = 0; i < columns; i++)
				fetch_value(r, st, i);
		}
		sqlite3_reset(st);
	}
}

/* Is F a column of the baseline? Only columns that have values are. */
static bool is_flat(const struct cluster *c, unsigned f, enum table table)
{
	return field_info[f].table == table && cluster_col(c, (enum field)f);
}

/* Table T of the baseline: the fields of a table of C, with an index on the sample. */
static sqlite3_stmt *flat_table(sqlite3 *db, const struct cluster *c, enum table table, int t)
{
	sqlite3_str *create = sqlite3_str_new(NULL), *insert = sqlite3_str_new(NULL);
	char name[COLUMN_MAX], *text;
	sqlite3_stmt *st;

	sqlite3_str_appendf(create, "CREATE TABLE IF NOT EXISTS t%d(sample", t);
	sqlite3_str_appendf(insert, "INSERT INTO t%d VALUES(?", t);
	for (unsigned f = 0; f < F_COUNT; f++) {
		if (!is_flat(c, f, table))
			continue;
		sqlite3_str_appendf(create, ", \"%s\"", column_name((enum field)f, name));
		sqlite3_str_appendall(insert, ",?");
	}
	sqlite3_str_appendf(create, "); CREATE INDEX IF NOT EXISTS i%d ON t%d(sample)", t, t);
	sqlite3_str_appendall(insert, ")");
	text = sqlite3_str_finish(create);
	sqlite3_exec(db, text, NULL, NULL, NULL);
	sqlite3_free(text);
	text = sqlite3_str_finish(insert);
	if (sqlite3_prepare_v2(db, text, -1, &st, NULL) != SQLITE_OK)
		fail(sqlite3_errmsg(db));
	sqlite3_free(text);
	return st;
}

static void flat_row(sqlite3_stmt *st, const struct cluster *c, enum table table, uint32_t row,
		     const struct tres_words *words, struct scratch *scratch)
{
	int at = 2;

	for (unsigned f = 0; f < F_COUNT; f++) {
		if (is_flat(c, f, table))
			cell_bind(st, at++, c, (enum field)f, row, words, scratch, NULL);
	}
	sqlite3_step(st);
	sqlite3_reset(st);
}

/* Inserts one sample in full. */
static void flat_sample(sqlite3 *db, const struct cluster *c, unsigned sample)
{
	static const enum table tables[2] = { TABLE_ASSOC, TABLE_JOB };
	struct scratch scratch = { NULL, 0, 0 };
	struct tres_words words;

	tres_words_init(&words, c);
	for (int t = 0; t < 2; t++) {
		sqlite3_stmt *st = flat_table(db, c, tables[t], t);

		sqlite3_bind_int64(st, 1, sample);
		for (uint32_t row = 0; row < cluster_rows(c, tables[t]); row++)
			flat_row(st, c, tables[t], row, &words, &scratch);
		sqlite3_finalize(st);
	}
	tres_words_free(&words);
	mem_free(scratch.bytes);
}

static void bench_reading(struct life *l, const char *directory)
{
	struct reading r = { .seed = 3 };
	struct bench benches[2] = { { .name = "cluster", .run = read_random, .context = &r },
				    { .name = "plain select", .run = read_flat, .context = &r } };
	struct err err = { .code = ERR_NONE };
	struct store_writer *w;
	uint64_t changed = 0;
	struct stat st;
	char path[300];

	snprintf(path, sizeof(path), "%s/day.rec", directory);
	w = store_writer_open(path, &err);
	snprintf(path, sizeof(path), "%s/flat.db", directory);
	sqlite3_open(path, &r.flat);
	sqlite3_exec(r.flat, "PRAGMA page_size = 8192; BEGIN", NULL, NULL, NULL);
	for (unsigned i = 0; i < DAY; i++) {
		struct cluster *c;

		life_step(l);
		c = life_picture(l);
		if (i < FLAT)
			flat_sample(r.flat, c, i);
		if (!w || !store_write(w, c, l->now, &err))
			fail(err.message);
		if (i > 0)
			changed += store_written(w).changed;
	}
	sqlite3_exec(r.flat, "COMMIT", NULL, NULL, NULL);
	store_writer_close(w);
	snprintf(path, sizeof(path), "%s/day.rec", directory);
	if (stat(path, &st) < 0)
		fail(path);
	r.reader = store_reader_open(path, &err);
	sqlite3_prepare_v2(r.flat, "SELECT * FROM t0 WHERE sample = ?1", -1, &r.select[0], NULL);
	sqlite3_prepare_v2(r.flat, "SELECT * FROM t1 WHERE sample = ?1", -1, &r.select[1], NULL);
	bench_run(benches, 2, RUNS, 2);
	printf("the cluster at a random instant of a day of %u samples\n", DAY);
	bench_ratio(&benches[0], &benches[1], RUNS, 1.8);
	bench_judge((double)st.st_size / (double)changed, "bytes a row", 120,
		    "a day of %.1f MB and %llu changed rows", (double)st.st_size / 1e6,
		    (unsigned long long)changed);
	store_reader_close(r.reader);
	sqlite3_finalize(r.select[0]);
	sqlite3_finalize(r.select[1]);
	sqlite3_close(r.flat);
}

int main(void)
{
	struct life *l = mem_alloc(1, sizeof(*l));

	if (scratch_open(NULL) != 0)
		return 1;
	life_init(l);
	bench_writing(l, scratch_directory());
	bench_reading(l, scratch_directory());
	mem_free(l);
	return scratch_close(NULL);
}
