/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/forecast.h"
#include "core/queue/forecast_private.h"

#include <math.h>
#include <stdio.h>

#include "core/share/decay_policy.h"
#include "core/share/lsf_share.h"
#include "core/base/mem.h"
#include "core/cluster/overlay.h"
#include "core/base/timestr.h"

#define DAY INT64_C(86400)
#define LSF_STEP 10		/* seconds: about the time between two sessions */
#define GRID 200		/* moments computed within the horizon */
#define POINTS 48		/* of the chart */
#define RECOVERY_STEP 20	/* moments are this fraction of the elapsed time apart */
#define HALF_LIVES 20		/* usage then has decayed to a millionth */

enum phase { PRESENT, GRID_SEARCH, HALVING, DRAWING, DONE };

struct forecasting {
	const struct model *now;
	const struct jobs *jobs;
	struct forecast_question question;
	const struct forecast_question *q;
	double *usage, *rate;
	bool lsf;			/* accounts have cpu and run time instead of usage */
	double *cpu, *run;
	struct overlay *overlay;	/* its usage and time are rewritten */
	struct cluster_meta *meta;
	struct fs_result *fs;		/* of the last computed moment */
	uint32_t *near, nears;		/* rows needed for F of one account; NULL: all */
	bool numbered;			/* Fair Tree numbers all users: this gives the rank, too */
	bool alone;			/* FS has only the account's values */
	int64_t period, start;
	struct forecast_point present;
	uint32_t before;		/* entry of the job to pass, ROW_NONE: there is none */
	uint32_t rival;			/* LSF: account to pass, ROW_NONE */
	bool passed;			/* at the last computed point, the object is past it */
	/* Progress. */
	enum phase phase;
	int64_t passes, step, low, high;
	int64_t met;			/* the pass that meets the goal; -1: none so far */
	int64_t *draw;			/* owned; passes of the drawn points */
	uint32_t draws;
	struct forecast out;
};

/* Computes usage for ROWS, or for all if NULL. */
static void forecast_usage_later(const struct cluster *c, const struct calendar *calendar,
				 const double *rate, int64_t passes, const uint32_t *rows,
				 uint32_t count, double *usage)
{
	int64_t period = decay_period(c), dt = passes * (period == I64_UNKNOWN ? 1 : period);
	int64_t reset = decay_reset(c, calendar, jobs_now(c), dt);
	struct burn b = decay_after(c, reset == I64_UNKNOWN ? dt : dt - reset);
	const double *was = cluster_col_f64(c, F_ASSOC_USAGE);
	double least = decay_least(c);

	if (reset != I64_UNKNOWN)
		b.left = 0;
	for (uint32_t r = 0; r < count; r++) {
		uint32_t i = rows ? rows[r] : r;

		usage[i] = fmax(least, was[i] * b.left + rate[i] * b.gained);
	}
}

void forecast_usage(const struct cluster *c, const struct calendar *calendar, const double *rate,
		    int64_t passes, double *usage)
{
	forecast_usage_later(c, calendar, rate, passes, NULL, cluster_rows(c, TABLE_ASSOC), usage);
}

/* Rates per second by subtree, with the object's rate from the question. */
static double *rates_of(const struct model *m, const struct forecast_question *q)
{
	uint32_t n = m->tree->n, end = q->assoc + cluster_span(m->cluster)[q->assoc];
	double *rate = mem_zalloc(n, sizeof(*rate)), own, other, delta;

	for (uint32_t i = 0; m->burn && i < n; i++)
		rate[i] = f64_known(m->burn[i]) ? m->burn[i] / 3600 : 0;
	if (q->burn == FORECAST_NOW)
		return rate;
	own = rate[q->assoc];
	other = q->burn == FORECAST_NONE ? 0 : q->rate / 3600;
	delta = other - own;
	for (uint32_t i = q->assoc; i < end; i++)
		rate[i] = i == q->assoc ? other : own > 0 ? rate[i] * (other / own) : rate[i];
	for (uint32_t i = cluster_parent(m->cluster)[q->assoc]; i != ROW_NONE;
	     i = cluster_parent(m->cluster)[i])
		rate[i] = fmax(0, rate[i] + delta);
	return rate;
}

static double forecast_known(uint32_t x)
{
	return x == U32_UNKNOWN ? F64_UNKNOWN : (double)x;
}

/* Is the association's rank shown? Except in Fair Tree it needs the values of all others. */
static bool tells_rank(const struct forecasting *f)
{
	return !f->jobs && f->phase == DRAWING && f->now->tree->span[f->q->assoc] == 1;
}

static bool all_are_numbered(const struct model *m)
{
	bool all = m->fs->tree_rank && m->fs->base == FS_BASE_USAGE;

	for (uint32_t i = 0; all && i < m->tree->n; i++)
		all = !m->tree->is_user[i] || m->fs->tree_rank[i] != U32_UNKNOWN;
	return all;
}

static uint32_t forecast_rank_of(const struct forecasting *f, const struct model *m, uint32_t row)
{
	if (!f->alone)
		return fs_rank_of(m->tree, m->fs, row);
	return m->fs->tree_rank[row] == U32_UNKNOWN ? U32_UNKNOWN :
	       m->tree->users - m->fs->tree_rank[row] + 1;
}

static struct forecast_point forecast_read_point(struct forecasting *f, const struct model *m,
						 const struct jobs *j, int64_t time)
{
	uint32_t row = f->q->assoc;
	struct forecast_point p = { .time = time,
				    .fairshare = m->fs->fairshare ? m->fs->fairshare[row]
								  : F64_UNKNOWN,
				    .norm_usage = m->fs->norm_usage ? m->fs->norm_usage[row]
								    : F64_UNKNOWN,
				    .priority = F64_UNKNOWN, .rank = F64_UNKNOWN };

	if (f->lsf)
		p.priority = m->fs->own[LSF_OWN_PRIORITY][row];
	if (f->rival != ROW_NONE)
		f->passed = p.priority > m->fs->own[LSF_OWN_PRIORITY][f->rival];
	if (j) {
		if (!f->lsf)
			p.priority = forecast_known(j->prio->priority[f->q->entry]);
		p.rank = forecast_known(j->order->rank[f->q->entry]);
		f->passed = f->before != ROW_NONE &&
			    j->order->rank[f->q->entry] < j->order->rank[f->before];
	} else if (m->fs->rank && tells_rank(f)) {
		p.rank = forecast_known(forecast_rank_of(f, m, row));
	}
	return p;
}

/* Computes usage and the results for that moment, for all associations or the needed ones. */
static void forecast_compute(struct forecasting *f, const struct model *later, int64_t passes)
{
	const struct cluster *c = f->now->cluster;

	if (f->near && (f->numbered || !tells_rank(f))) {
		forecast_usage_later(c, f->q->calendar, f->rate, passes, f->near, f->nears,
				     f->usage);
		f->alone = fs_compute_row(later->algo, &later->input, f->q->assoc, f->fs);
		if (f->alone)
			return;
	}
	f->alone = false;
	if (f->lsf)
		forecast_lsf_use(c, f->rate, passes * f->period, f->cpu, f->run);
	else
		forecast_usage(c, f->q->calendar, f->rate, passes, f->usage);
	fs_compute(later->algo, &later->input, f->fs);
}

/* Only usage and time differ then: the rest is shared with the present. */
static struct forecast_point point_at(struct forecasting *f, int64_t passes)
{
	int64_t time = f->start + passes * f->period;
	struct model later = *f->now;
	struct forecast_point p;
	struct jobs *j;

	f->meta->last_decay = time;
	f->meta->time = time;
	later.cluster = overlay_cluster(f->overlay);
	later.input.cluster = later.cluster;
	later.input.base = FS_BASE_USAGE;
	later.fs = f->fs;
	forecast_compute(f, &later, passes);
	j = f->jobs ? jobs_over(&later, f->jobs) : NULL;
	p = forecast_read_point(f, &later, j, time);
	jobs_free(j);
	return p;
}

/* The entry of another job right before the object. */
static uint32_t find_before(const struct forecasting *f)
{
	const struct jobs *j = f->jobs;
	uint32_t entry = f->q->entry, rank = j ? j->order->rank[entry] : U32_UNKNOWN;

	for (uint32_t r = rank == U32_UNKNOWN ? 0 : rank; r > 1; r--) {
		uint32_t e = j->order->order[r - 2];

		if (j->index->job[e] != j->index->job[entry])
			return e;
	}
	return ROW_NONE;
}

/* The sibling with the lowest dynamic priority above ROW's. */
static uint32_t find_rival(const struct model *m, uint32_t row)
{
	const double *p = m->fs->own[LSF_OWN_PRIORITY];
	uint32_t parent = m->tree->parent[row], best = ROW_NONE;

	for (uint32_t i = parent + 1; row != 0 && parent != 0 && i < parent + m->tree->span[parent];
	     i += m->tree->span[i]) {
		if (p[i] > p[row] && (best == ROW_NONE || p[i] < p[best]))
			best = i;
	}
	return best;
}

double forecast_value(const struct forecast_point *p)
{
	return f64_known(p->fairshare) ? p->fairshare : p->priority;
}

/*
 * Does P, computed last, meet the goal? F has passed the value, starting from the present; a job
 * has the rank, or has passed the one before.
 */
static bool forecast_is_met(const struct forecasting *f, const struct forecast_point *p)
{
	double reach = f->q->reach;

	if (!f64_known(reach))
		return f->passed;
	if (f->jobs)
		return p->rank <= reach;
	return forecast_value(&f->present) < reach ? forecast_value(p) >= reach :
						     forecast_value(p) <= reach;
}

static void describe_pass(const struct forecasting *f, char *buf, size_t size)
{
	const struct cluster *c = f->now->cluster;
	uint32_t job = f->jobs->index->job[f->before];
	uint32_t array = cluster_u32(c, F_JOB_ARRAY, job), task = cluster_u32(c, F_JOB_TASK, job);
	char name[32];

	if (array != U32_UNKNOWN && array != 0 && task != U32_UNKNOWN)
		(void)snprintf(name, sizeof(name), "%u_%u", (unsigned)array, (unsigned)task);
	else
		(void)snprintf(name, sizeof(name), "%u", (unsigned)cluster_u32(c, F_JOB_ID, job));
	(void)snprintf(buf, size, "the job, at rank %.0f, passes job %s (rank %u)",
		       f->present.rank, name, (unsigned)f->jobs->order->rank[f->before]);
}

static void describe_rival(const struct forecasting *f, char *buf, size_t size)
{
	char path[120];

	cluster_path(f->now->cluster, f->rival, path, sizeof(path));
	(void)snprintf(buf, size, "Priority %.6g passes that of %s (%.6g)",
		       f->present.priority, path, f->now->fs->own[LSF_OWN_PRIORITY][f->rival]);
}

static const char *why_no_rank(const struct jobs *j, uint32_t entry)
{
	return j->prio->origin[entry] == PRIO_ORIGIN_UNKNOWN ?
	       "its priority is unknown" : "it does not wait for its turn";
}

/* Fair Tree gives F to users only. */
static const char *why_no_factor(const struct model *m, uint32_t row)
{
	return m->fs->tree_rank && !m->tree->is_user[row] ?
	       "Fair Tree gives it to users only" : "not all of its inputs were read";
}

/* Describes an object with none to pass. */
static void describe_first(const struct forecasting *f, struct forecast *out)
{
	if (!f->jobs)
		(void)snprintf(out->sentence, sizeof(out->sentence),
			       "Priority is %.6g: no sibling is served before it",
			       f->present.priority);
	else if (f64_known(f->present.rank))
		(void)snprintf(out->sentence, sizeof(out->sentence),
			       "the job is at rank %.0f: no other job is ahead of it",
			       f->present.rank);
	else
		(void)snprintf(out->sentence, sizeof(out->sentence), "the job has no rank: %s",
			       why_no_rank(f->jobs, f->q->entry));
}

/* ", usage is reset in 2-11:55:00" if this happens before END. */
static void describe_reset(const struct forecasting *f, int64_t end, char *buf, size_t size)
{
	int64_t next = decay_next_reset(f->now->cluster, f->q->calendar, f->start);
	char in[64];

	buf[0] = '\0';
	if (next == I64_UNKNOWN || next > end)
		return;
	timestr_format(next - f->start, in, sizeof(in));
	(void)snprintf(buf, size, ", usage is reset in %s%s", in, !f->q->zone_is_ours ? "" :
		       " (at midnight here, which may differ from the cluster's)");
}

static void forecast_describe(const struct forecasting *f, struct forecast *out)
{
	char in[64], what[190] = "", reset[150], last[64] = "";
	double value;

	if (f64_known(f->q->reach) && f->jobs)
		(void)snprintf(what, sizeof(what), "the job, at rank %.0f, reaches rank %.0f",
			       f->present.rank, f->q->reach);
	else if (f64_known(f->q->reach))
		(void)snprintf(what, sizeof(what), "%s %.6g reaches %.6g",
			       f->lsf ? "Priority" : "F", forecast_value(&f->present), f->q->reach);
	else if (f->jobs)
		describe_pass(f, what, sizeof(what));
	else
		describe_rival(f, what, sizeof(what));
	describe_reset(f, out->reached != I64_UNKNOWN ? out->reached : f->start + out->horizon,
		       reset, sizeof(reset));
	if (out->reached == I64_UNKNOWN) {
		timestr_format(out->horizon, in, sizeof(in));
		value = forecast_value(&out->points[out->count - 1]);
		if (f64_known(value))
			(void)snprintf(last, sizeof(last), "; %s is then %.6g", f->lsf ? "it" : "F",
				       value);
		(void)snprintf(out->sentence, sizeof(out->sentence), "%s%s: not within %s%s", what,
			       reset, in, last);
	} else {
		timestr_format(out->reached - f->start, in, sizeof(in));
		(void)snprintf(out->sentence, sizeof(out->sentence), "%s%s%s in %s%s", what, reset,
			       reset[0] ? ":" : "", in,
			       f->lsf && lsf_is_volclava(f->now->cluster) ?
			       " (give or take one step of its decay, 900 s)" : "");
	}
}

static bool can_forecast(const struct model *m, struct err *err)
{
	const double *usage = cluster_col_f64(m->cluster, F_ASSOC_USAGE);

	if (decay_period(m->cluster) == I64_UNKNOWN)
		return err_set(err, ERR_INPUT, "forecast: the decay of usage could not be read");
	if (jobs_now(m->cluster) == I64_UNKNOWN)
		return err_set(err, ERR_INPUT, "forecast: the time of the data is unknown");
	if (m->algo->id == FS_LSF)
		return true;
	/* Running jobs are charged, which changes the usage of all. */
	if (!cluster_shows_all_jobs(m->cluster, "forecast", err))
		return false;
	for (uint32_t i = 0; i < m->tree->n; i++) {
		if (!usage || !f64_known(usage[i]))
			return err_set(err, ERR_INPUT,
				       "forecast: the source does not report all raw usage");
	}
	return true;
}

/*
 * A goal on a value that is unknown today cannot be met. If a reported ratio is unknown, F may
 * still follow from usage.
 */
static bool can_reach(const struct model *m, const struct jobs *jobs,
		      const struct forecast_question *q, struct err *err)
{
	if (!f64_known(q->reach) || m->algo->id == FS_LSF)
		return true;
	if (q->entry != ROW_NONE && jobs->order->rank[q->entry] == U32_UNKNOWN)
		return err_set(err, ERR_INPUT, "forecast: refused: the job has no rank: %s",
			       why_no_rank(jobs, q->entry));
	if (q->entry == ROW_NONE && (m->fs->base == FS_BASE_USAGE || m->fs->tree_rank) &&
	    (!m->fs->fairshare || !f64_known(m->fs->fairshare[q->assoc])))
		return err_set(err, ERR_INPUT, "forecast: refused: F is unknown: %s",
			       why_no_factor(m, q->assoc));
	return true;
}

/* ---- step by step --------------------------------------------------------------------------- */

/* The chart: evenly spaced to somewhat beyond the goal, and the exact pass that meets it. */
static void begin_drawing(struct forecasting *f)
{
	int64_t end = f->met >= 0 ? f->met + f->met / 4 + 1 : f->passes / 5;
	int64_t step = end / POINTS > 0 ? end / POINTS : 1;
	bool done = f->met <= 0;

	f->phase = DRAWING;
	f->draw = mem_alloc(POINTS * 3, sizeof(*f->draw));
	f->out.points = mem_alloc(POINTS * 3, sizeof(*f->out.points));
	for (int64_t pass = 0; pass <= end && f->draws < POINTS * 3 - 2; pass += step) {
		if (!done && f->met <= pass) {
			if (f->met < pass)
				f->draw[f->draws++] = f->met;
			done = true;
		}
		f->draw[f->draws++] = pass;
	}
	if (!done)
		f->draw[f->draws++] = f->met;
	if (f->met < 0 && f->out.asked)
		f->draw[f->draws++] = f->passes;
}

/* The next grid moment after LOW, or an earlier reset, where F jumps. */
static int64_t next_place(const struct forecasting *f)
{
	int64_t next = decay_next_reset(f->now->cluster, f->q->calendar,
					f->start + f->low * f->period), pass;

	if (next == I64_UNKNOWN)
		return f->low + f->step;
	pass = (next - f->start + f->period - 1) / f->period;
	return pass < f->low + f->step ? pass : f->low + f->step;
}

static void begin_search(struct forecasting *f)
{
	f->present = point_at(f, 0);
	f->out.asked = f64_known(f->q->reach) || f->before != ROW_NONE || f->rival != ROW_NONE;
	f->met = -1;
	if (f->out.asked && f64_known(f->q->reach) && forecast_is_met(f, &f->present))
		f->met = 0;
	f->step = f->passes / GRID > 0 ? f->passes / GRID : 1;
	f->high = next_place(f);
	f->phase = GRID_SEARCH;
	if (f->met == 0 || !f->out.asked)
		begin_drawing(f);
}

static void search_grid(struct forecasting *f)
{
	struct forecast_point p;

	if (f->high > f->passes) {
		begin_drawing(f);
		return;
	}
	p = point_at(f, f->high);
	if (forecast_is_met(f, &p)) {
		f->phase = HALVING;
		return;
	}
	f->low = f->high;
	f->high = next_place(f);
}

static void forecast_halve(struct forecasting *f)
{
	int64_t middle = f->low + (f->high - f->low) / 2;
	struct forecast_point p;

	if (f->high - f->low <= 1) {
		f->met = f->high;
		begin_drawing(f);
		return;
	}
	p = point_at(f, middle);
	if (forecast_is_met(f, &p))
		f->high = middle;
	else
		f->low = middle;
}

static bool can_forecast_lsf(const struct model *m, uint32_t assoc, struct err *err)
{
	const struct cluster *c = m->cluster;
	struct lsf_factors factors;
	struct lsf_use use;

	if (assoc == ROW_NONE || forecast_lsf_horizon(m, assoc) == I64_UNKNOWN)
		return err_set(err, ERR_INPUT,
			       "forecast: HIST_HOURS, or the account that pays, is unknown");
	if (!f64_known(m->fs->own[LSF_OWN_PRIORITY][assoc]))
		return err_set(err, ERR_INPUT,
			       "forecast: it has no dynamic priority, or an unknown one "
			       "(expected an account or user of a fair-share queue)");
	factors = lsf_factors_of(c, cluster_policy(c), lsf_queue_of(c, assoc));
	use = lsf_use_of(c, assoc);
	if (factors.missing && !policy_unreported(cluster_policy(c), factors.missing))
		return err_set(err, ERR_INPUT, "forecast: the term of %s, which is not 0 or is "
			       "unknown, is not computed here", factors.missing);
	if (!f64_known(lsf_load(&factors, &use)))
		return err_set(err, ERR_INPUT,
			       "forecast: the priority factors of its queue, or the version that "
			       "sets the formula, are unknown (expected lsb.params or bparams -l, "
			       "and lsid)");
	return true;
}

struct forecasting *forecast_begin(const struct model *model, const struct jobs *jobs,
				   const struct forecast_question *question, struct err *err)
{
	int64_t half_life = decay_half_life(model->cluster), reset;
	struct forecasting *f;

	if (!can_forecast(model, err) || !can_reach(model, jobs, question, err) ||
	    (model->algo->id == FS_LSF && !can_forecast_lsf(model, question->assoc, err)))
		return NULL;
	f = mem_zalloc(1, sizeof(*f));
	f->now = model;
	f->question = *question;
	f->q = &f->question;
	f->jobs = question->entry != ROW_NONE ? jobs : NULL;
	f->out.reached = I64_UNKNOWN;
	f->period = decay_period(model->cluster);
	f->start = jobs_now(model->cluster);
	f->lsf = model->algo->id == FS_LSF;
	f->rate = f->lsf ? forecast_lsf_rates(model, question) : rates_of(model, question);
	f->overlay = overlay_over(model->cluster);
	if (f->lsf) {
		f->cpu = overlay_f64(f->overlay, F_ASSOC_CPU_TIME);
		f->run = overlay_f64(f->overlay, F_ASSOC_RUN_TIME);
		/* Printed priorities are those of now. */
		overlay_drop(f->overlay, F_ASSOC_R_DYNAMIC_PRIORITY);
	} else {
		f->usage = overlay_f64(f->overlay, F_ASSOC_USAGE);
	}
	f->meta = overlay_meta(f->overlay);
	f->fs = fs_result_new(model->algo, model->tree);
	if (!f->lsf && !f->jobs && question->assoc != 0)
		f->near = fs_near(model->tree, question->assoc, &f->nears);
	f->numbered = all_are_numbered(model);
	f->out.horizon = half_life > 0 ? HALF_LIVES * half_life : 28 * DAY;
	reset = decay_next_reset(model->cluster, question->calendar, f->start);
	if (reset != I64_UNKNOWN && f->out.horizon < reset - f->start + f->period)
		f->out.horizon = reset - f->start + f->period;
	if (f->lsf) {
		f->out.horizon = forecast_lsf_horizon(model, question->assoc);
		f->period = LSF_STEP;
	}
	f->passes = f->out.horizon / f->period > 0 ? f->out.horizon / f->period : 1;
	f->before = f->jobs ? find_before(f) : ROW_NONE;
	f->rival = f->lsf && !f->jobs && !f64_known(question->reach) ?
		   find_rival(model, question->assoc) : ROW_NONE;
	return f;
}

bool forecast_step(struct forecasting *f)
{
	switch (f->phase) {
	case PRESENT:
		begin_search(f);
		break;
	case GRID_SEARCH:
		search_grid(f);
		break;
	case HALVING:
		forecast_halve(f);
		break;
	case DRAWING:
		f->out.points[f->out.count] = point_at(f, f->draw[f->out.count]);
		f->out.count++;
		if (f->out.count == f->draws)
			f->phase = DONE;
		break;
	case DONE:
		break;
	}
	return f->phase != DONE;
}

int64_t forecast_ahead(const struct forecasting *f)
{
	return f->phase == PRESENT ? 0 : f->period * (f->phase < DRAWING ? f->high :
				     f->draws > f->out.count ? f->draw[f->out.count] : f->passes);
}

void forecast_end(struct forecasting *f, struct forecast *out)
{
	if (!f)
		return;
	if (out) {
		if (f->met >= 0)
			f->out.reached = f->start + f->met * f->period;
		if (!f->jobs && !f->lsf && !f64_known(f->present.fairshare))
			(void)snprintf(f->out.sentence, sizeof(f->out.sentence),
				       "F is unknown: %s", why_no_factor(f->now, f->q->assoc));
		else if (f->out.asked)
			forecast_describe(f, &f->out);
		else if (f->jobs || f->lsf)
			describe_first(f, &f->out);
		*out = f->out;
	} else {
		mem_free(f->out.points);
	}
	cluster_free(overlay_seal(f->overlay));
	fs_result_free(f->fs);
	MEM_FREE(f->near, f->rate, f->draw, f);
}

bool forecast(const struct model *model, const struct jobs *jobs,
	      const struct forecast_question *question, struct forecast *out, struct err *err)
{
	struct forecasting *f = forecast_begin(model, jobs, question, err);

	*out = (struct forecast){ .reached = I64_UNKNOWN };
	if (!f)
		return false;
	while (forecast_step(f))
		;
	forecast_end(f, out);
	return true;
}

void forecast_free(struct forecast *f)
{
	mem_free(f->points);
	f->points = NULL;
}

/* ---- columns ------------------------------------------------------------------------------- */

static const struct forecast_point *forecast_at(const struct position *pos)
{
	return &((const struct forecast *)pos->context)->points[pos->row];
}

static void forecast_get_time(const struct position *pos, struct value *out)
{
	value_set_int(out, forecast_at(pos)->time);
}

static void forecast_get_real(const struct position *pos, struct value *out)
{
	value_set_real(out, *(const double *)POSITION_MEMBER(pos, forecast_at(pos)));
}

/* Whole, except LSF's dynamic priority. */
static void forecast_get_priority(const struct position *pos, struct value *out)
{
	double x = forecast_at(pos)->priority;

	if (x < floor(x) || x > floor(x))
		value_set_real(out, x);
	else
		value_set_whole(out, x);
}

static void get_rank(const struct position *pos, struct value *out)
{
	value_set_whole(out, forecast_at(pos)->rank);
}

#define NOT_LSF (ALWAYS & ~(UINT32_C(1) << FS_LSF))

const struct column forecast_columns[] = {
	{ .name = "time", .title = "Time", .legend = "start of a pass", .format = COLUMN_TIME,
	  .unit = UNIT_TIME, .only = ALWAYS, .get = forecast_get_time },
	{ .name = "fairshare", .title = "F", .legend = "fair-share factor at that time",
	  .format = COLUMN_RATIO, .decimals = 6, .only = NOT_LSF, .get = forecast_get_real,
	  .which = offsetof(struct forecast_point, fairshare) },
	{ .name = "norm_usage", .title = "U", .legend = "normalised usage at that time",
	  .format = COLUMN_RATIO, .decimals = 6, .only = NOT_LSF, .get = forecast_get_real,
	  .which = offsetof(struct forecast_point, norm_usage) },
	{ .name = "priority", .title = "Priority", .legend = "priority of the job at that time",
	  .only = ALWAYS, .get = forecast_get_priority },
	{ .name = "rank", .title = "Rank", .legend = "rank of the job or user at that time",
	  .only = ALWAYS, .get = get_rank },
};
const size_t forecast_columns_count = sizeof(forecast_columns) / sizeof(forecast_columns[0]);

struct view forecast_view(const struct forecast *f)
{
	return view_of("forecast", forecast_columns, forecast_columns_count, f, f->count);
}

/* Usage relative to the share of ROW at the last computed moment: over its share above 1. */
static double forecast_over(const struct forecasting *f, uint32_t row)
{
	return f->fs->level_fs ? 1 / f->fs->level_fs[row] :
	       f->fs->effective_ratio ? f->fs->effective_ratio[row] : F64_UNKNOWN;
}

/* Sets SECONDS of those over their share FROM passes from now (WAS), and not TO passes from now. */
static bool finish_recovered(const struct forecasting *f, int64_t from, int64_t to, double *was,
			     double *seconds)
{
	bool left = false;

	for (uint32_t i = 0; i < f->now->tree->n; i++) {
		double is = forecast_over(f, i);

		if (to == 0)
			seconds[i] = f64_known(is) ? is > 1 ? (double)INFINITY : 0 : F64_UNKNOWN;
		else if (isinf(seconds[i]) && is <= 1)
			seconds[i] = (double)f->period *
				     ((double)from + (double)(to - from) *
				      (isinf(was[i]) ? 1 : (was[i] - 1) / (was[i] - is)));
		was[i] = is;
		left = left || isinf(seconds[i]);
	}
	return left;
}

double *forecast_recovery(const struct model *model, const struct calendar *calendar)
{
	const struct forecast_question q = { .assoc = 0, .entry = ROW_NONE, .reach = F64_UNKNOWN,
					     .calendar = calendar };
	struct forecasting *f = NULL;
	int64_t from = 0, to = 0;
	double *was, *seconds;

	if (model->algo->id != FS_LSF && model->tree->n > 0 && model->burn &&
	    f64_known(model->burn[0]))
		f = forecast_begin(model, NULL, &q, NULL);
	if (!f)
		return NULL;
	was = mem_alloc(model->tree->n, sizeof(*was));
	seconds = mem_alloc(model->tree->n, sizeof(*seconds));
	do {
		(void)point_at(f, to);
		if (!finish_recovered(f, from, to, was, seconds))
			break;
		from = to;
		to += to / RECOVERY_STEP + 1;
	} while (to <= f->passes);
	mem_free(was);
	forecast_end(f, NULL);
	return seconds;
}
