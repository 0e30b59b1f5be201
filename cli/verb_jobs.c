/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs: the queue, one row per job, partition and QOS. */

#include "core/base/plural.h"
#include "core/classes/classes_view.h"
#include "cli/session.h"
#include "cli/verbs.h"

/* Counts pending jobs with a priority of ORIGIN in one of their partitions; *ALL: all pending. */
static uint32_t count_origin(const struct jobs *j, enum prio_origin origin, uint32_t *all)
{
	const struct job_index *x = j->index;
	uint32_t count = 0, last = ROW_NONE;

	*all = 0;
	for (uint32_t e = 0; e < x->n; e++) {
		if (x->kind[e] != JOB_PENDING)
			continue;
		*all += e == 0 || x->job[e] != x->job[e - 1];
		if (j->prio->origin[e] == origin && x->job[e] != last) {
			count++;
			last = x->job[e];
		}
	}
	return count;
}

/*
 * For Slurm: reports which priorities are as reported, and jobs without priority, which have no
 * rank, so that the other jobs' ranks ignore them.
 */
static void tell_origins(const struct jobs *j)
{
	static const struct {
		enum prio_origin origin;
		const char *what;
	} reported[] = {
		{ PRIO_ORIGIN_UNREPORTED, "the priority that the scheduler reports: not all its "
				      "inputs were read" },
		{ PRIO_ORIGIN_UNKNOWN, "an unknown priority, and no rank" },
	};

	for (size_t i = 0; i < sizeof(reported) / sizeof(reported[0]) && !j->pbs && !j->lsf; i++) {
		uint32_t waiting, count = count_origin(j, reported[i].origin, &waiting);

		if (count > 0)
			remark("jobs", "%u of %u pending %s %s", (unsigned)count,
			       (unsigned)waiting, plural(waiting, "job has", "jobs have"),
			       reported[i].what);
	}
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
	jobs = session_jobs(s);
	session_tell_order(jobs);
	classes_tell_chosen(jobs, NULL);
	tell_origins(jobs);
	if (s->base_model)
		base = jobs_new(s->base_model, NULL);
	session_changes(s, base, jobs);
	view = jobs_view(jobs);
	status = session_answer(s, &view, selection, NULL, 0);
	jobs_free(jobs);
	jobs_free(base);
	return status;
}
