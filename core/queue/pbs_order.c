/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sort of PBS's scheduler, and what it takes from the sorted queues.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/classes/class_values.h"
#include "core/base/mem.h"
#include "core/queue/pbs_jobs_private.h"
#include "core/base/text.h"
#include "core/base/word.h"

void pbs_jobs_note(struct pbs_jobs *p, const char *format, ...)
{
	size_t used = strlen(p->problem);
	va_list args;

	if (used > 0 && used + 2 < sizeof(p->problem)) {
		memcpy(p->problem + used, "; ", 3);
		used += 2;
	}
	va_start(args, format);
	(void)vsnprintf(p->problem + used, sizeof(p->problem) - used, format, args);
	va_end(args);
}

/* ---- queues ---------------------------------------------------------------------------------- */

struct queue_place {
	int64_t priority;
	uint32_t row;
};

/* As cmp_queue_prio_dsc(); equal ones stay in the server's order. */
static int compare_places(const void *left, const void *right)
{
	const struct queue_place *a = left, *b = right;

	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

static void place_queues(struct pbs_jobs *p)
{
	const struct cluster *c = p->model->cluster;
	uint32_t n = cluster_rows(c, TABLE_QUEUE), level = 0;
	struct queue_place *all = mem_alloc(n, sizeof(*all));

	p->level = mem_alloc(n, sizeof(*p->level));
	p->place = mem_alloc(n, sizeof(*p->place));
	for (uint32_t row = 0; row < n; row++) {
		int64_t priority = cluster_i64(c, F_QUEUE_PRIORITY, row);

		all[row] = (struct queue_place){ priority == I64_UNKNOWN ? 0 : priority, row };
	}
	qsort(all, n, sizeof(*all), compare_places);
	for (uint32_t i = 0; i < n; i++) {
		level += i == 0 || all[i].priority != all[i - 1].priority;
		p->level[all[i].row] = level;
		p->place[all[i].row] = i + 1;
	}
	mem_free(all);
}

static uint32_t queue_called(const struct cluster *c, uint32_t name)
{
	uint32_t rows = cluster_rows(c, TABLE_QUEUE), row = 0;

	while (row < rows && (name <= TEXT_EMPTY || cluster_text_id(c, F_QUEUE_NAME, row) != name))
		row++;
	return row < rows ? row : ROW_NONE;
}

/* Entries that follow each other are mostly of one queue. */
static void find_queues(struct pbs_jobs *p)
{
	const struct cluster *c = p->model->cluster;
	uint32_t last = TEXT_NONE, row = ROW_NONE;

	p->queue = mem_alloc(p->n, sizeof(*p->queue));
	for (uint32_t e = 0; e < p->n; e++) {
		uint32_t name = cluster_text_id(c, F_JOB_PARTITION, p->index->job[e]);

		if (name != last) {
			last = name;
			row = queue_called(c, name);
		}
		p->queue[e] = row;
	}
}

/* Levels that fairtop cannot tell: who is over a soft limit, or over the fair share. */
static void note_levels(struct pbs_jobs *p)
{
	static const char *const told = "express_queue,normal_jobs,starving_jobs";
	const char *s = p->policy->preempt_prio;

	for (size_t n; p->policy->preemptive_sched && *s; s += n) {
		s += strspn(s, ", \t");
		n = strcspn(s, ", \t");
		if (n > 0 && !class_listed(told, s, n)) {
			pbs_jobs_note(p, "preempt_prio %.*s is not followed: PBS does not tell "
				      "whose jobs are over it", n < 60 ? (int)n : 60, s);
			return;
		}
	}
}

static bool is_known(const struct policy *policy, const char *name)
{
	return policy_is_known(policy, policy_param_by_name(name, strlen(name)));
}

/* Root alone may read what decides. */
static void note_assumed(struct pbs_jobs *p)
{
	static const char *const names[] = { "resources", "fair_share", "by_queue", "round_robin",
					     "job_sort_key" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (is_known(p->policy, names[i]))
			return;
	}
	pbs_jobs_note(p, "sched_config was not read: its defaults decide the order");
}

/* A top job's requested usage is added to its entity within the cycle (fifo.cpp). */
static void note_top_jobs(struct pbs_jobs *p)
{
	if (p->policy->fair_share && p->policy->strict_ordering && p->policy->backfill_depth > 0)
		pbs_jobs_note(p, "the order at the start of a cycle: with strict_ordering each of "
			      "up to %u top jobs adds usage to its entity within the cycle, and "
			      "jobs of that entity fall back", p->policy->backfill_depth);
}

void pbs_order_queues(struct pbs_jobs *p)
{
	note_assumed(p);
	note_top_jobs(p);
	place_queues(p);
	find_queues(p);
	note_levels(p);
}

/* ---- job_sort_key ---------------------------------------------------------------------------- */

/* "ncpus HIGH"; false if it is not of that form, as the scheduler then leaves the line out. */
static bool parse_key(const char *s, size_t length, struct pbs_sort_key *key)
{
	size_t start = 0, name, word;

	while (start < length && strchr(" \t", s[start]))
		start++;
	for (name = start; name < length && !strchr(" \t", s[name]);)
		name++;
	for (word = name; word < length && strchr(" \t", s[word]);)
		word++;
	while (length > word && strchr(" \t", s[length - 1]))
		length--;
	if (name == start || name - start >= sizeof(key->name))
		return false;
	memcpy(key->name, s + start, name - start);
	key->name[name - start] = '\0';
	key->high = word_equal_n(s + word, length - word, "high");
	return key->high || word_equal_n(s + word, length - word, "low");
}

/* The lines, with commas between them. */
static void parse_keys(struct pbs_jobs *p)
{
	const char *s = p->policy->job_sort_key;
	size_t capacity = 0;

	while (*s) {
		size_t n = strcspn(s, ",");
		struct pbs_sort_key key;

		if (parse_key(s, n, &key)) {
			p->keys = mem_grow(p->keys, &capacity, p->key_count + 1, sizeof(*p->keys));
			p->keys[p->key_count++] = key;
		} else if (strspn(s, " \t") < n) {
			pbs_jobs_note(p, "job_sort_key \"%.*s\" is left out, as PBS does with what "
				      "is not NAME HIGH or NAME LOW", n < 60 ? (int)n : 60, s);
		}
		s += n + (s[n] == ',');
	}
}

static double key_value(const struct pbs_jobs *p, const char *name, uint32_t entry)
{
	uint32_t assoc = p->index->assoc[entry];

	if (strcmp(name, "job_priority") == 0) {
		int64_t priority =
			cluster_i64(p->model->cluster, F_JOB_JOB_PRIORITY, p->index->job[entry]);

		return priority == I64_UNKNOWN ? F64_UNKNOWN : (double)priority;
	}
	if (strcmp(name, "fair_share_perc") == 0)
		return assoc == ROW_NONE ? F64_UNKNOWN : p->model->fs->norm_shares[assoc];
	if (strcmp(name, "preempt_priority") == 0)
		return pbs_jobs_is_express(p, entry) ? 1 : 0;
	return pbs_jobs_resource(p, entry, name);
}

static void evaluate_keys(struct pbs_jobs *p)
{
	parse_keys(p);
	p->key_values = mem_alloc(p->n, p->key_count * sizeof(*p->key_values));
	for (uint32_t e = 0; e < p->n; e++) {
		for (size_t k = 0; k < p->key_count; k++)
			p->key_values[e * p->key_count + k] = key_value(p, p->keys[k].name, e);
	}
}

/* ---- comparing ------------------------------------------------------------------------------- */

struct sortable {
	const struct pbs_jobs *p;
	double value;
	bool stopped, express;
	uint32_t level, turn, place;	/* of the queue; all 0 where the jobs are one queue */
	uint32_t fair;			/* place of the entity; U32_UNKNOWN */
	int64_t rank;
	uint32_t index;			/* in the order of submission */
	uint32_t entry;
};

/* The larger first; unknown comes last. */
static int larger(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return a > b ? -1 : a < b;
}

static int smaller(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_keys(const struct sortable *a, const struct sortable *b, size_t *key)
{
	const struct pbs_jobs *p = a->p;
	const double *x = p->key_values + a->entry * p->key_count;
	const double *y = p->key_values + b->entry * p->key_count;

	for (*key = 0; *key < p->key_count; ++*key) {
		int order = larger(x[*key], y[*key]);

		if (order != 0)
			return p->keys[*key].high || isnan(x[*key]) || isnan(y[*key]) ? order
										      : -order;
	}
	return 0;
}

static int compare(const struct sortable *a, const struct sortable *b, enum pbs_reason *why,
		   size_t *key)
{
	int order = 0;

	for (*why = PBS_REASON_RUNNABLE; *why < PBS_REASON_RANK; ++*why) {
		switch (*why) {
		case PBS_REASON_RUNNABLE: order = (int)a->stopped - (int)b->stopped; break;
		case PBS_REASON_QUEUE: order = smaller(a->level, b->level); break;
		case PBS_REASON_TURN: order = smaller(a->turn, b->turn); break;
		case PBS_REASON_PLACE: order = smaller(a->place, b->place); break;
		case PBS_REASON_EXPRESS: order = (int)b->express - (int)a->express; break;
		case PBS_REASON_FORMULA: order = larger(a->value, b->value); break;
		case PBS_REASON_FAIRSHARE: order = smaller(a->fair, b->fair); break;
		case PBS_REASON_KEY: order = compare_keys(a, b, key); break;
		case PBS_REASON_RANK: break;
		}
		if (order != 0)
			return order;
	}
	order = smaller(a->rank, b->rank);
	return order != 0 ? order : smaller(a->index, b->index);
}

static int compare_sortable(const void *a, const void *b)
{
	enum pbs_reason why;
	size_t key;

	return compare(a, b, &why, &key);
}

/* Of an entry that does not compete with those of other queues all three stay 0. */
static void set_place(const struct pbs_jobs *p, struct sortable *s)
{
	uint32_t row = p->queue[s->entry];

	if (row == ROW_NONE || !(p->policy->by_queue || p->policy->round_robin))
		return;
	/* next_job() looks for express jobs first; sort_jobs() has put them to the front. */
	if (s->express && !p->policy->round_robin && !p->policy->fair_share)
		return;
	s->level = p->level[row];
	s->turn = p->turn ? p->turn[s->entry] : 0;
	s->place = p->place[row];
}

static struct sortable sortable_of(const struct pbs_jobs *p, uint32_t entry, uint32_t index)
{
	uint32_t assoc = p->index->assoc[entry];
	int64_t rank = cluster_i64(p->model->cluster, F_JOB_QUEUE_RANK, p->index->job[entry]);
	struct sortable s = { .p = p, .entry = entry, .index = index };

	s.stopped = pbs_jobs_stopped(p, entry) != NULL;
	s.express = pbs_jobs_is_express(p, entry);
	s.value = p->policy->job_sort_formula[0] ? p->value[entry] : 0;
	if (p->policy->fair_share)
		s.fair = assoc != ROW_NONE ? p->model->fs->rank[assoc] : U32_UNKNOWN;
	s.rank = rank == I64_UNKNOWN ? 0 : rank;
	set_place(p, &s);
	return s;
}

/* ---- the order ------------------------------------------------------------------------------- */

static void sort(const struct pbs_jobs *p, struct sortable *all)
{
	for (uint32_t i = 0; i < p->n; i++)
		all[i] = sortable_of(p, p->index->by_submit[i], i);
	qsort(all, p->n, sizeof(*all), compare_sortable);
}

/* ALL is sorted queue after queue: what waits in each is counted. */
static void take_turns(struct pbs_jobs *p, const struct sortable *all)
{
	uint32_t *turn = mem_zalloc(p->n, sizeof(*turn)), last = ROW_NONE, count = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t e = all[i].entry;

		if (p->queue[e] != last) {
			last = p->queue[e];
			count = 0;
		}
		if (p->index->kind[e] == JOB_PENDING && !all[i].stopped)
			turn[e] = ++count;
	}
	p->turn = turn;
}

void pbs_order_set(struct pbs_jobs *p)
{
	bool formula = p->policy->job_sort_formula[0] != '\0';
	struct sortable *all = mem_alloc(p->n, sizeof(*all));

	evaluate_keys(p);
	sort(p, all);
	if (p->policy->round_robin) {
		take_turns(p, all);
		sort(p, all);
	}
	for (uint32_t i = 0; i < p->n; i++) {
		bool unknown = formula && isnan(p->value[all[i].entry]);

		p->priority[all[i].entry] = unknown ? U32_UNKNOWN : p->n - i;
	}
	mem_free(all);
}

enum pbs_reason pbs_jobs_reason(const struct pbs_jobs *p, uint32_t a, uint32_t b, size_t *key)
{
	struct sortable x = sortable_of(p, a, a), y = sortable_of(p, b, b);
	enum pbs_reason why;
	size_t number;

	(void)compare(&x, &y, &why, key ? key : &number);
	return why;
}

void pbs_order_free(struct pbs_jobs *p)
{
	mem_free(p->queue);
	mem_free(p->level);
	mem_free(p->place);
	mem_free(p->turn);
	mem_free(p->keys);
	mem_free(p->key_values);
}
