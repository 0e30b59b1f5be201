/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walk: how many steps a test takes that finds more the longer it runs.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_WALK_H
#define FAIRTOP_TESTS_SUPPORT_WALK_H

/* ALL if FAIRTOP_LONG is set (as .ci/full does), else FEW, which keeps make check short. */
unsigned walk_steps(unsigned few, unsigned all);

#endif
