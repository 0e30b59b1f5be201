/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/lint/lint_pools.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/pools/pools.h"
#include "core/share/lsf_share.h"

#define QUEUES_REF "lsb.queues: SLOT_POOL, SLOT_SHARE (LSF Configuration Reference)"
#define CONFIGURE "Configuring slot allocation per queue (LSF 10.1)"
#define PER_QUEUE "Slot allocation per queue (LSF 10.1)"
#define QUEUE_BASED "Queue-based fair share (LSF 10.1)"
#define SCENARIOS "Typical slot allocation scenarios (LSF 10.1)"

/* A parameter as configured. */
struct lint_pools_setting {
	const char *value;	/* NULL: not set */
	uint32_t line, earlier;	/* of the file; EARLIER: set before there; 0: none */
};

struct lint_site {
	const struct cluster *c;
	struct lint *l;
	uint32_t queues, hosts;
	bool *sets;		/* per queue, per host */
	const char **pools;	/* per queue: its configured pool; NULL */
};

static const char *lint_pools_name_of(const struct lint_site *s, uint32_t q)
{
	return cluster_name(s->c, F_QUEUE_NAME, q);
}

/* "12:SLOT_SHARE=50": the last one counts. */
static struct lint_pools_setting setting_of(const struct lint_site *s, uint32_t q, const char *name)
{
	struct text_list list = cluster_list(s->c, F_QUEUE_PARAMETERS, q);
	struct lint_pools_setting found = { NULL, 0, 0 };

	for (uint32_t i = 0; i < list.count; i++) {
		const char *text = cluster_string(s->c, list.texts[i]);
		const char *value = lsf_param_value(text, name);

		if (value && *value)
			found = (struct lint_pools_setting){
				value, (uint32_t)strtoul(text, NULL, 10), found.line };
	}
	return found;
}

static uint32_t queue_line(const struct lint_site *s, uint32_t q)
{
	uint32_t line = cluster_u32(s->c, F_QUEUE_LINE, q);

	return line >= U32_UNKNOWN ? 0 : line;
}

/* Adds an item about queue Q, in LINE (0: where the queue begins). */
static struct lint_item *lint_pools_about(struct lint_site *s, enum lint_severity severity,
					  const char *code, uint32_t q, uint32_t line,
					  const char *source)
{
	struct lint_item *item = lint_add(s->l, severity, code, source, "queue:%s",
					  lint_pools_name_of(s, q));

	lint_place(item, cluster_text(s->c, F_QUEUE_FILE, q), line ? line : queue_line(s, q));
	return item;
}

static bool in_pool(const struct lint_site *s, uint32_t q)
{
	return s->pools[q] != NULL;
}

/* Whether Q is the first queue of its pool in the file. */
static bool is_first(const struct lint_site *s, uint32_t q)
{
	for (uint32_t i = 0; i < q; i++) {
		if (in_pool(s, i) && strcmp(s->pools[i], s->pools[q]) == 0)
			return false;
	}
	return true;
}

static uint32_t lint_pools_first_of(const struct lint_site *s, const char *pool)
{
	for (uint32_t i = 0; i < s->queues; i++) {
		if (in_pool(s, i) && strcmp(s->pools[i], pool) == 0)
			return i;
	}
	return ROW_NONE;
}

/* ---- hosts --------------------------------------------------------------------------------- */

static const bool *lint_pools_set_of(const struct lint_site *s, uint32_t q)
{
	return s->sets + (size_t)q * s->hosts;
}

static bool lint_pools_overlap(const struct lint_site *s, uint32_t a, uint32_t b)
{
	for (uint32_t h = 0; h < s->hosts; h++) {
		if (lint_pools_set_of(s, a)[h] && lint_pools_set_of(s, b)[h])
			return true;
	}
	return false;
}

static void lint_pools_load_sets(struct lint_site *s)
{
	for (uint32_t q = 0; q < s->queues; q++) {
		struct text_list list = cluster_list(s->c, F_QUEUE_HOSTS, q);
		bool *set = s->sets + (size_t)q * s->hosts;

		for (uint32_t h = 0; h < s->hosts; h++) {
			uint32_t name = cluster_text_id(s->c, F_HOST_NAME, h);

			set[h] = !list.texts;
			for (uint32_t i = 0; i < list.count && !set[h]; i++)
				set[h] = list.texts[i] == name;
		}
	}
}

/* ---- E1 to E3: the parameters themselves --------------------------------------------------- */

static bool is_share(const char *text)
{
	size_t digits = strspn(text, "0123456789");
	unsigned long x = strtoul(text, NULL, 10);

	return digits > 0 && digits <= 3 && text[digits] == '\0' && x >= 1 && x <= 100;
}

static bool is_pool_name(const char *text)
{
	return strlen(text) < POOLS_NAME_MAX &&
	       text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			   "0123456789_-")] == '\0';
}

static void check_parameters(struct lint_site *s, uint32_t q)
{
	struct lint_pools_setting pool = setting_of(s, q, "SLOT_POOL"),
				  share = setting_of(s, q, "SLOT_SHARE");
	struct lint_item *item;

	if (share.value && !is_share(share.value)) {
		item = lint_pools_about(s, LINT_ERROR, "E1", q, share.line, QUEUES_REF);
		lint_message(item, "SLOT_SHARE=%.60s is not an integer from 1 to 100", share.value);
		lint_suggest(item, "use a whole percentage of the pool's slots");
	}
	if (pool.value && !is_pool_name(pool.value)) {
		item = lint_pools_about(s, LINT_ERROR, "E2", q, pool.line, QUEUES_REF);
		lint_message(item, "SLOT_POOL=%.80s: %s", pool.value,
			     strlen(pool.value) >= POOLS_NAME_MAX ?
			     "the name is longer than 60 characters" :
			     "the name has characters other than letters, digits, _ and -");
		lint_suggest(item, "choose another name, in every queue of the pool");
	}
	if (!pool.value != !share.value) {
		item = lint_pools_about(s, LINT_ERROR, "E3", q, pool.value ? pool.line : share.line,
					CONFIGURE);
		lint_message(item, "%s without %s", pool.value ? "SLOT_POOL" : "SLOT_SHARE",
			     pool.value ? "SLOT_SHARE" : "SLOT_POOL");
		lint_suggest(item, "set both, or neither");
	}
}

/* ---- E8: a queue is in one pool ----------------------------------------------------------- */

static void check_twice(struct lint_site *s, uint32_t q)
{
	static const char *const parameters[] = { "SLOT_POOL", "SLOT_SHARE", "MAX_SLOTS_IN_POOL",
						  "USE_PRIORITY_IN_POOL" };

	for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++) {
		struct lint_pools_setting set = setting_of(s, q, parameters[i]);
		struct lint_item *item;

		if (set.line == 0 || set.earlier == 0)
			continue;
		item = lint_pools_about(s, LINT_ERROR, "E8", q, set.line, QUEUES_REF);
		lint_message(item, "%s is already set in line %u: a queue is in one pool, with one "
			     "share; the last one counts here", parameters[i],
			     (unsigned)set.earlier);
		lint_suggest(item, "remove one of the two lines");
	}
}

/* ---- E4, E5, W5: hosts --------------------------------------------------------------------- */

static void check_same_hosts(struct lint_site *s, uint32_t q)
{
	uint32_t first = lint_pools_first_of(s, s->pools[q]);
	struct lint_item *item;

	if (first == q || memcmp(lint_pools_set_of(s, q), lint_pools_set_of(s, first),
				 s->hosts * sizeof(bool)) == 0)
		return;
	item = lint_pools_about(s, LINT_ERROR, "E4", q, setting_of(s, q, "HOSTS").line, PER_QUEUE);
	lint_message(item, "its hosts differ from those of queue %.60s, the first of pool %.60s",
		     lint_pools_name_of(s, first), s->pools[q]);
	lint_suggest(item, "give all queues of the pool the same HOSTS");
}

static void list_host(char *list, size_t size, unsigned *n, const char *name)
{
	if (++*n <= 5)
		format_append(list, size, "%s%.40s", list[0] ? " " : "", name ? name : "");
	else if (*n == 6)
		format_append(list, size, " ...");
}

static void check_pool_hosts(struct lint_site *s, uint32_t first)
{
	char unlimited[300] = "", parted[300] = "";
	unsigned unlimited_count = 0, parted_count = 0;
	struct lint_item *item;

	for (uint32_t h = 0; h < s->hosts; h++) {
		const char *name = cluster_text(s->c, F_HOST_NAME, h);

		if (!lint_pools_set_of(s, first)[h])
			continue;
		if (!cluster_text(s->c, F_HOST_MXJ, h) &&
		    cluster_u32(s->c, F_HOST_SLOTS, h) >= U32_UNKNOWN)
			list_host(unlimited, sizeof(unlimited), &unlimited_count, name);
		if (cluster_text(s->c, F_HOST_HOST_PARTITION, h))
			list_host(parted, sizeof(parted), &parted_count, name);
	}
	if (unlimited_count > 0) {
		item = lint_pools_about(s, LINT_ERROR, "E5", first,
					setting_of(s, first, "HOSTS").line, CONFIGURE);
		lint_object(item, "pool:%.100s", s->pools[first]);
		lint_message(item, "%u of its hosts %s no slot limit: %.250s", unlimited_count,
			     unlimited_count == 1 ? "has" : "have", unlimited);
		lint_suggest(item, "set MXJ in lsb.hosts, or HOSTS and SLOTS in lsb.resources");
	}
	if (parted_count > 0) {
		item = lint_pools_about(s, LINT_WARNING, "W5", first,
					setting_of(s, first, "HOSTS").line, CONFIGURE);
		lint_object(item, "pool:%.100s", s->pools[first]);
		lint_message(item, "%u of its hosts %s in a host partition: %.250s", parted_count,
			     parted_count == 1 ? "is" : "are", parted);
		lint_suggest(item, "remove them from the host partition in lsb.hosts");
	}
}

/* ---- E6, E7: other policies ---------------------------------------------------------------- */

/* Whether LIST ("PREEMPTIVE[q1+2 q2] PREEMPTABLE[q3]", "q1 q2") names QUEUE. */
static bool lint_pools_names(const char *list, const char *queue)
{
	size_t length = strlen(queue);

	for (const char *at = list; *at;) {
		size_t n = strcspn(at, " \t,[](){}");

		if (n >= length && strncmp(at, queue, length) == 0 &&
		    (n == length || at[length] == '+'))
			return true;
		at += n;
		at += strspn(at, " \t,[](){}");
	}
	return false;
}

static void check_preemption(struct lint_site *s, uint32_t q)
{
	struct lint_pools_setting own = setting_of(s, q, "PREEMPTION");
	struct lint_item *item;

	if (own.value) {
		item = lint_pools_about(s, LINT_ERROR, "E6", q, own.line, QUEUE_BASED);
		lint_message(item, "a queue of a pool must neither preempt nor be preempted: "
			     "PREEMPTION=%.80s", own.value);
		lint_suggest(item, "remove PREEMPTION, or remove the queue from the pool");
	}
	for (uint32_t i = 0; i < s->queues; i++) {
		struct lint_pools_setting other = setting_of(s, i, "PREEMPTION");

		if (i == q || !other.value ||
		    !lint_pools_names(other.value, lint_pools_name_of(s, q)))
			continue;
		item = lint_pools_about(s, LINT_ERROR, "E6", q, other.line, QUEUE_BASED);
		lint_message(item, "a queue of a pool must neither preempt nor be preempted: "
			     "queue %.60s names it in PREEMPTION", lint_pools_name_of(s, i));
		lint_suggest(item, "remove it from PREEMPTION of queue %.60s",
			     lint_pools_name_of(s, i));
	}
}

static void check_fairshare(struct lint_site *s, uint32_t q)
{
	for (uint32_t i = 0; i < s->queues; i++) {
		struct lint_pools_setting set = setting_of(s, i, "FAIRSHARE_QUEUES");
		struct lint_item *item;

		if (!set.value ||
		    (i != q && !lint_pools_names(set.value, lint_pools_name_of(s, q))))
			continue;
		item = lint_pools_about(s, LINT_ERROR, "E7", q, set.line, QUEUE_BASED);
		lint_message(item,
			     "it is %s of the FAIRSHARE_QUEUES of queue %.60s, whose user-based "
			     "fair share can undo the pool's decisions",
			     i == q ? "the master" : "a member", lint_pools_name_of(s, i));
		lint_suggest(item, "keep queues of pools out of FAIRSHARE_QUEUES");
	}
}

/* ---- W1, W2: reservations ------------------------------------------------------------------ */

static void check_reserve(struct lint_site *s, uint32_t q)
{
	struct lint_pools_setting reserve = setting_of(s, q, "SLOT_RESERVE");
	struct lint_pools_setting backfill = setting_of(s, q, "BACKFILL");
	struct lint_item *item;

	if (!reserve.value)
		return;
	if (in_pool(s, q)) {
		item = lint_pools_about(s, LINT_WARNING, "W1", q, reserve.line, QUEUE_BASED);
		lint_message(item, "SLOT_RESERVE should not be set in a queue of a pool");
		lint_suggest(item, "remove SLOT_RESERVE");
	}
	if (backfill.value && (backfill.value[0] == 'Y' || backfill.value[0] == 'y')) {
		item = lint_pools_about(s, LINT_WARNING, "W2", q, backfill.line, QUEUE_BASED);
		lint_message(item,
			     "jobs of a queue with both SLOT_RESERVE and BACKFILL cannot backfill "
			     "into slots that the queue's jobs reserve");
		lint_suggest(item, "use another queue for backfilling");
	}
}

/* ---- W3, W4, W7: the pool's own numbers ---------------------------------------------------- */

static uint32_t lint_pools_share_of(const struct lint_site *s, uint32_t q)
{
	double share = cluster_f64(s->c, F_QUEUE_SHARE, q);

	return share >= 1 && share <= 100 ? (uint32_t)share : 0;
}

static void lint_pools_check_sum(struct lint_site *s, uint32_t first)
{
	struct lint_item *item;
	uint32_t sum = 0;

	for (uint32_t q = 0; q < s->queues; q++) {
		if (in_pool(s, q) && strcmp(s->pools[q], s->pools[first]) == 0)
			sum += lint_pools_share_of(s, q);
	}
	if (sum == 100 || sum == 0)
		return;
	item = lint_pools_about(s, LINT_WARNING, "W3", first,
				setting_of(s, first, "SLOT_SHARE").line, PER_QUEUE);
	lint_object(item, "pool:%.100s", s->pools[first]);
	lint_message(item, "its shares add up to %u, %s", (unsigned)sum, sum > 100 ?
		     "more than 100: queues late in the allocation order are cut" :
		     "less than 100: slots left after round 1 are allotted in more rounds");
	lint_suggest(item, "allowed; if not intended, make them add up to 100");
}

static void check_later_parameters(struct lint_site *s, uint32_t q)
{
	static const char *const parameters[] = { "MAX_SLOTS_IN_POOL", "USE_PRIORITY_IN_POOL" };

	for (size_t i = 0; i < 2; i++) {
		struct lint_pools_setting set = setting_of(s, q, parameters[i]);
		struct lint_item *item;

		if (!set.value || (in_pool(s, q) && is_first(s, q)))
			continue;
		item = lint_pools_about(s, LINT_WARNING, "W4", q, set.line, PER_QUEUE);
		lint_message(item, in_pool(s, q) ?
			     "%s is only read in the first queue of a pool" :
			     "%s has no effect in a queue outside pools", parameters[i]);
		if (in_pool(s, q))
			lint_suggest(item, "move it to queue %.60s",
				     lint_pools_name_of(s, lint_pools_first_of(s, s->pools[q])));
		else
			lint_suggest(item, "remove it");
	}
}

static void check_max(struct lint_site *s, uint32_t first)
{
	struct lint_pools_setting max = setting_of(s, first, "MAX_SLOTS_IN_POOL");
	unsigned long limit = max.value ? strtoul(max.value, NULL, 10) : 0;
	struct lint_item *item;
	uint64_t slots = 0;

	for (uint32_t h = 0; h < s->hosts; h++) {
		uint32_t own = cluster_u32(s->c, F_HOST_SLOTS, h);

		if (lint_pools_set_of(s, first)[h] && own >= U32_UNKNOWN)
			return;
		slots += lint_pools_set_of(s, first)[h] ? own : 0;
	}
	if (!max.value || slots == 0 || limit <= slots)
		return;
	item = lint_pools_about(s, LINT_WARNING, "W7", first, max.line, "fairtop");
	lint_object(item, "pool:%.100s", s->pools[first]);
	lint_message(item, "MAX_SLOTS_IN_POOL=%lu has no effect: the hosts have %llu slots", limit,
		     (unsigned long long)slots);
	lint_suggest(item, "remove it, or set it below %llu", (unsigned long long)slots);
}

/* ---- W6, W8: others on the same hosts ------------------------------------------------------ */

static void check_outside(struct lint_site *s, uint32_t q)
{
	int64_t priority = cluster_i64(s->c, F_QUEUE_PRIORITY, q);

	for (uint32_t first = 0; first < s->queues; first++) {
		int64_t best = INT64_MIN, worst = INT64_MAX;
		struct lint_item *item;

		if (!in_pool(s, first) || !is_first(s, first) || !lint_pools_overlap(s, q, first))
			continue;
		for (uint32_t i = 0; i < s->queues; i++) {
			int64_t own = cluster_i64(s->c, F_QUEUE_PRIORITY, i);

			if (!in_pool(s, i) || strcmp(s->pools[i], s->pools[first]) != 0 ||
			    own == I64_UNKNOWN)
				continue;
			best = own > best ? own : best;
			worst = own < worst ? own : worst;
		}
		if (priority == I64_UNKNOWN || worst == INT64_MAX || priority < worst)
			continue;
		item = lint_pools_about(s, LINT_WARNING, "W6", q, setting_of(s, q, "PRIORITY").line,
					QUEUE_BASED);
		lint_message(item,
			     "outside pool %.60s, but on its hosts with PRIORITY %lld, not below "
			     "that of %s: it may use up the pool's slots",
			     s->pools[first], (long long)priority,
			     priority >= best ? "any pool queue" : "some pool queues");
		/* 1 is the lowest possible. */
		if (worst > 1)
			lint_suggest(item, "lower its PRIORITY below %lld, limit it with "
				     "QJOB_LIMIT, or give it other hosts", (long long)worst);
		else
			lint_suggest(item, "limit it with QJOB_LIMIT, or give it other hosts");
	}
}

static void check_shared_hosts(struct lint_site *s, uint32_t first)
{
	for (uint32_t other = 0; other < first; other++) {
		struct lint_item *item;

		if (!in_pool(s, other) || !is_first(s, other) ||
		    !lint_pools_overlap(s, first, other))
			continue;
		item = lint_pools_about(s, LINT_WARNING, "W8", first,
					setting_of(s, first, "SLOT_POOL").line, "fairtop");
		lint_object(item, "pool:%.100s", s->pools[first]);
		lint_message(item,
			     "shares hosts with pool %.60s: each counts the slots of the other as "
			     "used from outside", s->pools[other]);
		lint_suggest(item, "give each pool its own hosts");
	}
}

/* ---- W9: who starves at first -------------------------------------------------------------- */

/* Runs round 1 of a new pool with work everywhere, as the engine does. */
static void check_starving(struct lint_site *s, const struct pools *p, uint32_t pool)
{
	const struct slots_pool *real = &p->pools[pool].slots;
	struct slots_queue *queues = mem_zalloc(real->count, sizeof(*queues));
	uint32_t *order = mem_alloc(real->count, sizeof(*order));
	struct slots_pool fresh;

	for (uint32_t i = 0; i < real->count; i++) {
		queues[i].priority = real->queues[i].priority;
		queues[i].share = real->queues[i].share;
		queues[i].demand = INT32_MAX;
	}
	slots_pool_init(&fresh, queues, order, real->count);
	fresh.host_slots = real->host_slots;
	fresh.max_slots = real->max_slots;
	fresh.strict = true;
	slots_allocate(&fresh, NULL, NULL);
	for (uint32_t i = 0; i < real->count && fresh.size > 0; i++) {
		uint32_t q = p->queues[p->members[p->pools[pool].first + i]].row;
		struct lint_item *item;

		if (queues[i].allotted > 0)
			continue;
		item = lint_pools_about(s, LINT_WARNING, "W9", q,
					setting_of(s, q, "SLOT_SHARE").line, SCENARIOS);
		lint_message(item, "its %u %% of %u slots round up to %u, but the queues before it "
			     "leave none: it gets no slots until they have accumulated use",
			     (unsigned)queues[i].share, (unsigned)fresh.size,
			     (unsigned)queues[i].entitled);
		lint_suggest(item, "use fewer queues or larger shares in pool %.60s",
			     p->pools[pool].name);
	}
	mem_free(queues);
	mem_free(order);
}

/* ---- all ----------------------------------------------------------------------------------- */

static void check_queue(struct lint_site *s, uint32_t q)
{
	check_parameters(s, q);
	check_twice(s, q);
	check_reserve(s, q);
	check_later_parameters(s, q);
	if (!in_pool(s, q)) {
		check_outside(s, q);
		return;
	}
	check_same_hosts(s, q);
	check_preemption(s, q);
	check_fairshare(s, q);
	if (is_first(s, q)) {
		check_pool_hosts(s, q);
		lint_pools_check_sum(s, q);
		check_max(s, q);
		check_shared_hosts(s, q);
	}
}

void lint_pools(const struct cluster *c, struct lint *l)
{
	struct lint_site s = { .c = c, .l = l, .queues = cluster_rows(c, TABLE_QUEUE),
			       .hosts = cluster_rows(c, TABLE_HOST) };
	struct pools *p;

	if (s.queues == 0)
		return;
	s.sets = mem_zalloc((size_t)s.queues * s.hosts + 1, sizeof(*s.sets));
	s.pools = mem_zalloc(s.queues, sizeof(*s.pools));
	for (uint32_t q = 0; q < s.queues; q++)
		s.pools[q] = cluster_text(c, F_QUEUE_POOL, q);
	lint_pools_load_sets(&s);
	for (uint32_t q = 0; q < s.queues; q++)
		check_queue(&s, q);
	p = pools_new(c, NULL, false, NULL, NULL);
	for (uint32_t k = 0; p && k < p->pool_count; k++)
		check_starving(&s, p, k);
	pools_free(p);
	lint_lsf_shares(c, l);
	mem_free(s.sets);
	mem_free(s.pools);
}
