/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/lsf_hosts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/host_state.h"
#include "core/cluster/idmap.h"
#include "core/share/lsf_share.h"

struct lsf_hosts {
	const struct cluster *c;
	uint32_t n;
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
	return h;
}

void lsf_hosts_free(struct lsf_hosts *h)
{
	if (!h)
		return;
	mem_free(h->left);
	mem_free(h->usable);
	mem_free(h->took);
	idmap_free(&h->used);
	mem_free(h);
}

/* ---- what a host leaves ---------------------------------------------------------------------- */

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

/* No more than MOST less what is used already; true if that is what keeps a job away. */
static bool limit(uint64_t *room, double most, uint32_t used)
{
	uint64_t left = most > used ? (uint64_t)most - used : 0;

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

/* NULL, or what keeps the job away from HOST. */
static const char *keeps(const struct lsf_hosts *h, const struct lsf_asked *a, uint32_t host,
			 uint64_t *room)
{
	uint32_t queue = idmap_get(&h->used, key_of(host, OF_QUEUE, a->queue), 0);
	uint32_t user = idmap_get(&h->used, key_of(host, OF_USER, a->user), 0);

	*room = h->usable[host] ? h->left[host] : 0;
	if (!h->usable[host])
		return "Closed, or not available";
	if (*room == 0)
		return "Job slot limit reached";
	if (h->took[host] && accept_interval(h->c, a->queue) > 0)
		return "Just started a job recently";
	if (limit(room, limit_of(h->c, F_QUEUE_HOST_LIMIT, a->queue), queue))
		return "Queue's per-host job slot limit reached";
	if (limit(room, per_cpu(h->c, a->queue, host), queue))
		return "Queue's per-CPU job slot limit reached";
	if (limit(room, limit_of(h->c, F_HOST_USER_LIMIT, host), user))
		return "Host's per-user job slot limit reached";
	return NULL;
}

/* The I-th host of the queue; ROW_NONE: the cluster does not have it. */
static uint32_t host_at(const struct lsf_hosts *h, struct text_list list, uint32_t i)
{
	return list.count > 0 ? cluster_row_of(h->c, F_HOST_NAME, list.texts[i]) : i;
}

static struct text_list hosts_of(const struct lsf_hosts *h, uint32_t queue)
{
	return queue == ROW_NONE ? (struct text_list){ NULL, 0 } :
				   cluster_list(h->c, F_QUEUE_HOSTS, queue);
}

uint64_t lsf_hosts_room(const struct lsf_hosts *h, const struct lsf_asked *a, const char **why)
{
	struct text_list list = hosts_of(h, a->queue);
	uint32_t n = list.count > 0 ? list.count : h->n;
	uint64_t sum = 0, room;

	*why = "Closed, or not available";
	for (uint32_t i = 0; i < n && sum < a->most; i++) {
		uint32_t host = host_at(h, list, i);
		const char *reason = host == ROW_NONE ? NULL : keeps(h, a, host, &room);

		if (reason && h->usable[host])
			*why = reason;
		sum += reason || host == ROW_NONE ? 0 : room;
	}
	if (sum > 0)
		*why = "Job slot limit reached";
	return sum < a->most ? sum : a->most;
}

static void put(struct lsf_hosts *h, const struct lsf_asked *a, uint32_t host, uint64_t slots)
{
	add_used(h, key_of(host, OF_QUEUE, a->queue), slots);
	add_used(h, key_of(host, OF_USER, a->user), slots);
}

void lsf_hosts_take(struct lsf_hosts *h, const struct lsf_asked *a, uint64_t slots)
{
	struct text_list list = hosts_of(h, a->queue);
	uint32_t n = list.count > 0 ? list.count : h->n;
	uint64_t room;

	for (uint32_t i = 0; i < n && slots > 0; i++) {
		uint32_t host = host_at(h, list, i);

		if (host == ROW_NONE || keeps(h, a, host, &room))
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
