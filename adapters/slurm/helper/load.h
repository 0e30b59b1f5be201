/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load: the calls to slurmctld and the messages they gave.
 *
 * Every call that knows how is conditional: it sends the time of the message we hold, and
 * slurmctld answers "no change" in a millisecond. One call is under way at a time, so that
 * slurmctld is not crowded; only for somebody who asks once and waits for it, the two big ones
 * (shares and associations) overlap.
 */
#ifndef FAIRTOP_SLURM_HELPER_LOAD_H
#define FAIRTOP_SLURM_HELPER_LOAD_H

#include <slurm/slurm.h>
#include <slurm/slurmdb.h>

#include "adapters/slurm/helper/shares.h"
#include "core/base/err.h"

enum load_item {
	LOAD_CONF, LOAD_ASSOCS, LOAD_SHARES, LOAD_JOBS, LOAD_PRIO, LOAD_NODES, LOAD_PARTITIONS,
	LOAD_RESERVATIONS, LOAD_LICENSES, LOAD_STATISTICS,
	LOAD_ITEMS
};

/* What we hold. A message stays until a newer one replaces it; NULL: never loaded. */
struct load {
	slurm_conf_t *conf;
	assoc_mgr_info_msg_t *assocs;
	uint32_t assoc_flags;		/* ASSOC_MGR_INFO_FLAG_* that ASSOCS was asked with */
	slurmdb_assoc_rec_t **assoc_rows;	/* those of ASSOCS: each step of a List is a lock */
	uint32_t assoc_count;
	struct shares shares;
	job_info_msg_t *jobs;
	priority_factors_response_msg_t *prio;
	node_info_msg_t *nodes;
	partition_info_msg_t *partitions;
	reserve_info_msg_t *reservations;
	license_info_msg_t *licenses;
	int64_t last_backfill;		/* of the statistics; 0: unknown */

	bool sees_all_jobs;		/* of load_rights() */

	uint32_t wanted;		/* bit per enum load_item: this time's */
	uint32_t wanted_assoc_flags;
	bool at_once;			/* two calls may be under way */
	uint32_t changed;		/* bit per item: came anew (or may have changed) */
	int errors[LOAD_ITEMS];		/* errno of libslurm of items that failed, 0 */
};

/* Asks whether any slurmctld is there: refused connections are told at once this way. */
bool load_ping(struct err *err);

/*
 * Loads the items of L->wanted. Items that failed have L->errors set and keep what they held
 * before. The first failure that is not about access ends it early: slurmctld will not do
 * better with the rest.
 */
void load_run(struct load *l);

/* Loads ITEMS (bits) on top of what was just loaded, or once more. */
void load_again(struct load *l, uint32_t items);

/*
 * After the configuration: are the jobs of all shown to this user (hidden_jobs.h)? His level is
 * that which slurmctld has of him: what it does not tell is none.
 */
void load_rights(struct load *l);

/* Loads shares and associations once more, if they were taken on both sides of a change. */
void load_make_consistent(struct load *l);

/* The same numbers as last time: the unconditional messages say the same as last time. */
struct fingerprint {
	uint64_t assocs, rest;
};
struct fingerprint load_fingerprint(const struct load *l);

void load_free(struct load *l);

#endif
