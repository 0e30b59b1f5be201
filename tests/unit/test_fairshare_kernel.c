/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The depth-oblivious kernel: what every variant for this processor makes of a block of rows, edges
 * and unknown values included, against the formulas in long double.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/share/depth_oblivious_kernel.h"
#include "core/share/fairshare.h"
#include "tests/support/compare.h"
#include "tests/support/gen_tree.h"

#define FAMILIES 20u

struct block {
	struct do_family families[FAMILIES];
	double source[DO_BLOCK];
	uint32_t shares[DO_BLOCK], family[DO_BLOCK];
	/* Results. */
	double s[DO_BLOCK], u[DO_BLOCK], e[DO_BLOCK], r[DO_BLOCK], local[DO_BLOCK], k[DO_BLOCK];
	double ratio[DO_BLOCK], factor[DO_BLOCK], log_ratio[DO_BLOCK];
	uint8_t branch[DO_BLOCK];
};

static const struct do_usage usage = { 1000, 1, 1 };

static void fill(struct block *b, uint64_t seed)
{
	memset(b, 0, sizeof(*b));
	for (uint32_t f = 0; f < FAMILIES; f++) {
		double l = 8 * gen_unit(&seed) - 4;

		b->families[f] = (struct do_family){ 1e-4 * gen_unit(&seed),
						     f % 7 == 0 ? 0 : gen_unit(&seed), l,
						     1 / (1 + 25 * l * l) };
	}
	b->families[3].shares_scale = 0;
	b->families[4].sum_scale = NAN;
	b->families[5].shares_scale = NAN;
	b->families[6].log_ratio = 0;
	b->families[6].against = 1;
	for (uint32_t i = 0; i < DO_BLOCK; i++) {
		b->family[i] = (uint32_t)(gen_next(&seed) % FAMILIES);
		b->shares[i] =
			i % 11 == 0 ? 0 : (uint32_t)(gen_next(&seed) >> (i % 5 == 0 ? 32 : 54));
		b->source[i] = i % 5 == 0 ? 0 : i % 17 == 0 ? NAN : 1100 * gen_unit(&seed);
	}
	b->shares[7] = UINT32_C(0xfffffff0);	/* more than 2^31 */
}

static struct do_rows rows_of(struct block *b, uint32_t count)
{
	return (struct do_rows){ count, b->source, b->shares, b->family, b->s, b->u, b->e, b->r,
				 b->local, b->k, b->ratio, b->factor, b->log_ratio, b->branch };
}

/* The formulas of one row. */
static void expect_row(const struct block *b, uint32_t i, double damping, struct block *want)
{
	const struct do_family *f = &b->families[b->family[i]];
	long double s = (long double)b->shares[i] * f->shares_scale, own, local, l, k;
	double u = b->source[i] / usage.whole;
	bool applies;

	u = u > 1 ? 1 : u;
	own = s == 0 ? (long double)NAN : u / s;
	applies = !(s == 0) && !(u == 0) && f->sum_scale != 0;
	local = own * f->sum_scale;
	l = logl(local);
	k = f->log_ratio * l >= 0 ? 1 : f->against;
	want->s[i] = (double)s;
	want->u[i] = u;
	want->r[i] = (double)own;
	want->local[i] = applies ? (double)local : NAN;
	want->k[i] = applies && !isnan(local) ? (double)k : NAN;
	want->log_ratio[i] = (double)(applies ? f->log_ratio + k * l : logl(own));
	want->ratio[i] = (double)(applies ? expl(f->log_ratio + k * l) : own);
	want->e[i] = applies ? (double)(want->ratio[i] * s) : u;
	want->factor[i] = s == 0 ? 0 : exp2(-want->ratio[i] / damping);
	want->branch[i] = b->family[i] == 0 ? FS_BRANCH_FIRST_LEVEL : FS_BRANCH_ZERO;
	if (isnan(want->e[i] + want->s[i]))
		want->branch[i] = FS_BRANCH_UNKNOWN;
	else if (applies)
		want->branch[i] = FS_BRANCH_FORMULA;
}

static unsigned differing(const struct block *is, const struct block *want, uint32_t count,
			  const char *variant)
{
	unsigned different = 0;

	for (uint32_t i = 0; i < count; i++) {
		char where[64];

		snprintf(where, sizeof(where), "%s row %u", variant, (unsigned)i);
		different += !compare_close(is->s[i], want->s[i], 1e-15, where, "S");
		different += !compare_close(is->u[i], want->u[i], 1e-15, where, "U");
		different += !compare_close(is->r[i], want->r[i], 1e-15, where, "r");
		different += !compare_close(is->local[i], want->local[i], 1e-15, where, "r_l");
		different += !compare_close(is->k[i], want->k[i], 1e-15, where, "k");
		different += !compare_close(is->ratio[i], want->ratio[i], 2e-14, where, "R");
		different += !compare_close(is->e[i], want->e[i], 2e-14, where, "E");
		if (!(fabs(is->factor[i] - want->factor[i]) <= 1e-15))
			different += !compare_close(is->factor[i], want->factor[i], 0, where, "F");
		different += is->branch[i] != want->branch[i];
	}
	return different;
}

static void test_rows(void **state)
{
	/* Whole blocks, and ends that fill no vector. */
	static const uint32_t counts[] = { DO_BLOCK, 1, 7, 8, 13, 510 };
	static struct block b, want;

	(void)state;
	for (size_t v = 0; v < do_kernel_count; v++) {
		if (!do_kernels[v].runs_here())
			continue;
		printf("  %s\n", do_kernels[v].name);
		for (uint32_t n = 0; n < 24; n++) {
			uint32_t count = counts[n % 6];
			struct do_rows r = rows_of(&b, count);
			double damping = 1 + n % 3;

			fill(&b, n);
			for (uint32_t i = 0; i < count; i++)
				expect_row(&b, i, damping, &want);
			do_kernels[v].rows(&r, b.families, &usage, damping);
			assert_int_equal(differing(&b, &want, count, do_kernels[v].name), 0);
			assert_true(count == DO_BLOCK || b.s[count] == 0);
		}
	}
}

static void test_accounts(void **state)
{
	static struct block b, want;
	unsigned different = 0;

	(void)state;
	for (size_t v = 0; v < do_kernel_count; v++) {
		struct do_rows r = rows_of(&b, DO_BLOCK);

		if (!do_kernels[v].runs_here())
			continue;
		fill(&b, 1);
		do_kernels[v].accounts(&r, b.families, &usage);
		for (uint32_t i = 0; i < DO_BLOCK; i++) {
			expect_row(&b, i, 1, &want);
			different +=
				!compare_close(b.s[i], want.s[i], 1e-15, do_kernels[v].name, "S");
			different +=
				!compare_close(b.e[i], want.e[i], 2e-14, do_kernels[v].name, "E");
			different += !compare_close(b.ratio[i], want.ratio[i], 2e-14,
						    do_kernels[v].name, "R");
			if (!(fabs(b.log_ratio[i] - want.log_ratio[i]) <= 1e-14))
				different += !compare_close(b.log_ratio[i], want.log_ratio[i], 0,
							    do_kernels[v].name, "ln R");
		}
	}
	assert_int_equal(different, 0);
}

/* Large ratios give 0 without a detour. */
static void test_tiny_factors(void **state)
{
	static struct block b;

	(void)state;
	for (size_t v = 0; v < do_kernel_count; v++) {
		struct do_rows r = rows_of(&b, 4);

		if (!do_kernels[v].runs_here())
			continue;
		memset(&b, 0, sizeof(b));
		b.families[0] = (struct do_family){ 1e-3, 0, 0, 1 };
		for (uint32_t i = 0; i < 4; i++) {
			b.shares[i] = 1;
			b.source[i] = i == 0 ? 990 : i == 1 ? 1000 : i == 2 ? 1 : 0;
		}
		do_kernels[v].rows(&r, b.families, &usage, 1);
		assert_true(b.factor[0] > 0 && fabs(b.factor[0] / exp2(-990) - 1) < 1e-12);
		assert_true(b.factor[1] == 0);
		assert_true(fabs(b.factor[2] - 0.5) < 1e-15);
		assert_true(b.factor[3] == 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_accounts),
		cmocka_unit_test(test_tiny_factors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
