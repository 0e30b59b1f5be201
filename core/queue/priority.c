/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/priority.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/cluster/tres.h"

static const struct cluster *priority_cluster_of(const struct prio_input *in)
{
	return in->index->cluster;
}

static bool no_normal(const struct prio_input *in, uint32_t flag)
{
	return (in->policy->flags & (flag | PF_NO_NORMAL_ALL)) != 0;
}

static void set_unknown(double *out, uint32_t n)
{
	for (uint32_t e = 0; e < n; e++)
		out[e] = F64_UNKNOWN;
}

/* ---- the factors, one loop each ------------------------------------------------------------ */

static void age_factors(const struct prio_input *in, double *out)
{
	const struct job_index *x = in->index;
	bool always = (in->policy->flags & PF_ACCRUE_ALWAYS) != 0;
	const int64_t *accrue = cluster_col_i64(x->cluster, F_JOB_ACCRUE);
	const int64_t *since = always ? cluster_col_i64(x->cluster, F_JOB_SUBMIT) : accrue;
	int64_t max_age = in->policy->max_age;

	for (uint32_t e = 0; e < x->n; e++) {
		int64_t t = since ? since[x->job[e]] : I64_UNKNOWN;

		/* ACCRUE_ALWAYS: from when 20.11 first considers a job; not a dependent one. */
		if (always && accrue && accrue[x->job[e]] == 0)
			t = 0;
		if (t == I64_UNKNOWN || in->now == I64_UNKNOWN)
			out[e] = F64_UNKNOWN;
		else if (t <= 0 || t >= in->now)
			out[e] = 0;
		else if (in->now - t < max_age)
			out[e] = (double)(in->now - t) / (double)max_age;
		else
			out[e] = 1;
	}
}

/* RAW over MAX, or RAW itself without normalisation. */
static double priority_normalised(uint32_t raw, uint32_t max, bool plain)
{
	if (raw == 0)
		return 0;
	if (plain)
		return raw;
	if (max == U32_UNKNOWN)
		return F64_UNKNOWN;
	return max == 0 ? 0 : (double)raw / (double)max;
}

/*
 * A job that names none counts 0; with a name but no row it is unknown. For associations the name
 * is the job's account.
 */
static double without_row(const struct cluster *c, enum field field, uint32_t job)
{
	enum field names = field == F_QOS_PRIORITY	? F_JOB_QOS :
			   field == F_ASSOC_PRIORITY	? F_JOB_ACCOUNT : F_JOB_PARTITION;

	return !cluster_col(c, names) || cluster_text_id(c, names, job) != TEXT_EMPTY ?
	       F64_UNKNOWN : 0;
}

static void table_factors(const struct prio_input *in, enum prio_factor f, const uint32_t *rows,
			  enum field field, uint32_t max, double *out)
{
	const uint32_t *raw = cluster_col_u32(priority_cluster_of(in), field);
	/* An association may have none set; the others always have a number. */
	double unset = field == F_ASSOC_PRIORITY ? 0 : F64_UNKNOWN;
	bool plain = no_normal(in, factor_info[f].plain);

	for (uint32_t e = 0; e < in->index->n; e++) {
		uint32_t row = rows[e];

		if (row == ROW_NONE)
			out[e] = without_row(priority_cluster_of(in), field, in->index->job[e]);
		else if (!raw)
			out[e] = F64_UNKNOWN;
		else
			out[e] = raw[row] >= U32_UNKNOWN
					 ? unset
					 : priority_normalised(raw[row], max, plain);
	}
}

static void fairshare_factors(const struct prio_input *in, double *out)
{
	const struct job_index *x = in->index;

	for (uint32_t e = 0; e < x->n; e++) {
		uint32_t a = x->assoc[e];

		/*
		 * No association means no fair share. An association with unknown F is different.
		 */
		out[e] = a == ROW_NONE ? without_row(x->cluster, F_ASSOC_PRIORITY, x->job[e]) :
			 in->fairshare ? in->fairshare[a] : F64_UNKNOWN;
	}
}

static double priority_clamp(double x)
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

/*
 * Minutes of the time limit, or of the partition's MaxTime if the job has none; UNLIMITED is
 * Slurm's number for it.
 */
static double limit_minutes(const struct job_index *x, uint32_t e)
{
	int64_t limit = cluster_i64(x->cluster, F_JOB_TIME_LIMIT, x->job[e]), minutes;

	if (limit == I64_UNKNOWN && x->partition[e] != ROW_NONE)
		limit = cluster_i64(x->cluster, F_PARTITION_MAX_TIME, x->partition[e]);
	if (limit == I64_UNKNOWN)
		return cluster_rows(x->cluster, TABLE_PARTITION) == 0 ? F64_UNKNOWN : 1;
	/* The scheduler counts whole minutes. */
	minutes = limit == I64_INFINITE ? U32_INFINITE : limit / 60;
	return (double)minutes;
}

/*
 * n nodes of N, c CPUs of C. The scheduler computes C - c in 32 bits: more CPUs than exist wrap
 * around, and clamping makes it 1. Source: spec of job priority, 2.4.
 */
double prio_size(const struct prio_input *in, uint32_t e, uint32_t cpus)
{
	const struct job_index *x = in->index;
	double nodes = x->nodes, all = x->cluster_cpus, n, c = cpus, size;
	bool small = in->policy->favor_small;

	if (x->nodes == U32_UNKNOWN || x->cluster_cpus == U32_UNKNOWN ||
	    x->min_nodes[e] == U32_UNKNOWN || cpus == U32_UNKNOWN)
		return F64_UNKNOWN;
	n = x->min_nodes[e];
	if (nodes == 0 || all == 0)
		return 0;
	if (in->policy->flags & PF_SMALL_RELATIVE_TO_TIME) {
		size = n * all / nodes;
		if (c > size)
			size = c;
		size = size / limit_minutes(x, e) / all;
		return priority_clamp(small ? 1 - size : size);
	}
	if (small) {
		size = n >= nodes ? 0 : (nodes - n) / nodes;
		if (cpus != 0)
			size = (size + (double)(uint32_t)(x->cluster_cpus - cpus) / all) / 2;
	} else {
		size = n / nodes;
		if (cpus != 0)
			size = (size + c / all) / 2;
	}
	return priority_clamp(size);
}

static void jobsize_factors(const struct prio_input *in, double *out)
{
	for (uint32_t e = 0; e < in->index->n; e++)
		out[e] = prio_size(in, e, in->index->cpus[e]);
}

/* ---- TRES ---------------------------------------------------------------------------------- */

struct tres_weights {
	struct prio_result *r;
	const struct cluster *c;
};

/*
 * A weight of a TRES that the cluster does not have is ignored. Of repeated items the last counts.
 * The scheduler adds the terms in the order of its TRES table, not of the parameter.
 */
static void set_weight(struct tres_weights *w, uint32_t row, double weight)
{
	struct prio_result *r = w->r;
	uint32_t i = 0, n = r->tres_count;

	while (i < n && r->tres_row[i] < row)
		i++;
	if (i == n || r->tres_row[i] != row) {
		if (row == ROW_NONE || n == PRIO_TRES_MAX)
			return;
		memmove(r->tres_row + i + 1, r->tres_row + i, (n - i) * sizeof(*r->tres_row));
		memmove(r->tres_weight + i + 1, r->tres_weight + i,
			(n - i) * sizeof(*r->tres_weight));
		r->tres_count++;
	}
	r->tres_row[i] = row;
	r->tres_weight[i] = weight;
}

static bool add_weight(void *context, const struct tres_pair *pair, struct err *err)
{
	struct tres_weights *w = context;

	(void)err;
	set_weight(w, cluster_find_tres(w->c, pair->name), pair->value);
	return true;
}

/* With unknown weights, lists the TRES with reported terms. */
static void take_reported_tres(struct tres_weights *w)
{
	for (uint32_t p = 0; p < cluster_rows(w->c, TABLE_PRIO); p++) {
		struct tres_list list = cluster_tres(w->c, F_PRIO_TRES, p);

		for (uint32_t i = 0; i < list.count; i++)
			set_weight(w, list.items[i].tres, F64_UNKNOWN);
	}
}

/* Amounts of a TRES per partition, looked up once: partitions are few, entries many. */
static double *partition_totals(const struct cluster *c, uint32_t tres)
{
	uint32_t n = cluster_rows(c, TABLE_PARTITION);
	double *totals = mem_alloc((size_t)n + 1, sizeof(*totals));

	for (uint32_t p = 0; p < n; p++) {
		struct tres_list list = cluster_tres(c, F_PARTITION_TRES, p);

		totals[p] = list.items ? tres_list_count(list, tres) : F64_UNKNOWN;
	}
	return totals;
}

/*
 * Jobs that request the same TRES share one list, so the count is looked up once per list: COUNTS
 * is a table by list handle, NaN where not yet needed.
 */
struct tres_lookup {
	const struct cluster *c;
	const uint32_t *handles;	/* of FIELD, per job row; NULL: no job has any */
	enum field field;
	uint32_t tres;
	double *counts;
};

static struct tres_lookup lookup_new(const struct cluster *c, enum field field, uint32_t tres)
{
	struct tres_lookup l = { c, cluster_col_u32(c, field), field, tres, NULL };
	uint32_t most = 0;

	for (uint32_t row = 0; l.handles && row < cluster_rows(c, TABLE_JOB); row++)
		most = l.handles[row] > most ? l.handles[row] : most;
	l.counts = mem_alloc((size_t)most + 1, sizeof(*l.counts));
	for (uint32_t h = 0; h <= most; h++)
		l.counts[h] = F64_UNKNOWN;
	return l;
}

static double priority_lookup(struct tres_lookup *l, uint32_t job)
{
	uint32_t handle = l->handles ? l->handles[job] : TEXT_NONE;

	if (handle != TEXT_NONE && !f64_known(l->counts[handle]))
		l->counts[handle] = tres_list_count(cluster_tres(l->c, l->field, job), l->tres);
	return l->counts[handle];
}

static void tres_factors(const struct prio_input *in, uint32_t tres, double *out)
{
	const struct job_index *x = in->index;
	struct tres_lookup alloc = lookup_new(x->cluster, F_JOB_TRES_ALLOC, tres);
	struct tres_lookup asked = lookup_new(x->cluster, F_JOB_TRES, tres);
	double *totals = partition_totals(x->cluster, tres);
	bool plain = no_normal(in, PF_NO_NORMAL_TRES);

	for (uint32_t e = 0; e < x->n; e++) {
		double count = priority_lookup(&alloc, x->job[e]), total;

		if (!f64_known(count))
			count = priority_lookup(&asked, x->job[e]);
		total = x->partition[e] == ROW_NONE ? F64_UNKNOWN : totals[x->partition[e]];
		out[e] = plain ? count : total == 0 ? 0 : count / total;
	}
	MEM_FREE(totals, alloc.counts, asked.counts);
}

static void all_tres(const struct prio_input *in, struct prio_result *r)
{
	struct tres_weights w = { r, priority_cluster_of(in) };
	bool unclear = prio_unclear_flags(w.c) != NULL;
	struct err err;

	r->tres_unread = policy_hides(in->policy, "PriorityWeightTRES");
	/* The policy table has checked it; a recording of another version may be invalid. */
	if (r->tres_unread)
		take_reported_tres(&w);
	else if (!tres_parse_weights(in->policy->weight_tres, add_weight, &w, &err))
		r->tres_count = 0;
	for (uint32_t t = 0; t < r->tres_count; t++) {
		r->tres_factor[t] = mem_alloc(r->n, sizeof(*r->tres_factor[t]));
		if (policy_hides(in->policy, "PriorityFlags") || unclear)
			set_unknown(r->tres_factor[t], r->n);
		else
			tres_factors(in, r->tres_row[t], r->tres_factor[t]);
	}
}

/* ---- the sum ------------------------------------------------------------------------------- */

double prio_term(const struct prio_result *r, enum prio_factor f, uint32_t e)
{
	return r->factor[f] ? r->factor[f][e] * r->weight[f] : 0;
}

double prio_tres_term(const struct prio_result *r, uint32_t tres, uint32_t e)
{
	return r->tres_factor[tres][e] * r->tres_weight[tres];
}

static double known_number(int64_t x)
{
	return x == I64_UNKNOWN ? F64_UNKNOWN : (double)x;
}

/*
 * Of Slurm's commands only sprio reports the site factor. Without a plugin it is 0, except for a
 * job with one set by hand: its reported priority then differs.
 */
static double site_unless_reported(const struct prio_input *in)
{
	const char *plugin = in->policy->site_plugin;
	bool none = plugin[0] == '\0' || strcmp(plugin, "(null)") == 0 ||
		    strcmp(plugin, "site_factor/none") == 0;

	return none && !policy_hides(in->policy, "PrioritySiteFactorPlugin") ? 0 : F64_UNKNOWN;
}

static double site_of(const struct prio_input *in, uint32_t e, double unreported)
{
	int64_t reported = cluster_i64(priority_cluster_of(in), F_JOB_SITE, in->index->job[e]);

	return reported == I64_UNKNOWN ? unreported : (double)reported;
}

/* Logs do not report nice values; imports note that 0 is assumed. */
static double nice_unless_reported(const struct prio_input *in)
{
	return strcmp(cluster_meta(priority_cluster_of(in))->kind, "slurm") == 0 ? F64_UNKNOWN : 0;
}

static double nice_of(const struct prio_input *in, uint32_t e)
{
	int64_t reported = cluster_i64(priority_cluster_of(in), F_JOB_NICE, in->index->job[e]);

	return 0 - (reported == I64_UNKNOWN ? nice_unless_reported(in) : (double)reported);
}

static bool several_entries(const struct job_index *x, uint32_t e)
{
	return (e > 0 && x->job[e - 1] == x->job[e]) ||
	       (e + 1 < x->n && x->job[e + 1] == x->job[e]);
}

uint32_t prio_part_count(const struct prio_result *r)
{
	return PRIO_TRES + r->tres_count;
}

static double computed_part(const struct prio_input *in, const struct prio_result *r, uint32_t i,
			    uint32_t e)
{
	if (i < PRIO_FACTORS)
		return prio_term(r, (enum prio_factor)i, e);
	if (i == PRIO_SITE)
		return site_of(in, e, r->unreported_site);
	return i == PRIO_NICE ? nice_of(in, e) : prio_tres_term(r, i - PRIO_TRES, e);
}

double prio_reported_part(const struct prio_input *in, const struct prio_result *r, uint32_t i,
			  uint32_t e)
{
	const struct cluster *c = priority_cluster_of(in);
	uint32_t row = in->index->reported[e];
	struct tres_list list;

	if (row == ROW_NONE)
		return F64_UNKNOWN;
	if (i < PRIO_FACTORS)
		return cluster_f64(c, factor_info[i].term, row);
	if (i == PRIO_SITE)
		return known_number(cluster_i64(c, F_PRIO_SITE, row));
	if (i == PRIO_NICE)
		return 0 - known_number(cluster_i64(c, F_PRIO_NICE, row));
	list = cluster_tres(c, F_PRIO_TRES, row);
	return list.items ? tres_list_count(list, r->tres_row[i - PRIO_TRES]) : F64_UNKNOWN;
}

double prio_part(const struct prio_input *in, const struct prio_result *r, uint32_t i, uint32_t e,
		 enum value_origin *origin)
{
	double part = computed_part(in, r, i, e);
	bool computed = f64_known(part);

	if (!computed && !(r->forgot && r->origin[e] == PRIO_ORIGIN_UNKNOWN))
		part = prio_reported_part(in, r, i, e);
	if (origin)
		*origin = computed || !f64_known(part) ? VALUE_COMPUTED : VALUE_REPORTED;
	return part;
}

/*
 * Adds in the scheduler's order, column by column: the first column for all entries, then the
 * second. A weight of 0 adds nothing.
 */
static void add_columns(const struct prio_result *r, double *sum, double *partition_term,
			const struct job_index *x)
{
	for (uint32_t e = 0; e < r->n; e++)
		sum[e] = 0;
	for (unsigned f = 0; f < PRIO_FACTORS; f++) {
		const double *factor = r->factor[f];
		double weight = r->weight[f];

		if (!factor)
			continue;
		if (f == PRIO_PARTITION && partition_term) {
			for (uint32_t e = 0; e < r->n; e++) {
				double term = factor[e] * weight;
				bool several = several_entries(x, e);

				sum[e] += several ? 0 : term;
				partition_term[e] = several ? term : 0;
			}
			continue;
		}
		for (uint32_t e = 0; e < r->n; e++)
			sum[e] += factor[e] * weight;
	}
}

/* The TRES terms are summed separately and then added. */
static void add_tres_terms(const struct prio_result *r, double *sum)
{
	if (r->tres_unread)
		set_unknown(sum, r->n);
	for (uint32_t e = 0; e < r->n && r->tres_count != 0; e++) {
		double tres = 0;

		for (uint32_t t = 0; t < r->tres_count; t++)
			tres += r->tres_factor[t][e] * r->tres_weight[t];
		sum[e] += tres;
	}
}

/* Site factor and nice value; most jobs report both. */
static void add_jobs_own(const struct prio_input *in, double unreported_site, double *sum)
{
	const int64_t *site = cluster_col_i64(priority_cluster_of(in), F_JOB_SITE);
	const int64_t *nice = cluster_col_i64(priority_cluster_of(in), F_JOB_NICE);
	const uint32_t *job = in->index->job;
	double unreported_nice = nice_unless_reported(in);

	for (uint32_t e = 0; e < in->index->n; e++) {
		int64_t s = site ? site[job[e]] : I64_UNKNOWN;
		int64_t n = nice ? nice[job[e]] : I64_UNKNOWN;

		sum[e] += s == I64_UNKNOWN ? unreported_site : (double)s;
		sum[e] -= n == I64_UNKNOWN ? unreported_nice : (double)n;
	}
}

static void priority_add_up(const struct prio_input *in, struct prio_result *r)
{
	double *partition_term = r->factor[PRIO_PARTITION] && in->index->several
					 ? mem_alloc(r->n, sizeof(double))
					 : NULL;

	add_columns(r, r->sum, partition_term, in->index);
	add_tres_terms(r, r->sum);
	r->unreported_site = site_unless_reported(in);
	add_jobs_own(in, r->unreported_site, r->sum);
	for (uint32_t e = 0; partition_term && e < r->n; e++)
		r->sum[e] += partition_term[e];
	mem_free(partition_term);
}

static uint32_t priority_truncated(double sum)
{
	if (sum < 1)
		return 1;
	return sum >= (double)UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
}

static enum prio_origin origin_of(const struct prio_input *in, uint32_t e)
{
	const struct job_index *x = in->index;
	enum job_kind kind = (enum job_kind)x->kind[e];

	if (kind == JOB_HELD)
		return PRIO_ORIGIN_HELD;
	if (kind == JOB_ENDED ||
	    (kind == JOB_RUNNING && !(in->policy->flags & PF_CALCULATE_RUNNING)))
		return PRIO_ORIGIN_KEPT;
	if (!policy_is_multifactor(in->policy))
		return PRIO_ORIGIN_BASIC;
	return x->direct && x->direct[e] != 0 ? PRIO_ORIGIN_DIRECT : PRIO_COMPUTED;
}

/* The job's own number belongs to one of its partitions and QOS. */
uint32_t prio_reported(const struct job_index *x, uint32_t e)
{
	uint32_t row = x->reported[e];
	uint32_t own = several_entries(x, e) ? U32_UNKNOWN :
		       cluster_u32(x->cluster, F_JOB_PRIORITY, x->job[e]);

	return own != U32_UNKNOWN || row == ROW_NONE ? own :
	       cluster_u32(x->cluster, F_PRIO_PRIORITY, row);
}

/* INCR_ONLY: a new value is stored only if it is larger. */
static bool keeps_reported(const struct prio_input *in, const struct prio_result *r, uint32_t e,
			   uint32_t reported)
{
	return (in->policy->flags & PF_INCR_ONLY) && reported != U32_UNKNOWN &&
	       reported > r->priority[e] && !several_entries(in->index, e);
}

static uint32_t priority_not_computed(const struct job_index *x, enum prio_origin origin,
				      uint32_t e)
{
	switch (origin) {
	case PRIO_ORIGIN_HELD:
		return 0;
	case PRIO_ORIGIN_DIRECT:
		return x->direct[e];
	case PRIO_ORIGIN_KEPT:
	case PRIO_ORIGIN_BASIC:
		return cluster_u32(x->cluster, F_JOB_PRIORITY, x->job[e]);
	case PRIO_ORIGIN_UNREPORTED:
		return prio_reported(x, e);
	case PRIO_COMPUTED:
	case PRIO_ORIGIN_UNKNOWN:
		break;
	}
	return U32_UNKNOWN;
}

static void finish_entry(const struct prio_input *in, struct prio_result *r, uint32_t e)
{
	const struct job_index *x = in->index;
	uint32_t reported = prio_reported(x, e);
	enum prio_origin origin = origin_of(in, e);

	if (origin == PRIO_COMPUTED && !f64_known(r->sum[e]))
		origin = reported != U32_UNKNOWN ? PRIO_ORIGIN_UNREPORTED : PRIO_ORIGIN_UNKNOWN;
	if (origin == PRIO_COMPUTED) {
		r->priority[e] = priority_truncated(r->sum[e]);
		if (keeps_reported(in, r, e, reported))
			r->priority[e] = reported;
	} else {
		r->sum[e] = F64_UNKNOWN;
		r->priority[e] = priority_not_computed(x, origin, e);
	}
	r->origin[e] = (uint8_t)origin;
}

/* Most entries are ordinary pending jobs: they take the fast path. */
static void priority_finish(const struct prio_input *in, struct prio_result *r)
{
	const struct job_index *x = in->index;
	bool plain = policy_is_multifactor(in->policy) && !(in->policy->flags & PF_INCR_ONLY) &&
		     !x->direct;

	for (uint32_t e = 0; e < r->n; e++) {
		double sum = r->sum[e];

		if (plain && x->kind[e] == JOB_PENDING && sum >= 1 && sum < (double)UINT32_MAX) {
			r->priority[e] = (uint32_t)sum;
			r->origin[e] = PRIO_COMPUTED;
		} else {
			finish_entry(in, r, e);
		}
	}
}

/*
 * Allowed difference between a computed and the reported priority: both are truncated to whole
 * points, and ratios with six decimals give F to four.
 */
static double report_tolerance(const struct prio_input *in, const struct prio_result *r)
{
	bool digits = cluster_meta(priority_cluster_of(in))->ratio_quantum > 0;

	return 1 + (digits && r->factor[PRIO_FAIRSHARE] ? 1e-4 * r->weight[PRIO_FAIRSHARE] : 0);
}

enum value_origin prio_origin_of(const struct prio_input *in, const struct prio_result *r,
				 uint32_t e)
{
	uint32_t reported = prio_reported(in->index, e);
	double off = (double)r->priority[e] - reported;

	if (r->origin[e] == PRIO_ORIGIN_UNREPORTED)
		return VALUE_REPORTED;
	return r->origin[e] == PRIO_COMPUTED && reported != U32_UNKNOWN &&
	       fabs(off) > report_tolerance(in, r) ? VALUE_DIFFERS : VALUE_COMPUTED;
}

void prio_weights(const struct policy *p, double weight[PRIO_FACTORS])
{
	for (unsigned f = 0; f < PRIO_FACTORS; f++)
		weight[f] = policy_hides(p, factor_info[f].param) ? F64_UNKNOWN : p->weight[f];
	if (!policy_has_accounting(p))
		weight[PRIO_AGE] = weight[PRIO_FAIRSHARE] = 0;
}

/* scontrol prints NO_NORMAL_ALL for any of its four parts; the source's note says so. */
const char *prio_unclear_flags(const struct cluster *c)
{
	return cluster_noted(c, "PriorityFlags");
}

/* Is a parameter unknown that decides how factor F is computed? F of fair share is given. */
static bool rule_is_missing(const struct prio_input *in, enum prio_factor f)
{
	if (factor_info[f].plain != 0 && prio_unclear_flags(priority_cluster_of(in)))
		return true;
	return f != PRIO_FAIRSHARE &&
	       (policy_hides(in->policy, "PriorityFlags") ||
		(f == PRIO_AGE && policy_hides(in->policy, "PriorityMaxAge")) ||
		(f == PRIO_JOBSIZE && policy_hides(in->policy, "PriorityFavorSmall")));
}

static void priority_evaluate(const struct prio_input *in, enum prio_factor f, double *out)
{
	const struct job_index *x = in->index;

	if (rule_is_missing(in, f)) {
		set_unknown(out, x->n);
		return;
	}
	switch (f) {
	case PRIO_AGE:
		age_factors(in, out);
		break;
	case PRIO_ASSOC:
		table_factors(in, f, x->assoc, F_ASSOC_PRIORITY, x->max_assoc, out);
		break;
	case PRIO_FAIRSHARE:
		fairshare_factors(in, out);
		break;
	case PRIO_JOBSIZE:
		jobsize_factors(in, out);
		break;
	case PRIO_PARTITION:
		table_factors(in, f, x->partition, F_PARTITION_JOB_FACTOR, x->max_partition, out);
		break;
	case PRIO_QOS:
		table_factors(in, f, x->qos, F_QOS_PRIORITY, x->max_qos, out);
		break;
	case PRIO_FACTORS:
		break;
	}
}

/* Are all inputs of factor F the same? */
static bool same_factor(const struct prio_input *in, const struct prio_input *was,
			enum prio_factor f)
{
	const struct policy *a = in->policy, *b = was->policy;

	assert(in->index == was->index);
	return in->now == was->now && a->flags == b->flags && a->max_age == b->max_age &&
	       a->favor_small == b->favor_small &&
	       (f != PRIO_FAIRSHARE || in->fairshare == was->fairshare);
}

/* WAS and BASE: NULL, or as in prio_run_over(). */
static void priority_compute(const struct prio_input *in, struct prio_result *r,
			     const struct prio_input *was, const struct prio_result *base)
{
	prio_weights(in->policy, r->weight);
	for (unsigned f = 0; f < PRIO_FACTORS; f++) {
		if (r->weight[f] == 0)
			continue;
		if (base && base->factor[f] && same_factor(in, was, (enum prio_factor)f)) {
			r->factor[f] = base->factor[f];
			r->borrowed[f] = true;
			continue;
		}
		r->factor[f] = mem_alloc(r->n, sizeof(*r->factor[f]));
		priority_evaluate(in, (enum prio_factor)f, r->factor[f]);
	}
	all_tres(in, r);
	priority_add_up(in, r);
	priority_finish(in, r);
}

static struct prio_result *result_new(const struct prio_input *in)
{
	struct prio_result *r = mem_zalloc(1, sizeof(*r));

	r->n = in->index->n;
	r->sum = mem_alloc(r->n, sizeof(*r->sum));
	r->priority = mem_alloc(r->n, sizeof(*r->priority));
	r->origin = mem_alloc(r->n, sizeof(*r->origin));
	return r;
}

struct prio_result *prio_run(const struct prio_input *in)
{
	struct prio_result *r = result_new(in);

	priority_compute(in, r, NULL, NULL);
	return r;
}

struct prio_result *prio_run_over(const struct prio_input *in, const struct prio_input *was,
				  const struct prio_result *base)
{
	struct prio_result *r = result_new(in);

	priority_compute(in, r, was, base);
	return r;
}

void prio_result_free(struct prio_result *r)
{
	if (!r)
		return;
	for (unsigned f = 0; f < PRIO_FACTORS; f++) {
		if (!r->borrowed[f])
			mem_free(r->factor[f]);
	}
	for (uint32_t t = 0; t < r->tres_count; t++)
		mem_free(r->tres_factor[t]);
	MEM_FREE(r->sum, r->priority, r->origin, r);
}
