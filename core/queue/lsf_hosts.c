/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/lsf_hosts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/host_state.h"
#include "core/cluster/idmap.h"
#include "core/share/lsf_share.h"

/* What is the same for all jobs of a queue. */
struct offer {
	uint32_t *hosts, count;		/* rows, in its order; only those known */
	bool unknown;			/* of another in HOSTS nothing is told */
	bool once;			/* JOB_ACCEPT_INTERVAL: one job a session on each */
};

struct lsf_hosts {
	const struct cluster *c;
	uint32_t n, queues;
	struct offer *offers;		/* per queue; the last is for jobs of none */
	uint64_t *left;			/* U32_UNKNOWN: no limit */
	bool *usable, *took;		/* took a job in this session */
	struct idmap used;		/* slots of each queue and each user on each host */
};

enum who { OF_QUEUE, OF_USER };

static uint64_t key_of(uint32_t host, enum who who, uint32_t number)
{
	return (uint64_t)host << 33 | (uint64_t)who << 32 | number;
}

static void add_used(struct lsf_hosts *h, uint64_t key, uint64_t slots)
{
	idmap_put(&h->used, key, idmap_get(&h->used, key, 0) + (uint32_t)slots);
}

/* Of the queue, else of lsb.params; 0 unless one of them is known. */
static double accept_interval(const struct cluster *c, uint32_t queue)
{
	static const char name[] = "JOB_ACCEPT_INTERVAL";
	const char *own = queue == ROW_NONE ? NULL : lsf_queue_param(c, queue, name);
	size_t i = policy_param_by_name(name, sizeof(name) - 1);
	double value;

	if (own)
		return strtod(own, NULL);
	if (policy_real(cluster_policy(c), i, &value))
		return value;
	return policy_is_known(cluster_policy(c), i) ? 1 : 0;
}

static struct offer offer_of(const struct lsf_hosts *h, const struct idmap *rows, uint32_t queue)
{
	struct text_list list = queue == ROW_NONE ? (struct text_list){ NULL, 0 } :
				cluster_list(h->c, F_QUEUE_HOSTS, queue);
	uint32_t n = list.count > 0 ? list.count : h->n;
	struct offer o = { .hosts = mem_alloc((size_t)n + 1, sizeof(*o.hosts)),
			   .once = accept_interval(h->c, queue) > 0 };

	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = list.count > 0 ? idmap_get(rows, list.texts[i], ROW_NONE) : i;

		if (row != ROW_NONE && host_told(h->c, row))
			o.hosts[o.count++] = row;
		else
			o.unknown |= list.count > 0;
	}
	return o;
}

static void load_offers(struct lsf_hosts *h)
{
	struct idmap rows = { 0 };

	for (uint32_t i = h->n; i-- > 0;)
		idmap_put(&rows, cluster_text_id(h->c, F_HOST_NAME, i), i);
	h->queues = cluster_rows(h->c, TABLE_QUEUE);
	h->offers = mem_alloc((size_t)h->queues + 1, sizeof(*h->offers));
	for (uint32_t q = 0; q <= h->queues; q++)
		h->offers[q] = offer_of(h, &rows, q < h->queues ? q : ROW_NONE);
	idmap_free(&rows);
}

struct lsf_hosts *lsf_hosts_new(const struct cluster *c)
{
	struct lsf_hosts *h = mem_zalloc(1, sizeof(*h));

	h->c = c;
	h->n = cluster_rows(c, TABLE_HOST);
	h->left = mem_alloc((size_t)h->n + 1, sizeof(*h->left));
	h->usable = mem_zalloc((size_t)h->n + 1, sizeof(*h->usable));
	h->took = mem_zalloc((size_t)h->n + 1, sizeof(*h->took));
	for (uint32_t i = 0; i < h->n; i++) {
		uint32_t max = cluster_u32(c, F_HOST_SLOTS, i);
		uint32_t used = cluster_u32(c, F_HOST_SLOTS_USED, i);

		h->usable[i] = host_usable(c, i);
		h->left[i] = max >= U32_UNKNOWN ? U32_UNKNOWN : used >= max ? 0 : max - used;
	}
	load_offers(h);
	return h;
}

void lsf_hosts_free(struct lsf_hosts *h)
{
	if (!h)
		return;
	for (uint32_t q = 0; q <= h->queues; q++)
		mem_free(h->offers[q].hosts);
	mem_free(h->offers);
	mem_free(h->left);
	mem_free(h->usable);
	mem_free(h->took);
	idmap_free(&h->used);
	mem_free(h);
}

/* ---- what a host leaves ---------------------------------------------------------------------- */

/* No more than MOST less what is used already; true if that is what keeps a job away. */
static bool limit(uint64_t *room, double most, uint32_t used)
{
	uint64_t left = most > used ? (uint64_t)fmin(most, U32_UNKNOWN) - used : 0;

	if (!f64_known(most) || left >= *room)
		return false;
	*room = left;
	return left == 0;
}

static double limit_of(const struct cluster *c, enum field field, uint32_t row)
{
	uint32_t value = row == ROW_NONE ? U32_UNKNOWN : cluster_u32(c, field, row);

	return value < U32_UNKNOWN ? value : F64_UNKNOWN;
}

static double per_cpu(const struct cluster *c, uint32_t queue, uint32_t host)
{
	double most = queue == ROW_NONE ? F64_UNKNOWN :
		      cluster_f64(c, F_QUEUE_PROCESSOR_LIMIT, queue);

	uint32_t cpus = lsf_host_cpus(c, host);

	return f64_known(most) && cpus < U32_UNKNOWN ? ceil(most * cpus) : F64_UNKNOWN;
}

static const struct offer *offer_to(const struct lsf_hosts *h, const struct lsf_asked *a)
{
	return &h->offers[a->queue == ROW_NONE ? h->queues : a->queue];
}

/* NULL, or what keeps the job away from HOST: of most hosts that is told before any limit. */
static const char *keeps(const struct lsf_hosts *h, const struct lsf_asked *a, uint32_t host,
			 uint64_t *room)
{
	uint32_t queue;

	*room = h->usable[host] ? h->left[host] : 0;
	if (!h->usable[host])
		return "Closed, or not available";
	if (*room == 0)
		return "Job slot limit reached";
	if (h->took[host] && offer_to(h, a)->once)
		return "Just started a job recently";
	queue = idmap_get(&h->used, key_of(host, OF_QUEUE, a->queue), 0);
	if (limit(room, limit_of(h->c, F_QUEUE_HOST_LIMIT, a->queue), queue))
		return "Queue's per-host job slot limit reached";
	if (limit(room, per_cpu(h->c, a->queue, host), queue))
		return "Queue's per-CPU job slot limit reached";
	if (limit(room, limit_of(h->c, F_HOST_USER_LIMIT, host),
		  idmap_get(&h->used, key_of(host, OF_USER, a->user), 0)))
		return "Host's per-user job slot limit reached";
	return NULL;
}

uint64_t lsf_hosts_room(const struct lsf_hosts *h, const struct lsf_asked *a, const char **why)
{
	const struct offer *o = offer_to(h, a);
	uint64_t sum = 0, room;

	*why = "Closed, or not available";
	for (uint32_t i = 0; i < o->count && sum < a->most; i++) {
		const char *reason = keeps(h, a, o->hosts[i], &room);

		if (reason && h->usable[o->hosts[i]])
			*why = reason;
		sum += reason ? 0 : room;
	}
	if (sum > 0)
		*why = "Job slot limit reached";
	if (o->unknown)
		*why = "not known: the slots of a host, or a group of hosts, of its queue";
	return sum < a->most ? sum : a->most;
}

static void put(struct lsf_hosts *h, const struct lsf_asked *a, uint32_t host, uint64_t slots)
{
	add_used(h, key_of(host, OF_QUEUE, a->queue), slots);
	add_used(h, key_of(host, OF_USER, a->user), slots);
}

void lsf_hosts_take(struct lsf_hosts *h, const struct lsf_asked *a, uint64_t slots)
{
	const struct offer *o = offer_to(h, a);
	uint64_t room;

	for (uint32_t i = 0; i < o->count && slots > 0; i++) {
		uint32_t host = o->hosts[i];

		if (keeps(h, a, host, &room))
			continue;
		room = room < slots ? room : slots;
		put(h, a, host, room);
		if (h->left[host] < U32_UNKNOWN)
			h->left[host] -= room;
		h->took[host] = true;
		slots -= room;
	}
}

void lsf_hosts_running(struct lsf_hosts *h, const struct lsf_asked *a, const char *list)
{
	while (list && *list) {
		char *end;
		unsigned long slots = strtoul(list, &end, 10);
		const char *name = end != list && *end == '*' ? end + 1 : list;
		size_t length = strcspn(name, ":");
		uint32_t host = cluster_row_named(h->c, F_HOST_NAME, name, length);

		if (host != ROW_NONE)
			put(h, a, host, name != list ? slots : 1);
		list = name + length;
		list += *list == ':';
	}
}
