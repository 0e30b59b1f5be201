/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_sort_formula: the grammar, Python's values, errors; and every value that the scheduler of a
 * real OpenPBS 23.06.06 wrote into its log for the jobs of the same recording.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/queue/jobs.h"
#include "core/base/mem.h"
#include "core/queue/pbs_asked.h"
#include "core/verify/verify.h"
#include "core/whatif/whatif_apply.h"
#include "tests/support/kept.h"
#include "tests/support/pbs.h"

/* ---- expressions; the values are Python 3's -------------------------------------------------- */

static double value_of(const char *text)
{
	struct err err = { 0 };
	struct pbs_formula *f = pbs_formula_parse(text, &err);
	static const double values[] = { 3, 5, 7, 9 };
	double value;

	if (!f)
		fail_msg("%s: %s", text, err.message);
	assert_true(pbs_formula_names(f) <= 4);
	value = pbs_formula_value(f, values, NULL);
	pbs_formula_free(f);
	return value;
}

static void test_expressions(void **state)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{ "1", 1 }, { " 2 + 3 * 4 ", 14 }, { "(2+3)*4", 20 }, { "7/2", 3.5 },
		{ "7//2", 3 }, { "-7//2", -4 }, { "-7%3", 2 }, { "7%-3", -2 }, { "2**3**2", 512 },
		{ "-2**2", -4 }, { "2**-1", 0.5 }, { "1e3", 1000 }, { ".5*4", 2 }, { "--3", 3 },
		{ "+4", 4 }, { "1<2", 1 }, { "1<2<3", 1 }, { "1<3<2", 0 }, { "2>=2", 1 },
		{ "1==1.0", 1 }, { "1!=1", 0 }, { "3 and 4", 4 }, { "0 and 4", 0 },
		{ "0 or 5", 5 }, { "2 or 5", 2 }, { "not 3", 0 }, { "not 0", 1 },
		{ "not 1 == 2", 1 }, { "3 if 1 > 2 else 4", 4 }, { "pow(2,10)", 1024 },
		{ "min(3,1,2)", 1 }, { "max(3, 9)", 9 }, { "abs(-2)", 2 }, { "sqrt(16)", 4 },
		{ "ceil(1.2)+floor(1.8)", 3 }, { "exp(0)", 1 }, { "log(1)", 0 },
		{ "True + 1", 2 }, { "False", 0 },
		{ "ncpus", 3 }, { "ncpus*2 + mem", 11 }, { "a-b-c", 3 - 5 - 7 },
		{ "a*(b>4)+c*(b<=4)", 3 }, { "notable + organ + andy", 15 },
		/* an exception makes the whole result 0 */
		{ "1/0", 0 }, { "5 + 1/0", 0 }, { "1//0", 0 }, { "1%0", 0 }, { "sqrt(-1)", 0 },
		{ "log(0)", 0 }, { "10.0**400", 0 }, { "0 and 1/0", 0 },
		{ "1 or 1/0", 1 }, { "2 if 1 else 1/0", 2 }, { "pow(-8,0.5)", 0 }, { "0**-1", 0 },
		{ "fmod(5,0)", 0 }, { "acos(2)", 0 }, { "exp(1000)", 0 }, { "int(inf)", 0 },
		{ "round(2.5,1.0)", 0 }, { "1.5|1", 0 }, { "1<<-1", 0 }, { "log(9,1)", 0 },
		/* single precision */
		{ "16777217", 16777216 }, { "0.1", (double)0.1f },
		/* rounds to the nearest, ties to even, from the exact value */
		{ "round(2.5)", 2 }, { "round(3.5)", 4 }, { "round(-0.5)", 0 },
		{ "round(2.675,2)", (double)2.67f }, { "round(1234.5,-2)", 1200 },
		{ "round(250,-2)", 200 }, { "round(350,-2)", 400 }, { "round(-1250.0,-2)", -1200 },
		{ "int(-2.7)", -2 }, { "trunc(2.7)", 2 }, { "floor(-2.5)", -3 },
		{ "ceil(-2.5)", -2 },
		/* int and float */
		{ "7.0//0.1", 69 }, { "-7.5//2", -4 }, { "7.5%-2", -0.5 }, { "fmod(-7.5,2)", -1.5 },
		{ "2**53+1 == 2.0**53", 0 }, { "2**53+1 > 2.0**53", 1 }, { "2**62 < 2.0**63", 1 },
		{ "(2**62-1)*2 + 1 - 9223372036854775806", 1 }, { "9223372036854775807 % 10", 7 },
		{ "(10**9+1)*(10**9+1) % 10**9", 1 }, { "-(10**18)//10**17*10", -100 },
		{ "round(10**18+5*10**16, -17) - 10**18", 0 }, { "-1 >> 200", -1 },
		{ "copysign(1, -1 % -0.5 - 0)", -1 }, { "(2**53+3)/2**53", 1 },
		{ "10**18/10**17 == 10", 1 },
		/* ints of more than 64 bits: to the precision of a double */
		{ "9223372036854775808 / 2**62", 2 }, { "10**25/10**24", 10 },
		{ "2**62*4 - 2**62", 13835058055282163712.0 }, { "-2**70 / 2**66", -16 },
		{ "(1 << 70) / 2.0**69", 2 }, { "int(1e20) / 1e19", 10 }, { "10**20 > 1e19", 1 },
		{ "10**20 != 10**19", 1 }, { "10**20*0 == 0", 1 }, { "10**20 and 4", 4 },
		{ "10**20 // (3*10**19)", 3 },
		{ "min(10**20, 7) % 4", 3 }, { "sqrt(10**20) / 10**9", 10 },
		{ "10**80", (double)INFINITY }, { "not 10**80", 0 },
		{ "float(3)/2", 1.5 }, { "True+True", 2 }, { "2**-2", 0.25 }, { "-3**2", -9 },
		{ "12 & 10 | 1", 9 }, { "5 ^ 1 << 2", 1 }, { "~5", -6 }, { "-9 >> 1", -5 },
		{ "1 << 3 == 8", 1 },
		/* functions of math */
		{ "log10(1000)", 3 }, { "log2(8)", 3 }, { "log(8,2)", 3 }, { "log1p(0)", 0 },
		{ "expm1(0)", 0 }, { "hypot(3,4)", 5 }, { "cos(0)+sin(0)+tan(0)", 1 },
		{ "acos(1)+asin(0)+atan(0)", 0 }, { "atan2(0,1)", 0 },
		{ "cosh(0)+sinh(0)+tanh(0)", 1 }, { "ldexp(3,4)", 48 }, { "ldexp(1,-1)", 0.5 },
		{ "copysign(3,-0.0)", -3 }, { "degrees(pi)", 180 }, { "radians(360)-tau", 0 },
		{ "fabs(-3)", 3 }, { "log(e)", 1 }, { "5 if inf > 10**70 else 6", 5 },
		/* any number of arguments, and lists */
		{ "max(1,7,3,9,2)", 9 }, { "min([ncpus, mem])", 3 }, { "max((2,5,))", 5 },
		{ "sum([1,2,3.5])", 6.5 }, { "sum((1,2),10)", 13 }, { "sum([])", 0 },
		{ "max([ncpus,4])*2 + sum([max(1,2),3])", 13 },
		/* values of "and", "or" and "not"; chains */
		{ "0.0 or False", 0 }, { "not 1 or 7", 7 }, { "1 < 2 > 1 == 1", 1 },
		{ "3 > 2 > 1/0", 0 }, { "1 > 2 > 1/0", 0 }, { "1 if 0 else 2 if 0 else 3", 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double value = value_of(cases[i].text);

		if (!(value == cases[i].value))
			fail_msg("%s: %.17g, expected %.17g", cases[i].text, value, cases[i].value);
	}
}

/* Results that Python cannot give as a number, or that need more digits than kept, are unknown. */
static void test_unknown(void **state)
{
	static const char *const cases[] = {
		"(-8)**0.5", "inf-inf", "nan", "10**400", "2**300 % 7", "1 + nan", "max(nan, 1)",
		"hypot(1.5e308, 1.5e308)", "2**62*4 - 2**64 + 1", "2.0**64 + 1 - 2**64",
		"10**20 // 10**19", "2**64 == 2.0**64", "2**64 + 1 != 2**64", "1e20 <= 10**20",
		"2**64 | 1", "~2**64", "2**64 >> 1", "round(10**20, -3)", "(-1)**(2**64 + 1)",
		"floor(10**20 / 10**19)", "sin(10**20)", "(10**20 - 10**20) or 5",
		"(2**53+1)/3 == 3002399751580331",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (!isnan(value_of(cases[i])))
			fail_msg("%s: %.17g", cases[i], value_of(cases[i]));
	}
}

/* The scheduler passes amounts to Python with at most four digits, and whole ones as int. */
static void test_inputs(void **state)
{
	struct pbs_formula *f = pbs_formula_parse("a*1e6 + (b // 2) + (1 << c)", NULL);
	static const double values[] = { 0.12345, 7, 3 }, broken[] = { 0.00049, 7.5, 3 };
	bool failed;

	(void)state;
	assert_true(pbs_formula_value(f, values, &failed) == (double)(float)(0.1235e6 + 3 + 8));
	assert_true(pbs_formula_value(f, broken, NULL) == 3 + 8);
	pbs_formula_free(f);
	/* Values of fair share are always float. */
	f = pbs_formula_parse("1 << fairshare_perc", NULL);
	assert_true(pbs_formula_value(f, values + 2, &failed) == 0);
	assert_true(failed);
	pbs_formula_free(f);
}

/* A negative amount is a number, too; -- and - are not. */
static void test_amounts(void **state)
{
	(void)state;
	assert_true(pbs_amount("-7") == -7);
	assert_true(pbs_amount("-0.25") == -0.25);
	assert_true(pbs_amount("+3") == 3);
	assert_true(pbs_amount("2gb") == 2097152);
	assert_true(pbs_amount("01:00:01") == 3601);
	assert_true(isnan(pbs_amount("-")));
	assert_true(isnan(pbs_amount("--1")));
	assert_true(isnan(pbs_amount("-inf")));
}

static void test_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "something is missing" },
		{ "ncpus*", "something is missing" },
		{ "(1", "expected \")\"" },
		{ "1 2", "expected an operator" },
		{ "__import__('os')", "unknown function at \"__import__" },
		{ "x.y", "expected an operator at \".y\"" },
		{ "[1]", "a list in the wrong place" },
		{ "[1] + [2]", "a list in the wrong place" },
		{ "max([[1,2],[3]])", "a list in the wrong place" },
		{ "max([1,2],3)", "too many arguments" },
		{ "max([])", "expected the arguments" },
		{ "max(3)", "expected the arguments" },
		{ "sum(1,2)", "expected the arguments" },
		{ "max([1,2)", "expected \"]\"" },
		{ "floor * 2", "a function without arguments at \"floor * 2\"" },
		{ "gamma", "a function without arguments" },
		{ "factorial(3)", "unknown function" },
		{ "1 + not 1", "a word in the wrong place" },
		{ "010", "not a number" },
		{ "lambda x: 1", "a word in the wrong place" },
		{ "1x", "not a number" },
		{ "0x10", "not a number" },
		{ "a if b", "\"else\"" },
		{ "pow(1)", "expected the arguments" },
		{ "abs(1,2)", "too many arguments" },
		{ "a = 3", "expected an operator at \"= 3\"" },
		{ "'a'", "expected a number" },
		{ "a and", "something is missing" },
	};
	char deep[1000];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { 0 };

		assert_null(pbs_formula_parse(cases[i].text, &err));
		if (!strstr(err.message, cases[i].message))
			fail_msg("%s: \"%s\"", cases[i].text, err.message);
		assert_int_equal(err.code, ERR_INPUT);
	}
	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	assert_null(pbs_formula_parse(deep, NULL));
	memset(deep, '-', sizeof(deep) - 1);
	assert_null(pbs_formula_parse(deep, NULL));
}

static void test_terms(void **state)
{
	struct pbs_formula *f = pbs_formula_parse("10*a - b/2 +c", NULL);
	static const double values[] = { 1, 4, NAN };

	(void)state;
	assert_int_equal(pbs_formula_terms(f), 3);
	assert_string_equal(pbs_formula_term(f, 0), "10*a");
	assert_string_equal(pbs_formula_term(f, 1), "-b/2");
	assert_string_equal(pbs_formula_term(f, 2), "c");
	assert_true(pbs_formula_term_value(f, 1, values) == -2);
	assert_true(isnan(pbs_formula_value(f, values, NULL)));
	pbs_formula_free(f);
	f = pbs_formula_parse("a + b if c > 1 else d", NULL);
	assert_int_equal(pbs_formula_terms(f), 1);
	assert_string_equal(pbs_formula_term(f, 0), "a + b if c > 1 else d");
	pbs_formula_free(f);
}

/* ---- the scheduler's values ------------------------------------------------------------------ */

/* The cycle that wrote the log; eligible_time went on between it and the picture. */
#define CYCLE_TIME 1795146728		/* 11/20/2026 03:52:08, UTC */

struct seen {
	uint32_t entries, equal, foreign;
};

/* Returns the value of an entry at the time of the scheduler's cycle. */
static double value_then(const struct jobs *j, uint32_t e)
{
	const struct pbs_formula *f = j->pbs->formula;
	const struct cluster *c = j->model->cluster;
	size_t names = pbs_formula_names(f);
	double values[8];

	assert_true(names <= 8);
	for (size_t i = 0; i < names; i++) {
		values[i] = j->pbs->inputs[e * names + i];
		/* eligible_time grows only in state 2, eligible. */
		if (strcmp(pbs_formula_name(f, i), "eligible_time") == 0 &&
		    cluster_u32(c, F_JOB_ACCRUE_TYPE, j->index->job[e]) == 2)
			values[i] -= (double)(cluster_meta(c)->time - CYCLE_TIME);
	}
	return pbs_formula_value(f, values, NULL);
}

static void see_line(const struct jobs *j, const char *line, struct seen *seen)
{
	const char *at = strstr(line, ";Job;"), *text = strstr(line, "Evaluation = ");
	char id[64];
	uint32_t job;

	assert_true(at && text);
	assert_int_equal(sscanf(at + 5, "%63[^;]", id), 1);
	job = pbs_job(j->model->cluster, id);
	if (job == ROW_NONE) {
		seen->foreign++;
		return;
	}
	for (uint32_t e = 0; e < j->index->n; e++) {
		double reported = strtod(text + strlen("Evaluation = "), NULL), is;

		if (j->index->job[e] != job)
			continue;
		is = value_then(j, e);
		seen->entries++;
		if (fabs(is - reported) <= 0.5e-4 + 1e-6)
			seen->equal++;
		else
			print_error("%s: %.6f, the scheduler has %.4f\n", id, is, reported);
	}
}

static void test_log(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("02_formula"));
	struct model *m = kept_model(c);
	struct jobs *j = kept_jobs(m);
	struct seen seen = { 0 };
	size_t length;
	char *log = pbs_text("02_formula/sched_log", &length), *line, *rest = log;

	(void)state;
	assert_non_null(j->pbs);
	assert_non_null(j->pbs->formula);
	while ((line = strtok_r(rest, "\n", &rest))) {
		if (strstr(line, "Formula Evaluation"))
			see_line(j, line, &seen);
	}
	/* 142 lines; three are of subjobs, which qstat without -t does not list. */
	assert_int_equal(seen.entries, 139);
	assert_int_equal(seen.equal, 139);
	assert_int_equal(seen.foreign, 3);
	mem_free(log);
}

static struct verify_row formula_row(const struct cluster *c)
{
	struct model_options options = MODEL_OPTIONS_DEFAULT;
	struct verify *v = verify_run(c, &options);
	struct verify_row found = { .quantity = "" };

	for (size_t i = 0; i < v->count; i++) {
		if (strcmp(v->rows[i].quantity, "formula of jobs") == 0)
			found = v->rows[i];
	}
	assert_true(found.verdict != VERIFY_DIFFERS || v->exit_code == 1);
	verify_free(v);
	return found;
}

/* verify does the same with a log saved beside the other outputs. */
static void test_verify(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("02_formula")), *other;
	struct whatif *w = whatif_new();
	struct verify_row row = formula_row(c);

	(void)state;
	assert_int_equal(row.rows, 139);
	assert_int_equal(row.verdict, VERIFY_EQUAL);
	assert_true(row.max_abs <= 0.5e-4 * (1 + 1e-6));
	assert_true(whatif_add(w, "job_sort_formula = 10*fairshare_factor", NULL));
	other = kept_cluster(whatif_apply(w, c));
	row = formula_row(other);
	assert_int_equal(row.rows, 139);
	assert_int_equal(row.verdict, VERIFY_DIFFERS);
	whatif_free(w);
	/* Without a formula there is nothing to compare. */
	c = kept_cluster(pbs_cluster("01_main"));
	assert_string_equal(formula_row(c).quantity, "");
}

/* ---- the order of jobs ----------------------------------------------------------------------- */

static void test_order(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("02_formula"));
	struct model *m = kept_model(c);
	struct jobs *j = kept_jobs(m);

	(void)state;
	assert_true(j->order->count > 70);
	for (uint32_t i = 1; i < j->order->count; i++) {
		uint32_t a = j->order->order[i - 1], b = j->order->order[i];
		bool later = pbs_jobs_stopped(j->pbs, b) && !pbs_jobs_stopped(j->pbs, a);

		assert_true(later || j->pbs->value[a] >= j->pbs->value[b]);
	}
}

/* Without a formula jobs are in the order of their entities; those without shares come last. */
static void test_order_by_fairshare(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("01_main"));
	struct model *m = kept_model(c);
	struct jobs *j = kept_jobs(m);
	uint32_t last = 0;

	(void)state;
	assert_null(j->pbs->formula);
	for (uint32_t i = 0; i < j->order->count; i++) {
		uint32_t e = j->order->order[i], place = m->fs->rank[j->index->assoc[e]];

		if (pbs_jobs_stopped(j->pbs, e)) {
			last = UINT32_MAX;
			continue;
		}
		assert_true(place >= last);
		last = place;
	}
}

/* An unsupported formula is named, and no job is ranked by a guess. */
static void test_not_understood(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("02_formula"));
	struct model *m = kept_model(c);
	struct policy policy = *cluster_policy(c);
	struct jobs *j;

	(void)state;
	snprintf(policy.job_sort_formula, sizeof(policy.job_sort_formula), "factorial(ncpus)");
	j = jobs_new(m, &policy);
	assert_non_null(strstr(j->order->problem, "unknown function at \"factorial(ncpus)\""));
	assert_int_equal(j->order->count, 0);
	jobs_free(j);
	snprintf(policy.job_sort_formula, sizeof(policy.job_sort_formula),
		 "ncpus + walltime/60 + mem/1048576 + nosuch");
	j = jobs_new(m, &policy);
	for (uint32_t e = 0; e < j->index->n; e++) {
		/* 75: 128 CPUs, five hours, 16 GB */
		if (j->index->job[e] == pbs_job(c, "75.pbshead"))
			assert_true(j->pbs->value[e] == 128 + 300 + 16);
	}
	jobs_free(j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expressions), cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_inputs),	    cmocka_unit_test(test_amounts),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_terms),	    cmocka_unit_test(test_log),
		cmocka_unit_test(test_verify),
		cmocka_unit_test(test_order),	    cmocka_unit_test(test_order_by_fairshare),
		cmocka_unit_test(test_not_understood),
	};

	return cmocka_run_group_tests(tests, NULL, kept_free);
}
