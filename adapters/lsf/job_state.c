/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs from any command, their requests, and the times that commands print. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "adapters/clock.h"
#include "adapters/lsf/site.h"
#include "core/base/mem.h"

/* LSF's states as words of the jobs table. */
static const struct {
	const char *lsf, *state;
} states[] = {
	{ "PEND", "PENDING" }, { "WAIT", "PENDING" }, { "PSUSP", "PENDING" },
	{ "RUN", "RUNNING" }, { "PROV", "RUNNING" }, { "UNKWN", "RUNNING" },
	{ "SSUSP", "SUSPENDED" }, { "USUSP", "SUSPENDED" },
	{ "DONE", "COMPLETED" }, { "EXIT", "FAILED" }, { "ZOMBI", "FAILED" },
};

static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

/* Reads month, day, clock and perhaps the year; false if invalid. */
static bool lsf_job_read_time(const char *text, struct tm *tm, int *year)
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
	int64_t now = s->texts->time == I64_UNKNOWN ? clock_time() : s->texts->time;
	struct tm tm = { .tm_isdst = -1 }, today, then;
	time_t seconds = (time_t)now;
	int year = 0;

	if (!text || !lsf_job_read_time(text, &tm, &year) || !localtime_r(&seconds, &today))
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

	if (from == I64_UNKNOWN || !lsf_job_read_time(text, &tm, &year) ||
	    !localtime_r(&seconds, &then))
		return I64_UNKNOWN;
	for (int next = 0; next < 2 && (next == 0 || (time < from && !year)); next++) {
		struct tm one = tm;

		one.tm_year = year ? year - 1900 : then.tm_year + next;
		time = (int64_t)mktime(&one);
	}
	return time;
}

/* NULL: an unknown queue. */
static struct lsf_queue *lsf_job_queue_of(const struct lsf_site *s, const struct lsf_job *job)
{
	for (size_t i = 0; job->queue && i < s->queue_count; i++) {
		if (strcmp(s->queues[i].name, job->queue) == 0)
			return &s->queues[i];
	}
	return NULL;
}

/* NULL: LSF has no such STAT. */
static const char *lsf_job_state_of(const char *stat)
{
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (slice_same(slice_of(stat), states[i].lsf))
			return states[i].state;
	}
	return NULL;
}

static void lsf_job_put_state(struct lsf_site *s, uint32_t row, const char *stat)
{
	const char *state = lsf_job_state_of(stat);

	if (state)
		builder_str(s->b, F_JOB_STATE, row, state);
	/* Held by its owner: not considered until resumed. */
	if (slice_same(slice_of(stat), "PSUSP"))
		builder_u32(s->b, F_JOB_PRIORITY, row, 0);
}

static void lsf_job_put_text(struct lsf_site *s, enum field field, uint32_t row, const char *text)
{
	if (text)
		builder_str(s->b, field, row, text);
}

static void lsf_job_put_time(struct lsf_site *s, enum field field, uint32_t row, int64_t time)
{
	if (time != I64_UNKNOWN)
		builder_i64(s->b, field, row, time);
}

void lsf_put_slots(struct lsf_site *s, enum field field, uint32_t row, uint32_t slots)
{
	struct tres_item item = { builder_tres_row(s->b, "slots", 5), slots };

	builder_tres(s->b, field, row, &item, 1);
}

/* The number after KEY in "span[ptile=2]"; U32_UNKNOWN. */
static uint32_t lsf_job_span_of(const char *require, const char *key)
{
	const char *span = require ? strstr(require, "span[") : NULL;
	const char *end = span ? strchr(span, ']') : NULL, *at = span ? strstr(span, key) : NULL;
	struct slice number;
	uint32_t n;

	if (!at || !end || at > end)
		return U32_UNKNOWN;
	at += strlen(key);
	number = slice_trim((struct slice){ at, (size_t)(end - at) });
	return slice_u32(number, &n) ? n : U32_UNKNOWN;
}

/* Is its span[] one that put_asked() handles, or empty? */
static bool span_is_read(const char *require)
{
	uint32_t tile = lsf_job_span_of(require, "ptile=");

	return (tile != U32_UNKNOWN && tile > 0) || lsf_job_span_of(require, "hosts=") == 1 ||
	       strstr(require, "span[hosts=-1]");
}

/* Does it request more than span[] and order[], the placement of its slots? */
static bool picks_hosts(const char *require)
{
	static const char *const known[] = { "span[", "order[" };

	while (require && *(require += strspn(require, " ")) != '\0') {
		size_t i = 0;

		while (i < 2 && strncmp(require, known[i], strlen(known[i])) != 0)
			i++;
		if (i == 0 && !span_is_read(require))
			return true;
		require = i < 2 ? strchr(require, ']') : NULL;
		if (!require)
			return true;
		require++;
	}
	return false;
}

/* The text with a job's span[]: its own, else that of its queue (lsb.queues, RES_REQ). */
static const char *lsf_job_span_text(const struct lsf_job *job, const struct lsf_queue *q)
{
	if (!job->queue || (job->require && strstr(job->require, "span[")))
		return job->require;
	return q ? lsf_param(q, "RES_REQ") : NULL;
}

/* Puts which hosts it may use, and how. */
static void put_asked(struct lsf_site *s, uint32_t row, const struct lsf_job *job,
		      const struct lsf_queue *q)
{
	const char *span = lsf_job_span_text(job, q);
	uint32_t tile = lsf_job_span_of(span, "ptile="), one = lsf_job_span_of(span, "hosts=");
	char *names = job->asked ? lsf_site_preferred(s, job->asked) : NULL;

	if (job->hosts_reported)
		builder_bool(s->b, F_JOB_EXCLUSIVE, row, job->exclusive);
	if (tile != U32_UNKNOWN && tile > 0)
		builder_u32(s->b, F_JOB_TASKS_PER_NODE, row, tile);
	if (one == 1)
		builder_u32(s->b, F_JOB_MAX_NODES, row, one);
	if (picks_hosts(job->require))
		builder_str(s->b, F_JOB_FEATURES, row, job->require);
	if (names)
		builder_str(s->b, F_JOB_NODES_ASKED, row, names);
	mem_free(names);
}

/* Adds JOB's slots to its queue; if they are unknown, so is their sum. */
static void count_started(struct lsf_queue *q, const struct lsf_job *job)
{
	const char *state = job->stat ? lsf_job_state_of(job->stat) : NULL;

	if (!state || (strcmp(state, "RUNNING") != 0 && strcmp(state, "SUSPENDED") != 0))
		return;
	if (job->slots == U32_UNKNOWN)
		q->started = U32_UNKNOWN;
	else
		q->shown += job->slots;
}

/* Joined outputs may list a job twice. */
static bool is_listed(struct lsf_site *s, const struct lsf_job *job)
{
	uint64_t key = (uint64_t)job->id << 32 | job->index;

	if (job->index == U32_UNKNOWN)
		return false;
	if (!idmap_has(&s->jobs, key)) {
		idmap_put(&s->jobs, key, 0);
		return false;
	}
	if (!s->repeats)
		builder_note(s->b, s->text->name, "job %u appears more than once: the first of "
			     "each counts", (unsigned)job->id);
	s->repeats = true;
	return true;
}

void lsf_put_job(struct lsf_site *s, const struct lsf_job *job)
{
	struct lsf_queue *q = lsf_job_queue_of(s, job);
	uint32_t row;

	if (is_listed(s, job))
		return;
	row = builder_add(s->b, TABLE_JOB);
	builder_u32(s->b, F_JOB_ID, row, job->id);
	if (job->index != U32_UNKNOWN && job->index != 0) {
		builder_u32(s->b, F_JOB_ARRAY, row, job->id);
		builder_u32(s->b, F_JOB_TASK, row, job->index);
	}
	if (job->stat) {
		lsf_job_put_state(s, row, job->stat);
		builder_str(s->b, F_JOB_JOB_STATE, row, job->stat);
	}
	lsf_job_put_time(s, F_JOB_SUBMIT, row, job->submit);
	lsf_job_put_time(s, F_JOB_START, row, job->start);
	lsf_job_put_time(s, F_JOB_ELIGIBLE, row, job->begin);
	lsf_job_put_time(s, F_JOB_JOB_PRIORITY, row, job->priority);
	lsf_job_put_text(s, F_JOB_USER, row, job->user);
	lsf_job_put_text(s, F_JOB_PARTITION, row, job->queue);
	lsf_job_put_text(s, F_JOB_NAME, row, job->name);
	lsf_job_put_text(s, F_JOB_NODE_LIST, row, job->hosts);
	lsf_job_put_text(s, F_JOB_REASON, row, job->reason);
	if (job->reason && strcasestr(job->reason, "dependency condition"))
		builder_str(s->b, F_JOB_DEPENDENCY, row, job->reason);
	if (job->slots != U32_UNKNOWN) {
		builder_u32(s->b, F_JOB_CPUS, row, job->slots);
		lsf_put_slots(s, F_JOB_TRES, row, job->slots);
	}
	if (job->most_slots != U32_UNKNOWN)
		builder_u32(s->b, F_JOB_MAX_CPUS, row, job->most_slots);
	if (q)
		count_started(q, job);
	put_asked(s, row, job, q);
	builder_i64(s->b, F_JOB_QUEUE_RANK, row, ++s->listed);
	MEM_GROW(s->charged, s->charged_capacity, s->charged_count + 1);
	s->charged[s->charged_count++] = job->charged ? mem_strdup(job->charged) : NULL;
}
