/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time of the last decay pass, inferred from age terms, against what the scheduler wrote
 * into its own state file when the terms were recorded.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/lastpass.h"
#include "core/unknown.h"

#define JOBS_MAX 500

struct recording {
	char name[64];
	long long last;
	unsigned weight;
	long long max_age;
	int64_t times[JOBS_MAX];
	size_t count;
};

static unsigned check(struct recording *r)
{
	int64_t inferred = lastpass_agree(r->times, r->count);

	if (r->count == 0)
		return 0;
	if (inferred != r->last)
		fail_msg("%s: inferred %lld, the scheduler wrote %lld", r->name,
			 (long long)inferred, r->last);
	return 1;
}

/* QUANTUM: round the terms as a command prints them; 0 keeps them. How many recordings agreed. */
static unsigned every_recording(double quantum)
{
	const char *srcdir = getenv("srcdir");
	struct recording r = { .count = 0 };
	char path[4096], line[256];
	unsigned checked = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/data/lastpass.tsv", srcdir ? srcdir : ".");
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		long long since;
		double term;

		if (strncmp(line, "pass", 4) == 0) {
			checked += check(&r);
			r.count = 0;
			assert_int_equal(sscanf(line, "pass\t%63s\t%lld\t%u\t%lld", r.name,
						&r.last, &r.weight, &r.max_age), 4);
		} else if (sscanf(line, "job\t%lld\t%lf", &since, &term) == 2) {
			assert_true(r.count < JOBS_MAX);
			if (quantum > 0)
				term = round(term / quantum) * quantum;
			r.times[r.count++] = lastpass_of_job(term, quantum, r.weight, r.max_age,
							     since);
		}
	}
	fclose(file);
	return checked + check(&r);
}

static void from_full_precision(void **state)
{
	(void)state;
	assert_int_equal(every_recording(0), 9);
}

/* `sprio -n` prints seven decimals of the factor: enough, even with rounding. */
static void from_seven_decimals(void **state)
{
	(void)state;
	assert_int_equal(every_recording(1e-7 * 10000), 9);
}

/* A term without decimals moves by more than a second: rather nothing than something wrong. */
static void from_too_few_digits(void **state)
{
	(void)state;
	assert_int_equal(lastpass_of_job(61, 1, 10000, 7200, 1700000000), I64_UNKNOWN);
}

static void says_nothing(void **state)
{
	(void)state;
	assert_int_equal(lastpass_of_job(0, 0, 1000, 600, 1700000000), I64_UNKNOWN);
	assert_int_equal(lastpass_of_job(1000, 0, 1000, 600, 1700000000), I64_UNKNOWN);
	assert_int_equal(lastpass_of_job(F64_UNKNOWN, 0, 1000, 600, 1700000000), I64_UNKNOWN);
	assert_int_equal(lastpass_of_job(500, 0, 0, 600, 1700000000), I64_UNKNOWN);
	assert_int_equal(lastpass_of_job(500, 0, 1000, 0, 1700000000), I64_UNKNOWN);
	assert_int_equal(lastpass_of_job(500, 0, 1000, 600, I64_UNKNOWN), I64_UNKNOWN);
	assert_int_equal(lastpass_of_job(500.3, 0, 1000, 600, 1700000000), I64_UNKNOWN);
	assert_int_equal(lastpass_of_job(500, 0, 1000, 600, 1700000000), 1700000300);
	assert_int_equal(lastpass_agree(NULL, 0), I64_UNKNOWN);
}

static void agreement(void **state)
{
	int64_t some[] = { 7, I64_UNKNOWN, 5, 7, 9, I64_UNKNOWN, I64_UNKNOWN };
	int64_t tie[] = { 9, 5, 9, 5, 4 };
	int64_t none[] = { I64_UNKNOWN, I64_UNKNOWN };

	(void)state;
	assert_int_equal(lastpass_agree(some, 7), 7);
	assert_int_equal(lastpass_agree(tie, 5), 5);
	assert_int_equal(lastpass_agree(none, 2), I64_UNKNOWN);
}

static void between_two_readings(void **state)
{
	static const double before[] = { 100, 60, 40, 0 }, more[] = { 110, 70, 40, 0 },
			    decayed[] = { 105, 69, 39.9, 0 };

	(void)state;
	assert_false(lastpass_between(before, before, 4));
	assert_false(lastpass_between(before, more, 4));	/* a job ended */
	assert_true(lastpass_between(before, decayed, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(from_full_precision),
		cmocka_unit_test(from_seven_decimals),
		cmocka_unit_test(from_too_few_digits),
		cmocka_unit_test(says_nothing),
		cmocka_unit_test(agreement),
		cmocka_unit_test(between_two_readings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
