/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shares: the request that sshare sends to slurmctld. The doubles come at full precision, raw usage
 * as a truncated integer.
 *
 * No version of libslurm has this call in its public headers. The library exports what is needed
 * (from 23.11 on slurm_associations_get_shares(), before that the general message functions); the
 * structs are declared in shares.c only.
 */
#ifndef FAIRTOP_SLURM_HELPER_SHARES_H
#define FAIRTOP_SLURM_HELPER_SHARES_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
