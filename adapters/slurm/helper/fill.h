/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fill: turns slurmctld's messages into rows of a cluster.
 *
 * Slurm's special values are resolved here: NO_VAL becomes unknown, INFINITE no limit, time 0
 * unknown. One exception: a norm_usage of 4294967294 (a user not evaluated since slurmctld started)
 * is passed on as reported, because it explains the other numbers.
 */
#ifndef FAIRTOP_SLURM_HELPER_FILL_H
#define FAIRTOP_SLURM_HELPER_FILL_H

#include "adapters/slurm/helper/load.h"
#include "core/cluster/cluster.h"
#include "core/base/column.h"

struct names;		/* numbers to texts */
struct tree;

struct fill {
	struct builder *b;
	const struct load *l;
	uint32_t needs;
	uint32_t *tres_rows;	/* rows of the TRES of the associations' message, in its order */
	uint32_t tres_count;
	struct names *users;	/* kept from fetch to fetch: uid to name */
	struct names *qos;	/* id to name */
	struct tree *tree;	/* made by fill_assocs(), freed by the caller; NULL: none */
};

void fill_policy(struct fill *f);
void fill_assocs(struct fill *f);	/* associations, QOS, users */
void fill_jobs(struct fill *f);
void fill_prio(struct fill *f);
void fill_nodes(struct fill *f);	/* and the totals of TRES */
void fill_partitions(struct fill *f);
void fill_reservations(struct fill *f);
void fill_licenses(struct fill *f);

/* ---- pieces -------------------------------------------------------------------------------- */

int64_t fill_time(time_t t);			/* 0: unknown */
int64_t fill_minutes(uint32_t minutes);		/* in seconds; NO_VAL, INFINITE */
double fill_real(double value);			/* NO_VAL: unknown */

/* "cpu=4,mem=2G": unknown if NULL or unreadable. */
void fill_tres_text(struct fill *f, enum field field, uint32_t row, const char *text);

/*
 * Counts in the order of the associations' message; NULL: no limits, no use. fill_limits() omits
 * what has no limit, fill_used() omits zeros.
 */
void fill_limits(struct fill *f, enum field field, uint32_t row, const uint64_t *counts);
void fill_used(struct fill *f, enum field field, uint32_t row, const uint64_t *counts);
void fill_used_real(struct fill *f, enum field field, uint32_t row, const long double *counts);

/* "a,b,c" as a list; unknown if NULL. */
void fill_comma_list(struct fill *f, enum field field, uint32_t row, const char *text);

struct bit_name {
	uint64_t bit;
	const char *name;
};

/* The names of the bits that are set, as a list or separated by commas. */
void fill_bits(struct fill *f, enum field field, uint32_t row, uint64_t bits,
	       const struct bit_name *names, size_t count);
void bits_text(char *buf, size_t size, uint64_t bits, const struct bit_name *names, size_t count);

const char *preempt_mode_text(uint16_t mode, char *buf, size_t size);

/* ---- numbers to texts ---------------------------------------------------------------------- */

struct names *names_new(void);
void names_free(struct names *map);
void names_put(struct names *map, uint32_t id, const char *text);	/* copied; NULL: none */
bool names_get(const struct names *map, uint32_t id, const char **text);

/* The name of UID from the map, else from the system, which may be slow; it is then cached. */
const char *user_name(struct names *users, uint32_t uid);

/* ---- the tree (tree.c) ---------------------------------------------------------------------- */

/* Associations by number and by name while they are read. */
struct tree *tree_new(struct builder *b, const struct shares *shares);	/* SHARES may be NULL */
void tree_free(struct tree *t);			/* NULL is fine */

/*
 * Adds row ROW of the builder as association ID below association PARENT (0: unknown). NAME is its
 * own name if it is an account, else NULL; ACCOUNT the account it belongs to. Sets the row's id and
 * parent.
 */
void tree_add(struct tree *t, uint32_t row, uint32_t id, uint32_t parent, const char *name,
	      const char *account);
uint32_t tree_row(const struct tree *t, uint32_t id);	/* ROW_NONE if not added */
uint32_t tree_account(const struct tree *t, const char *name);	/* its id, 0 if not added */
const struct share_row *tree_share(const struct tree *t, uint32_t id);	/* NULL if there is none */

/* Adds replacements for missing parents. PRIVATE_DATA is slurm.conf's, for the note. */
void tree_finish(struct tree *t, uint64_t private_data);

#endif
