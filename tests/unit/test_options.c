/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: what is accepted, what is refused, and with which message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cli/options.h"

#define WORDS_MAX 16

/* Splits LINE at blanks and parses it. */
static bool parse(const char *line, struct options *o, struct err *err)
{
	static char copy[400];
	const char *argv[WORDS_MAX] = { "fairtop" };
	int argc = 1;
	char *rest = copy, *word;

	(void)strncpy(copy, line, sizeof(copy) - 1);
	while ((word = strsep(&rest, " "))) {
		assert_true(argc < WORDS_MAX);
		if (*word)
			argv[argc++] = word;
	}
	return options_parse(argc, argv, o, err);
}

/* The strings in the result live until the next call. */
static struct options good(const char *line)
{
	static struct options o;
	struct err err = { 0 };

	options_free(&o);
	if (!parse(line, &o, &err))
		fail_msg("%s: %s", line, err.message);
	return o;
}

static void refused(const char *line, const char *expected)
{
	struct err err = { 0 };
	struct options o;

	if (parse(line, &o, &err))
		fail_msg("%s: should be refused", line);
	options_free(&o);
	assert_int_equal(err.code, ERR_INPUT);
	if (!strstr(err.message, expected))
		fail_msg("%s: \"%s\" does not say \"%s\"", line, err.message, expected);
}

static void test_verbs(void **state)
{
	struct options o = good("");

	(void)state;
	assert_int_equal(o.verb, VERB_SCREEN);
	assert_null(o.source);
	o = good("accounts");
	assert_int_equal(o.verb, VERB_ACCOUNTS);
	assert_null(o.source);
	o = good("accounts slurm");
	assert_string_equal(o.source, "slurm");
	o = good("explain - account:physics");
	assert_int_equal(o.verb, VERB_EXPLAIN);
	assert_string_equal(o.source, "-");
	assert_string_equal(o.object, "account:physics");
	o = good("demo");
	assert_int_equal(o.verb, VERB_SCREEN);
	assert_string_equal(o.source, "demo");
	o = good("./accounts");
	assert_int_equal(o.verb, VERB_SCREEN);
	o = good("-- -odd");
	assert_string_equal(o.source, "-odd");
	o = good("help verify");
	assert_string_equal(o.object, "verify");
	for (size_t v = 1; v < VERB_COUNT; v++)
		assert_int_equal(verb_by_name(verb_info[v].name), v);
	assert_int_equal(verb_by_name("verbs"), VERB_COUNT);
}

/* A verb may come anywhere, but not as a value, and not after --. */
static void test_verb_anywhere(void **state)
{
	struct options o = good("demo jobs");

	(void)state;
	assert_int_equal(o.verb, VERB_JOBS);
	assert_string_equal(o.source, "demo");
	o = good("--sort rank demo --json jobs");
	assert_int_equal(o.verb, VERB_JOBS);
	assert_string_equal(o.sort, "rank");
	assert_int_equal(o.format, REPORT_JSON);
	assert_int_equal(good("--filter jobs demo").verb, VERB_SCREEN);
	assert_int_equal(good("--filter=jobs demo policy").verb, VERB_POLICY);
	assert_int_equal(good("-u jobs demo").verb, VERB_SCREEN);
	assert_int_equal(good("-ujobs demo starts").verb, VERB_STARTS);
	assert_int_equal(good("-- ./jobs").verb, VERB_SCREEN);
	o = good("explain demo policy");
	assert_int_equal(o.verb, VERB_EXPLAIN);
	assert_string_equal(o.object, "policy");
}

/* Arguments that are filters, edits, or one object of two. */
static void test_words(void **state)
{
	struct options o = good("jobs user=alice demo nodes<2 --filter a");

	(void)state;
	assert_string_equal(o.source, "demo");
	assert_string_equal(o.filter, "((a) (user=alice)) (nodes<2)");
	assert_int_equal(o.object_count, 0);
	assert_string_equal(good("lint demo:1,speed=0").source, "demo:1,speed=0");
	assert_null(good("lint demo:1,speed=0").filter);
	o = good("whatif demo shares:/physics=60 weight.age=1000");
	assert_int_equal(o.edit_count, 2);
	assert_string_equal(o.edits[1].text, "weight.age=1000");
	o = good("explain demo /a=b weight.age=1000");
	assert_string_equal(o.object, "/a=b");
	assert_int_equal(o.edit_count, 1);
	o = good("history - account:a=b depth=1");
	assert_string_equal(o.object, "account:a=b");
	assert_string_equal(o.filter, "depth=1");
	o = good("compare demo job 1 job:2");
	assert_string_equal(o.object, "job:1");
	assert_string_equal(o.other, "job:2");
	o = good("history - queue a queue b");
	assert_int_equal(o.object_count, 2);
	assert_string_equal(o.objects[1], "queue:b");
	assert_string_equal(good("explain demo job").object, "job");
}

static void test_options(void **state)
{
	struct options o = good("accounts slurm --format csv --columns=a,b --sort -c --mine");

	(void)state;
	assert_int_equal(o.format, REPORT_CSV);
	assert_string_equal(o.columns, "a,b");
	assert_string_equal(o.sort, "-c");
	assert_true(o.mine);
	assert_int_equal(o.model.algorithm, -1);
	o = good("accounts --filter a=b slurm --algorithm fair-tree --base usage");
	assert_string_equal(o.filter, "a=b");
	assert_string_equal(o.source, "slurm");
	assert_int_equal(o.model.algorithm, FS_FAIR_TREE);
	assert_int_equal(o.model.base, FS_BASE_USAGE);
	o = good("accounts --format json --format table");
	assert_int_equal(o.format, REPORT_TABLE);
	o = good("--render 80x24 --keys jj --format svg demo:7");
	assert_int_equal(o.width, 80);
	assert_int_equal(o.height, 24);
	assert_string_equal(o.keys, "jj");
	assert_string_equal(o.frame_format, "svg");
	assert_string_equal(o.source, "demo:7");
}

static void test_every(void **state)
{
	(void)state;
	assert_int_equal(good("--every 30").every_ms, 30000);
	assert_int_equal(good("--every 1.5m").every_ms, 90000);
	assert_int_equal(good("--every 1h").every_ms, 3600000);
	assert_int_equal(good("--every 1d").every_ms, 86400000);
	refused("--every 0", "at least 1s");
	refused("--every 0.5s", "at least 1s");
	refused("--every -5s", "not a time");
	refused("--every 5sm", "not a time");
	refused("--every nan", "not a time");
	refused("--every 1000d", "not a time");
	refused("--every", "a value is missing");
}

static void test_help(void **state)
{
	(void)state;
	assert_true(good("--help").help);
	assert_true(good("-h").help);
	assert_true(good("--version").version);
	/* --help wins over any error. */
	assert_true(good("explain --nonsense --help").help);
	assert_int_equal(good("explain --help").verb, VERB_EXPLAIN);
	assert_false(good("accounts -- --help").help);
}

static void test_refused(void **state)
{
	(void)state;
	refused("accounts --colums a", "did you mean columns?");
	refused("accounts --nonsense", "--help lists them");
	refused("accounts -x", "-x: no such option (fairtop accounts --help lists them)");
	refused("accounts --every 5s", "not an option of accounts");
	refused("--base raw", "--base raw: unknown (expected reported or usage)");
	refused("accounts --format svg", "expected table, json or csv");
	refused("--render 80x24 --format csv", "expected text, ansi or svg");
	refused("--format svg", "needs --render");
	refused("--keys j demo", "needs --render");
	refused("--algorithm lottery", "expected depth-oblivious, classic");
	refused("accounts --mine=yes", "takes no value");
	refused("explain", "OBJECT is missing");
	refused("explain slurm", "OBJECT is missing");
	refused("classes - demo", "demo: too many arguments (expected fairtop classes [SOURCE])");
	refused("classes - b", "b: no such file and no such source (expected --filter b ");
	refused("a b", "a: no such verb");
	refused("--render 80", "80");
}

/* Returns "SOURCE|OBJECT" of a command line, - for a missing one. */
static const char *asks(const char *line)
{
	static char text[200];
	struct options o = good(line);

	assert_int_equal(o.verb, VERB_WHY);
	(void)snprintf(text, sizeof(text), "%s|%s", o.source ? o.source : "-",
		       o.object ? o.object : "-");
	return text;
}

/* The source of why can be left out before a job or a user. */
static void test_why(void **state)
{
	(void)state;
	assert_string_equal(asks("why"), "-|-");
	assert_string_equal(asks("why slurm"), "slurm|-");
	assert_string_equal(asks("why slurm:/etc/b.conf"), "slurm:/etc/b.conf|-");
	assert_string_equal(asks("why ssh:login1/slurm"), "ssh:login1/slurm|-");
	assert_string_equal(asks("why -"), "-|-");
	assert_string_equal(asks("why ./none.snapshot"), "./none.snapshot|-");
	assert_string_equal(asks("why none/none.snapshot"), "none/none.snapshot|-");
	assert_string_equal(asks("why 141648"), "-|141648");
	assert_string_equal(asks("why 141648_3"), "-|141648_3");
	assert_string_equal(asks("why 141648[3]"), "-|141648[3]");
	assert_string_equal(asks("why 75.pbshead"), "-|75.pbshead");
	assert_string_equal(asks("why job:141648"), "-|job:141648");
	assert_string_equal(asks("why nobody.such"), "-|nobody.such");
	assert_string_equal(asks("why user:slurm"), "-|user:slurm");
	assert_string_equal(asks("why slurm alice"), "slurm|alice");
	assert_string_equal(asks("why slurm demo"), "slurm|demo");
	assert_string_equal(asks("why demo 7 --format json"), "demo|7");
	assert_string_equal(asks("why --format json 7"), "-|7");
	refused("why 7 slurm", "slurm: too many arguments (expected fairtop why [SOURCE] "
		"[JOB|USER])");
	refused("why slurm 7 8", "8: too many arguments");
	refused("why slurm 7 --set nice=1", "--set: not an option of why");
	refused("why slurm --filter user=a", "--filter: not an option of why");
}

static void test_tables(void **state)
{
	(void)state;
	for (size_t i = 0; i < option_count; i++) {
		assert_true(option_info[i].meaning[0]);
		assert_non_null(option_info[i].set);
		assert_true(option_info[i].verbs != 0);
		/* A name has one meaning per verb. */
		for (size_t j = 0; j < i; j++) {
			if (strcmp(option_info[i].name, option_info[j].name) == 0)
				assert_int_equal(option_info[i].verbs & option_info[j].verbs, 0);
		}
	}
	for (size_t i = 0; i < option_count; i++) {
		/* The verb is not known yet when values are separated from words. */
		for (size_t j = 0; j < i; j++) {
			const struct option_info *a = &option_info[i], *b = &option_info[j];
			bool one = strcmp(a->name, b->name) == 0;

			if (one)
				assert_int_equal(!a->argument, !b->argument);
			if (one || a->letter)
				assert_int_equal(one, a->letter == b->letter);
		}
	}
	for (size_t v = 0; v < VERB_COUNT; v++)
		assert_true((!verb_info[v].run) != (!verb_info[v].answer));
}

static bool has_column(enum verb verb, const char *name)
{
	struct view shape = verb_shape(verb);
	size_t i = 0;

	while (i < shape.column_count && strcmp(shape.columns[i].name, name) != 0)
		i++;
	return i < shape.column_count;
}

/* A verb has an option if and only if it has what the option needs. */
static void test_agreement(void **state)
{
	static const char *const names[] = { "user", "account", "partition" };

	(void)state;
	for (enum verb v = 0; v < VERB_COUNT; v++) {
		const struct option_info *format = option_of("format", v);
		bool json = false, source = strstr(verb_info[v].arguments, "SOURCE");

		for (size_t i = 0; format && format->word(i); i++)
			json = json || strcmp(format->word(i), "json") == 0;
		assert_int_equal(json, option_of("json", v) != NULL);
		assert_int_equal(source && !verb_info[v].hidden, option_of("cluster", v) != NULL);
		/* The screen has other views; for why, --user is the object. */
		for (size_t n = 0; v != VERB_SCREEN && v != VERB_WHY && n < 3; n++) {
			bool rows = option_of("filter", v) && has_column(v, names[n]);

			if (rows != (option_of(names[n], v) != NULL))
				fail_msg("--%s of %s", names[n], verb_info[v].name);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verbs), cmocka_unit_test(test_options),
		cmocka_unit_test(test_every), cmocka_unit_test(test_help),
		cmocka_unit_test(test_refused), cmocka_unit_test(test_tables),
		cmocka_unit_test(test_why), cmocka_unit_test(test_verb_anywhere),
		cmocka_unit_test(test_words), cmocka_unit_test(test_agreement),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
