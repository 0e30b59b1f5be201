/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A running job, its end and its cost; an ended job, and how long it was pending. */
#include <stdio.h>
#include <string.h>

#include "core/sim/sim_site.h"
#include "core/why/why_private.h"

/* When it became eligible; if unknown, its submission. As in waits.h. */
static int64_t waited_since(const struct cluster *c, uint32_t job)
{
	int64_t since = cluster_i64(c, F_JOB_ELIGIBLE, job);

	return since == I64_UNKNOWN || since == 0 ? cluster_i64(c, F_JOB_SUBMIT, job) : since;
}

/* "; it waited 3 h 20 min" */
static double put_wait(struct why *w, int64_t start, char *buf, size_t size)
{
	int64_t since = waited_since(w->jobs->model->cluster, w->job);
	char span[WHY_WHEN_MAX];

	buf[0] = '\0';
	if (start == I64_UNKNOWN || since == I64_UNKNOWN || start < since)
		return F64_UNKNOWN;
	(void)snprintf(buf, size, "; it waited %s", why_span(start - since, span));
	return (double)(start - since);
}

/* "; it costs /physics 230.40k billable TRES-seconds an hour" */
static double put_cost(struct why *w, char *buf, size_t size)
{
	const struct cluster *c = w->jobs->model->cluster;
	uint32_t assoc = w->jobs->index->assoc[w->entry];
	const uint32_t *parent = cluster_parent(c);
	double burn = 3600 * job_burn(c, w->job);
	char path[300], cost[80];

	buf[0] = '\0';
	if (!f64_known(burn) || assoc == ROW_NONE || w->jobs->pbs || w->jobs->lsf)
		return F64_UNKNOWN;
	if (cluster_is_user(c, assoc) && parent[assoc] != ROW_NONE)
		assoc = parent[assoc];
	cluster_path(c, assoc, path, sizeof(path));
	burn_text(burn, cost, sizeof(cost));
	(void)snprintf(buf, size, "; it costs %s %s", path, cost);
	return burn;
}

/* Whether it may run beyond its time limit. */
static bool runs_over(const struct why *w)
{
	const struct cluster *c = w->jobs->model->cluster;
	const struct site s = { .c = c, .policy = cluster_policy(c) };
	const struct site_job job = { .partition = w->jobs->index->partition[w->entry] };

	return site_over_time(&s, &job) > 0;
}

/* Adds that its time limit ends it, if known. */
static void why_runs_put_end(struct why *w, int64_t end, char *buf, size_t size)
{
	const struct cluster *c = w->jobs->model->cluster;
	int64_t now = cluster_meta(c)->time;
	char time[WHY_WHEN_MAX];

	if (end == I64_UNKNOWN)
		(void)snprintf(buf, size, "; its end is unknown");
	else if (end == I64_INFINITE)
		(void)snprintf(buf, size, ", without a time limit");
	else if (end <= now || runs_over(w))
		(void)snprintf(buf, size, "; its time limit %s at %s", end <= now ? "ended" :
			       "ends", why_when(w, end, time));
	else
		(void)snprintf(buf, size, " and ends by %s at the latest", why_when(w, end, time));
}

static void say_runs(struct why *w)
{
	const struct cluster *c = w->jobs->model->cluster;
	int64_t start = cluster_i64(c, F_JOB_START, w->job);
	const char *state = cluster_text(c, F_JOB_STATE, w->job);
	bool suspended = state && strcmp(state, "SUSPENDED") == 0;
	/* The end of a suspended job moves. */
	int64_t end = suspended ? I64_UNKNOWN : cluster_i64(c, F_JOB_END, w->job);
	char since[WHY_WHEN_MAX + 16] = "", until[WHY_WHEN_MAX + 60], time[WHY_WHEN_MAX];
	char wait[WHY_WHEN_MAX + 32], cost[400];
	double waited = put_wait(w, start, wait, sizeof(wait));
	double burn = F64_UNKNOWN;
	struct why_line *line;

	if (start != I64_UNKNOWN)
		(void)snprintf(since, sizeof(since), "%s %s", suspended ? ", started" : " since",
			       why_when(w, start, time));
	why_runs_put_end(w, end, until, sizeof(until));
	if (!suspended)
		burn = put_cost(w, cost, sizeof(cost));
	line = why_add(w, WHY_START, "it %s%s%s%s%s", suspended ? "is suspended" : !*since ?
		       "is running" : "has been running", since, until, wait,
		       suspended ? "" : cost);
	why_time(line, "started", start);
	why_time(line, "ends", end);
	why_number(line, "waited", waited);
	why_number(line, "burn", burn);
	why_word(line, "nodes", cluster_text(c, F_JOB_NODE_LIST, w->job));
}

static void say_ended(struct why *w)
{
	const struct cluster *c = w->jobs->model->cluster;
	int64_t start = cluster_i64(c, F_JOB_START, w->job);
	int64_t end = cluster_i64(c, F_JOB_END, w->job);
	char at[WHY_WHEN_MAX + 8] = "", wait[WHY_WHEN_MAX + 32], time[WHY_WHEN_MAX];
	const char *state = cluster_text(c, F_JOB_STATE, w->job);
	double waited = put_wait(w, start, wait, sizeof(wait));
	struct why_line *line;

	if (end != I64_UNKNOWN && end != I64_INFINITE)
		(void)snprintf(at, sizeof(at), " at %s", why_when(w, end, time));
	line = why_add(w, WHY_START, "it has ended%s%s%s%s%s", at, state ? " (" : "",
		       state ? state : "", state ? ")" : "", wait);
	why_time(line, "started", start);
	why_time(line, "ended", end);
	why_number(line, "waited", waited);
	why_word(line, "scheduler_state", state);
}

void why_runs(struct why *w)
{
	if (w->state == WHY_RUNS)
		say_runs(w);
	else
		say_ended(w);
}
