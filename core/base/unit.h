/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit: what the numbers of a field or a column are counted in.
 */
#ifndef FAIRTOP_CORE_BASE_UNIT_H
#define FAIRTOP_CORE_BASE_UNIT_H

enum unit {
	UNIT_NONE, UNIT_RATIO, UNIT_PERCENT, UNIT_SECONDS, UNIT_TIME, UNIT_TRES_SECONDS,
	UNIT_TRES_MINUTES, UNIT_MIB, UNIT_POINTS, UNIT_TRES_SECONDS_PER_HOUR,
	UNIT_COUNT
};

const char *unit_name(enum unit unit);		/* "" for none; "s", "TRES-s", ... */

#endif
