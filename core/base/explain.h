/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain: a derivation as a list of steps, produced where the value is computed.
 *
 * Each step has a name ("U"), the formula in symbols ("W / W_root"), the same with the numbers of
 * this row in it ("1.5e+06 / 6e+06"), the value, and a note in words. The numbers are the ones the
 * engine used, never re-derived.
 */
#ifndef FAIRTOP_CORE_BASE_EXPLAIN_H
#define FAIRTOP_CORE_BASE_EXPLAIN_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/base/value.h"

#define EXPLAIN_TEXT_MAX 200

struct explain_step {
	char name[32];
	char formula[EXPLAIN_TEXT_MAX];
	char with[EXPLAIN_TEXT_MAX];
	double value;			/* NaN: no number, see note */
	double reported;		/* the scheduler's own number; NaN if it reports none */
	enum value_origin origin;	/* of the value */
	char note[EXPLAIN_TEXT_MAX];
};

struct explain {
	struct explain_step *steps;	/* owned */
	size_t count, capacity;
};

void explain_init(struct explain *e);
void explain_free(struct explain *e);

/* X as written in a formula: its fewest digits, or "unknown". */
struct explain_digits {
	char s[VALUE_DOUBLE_MAX];
};
struct explain_digits explain_number(double x);

/* "reported: 0.25"; "" if nothing was reported, or the value is the reported one. */
struct explain_reported {
	char s[VALUE_DOUBLE_MAX + 48];
};
struct explain_reported explain_reported(const struct explain_step *s);

/*
 * Appends a step and returns it (valid until the next). FORMULA may be NULL, and set later. Texts
 * longer than the field are cut.
 */
struct explain_step *explain_add(struct explain *e, const char *name, double value,
				 const char *formula);
void explain_formula(struct explain_step *s, const char *format, ...) ERR_PRINTF(2, 3);
void explain_with(struct explain_step *s, const char *format, ...) ERR_PRINTF(2, 3);
void explain_note(struct explain_step *s, const char *format, ...) ERR_PRINTF(2, 3);

#endif
