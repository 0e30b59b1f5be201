/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three years of a cluster of 3,272 associations with 5,000 jobs a day, a sample every five
 * minutes, under --keep 7d,90d:1h,3y:1d.
 *
 * Only some days are written, and thinned to hours and to days. The size of one day of each kind
 * (by dbstat) is multiplied by the number of such days. Values have the digits that slurmctld
 * sends: usage has six decimals and is decayed and charged with its decay settings.
 */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/store/store.h"
#include "core/base/mem.h"
#include "core/share/decay.h"
#include "tests/bench/bench.h"
#include "tests/support/dice.h"
#include "tests/support/scratch.h"

#define ASSOCS 3272u
#define ACCOUNTS 272u
#define JOBS 4000u		/* capacity: pending and running ones */
#define PASS 300
#define DAY_PASSES 288u
#define DAY_JOBS 5000u
#define DAYS 4u			/* written: the first fills the cluster, the last is not thinned */
#define COUNTED (DAYS - 2)
#define HALF_LIFE (14 * 86400)
#define MB 1e6

/* ---- a cluster that moves ------------------------------------------------------------------ */

struct job {
	uint32_t id, assoc;
	int64_t submit, start, end;
};

struct life {
	uint64_t seed;
	int64_t now;
	uint32_t next_job, count;
	long double usage[ASSOCS];
	double wall[ASSOCS];
	struct job jobs[JOBS];
};

static uint32_t parent_of(uint32_t assoc)
{
	return assoc < ACCOUNTS ? 0 : assoc % (ACCOUNTS - 1) + 1;
}

static uint32_t cpus_of(const struct job *j)
{
	return 1u << j->id % 7;
}

static void charge(struct life *l, uint32_t assoc, double usage, double wall)
{
	for (;; assoc = parent_of(assoc)) {
		l->usage[assoc] += usage;
		l->wall[assoc] += wall;
		if (assoc == 0)
			return;
	}
}

static void life_init(struct life *l)
{
	*l = (struct life){ .seed = 1, .now = 1700006400, .next_job = 100000 };
	for (uint32_t i = ACCOUNTS; i < ASSOCS; i++)
		charge(l, i, dice_below(&l->seed, 1000000000) / 7.0,
		       dice_below(&l->seed, 10000000) / 7.0);
}

static bool is_running(const struct life *l, const struct job *j)
{
	return j->start <= l->now && l->now < j->end;
}

static void life_step(struct life *l)
{
	double left = decay_over(HALF_LIFE, PASS);
	uint32_t kept = 0;

	l->now += PASS;
	for (uint32_t i = 0; i < ASSOCS; i++) {
		l->usage[i] *= left;
		l->wall[i] *= left;
	}
	for (uint32_t i = 0; i < l->count; i++) {
		const struct job *j = &l->jobs[i];
		int64_t from = j->start > l->now - PASS ? j->start : l->now - PASS;
		int64_t to = j->end < l->now ? j->end : l->now;

		if (to > from)
			charge(l, j->assoc, decay_charge(HALF_LIFE, to - from, cpus_of(j), 1),
			       (double)(to - from));
		/* A job is shown for five minutes after its end. */
		if (j->end + PASS > l->now)
			l->jobs[kept++] = *j;
	}
	l->count = kept;
	while (l->next_job - 100000 < (uint64_t)(l->now - 1700006400) * DAY_JOBS / 86400 &&
	       l->count < JOBS) {
		struct job *j = &l->jobs[l->count++];
		uint32_t user = dice_below(&l->seed, 400) * 7;	/* few users are active */

		*j = (struct job){ .id = l->next_job++, .assoc = ACCOUNTS + user,
				   .submit = l->now - dice_below(&l->seed, PASS) };
		j->start = j->submit + dice_below(&l->seed, 7200);
		j->end = j->start + 60 + dice_below(&l->seed, 21600);
	}
}

/* ---- its picture --------------------------------------------------------------------------- */

static double six_decimals(long double x)
{
	char text[64];

	snprintf(text, sizeof(text), "%.6Lf", x);
	return strtod(text, NULL);
}

static void add_assoc(struct builder *b, const struct life *l, uint32_t i)
{
	uint32_t row = builder_add(b, TABLE_ASSOC), parent = parent_of(i);
	const char *qos[] = { "normal", "high" };
	double share = (double)(1 + i % 40), used;
	char name[32];

	builder_u32(b, F_ASSOC_ID, row, i + 1);
	if (i > 0)
		builder_u32(b, F_ASSOC_PARENT, row, parent + 1);
	snprintf(name, sizeof(name), "account%u", (unsigned)(i < ACCOUNTS ? i : parent));
	builder_str(b, F_ASSOC_ACCOUNT, row, name);
	if (i >= ACCOUNTS) {
		snprintf(name, sizeof(name), "user%u", (unsigned)i);
		builder_str(b, F_ASSOC_USER, row, name);
		builder_u32(b, F_ASSOC_UID, row, 10000 + i);
		/* The rank in the tree seldom changes. */
		builder_f64(b, F_ASSOC_R_FAIRSHARE, row, (double)(i % 3000) / 3000);
	}
	used = (double)(l->usage[i] / l->usage[parent]);
	builder_u32(b, F_ASSOC_SHARES, row, 1 + i % 40);
	builder_u32(b, F_ASSOC_LFT, row, i * 2);
	builder_list(b, F_ASSOC_QOS, row, qos, 2);
	builder_f64(b, F_ASSOC_USAGE, row, six_decimals(l->usage[i]));
	builder_f64(b, F_ASSOC_R_NORM_SHARES, row, share / 200);
	builder_f64(b, F_ASSOC_R_NORM_USAGE, row, (double)(l->usage[i] / l->usage[0]));
	builder_f64(b, F_ASSOC_R_EFFECTIVE_USAGE, row, used);
	builder_f64(b, F_ASSOC_R_LEVEL_FS, row, share / 200 / used);
	builder_u32(b, F_ASSOC_R_LEVEL_SHARES, row, 200);
	builder_u32(b, F_ASSOC_USED_JOBS, row, 0);
	builder_u32(b, F_ASSOC_USED_SUBMIT, row, 0);
	builder_u32(b, F_ASSOC_USED_ACCRUE, row, 0);
	builder_f64(b, F_ASSOC_USED_WALL, row, l->wall[i]);
}

static uint32_t priority_of(const struct life *l, const struct job *j, double *age)
{
	*age = (double)(l->now - j->submit) / 604800 * 1000;
	return (uint32_t)(*age + 20000.0 * (j->assoc % 3000) / 3000);
}

static void add_prio(struct builder *b, const struct life *l, const struct job *j)
{
	uint32_t row = builder_add(b, TABLE_PRIO);
	double age;

	priority_of(l, j, &age);
	builder_u32(b, F_PRIO_JOB, row, j->id);
	builder_str(b, F_PRIO_PARTITION, row, j->id % 4 ? "batch" : "gpu");
	builder_f64(b, F_PRIO_AGE, row, age);
	builder_f64(b, F_PRIO_ASSOC, row, 0);
	builder_f64(b, F_PRIO_FAIRSHARE, row, 20000.0 * (j->assoc % 3000) / 3000);
	builder_f64(b, F_PRIO_JOBSIZE, row, cpus_of(j) / 7.0);
	builder_f64(b, F_PRIO_PARTITION_TERM, row, 1000);
	builder_f64(b, F_PRIO_QOS_TERM, row, j->id % 5 ? 0 : 500);
	builder_i64(b, F_PRIO_SITE, row, 0);
	builder_i64(b, F_PRIO_NICE, row, 0);
	builder_u32(b, F_PRIO_DIRECT, row, 0);
}

static void add_job_facts(struct builder *b, const struct job *j, uint32_t row)
{
	char name[32];

	builder_u32(b, F_JOB_ID, row, j->id);
	snprintf(name, sizeof(name), "job%u", (unsigned)(j->id % 700));
	builder_str(b, F_JOB_NAME, row, name);
	snprintf(name, sizeof(name), "user%u", (unsigned)j->assoc);
	builder_str(b, F_JOB_USER, row, name);
	builder_u32(b, F_JOB_UID, row, 10000 + j->assoc);
	snprintf(name, sizeof(name), "account%u", (unsigned)parent_of(j->assoc));
	builder_str(b, F_JOB_ACCOUNT, row, name);
	builder_u32(b, F_JOB_ASSOC, row, j->assoc + 1);
	builder_str(b, F_JOB_PARTITION, row, j->id % 4 ? "batch" : "gpu");
	builder_str(b, F_JOB_QOS, row, j->id % 5 ? "normal" : "high");
	builder_u32(b, F_JOB_NODES, row, 1);
	builder_u32(b, F_JOB_MIN_NODES, row, 1);
	builder_u32(b, F_JOB_CPUS, row, cpus_of(j));
	builder_bool(b, F_JOB_EXCLUSIVE, row, false);
	builder_u32(b, F_JOB_NUM_TASKS, row, cpus_of(j));
	builder_u32(b, F_JOB_CPUS_PER_TASK, row, 1);
	builder_u32(b, F_JOB_TASKS_PER_NODE, row, 0);
	builder_u32(b, F_JOB_RESTARTS, row, 0);
	builder_f64(b, F_JOB_BILLING, row, cpus_of(j));
	builder_i64(b, F_JOB_TIME_LIMIT, row, 3600 * (7 + j->id % 24));
	builder_i64(b, F_JOB_SUBMIT, row, j->submit);
	builder_i64(b, F_JOB_ELIGIBLE, row, j->submit);
	builder_i64(b, F_JOB_ACCRUE, row, j->submit);
	builder_i64(b, F_JOB_NICE, row, 0);
	builder_i64(b, F_JOB_SITE, row, 0);
}

static void add_job(struct builder *b, const struct life *l, const struct job *j)
{
	uint32_t row = builder_add(b, TABLE_JOB);
	struct tres_item tres[] = { { 0, cpus_of(j) }, { 1, 2000.0 * cpus_of(j) }, { 2, 1 },
				    { 3, cpus_of(j) } };
	bool waits = j->start > l->now;
	char name[32];
	double age;

	add_job_facts(b, j, row);
	builder_str(b, F_JOB_STATE, row, waits ? "PENDING" : is_running(l, j) ? "RUNNING" :
		    "COMPLETED");
	builder_str(b, F_JOB_REASON, row, waits ? "Priority" : "None");
	builder_tres(b, F_JOB_TRES, row, tres, 4);
	builder_u32(b, F_JOB_PRIORITY, row, priority_of(l, waits ? j : &(struct job){
			.submit = l->now, .assoc = j->assoc }, &age));
	builder_i64(b, F_JOB_LAST_SCHED, row, waits ? l->now - 20 : j->start);
	if (waits) {
		add_prio(b, l, j);
		return;
	}
	snprintf(name, sizeof(name), "c%04u", (unsigned)(j->id * 7 % 500));
	builder_tres(b, F_JOB_TRES_ALLOC, row, tres, 4);
	builder_i64(b, F_JOB_START, row, j->start);
	builder_i64(b, F_JOB_END, row, is_running(l, j) ? j->start + 3600 * (7 + j->id % 24) :
		    j->end);
	builder_str(b, F_JOB_NODE_LIST, row, name);
	snprintf(name, sizeof(name), "c%04u=%u", (unsigned)(j->id * 7 % 500),
		 (unsigned)cpus_of(j));
	builder_str(b, F_JOB_NODE_CPUS, row, name);
}

static void fail(const char *what)
{
	fprintf(stderr, "bench_years: %s\n", what);
	exit(1);
}

static struct cluster *life_picture(const struct life *l)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = { .kind = "slurm", .name = "years", .version = "22.05.8",
				     .zone = "UTC", .time = l->now, .last_decay = l->now,
				     .boot = 1699990000, .last_reset = I64_UNKNOWN };
	struct err err = { .code = ERR_NONE };
	struct cluster *c;

	builder_meta(b, &meta);
	builder_tres_row(b, "cpu", strlen("cpu"));
	builder_tres_row(b, "mem", strlen("mem"));
	builder_tres_row(b, "node", strlen("node"));
	builder_tres_row(b, "billing", strlen("billing"));
	for (uint32_t i = 0; i < ASSOCS; i++)
		add_assoc(b, l, i);
	for (uint32_t i = 0; i < l->count; i++)
		add_job(b, l, &l->jobs[i]);
	c = builder_seal(b, &err);
	if (!c)
		fail(err.message);
	return c;
}

/* ---- what it costs ------------------------------------------------------------------------- */

static void thin(const char *path, const char *text, int64_t clock)
{
	struct err err = { .code = ERR_NONE };
	struct store_keep keep;
	struct store_writer *w;

	if (!store_keep_parse(text, &keep, &err))
		fail(err.message);
	w = store_writer_open(path, &err);
	if (!w || !store_thin(w, &keep, clock, &err) || !store_shrink(w, &err))
		fail(err.message);
	store_writer_close(w);
}

/* Rows of a table within the counted days; COUNTED/DAYS of ALL if rows do not name their sample. */
static double rows_of(sqlite3 *db, const char *table, double all)
{
	double rows = all * COUNTED / DAYS;
	sqlite3_stmt *st;
	char sql[200];

	snprintf(sql, sizeof(sql), "SELECT count(*) FROM \"%s\" WHERE version >> 24 >= %u AND"
		 " version >> 24 < %u", table, DAY_PASSES, (DAYS - 1) * DAY_PASSES);
	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
		return rows;
	if (sqlite3_step(st) == SQLITE_ROW)
		rows = sqlite3_column_double(st, 0);
	sqlite3_finalize(st);
	return rows;
}

/* Prints what each table takes; returns bytes per day. */
static double account(const char *path, const char *title)
{
	sqlite3 *db;
	sqlite3_stmt *st = NULL;
	double whole = 0;

	if (sqlite3_open(path, &db) != SQLITE_OK ||
	    sqlite3_prepare_v2(db, "SELECT name, sum(pgsize), sum(ncell) FROM dbstat WHERE"
			       " pagetype = 'leaf' GROUP BY name ORDER BY 2 DESC", -1, &st,
			       NULL) != SQLITE_OK)
		fail(sqlite3_errmsg(db));
	printf("%s\n", title);
	while (sqlite3_step(st) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(st, 0);
		double all = sqlite3_column_double(st, 2), size;
		double rows = rows_of(db, name, all) / COUNTED;

		if (all == 0)
			continue;
		size = sqlite3_column_double(st, 1) / all;
		whole += rows * size;
		if (rows * size > 4000)
			printf("    %-14s %9.3f MB %9.0f rows %6.1f B\n", name, rows * size / MB,
			       rows, size);
	}
	sqlite3_finalize(st);
	sqlite3_close(db);
	return whole;
}

/* Writes DAYS days from midnight on, thinned by KEEP (NULL: not); returns bytes per day. */
static double cost(const char *keep, const char *title, uint64_t *changed)
{
	struct life *l = mem_alloc(1, sizeof(*l));
	struct err err = { .code = ERR_NONE };
	char path[SCRATCH_PATH_MAX];
	struct store_writer *w = store_writer_open(scratch_path("years.rec", path), &err);
	double bytes;

	*changed = 0;
	life_init(l);
	for (unsigned i = 0; i < DAYS * DAY_PASSES; i++) {
		life_step(l);
		if (!w || !store_write(w, life_picture(l), l->now, &err))
			fail(err.message);
		if (i / DAY_PASSES >= 1 && i / DAY_PASSES <= COUNTED)
			*changed += store_written(w).changed;
	}
	store_writer_close(w);
	if (keep)
		thin(path, keep, l->now);
	bytes = account(path, title);
	mem_free(l);
	return bytes;
}

int main(void)
{
	uint64_t changed;
	double all, hourly, daily;

	if (scratch_open(NULL) != 0)
		return 1;
	all = cost(NULL, "every sample", &changed);
	hourly = cost("1h,400d:1h", "a sample an hour", &changed);
	daily = cost("1h,400d:1d", "a sample a day", &changed);
	printf("days of %.2f MB, %.2f MB with a sample an hour, %.2f MB with one a day\n",
	       all / MB, hourly / MB, daily / MB);
	bench_judge(all * COUNTED / (double)changed, "bytes", 60, "a changed row");
	bench_judge((7 * all + 83 * hourly + 1005 * daily) / MB, "MB", 1000,
		    "three years under 7d,90d:1h,3y:1d");
	return scratch_close(NULL);
}
