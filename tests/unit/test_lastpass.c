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

#include "core/cluster/lastpass.h"
#include "core/base/unknown.h"
#include "tests/support/data.h"

#define JOBS_MAX 500

struct recording {
	char name[64];
	long long last;
	unsigned weight;
	long long max_age;
	struct lastpass_reported reported[JOBS_MAX];
	size_t count;
	bool any;
};

static unsigned check(struct recording *r)
{
	int64_t inferred = lastpass_agree(r->reported, r->count);

	if (!r->any)
		return 0;
	if (inferred != r->last)
		fail_msg("%s: inferred %lld, the scheduler wrote %lld", r->name,
			 (long long)inferred, r->last);
	return 1;
}

/* Returns how many recordings agree, with terms rounded to QUANTUM as printed; 0: not rounded. */
static unsigned every_recording(double quantum)
{
	struct recording r = { .any = false };
	char path[4096], line[256];
	unsigned checked = 0;
	FILE *file;

	file = fopen(data_path("lastpass.tsv", path, sizeof(path)), "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		long long since;
		double term;

		if (strncmp(line, "pass", 4) == 0) {
			checked += check(&r);
			r.count = 0;
			r.any = true;
			assert_int_equal(sscanf(line, "pass\t%63s\t%lld\t%u\t%lld", r.name,
						&r.last, &r.weight, &r.max_age), 4);
		} else if (sscanf(line, "job\t%lld\t%lf", &since, &term) == 2) {
			assert_true(r.count < JOBS_MAX);
			if (quantum > 0)
				term = round(term / quantum) * quantum;
			r.count += lastpass_of_job(term, quantum / 2, r.weight, r.max_age, since,
						   &r.reported[r.count]);
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

/* `sprio -n` prints seven decimals of the factor: enough even when rounded. */
static void from_seven_decimals(void **state)
{
	(void)state;
	assert_int_equal(every_recording(1e-7 * 10000), 9);
}

/* Integers only: each job leaves most of a second open, all jobs together little enough. */
static void from_whole_points(void **state)
{
	(void)state;
	assert_int_equal(every_recording(1), 9);
}

static bool tells(double term, double doubt, uint32_t weight, int64_t max_age, int64_t since)
{
	struct lastpass_reported reported;

	return lastpass_of_job(term, doubt, weight, max_age, since, &reported);
}

static void says_nothing(void **state)
{
	(void)state;
	assert_true(tells(500, 0, 1000, 600, 1700000000));
	assert_false(tells(0, 0, 1000, 600, 1700000000));
	assert_false(tells(1000, 0, 1000, 600, 1700000000));
	assert_false(tells(0.3, 0.5, 1000, 600, 1700000000));
	assert_false(tells(F64_UNKNOWN, 0, 1000, 600, 1700000000));
	assert_false(tells(500, 0, 0, 600, 1700000000));
	assert_false(tells(500, 0, 1000, 0, 1700000000));
	assert_false(tells(500, 0, 1000, I64_INFINITE, 1700000000));
	assert_false(tells(500, 0, 1000, 600, I64_UNKNOWN));
	assert_false(tells(500.3, 0, 1000, 600, 1700000000));	/* no whole second fits */
	assert_int_equal(lastpass_agree(NULL, 0), I64_UNKNOWN);
}

static void agreement(void **state)
{
	static const struct lastpass_reported some[] = { { 6.9, 7.1 },
							 { 5, 5 },
							 { 7, 7 },
							 { 9, 9 } },
					      tie[] = { { 9, 9 }, { 5, 5 }, { 9, 9 }, { 5, 5 } },
					      wide[] = { { 100, 107 }, { 100, 120 } },
					      narrowed[] = { { 100, 107 },
							     { 105, 120 },
							     { 50, 51 } };

	(void)state;
	assert_int_equal(lastpass_agree(some, 4), 7);
	assert_int_equal(lastpass_agree(tie, 4), 5);
	assert_int_equal(lastpass_agree(wide, 2), I64_UNKNOWN);
	assert_int_equal(lastpass_agree(narrowed, 3), 106);
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
		cmocka_unit_test(from_whole_points),
		cmocka_unit_test(says_nothing),
		cmocka_unit_test(agreement),
		cmocka_unit_test(between_two_readings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
