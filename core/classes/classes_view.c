/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/classes/classes_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/classes/class_values.h"
#include "core/cluster/host_state.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/table/order.h"

#define SHOWN_MAX (2 * CLASS_VALUE_MAX)

static bool classes_waits(const struct cluster *c, uint32_t job)
{
	enum job_kind kind = job_kind_of(c, job);

	return kind != JOB_RUNNING && kind != JOB_ENDED;
}

/* ---- ranks ---------------------------------------------------------------------------------- */

/* Sets the best rank of each job's entries; jobs that do not compete have none. */
static void take_ranks(struct classes_data *d)
{
	const struct job_index *x = d->jobs->index;
	uint32_t rows = cluster_rows(x->cluster, TABLE_JOB);
	uint32_t *best = mem_alloc(rows, sizeof(*best));

	memset(best, 0xff, rows * sizeof(*best));
	for (uint32_t e = 0; e < x->n; e++) {
		uint32_t rank = d->jobs->order->rank[e];

		if (rank != U32_UNKNOWN && rank < best[x->job[e]])
			best[x->job[e]] = rank;
	}
	d->rank = mem_alloc(d->set->jobs, sizeof(*d->rank));
	for (uint32_t i = 0; i < d->set->jobs; i++)
		d->rank[i] = best[d->set->job[i]] == UINT32_MAX ? U32_UNKNOWN
								: best[d->set->job[i]];
	mem_free(best);
}

static void take_order(struct classes_data *d)
{
	struct order_item *places = mem_alloc(d->set->jobs, 2 * sizeof(*places));

	d->order = mem_alloc(d->set->jobs, sizeof(*d->order));
	for (uint32_t i = 0; i < d->set->jobs; i++)
		places[i] = (struct order_item){ d->rank[i], i, 0 };
	order_sort(places, places + d->set->jobs, d->set->jobs);
	for (uint32_t i = 0; i < d->set->jobs; i++)
		d->order[i] = places[i].row;
	mem_free(places);
}

/* ---- facts ---------------------------------------------------------------------------------- */

static int classes_by_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return a < b ? -1 : a > b;
}

static uint32_t classes_count_users(const struct classes_data *d, uint32_t class, uint32_t *users)
{
	uint32_t n = 0, distinct = 0;

	for (uint32_t m = d->classes->first[class]; m < d->classes->first[class + 1]; m++)
		users[n++] = cluster_text_id(d->jobs->model->cluster, F_JOB_USER,
					     d->set->job[d->classes->members[m]]);
	qsort(users, n, sizeof(*users), classes_by_number);
	for (uint32_t i = 0; i < n; i++)
		distinct += i == 0 || users[i] != users[i - 1];
	return distinct;
}

static void take_facts(struct classes_data *d)
{
	const struct cluster *c = d->jobs->model->cluster;
	uint32_t *users = mem_alloc(d->set->jobs, sizeof(*users));

	d->facts = mem_zalloc(d->classes->count, sizeof(*d->facts));
	for (uint32_t k = 0; k < d->classes->count; k++) {
		struct class_facts *f = &d->facts[k];

		f->first_rank = f->last_rank = U32_UNKNOWN;
		f->head = d->classes->members[d->classes->first[k]];
		f->users = classes_count_users(d, k, users);
		for (uint32_t m = d->classes->first[k]; m < d->classes->first[k + 1]; m++) {
			uint32_t i = d->classes->members[m], rank = d->rank[i];

			if (classes_waits(c, d->set->job[i]))
				f->waiting +=
					job_tasks(cluster_text(c, F_JOB_TASKS, d->set->job[i]));
			else
				f->running += job_kind_of(c, d->set->job[i]) == JOB_RUNNING;
			if (rank == U32_UNKNOWN)
				continue;
			if (f->first_rank == U32_UNKNOWN || rank < f->first_rank) {
				f->first_rank = rank;
				f->head = i;
			}
			if (f->last_rank == U32_UNKNOWN || rank > f->last_rank)
				f->last_rank = rank;
		}
	}
	mem_free(users);
}

static void find_telling(struct classes_data *d)
{
	d->telling = mem_zalloc(d->set->count, sizeof(*d->telling));
	for (size_t k = 0; k < d->set->count; k++) {
		const uint32_t *ids = d->set->components[k].ids;

		for (uint32_t i = 1; i < d->set->jobs; i++)
			d->telling[k] = d->telling[k] || ids[i] != ids[0];
	}
}

/*
 * Values that people recognise without their names, to keep keys short: user, queue, time limit,
 * chunks and placement.
 */
static bool classes_is_plain(const char *name, const char *text)
{
	static const char *const plain[] = { "user", "euser", "account", "partition", "queue",
					     "qos", "time_limit", "walltime", "select", "place" };

	/* A list would run into what follows it. */
	for (size_t i = 0; !strchr(text, ',') && i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (strcmp(name, plain[i]) == 0)
			return true;
	}
	return false;
}

struct parting {
	struct classes_data *d;
	bool *taken;		/* per component: all these classes agree in it */
	uint32_t *seen;		/* per text: the last count that met it */
	uint32_t counts;
	struct order_item *spare;
};

/* Worth of component K: its values beyond one, relative to the cells that a value takes. */
static double worth_of(struct parting *p, const struct order_item *classes, uint32_t n, size_t k)
{
	const struct class_set *set = p->d->set;
	const char *name = set->names[k];
	size_t values = 0, cells = 0;

	p->counts++;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t head = p->d->facts[classes[i].row].head, id = set->components[k].ids[head];
		const char *text;

		if (p->seen[id] == p->counts)
			continue;
		p->seen[id] = p->counts;
		text = class_set_value(set, k, head);
		values++;
		cells += 1 + strlen(text) + (classes_is_plain(name, text) ? 0 : strlen(name) + 1);
	}
	return (double)(values - 1) * (double)values / (double)cells;
}

/* The component with the highest worth, first of equals; set->count: all agree. */
static size_t most_telling(struct parting *p, const struct order_item *classes, uint32_t n)
{
	const struct class_set *set = p->d->set;
	size_t best = set->count;
	double most = 0;

	for (size_t k = 0; k < set->count; k++) {
		double worth;

		if (p->taken[k] || set->components[k].excluded || !p->d->telling[k])
			continue;
		worth = worth_of(p, classes, n, k);
		if (worth > most) {
			most = worth;
			best = k;
		}
	}
	return best;
}

/* Gives the next place in the keys of N classes, equal so far, to what separates them best. */
static void classes_part(struct parting *p, struct order_item *classes, uint32_t n,
			 uint16_t place)
{
	const struct classes_data *d = p->d;
	size_t k = n > 1 ? most_telling(p, classes, n) : d->set->count;

	if (k == d->set->count)
		return;
	for (uint32_t i = 0; i < n; i++)
		classes[i].key = d->set->components[k].ids[d->facts[classes[i].row].head];
	order_sort(classes, p->spare, n);
	p->taken[k] = true;
	for (uint32_t from = 0, to; from < n; from = to) {
		for (to = from; to < n && classes[to].key == classes[from].key; to++)
			d->place[classes[to].row * d->set->count + k] = place;
		classes_part(p, classes + from, to - from, (uint16_t)(place + 1));
	}
	p->taken[k] = false;
}

void classes_for_people(struct classes_data *d)
{
	struct order_item *classes = mem_alloc(d->classes->count, 2 * sizeof(*classes));
	struct parting p = { .d = d, .spare = classes + d->classes->count };
	size_t texts;

	(void)text_bytes(d->set->text, &texts);
	p.seen = mem_zalloc(texts, sizeof(*p.seen));
	p.taken = mem_zalloc(d->set->count, sizeof(*p.taken));
	d->place = mem_zalloc(d->classes->count, d->set->count * sizeof(*d->place));
	for (uint32_t i = 0; i < d->classes->count; i++)
		classes[i].row = i;
	classes_part(&p, classes, d->classes->count, 1);
	MEM_FREE(classes, p.seen, p.taken);
}

struct class_choice class_choice_of(const struct cluster *c)
{
	const struct policy *p = cluster_policy(c);

	return (struct class_choice){ .rules = class_rules_of(c), .exclude = p->equiv_class_exclude,
				      .apart = !p->equiv_class_enable };
}

enum classes_known classes_known(const struct classes_data *d)
{
	const struct class_set *s = d->set;

	for (size_t k = 0; k < s->count; k++) {
		if (s->components[k].excluded && strcmp(s->names[k], "egroup") == 0)
			return CLASSES_ALL;
	}
	if (d->apart || s->without_group == 0 || s->with_group + s->without_group == 1)
		return CLASSES_ALL;
	return s->with_group == 0 ? CLASSES_AT_LEAST : CLASSES_VAGUE;
}

const char *classes_unset(const struct classes_data *d, size_t k)
{
	return classes_known(d) != CLASSES_ALL && strcmp(d->set->names[k], "egroup") == 0 ?
	       "unset or unknown" : "unset";
}

uint32_t classes_own(const struct classes_data *d)
{
	const struct cluster *c = d->jobs->model->cluster;
	uint32_t n = 0;

	if (!class_rules_pbs(d->set->rules))
		return d->classes->count;
	for (uint32_t k = 0; k < d->classes->count; k++) {
		uint32_t head = d->set->job[d->classes->members[d->classes->first[k]]];

		n += !queue_elsewhere(c, cluster_queue_of(c, head));
	}
	return n;
}

struct classes_data *classes_data_new(const struct jobs *j, const struct class_choice *choice,
				      char *unknown, size_t unknown_size)
{
	struct classes_data *d = mem_zalloc(1, sizeof(*d));

	d->jobs = j;
	d->exclude = choice->exclude;
	d->apart = choice->apart;
	d->set = class_set_new(j->model->cluster, choice->rules, choice->exclude, unknown,
			       unknown_size);
	if (choice->apart)
		class_set_apart(d->set, j->model->cluster);
	d->classes = classes_new(d->set->components, d->set->count, d->set->jobs);
	take_ranks(d);
	take_order(d);
	take_facts(d);
	find_telling(d);
	d->scratch = mem_zalloc(d->set->count, sizeof(*d->scratch));
	d->shown = mem_alloc(SHOWN_MAX, 1);
	d->ids = mem_zalloc(d->set->jobs, sizeof(*d->ids));
	d->id_texts = mem_zalloc(d->set->jobs, sizeof(*d->id_texts));
	return d;
}

void classes_tell(const struct classes_data *d, struct jobs *j)
{
	if (!class_rules_pbs(d->set->rules))
		return;
	mem_free(j->class_of);
	j->class_of = classes_by_job(d, cluster_rows(j->model->cluster, TABLE_JOB));
}

void classes_tell_chosen(struct jobs *j, const struct class_choice *choice)
{
	struct class_choice own = class_choice_of(j->model->cluster);
	struct classes_data *d;

	if (!class_rules_pbs(own.rules))
		return;
	d = classes_data_new(j, choice ? choice : &own, NULL, 0);
	classes_tell(d, j);
	classes_data_free(d);
}

void classes_data_free(struct classes_data *d)
{
	if (!d)
		return;
	classes_free(d->classes);
	class_set_free(d->set);
	MEM_FREE(d->facts, d->rank, d->order, d->telling, d->place, d->scratch, d->shown, d->ids,
		 d->id_texts, d->base_class, d->keys, d);
}

static bool tells_apart(const struct classes_data *d, size_t k, uint32_t a, uint32_t b)
{
	const struct class_component *component = &d->set->components[k];
	uint32_t x = d->classes->members[d->classes->first[a]];
	uint32_t y = d->classes->members[d->classes->first[b]];

	return !component->excluded && component->ids[x] != component->ids[y];
}

size_t classes_differ(const struct classes_data *d, uint32_t a, uint32_t b)
{
	size_t n = 0;

	for (size_t k = 0; k < d->set->count; k++)
		n += tells_apart(d, k, a, b);
	return n;
}

void classes_difference(const struct classes_data *d, uint32_t a, uint32_t b, char *buf,
			size_t size)
{
	uint32_t x = d->classes->members[d->classes->first[a]];
	uint32_t y = d->classes->members[d->classes->first[b]];
	char left[CLASS_VALUE_MAX], right[CLASS_VALUE_MAX];

	buf[0] = '\0';
	for (size_t k = 0; k < d->set->count; k++) {
		if (!tells_apart(d, k, a, b))
			continue;
		class_set_shown(d->set, k, x, left, sizeof(left));
		class_set_shown(d->set, k, y, right, sizeof(right));
		format_append(buf, size, "%s %s %s against %s", buf[0] ? "," : "same except for",
			      d->set->names[k], *left ? left : classes_unset(d, k),
			      *right ? right : classes_unset(d, k));
	}
	if (!buf[0])
		(void)snprintf(buf, size, "the same class");
}

/* ---- columns -------------------------------------------------------------------------------- */

static const struct classes_data *data_of(const struct position *pos)
{
	return pos->context;
}

static void classes_get_class(const struct position *pos, struct value *out)
{
	value_set_count(out, pos->row);
}

/* Is the number known? Others may be hidden. */
static bool classes_is_counted(const struct classes_data *d)
{
	return !cluster_hides_jobs(d->jobs->model->cluster);
}

static void classes_get_jobs(const struct position *pos, struct value *out)
{
	const struct classes *c = data_of(pos)->classes;

	if (classes_is_counted(data_of(pos)))
		value_set_count(out, c->first[pos->row + 1] - c->first[pos->row]);
}

static void get_fact(const struct position *pos, struct value *out)
{
	const struct class_facts *facts = &data_of(pos)->facts[pos->row];

	if (classes_is_counted(data_of(pos)))
		value_set_count(out, *(const uint32_t *)POSITION_MEMBER(pos, facts));
}

/* Adds component K of the class to its key, unless it is redundant; USED: of d->shown. */
static void add_component(const struct classes_data *d, size_t k, uint32_t member,
			  struct value *out, size_t *used)
{
	struct value_entry *e = &d->scratch[out->count];

	*e = (struct value_entry){ .key = d->set->names[k],
				   .text = class_set_value(d->set, k, member) };
	if (*e->text == '\0' || !d->telling[k] || d->set->components[k].excluded)
		return;
	out->count++;
	e->bare = classes_is_plain(e->key, e->text);
	if (d->place && *used < SHOWN_MAX) {
		e->shown = d->shown + *used;
		class_set_shown(d->set, k, member, d->shown + *used, SHOWN_MAX - *used);
		*used += strlen(d->shown + *used) + 1;
	}
}

static void get_key(const struct position *pos, struct value *out)
{
	const struct classes_data *d = data_of(pos);
	const uint16_t *place = d->place ? d->place + pos->row * d->set->count : NULL;
	uint32_t member = d->classes->members[d->classes->first[pos->row]];
	size_t used = 0;

	out->kind = VALUE_MAP;
	out->entries = d->scratch;
	out->count = 0;
	for (uint16_t next = 1; place && next <= d->set->count; next++) {
		for (size_t k = 0; k < d->set->count; k++) {
			if (place[k] == next)
				add_component(d, k, member, out, &used);
		}
	}
	for (size_t k = 0; k < d->set->count; k++) {
		if (!place || place[k] == 0)
			add_component(d, k, member, out, &used);
	}
}

static void classes_get_reason(const struct position *pos, struct value *out)
{
	const struct classes_data *d = data_of(pos);
	const struct cluster *c = d->jobs->model->cluster;
	uint32_t job = d->set->job[d->facts[pos->row].head];
	const char *text = cluster_text(c, F_JOB_REASON, job);

	if (!text || !*text)
		text = cluster_text(c, F_JOB_REASON_TEXT, job);
	value_set_text(out, d->facts[pos->row].waiting != 0 ? text : NULL);
}

static void get_ids(const struct position *pos, struct value *out)
{
	const struct classes_data *d = data_of(pos);
	const struct cluster *c = d->jobs->model->cluster;

	out->kind = VALUE_LIST;
	out->entries = d->ids;
	out->count = 0;
	for (uint32_t m = d->classes->first[pos->row]; m < d->classes->first[pos->row + 1]; m++) {
		uint32_t i = d->classes->members[m], job = d->set->job[i];
		const char *text = cluster_text(c, F_JOB_JOB_ID, job);

		if (!text) {
			(void)snprintf(d->id_texts[i], sizeof(d->id_texts[i]), "%u",
				       (unsigned)cluster_u32(c, F_JOB_ID, job));
			text = d->id_texts[i];
		}
		d->ids[out->count++] = (struct value_entry){ .text = text };
	}
}

#define NEEDS (NEED_JOBS | NEED_QOS | NEED_PARTITIONS | NEED_POLICY)
#define RANKS (NEEDS | NEED_SHARES | NEED_LIMITS | NEED_PRIO | NEED_HOSTS)

#define FACT(count) offsetof(struct class_facts, count)

const struct column classes_columns[] = {
	{ .name = "class", .title = "Class", .width = 5, .keep = 255, .needs = NEEDS,
	  .only = ALWAYS, .rises = true,
	  .get = classes_get_class, .legend = "number of the class, in the order of the jobs",
	  .changes.none = true },
	{ .name = "jobs", .title = "Jobs", .width = 6, .keep = 200, .needs = NEEDS, .only = ALWAYS,
	  .get = classes_get_jobs, .legend = "identical queue entries",
	  .changes = { .shape = { NULL, 6, 60, 6, 171 }, .only = ALWAYS } },
	{ .name = "waiting", .title = "Waiting", .width = 7, .keep = 190, .needs = NEEDS,
	  .only = ALWAYS, .get = get_fact, .which = FACT(waiting),
	  .legend = "pending jobs, counting every array task",
	  .changes.shape = { "Wait", 7, 59, 7, 95 } },
	{ .name = "running", .title = "Running", .width = 7, .keep = 150, .needs = NEEDS,
	  .only = ALWAYS, .get = get_fact, .which = FACT(running), .legend = "running jobs",
	  .changes.shape = { "Run", 7, 6, 7, 7 } },
	{ .name = "users", .title = "Users", .width = 5, .keep = 100, .needs = NEEDS,
	  .only = ALWAYS, .get = get_fact, .which = FACT(users), .legend = "different users",
	  .changes.shape = { NULL, 5, 4, 5, 5 } },
	{ .name = "first_rank", .title = "First", .width = 6, .keep = 180, .needs = RANKS,
	  .rises = true, .only = ALWAYS, .get = get_fact, .which = FACT(first_rank),
	  .legend = "best rank of its jobs",
	  .changes = { .shape = { NULL, 9, 182, 6, 240 }, .base_only = ALWAYS, .only = ALWAYS,
		       .places = true, .name = "rank_change", .heading = "Moves",
		       .legend = "ranks gained by its first job; negative: lost" } },
	{ .name = "last_rank", .title = "Last", .width = 6, .keep = 90, .needs = RANKS,
	  .only = ALWAYS, .rises = true,
	  .get = get_fact, .which = FACT(last_rank), .legend = "last rank of its jobs",
	  .changes = { .shape = { NULL, 8, 80, 6, 91 }, .places = true, .heading = "LMoves",
		       .legend = "ranks gained by its last job; negative: lost" } },
	{ .name = "reason", .title = "Reason", .width = 19, .keep = 170, .left = true,
	  .needs = NEEDS, .only = ALWAYS, .get = classes_get_reason,
	  .legend = "why its first job is pending; in PBS all others inherit it" },
	{ .name = "key", .title = "Key", .width = 54, .keep = 160, .left = true, .needs = NEEDS,
	  .only = ALWAYS, .get = get_key,
	  .legend = "what its jobs have in common, where jobs differ" },
	{ .name = "ids", .title = "IDs", .width = 30, .keep = 10, .left = true, .needs = NEEDS,
	  .get = get_ids, .legend = "its jobs" },
};
const size_t classes_columns_count = sizeof(classes_columns) / sizeof(classes_columns[0]);

struct view classes_view(const struct classes_data *d)
{
	return view_of("classes", classes_columns, classes_columns_count, d, d->classes->count);
}
