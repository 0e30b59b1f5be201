/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ssh:HOST/SOURCE with a stand-in for ssh: which arguments it gets, what reaches the shell of the
 * other host, and that the same cluster comes back through fairtop's serving side.
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
#include "core/column.h"

static char scratch[] = "/tmp/fairtop-test-XXXXXX";
static char stub[64], asked[64];

/* What sshd does: the words after the host, joined by blanks, go to a shell. */
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

static enum fetch_result fetch(struct source *s, struct cluster **c, struct err *err)
{
	struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = 20000 };

	memset(err, 0, sizeof(*err));
	return source_fetch(s, &request, c, err);
}

/* The other host's "fairtop serve SOURCE" is the mock helper. */
static void a_cluster_comes(void **state)
{
	const char *build = getenv("FAIRTOP_BUILD");
	char line[4200];
	struct cluster *c;
	struct err err;
	struct source *s = source_open("ssh:login.example/slurm:/etc/a b'c/slurm.conf", &err);

	(void)state;
	snprintf(line, sizeof(line), "exec %s/tests/mock/mock_helper health", build ? build : ".");
	write_stub(line);
	assert_non_null(s);
	assert_string_equal(s->name, "ssh:login.example/slurm:/etc/a b'c/slurm.conf");
	if (fetch(s, &c, &err) != FETCH_NEW)
		fail_msg("%s", err.message);
	assert_string_equal(cluster_meta(c)->name, "mock");
	assert_string_equal(s->health, "ssh login.example: helper, a little tired");
	assert_string_equal(last_asked(), "-o\nBatchMode=yes\n-o\nConnectTimeout=10\n"
			    "login.example\nfairtop\nserve\n'slurm:/etc/a b'\\''c/slurm.conf'\n");
	cluster_free(c);
	source_close(s);
}

/* The quoting survives a real shell: SOURCE arrives in one piece and runs nothing. */
static void quoting(void **state)
{
	struct cluster *c;
	struct err err;
	struct source *s = source_open("ssh:h/./it's $(touch nothing) `x` \"y\" \\z", &err);

	(void)state;
	write_stub("fairtop() { printf 'got <%s> <%s>\\n' \"$1\" \"$2\" >&2; }\n"
		   "eval \"$*\"");
	assert_int_equal(fetch(s, &c, &err), FETCH_FAILED);
	if (!strstr(err.message, "got <serve> <./it's $(touch nothing) `x` \"y\" \\z>"))
		fail_msg("%s", err.message);
	source_close(s);
}

/* What ssh says when it fails is what the user reads. */
static void ssh_fails(void **state)
{
	struct cluster *c;
	struct err err;
	struct source *s = source_open("ssh:nowhere/slurm", &err);

	(void)state;
	write_stub("echo 'ssh: Could not resolve hostname nowhere: Name or service not known' >&2\n"
		   "exit 255");
	assert_int_equal(fetch(s, &c, &err), FETCH_FAILED);
	assert_int_equal(err.code, ERR_SOURCE);
	assert_non_null(strstr(err.message, "nowhere: "));
	assert_non_null(strstr(err.message, "exit code 255): ssh: Could not resolve hostname"));
	source_close(s);
}

static void default_source_of_the_host(void **state)
{
	struct cluster *c;
	struct err err;
	struct source *s = source_open("ssh:host", &err);

	(void)state;
	write_stub("exit 1");
	assert_int_equal(fetch(s, &c, &err), FETCH_FAILED);
	assert_non_null(strstr(last_asked(), "\nhost\nfairtop\nserve\n"));
	source_close(s);
}

/* A host must not become an option of ssh, nor hide what it is. */
static void host_names(void **state)
{
	static const char *const bad[] = {
		"ssh:", "ssh", "ssh:/slurm", "ssh:-oProxyCommand=x/slurm", "ssh:a b/slurm",
		"ssh:a\nb/slurm", "ssh:a\033[2J/slurm",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = { .code = ERR_NONE };

		assert_null(source_open(bad[i], &err));
		assert_int_equal(err.code, ERR_INPUT);
		assert_non_null(strstr(err.message, "expected ssh:HOST/SOURCE"));
	}
}

static int group_setup(void **state)
{
	(void)state;
	if (!mkdtemp(scratch))
		return -1;
	snprintf(stub, sizeof(stub), "%s/ssh", scratch);
	snprintf(asked, sizeof(asked), "%s/asked", scratch);
	return setenv("FAIRTOP_SSH", stub, 1);
}

static int group_teardown(void **state)
{
	(void)state;
	unlink(stub);
	unlink(asked);
	return rmdir(scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cluster_comes),
		cmocka_unit_test(quoting),
		cmocka_unit_test(ssh_fails),
		cmocka_unit_test(default_source_of_the_host),
		cmocka_unit_test(host_names),
	};

	return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
