/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dice: random numbers that are the same on every machine. SplitMix64 (Steele, Lea, Flood 2014).
 */
#ifndef FAIRTOP_CORE_BASE_DICE_H
#define FAIRTOP_CORE_BASE_DICE_H

#include <stdint.h>

/* Scatters the bits, one to one: also the hash of keys that are numbers. */
static inline uint64_t dice_mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static inline uint64_t dice_roll(uint64_t *state)
{
	*state += UINT64_C(0x9e3779b97f4a7c15);
	return dice_mix(*state);
}

/* Returns 0 to N - 1; N > 0. */
static inline uint32_t dice_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)((dice_roll(state) >> 32) * n >> 32);
}

/* Returns the initial state of a separate stream per PURPOSE; streams do not affect each other. */
static inline uint64_t dice_stream(uint64_t seed, uint64_t purpose)
{
	return dice_mix(seed) ^ dice_mix(~purpose);
}

#endif
