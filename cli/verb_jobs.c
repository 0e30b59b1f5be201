/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs: the queue, one row per job, partition and QOS. */
#include <stdio.h>

#include "core/base/plural.h"
#include "core/queue/jobs.h"
#include "cli/session.h"
#include "cli/verbs.h"

/* Slurm's: who has no priority has no rank, and those who have are before or behind it unseen. */
static void tell_unknown(const struct jobs *j)
{
	const struct job_index *x = j->index;
	uint32_t waiting = 0, unknown = 0, last = ROW_NONE;
	char text[120];

	for (uint32_t e = 0; e < x->n && !j->pbs && !j->lsf; e++) {
		if (x->kind[e] != JOB_PENDING)
			continue;
		if (e == 0 || x->job[e] != x->job[e - 1])
			waiting++;
		if (j->prio->origin[e] == PRIO_ORIGIN_UNKNOWN && x->job[e] != last) {
			unknown++;
			last = x->job[e];
		}
	}
	(void)snprintf(text, sizeof(text), "%u of %u waiting %s an unknown priority, and no rank",
		       (unsigned)unknown, (unsigned)waiting, plural(waiting, "job has",
								    "jobs have"));
	if (unknown > 0)
		remark("jobs", text);
}

int jobs_answer(struct session *s, struct selection *selection)
{
	struct jobs *jobs, *base = NULL;
	struct view view;
	int status;

	session_tell_policy(s);
	status = session_model(s);
	if (status != 0)
		return status;
	jobs = jobs_new(s->model, NULL);
	session_tell_order(jobs);
	tell_unknown(jobs);
	if (s->base_model)
		base = jobs_new(s->base_model, NULL);
	session_changes(s, base, jobs);
	view = jobs_view(jobs);
	status = session_answer(s, &view, selection, NULL, 0);
	jobs_free(jobs);
	jobs_free(base);
	return status;
}
