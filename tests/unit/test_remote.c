/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A child that speaks frames, and every way in which it may fail: each hazard is reported in one
 * line, ends within its deadline, leaves no process and no descriptor behind, and is over as soon
 * as the child is well again. The child is tests/mock/mock_helper.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/child.h"
#include "adapters/commands_run.h"
#include "adapters/remote.h"
#include "core/base/mem.h"
#include "tests/support/await.h"
#include "tests/support/clock.h"
#include "tests/support/scratch.h"

#define PATIENCE_MS 60000

static char mock[4096];

/* Of the current test. */
static struct remote *r;
static struct cluster *fetched;		/* the last one */
static struct err err;

static int tear_down(void **state)
{
	(void)state;
	remote_free(r);
	r = NULL;
	cluster_free(fetched);
	fetched = NULL;
	return 0;
}

static void start(const char *const *argv)
{
	remote_free(r);
	r = remote_new(argv);
}

static void start_mock(const char *how, const char *once, const char *argument)
{
	const char *argv[] = { mock, how, once ? once : "-", argument, NULL };

	start(argv);
}

static enum fetch_result fetch_as(const struct fetch_request *request)
{
	cluster_free(fetched);
	fetched = NULL;
	memset(&err, 0, sizeof(err));
	return remote_fetch(r, request, &fetched, &err);
}

static enum fetch_result fetch(int64_t deadline_ms)
{
	const struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = deadline_ms };

	return fetch_as(&request);
}

static unsigned open_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void assert_says(const char *text)
{
	if (!strstr(err.message, text))
		fail_msg("\"%s\" does not say \"%s\"", err.message, text);
}

static void assert_well(void)
{
	if (fetch(PATIENCE_MS) != FETCH_NEW)
		fail_msg("not well: %s", err.message);
	assert_string_equal(cluster_meta(fetched)->name, "mock");
	assert_int_equal(cluster_rows(fetched, TABLE_ASSOC), 6);
}

static void answers_and_stays(void **state)
{
	int64_t time = 0;

	(void)state;
	start_mock("well", NULL, NULL);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(fetch(PATIENCE_MS), FETCH_NEW);
		if (i > 0)	/* the mock counts its answers: still the same process */
			assert_int_equal(cluster_meta(fetched)->time, time + 1);
		time = cluster_meta(fetched)->time;
	}
}

/* After the last request the child answers and may exit; another request starts a new child. */
static void leaves_after_the_last(void **state)
{
	struct fetch_request last = { .needs = NEED_ALL, .deadline_ms = PATIENCE_MS, .last = true };
	int64_t time = 0;

	(void)state;
	start_mock("well", NULL, NULL);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(fetch_as(&last), FETCH_NEW);
		if (i > 0)
			assert_int_equal(cluster_meta(fetched)->time, time);
		time = cluster_meta(fetched)->time;
	}
}

/* The child may take shortcuts only for a single request. */
static void tells_who_asks_once(void **state)
{
	struct fetch_request request = { .needs = NEED_SHARES, .deadline_ms = PATIENCE_MS };
	char expected[40];

	(void)state;
	start_mock("needs", NULL, NULL);
	for (int i = 0; i < 3; i++) {
		request.last = i == 2;
		assert_int_equal(fetch_as(&request), FETCH_NEW);
		snprintf(expected, sizeof(expected), "needs 0x%x",
			 (unsigned)(NEED_SHARES | (request.last ? NEED_ONCE : 0)));
		assert_string_equal(remote_health(r), expected);
	}
}

static void says_same(void **state)
{
	(void)state;
	start_mock("same", NULL, NULL);
	assert_well();
	assert_int_equal(fetch(PATIENCE_MS), FETCH_SAME);
	assert_null(fetched);
}

static void passes_health_on(void **state)
{
	(void)state;
	start_mock("noisy", NULL, NULL);
	assert_well();
	assert_well();
	assert_string_equal(remote_health(r), "");
	start_mock("health", NULL, NULL);
	assert_well();
	assert_string_equal(remote_health(r), "helper, a little tired");
}

/* Ten megabytes on standard error before the answer do not block it. */
static void flood_does_not_block(void **state)
{
	(void)state;
	start_mock("flood", NULL, NULL);
	assert_well();
}

/* An error that the child reports keeps it running, without a back-off. */
static void errors_of_the_child(void **state)
{
	(void)state;
	start_mock("error", NULL, NULL);
	assert_int_equal(fetch(PATIENCE_MS), FETCH_FAILED);
	assert_string_equal(err.message, "slurmctld does not answer");
	assert_int_equal(err.code, ERR_SOURCE);
	assert_false(remote_refused(r));
	assert_well();
	start_mock("refuse", NULL, NULL);
	assert_int_equal(fetch(PATIENCE_MS), FETCH_FAILED);
	assert_true(remote_refused(r));
}

static void not_there(void **state)
{
	static const char *const argv[] = { "/nonexistent/fairtop-slurm", NULL };

	(void)state;
	start(argv);
	assert_int_equal(fetch(PATIENCE_MS), FETCH_FAILED);
	assert_int_equal(err.code, ERR_SOURCE);
	assert_says("No such file");
	assert_true(remote_refused(r));
	start_mock("missing-library", NULL, NULL);
	clock_stop(clock_ms());		/* however long it takes to end */
	assert_int_equal(fetch(PATIENCE_MS), FETCH_FAILED);
	clock_go();
	assert_says("libslurm.so.99");
	assert_true(remote_refused(r));
}

/* Values that ps(1) must not show go into the environment, beside the usual variables. */
static void told_by_the_environment(void **state)
{
	static const char *const argv[] = { "/bin/sh", "-c", "echo \"$HOME and $TOLD\" >&2", NULL };

	(void)state;
	start(argv);
	setenv("HOME", "/home/somebody", 1);
	remote_environment(r, "TOLD", "a = b");
	assert_int_equal(fetch(PATIENCE_MS), FETCH_FAILED);
	assert_says("/home/somebody and a = b");
	assert_null(getenv("TOLD"));
}

/* A child that exits between requests is replaced silently. */
static void died_between_requests(void **state)
{
	char spoke[SCRATCH_PATH_MAX];
	siginfo_t gone;

	(void)state;
	start_mock("dies-idle", NULL, NULL);
	for (int i = 0; i < 3; i++) {
		assert_well();
		/* It has exited, but was not reaped. */
		assert_int_equal(waitid(P_ALL, 0, &gone, WEXITED | WNOWAIT), 0);
	}
	/* This one writes without a request. */
	start_mock("chatty", NULL, scratch_path("spoke", spoke));
	for (int i = 0; i < 3; i++) {
		assert_well();
		await_file("spoke");
		unlink(spoke);
	}
}

static const struct {
	const char *how, *says;
	int64_t deadline_ms;	/* 0: not needed, as the clock is stopped */
} hazards[] = {
	{ "hang", "no answer within 0.2 s", 200 },
	{ "mute", "no answer within 0.2 s", 200 },
	{ "deaf", "no answer within 0.2 s", 200 },
	{ "stubborn", "no answer within 0.2 s", 200 },
	{ "half", "middle of a frame (exit code 0)", 0 },
	{ "half-hang", "no answer within 0.2 s", 200 },
	{ "garbage", "expected a frame", 0 },
	{ "banner", "said \"Welcome to l", 0 },
	{ "version", "frame version \"1\" (expected 2)", 0 },
	{ "huge", "frame of 1073741825 bytes", 0 },
	{ "big-promise", "no answer within 0.2 s", 200 },
	{ "impolite", "sent no greeting", 0 },
	{ "bad-codec", "its cluster cannot be read", 0 },
	{ "closes", "without an answer (closed its output)", PATIENCE_MS },
	{ "fatal", "exit code 1): mock: error: noise; mock: fatal: Unable to process", 0 },
	{ "exits-at-once", "exit code 1): mock: fatal: cannot even start", 0 },
	{ "killed", "signal 9", 0 },
	{ "flood-forever", "no answer within 0.2 s", 200 },
	{ "drip", "no answer within 0.2 s", 200 },
};
#define HAZARDS (sizeof(hazards) / sizeof(hazards[0]))

static void same_words(void)
{
	const struct err before = err;

	assert_int_equal(fetch(PATIENCE_MS), FETCH_FAILED);
	assert_string_equal(err.message, before.message);
}

/*
 * Each hazard, then its back-off (a second request fails at once with the same message), then,
 * after the back-off, a healthy child.
 */
static void every_hazard(void **state)
{
	char once[SCRATCH_PATH_MAX];

	(void)state;
	for (size_t i = 0; i < HAZARDS; i++) {
		int64_t deadline_ms = hazards[i].deadline_ms, begin_ms = clock_ms();

		start_mock(hazards[i].how, scratch_path("once", once), NULL);
		if (deadline_ms == 0)
			clock_stop(begin_ms);
		assert_int_equal(fetch(deadline_ms ? deadline_ms : PATIENCE_MS), FETCH_FAILED);
		assert_null(fetched);
		assert_int_equal(err.code, ERR_SOURCE);
		assert_says(hazards[i].says);
		assert_says("mock_helper: ");
		assert_false(remote_refused(r));
		/* Back to the start time: time has passed, but certainly less than a second. */
		clock_stop(begin_ms);
		same_words();
		clock_advance(999);
		same_words();
		/* A child too slow to start within the deadline has not created the file. */
		close(open(once, O_CREAT | O_WRONLY, 0600));
		clock_advance(deadline_ms ? PATIENCE_MS : 1);
		assert_well();
		clock_go();
	}
}

/* Cancels as soon as the child has received the request. */
static void *cancel_soon(void *remote)
{
	await_file("heard");
	remote_cancel(remote);
	return NULL;
}

/* Cancelling ends a fetch at once, and the next one has no back-off. */
static void cancelled(void **state)
{
	char once[SCRATCH_PATH_MAX], heard[SCRATCH_PATH_MAX];
	pthread_t thread;

	(void)state;
	start_mock("hang", scratch_path("once", once), scratch_path("heard", heard));
	clock_stop(clock_ms());
	pthread_create(&thread, NULL, cancel_soon, r);
	assert_int_equal(fetch(PATIENCE_MS), FETCH_FAILED);
	assert_says("cancelled");
	pthread_join(thread, NULL);
	assert_well();
	clock_go();
}

/* ---- commands ------------------------------------------------------------------------------ */

static void run_shell(struct remote_command *c, const char **argv, const char *script)
{
	argv[0] = "/bin/sh";
	argv[1] = "-c";
	argv[2] = script;
	argv[3] = NULL;
	memset(c, 0, sizeof(*c));
	c->argv = argv;
}

static void commands_in_parallel(void **state)
{
	static const char *const scripts[] = {
		"echo one; sleep 0.3; echo two",	/* clock: its output comes in pieces */
		"echo to stderr >&2; exit 3",
		"kill -9 $$",
		"cat /dev/zero",
		"true",
		("i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; "
		 "i=$((i+1)); done"),
	};
	enum { N = sizeof(scripts) / sizeof(scripts[0]) };
	struct remote_command c[N + 1];
	const char *argv[N][4], *const none[] = { "no-such-command-anywhere", NULL };

	(void)state;
	for (int i = 0; i < N; i++)
		run_shell(&c[i], argv[i], scripts[i]);
	memset(&c[N], 0, sizeof(c[N]));
	c[N].argv = none;
	assert_false(command_run(c, N + 1, 1 << 20, PATIENCE_MS, -1));
	assert_int_equal(c[0].status, 0);
	assert_string_equal(c[0].output, "one\ntwo\n");
	assert_int_equal(c[0].length, 8);
	assert_string_equal(c[0].complaint, "");
	assert_int_equal(c[1].status, 3);
	assert_string_equal(c[1].complaint, "to stderr");
	assert_int_equal(c[2].status, -1);
	assert_string_equal(c[2].complaint, "signal 9");
	assert_int_equal(c[3].status, -1);
	assert_null(c[3].output);
	assert_string_equal(c[3].complaint, "its output is too long");
	assert_int_equal(c[4].status, 0);
	assert_string_equal(c[4].output, "");
	assert_int_equal(c[5].status, 0);
	assert_int_equal(c[5].length, 3000 * 41);
	assert_int_equal(c[N].status, -1);
	assert_non_null(strstr(c[N].complaint, "No such file"));
	for (int i = 0; i <= N; i++)
		mem_free(c[i].output);
}

static void *time_is_up(void *nothing)
{
	await_file("began");
	clock_advance(PATIENCE_MS);
	return nothing;
}

/* A command that ends before the deadline has answered, even if another one hangs. */
static void command_that_hangs(void **state)
{
	struct remote_command c[2];
	const char *argv[2][4];
	pthread_t thread;

	(void)state;
	assert_int_equal(chdir(scratch_directory()), 0);
	run_shell(&c[0], argv[0], "echo early");
	run_shell(&c[1], argv[1], "echo half; echo > began; exec tail -f /dev/null");
	c[0].queued = c[1].queued = true;	/* so the first has ended by then */
	clock_stop(clock_ms());
	pthread_create(&thread, NULL, time_is_up, NULL);
	assert_false(command_run(c, 2, 1000, PATIENCE_MS, -1));
	pthread_join(thread, NULL);
	clock_go();
	assert_int_equal(c[0].status, 0);
	assert_string_equal(c[0].output, "early\n");
	assert_int_equal(c[1].status, -1);
	assert_null(c[1].output);
	assert_string_equal(c[1].complaint, "no answer in time");
	mem_free(c[0].output);
	assert_int_equal(chdir("/"), 0);
}

/*
 * A command that has ended is done a second later, even if another process, perhaps in its own
 * session, holds its pipes open until after the deadline.
 */
static void pipes_left_to_somebody(void **state)
{
	struct remote_command c[2];
	const char *argv[2][4];

	(void)state;
	assert_int_equal(chdir(scratch_directory()), 0);
	assert_int_equal(mkfifo("held", 0600), 0);
	run_shell(&c[0], argv[0], "setsid cat held & echo said");
	run_shell(&c[1], argv[1], "cat held & echo quick; exec >&- 2>&-");
	assert_true(command_run(c, 2, 1000, PATIENCE_MS, -1));
	assert_string_equal(c[0].output, "said\n");
	assert_string_equal(c[1].output, "quick\n");
	close(open("held", O_WRONLY));
	for (int i = 0; i < 2; i++)
		mem_free(c[i].output);
	assert_int_equal(chdir("/"), 0);
}

/* The total output of all commands is bounded. */
static void much_of_many(void **state)
{
	struct remote_command c[3];
	const char *argv[3][4];
	unsigned full = 0;

	(void)state;
	for (int i = 0; i < 3; i++)
		run_shell(&c[i], argv[i], "head -c 600000 /dev/zero");
	assert_false(command_run(c, 3, 1000000, PATIENCE_MS, -1));
	for (int i = 0; i < 3; i++) {
		full += c[i].length == 600000;
		mem_free(c[i].output);
	}
	assert_int_equal(full, 1);
}

/* A hanging child does not outlive this program, however it ends. */
static void killed_with_us(void **state)
{
	struct child c;
	pid_t us, left = 0;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	us = fork();
	if (us == 0) {
		const char *const argv[] = { "tail", "-f", "/dev/null", NULL };

		if (child_start(&c, argv, NULL, true, &err) &&
		    write(ends[1], &c.pid, sizeof(c.pid)) == sizeof(c.pid))
			pause();
		_exit(1);
	}
	assert_int_equal(read(ends[0], &left, sizeof(left)), sizeof(left));
	assert_int_equal(kill(left, 0), 0);
	close(ends[1]);
	kill(us, SIGKILL);
	waitpid(us, NULL, 0);
	/* End of file: no process has the other end open. */
	await_input(ends[0]);
	assert_int_equal(read(ends[0], &left, sizeof(left)), 0);
	close(ends[0]);
}

/* Queued commands never overlap; others run beside them. */
static void commands_in_a_queue(void **state)
{
	static const char *const script =
		"mkdir q && sleep 0.05 && rmdir q && echo alone"; /* clock: time for another */
	struct remote_command c[5];
	const char *argv[5][4];

	(void)state;
	assert_int_equal(chdir(scratch_directory()), 0);
	assert_int_equal(mkfifo("beside", 0600), 0);
	for (int i = 0; i < 5; i++) {
		run_shell(&c[i], argv[i], i == 2 ? "read line < beside" :
					  i == 3 ? "echo line > beside; exit 4" : script);
		c[i].queued = i != 2;
	}
	assert_false(command_run(c, 5, 1000, PATIENCE_MS, -1));
	for (int i = 0; i < 5; i++) {
		assert_int_equal(c[i].status, i == 3 ? 4 : 0);
		if (i != 2 && i != 3)
			assert_string_equal(c[i].output, "alone\n");
		mem_free(c[i].output);
	}
	assert_int_equal(chdir("/"), 0);
}

/* If neither of the first two in a queue answers, the rest are not run. */
static void queue_without_an_answer(void **state)
{
	struct remote_command c[4];
	const char *argv[4][4];

	(void)state;
	for (int i = 0; i < 4; i++) {
		run_shell(&c[i], argv[i], i == 1 ? "echo nobody there >&2; exit 1" :
				i == 0 ? "exit 1" : "echo asked");
		c[i].queued = i != 2;
	}
	assert_false(command_run(c, 4, 1000, PATIENCE_MS, -1));
	assert_int_equal(c[0].status, 1);
	assert_int_equal(c[1].status, 1);
	assert_string_equal(c[2].output, "asked\n");
	assert_int_equal(c[3].status, -1);
	assert_null(c[3].output);
	assert_string_equal(c[3].complaint, "nobody there");
	for (int i = 0; i < 4; i++)
		mem_free(c[i].output);
}

static void command_environment(void **state)
{
	static const char *const environment[] = { "TZ=UTC", "A=b", NULL };
	struct remote_command c;
	const char *argv[4];

	(void)state;
	run_shell(&c, argv, "echo $TZ $A $HOME");
	c.environment = environment;
	assert_true(command_run(&c, 1, 1000, PATIENCE_MS, -1));
	assert_string_equal(c.output, "UTC b\n");
	mem_free(c.output);
}

/* After all of the above: no zombie, no child, no descriptor. */
static int group_setup(void **state)
{
	const char *build = getenv("FAIRTOP_BUILD");

	snprintf(mock, sizeof(mock), "%s/tests/mock/mock_helper", build ? build : ".");
	*state = (void *)(uintptr_t)open_descriptors();
	return scratch_open(state);
}

static int group_teardown(void **state)
{
	if (scratch_close(state) != 0)
		return -1;
	if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD) {
		fprintf(stderr, "a child was left behind\n");
		return -1;
	}
	if (open_descriptors() != (uintptr_t)*state) {
		fprintf(stderr, "a descriptor was left open\n");
		return -1;
	}
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(answers_and_stays, tear_down),
		cmocka_unit_test_teardown(leaves_after_the_last, tear_down),
		cmocka_unit_test_teardown(tells_who_asks_once, tear_down),
		cmocka_unit_test_teardown(says_same, tear_down),
		cmocka_unit_test_teardown(passes_health_on, tear_down),
		cmocka_unit_test_teardown(flood_does_not_block, tear_down),
		cmocka_unit_test_teardown(errors_of_the_child, tear_down),
		cmocka_unit_test_teardown(not_there, tear_down),
		cmocka_unit_test_teardown(told_by_the_environment, tear_down),
		cmocka_unit_test_teardown(died_between_requests, tear_down),
		cmocka_unit_test_teardown(every_hazard, tear_down),
		cmocka_unit_test_teardown(cancelled, tear_down),
		cmocka_unit_test(commands_in_parallel),
		cmocka_unit_test(command_that_hangs),
		cmocka_unit_test(pipes_left_to_somebody),
		cmocka_unit_test(much_of_many),
		cmocka_unit_test(killed_with_us),
		cmocka_unit_test(commands_in_a_queue),
		cmocka_unit_test(queue_without_an_answer),
		cmocka_unit_test(command_environment),
	};

	return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
