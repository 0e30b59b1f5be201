/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * startup: what a controller reports, after its first passes or in its final state.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_STARTUP_H
#define FAIRTOP_TESTS_SUPPORT_STARTUP_H

#include "core/share/fairshare.h"

/*
 * C with the reported columns as they are after PASSES passes (with an "sshare -a" in each).
 */
struct cluster *startup_after(const struct cluster *c, unsigned passes);

/* C with all that a controller with ALGORITHM reports at full precision, at the fixed point. */
struct cluster *startup_settled(const struct cluster *c, enum fs_algorithm algorithm);

/* C a minute later, in pass PASS: every third user has used more, and all usage has decayed. */
struct cluster *startup_use_more(const struct cluster *c, unsigned pass);

/*
 * What a depth-oblivious controller reports in COUNT passes with jobs running, a minute apart.
 * USAGES[k], all with the same associations, has the usage at the end of pass k. PICTURES[k] is
 * the report just before the next pass; the caller frees them.
 */
void startup_busy(const struct cluster *const *usages, unsigned count, struct cluster **pictures);

#endif
