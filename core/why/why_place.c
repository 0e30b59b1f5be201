/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Its rank in its partition, and which job is right ahead. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/queue/compare.h"
#include "core/why/why_private.h"

/* ---- its rank ------------------------------------------------------------------------------- */

/* The number of entries with a rank in the partition of ENTRY. */
static uint32_t ranked_beside(const struct jobs *j, uint32_t entry)
{
	const struct queue_order *o = j->order;
	uint32_t n = 0;

	for (uint32_t i = 0; i < o->count; i++)
		n += j->index->partition[o->order[i]] == j->index->partition[entry];
	return n;
}

static void why_place_say_place(struct why *w, const char *where)
{
	const struct queue_order *o = jobs_ahead(w->jobs);
	uint32_t place = o->partition_rank[w->entry], of = ranked_beside(w->jobs, w->entry);
	double hours = o->ahead_cpu_hours[w->entry];
	struct why_line *line;

	if (of == o->count)
		line = why_add(w, WHY_PLACE, "%u of %u in %s", place, of, where);
	else
		line = why_add(w, WHY_PLACE, "%u of %u in %s, %u of %u in all", place, of, where,
			       o->rank[w->entry], o->count);
	why_word(line, "partition", where);
	why_number(line, "partition_rank", place);
	why_number(line, "of", of);
	why_number(line, "rank", o->rank[w->entry]);
	why_number(line, "ranked", o->count);
	why_number(line, "ahead", o->ahead[w->entry]);
	why_number(line, "ahead_cpu_hours", hours);
	if (o->problem[0])
		why_add(w, WHY_UNKNOWN, "%s", o->problem);
}

static void say_no_place(struct why *w, const char *where)
{
	const char *stopped = jobs_stopped(w->jobs, w->entry);
	const char *why = jobs_left_out(w->jobs, w->entry);
	struct why_line *line;

	if (stopped)
		line = why_add(w, WHY_PLACE, "none in %s: %s", where, stopped);
	else
		line = why_add(w, WHY_PLACE, "unknown: %s", why ? why : "it is not ranked");
	why_word(line, "partition", where);
	why_number(line, "rank", F64_UNKNOWN);
	why_word(line, "why", stopped ? stopped : why);
}

/* ---- the job right ahead -------------------------------------------------------------------- */

/* The nearest entry before it in its partition that is another job; ROW_NONE. */
static uint32_t right_ahead(const struct jobs *j, uint32_t entry)
{
	const struct queue_order *o = j->order;
	const struct job_index *x = j->index;

	for (uint32_t i = o->rank[entry] - 1; i-- > 0;) {
		uint32_t e = o->order[i];

		if (x->partition[e] == x->partition[entry] && x->job[e] != x->job[entry])
			return e;
	}
	return ROW_NONE;
}

/* The deciding term, for people. */
static const char *word_for(const char *name)
{
	static const char *const words[][2] = {
		{ "fairshare", "fair share" }, { "jobsize", "job size" }, { "qos", "QOS" },
		{ "assoc", "its association's priority" }, { "submit", "an earlier submission" },
		{ "site", "the site factor" }, { "nice", "its nice value" },
		{ "expedited", "an expedited requeue" }, { "reservation", "its reservation" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i][0], name) == 0)
			return words[i][1];
	}
	return name;
}

/* The row that decides; of several the most specific one, which is the last; NULL. */
static const struct compare_row *deciding_row(const struct compare *c)
{
	const struct compare_row *found = NULL;

	for (size_t i = 0; i < c->count; i++)
		found = c->rows[i].decides && c->rows[i].name[0] != '/' ? &c->rows[i] : found;
	return found;
}

/* "/chemistry has used 0.52 of its share, /physics 1.31"; empty if that is not the order. */
static void say_shares(struct why *w, uint32_t other, char *buf, size_t size)
{
	const struct model *m = w->jobs->model;
	const uint32_t *parent = cluster_parent(m->cluster);
	uint32_t rows[2] = { w->jobs->index->assoc[other], w->jobs->index->assoc[w->entry] };
	char paths[2][200];
	double used[2];

	buf[0] = '\0';
	for (int i = 0; i < 2; i++) {
		if (rows[i] == ROW_NONE)
			return;
		if (cluster_is_user(m->cluster, rows[i]) && parent[rows[i]] != ROW_NONE)
			rows[i] = parent[rows[i]];
		used[i] = m->fs->usage_ratio ? m->fs->usage_ratio[rows[i]] : F64_UNKNOWN;
		if (!isfinite(used[i]))
			return;
		cluster_path(m->cluster, rows[i], paths[i], sizeof(paths[i]));
	}
	if (used[0] < used[1])
		(void)snprintf(buf, size, "; %s has used %.2f of its share, %s %.2f", paths[0],
			       used[0], paths[1], used[1]);
}

/* Adds the numbers by which OTHER is ahead; JOB is its name. */
static struct why_line *say_numbers(struct why *w, uint32_t other, const char *job,
				    const char *user, const struct compare_row *row)
{
	char theirs[32], mine[32], shares[500] = "";

	if (strcmp(row->name, "fairshare") == 0)
		say_shares(w, other, shares, sizeof(shares));
	format_grouped(row->a, theirs, sizeof(theirs));
	format_grouped(row->b, mine, sizeof(mine));
	if (row->time || !f64_known(row->a) || !f64_known(row->b))
		return why_add(w, WHY_AHEAD, "job %s of %s, by %s", job, user, word_for(row->name));
	return why_add(w, WHY_AHEAD, "job %s of %s, by %s: %s against %s%s", job, user,
		       word_for(row->name), theirs, mine, shares);
}

static void say_ahead(struct why *w, uint32_t other)
{
	const struct cluster *c = w->jobs->model->cluster;
	uint32_t job = w->jobs->index->job[other];
	const char *user = cluster_text(c, F_JOB_USER, job), *behind;
	const struct compare_row *row;
	struct compare compare;
	struct why_line *line;
	char name[WHY_NAME_MAX];

	why_job_name(c, job, name);
	user = user ? user : "an unknown user";
	compare_jobs(w->jobs, other, w->entry, &compare);
	row = deciding_row(&compare);
	behind = strchr(compare.sentence, ':');
	if (row && !w->jobs->pbs && !w->jobs->lsf)
		line = say_numbers(w, other, name, user, row);
	else
		line = why_add(w, WHY_AHEAD, "job %s of %s%s", name, user, behind ? behind : "");
	why_word(line, "job", name);
	why_word(line, "user", cluster_text(c, F_JOB_USER, job));
	why_word(line, "account", cluster_text(c, F_JOB_ACCOUNT, job));
	why_word(line, "by", row ? row->name : NULL);
	why_number(line, "theirs", row ? row->a : F64_UNKNOWN);
	why_number(line, "mine", row ? row->b : F64_UNKNOWN);
	compare_free(&compare);
}

void why_place(struct why *w)
{
	const char *where = w->jobs->index->partition_name[w->entry];
	uint32_t other;

	where = where ? where : "an unknown partition";
	if (w->jobs->order->rank[w->entry] == U32_UNKNOWN) {
		say_no_place(w, where);
		return;
	}
	why_place_say_place(w, where);
	other = right_ahead(w->jobs, w->entry);
	if (other != ROW_NONE)
		say_ahead(w, other);
}
