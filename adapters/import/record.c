/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the readers: tallies and values. */
#include "adapters/import/import.h"

#include <string.h>
#include <time.h>


/* ---- counting ------------------------------------------------------------------------------ */

static void import_record_tally(struct import *im, const char *what, bool skipped)
{
	struct import_tally *t = im->tally;
	size_t i = 0;

	while (i < im->tallies && strcmp(t[i].what, what) != 0)
		i++;
	if (i == IMPORT_TALLIES)
		return;
	if (i == im->tallies)
		t[im->tallies++] = (struct import_tally){ .what = what, .first_line = im->line,
							  .skipped = skipped };
	t[i].count++;
}

void import_skip(struct import *im, const char *reason)
{
	im->skipped++;
	import_record_tally(im, reason, true);
}

void import_remark(struct import *im, const char *what)
{
	import_record_tally(im, what, false);
}

void import_header(struct import *im, struct slice line)
{
	if (line.length + 1 >= sizeof(im->header) - im->header_length) {
		import_remark(im, "comment lines left out of the header, which was full");
		return;
	}
	memcpy(im->header + im->header_length, line.at, line.length);
	im->header_length += line.length;
	im->header[im->header_length++] = '\n';
	im->header[im->header_length] = '\0';
}

/* ---- values -------------------------------------------------------------------------------- */

uint32_t import_text(struct import *im, struct slice s)
{
	return replay_text(im->replay, s.at, s.length);
}

bool import_unix(struct slice s, int64_t *time)
{
	int64_t value = 0;
	size_t i = 0;

	for (; i < s.length && s.at[i] >= '0' && s.at[i] <= '9' && value < IMPORT_TIME_MAX; i++)
		value = value * 10 + (s.at[i] - '0');
	if (i == 0 || (i < s.length && s.at[i] != '.') || value >= IMPORT_TIME_MAX)
		return false;
	*time = value;
	return true;
}

static int import_number(const char *s, size_t digits)
{
	int value = 0;

	for (size_t i = 0; i < digits; i++)
		value = value * 10 + (s[i] - '0');
	return value;
}

static bool has_form(struct slice s, const char *form)
{
	if (s.length != strlen(form))
		return false;
	for (size_t i = 0; i < s.length; i++) {
		bool digit = s.at[i] >= '0' && s.at[i] <= '9';

		if (form[i] == 'd' ? !digit : s.at[i] != form[i])
			return false;
	}
	return true;
}

/*
 * Local time to Unix time. A day's midnight is converted once; on a day without a change of the
 * clock the rest is addition.
 */
static bool civil_time(struct import *im, int day, int second, int64_t *time)
{
	struct import_clock *c = &im->clock;
	struct tm tm = { .tm_isdst = -1, .tm_year = day / 10000 - 1900,
			 .tm_mon = day / 100 % 100 - 1, .tm_mday = day % 100 };
	struct tm next = tm, whole = tm;

	if (tm.tm_mon < 0 || tm.tm_mon > 11 || tm.tm_mday < 1 || tm.tm_mday > 31 || second > 86400)
		return false;
	if (c->day != day) {
		next.tm_mday++;
		c->midnight = mktime(&tm);
		c->even = mktime(&next) - c->midnight == 86400;
		c->day = day;
	}
	if (c->even) {
		*time = c->midnight + second;
	} else {
		whole.tm_hour = second / 3600;
		whole.tm_min = second / 60 % 60;
		whole.tm_sec = second % 60;
		*time = mktime(&whole);
	}
	return *time >= 0 && *time < IMPORT_TIME_MAX;
}

bool import_time(struct import *im, struct slice s, int64_t *time)
{
	const char *at = s.at;
	int day, hour;

	if (has_form(s, "dddd-dd-ddTdd:dd:dd"))
		day = import_number(at, 4) * 10000 + import_number(at + 5, 2) * 100 +
		      import_number(at + 8, 2);
	else if (has_form(s, "dd/dd/dddd dd:dd:dd"))
		day = import_number(at + 6, 4) * 10000 + import_number(at, 2) * 100 +
		      import_number(at + 3, 2);
	else
		return import_unix(s, time);
	hour = import_number(at + 11, 2);
	if (hour > 23 || import_number(at + 14, 2) > 59 || import_number(at + 17, 2) > 60)
		return false;
	return civil_time(im, day, hour * 3600 + import_number(at + 14, 2) * 60 +
			  import_number(at + 17, 2), time);
}
