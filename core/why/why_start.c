/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When a job starts, by the simulation, else as the scheduler estimates. */
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/cluster/cluster.h"
#include "core/cluster/job_tasks.h"
#include "core/queue/reasons.h"
#include "core/sim/starts.h"
#include "core/why/why_private.h"

#define SENTENCE 480
#define NODES_MAX 60		/* bytes of a list of nodes in a sentence */
#define CLOSE 600		/* s: nodes left longer before a start were not waited for */

/* ---- the row of the job -------------------------------------------------------------------- */

/* Whether R has no start for a reason that neither other jobs nor time change. */
static bool is_for_ever(const struct starts_row *r)
{
	return r && (r->obstacle == SITE_NEVER || r->obstacle == SITE_TOO_MANY_NODES ||
		     r->obstacle == SITE_TOO_LARGE || r->obstacle == SITE_TOO_LONG);
}

/* Whether the job has only one partition and QOS. */
static bool is_of_one_entry(const struct why *w)
{
	const struct job_index *x = w->jobs->index;

	return (w->entry == 0 || x->job[w->entry - 1] != w->job) &&
	       (w->entry + 1 == x->n || x->job[w->entry + 1] != w->job);
}

/* ---- the scheduler's reason ---------------------------------------------------------------- */

/*
 * Whether the simulation, in which the job has START or I64_UNKNOWN, models REASON. A rule of one
 * partition does not count for a job of several.
 */
static bool why_is_played(struct why *w, const char *reason, int64_t start)
{
	const struct cluster *c = w->jobs->model->cluster;
	const char *tasks = cluster_text(c, F_JOB_TASKS, w->job);

	if (starts_is_against(c, w->job, start, !is_of_one_entry(w)))
		return false;
	switch (reason_played(reason)) {
	case REASON_OPEN:
	case REASON_NODES:
	case REASON_RULE:
	case REASON_STOP:
		return true;
	case REASON_BEGIN:
		return cluster_i64(c, F_JOB_ELIGIBLE, w->job) != I64_UNKNOWN;
	case REASON_DEPENDENCY:
		return why_dependency_is_played(w);
	case REASON_LICENSES:
		return cluster_has_text(c, F_JOB_LICENSES, w->job);
	case REASON_ARRAY:
		return tasks && job_tasks_at_once(tasks) != U32_INFINITE;
	case REASON_LIMIT:
		return why_limit_is_played(w, reason);
	case REASON_UNPLAYED:
		break;
	}
	return false;
}

/* What it waits for, first or later, that is not simulated; NULL: nothing. */
static const char *find_unplayed(struct why *w, int64_t start)
{
	const struct cluster *c = w->jobs->model->cluster;
	const char *reason = cluster_text(c, F_JOB_REASON, w->job);

	if (cluster_has_text(c, F_JOB_DEPENDENCY, w->job) && !why_dependency_is_played(w))
		return cluster_text(c, F_JOB_DEPENDENCY, w->job);
	return reason && *reason && !why_is_played(w, reason, start) ? reason : NULL;
}

/* ---- sentences ----------------------------------------------------------------------------- */

/* Whether the scheduler found no free resources for it at its last pass. */
static bool is_without_room(const struct why *w)
{
	const char *reason = cluster_text(w->jobs->model->cluster, F_JOB_REASON, w->job);

	return reason && strcmp(reason, "Resources") == 0;
}

/*
 * Promises nothing: jobs that end sooner may let others in ahead of it. ALL: no job ahead is left
 * out.
 */
static void say_start(const struct why *w, const struct starts_row *r, bool all, char *text)
{
	const struct cluster *c = w->jobs->model->cluster;
	char when[WHY_WHEN_MAX], name[WHY_NAME_MAX];

	if (w->jobs->index->tasks[w->entry] > 1)
		format_append(text, SENTENCE, "its first task: ");
	if (r->start - cluster_meta(c)->time <= STARTS_SOON)
		format_append(text, SENTENCE, "%swhen the scheduler next tries it",
			      all && !is_without_room(w) ? "" : "as far as simulated, ");
	else
		format_append(text, SENTENCE, "about %s if all jobs run to their limits and "
			      "nothing else is submitted", why_when(w, r->start, when));
	if (r->nodes && strlen(r->nodes) <= NODES_MAX)
		format_append(text, SENTENCE, ", on %s", r->nodes);
	if (r->after == ROW_NONE || r->start - r->after_end > CLOSE)
		return;
	format_append(text, SENTENCE, "; job %s is the last to end on its nodes, about %s",
		      why_job_name(c, r->after, name), why_when(w, r->after_end, when));
}

static void say_scheduler(const struct why *w, int64_t expected, char *text)
{
	char when[WHY_WHEN_MAX];

	if (expected != I64_UNKNOWN && expected > cluster_meta(w->jobs->model->cluster)->time)
		format_append(text, SENTENCE, "%sthe scheduler expects %s", *text ? "; " : "",
			      why_when(w, expected, when));
}

void why_put_span(struct why *w, const struct starts *s)
{
	const struct starts_row *r = starts_row_of(s, w->job);
	char from[WHY_WHEN_MAX], to[WHY_WHEN_MAX], *text;

	if (w->has_span || w->start == I64_UNKNOWN || !r || r->p10 == I64_UNKNOWN ||
	    r->start - cluster_meta(s->c)->time <= STARTS_SOON)
		return;
	for (size_t i = 0; i < w->count; i++) {
		if (w->lines[i].part != WHY_START)
			continue;
		text = mem_format("%s; in 8 of 10 cases it starts between %s and %s",
				  w->lines[i].text, why_when(w, r->p10, from),
				  why_when(w, r->p90, to));
		mem_free(w->lines[i].text);
		w->lines[i].text = text;
		w->has_span = true;
		return;
	}
}

/* Adds the line without a simulated start. */
static void say_no_start(const struct why *w, const char *why, bool simulated, bool never,
			 int64_t expected, char *text)
{
	if (never) {
		format_append(text, SENTENCE, "never as things are: %s", why);
		return;
	}
	say_scheduler(w, expected, text);
	if (simulated)
		format_append(text, SENTENCE, "%sunknown%s%s", *text ? "; simulated start " : "",
			      why ? ": " : "", why ? why : "");
	else
		format_append(text, SENTENCE, "%s%s%s", *text ? "; not simulated" : "unknown",
			      why ? ": " : "", why ? why : "");
}

static void why_put_facts(struct why *w, struct why_line *line, const struct starts_row *r,
			  int64_t expected, const char *why)
{
	const struct cluster *c = w->jobs->model->cluster;
	char name[WHY_NAME_MAX];

	why_time(line, "latest", r ? r->start : I64_UNKNOWN);
	why_time(line, "scheduler", expected);
	why_time(line, "p10", r ? r->p10 : I64_UNKNOWN);
	why_time(line, "p50", r ? r->p50 : I64_UNKNOWN);
	why_time(line, "p90", r ? r->p90 : I64_UNKNOWN);
	why_word(line, "nodes", r ? r->nodes : NULL);
	why_word(line, "after", r && r->after != ROW_NONE ? why_job_name(c, r->after, name) : NULL);
	why_word(line, "why", why);
}

/* ---- what the start depends on ------------------------------------------------------------- */

/*
 * The number of jobs before R in its partition that are not simulated, because something about them
 * is unknown or not modelled.
 */
static unsigned long count_left_out(const struct starts *s, const struct starts_row *r)
{
	uint32_t partition = cluster_text_id(s->c, F_JOB_PARTITION, r->job);
	unsigned long count = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct starts_row *other = &s->rows[i];

		if (other->place < r->place && other->job != r->job &&
		    other->obstacle >= SITE_NO_PARTITION &&
		    cluster_text_id(s->c, F_JOB_PARTITION, other->job) == partition)
			count += other->tasks;
	}
	return count;
}

/* The notes, except those about likely spans, which no sentence has, and jobs without a start. */
static unsigned long count_notes(const struct starts *s)
{
	static const char *const others[] = { "no start for ", "likely spans: ",
					      "no likely span: ", "of more than " };
	unsigned long count = 0;

	for (size_t i = 0; i < s->note_count; i++) {
		size_t k = 0;

		while (k < sizeof(others) / sizeof(others[0]) &&
		       strncmp(s->notes[i].text, others[k], strlen(others[k])) != 0)
			k++;
		count += k == sizeof(others) / sizeof(others[0]);
	}
	return count;
}

/* Adds one line on what may change the start of R. */
static void put_unknown(struct why *w, const struct starts *s, const struct starts_row *r)
{
	unsigned long jobs = count_left_out(s, r), notes = count_notes(s);
	char text[SENTENCE] = "";
	struct why_line *line;

	if (jobs > 0)
		format_append(text, sizeof(text), "%lu %s in its partition that may come before "
			      "it cannot be simulated, so it may start later", jobs,
			      plural(jobs, "job", "jobs"));
	if (notes > 0)
		format_append(text, sizeof(text), "%s%lu %s of the simulation %s unknown or not "
			      "modelled: fairtop starts SOURCE lists %s", jobs > 0 ? "; " : "",
			      notes, plural(notes, "input", "inputs"), plural(notes, "is", "are"),
			      plural(notes, "it", "them"));
	if (!*text)
		return;
	line = why_add(w, WHY_UNKNOWN, "%s", text);
	why_number(line, "jobs", (double)jobs);
	why_number(line, "notes", (double)notes);
}

/* ---- the answer ---------------------------------------------------------------------------- */

static void why_put_waiting(struct why *w, const struct starts *s, const char *why_not)
{
	const struct cluster *c = w->jobs->model->cluster;
	const struct starts_row *r = s ? starts_row_of(s, w->job) : NULL;
	const char *why = !s ? why_not : r && r->start == I64_UNKNOWN ?
			  site_obstacles[r->obstacle].text : NULL;
	const char *waits_for = !r ? NULL : r->obstacle == SITE_UNPLAYED ?
		cluster_text(c, F_JOB_REASON, w->job) : find_unplayed(w, r->start);
	int64_t expected = cluster_i64(c, F_JOB_START, w->job);
	char text[SENTENCE] = "", unplayed[SENTENCE];
	struct why_line *line;

	w->unplayed = waits_for != NULL;
	if (w->unplayed && (r->start != I64_UNKNOWN || r->obstacle == SITE_UNPLAYED)) {
		(void)snprintf(unplayed, sizeof(unplayed), "what it waits for (%.200s) was not "
			       "read or is not modelled", waits_for);
		why = unplayed;
		r = NULL;
	}
	if (r && r->start != I64_UNKNOWN) {
		w->start = r->start;
		say_start(w, r, count_left_out(s, r) == 0, text);
		say_scheduler(w, expected, text);
	} else {
		say_no_start(w, why, s != NULL, is_for_ever(r), expected, text);
		w->never |= is_for_ever(r) && is_of_one_entry(w);
	}
	line = why_add(w, WHY_START, "%s", text);
	why_put_facts(w, line, r, expected, why);
	if (r && r->start != I64_UNKNOWN) {
		why_put_span(w, s);
		put_unknown(w, s, r);
	}
}

/* The first two rows that begin after the job of W is the last to leave, and their number. */
static size_t why_find_behind(const struct why *w, const struct starts *s,
			      const struct starts_row *first[2])
{
	size_t count = 0;

	first[0] = first[1] = NULL;
	for (size_t i = 0; i < s->count; i++) {
		const struct starts_row *r = &s->rows[i];

		if (r->after != w->job || r->start == I64_UNKNOWN ||
		    r->start - r->after_end > CLOSE)
			continue;
		count++;
		if (!first[0] || r->start < first[0]->start) {
			first[1] = first[0];
			first[0] = r;
		} else if (!first[1] || r->start < first[1]->start) {
			first[1] = r;
		}
	}
	return count;
}

static void put_behind(struct why *w, const struct starts *s)
{
	const struct starts_row *first[2];
	size_t count = why_find_behind(w, s, first);
	struct why_line *line;

	for (size_t i = 0; i < 2 && i < count; i++) {
		const struct starts_row *r = first[i];
		const char *user = cluster_text(s->c, F_JOB_USER, r->job);
		char name[40], when[WHY_WHEN_MAX];

		if (i == 1 && count > 2) {
			why_number(why_add(w, WHY_BEHIND, "%zu more jobs wait for its nodes",
					   count - 1), "count", (double)(count - 1));
			break;
		}
		starts_name(r, name, sizeof(name));
		line = why_add(w, WHY_BEHIND, "job %s%s%s%s waits for its nodes, starts about %s",
			       name, user ? " (" : "", user ? user : "", user ? ")" : "",
			       why_when(w, r->start, when));
		why_word(line, "job", name);
		why_word(line, "user", user);
		why_time(line, "start", r->start);
		why_number(line, "count", (double)count);
	}
}

void why_put_start(struct why *w, const struct starts *s, const char *why_not)
{
	if (s && s->rough) {
		s = NULL;
		why_not = "only roughly simulated so far";
	}
	if (w->state == WHY_WAITS)
		why_put_waiting(w, s, why_not);
	else if (w->state == WHY_RUNS && s)
		put_behind(w, s);
}
