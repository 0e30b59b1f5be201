/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_formula: PBS's job_sort_formula, parsed and evaluated.
 *
 * The scheduler hands the formula to Python, between quotes and with the names of the module math.
 * What sites write into it is understood here without one: numbers, names, arithmetic, bits,
 * comparisons (chained, too), and, or, not, "x if c else y", the functions of pbs_number.c, and
 * lists for min, max and sum. Anything else is refused with its name, and the values are then
 * unknown. An exception in Python (division by zero, log(0)) is caught and gives 0, as in the
 * scheduler. A result that is no number (complex) is not caught: what that job and the next get
 * depends on Python, and is unknown. The value is in single precision. Source: openpbs,
 * src/scheduler/job_info.cpp, formula_evaluate(), and data_types.h, job_info.formula_value.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_FORMULA_H
#define FAIRTOP_CORE_QUEUE_PBS_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

struct pbs_formula;

/* ERR_INPUT with what was found and where. The text is copied. */
struct pbs_formula *pbs_formula_parse(const char *text, struct err *err);
void pbs_formula_free(struct pbs_formula *f);

/* The distinct names in it, in order of appearance. */
size_t pbs_formula_names(const struct pbs_formula *f);
const char *pbs_formula_name(const struct pbs_formula *f, size_t i);

/*
 * The value for VALUES, one per name; NaN if one that counts is NaN. *FAILED (may be NULL) tells
 * that Python would have raised an exception: the value is 0 then.
 */
double pbs_formula_value(const struct pbs_formula *f, const double *values, bool *failed);

/*
 * Its terms: what is added up at the top. Their texts begin with "-" where they are subtracted;
 * their values add up to that of the formula, but for its single precision.
 */
size_t pbs_formula_terms(const struct pbs_formula *f);
const char *pbs_formula_term(const struct pbs_formula *f, size_t i);
double pbs_formula_term_value(const struct pbs_formula *f, size_t i, const double *values);

#endif
