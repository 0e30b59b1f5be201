/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/timestr.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/unknown.h"
#include "core/base/word.h"

/* Slurm counts in 32-bit minutes and seconds; longer durations are errors. */
#define SECONDS_MAX INT64_C(4294967235)

/* Reads digits into *NUMBER (which saturates), moving *TEXT past them; false if there are none. */
static bool timestr_digits(const char **text, int64_t *number)
{
	const char *start = *text;

	*number = 0;
	for (; **text >= '0' && **text <= '9'; (*text)++)
		if (*number <= SECONDS_MAX)
			*number = *number * 10 + (**text - '0');
	return *text > start;
}

/* Reads up to LIMIT numbers separated by ':'; returns how many, 0 if TEXT is anything else. */
static int timestr_numbers(const char *text, int64_t number[], int limit)
{
	for (int n = 0; n < limit; n++) {
		if (!timestr_digits(&text, &number[n]))
			return 0;
		if (!*text)
			return n + 1;
		if (*text++ != ':')
			return 0;
	}
	return 0;
}

/* Seconds of a text of digits, '-' and ':'; -1 if it has none of the valid forms. */
static int64_t timestr_seconds_of(const char *text)
{
	int64_t days, part[3] = { 0, 0, 0 };
	const char *rest = text;
	int n;

	if (timestr_digits(&rest, &days) && *rest == '-') {
		rest++;
		if (*rest && timestr_numbers(rest, part, 3) == 0)
			return -1;
		return days * 86400 + part[0] * 3600 + part[1] * 60 + part[2];
	}
	n = timestr_numbers(text, part, 3);
	if (n == 0)
		return -1;
	if (n == 3)
		return part[0] * 3600 + part[1] * 60 + part[2];
	return part[0] * 60 + part[1];
}

bool timestr_parse(const char *text, int64_t *seconds, struct err *err)
{
	int64_t total;

	if (strcmp(text, "-1") == 0 || word_equal(text, "UNLIMITED") ||
	    word_equal(text, "INFINITE")) {
		*seconds = I64_INFINITE;
		return true;
	}
	total = timestr_seconds_of(text);
	if (total < 0)
		return err_set(err, ERR_INPUT,
			       "\"%.80s\" is not a duration (expected minutes, minutes:seconds, "
			       "hours:minutes:seconds, days-hours[:minutes[:seconds]] or "
			       "UNLIMITED)", text);
	if (total > SECONDS_MAX)
		return err_set(err, ERR_INPUT, "\"%.80s\" is too long a duration "
			       "(expected at most 136 years)", text);
	*seconds = (total + 59) / 60 * 60;
	return true;
}

size_t timestr_format(int64_t seconds, char *buf, size_t size)
{
	int64_t days = seconds / 86400, hours = seconds / 3600 % 24;
	int64_t minutes = seconds / 60 % 60, rest = seconds % 60;
	int n;

	if (seconds == I64_UNKNOWN)
		n = snprintf(buf, size, "%s", "");
	else if (seconds == I64_INFINITE)
		n = snprintf(buf, size, "UNLIMITED");
	else if (seconds < 0)
		n = snprintf(buf, size, "INVALID");
	else if (days > 0)
		n = snprintf(buf, size, "%" PRId64 "-%02" PRId64 ":%02" PRId64 ":%02" PRId64,
			     days, hours, minutes, rest);
	else
		n = snprintf(buf, size, "%02" PRId64 ":%02" PRId64 ":%02" PRId64,
			     hours, minutes, rest);
	return (size_t)n;
}
