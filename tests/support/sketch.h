/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sketch: small clusters drawn as text, and a source that returns them one after the other.
 *
 * One association per line; tabs give the depth below the root (which is not drawn):
 *
 *	physics 40
 *		hep 30 #12
 *			+alice 1 5000 r2 p3
 *			+bob@gpu parent 0
 *
 * A name (with + before it: a user; with @ after it: a partition), then shares ("parent", "-" for
 * unknown), then for users the usage ("-" for unknown), then in any order the scheduler's number
 * (#12; default: the line's) and running and pending jobs (r2 p3). %XX is a byte of a name.
 *
 * A line *job id=7 user=alice state=PENDING adds a row to the table named (field=value, names as in
 * fields.def, bytes of values as %XX); *assoc sets fields of the association drawn last.
 * =PriorityWeightAge 1000 sets a parameter of the policy.
 *
 * A line ?subject: text is a note: something that the source does not know.
 *
 * A line ~300 moves the time of the picture that many seconds later.
 *
 * The cluster is called orion, its time is SKETCH_TIME, it has four nodes of 64 CPUs, and its last
 * decay pass was 100 s ago.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_SKETCH_H
#define FAIRTOP_TESTS_SUPPORT_SKETCH_H

#include "adapters/adapter.h"

#define SKETCH_TIME INT64_C(1794182400)		/* 2026-11-09 00:00 UTC */

/* Three pending jobs, of the associations in the lines 3, 4 and 6, and what ranks them. */
#define SKETCH_PENDING(time) "state=PENDING submit=" time " eligible=" time " accrue=" time
#define SKETCH_QUEUE \
	"=PriorityWeightAge 1000\n=PriorityWeightFairshare 10000\n=PriorityMaxAge 7-0\n" \
	"*partition name=batch job_factor=10 tier=1\n*qos name=normal priority=10\n" \
	"*job id=40 user=alice account=physics assoc=3 partition=batch qos=normal name=a " \
	SKETCH_PENDING("1794009600") "\n" \
	"*job id=41 user=bob account=physics assoc=4 partition=batch qos=normal name=b " \
	SKETCH_PENDING("1794100000") "\n" \
	"*job id=42 user=carol account=biology assoc=6 partition=batch qos=normal name=c " \
	SKETCH_PENDING("1794150000") "\n"

/* ALGORITHM is an enum fs_algorithm. Ends the test program if the text is wrong. */
struct cluster *sketch_cluster(const char *text, int algorithm);

/*
 * A live source that returns one sketch per fetch, then says that nothing changed. A text that
 * begins with ! is a failure with that message, one with = names a recording of PBS (pbs.h). TEXTS
 * ends with NULL and is borrowed.
 */
struct source *sketch_source(const char *const *texts, int algorithm);

#endif
