/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue: the jobs and their classes of one picture, as the screen shows them.
 *
 * Made only when a view asks for it: a screen that shows accounts does not rank jobs. The columns
 * are those of the command line and, behind them, one per term of the priority.
 */
#ifndef FAIRTOP_TUI_QUEUE_H
#define FAIRTOP_TUI_QUEUE_H

#include "core/classes_view.h"

struct queue {
	struct jobs *jobs;
	struct classes_data *classes;
	uint64_t *job_keys, *class_keys;
	char (*job_names)[24], (*class_names)[24];
};

/* MODEL must outlive the queue. EXCLUDE: resources that do not tell classes apart, or NULL. */
struct queue *queue_new(const struct model *model, const char *exclude);
void queue_free(struct queue *q);		/* NULL is fine */

/* jobs_columns without the maps, then the terms; one table for the life of the program. */
extern const struct column queue_columns[];
extern const size_t queue_columns_count;

/* How the terms are shown: in points, as factors, in percent of their sum. */
extern const char *const queue_terms_names[JOBS_TERMS_COUNT];

#endif
