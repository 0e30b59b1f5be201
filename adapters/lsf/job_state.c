/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs, whichever command told of them, and the times that commands print.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "adapters/lsf/site.h"
#include "core/base/mem.h"

/* LSF's states in the words of the jobs table. */
static const struct {
	const char *lsf, *state;
} states[] = {
	{ "PEND", "PENDING" }, { "WAIT", "PENDING" }, { "PSUSP", "PENDING" },
	{ "RUN", "RUNNING" }, { "PROV", "RUNNING" }, { "UNKWN", "RUNNING" },
	{ "SSUSP", "SUSPENDED" }, { "USUSP", "SUSPENDED" },
	{ "DONE", "COMPLETED" }, { "EXIT", "FAILED" }, { "ZOMBI", "FAILED" },
};

static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

/* Month, day, clock and perhaps the year; false for what is no time. */
static bool read_time(const char *text, struct tm *tm, int *year)
{
	size_t length = strlen(text);
	char month[4] = "";
	const char *at;

	if (sscanf(text, "%2d/%2d-%2d:%2d:%2d", &tm->tm_mon, &tm->tm_mday, &tm->tm_hour,
		   &tm->tm_min, &tm->tm_sec) >= 4) {
		tm->tm_mon--;
	} else {
		if (sscanf(text, "%3s %d %d:%d:%d", month, &tm->tm_mday, &tm->tm_hour,
			   &tm->tm_min, &tm->tm_sec) < 4 ||
		    !(at = strstr(months, month)) || (at - months) % 3 != 0)
			return false;
		tm->tm_mon = (int)(at - months) / 3;
		if (length > 5 && text[length - 5] == ' ' &&
		    (sscanf(text + length - 4, "%4d", year) != 1 || *year < 1970))
			*year = 0;
	}
	return tm->tm_mon >= 0 && tm->tm_mon < 12 && tm->tm_mday >= 1 && tm->tm_mday <= 31 &&
	       tm->tm_hour >= 0 && tm->tm_hour < 24 && tm->tm_min >= 0 && tm->tm_min < 60 &&
	       tm->tm_sec >= 0 && tm->tm_sec <= 60;
}

int64_t lsf_time_of(const struct lsf_site *s, const char *text)
{
	int64_t now = s->texts->time == I64_UNKNOWN ? (int64_t)time(NULL) : s->texts->time;
	struct tm tm = { .tm_isdst = -1 }, today, then;
	time_t seconds = (time_t)now;
	int year = 0;

	if (!text || !read_time(text, &tm, &year) || !localtime_r(&seconds, &today))
		return I64_UNKNOWN;
	then = tm;
	then.tm_year = year ? year - 1900 : today.tm_year;
	if (year || (int64_t)mktime(&then) <= now + 86400)
		return (int64_t)mktime(&then);
	then = tm;
	then.tm_year = today.tm_year - 1;
	return (int64_t)mktime(&then);
}

int64_t lsf_time_after(int64_t from, const char *text)
{
	struct tm tm = { .tm_isdst = -1 }, then;
	time_t seconds = (time_t)from;
	int64_t time = I64_UNKNOWN;
	int year = 0;

	if (from == I64_UNKNOWN || !read_time(text, &tm, &year) || !localtime_r(&seconds, &then))
		return I64_UNKNOWN;
	for (int next = 0; next < 2 && (next == 0 || (time < from && !year)); next++) {
		struct tm one = tm;

		one.tm_year = year ? year - 1900 : then.tm_year + next;
		time = (int64_t)mktime(&one);
	}
	return time;
}

static void put_state(struct lsf_site *s, uint32_t row, const char *stat)
{
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (slice_same(slice_of(stat), states[i].lsf))
			builder_str(s->b, F_JOB_STATE, row, states[i].state);
	}
	/* Held by its owner: not considered until resumed. */
	if (slice_same(slice_of(stat), "PSUSP"))
		builder_u32(s->b, F_JOB_PRIORITY, row, 0);
}

static void put_text(struct lsf_site *s, enum field field, uint32_t row, const char *text)
{
	if (text)
		builder_str(s->b, field, row, text);
}

static void put_time(struct lsf_site *s, enum field field, uint32_t row, int64_t time)
{
	if (time != I64_UNKNOWN)
		builder_i64(s->b, field, row, time);
}

void lsf_put_slots(struct lsf_site *s, enum field field, uint32_t row, uint32_t slots)
{
	struct tres_item item = { builder_tres_row(s->b, "slots", 5), slots };

	builder_tres(s->b, field, row, &item, 1);
}

void lsf_put_job(struct lsf_site *s, const struct lsf_job *job)
{
	uint32_t row = builder_add(s->b, TABLE_JOB);

	builder_u32(s->b, F_JOB_ID, row, job->id);
	if (job->index != U32_UNKNOWN && job->index != 0) {
		builder_u32(s->b, F_JOB_ARRAY, row, job->id);
		builder_u32(s->b, F_JOB_TASK, row, job->index);
	}
	if (job->stat) {
		put_state(s, row, job->stat);
		builder_str(s->b, F_JOB_JOB_STATE, row, job->stat);
	}
	put_time(s, F_JOB_SUBMIT, row, job->submit);
	put_time(s, F_JOB_START, row, job->start);
	put_time(s, F_JOB_ELIGIBLE, row, job->begin);
	put_time(s, F_JOB_JOB_PRIORITY, row, job->priority);
	put_text(s, F_JOB_USER, row, job->user);
	put_text(s, F_JOB_PARTITION, row, job->queue);
	put_text(s, F_JOB_NAME, row, job->name);
	put_text(s, F_JOB_NODE_LIST, row, job->hosts);
	put_text(s, F_JOB_REASON, row, job->reason);
	if (job->reason && strstr(job->reason, "ependency condition"))
		builder_str(s->b, F_JOB_DEPENDENCY, row, job->reason);
	if (job->slots != U32_UNKNOWN) {
		builder_u32(s->b, F_JOB_CPUS, row, job->slots);
		lsf_put_slots(s, F_JOB_TRES, row, job->slots);
	}
	if (job->most_slots != U32_UNKNOWN)
		builder_u32(s->b, F_JOB_MAX_CPUS, row, job->most_slots);
	builder_i64(s->b, F_JOB_QUEUE_RANK, row, ++s->listed);
	s->charged = mem_grow(s->charged, &s->charged_capacity, s->charged_count + 1,
			      sizeof(*s->charged));
	s->charged[s->charged_count++] = job->charged ? mem_strdup(job->charged) : NULL;
}
