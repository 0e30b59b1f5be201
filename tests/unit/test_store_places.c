/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings with obstacles: directories that cannot be written, a file size limit, network file
 * systems, and readers that read all the time while another process writes, with a stopped clock,
 * so that each waits for a lock as long as needed.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/demo/demo.h"
#include "adapters/store/store.h"
#include "tests/support/clock.h"
#include "tests/support/equal.h"
#include "tests/support/recording.h"
#include "tests/support/scratch.h"

#define NOBODY 65534
#define SAMPLES 120
#define READERS 4

static int setup(void **state)
{
	clock_stop(1000);
	return scratch_open(state) == 0 && chmod(scratch_directory(), 0755) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
	char command[300];

	snprintf(command, sizeof(command), "chmod -R u+w '%s'", scratch_directory());
	return system(command) == 0 ? scratch_close(state) : -1;
}

static const char *path_of(const char *name)
{
	static char path[SCRATCH_PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", scratch_directory(), name);
	return path;
}

/* Returns sample I, the same in every process. */
static struct cluster *picture(int64_t i)
{
	static struct demo *demo;
	static int64_t at;
	struct demo_options o = { .seed = 5, .accounts = 10, .users = 20, .jobs = 40, .speed = 1 };

	if (!demo || at >= i) {
		demo_free(demo);
		demo = demo_new(&o);
		at = 0;
	}
	for (; at < i; at++)
		demo_advance(demo, 300);
	return demo_picture(demo, NULL);
}

static void write_samples(struct store_writer *w, int64_t from, int64_t to)
{
	struct err err = { .code = ERR_NONE };

	for (int64_t i = from; i <= to; i++) {
		if (!store_write(w, picture(i), i, &err))
			fail_msg("sample %lld: %s", (long long)i, err.message);
	}
}

/* Returns whether sample I of the recording is as written; prints an error if not. */
static bool has_sample(struct store_reader *r, int64_t i)
{
	struct err err = { .code = ERR_NONE };
	struct cluster *c = store_read(r, i, NEED_ALL, &err), *expected = picture(i);
	bool same = c && equal_clusters(expected, c);

	if (!c)
		fprintf(stderr, "sample %lld: %s\n", (long long)i, err.message);
	cluster_free(c);
	cluster_free(expected);
	return same;
}

/* Returns the result of WHAT, run in a process of its own. */
static bool elsewhere(bool (*what)(const char *path), const char *path)
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0)
		_exit(what(path) ? 0 : 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- rights -------------------------------------------------------------------------------- */

/* Root could write anywhere. */
static bool become_nobody(void)
{
	return geteuid() != 0 || (setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
}

static bool reads_but_cannot_write(const char *path)
{
	struct err err = { .code = ERR_NONE };
	struct store_reader *r;
	bool ok;

	if (!become_nobody())
		return false;
	r = store_reader_open(path, &err);
	if (!r)
		fprintf(stderr, "reading: %s\n", err.message);
	ok = r && has_sample(r, 1) && has_sample(r, 20);
	store_reader_close(r);
	if (store_writer_open(path, &err)) {
		fprintf(stderr, "it can be written\n");
		return false;
	}
	if (!strstr(err.message, "Permission denied")) {
		fprintf(stderr, "writing: %s\n", err.message);
		return false;
	}
	return ok;
}

static bool cannot_be_made(const char *path)
{
	struct err err = { .code = ERR_NONE };

	return become_nobody() && !store_writer_open(path, &err) && err.code == ERR_INPUT &&
	       strstr(err.message, "Permission denied");
}

static void test_read_only_directory(void **state)
{
	char path[200];
	struct store_writer *w;

	(void)state;
	snprintf(path, sizeof(path), "%s", path_of("fixed"));
	assert_int_equal(mkdir(path, 0755), 0);
	snprintf(path, sizeof(path), "%s", path_of("fixed/x.rec"));
	w = recording_writer(path);
	write_samples(w, 1, 20);
	/* While it is written, with its log beside it, and when closed, in one file. */
	assert_int_equal(chmod(path_of("fixed"), 0555), 0);
	assert_true(elsewhere(reads_but_cannot_write, path));
	assert_int_equal(chmod(path_of("fixed"), 0755), 0);
	store_writer_close(w);
	assert_int_equal(chmod(path_of("fixed"), 0555), 0);
	assert_true(elsewhere(reads_but_cannot_write, path));
	assert_true(elsewhere(cannot_be_made, path_of("fixed/new.rec")));
}

/* ---- files beside it ----------------------------------------------------------------------- */

static bool writes_a_third(const char *path)
{
	write_samples(recording_writer(path), 3, 3);
	return true;
}

/* Reads the third sample, which is only in the log, or fails to open. */
static bool passes_over_no_log(const char *path)
{
	struct err err = { .code = ERR_NONE };
	struct store_reader *r;
	bool ok;

	if (!become_nobody())
		return false;
	r = store_reader_open(path, &err);
	ok = r ? has_sample(r, 3) : strstr(err.message, "cannot be opened") != NULL;
	store_reader_close(r);
	return ok;
}

/* SQLite looks for the log beside the file, not beside a link to it. */
static void test_link(void **state)
{
	char path[200], link[200], index[210];
	struct store_writer *w;

	(void)state;
	assert_int_equal(mkdir(path_of("linked"), 0755), 0);
	snprintf(path, sizeof(path), "%s", path_of("linked/x.rec"));
	snprintf(link, sizeof(link), "%s", path_of("x.rec"));
	snprintf(index, sizeof(index), "%s-shm", path);
	w = recording_writer(path);
	write_samples(w, 1, 2);
	store_writer_close(w);
	assert_true(elsewhere(writes_a_third, path));
	assert_int_equal(unlink(index), 0);
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(chmod(path_of("linked"), 0555), 0);
	assert_true(elsewhere(passes_over_no_log, path));
	assert_true(elsewhere(passes_over_no_log, link));
}

static bool refuses_a_pipe(const char *path)
{
	struct err err = { .code = ERR_NONE };

	alarm(60);
	return !store_reader_open(path, &err) && strstr(err.message, "is not a regular file");
}

static void test_pipes(void **state)
{
	static const char *const endings[] = { "-wal", "-shm", "-journal" };
	char path[200], name[210];
	struct store_writer *w;

	(void)state;
	snprintf(path, sizeof(path), "%s", path_of("pipe.rec"));
	w = recording_writer(path);
	write_samples(w, 1, 1);
	store_writer_close(w);
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		snprintf(name, sizeof(name), "%s%s", path, endings[i]);
		assert_int_equal(mkfifo(name, 0644), 0);
		assert_true(elsewhere(refuses_a_pipe, path));
		assert_int_equal(unlink(name), 0);
	}
}

/* ---- space --------------------------------------------------------------------------------- */

/* Writes until the file has reached its maximum size, and exits as if killed. */
static bool runs_into_the_limit(const char *path)
{
	struct rlimit limit = { 600 << 10, 600 << 10 };
	struct err err = { .code = ERR_NONE };
	struct store_writer *w;
	int64_t i = 1;

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
		return false;
	w = store_writer_open(path, &err);
	while (w && i < SAMPLES && store_write(w, picture(i), i, &err))
		i++;
	fprintf(stderr, "after %lld samples: %s\n", (long long)i - 1, err.message);
	return i > 3 && i < SAMPLES && err.code == ERR_INPUT && strstr(err.message, "is safe");
}

/* The message is the system's: the rights are fine. */
static bool has_no_descriptors(const char *path)
{
	struct rlimit limit = { 3, 3 };
	struct err err = { .code = ERR_NONE };

	while (limit.rlim_cur < 20 && !err.code) {
		struct store_writer *w;

		if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){ limit.rlim_cur++, 64 }) != 0)
			return false;
		w = store_writer_open(path, &err);
		store_writer_close(w);
		if (w)
			return true;
		if (!strstr(err.message, "Too many open files")) {
			fprintf(stderr, "%d: %s\n", (int)limit.rlim_cur, err.message);
			return false;
		}
		err.code = ERR_NONE;
	}
	return false;
}

static void test_no_descriptors(void **state)
{
	(void)state;
	assert_true(elsewhere(has_no_descriptors, path_of("many.rec")));
}

static void test_limit(void **state)
{
	struct store_sample first, last;
	struct err err = { .code = ERR_NONE };
	struct store_reader *r;
	struct store_writer *w;
	char path[200];

	(void)state;
	snprintf(path, sizeof(path), "%s", path_of("limit.rec"));
	assert_true(elsewhere(runs_into_the_limit, path));
	r = store_reader_open(path, &err);
	assert_non_null(r);
	assert_true(store_range(r, &first, &last, &err));
	assert_true(last.id > 3);
	for (int64_t i = 1; i <= last.id; i++)
		assert_true(has_sample(r, i));
	/* Without the limit it goes on. */
	w = recording_writer(path);
	write_samples(w, last.id + 1, last.id + 5);
	assert_true(has_sample(r, last.id + 5));
	store_writer_close(w);
	store_reader_close(r);
}

/* ---- file systems -------------------------------------------------------------------------- */

/* The type that statfs(2) reports here; 0: ext4. */
static unsigned long pretended;

int statfs(const char *file, struct statfs *buf)
{
	(void)file;
	memset(buf, 0, sizeof(*buf));
	buf->f_type = (__typeof__(buf->f_type))(pretended ? pretended : 0xef53);
	return 0;
}

/* Returns the format in an SQLite file's header: 1 a rollback journal, 2 a write-ahead log. */
static int journal_of(const char *path)
{
	unsigned char head[20] = { 0 };
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	assert_int_equal(fread(head, 1, sizeof(head), f), sizeof(head));
	fclose(f);
	return head[18] == head[19] ? head[18] : -1;
}

static void test_journal(void **state)
{
	char path[200], log[210];
	struct store_writer *w;

	(void)state;
	snprintf(path, sizeof(path), "%s", path_of("local.rec"));
	snprintf(log, sizeof(log), "%s-wal", path);
	w = recording_writer(path);
	write_samples(w, 1, 2);
	assert_int_equal(access(log, F_OK), 0);
	/* A closed recording is one plain file. */
	store_writer_close(w);
	assert_int_equal(journal_of(path), 1);
	assert_int_not_equal(access(log, F_OK), 0);

	/* On NFS, for a new recording and for one that was local. */
	pretended = 0x6969;
	for (int turn = 0; turn < 2; turn++) {
		w = recording_writer(path);
		write_samples(w, 3 + turn, 3 + turn);
		assert_int_equal(journal_of(path), 1);
		assert_int_not_equal(access(log, F_OK), 0);
		store_writer_close(w);
		snprintf(path, sizeof(path), "%s", path_of("network.rec"));
		snprintf(log, sizeof(log), "%s-wal", path);
		if (turn == 0)
			store_writer_close(recording_writer(path));
	}
	pretended = 0;
}

/* ---- readers ------------------------------------------------------------------------------- */

/*
 * Reads and walks to the last sample until the final one exists; waits for a byte from TOLD for
 * each new sample.
 */
static bool reads_all_the_time(const char *path, int reported)
{
	struct err err = { .code = ERR_NONE };
	struct store_reader *r = store_reader_open(path, &err);
	struct store_walk *walk = r ? store_walk_new(r, NEED_ALL) : NULL;
	struct store_sample first, last = { .id = 0 };
	int64_t looked = 0;
	char byte;

	while (walk && last.id < SAMPLES) {
		const struct cluster *c;
		struct cluster *expected;
		bool same;

		if (!store_range(r, &first, &last, &err) || last.id < looked) {
			fprintf(stderr, "behind sample %lld: %s\n", (long long)looked,
				err.message);
			return false;
		}
		if (last.id == looked) {
			if (read(reported, &byte, 1) != 1)
				return false;
			continue;
		}
		c = store_walk_to(walk, last.id, &err);
		looked = last.id;
		expected = picture(looked);
		same = c && equal_clusters(expected, c) && has_sample(r, (looked + 1) / 2);
		cluster_free(expected);
		if (!same) {
			fprintf(stderr, "sample %lld: %s\n", (long long)looked, err.message);
			return false;
		}
	}
	if (!walk)
		fprintf(stderr, "%s\n", err.message);
	store_walk_free(walk);
	store_reader_close(r);
	return walk != NULL;
}

static void test_readers(void **state)
{
	struct store_writer *w;
	pid_t readers[READERS];
	int tell[READERS][2];
	char path[200];

	(void)state;
	/* The rollback journal is harder: it locks readers out while it writes. */
	for (int turn = 0; turn < 2; turn++) {
		pretended = turn ? 0x6969 : 0;
		snprintf(path, sizeof(path), "%s", path_of(turn ? "nfs.rec" : "wal.rec"));
		w = recording_writer(path);
		write_samples(w, 1, 1);
		for (int i = 0; i < READERS; i++) {
			assert_int_equal(pipe(tell[i]), 0);
			readers[i] = fork();
			assert_true(readers[i] >= 0);
			for (int k = 0; readers[i] == 0 && k <= i; k++)
				close(tell[k][1]);
			if (readers[i] == 0)
				_exit(reads_all_the_time(path, tell[i][0]) ? 0 : 1);
		}
		for (int64_t id = 2; id <= SAMPLES; id++) {
			write_samples(w, id, id);
			for (int i = 0; i < READERS; i++)
				assert_int_equal(write(tell[i][1], "", 1), 1);
		}
		for (int i = 0; i < READERS; i++) {
			int status;

			assert_int_equal(waitpid(readers[i], &status, 0), readers[i]);
			assert_true(WIFEXITED(status));
			assert_int_equal(WEXITSTATUS(status), 0);
			close(tell[i][0]);
			close(tell[i][1]);
		}
		store_writer_close(w);
	}
	pretended = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_only_directory),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_pipes),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_no_descriptors),
		cmocka_unit_test(test_journal),
		cmocka_unit_test(test_readers),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
