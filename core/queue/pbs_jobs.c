/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/pbs_jobs.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/word.h"
#include "core/cluster/host_state.h"
#include "core/queue/pbs_asked.h"
#include "core/share/pbs_share.h"
#include "core/table/order.h"

/* Appends to p->problem. */
ERR_PRINTF(2, 3) static void add_note(struct pbs_jobs *p, const char *format, ...)
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

#define ACCRUE_ELIGIBLE 2

/* ---- inputs of a formula --------------------------------------------------------------------- */

double pbs_jobs_queue_priority(const struct pbs_jobs *p, uint32_t entry)
{
	const struct cluster *c = p->model->cluster;
	uint32_t row = p->queue[entry];
	int64_t priority = row == ROW_NONE ? 0 : cluster_i64(c, F_QUEUE_PRIORITY, row);

	if (cluster_rows(c, TABLE_QUEUE) == 0)
		return F64_UNKNOWN;
	return priority == I64_UNKNOWN ? 0 : (double)priority;
}

static bool pbs_jobs_is_text(const char *text, const char *other)
{
	return text && strcmp(text, other) == 0;
}

/* Source: in_runnable_state(), is_ok_to_run_queue(). */
const char *pbs_jobs_stopped(const struct pbs_jobs *p, uint32_t entry)
{
	const struct cluster *c = p->model->cluster;
	uint32_t row = p->queue[entry], assoc = p->index->assoc[entry];

	if (pbs_jobs_is_text(cluster_text(c, F_JOB_JOB_STATE, p->index->job[entry]), "T"))
		return "it is being moved";
	if (queue_elsewhere(c, row))
		return "its queue belongs to another scheduler";
	if (row != ROW_NONE && pbs_jobs_is_text(cluster_text(c, F_QUEUE_QUEUE_TYPE, row), "Route"))
		return "its queue routes jobs and runs none";
	if (row != ROW_NONE && cluster_bool(c, F_QUEUE_STARTED, row) == 0)
		return "its queue is not started";
	if (p->policy->fair_share && p->policy->fairshare_enforce_no_shares && assoc != ROW_NONE &&
	    p->model->fs->norm_shares[assoc] == 0)
		return "its entity has no shares, and fairshare_enforce_no_shares is set";
	if (p->has_threshold && p->value[entry] <= p->threshold)
		return "the formula gives it no more than job_sort_formula_threshold";
	return NULL;
}

/* Amount of a resource as the scheduler counts it; 0 if the job does not request it. */
static double resource_of(const struct pbs_jobs *p, uint32_t entry, const char *name)
{
	const struct cluster *c = p->model->cluster;
	struct text_list list = cluster_list(c, F_JOB_RESOURCES, p->index->job[entry]);
	const char *value = cluster_list_value(c, list, name, strlen(name));

	if (!list.texts)
		return F64_UNKNOWN;
	return value ? pbs_amount(value) : 0;
}

/* Rounds as "%f" prints. */
static double six_decimals(double x)
{
	return round(x * 1e6) / 1e6;
}

static double pbs_jobs_fairshare(const struct pbs_jobs *p, const double *array, uint32_t entry)
{
	uint32_t assoc = p->index->assoc[entry];

	return array && assoc != ROW_NONE ? six_decimals(array[assoc]) : F64_UNKNOWN;
}

static double pbs_jobs_whole(int64_t x)
{
	return x == I64_UNKNOWN ? F64_UNKNOWN : (double)x;
}

static double pbs_jobs_input(const struct pbs_jobs *p, const char *name, uint32_t entry)
{
	const struct cluster *c = p->model->cluster;
	const struct fs_result *fs = p->model->fs;
	uint32_t job = p->index->job[entry], accrue = cluster_u32(c, F_JOB_ACCRUE_TYPE, job);

	if (strcmp(name, "eligible_time") == 0) {
		int64_t eligible = cluster_i64(c, F_JOB_ELIGIBLE_TIME, job);

		return eligible == I64_UNKNOWN && !p->policy->eligible_time_enable
			       ? 0
			       : pbs_jobs_whole(eligible);
	}
	if (strcmp(name, "queue_priority") == 0)
		return pbs_jobs_queue_priority(p, entry);
	if (strcmp(name, "job_priority") == 0)
		return pbs_jobs_whole(cluster_i64(c, F_JOB_JOB_PRIORITY, job));
	if (strcmp(name, "fairshare_perc") == 0 || strcmp(name, "fair_share_perc") == 0)
		return pbs_jobs_fairshare(p, fs->norm_shares, entry);
	if (strcmp(name, "fairshare_tree_usage") == 0)
		return pbs_jobs_fairshare(p, fs->effective_usage, entry);
	if (strcmp(name, "fairshare_factor") == 0)
		return pbs_jobs_fairshare(p, fs->fairshare, entry);
	if (strcmp(name, "accrue_type") == 0)
		return accrue == U32_UNKNOWN ? F64_UNKNOWN : accrue;
	return resource_of(p, entry, name);
}

static void pbs_jobs_evaluate(struct pbs_jobs *p)
{
	size_t names = p->formula ? pbs_formula_names(p->formula) : 0;

	p->inputs = mem_alloc(p->n, names * sizeof(double));
	for (uint32_t e = 0; e < p->n; e++) {
		double *row = p->inputs + e * names;

		for (size_t i = 0; i < names; i++)
			row[i] = pbs_jobs_input(p, pbs_formula_name(p->formula, i), e);
		p->value[e] = p->formula ? pbs_formula_value(p->formula, row, NULL) : F64_UNKNOWN;
	}
}

/* An input of the formula at another time, with another usage of its entity. */
static double input_at(const struct pbs_jobs *p, uint32_t entry, const char *name, double now,
		       int64_t ago, double drift)
{
	uint32_t assoc = p->index->assoc[entry];
	const struct fs_result *fs = p->model->fs;

	if (strcmp(name, "eligible_time") == 0 &&
	    cluster_u32(p->model->cluster, F_JOB_ACCRUE_TYPE, p->index->job[entry]) ==
	    ACCRUE_ELIGIBLE)
		return now - (double)ago;
	if (strcmp(name, "fairshare_tree_usage") == 0)
		return now + drift;
	if (strcmp(name, "fairshare_factor") == 0 && drift != 0 && assoc != ROW_NONE &&
	    fs->norm_shares[assoc] > 0)
		return now * exp2(-drift / fs->norm_shares[assoc]);
	return now;
}

double pbs_jobs_value_at(const struct pbs_jobs *p, uint32_t entry, int64_t time, double drift)
{
	const struct cluster *c = p->model->cluster;
	size_t names = p->formula ? pbs_formula_names(p->formula) : 0;
	int64_t now = cluster_meta(c)->time;
	double *values, value;

	if (!p->formula || now == I64_UNKNOWN || time == I64_UNKNOWN)
		return F64_UNKNOWN;
	values = mem_alloc(names, sizeof(*values));
	for (size_t i = 0; i < names; i++)
		values[i] = input_at(p, entry, pbs_formula_name(p->formula, i),
				     p->inputs[entry * names + i], now - time, drift);
	value = pbs_formula_value(p->formula, values, NULL);
	mem_free(values);
	return value;
}

/* ---- queues ---------------------------------------------------------------------------------- */

/* Like cmp_queue_prio_dsc(); equal ones keep the server's order. */
static void place_queues(struct pbs_jobs *p)
{
	const struct cluster *c = p->model->cluster;
	uint32_t n = cluster_rows(c, TABLE_QUEUE), level = 0;
	struct order_item *all = mem_alloc(n, 2 * sizeof(*all));

	p->level = mem_alloc(n, sizeof(*p->level));
	p->place = mem_alloc(n, sizeof(*p->place));
	for (uint32_t row = 0; row < n; row++) {
		int64_t priority = cluster_i64(c, F_QUEUE_PRIORITY, row);

		priority = priority == I64_UNKNOWN ? 0 : priority;
		all[row] = (struct order_item){ ~order_key_rising(priority), row, 0 };
	}
	order_sort(all, all + n, n);
	for (uint32_t i = 0; i < n; i++) {
		level += i == 0 || all[i].key != all[i - 1].key;
		p->level[all[i].row] = level;
		p->place[all[i].row] = i + 1;
	}
	mem_free(all);
}

/* Consecutive entries are mostly in one queue. */
static void pbs_jobs_find_queues(struct pbs_jobs *p)
{
	const struct cluster *c = p->model->cluster;
	uint32_t last = TEXT_NONE, row = ROW_NONE;

	p->queue = mem_alloc(p->n, sizeof(*p->queue));
	for (uint32_t e = 0; e < p->n; e++) {
		uint32_t name = cluster_text_id(c, F_JOB_PARTITION, p->index->job[e]);

		if (name != last) {
			last = name;
			row = cluster_row_of(c, F_QUEUE_NAME, name);
		}
		p->queue[e] = row;
	}
}

bool pbs_jobs_assumed(const struct pbs_jobs *p)
{
	static const char *const names[] = { "resources", "fair_share", "by_queue", "round_robin",
					     "job_sort_key" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (policy_knows(p->policy, names[i]))
			return false;
	}
	return true;
}

const char *pbs_jobs_undecided(const struct pbs_jobs *p)
{
	static const char *const names[] = { "fair_share", "by_queue", "round_robin",
					     "preemptive_sched", "job_sort_key" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (policy_unreported(p->policy, names[i]))
			return names[i];
	}
	return NULL;
}

/* Only root can read what decides. */
static void note_assumed(struct pbs_jobs *p)
{
	if (pbs_jobs_undecided(p))
		add_note(p, "the order is unknown, as %s is unknown", pbs_jobs_undecided(p));
	else if (pbs_jobs_assumed(p))
		add_note(p, "sched_config was not read: its defaults decide the order");
}

/* A top job's requested usage is charged to its entity within the cycle (fifo.cpp). */
static void note_top_jobs(struct pbs_jobs *p)
{
	/* With depths per queue the number of top jobs is unknown. */
	bool own = cluster_col_u32(p->model->cluster, F_QUEUE_BACKFILL_DEPTH) != NULL;
	char count[40] = "each top job";

	if (!p->policy->fair_share || !p->policy->strict_ordering ||
	    (p->policy->backfill_depth == 0 && !own))
		return;
	if (!own)
		(void)snprintf(count, sizeof(count), "each of up to %u top jobs",
			       p->policy->backfill_depth);
	add_note(p, "the order is that at the start of a cycle: with strict_ordering, %s adds "
		 "usage to its entity during the cycle, and jobs of that entity move back (fairtop "
		 "cycle shows this)", count);
}

static void set_queues(struct pbs_jobs *p)
{
	note_assumed(p);
	note_top_jobs(p);
	place_queues(p);
	pbs_jobs_find_queues(p);
}

/* ---- levels of preempt_prio ------------------------------------------------------------------ */

/* Has the entity used more than its share of all usage? BOOL_UNKNOWN */
static uint8_t pbs_jobs_is_over(const struct pbs_jobs *p, const double *usage, uint32_t entry)
{
	uint32_t assoc = p->index->assoc[entry];
	double part;

	if (!usage || assoc == ROW_NONE)
		return BOOL_UNKNOWN;
	part = usage[0] * p->model->fs->norm_shares[assoc];
	return isnan(part) || isnan(usage[assoc]) ? BOOL_UNKNOWN : part < usage[assoc];
}

/* Per association; NULL unknown. */
static const double *pbs_jobs_usage_of(const struct pbs_jobs *p)
{
	return p->model->fs->n > 0 ? cluster_col_f64(p->model->cluster, F_ASSOC_USAGE) : NULL;
}

/* Level by the usage of each association, and by the running jobs in LEVELS. */
static int32_t standing_of(const struct pbs_jobs *p, const struct pbs_levels *levels,
			   const double *usage, uint32_t entry)
{
	return pbs_level(levels, p->index->job[entry], pbs_jobs_queue_priority(p, entry),
			 pbs_jobs_is_over(p, usage, entry));
}

double pbs_jobs_standing(const struct pbs_jobs *p, uint32_t entry)
{
	return p->standing[entry] == PBS_LEVEL_UNKNOWN ? F64_UNKNOWN : p->standing[entry];
}

static void set_standings(struct pbs_jobs *p)
{
	const double *usage = pbs_jobs_usage_of(p);
	uint32_t unknown = 0;

	p->levels = pbs_levels_new(p->model->cluster, p->policy);
	p->standing = mem_alloc(p->n, sizeof(*p->standing));
	for (uint32_t e = 0; e < p->n; e++) {
		p->standing[e] = standing_of(p, p->levels, usage, e);
		unknown += p->standing[e] == PBS_LEVEL_UNKNOWN && p->index->kind[e] == JOB_PENDING;
	}
	if (unknown > 0)
		add_note(p, "the preempt_prio level, and so the rank, of %u pending %s is unknown: "
			 "those over a soft limit or the fair share are unknown", unknown,
			 unknown == 1 ? "job" : "jobs");
}

/* ---- job_sort_key ---------------------------------------------------------------------------- */

/* "ncpus HIGH"; false if malformed: the scheduler then ignores the line. */
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

/* Reads the lines, separated by commas. */
static void parse_keys(struct pbs_jobs *p)
{
	const char *s = p->policy->job_sort_key;
	size_t capacity = 0;

	while (*s) {
		size_t n = strcspn(s, ",");
		struct pbs_sort_key key;

		if (parse_key(s, n, &key)) {
			MEM_GROW(p->keys, capacity, p->key_count + 1);
			p->keys[p->key_count++] = key;
		} else if (strspn(s, " \t") < n) {
			add_note(p, "job_sort_key \"%.*s\" is ignored, as in PBS: it is not NAME "
				      "HIGH or NAME LOW", n < 60 ? (int)n : 60, s);
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
		return pbs_jobs_standing(p, entry);
	return resource_of(p, entry, name);
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
	bool stopped;
	int32_t standing;
	uint32_t level, turn, place;	/* of the queue; all 0 if the jobs form one queue */
	uint32_t fair;			/* place of the entity; U32_UNKNOWN */
	const struct fs_result *within;	/* in a cycle: to compare paths again; or NULL */
	int64_t rank;
	uint32_t index;			/* in order of submission */
	uint32_t entry;
};

/* The larger comes first, unknown last. */
static int pbs_jobs_larger(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return a > b ? -1 : a < b;
}

static int pbs_jobs_smaller(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_keys(const struct sortable *a, const struct sortable *b, size_t *key)
{
	const struct pbs_jobs *p = a->p;
	const double *x = p->key_values + a->entry * p->key_count;
	const double *y = p->key_values + b->entry * p->key_count;

	for (*key = 0; *key < p->key_count; ++*key) {
		int order = pbs_jobs_larger(x[*key], y[*key]);

		if (order != 0)
			return p->keys[*key].high || isnan(x[*key]) || isnan(y[*key]) ? order
										      : -order;
	}
	return 0;
}

static int compare_fair(const struct sortable *a, const struct sortable *b)
{
	uint32_t x, y;

	if (!a->within || a->fair == U32_UNKNOWN || b->fair == U32_UNKNOWN)
		return pbs_jobs_smaller(a->fair, b->fair);
	return pbs_compare_paths(a->p->model->tree, a->within, a->p->index->assoc[a->entry],
				 a->p->index->assoc[b->entry], &x, &y);
}

static int pbs_jobs_compare(const struct sortable *a, const struct sortable *b,
			    enum pbs_reason *why, size_t *key)
{
	int order = 0;

	for (*why = PBS_REASON_RUNNABLE; *why < PBS_REASON_RANK; ++*why) {
		switch (*why) {
		case PBS_REASON_RUNNABLE: order = (int)a->stopped - (int)b->stopped; break;
		case PBS_REASON_QUEUE: order = pbs_jobs_smaller(a->level, b->level); break;
		case PBS_REASON_TURN: order = pbs_jobs_smaller(a->turn, b->turn); break;
		case PBS_REASON_PLACE: order = pbs_jobs_smaller(a->place, b->place); break;
		case PBS_REASON_STANDING: order = pbs_jobs_smaller(b->standing, a->standing); break;
		case PBS_REASON_FORMULA: order = pbs_jobs_larger(a->value, b->value); break;
		case PBS_REASON_FAIRSHARE: order = compare_fair(a, b); break;
		case PBS_REASON_KEY: order = compare_keys(a, b, key); break;
		case PBS_REASON_RANK: break;
		}
		if (order != 0)
			return order;
	}
	order = pbs_jobs_smaller(a->rank, b->rank);
	return order != 0 ? order : pbs_jobs_smaller(a->index, b->index);
}

static int compare_sortable(const void *a, const void *b)
{
	enum pbs_reason why;
	size_t key;

	return pbs_jobs_compare(a, b, &why, &key);
}

/* All three stay 0 if the entry does not compete with those of other queues. */
static void set_place(const struct pbs_jobs *p, struct sortable *s)
{
	uint32_t row = p->queue[s->entry];

	if (row == ROW_NONE || !(p->policy->by_queue || p->policy->round_robin))
		return;
	/* next_job() looks for express jobs first; sort_jobs() has moved them to the front. */
	if (pbs_level_is_high(p->levels, s->standing) && !p->policy->round_robin &&
	    !p->policy->fair_share)
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
	s.standing = p->standing[entry];
	s.value = p->policy->job_sort_formula[0] ? p->value[entry] : 0;
	if (p->policy->fair_share)
		s.fair = assoc != ROW_NONE ? p->model->fs->rank[assoc] : U32_UNKNOWN;
	s.rank = rank == I64_UNKNOWN ? 0 : rank;
	set_place(p, &s);
	return s;
}

/* ---- the order ------------------------------------------------------------------------------- */

static void pbs_jobs_sort(const struct pbs_jobs *p, struct sortable *all)
{
	for (uint32_t i = 0; i < p->n; i++)
		all[i] = sortable_of(p, p->index->by_submit[i], i);
	qsort(all, p->n, sizeof(*all), compare_sortable);
}

/* Numbers the turns; ALL is sorted by queue. */
static void pbs_jobs_take_turns(struct pbs_jobs *p, const struct sortable *all)
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

/* Does fair share decide, with the charged entity, or its usage, unknown? */
static bool is_unplaced(const struct pbs_jobs *p, uint32_t entry)
{
	uint32_t assoc = p->index->assoc[entry];

	if (!p->policy->fair_share || assoc == ROW_NONE)
		return p->policy->fair_share;
	return p->model->fs->n > 0 && p->model->fs->rank[assoc] == U32_UNKNOWN &&
	       !f64_known(cluster_f64(p->model->cluster, F_ASSOC_USAGE, assoc));
}

const char *pbs_jobs_unplaced(const struct pbs_jobs *p, uint32_t entry)
{
	if (pbs_jobs_undecided(p))
		return "a setting that determines the order is unknown";
	if (p->policy->job_sort_formula[0] && !p->formula)
		return "job_sort_formula is not understood";
	if (p->policy->job_sort_formula[0] && isnan(p->value[entry]))
		return "its value of job_sort_formula is unknown";
	if (p->standing[entry] == PBS_LEVEL_UNKNOWN)
		return "its level of preempt_prio is unknown";
	return is_unplaced(p, entry) ? "the entity charged, or its usage, is unknown" : NULL;
}

static void pbs_jobs_set_order(struct pbs_jobs *p)
{
	uint32_t unplaced = 0;
	struct sortable *all = mem_alloc(p->n, sizeof(*all));

	evaluate_keys(p);
	pbs_jobs_sort(p, all);
	if (p->policy->round_robin) {
		pbs_jobs_take_turns(p, all);
		pbs_jobs_sort(p, all);
	}
	for (uint32_t i = 0; i < p->n; i++) {
		bool elsewhere = queue_elsewhere(p->model->cluster, p->queue[all[i].entry]);
		bool unknown = elsewhere || pbs_jobs_unplaced(p, all[i].entry);

		unplaced += !elsewhere && is_unplaced(p, all[i].entry) &&
			    p->index->kind[all[i].entry] == JOB_PENDING;
		p->priority[all[i].entry] = unknown ? U32_UNKNOWN : p->n - i;
	}
	if (unplaced > 0)
		add_note(p, "the rank of %u pending %s is unknown: fair share decides, and the "
			 "entity charged, or its usage, is unknown", unplaced,
			 unplaced == 1 ? "job" : "jobs");
	mem_free(all);
}

enum pbs_reason pbs_jobs_reason(const struct pbs_jobs *p, uint32_t a, uint32_t b, size_t *key)
{
	struct sortable x = sortable_of(p, a, a), y = sortable_of(p, b, b);
	enum pbs_reason why;
	size_t number;

	(void)pbs_jobs_compare(&x, &y, &why, key ? key : &number);
	return why;
}

/* ---- within a cycle -------------------------------------------------------------------------- */

struct pbs_cycle {
	const struct pbs_jobs *p;
	struct pbs_formula *usage_res;
	struct fs_result result;	/* the model's, with its own USAGE and PERC */
	double *usage, *perc;		/* per association */
	struct pbs_levels *levels;
	int32_t *standing;		/* per entry */
	uint32_t last;			/* last charged entry outside reservations; ROW_NONE */
};

/* Prepares charging during the cycle; false without fair share, or if something is unknown. */
static bool follow_usage(struct pbs_cycle *c)
{
	const struct model *m = c->p->model;
	const double *usage = pbs_jobs_usage_of(c->p);
	uint32_t n = m->fs->n;

	if (!c->p->policy->fair_share || !usage || !m->fs->own[PBS_OWN_USAGE_PERC] ||
	    !policy_knows(c->p->policy, "fairshare_usage_res"))
		return false;
	c->usage_res = pbs_formula_parse(c->p->policy->fairshare_usage_res, NULL);
	if (!c->usage_res)
		return false;
	c->usage = mem_alloc(n, sizeof(*c->usage));
	c->perc = mem_alloc(n, sizeof(*c->perc));
	memcpy(c->usage, usage, n * sizeof(*usage));
	memcpy(c->perc, m->fs->own[PBS_OWN_USAGE_PERC], n * sizeof(*c->perc));
	c->result.own[PBS_OWN_USAGE_PERC] = c->perc;
	return true;
}

struct pbs_cycle *pbs_cycle_new(const struct pbs_jobs *p)
{
	struct pbs_cycle *c = mem_zalloc(1, sizeof(*c));

	*c = (struct pbs_cycle){ .p = p, .result = *p->model->fs, .last = ROW_NONE };
	if (!follow_usage(c) && (p->policy->fair_share || !pbs_levels_move(p->levels))) {
		mem_free(c);
		return NULL;
	}
	c->levels = pbs_levels_new(p->model->cluster, p->policy);
	c->standing = mem_alloc(p->n, sizeof(*c->standing));
	if (p->n > 0)
		memcpy(c->standing, p->standing, p->n * sizeof(*c->standing));
	return c;
}

void pbs_cycle_free(struct pbs_cycle *c)
{
	if (!c)
		return;
	pbs_formula_free(c->usage_res);
	pbs_levels_free(c->levels);
	MEM_FREE(c->standing, c->usage, c->perc, c);
}

/* Jobs of the same user, group or project, as update_preemption_priority() checks. */
static bool is_akin(const struct pbs_jobs *p, uint32_t a, uint32_t b)
{
	static const enum field who[] = { F_JOB_USER, F_JOB_EGROUP, F_JOB_PROJECT };
	const struct cluster *c = p->model->cluster;
	size_t i = 0;

	while (i < 3 && cluster_text_id(c, who[i], p->index->job[a]) !=
			cluster_text_id(c, who[i], p->index->job[b]))
		i++;
	return i < 3;
}

/* Counts a started job: who exceeds a soft limit now? */
static void pbs_jobs_count_running(struct pbs_cycle *c, uint32_t entry)
{
	const double *usage = c->usage ? c->usage : pbs_jobs_usage_of(c->p);

	if (!pbs_levels_run(c->levels, c->p->index->job[entry]))
		return;
	for (uint32_t e = 0; e < c->p->n; e++) {
		if (is_akin(c->p, e, entry))
			c->standing[e] = standing_of(c->p, c->levels, usage, e);
	}
}

void pbs_cycle_charge(struct pbs_cycle *c, uint32_t entry, bool runs)
{
	const struct fs_tree *t = c->p->model->tree;
	size_t names = c->usage_res ? pbs_formula_names(c->usage_res) : 0;
	double *asked, amount;

	if (!job_is_reserved(c->p->model->cluster, c->p->index->job[entry]))
		c->last = entry;
	if (runs)
		pbs_jobs_count_running(c, entry);
	if (!c->usage_res)
		return;
	asked = mem_alloc(names, sizeof(*asked));
	for (size_t i = 0; i < names; i++)
		asked[i] = resource_of(c->p, entry, pbs_formula_name(c->usage_res, i));
	amount = pbs_formula_value(c->usage_res, asked, NULL);
	mem_free(asked);
	for (uint32_t i = c->p->index->assoc[entry]; f64_known(amount) && i != ROW_NONE;
	     i = t->fs_parent[i]) {
		c->usage[i] += amount;
		if (c->result.norm_shares[i] > 0)
			c->perc[i] = c->usage[i] / c->result.norm_shares[i];
	}
}

/* The round continues with the queue after the last job's, so others are a turn later. */
static void go_round(const struct pbs_cycle *c, struct sortable *all, uint32_t n)
{
	struct sortable last = { .level = U32_UNKNOWN };
	uint32_t turn = 0;

	if (c->last != ROW_NONE)
		last = sortable_of(c->p, c->last, 0);

	for (uint32_t i = 0; i < n; i++)
		all[i].turn = 0;
	qsort(all, n, sizeof(*all), compare_sortable);
	for (uint32_t i = 0; i < n; i++) {
		bool same = i > 0 && c->p->queue[all[i].entry] == c->p->queue[all[i - 1].entry];

		turn = same ? turn + 1 : 1;
		all[i].turn = turn + (all[i].level == last.level && all[i].place <= last.place);
	}
}

void pbs_cycle_sort(struct pbs_cycle *c, uint32_t *entries, uint32_t n)
{
	struct sortable *all = mem_alloc(n, sizeof(*all));

	/* Jobs of reservations come first and are not sorted again: next_job(). */
	for (; n > 0 && job_is_reserved(c->p->model->cluster, c->p->index->job[*entries]); n--)
		entries++;
	for (uint32_t i = 0; i < n; i++) {
		/* Stable. */
		all[i] = sortable_of(c->p, entries[i], i);
		all[i].standing = c->standing[entries[i]];
		all[i].within = c->usage_res ? &c->result : NULL;
	}
	if (c->p->policy->round_robin)
		go_round(c, all, n);
	qsort(all, n, sizeof(*all), compare_sortable);
	for (uint32_t i = 0; i < n; i++)
		entries[i] = all[i].entry;
	mem_free(all);
}

/* ---- the whole ------------------------------------------------------------------------------ */

struct pbs_jobs *pbs_jobs_new(const struct model *m, const struct job_index *x,
			      const struct policy *policy)
{
	struct pbs_jobs *p = mem_zalloc(1, sizeof(*p));
	struct err err = { .code = ERR_NONE };

	*p = (struct pbs_jobs){ .model = m, .index = x, .policy = policy, .n = x->n };
	p->value = mem_alloc(p->n, sizeof(*p->value));
	p->priority = mem_alloc(p->n, sizeof(*p->priority));
	if (policy->job_sort_formula[0]) {
		p->formula = pbs_formula_parse(policy->job_sort_formula, &err);
		if (!p->formula)
			add_note(p, "%.290s", err.message);
	}
	p->has_threshold = p->formula &&
			   policy_real(policy, policy_param("job_sort_formula_threshold"),
				       &p->threshold);
	set_queues(p);
	set_standings(p);
	pbs_jobs_evaluate(p);
	pbs_jobs_set_order(p);
	return p;
}

void pbs_jobs_free(struct pbs_jobs *p)
{
	if (!p)
		return;
	pbs_formula_free(p->formula);
	MEM_FREE(p->queue, p->level, p->place, p->turn);
	pbs_levels_free(p->levels);
	MEM_FREE(p->standing, p->keys, p->key_values, p->inputs, p->value, p->priority, p);
}

/* ---- explanation ----------------------------------------------------------------------------- */

static void explain_formula_of(const struct pbs_jobs *p, uint32_t entry, struct explain *e)
{
	size_t names = pbs_formula_names(p->formula);
	const double *row = p->inputs + entry * names;
	struct explain_step *s;

	for (size_t i = 0; i < names; i++) {
		s = explain_add(e, pbs_formula_name(p->formula, i), row[i], NULL);
		if (isnan(row[i]))
			explain_note(s, "hidden from this user, or unknown");
		else
			explain_formula(s, "input of the formula");
	}
	for (size_t i = 0; i < pbs_formula_terms(p->formula); i++) {
		s = explain_add(e, "term", pbs_formula_term_value(p->formula, i, row), NULL);
		explain_formula(s, "%s", pbs_formula_term(p->formula, i));
	}
	s = explain_add(e, "priority", p->value[entry], NULL);
	explain_formula(s, "%.190s", p->policy->job_sort_formula);
	explain_note(s, "in single precision: close values tie");
}

/* The suffix for an assumed setting NAME. */
static const char *pbs_jobs_assumed_note(const struct pbs_jobs *p, const char *name)
{
	if (policy_unreported(p->policy, name))
		return " (unknown: it has another value in prime time)";
	return policy_hides(p->policy, name) ?
		" (PBS's default: sched_config was not read)" : "";
}

/* Explains the order among jobs of several queues. */
static void explain_queue_of(const struct pbs_jobs *p, uint32_t entry, struct explain *e)
{
	uint32_t row = p->queue[entry];
	struct explain_step *s = explain_add(e, "queue", pbs_jobs_queue_priority(p, entry),
					     "priority of the queue");

	if (p->policy->round_robin)
		explain_note(s, "round_robin: level after level of this priority");
	else
		explain_note(s, "by_queue: queue by queue%s", pbs_jobs_assumed_note(p, "by_queue"));
	if (p->turn) {
		s = explain_add(e, "turn", p->turn[entry] ? p->turn[entry] : F64_UNKNOWN,
				"rank within its queue");
		explain_note(s, "the first job of each queue of a level, then the second of each");
	}
	if (row != ROW_NONE) {
		s = explain_add(e, "place", p->place[row], "rank of the queue");
		explain_note(s, "queues of equal priority are in the server's order");
	}
}

static void explain_keys(const struct pbs_jobs *p, uint32_t entry, struct explain *e)
{
	for (size_t k = 0; k < p->key_count; k++) {
		struct explain_step *s = explain_add(e, p->keys[k].name,
						     p->key_values[entry * p->key_count + k], NULL);

		explain_formula(s, "job_sort_key %s %s", p->keys[k].name,
				p->keys[k].high ? "HIGH" : "LOW");
		explain_note(s, "decides between jobs that are equal by all above; the %s is first",
			     p->keys[k].high ? "larger" : "smaller");
	}
}

void pbs_jobs_explain(const struct pbs_jobs *p, uint32_t entry, struct explain *e)
{
	const struct cluster *c = p->model->cluster;
	uint32_t assoc = p->index->assoc[entry];
	struct explain_step *s;

	if (pbs_jobs_stopped(p, entry)) {
		s = explain_add(e, "runs", 0, NULL);
		explain_note(s, "%s", pbs_jobs_stopped(p, entry));
	}
	if (p->policy->by_queue || p->policy->round_robin)
		explain_queue_of(p, entry, e);
	if (p->policy->preemptive_sched) {
		s = explain_add(e, "preempt_prio", pbs_jobs_standing(p, entry),
				"by express queue, fair share, soft limits");
		explain_formula(s, "%.190s", p->policy->preempt_prio);
		explain_note(s, "the larger is first; 99000 is the first level, each further level "
			     "is 1000 less, that of an express queue more by its Priority%s",
			     pbs_jobs_assumed_note(p, "preemptive_sched"));
	}
	if (p->formula) {
		explain_formula_of(p, entry, e);
	} else if (p->problem[0] && p->policy->job_sort_formula[0]) {
		s = explain_add(e, "priority", F64_UNKNOWN, NULL);
		explain_note(s, "%.190s", p->problem);
	}
	if (p->policy->fair_share && assoc != ROW_NONE) {
		p->model->algo->explain(&p->model->input, p->model->fs, assoc, e);
	} else if (p->policy->fair_share || !p->policy->job_sort_formula[0]) {
		s = explain_add(e, "fair share", F64_UNKNOWN, NULL);
		explain_note(s, policy_unreported(p->policy, "fair_share") ?
			     "unknown: fair_share has another value in prime time" :
			     p->policy->fair_share ? "the entity or the tree is unknown" :
			     *pbs_jobs_assumed_note(p, "fair_share") ?
			     "unknown: fair_share is in sched_config, which was not read; assumed "
			     "off" :
			     "fair_share is off and no formula is set");
	}
	explain_keys(p, entry, e);
	s = explain_add(e, "queue_rank",
			pbs_jobs_whole(cluster_i64(c, F_JOB_QUEUE_RANK, p->index->job[entry])),
			"time of arrival, in microseconds");
	explain_note(s, "decides between jobs that are equal by all above%s; the smaller is first",
		     *pbs_jobs_assumed_note(p, "job_sort_key") ?
			     " and by job_sort_key, which was not read" : "");
}
