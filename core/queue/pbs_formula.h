/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_formula: parses and evaluates PBS's job_sort_formula.
 *
 * The scheduler passes the formula to Python, as a string, with the names of module math. Supported
 * here without Python: numbers, names, arithmetic, bits, comparisons (also chained), and, or, not,
 * "x if c else y", the functions of pbs_number.c, and lists for min, max and sum. Anything else is
 * refused by name, and the values are unknown. Python exceptions (division by zero, log(0)) give 0,
 * as in the scheduler. It does not catch a complex result: the values of that job and the next then
 * depend on Python, and are unknown. The value is in single precision. Source: openpbs,
 * src/scheduler/job_info.cpp, formula_evaluate(), and data_types.h, job_info.formula_value.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_FORMULA_H
#define FAIRTOP_CORE_QUEUE_PBS_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

struct pbs_formula;

/* ERR_INPUT says what was found and where. The text is copied. */
struct pbs_formula *pbs_formula_parse(const char *text, struct err *err);
void pbs_formula_free(struct pbs_formula *f);

/* Its distinct names, in order of appearance. */
size_t pbs_formula_names(const struct pbs_formula *f);
const char *pbs_formula_name(const struct pbs_formula *f, size_t i);

/*
 * Returns the value for VALUES, one per name; NaN if a needed one is NaN. *FAILED (may be NULL):
 * Python would have raised an exception; the value is 0.
 */
double pbs_formula_value(const struct pbs_formula *f, const double *values, bool *failed);

/*
 * Its terms: the summands of the outermost sum. Subtracted ones have texts with "-"; the values add
 * up to the formula's, except for its single precision.
 */
size_t pbs_formula_terms(const struct pbs_formula *f);
const char *pbs_formula_term(const struct pbs_formula *f, size_t i);
double pbs_formula_term_value(const struct pbs_formula *f, size_t i, const double *values);

#endif
