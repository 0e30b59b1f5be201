/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dice: random numbers that are the same in every run (SplitMix64).
 */
#ifndef FAIRTOP_TESTS_SUPPORT_DICE_H
#define FAIRTOP_TESTS_SUPPORT_DICE_H

#include <stdint.h>

static inline uint64_t dice(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static inline uint32_t dice_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)((dice(state) >> 32) * n >> 32);
}

/* A double of any size, a ratio, a short decimal, or a power of two and its neighbours; finite. */
double dice_double(uint64_t *state);

#endif
