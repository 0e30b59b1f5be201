/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a user's SOURCE to a source: the SOURCE table of the contract, one line per case; and the
 * live Slurm's choice between its helper and the commands.
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
#include "tests/support/scratch.h"

static const char *in_scratch(const char *name)
{
	static char path[SCRATCH_PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", scratch_directory(), name);
	return path;
}

static void write_file(const char *name, const char *text, mode_t mode)
{
	FILE *f = fopen(in_scratch(name), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	assert_int_equal(chmod(in_scratch(name), mode), 0);
}

static void assert_refused(const char *spec, enum err_code code, const char *says)
{
	struct err err = { .code = ERR_NONE };
	struct source *s = source_open(spec, &err);

	if (s)
		fail_msg("\"%s\" was opened", spec ? spec : "(nothing)");
	if (!strstr(err.message, says))
		fail_msg("\"%s\" does not say \"%s\"", err.message, says);
	assert_int_equal(err.code, code);
}

static void assert_named(const char *spec, const char *scheme, const char *name)
{
	struct err err = { .code = ERR_NONE };
	struct source *s = source_open(spec, &err);

	if (!s)
		fail_msg("%s: %s", spec, err.message);
	assert_string_equal(s->ops->scheme, scheme);
	assert_string_equal(s->name, name);
	source_close(s);
}

static void assert_scheme(const char *spec, const char *scheme)
{
	assert_named(spec, scheme, spec);
}

static void schemes(void **state)
{
	(void)state;
	assert_scheme("demo", "demo");
	assert_scheme("demo:7", "demo");
	assert_scheme("demo:7,accounts=9", "demo");
	assert_named("demo,accounts=9", "demo", "demo:accounts=9");
	assert_scheme("ssh:login1/slurm", "ssh");
	assert_scheme("slurm", "slurm");
}

static void wrong_words(void **state)
{
	(void)state;
	assert_refused("slrum", ERR_INPUT, "fairtop help source lists them");
	assert_refused("condor:pool", ERR_INPUT, "no such source");
	assert_refused("./not-there", ERR_INPUT, "No such file");
	assert_refused("/not/there", ERR_INPUT, "No such file");
	assert_refused("slurm:/not/there/slurm.conf", ERR_INPUT, "/not/there/slurm.conf: No such");
	assert_refused("demo:seven", ERR_INPUT, "seven");
	assert_refused("slurm,accounts=9", ERR_INPUT, "no such file");
	assert_refused("postgresql://h/d", ERR_INPUT, "a PostgreSQL source: ");
	assert_refused("postgres://h/d", ERR_INPUT, "a PostgreSQL source: ");
	assert_refused(scratch_directory(), ERR_INPUT, "slurm:DIR, pbs:DIR or lsf:DIR");
}

/* The table is complete: every entry has texts for help and manual, every scheme occurs once. */
static void the_table(void **state)
{
	(void)state;
	for (size_t i = 0; adapters[i]; i++) {
		assert_true(adapters[i]->scheme && adapters[i]->synopsis && adapters[i]->meaning);
		assert_true(adapters[i]->open && adapters[i]->fetch && adapters[i]->close);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(adapters[i]->scheme, adapters[j]->scheme);
	}
}

/* ---- without a SOURCE, and the live Slurm -------------------------------------------------- */

static enum fetch_result fetch(struct source *s, struct cluster **c, struct err *err)
{
	struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = 10000 };

	memset(err, 0, sizeof(*err));
	return source_fetch(s, &request, c, err);
}

static void nobody_to_ask(void **state)
{
	(void)state;
	setenv("SLURM_CONF", in_scratch("gone.conf"), 1);
	assert_refused(NULL, ERR_SOURCE, "gone.conf: No such file");
	assert_refused(NULL, ERR_SOURCE, "fairtop demo");
}

static void first_that_is_here(void **state)
{
	struct source *s;

	(void)state;
	write_file("slurm.conf", "ClusterName=x\n", 0644);
	setenv("SLURM_CONF", in_scratch("slurm.conf"), 1);
	s = source_open(NULL, NULL);
	assert_non_null(s);
	assert_string_equal(s->name, "slurm");
	source_close(s);
}

/* An available helper is used; its message becomes the health. */
static void by_the_helper(void **state)
{
	const char *build = getenv("FAIRTOP_BUILD");
	char script[4300];
	struct source *s;
	struct cluster *c;
	struct err err;

	(void)state;
	snprintf(script, sizeof(script), "#!/bin/sh\ntest \"$1\" = \"$SLURM_CONF\" || exit 9\n"
		 "exec %s/tests/mock/mock_helper health\n", build ? build : ".");
	write_file("fairtop-slurm", script, 0755);
	write_file("slurm.conf", "ClusterName=x\n", 0644);
	setenv("FAIRTOP_LIBEXEC", scratch_directory(), 1);
	setenv("SLURM_CONF", in_scratch("slurm.conf"), 1);
	s = source_open("slurm", NULL);
	if (fetch(s, &c, &err) != FETCH_NEW)
		fail_msg("%s", err.message);
	assert_string_equal(s->health, "helper, a little tired");
	cluster_free(c);
	source_close(s);
}

/* A missing slurm.conf is an error at once, before anything is started. */
static void no_configuration(void **state)
{
	struct source *s;
	struct cluster *c;
	struct err err;

	(void)state;
	write_file("fairtop-slurm", "#!/bin/sh\nexec tail -f /dev/null\n", 0755);
	setenv("SLURM_CONF", in_scratch("gone.conf"), 1);
	s = source_open("slurm", NULL);
	assert_int_equal(fetch(s, &c, &err), FETCH_FAILED);
	assert_int_equal(err.code, ERR_SOURCE);
	assert_non_null(strstr(err.message, "gone.conf: No such file"));
	/* Once it exists, the same source goes on to the helper. */
	write_file("fairtop-slurm", "#!/bin/sh\necho mock: fatal: no >&2\nexit 1\n", 0755);
	write_file("gone.conf", "ClusterName=x\n", 0644);
	assert_int_equal(fetch(s, &c, &err), FETCH_FAILED);
	assert_non_null(strstr(err.message, "fatal: no"));
	source_close(s);
	unlink(in_scratch("gone.conf"));
}

/* No helper, or one that refuses: the commands run, here none exist, and both errors are given. */
static void by_the_commands(void **state)
{
	static const char *const helpers[] = {
		NULL,
		"#!/bin/sh\necho 'x: error while loading shared libraries: libslurm.so.38' >&2\n"
		"exit 127\n",
	};
	static const char *const says[] = { "helper: not ", "libslurm.so.38" };
	char *path = getenv("PATH") ? strdup(getenv("PATH")) : NULL;

	(void)state;
	write_file("slurm.conf", "ClusterName=x\n", 0644);
	setenv("SLURM_CONF", in_scratch("slurm.conf"), 1);
	for (int i = 0; i < 2; i++) {
		struct source *s;
		struct cluster *c;
		struct err err;

		unlink(in_scratch("fairtop-slurm"));
		if (helpers[i])
			write_file("fairtop-slurm", helpers[i], 0755);
		s = source_open("slurm", NULL);
		setenv("PATH", scratch_directory(), 1);
		assert_int_equal(fetch(s, &c, &err), FETCH_FAILED);
		setenv("PATH", path ? path : "", 1);
		assert_int_equal(err.code, ERR_SOURCE);
		assert_non_null(strstr(err.message, "scontrol: "));
		if (!strstr(err.message, says[i]))
			fail_msg("\"%s\" does not say \"%s\"", err.message, says[i]);
		source_close(s);
	}
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(schemes),
		cmocka_unit_test(wrong_words),
		cmocka_unit_test(the_table),
		cmocka_unit_test(nobody_to_ask),
		cmocka_unit_test(first_that_is_here),
		cmocka_unit_test(by_the_helper),
		cmocka_unit_test(no_configuration),
		cmocka_unit_test(by_the_commands),
	};

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
