/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why usage differs from that of the jobs: each reason is computed, and given if it leads there. */
#include "core/replay/audit_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"

#define TRIES 1000		/* passes tried for a reset of all usage */

static bool audit_near(double a, double b, double allowed)
{
	return fabs(a - b) <= allowed;
}

static bool audit_differs(const struct own *own)
{
	return f64_known(own->held) && !audit_near(own->held, own->charged, own->allowed);
}

static uint32_t audit_say(struct audit_state *w, const char *text)
{
	return text_intern(w->audit->reasons, text, strlen(text));
}

static void print_time(const struct audit_state *w, int64_t time, char *buf, size_t size)
{
	struct civil t;

	if (w->o->calendar && w->o->calendar->to_local(w->o->calendar->context, time, &t))
		snprintf(buf, size, "%04d-%02d-%02d %02d:%02d", t.year, t.month, t.day, t.hour,
			 t.minute);
	else
		snprintf(buf, size, "%lld", (long long)time);
}

/* "WHAT DATE", with the time of pass FIRST. */
static uint32_t audit_say_time(struct audit_state *w, const char *what, size_t first)
{
	char date[40], text[200];

	print_time(w, w->charge.pass[first < w->charge.count ? first : w->charge.count - 1], date,
		   sizeof(date));
	snprintf(text, sizeof(text), "%s %s", what, date);
	return audit_say(w, text);
}

/* ---- moved --------------------------------------------------------------------------------- */

/* Did the user exist in OTHER before the last job of NODE was submitted, as far as known? */
static bool is_older(const struct audit_state *w, uint32_t other, uint32_t node)
{
	int64_t first = INT64_MAX, last = INT64_MIN;

	for (uint32_t k = w->begin[other]; k < w->begin[other + 1]; k++) {
		int64_t submit = replay_job(w->r, w->jobs[k])->submit;

		first = submit < first ? submit : first;
	}
	for (uint32_t k = w->begin[node]; k < w->begin[node + 1]; k++) {
		int64_t submit = replay_job(w->r, w->jobs[k])->submit;

		last = submit > last ? submit : last;
	}
	return first < last || w->own[other].begin > 0;
}

/* The reason for jobs of an association that is not in the tree. */
static uint32_t why_absent(struct audit_state *w, uint32_t node)
{
	const struct replay_node *n = &w->r->nodes[node];
	char text[200];

	for (uint32_t i = 0; i < w->r->tree_count && n->user != TEXT_NONE; i++) {
		const struct replay_node *other = &w->r->nodes[i];

		if (other->user != n->user || other->account == n->account || is_older(w, i, node))
			continue;
		snprintf(text, sizeof(text), "moved user: now in account %.100s",
			 replay_word(w->r, other->account));
		return audit_say(w, text);
	}
	return audit_say(w, "removed: the association no longer exists");
}

/* Since 22.05 an account keeps the usage of deleted associations. */
static bool is_kept_above(const struct audit_state *w, uint32_t node)
{
	uint32_t parent = w->r->nodes[node].parent;
	double missing = w->own[node].charged - w->own[node].held, kept = 0;

	if (parent < w->r->tree_count)
		kept = w->own[parent].held - w->own[parent].charged;
	for (size_t i = w->r->tree_count; i < w->r->node_count; i++)
		kept -= w->r->nodes[i].parent == parent ? w->own[i].charged : 0;
	return missing > 0 && kept >= missing - w->own[node].allowed;
}

/* ---- zeroed -------------------------------------------------------------------------------- */

/* The first pass from which on the jobs of all nodes, or of NODE alone, amount to at most X. */
static size_t zeroed_at(const struct audit_state *w, uint32_t node, double x)
{
	uint32_t from = node == ROW_NONE ? 0 : node;
	size_t end = node == ROW_NONE ? w->r->tree_count : from + (size_t)1;
	size_t low = w->first, high = w->charge.count;

	while (low < high) {
		struct terms t = { .first = low + (high - low) / 2 };
		double sum = 0;

		for (uint32_t i = from; i < end; i++)
			sum += audit_charge(w, i, &t);
		if (sum > x)
			low = t.first + 1;
		else
			high = t.first;
	}
	return low;
}

/* Is the usage of NODE that of zeroing at pass FIRST, or at any time since the pass before? */
static bool is_zeroed(const struct audit_state *w, uint32_t node, size_t first)
{
	const struct own *own = &w->own[node];
	struct terms at = { .first = first }, before = { .first = first > 0 ? first - 1 : 0 };

	return own->held >= audit_charge(w, node, &at) - own->allowed &&
	       own->held <= audit_charge(w, node, &before) + own->allowed;
}

/* Does FIRST explain all nodes, and more than one that would differ without it? */
static bool all_zeroed(const struct audit_state *w, size_t first)
{
	uint32_t explained = 0;

	for (uint32_t i = 0; i < w->r->tree_count; i++) {
		if (w->r->nodes[i].user == TEXT_NONE)
			continue;
		if (!is_zeroed(w, i, first))
			return false;
		explained += audit_differs(&w->own[i]);
	}
	return explained > 1;
}

/* The pass at which all usage was zeroed against the policy; 0: none. */
static size_t find_unplanned(const struct audit_state *w)
{
	double held = 0, allowed = 0;
	size_t first, end;

	for (uint32_t i = 0; i < w->r->tree_count; i++) {
		held += w->own[i].held;
		allowed += w->own[i].allowed;
	}
	first = zeroed_at(w, ROW_NONE, held + allowed);
	end = zeroed_at(w, ROW_NONE, held - allowed);
	if (first == w->first)
		return 0;
	for (size_t i = 0; i < TRIES && first + i <= end; i++) {
		if (all_zeroed(w, first + i))
			return first + i;
	}
	return 0;
}

/* ---- weighed ------------------------------------------------------------------------------- */

/* A factor that would explain several nodes. */
struct factor {
	uint32_t qos;
	double now, then;
};

/* The factor of Q that gives the usage of the node that differs most by it; NaN without one. */
static double factor_wanted(const struct audit_state *w, const struct factor *q)
{
	struct terms t = { .first = w->first, .qos = q->qos };
	double most = 0, then = F64_UNKNOWN;

	for (uint32_t i = 0; i < w->r->tree_count; i++) {
		const struct own *own = &w->own[i];
		double unit = audit_differs(own) ? audit_charge(w, i, &t) : 0;

		if (unit > own->allowed && fabs(own->held - own->charged) > most) {
			most = fabs(own->held - own->charged);
			then = q->now + (own->held - own->charged) / unit;
		}
	}
	return then;
}

/* Does it explain at least two, and most, of the nodes whose jobs have the QOS? */
static bool factor_holds(const struct audit_state *w, const struct factor *q)
{
	struct terms t = { .first = w->first, .qos = q->qos };
	uint32_t affected = 0, explained = 0;

	for (uint32_t i = 0; i < w->r->tree_count; i++) {
		const struct own *own = &w->own[i];
		double more = (q->then - q->now) * audit_charge(w, i, &t);

		if (fabs(more) <= own->allowed)
			continue;
		affected++;
		explained += audit_near(own->held, own->charged + more, own->allowed);
	}
	return explained > 1 && 2 * explained > affected;
}

static size_t find_factors(const struct audit_state *w, struct factor **factors)
{
	size_t count = 0;

	*factors = mem_zalloc(w->r->qos_count + 1, sizeof(**factors));
	for (size_t i = 0; i < w->r->qos_count; i++) {
		struct factor *f = &(*factors)[count];

		f->qos = w->r->qos[i].name;
		f->now = replay_usage_factor(w->r, f->qos);
		f->then = factor_wanted(w, f);
		count += f64_known(f->then) && f->then >= 0 && factor_holds(w, f);
	}
	return count;
}

static uint32_t why_factor(struct audit_state *w, uint32_t node, const struct factor *factors,
			   size_t count)
{
	const struct own *own = &w->own[node];
	char text[200];

	for (size_t i = 0; i < count; i++) {
		const struct factor *f = &factors[i];
		struct terms t = { .first = w->first, .qos = f->qos };

		if (!audit_near(own->held, own->charged + (f->then - f->now) *
				audit_charge(w, node, &t), own->allowed))
			continue;
		snprintf(text, sizeof(text), "UsageFactor: that of QOS %.80s was about %.3g; now "
			 "it is %.6g", replay_word(w->r, f->qos), f->then, f->now);
		return audit_say(w, text);
	}
	return TEXT_NONE;
}

/* ---- all reasons --------------------------------------------------------------------------- */

/* Did a recording show that usage fell faster than it decays? */
static bool has_dropped(const struct audit_state *w, uint32_t node)
{
	int64_t at = w->o->drops ? w->o->drops[node] : I64_UNKNOWN;
	struct terms early = { .first = 0 }, late = { .first = 0 };
	const struct own *own = &w->own[node];

	if (at == I64_UNKNOWN)
		return false;
	early.first = charge_pass(&w->charge, at - w->o->step);
	late.first = charge_pass(&w->charge, at) + 1;
	return own->held <= audit_charge(w, node, &early) + own->allowed &&
	       own->held >= audit_charge(w, node, &late) - own->allowed;
}

static uint32_t why_less(struct audit_state *w, uint32_t node)
{
	const struct own *own = &w->own[node];
	size_t first = zeroed_at(w, node, own->held + own->allowed);

	if (has_dropped(w, node))
		return audit_say_time(w, "edit of RawUsage: seen set to 0 by",
				      charge_pass(&w->charge, w->o->drops[node]));
	if (is_kept_above(w, node))
		return audit_say(w,
				 "moved user: removed and added again; its account kept the usage");
	if (w->o->drops)
		return audit_say(w, "unexplained: less than its jobs add up to");
	return audit_say_time(w, "edit of RawUsage: as if set to 0 about", first);
}

/* Does the log have whole billable TRES, without the fraction? */
static bool audit_is_reported(const struct audit_state *w, uint32_t node)
{
	const struct own *own = &w->own[node];
	struct terms least = { .first = w->first, .reported = true };
	struct terms most = { .first = w->first, .reported = true, .more = true };

	return !audit_near(audit_charge(w, node, &least), own->charged, own->allowed) &&
	       own->held >= audit_charge(w, node, &least) - own->allowed &&
	       own->held <= audit_charge(w, node, &most) + own->allowed;
}

static uint32_t audit_why(struct audit_state *w, uint32_t node, size_t unplanned,
			  const struct factor *factors, size_t factor_count)
{
	const struct own *own = &w->own[node];
	struct terms seen = { .first = w->first, .seen = true };
	uint32_t reason;

	if (audit_is_reported(w, node))
		return audit_say(w, "changed weights: its jobs were billed with others than now");
	if (w->o->factor_count > 0 &&
	    audit_near(audit_charge(w, node, &seen), own->held, own->allowed))
		return audit_say(w, "UsageFactor: it was different while its jobs ran");
	if (unplanned > 0)
		return audit_say_time(w, "reset about", unplanned);
	reason = why_factor(w, node, factors, factor_count);
	if (reason != TEXT_NONE)
		return reason;
	return own->held < own->charged ? why_less(w, node) :
		audit_say(w, "job missing from the log: more than its jobs add up to");
}

void audit_explain(struct audit_state *w)
{
	struct factor *factors = NULL;
	size_t unplanned = find_unplanned(w), count = find_factors(w, &factors);

	for (uint32_t i = 0; i < w->r->node_count; i++) {
		if (i >= w->r->tree_count && w->own[i].charged > w->own[i].allowed)
			w->own[i].reason = why_absent(w, i);
		else if (w->r->nodes[i].user != TEXT_NONE && audit_differs(&w->own[i]))
			w->own[i].reason = audit_why(w, i, unplanned, factors, count);
	}
	mem_free(factors);
}
