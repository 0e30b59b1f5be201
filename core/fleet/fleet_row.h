/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fleet_row: a cluster as one row among many: the state of its source, and a few facts that remain
 * after the cluster itself is freed. Unknown values are never 0: a source that has not answered yet
 * has no facts; one that no longer answers keeps its last ones, and is old.
 */
#ifndef FAIRTOP_CORE_FLEET_ROW_H
#define FAIRTOP_CORE_FLEET_ROW_H

#include "core/share/summary.h"

/* The data that fleet_facts_new() needs from the source. */
#define FLEET_NEEDS (NEED_SHARES | NEED_LIMITS | NEED_POLICY | NEED_JOBS | NEED_PRIO | NEED_QOS | \
		     NEED_PARTITIONS | NEED_HOSTS)

#define FLEET_NAME 80

/* An account of a cluster, comparable to that of the same name elsewhere. */
struct fleet_account {
	char *name;
	bool ambiguous;			/* another account of the cluster has the same name */
	double share, ratio, factor;	/* S, R, F; NaN */
	uint32_t waiting;		/* U32_UNKNOWN */
};

/* The account furthest from its share; name "" if there is none. */
struct fleet_extreme {
	char name[FLEET_NAME];
	double ratio;			/* R: usage over share; NaN */
};

struct fleet_facts {
	char name[FLEET_NAME];		/* the cluster's own name; "" */
	char kind[32];			/* the scheduler: "slurm", "pbs", "demo" */
	int64_t time;			/* of the picture, Unix seconds */
	struct summary summary;
	/*
	 * UNDER: of the accounts with pending jobs (of all where that is unknown) the one with the
	 * least R below 1. OVER: of those with at least a hundredth of all usage, the one with the
	 * largest R above 1; of two without shares, the one that has used more.
	 */
	struct fleet_extreme under, over;
	int verify;			/* exit code of verify: 0, 1 or 4 */
	struct fleet_account *accounts;	/* owned, sorted by name; no users */
	size_t account_count;
};

/* Computed from M and its cluster, which may be freed afterwards. */
struct fleet_facts *fleet_facts_new(const struct model *m);
void fleet_facts_free(struct fleet_facts *f);

/* NULL: no account has that NAME, or two have. */
const struct fleet_account *fleet_account(const struct fleet_facts *f, const char *name);

/* ASKING: no answer yet. OLD: it no longer answers. DEAD: it never has. */
enum fleet_health { FLEET_ASKING, FLEET_GOOD, FLEET_OLD, FLEET_DEAD };
extern const char *const fleet_health_words[];

#define FLEET_QUEUE 48			/* samples of the queue */

struct fleet_row {
	char name[FLEET_NAME];		/* given by the user; else the cluster's own */
	char source[256];		/* as the user wrote it, without passwords */
	bool shared;			/* another row has the same name */
	enum fleet_health health;
	char problem[ERR_MESSAGE_MAX];	/* why it does not answer, "" */
	int64_t age;			/* s: of the facts; I64_UNKNOWN */
	struct fleet_facts *facts;	/* owned; NULL: none yet */
	bool watched;			/* there are rules, so 0 alarms means that none is on */
	uint32_t alarms;		/* alarms that are on */
	char alarm[200];		/* the latest one: "starved /physics"; or an error */
	float queue[FLEET_QUEUE];	/* pending jobs at each answer, the newest last; NaN */
	uint32_t queue_count;
	/* For comparison with other clusters; NULL: none is requested, or it does not exist. */
	const struct fleet_account *account;
};

/* The name alone; and with its source, "demo (demo:4)", if other rows have the same name. */
const char *fleet_row_name(const struct fleet_row *r);
void fleet_row_title(const struct fleet_row *r, char *buf, size_t size);
void fleet_rows_compare(struct fleet_row *rows, uint32_t count);	/* sets SHARED of all */

/*
 * The same without rows: the title of cluster I of COUNT with NAMES (NULL or "": unknown); it is
 * SOURCE if the cluster has no name.
 */
void fleet_title(const char *const *names, size_t count, size_t i, const char *source, char *buf,
		 size_t size);

/* Replaces the facts by FACTS, which it takes over (NULL: nothing has changed). */
void fleet_row_take(struct fleet_row *r, struct fleet_facts *facts);

/* The clusters view, a row each; context: an array of struct fleet_row. */
extern const struct column fleet_columns[];
extern const size_t fleet_columns_count;
struct view fleet_view(const struct fleet_row *rows, uint32_t count);

#endif
