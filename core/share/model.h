/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model: a cluster and everything the engine computed from it, ready for any view.
 *
 * The "cluster -> engine" step: command line and screen make one model per snapshot and read only
 * from it. The model borrows the cluster, which must outlive it.
 */
#ifndef FAIRTOP_CORE_SHARE_MODEL_H
#define FAIRTOP_CORE_SHARE_MODEL_H

#include "core/base/column.h"
#include "core/share/fairshare.h"

struct model_options {
	int algorithm;		/* enum fs_algorithm, or -1: the policy's */
	/* enum fs_base, or -1: reported if the source has it for all, else usage if available */
	int base;
	/* enum fs_order, or -1: the one that reproduces the reported factors, else list */
	int order;
};
#define MODEL_OPTIONS_DEFAULT { -1, -1, -1 }

/* The set limits of an association: entries first[i] .. first[i + 1] of row i. */
struct model_limits {
	struct value_entry *entries;	/* keys like "grp_tres.cpu" */
	uint32_t *first;		/* n + 1; NULL when the source has no limits */
	char *keys;			/* storage of the entries' keys */
};

struct model {
	const struct cluster *cluster;		/* borrowed */
	struct fs_tree *tree;
	struct fs_input input;
	const struct fs_algo *algo;
	struct fs_result *fs;
	/*
	 * Per association, summed up the tree; NULL if the jobs are unknown. If some are hidden
	 * (HIDDEN_JOBS), sums that may include them are unknown.
	 */
	uint32_t *running, *pending;		/* jobs; a pending array counts its tasks */
	double *burn;		/* billable TRES-seconds charged per hour by running jobs */
	struct model_limits limits;
	const struct changes_pair *changes;	/* of a what-if, relative to its base; else NULL */
};

/* Whether the options can be satisfied: ERR_INPUT if their base or algorithm is not available. */
bool model_can(const struct cluster *c, const struct model_options *options, struct err *err);

/* NULL and ERR_INPUT as model_can(). */
struct model *model_new(const struct cluster *c, const struct model_options *options,
			struct err *err);
void model_free(struct model *m);

/*
 * UsageFactor of the job's QOS: 1 without a QOS or with a negative factor, unknown if the QOS is
 * not listed.
 */
double job_usage_factor(const struct cluster *c, uint32_t job);

/* Billable TRES-seconds that JOB is charged per second while it runs, UsageFactor included. */
double job_burn(const struct cluster *c, uint32_t job);

/* PER_HOUR for people, in the column's format: "230.40k billable TRES-seconds an hour". */
void burn_text(double per_hour, char *buf, size_t size);

/* The accounts view: columns of the contract, associations in pre-order; context: struct model. */
extern const struct column accounts_columns[];
extern const size_t accounts_columns_count;
const struct column *accounts_column(const char *name);	/* NULL: there is none */
struct view accounts_view(const struct model *m);

/*
 * The policy view: one row per parameter, per word of PriorityFlags (value yes or no), and
 * NextUsageReset; context is a struct policy_view. Values are in base units for JSON, or, with
 * for_people, as slurm.conf writes them.
 */
struct calendar;
struct policy_view {
	const struct policy *policy;
	const struct policy *what_if;		/* NULL without edits */
	const struct cluster_meta *meta;
	const struct cluster *queues;		/* in LSF: the source of the queues; or NULL */
	const struct cluster *queues_what_if;	/* the same after edits; NULL without */
	int64_t next_reset, what_if_reset;	/* I64_UNKNOWN */
	bool zone_is_ours;	/* resets use this machine's midnights, not the cluster's */
	bool for_people;
	const struct calendar *calendar;	/* of the cluster, for people; may be NULL */
};
extern const struct column policy_columns[];
extern const size_t policy_columns_count;
struct view policy_view(const struct policy_view *p);

/* What limits the meaning of a parameter (no multifactor plugin, no accounting); or NULL. */
const char *policy_warning(const struct policy *p, size_t param);

#endif
