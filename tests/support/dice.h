/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dice: random numbers for tests, in addition to core's.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_DICE_H
#define FAIRTOP_TESTS_SUPPORT_DICE_H

#include "core/base/dice.h"

/* Finite: a double of any size, a ratio, a short decimal, or a power of two or next to one. */
double dice_double(uint64_t *state);

#endif
