/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * golden: the trees and expected rows of Slurm's own fair-share tests, as bare numbers
 * (tests/data/golden).
 *
 * NAME.tree.psv holds the associations; it gives the usage of users, which is summed upwards.
 * NAME.psv holds what sshare prints: account, user, shares, S, usage, U, E, F and, for Fair Tree,
 * level_fs.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_GOLDEN_H
#define FAIRTOP_TESTS_SUPPORT_GOLDEN_H

#include "core/cluster/cluster.h"

struct golden_row {
	char account[64], user[64];	/* user "" for an account */
	double norm_shares, norm_usage, effective_usage, fairshare, level_fs;	/* NaN: blank */
};

struct golden {
	struct cluster *cluster;
	struct golden_row *rows;
	uint32_t count;
};

struct golden *golden_read(const char *name, bool fair_tree);
void golden_free(struct golden *g);
uint32_t golden_find(const struct cluster *c, const struct golden_row *row);

#endif
