/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sketch: small clusters drawn as text, and a source that shows one after the other.
 *
 * One association a line, tabs give the depth below the root (which is not drawn):
 *
 *	physics 40
 *		hep 30 #12
 *			+alice 1 5000 r2 p3
 *			+bob@gpu parent 0
 *
 * A name (a + in front: a user; @ and a partition behind), then shares ("parent", "-" unknown),
 * then of users the usage ("-" unknown), then in any order the scheduler's number (#12; else the
 * line's) and running and pending jobs (r2 p3). Bytes of names can be written %XX.
 *
 * A line *job id=7 user=alice state=PENDING is a row of the table named (field=value, names of
 * fields.def, bytes of values as %XX; of assoc it is the one drawn last); =PriorityWeightAge 1000
 * sets a parameter of the policy.
 *
 * A line ?subject: text is a note: something that the source could not tell.
 *
 * A line ~300 makes the picture one of so many seconds later.
 *
 * The cluster is called orion, was seen at SKETCH_TIME, has four nodes of 64 CPUs, and its last
 * decay pass was 100 s ago.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_SKETCH_H
#define FAIRTOP_TESTS_SUPPORT_SKETCH_H

#include "adapters/adapter.h"

#define SKETCH_TIME INT64_C(1794182400)		/* 2026-11-09 00:00 UTC */

/* ALGORITHM is an enum fs_algorithm. Ends the test program if the text is wrong. */
struct cluster *sketch_cluster(const char *text, int algorithm);

/*
 * A live source that gives one sketch a fetch, then says that nothing changed. A text that begins
 * with ! is a failure with that message, one with = the name of a recording of PBS (pbs.h). TEXTS
 * ends with NULL and is borrowed.
 */
struct source *sketch_source(const char *const *texts, int algorithm);

#endif
