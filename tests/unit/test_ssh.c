/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ssh:HOST/SOURCE with a stand-in for ssh: the arguments it gets, what reaches the shell of the
 * other host, and that the same cluster comes back from fairtop serve; for a recording, also its
 * past.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/adapter.h"
#include "core/base/column.h"
#include "tests/support/data.h"
#include "tests/support/equal.h"
#include "tests/support/kept.h"
#include "tests/support/night.h"
#include "tests/support/scratch.h"

static char stub[SCRATCH_PATH_MAX], asked[SCRATCH_PATH_MAX];

/* Like sshd: the words after the host, joined by blanks, go to a shell. */
static void write_stub(const char *last_line)
{
	FILE *f = fopen(stub, "w");

	assert_non_null(f);
	fprintf(f, "#!/bin/sh\n"
		   "printf '%%s\\n' \"$@\" > %s\n"
		   "test \"$1 $2 $3 $4\" = '-o BatchMode=yes -o ConnectTimeout=10' || exit 99\n"
		   "shift 5\n"
		   "%s\n", asked, last_line);
	fclose(f);
	assert_int_equal(chmod(stub, 0755), 0);
}

static const char *last_asked(void)
{
	static char text[4096];
	FILE *f = fopen(asked, "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return text;
}

/* Of the current test: the source over ssh, and the last error. */
static struct source *there;
static struct err err;

static int tear_down(void **state)
{
	source_close(there);
	there = NULL;
	return kept_free(state);
}

static void open_there(const char *spec)
{
	source_close(there);
	there = source_open(spec, &err);
	assert_non_null(there);
}

static enum fetch_result fetch(struct source *s, struct cluster **c)
{
	struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = 120000 };

	memset(&err, 0, sizeof(err));
	return source_fetch(s, &request, c, &err);
}

static struct cluster *fetch_new(struct source *s)
{
	struct cluster *c = NULL;

	if (fetch(s, &c) != FETCH_NEW)
		fail_msg("%s: %s", s->name, err.message);
	return kept_cluster(c);
}

static void assert_fails(const char *says)
{
	struct cluster *c;

	assert_int_equal(fetch(there, &c), FETCH_FAILED);
	if (!strstr(err.message, says))
		fail_msg("\"%s\" does not say \"%s\"", err.message, says);
}

/* The mock helper stands in for the other host's "fairtop serve SOURCE". */
static void a_cluster_comes(void **state)
{
	const char *build = getenv("FAIRTOP_BUILD");
	char line[4200];
	struct cluster *c;

	(void)state;
	open_there("ssh:login.example/slurm:/etc/a b'c/slurm.conf");
	snprintf(line, sizeof(line), "exec %s/tests/mock/mock_helper health", build ? build : ".");
	write_stub(line);
	assert_string_equal(there->name, "ssh:login.example/slurm:/etc/a b'c/slurm.conf");
	c = fetch_new(there);
	assert_string_equal(cluster_meta(c)->name, "mock");
	assert_string_equal(there->health, "ssh login.example: helper, a little tired");
	assert_string_equal(last_asked(), "-o\nBatchMode=yes\n-o\nConnectTimeout=10\n"
			    "login.example\nfairtop\nserve\n'slurm:/etc/a b'\\''c/slurm.conf'\n");
}

/* The quoting survives a real shell: SOURCE arrives in one piece and runs nothing. */
static void quoting(void **state)
{
	(void)state;
	open_there("ssh:h/./it's $(touch nothing) `x` \"y\" \\z");
	write_stub("fairtop() { printf 'got <%s> <%s>\\n' \"$1\" \"$2\" >&2; }\n"
		   "eval \"$*\"");
	assert_fails("got <serve> <./it's $(touch nothing) `x` \"y\" \\z>");
}

/* The user sees the message of ssh when it fails. */
static void ssh_fails(void **state)
{
	(void)state;
	open_there("ssh:nowhere/slurm");
	write_stub("echo 'ssh: Could not resolve hostname nowhere: Name or service not known' >&2\n"
		   "exit 255");
	assert_fails("nowhere: ");
	assert_int_equal(err.code, ERR_SOURCE);
	assert_non_null(strstr(err.message, "exit code 255): ssh: Could not resolve hostname"));
}

static void default_source_of_the_host(void **state)
{
	(void)state;
	open_there("ssh:host");
	write_stub("exit 1");
	assert_fails("");
	assert_non_null(strstr(last_asked(), "\nhost\nfairtop\nserve\n"));
}

/* ---- the past ------------------------------------------------------------------------------ */

#define TIME(i) (NIGHT_BEGIN + 300 * (int64_t)(i))

/* The other host runs this build of fairtop. */
static void write_serving_stub(void)
{
	const char *build = getenv("FAIRTOP_BUILD");
	char lines[4200];

	snprintf(lines, sizeof(lines), "fairtop() { exec %s/fairtop \"$@\"; }\neval \"$*\"",
		 build ? build : ".");
	write_stub(lines);
}

static void assert_same_past(struct source *here)
{
	struct timeline a, b;

	assert_true(source_past(here, &a, NULL));
	assert_true(source_past(there, &b, NULL));
	assert_int_equal(a.count, 86);
	assert_int_equal(b.count, a.count);
	assert_memory_equal(b.samples, a.samples, a.count * sizeof(*a.samples));
	assert_int_equal(b.gap_count, 1);
	assert_int_equal(b.gaps[0].since, a.gaps[0].since);
	assert_int_equal(b.gaps[0].until, a.gaps[0].until);
	assert_string_equal(b.gaps[0].reason, a.gaps[0].reason);
	assert_int_equal(b.change_count, 1);
	assert_int_equal(b.changes[0], a.changes[0]);
	assert_int_equal(b.end, a.end);
	timeline_free(&a);
	timeline_free(&b);
	assert_true(source_past(there, &b, NULL));	/* nothing new */
	assert_int_equal(b.count, 0);
}

/* A remote recording is as a local one: its time line, each look, and each seek. */
static void the_past_of_a_recording(void **state)
{
	struct source *here;
	char path[SCRATCH_PATH_MAX], spec[SCRATCH_PATH_MAX + 20];

	(void)state;
	snprintf(spec, sizeof(spec), "ssh:host/%s", scratch_path("night", path));
	night_record(path);
	write_serving_stub();
	here = source_open(path, &err);
	open_there(spec);
	assert_non_null(here);
	assert_same_past(here);
	for (int i = 0; i < 97; i += 8) {
		struct cluster *a = kept_cluster(source_look(here, TIME(i) + 7, NEED_ALL, &err));
		struct cluster *b = kept_cluster(source_look(there, TIME(i) + 7, NEED_ALL, &err));

		assert_true(a && b && equal_clusters(a, b));
	}
	assert_null(source_look(there, TIME(0) - 1, NEED_ALL, &err));
	assert_int_equal(err.code, ERR_INPUT);
	for (int i = -1; i < 97; i += 16) {
		int64_t at = i < 0 ? I64_UNKNOWN : TIME(i);
		struct cluster *a, *b;

		assert_true(source_seek(here, at, &err) && source_seek(there, at, &err));
		a = fetch_new(here);
		b = fetch_new(there);
		assert_true(equal_clusters(a, b));
		assert_int_equal(fetch(there, &b), FETCH_SAME);
	}
	source_close(here);
	unlink(path);
}

/* A remote demo has its day of past, too, and is fetched as often as a local one. */
static void the_past_of_the_demo(void **state)
{
	struct source *here;
	struct timeline a, b;

	(void)state;
	write_serving_stub();
	here = source_open("demo:1,speed=0", &err);
	open_there("ssh:host/demo:1,speed=0");
	assert_non_null(here);
	assert_int_equal(there->ops->every_ms, here->ops->every_ms);
	assert_true(source_past(here, &a, &err) && source_past(there, &b, &err));
	assert_int_equal(b.count, a.count);
	assert_memory_equal(b.samples, a.samples, a.count * sizeof(*a.samples));
	for (size_t i = 0; i < a.count; i += a.count / 3) {
		struct cluster *c = kept_cluster(source_look(here, a.samples[i], NEED_ALL, &err));
		struct cluster *d = kept_cluster(source_look(there, a.samples[i], NEED_ALL, &err));

		assert_true(c && d && equal_clusters(c, d));
	}
	timeline_free(&a);
	timeline_free(&b);
	source_close(here);
}

static void only_now(void **state)
{
	static const char now[] = "has only current data (a time needs a recording)";
	char file[SCRATCH_PATH_MAX], spec[SCRATCH_PATH_MAX + 20];
	struct timeline past;

	(void)state;
	write_serving_stub();
	snprintf(spec, sizeof(spec), "ssh:host/%s",
		 data_path("slurm/half_settled.snapshot", file, sizeof(file)));
	open_there(spec);
	/* Nothing has been requested yet. */
	assert_true(source_seek(there, TIME(0), &err));
	assert_fails(now);
	assert_int_equal(err.code, ERR_INPUT);
	open_there(spec);
	assert_true(source_past(there, &past, &err));
	assert_int_equal(past.count, 0);
	assert_null(source_look(there, TIME(0), NEED_ALL, &err));
	assert_string_equal(err.message, now);
	/* The screen then seeks in its own memory, without harm. */
	assert_false(source_seek(there, TIME(0), &err));
	assert_string_equal(err.message, now);
	(void)fetch_new(there);
}

/* If a past is requested first, a host that does not answer fails the next fetch. */
static void no_past_of_nobody(void **state)
{
	struct timeline past;

	(void)state;
	open_there("ssh:nowhere/./night");
	write_stub("echo 'ssh: Could not resolve hostname nowhere: Name or service not known' >&2\n"
		   "exit 255");
	assert_true(source_past(there, &past, &err));
	assert_int_equal(past.count, 0);
	assert_fails("exit code 255): ssh: Could not resolve hostname");
}

/* Quitting while the past is requested does not wait for the next fetch either. */
static void leaving(void **state)
{
	struct timeline past;

	(void)state;
	open_there("ssh:host/./night");
	write_stub("exec tail -f /dev/null");
	source_cancel(there);
	assert_true(source_past(there, &past, &err));
	assert_fails("cancelled");
}

/* A host must not act as an option of ssh, nor contain hidden characters. */
static void host_names(void **state)
{
	static const char *const bad[] = {
		"ssh:", "ssh", "ssh:/slurm", "ssh:-oProxyCommand=x/slurm", "ssh:a b/slurm",
		"ssh:a\nb/slurm", "ssh:a\033[2J/slurm",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_null(source_open(bad[i], &err));
		assert_int_equal(err.code, ERR_INPUT);
		assert_non_null(strstr(err.message, "expected ssh:HOST/SOURCE"));
	}
}

/* A password would be visible in the arguments of ssh and of the remote shell. */
static void passwords(void **state)
{
	struct source *s = source_open("ssh:h/postgres://u:secret@db/d?cluster=a", &err);

	(void)state;
	assert_null(s);
	assert_int_equal(err.code, ERR_INPUT);
	assert_non_null(strstr(err.message, "~/.pgpass"));
	assert_null(strstr(err.message, "secret"));
	s = source_open("ssh:h/postgres://u@db/d?cluster=a", &err);
	assert_non_null(s);
	source_close(s);
}

static int group_setup(void **state)
{
	if (scratch_open(state) != 0)
		return -1;
	scratch_path("asked", asked);
	return setenv("FAIRTOP_SSH", scratch_path("ssh", stub), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_cluster_comes, tear_down),
		cmocka_unit_test_teardown(quoting, tear_down),
		cmocka_unit_test_teardown(ssh_fails, tear_down),
		cmocka_unit_test_teardown(default_source_of_the_host, tear_down),
		cmocka_unit_test(host_names),
		cmocka_unit_test(passwords),
		cmocka_unit_test_teardown(the_past_of_a_recording, tear_down),
		cmocka_unit_test_teardown(the_past_of_the_demo, tear_down),
		cmocka_unit_test_teardown(only_now, tear_down),
		cmocka_unit_test_teardown(no_past_of_nobody, tear_down),
		cmocka_unit_test_teardown(leaving, tear_down),
	};

	return cmocka_run_group_tests(tests, group_setup, scratch_close);
}
