/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler's log: what job_sort_formula gave each job, as its lines of event class 0x100 say.
 *
 *	11/20/2026 03:52:08;0100;pbs_sched;Job;75.pbshead;Formula Evaluation = 2.0508
 *
 * All other lines are read over. Of several values of a job the last one counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adapters/pbs/reader.h"
#include "core/base/mem.h"

#define DIGITS_MAX 40

/* A job by its identifier, which the builder holds. */
struct entry {
	const char *id;
	uint32_t row;
};

static int compare_entries(const void *left, const void *right)
{
	return strcmp(((const struct entry *)left)->id, ((const struct entry *)right)->id);
}

static struct entry *list_jobs(struct pbs_reader *r, size_t *count)
{
	uint32_t rows = builder_rows(r->b, TABLE_JOB);
	struct entry *all = mem_alloc(rows, sizeof(*all));

	*count = 0;
	for (uint32_t row = 0; row < rows; row++) {
		const char *id = builder_get_text(r->b, F_JOB_JOB_ID, row);

		if (id)
			all[(*count)++] = (struct entry){ id, row };
	}
	qsort(all, *count, sizeof(*all), compare_entries);
	return all;
}

/* "11/20/2026 03:52:08", as if the zone were UTC. */
static bool log_time(struct slice s, int64_t *civil)
{
	char text[24];
	struct tm tm = { 0 };
	int used = 0;

	if (s.length >= sizeof(text))
		return false;
	memcpy(text, s.at, s.length);
	text[s.length] = '\0';
	if (sscanf(text, "%2d/%2d/%4d %2d:%2d:%2d%n", &tm.tm_mon, &tm.tm_mday, &tm.tm_year,
		   &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &used) != 6 || text[used] != '\0' ||
	    tm.tm_mon < 1 || tm.tm_mon > 12 || tm.tm_mday < 1 || tm.tm_mday > 31 ||
	    tm.tm_year < 1970 || tm.tm_hour < 0 || tm.tm_hour > 23 || tm.tm_min < 0 ||
	    tm.tm_min > 59 || tm.tm_sec < 0 || tm.tm_sec > 60)
		return false;
	tm.tm_mon--;
	tm.tm_year -= 1900;
	*civil = (int64_t)timegm(&tm);
	return true;
}

static void put_line(struct pbs_reader *r, const struct entry *jobs, size_t count,
		     struct slice line)
{
	static const char words[] = "Formula Evaluation = ";
	struct slice piece[5];
	char id[300], digits[DIGITS_MAX], *end;
	struct entry sought = { id, 0 };
	const struct entry *found;
	double value;
	int64_t civil;

	for (int i = 0; i < 5; i++) {
		if (!slice_piece(&line, ';', &piece[i]))
			return;
	}
	if (!slice_starts(line, words) || !slice_is(piece[3], "Job") ||
	    piece[4].length >= sizeof(id) || !log_time(piece[0], &civil))
		return;
	line = slice_trim(slice_from(line, sizeof(words) - 1));
	if (line.length == 0 || line.length >= sizeof(digits))
		return;
	memcpy(digits, line.at, line.length);
	digits[line.length] = '\0';
	value = strtod(digits, &end);
	memcpy(id, piece[4].at, piece[4].length);
	id[piece[4].length] = '\0';
	found = bsearch(&sought, jobs, count, sizeof(*jobs), compare_entries);
	if (!found || end == digits || *end != '\0')
		return;
	builder_f64(r->b, F_JOB_R_FORMULA, found->row, value);
	builder_i64(r->b, F_JOB_FORMULA_TIME, found->row, pbs_instant(r, civil));
}

bool pbs_read_log(struct pbs_reader *r)
{
	struct slice rest = { r->text->text, r->text->length }, line;
	size_t count;
	struct entry *jobs = list_jobs(r, &count);

	while (count > 0 && slice_line(&rest, &line))
		put_line(r, jobs, count, line);
	mem_free(jobs);
	return true;
}
