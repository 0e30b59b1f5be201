/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keeps a job from being tried although there may be room: it blocks nobody behind it. */
#include <stdlib.h>
#include <string.h>

#include "core/sim/sim_site.h"

/* ---- dependencies -------------------------------------------------------------------------- */

/* Job or array ID: has it begun, ended, and ended well? An unknown one has ended before. */
struct fate {
	bool begun, ended, well;
};

static struct fate fate_of(const struct site *s, uint32_t id, uint32_t task)
{
	struct fate f = { true, true, true };

	for (size_t i = 0; i < s->job_count; i++) {
		const struct site_job *j = &s->jobs[i];
		bool in_array = cluster_u32(s->c, F_JOB_ARRAY, j->row) == id;

		if ((j->id != id && !in_array) || (task != U32_UNKNOWN && j->task != task) ||
		    j->state == SITE_ELSEWHERE)
			continue;
		f.begun = f.begun && j->state != SITE_WAITS;
		f.ended = f.ended && j->state != SITE_WAITS && j->state != SITE_RUNS;
		f.well = f.well && j->state == SITE_DONE;
	}
	return f;
}

/* Another job of that name and user that is before it. */
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

/* "afterok:11(unfulfilled)", "afterany:9:12_3", "singleton(unfulfilled)" */
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

/* All of "a,b", one of "a?b". */
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
	if (job->state != SITE_WAITS || job->lack != SITE_NO_LACK ||
	    (job->begin != I64_UNKNOWN && job->begin > s->now))
		return false;
	return s->array_jobs[job->array] < job->at_once && has_dependencies(s, job);
}

/* ---- limits -------------------------------------------------------------------------------- */

/* With USED (by TRES row; NULL: nothing) is there room for JOB below the limits of FIELD? */
static bool has_room(const struct site *s, enum field field, uint32_t row, const double *used,
		     struct tres_list job)
{
	struct tres_list limits = cluster_tres(s->c, field, row);

	for (uint32_t i = 0; i < limits.count; i++) {
		uint32_t tres = limits.items[i].tres;

		if (tres_list_count(job, tres) > 0 &&
		    (used ? used[tres] : 0) + tres_list_count(job, tres) > limits.items[i].count)
			return false;
	}
	return true;
}

static bool below(const struct site *s, enum field field, uint32_t row, uint32_t used)
{
	uint32_t limit = cluster_u32(s->c, field, row);

	return limit == U32_UNKNOWN || limit == U32_INFINITE || used < limit;
}

/* What the user of JOB, or with ACCOUNT all of its account, runs under its QOS. */
static bool qos_of_user(const struct site *s, const struct site_job *job, enum field who,
			enum field jobs, enum field tres, struct tres_list list)
{
	double used[64] = { 0 };
	uint32_t running = 0;

	if (below(s, jobs, job->qos, UINT32_MAX) && cluster_tres(s->c, tres, job->qos).count == 0)
		return true;	/* no limit: no need to look who runs */
	for (size_t i = 0; i < s->job_count; i++) {
		const struct site_job *j = &s->jobs[i];
		struct tres_list has = cluster_tres(s->c, F_JOB_TRES_ALLOC, j->row);

		if (j->state != SITE_RUNS || j->qos != job->qos ||
		    cluster_text_id(s->c, who, j->row) != cluster_text_id(s->c, who, job->row))
			continue;
		has = has.count > 0 ? has : cluster_tres(s->c, F_JOB_TRES, j->row);
		running++;
		for (uint32_t k = 0; k < has.count; k++)
			used[has.items[k].tres % 64] += has.items[k].count;
	}
	return below(s, jobs, job->qos, running) &&
	       (cluster_rows(s->c, TABLE_TRES) > 64 || has_room(s, tres, job->qos, used, list));
}

bool site_within_limits(const struct site *s, const struct site_job *job)
{
	uint32_t all = cluster_rows(s->c, TABLE_TRES);
	struct tres_list list = cluster_tres(s->c, F_JOB_TRES, job->row);
	const uint32_t *parent = cluster_parent(s->c);
	uint32_t q = job->qos;

	if (!site_has_licenses(s, job))
		return false;
	for (uint32_t a = job->assoc; a != ROW_NONE; a = parent[a]) {
		if (!below(s, F_ASSOC_GRP_JOBS, a, s->assoc_jobs[a]) ||
		    (a == job->assoc && !below(s, F_ASSOC_MAX_JOBS, a, s->assoc_jobs[a])) ||
		    !has_room(s, F_ASSOC_GRP_TRES, a, s->assoc_tres + (size_t)a * all, list) ||
		    !has_room(s, F_ASSOC_MAX_TRES, a, NULL, list))
			return false;
	}
	if (q == ROW_NONE)
		return true;
	return below(s, F_QOS_GRP_JOBS, q, s->qos_jobs[q]) &&
	       has_room(s, F_QOS_GRP_TRES, q, s->qos_tres + (size_t)q * all, list) &&
	       has_room(s, F_QOS_MAX_TRES, q, NULL, list) &&
	       qos_of_user(s, job, F_JOB_USER, F_QOS_MAX_JOBS_USER, F_QOS_MAX_TRES_USER, list) &&
	       qos_of_user(s, job, F_JOB_ACCOUNT, F_QOS_MAX_JOBS_ACCOUNT, F_QOS_MAX_TRES_ACCOUNT,
			   list);
}
