/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit: does the usage that the scheduler holds follow from the jobs that ran?
 *
 * DESIGN. Each job of a replay is charged by the law (replay_charge.h), under the policy of now:
 * the UsageFactor of its QOS, the TRESBillingWeights of its partition, the tree. Where usage held
 * is another by more than is allowed, every cause is tried as a computation of its own (what if
 * the jobs had been billed as they were told to be; if all before a pass had been zeroed; if the
 * factor of a QOS had been another), and the first that leads to the usage held is the reason.
 * What no computation leads to is told as no more than that usage is missing or too much. Of jobs
 * whose association is gone: the user is said to have moved where he has another, and neither a job
 * nor usage tells that he had it before.
 *
 * One module of several files: audit audit_why
 */
#ifndef FAIRTOP_CORE_REPLAY_AUDIT_H
#define FAIRTOP_CORE_REPLAY_AUDIT_H

#include "core/base/column.h"
#include "core/base/timestr.h"
#include "core/replay/replay.h"

/* What a recording saw: until UNTIL, and from the change before on, QOS had FACTOR. */
struct audit_factor {
	uint32_t qos;			/* replay_text() */
	int64_t until;
	double factor;
};

struct audit_options {
	const struct cluster *held;	/* the tree of the replay, with the usage to be judged */
	const struct cluster *begin;	/* the same rows, usage as of SINCE; NULL: there was none */
	int64_t since;			/* I64_UNKNOWN: the first start of a job */
	const int64_t *passes;		/* NULL: every period of the policy */
	size_t pass_count;
	const struct calendar *calendar;
	double tolerance;		/* a part of the usage */
	int64_t step;			/* ends without a state lie within so many seconds */
	const struct audit_factor *factors;	/* ascending by UNTIL */
	size_t factor_count;
	/*
	 * Of rows: when usage had last become less than decay makes it, I64_UNKNOWN never. NULL:
	 * nobody watched.
	 */
	const int64_t *drops;
};

struct audit_row {
	uint32_t assoc;			/* row of TREE */
	double charged, held;		/* HELD is NaN where there is no association */
	double allowed;			/* difference that means nothing */
	uint32_t reason;		/* of REASONS; TEXT_NONE: there is nothing to explain */
};

struct audit {
	struct cluster *tree;		/* all associations, those of jobs alone, too */
	struct audit_row *rows;		/* the largest difference first */
	uint32_t count;
	bool differs;			/* an association has not what its jobs come to */
	struct text *reasons;
};

/* Can the usage that C holds be judged? False and ERR (ERR_SOURCE): it or the policy is unknown. */
bool audit_check(const struct cluster *c, struct err *err);

/*
 * R holds the jobs; its tree is that of O->held. NULL and ERR: ERR_SOURCE as audit_check() has it,
 * and where nobody knows what a job that counts was billed; ERR_INPUT where there are too many
 * passes.
 */
struct audit *audit_run(struct replay *r, const struct audit_options *o, struct err *err);
void audit_free(struct audit *a);		/* NULL is fine */

extern const struct column audit_columns[];
extern const size_t audit_columns_count;
struct view audit_view(const struct audit *a);

#endif
