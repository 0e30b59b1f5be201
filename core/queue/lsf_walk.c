/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/lsf_walk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/assoc_index.h"
#include "core/share/lsf_share.h"

/* Beyond any real source; a picture from a file may hold anything. */
#define CHARGED_MOST 64
#define LEVELS_MOST 64

struct lsf_walk_state {
	const struct lsf_jobs *l;
	struct lsf_session *session;
	const struct fs_tree *t;
	struct assoc_index ids;
	struct lsf_factors factors;
	uint32_t top;			/* row of the queue's account */
	bool stands;			/* one without a computable priority was compared */
	bool used;			/* and it counts: even with 0.0 s, some may have run */
	uint32_t tied;			/* a row equal to a sibling then; ROW_NONE */
	const uint32_t *entries;	/* in the order of the list */
	bool *taken;			/* per entry of the list */
	uint32_t *of_user;		/* per user of the session: jobs left */
	/* Arrays by row of the queue's subtree, less TOP. */
	struct lsf_use *use;
	double *priority;
	bool *stale;			/* it started jobs after its priority was reported */
	uint32_t *left;			/* offers left below; a job has one per account */
	uint32_t *first, *end;		/* its own, in OFFERS */
	uint32_t *offers;		/* indices into the list */
};

static double shares_of(const struct lsf_walk_state *w, uint32_t row)
{
	uint32_t shares = w->t->shares[row];

	return shares < U32_UNKNOWN && shares != SHARES_PARENT ? shares : F64_UNKNOWN;
}

/* The I-th account of the queue that job K may be charged to; ROW_NONE after the last. */
static uint32_t walk_charged(const struct lsf_walk_state *w, uint32_t k, uint32_t i)
{
	const struct cluster *c = w->l->model->cluster;
	struct text_list list = cluster_list(c, F_JOB_CHARGED, w->l->index->job[w->entries[k]]);
	uint32_t row = w->l->index->assoc[w->entries[k]];

	for (uint32_t n = 0; n < (list.count > 0 ? list.count : 1); n++) {
		if (list.count > 0)
			row = assoc_of_id(&w->ids, (uint32_t)strtoul(cluster_string(c,
						   list.texts[n]), NULL, 10));
		/* An account of the list may have been removed. */
		if (row > w->top && row < w->top + w->t->span[w->top] && i-- == 0)
			return row;
	}
	return ROW_NONE;
}

/* Gives every charged account its offers in the order of the list. False if one is unknown. */
static bool walk_load_offers(struct lsf_walk_state *w, uint32_t count)
{
	const struct cluster *c = w->l->model->cluster;
	uint32_t n = w->t->span[w->top], sum = 0, row;

	for (uint32_t k = 0; k < count; k++) {
		uint32_t job = w->l->index->job[w->entries[k]];
		const char *account = cluster_text(c, F_JOB_ACCOUNT, job);

		if (cluster_list(c, F_JOB_CHARGED, job).count > CHARGED_MOST ||
		    sum > UINT32_MAX - CHARGED_MOST)
			return false;
		if (walk_charged(w, k, 0) == ROW_NONE &&
		    !(account && strcmp(account, LSF_NO_SHARES) == 0))
			return false;
		for (uint32_t i = 0; (row = walk_charged(w, k, i)) != ROW_NONE; i++, sum++)
			w->end[row - w->top]++;
		w->of_user[lsf_session_user(w->session, w->entries[k])]++;
	}
	w->offers = mem_alloc((size_t)sum + 1, sizeof(*w->offers));
	for (uint32_t r = 0, at = 0; r < n; r++) {
		w->first[r] = at;
		at += w->end[r];
		w->end[r] = w->first[r];
	}
	for (uint32_t k = 0; k < count; k++) {
		for (uint32_t i = 0; (row = walk_charged(w, k, i)) != ROW_NONE; i++) {
			w->offers[w->end[row - w->top]++] = k;
			for (; row != w->top; row = w->t->parent[row])
				w->left[row - w->top]++;
			w->left[0]++;
		}
	}
	return true;
}

/* False if the priority of an account with jobs is unknown. */
static bool load_rows(struct lsf_walk_state *w)
{
	const double *priority = w->l->model->fs->own[LSF_OWN_PRIORITY];
	bool known = true;

	for (uint32_t i = 0; i < w->t->span[w->top]; i++) {
		w->use[i] = lsf_use_of(w->l->model->cluster, w->top + i);
		w->priority[i] = priority[w->top + i];
		w->used |= i > 0 && (w->use[i].cpu > 0 || w->use[i].slots > 0) &&
			   !lsf_is_static(&w->factors);
		known &= i == 0 || w->left[i] == 0 || f64_known(w->priority[i]);
	}
	return known;
}

/*
 * Are siblings equal only because CPU time is printed to 0.1 s? Then they keep the printed order.
 * Those without CPU time are really equal.
 */
static bool is_rounded(const struct lsf_walk_state *w, uint32_t a, uint32_t b)
{
	const struct lsf_use *x = &w->use[a - w->top], *y = &w->use[b - w->top];

	return x->cpu > 0 && !(x->cpu < y->cpu || x->cpu > y->cpu) &&
	       !(x->run < y->run || x->run > y->run) && w->t->shares[a] == w->t->shares[b] &&
	       !lsf_is_static(&w->factors);
}

/*
 * The job that the walk from ROW down elects, and the account where it ends. Of equal siblings the
 * one whose own walk finds the earlier job. ROW's own jobs compete with none below it.
 */
static uint32_t walk_elect(struct lsf_walk_state *w, uint32_t row, uint32_t *leaf)
{
	uint32_t *first = &w->first[row - w->top], best = ROW_NONE, from = ROW_NONE, at;
	double most = -HUGE_VAL;
	uint32_t siblings = 0;
	bool stale = false;

	while (*first < w->end[row - w->top] && w->taken[w->offers[*first]])
		++*first;
	if (*first < w->end[row - w->top]) {
		*leaf = row;
		return w->offers[*first];
	}
	for (uint32_t i = row + 1; i < row + w->t->span[row]; i += w->t->span[i]) {
		if (w->left[i - w->top] == 0)
			continue;
		most = fmax(most, w->priority[i - w->top]);
		stale |= w->stale[i - w->top];
		siblings++;
	}
	w->stands |= stale && siblings > 1;
	for (uint32_t i = row + 1; i < row + w->t->span[row]; i += w->t->span[i]) {
		uint32_t k;

		if (w->left[i - w->top] == 0 || w->priority[i - w->top] < most)
			continue;
		k = walk_elect(w, i, &at);
		if (from != ROW_NONE && k != ROW_NONE && w->used)
			w->tied = i;
		if (k < best && (from == ROW_NONE || !is_rounded(w, from, i))) {
			best = k;
			from = i;
			*leaf = at;
		}
	}
	return best;
}

/* Takes COUNT offers off ROW and all above it. */
static void take_off(struct lsf_walk_state *w, uint32_t row, uint32_t count)
{
	for (; row != w->top; row = w->t->parent[row])
		w->left[row - w->top] -= count;
	w->left[0] -= count;
}

static void lsf_walk_take(struct lsf_walk_state *w, uint32_t k, uint32_t leaf)
{
	uint32_t user = lsf_session_user(w->session, w->entries[k]), row, r = leaf - w->top;

	w->taken[k] = true;
	w->of_user[user]--;
	for (uint32_t i = 0; (row = walk_charged(w, k, i)) != ROW_NONE; i++) {
		if (w->end[row - w->top] > 0)
			take_off(w, row, 1);
	}
	if (w->of_user[user] == 0 && lsf_is_passed_over(w->l->model->cluster, leaf)) {
		take_off(w, leaf, w->left[r]);
		w->end[r] = 0;
	}
}

/* A started job counts along its path at once. */
static void walk_start(struct lsf_walk_state *w, uint32_t row, uint32_t entry)
{
	uint32_t slots = lsf_session_start(w->session, entry);

	if (lsf_is_static(&w->factors))
		return;
	for (; slots > 0 && row != w->top; row = w->t->parent[row]) {
		uint32_t i = row - w->top;
		double priority;

		w->use[i].slots += slots;
		priority = lsf_priority(&w->factors, shares_of(w, row), &w->use[i]);
		if (f64_known(priority))
			w->priority[i] = priority;
		else
			w->stale[i] = true;
	}
}

/* Elected ones first; then, in the order of the list, those that no account offers any more. */
static void elect_all(struct lsf_walk_state *w, uint32_t count, uint32_t *order)
{
	uint32_t n = 0, leaf = w->top;

	while (w->left[0] > 0) {
		uint32_t k = walk_elect(w, w->top, &leaf);

		lsf_walk_take(w, k, leaf);
		walk_start(w, leaf, w->entries[k]);
		order[n++] = w->entries[k];
	}
	for (uint32_t k = 0; k < count; k++) {
		if (w->taken[k])
			continue;
		lsf_session_start(w->session, w->entries[k]);
		w->l->last[w->entries[k]] = true;
		order[n++] = w->entries[k];
	}
}

static uint32_t walk_account_of(const struct cluster *c, uint32_t queue)
{
	const uint32_t *span = cluster_span(c);

	for (uint32_t i = 1; i < cluster_rows(c, TABLE_ASSOC); i += span[i]) {
		if (lsf_queue_of(c, i) == queue)
			return i;
	}
	return ROW_NONE;
}

/* What would provide the factors, if lsb.params is missing. */
static const char *what_tells(const struct cluster *c)
{
	return policy_unreported(cluster_policy(c), "RUN_JOB_FACTOR") ?
	       " (expected lsb.params or bparams -l)" : "";
}

/* Reports what the order depends on. */
static void name_doubts(const struct lsf_walk_state *w, struct lsf_jobs *l, uint32_t queue)
{
	const struct cluster *c = l->model->cluster;
	const char *name = cluster_text(c, F_QUEUE_NAME, queue);
	char path[80];

	l->vague[queue] |= w->stands;
	if (l->problem[0])
		return;
	if (w->stands) {
		(void)snprintf(l->problem, sizeof(l->problem),
			       "the priority formula of queue %.60s is unknown%s, and so are the "
			       "ranks of its jobs", name, what_tells(c));
	} else if (w->tied != ROW_NONE) {
		cluster_path(c, w->tied, path, sizeof(path));
		(void)snprintf(l->problem, sizeof(l->problem),
			       "%s and a sibling are equal in CPU_TIME as printed: either of the "
			       "two may be first", path);
	}
}

bool lsf_walk(struct lsf_jobs *l, struct lsf_session *s, uint32_t queue, uint32_t *entries,
	      uint32_t count)
{
	const struct cluster *c = l->model->cluster;
	struct lsf_walk_state w = { .l = l, .session = s, .t = l->model->tree, .entries = entries,
			  .top = walk_account_of(c, queue), .tied = ROW_NONE,
			  .factors = lsf_factors_of(c, cluster_policy(c), queue) };
	uint32_t n, *order;
	bool known;

	if (w.top == ROW_NONE || l->model->algo->id != FS_LSF)
		return false;
	n = w.t->span[w.top];
	for (uint32_t i = w.top; i < w.top + n; i++) {
		if (w.t->depth[i] > LEVELS_MOST)
			return false;
	}
	w.ids = assoc_index_new(c);
	order = mem_alloc((size_t)count + 1, sizeof(*order));
	w.taken = mem_zalloc((size_t)count + 1, sizeof(*w.taken));
	w.of_user = mem_zalloc((size_t)lsf_session_users(s) + 1, sizeof(*w.of_user));
	w.use = mem_alloc(n, sizeof(*w.use));
	w.priority = mem_alloc(n, sizeof(*w.priority));
	w.stale = mem_zalloc(n, sizeof(*w.stale));
	w.left = mem_zalloc(n, 3 * sizeof(*w.left));
	w.first = w.left + n;
	w.end = w.first + n;
	known = walk_load_offers(&w, count) && load_rows(&w);
	if (known) {
		elect_all(&w, count, order);
		memcpy(entries, order, count * sizeof(*entries));
		name_doubts(&w, l, queue);
	}
	MEM_FREE(w.offers, w.left, w.priority, w.stale, w.use, w.of_user, w.taken, order);
	assoc_index_free(&w.ids);
	return known;
}
