/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/lsf_walk.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/share/lsf_share.h"

/* What one user has in the queue. */
struct user_slots {
	uint32_t user, slots;
};

struct walk {
	const struct lsf_jobs *l;
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
	struct user_slots *users;
	size_t user_count, user_capacity;
	uint64_t slots;			/* of the queue */
	uint32_t most, user_most;	/* QJOB_LIMIT, UJOB_LIMIT */
};

static uint32_t slots_of(const struct walk *w, uint32_t entry)
{
	uint32_t slots = cluster_u32(w->l->model->cluster, F_JOB_CPUS, w->l->index->job[entry]);

	return slots < U32_UNKNOWN ? slots : 1;
}

static struct user_slots *user_of(struct walk *w, uint32_t entry)
{
	uint32_t user = cluster_text_id(w->l->model->cluster, F_JOB_USER,
					w->l->index->job[entry]);

	for (size_t i = 0; i < w->user_count; i++) {
		if (w->users[i].user == user)
			return &w->users[i];
	}
	w->users = mem_grow(w->users, &w->user_capacity, w->user_count + 1, sizeof(*w->users));
	w->users[w->user_count] = (struct user_slots){ user, 0 };
	return &w->users[w->user_count++];
}

static double shares_of(const struct walk *w, uint32_t row)
{
	uint32_t shares = w->t->shares[row];

	return shares < U32_UNKNOWN && shares != SHARES_PARENT ? shares : F64_UNKNOWN;
}

/* Slots that its jobs have now count for the limits. */
static void count_running(struct walk *w, uint32_t queue)
{
	const struct lsf_jobs *l = w->l;

	for (uint32_t e = 0; e < l->n; e++) {
		if (l->index->kind[e] != JOB_RUNNING || l->queue[e] != queue)
			continue;
		w->slots += slots_of(w, e);
		user_of(w, e)->slots += slots_of(w, e);
	}
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
	uint32_t slots = slots_of(w, entry);
	struct user_slots *user = user_of(w, entry);

	if ((w->most < U32_UNKNOWN && w->slots + slots > w->most) ||
	    (w->user_most < U32_UNKNOWN && (uint64_t)user->slots + slots > w->user_most))
		return;
	w->slots += slots;
	user->slots += slots;
	for (; row != w->top; row = w->t->parent[row]) {
		uint32_t i = row - w->top;
		double priority;

		w->use[i].slots += slots;
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

bool lsf_walk(const struct lsf_jobs *l, uint32_t queue, uint32_t *entries, uint32_t count)
{
	const struct cluster *c = l->model->cluster;
	struct walk w = { .l = l, .t = l->model->tree, .entries = entries,
			  .top = account_of(c, queue),
			  .factors = lsf_factors_of(c, cluster_policy(c), queue),
			  .most = cluster_u32(c, F_QUEUE_JOB_LIMIT, queue),
			  .user_most = cluster_u32(c, F_QUEUE_USER_LIMIT, queue) };
	uint32_t n, *order;
	bool known;

	if (w.top == ROW_NONE || l->model->algo->id != FS_LSF)
		return false;
	n = w.t->span[w.top];
	order = mem_alloc(count, sizeof(*order));
	w.next = mem_alloc(count, sizeof(*w.next));
	w.use = mem_alloc(n, sizeof(*w.use));
	w.priority = mem_alloc(n, sizeof(*w.priority));
	w.left = mem_zalloc(n, sizeof(*w.left));
	w.first = mem_alloc(n, 2 * sizeof(*w.first));
	w.last = w.first + n;
	known = count_left(&w, count) && load_rows(&w);
	if (known) {
		count_running(&w, queue);
		queue_up(&w, count);
		for (uint32_t k = 0; k < count; k++)
			order[k] = elect(&w);
		memcpy(entries, order, count * sizeof(*entries));
	}
	mem_free(w.users);
	mem_free(w.first);
	mem_free(w.left);
	mem_free(w.priority);
	mem_free(w.use);
	mem_free(w.next);
	mem_free(order);
	return known;
}
