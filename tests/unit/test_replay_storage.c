/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Long logs: a replay gives the same whether its jobs are in memory, in files, or move from files
 * back to memory when space runs out; and the same as plain counting.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/import/import.h"
#include "adapters/sandbox.h"
#include "core/base/mem.h"
#include "tests/support/dice.h"
#include "tests/support/scratch.h"

#define JOBS 300000u		/* 31 MB, in two sorted parts */
#define BEGIN 1700000000
#define SPAN 1000000
#define ASSOCS 7
#define PICTURES 32

/* ---- a long log, in no order --------------------------------------------------------------- */

static struct replay_job job_of(uint64_t *seed, uint32_t i)
{
	struct replay_job job = REPLAY_JOB_INIT;

	job.id = i;
	job.assoc = dice_below(seed, ASSOCS);
	job.billing = 1 + dice_below(seed, 16);
	job.submit = BEGIN + dice_below(seed, SPAN);
	if (dice_below(seed, 20))
		job.start = job.submit + dice_below(seed, 1000);
	if (dice_below(seed, 20))
		job.end = (job.start == I64_UNKNOWN ? job.submit : job.start) +
			  dice_below(seed, 2000);
	return job;
}

/* Results of a replay at one picture. */
struct said {
	int64_t time;
	uint32_t pending, running, others;
	double usage;
};

struct log {
	struct said said[PICTURES];
	size_t pictures;
	double used[ASSOCS];
};

static bool take(void *context, struct cluster *c, struct err *err)
{
	struct log *log = context;
	struct said *s = &log->said[log->pictures++];

	(void)err;
	assert_true(log->pictures <= PICTURES);
	*s = (struct said){ .time = cluster_meta(c)->time,
			    .usage = cluster_f64(c, F_ASSOC_USAGE, 0) };
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
		const char *state = cluster_text(c, F_JOB_STATE, i);

		s->pending += state && strcmp(state, "PENDING") == 0;
		s->running += state && strcmp(state, "RUNNING") == 0;
		s->others += !state || strcmp(state, "DONE") == 0;
	}
	cluster_free(c);
	return true;
}

static void replay(struct log *log, const struct replay_storage *spill, int64_t half_life)
{
	struct replay_options o = REPLAY_OPTIONS_INIT;
	struct replay *r = replay_new();
	struct err err = { .code = ERR_NONE };
	uint32_t assocs[ASSOCS], done;
	uint64_t seed = 11;

	memset(log, 0, sizeof(*log));
	if (spill)
		replay_use_storage(r, spill);
	for (uint32_t i = 0; i < ASSOCS; i++) {
		char name[8];
		int length = snprintf(name, sizeof(name), "u%u", (unsigned)i);

		assocs[i] = replay_assoc(r, 0, replay_text(r, name, (size_t)length), 0);
	}
	done = replay_text(r, "DONE", 4);
	for (uint32_t i = 0; i < JOBS; i++) {
		struct replay_job job = job_of(&seed, i);

		job.assoc = assocs[job.assoc];
		job.state = done;
		assert_int_equal(replay_add(r, &job), i);
	}
	o.half_life = half_life;
	o.period = 1000;
	o.every = SPAN / 20;
	if (!replay_run(r, &o, take, log, &err))
		fail_msg("%s", err.message);
	for (uint32_t i = 0; i < ASSOCS; i++)
		log->used[i] = replay_used(r, assocs[i]);
	replay_free(r);
}

/* ---- counting ------------------------------------------------------------------------------ */

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Without decay all values are integers: equal to the last digit. */
static void count(const struct log *log)
{
	struct said counted[PICTURES] = { { 0 } };
	double used[ASSOCS] = { 0 };
	int64_t end = log->said[log->pictures - 1].time;
	uint64_t seed = 11;

	for (uint32_t i = 0; i < JOBS; i++) {
		struct replay_job job = job_of(&seed, i);
		int64_t over = job.end == I64_UNKNOWN ? INT64_MAX : job.end;
		int64_t begun = job.start == I64_UNKNOWN ? INT64_MAX : job.start;

		for (size_t k = 0; k < log->pictures; k++) {
			int64_t t = log->said[k].time;

			counted[k].pending += job.submit <= t && begun > t && over > t;
			counted[k].running += begun <= t && over > t;
			if (begun <= t)
				counted[k].usage += (double)(least(over, t) - begun) * job.billing;
		}
		if (begun <= end)
			used[job.assoc] += (double)(least(over, end) - begun) * job.billing;
	}
	for (size_t k = 0; k < log->pictures; k++) {
		assert_int_equal(log->said[k].pending, counted[k].pending);
		assert_int_equal(log->said[k].running, counted[k].running);
		assert_true(log->said[k].usage == counted[k].usage);
	}
	for (uint32_t i = 0; i < ASSOCS; i++)
		assert_true(log->used[i] == used[i]);
}

static void assert_same(const struct log *a, const struct log *b)
{
	assert_int_equal(a->pictures, b->pictures);
	assert_memory_equal(a->said, b->said, sizeof(a->said));
	assert_memory_equal(a->used, b->used, sizeof(a->used));
}

static unsigned files(void)
{
	DIR *d = opendir(scratch_directory());
	unsigned n = 0;

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		n += e->d_name[0] != '.';
	closedir(d);
	return n;
}

static void test_counted(void **state)
{
	static struct log whole;

	(void)state;
	replay(&whole, NULL, 0);
	assert_true(whole.pictures > 15);
	count(&whole);
}

/* ---- rooms --------------------------------------------------------------------------------- */

static struct log held, lain;	/* in memory, for all tests; elsewhere */

static int hold(void **state)
{
	replay(&held, NULL, 86400);
	return scratch_open(state);
}

/* A room that counts its blocks and is full after MOST. */
struct watched {
	struct replay_storage spill;
	unsigned blocks, most, rests;
};

static void *watched_resize(void *context, void *block, size_t bytes)
{
	struct watched *w = context;

	if (bytes > 0 && ++w->blocks > w->most)
		return NULL;
	return w->spill.resize(w->spill.context, block, bytes);
}

static void watched_rest(void *context)
{
	struct watched *w = context;

	w->rests++;
	w->spill.rest(w->spill.context);
}

static void with_room(struct watched *w, unsigned most, int64_t half_life)
{
	struct replay_storage spill = { .context = w,
					.resize = watched_resize,
					.rest = watched_rest };
	char beside[SCRATCH_PATH_MAX];
	struct spill *files_of;

	files_of = spill_new(scratch_path("log", beside));
	*w = (struct watched){ .spill = spill_storage(files_of), .most = most };
	replay(&lain, &spill, half_life);
	assert_int_equal(files(), 0);
	spill_close(files_of);
}

static void test_in_files(void **state)
{
	struct watched w;

	(void)state;
	with_room(&w, UINT32_MAX, 86400);
	assert_true(w.blocks > 4 && w.rests > 10);
	assert_same(&held, &lain);
}

static void test_full(void **state)
{
	struct watched w;

	(void)state;
	for (unsigned most = 1; most < 6; most += 4) {
		with_room(&w, most, 86400);
		assert_true(w.blocks > most);
		assert_same(&held, &lain);
	}
}

static void test_nowhere(void **state)
{
	struct spill *nowhere = spill_new("/nonexistent/directory/log");
	struct replay_storage spill = spill_storage(nowhere);

	(void)state;
	assert_null(spill.resize(spill.context, NULL, 4096));
	replay(&lain, &spill, 86400);
	assert_same(&held, &lain);
	spill_close(nowhere);
}

/* A reader of logs is sandboxed and cannot create more files. */
static int block_of_a_prisoner(void)
{
	char beside[SCRATCH_PATH_MAX];
	struct replay_storage spill = spill_storage(spill_new(scratch_path("log", beside)));
	unsigned char *a;

	sandbox_enter(SANDBOX_READS, -1);
	for (int turn = 0; turn < 20; turn++) {
		a = spill.resize(spill.context, NULL, 100000);
		if (!a || a[99999] != 0)
			return 1;
		memset(a, 1, 100000);
		a = spill.resize(spill.context, a, 200000);
		if (!a || a[99999] != 1 || a[199999] != 0)
			return 2;
		spill.resize(spill.context, a, 0);
	}
	return 0;
}

static void test_shut_in(void **state)
{
	int status = -1;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(block_of_a_prisoner());
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(files(), 0);
}

static void test_blocks(void **state)
{
	char beside[SCRATCH_PATH_MAX];
	struct spill *files_of;
	struct replay_storage spill;
	unsigned char *a, *b;

	(void)state;
	files_of = spill_new(scratch_path("log", beside));
	spill = spill_storage(files_of);
	a = spill.resize(spill.context, NULL, 10000);
	b = spill.resize(spill.context, NULL, 5000);
	assert_true(a && b && a != b);
	memset(a, 1, 10000);
	memset(b, 2, 5000);
	spill.rest(spill.context);
	a = spill.resize(spill.context, a, 3000000);
	assert_non_null(a);
	memset(a + 10000, 3, 3000000 - 10000);
	spill.rest(spill.context);
	assert_true(a[0] == 1 && a[9999] == 1 && a[10000] == 3 && a[2999999] == 3);
	assert_true(b[0] == 2 && b[4999] == 2);
	assert_null(spill.resize(spill.context, b, 0));
	assert_null(spill.resize(spill.context, beside, 100));
	spill_close(files_of);
	assert_int_equal(files(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counted),
		cmocka_unit_test(test_in_files),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_nowhere),
		cmocka_unit_test(test_shut_in),
		cmocka_unit_test(test_blocks),
	};

	return cmocka_run_group_tests(tests, hold, scratch_close);
}
