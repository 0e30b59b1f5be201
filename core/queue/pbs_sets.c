/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/pbs_sets.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/sched_view.h"

/* Membership of a vnode in a set: one value of one resource. */
struct sets_member {
	uint32_t resource;		/* index in the key */
	double number;			/* -1: a word */
	const char *word;
	size_t length;
	uint32_t vnode;
};

/* The sets of one node_group_key. */
struct keyed {
	char *key;			/* "router,switch" */
	struct sets_member *members;
	size_t member_count, capacity;
	struct pbs_set *sets;
	uint32_t *vnodes;		/* those of all sets, one after the other */
	uint32_t count;
};

struct pbs_sets {
	const struct pbs_vnodes *v;
	bool rest;			/* vnodes without a value form a set */
	struct keyed *keyed;
	size_t count, capacity;
};

/* ---- membership ------------------------------------------------------------------------------ */

static void add_member(struct keyed *k, struct sets_member m)
{
	MEM_GROW(k->members, k->capacity, k->member_count + 1);
	k->members[k->member_count++] = m;
}

/* Adds VNODE with HOLDER's value of NAME; HOLDER is itself, or the vnode it refers to ("@n1"). */
static void add_vnode(const struct pbs_sets *s, struct keyed *k, struct sets_member m,
		      uint32_t holder, const char *name)
{
	const struct cluster *c = s->v->c;
	struct tres_list has = cluster_tres(c, F_HOST_TRES, holder);
	uint32_t tres = cluster_find_tres(c, strcmp(name, "ncpus") == 0 ? "cpu" : name), i = 0;

	m.word = pbs_vnode_word(c, holder, name, strlen(name));
	for (; m.word; m.word = *m.word ? m.word + 1 : NULL) {
		m.length = strcspn(m.word, ",");
		add_member(k, m);
		m.word += m.length;
	}
	while (i < has.count && has.items[i].tres != tres)
		i++;
	m.word = "";
	m.length = 0;
	m.number = i < has.count ? has.items[i].count : -1;
	if (i < has.count || (s->rest && !pbs_vnode_word(c, holder, name, strlen(name))))
		add_member(k, m);
}

static void add_resource(const struct pbs_sets *s, struct keyed *k, uint32_t resource,
			 const char *name)
{
	for (uint32_t n = 0; n < s->v->n; n++) {
		const char *word = pbs_vnode_word(s->v->c, n, name, strlen(name));
		uint32_t holder = word && *word == '@' ?
			pbs_vnode_named(s->v, word + 1, strlen(word + 1)) : n;

		add_vnode(s, k,
			  (struct sets_member){ .resource = resource, .number = -1, .vnode = n },
			  holder == s->v->n ? n : holder, name);
	}
}

/* ---- sets ------------------------------------------------------------------------------------ */

static int sets_compare_values(const struct sets_member *a, const struct sets_member *b)
{
	if (a->resource != b->resource)
		return a->resource < b->resource ? -1 : 1;
	if (a->number < b->number || a->number > b->number)
		return a->number < b->number ? -1 : 1;
	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	return memcmp(a->word, b->word, a->length);
}

static int compare_members(const void *left, const void *right)
{
	const struct sets_member *a = left, *b = right;
	int order = sets_compare_values(a, b);

	return order != 0 ? order : (a->vnode > b->vnode) - (a->vnode < b->vnode);
}

static void make_sets(struct keyed *k)
{
	if (k->member_count > 0)
		qsort(k->members, k->member_count, sizeof(*k->members), compare_members);
	/* Never NULL, which would mean that jobs may span. */
	k->sets = mem_alloc(k->member_count + 1, sizeof(*k->sets));
	k->vnodes = mem_alloc(k->member_count, sizeof(*k->vnodes));
	for (size_t i = 0; i < k->member_count; i++) {
		if (i == 0 || sets_compare_values(&k->members[i - 1], &k->members[i]) != 0)
			k->sets[k->count++] = (struct pbs_set){ k->vnodes + i, 0 };
		k->vnodes[i] = k->members[i].vnode;
		k->sets[k->count - 1].count++;
	}
}

static const struct keyed *keyed_of(struct pbs_sets *s, const char *key, size_t length)
{
	struct keyed *k;
	uint32_t resource = 0;
	size_t i = 0;

	while (i < s->count && (strncmp(s->keyed[i].key, key, length) != 0 ||
				s->keyed[i].key[length] != '\0'))
		i++;
	if (i < s->count)
		return &s->keyed[i];
	MEM_GROW(s->keyed, s->capacity, s->count + 1);
	k = &s->keyed[s->count++];
	*k = (struct keyed){ .key = mem_strndup(key, length) };
	for (const char *at = k->key; *at; at += strcspn(at, ","), at += *at == ',') {
		char *name = mem_strndup(at, strcspn(at, ","));

		add_resource(s, k, resource++, name);
		mem_free(name);
	}
	make_sets(k);
	return k;
}

const struct pbs_set *pbs_sets_of(struct pbs_sets *s, uint32_t job, uint32_t *count)
{
	static const char group[] = "group=";
	const struct cluster *c = s->v->c;
	const char *place = cluster_text(c, F_JOB_PLACE, job), *key = NULL;
	uint32_t queue = cluster_queue_of(c, job);
	const struct keyed *k;

	*count = 0;
	if (place && (place = strstr(place, group))) {
		key = place + sizeof(group) - 1;
	} else if (cluster_rows(c, TABLE_SERVER) > 0 &&
		   cluster_bool(c, F_SERVER_NODE_GROUP_ENABLE, 0) == true) {
		key = queue == ROW_NONE ? NULL : cluster_text(c, F_QUEUE_NODE_GROUP_KEY, queue);
		key = key ? key : cluster_text(c, F_SERVER_NODE_GROUP_KEY, 0);
	}
	if (!key)
		return NULL;
	k = keyed_of(s, key, strcspn(key, ":"));
	*count = k->count;
	return k->sets;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Setting of the scheduler that is shown; BOOL_UNKNOWN. */
static uint8_t sets_setting(const struct cluster *c, enum field field)
{
	uint32_t row = sched_row(c, sched_shown(c));

	return row == ROW_NONE ? BOOL_UNKNOWN : cluster_bool(c, field, row);
}

struct pbs_sets *pbs_sets_new(const struct pbs_vnodes *v)
{
	struct pbs_sets *s;

	if (sets_setting(v->c, F_SCHED_DO_NOT_SPAN_PSETS) != true)
		return NULL;
	s = mem_zalloc(1, sizeof(*s));
	s->v = v;
	s->rest = sets_setting(v->c, F_SCHED_ONLY_EXPLICIT_PSETS) != true;
	return s;
}

void pbs_sets_free(struct pbs_sets *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->count; i++) {
		MEM_FREE(s->keyed[i].key, s->keyed[i].members, s->keyed[i].sets,
			 s->keyed[i].vnodes);
	}
	mem_free(s->keyed);
	mem_free(s);
}
