/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps: checks the steps of an explanation by computing them again from what they show.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_STEPS_H
#define FAIRTOP_TESTS_SUPPORT_STEPS_H

#include <stdbool.h>

#include "core/base/explain.h"

/* Evaluates numbers, + - * / ^ ( ); ^ binds tightest and to the right. NaN for anything else. */
double steps_calculate(const char *text);

/*
 * Does the equation that S prints hold? If not, prints WHERE it does not. *CALCULATED counts the
 * equations that could be computed again. If an operand is unknown, the value must be, too.
 */
bool steps_right(const struct explain_step *s, double tolerance, const char *where,
		 unsigned *calculated);

#endif
