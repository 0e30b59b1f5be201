/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/unit.h"

#include <assert.h>

static const char *const unit_names[UNIT_COUNT] = {
	[UNIT_NONE] = "", [UNIT_RATIO] = "", [UNIT_PERCENT] = "%", [UNIT_SECONDS] = "s",
	[UNIT_TIME] = "Unix time", [UNIT_TRES_SECONDS] = "TRES-s",
	[UNIT_TRES_MINUTES] = "TRES-min", [UNIT_MIB] = "MiB", [UNIT_POINTS] = "points",
	[UNIT_TRES_SECONDS_PER_HOUR] = "TRES-s/h",
};

const char *unit_name(enum unit unit)
{
	assert(unit < UNIT_COUNT);
	return unit_names[unit];
}
