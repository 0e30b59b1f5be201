/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler's log: the value of job_sort_formula for each job, in lines of event class 0x100,
 * and why it was not run, in lines of 0x40. A comment of the job with the same information takes
 * precedence.
 *
 *	11/20/2026 03:52:08;0100;pbs_sched;Job;75.pbshead;Formula Evaluation = 2.0508
 *	11/20/2026 03:52:08;0040;pbs_sched;Job;75.pbshead;Insufficient amount of resource: ncpus
 *
 * All other lines are skipped. The last line about a job counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adapters/pbs/reader.h"
#include "core/base/mem.h"

#define DIGITS_MAX 40

/* A job by its identifier, a copy: the builder's texts move when others are put. */
struct entry {
	char *id;
	uint32_t row;
	bool waits;		/* pending, without a reason of its own */
};

static int compare_entries(const void *left, const void *right)
{
	return strcmp(((const struct entry *)left)->id, ((const struct entry *)right)->id);
}

static struct entry *log_list_jobs(struct pbs_reader *r, size_t *count)
{
	uint32_t rows = builder_rows(r->b, TABLE_JOB);
	struct entry *all = mem_alloc(rows, sizeof(*all));

	*count = 0;
	for (uint32_t row = 0; row < rows; row++) {
		const char *id = builder_get_text(r->b, F_JOB_JOB_ID, row);
		const char *state = builder_get_text(r->b, F_JOB_STATE, row);
		bool waits = state && strcmp(state, "PENDING") == 0 &&
			     !builder_get_text(r->b, F_JOB_REASON, row);

		if (id)
			all[(*count)++] = (struct entry){ mem_strdup(id), row, waits };
	}
	qsort(all, *count, sizeof(*all), compare_entries);
	return all;
}

/* "11/20/2026 03:52:08", as if the zone were UTC. */
static bool pbs_log_time(struct slice s, int64_t *civil)
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

/*
 * Puts why the job was not run, in few words: the text before the numbers. A line that it will
 * never run follows the line with the reason.
 */
static void put_log_reason(struct pbs_reader *r, const struct entry *job, struct slice text)
{
	const char *numbers = memmem(text.at, text.length, " (", 2);
	const char *before = builder_get_text(r->b, F_JOB_REASON_TEXT, job->row);

	if (!job->waits || slice_is(text, "Job run") || slice_starts(text, "Error in calculation"))
		return;
	if (before && slice_starts(text, "Job will never run ")) {
		char *never = mem_format("Can Never Run: %s", before);

		builder_str(r->b, F_JOB_REASON_TEXT, job->row, never);
		mem_free(never);
		return;
	}
	builder_text(r->b, F_JOB_REASON_TEXT, job->row, text.at, text.length);
	if (numbers)
		text.length = (size_t)(numbers - text.at);
	builder_text(r->b, F_JOB_REASON, job->row, text.at, text.length);
}

static void put_log_formula(struct pbs_reader *r, const struct entry *job, struct slice time,
			    struct slice text)
{
	char digits[DIGITS_MAX], *end;
	double value;
	int64_t civil;

	if (!slice_take(&text, "Formula Evaluation = ") || !pbs_log_time(time, &civil))
		return;
	text = slice_trim(text);
	if (text.length == 0 || text.length >= sizeof(digits))
		return;
	memcpy(digits, text.at, text.length);
	digits[text.length] = '\0';
	value = strtod(digits, &end);
	if (end == digits || *end != '\0')
		return;
	builder_f64(r->b, F_JOB_R_FORMULA, job->row, value);
	builder_i64(r->b, F_JOB_FORMULA_TIME, job->row, pbs_instant(r, civil));
}

static void log_put_line(struct pbs_reader *r, const struct entry *jobs, size_t count,
			 struct slice line)
{
	struct slice piece[5];
	char id[300];
	struct entry sought = { .id = id };
	const struct entry *found;

	for (int i = 0; i < 5; i++) {
		if (!slice_piece(&line, ';', &piece[i]))
			return;
	}
	if (!slice_is(piece[3], "Job") || piece[4].length >= sizeof(id))
		return;
	memcpy(id, piece[4].at, piece[4].length);
	id[piece[4].length] = '\0';
	line = slice_trim(line);
	found = bsearch(&sought, jobs, count, sizeof(*jobs), compare_entries);
	if (found && slice_is(piece[1], "0040") && line.length > 0)
		put_log_reason(r, found, line);
	else if (found)
		put_log_formula(r, found, piece[0], line);
}

bool pbs_read_log(struct pbs_reader *r)
{
	struct slice rest = { r->text->text, r->text->length }, line;
	size_t count;
	struct entry *jobs = log_list_jobs(r, &count);

	while (count > 0 && slice_line(&rest, &line))
		log_put_line(r, jobs, count, line);
	for (size_t i = 0; i < count; i++)
		mem_free(jobs[i].id);
	mem_free(jobs);
	return true;
}
