/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit: does the usage that the scheduler holds follow from the jobs that ran?
 *
 * DESIGN. Each job of a replay is charged by the decay settings (replay_charge.h), under the
 * present policy: the UsageFactor of its QOS, the TRESBillingWeights of its partition, the tree.
 * Where the usage held differs by more than the tolerance, every reason is tried as a computation
 * of its own (what if jobs had been billed as the log reports; if all before a pass had been
 * zeroed; if the factor of a QOS had been another). The first that leads to the usage held is the
 * reason. If none does, the reason only says that usage is missing or too much. For jobs whose
 * association is gone: the user is said to have moved if he has another one, with no job or usage
 * that shows he had it before.
 *
 * One module of several files: audit audit_why
 */
#ifndef FAIRTOP_CORE_REPLAY_AUDIT_H
#define FAIRTOP_CORE_REPLAY_AUDIT_H

#include "core/base/column.h"
#include "core/base/timestr.h"
#include "core/replay/replay.h"

/* From a recording: QOS had FACTOR until UNTIL, since the change before. */
struct audit_factor {
	uint32_t qos;			/* replay_text() */
	int64_t until;
	double factor;
};

struct audit_options {
	const struct cluster *held;	/* the tree of the replay, with the usage to be audited */
	const struct cluster *begin;	/* the same rows, usage as of SINCE; NULL: it was zero */
	int64_t since;			/* I64_UNKNOWN: the first start of a job */
	const int64_t *passes;		/* NULL: every period of the policy */
	size_t pass_count;
	const struct calendar *calendar;
	double tolerance;		/* relative to the usage */
	int64_t step;			/* job ends without a state are exact to so many seconds */
	const struct audit_factor *factors;	/* ascending by UNTIL */
	size_t factor_count;
	/* Per row: when usage last fell faster than by decay, I64_UNKNOWN never. NULL: not seen. */
	const int64_t *drops;
};

struct audit_row {
	uint32_t assoc;			/* row of TREE */
	double charged, held;		/* HELD is NaN where there is no association */
	double allowed;			/* difference within the tolerance */
	uint32_t reason;		/* of REASONS; TEXT_NONE: nothing to explain */
};

struct audit {
	struct cluster *tree;		/* all associations, including those known from jobs only */
	struct audit_row *rows;		/* the largest difference first */
	uint32_t count;
	bool differs;			/* an association's usage differs from that of its jobs */
	struct text *reasons;
};

/* Can the usage in C be audited? False and ERR (ERR_SOURCE): it or the policy is unknown. */
bool audit_check(const struct cluster *c, struct err *err);

/*
 * R holds the jobs; its tree is that of O->held. NULL and ERR: ERR_SOURCE as audit_check(), or if
 * the billing of a job that counts is unknown; ERR_INPUT if there are too many passes.
 */
struct audit *audit_run(struct replay *r, const struct audit_options *o, struct err *err);
void audit_free(struct audit *a);		/* NULL is fine */

extern const struct column audit_columns[];
extern const size_t audit_columns_count;
struct view audit_view(const struct audit *a);

#endif
