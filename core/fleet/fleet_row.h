/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fleet_row: a cluster as one row among many: how its source does, and a few facts that are left
 * when the cluster itself is let go. What is not known is unknown, never 0: a source that has not
 * answered yet has no facts; one that no longer answers keeps its last ones, and is old.
 */
#ifndef FAIRTOP_CORE_FLEET_ROW_H
#define FAIRTOP_CORE_FLEET_ROW_H

#include "core/share/summary.h"

/* What fleet_facts_new() looks at, for the source. */
#define FLEET_NEEDS (NEED_SHARES | NEED_LIMITS | NEED_POLICY | NEED_JOBS | NEED_PRIO | NEED_QOS | \
		     NEED_PARTITIONS | NEED_HOSTS)

#define FLEET_NAME 80

/* An account of a cluster, to be seen beside that of the same name elsewhere. */
struct fleet_account {
	char *name;
	bool ambiguous;			/* another account of the cluster is called so, too */
	double share, ratio, factor;	/* S, R, F; NaN */
	uint32_t waiting;		/* U32_UNKNOWN */
};

/* Who is furthest from its share; name "" where nobody is. */
struct fleet_extreme {
	char name[FLEET_NAME];
	double ratio;			/* R: how much of its share it has used; NaN */
};

struct fleet_facts {
	char name[FLEET_NAME];		/* as the cluster calls itself; "" */
	char kind[32];			/* of its scheduler: "slurm", "pbs", "demo" */
	int64_t time;			/* of the picture, Unix seconds */
	struct summary summary;
	/*
	 * Of the accounts with jobs waiting (of all where that is unknown) the one with the least R
	 * below 1; of those with a hundredth of all usage or more the one with the largest R above
	 * 1, of two without shares the one that has used more.
	 */
	struct fleet_extreme under, over;
	int verify;			/* exit code of verify: 0, 1 or 4 */
	struct fleet_account *accounts;	/* owned, by name; no users */
	size_t account_count;
};

/* Computed from M and its cluster alone, which may go afterwards. */
struct fleet_facts *fleet_facts_new(const struct model *m);
void fleet_facts_free(struct fleet_facts *f);

/* NULL: there is no account of that NAME, or there are two. */
const struct fleet_account *fleet_account(const struct fleet_facts *f, const char *name);

/* ASKING: it has not answered yet. OLD: it has, and does no longer. DEAD: it never has. */
enum fleet_health { FLEET_ASKING, FLEET_GOOD, FLEET_OLD, FLEET_DEAD };
extern const char *const fleet_health_words[];

#define FLEET_QUEUE 48			/* samples of the queue */

struct fleet_row {
	char name[FLEET_NAME];		/* as the user calls it; else as the cluster does */
	char source[256];		/* as the user wrote it, but for passwords */
	bool shared;			/* another row has that name, too */
	enum fleet_health health;
	char problem[ERR_MESSAGE_MAX];	/* why it does not answer, "" */
	int64_t age;			/* s: of the facts; I64_UNKNOWN */
	struct fleet_facts *facts;	/* owned; NULL: none yet */
	bool watched;			/* there are rules, so that no alarm is an answer */
	uint32_t alarms;		/* that are on */
	char alarm[200];		/* that began last: "starved /physics"; or an error */
	float queue[FLEET_QUEUE];	/* jobs waiting at each answer, the newest last; NaN */
	uint32_t queue_count;
	/* Beside that of other clusters; NULL: none is asked for, or it is not there. */
	const struct fleet_account *account;
};

/* The name alone; and as it is shown, "demo (demo:4)" where others have it, too. */
const char *fleet_row_name(const struct fleet_row *r);
void fleet_row_title(const struct fleet_row *r, char *buf, size_t size);
void fleet_rows_compare(struct fleet_row *rows, uint32_t count);	/* sets SHARED of all */

/*
 * The same without rows: of the COUNT clusters with those NAMES (NULL or "": not known) that of I,
 * which is its source where it has no name.
 */
void fleet_title(const char *const *names, size_t count, size_t i, const char *source, char *buf,
		 size_t size);

/* Takes over FACTS (NULL: nothing has changed), in place of the former ones. */
void fleet_row_take(struct fleet_row *r, struct fleet_facts *facts);

/* The clusters view: a row each; context: an array of struct fleet_row. */
extern const struct column fleet_columns[];
extern const size_t fleet_columns_count;
struct view fleet_view(const struct fleet_row *rows, uint32_t count);

#endif
