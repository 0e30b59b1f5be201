/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site: what the readers of LSF's texts gather before it becomes a cluster; not for others.
 *
 * Hosts are known from lsb.hosts, bhosts and wherever a queue, group or limit names one; only when
 * all have been seen can "all", groups and exclusions be resolved.
 */
#ifndef FAIRTOP_ADAPTERS_LSF_SITE_H
#define FAIRTOP_ADAPTERS_LSF_SITE_H

#include "adapters/lsf/conf.h"
#include "adapters/lsf/dispatch_log.h"
#include "adapters/lsf/text.h"

struct lsf_host {
	char *name;
	char *mxj;		/* as configured; NULL */
	char *partition;	/* host partition; NULL */
	char *state;
	uint32_t slots, used;	/* U32_UNKNOWN */
};

/* A host group or partition. */
struct lsf_group {
	char *name;
	char *members;		/* as written */
	bool partition;
};

/* A limit of lsb.resources on the slots of hosts, or of queues. */
struct lsf_limit {
	char *name, *hosts, *queues;	/* NULL */
	bool per_host, per_queue;
	uint32_t slots;
};

struct lsf_param {
	char *name, *value;
	uint32_t line;
};

struct lsf_queue {
	char *name;
	uint32_t line;		/* of lsb.queues; 0: only bqueues knows it */
	struct lsf_param *params;
	size_t count, capacity;
	char *state;
	int64_t priority;	/* from bqueues; I64_UNKNOWN */
	uint32_t max, user, host;	/* its limits */
	double processor;
	uint32_t running, pending;	/* U32_UNKNOWN */
	double accumulated;	/* NaN */
	uint32_t allotted;	/* U32_UNKNOWN */
	uint32_t logged;	/* its number in the log, U32_UNKNOWN */
};

struct lsf_site {
	struct builder *b;
	struct lsf_texts *texts;
	const struct lsf_text *text;	/* the one being read */
	struct lsf_when when;
	struct lsf_host *hosts;
	struct lsf_group *groups;
	struct lsf_limit *limits;
	struct lsf_queue *queues;
	size_t host_count, host_capacity, group_count, group_capacity;
	size_t limit_count, limit_capacity, queue_count, queue_capacity;
	uint32_t *slots;	/* hash of host names: number + 1, 0 empty */
	size_t slot_count;
	char *default_mxj;	/* of the row "default"; NULL */
	double hist_hours;	/* NaN */
	struct dispatch_log log;
	char *cluster;
};

uint32_t lsf_site_host(struct lsf_site *s, const char *name, size_t length);	/* added if new */
uint32_t lsf_site_find_host(const struct lsf_site *s, const char *name, size_t length);
struct lsf_queue *lsf_site_queue(struct lsf_site *s, const char *name);		/* added if new */
void lsf_site_free(struct lsf_site *s);

/* "h1 g1 ~h2 all h[1-3]+1": makes hosts of the names in it that are neither groups nor words. */
void lsf_site_mention(struct lsf_site *s, const char *list);

/*
 * SET[i] = true for the hosts that LIST means. False if it means all hosts of the cluster without
 * saying which (no list, or "all" alone); SET is then full.
 */
bool lsf_site_expand(const struct lsf_site *s, const char *list, bool *set);

/* The readers; each false with ERR_INPUT for a text that cannot be read. */
bool lsf_read_params(struct lsf_site *s, struct err *err);
bool lsf_read_hosts(struct lsf_site *s, struct err *err);
bool lsf_read_resources(struct lsf_site *s, struct err *err);
bool lsf_read_queues(struct lsf_site *s, struct err *err);
bool lsf_read_bhosts(struct lsf_site *s, struct err *err);
bool lsf_read_bqueues(struct lsf_site *s, struct err *err);
bool lsf_read_bjobs(struct lsf_site *s, struct err *err);
bool lsf_read_log(struct lsf_site *s, struct err *err);

/* Digits only; "-", "" and what is no number are U32_UNKNOWN. */
uint32_t lsf_count(const char *text);

#endif
