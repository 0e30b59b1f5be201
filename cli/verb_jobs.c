/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs: the queue, one row per job, partition and QOS. */
#include "core/queue/jobs.h"
#include "cli/session.h"
#include "cli/verbs.h"

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
	if (s->base_model)
		base = jobs_new(s->base_model, NULL);
	session_changes(s, base, jobs);
	view = jobs_view(jobs);
	status = session_answer(s, &view, selection, NULL, 0);
	jobs_free(jobs);
	jobs_free(base);
	return status;
}
