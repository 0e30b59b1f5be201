/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site: what the readers of LSF's texts collect before it becomes a cluster; internal.
 *
 * Hosts are known from lsb.hosts, bhosts and any queue, group or limit that names one. "all",
 * groups and exclusions can only be resolved after all texts have been read.
 */
#ifndef FAIRTOP_ADAPTERS_LSF_SITE_H
#define FAIRTOP_ADAPTERS_LSF_SITE_H

#include "adapters/lsf/conf.h"
#include "adapters/lsf/dispatch_log.h"
#include "adapters/lsf/lsf_text.h"
#include "core/cluster/idmap.h"

struct lsf_host {
	char *name;
	char *mxj;		/* as configured; NULL */
	char *partition;	/* host partition; NULL */
	char *state;
	uint32_t slots, used, cpus, user;	/* U32_UNKNOWN; USER: JL/U */
	uint32_t started;	/* slots of running and suspended jobs; U32_UNKNOWN */
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
	char *name, *value;	/* VALUE NULL: set to an unknown value */
	uint32_t line;
};

struct lsf_queue {
	char *name;
	uint32_t line;		/* of lsb.queues; 0: only bqueues knows it */
	bool whole;		/* bqueues -r or -l listed it: parameters not shown are not set */
	struct lsf_param *params;
	size_t count, capacity;
	char *state;
	int64_t priority;	/* from bqueues; I64_UNKNOWN */
	uint32_t max, user, host;	/* its limits */
	double processor;
	uint32_t running, pending;	/* U32_UNKNOWN */
	uint32_t started;	/* running and suspended, as counted by bqueues; U32_UNKNOWN */
	uint64_t shown;		/* the same count from the jobs that bjobs lists */
	double accumulated;	/* NaN */
	uint32_t allotted;	/* U32_UNKNOWN */
	uint32_t logged;	/* its number in the log, U32_UNKNOWN */
};

/* A user group, and its shares as written; NULL. */
struct lsf_user_group {
	char *name, *members, *shares;
};

/* MAX_JOBS of a user, a group, "group@" (each member), "default" (each user without a row). */
struct lsf_user_limit {
	char *name;
	uint32_t most;		/* U32_UNKNOWN: none */
	double per_cpu;		/* NaN: none */
};

/* A row of SHARE_INFO_FOR. */
struct lsf_share {
	char *above;		/* path of its parent, "phys/theory/" */
	char *name;
	uint32_t shares, started, reserved;	/* U32_UNKNOWN */
	double priority, cpu_time, run_time, adjust;	/* NaN */
	bool heads;		/* has a table of its own */
	uint32_t id;		/* of its association */
};

/* A job from any command. Borrowed texts; NULL or unknown if not reported. */
struct lsf_job {
	uint32_t id, index;	/* index: of an array's element, 0 */
	const char *user, *stat, *queue, *name, *hosts, *reason;
	const char *charged;	/* share account, "/phys/theory/u1" */
	int64_t submit, start, priority, begin;	/* begin: earliest start (bsub -b) */
	uint32_t slots, most_slots;	/* most: the upper end of a requested range */
	bool hosts_reported;		/* the members below were read, or do not apply */
	bool exclusive;			/* -x */
	const char *asked;		/* hosts by name, "hosta+2 hg1 others" (-m) */
	const char *require;		/* resources, "span[hosts=1]" (-R) */
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
	struct idmap by_name;	/* hosts by a hash of their names */
	char *default_mxj;	/* of the row "default"; NULL */
	struct dispatch_log log;
	char *cluster, *version;
	bool default_spares_groups;	/* DEFAULT_LIMIT_IGNORE_USER_GROUP, volclava's */
	struct lsf_user_group *user_groups;
	struct lsf_share *shares;
	char **charged;		/* per row of JOB; NULL: unknown */
	struct lsf_user_limit *user_limits;
	size_t user_limit_count, user_limit_capacity;
	size_t user_group_count, user_group_capacity, share_count, share_capacity;
	size_t charged_count, charged_capacity;
	uint32_t listed;	/* number of pending jobs so far */
	struct idmap jobs;	/* the set of jobs so far */
	bool repeats;		/* a job was listed twice */
};

uint32_t lsf_site_host(struct lsf_site *s, const char *name, size_t length);	/* added if new */
uint32_t lsf_site_find_host(const struct lsf_site *s, const char *name, size_t length);
bool lsf_site_is_volclava(const struct lsf_site *s);	/* by the output of lsid */
/* Added if new. NAME ends at a NUL in it, and so do LIST and the names of parameters below. */
struct lsf_queue *lsf_site_queue(struct lsf_site *s, struct slice name);
void lsf_site_free(struct lsf_site *s);

/* "h1 g1 ~h2 all h[1-3]+1": adds the hosts named in it that are neither groups nor keywords. */
void lsf_site_mention(struct lsf_site *s, struct slice list);

/*
 * Sets SET[i] = true for the hosts in LIST. False if LIST means all hosts of the cluster without
 * naming them (no list, or "all" alone); SET is then full.
 */
bool lsf_site_expand(const struct lsf_site *s, const char *list, bool *set);

/*
 * Returns the hosts of a bsub -m LIST as "hosta hostb", largest preference (+N) first. A word that
 * names no host, or excludes one (~), is kept as it is. NULL: all. The caller frees it.
 */
char *lsf_site_preferred(const struct lsf_site *s, const char *list);

/* The readers; each returns false with ERR_INPUT for a text that cannot be read. */
bool lsf_read_params(struct lsf_site *s, struct err *err);
bool lsf_read_hosts(struct lsf_site *s, struct err *err);
bool lsf_read_resources(struct lsf_site *s, struct err *err);
bool lsf_read_queues(struct lsf_site *s, struct err *err);
bool lsf_read_bhosts(struct lsf_site *s, struct err *err);
bool lsf_read_bqueues(struct lsf_site *s, struct err *err);
bool lsf_read_bjobs(struct lsf_site *s, struct err *err);
bool lsf_read_log(struct lsf_site *s, struct err *err);
bool lsf_read_users(struct lsf_site *s, struct err *err);
bool lsf_read_lsid(struct lsf_site *s, struct err *err);
bool lsf_read_bparams(struct lsf_site *s, struct err *err);
bool lsf_read_bugroup(struct lsf_site *s, struct err *err);
bool lsf_read_bmgroup(struct lsf_site *s, struct err *err);
bool lsf_read_busers(struct lsf_site *s, struct err *err);
bool lsf_read_lshosts(struct lsf_site *s, struct err *err);
bool lsf_read_bhosts_plain(struct lsf_site *s, struct err *err);
bool lsf_read_bqueues_plain(struct lsf_site *s, struct err *err);
bool lsf_read_bqueues_table(struct lsf_site *s, struct err *err);
bool lsf_read_bhpart(struct lsf_site *s, struct err *err);
bool lsf_read_bjobs_long(struct lsf_site *s, struct err *err);
bool lsf_read_bjobs_wide(struct lsf_site *s, struct err *err);

/* Adds slots as a resource of a host or job, for code that counts resources. */
void lsf_put_slots(struct lsf_site *s, enum field field, uint32_t row, uint32_t slots);

/* Adds a job. Call in the order of bjobs, in which the scheduler considers pending jobs. */
void lsf_put_job(struct lsf_site *s, const struct lsf_job *job);

/*
 * "Nov 20 19:04", "Nov 20 19:04:07", "11/22-11:37:18" without a year: the last such time before the
 * time of the texts; with a year ("... 2026") that time. I64_UNKNOWN.
 */
int64_t lsf_time_of(const struct lsf_site *s, const char *text);
int64_t lsf_time_after(int64_t from, const char *text);	/* without a year: the first since FROM */

/* Sets a parameter of the policy unless lsb.params did; ignores an invalid value. */
void lsf_put_param(struct lsf_site *s, struct slice name, struct slice value);

/* Adds a host group or partition with MEMBERS as written. */
void lsf_site_host_group(struct lsf_site *s, struct slice name, struct slice members,
			 bool partition);

/* The user group called NAME, added if new. */
struct lsf_user_group *lsf_site_user_group(struct lsf_site *s, struct slice name);

/* NAME may use MOST slots (MAX_JOBS), and PER_CPU (JL/P, NaN: no limit) on each host. */
void lsf_site_limit_user(struct lsf_site *s, struct slice name, uint32_t most, double per_cpu);

/*
 * Adds the share accounts of the queues as associations, and finds the one each job is charged to.
 */
void lsf_add_shares(struct lsf_site *s);
void lsf_add_users(struct lsf_site *s);		/* users with jobs, and their limits */
void lsf_charge_jobs(struct lsf_site *s);

/* The value of a parameter of lsb.queues; NULL. */
const char *lsf_param(const struct lsf_queue *q, const char *name);
void lsf_add_param(struct lsf_queue *q, const char *name, struct slice value, uint32_t line);
void lsf_add_unreported(struct lsf_queue *q, const char *name);

/* HIST_HOURS of lsb.params or bparams -l, else its default; NaN if neither was read. */
double lsf_site_hist_hours(const struct lsf_site *s);

/* Replaces *TEXT, which the site owns. */
void lsf_set_text(char **text, struct slice value);

/* Reads digits; U32_UNKNOWN for "-", "" and anything else. */
uint32_t lsf_count(const char *text);

#endif
