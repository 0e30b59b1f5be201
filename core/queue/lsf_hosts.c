/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/lsf_hosts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/host_state.h"
#include "core/cluster/idmap.h"
#include "core/share/lsf_share.h"

/* What all jobs of a queue have in common. */
struct offer {
	uint32_t *hosts, count;		/* rows, in its order; only known ones */
	bool unknown;			/* some other host of HOSTS is unknown */
	double interval;		/* JOB_ACCEPT_INTERVAL, in sessions; NaN unknown */
};

/* Slots of a host for the current job. */
struct pick {
	uint32_t host;
	uint64_t slots;
};

struct lsf_hosts {
	const struct cluster *c;
	uint32_t n, queues;
	struct offer *offers;		/* per queue; the last is for jobs of none */
	uint64_t *left;			/* U32_UNKNOWN: no limit */
	bool *usable, *busy;		/* some job is on it */
	bool *took;			/* a job of a queue with an interval, in this session */
	bool *may;			/* took one of a queue with an unknown interval */
	bool *offered;			/* by the queue of the current job */
	bool *lent;			/* taken in this session by an exclusive job */
	uint32_t first;			/* host; ROW_NONE */
	uint64_t loose;			/* slots of jobs that might be on other hosts, by load */
	const char *doubt;		/* NULL, or what is uncertain */
	int64_t *last;			/* start of its most recent job; I64_UNKNOWN */
	double sleep;			/* seconds between sessions; NaN */
	struct idmap used;		/* slots of each queue and each user on each host */
	struct pick *picks;
};

enum who { OF_QUEUE, OF_USER };

static uint64_t hosts_key_of(uint32_t host, enum who who, uint32_t number)
{
	return (uint64_t)host << 33 | (uint64_t)who << 32 | number;
}

static void add_used(struct lsf_hosts *h, uint64_t key, uint64_t slots)
{
	idmap_put(&h->used, key, idmap_get(&h->used, key, 0) + (uint32_t)slots);
}

/* The queue's setting, else that of lsb.params. */
static double accept_interval(const struct cluster *c, uint32_t queue)
{
	static const char name[] = "JOB_ACCEPT_INTERVAL";
	const char *own = queue == ROW_NONE ? NULL : lsf_queue_param(c, queue, name);
	size_t i = policy_param(name);
	double value;

	if (own)
		return strtod(own, NULL);
	if (policy_is_unreported(cluster_policy(c), i) || lsf_queue_unreported(c, queue, name))
		return F64_UNKNOWN;
	/* mbatchd ignores invalid numbers: its default. */
	return policy_real(cluster_policy(c), i, &value) ? value : 1;
}

static struct offer offer_of(const struct lsf_hosts *h, const struct idmap *rows, uint32_t queue)
{
	struct text_list list = queue == ROW_NONE ? (struct text_list){ NULL, 0 } :
				cluster_list(h->c, F_QUEUE_HOSTS, queue);
	uint32_t n = list.count > 0 ? list.count : h->n;
	struct offer o = { .hosts = mem_alloc((size_t)n + 1, sizeof(*o.hosts)),
			   .interval = accept_interval(h->c, queue) };

	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = list.count > 0 ? idmap_get(rows, list.texts[i], ROW_NONE) : i;

		if (row != ROW_NONE && host_reported(h->c, row))
			o.hosts[o.count++] = row;
		else
			o.unknown |= list.count > 0;
	}
	return o;
}

static void hosts_load_offers(struct lsf_hosts *h)
{
	struct idmap rows = cluster_rows_by(h->c, F_HOST_NAME);

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
	h->last = mem_alloc((size_t)h->n + 1, sizeof(*h->last));
	h->picks = mem_alloc((size_t)h->n + 1, sizeof(*h->picks));
	h->usable = mem_zalloc((size_t)h->n + 1, 6 * sizeof(*h->usable));
	h->took = h->usable + h->n;
	h->busy = h->took + h->n;
	h->offered = h->busy + h->n;
	h->lent = h->offered + h->n;
	h->may = h->lent + h->n;
	h->first = ROW_NONE;
	if (!policy_real(cluster_policy(c), policy_param("MBD_SLEEP_TIME"), &h->sleep))
		h->sleep = F64_UNKNOWN;
	for (uint32_t i = 0; i < h->n; i++) {
		uint32_t max = cluster_u32(c, F_HOST_SLOTS, i);
		uint32_t used = cluster_u32(c, F_HOST_SLOTS_USED, i);

		if (h->first == ROW_NONE && host_reported(c, i))
			h->first = i;
		h->last[i] = I64_UNKNOWN;
		h->usable[i] = host_usable(c, i);
		h->busy[i] = used > 0 && used < U32_UNKNOWN;
		h->left[i] = max >= U32_UNKNOWN ? U32_UNKNOWN : used >= max ? 0 : max - used;
	}
	hosts_load_offers(h);
	return h;
}

void lsf_hosts_free(struct lsf_hosts *h)
{
	if (!h)
		return;
	for (uint32_t q = 0; q <= h->queues; q++)
		mem_free(h->offers[q].hosts);
	mem_free(h->offers);
	MEM_FREE(h->left, h->last, h->picks, h->usable);
	idmap_free(&h->used);
	mem_free(h);
}

/* ---- free slots of a host -------------------------------------------------------------------- */

/* Lowers ROOM to MOST minus USED; true if that is what stops the job. */
static bool hosts_limit(uint64_t *room, double most, uint32_t used)
{
	uint64_t left = most > used ? (uint64_t)fmin(most, U32_UNKNOWN) - used : 0;

	if (!f64_known(most) || left >= *room)
		return false;
	*room = left;
	return left == 0;
}

static double hosts_limit_of(const struct cluster *c, enum field field, uint32_t row)
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

static void hosts_put(struct lsf_hosts *h, const struct lsf_asked *a, uint32_t host, uint64_t slots)
{
	add_used(h, hosts_key_of(host, OF_QUEUE, a->queue), slots);
	add_used(h, hosts_key_of(host, OF_USER, a->user), slots);
	h->busy[host] = true;
}

static const struct offer *offer_to(const struct lsf_hosts *h, const struct lsf_asked *a)
{
	return &h->offers[a->queue == ROW_NONE ? h->queues : a->queue];
}

/*
 * Did its last job start less than INTERVAL sessions before the next one? Uncertain by one session,
 * since one may have taken place since.
 */
static bool is_recent(const struct lsf_hosts *h, uint32_t host, double interval)
{
	int64_t now = cluster_meta(h->c)->time;

	return interval > 1 && h->last[host] != I64_UNKNOWN && now != I64_UNKNOWN &&
	       ceil((double)(now - h->last[host]) / h->sleep) < interval;
}

/* Lowers ROOM to what limits of queue and user leave on HOST; NULL, or the limit reached. */
static const char *hosts_limited(const struct lsf_hosts *h, const struct lsf_asked *a,
				 uint32_t host, uint64_t *room)
{
	uint32_t queue = idmap_get(&h->used, hosts_key_of(host, OF_QUEUE, a->queue), 0);

	if (hosts_limit(room, hosts_limit_of(h->c, F_QUEUE_HOST_LIMIT, a->queue), queue))
		return "Queue's per-host job slot limit reached";
	if (hosts_limit(room, per_cpu(h->c, a->queue, host), queue))
		return "Queue's per-CPU job slot limit reached";
	if (hosts_limit(room, hosts_limit_of(h->c, F_HOST_USER_LIMIT, host),
			idmap_get(&h->used, hosts_key_of(host, OF_USER, a->user), 0)))
		return "Host's per-user job slot limit reached";
	return NULL;
}

/* Can HOST never hold a whole tile? mbd.policy.c, jobMaxUsableSlotsOnHost(). */
static bool too_small(const struct lsf_hosts *h, const struct lsf_asked *a, uint32_t host)
{
	uint32_t cpus = lsf_host_cpus(h->c, host);
	uint64_t most = a->ever < cpus ? a->ever : cpus;

	if (a->tile == 0 || !lsf_is_volclava(h->c))
		return false;
	(void)hosts_limit(&most, hosts_limit_of(h->c, F_HOST_SLOTS, host), 0);
	(void)hosts_limit(&most, hosts_limit_of(h->c, F_HOST_USER_LIMIT, host), 0);
	(void)hosts_limit(&most, hosts_limit_of(h->c, F_QUEUE_HOST_LIMIT, a->queue), 0);
	(void)hosts_limit(&most, per_cpu(h->c, a->queue, host), 0);
	return most < a->tile;
}

/* NULL, or what keeps the job off HOST: the host's own state first, limits last. */
static const char *hosts_keeps(const struct lsf_hosts *h, const struct lsf_asked *a, uint32_t host,
			       uint64_t *room)
{
	uint32_t cpus = lsf_is_volclava(h->c) ? lsf_host_cpus(h->c, host) : U32_UNKNOWN;

	*room = h->usable[host] ? h->left[host] : 0;
	if (!h->usable[host])
		return "Closed, or not available";
	if (*room == 0)
		return "Job slot limit reached";
	if (h->took[host] || is_recent(h, host, offer_to(h, a)->interval))
		return "Just started a job recently";
	if (a->alone && h->busy[host])
		return "Job's requirement for exclusive execution not satisfied";
	if (too_small(h, a, host))
		return "Not enough slots on hosts for the job to span";
	*room = cpus < *room ? cpus : *room;
	return hosts_limited(h, a, host, room);
}

const char *lsf_hosts_closed(const struct lsf_hosts *h, const struct lsf_asked *a)
{
	uint64_t room = U32_UNKNOWN;

	return h->first == ROW_NONE || !lsf_is_volclava(h->c) ? NULL :
	       hosts_limited(h, a, h->first, &room);
}

const char *lsf_hosts_doubt(const struct lsf_hosts *h)
{
	return h->doubt;
}

/* ---- one job --------------------------------------------------------------------------------- */

/* Adds HOST to the N picks if it has free slots; may set WHY if not. */
static uint32_t add_pick(struct lsf_hosts *h, const struct lsf_asked *a, uint32_t host, uint32_t n,
			 const char **why)
{
	uint64_t room;
	const char *reason = hosts_keeps(h, a, host, &room);

	if (reason && h->usable[host])
		*why = reason;
	if (!reason)
		h->picks[n++] = (struct pick){ host, room };
	return n;
}

/* Picks those hosts of a list, "hosta hostb", that the queue offers, in its order. */
static uint32_t pick_named(struct lsf_hosts *h, const struct lsf_asked *a, const char **why)
{
	const struct offer *o = offer_to(h, a);
	uint32_t n = 0;

	for (uint32_t i = 0; i < o->count; i++)
		h->offered[o->hosts[i]] = true;
	for (const char *name = a->names; *name; name += strspn(name, " ")) {
		size_t length = strcspn(name, " ");
		uint32_t host = cluster_row_named(h->c, F_HOST_NAME, name, length);

		if (host != ROW_NONE && h->offered[host])
			n = add_pick(h, a, host, n, why);
		if (host != ROW_NONE)
			h->offered[host] = false;
		name += length;
	}
	for (uint32_t i = 0; i < o->count; i++)
		h->offered[o->hosts[i]] = false;
	return n;
}

static uint32_t pick_all(struct lsf_hosts *h, const struct lsf_asked *a, const char **why)
{
	const struct offer *o = offer_to(h, a);
	uint64_t sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < o->count && (a->tile || a->one || sum < a->most); i++) {
		uint32_t before = n;

		n = add_pick(h, a, o->hosts[i], n, why);
		sum += n > before ? h->picks[before].slots : 0;
	}
	return n;
}

/*
 * span[hosts=1]: keeps the first of N with enough slots for the minimum, or, for a range, the one
 * with the most; mbd.policy.c, getCandHosts() and getNumSlots(). Returns how many are left.
 */
static uint32_t keep_one(struct lsf_hosts *h, const struct lsf_asked *a, uint32_t n)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < n; i++) {
		if (a->least < a->most ? h->picks[i].slots > h->picks[best].slots :
		    h->picks[best].slots < a->least && h->picks[i].slots >= a->least)
			best = i;
	}
	h->picks[0] = h->picks[best];
	return n > 0 && h->picks[0].slots >= a->least ? 1 : 0;
}

/*
 * span[ptile=TILE]: that many on each, on as many hosts as the minimum needs, those with enough
 * slots first; mbd.policy.c, reshapeCandHost().
 */
static uint32_t keep_tiles(struct lsf_hosts *h, const struct lsf_asked *a, uint32_t n)
{
	uint64_t wanted = (a->least + a->tile - 1) / a->tile;
	uint32_t full = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct pick pick = h->picks[i];

		if (pick.slots >= a->tile) {
			pick.slots = a->tile;
			h->picks[i] = h->picks[full];
			h->picks[full++] = pick;
		}
	}
	return n < wanted ? n : (uint32_t)wanted;
}

/* Free slots of the hosts of its queue, or of all hosts. */
static uint64_t left_on(const struct lsf_hosts *h, const struct lsf_asked *a, bool all)
{
	const struct offer *o = offer_to(h, a);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < (all ? h->n : o->count); i++) {
		uint32_t host = all ? i : o->hosts[i];

		sum += h->usable[host] ? h->left[host] : 0;
	}
	return sum;
}

/* Could a job that got SLOTS of its first host also run on another host of its queue? */
static bool is_loose(const struct lsf_hosts *h, const struct lsf_asked *a, uint64_t slots)
{
	const struct offer *o = offer_to(h, a);
	uint32_t with_room = 0;
	uint64_t room;

	for (uint32_t i = 0; i < o->count && with_room < 2; i++)
		with_room += !hosts_keeps(h, a, o->hosts[i], &room);
	return with_room > 1 && slots < left_on(h, a, false);
}

/*
 * Notes that a job is tried after others that might be on other hosts: in that case it might start
 * where it did not, or the reverse.
 */
static void doubt_hosts(struct lsf_hosts *h, const struct lsf_asked *a, bool starts)
{
	bool part = a->names || offer_to(h, a)->count < h->n;

	if (h->loose == 0 || h->doubt)
		return;
	if (starts ? part && left_on(h, a, false) < a->least + h->loose :
		     left_on(h, a, true) >= a->least)
		h->doubt = "LSF chooses among the hosts of a job by load, which is unknown: jobs "
			   "tried after it may start or not";
}

/* May HOST be closed to other jobs by unknown parameters? */
static bool may_wait(const struct lsf_hosts *h, const struct lsf_asked *a, uint32_t host)
{
	double interval = offer_to(h, a)->interval;

	return h->may[host] ||
	       (!f64_known(h->sleep) && h->last[host] != I64_UNKNOWN && !(interval <= 1));
}

/* Gives the job SLOTS of the N picks. */
static void hosts_take(struct lsf_hosts *h, const struct lsf_asked *a, uint32_t n, uint64_t slots)
{
	for (uint32_t i = 0; i < n && slots > 0; i++) {
		uint32_t host = h->picks[i].host;
		uint64_t taken = h->picks[i].slots < slots ? h->picks[i].slots : slots;

		hosts_put(h, a, host, taken);
		if (h->left[host] < U32_UNKNOWN)
			h->left[host] -= taken;
		if (may_wait(h, a, host) && !h->doubt)
			h->doubt = "JOB_ACCEPT_INTERVAL, or MBD_SLEEP_TIME, is unknown (expected "
				   "lsb.params or bparams -l): a host may take fewer jobs";
		h->took[host] |= offer_to(h, a)->interval > 0;
		h->may[host] |= !f64_known(offer_to(h, a)->interval);
		/* volclava closes it only to jobs that use an earlier job's list of hosts. */
		if (h->lent[host] && !h->doubt)
			h->doubt = "a job starts on a host that another job of this session has "
				   "exclusively (-x): it might not start there";
		h->lent[host] |= a->alone;
		h->usable[host] &= !a->alone || lsf_is_volclava(h->c);
		slots -= taken;
	}
}

bool lsf_hosts_named(const struct lsf_hosts *h, const char *names)
{
	bool known = true;

	for (; names && known && *(names += strspn(names, " ")); names += strcspn(names, " ")) {
		uint32_t host = cluster_row_named(h->c, F_HOST_NAME, names, strcspn(names, " "));

		known = host != ROW_NONE && host_reported(h->c, host);
	}
	return known;
}

uint64_t lsf_hosts_start(struct lsf_hosts *h, const struct lsf_asked *a, const char **why)
{
	uint64_t sum = 0;
	uint32_t n;

	*why = "Closed, or not available";
	n = a->names ? pick_named(h, a, why) : pick_all(h, a, why);
	if (n > 0)
		*why = a->one || a->tile ? "Not enough slots on hosts for the job to span" :
					   "Job slot limit reached";
	if (a->one)
		n = keep_one(h, a, n);
	else if (a->tile)
		n = keep_tiles(h, a, n);
	for (uint32_t i = 0; i < n; i++)
		sum += h->picks[i].slots;
	sum = sum < a->most ? sum : a->most;
	doubt_hosts(h, a, sum >= a->least);
	if (sum >= a->least) {
		h->loose += !a->names && is_loose(h, a, sum) ? sum : 0;
		hosts_take(h, a, n, sum);
		return sum;
	}
	if (offer_to(h, a)->unknown)
		*why = "unknown: the slots of a host, or a host group, of its queue";
	if (!lsf_hosts_named(h, a->names))
		*why = "unknown: a host, or a host group, that it asks for";
	return 0;
}

void lsf_hosts_running(struct lsf_hosts *h, const struct lsf_asked *a, const char *list,
		       int64_t start)
{
	while (list && *list) {
		char *end;
		unsigned long slots = strtoul(list, &end, 10);
		const char *name = end != list && *end == '*' ? end + 1 : list;
		size_t length = strcspn(name, ":");
		uint32_t host = cluster_row_named(h->c, F_HOST_NAME, name, length);

		if (host != ROW_NONE) {
			hosts_put(h, a, host, name != list ? slots : 1);
			if (start != I64_UNKNOWN && (h->last[host] == I64_UNKNOWN ||
						     start > h->last[host]))
				h->last[host] = start;
		}
		list = name + length;
		list += *list == ':';
	}
}
