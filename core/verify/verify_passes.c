/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Depth-oblivious fair share while jobs run. Source: spec of fair share, 6; of the live scheduler,
 * 2.
 *
 * A pass computes the accounts first, from the root down, from the usage left by the previous pass;
 * users one by one when first needed, at most once per pass. Each row uses the E of its account, of
 * the same pass, its own new U, and the current U of its siblings: new for those computed before
 * it, of the previous pass for the others. So E implies how much the siblings had used, and that
 * must be such a mixture: of the accounts in some order while the users are old, then of the users
 * in some order.
 *
 * From one picture only new U are known. It decides where nothing is mixed (below the root, only
 * children, fairshare=parent, no usage). Otherwise it checks that one row of each family, the last
 * one computed, used only new U, and that the siblings' previous usage is not negative.
 */
#include "core/verify/verify_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/idmap.h"

/* U before the first evaluation; sshare leaves it blank. */
#define NOT_EVALUATED ((double)U32_UNKNOWN)

#define ROUNDING (64 * DBL_EPSILON)

/* With more siblings no order is sought; any mixture is accepted. */
#define MOST_ORDERED 5000u

/* Limit of rows tried that imply nothing (usage, no shares), or that may be next. */
#define MOST_SILENT 32u

/* Range that a row implies for its siblings' usage, or that it adds to their sum. */
struct passes_span {
	double lo, hi;
};

struct passes_member {
	uint32_t row;
	bool user, formula, placed;
	struct passes_span now, old;	/* U */
	struct passes_span others;	/* the siblings' usage implied by its E */
	struct passes_span found;	/* their usage at its place in the order */
};

struct passes_family {
	struct passes_member *members;
	uint32_t count;
	bool known_before;		/* all old U are known */
	bool all_reported;		/* all E and U are known */
};

struct passes_search {
	const struct model *m;
	const struct cluster *c, *before;
	const bool *cold;
	uint32_t *then;			/* row of each in BEFORE; ROW_NONE */
	struct verify_passes *out;
	struct passes_span *reported;	/* reported E */
};

static struct passes_span ratio_of(const struct cluster *c, enum field field, uint32_t i)
{
	struct passes_span s = { F64_UNKNOWN, F64_UNKNOWN };

	if (i != ROW_NONE)
		bounds_of_ratio(cluster_f64(c, field, i), cluster_meta(c)->ratio_quantum, &s.lo,
				&s.hi);
	return s;
}

static bool passes_meet(struct passes_span a, struct passes_span b)
{
	return a.lo <= b.hi && b.lo <= a.hi;
}

/* ---- the rows of both pictures ------------------------------------------------------------- */

/* Rows of B (may be NULL) by the ids of A; ROW_NONE if absent. */
static uint32_t *passes_match_rows(const struct cluster *a, const struct cluster *b)
{
	uint32_t n = cluster_rows(a, TABLE_ASSOC);
	uint32_t *rows = mem_alloc((size_t)n + 1, sizeof(*rows));
	struct idmap ids = { 0 };

	if (b)
		cluster_assoc_ids(b, &ids);
	for (uint32_t i = 0; i < n; i++)
		rows[i] = idmap_get(&ids, cluster_u32(a, F_ASSOC_ID, i), ROW_NONE);
	idmap_free(&ids);
	return rows;
}

int verify_passes_between(const struct cluster *a, const struct cluster *b)
{
	static const enum field fields[] = { F_ASSOC_R_NORM_USAGE, F_ASSOC_R_EFFECTIVE_USAGE };
	const struct cluster_meta *x = cluster_meta(a), *y = cluster_meta(b);
	int64_t period = cluster_policy(b)->calc_period;
	uint32_t *rows;
	bool moved = false;

	if (period == I64_UNKNOWN || period <= 0 || x->time == I64_UNKNOWN ||
	    y->time == I64_UNKNOWN || y->time < x->time || x->boot != y->boot)
		return -1;
	/* Irrelevant if a pass changed nothing that is reported. */
	rows = passes_match_rows(b, a);
	for (uint32_t i = 1; i < cluster_rows(b, TABLE_ASSOC) && !moved; i++) {
		for (size_t f = 0; rows[i] != ROW_NONE && f < 2; f++)
			moved = moved || cluster_f64(b, fields[f], i) <
						 cluster_f64(a, fields[f], rows[i]) ||
				cluster_f64(b, fields[f], i) > cluster_f64(a, fields[f], rows[i]);
	}
	mem_free(rows);
	if (y->time - x->time < period)
		return moved ? 1 : 0;
	if (x->last_decay == I64_UNKNOWN || y->last_decay == I64_UNKNOWN)
		return -1;
	return (int)((y->last_decay - x->last_decay + period / 2) / period);
}

/* ---- what a row implies for its siblings ---------------------------------------------------- */

/* The r_l that leads from the ratio ABOVE to RATIO. */
static double local_of(double ratio, double above)
{
	double a = log(above), d = log(ratio) - a;

	return exp(a * d >= 0 ? d : d * (1 + 25 * a * a));
}

/* The siblings' usage implied by E, with own usage OWN, below an account with E ABOVE. */
static double others_of(const struct passes_search *s, uint32_t i, double e, double above,
			double own)
{
	const double *shares = s->m->fs->norm_shares;
	uint32_t p = s->m->tree->fs_parent[i];
	double sum = own * shares[p] / shares[i] / local_of(e / shares[i], above / shares[p]);

	return isnan(sum) ? (e > 0 ? 0 : INFINITY) : sum - own;
}

/* The lowest E implies the highest usage of the siblings, and vice versa. */
static struct passes_span others_reported(const struct passes_search *s, uint32_t i,
					  struct passes_span own)
{
	struct passes_span e = s->reported[i], above = s->reported[s->m->tree->fs_parent[i]], x;
	double slack;

	x.lo = others_of(s, i, e.hi * (1 + ROUNDING), above.lo, own.lo);
	x.hi = e.lo > 0 ? others_of(s, i, e.lo * (1 - ROUNDING), above.hi, own.hi) : INFINITY;
	slack = ROUNDING * (own.hi + (isfinite(x.hi) ? fabs(x.hi) : fabs(x.lo)));
	x.lo -= slack;
	x.hi += slack;
	/* If the parent or the row may be unused, E implies nothing. */
	if (above.lo == 0 || own.lo == 0)
		x = (struct passes_span){ -INFINITY, INFINITY };
	return x;
}

/* Does E come from the formula, not from a single other value? */
static bool passes_has_formula(const struct passes_search *s, uint32_t i, struct passes_span own)
{
	const struct fs_tree *t = s->m->tree;
	uint32_t p = t->fs_parent[i];
	const double *shares = s->m->fs->norm_shares;

	return p != 0 && t->shares[i] != SHARES_PARENT && shares[i] > 0 && shares[p] > 0 &&
	       own.hi > 0 && s->reported[p].hi > 0;
}

/* Without the formula: its own U, or the E of its account. */
static void decide_simple(const struct passes_search *s, uint32_t i)
{
	const struct fs_tree *t = s->m->tree;
	uint32_t p = t->fs_parent[i];
	bool copied = p != 0 && t->shares[i] == SHARES_PARENT;
	struct passes_span x = copied ? s->reported[p] : ratio_of(s->c, F_ASSOC_R_NORM_USAGE, i);
	double value = copied ? cluster_f64(s->c, F_ASSOC_R_EFFECTIVE_USAGE, p) :
		       cluster_f64(s->c, F_ASSOC_R_NORM_USAGE, i);

	s->out->value[i] = copied || fs_is_reported(value) ? value : F64_UNKNOWN;
	s->out->e.lo[i] = x.lo;
	s->out->e.hi[i] = x.hi;
}

/* ---- families ------------------------------------------------------------------------------ */

/* Is the family the same in both pictures, including its shares? */
static bool passes_is_unchanged(const struct passes_search *s, uint32_t f)
{
	const struct fs_tree *t = s->m->tree;
	uint32_t p = t->family_row[f], then = s->then[p], members = 0, count = 0;
	const uint32_t *parent;

	if (!s->before || then == ROW_NONE)
		return false;
	parent = cluster_parent(s->before);
	for (uint32_t j = t->family_first[f]; j < t->family_first[f + 1]; j++) {
		uint32_t i = t->members[j], b = s->then[i];

		if (b == ROW_NONE || cluster_u32(s->before, F_ASSOC_SHARES, b) != t->shares[i] ||
		    cluster_f64(s->before, F_ASSOC_R_NORM_SHARES, b) !=
		    cluster_f64(s->c, F_ASSOC_R_NORM_SHARES, i))
			return false;
		members += t->parent[i] == p;
	}
	for (uint32_t b = then + 1; b < then + cluster_span(s->before)[then]; b++)
		count += parent[b] == then;
	return members == count;
}

static void read_family(const struct passes_search *s, uint32_t f, struct passes_family *family)
{
	const struct fs_tree *t = s->m->tree;

	family->count = 0;
	family->known_before = passes_is_unchanged(s, f);
	family->all_reported = true;
	for (uint32_t j = t->family_first[f]; j < t->family_first[f + 1]; j++) {
		uint32_t i = t->members[j];
		struct passes_member *m = &family->members[family->count];

		if (t->shares[i] == SHARES_PARENT)
			continue;
		*m = (struct passes_member){ .row = i, .user = t->is_user[i] };
		m->now = ratio_of(s->c, F_ASSOC_R_NORM_USAGE, i);
		m->old = s->before ? ratio_of(s->before, F_ASSOC_R_NORM_USAGE, s->then[i]) :
			 (struct passes_span){ F64_UNKNOWN, F64_UNKNOWN };
		m->formula = passes_has_formula(s, i, m->now);
		m->others = m->formula ? others_reported(s, i, m->now) :
			    (struct passes_span){ -INFINITY, INFINITY };
		family->known_before = family->known_before && !isnan(m->old.lo);
		if (isnan(m->now.lo))
			m->now = (struct passes_span){ 0, NOT_EVALUATED };
		/* A row with usage but no shares implies nothing, and may have been the last. */
		family->all_reported = family->all_reported && !isnan(m->others.lo) &&
				   fs_is_reported(m->now.hi) && m->now.hi < NOT_EVALUATED &&
				   fs_is_reported(s->reported[i].hi) &&
				   (m->formula || m->now.hi == 0);
		family->count++;
	}
}

/* SUM without ONE, with rounding errors. */
static struct passes_span passes_without(struct passes_span sum, struct passes_span one)
{
	double slack = ROUNDING * sum.hi;

	return (struct passes_span){ sum.lo - one.lo - slack, sum.hi - one.hi + slack };
}

static struct passes_span passes_add(struct passes_span a, struct passes_span b)
{
	return (struct passes_span){ a.lo + b.lo, a.hi + b.hi };
}

/* Does M fit SUM, the total U when it is computed, which includes its own OWN? */
static bool passes_fits(struct passes_member *m, struct passes_span sum, struct passes_span own)
{
	m->found = passes_without(sum, own);
	return !m->formula || passes_meet(m->found, m->others);
}

/* Takes all U as new: *LEFT: how many do not fit; returns how many with the formula do. */
static uint32_t passes_narrow(struct passes_family *f, uint32_t *left)
{
	struct passes_span sum = { 0, 0 };
	uint32_t fitting = 0;

	for (uint32_t j = 0; j < f->count; j++)
		sum = passes_add(sum, f->members[j].now);
	*left = 0;
	for (uint32_t j = 0; j < f->count; j++) {
		struct passes_member *m = &f->members[j];

		m->placed = passes_fits(m, sum, m->now);
		*left += !m->placed;
		fitting += m->placed && m->formula;
	}
	return fitting;
}

/* M is computed now: returns SUM with its new U instead of the old one. */
static struct passes_span passes_renew(struct passes_member *m, struct passes_span sum)
{
	m->placed = true;
	m->found = passes_without(sum, m->old);
	return passes_add(m->found, m->now);
}

/* Could M, an account or user, be the next one, given SUM? */
static bool is_next(const struct passes_member *m, bool users, struct passes_span sum)
{
	return m->user == users && !m->placed && m->formula &&
	       passes_meet(passes_without(sum, m->old), m->others);
}

/*
 * Among the accounts, or users, that fit SUM, finds the one after which most of the others still
 * fit: if rounding allows several, they changed very little. NULL: there is none.
 */
static struct passes_member *find_next(const struct passes_family *f, bool users,
				       struct passes_span sum)
{
	struct passes_member *fitting[MOST_SILENT], *next = NULL;
	uint32_t count = 0, most = 0;

	for (uint32_t j = 0; j < f->count && count < MOST_SILENT; j++) {
		if (is_next(&f->members[j], users, sum))
			fitting[count++] = &f->members[j];
	}
	for (uint32_t j = 0; j < count; j++) {
		struct passes_span then = passes_add(passes_without(sum, fitting[j]->old),
						     fitting[j]->now);
		uint32_t left = 1;

		for (uint32_t k = 0; k < count; k++)
			left += k != j && is_next(fitting[k], users, then);
		if (left > most)
			next = fitting[j];
		most = left > most ? left : most;
	}
	return next;
}

/* A row that implies nothing, after which another one fits; NULL. */
static struct passes_member *find_silent(const struct passes_family *f, bool users,
					 struct passes_span sum)
{
	for (uint32_t j = 0, tried = 0; j < f->count && tried < MOST_SILENT; j++) {
		struct passes_member *m = &f->members[j];

		if (m->user != users || m->placed || m->formula)
			continue;
		if (find_next(f, users, passes_add(passes_without(sum, m->old), m->now)))
			return m;
		tried++;
	}
	return NULL;
}

/* If all fit in the order of the list, or in reverse, marks them as placed. */
static bool place_in_list_order(struct passes_family *f, bool users, struct passes_span *sum,
				bool backwards)
{
	struct passes_span now = *sum;

	for (uint32_t k = 0; k < f->count; k++) {
		struct passes_member *m = &f->members[backwards ? f->count - 1 - k : k];

		if (m->user != users)
			continue;
		if (!passes_fits(m, now, m->old))
			return false;
		now = passes_add(m->found, m->now);
	}
	for (uint32_t j = 0; j < f->count; j++)
		f->members[j].placed = f->members[j].placed || f->members[j].user == users;
	*sum = now;
	return true;
}

/*
 * Puts the accounts, or users, in the order of computation: a row that fits the current mixture is
 * next. *SUM is the current total of U.
 */
static void passes_place(struct passes_family *f, bool users, struct passes_span *sum)
{
	struct passes_member *next;

	if (place_in_list_order(f, users, sum, false) || place_in_list_order(f, users, sum, true))
		return;
	while ((next = find_next(f, users, *sum)) || (next = find_silent(f, users, *sum)))
		*sum = passes_renew(next, *sum);
	/* Rows that fit nowhere were also computed at some time. */
	for (uint32_t j = 0; j < f->count; j++) {
		struct passes_member *m = &f->members[j];

		if (m->user == users && !m->placed)
			*sum = passes_add(passes_without(*sum, m->old), m->now);
	}
}

/* Accepts any mixture: with six decimals several rows may be next, so the order may be wrong. */
static void place_loosely(struct passes_family *f)
{
	struct passes_span sum = { 0, 0 };

	for (uint32_t j = 0; j < f->count; j++) {
		const struct passes_member *m = &f->members[j];

		sum.lo += fmin(m->now.lo, m->old.lo);
		sum.hi += fmax(m->now.hi, m->old.hi);
	}
	for (uint32_t j = 0; j < f->count; j++) {
		struct passes_member *m = &f->members[j];
		struct passes_span own = { fmin(m->now.lo, m->old.lo), fmax(m->now.hi, m->old.hi) };

		m->placed = m->placed || passes_fits(m, sum, own);
	}
}

static void place_all(const struct passes_search *s, struct passes_family *f)
{
	struct passes_span sum = { 0, 0 };

	for (uint32_t j = 0; j < f->count; j++) {
		f->members[j].placed = false;
		sum = passes_add(sum, f->members[j].old);
	}
	if (f->count <= MOST_ORDERED) {
		passes_place(f, false, &sum);
		passes_place(f, true, &sum);
	}
	if (f->count > MOST_ORDERED || cluster_meta(s->c)->ratio_quantum > 0)
		place_loosely(f);
}

/* Is there a previous usage of the siblings, between none and all, that makes M fit? */
static bool passes_may_fit(const struct passes_family *f, const struct passes_member *m)
{
	struct passes_span least = { 0, 0 };

	for (uint32_t j = 0; j < f->count && m->user; j++) {
		if (!f->members[j].user)
			least = passes_add(least, f->members[j].now);
	}
	least = passes_without(least, (struct passes_span){ 0, 0 });
	least.hi += f->count - 1;
	return f->count > 1 && passes_meet(least, m->others);
}

/* The E for the middle of the siblings' range. */
static double passes_value_of(const struct passes_search *s, const struct passes_member *m)
{
	const double *shares = s->m->fs->norm_shares;
	uint32_t i = m->row, p = s->m->tree->fs_parent[i];
	double own = cluster_f64(s->c, F_ASSOC_R_NORM_USAGE, i);
	double a = log(cluster_f64(s->c, F_ASSOC_R_EFFECTIVE_USAGE, p) / shares[p]), b;

	b = log(own / shares[i] * shares[p] / (own + fmax(0, (m->found.lo + m->found.hi) / 2)));
	return exp(a + (a * b >= 0 ? b : b / (1 + 25 * a * a))) * shares[i];
}

static void write_member(const struct passes_search *s, const struct passes_member *m, bool open)
{
	struct verify_passes *out = s->out;
	uint32_t i = m->row;
	double value = cluster_f64(s->c, F_ASSOC_R_EFFECTIVE_USAGE, i);

	if (!m->formula) {
		decide_simple(s, i);
		return;
	}
	if (isnan(m->others.lo))
		return;
	out->value[i] = m->placed ? passes_value_of(s, m) : s->m->fs->effective_usage[i];
	if (isnan(out->value[i]) || !isfinite(m->others.lo) || !isfinite(m->others.hi))
		out->value[i] = m->placed ? value : out->value[i];
	out->e.lo[i] = m->placed ? fmin(out->value[i], s->reported[i].lo) : out->value[i];
	out->e.hi[i] = m->placed ? fmax(out->value[i], s->reported[i].hi) : out->value[i];
	out->undecided[i] = !m->placed && open;
}

static void decide_family(const struct passes_search *s, uint32_t f, struct passes_family *family)
{
	bool cold = s->cold && s->cold[f], open;
	uint32_t left;

	read_family(s, f, family);
	open = passes_narrow(family, &left) > 0 || !family->all_reported || cold;
	if (left > 0 && family->known_before) {
		place_all(s, family);
		open = false;
	}
	for (uint32_t j = 0; j < family->count; j++) {
		const struct passes_member *m = &family->members[j];

		write_member(s, m, open && (cold || passes_may_fit(family, m)));
	}
}

struct verify_passes passes_new(const struct model *m, const struct cluster *before,
				const bool *cold)
{
	const struct fs_tree *t = m->tree;
	struct verify_passes out = { .value = mem_alloc(t->n, sizeof(double)),
				     .e = bounds_new(t->n),
				     .undecided = mem_zalloc(t->n, sizeof(bool)) };
	struct passes_family family = { .members = mem_alloc(t->n, sizeof(*family.members)) };
	struct passes_search s = { .m = m, .c = m->cluster, .before = before, .cold = cold,
			    .out = &out,
			    .reported = mem_alloc(t->n, sizeof(*s.reported)),
			    .then = passes_match_rows(m->cluster, before) };

	for (uint32_t i = 0; i < t->n; i++) {
		s.reported[i] = ratio_of(s.c, F_ASSOC_R_EFFECTIVE_USAGE, i);
		out.value[i] = out.e.lo[i] = out.e.hi[i] = F64_UNKNOWN;
	}
	for (uint32_t f = 0; f < t->families; f++) {
		if (t->family_known[f])
			decide_family(&s, f, &family);
	}
	for (uint32_t j = 0; j < t->parents; j++)
		decide_simple(&s, t->parent_rows[j]);
	MEM_FREE(s.then, s.reported, family.members);
	return out;
}

void passes_free(struct verify_passes *p)
{
	mem_free(p->value);
	mem_free(p->undecided);
	bounds_free(&p->e);
}

void passes_account_usage(const struct model *m, const struct cluster *before, struct bounds *u)
{
	uint32_t *then = passes_match_rows(m->cluster, before);
	struct bounds old = bounds_new(cluster_rows(before, TABLE_ASSOC));

	bounds_norm_usage(before, FS_BASE_USAGE, &old);
	for (uint32_t i = 1; i < m->tree->n; i++) {
		struct passes_span reported = ratio_of(m->cluster, F_ASSOC_R_NORM_USAGE, i);

		if (m->tree->is_user[i] || then[i] == ROW_NONE || isnan(old.lo[then[i]]) ||
		    passes_meet(reported, (struct passes_span){ u->lo[i], u->hi[i] }))
			continue;
		u->lo[i] = old.lo[then[i]];
		u->hi[i] = old.hi[then[i]];
	}
	bounds_free(&old);
	mem_free(then);
}
