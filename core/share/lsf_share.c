/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/lsf_share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/share/fairshare_private.h"
#include "core/base/value.h"
#include "core/table/order.h"

#define HOUR 3600.0
#define LEAST_LOAD 0.01		/* volclava's */

/* ---- parameters ---------------------------------------------------------------------------- */

uint32_t lsf_queue_of(const struct cluster *c, uint32_t assoc)
{
	const uint32_t *parent = cluster_parent(c);

	if (assoc == ROW_NONE || assoc == 0)
		return ROW_NONE;
	while (parent[assoc] != 0)
		assoc = parent[assoc];
	return cluster_row_of(c, F_QUEUE_NAME, cluster_text_id(c, F_ASSOC_ACCOUNT, assoc));
}

const char *lsf_param_value(const char *item, const char *name)
{
	const char *at = strchr(item, ':'), *equals = at ? strchr(at, '=') : NULL;

	return equals && word_equal_n(at + 1, (size_t)(equals - at - 1), name) ? equals + 1 : NULL;
}

/* The last one counts. */
const char *lsf_queue_param(const struct cluster *c, uint32_t queue, const char *name)
{
	struct text_list list = { NULL, 0 };

	if (queue != ROW_NONE)
		list = cluster_list(c, F_QUEUE_PARAMETERS, queue);
	for (uint32_t i = list.count; i > 0; i--) {
		const char *value = lsf_param_value(cluster_string(c, list.texts[i - 1]), name);

		if (value)
			return *value ? value : NULL;
	}
	return NULL;
}

bool lsf_queue_unreported(const struct cluster *c, uint32_t queue, const char *name)
{
	struct text_list list = { NULL, 0 };
	bool unreported = false;

	if (queue != ROW_NONE)
		list = cluster_list(c, F_QUEUE_PARAMETERS, queue);
	for (uint32_t i = 0; i < list.count && !unreported; i++) {
		const char *at = strchr(cluster_string(c, list.texts[i]), ':');

		unreported = at && word_equal(at + 1, name);
	}
	return unreported;
}

static double lsf_number_of(const char *text)
{
	char *end;
	double x = strtod(text, &end);

	return end != text && *end == '\0' && isfinite(x) ? x : F64_UNKNOWN;
}

/* The queue's setting, else that of lsb.params. */
static double lsf_factor(const struct cluster *c, const struct policy *policy, uint32_t queue,
			 const char *name)
{
	const char *own = lsf_queue_param(c, queue, name);
	double x;

	if (own)
		return lsf_number_of(own);
	if (lsf_queue_unreported(c, queue, name))
		return F64_UNKNOWN;
	return policy_real(policy, policy_param(name), &x) ? x : F64_UNKNOWN;
}

bool lsf_is_volclava(const struct cluster *c)
{
	return strncmp(cluster_meta(c)->version, "volclava", 8) == 0;
}

uint32_t lsf_host_cpus(const struct cluster *c, uint32_t host)
{
	uint32_t slots = lsf_is_volclava(c) ? cluster_u32(c, F_HOST_SLOTS, host) : U32_UNKNOWN;

	return slots < U32_UNKNOWN ? slots : cluster_u32(c, F_HOST_CPUS, host);
}

bool lsf_is_passed_over(const struct cluster *c, uint32_t assoc)
{
	return assoc != ROW_NONE && cluster_span(c)[assoc] == 1 && lsf_is_volclava(c) &&
	       !cluster_text(c, F_ASSOC_USER, assoc);
}

double lsf_hist_hours(const struct cluster *c, const struct policy *policy, uint32_t queue)
{
	const char *own = lsf_queue_param(c, queue, "HIST_HOURS");

	/* volclava only accepts whole numbers. */
	if (own && lsf_is_volclava(c) && own[strspn(own, "0123456789")] != '\0')
		queue = ROW_NONE;
	return lsf_factor(c, policy, queue, "HIST_HOURS");
}

static bool is_zero(double x)
{
	return x >= 0 && x <= 0;
}

/* The factor of a term of IBM's formula that is not computed here and may be other than 0. */
static const char *lsf_missing_of(const struct cluster *c, const struct policy *policy,
				  uint32_t queue)
{
	static const char *const names[] = { "COMMITTED_RUN_TIME_FACTOR", "GPU_RUN_TIME_FACTOR",
					     "FWD_JOB_FACTOR" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !lsf_is_volclava(c); i++) {
		if (!is_zero(lsf_factor(c, policy, queue, names[i])))
			return names[i];
	}
	return NULL;
}

struct lsf_factors lsf_factors_of(const struct cluster *c, const struct policy *policy,
				  uint32_t queue)
{
	struct lsf_factors f = { .cpu = lsf_factor(c, policy, queue, "CPU_TIME_FACTOR"),
				 .run = lsf_factor(c, policy, queue, "RUN_TIME_FACTOR"),
				 .job = lsf_factor(c, policy, queue, "RUN_JOB_FACTOR"),
				 .adjust = lsf_factor(c, policy, queue,
						      "FAIRSHARE_ADJUSTMENT_FACTOR"),
				 .least = lsf_is_volclava(c) ? LEAST_LOAD : F64_UNKNOWN,
				 .unsure = cluster_meta(c)->version[0] == '\0',
				 .missing = lsf_missing_of(c, policy, queue) };

	if (lsf_is_volclava(c) && lsf_queue_param(c, queue, "RUN_JOB_FACTOR")) {
		const char *instead = lsf_queue_param(c, queue, "RUN_TIME_FACTOR");

		f.slipped = true;
		f.job = instead ? lsf_number_of(instead) : -1;
	}
	/* It is unknown whether this version has the slip. */
	if (cluster_meta(c)->version[0] == '\0' && lsf_queue_param(c, queue, "RUN_JOB_FACTOR"))
		f.job = F64_UNKNOWN;
	if (f.missing)
		f.run = F64_UNKNOWN;
	return f;
}

/* ---- the formula --------------------------------------------------------------------------- */

static double lsf_share_count(uint32_t x)
{
	return x < U32_UNKNOWN ? x : F64_UNKNOWN;
}

struct lsf_use lsf_use_of(const struct cluster *c, uint32_t assoc)
{
	uint32_t reserved = cluster_u32(c, F_ASSOC_RESERVED, assoc);
	double adjust = cluster_f64(c, F_ASSOC_ADJUST, assoc);

	/* Not every version prints these columns. */
	return (struct lsf_use){
		.slots = lsf_share_count(cluster_u32(c, F_ASSOC_STARTED, assoc)) +
			 (reserved < U32_UNKNOWN ? reserved : 0),
		.cpu = cluster_f64(c, F_ASSOC_CPU_TIME, assoc),
		.run = cluster_f64(c, F_ASSOC_RUN_TIME, assoc),
		.adjust = f64_known(adjust) ? adjust : 0,
	};
}

bool lsf_is_static(const struct lsf_factors *f)
{
	return is_zero(f->cpu) && is_zero(f->run) && is_zero(f->job) && is_zero(f->adjust);
}

double lsf_load(const struct lsf_factors *f, const struct lsf_use *use)
{
	double load = use->cpu / HOUR * f->cpu + use->run / HOUR * f->run +
		      (1 + use->slots) * f->job;

	if (lsf_is_static(f))
		return f64_known(f->least) ? f->least : f->unsure ? F64_UNKNOWN : 1;
	if (use->adjust < 0 || use->adjust > 0)
		load += use->adjust * f->adjust;
	if (f64_known(f->least) && load < f->least)
		return f->least;
	return load > 0 && !(f->unsure && load < LEAST_LOAD) ? load : F64_UNKNOWN;
}

double lsf_priority(const struct lsf_factors *f, double shares, const struct lsf_use *use)
{
	return shares / lsf_load(f, use);
}

static double queue_priority(const struct cluster *c, uint32_t queue)
{
	int64_t x = queue == ROW_NONE ? I64_UNKNOWN : cluster_i64(c, F_QUEUE_PRIORITY, queue);

	return x == I64_UNKNOWN ? F64_UNKNOWN : (double)x;
}

static void lsf_run(const struct fs_input *in, struct fs_result *r)
{
	const struct cluster *c = in->cluster;
	const struct fs_tree *t = in->tree;
	struct lsf_factors factors = { 0 };
	double queue = F64_UNKNOWN;

	for (uint32_t i = 0; i < t->n; i++) {
		struct lsf_use use = lsf_use_of(c, i);
		double shares =
			t->shares[i] == SHARES_PARENT ? F64_UNKNOWN : lsf_share_count(t->shares[i]);
		double reported = cluster_f64(c, F_ASSOC_R_DYNAMIC_PRIORITY, i);

		r->own[LSF_OWN_STARTED][i] = lsf_share_count(cluster_u32(c, F_ASSOC_STARTED, i));
		r->own[LSF_OWN_CPU_TIME][i] = use.cpu;
		r->own[LSF_OWN_RUN_TIME][i] = use.run;
		r->own[LSF_OWN_PRIORITY][i] = F64_UNKNOWN;
		r->branch[i] = i == 0 ? FS_BRANCH_ROOT : FS_BRANCH_UNKNOWN;
		r->own[LSF_OWN_QUEUE][i] = queue;
		if (i == 0)
			continue;
		/* Rows are in pre-order: those of a queue follow it. */
		if (t->parent[i] == 0) {
			r->own[LSF_OWN_QUEUE][i] = queue = queue_priority(c, lsf_queue_of(c, i));
			factors = lsf_factors_of(c, cluster_policy(c), lsf_queue_of(c, i));
			continue;
		}
		r->own[LSF_OWN_PRIORITY][i] = lsf_priority(&factors, shares, &use);
		r->branch[i] = FS_BRANCH_FORMULA;
		if (!f64_known(r->own[LSF_OWN_PRIORITY][i])) {
			r->own[LSF_OWN_PRIORITY][i] = reported;
			r->branch[i] = FS_BRANCH_UNKNOWN;
		}
	}
}

/* ---- order --------------------------------------------------------------------------------- */

/* Is it an account that is charged for jobs? */
static bool lsf_is_leaf(const struct fs_tree *t, uint32_t row)
{
	return row != 0 && t->parent[row] != 0 && t->span[row] == 1;
}

/* Compares siblings. Queues of equal PRIORITY keep the order of the source. */
static int compare_siblings(const struct fs_tree *t, const struct fs_result *r, uint32_t x,
			    uint32_t y)
{
	bool queues = t->parent[x] == 0;
	const double *p = r->own[queues ? LSF_OWN_QUEUE : LSF_OWN_PRIORITY];

	if (queues && !(p[x] > p[y]) && !(p[x] < p[y]))
		return x < y ? -1 : 1;
	return p[x] > p[y] ? -1 : p[x] < p[y];
}

int lsf_compare_paths(const struct fs_tree *t, const struct fs_result *r, uint32_t a, uint32_t b,
		      uint32_t *x, uint32_t *y)
{
	while (t->depth[a] > t->depth[b])
		a = t->parent[a];
	while (t->depth[b] > t->depth[a])
		b = t->parent[b];
	*x = *y = 0;
	if (a == b)
		return 0;
	while (t->parent[a] != t->parent[b]) {
		a = t->parent[a];
		b = t->parent[b];
	}
	*x = a;
	*y = b;
	return compare_siblings(t, r, a, b);
}

/* Writes the children of ROW, in the order they are served; returns their number. Unknown is -1. */
static uint32_t sort_children(const struct fs_tree *t, const struct fs_result *r, uint32_t row,
			      struct order_item *out)
{
	uint32_t n = 0;

	for (uint32_t i = row + 1; i < row + t->span[row]; i += t->span[i]) {
		double p = r->own[row == 0 ? LSF_OWN_QUEUE : LSF_OWN_PRIORITY][i];

		out[n++] = (struct order_item){ order_key(f64_known(p) ? p : -1), i, 0 };
	}
	order_sort(out, out + n, n);
	return n;
}

/*
 * Numbers the leaves in the order of a walk through sorted siblings. Only siblings can be equal;
 * they share a rank. If a priority on the path is unknown, so is the rank.
 */
static void lsf_rank(const struct fs_tree *t, struct fs_result *r)
{
	struct order_item *stack = mem_alloc((size_t)t->n + 1, 3 * sizeof(*stack)), *level;
	uint32_t depth = 0, place = 0, shared = 0;
	uint32_t above = ROW_NONE;
	uint64_t last = 0;

	for (uint32_t i = 0; i < t->n; i++)
		r->rank[i] = U32_UNKNOWN;
	if (t->n > 0)
		stack[depth++] = (struct order_item){ 0, 0, 0 };
	while (depth > 0) {
		struct order_item s = stack[--depth];
		uint32_t n;

		if (s.row != 0 && t->parent[s.row] != 0 && s.key > order_key(0))
			continue;
		if (lsf_is_leaf(t, s.row)) {
			bool equal = t->parent[s.row] == above && s.key == last;

			place++;
			shared = equal ? shared : place;
			r->rank[s.row] = shared;
			last = s.key;
			above = t->parent[s.row];
			continue;
		}
		level = stack + t->n + 1;
		n = sort_children(t, r, s.row, level);
		while (n > 0)
			stack[depth++] = level[--n];
	}
	mem_free(stack);
}

static const struct fs_quantity quantities[] = {
	{ "dynamic_priority", "Priority",
	  "shares against use: the largest among siblings is served first",
	  offsetof(struct fs_result, own[LSF_OWN_PRIORITY]), false },
	{ "started", "Started", "slots of started jobs",
	  offsetof(struct fs_result, own[LSF_OWN_STARTED]), false },
	{ "cpu_time", "CPU time", "CPU time used, after decay, in seconds",
	  offsetof(struct fs_result, own[LSF_OWN_CPU_TIME]), false },
	{ "run_time", "Run time", "run time of started jobs, in seconds",
	  offsetof(struct fs_result, own[LSF_OWN_RUN_TIME]), false },
	{ "queue_priority", "Queue PRIORITY", "PRIORITY of the queue: the largest is served first",
	  offsetof(struct fs_result, own[LSF_OWN_QUEUE]), false },
	FS_RANK(rank, "rank", "Rank",
		"1 is served first, walking down from the queue with the highest priority"),
};

/* ---- the derivation: at each level load, dynamic priority and place among the siblings ------ */

static void explain_queue(const struct cluster *c, uint32_t queue, const struct lsf_factors *f,
			  struct explain *e)
{
	const char *name = queue == ROW_NONE ? "" : cluster_text(c, F_QUEUE_NAME, queue);
	struct explain_step *s;

	s = explain_add(e, "queue", queue_priority(c, queue), "PRIORITY of the queue");
	explain_note(s, "%.100s: queues with higher priority are served first", name);
	s = explain_add(e, "RUN_JOB_FACTOR", f->job, "from the queue, otherwise from lsb.params");
	if (f->slipped)
		explain_note(s, "volclava uses the queue's RUN_TIME_FACTOR here (-1 if not set)");
}

static void explain_load(const struct lsf_factors *f, const struct lsf_use *use, struct explain *e)
{
	double load = lsf_load(f, use);
	struct explain_step *s = explain_add(e, "load", load, NULL);

	if (lsf_is_static(f)) {
		explain_note(s, "all factors are 0: the priority is static, independent of usage");
		return;
	}
	explain_formula(s, "CPU_TIME/3600 * CPU_TIME_FACTOR + RUN_TIME/3600 * RUN_TIME_FACTOR + "
			   "(1 + STARTED) * RUN_JOB_FACTOR%s",
			use->adjust < 0 || use->adjust > 0
				? " + ADJUST * FAIRSHARE_ADJUSTMENT_FACTOR" : "");
	explain_with(s, "%s/3600 * %s + %s/3600 * %s + (1 + %s) * %s", explain_number(use->cpu).s,
		     explain_number(f->cpu).s, explain_number(use->run).s, explain_number(f->run).s,
		     explain_number(use->slots).s, explain_number(f->job).s);
	if (f->missing)
		explain_note(s, "the %s term is not 0 or is unknown, and is not computed here",
			     f->missing);
	else if (isnan(load))
		explain_note(s, "one of its inputs is unknown");
	else if (load <= f->least)
		explain_note(s, "volclava uses no load below %s", explain_number(f->least).s);
}

/* Counts the siblings that are served before ROW, and all of them. */
static uint32_t lsf_siblings(const struct fs_tree *t, const double *p, uint32_t row,
			     uint32_t *before)
{
	uint32_t parent = t->parent[row], n = 0;

	*before = 0;
	for (uint32_t i = parent + 1; i < parent + t->span[parent]; i += t->span[i]) {
		n++;
		*before += p[i] > p[row];
	}
	return n;
}

static void lsf_explain_level(const struct fs_input *in, const struct fs_result *r, uint32_t row,
			      const struct lsf_factors *f, struct explain *e)
{
	const double *p = r->own[LSF_OWN_PRIORITY];
	uint32_t raw = in->tree->shares[row], before, n = lsf_siblings(in->tree, p, row, &before);
	double shares = raw < U32_UNKNOWN && raw != SHARES_PARENT ? raw : F64_UNKNOWN;
	struct lsf_use use = lsf_use_of(in->cluster, row);
	struct explain_step *s = explain_add(e, "SHARES", shares, NULL);
	char path[128];

	cluster_path(in->cluster, row, path, sizeof(path));
	explain_formula(s, "shares among the siblings");
	explain_note(s, "%s", path);
	explain_load(f, &use, e);
	s = explain_add(e, "Priority", p[row], "SHARES / load");
	if (r->branch[row] == FS_BRANCH_FORMULA)
		explain_with(s, "%s / %s", explain_number(shares).s,
			     explain_number(lsf_load(f, &use)).s);
	else
		explain_note(s, "as bqueues prints it: the formula is incomplete");
	if (isnan(p[row]))
		return;
	s = explain_add(e, "place", before + 1,
			"rank among the siblings, the largest Priority first");
	explain_note(s, "of %u: the walk continues below the first one that has a job to offer",
		     (unsigned)n);
}

static void lsf_explain(const struct fs_input *in, const struct fs_result *r, uint32_t row,
			struct explain *e)
{
	const struct fs_tree *t = in->tree;
	uint32_t queue = lsf_queue_of(in->cluster, row);
	struct lsf_factors f = lsf_factors_of(in->cluster, cluster_policy(in->cluster), queue);

	if (row == 0) {
		explain_note(explain_add(e, "queue", F64_UNKNOWN, NULL),
			     "queues are ordered by PRIORITY; shares count within a queue");
		return;
	}
	explain_queue(in->cluster, queue, &f, e);
	for (uint16_t d = 2; d <= t->depth[row]; d++) {
		uint32_t i = row;

		while (t->depth[i] > d)
			i = t->parent[i];
		lsf_explain_level(in, r, i, &f, e);
	}
	if (r->rank[row] != U32_UNKNOWN)
		explain_add(e, "rank", r->rank[row], "rank among all charged accounts");
}

const struct fs_algo fs_lsf = {
	.id = FS_LSF,
	.name = "lsf",
	.title = "LSF",
	.meaning = "dynamic priority, shares against use, level by level from the queue",
	.quantities = quantities,
	.quantity_count = sizeof(quantities) / sizeof(quantities[0]),
	.run = lsf_run,
	.explain = lsf_explain,
	.rank = lsf_rank,
};
