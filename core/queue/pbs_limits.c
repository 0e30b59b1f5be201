/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/pbs_limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/word.h"
#include "core/cluster/host_state.h"
#include "core/cluster/idmap.h"
#include "core/queue/job_index.h"
#include "core/queue/pbs_asked.h"

/* "u:ann=5" of a queue or, with ROW_NONE, of the server. */
struct pbs_limits_entry {
	uint32_t queue;
	char kind;			/* u g p o */
	char resource[64];		/* "": counts jobs */
	char name[80];			/* "": generic, or for all together */
	double most;
	const char *word;		/* supply of a non-numeric resource, "red,blue" */
	char words[300];		/* the scheduler's, when it is reached */
	uint32_t group;			/* shared by limits that differ only in their names */
};

/* A job of an account begins or ends at TIME. */
struct limits_change {
	int64_t time;
	double delta;
};

/* Amounts against one limit for one user, group or project, an unknown owner, or all. */
struct limits_account {
	double used;			/* now; NaN unknown */
	struct limits_change *changes;	/* future ones */
	size_t count, capacity;
	bool sorted;			/* by time */
};

struct pbs_limits {
	const struct cluster *c;
	enum pbs_limits_of of;
	struct pbs_limits_entry *limits;	/* in the order of the scheduler's checks */
	size_t count, capacity;
	bool planned;			/* some job begins later */
	int64_t now;
	struct idmap places;		/* index in ACCOUNTS, by group and owner */
	struct limits_account *accounts;
	size_t account_count, account_capacity;
};

/* ---- reading --------------------------------------------------------------------------------- */

static const char *kind_word(char kind)
{
	return kind == 'u' ? "user" : kind == 'g' ? "group" : "project";
}

/* Source: fctt[] of job_info.cpp. */
static void find_words(const struct pbs_limits *p, struct pbs_limits_entry *l)
{
	const struct cluster *c = p->c;
	const char *queue = l->queue == ROW_NONE ? NULL : cluster_text(c, F_QUEUE_NAME, l->queue);
	const char *who = kind_word(l->kind), *job = queue || l->kind == 'u' ? "job " : "";
	char where[100] = "Server", in[100] = "complex";

	if (queue) {
		snprintf(where, sizeof(where), "Queue %.80s", queue);
		snprintf(in, sizeof(in), "queue %.80s", queue);
	}
	if (p->of == PBS_SUPPLY)
		snprintf(l->words, sizeof(l->words), "Insufficient amount of %s resource: %s",
			 queue ? "queue" : "server", l->resource);
	else if (l->resource[0] && l->kind == 'o')
		snprintf(l->words, sizeof(l->words),
			 "would exceed overall limit on resource %s in %s", l->resource, in);
	else if (l->resource[0] && l->name[0])
		snprintf(l->words, sizeof(l->words),
			 "would exceed %s %s's limit on resource %s in %s", who, l->name,
			 l->resource, in);
	else if (l->resource[0])
		snprintf(l->words, sizeof(l->words), "%s per-%s limit reached on resource %s",
			 where, who, l->resource);
	else if (l->kind == 'o')
		snprintf(l->words, sizeof(l->words), "%s job limit reached", where);
	else if (l->name[0])
		snprintf(l->words, sizeof(l->words), "%s job limit reached for %s %s", where, who,
			 l->name);
	else
		snprintf(l->words, sizeof(l->words), "%s per-%s %slimit reached", where, who, job);
}

static void pbs_limits_add_limit(struct pbs_limits *p, struct pbs_limits_entry l,
				 const char *amount)
{
	l.most = pbs_amount(amount);
	if (!f64_known(l.most) && p->of != PBS_SUPPLY)
		return;
	l.word = f64_known(l.most) ? NULL : amount;
	find_words(p, &l);
	MEM_GROW(p->limits, p->capacity, p->count + 1);
	p->limits[p->count++] = l;
}

/* "[u:PBS_GENERIC=2],[u:bruno=1]" */
static void read_new(struct pbs_limits *p, struct pbs_limits_entry l, const char *text)
{
	for (; (text = strchr(text, '[')); text++) {
		const char *name = text + 3, *value;
		char amount[64];
		size_t n;

		l.kind = text[1];
		if (!l.kind || !strchr("ugpo", l.kind) || text[2] != ':')
			continue;
		n = strcspn(name, "]");
		for (value = name + n; value > name && *value != '=';)
			value--;
		snprintf(l.name, sizeof(l.name), "%.*s", (int)(value - name), name);
		if (l.kind == 'o' || strcmp(l.name, "PBS_GENERIC") == 0)
			l.name[0] = '\0';
		snprintf(amount, sizeof(amount), "%.*s",
			 value == name ? 0 : (int)(name + n - value - 1), value + 1);
		pbs_limits_add_limit(p, l, amount);
	}
}

/* Reads one "max_run_res.ncpus=[g:PBS_GENERIC=10]" of the list from qstat. */
static void read_limit(struct pbs_limits *p, uint32_t queue, const char *text)
{
	static const char soft[] = "_soft";
	static const struct {
		const char *name;
		char kind;		/* 0: new style, with the kind in the value */
	} names[] = {
		{ "max_run", 0 }, { "max_run_res", 0 }, { "max_running", 'o' },
		{ "max_user_run", 'u' }, { "max_group_run", 'g' }, { "max_user_res", 'u' },
		{ "max_group_res", 'g' },
	};
	size_t length = strcspn(text, ".="), end = strcspn(text, "="), i = 0, name = length;
	struct pbs_limits_entry l = { .queue = queue };

	if (p->of == PBS_SOFT && length > strlen(soft) &&
	    strncmp(text + length - strlen(soft), soft, strlen(soft)) == 0)
		name -= strlen(soft);
	while (i < sizeof(names) / sizeof(names[0]) && !word_equal_n(text, name, names[i].name))
		i++;
	if (p->of == PBS_SOFT && name == length)
		return;
	if (i == sizeof(names) / sizeof(names[0]) || text[end] != '=')
		return;
	if (end > length)
		snprintf(l.resource, sizeof(l.resource), "%.*s", (int)(end - length - 1),
			 text + length + 1);
	l.kind = names[i].kind;
	if (l.kind)
		pbs_limits_add_limit(p, l, text + end + 1);
	else
		read_new(p, l, text + end + 1);
}

/* "ncpus=64" or "color=red,blue" of resources_available, if the scheduler checks it. */
static void read_supply(struct pbs_limits *p, uint32_t queue, const char *text)
{
	const char *looked_at = cluster_policy(p->c)->resources;
	size_t length = strcspn(text, "=");
	struct pbs_limits_entry l = { .queue = queue, .kind = 'o' };

	if (text[length] == '\0' || (*looked_at && !word_listed(looked_at, text, length)))
		return;
	snprintf(l.resource, sizeof(l.resource), "%.*s", (int)length, text);
	pbs_limits_add_limit(p, l, text + length + 1);
}

/* LIMITS of a queue or the server, or its AVAILABLE supply. */
static void limits_read_row(struct pbs_limits *p, uint32_t queue, struct text_list limits,
			    struct text_list available)
{
	struct text_list list = p->of == PBS_SUPPLY ? available : limits;

	for (uint32_t i = 0; i < list.count; i++) {
		const char *text = cluster_string(p->c, list.texts[i]);

		if (p->of == PBS_SUPPLY)
			read_supply(p, queue, text);
		else
			read_limit(p, queue, text);
	}
}

/* Order of limfuncs[]: jobs before resources, queue before server, and g p o u. */
static int compare_groups(const struct pbs_limits_entry *a, const struct pbs_limits_entry *b)
{
	static const char kinds[] = "gpou";

	if (!a->resource[0] != !b->resource[0])
		return a->resource[0] ? 1 : -1;
	if (a->queue != b->queue)
		return a->queue < b->queue ? -1 : 1;
	if (a->kind != b->kind)
		return strchr(kinds, a->kind) < strchr(kinds, b->kind) ? -1 : 1;
	return strcmp(a->resource, b->resource);
}

/* A named limit precedes the generic one. */
static int compare_limits(const void *x, const void *y)
{
	const struct pbs_limits_entry *a = x, *b = y;
	int order = compare_groups(a, b);

	return order != 0 ? order : -strcmp(a->name, b->name);
}

static void read_limits(struct pbs_limits *p)
{
	const struct cluster *c = p->c;
	uint32_t group = 0;

	for (uint32_t q = 0; q < cluster_rows(c, TABLE_QUEUE); q++)
		limits_read_row(p, q, cluster_list(c, F_QUEUE_LIMITS, q),
				cluster_list(c, F_QUEUE_RESOURCES_AVAILABLE, q));
	for (uint32_t s = 0; s < cluster_rows(c, TABLE_SERVER); s++)
		limits_read_row(p, ROW_NONE, cluster_list(c, F_SERVER_LIMITS, s),
				cluster_list(c, F_SERVER_RESOURCES_AVAILABLE, s));
	if (p->count > 0)
		qsort(p->limits, p->count, sizeof(*p->limits), compare_limits);
	for (size_t i = 0; i < p->count; i++) {
		group += i > 0 && compare_groups(&p->limits[i - 1], &p->limits[i]) != 0;
		p->limits[i].group = group;
	}
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Owner that limit L applies to for JOB: a text; TEXT_NONE: unknown. */
static uint32_t limits_whose(const struct cluster *c, const struct pbs_limits_entry *l,
			     uint32_t job)
{
	switch (l->kind) {
	case 'u': return cluster_text_id(c, F_JOB_USER, job);
	case 'g': return cluster_text_id(c, F_JOB_EGROUP, job);
	case 'p': return cluster_text_id(c, F_JOB_PROJECT, job);
	default: return TEXT_EMPTY;
	}
}

static bool is_under(const struct pbs_limits *p, const struct pbs_limits_entry *l, uint32_t job)
{
	const struct cluster *c = p->c;

	/* A job of a reservation uses what that already holds of the server. */
	if (p->of == PBS_SUPPLY && l->queue == ROW_NONE)
		return !job_is_reserved(c, job);
	return l->queue == ROW_NONE || cluster_text_id(c, F_QUEUE_NAME, l->queue) ==
				       cluster_text_id(c, F_JOB_PARTITION, job);
}

/* The value of L's resource in LIST, even if 0: "4gb"; NULL. */
static const char *limits_value_in(const struct cluster *c, const struct pbs_limits_entry *l,
				   struct text_list list)
{
	return cluster_list_value(c, list, l->resource, strlen(l->resource));
}

static const char *asked_of(const struct cluster *c, const struct pbs_limits_entry *l, uint32_t job)
{
	return limits_value_in(c, l, cluster_list(c, F_JOB_RESOURCES, job));
}

/* Is JOB's request one of the words of L? Source: compare_non_consumable(). */
static bool is_word_of(const struct cluster *c, const struct pbs_limits_entry *l, uint32_t job)
{
	const char *asked = asked_of(c, l, job);

	if (word_equal(asked, "True") || word_equal(asked, "False"))
		return word_equal(asked, l->word);
	return word_listed(l->word, asked, strlen(asked));
}

/* Limits apply only to jobs that request the resource (check_max_user_res() and others). */
static bool pbs_limits_is_asked(const struct cluster *c, const struct pbs_limits_entry *l,
				uint32_t job)
{
	return !l->resource[0] || !cluster_list(c, F_JOB_RESOURCES, job).texts ||
	       asked_of(c, l, job);
}

/* The amount of L that JOB takes; 0 if not requested, NaN if unknown. */
static double limits_amount_of(const struct cluster *c, const struct pbs_limits_entry *l,
			       uint32_t job)
{
	const char *asked = asked_of(c, l, job);

	if (!l->resource[0])
		return 1;
	if (asked)
		return pbs_amount(asked);
	return cluster_list(c, F_JOB_RESOURCES, job).texts ? 0 : F64_UNKNOWN;
}

/* The account it counts in; NULL: nothing has counted yet. */
static struct limits_account *limits_account_of(const struct pbs_limits *p,
						const struct pbs_limits_entry *l, uint32_t who)
{
	uint32_t place = idmap_get(&p->places, (uint64_t)l->group << 32 | who, ROW_NONE);

	return place == ROW_NONE ? NULL : &p->accounts[place];
}

static struct limits_account *add_account(struct pbs_limits *p, const struct pbs_limits_entry *l,
					  uint32_t who)
{
	size_t place = p->account_count++;

	MEM_GROW(p->accounts, p->account_capacity, p->account_count);
	p->accounts[place] = (struct limits_account){ 0 };
	idmap_put(&p->places, (uint64_t)l->group << 32 | who, (uint32_t)place);
	return &p->accounts[place];
}

static void limits_add_change(struct limits_account *a, int64_t time, double delta)
{
	MEM_GROW(a->changes, a->capacity, a->count + 1);
	a->changes[a->count++] = (struct limits_change){ time, delta };
	a->sorted = false;
}

bool pbs_limits_use(struct pbs_limits *p, uint32_t job, int64_t from, int64_t to)
{
	bool any = false;

	for (size_t i = 0; p && i < p->count; i++) {
		const struct pbs_limits_entry *l = &p->limits[i];
		uint32_t who = limits_whose(p->c, l, job);
		struct limits_account *a;
		double amount;

		if (!is_under(p, l, job) || l->word)
			continue;
		any = true;
		if (i > 0 && l[-1].group == l->group)
			continue;
		a = limits_account_of(p, l, who);
		a = a ? a : add_account(p, l, who);
		amount = limits_amount_of(p->c, l, job);
		if (from > p->now)
			limits_add_change(a, from, amount);
		else
			a->used += amount;
		limits_add_change(a, to, -amount);
	}
	if (p && from > p->now)
		p->planned = true;
	return any;
}

/* Uses the reported assigned amount instead of the running jobs, which may be incomplete. */
static void use_assigned(struct pbs_limits *p, const struct pbs_limits_entry *l)
{
	struct text_list list = l->queue != ROW_NONE ?
		cluster_list(p->c, F_QUEUE_RESOURCES_ASSIGNED, l->queue) :
		cluster_list(p->c, F_SERVER_RESOURCES_ASSIGNED, 0);
	const char *reported = limits_value_in(p->c, l, list);
	struct limits_account *a = limits_account_of(p, l, TEXT_EMPTY);

	if (!reported)
		return;
	a = a ? a : add_account(p, l, TEXT_EMPTY);
	a->used = pbs_amount(reported);
}

struct pbs_limits *pbs_limits_new(const struct cluster *c, enum pbs_limits_of of)
{
	struct pbs_limits *p = mem_zalloc(1, sizeof(*p));

	p->c = c;
	p->of = of;
	p->now = cluster_meta(c)->time == I64_UNKNOWN ? 0 : cluster_meta(c)->time;
	read_limits(p);
	if (p->count == 0) {
		pbs_limits_free(p);
		return NULL;
	}
	for (uint32_t job = 0; job < cluster_rows(c, TABLE_JOB); job++) {
		const char *state = cluster_text(c, F_JOB_STATE, job);

		/* Another scheduler's jobs do not count. */
		if (state && strcmp(state, "RUNNING") == 0 &&
		    !queue_elsewhere(c, cluster_queue_of(c, job)))
			(void)pbs_limits_use(p, job, INT64_MIN, pbs_job_end(c, job, p->now));
	}
	for (size_t i = 0; of == PBS_SUPPLY && i < p->count; i++)
		use_assigned(p, &p->limits[i]);
	return p;
}

void pbs_limits_free(struct pbs_limits *p)
{
	if (!p)
		return;
	idmap_free(&p->places);
	for (size_t i = 0; i < p->account_count; i++)
		mem_free(p->accounts[i].changes);
	mem_free(p->accounts);
	mem_free(p->limits);
	mem_free(p);
}

/* ---- checking -------------------------------------------------------------------------------- */

static int limits_by_time(const void *x, const void *y)
{
	const struct limits_change *a = x, *b = y;

	return (a->time > b->time) - (a->time < b->time);
}

/* The maximum that counts between FROM and TO. */
static double used_over(const struct pbs_limits *p, struct limits_account *a, int64_t from,
			int64_t to)
{
	double used = a ? a->used : 0, most;
	size_t i = 0;

	if (!a || (from <= p->now && !p->planned))
		return used;
	if (!a->sorted && a->count > 0)
		qsort(a->changes, a->count, sizeof(*a->changes), limits_by_time);
	a->sorted = true;
	for (; i < a->count && a->changes[i].time <= from; i++)
		used += a->changes[i].delta;
	for (most = used; i < a->count && a->changes[i].time < to;) {
		int64_t time = a->changes[i].time;

		for (; i < a->count && a->changes[i].time == time; i++)
			used += a->changes[i].delta;
		most = used > most || isnan(used) ? used : most;
	}
	return most;
}

/* Do jobs with unknown owners count, too, between FROM and TO? */
static bool limits_is_vague(const struct pbs_limits *p, const struct pbs_limits_entry *l,
			    int64_t from, int64_t to)
{
	return used_over(p, limits_account_of(p, l, TEXT_NONE), from, to) != 0;
}

/* Does it apply to WHO? (No earlier limit of the same group did.) */
static bool is_for(const struct pbs_limits *p, const struct pbs_limits_entry *l, uint32_t who)
{
	return !l->name[0] || strcmp(l->name, cluster_string(p->c, who)) == 0;
}

const char *pbs_limits_check(const struct pbs_limits *p, uint32_t job, int64_t from, int64_t to)
{
	uint32_t done = UINT32_MAX;

	for (size_t i = 0; p && i < p->count; i++) {
		const struct pbs_limits_entry *l = &p->limits[i];
		uint32_t who = limits_whose(p->c, l, job);
		double amount;

		if (l->group == done || !is_under(p, l, job))
			continue;
		if (who == TEXT_NONE)
			return "unknown: whose limit the job counts against";
		if (!is_for(p, l, who))
			continue;
		done = l->group;
		if (!pbs_limits_is_asked(p->c, l, job))
			continue;
		if (l->word && asked_of(p->c, l, job)) {
			if (!is_word_of(p->c, l, job))
				return l->words;
			continue;
		}
		amount = limits_amount_of(p->c, l, job);
		if (p->of == PBS_SUPPLY && amount == 0)
			continue;
		amount += used_over(p, limits_account_of(p, l, who), from, to);
		if (amount > l->most)
			return l->words;
		if (isnan(amount) || limits_is_vague(p, l, from, to))
			return "unknown: the amount that counts against a limit";
	}
	return NULL;
}

/* Is WHO, the owner of JOB, over soft limit L? */
static uint8_t limits_is_over(const struct pbs_limits *p, const struct pbs_limits_entry *l,
			      uint32_t job, uint32_t who)
{
	double amount = limits_amount_of(p->c, l, job);
	double used = used_over(p, limits_account_of(p, l, who), INT64_MIN, INT64_MIN);

	if (!pbs_limits_is_asked(p->c, l, job))
		return false;
	if (who == TEXT_NONE || isnan(amount) || isnan(used))
		return BOOL_UNKNOWN;
	return used > l->most ? true :
	       limits_is_vague(p, l, INT64_MIN, INT64_MIN) ? BOOL_UNKNOWN : false;
}

void pbs_limits_over(const struct pbs_limits *p, uint32_t job, uint8_t *queue, uint8_t *server)
{
	uint32_t done = UINT32_MAX;

	*queue = *server = false;
	for (size_t i = 0; p && i < p->count; i++) {
		const struct pbs_limits_entry *l = &p->limits[i];
		uint32_t who = limits_whose(p->c, l, job);
		uint8_t *over = l->queue == ROW_NONE ? server : queue, is;

		if (l->group == done || !is_under(p, l, job) ||
		    (who != TEXT_NONE && !is_for(p, l, who)))
			continue;
		done = l->group;
		is = limits_is_over(p, l, job, who);
		if (is && *over != true)
			*over = is;
	}
}
