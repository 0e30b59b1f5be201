/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * factors: the weighted factors of every job's priority, as one table (factors.def). Their weights
 * are parameters (policy.h), their terms fields (fields.h); TRES, site and nice are not among them.
 */
#ifndef FAIRTOP_CORE_CLUSTER_FACTORS_H
#define FAIRTOP_CORE_CLUSTER_FACTORS_H

#include "core/cluster/fields.h"

/* In the order in which they are added. */
enum prio_factor {
#define FACTOR(id, ...) PRIO_##id,
#include "core/cluster/factors.def"
	PRIO_FACTORS
};

struct factor_info {
	const char *name;	/* "age": in maps of terms; its column is term_age */
	const char *title;	/* of its column in sprio: "AGE" */
	const char *param;	/* "PriorityWeightAge" */
	const char *edit;	/* "weight.age" */
	const char *change;	/* "terms.age", in lists of changes */
	enum field term;	/* as the scheduler reports it, weight included */
	uint32_t plain;		/* enum policy_flag: not normalised; 0: always within [0, 1] */
};

extern const struct factor_info factor_info[PRIO_FACTORS];

#endif
