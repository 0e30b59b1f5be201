/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load: the calls to slurmctld and the messages they return.
 *
 * Calls that support it are conditional: they send the time of the message held, and slurmctld
 * answers "no change" in a millisecond. Calls are made one at a time to keep the load on slurmctld
 * low; only for a caller that asks once and waits for it, the two big ones (shares and
 * associations) overlap.
 */
#ifndef FAIRTOP_SLURM_HELPER_LOAD_H
#define FAIRTOP_SLURM_HELPER_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <slurm/slurm.h>
#include <slurm/slurmdb.h>

#include "core/base/err.h"

/* ---- what sshare asks for (shares.c) -------------------------------------------------------- */

struct share_row {
	uint32_t id;
	bool user;			/* a user association, NAME is the user */
	const char *name, *parent, *partition;	/* NULL if there is none */
	uint32_t shares;		/* as reported: NO_VAL root, 0x7fffffff parent */
	uint64_t usage;
	double norm_shares, norm_usage, effective_usage, fairshare, level_fs;
};

/* All zero: nothing loaded. */
struct shares {
	void *message;			/* owned by the library; the rows' texts point into it */
	struct share_row *rows;
	uint32_t count;
	uint32_t tres_count;
	char **tres_names;
};

bool shares_known(void);	/* is the layout of this library's structs known? */

/* 0, or an errno of libslurm. Replaces what S held. */
int shares_load(struct shares *s);
void shares_free(struct shares *s);

/* ---- all messages (load.c) ------------------------------------------------------------------ */

enum load_item {
	LOAD_CONF, LOAD_ASSOCS, LOAD_SHARES, LOAD_JOBS, LOAD_PRIO, LOAD_NODES, LOAD_PARTITIONS,
	LOAD_RESERVATIONS, LOAD_LICENSES, LOAD_STATISTICS,
	LOAD_ITEMS
};

/* The messages held. A message stays until a newer one replaces it; NULL: never loaded. */
struct load {
	slurm_conf_t *conf;
	assoc_mgr_info_msg_t *assocs;
	uint32_t assoc_flags;		/* ASSOC_MGR_INFO_FLAG_* that ASSOCS was requested with */
	slurmdb_assoc_rec_t **assoc_rows;	/* those of ASSOCS: iterating a List takes a lock
						 * per step */
	uint32_t assoc_count;
	struct shares shares;
	job_info_msg_t *jobs;
	priority_factors_response_msg_t *prio;
	node_info_msg_t *nodes;
	partition_info_msg_t *partitions;
	reserve_info_msg_t *reservations;
	license_info_msg_t *licenses;
	int64_t last_backfill;		/* of the statistics; 0: unknown */

	bool sees_all_jobs;		/* set by load_rights() */

	uint32_t wanted;		/* items to load now: a bit per enum load_item */
	uint32_t wanted_assoc_flags;
	bool at_once;			/* two calls may be under way */
	uint32_t changed;		/* bit per item: reloaded (or may have changed) */
	int errors[LOAD_ITEMS];		/* errno of libslurm of items that failed, 0 */
};

/* Checks that a slurmctld answers: refused connections are detected at once this way. */
bool load_ping(struct err *err);

/*
 * Loads the items of L->wanted. Failed items have L->errors set and keep their old content. The
 * first failure not caused by access rights ends the run early: slurmctld would fail for the rest.
 */
void load_run(struct load *l);

/* Loads ITEMS (bits) in addition, or once more. */
void load_again(struct load *l, uint32_t items);

/*
 * Call after loading the configuration: may this user see all jobs (hidden_jobs.h)? Uses the admin
 * level that slurmctld reports for him; not reported is none.
 */
void load_rights(struct load *l);

/* Reloads shares and associations if a change occurred between loading one and the other. */
void load_make_consistent(struct load *l);

/* Equal fingerprints: the messages that cannot be conditional did not change. */
struct fingerprint {
	uint64_t assocs, rest;
};
struct fingerprint load_fingerprint(const struct load *l);

void load_free(struct load *l);

#endif
