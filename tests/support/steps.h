/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps: what a step of an explanation shows, computed again from what it shows.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_STEPS_H
#define FAIRTOP_TESTS_SUPPORT_STEPS_H

#include <stdbool.h>

#include "core/base/explain.h"

/* + - * / ^ ( ) and numbers, ^ binds tightest and to the right; NaN for anything else. */
double steps_calculate(const char *text);

/*
 * Does the equation hold that S prints? If not that is told, of WHERE. What could be computed again
 * is counted in *CALCULATED. With an operand that is unknown no value may stand.
 */
bool steps_right(const struct explain_step *s, double tolerance, const char *where,
		 unsigned *calculated);

#endif
