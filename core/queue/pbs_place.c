/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/pbs_place.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/word.h"
#include "core/cluster/idmap.h"
#include "core/queue/pbs_asked.h"
#include "core/queue/pbs_jobs.h"
#include "core/queue/pbs_limits.h"

/* At TIME vnode NODE has DELTA more of a column. */
struct event {
	int64_t time;
	uint32_t node, column;
	double delta;
};

/*
 * Columns: those of the TRES, then two that are 0 or less: jobs on the vnode, and those that have
 * it for themselves.
 */
struct pbs_place {
	const struct cluster *c;
	const char *checked;
	struct pbs_limits *limits;	/* or NULL: there are none */
	uint32_t nodes, tres, columns;
	int64_t now;
	bool *is_head;			/* the first vnode of its host */
	uint32_t *next;			/* per vnode: the next one of its host; ROW_NONE */
	double *room;			/* vnodes times columns: left now */
	double *later, *trial;		/* at the time of a try; least while that job would run */
	double *total;			/* per column: LATER of all vnodes */
	bool *open, *opens;		/* jobs may begin; may, once those that run have ended */
	bool *mine;			/* the job that is being placed has a chunk there */
	struct idmap by_name;		/* vnodes by the hash of their names */
	bool plans;			/* else events are of no use, and there are none */
	struct event *events;		/* by time, ends first */
	size_t event_count, event_capacity;
};

/* One kind of chunk: "2:ncpus=4:mem=1gb" up to a + or the end. */
struct chunk {
	const char *text;		/* behind the count */
	uint32_t left;
};

/* name=value of a chunk. */
struct item {
	const char *name, *value;
	size_t name_length, length;
	uint32_t tres;			/* ROW_NONE: not counted */
	double amount;			/* in the unit of the TRES */
};

struct request {
	uint32_t job;
	bool pack, scatter, vscatter, excl, exclhost, shared;
	int64_t length;			/* s */
	const bool *open;
	struct chunk *chunks;
	uint32_t count;
	double *need;			/* per TRES, of all chunks */
	bool refused;			/* some host took none of its chunks */
};

/* ---- vnodes ---------------------------------------------------------------------------------- */

/* The value of NAME in what vnode NODE has: "color=red"; NULL. */
static const char *resource_of(const struct pbs_place *p, uint32_t node, const char *name,
			       size_t length)
{
	struct text_list list = cluster_list(p->c, F_HOST_RESOURCES, node);

	for (uint32_t i = 0; i < list.count; i++) {
		const char *item = cluster_string(p->c, list.texts[i]);

		if (strncmp(item, name, length) == 0 && item[length] == '=')
			return item + length + 1;
	}
	return NULL;
}

/* The text "host=pbshead" of what NODE has; ROW_NONE. */
static uint32_t host_of(const struct cluster *c, uint32_t node)
{
	struct text_list list = cluster_list(c, F_HOST_RESOURCES, node);

	for (uint32_t i = 0; i < list.count; i++) {
		if (strncmp(cluster_string(c, list.texts[i]), "host=", 5) == 0)
			return list.texts[i];
	}
	return ROW_NONE;
}

/* Where it is not told, "pbshead[1]" is of pbshead. */
static bool same_host(const struct cluster *c, uint32_t a, uint32_t b)
{
	const char *x = cluster_text(c, F_HOST_NAME, a), *y = cluster_text(c, F_HOST_NAME, b);

	return x && y && strcspn(x, "[") == strcspn(y, "[") &&
	       strncmp(x, y, strcspn(x, "[")) == 0;
}

/* Joins vnode NODE to the others of its host; HOSTS: per vnode, host_of(). */
static void join_host(struct pbs_place *p, const uint32_t *hosts, uint32_t node)
{
	uint32_t head = 0, last;

	while (head < node && !(p->is_head[head] && hosts[head] == hosts[node] &&
				(hosts[node] != ROW_NONE || same_host(p->c, head, node))))
		head++;
	p->next[node] = ROW_NONE;
	p->is_head[node] = head == node;
	for (last = head; last != node; last = p->next[last]) {
		if (p->next[last] == ROW_NONE)
			p->next[last] = node;
	}
}

/* In all words of its state, once jobs and reservations have ended if EMPTY. */
static bool is_open(const struct cluster *c, uint32_t node, bool empty)
{
	static const char *const ends[] = { "job-busy", "job-exclusive", "resv-exclusive" };
	const char *state = cluster_text(c, F_HOST_STATE, node);

	for (; state && *state; state += strcspn(state, ","), state += *state == ',') {
		size_t n = strcspn(state, ","), i = 0;

		while (i < 3 && !word_equal_n(state, n, ends[i]))
			i++;
		if (!word_equal_n(state, n, "free") && !word_equal_n(state, n, "sleep") &&
		    !(empty && i < 3))
			return false;
	}
	return true;
}

static void add_event(struct pbs_place *p, int64_t time, uint32_t node, uint32_t column,
		      double delta)
{
	if (!p->plans)
		return;
	p->events = mem_grow(p->events, &p->event_capacity, p->event_count + 1,
			     sizeof(*p->events));
	p->events[p->event_count++] = (struct event){ time, node, column, delta };
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->delta < y->delta) - (x->delta > y->delta);
}

/* The last one is put where it belongs; all others are in order. */
static void sort_last(struct pbs_place *p)
{
	size_t at = p->event_count - 1;
	struct event last;

	if (!p->plans)
		return;
	for (last = p->events[at]; at > 0 && by_time(&p->events[at - 1], &last) > 0; at--)
		p->events[at] = p->events[at - 1];
	p->events[at] = last;
}

static void set_node(struct pbs_place *p, uint32_t node)
{
	struct tres_list has = cluster_tres(p->c, F_HOST_TRES, node);
	struct tres_list used = cluster_tres(p->c, F_HOST_TRES_USED, node);
	double *room = p->room + (size_t)node * p->columns;
	const char *name = cluster_text(p->c, F_HOST_NAME, node);

	if (name)
		idmap_add(&p->by_name, text_hash(name, strlen(name), 1), node);
	p->open[node] = is_open(p->c, node, false);
	p->opens[node] = is_open(p->c, node, true);
	for (uint32_t i = 0; i < has.count; i++)
		room[has.items[i].tres] = has.items[i].count;
	for (uint32_t i = 0; i < used.count; i++)
		room[used.items[i].tres] -= used.items[i].count;
}

/* The vnode of that name; p->nodes if there is none. */
static uint32_t node_of(const struct pbs_place *p, const char *name, size_t length)
{
	size_t at = 0;
	uint32_t n;

	while ((n = idmap_next(&p->by_name, text_hash(name, length, 1), &at)) != ROW_NONE) {
		if (word_equal_n(name, length, cluster_text(p->c, F_HOST_NAME, n)))
			return n;
	}
	return p->nodes;
}

static bool next_item(const struct pbs_place *p, const char **text, struct item *item);

/* AMOUNT of a column of NODE is taken from FROM to TO; COUNTED: from what is left now already. */
static void take(struct pbs_place *p, uint32_t node, uint32_t column, double amount, int64_t from,
		 int64_t to, bool counted)
{
	if (from > p->now)
		add_event(p, from, node, column, -amount);
	else if (!counted)
		p->room[(size_t)node * p->columns + column] -= amount;
	add_event(p, to, node, column, amount);
}

/* "(n1:ncpus=4:mem=1gb+n2:ncpus=2)+(n1:ncpus=1)" of a job that runs, or of a reservation. */
static void take_all(struct pbs_place *p, const char *at, const char *place, int64_t from,
		     int64_t to)
{
	for (; at && *at; at += strcspn(at, "+"), at += *at == '+') {
		const char *name = at + strspn(at, "("), *text = name + strcspn(name, ":+)");
		uint32_t node = node_of(p, name, (size_t)(text - name));
		struct item item;

		if (node == p->nodes)
			continue;
		take(p, node, p->tres, 1, from, to, false);
		if (place && strstr(place, "excl"))
			take(p, node, p->tres + 1, 1, from, to, false);
		for (text += *text == ':'; next_item(p, &text, &item);) {
			if (item.tres != ROW_NONE)
				take(p, node, item.tres, item.amount, from, to, true);
		}
	}
}

/* Reservations to come; those that have begun are in the state of their vnodes. */
static void add_reservations(struct pbs_place *p)
{
	const struct cluster *c = p->c;

	for (uint32_t row = 0; row < cluster_rows(c, TABLE_RESERVATION); row++) {
		int64_t start = cluster_i64(c, F_RESERVATION_START, row);
		int64_t end = cluster_i64(c, F_RESERVATION_END, row);
		struct text_list flags = cluster_list(c, F_RESERVATION_FLAGS, row);

		if (start == I64_UNKNOWN || end == I64_UNKNOWN || start <= p->now)
			continue;
		p->plans = true;
		take_all(p, cluster_text(c, F_RESERVATION_NODE_LIST, row),
			 flags.count > 0 ? cluster_string(c, flags.texts[0]) : NULL, start, end);
	}
}

struct pbs_place *pbs_place_new(const struct cluster *c, const char *checked, bool plans)
{
	struct pbs_place *p = mem_zalloc(1, sizeof(*p));
	uint32_t nodes = cluster_rows(c, TABLE_HOST), columns = cluster_rows(c, TABLE_TRES) + 2;
	uint32_t *hosts = mem_alloc(nodes, sizeof(*hosts));

	*p = (struct pbs_place){ .c = c, .checked = checked, .nodes = nodes, .columns = columns,
				 .tres = columns - 2, .now = cluster_meta(c)->time,
				 .plans = plans };
	p->now = p->now == I64_UNKNOWN ? 0 : p->now;
	p->is_head = mem_zalloc(nodes, sizeof(*p->is_head));
	p->next = mem_alloc(nodes, sizeof(*p->next));
	p->room = mem_zalloc((size_t)nodes * columns, sizeof(*p->room));
	p->later = mem_alloc((size_t)nodes * columns, sizeof(*p->later));
	p->trial = mem_alloc((size_t)nodes * columns, sizeof(*p->trial));
	p->total = mem_alloc(columns, sizeof(*p->total));
	p->open = mem_zalloc(nodes, sizeof(*p->open));
	p->opens = mem_zalloc(nodes, sizeof(*p->opens));
	p->mine = mem_alloc(nodes, sizeof(*p->mine));
	for (uint32_t n = 0; n < nodes; n++) {
		hosts[n] = host_of(c, n);
		join_host(p, hosts, n);
		set_node(p, n);
	}
	mem_free(hosts);
	add_reservations(p);
	for (uint32_t job = 0; job < cluster_rows(c, TABLE_JOB); job++) {
		const char *state = cluster_text(c, F_JOB_STATE, job);

		if (state && strcmp(state, "RUNNING") == 0)
			take_all(p, cluster_text(c, F_JOB_EXEC_VNODE, job),
				 cluster_text(c, F_JOB_PLACE, job), p->now,
				 pbs_job_end(c, job, p->now));
	}
	p->limits = pbs_limits_new(c, false);
	if (p->event_count > 0)
		qsort(p->events, p->event_count, sizeof(*p->events), by_time);
	return p;
}

void pbs_place_free(struct pbs_place *p)
{
	if (!p)
		return;
	idmap_free(&p->by_name);
	pbs_limits_free(p->limits);
	mem_free(p->is_head);
	mem_free(p->next);
	mem_free(p->room);
	mem_free(p->later);
	mem_free(p->trial);
	mem_free(p->total);
	mem_free(p->open);
	mem_free(p->opens);
	mem_free(p->mine);
	mem_free(p->events);
	mem_free(p);
}

/* ---- one chunk ------------------------------------------------------------------------------- */

/* Fills ITEM from TEXT and steps behind it; false at the end of the chunk. */
static bool next_item(const struct pbs_place *p, const char **text, struct item *item)
{
	char value[64];

	if (**text == '\0' || **text == '+' || **text == ')')
		return false;
	*item = (struct item){ .name = *text, .name_length = strcspn(*text, "=:+)"),
			       .tres = ROW_NONE };
	item->value = item->name + item->name_length;
	item->value += *item->value == '=';
	item->length = strcspn(item->value, ":+)");
	*text = item->value + item->length;
	*text += **text == ':';
	if (item->name_length >= sizeof(value) || item->length >= sizeof(value))
		return true;
	memcpy(value, item->name, item->name_length);
	value[item->name_length] = '\0';
	item->tres = cluster_find_tres(p->c, strcmp(value, "ncpus") == 0 ? "cpu" : value);
	memcpy(value, item->value, item->length);
	value[item->length] = '\0';
	item->amount = pbs_amount(value);
	/* Sizes are kB there, and MiB in a TRES. */
	if (f64_known(item->amount) && item->length > 0 &&
	    (value[item->length - 1] == 'b' || value[item->length - 1] == 'w'))
		item->amount /= 1024;
	if (!f64_known(item->amount))
		item->tres = ROW_NONE;
	return true;
}

static bool is_boolean(const struct item *item)
{
	return word_equal_n(item->value, item->length, "True") ||
	       word_equal_n(item->value, item->length, "False");
}

/* What tells MPI and OpenMP how to spread is of no vnode. */
static bool counts(const struct pbs_place *p, const struct item *item)
{
	if (word_equal_n(item->name, item->name_length, "mpiprocs") ||
	    word_equal_n(item->name, item->name_length, "ompthreads"))
		return false;
	return !p->checked || !*p->checked || is_boolean(item) ||
	       word_listed(p->checked, item->name, item->name_length);
}

/* A word of "red,blue"; of a boolean that is not set, False. */
static bool matches(const struct item *item, const char *has)
{
	if (!has)
		return word_equal_n(item->value, item->length, "False");
	return is_boolean(item) ? word_equal_n(item->value, item->length, has) :
				  word_listed(has, item->value, item->length);
}

/* Vnodes of a queue are that queue's alone. */
static bool is_of_queue(const struct pbs_place *p, uint32_t node, uint32_t job)
{
	struct text_list queues = cluster_list(p->c, F_HOST_PARTITIONS, node);

	return queues.count == 0 || queues.texts[0] == cluster_text_id(p->c, F_JOB_PARTITION, job);
}

/* Does vnode NODE take chunks like TEXT at all? Their counts aside. */
static bool is_eligible(const struct pbs_place *p, const struct request *r, uint32_t node,
			const char *text)
{
	const char *sharing = cluster_text(p->c, F_HOST_SHARING, node);
	bool excl = r->excl || (sharing && strncmp(sharing, "force_excl", 10) == 0) ||
		    (sharing && strncmp(sharing, "default_excl", 12) == 0 && !r->shared);
	const double *room = p->trial + (size_t)node * p->columns;
	bool told = cluster_list(p->c, F_HOST_RESOURCES, node).count > 0;
	struct item item;

	if (!r->open[node] || room[p->tres + 1] < 0 || (excl && room[p->tres] < 0) ||
	    !is_of_queue(p, node, r->job))
		return false;
	while (told && next_item(p, &text, &item)) {
		if (item.tres == ROW_NONE && counts(p, &item) &&
		    !matches(&item, resource_of(p, node, item.name, item.name_length)))
			return false;
	}
	return true;
}

/* Is all that the chunk counts left on NODE? It is taken then. */
static bool take_whole(const struct pbs_place *p, uint32_t node, const char *text)
{
	double *room = p->trial + (size_t)node * p->columns;
	const char *at = text;
	struct item item;

	while (next_item(p, &at, &item)) {
		if (item.tres != ROW_NONE && counts(p, &item) && item.amount > room[item.tres])
			return false;
	}
	for (at = text; next_item(p, &at, &item);) {
		if (item.tres != ROW_NONE && counts(p, &item))
			room[item.tres] -= item.amount;
	}
	p->mine[node] = true;
	return true;
}

/* Breaks a chunk over the vnodes of HOST: is there enough of each resource on all together? */
static bool take_broken(const struct pbs_place *p, const struct request *r, uint32_t host,
			const char *text, bool take)
{
	const char *at = text;
	struct item item;

	while (next_item(p, &at, &item)) {
		for (uint32_t n = host; n != ROW_NONE && item.amount > 0; n = p->next[n]) {
			double *room = p->trial + (size_t)n * p->columns, part;

			if (item.tres == ROW_NONE || !counts(p, &item) ||
			    !(room[item.tres] > 0) || !is_eligible(p, r, n, text))
				continue;
			room += item.tres;
			part = *room < item.amount ? *room : item.amount;
			item.amount -= part;
			if (take)
				*room -= part;
			p->mine[n] = p->mine[n] || take;
		}
		if (item.tres != ROW_NONE && counts(p, &item) && item.amount > 0)
			return false;
	}
	return true;
}

static bool take_chunk(const struct pbs_place *p, const struct request *r, uint32_t host,
		       const char *text)
{
	for (uint32_t n = host; n != ROW_NONE; n = p->next[n]) {
		if (!(r->vscatter && p->mine[n]) && is_eligible(p, r, n, text) &&
		    take_whole(p, n, text))
			return true;
	}
	return !r->vscatter && take_broken(p, r, host, text, false) &&
	       take_broken(p, r, host, text, true);
}

/* ---- all chunks ------------------------------------------------------------------------------ */

static bool has_word(const char *place, const char *word)
{
	for (; place && *place; place += strcspn(place, ":"), place += *place == ':') {
		if (word_equal_n(place, strcspn(place, ":"), word))
			return true;
	}
	return false;
}

static void add_need(const struct pbs_place *p, struct request *r, const struct chunk *chunk)
{
	const char *text = chunk->text;
	struct item item;

	while (next_item(p, &text, &item)) {
		if (item.tres != ROW_NONE && counts(p, &item))
			r->need[item.tres] += item.amount * chunk->left;
	}
}

static void read_request(const struct pbs_place *p, uint32_t job, const char *select,
			 struct request *r)
{
	const char *place = cluster_text(p->c, F_JOB_PLACE, job);

	*r = (struct request){ .job = job, .pack = has_word(place, "pack"),
			       .scatter = has_word(place, "scatter"),
			       .vscatter = has_word(place, "vscatter"),
			       .exclhost = has_word(place, "exclhost"),
			       .shared = has_word(place, "shared") };
	r->length = pbs_job_length(p->c, job);
	r->need = mem_zalloc(p->columns, sizeof(*r->need));
	r->excl = r->exclhost || has_word(place, "excl");
	r->chunks = mem_alloc(strlen(select) / 2 + 1, sizeof(*r->chunks));
	for (; *select; select += strcspn(select, "+"), select += *select == '+') {
		size_t digits = strspn(select, "0123456789");
		bool counted = digits > 0 && strchr(":+", select[digits]);

		r->chunks[r->count++] = (struct chunk){
			.text = select + (counted ? digits + (select[digits] == ':') : 0),
			.left = counted ? (uint32_t)strtoul(select, NULL, 10) : 1 };
		add_need(p, r, &r->chunks[r->count - 1]);
	}
}

static uint32_t chunks_left(const struct request *r)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < r->count; i++)
		left += r->chunks[i].left;
	return left;
}

/* Puts onto HOST what place lets it. */
static void fill_host(const struct pbs_place *p, struct request *r, uint32_t host)
{
	uint32_t before = chunks_left(r);

	for (uint32_t i = 0; i < r->count; i++) {
		while (r->chunks[i].left > 0 && take_chunk(p, r, host, r->chunks[i].text)) {
			r->chunks[i].left--;
			if (r->scatter)
				return;
		}
	}
	r->refused = r->refused || chunks_left(r) == before;
}

/* The least that each vnode has of each column from LATER on, which is now at AT, for the job. */
static void start_over(const struct pbs_place *p, const struct request *r, size_t at, int64_t from)
{
	size_t cells = (size_t)p->nodes * p->columns;
	double *now = mem_alloc(cells, sizeof(*now));

	memcpy(p->trial, p->later, cells * sizeof(*now));
	memcpy(now, p->later, cells * sizeof(*now));
	for (; at < p->event_count && p->events[at].time < from + r->length; at++) {
		const struct event *e = &p->events[at];
		size_t cell = (size_t)e->node * p->columns + e->column;

		now[cell] += e->delta;
		if (now[cell] < p->trial[cell])
			p->trial[cell] = now[cell];
	}
	memset(p->mine, 0, p->nodes * sizeof(*p->mine));
	mem_free(now);
}

static bool place_all(const struct pbs_place *p, struct request *r, size_t at, int64_t from)
{
	struct chunk *all = mem_alloc(r->count, sizeof(*all));
	uint32_t total = chunks_left(r);
	bool done;

	memcpy(all, r->chunks, r->count * sizeof(*all));
	start_over(p, r, at, from);
	for (uint32_t h = 0; h < p->nodes && chunks_left(r) > 0; h++) {
		if (!p->is_head[h])
			continue;
		fill_host(p, r, h);
		if (r->pack && chunks_left(r) > 0 && chunks_left(r) < total) {
			memcpy(r->chunks, all, r->count * sizeof(*all));
			start_over(p, r, at, from);
		}
	}
	done = chunks_left(r) == 0;
	memcpy(r->chunks, all, r->count * sizeof(*all));
	mem_free(all);
	return done;
}

/* ---- time ------------------------------------------------------------------------------------ */

static void to_now(struct pbs_place *p)
{
	memcpy(p->later, p->room, (size_t)p->nodes * p->columns * sizeof(*p->later));
	memset(p->total, 0, p->columns * sizeof(*p->total));
	for (size_t i = 0; i < (size_t)p->nodes * p->columns; i++)
		p->total[i % p->columns] += p->room[i];
}

/* LATER and TOTAL after all that is up to TIME; the first event behind it. */
static size_t to_time(struct pbs_place *p, size_t at, int64_t time)
{
	for (; at < p->event_count && p->events[at].time <= time; at++) {
		const struct event *e = &p->events[at];

		p->later[(size_t)e->node * p->columns + e->column] += e->delta;
		p->total[e->column] += e->delta;
	}
	return at;
}

static bool has_enough(const struct pbs_place *p, const struct request *r)
{
	uint32_t t = 0;

	while (t < p->tres && r->need[t] <= p->total[t])
		t++;
	return t == p->tres;
}

/* The vnodes of MINE are the job's from FROM on, as ROOM minus TRIAL there tells. */
static void keep(struct pbs_place *p, const struct request *r, size_t at, int64_t from)
{
	size_t cells = (size_t)p->nodes * p->columns;
	double *after = mem_alloc(cells, sizeof(*after));
	bool *mine = mem_alloc(p->nodes, sizeof(*mine));

	memcpy(after, p->trial, cells * sizeof(*after));
	memcpy(mine, p->mine, p->nodes * sizeof(*mine));
	start_over(p, r, at, from);
	for (uint32_t h = 0; h < p->nodes; h++) {
		bool any = false;

		for (uint32_t n = h; r->exclhost && p->is_head[h] && n != ROW_NONE; n = p->next[n])
			any = any || mine[n];
		for (uint32_t n = h; any && n != ROW_NONE; n = p->next[n])
			mine[n] = true;
	}
	for (uint32_t n = 0; n < p->nodes; n++) {
		if (!mine[n])
			continue;
		after[n * (size_t)p->columns + p->tres] -= 1;
		after[n * (size_t)p->columns + p->tres + 1] -= r->excl;
	}
	for (size_t i = 0; i < cells; i++) {
		double taken = p->trial[i] - after[i];

		if (!(taken > 0))
			continue;
		if (from <= p->now) {
			p->room[i] -= taken;
		} else {
			add_event(p, from, (uint32_t)(i / p->columns),
				  (uint32_t)(i % p->columns), -taken);
			sort_last(p);
		}
		add_event(p, from + r->length, (uint32_t)(i / p->columns),
			  (uint32_t)(i % p->columns), taken);
		sort_last(p);
	}
	mem_free(after);
	mem_free(mine);
}

/* The request of JOB; false if it has none that could be placed. */
static bool request_of(const struct pbs_place *p, uint32_t job, struct request *r)
{
	const char *select = cluster_text(p->c, F_JOB_SCHEDSELECT, job);

	select = select ? select : cluster_text(p->c, F_JOB_SELECT, job);
	if (!select || cluster_text(p->c, F_JOB_RESERVATION, job))
		return false;
	read_request(p, job, select, r);
	return true;
}

static void request_free(struct request *r)
{
	mem_free(r->chunks);
	mem_free(r->need);
}

const char *pbs_place_count(const struct pbs_place *p, uint32_t job)
{
	uint32_t total = 0, free = 0, need = 1;
	struct request r;

	if (!request_of(p, job, &r))
		return NULL;
	for (uint32_t n = 0; n < p->nodes; n++) {
		bool mine = is_of_queue(p, n, job);

		total += mine;
		free += mine && p->open[n];
	}
	if (r.scatter || r.vscatter)
		need = chunks_left(&r);
	request_free(&r);
	return total < need ? "Not enough total nodes available" :
	       free < need ? "Not enough free nodes available" : NULL;
}

const char *pbs_place_limited(const struct pbs_place *p, uint32_t job)
{
	return pbs_limits_check(p->limits, job, p->now, p->now + pbs_job_length(p->c, job));
}

static const char *start_now(struct pbs_place *p, uint32_t job)
{
	const char *why = NULL;
	struct request r;

	if (!request_of(p, job, &r))
		return NULL;
	r.open = p->open;
	to_now(p);
	if (place_all(p, &r, 0, p->now))
		keep(p, &r, 0, p->now);
	else if (place_all(p, &r, p->event_count, p->now))
		why = "Job would conflict with reservation or top job";
	else
		why = r.scatter && !r.refused ? "No available resources on nodes" :
						"Not enough free nodes available";
	request_free(&r);
	return why;
}

const char *pbs_place_start(struct pbs_place *p, uint32_t job)
{
	const char *why = start_now(p, job);

	if (!why)
		(void)pbs_limits_use(p->limits, job, p->now, p->now + pbs_job_length(p->c, job));
	return why;
}

bool pbs_place_plan(struct pbs_place *p, uint32_t job, int64_t earliest)
{
	int64_t from = earliest > p->now ? earliest : p->now;
	bool found = false;
	struct request r;
	size_t at = 0;

	if (!request_of(p, job, &r))
		return true;
	r.open = p->opens;
	to_now(p);
	if (from > p->now)
		at = to_time(p, 0, from);
	for (;;) {
		found = has_enough(p, &r) &&
			!pbs_limits_check(p->limits, job, from, from + r.length) &&
			place_all(p, &r, at, from);
		if (found || at == p->event_count)
			break;
		from = p->events[at].time;
		at = to_time(p, at, from);
	}
	if (found) {
		keep(p, &r, at, from);
		(void)pbs_limits_use(p->limits, job, from, from + r.length);
	}
	request_free(&r);
	return found;
}
