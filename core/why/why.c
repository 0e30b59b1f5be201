/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/why/why.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/why/why_private.h"

/* ---- lines ---------------------------------------------------------------------------------- */

struct why_line *why_add(struct why *w, enum why_part part, const char *format, ...)
{
	size_t at = w->count;
	va_list ap;

	MEM_GROW(w->lines, w->capacity, w->count + 1);
	while (at > 0 && w->lines[at - 1].part > part)
		at--;
	memmove(&w->lines[at + 1], &w->lines[at], (w->count - at) * sizeof(*w->lines));
	w->lines[at] = (struct why_line){ .part = part };
	va_start(ap, format);
	w->lines[at].text = mem_vformat(format, ap);
	va_end(ap);
	w->count++;
	return &w->lines[at];
}

static void add_fact(struct why_line *line, const char *key, double x, const char *text)
{
	if (line->fact_count == WHY_FACTS)
		return;
	line->facts[line->fact_count++] = (struct why_fact){
		key, x, text ? mem_strdup(text) : NULL };
}

void why_number(struct why_line *line, const char *key, double x)
{
	add_fact(line, key, x, NULL);
}

void why_time(struct why_line *line, const char *key, int64_t time)
{
	add_fact(line, key, time == I64_UNKNOWN ? F64_UNKNOWN :
		 time == I64_INFINITE ? (double)INFINITY : (double)time, NULL);
}

void why_word(struct why_line *line, const char *key, const char *text)
{
	add_fact(line, key, F64_UNKNOWN, text && *text ? text : NULL);
}

const struct why_line *why_line_of(const struct why *w, enum why_part part)
{
	for (size_t i = 0; i < w->count; i++) {
		if (w->lines[i].part == part)
			return &w->lines[i];
	}
	return NULL;
}

/* ---- times for people ----------------------------------------------------------------------- */

const char *why_when(const struct why *w, int64_t time, char buf[WHY_WHEN_MAX])
{
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul",
					      "Aug", "Sep", "Oct", "Nov", "Dec" };
	int64_t now = cluster_meta(w->jobs->model->cluster)->time;
	struct civil at, today;

	if (!w->people || !w->people->to_local(w->people->context, time, &at) ||
	    now == I64_UNKNOWN || !w->people->to_local(w->people->context, now, &today)) {
		(void)snprintf(buf, WHY_WHEN_MAX, "%lld", (long long)time);
		return buf;
	}
	if (at.year == today.year && at.month == today.month && at.day == today.day)
		(void)snprintf(buf, WHY_WHEN_MAX, "%02d:%02d", at.hour, at.minute);
	else if (at.year == today.year)
		(void)snprintf(buf, WHY_WHEN_MAX, "%d %s %02d:%02d", at.day, months[at.month - 1],
			       at.hour, at.minute);
	else
		(void)snprintf(buf, WHY_WHEN_MAX, "%d %s %d", at.day, months[at.month - 1],
			       at.year);
	return buf;
}

const char *why_span(int64_t seconds, char buf[WHY_WHEN_MAX])
{
	long long minutes = (long long)((seconds + 30) / 60), hours = minutes / 60,
		  days = hours / 24;

	if (seconds < 60)
		(void)snprintf(buf, WHY_WHEN_MAX, "%lld s", (long long)seconds);
	else if (hours == 0)
		(void)snprintf(buf, WHY_WHEN_MAX, "%lld min", minutes);
	else if (days < 2)
		(void)snprintf(buf, WHY_WHEN_MAX, minutes % 60 ? "%lld h %lld min" : "%lld h",
			       hours, minutes % 60);
	else
		(void)snprintf(buf, WHY_WHEN_MAX, hours % 24 ? "%lld days %lld h" : "%lld days",
			       days, hours % 24);
	return buf;
}

/* ---- the answer ----------------------------------------------------------------------------- */

/* The number of the array that the job at ROW is of, else its own. */
static uint32_t why_array(const struct cluster *c, uint32_t row)
{
	uint32_t array = cluster_u32(c, F_JOB_ARRAY, row);

	return array == U32_UNKNOWN || array == 0 ? cluster_u32(c, F_JOB_ID, row) : array;
}

uint32_t why_find(const struct jobs *jobs, const char *object, struct err *err)
{
	const struct job_index *x = jobs->index;
	uint32_t entry = jobs_find(jobs, object, err), row;
	struct job_name name;

	if (entry != ROW_NONE || !job_name_read(object, &name))
		return entry;
	row = job_name_unsplit(&name, x->cluster);
	for (entry = 0; row != ROW_NONE && entry < x->n; entry++) {
		if (x->job[entry] == row)
			return entry;
	}
	return ROW_NONE;
}

uint32_t why_speaker(const struct jobs *jobs, uint32_t entry)
{
	const struct job_index *x = jobs->index;
	uint32_t array = why_array(x->cluster, x->job[entry]), best = entry;

	/* A request for a task means that task. */
	if (cluster_u32(x->cluster, F_JOB_TASK, x->job[entry]) != U32_UNKNOWN)
		return entry;
	for (uint32_t e = 0; e < x->n; e++) {
		if (why_array(x->cluster, x->job[e]) != array || x->job[e] == x->job[best])
			continue;
		if (x->kind[e] < JOB_RUNNING &&
		    (x->kind[best] >= JOB_RUNNING || x->tasks[e] > x->tasks[best]))
			best = e;
	}
	return best;
}

const char *why_job_name(const struct cluster *c, uint32_t job, char buf[WHY_NAME_MAX])
{
	unsigned long id = cluster_u32(c, F_JOB_ID, job), task = cluster_u32(c, F_JOB_TASK, job);
	uint32_t array = cluster_u32(c, F_JOB_ARRAY, job);

	if (array != U32_UNKNOWN && array != 0)
		id = array;
	(void)snprintf(buf, WHY_NAME_MAX, task == U32_UNKNOWN ? "%lu" : "%lu_%lu", id, task);
	return buf;
}

struct why *why_new(const struct jobs *jobs, uint32_t entry, const struct calendar *people)
{
	struct why *w = mem_zalloc(1, sizeof(*w));
	enum job_kind kind = (enum job_kind)jobs->index->kind[entry];

	w->jobs = jobs;
	w->people = people;
	w->entry = entry;
	w->job = jobs->index->job[entry];
	w->state = kind < JOB_RUNNING ? WHY_WAITS : kind == JOB_RUNNING ? WHY_RUNS : WHY_ENDED;
	w->start = I64_UNKNOWN;
	why_job_name(jobs->model->cluster, w->job, w->name);
	if (w->state == WHY_WAITS) {
		why_holds(w);
		why_place(w);
	} else {
		why_runs(w);
	}
	for (size_t i = 0; i < w->count; i++)
		w->never |= w->lines[i].never;
	return w;
}

void why_free(struct why *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->count; i++) {
		for (uint32_t k = 0; k < w->lines[i].fact_count; k++)
			mem_free(w->lines[i].facts[k].text);
		mem_free(w->lines[i].text);
	}
	MEM_FREE(w->lines, w->cause, w);
}
