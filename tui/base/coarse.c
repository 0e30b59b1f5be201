/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/base/coarse.h"

#include <stdio.h>

#define DAY 86400

int64_t coarse(int64_t seconds, const char *zero, char *buf, size_t size)
{
	if (seconds < 10) {
		snprintf(buf, size, "%s", zero);
		return 10 - (seconds > 0 ? seconds : 0);
	}
	if (seconds < 60) {
		snprintf(buf, size, "%d s", (int)(seconds / 10 * 10));
		return 10 - seconds % 10;
	}
	if (seconds < 3600) {
		snprintf(buf, size, "%d min", (int)(seconds / 60));
		return 60 - seconds % 60;
	}
	if (seconds < 2 * DAY) {
		snprintf(buf, size, "%d h", (int)(seconds / 3600));
		return 3600 - seconds % 3600;
	}
	snprintf(buf, size, "%lld d", (long long)(seconds / DAY));
	return DAY - seconds % DAY;
}

int64_t coarse_left(int64_t left, char *buf, size_t size)
{
	coarse(left, "now", buf, size);
	return left < 1 ? 1 : left < 10 ? left : left < 60 ? left % 10 + 1 : left % 60 + 1;
}
