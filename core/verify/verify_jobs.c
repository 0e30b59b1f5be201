/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify for jobs: every weighted term and the priority of every reported job. Terms that depend
 * only on the job and the policy must agree to 1e-9, or to the whole number that sprio prints.
 * verify.c compares the fair-share term, as its factor; the priority uses the reported one, so that
 * a fair share that cannot be compared now does not hide the rest.
 */
#include "core/base/format.h"
#include "core/verify/verify_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/queue/jobs.h"
#include "core/base/mem.h"
#include "core/base/plural.h"

#define TERM_TOLERANCE 1e-9

/* Why a job is left out of a comparison. */
enum left_out { LEFT_UNKNOWN, LEFT_NODES, LEFT_HIDDEN, LEFT_COUNT };

static const char *const left_words[LEFT_COUNT] = {
	[LEFT_UNKNOWN] = "with an input that the source does not report",
	[LEFT_NODES] = "whose requested minimum of nodes is not reported, only an estimate",
	[LEFT_HIDDEN] = "with --exclusive, whose CPUs the scheduler counts but does not show",
};

struct job_check {
	const struct jobs *j;
	const struct cluster *c;
	struct verify *v;
	bool printed;		/* the terms are from sprio, not from libslurm */
	bool whole;		/* and they are whole numbers */
	bool switched;		/* flags may have changed since the terms were computed */
	const char *flags;	/* why it is unknown which terms are normalised; NULL */
	bool normalised;	/* the current comparison depends on that */
	uint32_t left[LEFT_COUNT];	/* of the current comparison */
	uint32_t first[LEFT_COUNT];	/* number of the first such job */
};

static void verify_jobs_leave_out(struct job_check *k, uint32_t e, enum left_out why)
{
	if (k->left[why]++ == 0)
		k->first[why] = cluster_u32(k->c, F_JOB_ID, k->j->index->job[e]);
}

static struct verify_row *verify_jobs_add_row(struct verify *v, const char *what)
{
	struct verify_row *row;

	MEM_GROW(v->rows, v->capacity, v->count + 1);
	row = &v->rows[v->count++];
	*row = (struct verify_row){ .worst = ROW_NONE };
	(void)snprintf(row->quantity, sizeof(row->quantity), "%s", what);
	return row;
}

/* sprio prints whole numbers, or with -n factors with seven decimals. */
static bool are_whole(const struct jobs *j)
{
	for (uint32_t e = 0; e < j->index->n; e++) {
		for (uint32_t f = 0; f < PRIO_FACTORS; f++) {
			double x = prio_reported_part(&j->input, j->prio, f, e);

			if (f64_known(x) && x != floor(x))
				return false;
		}
	}
	return true;
}

/* Half of the factor's seventh decimal, and a little for the multiplication. */
static double factor_tolerance(const struct job_check *k, enum prio_factor f)
{
	if (!k->printed)
		return TERM_TOLERANCE;
	return k->whole ? 1 : 0.6e-7 * k->j->prio->weight[f];
}

/* Entries whose terms the scheduler computes and reports. */
static bool is_reported(const struct job_check *k, uint32_t e)
{
	uint32_t row = k->j->index->reported[e];

	return row != ROW_NONE && k->j->prio->origin[e] != PRIO_ORIGIN_DIRECT &&
	       k->j->prio->origin[e] != PRIO_ORIGIN_HELD &&
	       k->j->prio->origin[e] != PRIO_ORIGIN_KEPT;
}

static void verify_jobs_take(struct verify_row *row, double ours, double theirs, bool absolute,
			     uint32_t *differing)
{
	double off = fabs(ours - theirs);

	if (!f64_known(ours) || !f64_known(theirs))
		return;
	row->rows++;
	row->max_abs = fmax(row->max_abs, off);
	if (off > 0)
		row->max_rel = fmax(row->max_rel, off / fmax(fabs(ours), fabs(theirs)));
	*differing += off > row->tolerance * (absolute ? 1 : 1 + fabs(theirs));
}

/* Counts and names jobs left out of a comparison, whatever its verdict. */
static void say_left_out(const struct job_check *k, struct verify_row *row)
{
	for (unsigned i = 0; i < LEFT_COUNT; i++) {
		if (k->left[i] != 0)
			format_append(row->why, sizeof(row->why), "; left out: %u %s (job %u%s)",
				      (unsigned)k->left[i], left_words[i], (unsigned)k->first[i],
				      k->left[i] > 1 ? " ..." : "");
	}
}

/* Terms are from the last pass, but the policy used here is the current one. */
static void conclude_differing(const struct job_check *k, struct verify_row *row,
			       uint32_t differing, const char *precision)
{
	char wait[64];

	verify_next_pass(k->c, wait, sizeof(wait));
	if (k->switched) {
		row->verdict = VERIFY_NOT_COMPARABLE;
		(void)snprintf(row->why, sizeof(row->why),
			       "PriorityFlags changed after these were computed. Wait for %s",
			       wait);
		return;
	}
	row->verdict = VERIFY_DIFFERS;
	(void)snprintf(row->why, sizeof(row->why),
		       "%u %s further apart than %s allow. If weights or flags just changed, wait "
		       "for %s", (unsigned)differing, plural(differing, "job is", "jobs are"),
		       precision, wait);
}

static void verify_jobs_conclude(const struct job_check *k, struct verify_row *row,
				 uint32_t differing, const char *precision)
{
	if (row->rows == 0) {
		row->verdict = VERIFY_NOT_COMPARABLE;
		(void)snprintf(row->why, sizeof(row->why), "%s", k->normalised && k->flags ?
			       k->flags : "the scheduler reports none here");
	} else if (differing != 0) {
		conclude_differing(k, row, differing, precision);
	} else {
		row->verdict = VERIFY_EQUAL;
		(void)snprintf(row->why, sizeof(row->why), "%s", precision);
	}
	say_left_out(k, row);
}

/*
 * After trying to place a job with --exclusive, the scheduler counts all CPUs of the chosen nodes,
 * at the next pass also in the job size, but still reports the requested ones. The computed number
 * is then useless; if it agrees, the job was not tried yet.
 */
static bool has_hidden_size(const struct job_check *k, uint32_t e, double ours, double theirs)
{
	return cluster_bool(k->c, F_JOB_EXCLUSIVE, k->j->index->job[e]) == 1 &&
	       fabs(ours - theirs) > 1;
}

/*
 * PICK gives the computed and the reported number for entry E; false, with the reason noted, if
 * there is no such pair.
 */
typedef bool pick(struct job_check *k, uint32_t e, uint32_t which, double *ours, double *theirs);

static void verify_jobs_check(struct job_check *k, const char *what, pick *numbers, uint32_t which,
			      double tolerance, const char *precision)
{
	struct verify_row *row = verify_jobs_add_row(k->v, what);
	uint32_t differing = 0;

	row->tolerance = tolerance;
	memset(k->left, 0, sizeof(k->left));
	for (uint32_t e = 0; e < k->j->index->n; e++) {
		double ours, theirs;

		if (is_reported(k, e) && numbers(k, e, which, &ours, &theirs))
			verify_jobs_take(row, ours, theirs, k->printed, &differing);
	}
	verify_jobs_conclude(k, row, differing, precision);
}

/* Is there a computed number for entry E? */
static bool verify_jobs_is_reported(struct job_check *k, uint32_t e, double ours)
{
	bool nodes = k->j->index->min_nodes[e] == U32_UNKNOWN &&
		     k->j->prio->weight[PRIO_JOBSIZE] != 0;

	if (f64_known(ours))
		return true;
	verify_jobs_leave_out(k, e, nodes ? LEFT_NODES : LEFT_UNKNOWN);
	return false;
}

static bool pick_factor(struct job_check *k, uint32_t e, uint32_t which, double *ours,
			double *theirs)
{
	*ours = prio_term(k->j->prio, (enum prio_factor)which, e);
	*theirs = prio_reported_part(&k->j->input, k->j->prio, which, e);
	if (!verify_jobs_is_reported(k, e, *ours))
		return false;
	if (k->whole)
		*ours = rint(*ours);
	if (which != PRIO_JOBSIZE || !has_hidden_size(k, e, *ours, *theirs))
		return true;
	verify_jobs_leave_out(k, e, LEFT_HIDDEN);
	return false;
}

static bool pick_tres(struct job_check *k, uint32_t e, uint32_t which, double *ours, double *theirs)
{
	*ours = prio_tres_term(k->j->prio, which, e);
	*theirs = prio_reported_part(&k->j->input, k->j->prio, PRIO_TRES + which, e);
	if (!verify_jobs_is_reported(k, e, *ours))
		return false;
	if (k->whole)
		*ours = rint(*ours);
	return true;
}

/* SUM with the scheduler's term in place of the computed one. */
static double verify_jobs_replaced(const struct job_check *k, uint32_t e, enum prio_factor f,
				   double sum)
{
	double own = prio_term(k->j->prio, f, e);
	double reported = prio_reported_part(&k->j->input, k->j->prio, f, e);

	return f64_known(reported) && reported != own ? sum + (reported - own) : sum;
}

/*
 * The computed sum, truncated like the scheduler's, with its fair-share term; and its age term, if
 * the time of the pass is unknown.
 */
static double cut_sum(const struct job_check *k, uint32_t e, double theirs)
{
	double sum = verify_jobs_replaced(k, e, PRIO_FAIRSHARE, k->j->prio->sum[e]), ours;

	if (cluster_meta(k->c)->last_decay == I64_UNKNOWN)
		sum = verify_jobs_replaced(k, e, PRIO_AGE, sum);
	ours = sum < 1 ? 1 : sum > (double)UINT32_MAX ? (double)UINT32_MAX : floor(sum);
	/* Replacing a term may move the sum across a whole number by its last bit. */
	return fabs(ours - theirs) == 1 && fabs(sum - rint(sum)) < 1e-6 ? theirs : ours;
}

/*
 * For a job in several partitions or QOS the scheduler reports the priority in one, without saying
 * which: it must match any of the computed ones. Compared once, at the first entry.
 */
static bool pick_priority(struct job_check *k, uint32_t e, uint32_t which, double *ours,
			  double *theirs)
{
	const struct job_index *x = k->j->index;
	uint32_t priority = cluster_u32(k->c, F_JOB_PRIORITY, x->job[e]);

	(void)which;
	if (e > 0 && x->job[e - 1] == x->job[e] && is_reported(k, e - 1))
		return false;
	*theirs = priority == U32_UNKNOWN ? F64_UNKNOWN : priority;
	*ours = F64_UNKNOWN;
	for (uint32_t i = e; i < x->n && x->job[i] == x->job[e] && is_reported(k, i); i++) {
		double one = f64_known(k->j->prio->sum[i]) ? cut_sum(k, i, *theirs) : F64_UNKNOWN;

		if (!f64_known(*ours) || fabs(one - *theirs) < fabs(*ours - *theirs))
			*ours = one;
	}
	if (!verify_jobs_is_reported(k, e, *ours))
		return false;
	if (k->j->prio->weight[PRIO_JOBSIZE] == 0 || !has_hidden_size(k, e, *ours, *theirs))
		return true;
	verify_jobs_leave_out(k, e, LEFT_HIDDEN);
	return false;
}

/* Lists pending jobs without reported terms. */
static void list_absent(const struct job_check *k)
{
	static const char *const kinds[] = { "", "held", "before their begin time or reservation",
					     "dependent" };
	char text[160] = "";
	uint32_t counts[4] = { 0 };
	struct verify_row *row;

	for (uint32_t e = 0; e < k->j->index->n; e++) {
		if (k->j->index->kind[e] <= JOB_DEPENDENT && k->j->index->reported[e] == ROW_NONE)
			counts[k->j->index->kind[e]]++;
	}
	for (size_t i = 1; i < 4; i++) {
		if (counts[i] != 0)
			format_append(text, sizeof(text), "%s%u %s",
				      *text ? ", " : "", (unsigned)counts[i], kinds[i]);
	}
	if (!*text)
		return;
	row = verify_jobs_add_row(k->v, "terms of other jobs");
	row->verdict = VERIFY_NOT_COMPARABLE;
	(void)snprintf(row->why, sizeof(row->why),
		       "the scheduler reports none for jobs that are %s", text);
}

void verify_jobs(const struct model *m, bool switched, struct verify *v)
{
	struct job_check k = { .c = m->cluster, .v = v, .switched = switched };
	struct jobs *jobs;
	const char *precision;

	if (cluster_rows(m->cluster, TABLE_PRIO) == 0 ||
	    !policy_is_multifactor(cluster_policy(m->cluster)))
		return;
	k.j = jobs = jobs_new(m, NULL);
	k.flags = prio_unclear_flags(m->cluster);
	k.printed = verify_terms_printed(m->cluster);
	k.whole = k.printed && are_whole(jobs);
	precision = k.whole ? "whole numbers" : k.printed ? "seven decimals" : "full precision";
	for (unsigned f = 0; f < PRIO_FACTORS; f++) {
		char what[48];

		if (f == PRIO_FAIRSHARE || jobs->prio->weight[f] == 0)
			continue;
		if (f == PRIO_AGE && cluster_meta(m->cluster)->last_decay == I64_UNKNOWN) {
			struct verify_row *row = verify_jobs_add_row(v, "age term of jobs");

			row->verdict = VERIFY_NOT_COMPARABLE;
			(void)snprintf(row->why, sizeof(row->why),
				       "the time of the scheduler's last pass is unknown");
			continue;
		}
		(void)snprintf(what, sizeof(what), "%s term of jobs", factor_info[f].name);
		k.normalised = factor_info[f].plain != 0;
		verify_jobs_check(&k, what, pick_factor, f,
				  factor_tolerance(&k, (enum prio_factor)f), precision);
	}
	k.normalised = true;
	for (uint32_t t = 0; t < jobs->prio->tres_count; t++) {
		char what[48];

		(void)snprintf(what, sizeof(what), "%.24s term of jobs",
			       cluster_tres_name(m->cluster, jobs->prio->tres_row[t]));
		verify_jobs_check(&k, what, pick_tres, t, k.printed ? 1 : TERM_TOLERANCE,
				  k.printed ? "whole numbers" : precision);
	}
	/* Each whole term used instead of a computed one is off by up to half a point. */
	verify_jobs_check(&k, "priority of jobs", pick_priority, 0, k.whole ? 2 : k.printed ? 1 : 0,
			  "whole numbers");
	list_absent(&k);
	jobs_free(jobs);
}
