/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/pbs_asked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ENDLESS (INT64_C(5) * 365 * 86400)	/* s: JOB_INFINITY of a job without walltime */
#define EXITING 60				/* s: EXITING_TIME of a job past its end */

double pbs_amount(const char *text)
{
	static const char letters[] = "kmgtp";
	char *end;
	double number = strtod(text, &end);

	text += *text == '-' || *text == '+';
	if (*text < '0' || *text > '9')
		return F64_UNKNOWN;
	for (; *end == ':'; ) {
		const char *from = end + 1;

		number = number * 60 + strtod(from, &end);
		if (end == from)
			return F64_UNKNOWN;
	}
	if (*end && strchr(letters, *end) && (end[1] == 'b' || end[1] == 'w')) {
		for (const char *l = letters; *l != *end; l++)
			number *= 1024;
		return end[1] == 'w' ? number * 8 : number;
	}
	if (strcmp(end, "b") == 0)
		return ceil(number / 1024);
	return *end == '\0' ? number : F64_UNKNOWN;
}

int64_t pbs_job_length(const struct cluster *c, uint32_t job)
{
	int64_t limit = cluster_i64(c, F_JOB_TIME_LIMIT, job);

	return limit < 0 || limit > ENDLESS ? ENDLESS : limit;
}

int64_t pbs_job_end(const struct cluster *c, uint32_t job, int64_t now)
{
	int64_t start = cluster_i64(c, F_JOB_START, job);
	int64_t end = (start == I64_UNKNOWN ? now : start) + pbs_job_length(c, job);

	return end < now ? now + EXITING : end;
}
