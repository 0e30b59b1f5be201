/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/whatif/seek.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/timestr.h"
#include "core/queue/lsf_jobs.h"
#include "core/share/lsf_share.h"
#include "core/whatif/whatif_apply.h"
#include "core/whatif/whatif_run.h"

#define MOST_SHARES 1000000000.0
#define MOST_WEIGHT 4000000000.0
#define MOST_NICE 2147483645.0
#define PBS_PRIORITY 1023.0		/* of a queue, pbs_queue_attributes(7B) */
#define CANDIDATES_MAX 64

struct candidate {
	char *target;			/* owned */
	double now, least, most;
};

/* The search from a candidate's value to the nearest one that meets the goal, in one direction. */
struct seek_walk {
	double step;			/* 1 or -1 */
	double edge, far;		/* the limit; distance of the next try */
	double fails, meets;		/* neighbours in the end; meets NaN: not found yet */
	double reaches;			/* the metric for MEETS */
	bool ended;			/* at the limit */
};

struct seeking {
	const struct model *now;
	const struct jobs *jobs;
	struct seek_question question;
	const struct seek_question *q;
	double before;			/* the metric without edits */
	struct candidate *candidates;
	uint32_t count, at;		/* at: the present candidate */
	struct seek_walk walk;
	struct seek out;
};

static double seek_metric(const struct seeking *s, const struct model *m, const struct jobs *j)
{
	uint32_t rank;

	if (s->q->until)
		return s->q->until(s->jobs, j, s->q->entry);
	if (!j && m->algo->id == FS_LSF)
		return m->fs->own[LSF_OWN_PRIORITY][s->q->assoc];
	if (!j)
		return m->fs->fairshare ? m->fs->fairshare[s->q->assoc] : F64_UNKNOWN;
	rank = j->order->rank[s->q->entry];
	return rank == U32_UNKNOWN ? F64_UNKNOWN : rank;
}

/* Formats "0.25", "3", of times "01:20:00". */
static const char *seek_tell(const struct seeking *s, double x, char *buf, size_t size)
{
	if (s->q->until)
		(void)timestr_format((int64_t)x, buf, size);
	else
		(void)snprintf(buf, size, "%.6g", x);
	return buf;
}

/* F or rank with the candidate set to VALUE; NaN if this is not a valid edit. */
static double seek_attempt(const struct seeking *s, const struct candidate *c, double value)
{
	struct whatif *w = whatif_new();
	struct whatif_run *run = NULL;
	char *text = mem_format("%s = %.0f", c->target, value);
	double result = F64_UNKNOWN;

	if (whatif_add(w, text, NULL) &&
	    (s->now->fs->base == FS_BASE_USAGE || s->now->algo->id == FS_LSF ||
	     !whatif_needs_usage(w, s->now->cluster)))
		run = whatif_run_try(w, s->now, s->jobs, s->q->assoc, NULL);
	if (run && whatif_check(w, NULL))
		result = seek_metric(s, run->model, run->jobs);
	whatif_run_free(run);
	whatif_free(w);
	mem_free(text);
	return result;
}

static bool seek_is_met(const struct seeking *s, double x)
{
	if (s->q->entry != ROW_NONE)
		return x <= s->q->reach;
	return s->before < s->q->reach ? x >= s->q->reach : x <= s->q->reach;
}

/* Is A nearer to the goal than B? */
static bool seek_is_better(const struct seeking *s, double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(b) && !isnan(a);
	if (s->q->entry != ROW_NONE)
		return a < b;
	return fabs(a - s->q->reach) < fabs(b - s->q->reach);
}

static void walk_begin(struct seek_walk *w, const struct candidate *c, double step)
{
	*w = (struct seek_walk){ .step = step, .edge = step > 0 ? c->most : c->least, .far = 1,
			    .fails = c->now, .meets = F64_UNKNOWN, .reaches = F64_UNKNOWN };
}

/* The next value to try: further away, or halfway; false if none is left. */
static bool walk_next(struct seek_walk *w, const struct candidate *c, double *value)
{
	if (f64_known(w->meets)) {
		*value = w->fails + trunc((w->meets - w->fails) / 2);
		return fabs(w->meets - w->fails) > 1;
	}
	if (w->ended || isnan(w->edge))
		return false;
	*value = c->now + w->step * w->far;
	*value = w->step > 0 ? fmin(*value, w->edge) : fmax(*value, w->edge);
	return *value != w->fails;
}

/* Takes X, the metric for VALUE. */
static void walk_take(const struct seeking *s, struct seek_walk *w, const struct candidate *c,
		      struct seek_answer *a, double value, double x)
{
	if (isnan(w->meets)) {
		if (seek_is_better(s, x, a->reaches) && isnan(a->value)) {
			a->reaches = x;
			(void)snprintf(a->note, sizeof(a->note), "%.250s = %.0f", c->target, value);
		}
		w->far *= 4;
		w->ended = value == w->edge;
	}
	if (!seek_is_met(s, x)) {
		w->fails = value;
		return;
	}
	w->meets = value;
	w->reaches = x;
}

/* Takes the nearer result of both directions. */
static void walk_end(const struct seek_walk *w, const struct candidate *c, struct seek_answer *a)
{
	if (isnan(w->meets) ||
	    (f64_known(a->value) && fabs(a->value - c->now) <= fabs(w->meets - c->now)))
		return;
	a->value = w->meets;
	a->reaches = w->reaches;
}

/* Number of jobs that come first whatever the priority: those of a higher tier. */
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

static void explain_failure(const struct seeking *s, const struct jobs *j,
			    const struct candidate *c, struct seek_answer *a)
{
	char best[sizeof(a->note)], text[40];
	uint32_t tiers = j ? higher_tiers(j, s->q->entry) : 0;

	(void)snprintf(best, sizeof(best), "%s", a->note);
	if (j && tiers > 0 && tiers >= s->q->reach)
		(void)snprintf(a->note, sizeof(a->note), "cannot be reached, because %u job%s of "
			       "partitions with a higher PriorityTier come%s first",
			       (unsigned)tiers, tiers == 1 ? "" : "s", tiers == 1 ? "s" : "");
	else if (!best[0] || !seek_is_better(s, a->reaches, s->before))
		(void)snprintf(a->note, sizeof(a->note),
			       "cannot be reached, because it improves nothing");
	else
		(void)snprintf(a->note, sizeof(a->note),
			       "cannot be reached, because even %.200s gives only %s", best,
			       seek_tell(s, a->reaches, text, sizeof(text)));
	a->edit = mem_strdup(c->target);
	a->change = (double)INFINITY;
}

static void answer_begin(struct seeking *s)
{
	s->out.answers[s->at] =
		(struct seek_answer){ .value = F64_UNKNOWN, .reaches = s->before };
	walk_begin(&s->walk, &s->candidates[s->at], 1);
}

static void answer_end(const struct seeking *s, const struct candidate *c, struct seek_answer *a)
{
	if (isnan(a->value)) {
		explain_failure(s, s->jobs, c, a);
		return;
	}
	a->edit = mem_format("%s = %.0f", c->target, a->value);
	(void)snprintf(a->note, sizeof(a->note), "instead of %.0f", c->now);
	a->change = fabs(a->value - c->now) / fmax(1, fabs(c->now));
}

/* The other direction, else the next candidate. */
static void seek_turn(struct seeking *s)
{
	const struct candidate *c = &s->candidates[s->at];
	struct seek_answer *a = &s->out.answers[s->at];

	walk_end(&s->walk, c, a);
	if (s->walk.step > 0) {
		walk_begin(&s->walk, c, -1);
		return;
	}
	answer_end(s, c, a);
	if (++s->at < s->count)
		answer_begin(s);
}

/* ---- candidates ---------------------------------------------------------------------------- */

static uint32_t shares_candidates(const struct seeking *s, struct candidate *c, uint32_t n)
{
	const struct cluster *cluster = s->now->cluster;
	const uint32_t *parent = cluster_parent(cluster);

	for (uint32_t row = s->q->assoc; row != ROW_NONE && row != 0 && n < CANDIDATES_MAX;
	     row = parent[row]) {
		uint32_t shares = cluster_u32(cluster, F_ASSOC_SHARES, row);
		char room[VALUE_ROOM];

		if (shares == SHARES_PARENT || shares == U32_UNKNOWN)
			continue;
		c[n].now = shares;
		c[n].least = 0;
		c[n].most = MOST_SHARES;
		c[n++].target = mem_format("shares:%s", cluster_path_get(cluster, row, room));
	}
	return n;
}

static uint32_t job_candidates(const struct seeking *s, const struct jobs *j, struct candidate *c,
			       uint32_t n)
{
	const struct cluster *cluster = s->now->cluster;
	uint32_t job = j->index->job[s->q->entry], array = cluster_u32(cluster, F_JOB_ARRAY, job);
	uint32_t task = cluster_u32(cluster, F_JOB_TASK, job);
	int64_t nice = cluster_i64(cluster, F_JOB_NICE, job);

	for (unsigned f = 0; f < PRIO_FACTORS && n < CANDIDATES_MAX; f++) {
		c[n++] = (struct candidate){ mem_strdup(factor_info[f].edit), j->prio->weight[f], 0,
					     MOST_WEIGHT };
	}
	if (n == CANDIDATES_MAX)
		return n;
	c[n] = (struct candidate){ .now = nice == I64_UNKNOWN ? 0 : (double)nice,
				   .least = -MOST_NICE, .most = MOST_NICE };
	if (array != U32_UNKNOWN && array != 0 && task != U32_UNKNOWN)
		c[n].target = mem_format("job:%u_%u.nice", (unsigned)array, (unsigned)task);
	else
		c[n].target = mem_format("job:%u.nice",
					 (unsigned)cluster_u32(cluster, F_JOB_ID, job));
	return n + 1;
}

/* LSF and PBS have no weights: tries the priority of the job's queue. */
static uint32_t queue_candidate(const struct seeking *s, const struct jobs *j, struct candidate *c,
				uint32_t n)
{
	double priority = j->lsf ? lsf_jobs_queue_priority(j->lsf, s->q->entry) :
			  pbs_jobs_queue_priority(j->pbs, s->q->entry);
	uint32_t queue = j->lsf ? j->lsf->queue[s->q->entry] : j->pbs->queue[s->q->entry];

	if (n == CANDIDATES_MAX || !f64_known(priority) || queue == ROW_NONE)
		return n;
	c[n] = (struct candidate){ .now = priority, .least = j->lsf ? 1 : -PBS_PRIORITY,
				   .most = j->lsf ? MOST_NICE : PBS_PRIORITY };
	c[n].target = mem_format("queue:%s.priority",
				 cluster_text(s->now->cluster, F_QUEUE_NAME, queue));
	return n + 1;
}

static int compare_answers(const void *left, const void *right)
{
	const struct seek_answer *a = left, *b = right;

	return a->change < b->change ? -1 : a->change > b->change;
}

static void seek_summarize(const struct seeking *s, struct seek *out)
{
	const char *what = s->q->until ? "Time to start" : out->is_rank ? "rank" :
			   s->now->algo->id == FS_LSF ? "Priority" : "F";
	char now[40], then[40];

	if (seek_is_met(s, s->before) && (out->is_rank || s->before == s->q->reach)) {
		out->reached = true;
		(void)snprintf(out->sentence, sizeof(out->sentence), "%s is %s: reached already",
			       what, seek_tell(s, s->before, now, sizeof(now)));
	} else if (out->count > 0 && isfinite(out->answers[0].change)) {
		out->reached = true;
		(void)snprintf(out->sentence, sizeof(out->sentence),
			       "%s goes from %s to %s with %s", what,
			       seek_tell(s, s->before, now, sizeof(now)),
			       seek_tell(s, out->answers[0].reaches, then, sizeof(then)),
			       out->answers[0].edit);
	} else {
		(void)snprintf(out->sentence, sizeof(out->sentence),
			       "%s is %s: no single edit reaches %s", what,
			       seek_tell(s, s->before, now, sizeof(now)),
			       seek_tell(s, s->q->reach, then, sizeof(then)));
	}
}

struct seeking *seek_begin(const struct model *model, const struct jobs *jobs,
			   const struct seek_question *question, struct err *err)
{
	struct seeking *s = mem_zalloc(1, sizeof(*s));
	bool is_reported;

	s->now = model;
	s->question = *question;
	s->q = &s->question;
	s->out.is_rank = question->entry != ROW_NONE;
	s->jobs = s->out.is_rank ? jobs : NULL;
	s->before = seek_metric(s, model, s->jobs);
	if (isnan(s->before) && s->out.is_rank &&
	    !cluster_shows_all_jobs(model->cluster, "seek", err)) {
		mem_free(s);
		return NULL;
	}
	if (isnan(s->before)) {
		err_set(err, ERR_INPUT, s->q->until ?
			"seek: the start of the job is unknown (fairtop starts shows why)" :
			s->out.is_rank ?
			"seek: the job is not waiting for its turn and has no rank" :
			"seek: its F, or dynamic priority, is unknown");
		mem_free(s);
		return NULL;
	}
	is_reported = question->assoc != ROW_NONE &&
		  fs_is_taken(model->fs, FS_NUMBER_F, question->assoc);
	if (s->jobs ? !s->jobs->lsf && !s->jobs->pbs && jobs_has_reported(s->jobs) : is_reported) {
		err_set(err, ERR_INPUT, "seek: %s only as reported, as not all inputs were "
			"read; the effect of an edit on it is unknown", s->jobs ?
			"the priority of some jobs is" : "its F is");
		mem_free(s);
		return NULL;
	}
	s->candidates = mem_zalloc(CANDIDATES_MAX, sizeof(*s->candidates));
	s->count = question->assoc == ROW_NONE || is_reported ? 0 :
		   shares_candidates(s, s->candidates, 0);
	if (s->jobs && (s->jobs->lsf || s->jobs->pbs))
		s->count = queue_candidate(s, s->jobs, s->candidates, s->count);
	else if (s->jobs)
		s->count = job_candidates(s, s->jobs, s->candidates, s->count);
	s->out.answers = mem_zalloc((size_t)s->count + 1, sizeof(*s->out.answers));
	if (seek_is_met(s, s->before) && (s->out.is_rank || s->before == question->reach))
		s->count = 0;
	if (s->count > 0)
		answer_begin(s);
	return s;
}

bool seek_step(struct seeking *s)
{
	double value;

	while (s->at < s->count) {
		const struct candidate *c = &s->candidates[s->at];

		if (walk_next(&s->walk, c, &value)) {
			walk_take(s, &s->walk, c, &s->out.answers[s->at], value,
				  seek_attempt(s, c, value));
			return true;
		}
		seek_turn(s);
	}
	return false;
}

void seek_progress(const struct seeking *s, uint32_t *at, uint32_t *count)
{
	*at = s->at;
	*count = s->count;
}

void seek_end(struct seeking *s, struct seek *out)
{
	if (!s)
		return;
	s->out.count = s->count;
	if (out) {
		qsort(s->out.answers, s->count, sizeof(*s->out.answers), compare_answers);
		seek_summarize(s, &s->out);
		*out = s->out;
	} else {
		seek_free(&s->out);
	}
	for (uint32_t i = 0; i < CANDIDATES_MAX; i++)
		mem_free(s->candidates[i].target);
	mem_free(s->candidates);
	mem_free(s);
}

bool seek(const struct model *model, const struct jobs *jobs, const struct seek_question *question,
	  struct seek *out, struct err *err)
{
	struct seeking *s = seek_begin(model, jobs, question, err);

	*out = (struct seek){ .is_rank = question->entry != ROW_NONE };
	if (!s)
		return false;
	while (seek_step(s))
		;
	seek_end(s, out);
	return true;
}

void seek_free(struct seek *s)
{
	for (uint32_t i = 0; s->answers && i < s->count; i++)
		mem_free(s->answers[i].edit);
	mem_free(s->answers);
	s->answers = NULL;
}

/* ---- columns ------------------------------------------------------------------------------- */

static const struct seek_answer *seek_at(const struct position *pos)
{
	return &((const struct seek *)pos->context)->answers[pos->row];
}

static void seek_get_text(const struct position *pos, struct value *out)
{
	out->kind = VALUE_TEXT;
	out->text = POSITION_MEMBER(pos, seek_at(pos));
}

static void get_edit(const struct position *pos, struct value *out)
{
	value_set_text(out, seek_at(pos)->edit);
}

static void seek_get_value(const struct position *pos, struct value *out)
{
	value_set_whole(out, seek_at(pos)->value);
}

static void get_reaches(const struct position *pos, struct value *out)
{
	value_set_real(out, seek_at(pos)->reaches);
}

const struct column seek_columns[] = {
	{ .name = "edit", .title = "Edit", .legend = "the setting to change; smallest change first",
	  .left = true, .only = ALWAYS, .get = get_edit },
	{ .name = "value", .title = "Value",
	  .legend = "its new value; unknown: it does not reach the goal", .only = ALWAYS,
	  .get = seek_get_value },
	{ .name = "reaches", .title = "Reaches",
	  .legend = "F, rank, or seconds to the start, with the edit or at best",
	  .decimals = 6, .only = ALWAYS, .get = get_reaches },
	{ .name = "note", .title = "Note", .left = true, .only = ALWAYS, .get = seek_get_text,
	  .legend = "the current value, or why the goal cannot be reached",
	  .which = offsetof(struct seek_answer, note) },
};
const size_t seek_columns_count = sizeof(seek_columns) / sizeof(seek_columns[0]);

struct view seek_view(const struct seek *s)
{
	return view_of("seek", seek_columns, seek_columns_count, s, s->count);
}
