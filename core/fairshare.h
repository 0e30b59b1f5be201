/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fairshare: who deserves what, by one interface over several algorithms.
 *
 * Notation of the depth-oblivious document: S normalised shares, U normalised usage, r = U / S, r_l local usage ratio,
 * k the exponent, R effective usage ratio, F fair-share factor; E = R * S is Slurm's "effective usage".
 * All results are the fixed point that the scheduler converges to, computed from one snapshot.
 *
 * An algorithm is a small object: it computes its own result arrays, declares its quantities (the columns of tree,
 * JSON and CSV) and lists its own explanation steps. Screen, explain, JSON and verify walk those lists.
 */
#ifndef FAIRTOP_CORE_FAIRSHARE_H
#define FAIRTOP_CORE_FAIRSHARE_H

#include "core/cluster.h"
#include "core/explain.h"

enum fs_algorithm {
	FS_DEPTH_OBLIVIOUS, FS_CLASSIC, FS_FAIR_TREE, FS_FAIR_TREE_DOCUMENTED,
	FS_ALGORITHMS
};

enum fs_base {
	FS_BASE_REPORTED,	/* start from the usage ratios the scheduler reports */
	FS_BASE_USAGE		/* start from raw usage */
};

/* Order of siblings: it decides ties of Fair Tree only. */
enum fs_order {
	FS_ORDER_LIST,		/* as the source gives them: users first, then by name */
	FS_ORDER_LFT		/* ascending lft: after a start of slurmctld up to 23.02 */
};

/* How a node's effective usage came about. */
enum fs_branch {
	FS_BRANCH_ROOT,		/* E = 1 by definition */
	FS_BRANCH_FIRST_LEVEL,	/* the fair-share parent is the root: E = U */
	FS_BRANCH_PARENT,	/* fairshare=parent: values of the fair-share parent */
	FS_BRANCH_ZERO,		/* one of S, S_parent, E_parent, U is 0: E = U */
	FS_BRANCH_FORMULA,	/* the algorithm's formula */
	FS_BRANCH_UNKNOWN	/* an input is unknown */
};

/*
 * The fair-share structure of a tree, independent of usage: built once per cluster and shares.
 * Arrays are of n rows. Sibling group g consists of the rows members[first[g]] .. members[first[g + 1] - 1].
 */
struct fs_tree {
	uint32_t n;
	uint32_t users;			/* user associations, N of Fair Tree */
	const uint32_t *parent, *span;	/* borrowed from the cluster */
	const uint16_t *depth;
	const uint32_t *shares;		/* borrowed */
	uint8_t *is_user;
	uint32_t *fs_parent;		/* nearest ancestor that is not fairshare=parent; ROW_NONE for root */
	uint32_t *level_shares;		/* L: sum of shares of its siblings that are not "parent" (32 bit, wraps) */
	uint32_t *group_first;		/* n + 1: children list of each row in the fair-share sense */
	uint32_t *group_members;	/* n - 1 rows, in sibling order */
	double *scratch;		/* private to the algorithms */
};

struct fs_tree *fs_tree_new(const struct cluster *c, enum fs_order order);
void fs_tree_free(struct fs_tree *t);

struct fs_input {
	const struct cluster *cluster;
	const struct fs_tree *tree;
	enum fs_base base;
	double damping;			/* FairShareDampeningFactor, > 0 */
};

/* Result arrays, n rows each; NaN where a quantity does not exist. Unused ones are NULL. */
struct fs_result {
	enum fs_algorithm algorithm;
	enum fs_base base;		/* what was really used */
	enum fs_order order;
	double damping;
	uint32_t n;
	double *norm_shares;		/* S; Fair Tree: s / L */
	double *norm_usage;		/* U; NaN for the root */
	double *effective_usage;	/* E; Fair Tree: W / W(parent) */
	double *usage_ratio;		/* r = U / S */
	double *local_ratio;		/* r_l */
	double *k;
	double *effective_ratio;	/* R = E / S */
	double *fairshare;		/* F */
	double *level_fs;		/* Fair Tree */
	uint32_t *rank;			/* 1 = served first among user associations; equal F share one; U32_UNKNOWN */
	uint32_t *tree_rank;		/* Fair Tree's own number, highest is best */
	uint8_t *branch;		/* enum fs_branch */
};

/* One quantity of an algorithm: a column of the tree. VALUES picks its array out of a result. */
struct fs_quantity {
	const char *name;		/* key of the contract: "norm_shares", ... */
	const char *title;		/* "S", "r_l", "Level FS" */
	const char *meaning;		/* one line */
	size_t offset;			/* offsetof(struct fs_result, array) */
	bool is_rank;			/* uint32_t array instead of double */
};

struct fs_algo {
	enum fs_algorithm id;
	const char *name;		/* "depth-oblivious" */
	const char *title;		/* "depth-oblivious" for the header */
	const char *meaning;
	const struct fs_quantity *quantities;
	size_t quantity_count;
	void (*run)(const struct fs_input *in, struct fs_result *out);
	/* Appends the derivation of ROW, from raw shares and usage to F, with the numbers of OUT. */
	void (*explain)(const struct fs_input *in, const struct fs_result *r, uint32_t row, struct explain *e);
};

extern const struct fs_algo *const fs_algos[FS_ALGORITHMS];
const struct fs_algo *fs_algo_by_name(const char *name);	/* NULL if there is none */

/* The algorithm PriorityFlags ask for: DEPTH_OBLIVIOUS; else NO_FAIR_TREE gives classic; else Fair Tree. */
enum fs_algorithm fs_algorithm_of(uint32_t policy_flags);

/* Can BASE be computed for this cluster? (are the reported ratios, is raw usage there) */
bool fs_base_available(const struct cluster *c, enum fs_base base);

/* Never fails: what cannot be computed is NaN. The result owns its arrays. */
struct fs_result *fs_run(const struct fs_algo *algo, const struct fs_input *in);
void fs_result_free(struct fs_result *r);

#endif
