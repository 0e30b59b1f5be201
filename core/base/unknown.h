/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unknown: the value of what a source does not report; never zero.
 *
 * Numbers of type u32 use Slurm's own two marks, so that its values pass through unchanged.
 */
#ifndef FAIRTOP_CORE_BASE_UNKNOWN_H
#define FAIRTOP_CORE_BASE_UNKNOWN_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define U32_UNKNOWN	UINT32_C(0xfffffffe)	/* Slurm's NO_VAL */
#define U32_INFINITE	UINT32_C(0xffffffff)	/* Slurm's INFINITE: no limit */
#define I64_UNKNOWN	INT64_MIN
#define I64_INFINITE	INT64_MAX		/* no limit */
#define F64_UNKNOWN	((double)NAN)		/* no limit is +INFINITY */
#define BOOL_UNKNOWN	UINT8_C(255)
#define ROW_NONE	UINT32_MAX		/* no such row */
#define TEXT_NONE	UINT32_C(0)		/* text, list and TRES handles: unknown */

/* Raw shares "parent": Slurm's SLURMDB_FS_USE_PARENT; no other share count may have this value. */
#define SHARES_PARENT	UINT32_C(0x7fffffff)

/*
 * Bound of the integers of a source, besides the marks: sums and differences of a few of them
 * cannot overflow, and doubles represent them exactly.
 */
#define I64_MOST	(INT64_C(1) << 53)

static inline bool i64_fits(int64_t x)
{
	return x >= -I64_MOST && x <= I64_MOST;
}

static inline bool f64_known(double value)
{
	return !isnan(value);
}

#endif
