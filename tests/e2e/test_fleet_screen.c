/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The overview on a pseudo-terminal, with hosts of which some hang, one is dead and one floods:
 * keys work, clusters that answer can be opened and closed, and it quits at once.
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

#include "tests/support/scratch.h"
#include "tests/support/vterm.h"

static char program[4096], ssh[SCRATCH_PATH_MAX + 16];

/* Stands in for ssh; the name of the host says what it does. */
static void write_ssh(const char *path)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	fprintf(file,
		"#!/bin/sh\n"
		"for word; do case $word in -*|*=*) ;; *) break ;; esac; done\n"
		"case $word in\n"
		"hang*) exec tail -f /dev/null ;;\n"
		"flood*) exec cat /dev/zero ;;\n"
		"talk*) exec yes 'you have mail' >&2 ;;\n"
		"dead*) echo 'no route to host' >&2; exit 255 ;;\n"
		"*) exec '%s' serve \"demo:${word#host},speed=0\" ;;\n"
		"esac\n", program);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0755), 0);
}

static struct vt *start(void)
{
	static const char *const sources[] = {
		"ssh:hang1/slurm", "ssh:hang2/slurm", "ssh:hang3/slurm", "ssh:hang4/slurm",
		"ssh:hang5/slurm", "ssh:dead/slurm", "ssh:flood/slurm", "ssh:talk/slurm",
		"ssh:host3/slurm", "demo:4,speed=0",
	};
	const char *argv[sizeof(sources) / sizeof(sources[0]) + 2] = { program };
	const char *environment[] = { ssh, NULL };

	memcpy(argv + 1, sources, sizeof(sources));
	argv[sizeof(sources) / sizeof(sources[0]) + 1] = NULL;
	return vt_start(argv, environment, 120, 30);
}

static void test_hanging(void **state)
{
	char path[SCRATCH_PATH_MAX];
	struct vt *vt;

	(void)state;
	write_ssh(scratch_path("ssh", path));
	snprintf(ssh, sizeof(ssh), "FAIRTOP_SSH=%s", path);
	vt = start();
	vt_wait_text(vt, "good 2");
	vt_wait_text(vt, "no route to host");
	vt_type(vt, "jj");
	vt_wait_text(vt, "3/10");
	vt_type(vt, "?");
	vt_wait_text(vt, "go down a row");
	vt_type(vt, "q");
	vt_wait_no_text(vt, "go down a row");
	vt_type(vt, "\r");
	vt_wait_text(vt, "has not answered yet");
	vt_type(vt, "G\r");
	vt_wait_text(vt, "1 Accounts");
	vt_wait_text(vt, "humanities");
	vt_type(vt, "2");
	vt_wait_text(vt, "JobID");
	vt_type(vt, "\033");
	vt_wait_text(vt, "humanities");
	vt_type(vt, "\033");
	vt_wait_text(vt, "clusters 10");
	vt_type(vt, "fhealth=good\r");
	vt_wait_text(vt, "FILTER health=good");
	vt_type(vt, "k\r");			/* the one behind ssh */
	vt_wait_text(vt, "1 Accounts");
	vt_type(vt, "Q");
	assert_int_equal(vt_wait_exit(vt), 0);
	assert_true(vt_modes_restored(vt));
	assert_false(vt_alternate(vt));
	vt_free(vt);
}

/* An opened cluster hangs: Esc returns to the overview, and the overview stays usable. */
static void test_opened_hangs(void **state)
{
	char path[SCRATCH_PATH_MAX], seen[SCRATCH_PATH_MAX];
	const char *const argv[] = { program, "ssh:once/slurm", "demo:4,speed=0", NULL };
	const char *environment[] = { ssh, NULL };
	FILE *file = fopen(scratch_path("once", path), "we");
	struct vt *vt;

	(void)state;
	assert_non_null(file);
	fprintf(file, "#!/bin/sh\nmkdir '%s' 2> /dev/null && exec '%s' serve demo:5,speed=0\n"
		"trap '' TERM HUP INT PIPE\nwhile :; do tail -f /dev/null; done\n",
		scratch_path("seen", seen), program);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0755), 0);
	snprintf(ssh, sizeof(ssh), "FAIRTOP_SSH=%s", path);
	vt = vt_start(argv, environment, 120, 30);
	vt_wait_text(vt, "good 2");
	for (int i = 0; i < 3; i++) {
		vt_type(vt, "\r");
		vt_wait_text(vt, "Esc returns to the overview");
		vt_type(vt, "?");
		vt_wait_text(vt, "go down a row");
		vt_type(vt, "q");
		vt_wait_no_text(vt, "go down a row");
		vt_type(vt, "\033");
		vt_wait_text(vt, "clusters 2");
	}
	vt_type(vt, "\r");
	vt_wait_text(vt, "Esc returns to the overview");
	vt_type(vt, "Q");
	assert_int_equal(vt_wait_exit(vt), 0);
	assert_true(vt_modes_restored(vt));
	vt_free(vt);
}

static struct vt *start_over(const char *state, const char *other)
{
	const char *const argv[] = { program, "demo:4,speed=0", other, NULL };
	const char *environment[] = { state, NULL };
	struct vt *vt = vt_start(argv, environment, 120, 30);

	vt_wait_text(vt, "good 2");
	return vt;
}

static void end(struct vt *vt)
{
	vt_type(vt, "Q");
	assert_int_equal(vt_wait_exit(vt), 0);
	vt_free(vt);
}

/* Columns and order are remembered; filter and account only for the same sources. */
static void test_remembered(void **state)
{
	char path[SCRATCH_PATH_MAX], own[SCRATCH_PATH_MAX + 16];
	struct vt *vt;

	(void)state;
	snprintf(own, sizeof(own), "XDG_STATE_HOME=%s", scratch_path("state", path));
	vt = start_over(own, "demo:5,speed=0");
	vt_wait_text(vt, "R worst");
	vt_type(vt, ":columns waiting,running,source\r:sort -waiting\rfwaiting>0\r");
	vt_wait_text(vt, "FILTER waiting>0");
	vt_type(vt, ":account physics\r");
	vt_wait_text(vt, "ACCOUNT physics");
	vt_type(vt, "\r");			/* an opened cluster has its own layout */
	vt_wait_text(vt, "1 Accounts");
	vt_type(vt, "\033");
	vt_wait_text(vt, "ACCOUNT physics");
	end(vt);
	vt = start_over(own, "demo:5,speed=0");
	vt_wait_text(vt, "FILTER waiting>0");
	vt_wait_text(vt, "ACCOUNT physics");
	vt_wait_text(vt, "R of it");
	vt_wait_text(vt, "↓Waiting");
	assert_false(vt_has_text(vt, "R worst"));
	end(vt);
	vt = start_over(own, "demo:6,speed=0");
	vt_wait_text(vt, "↓Waiting");
	assert_false(vt_has_text(vt, "FILTER"));
	assert_false(vt_has_text(vt, "ACCOUNT"));
	assert_false(vt_has_text(vt, "R worst"));
	end(vt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hanging), cmocka_unit_test(test_opened_hangs),
		cmocka_unit_test(test_remembered),
	};
	const char *build = getenv("FAIRTOP_BUILD");

	snprintf(program, sizeof(program), "%s/fairtop", build ? build : ".");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
