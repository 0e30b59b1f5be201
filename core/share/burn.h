/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * burn: usage after some passes, in closed form.
 *
 * A pass multiplies usage by Q = q^p, p the pass period, and adds what a constant rate b charged in
 * the period, decayed by its full length: W <- W Q + b p Q. After n passes and a rest of r seconds
 *
 *	W q^(np+r) + b (p Q (1 - Q^n) / (1 - Q) q^r + r q^r)
 *
 * Source: decay.h has the formula of a single pass.
 */
#ifndef FAIRTOP_CORE_SHARE_BURN_H
#define FAIRTOP_CORE_SHARE_BURN_H

#include <stdint.h>

struct burn {
	double left;		/* part of the usage that remains */
	double gained;		/* usage added at a rate of one TRES-second per second */
};

/* DT >= 0; PERIOD <= 0 means one pass of DT. */
struct burn burn_over(int64_t half_life, int64_t period, int64_t dt);

#endif
