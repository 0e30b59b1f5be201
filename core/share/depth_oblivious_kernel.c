/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A million associations take a logarithm and two exponentials each, and branches that no processor
 * can predict: which is where the time goes. So the work is cut into loops without branches over
 * blocks that stay in the first cache, and each loop does one thing: loads from the family's
 * record, a logarithm, the choice of k, an exponential, and so on. Compilers vectorise such loops;
 * the two functions of the C library come in vector form from glibc's libmvec, declared below as
 * its own header does under -ffast-math (which this file must not have: NaN means unknown). An
 * exponential in the same loop as the choice that uses it would be moved behind a branch again.
 *
 * This is plain C everywhere: without gcc, x86-64 or glibc the same loops are scalar. The makefile
 * gives this file -fno-math-errno and -fno-trapping-math, without which calls and comparisons may
 * not be reordered.
 */
#include "core/share/depth_oblivious_kernel.h"

#include <math.h>
#include <stdbool.h>

#include "core/share/fairshare.h"

#if defined(FAIRTOP_SIMD) && defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
	defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 22)
#define VECTOR_MATH 1
extern double log(double) __attribute__((simd("notinbranch")));
extern double exp(double) __attribute__((simd("notinbranch")));
#endif

/* Not for clang, which warns of every such loop that it leaves scalar. */
#ifdef VECTOR_MATH
#define EACH_ROW _Pragma("omp simd")
#else
#define EACH_ROW
#endif

#ifdef __GNUC__
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

#define LN2 0.693147180559945309417

/* A logarithm this close to 0 is rounding: the ratio is 1, and k is 1 by definition. */
#define ROUNDING 1e-15

#define LEAST_EXPONENT (-690.0)

#define NOT_APPLIED (-1.0)		/* in place of r_l, which is never negative */

/* One block on its way; the rest is written to where it is wanted at once. */
struct block {
	double x[DO_BLOCK];		/* what the next function is applied to */
	double local[DO_BLOCK];		/* r_l */
	double log_ratio[DO_BLOCK], against[DO_BLOCK];	/* of the family */
};

/* S, U, r and r_l. */
INLINE void load(struct block *b, const struct do_rows *r, const struct do_family *families,
		 const struct do_usage *usage, uint32_t n)
{
	const double *source = r->source;
	const uint32_t *shares = r->shares, *family = r->family;
	double *out_shares = r->norm_shares, *out_usage = r->norm_usage, *out_own = r->usage_ratio;
	double whole = usage->whole, limit = usage->limit, above = usage->above;

	EACH_ROW
	for (uint32_t i = 0; i < n; i++) {
		const struct do_family *f = &families[family[i]];
		double s = (double)shares[i] * f->shares_scale;
		double part = source[i] / whole;
		double u = part > limit ? above : part;
		double own = s == 0 ? (double)NAN : u / s;
		bool zero = (u == 0) | (f->sum_scale == 0) | (s == 0);
		double local = zero ? NOT_APPLIED : own * f->sum_scale;

		out_shares[i] = s;
		out_usage[i] = u;
		out_own[i] = own;
		b->local[i] = local;
		b->x[i] = zero ? 1 : local;
		b->log_ratio[i] = f->log_ratio;
		b->against[i] = f->against;
	}
}

INLINE void take_log(double *x, uint32_t n)
{
	EACH_ROW
	for (uint32_t i = 0; i < n; i++)
		x[i] = log(x[i]);
}

INLINE void take_exp(double *x, uint32_t n)
{
	EACH_ROW
	for (uint32_t i = 0; i < n; i++)
		x[i] = exp(x[i]);
}

/* ln r_l becomes ln R; the factor of the family becomes the row's own k. */
INLINE void choose_k(struct block *b, uint32_t n)
{
	EACH_ROW
	for (uint32_t i = 0; i < n; i++) {
		double l = b->x[i];
		bool along = (b->log_ratio[i] * l >= 0) | (fabs(l) < ROUNDING);
		double k = along ? 1 : b->against[i];

		b->against[i] = k;
		b->x[i] = b->log_ratio[i] + k * l;
	}
}

/* E and R; R replaces its logarithm. */
INLINE void store_ratios(struct block *b, const struct do_rows *r, uint32_t n)
{
	const double *shares = r->norm_shares, *usage = r->norm_usage, *own = r->usage_ratio;
	double *effective = r->effective_usage, *ratio = r->effective_ratio;

	EACH_ROW
	for (uint32_t i = 0; i < n; i++) {
		bool formula = !(b->local[i] == NOT_APPLIED);
		double result = formula ? b->x[i] : own[i];

		b->x[i] = result;
		ratio[i] = result;
		effective[i] = formula ? result * shares[i] : usage[i];
	}
}

INLINE void store_parts(const struct block *b, const struct do_rows *r, uint32_t n)
{
	double *local = r->local_ratio, *k = r->k;

	EACH_ROW
	for (uint32_t i = 0; i < n; i++) {
		bool known = b->local[i] >= 0;

		local[i] = known ? b->local[i] : (double)NAN;
		k[i] = known ? b->against[i] : (double)NAN;
	}
}

/*
 * F = 2^(-R / d); none deserved, none given. Below 10^-300 it is 0: the exponential would get there
 * through denormal numbers, which take a hundred times as long.
 */
INLINE void store_factor(struct block *b, const struct do_rows *r, double damping, uint32_t n)
{
	const double *shares = r->norm_shares;
	double *factor = r->fairshare, scale = -LN2 / damping;

	EACH_ROW
	for (uint32_t i = 0; i < n; i++) {
		double exponent = b->x[i] * scale;
		bool none = (shares[i] == 0) | (exponent < LEAST_EXPONENT);

		b->x[i] = none ? 0 : exponent;
		factor[i] = none ? 0 : 1;
	}
	take_exp(b->x, n);
	EACH_ROW
	for (uint32_t i = 0; i < n; i++)
		factor[i] *= b->x[i];
}

INLINE void store_branch(const struct block *b, const struct do_rows *r, uint32_t n)
{
	const double *effective = r->effective_usage, *shares = r->norm_shares;
	const uint32_t *family = r->family;
	uint8_t *branch = r->branch;

	EACH_ROW
	for (uint32_t i = 0; i < n; i++) {
		uint8_t plain = family[i] == 0 ? FS_BRANCH_FIRST_LEVEL : FS_BRANCH_ZERO;
		uint8_t known = b->local[i] == NOT_APPLIED ? plain : FS_BRANCH_FORMULA;
		double sum = effective[i] + shares[i];

		branch[i] = sum == sum ? known : FS_BRANCH_UNKNOWN;
	}
}

/* The lines of COUNT numbers will be written soon: have them come while something is computed. */
INLINE void expect(double *p, uint32_t count)
{
#ifdef __GNUC__
	for (uint32_t i = 0; i < count; i += 8)
		__builtin_prefetch(p + i, 1);
#else
	(void)p;
	(void)count;
#endif
}

INLINE void rows_block(const struct do_rows *r, const struct do_family *families,
		       const struct do_usage *usage, double damping)
{
	struct block b;
	uint32_t n = r->count;

	load(&b, r, families, usage, n);
	expect(r->effective_ratio, n);
	expect(r->effective_usage, n);
	take_log(b.x, n);
	choose_k(&b, n);
	expect(r->local_ratio, n);
	expect(r->k, n);
	expect(r->fairshare, n);
	take_exp(b.x, n);
	store_ratios(&b, r, n);
	store_parts(&b, r, n);
	store_factor(&b, r, damping, n);
	store_branch(&b, r, n);
}

/* Outside the formula ln R is the logarithm of r. */
INLINE void accounts_block(const struct do_rows *rows, const struct do_family *families,
			   const struct do_usage *usage)
{
	struct block b;
	double norm_usage[DO_BLOCK], usage_ratio[DO_BLOCK];
	struct do_rows r = *rows;
	uint32_t n = r.count;
	double *log_ratio = r.log_ratio;

	r.norm_usage = norm_usage;
	r.usage_ratio = usage_ratio;
	load(&b, &r, families, usage, n);
	take_log(b.x, n);
	choose_k(&b, n);
	EACH_ROW
	for (uint32_t i = 0; i < n; i++)
		log_ratio[i] = b.x[i];
	take_exp(b.x, n);
	store_ratios(&b, &r, n);
	take_log(usage_ratio, n);
	EACH_ROW
	for (uint32_t i = 0; i < n; i++)
		log_ratio[i] = b.local[i] == NOT_APPLIED ? usage_ratio[i] : log_ratio[i];
}

/* ---- the same for each kind of processor --------------------------------------------------- */

static void rows_plain(const struct do_rows *r, const struct do_family *families,
		       const struct do_usage *usage, double damping)
{
	rows_block(r, families, usage, damping);
}

static void accounts_plain(const struct do_rows *r, const struct do_family *families,
			   const struct do_usage *usage)
{
	accounts_block(r, families, usage);
}

static bool runs_plain(void)
{
	return true;
}

#ifdef VECTOR_MATH
#define AVX2   __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,prefer-vector-width=512")))

AVX2 static void rows_avx2(const struct do_rows *r, const struct do_family *families,
			   const struct do_usage *usage, double damping)
{
	rows_block(r, families, usage, damping);
}

AVX2 static void accounts_avx2(const struct do_rows *r, const struct do_family *families,
			       const struct do_usage *usage)
{
	accounts_block(r, families, usage);
}

static bool runs_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

AVX512 static void rows_avx512(const struct do_rows *r, const struct do_family *families,
			       const struct do_usage *usage, double damping)
{
	rows_block(r, families, usage, damping);
}

AVX512 static void accounts_avx512(const struct do_rows *r, const struct do_family *families,
				   const struct do_usage *usage)
{
	accounts_block(r, families, usage);
}

static bool runs_avx512(void)
{
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
	       __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}
#endif

const struct do_kernel do_kernels[] = {
#ifdef VECTOR_MATH
	{ "AVX-512", runs_avx512, rows_avx512, accounts_avx512 },
	{ "AVX2", runs_avx2, rows_avx2, accounts_avx2 },
#endif
	{ "plain", runs_plain, rows_plain, accounts_plain },
};
const size_t do_kernel_count = sizeof(do_kernels) / sizeof(do_kernels[0]);

const struct do_kernel *do_kernel_best(void)
{
	size_t i = 0;

	while (!do_kernels[i].runs_here())
		i++;
	return &do_kernels[i];
}
