/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy_json: the policy as every JSON answer and the snapshot format write it.
 *
 *	{"PriorityWeightAge":1000,"PriorityDecayHalfLife":604800,"PriorityFlags":["DEPTH_OBLIVIOUS"],
 *	 "PriorityWeightTRES":{"cpu":2000}}
 *
 * The scheduler's own names; numbers in base units; yes and no as booleans. Only what was read is written: what is
 * absent has the scheduler's default.
 */
#ifndef FAIRTOP_CORE_POLICY_JSON_H
#define FAIRTOP_CORE_POLICY_JSON_H

#include "core/json.h"
#include "core/policy.h"

/* Writes the object where J expects a value. */
void policy_json(struct json *j, const struct policy *p);

#endif
