/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/decay_policy.h"

#include <math.h>
#include <string.h>

static bool decay_is_pbs(const struct cluster *c)
{
	return policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_PBS;
}

/* 1 if invalid: the scheduler refuses such a configuration. */
static double decay_pbs_factor(const struct policy *p)
{
	double factor;

	if (!policy_real(p, policy_param("fairshare_decay_factor"), &factor) || factor <= 0 ||
	    factor >= 1)
		return 1;
	return (float)factor;
}

int64_t decay_period(const struct cluster *c)
{
	const struct policy *p = cluster_policy(c);

	if (!decay_is_pbs(c))
		return !policy_hides(p, "PriorityCalcPeriod") && p->calc_period > 0
			       ? p->calc_period
			       : I64_UNKNOWN;
	return !policy_hides(p, "fairshare_decay_time") &&
			       p->fairshare_decay_time > 0
		       ? p->fairshare_decay_time
		       : I64_UNKNOWN;
}

int64_t decay_half_life(const struct cluster *c)
{
	const struct policy *p = cluster_policy(c);
	double factor = decay_pbs_factor(p);

	if (!decay_is_pbs(c))
		return policy_hides(p, "PriorityDecayHalfLife") ? 0 : p->half_life;
	if (decay_period(c) == I64_UNKNOWN || factor >= 1)
		return 0;
	return (int64_t)ceil((double)p->fairshare_decay_time * log(0.5) / log(factor));
}

/* Usage of the past decays N times; usage of each interval decays once per decay after it. */
static struct burn over_pbs(const struct policy *p, int64_t since, int64_t dt)
{
	int64_t period = p->fairshare_decay_time, first = period - since % period;
	int64_t n = dt < first ? 0 : 1 + (dt - first) / period;
	double f = decay_pbs_factor(p), left = pow(f, (double)n), sum;

	if (n == 0)
		return (struct burn){ 1, (double)dt };
	/* f + f^2 + ... + f^(n-1) */
	sum = f < 1 ? (f - left) / (1 - f) : (double)(n - 1);
	return (struct burn){ left, (double)first * left + (double)period * sum +
				    (double)((dt - first) % period) };
}

struct burn decay_after(const struct cluster *c, int64_t dt)
{
	const struct policy *p = cluster_policy(c);
	const struct cluster_meta *meta = cluster_meta(c);
	bool known = meta->time != I64_UNKNOWN && meta->last_decay != I64_UNKNOWN &&
		     meta->time >= meta->last_decay;

	if (!decay_is_pbs(c))
		return burn_over(p->half_life, p->calc_period, dt);
	if (decay_period(c) == I64_UNKNOWN || dt <= 0)
		return (struct burn){ 1, dt > 0 ? (double)dt : 0 };
	return over_pbs(p, known ? meta->time - meta->last_decay : 0, dt);
}

int64_t decay_next_reset(const struct cluster *c, const struct calendar *calendar, int64_t now)
{
	const struct cluster_meta *meta = cluster_meta(c);
	int64_t last = meta->last_reset != I64_UNKNOWN ? meta->last_reset :
		       meta->boot != I64_UNKNOWN ? meta->boot : now;
	int64_t next;

	if (now == I64_UNKNOWN || decay_is_pbs(c) ||
	    policy_hides(cluster_policy(c), "PriorityUsageResetPeriod") ||
	    !reset_next(cluster_policy(c)->reset_period, last, now, calendar, &next))
		return I64_UNKNOWN;
	return next;
}

int64_t decay_reset(const struct cluster *c, const struct calendar *calendar, int64_t now,
		    int64_t dt)
{
	int64_t at = I64_UNKNOWN, next = decay_next_reset(c, calendar, now),
		period = decay_period(c);

	while (next != I64_UNKNOWN && next - now <= dt) {
		at = next - now;
		next = decay_next_reset(c, calendar, next);
	}
	if (at == I64_UNKNOWN || period == I64_UNKNOWN)
		return at;
	return (at - 1) / period * period;
}

double decay_least(const struct cluster *c)
{
	return decay_is_pbs(c) ? 1 : 0;
}
