/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reasons: what a job waits for, in short and in plain words, out of the scheduler's own. */
#ifndef FAIRTOP_CORE_QUEUE_REASONS_H
#define FAIRTOP_CORE_QUEUE_REASONS_H

#include "core/queue/jobs.h"

/* What the simulation of starts has of a reason of Slurm. */
enum reason_played {
	REASON_UNPLAYED,	/* nothing: who waits for it has no start that is known */
	REASON_OPEN,		/* the queue and what is free */
	REASON_NODES,		/* what nodes are free for it */
	REASON_RULE,		/* what its partition, or no node, ever gives */
	REASON_STOP,		/* no start until somebody acts */
	REASON_BEGIN, REASON_DEPENDENCY, REASON_LICENSES, REASON_ARRAY,
	REASON_LIMIT		/* of jobs and TRES (job_limits.h) */
};

struct reason {
	const char *pattern;	/* of the scheduler's word: stars stand for anything */
	enum reason_played played;	/* but for some limits: see reason_played() */
	const char *brief;	/* the kind first, "limit" last; behind a blank the last word */
	const char *meaning;	/* NULL: the scheduler's word is a sentence already */
};

enum reason_played reason_played(const char *word);

/* Never NULL: the last entry fits everything. */
const struct reason *reason_of(const char *word);

/* The scheduler's word in short. */
void reason_word(const char *word, char *buf, size_t size);

/* What an entry waits for, short; false if it does not wait. */
bool reason_brief(const struct jobs *j, uint32_t entry, char *buf, size_t size);

/* Kinds of waiting: each brief reason begins with one, has " limit", or is of the last. */
#define REASON_KINDS 7
extern const struct reason_kind {
	const char *word;
	const char *filter;		/* that shows only these */
	const char *command;		/* that sets it */
} reason_kinds[REASON_KINDS];

/* Does BRIEF, a short reason, begin with WORD? "group limit" does with "limit". */
bool reason_is(const char *brief, const char *word);

/* How many jobs wait for what, every task of an array counted; returns their sum. */
uint32_t reason_count(const struct jobs *j, uint32_t counts[REASON_KINDS]);

/* The same, as a getter: unknown for what does not wait. */
column_getter reason_get;

#endif
