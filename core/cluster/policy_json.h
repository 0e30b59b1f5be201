/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An object of the parameters that were read or are not the scheduler's default, under its own
 * names; absent ones have the default. Numbers are in base units ("PriorityDecayHalfLife":604800),
 * no limit is "inf", switches are true or false, PriorityFlags is a list of words,
 * PriorityWeightTRES an object of numbers per TRES (or the text as written, if it cannot be read),
 * all else a string.
 */
#ifndef FAIRTOP_CORE_CLUSTER_POLICY_JSON_H
#define FAIRTOP_CORE_CLUSTER_POLICY_JSON_H

#include "core/base/jsonw.h"
#include "core/cluster/policy.h"

void policy_json(struct jsonw *j, const struct policy *p);

#endif
