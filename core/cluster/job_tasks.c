/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/job_tasks.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/unknown.h"
#include "core/base/word.h"

/* Reads a number at *S; false if there is none. Too large ones saturate. */
static bool job_tasks_take_number(const char **s, uint64_t *number)
{
	if (!word_is_digit(**s))
		return false;
	for (*number = 0; word_is_digit(**s); (*s)++) {
		if (*number < UINT32_MAX)
			*number = *number * 10 + (uint64_t)(**s - '0');
	}
	return true;
}

/* One of the parts between commas: N, N-M or N-M:STEP. */
struct task_range {
	uint64_t from, to, step;
};

static bool take_range(const char **s, struct task_range *r)
{
	r->step = 1;
	if (!job_tasks_take_number(s, &r->from))
		return false;
	r->to = r->from;
	if (**s == '-') {
		(*s)++;
		if (!job_tasks_take_number(s, &r->to) || r->to < r->from)
			return false;
	}
	if (**s == ':') {
		(*s)++;
		if (!job_tasks_take_number(s, &r->step) || r->step == 0)
			return false;
	}
	return true;
}

uint32_t job_tasks(const char *text)
{
	struct task_range range;
	uint64_t tasks = 0;

	if (!text)
		return 1;
	text += *text == '[';
	while (take_range(&text, &range)) {
		tasks += (range.to - range.from) / range.step + 1;
		if (*text++ != ',')
			break;
	}
	return tasks == 0 ? 1 : tasks < UINT32_MAX ? (uint32_t)tasks : UINT32_MAX;
}

uint32_t job_tasks_take(const char *text, char *rest, size_t size)
{
	struct task_range range;
	unsigned long long next;

	rest[0] = '\0';
	text += *text == '[';
	if (!take_range(&text, &range))
		return U32_UNKNOWN;
	next = range.from + range.step;
	if (next > range.to)
		snprintf(rest, size, "%s", *text == ',' ? text + 1 : "");
	else if (next + range.step > range.to)
		snprintf(rest, size, "%llu%s", next, text);
	else if (range.step == 1)
		snprintf(rest, size, "%llu-%llu%s", next, (unsigned long long)range.to, text);
	else
		snprintf(rest, size, "%llu-%llu:%llu%s", next, (unsigned long long)range.to,
			 (unsigned long long)range.step, text);
	return (uint32_t)range.from;
}

struct job_tasks_walk job_tasks_begin(const char *text)
{
	return (struct job_tasks_walk){ .text = text + (*text == '['), .next = 1 };
}

uint32_t job_tasks_next(struct job_tasks_walk *w)
{
	struct task_range range;
	uint64_t task;

	if (w->next > w->to) {
		if (!take_range(&w->text, &range))
			return U32_UNKNOWN;
		w->text += *w->text == ',';
		w->next = range.from;
		w->to = range.to;
		w->step = range.step;
	}
	task = w->next;
	w->next += w->step;
	return (uint32_t)task;
}

bool job_tasks_has(const char *text, uint32_t task)
{
	struct task_range range;

	text += *text == '[';
	while (take_range(&text, &range)) {
		if (task >= range.from && task <= range.to && (task - range.from) % range.step == 0)
			return true;
		text += *text == ',';
	}
	return false;
}

uint32_t job_tasks_at_once(const char *text)
{
	const char *limit = text ? strchr(text, '%') : NULL;
	uint64_t number;

	if (!limit)
		return U32_INFINITE;
	limit++;
	if (!job_tasks_take_number(&limit, &number))
		return U32_INFINITE;
	return number < U32_INFINITE ? (uint32_t)number : U32_INFINITE;
}
