/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/seek.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/whatif.h"

#define MOST_SHARES 1000000000.0
#define MOST_WEIGHT 4000000000.0
#define MOST_NICE 2147483645.0
#define CANDIDATES_MAX 64

struct candidate {
	char target[560];
	double now, least, most;
};

struct seeker {
	const struct model *now;
	const struct seek_question *q;
	double before;			/* the metric now */
};

static double metric(const struct seeker *s, const struct model *m, const struct jobs *j)
{
	uint32_t rank;

	if (!j)
		return m->fs->fairshare[s->q->assoc];
	rank = j->order->rank[s->q->entry];
	return rank == U32_UNKNOWN ? F64_UNKNOWN : rank;
}

/* F or rank with the candidate set to VALUE; NaN if that is no edit. */
static double attempt(const struct seeker *s, const struct candidate *c, double value)
{
	struct model_options options = { (int)s->now->algo->id, (int)s->now->fs->base,
					 (int)s->now->fs->order };
	struct whatif *w = whatif_new();
	struct cluster *cluster;
	struct model *m;
	struct jobs *j;
	char text[600];
	double result = F64_UNKNOWN;

	(void)snprintf(text, sizeof(text), "%s = %.0f", c->target, value);
	if (whatif_add(w, text, NULL)) {
		cluster = whatif_apply(w, s->now->cluster);
		m = whatif_check(w, NULL) ? model_new(cluster, &options, NULL) : NULL;
		j = m && s->q->entry != ROW_NONE ? jobs_new(m, NULL) : NULL;
		if (m)
			result = metric(s, m, j);
		jobs_free(j);
		model_free(m);
		cluster_free(cluster);
	}
	whatif_free(w);
	return result;
}

static bool is_met(const struct seeker *s, double x)
{
	if (s->q->entry != ROW_NONE)
		return x <= s->q->reach;
	return s->before < s->q->reach ? x >= s->q->reach : x <= s->q->reach;
}

/* Is A nearer to the goal than B? */
static bool is_better(const struct seeker *s, double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(b) && !isnan(a);
	if (s->q->entry != ROW_NONE)
		return a < b;
	return fabs(a - s->q->reach) < fabs(b - s->q->reach);
}

/* The nearest value in one direction (STEP 1 or -1) that meets the goal, into A. */
static void walk(const struct seeker *s, const struct candidate *c, double step,
		 struct seek_answer *a)
{
	double edge = step > 0 ? c->most : c->least, fails = c->now, meets = F64_UNKNOWN;

	for (double far = 1; f64_known(edge) && isnan(meets); far *= 4) {
		double value = c->now + step * far, x;

		value = step > 0 ? fmin(value, edge) : fmax(value, edge);
		x = value == fails ? F64_UNKNOWN : attempt(s, c, value);
		if (is_better(s, x, a->reaches) && isnan(a->value)) {
			a->reaches = x;
			(void)snprintf(a->note, sizeof(a->note), "%.250s = %.0f", c->target,
				       value);
		}
		if (is_met(s, x))
			meets = value;
		else
			fails = value;
		if (value == edge)
			break;
	}
	while (f64_known(meets) && fabs(meets - fails) > 1) {
		double middle = fails + trunc((meets - fails) / 2);

		if (is_met(s, attempt(s, c, middle)))
			meets = middle;
		else
			fails = middle;
	}
	if (isnan(meets) ||
	    (f64_known(a->value) && fabs(a->value - c->now) <= fabs(meets - c->now)))
		return;
	a->value = meets;
	a->reaches = attempt(s, c, meets);
}

/* Jobs that come first whatever the priority: those of a higher tier. */
static uint32_t higher_tiers(const struct jobs *j, uint32_t entry)
{
	const struct cluster *c = j->model->cluster;
	uint32_t mine = j->index->partition[entry], count = 0;
	uint32_t tier = mine == ROW_NONE ? U32_UNKNOWN : cluster_u32(c, F_PARTITION_TIER, mine);

	for (uint32_t e = 0; tier != U32_UNKNOWN && e < j->index->n; e++) {
		uint32_t p = j->index->partition[e];
		uint32_t other = p == ROW_NONE ? U32_UNKNOWN : cluster_u32(c, F_PARTITION_TIER, p);

		count += j->order->rank[e] != U32_UNKNOWN && other != U32_UNKNOWN && other > tier;
	}
	return count;
}

static void explain_failure(const struct seeker *s, const struct jobs *j,
			    const struct candidate *c, struct seek_answer *a)
{
	char best[sizeof(a->note)];
	uint32_t tiers = j ? higher_tiers(j, s->q->entry) : 0;

	(void)snprintf(best, sizeof(best), "%s", a->note);
	if (j && tiers > 0 && tiers >= s->q->reach)
		(void)snprintf(a->note, sizeof(a->note), "cannot be reached, because %u job%s of "
			       "partitions with a higher PriorityTier come%s first",
			       (unsigned)tiers, tiers == 1 ? "" : "s", tiers == 1 ? "s" : "");
	else if (!best[0] || !is_better(s, a->reaches, s->before))
		(void)snprintf(a->note, sizeof(a->note),
			       "cannot be reached, because it changes nothing for the better");
	else
		(void)snprintf(a->note, sizeof(a->note),
			       "cannot be reached, because even %.200s gives only %.6g", best,
			       a->reaches);
	(void)snprintf(a->edit, sizeof(a->edit), "%s", c->target);
	a->change = (double)INFINITY;
}

static void answer(const struct seeker *s, const struct jobs *j, const struct candidate *c,
		   struct seek_answer *a)
{
	*a = (struct seek_answer){ .value = F64_UNKNOWN, .reaches = s->before };
	walk(s, c, 1, a);
	walk(s, c, -1, a);
	if (isnan(a->value)) {
		explain_failure(s, j, c, a);
		return;
	}
	(void)snprintf(a->edit, sizeof(a->edit), "%s = %.0f", c->target, a->value);
	(void)snprintf(a->note, sizeof(a->note), "instead of %.0f", c->now);
	a->change = fabs(a->value - c->now) / fmax(1, fabs(c->now));
}

/* ---- candidates ---------------------------------------------------------------------------- */

static uint32_t shares_candidates(const struct seeker *s, struct candidate *c, uint32_t n)
{
	const struct cluster *cluster = s->now->cluster;
	const uint32_t *parent = cluster_parent(cluster);

	for (uint32_t row = s->q->assoc; row != ROW_NONE && row != 0 && n < CANDIDATES_MAX;
	     row = parent[row]) {
		uint32_t shares = cluster_u32(cluster, F_ASSOC_SHARES, row);
		char path[500];

		if (shares == SHARES_PARENT || shares == U32_UNKNOWN ||
		    cluster_path(cluster, row, path, sizeof(path)) >= sizeof(path) ||
		    strchr(path, '='))
			continue;
		c[n].now = shares;
		c[n].least = 0;
		c[n].most = MOST_SHARES;
		(void)snprintf(c[n].target, sizeof(c[n].target), "shares:%s", path);
		n++;
	}
	return n;
}

static uint32_t job_candidates(const struct seeker *s, const struct jobs *j, struct candidate *c,
			       uint32_t n)
{
	static const char *const weights[PRIO_FACTORS] = {
		"weight.age", "weight.assoc", "weight.fairshare", "weight.jobsize",
		"weight.partition", "weight.qos",
	};
	const struct cluster *cluster = s->now->cluster;
	uint32_t job = j->index->job[s->q->entry], array = cluster_u32(cluster, F_JOB_ARRAY, job);
	uint32_t task = cluster_u32(cluster, F_JOB_TASK, job);
	int64_t nice = cluster_i64(cluster, F_JOB_NICE, job);

	for (unsigned f = 0; f < PRIO_FACTORS && n < CANDIDATES_MAX; f++) {
		c[n] = (struct candidate){ .now = j->prio->weight[f], .least = 0,
					   .most = MOST_WEIGHT };
		(void)snprintf(c[n].target, sizeof(c[n].target), "%s", weights[f]);
		n++;
	}
	if (n == CANDIDATES_MAX)
		return n;
	c[n] = (struct candidate){ .now = nice == I64_UNKNOWN ? 0 : (double)nice,
				   .least = -MOST_NICE, .most = MOST_NICE };
	if (array != U32_UNKNOWN && array != 0 && task != U32_UNKNOWN)
		(void)snprintf(c[n].target, sizeof(c[n].target), "job:%u_%u.nice", (unsigned)array,
			       (unsigned)task);
	else
		(void)snprintf(c[n].target, sizeof(c[n].target), "job:%u.nice",
			       (unsigned)cluster_u32(cluster, F_JOB_ID, job));
	return n + 1;
}

static int compare_answers(const void *left, const void *right)
{
	const struct seek_answer *a = left, *b = right;

	return a->change < b->change ? -1 : a->change > b->change;
}

static void summarize(const struct seeker *s, struct seek *out)
{
	const char *what = out->is_rank ? "rank" : "F";

	if (is_met(s, s->before) && (out->is_rank || s->before == s->q->reach)) {
		out->reached = true;
		(void)snprintf(out->sentence, sizeof(out->sentence), "%s is %.6g: reached already",
			       what, s->before);
	} else if (out->count > 0 && isfinite(out->answers[0].change)) {
		out->reached = true;
		(void)snprintf(out->sentence, sizeof(out->sentence),
			       "%s, now %.6g, becomes %.6g with %s", what, s->before,
			       out->answers[0].reaches, out->answers[0].edit);
	} else {
		(void)snprintf(out->sentence, sizeof(out->sentence),
			       "%s, now %.6g: no single edit reaches %.6g", what, s->before,
			       s->q->reach);
	}
}

bool seek(const struct model *model, const struct jobs *jobs, const struct seek_question *question,
	  struct seek *out, struct err *err)
{
	struct seeker s = { .now = model, .q = question };
	struct candidate *c;
	uint32_t n;

	*out = (struct seek){ .is_rank = question->entry != ROW_NONE };
	s.before = metric(&s, model, out->is_rank ? jobs : NULL);
	if (isnan(s.before))
		return err_set(err, ERR_INPUT, out->is_rank ?
			       "seek: the job does not wait for its turn, it has no rank" :
			       "seek: its F is unknown");
	c = mem_zalloc(CANDIDATES_MAX, sizeof(*c));
	n = question->assoc == ROW_NONE ? 0 : shares_candidates(&s, c, 0);
	if (out->is_rank)
		n = job_candidates(&s, jobs, c, n);
	out->answers = mem_zalloc((size_t)n + 1, sizeof(*out->answers));
	if (!is_met(&s, s.before) || (!out->is_rank && s.before != question->reach)) {
		for (uint32_t i = 0; i < n; i++)
			answer(&s, out->is_rank ? jobs : NULL, &c[i], &out->answers[i]);
		out->count = n;
		qsort(out->answers, n, sizeof(*out->answers), compare_answers);
	}
	summarize(&s, out);
	mem_free(c);
	return true;
}

void seek_free(struct seek *s)
{
	mem_free(s->answers);
	s->answers = NULL;
}

/* ---- columns ------------------------------------------------------------------------------- */

static const struct seek_answer *at(const void *context, uint32_t row)
{
	return &((const struct seek *)context)->answers[row];
}

static void get_edit(const void *context, uint32_t row, struct value *out)
{
	out->kind = VALUE_TEXT;
	out->text = at(context, row)->edit;
}

static void get_value(const void *context, uint32_t row, struct value *out)
{
	double x = at(context, row)->value;

	out->kind = f64_known(x) ? VALUE_INT : VALUE_UNKNOWN;
	out->integer = f64_known(x) ? (int64_t)x : 0;
}

static void get_reaches(const void *context, uint32_t row, struct value *out)
{
	double x = at(context, row)->reaches;

	out->kind = f64_known(x) ? VALUE_REAL : VALUE_UNKNOWN;
	out->real = x;
}

static void get_note(const void *context, uint32_t row, struct value *out)
{
	out->kind = VALUE_TEXT;
	out->text = at(context, row)->note;
}

#define ALWAYS UINT32_MAX

const struct column seek_columns[] = {
	{ .name = "edit", .title = "Edit", .legend = "what would be set; smallest change first",
	  .left = true, .only = ALWAYS, .get = get_edit },
	{ .name = "value", .title = "Value",
	  .legend = "to what; unknown: it does not reach the goal", .only = ALWAYS,
	  .get = get_value },
	{ .name = "reaches", .title = "Reaches", .legend = "F or rank with it, or at best",
	  .decimals = 6, .only = ALWAYS, .get = get_reaches },
	{ .name = "note", .title = "Note", .legend = "what it is now, or why it cannot be reached",
	  .left = true, .only = ALWAYS, .get = get_note },
};
const size_t seek_columns_count = sizeof(seek_columns) / sizeof(seek_columns[0]);

struct view seek_view(const struct seek *s)
{
	return (struct view){ .name = "seek", .columns = seek_columns,
			      .column_count = seek_columns_count, .context = s, .rows = s->count };
}
