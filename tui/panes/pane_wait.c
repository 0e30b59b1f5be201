/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a job waits: the scheduler's word in plain ones, and with its numbers whatever it waits for:
 * the jobs before it, the limit, the dependency, the reservation, the begin time.
 */
#include "tui/panes/detail.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/word.h"
#include "core/base/format.h"
#include "core/base/plural.h"
#include "core/queue/reasons.h"
#include "tui/base/zone.h"

#define BEFORE_SHOWN 3
#define DEPENDENCIES_SHOWN 4

/* ---- the partition ----------------------------------------------------------------------- */

/* A limit of the partition that the job is beyond. */
static void put_partition_limits(struct doc *d, const struct jobs *j, uint32_t row)
{
	const struct cluster *c = j->model->cluster;
	uint32_t job = j->index->job[row], p = j->index->partition[row], nodes, most;
	int64_t asks, longest;
	char text[160], one[48], other[48];
	struct value v = { .kind = VALUE_INT };
	const struct column duration = { .format = COLUMN_DURATION };

	if (p == ROW_NONE)
		return;
	asks = cluster_i64(c, F_JOB_TIME_LIMIT, job);
	longest = cluster_i64(c, F_PARTITION_MAX_TIME, p);
	if (asks != I64_UNKNOWN && longest != I64_UNKNOWN && longest != I64_INFINITE &&
	    asks > longest) {
		v.integer = asks;
		format_cell(&duration, &v, NULL, one, sizeof one);
		v.integer = longest;
		format_cell(&duration, &v, NULL, other, sizeof other);
		snprintf(text, sizeof text, "time limit %s, MaxTime of the partition %s",
			 asks == I64_INFINITE ? "UNLIMITED" : one, other);
		pane_pair(d, "limit", ROLE_WARN, text);
	}
	nodes = j->index->min_nodes[row];
	most = cluster_u32(c, F_PARTITION_MAX_NODES, p);
	if (most == U32_UNKNOWN || most == U32_INFINITE ||
	    (cluster_u32(c, F_PARTITION_NODES, p) < most))
		most = cluster_u32(c, F_PARTITION_NODES, p);
	if (nodes != U32_UNKNOWN && most != U32_UNKNOWN && nodes > most) {
		snprintf(text, sizeof text, "it asks for %u %s, the partition allows or has %u",
			 nodes, plural(nodes, "node", "nodes"), most);
		pane_pair(d, "limit", ROLE_WARN, text);
	}
}

/* ---- other things to wait for ------------------------------------------------------------ */

static void time_text(int64_t time, char *buf, size_t size)
{
	const struct column column = { .format = COLUMN_TIME };
	struct value v = { .kind = VALUE_INT, .integer = time };

	format_cell(&column, &v, &zone_local, buf, size);
}

static void put_other_job(struct doc *d, const struct cluster *c, uint32_t id)
{
	char text[300];

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
		const char *state, *reason;

		if (cluster_u32(c, F_JOB_ID, i) != id && cluster_u32(c, F_JOB_ARRAY, i) != id)
			continue;
		state = cluster_text(c, F_JOB_STATE, i);
		reason = cluster_text(c, F_JOB_REASON, i);
		snprintf(text, sizeof text, "job %u is %s%s%s", id, state != NULL ? state : "there",
			 reason != NULL ? ", " : "", reason != NULL ? reason : "");
		pane_pair(d, "", ROLE_HINT, text);
		return;
	}
	snprintf(text, sizeof text, "job %u is no longer in the queue", id);
	pane_pair(d, "", ROLE_HINT, text);
}

/* "afterok:45(unfulfilled),singleton": numbers behind colons are jobs. */
static void put_dependency(struct doc *d, const struct cluster *c, uint32_t job)
{
	const char *text = cluster_text(c, F_JOB_DEPENDENCY, job);
	unsigned shown = 0;

	pane_pair(d, "dependency", ROLE_VALUE, text);
	for (; text != NULL && *text != '\0' && shown < DEPENDENCIES_SHOWN; text++) {
		if (*text != ':' || !isdigit((unsigned char)text[1]))
			continue;
		put_other_job(d, c, (uint32_t)strtoul(text + 1, NULL, 10));
		shown++;
	}
}

/* Whom of its partitions or QOS a reservation lets in, if not all (and none but these). */
static void put_allowed(struct doc *d, const struct cluster *c, enum field allowed, uint32_t row,
			enum field asked, uint32_t job)
{
	struct text_list list = cluster_list(c, allowed, row);
	const char *of = cluster_text(c, asked, job);
	bool lets_in = false;
	char text[400];
	size_t used;

	used = (size_t)snprintf(text, sizeof text, "for jobs of %s",
				allowed == F_RESERVATION_QOS ? "QOS" : "partition");
	for (uint32_t i = 0; i < list.count; i++) {
		const char *name = cluster_string(c, list.texts[i]);

		lets_in = lets_in || (of != NULL && word_listed(of, name, strlen(name)));
		if (used < sizeof text)
			used += (size_t)snprintf(text + used, sizeof text - used, "%s %s",
						 i > 0 ? "," : "", name);
	}
	if (list.count > 0)
		pane_pair(d, "", lets_in ? ROLE_HINT : ROLE_WARN, text);
}

static void put_reservation(struct doc *d, const struct cluster *c, uint32_t job)
{
	const char *name = cluster_text(c, F_JOB_RESERVATION, job), *other;
	char from[64], to[64], text[200];

	pane_pair(d, "reservation", ROLE_VALUE, name);
	for (uint32_t i = 0; name != NULL && i < cluster_rows(c, TABLE_RESERVATION); i++) {
		other = cluster_text(c, F_RESERVATION_NAME, i);
		if (other == NULL || strcmp(other, name) != 0)
			continue;
		time_text(cluster_i64(c, F_RESERVATION_START, i), from, sizeof from);
		time_text(cluster_i64(c, F_RESERVATION_END, i), to, sizeof to);
		snprintf(text, sizeof text, "from %s to %s", from, to);
		pane_pair(d, "", ROLE_HINT, text);
		put_allowed(d, c, F_RESERVATION_PARTITIONS, i, F_JOB_PARTITION, job);
		put_allowed(d, c, F_RESERVATION_QOS, i, F_JOB_QOS, job);
	}
}

/* "ansys:2,matlab": of each what is in use, while it waits; without a number it is one. */
static void put_licenses(struct doc *d, const struct jobs *j, uint32_t row_of_job)
{
	const struct cluster *c = j->model->cluster;
	const char *at = cluster_text(c, F_JOB_LICENSES, j->index->job[row_of_job]);

	pane_pair(d, "licenses", ROLE_VALUE, at);
	if (j->index->kind[row_of_job] >= JOB_RUNNING)
		return;
	while (at != NULL && *at != '\0') {
		size_t whole = strcspn(at, ",|"), name = strcspn(at, ":,|");
		unsigned long asks = at[name] == ':' ? strtoul(at + name + 1, NULL, 10) : 1;
		uint32_t row = cluster_row_named(c, F_LICENSE_NAME, at, name);
		char text[200];

		if (row != ROW_NONE && cluster_u32(c, F_LICENSE_USED, row) != U32_UNKNOWN) {
			uint32_t used = cluster_u32(c, F_LICENSE_USED, row);
			uint32_t total = cluster_u32(c, F_LICENSE_TOTAL, row);

			snprintf(text, sizeof text, "%.80s: %u of %u in use, it asks for %lu",
				 cluster_text(c, F_LICENSE_NAME, row), used, total, asks);
			pane_pair(d, "", used + asks > total ? ROLE_WARN : ROLE_HINT, text);
		}
		at += whole + (at[whole] != '\0');
	}
}

static void put_times(struct doc *d, const struct jobs *j, uint32_t row)
{
	const struct cluster *c = j->model->cluster;
	uint32_t job = j->index->job[row];
	int64_t start = cluster_i64(c, F_JOB_START, job),
		begin = cluster_i64(c, F_JOB_ELIGIBLE, job);
	bool waits = j->index->kind[row] != JOB_RUNNING && j->index->kind[row] != JOB_ENDED;
	char text[64];

	if (j->index->kind[row] == JOB_FUTURE && begin != I64_UNKNOWN && begin > 0) {
		time_text(begin, text, sizeof text);
		pane_pair(d, "begins", ROLE_VALUE, text);
	}
	if (start != I64_UNKNOWN && start > 0) {
		time_text(start, text, sizeof text);
		pane_pair(d, waits ? "expected" : "started", ROLE_VALUE, text);
	}
}

/* ---- what stands before it --------------------------------------------------------------- */

/* The nearest ones before it in its own partition: those it would have to overtake first. */
static void put_before(struct doc *d, const struct queue *q, uint32_t row)
{
	const struct jobs *j = q->jobs;
	const struct queue_order *o = j->order;
	uint32_t at = o->rank[row] - 1;
	unsigned shown = 0;

	while (at-- > 0 && shown < BEFORE_SHOWN) {
		uint32_t other = o->order[at];
		const char *user =
			cluster_text(j->model->cluster, F_JOB_USER, j->index->job[other]);

		if (j->index->partition[other] != j->index->partition[row])
			continue;
		doc_line(d);
		doc_put(d, ROLE_LABEL, shown == 0 ? "just before" : "");
		doc_tab(d, PANE_LABEL);
		doc_putf(d, ROLE_VALUE, "job %s", q->job_names[other]);
		doc_tab(d, PANE_LABEL + 18);
		doc_put(d, ROLE_USER, user != NULL ? user : "-");
		doc_tab(d, PANE_LABEL + 32);
		/* Without a formula PBS has no priorities: that all are 1 tells nothing. */
		if (!j->lsf && j->prio->priority[other] != U32_UNKNOWN &&
		    (!j->pbs || j->pbs->formula))
			doc_putf(d, ROLE_NUMBER, "priority %u", j->prio->priority[other]);
		shown++;
	}
}

/* Why there is no rank. */
static const char *not_ranked(const struct jobs *j, uint32_t row)
{
	const char *why = jobs_left_out(j, row);

	if (j->index->kind[row] == JOB_RUNNING)
		return "it runs";
	if (j->index->kind[row] == JOB_ENDED)
		return "it has ended";
	return why != NULL ? why : "it does not compete now";
}

static void put_place(struct doc *d, const struct jobs *j, uint32_t row)
{
	const struct queue_order *o = jobs_ahead(j);
	char text[200];

	if (o->rank[row] == U32_UNKNOWN) {
		snprintf(text, sizeof text, "%s: %s", jobs_left_out(j, row) != NULL &&
			 jobs_stopped(j, row) == NULL ? "unknown" : "none", not_ranked(j, row));
		pane_pair(d, "rank", ROLE_HINT, text);
		return;
	}
	snprintf(text, sizeof text, "%u of %u, %u in its %s; %u %s before it", o->rank[row],
		 o->count, o->partition_rank[row], jobs_queue_word(j->model->cluster),
		 o->ahead[row], plural(o->ahead[row], "job", "jobs"));
	if (o->ahead[row] == 0)
		snprintf(text, sizeof text, "%u of %u: no job is before it", o->rank[row],
			 o->count);
	pane_pair(d, "rank", ROLE_VALUE, text);
	if (o->ahead[row] > 0 && isfinite(o->ahead_cpu_hours[row])) {
		snprintf(text, sizeof text, "%.*f CPU-hours at most are before it",
			 o->ahead_cpu_hours[row] < 1000 ? 1 : 0, o->ahead_cpu_hours[row]);
		pane_pair(d, "", ROLE_HINT, text);
	}
	if (o->problem[0] != '\0')
		pane_pair(d, "", ROLE_WARN, o->problem);
}

void wait_doc(const struct queue *q, struct doc *d, uint32_t row)
{
	const struct jobs *j = q->jobs;
	const struct cluster *c = j->model->cluster;
	uint32_t job = j->index->job[row];
	const char *reason = cluster_text(c, F_JOB_REASON, job);
	const char *state = cluster_text(c, F_JOB_STATE, job);

	pane_pair(d, "state", ROLE_VALUE, state);
	put_place(d, j, row);
	put_times(d, j, row);
	/* What runs or has ended waits for nothing, whatever stands there still. */
	if (reason != NULL && j->index->kind[row] < JOB_RUNNING) {
		pane_pair(d, "waits", ROLE_VALUE, reason);
		pane_pair(d, "", ROLE_HINT, reason_of(reason)->meaning);
		limits_doc(d, j, row, reason);
	}
	pane_pair(d, "says", ROLE_HINT, cluster_text(c, F_JOB_REASON_TEXT, job));
	put_partition_limits(d, j, row);
	put_dependency(d, c, job);
	put_reservation(d, c, job);
	put_licenses(d, j, row);
	if (j->order->rank[row] != U32_UNKNOWN)
		put_before(d, q, row);
}
