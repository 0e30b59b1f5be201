/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gen_tree: association trees made from a seed, the same on every machine.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_GEN_TREE_H
#define FAIRTOP_TESTS_SUPPORT_GEN_TREE_H

#include "core/cluster/cluster.h"

/* Fractions are in thousandths. */
struct gen_options {
	uint64_t seed;
	uint32_t nodes;			/* associations, the root included */
	uint32_t users;			/* users among the associations */
	uint32_t unused;		/* users without any usage */
	uint32_t zero_shares;
	uint32_t parent_users;		/* users with fairshare=parent */
	uint32_t parent_accounts;	/* accounts with fairshare=parent */
	uint32_t own_usage;		/* accounts that keep usage of deleted users */
	uint32_t partitions;		/* users with one association per partition */
	uint32_t deep;			/* accounts below the previous one: 1000 is one chain */
	bool ties;			/* small round numbers, hence many equal ratios */
	bool balanced;			/* usage follows shares more or less */
};

/* A mixture with something of everything. */
#define GEN_MIXED(number, size) { .seed = number, .nodes = size, .users = 700, .unused = 250, \
	.zero_shares = 20, .parent_users = 30, .parent_accounts = 30, .own_usage = 50, \
	.partitions = 20, .deep = 150 }

/* Numbers from a seed (splitmix64). */
uint64_t gen_next(uint64_t *state);
double gen_unit(uint64_t *state);		/* [0, 1) */

struct cluster *gen_tree(const struct gen_options *options);

/*
 * A tree as arrays, for tests that change it before building. The arrays have space for one more
 * row.
 */
struct gen_rows {
	uint32_t n;
	uint32_t *parent;	/* row, ROW_NONE for the root */
	uint32_t *shares;
	uint8_t *user;
	uint32_t *partition;	/* 0 none */
	double *own;		/* usage of the association itself */
	uint32_t *name;		/* number in the name: the same for all partitions of a user */
};
struct gen_rows *gen_rows_new(const struct gen_options *options);
void gen_rows_free(struct gen_rows *g);

/*
 * Builds the cluster: ids are row + 1, usage is summed upwards. ORDER, if not NULL, is the order in
 * which the rows are added.
 */
struct builder *gen_builder(const struct gen_rows *g, const uint32_t *order, uint32_t damping);
struct cluster *gen_build(const struct gen_rows *g, const uint32_t *order, uint32_t damping);

#endif
