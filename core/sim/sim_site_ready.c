/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keeps a job from being tried even with free resources; it blocks no later job. */
#include <stdlib.h>
#include <string.h>

#include "core/sim/sim_site.h"

/* ---- dependencies -------------------------------------------------------------------------- */

/* What became of a job or array ID: begun, ended, ended well. An unknown one has ended before. */
struct fate {
	bool begun, ended, well;
};

/* Whether TASK is a later task of a bundle. */
static bool is_bundled(const struct site *s, const struct site_job *job, uint32_t task)
{
	return job->count > 1 && task > job->task &&
	       job_tasks_has(cluster_text(s->c, F_JOB_TASKS, job->row), task);
}

static struct fate fate_of(const struct site *s, uint32_t id, uint32_t task)
{
	struct fate f = { true, true, true };

	for (size_t i = 0; i < s->job_count; i++) {
		const struct site_job *j = &s->jobs[i];
		bool in_array = cluster_u32(s->c, F_JOB_ARRAY, j->row) == id;

		if ((j->id != id && !in_array) ||
		    (task != U32_UNKNOWN && j->task != task && !is_bundled(s, j, task)) ||
		    j->state == SITE_ELSEWHERE)
			continue;
		f.begun = f.begun && j->state != SITE_WAITS;
		f.ended = f.ended && j->state != SITE_WAITS && j->state != SITE_RUNS;
		f.well = f.well && j->state == SITE_DONE;
	}
	return f;
}

/* Whether no earlier job has its name and user. */
static bool is_single(const struct site *s, const struct site_job *job)
{
	uint32_t name = cluster_text_id(s->c, F_JOB_NAME, job->row);
	uint32_t user = cluster_text_id(s->c, F_JOB_USER, job->row);

	for (size_t i = 0; i < s->job_count; i++) {
		const struct site_job *j = &s->jobs[i];

		if (j->id < job->id && (j->state == SITE_WAITS || j->state == SITE_RUNS) &&
		    cluster_text_id(s->c, F_JOB_NAME, j->row) == name &&
		    cluster_text_id(s->c, F_JOB_USER, j->row) == user)
			return false;
	}
	return true;
}

/* Whether "afterok:11(unfulfilled)", "afterany:9:12_3" or "singleton(unfulfilled)" is fulfilled. */
static bool is_fulfilled(const struct site *s, const struct site_job *job, const char *text)
{
	size_t word = strcspn(text, ":(,?");
	bool good = true;

	if (strncmp(text, "singleton", word) == 0)
		return is_single(s, job);
	for (const char *at = text + word; good && *at == ':';) {
		char *end;
		uint32_t id = (uint32_t)strtoul(at + 1, &end, 10), task = U32_UNKNOWN;
		struct fate f;

		if (*end == '_')
			task = end[1] == '*' ? (end += 2, U32_UNKNOWN) :
				(uint32_t)strtoul(end + 1, &end, 10);
		f = fate_of(s, id, task);
		good = strncmp(text, "afterany", word) == 0 ? f.ended :
		       strncmp(text, "afternotok", word) == 0 ? f.ended && !f.well :
		       word == 5 ? f.begun : f.ended && f.well;
		at = end + strcspn(end, ":,?");
	}
	return good;
}

/* Checks all of "a,b", or one of "a?b". */
static bool has_dependencies(const struct site *s, const struct site_job *job)
{
	const char *text = cluster_text(s->c, F_JOB_DEPENDENCY, job->row);
	bool any = text && strchr(text, '?');

	for (; text && *text; text += strcspn(text, ",?"), text += *text != '\0') {
		if (is_fulfilled(s, job, text) == any)
			return any;
	}
	return !any;
}

bool site_ready(const struct site *s, const struct site_job *job)
{
	if (job->state != SITE_WAITS || job->obstacle != SITE_NO_OBSTACLE ||
	    (job->begin != I64_UNKNOWN && job->begin > s->now))
		return false;
	return s->array_jobs[job->array] < job->at_once && has_dependencies(s, job);
}
