/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_tasks: the task numbers of a job array as the scheduler writes them: "0-30", "1,5,9-40:7",
 * each with an optional "%4" (at most four at a time). Source: squeue(1), job array syntax.
 */
#ifndef FAIRTOP_CORE_CLUSTER_JOB_TASKS_H
#define FAIRTOP_CORE_CLUSTER_JOB_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns how many tasks a pending array stands for; 1 for a job that is no array (NULL). */
uint32_t job_tasks(const char *text);

/* Returns the first task, U32_UNKNOWN if none can be read; REST: the others, "" after the last. */
uint32_t job_tasks_take(const char *text, char *rest, size_t size);

/* Walks the tasks in the order of TEXT, borrowed; U32_UNKNOWN: no more can be read. */
struct job_tasks_walk {
	const char *text;	/* the unread rest */
	uint64_t next, to, step;
};
struct job_tasks_walk job_tasks_begin(const char *text);
uint32_t job_tasks_next(struct job_tasks_walk *w);
bool job_tasks_has(const char *text, uint32_t task);

/* Returns how many may run at a time (the number after "%"); U32_INFINITE without one. */
uint32_t job_tasks_at_once(const char *text);

#endif
