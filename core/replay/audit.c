/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/replay/audit_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/share/billing.h"
#include "core/share/decay.h"
#include "core/share/decay_policy.h"

/* ---- one job ------------------------------------------------------------------------------- */

struct counts {
	struct tres_pair pairs[BILLING_WEIGHTS_MAX];
	uint32_t count;
};

static bool audit_take(void *context, const struct tres_pair *pair, struct err *err)
{
	struct counts *c = context;

	(void)err;
	if (c->count < BILLING_WEIGHTS_MAX)
		c->pairs[c->count++] = *pair;
	return true;
}

/* Billing of TRES in PARTITION by the present weights; NaN if unknown. */
static double audit_price(const struct cluster *c, const char *tres, const char *partition)
{
	uint32_t row = partition ? cluster_row_named(c, F_PARTITION_NAME, partition,
						     strlen(partition)) : ROW_NONE;
	const struct policy *p = cluster_policy(c);
	struct counts *counts;
	struct billing_weights *weights;
	double x = F64_UNKNOWN;

	if (!tres || row == ROW_NONE || !policy_knows(p, "PriorityFlags"))
		return x;
	counts = mem_zalloc(1, sizeof(*counts));
	weights = mem_alloc(1, sizeof(*weights));
	billing_read(weights, cluster_text(c, F_PARTITION_BILLING_WEIGHTS, row));
	if (tres_parse_counts(tres, audit_take, counts, NULL))
		x = billing_of(counts->pairs, counts->count, weights->any ? weights->pairs : NULL,
			       weights->count, billing_mode_of(p->flags));
	mem_free(weights);
	mem_free(counts);
	return x;
}

/*
 * Bills the jobs; many share few TRES lists and partitions. False and ERR if a job that counts has
 * no TRES, and the log has no billing of it either.
 */
static bool price_jobs(struct audit_state *w, struct err *err)
{
	struct idmap known = { .size = 0 };
	unsigned long unknown = 0;

	w->billing = mem_alloc(w->r->job_count + 1, sizeof(*w->billing));
	for (uint32_t i = 0; i < w->r->job_count; i++) {
		const struct replay_job *j = replay_job(w->r, i);
		uint64_t key = (uint64_t)j->tres << 32 | j->partition;
		uint32_t same = idmap_get(&known, key, i);

		w->billing[i] = j->tres == 0 ? F64_UNKNOWN : same != i ? w->billing[same] :
				audit_price(w->o->held, replay_word(w->r, j->tres),
					    replay_word(w->r, j->partition));
		if (same == i)
			idmap_put(&known, key, i);
	}
	for (uint32_t i = 0; i < w->r->job_count; i++) {
		const struct replay_job *j = replay_job(w->r, i);

		if (f64_known(w->billing[i]))
			continue;
		w->billing[i] = j->billing;
		if (f64_known(j->billing))
			continue;
		unknown += charge_of(&w->charge, j->start, j->end, w->first) > 0;
		w->billing[i] = 0;
	}
	idmap_free(&known);
	return unknown == 0 ||
	       err_set(err, ERR_SOURCE, "it does not report the billing of %lu job%s that ran",
		       unknown, plural(unknown, "", "s"));
}

static double audit_factor_of(const struct replay_job *j)
{
	return j->factor < 0 ? 1 : j->factor;
}

/* The difference that recorded other factors make to the present ones. */
static double factors_seen(const struct audit_state *w, const struct replay_job *j, size_t first)
{
	size_t from = first;
	double x = 0;

	for (size_t i = 0; i < w->o->factor_count; i++) {
		const struct audit_factor *f = &w->o->factors[i];
		size_t to = charge_pass(&w->charge, f->until);

		if (f->qos != j->qos || to <= from)
			continue;
		x += ((f->factor < 0 ? 1 : f->factor) - audit_factor_of(j)) *
		     (charge_of(&w->charge, j->start, j->end, from) -
		      charge_of(&w->charge, j->start, j->end, to));
		from = to;
	}
	return x;
}

/* A printed 12 may be 12.9, and is if the weights give that. */
static double billing_of_terms(const struct audit_state *w, uint32_t i, const struct terms *t)
{
	double now = w->billing[i], reported = replay_job(w->r, i)->billing;
	bool whole = reported >= floor(reported) && reported <= floor(reported);

	if (!t->reported || !f64_known(reported) || (now >= reported && now <= reported) ||
	    (whole && now > reported && now < reported + 1))
		return now;
	return reported + (whole && t->more);
}

double audit_charge(const struct audit_state *w, uint32_t node, const struct terms *t)
{
	double x = t->first == 0 && t->qos == 0 ? w->own[node].begin * w->charge.left[0] : 0;

	for (uint32_t k = w->begin[node]; k < w->begin[node + 1]; k++) {
		uint32_t i = w->jobs[k];
		const struct replay_job *j = replay_job(w->r, i);
		double unit;

		if (t->qos != 0 && j->qos != t->qos)
			continue;
		unit = charge_of(&w->charge, j->start, j->end, t->first) *
		       (t->qos ? 1 : audit_factor_of(j));
		if (t->seen)
			unit += factors_seen(w, j, t->first);
		x += unit * billing_of_terms(w, i, t);
	}
	return x;
}

/* ---- tolerance ----------------------------------------------------------------------------- */

/*
 * The possible error of correct usage: it is in whole TRES-seconds; times of passes may be unknown;
 * ends of jobs may not be observed.
 */
static double doubt_of(const struct audit_state *w, uint32_t node, double charged)
{
	const struct audit_options *o = w->o;
	int64_t period = o->passes ? 0 : decay_period(o->held), since = w->charge.pass[0];
	double x = 1 + charged * (1 - decay_over(w->charge.half_life, 2 * period));

	for (uint32_t k = w->begin[node]; k < w->begin[node + 1]; k++) {
		const struct replay_job *j = replay_job(w->r, w->jobs[k]);
		int64_t end = j->end != I64_UNKNOWN ? j->end : w->charge.until, doubt = 0;
		int64_t start = j->start > since ? j->start : since;
		bool ended = j->end != I64_UNKNOWN && j->end <= w->charge.until;

		if (j->start == I64_UNKNOWN || j->start > w->charge.until || end <= since)
			continue;
		if (!ended || (j->start < since && o->begin))
			doubt = period;
		if (ended && j->state == 0)
			doubt += o->step < end - start ? o->step : end - start;
		x += (double)doubt * w->billing[w->jobs[k]] * audit_factor_of(j);
	}
	return x;
}

static double audit_allowed(const struct audit_state *w, double charged, double held, double doubt)
{
	double usage = f64_known(held) ? fmax(fabs(held), charged) : charged;

	return fmax(w->o->tolerance * usage, doubt);
}

/* ---- associations -------------------------------------------------------------------------- */

static void place_jobs(struct audit_state *w)
{
	size_t nodes = w->r->node_count, count = w->r->job_count;

	w->begin = mem_zalloc(nodes + 2, sizeof(*w->begin));
	w->jobs = mem_alloc(count + 1, sizeof(*w->jobs));
	for (uint32_t i = 0; i < count; i++)
		w->begin[replay_job(w->r, i)->assoc + 2]++;
	for (size_t n = 2; n < nodes + 2; n++)
		w->begin[n] += w->begin[n - 1];
	for (uint32_t i = 0; i < count; i++)
		w->jobs[w->begin[replay_job(w->r, i)->assoc + 1]++] = i;
}

static void find_nodes(struct audit_state *w)
{
	const struct cluster *tree = w->audit->tree;

	struct idmap rows = { .size = 0 };

	cluster_assoc_ids(tree, &rows);
	w->nodes = mem_alloc(cluster_rows(tree, TABLE_ASSOC) + 1, sizeof(*w->nodes));
	for (uint32_t i = 0; i < w->r->node_count; i++)
		w->nodes[idmap_get(&rows, w->r->nodes[i].id, ROW_NONE)] = i;
	idmap_free(&rows);
}

/* Usage of an account includes all below it: subtracts that. */
static void take_own(struct audit_state *w)
{
	const uint32_t *parent = cluster_parent(w->o->held);

	for (uint32_t i = 0; i < w->r->node_count; i++)
		w->own[i].held = F64_UNKNOWN;
	for (uint32_t i = 0; i < w->r->tree_count; i++) {
		w->own[i].held = cluster_f64(w->o->held, F_ASSOC_USAGE, i);
		w->own[i].begin = w->o->begin ? cluster_f64(w->o->begin, F_ASSOC_USAGE, i) : 0;
	}
	for (uint32_t i = 0; i < w->r->tree_count; i++) {
		if (parent[i] == ROW_NONE)
			continue;
		w->own[parent[i]].held -= cluster_f64(w->o->held, F_ASSOC_USAGE, i);
		if (w->o->begin)
			w->own[parent[i]].begin -= cluster_f64(w->o->begin, F_ASSOC_USAGE, i);
	}
}

static void audit_charge_all(struct audit_state *w)
{
	struct terms now = { .first = w->first };

	for (uint32_t i = 0; i < w->r->node_count; i++) {
		struct own *own = &w->own[i];

		own->charged = audit_charge(w, i, &now);
		own->allowed = audit_allowed(w, own->charged, own->held,
					     doubt_of(w, i, own->charged));
	}
}

/* ---- rows ---------------------------------------------------------------------------------- */

static double audit_difference(const struct audit_row *row)
{
	return f64_known(row->held) ? row->held - row->charged : row->charged;
}

static int audit_by_size(const void *a, const void *b)
{
	const struct audit_row *x = a, *y = b;
	double dx = fabs(audit_difference(x)), dy = fabs(audit_difference(y));

	if (dx < dy || dx > dy)
		return dx < dy ? 1 : -1;
	return x->assoc < y->assoc ? -1 : 1;
}

/* The reason of the association below ROW that differs most. */
static uint32_t reason_below(const struct audit_state *w, uint32_t row, uint32_t span)
{
	uint32_t reason = TEXT_NONE;
	double most = 0;

	for (uint32_t i = row; i < row + span; i++) {
		const struct own *own = &w->own[w->nodes[i]];
		double size = f64_known(own->held) ? fabs(own->held - own->charged) : own->charged;

		if (own->reason && size > most) {
			most = size;
			reason = own->reason;
		}
	}
	return reason ? reason : text_intern(w->audit->reasons, "unexplained", 11);
}

static void make_rows(struct audit_state *w)
{
	struct audit *a = w->audit;
	const uint32_t *span = cluster_span(a->tree), *parent = cluster_parent(a->tree);
	double *doubt;

	a->count = cluster_rows(a->tree, TABLE_ASSOC);
	a->rows = mem_zalloc(a->count + 1, sizeof(*a->rows));
	doubt = mem_zalloc(a->count + 1, sizeof(*doubt));
	for (uint32_t i = a->count; i-- > 0;) {
		uint32_t node = w->nodes[i];
		struct audit_row *row = &a->rows[i];
		double own = w->own[node].charged;

		row->assoc = i;
		row->charged += own;
		row->held = node < w->r->tree_count ?
			    cluster_f64(w->o->held, F_ASSOC_USAGE, node) : F64_UNKNOWN;
		doubt[i] += doubt_of(w, node, own);
		row->allowed = audit_allowed(w, row->charged, row->held, doubt[i]);
		if (parent[i] != ROW_NONE) {
			a->rows[parent[i]].charged += row->charged;
			doubt[parent[i]] += doubt[i];
		}
		if (w->own[node].reason || (f64_known(row->held) &&
					    fabs(audit_difference(row)) > row->allowed))
			row->reason = w->own[node].reason ? w->own[node].reason :
				      reason_below(w, i, span[i]);
		a->differs = a->differs || (row->reason && f64_known(row->held));
	}
	qsort(a->rows, a->count, sizeof(*a->rows), audit_by_size);
	mem_free(doubt);
}

/* ---- all of it ----------------------------------------------------------------------------- */

bool audit_check(const struct cluster *c, struct err *err)
{
	static const char half_life[] = "PriorityDecayHalfLife";
	bool any = false;

	if (policy_scheduler_of(cluster_meta(c)->kind) != POLICY_OF_SLURM)
		return err_set(err, ERR_SOURCE, "usage is not charged by Slurm's formula "
			       "(expected Slurm, or a log rebuilt by its formula)");
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++)
		any = any || f64_known(cluster_f64(c, F_ASSOC_USAGE, i));
	if (cluster_meta(c)->time == I64_UNKNOWN || decay_period(c) == I64_UNKNOWN)
		return err_set(err, ERR_SOURCE, "it does not report %s",
			       decay_period(c) == I64_UNKNOWN ? "PriorityCalcPeriod" : "its time");
	if (!any)
		return err_set(err, ERR_SOURCE, "it reports no usage of associations");
	if (!policy_knows(cluster_policy(c), half_life))
		return err_set(err, ERR_SOURCE, "it does not report %s, by which usage decays",
			       half_life);
	return true;
}

/* The last pass that zeroed usage by the policy. */
static size_t audit_find_reset(const struct audit_state *w)
{
	const char *period = cluster_policy(w->o->held)->reset_period;
	int64_t at = w->charge.pass[0], last = I64_UNKNOWN;

	while (reset_next(period, at, at, w->o->calendar, &at) && at != I64_UNKNOWN &&
	       at <= w->charge.pass[w->charge.count - 1])
		last = at;
	return last == I64_UNKNOWN ? 0 : charge_pass(&w->charge, last);
}

static int64_t first_start(struct replay *r, int64_t until)
{
	int64_t first = until;

	for (uint32_t i = 0; i < r->job_count; i++) {
		const struct replay_job *j = replay_job(r, i);

		if (j->start != I64_UNKNOWN && j->start < first)
			first = j->start;
	}
	return first;
}

static bool open_charge(struct audit_state *w, struct err *err)
{
	const struct audit_options *o = w->o;
	int64_t until = cluster_meta(o->held)->time, pass = cluster_meta(o->held)->last_decay;
	int64_t since = o->since;

	if (since == I64_UNKNOWN) {
		since = first_start(w->r, until);
		if (o->passes && o->pass_count > 0 && o->passes[0] < since)
			since = o->passes[0];
	}
	return charge_open(&w->charge, decay_half_life(o->held), since, until, o->passes,
			   o->pass_count, decay_period(o->held),
			   pass == I64_UNKNOWN ? until : pass, err);
}

struct audit *audit_run(struct replay *r, const struct audit_options *o, struct err *err)
{
	struct audit_state w = { .r = r, .o = o };
	struct replay_options tree = REPLAY_OPTIONS_INIT;
	bool good;

	if (!audit_check(o->held, err) || !open_charge(&w, err))
		return NULL;
	w.audit = mem_zalloc(1, sizeof(*w.audit));
	w.audit->reasons = text_new();
	w.audit->tree = replay_cluster(r, &tree, cluster_meta(o->held)->time, err);
	w.first = audit_find_reset(&w);
	good = w.audit->tree && price_jobs(&w, err);
	if (good) {
		w.own = mem_zalloc(r->node_count + 1, sizeof(*w.own));
		place_jobs(&w);
		find_nodes(&w);
		take_own(&w);
		audit_charge_all(&w);
		audit_explain(&w);
		make_rows(&w);
	}
	charge_close(&w.charge);
	MEM_FREE(w.own, w.jobs, w.nodes, w.begin, w.billing);
	if (!good) {
		audit_free(w.audit);
		return NULL;
	}
	return w.audit;
}

void audit_free(struct audit *a)
{
	if (!a)
		return;
	cluster_free(a->tree);
	mem_free(a->rows);
	text_free(a->reasons);
	mem_free(a);
}

/* ---- columns ------------------------------------------------------------------------------- */

static const struct audit_row *audit_row_of(const struct position *pos)
{
	const struct audit *a = pos->context;

	return &a->rows[pos->row];
}

static void audit_get_path(const struct position *pos, struct value *out)
{
	const struct audit *a = pos->context;

	value_set_text(out, cluster_path_get(a->tree, audit_row_of(pos)->assoc, out->buffer));
}

static void audit_get_usage(const struct position *pos, struct value *out)
{
	value_set_real(out, *(const double *)POSITION_MEMBER(pos, audit_row_of(pos)));
}

static void audit_get_difference(const struct position *pos, struct value *out)
{
	value_set_real(out, audit_row_of(pos)->held - audit_row_of(pos)->charged);
}

static void audit_get_reason(const struct position *pos, struct value *out)
{
	const struct audit *a = pos->context;

	value_set_text(out, text_get(a->reasons, audit_row_of(pos)->reason));
}

#define ROW(member) offsetof(struct audit_row, member)

const struct column audit_columns[] = {
	{ .name = "path", .title = "Path", .left = true, .only = ALWAYS, .get = audit_get_path,
	  .path = true, .legend = "the account or user" },
	{ .name = "charged", .title = "Charged", .width = 14, .format = COLUMN_RATIO,
	  .only = ALWAYS, .unit = UNIT_TRES_SECONDS, .get = audit_get_usage, .which = ROW(charged),
	  .legend = "charge of its jobs under the current policy" },
	{ .name = "held", .title = "Held", .width = 14, .format = COLUMN_RATIO, .only = ALWAYS,
	  .unit = UNIT_TRES_SECONDS, .get = audit_get_usage, .which = ROW(held),
	  .legend = "the usage that the scheduler reports" },
	{ .name = "difference", .title = "Difference", .width = 14, .format = COLUMN_RATIO,
	  .only = ALWAYS, .unit = UNIT_TRES_SECONDS, .get = audit_get_difference,
	  .legend = "held minus charged" },
	{ .name = "allowed", .title = "Allowed", .width = 12, .format = COLUMN_RATIO,
	  .only = ALWAYS, .unit = UNIT_TRES_SECONDS, .get = audit_get_usage, .which = ROW(allowed),
	  .legend = "the difference that is tolerated" },
	{ .name = "reason", .title = "Reason", .left = true, .only = ALWAYS,
	  .get = audit_get_reason,
	  .legend = "why; for an account, the reason of the user below it that differs most" },
};
const size_t audit_columns_count = sizeof(audit_columns) / sizeof(audit_columns[0]);

struct view audit_view(const struct audit *a)
{
	return view_of("audit", audit_columns, audit_columns_count, a, a ? a->count : 0);
}
