/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pools: the queue pools of a cluster with their allocation, ready for any view.
 *
 * The tables QUEUE, POOL, HOST and JOB of a source (or what a pools file makes of the partitions or
 * queues of another scheduler) become one slots_pool per pool. Each gets one allocation, with every
 * grant kept; all queues together get a dispatch order.
 *
 * Size of a pool: the slots of its hosts, each host once (for a host that takes no jobs, the slots
 * in use), minus foreign use, at most MAX_SLOTS_IN_POOL. Foreign use is the hosts' slots in use
 * minus the pool's own, if the hosts report them; else the slots of outside queues with overlapping
 * hosts (too many if such a queue also has other hosts; a note says so). Demand of a queue: running
 * and pending slots, up to the smallest limit that applies. With a configuration only, each queue
 * has endless work; otherwise, if the use or demand of a queue is unknown, so is the allotment of
 * its pool.
 */
#ifndef FAIRTOP_CORE_POOLS_POOLS_H
#define FAIRTOP_CORE_POOLS_POOLS_H

#include "core/base/column.h"
#include "core/base/explain.h"
#include "core/pools/slots.h"
#include "core/cluster/cluster.h"

#define POOLS_NAME_MAX 61	/* SLOT_POOL: up to 60 characters */
#define POOLS_NONE UINT32_MAX
#define POOLS_HIST_HOURS 5	/* HIST_HOURS of user-based fair share */

/* ---- pools of another scheduler ------------------------------------------------------------ */

/* A pool as a pools file defines it. */
struct pools_pool_rule {
	char name[POOLS_NAME_MAX];
	uint32_t max_slots;	/* SLOTS_NO_LIMIT */
	bool use_priority, strict;
};

/* A Slurm partition or a queue, and its settings. */
struct pools_queue_rule {
	char name[256];
	uint32_t pool;		/* number of its pool rule, POOLS_NONE: outside */
	uint32_t share;		/* percent, 0 outside */
	int64_t priority;	/* I64_UNKNOWN: PriorityTier, or the queue's own */
	uint32_t limit;		/* SLOTS_NO_LIMIT */
	uint32_t line;
};

struct pools_config {
	char file[256];		/* for messages */
	struct pools_pool_rule *pools;		/* owned */
	struct pools_queue_rule *queues;	/* owned */
	size_t pool_count, pool_capacity, queue_count, queue_capacity;
	double hist_hours;	/* NaN: LSF's own, else POOLS_HIST_HOURS */
	bool grouped;		/* dispatch order with pools as blocks */
};
void pools_config_init(struct pools_config *config);
void pools_config_free(struct pools_config *config);

/* ---- the pools of a cluster ---------------------------------------------------------------- */

/* The smallest limit that applies to a queue. */
enum pools_limit {
	POOLS_LIMIT_NONE, POOLS_LIMIT_QUEUE, POOLS_LIMIT_USER, POOLS_LIMIT_PROCESSOR,
	POOLS_LIMIT_HOST
};
extern const char *const pools_limit_names[];	/* "QJOB_LIMIT", ... */

struct pools_queue {
	const char *name;	/* borrowed from the cluster or the rules */
	uint32_t row;		/* of TABLE_QUEUE; of TABLE_PARTITION if p->partitions */
	uint32_t pool;		/* number in pools, POOLS_NONE: outside */
	uint32_t slot;		/* number among the queues of its pool */
	int64_t priority;
	uint32_t used, pending;	/* slots; U32_UNKNOWN */
	double accumulated;	/* slot-hours; NaN unknown: counts as 0 */
	uint32_t limit;		/* SLOTS_NO_LIMIT */
	bool limit_vague;	/* PJOB_LIMIT is per CPU, and CPUs of hosts are unknown */
	enum pools_limit limited_by;
	uint32_t host_count, host_slots;	/* its hosts and their slots */
	uint32_t dispatch;	/* position in the dispatch order, 0 first */
	uint32_t lent, borrowed;	/* slots: see the column "borrowed" */
};

struct pools_pool {
	const char *name;
	uint32_t row;		/* of TABLE_POOL, ROW_NONE if it has none */
	struct slots_pool slots;	/* its queues, size, idle slots, rounds */
	uint32_t first;		/* its queues are members[first ... first + slots.count) */
	uint32_t host_count;
	bool hosts_differ;	/* its queues have different hosts: the first one's count */
	uint32_t hosts_unknown;	/* hosts with unknown slots */
	uint32_t foreign_rows;	/* outside queues that use its hosts */
	bool foreign_vague;	/* ... and one of them also has other hosts */
	struct slots_grant *grants;	/* all grants of all rounds, in order */
	size_t grant_count, grant_capacity;
};

struct pools {
	const struct cluster *cluster;	/* borrowed, like CONFIG */
	const struct pools_config *config;
	struct pools_pool *pools;
	struct pools_queue *queues;	/* in the order of the file */
	uint32_t pool_count, queue_count;
	uint32_t *members;	/* queue numbers by pool, then outside: the view's rows */
	uint32_t *dispatch;	/* queue numbers in dispatch order */
	struct slots_queue *slots;	/* storage of all pools' queues, and of their orders */
	uint32_t *orders;
	bool grouped;
	bool partitions;	/* the queues are Slurm's partitions */
	double hist_hours;	/* NaN: unknown */
	const struct pools *base;	/* of a what-if: its base, with as many queues; or NULL */
	struct pools_hosts *hosts;	/* during construction; then NULL */
};

/*
 * The pools of CLUSTER; CONFIG (may be NULL) replaces the cluster's own pools. NULL and ERR_INPUT
 * when CONFIG names a partition or queue that does not exist (file, line, near misses). GROUPED:
 * pools are blocks in the dispatch order. Accumulated slots are the source's, else from PAST (may
 * be NULL), else unknown.
 */
struct pool_past;
struct pools *pools_new(const struct cluster *cluster, const struct pools_config *config,
			bool grouped, const struct pool_past *past, struct err *err);
void pools_free(struct pools *p);

const struct slots_queue *pools_slots(const struct pools *p, uint32_t queue);	/* NULL outside */
uint32_t pools_row(const struct pools *p, uint32_t queue);	/* its row in the view */

/*
 * Past slots of a queue as reported by the source (F_QUEUE_PAST), oldest first; caller frees. Skips
 * items that are not TIME=SLOTS or go back in time.
 */
struct pools_sample {
	int64_t time;
	uint32_t slots;
};
struct pools_sample *pools_past(const struct pools *p, uint32_t queue, size_t *count);

/* Load of a queue: percent of its hosts' slots; run time of a job in seconds. */
struct pools_traffic {
	uint32_t load, runtime_min, runtime_max;
	uint32_t hosts;		/* queue outside: number of the pool whose hosts it uses */
};

/*
 * Simulates the pools under TRAFFIC, one entry per queue, starting empty; each job has one slot.
 * Cycle, memory and seed are from OPTIONS. Free with pool_sim_free().
 */
struct pool_sim;
struct pool_sim_options;
struct pool_sim *pools_simulate(const struct pools *p, const struct pools_traffic *traffic,
				const struct pool_sim_options *options);

/*
 * Copies such a simulation that began at BEGIN into the same queues of B: slots in use and
 * requested, accumulated slots, and SAMPLES of the past, EVERY seconds apart.
 */
void pools_simulate_set(const struct pool_sim *s, struct builder *b, int64_t begin, int64_t every,
			uint32_t samples);

/*
 * Were jobs read, but none of QUEUE (a number), which has slots in use or requested? These are then
 * as reported, independent of the jobs.
 */
bool pools_without_jobs(const struct pools *p, uint32_t queue);

/* Finds a POOL or queue by NAME: ROW_NONE and ERR_INPUT with near misses if there is none. */
uint32_t pools_find(const struct pools *p, bool pool, const char *name, struct err *err);

/*
 * "queue1 -> queue2 -> ..." as in the document, queues of pools followed by "[POOL]". Like
 * snprintf().
 */
size_t pools_dispatch_text(const struct pools *p, char *buf, size_t size);

/* One row per queue: pools in order, then the queues outside. P NULL: no rows. */
extern const struct column pools_columns[];
extern const size_t pools_columns_count;
struct view pools_view(const struct pools *p);

/* Explains the slots of a queue, grant by grant; of a whole pool, round by round. */
void pools_explain_queue(const struct pools *p, uint32_t queue, struct explain *e);
void pools_explain_pool(const struct pools *p, uint32_t k, struct explain *e);

#endif
