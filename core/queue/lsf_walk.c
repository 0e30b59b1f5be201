/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/lsf_walk.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/share/lsf_share.h"

struct walk {
	const struct lsf_jobs *l;
	struct lsf_session *session;
	const struct fs_tree *t;
	struct lsf_factors factors;
	uint32_t top;			/* row of the queue's account */
	const uint32_t *entries;	/* in the order of the list */
	uint32_t *next;			/* per entry of the list: the next of its account */
	/* Arrays by row of the queue's subtree, less TOP. */
	struct lsf_use *use;
	double *priority;
	uint32_t *left;			/* jobs that wait below */
	uint32_t *first, *last;		/* places in the list; ROW_NONE */
};

static double shares_of(const struct walk *w, uint32_t row)
{
	uint32_t shares = w->t->shares[row];

	return shares < U32_UNKNOWN && shares != SHARES_PARENT ? shares : F64_UNKNOWN;
}

/* False if somebody's standing is unknown. */
static bool load_rows(struct walk *w)
{
	const double *priority = w->l->model->fs->own[LSF_OWN_PRIORITY];
	uint32_t n = w->t->span[w->top];
	bool known = true;

	for (uint32_t i = 0; i < n; i++) {
		w->use[i] = lsf_use_of(w->l->model->cluster, w->top + i);
		w->priority[i] = priority[w->top + i];
		w->first[i] = w->last[i] = ROW_NONE;
	}
	for (uint32_t i = 1; i < n; i++)
		known &= w->left[i] == 0 || f64_known(w->priority[i]);
	return known;
}

static bool count_left(struct walk *w, uint32_t count)
{
	for (uint32_t k = 0; k < count; k++) {
		uint32_t row = w->l->index->assoc[w->entries[k]];

		if (row == ROW_NONE || row <= w->top || row >= w->top + w->t->span[w->top])
			return false;
		for (; row != w->top; row = w->t->parent[row])
			w->left[row - w->top]++;
		w->left[0]++;
	}
	return true;
}

static void queue_up(struct walk *w, uint32_t count)
{
	for (uint32_t k = 0; k < count; k++) {
		uint32_t i = w->l->index->assoc[w->entries[k]] - w->top;

		w->next[k] = ROW_NONE;
		if (w->first[i] == ROW_NONE)
			w->first[i] = k;
		else
			w->next[w->last[i]] = k;
		w->last[i] = k;
	}
}

/* The place of the first job below ROW, for equal priorities. */
static uint32_t first_below(const struct walk *w, uint32_t row)
{
	uint32_t least = ROW_NONE;

	for (uint32_t i = row; i < row + w->t->span[row]; i++) {
		if (w->first[i - w->top] < least)
			least = w->first[i - w->top];
	}
	return least;
}

/* The child of ROW to go on with. Jobs of ROW itself, if it has any, stand against none of them. */
static uint32_t best_child(const struct walk *w, uint32_t row)
{
	uint32_t best = ROW_NONE;

	for (uint32_t i = row + 1; i < row + w->t->span[row]; i += w->t->span[i]) {
		double own = w->priority[i - w->top];
		double most = best == ROW_NONE ? 0 : w->priority[best - w->top];

		if (w->left[i - w->top] == 0)
			continue;
		if (best == ROW_NONE || own > most ||
		    (own >= most && first_below(w, i) < first_below(w, best)))
			best = i;
	}
	return best;
}

/* One that starts counts at once along its path. */
static void start(struct walk *w, uint32_t row, uint32_t entry)
{
	if (!lsf_session_start(w->session, entry))
		return;
	for (; row != w->top; row = w->t->parent[row]) {
		uint32_t i = row - w->top;
		double priority;

		w->use[i].slots += lsf_session_slots(w->session, entry);
		priority = lsf_priority(&w->factors, shares_of(w, row), &w->use[i]);
		if (f64_known(priority))
			w->priority[i] = priority;
	}
}

static uint32_t elect(struct walk *w)
{
	uint32_t row = w->top, k, child;

	while (w->first[row - w->top] == ROW_NONE && (child = best_child(w, row)) != ROW_NONE)
		row = child;
	k = w->first[row - w->top];
	w->first[row - w->top] = w->next[k];
	start(w, row, w->entries[k]);
	for (; row != w->top; row = w->t->parent[row])
		w->left[row - w->top]--;
	w->left[0]--;
	return w->entries[k];
}

static uint32_t account_of(const struct cluster *c, uint32_t queue)
{
	const uint32_t *span = cluster_span(c);

	for (uint32_t i = 1; i < cluster_rows(c, TABLE_ASSOC); i += span[i]) {
		if (lsf_queue_of(c, i) == queue)
			return i;
	}
	return ROW_NONE;
}

/* Who has no shares comes last, as in the list. Returns how many have; ROW_NONE if not known. */
static uint32_t part(const struct lsf_jobs *l, uint32_t *entries, uint32_t count)
{
	uint32_t *without = mem_alloc((size_t)count + 1, sizeof(*without)), n = 0, kept = 0;
	bool known = true;

	for (uint32_t k = 0; k < count; k++) {
		const char *account = cluster_text(l->model->cluster, F_JOB_ACCOUNT,
						   l->index->job[entries[k]]);
		bool has = l->index->assoc[entries[k]] != ROW_NONE;

		known &= has || (account && strcmp(account, LSF_NO_SHARES) == 0);
		if (!has)
			without[n++] = entries[k];
	}
	for (uint32_t k = 0; known && k < count; k++) {
		if (l->index->assoc[entries[k]] != ROW_NONE)
			entries[kept++] = entries[k];
	}
	if (known)
		memcpy(entries + kept, without, n * sizeof(*entries));
	mem_free(without);
	return known ? kept : ROW_NONE;
}

bool lsf_walk(const struct lsf_jobs *l, struct lsf_session *s, uint32_t queue, uint32_t *entries,
	      uint32_t count)
{
	const struct cluster *c = l->model->cluster;
	struct walk w = { .l = l, .session = s, .t = l->model->tree, .entries = entries,
			  .top = account_of(c, queue),
			  .factors = lsf_factors_of(c, cluster_policy(c), queue) };
	uint32_t n, with, *order;
	bool known;

	if (w.top == ROW_NONE || l->model->algo->id != FS_LSF)
		return false;
	with = part(l, entries, count);
	if (with == ROW_NONE)
		return false;
	n = w.t->span[w.top];
	order = mem_alloc((size_t)with + 1, sizeof(*order));
	w.next = mem_alloc((size_t)with + 1, sizeof(*w.next));
	w.use = mem_alloc(n, sizeof(*w.use));
	w.priority = mem_alloc(n, sizeof(*w.priority));
	w.left = mem_zalloc(n, sizeof(*w.left));
	w.first = mem_alloc(n, 2 * sizeof(*w.first));
	w.last = w.first + n;
	known = count_left(&w, with) && load_rows(&w);
	if (known) {
		queue_up(&w, with);
		for (uint32_t k = 0; k < with; k++)
			order[k] = elect(&w);
		memcpy(entries, order, with * sizeof(*entries));
		for (uint32_t k = with; k < count; k++)
			lsf_session_start(s, entries[k]);
	}
	mem_free(w.first);
	mem_free(w.left);
	mem_free(w.priority);
	mem_free(w.use);
	mem_free(w.next);
	mem_free(order);
	return known;
}
