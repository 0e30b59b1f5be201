/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording is read by a sandboxed child: reading works, and everything else it tries fails (each
 * call: test_sandbox_probes.c). An importer may write its output. Sandboxed or not, a source gives
 * the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/demo/demo.h"
#include "adapters/registry/apart.h"
#include "adapters/store/store.h"
#include "config.h"
#include "core/base/column.h"
#include "tests/support/equal.h"
#include "tests/support/night.h"
#include "tests/support/scratch.h"

static char recording[SCRATCH_PATH_MAX], victim[SCRATCH_PATH_MAX], alive[SCRATCH_PATH_MAX];

static bool has_landlock(void)
{
	return syscall(444, NULL, (size_t)0, 1u) > 0;
}

static bool has_seccomp(void)
{
#ifdef HAVE_LIBSECCOMP
	return prctl(PR_GET_SECCOMP) >= 0;
#else
	return false;
#endif
}

static int set_up(void **state)
{
	FILE *f;

	if (scratch_open(state) != 0)
		return -1;
	night_record(scratch_path("night.recording", recording));
	f = fopen(scratch_path("victim", victim), "w");
	if (!f || fputs("as it was\n", f) < 0 || fclose(f) != 0)
		return -1;
	return 0;
}

/* ---- what a hijacked reader would try ------------------------------------------------------- */

static const char *new_name(void)
{
	static char path[SCRATCH_PATH_MAX];

	snprintf(path, sizeof(path), "%s/new", scratch_directory());
	return path;
}

static bool was_open(int fd)
{
	return fd >= 0 && close(fd) == 0;
}

static bool makes_a_file(void)
{
	return was_open(open(new_name(), O_WRONLY | O_CREAT, 0600));
}

static bool writes_a_file(void)
{
	return was_open(open(victim, O_WRONLY)) || was_open(open(victim, O_RDWR));
}

static bool empties_a_file(void)
{
	return truncate(victim, 0) == 0 || was_open(open(victim, O_RDONLY | O_TRUNC));
}

static bool writes_the_recording(void)
{
	return was_open(open(recording, O_RDWR));
}

static bool removes_a_file(void)
{
	return unlink(victim) == 0;
}

static bool renames_a_file(void)
{
	return rename(victim, new_name()) == 0 || link(victim, new_name()) == 0;
}

static bool makes_a_directory(void)
{
	return mkdir(new_name(), 0700) == 0 || symlink("/", new_name()) == 0;
}

static bool opens_a_socket(void)
{
	return was_open(socket(AF_INET, SOCK_STREAM, 0)) ||
	       was_open(socket(AF_INET, SOCK_DGRAM, 0)) ||
	       was_open(socket(AF_UNIX, SOCK_STREAM, 0)) ||
	       was_open(socket(AF_NETLINK, SOCK_RAW, 0));
}

static bool changes_rights(void)
{
	return chmod(victim, 0777) == 0;
}

static bool signals_its_parent(void)
{
	return kill(getppid(), 0) == 0;
}

/* Types into the user's terminal, whose shell would run it. */
static bool types_commands(void)
{
	const char c = '\n';
	int fd = open("/dev/null", O_RDONLY);
	bool typed = fd >= 0 && (ioctl(fd, TIOCSTI, &c) == 0 || errno != EPERM);

	close(fd);
	return typed;
}

static bool starts_a_program(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
		_exit(1);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 7;
}

static const struct attempt {
	const char *what;
	bool (*does)(void);
	bool by_seccomp;		/* Landlock alone does not prevent it */
} attempts[] = {
	{ "makes a file", makes_a_file, false },
	{ "writes a file", writes_a_file, false },
	{ "empties a file", empties_a_file, false },
	{ "writes the recording", writes_the_recording, false },
	{ "removes a file", removes_a_file, false },
	{ "renames a file", renames_a_file, false },
	{ "makes a directory", makes_a_directory, false },
	{ "starts a program", starts_a_program, false },
	{ "opens a socket", opens_a_socket, true },
	{ "changes the rights of a file", changes_rights, true },
	{ "signals its parent", signals_its_parent, true },
	{ "types commands", types_commands, true },
};
#define ATTEMPTS (sizeof(attempts) / sizeof(attempts[0]))
#define CANNOT_READ 100

/* Reads as a verb that only answers, then tries: returns the attempt that works, from 1; 0 none. */
static int read_and_try(void)
{
	const struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	struct err err = { .code = ERR_NONE };
	struct cluster *c = NULL;
	struct source *s;

	apart_shut_in(recording, NULL, NULL);
	s = source_open(recording, &err);
	if (!s || source_fetch(s, &request, &c, &err) != FETCH_NEW)
		return CANNOT_READ;
	for (size_t i = 0; i < ATTEMPTS; i++) {
		if ((!attempts[i].by_seccomp || has_seccomp()) && attempts[i].does())
			return (int)i + 1;
	}
	return 0;
}

static int in_a_child(int (*tries)(void))
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(tries());
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void a_reader_can_do_nothing_else(void **state)
{
	char text[32] = "";
	int can;
	FILE *f;

	(void)state;
	if (!has_landlock() && !has_seccomp())
		skip();
	can = in_a_child(read_and_try);
	if (can == CANNOT_READ)
		fail_msg("it cannot even read the recording");
	if (can > 0)
		fail_msg("it %s", attempts[can - 1].what);
	f = fopen(victim, "r");
	assert_non_null(f);
	assert_non_null(fgets(text, sizeof(text), f));
	fclose(f);
	assert_string_equal(text, "as it was\n");
}

/* The attempts mean something: without a sandbox the harmless ones succeed. */
static int try_harmless(void)
{
	setenv("FAIRTOP_SANDBOX", "off", 1);
	apart_shut_in(recording, NULL, NULL);
	return writes_a_file() && writes_the_recording() && opens_a_socket() &&
	       starts_a_program() && makes_a_file() && unlink(new_name()) == 0;
}

static void the_switch_turns_it_off(void **state)
{
	(void)state;
	assert_int_equal(in_a_child(try_harmless), 1);
}

/* ---- verbs that only answer ---------------------------------------------------------------- */

/* The child continues; the original process ends as it does, whatever signals it inherited. */
static int answer_in_a_child(void)
{
	pid_t before = getpid();

	(void)signal(SIGCHLD, SIG_IGN);
	apart_shut_in(recording, NULL, NULL);
	return getpid() != before && getppid() == before ? 42 : 1;
}

static int die_in_a_child(void)
{
	apart_shut_in(recording, NULL, NULL);
	(void)raise(SIGUSR1);
	return 1;
}

static void who_answers_is_a_child(void **state)
{
	int status = -1;
	pid_t pid;

	(void)state;
	assert_int_equal(in_a_child(answer_in_a_child), 42);
	pid = fork();
	if (pid == 0)
		_exit(die_in_a_child());
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGUSR1);
}

/*
 * A killed recorder's log without an index: an empty one is made first, with the rights of the
 * recording, also through a link, and the reader can write none of the files. A link in the index's
 * place stays.
 */
static int read_what_was_left(void)
{
	char path[3][SCRATCH_PATH_MAX], link[SCRATCH_PATH_MAX];
	struct stat st;

	scratch_path("killed", path[0]);
	scratch_path("killed-wal", path[1]);
	scratch_path("killed-shm", path[2]);
	for (size_t i = 0; i < 2; i++) {
		if (!was_open(open(path[i], O_WRONLY | O_CREAT, 0640)))
			return 1;
	}
	if (symlink("killed", scratch_path("to-killed", link)) != 0)
		return 1;
	apart_shut_in(link, NULL, NULL);
	if (stat(path[2], &st) != 0 || st.st_size != 0 || (st.st_mode & 07777) != 0640)
		return 2;
	for (size_t i = 0; i < 3; i++) {
		if (was_open(open(path[i], O_RDWR)))
			return 3;
	}
	return 0;
}

static int write_by_a_link(void)
{
	char path[SCRATCH_PATH_MAX], index[SCRATCH_PATH_MAX];

	if (!was_open(open(scratch_path("linked-wal", path), O_WRONLY | O_CREAT, 0600)) ||
	    symlink(victim, scratch_path("linked-shm", index)) != 0)
		return 1;
	path[strlen(path) - 4] = '\0';
	apart_shut_in(path, NULL, NULL);
	return writes_a_file() || was_open(open(index, O_RDWR)) ? 2 : 0;
}

static void nothing_of_a_log_is_written(void **state)
{
	(void)state;
	if (!has_landlock() && !has_seccomp())
		skip();
	assert_int_equal(in_a_child(read_what_was_left), 0);
	assert_int_equal(in_a_child(write_by_a_link), 0);
}

static size_t samples_of(struct source *s)
{
	struct err err = { .code = ERR_NONE };
	struct timeline past;
	size_t count;

	if (!source_past(s, &past, &err))
		fail_msg("%s", err.message);
	count = past.count;
	timeline_free(&past);
	return count;
}

/* Writes N more samples, the first FROM * 5 min after the night; KILLED: without closing. */
static void record_more(int from, int n, bool killed)
{
	struct demo_options options = DEMO_OPTIONS_DEFAULT;
	struct err err = { .code = ERR_NONE };
	struct demo *demo = demo_new(&options);
	struct cluster *c = demo_picture(demo, &err);
	struct store_writer *w = store_writer_open(alive, &err);
	bool good = c && w;

	if (c)
		demo_advance(demo, NIGHT_BEGIN + 86400 + from * 300 - cluster_meta(c)->time);
	cluster_free(c);
	for (int i = 0; good && i < n; i++) {
		c = demo_picture(demo, &err);
		good = c && store_write(w, c, cluster_meta(c)->time, &err);
		demo_advance(demo, 300);
	}
	if (killed)
		_exit(good ? 0 : 1);
	store_writer_close(w);
	demo_free(demo);
	if (!good)
		fail_msg("%s", err.message);
}

static int record_and_die(void)
{
	record_more(0, 1, true);
	return 1;
}

static int record_and_die_again(void)
{
	record_more(4, 1, true);
	return 1;
}

/*
 * A reader of a killed recorder's file has the index of the log in memory; when a recorder
 * continues there, the reader sees its samples, also after it has ended.
 */
static void a_log_comes_alive(void **state)
{
	struct err err = { .code = ERR_NONE };
	struct source *s;
	size_t before;

	(void)state;
	night_record(scratch_path("alive.recording", alive));
	assert_int_equal(in_a_child(record_and_die), 0);
	s = source_open_apart(alive, &err);
	assert_non_null(s);
	before = samples_of(s);
	record_more(1, 3, false);
	assert_int_equal(samples_of(s), before + 3);
	assert_int_equal(in_a_child(record_and_die_again), 0);
	assert_int_equal(samples_of(s), before + 4);
	source_close(s);
}

/* ---- the importer -------------------------------------------------------------------------- */

/* Gives the output the name that the waiting parent chose; the child can neither name nor open. */
static bool publish(void *context, unsigned which, const struct bytes *text, struct err *err)
{
	const char *const *names = context;

	return (which == 7 && text->length == 3 && memcmp(text->data, "abc", 3) == 0 &&
		link(names[0], names[1]) == 0) || err_set(err, ERR_INPUT, "it is not %u", which);
}

static int import_and_try(void)
{
	static const struct bytes text = { .data = (char *)"abc", .length = 3 };
	char part[SCRATCH_PATH_MAX], whole[SCRATCH_PATH_MAX];
	const char *const names[] = { scratch_path("part", part), scratch_path("whole", whole) };
	struct apart_output o = { publish, (void *)names, part,
				  open(part, O_RDWR | O_CREAT, 0600), -1 };
	struct err err = { .code = ERR_NONE };

	apart_shut_in(NULL, NULL, &o);
	if (!was_open(open(part, O_RDWR)))
		return 1;
	if (has_landlock() && (makes_a_file() || writes_a_file()))
		return 2;
	if (renames_a_file() || starts_a_program() || (has_seccomp() && opens_a_socket()))
		return 3;
	if (apart_keep(&o, 8, &text, &err) || strcmp(err.message, "it is not 8") != 0)
		return 4;
	return apart_keep(&o, 7, &text, &err) && access(whole, R_OK) == 0 ? 0 : 5;
}

static void an_importer_writes_its_output(void **state)
{
	char path[SCRATCH_PATH_MAX];

	(void)state;
	if (!has_landlock() && !has_seccomp())
		skip();
	snprintf(path, sizeof(path), "%s/part", scratch_directory());
	assert_int_equal(in_a_child(import_and_try), 0);
	assert_int_equal(access(path, F_OK), -1);
}

/* ---- apart --------------------------------------------------------------------------------- */

/* Returns FIELD of the only child from /proc; -1: unknown. */
static long child_says(const char *field, long *pid)
{
	char path[64], line[256];
	long value = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%ld/children", (long)getpid());
	f = fopen(path, "r");
	if (!f)
		return -1;
	if (fscanf(f, "%ld", pid) != 1)
		*pid = 0;
	fclose(f);
	snprintf(path, sizeof(path), "/proc/%ld/status", *pid);
	f = *pid > 0 ? fopen(path, "r") : NULL;
	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, field, strlen(field)) == 0 && line[strlen(field)] == ':')
			value = strtol(line + strlen(field) + 1, NULL, 10);
	}
	if (f)
		fclose(f);
	return value;
}

static void the_child_is_shut_in_and_not_started_again(void **state)
{
	const struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	struct err err = { .code = ERR_NONE };
	struct source *s = source_open_apart(recording, &err);
	struct cluster *c = NULL;
	long pid = 0;

	(void)state;
	if (!s)
		fail_msg("%s", err.message);
	if (child_says("NoNewPrivs", &pid) < 0) {
		source_close(s);
		skip();
	}
	assert_int_equal(child_says("NoNewPrivs", &pid), 1);
	if (has_seccomp())
		assert_int_equal(child_says("Seccomp", &pid), 2);
	assert_int_equal(source_fetch(s, &request, &c, &err), FETCH_NEW);
	cluster_free(c);
	assert_int_equal(kill((pid_t)pid, SIGKILL), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(source_fetch(s, &request, &c, &err), FETCH_FAILED);
		assert_int_equal(err.code, ERR_SOURCE);
	}
	source_close(s);
}

static struct cluster *look(struct source *s, int64_t at)
{
	struct err err = { .code = ERR_NONE };
	struct cluster *c = source_look(s, at, NEED_ALL, &err);

	if (!c)
		fail_msg("%s", err.message);
	return c;
}

static void apart_or_not_it_is_the_same(void **state)
{
	struct err err = { .code = ERR_NONE };
	struct source *a = source_open(recording, &err), *b = source_open_apart(recording, &err);
	struct timeline past, other;
	int64_t at = NIGHT_BEGIN + 3600;
	struct cluster *x, *y;

	(void)state;
	assert_non_null(a);
	assert_non_null(b);
	assert_string_equal(a->name, b->name);
	assert_string_equal(a->ops->scheme, b->ops->scheme);
	assert_int_equal(a->ops->live, b->ops->live);
	assert_true(source_past(a, &past, &err) && source_past(b, &other, &err));
	assert_true(past.count > 80);
	assert_int_equal(other.count, past.count);
	timeline_free(&past);
	timeline_free(&other);
	x = look(a, at);
	y = look(b, at);
	assert_true(equal_clusters(x, y));
	cluster_free(x);
	cluster_free(y);
	assert_true(source_follow(b, &err));
	assert_true(b->ops->live);
	source_close(a);
	source_close(b);
}

static void what_cannot_be_opened_is_told_the_same(void **state)
{
	char garbage[SCRATCH_PATH_MAX];
	const char *specs[] = { "/nonexistent/file", "nosuchthing", "slurm:/nonexistent",
				garbage, "/" };
	FILE *f = fopen(scratch_path("garbage", garbage), "w");

	(void)state;
	assert_non_null(f);
	assert_true(fputs("SQLite format 3", f) >= 0 && fputc(0, f) == 0);
	assert_int_equal(fclose(f), 0);
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct err a = { .code = ERR_NONE }, b = { .code = ERR_NONE };

		assert_null(source_open(specs[i], &a));
		assert_null(source_open_apart(specs[i], &b));
		assert_string_equal(a.message, b.message);
		assert_int_equal(a.code, b.code);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reader_can_do_nothing_else),
		cmocka_unit_test(the_switch_turns_it_off),
		cmocka_unit_test(who_answers_is_a_child),
		cmocka_unit_test(nothing_of_a_log_is_written),
		cmocka_unit_test(a_log_comes_alive),
		cmocka_unit_test(an_importer_writes_its_output),
		cmocka_unit_test(the_child_is_shut_in_and_not_started_again),
		cmocka_unit_test(apart_or_not_it_is_the_same),
		cmocka_unit_test(what_cannot_be_opened_is_told_the_same),
	};

	return cmocka_run_group_tests(tests, set_up, scratch_close);
}
