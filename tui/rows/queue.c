/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/rows/queue.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/cluster/idmap.h"

const char *const queue_terms_names[JOBS_TERMS_COUNT] = { "points", "factors", "percent" };

double queue_part(const struct jobs *j, enum queue_part part, uint32_t row)
{
	double sum = 0;

	if (!jobs_has_terms(j, row))
		return F64_UNKNOWN;
	for (uint32_t i = 0; i < prio_part_count(j->prio); i++)
		sum += queue_part_of(i) == part ? prio_part(&j->input, j->prio, i, row, NULL) : 0;
	return sum;
}

enum queue_part queue_part_of(uint32_t i)
{
	if (i < PRIO_FACTORS)
		return (enum queue_part)i;
	return i == PRIO_SITE ? PART_SITE : i == PRIO_NICE ? PART_NICE : PART_TRES;
}

/* Rounds the ends of the parts, not their lengths, so that the total length is right. */
bool queue_stack(const struct jobs *j, uint32_t row, double whole, int cells,
		 int filled[PART_COUNT])
{
	double sum = 0;
	int end = 0;

	memset(filled, 0, PART_COUNT * sizeof(filled[0]));
	if (!(whole > 0))
		return false;
	for (int part = 0; part < PART_COUNT; part++) {
		double x = queue_part(j, (enum queue_part)part, row);
		int next;

		/* an unknown part has no length */
		sum += x > 0 ? x : 0;
		next = sum < whole ? (int)lround(sum / whole * cells) : cells;
		filled[part] = next - end;
		end = next;
	}
	return end > 0;
}

/* The sum of a full bar; 0: no part is known. */
static double largest_sum(const struct jobs *j)
{
	double most = 0;

	for (uint32_t e = 0; e < j->index->n; e++) {
		double known = 0;

		if (j->prio->origin[e] == PRIO_COMPUTED) {
			most = fmax(most, j->prio->sum[e]);
			continue;
		}
		for (int part = 0; part < PART_COUNT; part++)
			known += fmax(queue_part(j, (enum queue_part)part, e), 0);
		if (known > 0 && j->prio->priority[e] != U32_UNKNOWN)
			most = fmax(most, j->prio->priority[e]);
	}
	return most;
}

static bool any_start(const struct jobs *j)
{
	const int64_t *start = cluster_col_i64(j->model->cluster, F_JOB_START);

	for (uint32_t e = 0; start && e < j->index->n; e++) {
		if (j->index->kind[e] < JOB_RUNNING && start[j->index->job[e]] != I64_UNKNOWN)
			return true;
	}
	return false;
}

/* A job in several partitions or QOS has a row in each, so these are part of its identity. */
static void name_jobs(struct queue *q)
{
	const struct job_index *x = q->jobs->index;
	const struct cluster *c = x->cluster;

	q->job_keys = mem_alloc(x->n, sizeof(*q->job_keys));
	q->job_names = mem_alloc(x->n, sizeof(*q->job_names));
	for (uint32_t e = 0; e < x->n; e++) {
		uint32_t array = cluster_u32(c, F_JOB_ARRAY, x->job[e]);
		uint32_t task = cluster_u32(c, F_JOB_TASK, x->job[e]);
		uint32_t id = cluster_u32(c, F_JOB_ID, x->job[e]);
		uint64_t key[3] = { cluster_key(c, TABLE_JOB, x->job[e]), 0, 0 };

		if (x->partition[e] != ROW_NONE)
			key[1] = cluster_key(c, TABLE_PARTITION, x->partition[e]);
		else if (x->several && x->partition_name[e])
			key[1] = text_hash(x->partition_name[e], strlen(x->partition_name[e]), 1);
		if (x->qos[e] != ROW_NONE && x->several)
			key[2] = cluster_key(c, TABLE_QOS, x->qos[e]);
		q->job_keys[e] = text_hash((const char *)key, sizeof(key), 2);
		if (array != U32_UNKNOWN && array != 0 && task != U32_UNKNOWN)
			snprintf(q->job_names[e], sizeof(*q->job_names), "%u_%u", array, task);
		else if (x->tasks[e] > 1)
			snprintf(q->job_names[e], sizeof(*q->job_names), "%u [%u]", id,
				 x->tasks[e]);
		else
			snprintf(q->job_names[e], sizeof(*q->job_names), "%u", id);
	}
}

uint32_t queue_array(const struct queue *q, uint32_t row)
{
	uint32_t array =
		cluster_u32(q->jobs->index->cluster, F_JOB_ARRAY, q->jobs->index->job[row]);

	return array != U32_UNKNOWN ? array : 0;
}

/* Array tasks that have started or will are separate jobs; equal pending ones are one. */
static void group_arrays(struct queue *q)
{
	const struct job_index *x = q->jobs->index;
	struct idmap seen = { 0 };
	bool several = false;

	if (!cluster_col(x->cluster, F_JOB_ARRAY))
		return;
	q->group = mem_alloc(x->n, sizeof(*q->group));
	q->group_keys = mem_alloc(x->n, sizeof(*q->group_keys));
	for (uint32_t e = 0; e < x->n; e++) {
		const uint32_t key[3] = { queue_array(q, e), x->partition[e], x->qos[e] };
		uint64_t hash = text_hash((const char *)key, sizeof(key), 4);

		q->group[e] = ROW_NONE;
		if (key[0] == 0)
			continue;
		q->group[e] = idmap_get(&seen, hash, q->groups);
		several = several || q->group[e] < q->groups;
		if (q->group[e] < q->groups)
			continue;
		q->group_keys[q->groups] = hash;
		idmap_put(&seen, hash, q->groups++);
	}
	if (!several)
		q->groups = 0;
	idmap_free(&seen);
}

static void name_classes(struct queue *q)
{
	const struct classes_data *d = q->classes;

	q->class_names = mem_alloc(d->classes->count, sizeof(*q->class_names));
	for (uint32_t k = 0; k < d->classes->count; k++)
		snprintf(q->class_names[k], sizeof(*q->class_names), "class %u", k);
}

/* If classes are off: for what they would be. */
static struct cycle_saving saving_of(const struct queue *q)
{
	const struct class_choice on = { .rules = q->choice.rules, .exclude = q->choice.exclude };
	struct classes_data *classes;
	struct cycle_saving saving;

	if (!q->choice.apart)
		return cycle_saving_of(q->classes);
	classes = classes_data_new(q->jobs, &on, NULL, 0);
	saving = cycle_saving_of(classes);
	classes_data_free(classes);
	return saving;
}

/* The rules are the cluster's. */
bool queue_is_grouped(const struct queue *q, const struct class_choice *choice)
{
	return q->classes && q->choice.apart == choice->apart &&
	       strcmp(q->exclude, choice->exclude ? choice->exclude : "") == 0;
}

struct queue *queue_regroup(const struct queue *q, const struct class_choice *choice)
{
	struct queue *g = mem_zalloc(1, sizeof(*g));

	g->jobs = q->jobs;
	g->over = g->shares_names = true;
	g->exclude = mem_strdup(choice->exclude ? choice->exclude : "");
	g->choice = *choice;
	g->choice.exclude = g->exclude;
	g->classes = classes_data_new(g->jobs, &g->choice, NULL, 0);
	classes_for_people(g->classes);
	name_classes(g);
	return g;
}

void queue_take_grouping(struct queue *q, struct queue *grouping)
{
	const struct queue former = *q, *g = grouping;

	q->choice = g->choice;
	q->exclude = g->exclude;
	q->classes = g->classes;
	q->class_names = g->class_names;
	q->saving = g->saving;
	q->saving_known = g->saving_known;
	q->toggles = g->toggles;
	q->toggles_begun = g->toggles_begun;
	grouping->exclude = former.exclude;
	grouping->classes = former.classes;
	grouping->class_names = former.class_names;
	grouping->toggles = former.toggles;
	classes_tell(q->classes, q->jobs);
}

struct queue *queue_group(struct queue *q, const struct class_choice *choice)
{
	struct queue *g = queue_regroup(q, choice);

	queue_take_grouping(q, g);
	return g;
}

const struct cycle_saving *queue_saving(struct queue *q)
{
	if (!q->saving_known)
		q->saving = saving_of(q);
	q->saving_known = true;
	return &q->saving;
}

const struct class_toggles *queue_toggles(struct queue *q)
{
	if (!q->toggles)
		q->toggles = class_toggles_new(q->jobs->model->cluster, q->choice.rules,
					       q->choice.exclude);
	return q->toggles;
}

/* Jobs grouped per slice: about 10 to 30 ms. */
#define SLICE 120000

bool queue_toggles_advance(struct queue *q)
{
	uint32_t cost = q->classes->set->jobs + 1, spent = 0;
	bool first = !q->toggles_begun, left = queue_toggles(q)->known < q->toggles->count;

	/* A new picture, or a new grouping, was work enough for this call. */
	q->toggles_begun = true;
	if (first && cost > SLICE / 4)
		return true;
	while (left && spent <= SLICE - SLICE / 4) {
		left = class_toggles_step(q->toggles);
		spent += cost;
	}
	return left;
}

struct queue *queue_new(const struct model *model)
{
	struct queue *q = mem_zalloc(1, sizeof(*q));

	q->jobs = jobs_new(model, NULL);
	q->waiting = reason_count(q->jobs, q->waits);
	q->largest = largest_sum(q->jobs);
	q->starts_known = any_start(q->jobs);
	name_jobs(q);
	group_arrays(q);
	return q;
}

struct queue *queue_over(const struct queue *base, struct jobs *jobs)
{
	struct queue *q = mem_zalloc(1, sizeof(*q));

	q->jobs = jobs;
	q->over = true;
	q->largest = largest_sum(jobs);
	q->starts_known = base->starts_known;
	q->shares_names = jobs->index == base->jobs->index;
	if (!q->shares_names) {
		q->waiting = reason_count(q->jobs, q->waits);
		name_jobs(q);
		group_arrays(q);
		return q;
	}
	q->waiting = base->waiting;
	memcpy(q->waits, base->waits, sizeof(q->waits));
	q->job_keys = base->job_keys;
	q->job_names = base->job_names;
	q->group = base->group;
	q->group_keys = base->group_keys;
	q->groups = base->groups;
	return q;
}

/* For an array, the task that begins first counts. */
void queue_take_starts(struct queue *q, struct starts *starts)
{
	const struct jobs_start unknown = { .start = I64_UNKNOWN, .p10 = I64_UNKNOWN,
					    .p50 = I64_UNKNOWN, .p90 = I64_UNKNOWN };
	uint32_t rows = cluster_rows(q->jobs->index->cluster, TABLE_JOB);

	starts_free(&q->starts);
	q->starts = *starts;
	if (!q->start_of)
		q->start_of = mem_alloc((size_t)rows + 1, sizeof(*q->start_of));
	for (uint32_t i = 0; i < rows; i++)
		q->start_of[i] = unknown;
	for (size_t i = 0; i < starts->count; i++) {
		const struct starts_row *r = &starts->rows[i];
		struct jobs_start *s = &q->start_of[r->job];

		if (s->start == I64_UNKNOWN || (r->start != I64_UNKNOWN && r->start < s->start))
			*s = (struct jobs_start){ r->start, r->p10, r->p50, r->p90, r->brief };
	}
	q->jobs->starts = q->start_of;
}

void queue_free(struct queue *q)
{
	if (!q)
		return;
	starts_free(&q->starts);
	mem_free(q->start_of);
	class_toggles_free(q->toggles);
	classes_data_free(q->classes);
	if (!q->over)
		jobs_free(q->jobs);
	if (!q->shares_names)
		MEM_FREE(q->job_keys, q->job_names, q->group, q->group_keys);
	mem_free(q->class_names);
	mem_free(q->exclude);
	mem_free(q);
}
