/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/queue.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/text.h"

const char *const queue_terms_names[JOBS_TERMS_COUNT] = { "points", "factors", "percent" };

/* A job in several partitions is a row in each: the partition is part of what it is. */
static void name_jobs(struct queue *q)
{
	const struct job_index *x = q->jobs->index;
	const struct cluster *c = x->cluster;

	q->job_keys = mem_alloc(x->n, sizeof *q->job_keys);
	q->job_names = mem_alloc(x->n, sizeof *q->job_names);
	for (uint32_t e = 0; e < x->n; e++) {
		uint32_t array = cluster_u32(c, F_JOB_ARRAY, x->job[e]);
		uint32_t task = cluster_u32(c, F_JOB_TASK, x->job[e]);
		uint32_t id = cluster_u32(c, F_JOB_ID, x->job[e]);
		uint64_t key[2] = { cluster_key(c, TABLE_JOB, x->job[e]), 0 };

		if (x->partition[e] != ROW_NONE)
			key[1] = cluster_key(c, TABLE_PARTITION, x->partition[e]);
		q->job_keys[e] = text_hash((const char *)key, sizeof key, 2);
		if (array != U32_UNKNOWN && array != 0 && task != U32_UNKNOWN)
			snprintf(q->job_names[e], sizeof *q->job_names, "%u_%u", array, task);
		else if (x->tasks[e] > 1)
			snprintf(q->job_names[e], sizeof *q->job_names, "%u [%u]", id, x->tasks[e]);
		else
			snprintf(q->job_names[e], sizeof *q->job_names, "%u", id);
	}
}

/* A class is what its jobs have in common, so that it keeps its identity while jobs come and go. */
static void name_classes(struct queue *q)
{
	const struct classes_data *d = q->classes;

	q->class_keys = mem_alloc(d->classes->count, sizeof *q->class_keys);
	q->class_names = mem_alloc(d->classes->count, sizeof *q->class_names);
	for (uint32_t k = 0; k < d->classes->count; k++) {
		uint32_t member = d->classes->members[d->classes->first[k]];
		uint64_t key = 3;

		for (size_t i = 0; i < d->set->count; i++) {
			const char *value = class_set_value(d->set, i, member);

			if (!d->set->components[i].excluded)
				key = text_hash(value, strlen(value), key);
		}
		q->class_keys[k] = key;
		snprintf(q->class_names[k], sizeof *q->class_names, "class %u", k);
	}
}

struct queue *queue_new(const struct model *model, const char *exclude)
{
	struct queue *q = mem_zalloc(1, sizeof *q);

	q->jobs = jobs_new(model, NULL);
	q->classes = classes_data_new(q->jobs, class_rules_of(model->cluster), exclude, NULL, 0);
	name_jobs(q);
	name_classes(q);
	return q;
}

void queue_free(struct queue *q)
{
	if (q == NULL)
		return;
	classes_data_free(q->classes);
	jobs_free(q->jobs);
	mem_free(q->job_keys);
	mem_free(q->class_keys);
	mem_free(q->job_names);
	mem_free(q->class_names);
	mem_free(q);
}
