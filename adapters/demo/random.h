/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random: the demo's dice. SplitMix64 (Steele, Lea, Flood 2014): the same numbers everywhere.
 *
 * Each purpose has a stream of its own, so that asking for more jobs leaves the accounts alone.
 */
#ifndef FAIRTOP_ADAPTERS_DEMO_RANDOM_H
#define FAIRTOP_ADAPTERS_DEMO_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

static inline uint64_t random_mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static inline uint64_t random_next(struct random *r)
{
	r->state += UINT64_C(0x9e3779b97f4a7c15);
	return random_mix(r->state);
}

static inline struct random random_stream(uint64_t seed, uint64_t purpose)
{
	struct random r = { random_mix(seed) ^ random_mix(~purpose) };

	return r;
}

/* 0 to N - 1; N > 0. */
static inline uint32_t random_below(struct random *r, uint32_t n)
{
	return (uint32_t)((random_next(r) >> 32) * n >> 32);
}

static inline bool random_percent(struct random *r, uint32_t percent)
{
	return random_below(r, 100) < percent;
}

#endif
