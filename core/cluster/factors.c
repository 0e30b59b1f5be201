/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/factors.h"

#include "core/cluster/policy.h"

const struct factor_info factor_info[PRIO_FACTORS] = {
#define FACTOR(id, name, parameter, field, key, flag, ...) \
	{ name, #id, parameter, "weight." name, "terms." name, F_PRIO_##field, flag },
#include "core/cluster/factors.def"
};
