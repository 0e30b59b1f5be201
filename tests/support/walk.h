/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walk: how far a test goes that finds more the longer it looks.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_WALK_H
#define FAIRTOP_TESTS_SUPPORT_WALK_H

/* ALL, where FAIRTOP_LONG is set, as .ci/full does; else FEW, which keep make check short. */
unsigned walk_steps(unsigned few, unsigned all);

#endif
