/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/base/zone.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/mem.h"

static bool zone_to_local(void *context, int64_t time, struct civil *civil)
{
	time_t t = (time_t)time;
	struct tm tm;

	(void)context;
	if (!localtime_r(&t, &tm))
		return false;
	*civil = (struct civil){
		.year = tm.tm_year + 1900, .month = tm.tm_mon + 1, .day = tm.tm_mday,
		.hour = tm.tm_hour, .minute = tm.tm_min, .second = tm.tm_sec, .weekday = tm.tm_wday,
	};
	return true;
}

static bool zone_to_time(void *context, const struct civil *civil, int64_t *time)
{
	struct tm tm = {
		.tm_year = civil->year - 1900, .tm_mon = civil->month - 1, .tm_mday = civil->day,
		.tm_hour = civil->hour, .tm_min = civil->minute, .tm_sec = civil->second,
		.tm_isdst = -1,
	};
	time_t t = mktime(&tm);

	(void)context;
	*time = (int64_t)t;
	return t != (time_t)-1;
}

const struct calendar zone_local = { .to_local = zone_to_local, .to_time = zone_to_time };

static char *zone_before;
static bool zone_entered;

void zone_enter(const char *zone)
{
	const char *have = getenv("TZ");

	assert(!zone_entered);
	if (!zone[0])
		return;
	zone_before = have ? mem_strdup(have) : NULL;
	zone_entered = true;
	setenv("TZ", zone, 1);
	tzset();
}

void zone_leave(void)
{
	if (!zone_entered)
		return;
	if (zone_before)
		setenv("TZ", zone_before, 1);
	else
		unsetenv("TZ");
	tzset();
	mem_free(zone_before);
	zone_before = NULL;
	zone_entered = false;
}
