/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/pbs_vnodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/word.h"
#include "core/cluster/host_state.h"

/* One key of node_sort_key. */
struct pbs_node_key {
	enum { BY_TOTAL, BY_ASSIGNED, BY_UNUSED, BY_PRIORITY, BY_LAST_USED } by;
	uint32_t tres;			/* ROW_NONE: no resource of vnodes */
	bool high;
};

/* ---- properties ------------------------------------------------------------------------------ */

const char *pbs_vnode_word(const struct cluster *c, uint32_t node, const char *name, size_t length)
{
	return cluster_list_value(c, cluster_list(c, F_HOST_RESOURCES, node), name, length);
}

/* The text "host=pbshead" of NODE; ROW_NONE. */
static uint32_t host_text(const struct cluster *c, uint32_t node)
{
	struct text_list list = cluster_list(c, F_HOST_RESOURCES, node);

	for (uint32_t i = 0; i < list.count; i++) {
		if (strncmp(cluster_string(c, list.texts[i]), "host=", 5) == 0)
			return list.texts[i];
	}
	return ROW_NONE;
}

/* TEXTS: per vnode. Without one, "pbshead[1]" is on pbshead. */
static bool same_host(const struct cluster *c, const uint32_t *texts, uint32_t a, uint32_t b)
{
	const char *x = cluster_text(c, F_HOST_NAME, a), *y = cluster_text(c, F_HOST_NAME, b);

	if (texts[a] != texts[b] || texts[a] != ROW_NONE)
		return texts[a] == texts[b];
	return x && y && strcspn(x, "[") == strcspn(y, "[") && strncmp(x, y, strcspn(x, "[")) == 0;
}

static bool is_of_itself(const char *item)
{
	return strncmp(item, "host=", 5) == 0 || strncmp(item, "vnode=", 6) == 0;
}

/* Compares all but host and vnode. */
static bool has_the_same(const struct pbs_vnodes *v, uint32_t a, uint32_t b)
{
	struct text_list x = cluster_list(v->c, F_HOST_RESOURCES, a);
	struct text_list y = cluster_list(v->c, F_HOST_RESOURCES, b);
	uint32_t i = 0, k = 0;

	if (memcmp(v->has + (size_t)a * v->columns, v->has + (size_t)b * v->columns,
		   v->columns * sizeof(*v->has)) != 0)
		return false;
	for (;; i++, k++) {
		while (i < x.count && is_of_itself(cluster_string(v->c, x.texts[i])))
			i++;
		while (k < y.count && is_of_itself(cluster_string(v->c, y.texts[k])))
			k++;
		if (i == x.count || k == y.count)
			return i == x.count && k == y.count;
		if (x.texts[i] != y.texts[k])
			return false;
	}
}

/* True if all words of its state allow it; EMPTY: after jobs and reservations have ended. */
static bool vnodes_is_open(const struct cluster *c, uint32_t node, bool empty)
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

/* resource_unset_infinite: applies to resources that are not set. */
static void set_endless(struct pbs_vnodes *v, uint32_t node)
{
	const char *list = cluster_policy(v->c)->resource_unset_infinite;
	struct tres_list has = cluster_tres(v->c, F_HOST_TRES, node);

	for (uint32_t t = 0; *list && t < v->columns; t++) {
		const char *name = cluster_tres_name(v->c, t);
		uint32_t i = 0;

		while (i < has.count && has.items[i].tres != t)
			i++;
		if (i == has.count && word_listed(list, name, strlen(name)))
			v->has[(size_t)node * v->columns + t] = HUGE_VAL;
	}
}

/* TEXTS: of all vnodes before it. */
static void set_vnode(struct pbs_vnodes *v, uint32_t *texts, uint32_t node)
{
	struct tres_list has = cluster_tres(v->c, F_HOST_TRES, node);
	struct text_list queues = cluster_list(v->c, F_HOST_PARTITIONS, node);
	const char *name = cluster_text(v->c, F_HOST_NAME, node);
	const char *state = cluster_text(v->c, F_HOST_STATE, node);
	bool elsewhere = host_elsewhere(v->c, node);

	if (name)
		idmap_add(&v->by_name, text_hash(name, strlen(name), 1), node);
	v->open[node] = !elsewhere && vnodes_is_open(v->c, node, false);
	v->opens[node] = !elsewhere && vnodes_is_open(v->c, node, true);
	v->stale[node] = elsewhere || (state && strstr(state, "Stale"));
	v->queue[node] = !elsewhere && queues.count > 0 ? queues.texts[0] : 0;
	v->queued = v->queued || v->queue[node];
	for (uint32_t i = 0; i < has.count; i++) {
		double count = has.items[i].count;

		/* Memory counts in whole MiB (query_node_info()). */
		v->has[(size_t)node * v->columns + has.items[i].tres] =
			has.items[i].tres == cluster_find_tres(v->c, "mem") ? floor(count) : count;
	}
	set_endless(v, node);
	texts[node] = host_text(v->c, node);
	v->host[node] = v->like[node] = node;
	for (uint32_t n = 0; n < node && !elsewhere && v->host[node] == node; n++) {
		if (v->host[n] == n && !host_elsewhere(v->c, n) && same_host(v->c, texts, n, node))
			v->host[node] = n;
	}
	for (uint32_t n = 0; n < node && v->like[node] == node; n++) {
		if (v->like[n] == n && has_the_same(v, n, node))
			v->like[node] = n;
	}
	v->many = v->many || v->host[node] != node;
}

/* ---- node_sort_key --------------------------------------------------------------------------- */

/* "ncpus HIGH unused"; false: PBS ignores the key. */
static bool vnodes_read_key(const struct cluster *c, const char *s, size_t length,
			    struct pbs_node_key *key)
{
	const char *word[4] = { "", "", "", "" };
	size_t n[4] = { 0, 0, 0, 0 }, count = 0;
	char name[64];

	for (size_t at = 0; at < length && count < 4;) {
		while (at < length && word_is_blank(s[at]))
			at++;
		word[count] = s + at;
		while (at < length && !word_is_blank(s[at]))
			at++;
		n[count] = (size_t)(s + at - word[count]);
		count += n[count] > 0;
	}
	if (count < 2 || n[0] >= sizeof(name))
		return false;
	memcpy(name, word[0], n[0]);
	name[n[0]] = '\0';
	key->high = word_equal_n(word[1], n[1], "high");
	key->tres = cluster_find_tres(c, strcmp(name, "ncpus") == 0 ? "cpu" : name);
	key->by = count < 3 || word_equal_n(word[2], n[2], "total") ? BY_TOTAL :
		  word_equal_n(word[2], n[2], "assigned") ? BY_ASSIGNED : BY_UNUSED;
	if (key->by == BY_UNUSED && !word_equal_n(word[2], n[2], "unused"))
		return false;
	if (strcmp(name, "sort_priority") == 0)
		key->by = BY_PRIORITY;	/* for vnodes only: hosts have none, and no time */
	if (strcmp(name, "last_used_time") == 0)
		key->by = BY_LAST_USED;
	return key->high || word_equal_n(word[1], n[1], "low");
}

static void vnodes_read_keys(struct pbs_vnodes *v)
{
	const struct policy *policy = cluster_policy(v->c);
	const char *s = policy->node_sort_key;

	v->key_known = policy_knows(policy, "node_sort_key");
	if (!v->key_known)
		s = "";
	v->keys = mem_alloc(strlen(s) / 2 + 1, sizeof(*v->keys));
	for (; *s; s += strcspn(s, ","), s += *s == ',') {
		struct pbs_node_key *key = &v->keys[v->key_count];

		if (!vnodes_read_key(v->c, s, strcspn(s, ","), key))
			continue;
		v->moves = v->moves || key->by == BY_ASSIGNED || key->by == BY_UNUSED;
		v->key_count++;
	}
}

/* By the total and unused amount of each column; unreported resources are 0. */
static double vnodes_amount_of(const struct pbs_node_key *key, const double *has,
			       const double *left)
{
	if (key->tres == ROW_NONE || isinf(has[key->tres]))
		return 0;
	return key->by == BY_TOTAL ? has[key->tres] :
	       key->by == BY_ASSIGNED ? has[key->tres] - left[key->tres] : left[key->tres];
}

static double vnodes_value_of(const struct pbs_vnodes *v, const struct pbs_node_key *key,
			      uint32_t node, const double *left)
{
	int64_t used = cluster_i64(v->c, F_HOST_LAST_USED, node);
	int64_t priority = cluster_i64(v->c, F_HOST_PRIORITY, node);

	if (key->by == BY_PRIORITY)
		return priority == I64_UNKNOWN ? 0 : (double)priority;
	if (key->by == BY_LAST_USED)
		return used == I64_UNKNOWN ? 0 : (double)used;
	return vnodes_amount_of(key, v->has + (size_t)node * v->columns, left);
}

/* A vnode or host and its sort key, lowest first. */
struct sorted {
	uint32_t number, tie, count;
	const double *values;
};

static int by_values(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	for (uint32_t k = 0; k < x->count; k++) {
		if (x->values[k] != y->values[k])
			return x->values[k] < y->values[k] ? -1 : 1;
	}
	return (x->tie > y->tie) - (x->tie < y->tie);
}

void pbs_vnodes_sort(struct pbs_vnodes *v, const double *left, uint32_t stride)
{
	struct sorted *all = mem_alloc(v->n, sizeof(*all));
	double *values = mem_alloc((size_t)v->n * v->key_count, sizeof(*values));
	uint32_t *last = mem_alloc(v->n, sizeof(*last));

	for (uint32_t n = 0; n < v->n; n++) {
		double *mine = values + (size_t)n * v->key_count;

		all[n] = (struct sorted){ n, n, v->key_count, mine };
		for (uint32_t k = 0; k < v->key_count; k++) {
			mine[k] = vnodes_value_of(v, &v->keys[k], n, left + (size_t)n * stride);
			mine[k] = v->keys[k].high ? -mine[k] : mine[k];
		}
		v->first[n] = ROW_NONE;
	}
	if (v->key_count > 0)
		qsort(all, v->n, sizeof(*all), by_values);
	v->host_count = 0;
	for (uint32_t i = 0; i < v->n; i++) {
		uint32_t n = all[i].number, host = v->host[n];

		v->order[i] = n;
		v->next[n] = ROW_NONE;
		if (v->stale[n])
			continue;	/* in no host (create_node_partitions()) */
		if (v->first[host] == ROW_NONE)
			v->hosts[v->host_count++] = host;
		*(v->first[host] == ROW_NONE ? &v->first[host] : &v->next[last[host]]) = n;
		last[host] = n;
	}
	MEM_FREE(all, values, last);
}

void pbs_hosts_sort(struct pbs_vnodes *v, const double *has, const double *left)
{
	struct sorted *all = mem_alloc(v->host_count, sizeof(*all));
	double *values = mem_alloc((size_t)v->host_count * v->key_count, sizeof(*values));
	uint32_t *tie = mem_zalloc(v->n, sizeof(*tie));

	for (uint32_t i = v->n; i-- > 0;) {
		if (!v->stale[v->order[i]])
			tie[v->host[v->order[i]]] = i;
	}
	for (uint32_t i = 0; i < v->host_count; i++) {
		double *mine = values + (size_t)i * v->key_count;
		size_t at = (size_t)v->hosts[i] * v->columns;

		all[i] = (struct sorted){ v->hosts[i], tie[v->hosts[i]], v->key_count, mine };
		for (uint32_t k = 0; k < v->key_count; k++) {
			mine[k] = vnodes_amount_of(&v->keys[k], has + at, left + at);
			mine[k] = v->keys[k].high ? -mine[k] : mine[k];
		}
	}
	qsort(all, v->host_count, sizeof(*all), by_values);
	for (uint32_t i = 0; i < v->host_count; i++)
		v->hosts[i] = all[i].number;
	MEM_FREE(all, values, tie);
}

/* ---- the table ------------------------------------------------------------------------------- */

void pbs_vnodes_open(struct pbs_vnodes *v, const struct cluster *c)
{
	uint32_t n = cluster_rows(c, TABLE_HOST), columns = cluster_rows(c, TABLE_TRES);

	*v = (struct pbs_vnodes){ .c = c, .n = n, .columns = columns };
	v->host = mem_alloc(n, sizeof(*v->host));
	v->queue = mem_alloc(n, sizeof(*v->queue));
	v->like = mem_alloc(n, sizeof(*v->like));
	v->has = mem_zalloc((size_t)n * columns, sizeof(*v->has));
	v->open = mem_alloc(n, sizeof(*v->open));
	v->opens = mem_alloc(n, sizeof(*v->opens));
	v->stale = mem_alloc(n, sizeof(*v->stale));
	v->order = mem_alloc(n, sizeof(*v->order));
	v->first = mem_alloc(n, sizeof(*v->first));
	v->next = mem_alloc(n, sizeof(*v->next));
	v->hosts = mem_alloc(n, sizeof(*v->hosts));
	for (uint32_t i = 0; i < n; i++)
		set_vnode(v, v->next, i);	/* scratch: not in use yet */
	vnodes_read_keys(v);
}

void pbs_vnodes_free(struct pbs_vnodes *v)
{
	idmap_free(&v->by_name);
	MEM_FREE(v->host, v->queue, v->like, v->has, v->open, v->opens, v->stale, v->order,
		 v->first, v->next, v->hosts, v->keys);
}

uint32_t pbs_vnode_named(const struct pbs_vnodes *v, const char *name, size_t length)
{
	size_t at = 0;
	uint32_t n;

	while ((n = idmap_next(&v->by_name, text_hash(name, length, 1), &at)) != ROW_NONE) {
		if (word_equal_n(name, length, cluster_text(v->c, F_HOST_NAME, n)))
			return n;
	}
	return v->n;
}

bool pbs_item_endless(const struct pbs_vnodes *v, const struct pbs_item *item)
{
	return word_listed(cluster_policy(v->c)->resource_unset_infinite, item->name,
			   item->name_length);
}

/*
 * A word of "red,blue", or host in either case; an unset boolean is False, an unset number 0; what
 * resource_unset_infinite lists matches anything. Matches if no vnode reports it. Source:
 * find_check_resource() and compare_non_consumable(), OpenPBS.
 */
bool pbs_vnode_matches(const struct pbs_vnodes *v, uint32_t vnode, const struct pbs_item *item)
{
	const char *has = pbs_vnode_word(v->c, vnode, item->name, item->name_length);

	if (!has && pbs_item_endless(v, item))
		return true;
	if (!has)
		return item->amount == 0 || word_equal_n(item->value, item->length, "False") ||
		       cluster_list(v->c, F_HOST_RESOURCES, vnode).count == 0;
	return pbs_item_is_boolean(item) || word_equal_n(item->name, item->name_length, "host") ?
		word_equal_n(item->value, item->length, has) :
		word_listed(has, item->value, item->length);
}

bool pbs_vnode_excl(const struct pbs_vnodes *v, uint32_t vnode, const struct pbs_request *r)
{
	const char *sharing = cluster_text(v->c, F_HOST_SHARING, vnode);

	if (!sharing || strcmp(sharing, "ignore_excl") == 0)
		return !sharing && r->excl;
	return r->excl || strncmp(sharing, "force_excl", 10) == 0 ||
	       (strncmp(sharing, "default_excl", 12) == 0 && !r->shared);
}

bool pbs_vnode_exclhost(const struct pbs_vnodes *v, uint32_t vnode, const struct pbs_request *r)
{
	const char *sharing = cluster_text(v->c, F_HOST_SHARING, vnode);

	if (sharing && strcmp(sharing, "ignore_excl") == 0)
		return false;
	return r->exclhost || (sharing && strcmp(sharing, "force_exclhost") == 0) ||
	       (sharing && strcmp(sharing, "default_exclhost") == 0 && !r->excl && !r->shared);
}
