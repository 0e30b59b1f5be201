/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * startup: what a controller reports, after its first passes or when it has settled.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_STARTUP_H
#define FAIRTOP_TESTS_SUPPORT_STARTUP_H

#include "core/share/fairshare.h"

/*
 * C with the reported columns as they are when PASSES passes (and an "sshare -a" in each) are over.
 */
struct cluster *startup_after(const struct cluster *c, unsigned passes);

/* C with everything reported that a controller with ALGORITHM reports at full precision. */
struct cluster *startup_settled(const struct cluster *c, enum fs_algorithm algorithm);

/* C a minute later, in pass PASS: every third user has used more, and all is decayed. */
struct cluster *startup_use_more(const struct cluster *c, unsigned pass);

/*
 * What a depth-oblivious controller reports in COUNT passes with jobs running, a minute apart:
 * USAGES[k], clusters with the same associations, is what is used at the end of pass k. The
 * PICTURES, just before the next pass, are the caller's.
 */
void startup_busy(const struct cluster *const *usages, unsigned count, struct cluster **pictures);

#endif
