/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verbs that run until Ctrl-C print on a terminal what they wait for, and the last result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/support/scratch.h"
#include "tests/support/vterm.h"

#define DEMO "demo:1,speed=3600"
#define RULE "w: accounts running > 100000"
#define ARGS_MAX 8

static char program[4096];

static struct vt *start(const char *const *args, const char *const *environment)
{
	static const char *const none[] = { NULL };
	const char *argv[ARGS_MAX + 2] = { program };

	for (size_t i = 0; args[i]; i++)
		argv[i + 1] = args[i];
	return vt_start(argv, environment ? environment : none, 120, 20);
}

static void interrupt(struct vt *vt)
{
	vt_type(vt, "\003");
	assert_int_equal(vt_wait_exit(vt), 130);
	vt_free(vt);
}

static void test_record(void **state)
{
	char path[SCRATCH_PATH_MAX], expected[SCRATCH_PATH_MAX + 80];
	const char *const args[] = { "record", DEMO, "-o", scratch_path("x", path), "--every", "1s",
				     NULL };
	struct vt *vt = start(args, NULL);

	(void)state;
	snprintf(expected, sizeof(expected), "recording " DEMO " every 1s into %s; Ctrl-C stops",
		 path);
	vt_wait_text(vt, expected);
	vt_wait_text(vt, "\nsample ");
	vt_wait_no_text(vt, "asking");
	interrupt(vt);
}

static void test_watch(void **state)
{
	struct vt *vt = start((const char *const[]){ "watch", DEMO, "--rule", RULE, NULL }, NULL);

	(void)state;
	vt_wait_text(vt, "watching 1 rule of " DEMO " every 60s; Ctrl-C stops");
	vt_wait_text(vt, "\nnothing to report at ");
	interrupt(vt);
	vt = start((const char *const[]){ "watch", DEMO, "--rule", "w: accounts depth=0", NULL },
		   NULL);
	vt_wait_text(vt, " begin w: ");
	vt_wait_text(vt, "\n1 alarm at ");
	interrupt(vt);
}

/* A Slurm that does not answer. */
static void test_silence(void **state)
{
	char libexec[SCRATCH_PATH_MAX + 32], conf[SCRATCH_PATH_MAX + 32], path[SCRATCH_PATH_MAX];
	const char *const environment[] = { libexec, conf, NULL };
	FILE *file = fopen(scratch_path("fairtop-slurm", path), "w");
	struct vt *vt;

	(void)state;
	assert_non_null(file);
	fputs("#!/bin/sh\nexec cat > /dev/null\n", file);
	fclose(file);
	assert_int_equal(chmod(path, 0755), 0);
	snprintf(conf, sizeof(conf), "SLURM_CONF=%s", path);
	snprintf(libexec, sizeof(libexec), "FAIRTOP_LIBEXEC=%s", scratch_directory());
	vt = start((const char *const[]){ "watch", "slurm", DEMO, "--rule", RULE, "--rule",
					  "x" RULE, NULL }, environment);
	vt_wait_text(vt, "watching 2 rules of 2 sources every 60s; Ctrl-C stops");
	interrupt(vt);
	vt = start((const char *const[]){ "watch", "slurm", "--once", "--rule", RULE, NULL },
		   environment);
	vt_wait_text(vt, "asking slurm ...");
	interrupt(vt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record), cmocka_unit_test(test_watch),
		cmocka_unit_test(test_silence),
	};
	const char *build = getenv("FAIRTOP_BUILD");

	snprintf(program, sizeof(program), "%s/fairtop", build ? build : ".");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
