/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/compare.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/timestr.h"
#include "core/share/lsf_share.h"
#include "core/share/pbs_share.h"

struct compare_row *compare_add(struct compare *c, double a, double b, const char *format, ...)
{
	struct compare_row *row;
	va_list args;

	MEM_GROW(c->rows, c->capacity, c->count + 1);
	row = &c->rows[c->count++];
	*row = (struct compare_row){ .a = a, .b = b, .level = (uint32_t)c->count };
	va_start(args, format);
	(void)vsnprintf(row->name, sizeof(row->name), format, args);
	va_end(args);
	return row;
}

/* Appends to the sentence. */
static void ERR_PRINTF(2, 3) compare_say(struct compare *c, const char *format, ...)
{
	size_t used = strlen(c->sentence);
	va_list args;

	va_start(args, format);
	(void)vsnprintf(c->sentence + used, sizeof(c->sentence) - used, format, args);
	va_end(args);
}

/* Time differences are not points: they sort after numbers, before equal rows. */
static double compare_weight_of(const struct compare_row *row)
{
	double d = fabs(row->a - row->b);

	return !f64_known(d) ? -1 : row->time && d > 0 ? DBL_MIN : d;
}

static int by_difference(const void *one, const void *two)
{
	const struct compare_row *a = one, *b = two;
	double x = compare_weight_of(a), y = compare_weight_of(b);

	if (a->decides != b->decides)
		return a->decides ? -1 : 1;
	if (x > y || x < y)
		return x > y ? -1 : 1;
	return a->level < b->level ? -1 : a->level > b->level;
}

void compare_sort(struct compare *c)
{
	if (c->count > 1)
		qsort(c->rows, c->count, sizeof(*c->rows), by_difference);
}

void compare_free(struct compare *c)
{
	mem_free(c->rows);
	*c = (struct compare){ 0 };
}

/* ---- two associations ------------------------------------------------------------------------ */

/* Does the first level that differs decide, regardless of F? */
static bool levels_decide(const struct model *m)
{
	return m->fs->algorithm == FS_PBS || m->fs->algorithm == FS_LSF;
}

/*
 * The measure by which the algorithm orders siblings. A larger Level FS is served first, a smaller
 * R, or a smaller usage per percentage.
 */
static const double *compare_measure(const struct model *m, const char **name, bool *larger_first)
{
	if (m->fs->algorithm == FS_LSF) {
		*larger_first = true;
		*name = "Priority";
		return m->fs->own[LSF_OWN_PRIORITY];
	}
	if (levels_decide(m)) {
		*larger_first = false;
		*name = "Usage/S";
		return m->fs->own[PBS_OWN_USAGE_PERC];
	}
	*larger_first = m->fs->level_fs != NULL;
	*name = *larger_first ? "Level FS" : "R";
	return *larger_first ? m->fs->level_fs : m->fs->effective_ratio;
}

static double compare_item(const double *array, uint32_t row)
{
	return array ? array[row] : F64_UNKNOWN;
}

/* Value of a quantity of M's fair share. */
static double compare_quantity(const struct model *m, const double *values, uint32_t row)
{
	return values && values == m->fs->effective_ratio ? fs_ratio(m->fs, row) :
							    compare_item(values, row);
}

/*
 * Moves A and B up to the children of their deepest common ancestor; false if one is above the
 * other.
 */
static bool compare_parting(const struct cluster *c, uint32_t *a, uint32_t *b)
{
	const uint32_t *parent = cluster_parent(c);
	const uint16_t *depth = cluster_depth(c);
	uint32_t x = *a, y = *b;

	while (depth[x] > depth[y])
		x = parent[x];
	while (depth[y] > depth[x])
		y = parent[y];
	if (x == y)
		return false;
	while (parent[x] != parent[y]) {
		x = parent[x];
		y = parent[y];
	}
	*a = x;
	*b = y;
	return true;
}

/* Finds the ancestors to compare: where the paths part, or PBS's first level that differs. */
static bool compare_deciding(const struct model *m, uint32_t *a, uint32_t *b)
{
	uint32_t x, y;

	if (!levels_decide(m))
		return compare_parting(m->cluster, a, b);
	if (m->fs->algorithm == FS_LSF)
		(void)lsf_compare_paths(m->tree, m->fs, *a, *b, &x, &y);
	else
		(void)pbs_compare_paths(m->tree, m->fs, *a, *b, &x, &y);
	if (x == 0)
		return false;
	*a = x;
	*b = y;
	return true;
}

/* Path of the deepest account above both. */
static void path_above(const struct cluster *c, uint32_t x, uint32_t y, char *buf, size_t size)
{
	uint32_t a = x, b = y;

	cluster_path(c, compare_parting(c, &a, &b) ? cluster_parent(c)[a] : 0, buf, size);
}

static const char *short_name(const struct cluster *c, uint32_t row)
{
	const char *name = cluster_is_user(c, row) ? cluster_text(c, F_ASSOC_USER, row)
						   : cluster_text(c, F_ASSOC_ACCOUNT, row);

	return name ? name : "?";
}

/* The measure that orders A and B, if they are siblings and PATH shows it; else NULL. */
static const double *reported_by_path(const struct model *m, uint32_t a, uint32_t b,
				      struct compare_row *path)
{
	bool larger_first;
	const char *name;
	const double *values = compare_measure(m, &name, &larger_first);

	if (!path || cluster_parent(m->cluster)[a] != cluster_parent(m->cluster)[b] ||
	    m->fs->algorithm == FS_LSF)
		return NULL;
	(void)snprintf(path->name, sizeof(path->name), "%s", name);
	return values;
}

/* Adds all quantities except F and REPORTED, which are already shown. */
static void add_quantities(struct compare *c, const struct model *m, uint32_t a, uint32_t b,
			   const double *reported)
{
	const struct fs_algo *algo = m->algo;

	for (size_t i = 0; i < algo->quantity_count; i++) {
		const struct fs_quantity *q = &algo->quantities[i];
		const double *values;

		if (q->is_rank)
			continue;
		memcpy(&values, (const char *)m->fs + q->offset, sizeof(values));
		if (values && (values == m->fs->fairshare || values == reported))
			continue;
		compare_add(c, compare_quantity(m, values, a), compare_quantity(m, values, b), "%s",
			    q->title);
	}
}

/* Adds the rows of two paths, without the sentence; returns the deciding row, or NULL. */
static struct compare_row *compare_paths(struct compare *out, const struct model *m, uint32_t a,
					 uint32_t b)
{
	const struct cluster *c = m->cluster;
	bool larger_first;
	const char *name;
	const double *values = compare_measure(m, &name, &larger_first);
	uint32_t x = a, y = b;
	char path[100];
	struct compare_row *row;
	bool queues;

	if (!compare_deciding(m, &x, &y))
		return NULL;
	/* Queues have rows of their own. */
	queues = m->fs->algorithm == FS_LSF && cluster_parent(c)[x] == 0;
	if (queues)
		values = m->fs->own[LSF_OWN_QUEUE];
	path_above(c, x, y, path, sizeof(path));
	row = compare_add(out, compare_quantity(m, values, x), compare_quantity(m, values, y),
			  "%s of %.28s and %.28s below %.60s", name, short_name(c, x),
			  short_name(c, y), path);
	if (row->a == row->b)
		(void)snprintf(row->note, sizeof(row->note), "first ancestors that differ: a tie%s",
			       queues ? ": the queues are emptied in the order of lsb.queues" :
			       m->fs->algorithm == FS_LSF ?
			       " as printed: the one with the earlier job is first, at equal CPU "
			       "time (to 0.1 s) the one printed first" :
			       ", which the scheduler's own order of siblings decides");
	else
		(void)snprintf(row->note, sizeof(row->note),
			       "first ancestors that differ; the %s one is served first",
			       larger_first ? "larger" : "smaller");
	return row;
}

static int sign_of(double a, double b)
{
	return a > b ? -1 : a < b ? 1 : 0;
}

/* Order by the algorithm's measure: -1, 0, 1. */
static int path_order(const struct model *m, const struct compare_row *row)
{
	bool larger_first;
	const char *name;

	(void)compare_measure(m, &name, &larger_first);
	return larger_first ? sign_of(row->a, row->b) : sign_of(row->b, row->a);
}

static void say_path(const struct model *m, struct compare *out, uint32_t a, uint32_t b,
		     const struct compare_row *row)
{
	const struct cluster *c = m->cluster;
	uint32_t x = a, y = b;
	bool larger_first, swapped = out->order > 0;
	const char *name;
	char path[100];

	(void)compare_measure(m, &name, &larger_first);
	(void)compare_deciding(m, &x, &y);
	path_above(c, x, y, path, sizeof(path));
	compare_say(out, "; below %s, %s has %s %.4g and %s %.4g", path,
		    short_name(c, swapped ? y : x), name, swapped ? row->b : row->a,
		    short_name(c, swapped ? x : y), swapped ? row->a : row->b);
	if (out->order != 0 && path_order(m, row) == -out->order)
		compare_say(out, ", which points the other way: levels further down the paths "
				 "outweigh it");
}

void compare_accounts(const struct model *m, uint32_t a, uint32_t b, struct compare *out)
{
	double fa = compare_item(m->fs->fairshare, a), fb = compare_item(m->fs->fairshare, b);
	char first[120], second[120];
	bool by_levels = levels_decide(m), decided;
	struct compare_row *f, *path;
	size_t place;

	*out = (struct compare){ 0 };
	decided = !by_levels && f64_known(fa) && f64_known(fb) && (fa < fb || fa > fb);
	/* LSF has no factor. */
	if (m->fs->fairshare) {
		f = compare_add(out, fa, fb, "F");
		f->decides = decided;
	}
	out->order = decided ? sign_of(fa, fb) : 0;
	place = out->count;
	path = compare_paths(out, m, a, b);
	if (path && !decided && path_order(m, path) != 0 && (by_levels || !f64_known(fa))) {
		/* Accounts have no factor in Fair Tree, and PBS uses none: the measure decides. */
		path->decides = true;
		out->order = path_order(m, path);
	}
	if (path && out->order == 0 && m->fs->algorithm == FS_LSF) {
		uint32_t x, y;

		out->order = lsf_compare_paths(m->tree, m->fs, a, b, &x, &y);
		path->decides = out->order != 0;
	}
	add_quantities(out, m, a, b, reported_by_path(m, a, b, path));
	path = path ? &out->rows[place] : NULL;
	cluster_path(m->cluster, out->order > 0 ? b : a, first, sizeof(first));
	cluster_path(m->cluster, out->order > 0 ? a : b, second, sizeof(second));
	if (out->order == 0)
		compare_say(out, "%s and %s are equal by fair share", first, second);
	else
		compare_say(out, "%s comes before %s", first, second);
	if (!by_levels && f64_known(fa) && f64_known(fb))
		compare_say(out, ": F %.6g against %.6g", out->order > 0 ? fb : fa,
			    out->order > 0 ? fa : fb);
	if (path && f64_known(path->a) && f64_known(path->b))
		say_path(m, out, a, b, path);
}

static const char *const reasons[] = {
	[QUEUE_SAME] = "they are the same",
	[QUEUE_EXPEDITED] = "its requeue is expedited",
	[QUEUE_PREEMPTION] = "its QOS or partition may preempt the other's",
	[QUEUE_RESERVATION] = "it has a reservation",
	[QUEUE_TIER] = "its partition has the higher PriorityTier",
	[QUEUE_PRIORITY] = "its priority is higher",
	[QUEUE_SUBMIT] = "it was submitted earlier, at equal priority",
	[QUEUE_ID] = "its number is lower, at equal priority and submit time",
	[QUEUE_NOT_RANKED] = NULL,	/* say_unranked() */
};

static double compare_tier(const struct jobs *j, uint32_t e)
{
	uint32_t p = j->index->partition[e];
	uint32_t t = p == ROW_NONE ? U32_UNKNOWN
				   : cluster_u32(j->model->cluster, F_PARTITION_TIER, p);

	return t == U32_UNKNOWN ? F64_UNKNOWN : t;
}

static double compare_reserved(const struct jobs *j, uint32_t e)
{
	const char *name = cluster_text(j->model->cluster, F_JOB_RESERVATION, j->index->job[e]);

	return name && *name ? 1 : 0;
}

static double compare_level(const struct jobs *j, uint32_t e)
{
	uint32_t qos = j->index->qos[e];

	if (j->preempt->kind != PREEMPT_QOS || qos == ROW_NONE)
		return F64_UNKNOWN;
	return j->preempt->level[qos];
}

static double compare_submit_time(const struct jobs *j, uint32_t e)
{
	int64_t t = cluster_i64(j->model->cluster, F_JOB_SUBMIT, j->index->job[e]);

	return t == I64_UNKNOWN ? F64_UNKNOWN : (double)t;
}

static double compare_priority(const struct jobs *j, uint32_t e)
{
	return j->prio->priority[e] == U32_UNKNOWN ? F64_UNKNOWN : j->prio->priority[e];
}

static void add_submit(struct compare *out, const struct jobs *j, uint32_t a, uint32_t b,
		       bool decides)
{
	struct compare_row *row = compare_add(out, compare_submit_time(j, a),
					      compare_submit_time(j, b), "submit");

	row->time = true;
	row->decides = decides;
}

/* Adds rows in the order of the scheduler's comparison and marks the deciding one. */
static void add_steps(struct compare *out, const struct jobs *j, uint32_t a, uint32_t b,
		      enum queue_reason why)
{
	if (why == QUEUE_EXPEDITED)
		compare_add(out, job_is_expedited(j->model->cluster, j->index->job[a]),
			    job_is_expedited(j->model->cluster, j->index->job[b]),
			    "expedited")->decides = true;
	compare_add(out, compare_level(j, a), compare_level(j, b), "preemption level")->decides =
		why == QUEUE_PREEMPTION;
	compare_add(out, compare_reserved(j, a), compare_reserved(j, b), "reservation")->decides =
		why == QUEUE_RESERVATION;
	compare_add(out, compare_tier(j, a), compare_tier(j, b),
		    "partition tier")->decides = why == QUEUE_TIER;
	compare_add(out, compare_priority(j, a), compare_priority(j, b), "priority")->decides =
		why == QUEUE_PRIORITY;
	add_submit(out, j, a, b, why == QUEUE_SUBMIT);
}

static bool compare_computed(const struct jobs *j, uint32_t e)
{
	return j->prio->origin[e] == PRIO_COMPUTED;
}

/*
 * Adds every term of both. The deciding term is the one most in favour of the winner: without it
 * (or with the other's value) the order would be reversed, or closest to it. Returns its row
 * number, or SIZE_MAX.
 */
static size_t compare_add_terms(struct compare *out, const struct jobs *j, uint32_t a, uint32_t b,
				int order)
{
	size_t best = SIZE_MAX;
	double most = 0;

	for (uint32_t i = 0; i < j->map_count; i++) {
		double x = prio_part(&j->input, j->prio, i, a, NULL);
		double y = prio_part(&j->input, j->prio, i, b, NULL), gain;

		compare_add(out, x, y, "%s", j->map_keys[i]);
		gain = order < 0 ? x - y : y - x;
		if (gain > most) {
			most = gain;
			best = out->count - 1;
		}
	}
	return best;
}

/* To the scheduler, a job without an accrue time does not age. */
static bool compare_accrues(const struct jobs *j, uint32_t e)
{
	bool always = (j->policy.flags & PF_ACCRUE_ALWAYS) != 0;
	int64_t since = cluster_i64(j->model->cluster, always ? F_JOB_SUBMIT : F_JOB_ACCRUE,
				    j->index->job[e]);

	return since != I64_UNKNOWN && since > 0;
}

/* Why age alone never makes up the difference. */
static const char *const nevers[] = {
	"age has no weight",
	"it does not accrue age",
	"both age at the same rate, and it does not age longer",
	"it can gain less than that",
};

/* At equal priority, does BEHIND come first? */
static bool wins_ties(const struct jobs *j, uint32_t behind, uint32_t ahead)
{
	const struct cluster *c = j->model->cluster;
	double x = compare_submit_time(j, behind), y = compare_submit_time(j, ahead);

	if (f64_known(x) && f64_known(y) && x != y)
		return x < y;
	return cluster_u32(c, F_JOB_ID, j->index->job[behind]) <
	       cluster_u32(c, F_JOB_ID, j->index->job[ahead]);
}

/* Points before truncation if computed, else the priority. */
static double compare_sum_of(const struct jobs *j, uint32_t e)
{
	return j->prio->origin[e] == PRIO_COMPUTED ? j->prio->sum[e] : compare_priority(j, e);
}

/*
 * Seconds until age alone reverses the order: both age alike until one reaches the maximum age, so
 * only the time after the leader has reached it counts; the order turns when BEHIND has enough
 * whole points. Infinite if it never does; *WHY then says why.
 */
static double seconds_to_turn(const struct jobs *j, uint32_t behind, uint32_t ahead,
			      const char **why)
{
	double weight = j->prio->weight[PRIO_AGE], max = (double)j->policy.max_age;
	double left_behind, left_ahead, per_second, needed, seconds;

	*why = nevers[weight <= 0 || max <= 0 || !j->prio->factor[PRIO_AGE] ? 0 : 1];
	if (*why == nevers[0] || !compare_accrues(j, behind))
		return HUGE_VAL;
	left_behind = (1 - j->prio->factor[PRIO_AGE][behind]) * max;
	left_ahead = compare_accrues(j, ahead) ? (1 - j->prio->factor[PRIO_AGE][ahead]) * max : 0;
	per_second = weight / max;
	*why = nevers[left_behind <= left_ahead ? 2 : 3];
	needed = floor(fmax(1, compare_sum_of(j, ahead) + left_ahead * per_second)) +
		 !wins_ties(j, behind, ahead);
	seconds = (needed - compare_sum_of(j, behind)) / per_second;
	if (left_behind <= left_ahead || !(seconds <= left_behind))
		return HUGE_VAL;
	return fmax(seconds, left_ahead);
}

static void say_what_it_takes(struct compare *out, const struct jobs *j, uint32_t ahead,
			      uint32_t behind)
{
	double points = compare_priority(j, ahead) - compare_priority(j, behind), seconds;
	const char *why;
	char time[32];

	if (!wins_ties(j, behind, ahead))
		points += 1;
	seconds = seconds_to_turn(j, behind, ahead, &why);
	compare_say(out, "; %.0f points are needed", points);
	if (isfinite(seconds)) {
		timestr_format((int64_t)seconds, time, sizeof(time));
		compare_say(out, ", which age alone makes up in %s, all else unchanged", time);
	} else {
		compare_say(out, ", which age alone never makes up: %s", why);
	}
}

/* Points cannot change what outranks the priority; one point outweighs what ranks below it. */
static void say_without_points(struct compare *out, enum queue_reason why)
{
	if (why > QUEUE_SAME && why < QUEUE_PRIORITY)
		compare_say(out, "; no number of priority points changes that");
	if (why == QUEUE_SUBMIT || why == QUEUE_ID)
		compare_say(out, "; one point changes that");
}

static void say_terms(struct compare *out, const struct jobs *j, uint32_t first, uint32_t second,
		      size_t best)
{
	bool swapped = out->order > 0;

	compare_say(out, ", %.0f against %.0f", compare_priority(j, first),
		    compare_priority(j, second));
	if (best != SIZE_MAX)
		compare_say(out, ", mostly due to %s (%.0f against %.0f)", out->rows[best].name,
			    swapped ? out->rows[best].b : out->rows[best].a,
			    swapped ? out->rows[best].a : out->rows[best].b);
}

/* Adds the two paths of the tree if fair share decides. */
static void follow_fairshare(struct compare *out, const struct jobs *j, uint32_t a, uint32_t b)
{
	uint32_t x = j->index->assoc[a], y = j->index->assoc[b];
	struct compare paths;

	if (x == ROW_NONE || y == ROW_NONE || x == y)
		return;
	compare_paths(out, j->model, x, y);
	compare_accounts(j->model, out->order > 0 ? y : x, out->order > 0 ? x : y, &paths);
	compare_say(out, "; %s", paths.sentence);
	compare_free(&paths);
}

/* Why one of two jobs has no rank. */
static const char *say_unranked(const struct jobs *j, uint32_t a, uint32_t b, char *buf,
				size_t size)
{
	uint32_t e = jobs_left_out(j, a) ? a : b;
	const char *why = jobs_left_out(j, e);

	if (a == b || !why)
		return a == b ? "they are the same" : "one of them is not in the queue";
	(void)snprintf(buf, size, "job %u %s: %s",
		       (unsigned)cluster_u32(j->model->cluster, F_JOB_ID, j->index->job[e]),
		       jobs_stopped(j, e) ? "is not in the queue" : "has no known rank",
		       why);
	return buf;
}

/* Explains why the first of them comes first. */
static void say_pbs(const struct jobs *j, uint32_t a, uint32_t b, enum pbs_reason why,
		    struct compare *out)
{
	static const char *const words[] = {
		[PBS_REASON_RUNNABLE] = "the other will not run as things are",
		[PBS_REASON_QUEUE] = "its queue has the higher priority",
		[PBS_REASON_TURN] = "it is nearer to the front of its queue (round_robin)",
		[PBS_REASON_PLACE] = "its queue comes before the other's, at equal priority",
		[PBS_REASON_STANDING] = "its level of preempt_prio is higher",
		[PBS_REASON_FORMULA] = "the formula gives it a higher value",
		[PBS_REASON_FAIRSHARE] = "its entity comes before the other's",
		[PBS_REASON_KEY] = "job_sort_key puts it first",
		[PBS_REASON_RANK] = "it arrived earlier, all else equal",
	};
	const struct pbs_jobs *p = j->pbs;
	const char *undecided = pbs_jobs_undecided(p);
	char text[200];

	if (undecided || out->order == 0) {
		if (undecided)
			compare_say(out, "their order is unknown, because %s is unknown",
				    undecided);
		else
			compare_say(out, "%s", say_unranked(j, a, b, text, sizeof(text)));
		for (size_t i = 0; i < out->count; i++)
			out->rows[i].decides = false;
		return;
	}
	compare_say(out, "%s", words[why]);
	if (why == PBS_REASON_FORMULA)
		compare_say(out, ", %.6g against %.6g", p->value[out->order > 0 ? b : a],
			    p->value[out->order > 0 ? a : b]);
	if (pbs_jobs_assumed(p))
		compare_say(out, "; with PBS's defaults, as sched_config was not read");
}

/* PBS: the order of the scheduler's own sort. */
static void compare_pbs(const struct jobs *j, uint32_t a, uint32_t b, struct compare *out)
{
	const struct pbs_jobs *p = j->pbs;
	size_t key = 0;
	enum pbs_reason why = pbs_jobs_reason(p, a, b, &key);
	uint32_t x = j->index->assoc[a], y = j->index->assoc[b];

	compare_add(out, !jobs_stopped(j, a), !jobs_stopped(j, b), "can run")
		->decides = why == PBS_REASON_RUNNABLE;
	compare_add(out, pbs_jobs_queue_priority(p, a), pbs_jobs_queue_priority(p, b),
		    "queue priority") ->decides = why == PBS_REASON_QUEUE;
	if (p->turn && p->turn[a] && p->turn[b])
		compare_add(out, p->turn[a], p->turn[b], "rank in its queue")->decides =
			why == PBS_REASON_TURN;
	if (why == PBS_REASON_PLACE)
		compare_add(out, p->place[p->queue[a]], p->place[p->queue[b]], "rank of the queue")
			->decides = true;
	compare_add(out, pbs_jobs_standing(p, a), pbs_jobs_standing(p, b), "preempt_prio")
		->decides = why == PBS_REASON_STANDING;
	compare_add(out, p->value[a], p->value[b], "formula")->decides = why == PBS_REASON_FORMULA;
	for (size_t i = 0; p->formula && i < pbs_formula_terms(p->formula); i++) {
		size_t names = pbs_formula_names(p->formula);

		compare_add(out, pbs_formula_term_value(p->formula, i, p->inputs + a * names),
			    pbs_formula_term_value(p->formula, i, p->inputs + b * names), "%s",
			    pbs_formula_term(p->formula, i));
	}
	if (j->policy.fair_share && x != ROW_NONE && y != ROW_NONE && x != y) {
		struct compare_row *row = compare_paths(out, j->model, x, y);

		if (row)
			row->decides = why == PBS_REASON_FAIRSHARE;
	}
	for (size_t k = 0; k < p->key_count; k++)
		compare_add(out, p->key_values[a * p->key_count + k],
			    p->key_values[b * p->key_count + k], "%s %s", p->keys[k].name,
			    p->keys[k].high ? "HIGH" : "LOW")
			->decides = why == PBS_REASON_KEY && k == key;
	add_submit(out, j, a, b, why == PBS_REASON_RANK);
	say_pbs(j, a, b, why, out);
}

/* LSF: queue, account, list. */
static void compare_lsf(const struct jobs *j, uint32_t a, uint32_t b, struct compare *out)
{
	static const char *const words[] = {
		[LSF_REASON_STOPPED] = "one of them is not considered as things are",
		[LSF_REASON_VAGUE] = "the ranks of a queue's jobs are unknown",
		[LSF_REASON_QUEUE] = "its queue has the higher PRIORITY",
		[LSF_REASON_PLACE] = "its queue comes before the other's, at equal PRIORITY",
		[LSF_REASON_ACCOUNT] = "the walk through the share accounts reaches it earlier",
		[LSF_REASON_NO_SHARES] = "no fair-share account pays for the other",
		[LSF_REASON_PASSED] = "volclava skips the other's group from then on",
		[LSF_REASON_TURN] = "round robin: its user has fewer slots running at its turn",
		[LSF_REASON_LIST] = "it is earlier in the list of pending jobs",
	};
	const struct lsf_jobs *l = j->lsf;
	enum lsf_reason why = lsf_jobs_reason(l, a, b);
	uint32_t x = j->index->assoc[a], y = j->index->assoc[b];
	struct compare_row *row;

	compare_add(out, lsf_jobs_queue_priority(l, a), lsf_jobs_queue_priority(l, b),
		    "queue PRIORITY")->decides = why == LSF_REASON_QUEUE;
	if (why == LSF_REASON_ACCOUNT) {
		row = compare_paths(out, j->model, x, y);
		if (row)
			row->decides = true;
	}
	compare_add(out, lsf_jobs_job_priority(l, a), lsf_jobs_job_priority(l, b), "job priority");
	add_submit(out, j, a, b, why == LSF_REASON_LIST);
	compare_say(out, "%s", words[why]);
}

/* Its rank, or, with hidden jobs, the rank among those shown: the order of two still holds. */
static uint32_t compare_place_of(const struct jobs *j, uint32_t entry)
{
	const struct queue_order *o = j->order;
	uint32_t i = 0;

	if (!cluster_hides_jobs(j->model->cluster) || (j->lsf && lsf_jobs_vague(j->lsf, entry)))
		return o->rank[entry];
	while (i < o->count && o->order[i] != entry)
		i++;
	return i < o->count ? i : U32_UNKNOWN;
}

void compare_jobs(const struct jobs *j, uint32_t a, uint32_t b, struct compare *out)
{
	const struct cluster *c = j->model->cluster;
	enum queue_reason why =
		queue_reason(j->index, &j->policy, j->preempt, j->prio->priority, a, b);
	uint32_t ra = compare_place_of(j, a), rb = compare_place_of(j, b), first, second;
	size_t best = SIZE_MAX;
	char text[200];

	*out = (struct compare){ 0 };
	out->order = ra == rb || ra == U32_UNKNOWN || rb == U32_UNKNOWN ? 0 : ra < rb ? -1 : 1;
	first = out->order > 0 ? b : a;
	second = out->order > 0 ? a : b;
	compare_say(out, "job %u %s job %u: ",
		    (unsigned)cluster_u32(c, F_JOB_ID, j->index->job[first]),
		    out->order == 0 ? "and" : "comes before",
		    (unsigned)cluster_u32(c, F_JOB_ID, j->index->job[second]));
	if (j->pbs || j->lsf) {
		if (j->pbs)
			compare_pbs(j, a, b, out);
		else
			compare_lsf(j, a, b, out);
		return;
	}
	add_steps(out, j, a, b, why);
	if (compare_computed(j, a) && compare_computed(j, b))
		best = compare_add_terms(out, j, a, b, out->order);
	compare_say(out, "%s", why == QUEUE_NOT_RANKED ?
		    say_unranked(j, a, b, text, sizeof(text)) : reasons[why]);
	say_without_points(out, why);
	if (why != QUEUE_PRIORITY)
		return;
	if (best != SIZE_MAX)
		out->rows[best].decides = true;
	say_terms(out, j, first, second, best);
	if (compare_computed(j, a) && compare_computed(j, b))
		say_what_it_takes(out, j, first, second);
	if (best != SIZE_MAX && strcmp(out->rows[best].name, "fairshare") == 0)
		follow_fairshare(out, j, a, b);
}
