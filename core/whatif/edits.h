/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edits: the grammar of what-if, as one table of targets.
 *
 *	edit   = target "=" value
 *	target = name | name ":" object | name ":" object "." attribute
 *
 *	weight.age = 1000		shares:/physics/hep:alice = parent
 *	job:174.nice = 100		PriorityMaxAge = 14-0		advance = 6h
 *
 * Every parameter of the scheduler is also a target under its own name. A "=" inside a name is
 * written %3D, as in paths. A plain "=" is accepted, too: the target ends at the first "=" that is
 * followed by a readable value. The parser checks what it can without a cluster: that the target
 * exists, and that the value can be read and lies in its range. Whether the object exists is known
 * when the edit is applied (whatif.h).
 *
 * The table is the only source: parser, evaluation, export, fairtop-whatif(5) and completion read
 * it.
 */
#ifndef FAIRTOP_CORE_WHATIF_EDITS_H
#define FAIRTOP_CORE_WHATIF_EDITS_H

#include "core/base/err.h"
#include "core/cluster/fields.h"
#include "core/cluster/policy.h"

enum edit_id {
	EDIT_PARAM,		/* any parameter of the scheduler; also short names for some */
	EDIT_WEIGHT,		/* one of the six weights: points, or percent of the sum */
	EDIT_ALGORITHM,
	EDIT_SCHEDULE,		/* which scheduler: SchedulerType, or a policy of back-tests */
	EDIT_SCHED,		/* a number in SchedulerParameters */
	EDIT_SHARES, EDIT_USAGE, EDIT_ASSOC_PRIORITY, EDIT_PARENT, EDIT_ADD, EDIT_REMOVE,
	EDIT_FIELD,		/* one number of a partition, QOS or job, as the source gives it */
	EDIT_BILLING_WEIGHTS,
	EDIT_JOB_QOS, EDIT_JOB_PARTITION, EDIT_JOB_ACCOUNT, EDIT_JOB_SIZE, EDIT_JOB_SUBMIT,
	EDIT_JOB_PRIORITY, EDIT_JOB_HOLD, EDIT_JOB_BEGIN,
	EDIT_JOB_WORDS,		/* its dependency or reservation, or none */
	EDIT_NEW_JOB,
	EDIT_ADVANCE
};

enum edit_object {
	EDIT_OF_NOTHING,	/* the cluster as a whole */
	EDIT_OF_ASSOC,		/* a path */
	EDIT_OF_PARTITION, EDIT_OF_QOS,	/* a name */
	EDIT_OF_QUEUE,		/* a name (PBS, LSF) */
	EDIT_OF_POOL,		/* a name; POOL.QUEUE for a queue's share (LSF) */
	EDIT_OF_JOB,		/* struct job_name */
	EDIT_OF_NEW		/* a name that the user chooses */
};

enum edit_type {
	EDIT_NUMBER,		/* integer from LEAST to MOST */
	EDIT_REAL,		/* number from LEAST to MOST */
	EDIT_POINTS,		/* integer, or a percentage: "70%" */
	EDIT_SHARES_OR_PARENT,	/* integer, or "parent" */
	EDIT_AMOUNT,		/* number; with a leading + it is added to the old value */
	EDIT_DURATION,		/* 6h, 14d, or in the scheduler's form: 14-0, 02:00:00 */
	EDIT_TIME,		/* Unix seconds; + or - and a duration is relative; begin: now */
	EDIT_YES_NO,
	EDIT_TEXT,		/* a name, a path, words: see the meaning */
	EDIT_AS_PARAM		/* as the parameter's own table defines */
};

/* How an edit is made in the scheduler. */
enum edit_export {
	EDIT_NEVER,		/* "why" says why */
	EDIT_SACCTMGR,		/* sacctmgr -i ... */
	EDIT_SCONTROL,		/* scontrol update ... */
	EDIT_CONF		/* a line of the configuration */
};

/* When it takes effect in the scheduler. */
enum edit_effect { EDIT_AT_ONCE, EDIT_NEXT_PASS, EDIT_RECONFIGURE, EDIT_RESTART };

struct edit_target {
	enum edit_id id;
	enum edit_object object;
	enum edit_type type;
	const char *name;	/* "weight.age"; with an object "shares:PATH", "job:ID.nice" */
	double least, most;
	const char *unit;
	const char *param;	/* of EDIT_PARAM and EDIT_WEIGHT: the name of the parameter */
	enum field field;	/* of EDIT_FIELD and EDIT_JOB_SIZE; else F_COUNT */
	enum edit_export slurm;
	const char *keyword;	/* the word in the command: "Nice", "fairshare" */
	bool inverse;		/* commands can take the change back */
	enum edit_effect effect;
	const char *why;	/* NULL, or why it cannot always be exported or taken back */
	unsigned of;		/* bits EDIT_SLURM ...: schedulers that have it; 0: those of the
				 * parameter */
	const char *meaning;
};
#define EDIT_SLURM (1U << POLICY_OF_SLURM)
#define EDIT_PBS (1U << POLICY_OF_PBS)
#define EDIT_LSF (1U << POLICY_OF_LSF)
#define EDIT_ALL (EDIT_SLURM | EDIT_PBS | EDIT_LSF)
extern const struct edit_target edit_targets[];
extern const size_t edit_targets_count;

/* Does that scheduler have T? PARAM: index of the parameter, where T itself has none. */
bool edit_target_of(const struct edit_target *t, size_t param, enum policy_scheduler scheduler);

const char *edit_export_name(enum edit_export how);	/* "sacctmgr", ... */
const char *edit_effect_name(enum edit_effect effect);	/* "at once", ... */

/* One edit. Texts are owned. */
struct edit {
	const struct edit_target *target;
	size_t param;		/* index of the parameter; policy_params_count if none */
	char *object;		/* as typed except "=", which is %3D; NULL without one */
	char *value;		/* as typed, without blanks around */
	double number;		/* of the numeric types; duration and time in seconds */
	bool relative;		/* AMOUNT and TIME: added to the old value, for a begin: to now */
	bool percent;		/* POINTS */
	bool parent;		/* SHARES_OR_PARENT */
};

/*
 * Reads one edit. ERR_INPUT quotes the error and names what was expected, with near misses; *EDIT
 * is then untouched. Free the result with edit_free().
 */
bool edit_parse(const char *text, struct edit *edit, struct err *err);
void edit_free(struct edit *edit);

/* "target = value" in the form that edit_parse() reads. Like snprintf. */
size_t edit_text(const struct edit *edit, char *buf, size_t size);

/* Do both set the same thing, so that the later one prevails? */
bool edit_same_target(const struct edit *a, const struct edit *b);

/* Sets the parameter of an EDIT_PARAM by its own table; a duration may also have a suffix. */
bool edit_set_param(const struct edit *edit, struct policy *policy, struct err *err);

/* "6h", "30m", "1.5d", "2w", "90s", or a duration in the scheduler's form. */
bool edit_duration(const char *text, int64_t *seconds, struct err *err);

/* Writes S (LENGTH bytes) with %XX decoded to BUF; false if it does not fit or is malformed. */
bool edit_unescape(const char *s, size_t length, char *buf, size_t size);

#endif
