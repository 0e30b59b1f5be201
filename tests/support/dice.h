/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dice: random numbers of tests, on top of core's.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_DICE_H
#define FAIRTOP_TESTS_SUPPORT_DICE_H

#include "core/base/dice.h"

/* A double of any size, a ratio, a short decimal, or a power of two and its neighbours; finite. */
double dice_double(uint64_t *state);

#endif
