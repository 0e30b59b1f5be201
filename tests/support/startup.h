/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * startup: what a depth-oblivious controller reports after its first passes.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_STARTUP_H
#define FAIRTOP_TESTS_SUPPORT_STARTUP_H

#include "core/cluster.h"

/*
 * C with the reported columns as they are when PASSES passes (and an "sshare -a" in each) are over.
 */
struct cluster *startup_after(const struct cluster *c, unsigned passes);

#endif
