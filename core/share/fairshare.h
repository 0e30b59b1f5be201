/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fairshare: one interface to several fair-share algorithms.
 *
 * Notation of the depth-oblivious document: S normalised shares, U normalised usage, r = U / S, r_l
 * local usage ratio, k the exponent, R effective usage ratio, F fair-share factor; E = R * S is
 * Slurm's "effective usage". All results are the fixed point that the scheduler converges to,
 * computed from one snapshot.
 *
 * An algorithm is a small object: it computes its own result arrays, declares its quantities (the
 * columns of tree, JSON and CSV) and lists its own explanation steps. Screen, explain, JSON and
 * verify use those lists.
 */
#ifndef FAIRTOP_CORE_SHARE_FAIRSHARE_H
#define FAIRTOP_CORE_SHARE_FAIRSHARE_H

#include "core/cluster/cluster.h"
#include "core/base/explain.h"

enum fs_algorithm {
	FS_DEPTH_OBLIVIOUS, FS_CLASSIC, FS_FAIR_TREE, FS_FAIR_TREE_DOCUMENTED, FS_PBS,
	FS_LSF,
	FS_ALGORITHMS
};

enum fs_base {
	FS_BASE_REPORTED,	/* start from the usage ratios the scheduler reports */
	FS_BASE_USAGE		/* start from raw usage */
};

/* Order of siblings: only breaks ties of Fair Tree. */
enum fs_order {
	FS_ORDER_LIST,		/* order of the source: users first, then by name */
	FS_ORDER_LFT		/* ascending lft: after a start of slurmctld up to 23.02 */
};

/* How the effective usage of a node was computed. */
enum fs_branch {
	FS_BRANCH_ROOT,		/* E = 1 by definition */
	FS_BRANCH_FIRST_LEVEL,	/* the fair-share parent is the root: E = U */
	FS_BRANCH_PARENT,	/* fairshare=parent: values of the fair-share parent */
	FS_BRANCH_ZERO,		/* one of S, S_parent, E_parent, U is 0: E = U */
	FS_BRANCH_NO_SHARES,	/* classic: no sibling has shares: E = E_parent */
	FS_BRANCH_FORMULA,	/* the algorithm's formula */
	FS_BRANCH_ORPHAN,	/* at or below an orphan: E = 0 */
	FS_BRANCH_UNKNOWN	/* an input is unknown */
};

/*
 * The fair-share structure of a tree, independent of usage: built once per cluster and shares.
 *
 * The children of an account with fairshare=parent belong to the nearest ancestor that is not
 * ("fair-share parent"); such an account has no family of its own. A family is the list of the
 * fair-share children of one account. Families are numbered by distance from the root (family 0 is
 * the root's), so the family of a parent always has a lower number than those below it. Source:
 * assoc_mgr.c, _set_assoc_parent_and_user; spec of fair share, 1.
 *
 * An orphan (F_ASSOC_ORPHAN) is the only member of a family of its own, one of the last, which
 * belongs to no account (its family_row is the root, but it is not the root's own family). Fair
 * Tree's walk never reaches it, and no formula applies below it: E is 0, U was never computed, but
 * its users count in N. Observed with 24.11.5 in all three algorithms.
 *
 * A tree with associations has at least family 0, even if empty. n may be 0.
 */
struct fs_tree {
	uint32_t n;
	uint32_t users;			/* user associations, N of Fair Tree */
	enum fs_order order;
	const uint32_t *parent, *span;	/* borrowed from the cluster */
	const uint16_t *depth;
	/* Arrays of n, by row. */
	uint32_t *shares;		/* SHARES_PARENT, U32_UNKNOWN */
	uint8_t *is_user;
	uint8_t *detached;		/* 1: an orphan or below one; NULL if there is none */
	uint32_t orphans;
	uint32_t *fs_parent;		/* ROW_NONE for the root */
	uint32_t *family;		/* the family the row is a member of; 0 for the root, too */
	uint32_t *own_family;		/* family of its fair-share children, ROW_NONE if none */
	/* Arrays by family. */
	uint32_t families;
	uint32_t *family_row;		/* the account */
	uint32_t *family_first;		/* families + 1: members[first[f]] .. [first[f + 1]) */
	uint32_t *family_shares;	/* L: sum over members not "parent"; 32 bits, wraps */
	uint8_t *family_known;		/* 0: L is unknown: unknown shares, or missing members */
	uint8_t *family_cut;		/* 1: siblings are missing; 2: they may be */
	uint32_t *members;		/* n - 1 rows, in sibling order */
	/* Rows with fairshare=parent, ascending; the root is never among them. */
	uint32_t parents;
	uint32_t *parent_rows;
	/*
	 * Families [level_first[l], level_first[l + 1]) belong to accounts l fair-share steps below
	 * the root.
	 */
	uint32_t levels;
	uint32_t *level_first;		/* levels + 1 */
	bool excerpt;		/* rows may be missing: N is unknown, and so is every rank */
	bool unplaced;		/* also, children of the root may belong elsewhere */
	enum fs_algorithm reported_by;	/* the algorithm of the reported values */
	bool tells_factors;	/* some F is reported; otherwise slurmctld leaves it at 0 */
	bool borrows;			/* all but shares and family_shares is BASE's */
};

struct fs_tree *fs_tree_new(const struct cluster *c, enum fs_order order);
void fs_tree_free(struct fs_tree *t);

/*
 * Returns the tree of C, a cluster that differs from BASE's in shares only. If all shares are
 * numbers in both, the structure is the same and only sums differ: the result then shares the rest
 * with BASE, which must outlive it. Rows missing in BASE's excerpt are missing here, too.
 */
struct fs_tree *fs_tree_over(const struct fs_tree *base, const struct cluster *c);

/*
 * Directly under the root E is U in all algorithms. Counts the rows there with another reported E,
 * *ROW being the last, out of *TELLING rows that report both. Such a row belongs elsewhere: its
 * account is not listed.
 */
uint32_t fs_misplaced(const struct fs_tree *t, const struct cluster *c, uint32_t *telling,
		      uint32_t *row);

/* L of the siblings of ROW; false for the root, for orphans, and if unknown. */
bool fs_level_shares(const struct fs_tree *t, uint32_t row, uint32_t *shares);

struct fs_input {
	const struct cluster *cluster;
	const struct fs_tree *tree;
	enum fs_base base;
	double damping;			/* fs_damping(), > 0 */
};

#define FS_OWN_MAX 5

/*
 * Result arrays of n rows each; NaN if a quantity does not exist for a row. Arrays of quantities
 * that the algorithm does not have are NULL.
 */
struct fs_result {
	enum fs_algorithm algorithm;
	enum fs_base base;
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
	/* 1 = served first, among user associations; equal F share one; U32_UNKNOWN. */
	uint32_t *rank;
	uint32_t *tree_rank;		/* Fair Tree's own number, highest is best; U32_UNKNOWN */
	uint8_t *branch;		/* enum fs_branch */
	uint8_t *reported;	/* bits 1 << enum fs_number: from the report; owned, NULL if none */
	double *own[FS_OWN_MAX]; /* specific to this algorithm, named by its quantities */
	void *memory;			/* all arrays; owned */
	void *work;			/* kept by an algorithm between runs; owned, one block */
};

/* Quantities that are computed here and also reported by Slurm. */
enum fs_number {
	FS_NUMBER_S, FS_NUMBER_U, FS_NUMBER_E, FS_NUMBER_LEVEL, FS_NUMBER_F,
	FS_NUMBER_COUNT
};

/* One quantity of an algorithm: a column of the tree. OFFSET is that of its array in a result. */
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
	/*
	 * Computes only the rows PATH[0 .. COUNT): the last of them and its fair-share parents,
	 * from below the root on. Reads the usage of the root, of these rows and of their siblings.
	 * False if that is not enough; NULL if it never is.
	 */
	bool (*run_path)(const struct fs_input *in, struct fs_result *out, const uint32_t *path,
			 uint32_t count);
	/* Appends the derivation of ROW, from raw shares and usage to F, with the numbers of R. */
	void (*explain)(const struct fs_input *in, const struct fs_result *r, uint32_t row,
			struct explain *e);
	/* Fills rank[]; NULL: by Fair Tree's own number if it has one, else by F. */
	void (*rank)(const struct fs_tree *tree, struct fs_result *r);
};

extern const struct fs_algo *const fs_algos[FS_ALGORITHMS];
const struct fs_algo *fs_algo_by_name(const char *name);	/* NULL if there is none */

/*
 * The algorithm of PriorityFlags: DEPTH_OBLIVIOUS; else classic with NO_FAIR_TREE; else Fair Tree.
 */
enum fs_algorithm fs_algorithm_of(uint32_t flags);

/*
 * The algorithm of a cluster: PBS and LSF have one each; Slurm has that of PriorityFlags. If those
 * were not read: Fair Tree if a LevelFS is reported, else the classic formula, with unknown F.
 */
enum fs_algorithm fs_algorithm_of_cluster(const struct cluster *c);

/* FairShareDampeningFactor; NaN if not read: F is then unknown, except in Fair Tree. */
double fs_damping(const struct cluster *c);

/* Is BASE (reported ratios, or raw usage) available for this cluster? */
bool fs_base_available(const struct cluster *c, enum fs_base base);
bool fs_base_complete(const struct cluster *c, enum fs_base base);	/* all rows but the root */

/* Did the scheduler compute the ratio? Neither unknown nor its mark 4294967294 for "not yet". */
bool fs_is_reported(double ratio);

/* Never fails: what cannot be computed is NaN. The result owns its arrays. */
struct fs_result *fs_run(const struct fs_algo *algo, const struct fs_input *in);
void fs_result_free(struct fs_result *r);

/*
 * The two halves of fs_run(): everything but the rank, into the arrays of R (from fs_run() or
 * fs_result_new() for the same algorithm and tree); then the rank.
 */
struct fs_result *fs_result_new(const struct fs_algo *algo, const struct fs_tree *tree);
void fs_compute(const struct fs_algo *algo, const struct fs_input *in, struct fs_result *r);
void fs_rank(const struct fs_tree *tree, struct fs_result *r);

/*
 * Like fs_compute(), but computes only the values of ROW, identical to the last bit. Reads only the
 * usage of fs_near(). False if that is not enough (a tie of Fair Tree, rows outside all families,
 * LSF): then call fs_compute().
 */
bool fs_compute_row(const struct fs_algo *algo, const struct fs_input *in, uint32_t row,
		    struct fs_result *r);

/* Returns the root, ROW, its fair-share parents, and the siblings of all these; caller frees. */
uint32_t *fs_near(const struct fs_tree *tree, uint32_t row, uint32_t *count);

/* Rank of ROW alone, without sorting all where possible. */
uint32_t fs_rank_of(const struct fs_tree *tree, struct fs_result *r, uint32_t row);

/* ---- what the scheduler reports ------------------------------------------------------------- */

/* The quantity whose array is at OFFSET in a result; FS_NUMBER_COUNT if there is none. */
enum fs_number fs_number_of(size_t offset);

/* The reported number; NaN if there is none: not yet computed, or not existing for the row. */
double fs_reported(const struct fs_input *in, enum fs_number what, uint32_t row);

/* The same, but only if R has the same quantity: same algorithm, and the row is in a family. */
double fs_reported_number(const struct fs_input *in, const struct fs_result *r, enum fs_number what,
			  uint32_t row);

/*
 * Fills in reported values where an input of the quantity is unknown, and marks them; and the
 * reverse. A newly computed result has computed values only.
 */
void fs_take_reported(const struct fs_input *in, struct fs_result *r);
void fs_leave_reported(struct fs_result *r);

static inline bool fs_is_taken(const struct fs_result *r, enum fs_number what, uint32_t row)
{
	return r->reported && (r->reported[row] >> what & 1);
}

/* True if S is exactly 0, not rounded to it by the source. The result has S. */
static inline bool fs_has_no_shares(const struct fs_result *r, uint32_t row)
{
	return r->norm_shares[row] == 0 && !fs_is_taken(r, FS_NUMBER_S, row);
}

/* R of a row; infinite for any usage without shares. NaN if there is none. */
static inline double fs_ratio(const struct fs_result *r, uint32_t row)
{
	if (!r->effective_ratio)
		return F64_UNKNOWN;
	return !f64_known(r->effective_ratio[row]) && fs_has_no_shares(r, row) &&
	       r->norm_usage[row] > 0 ? (double)INFINITY : r->effective_ratio[row];
}

/* Origin of the number in R, and whether it differs from the report by more than its digits. */
enum value_origin fs_origin(const struct fs_input *in, const struct fs_result *r,
			    enum fs_number what, uint32_t row);

const char *fs_order_name(enum fs_order order);

#endif
