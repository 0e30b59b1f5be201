/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reasons: why a job is pending, short and in plain words, from the scheduler's reason. */
#ifndef FAIRTOP_CORE_QUEUE_REASONS_H
#define FAIRTOP_CORE_QUEUE_REASONS_H

#include "core/queue/jobs.h"

/* Which part of a reason of Slurm the simulation of starts models. */
enum reason_played {
	REASON_UNPLAYED,	/* nothing: such jobs have no known start */
	REASON_OPEN,		/* the queue and free resources */
	REASON_NODES,		/* which nodes are free for it */
	REASON_RULE,		/* never satisfied by its partition, or by any node */
	REASON_STOP,		/* no start until a person acts */
	REASON_BEGIN, REASON_DEPENDENCY, REASON_LICENSES, REASON_ARRAY,
	REASON_LIMIT		/* of jobs and TRES (job_limits.h) */
};

struct reason {
	const char *pattern;	/* of the scheduler's word: a star matches anything */
	enum reason_played played;	/* except some limits: see reason_played() */
	const char *brief;	/* kind first, "limit" last; the last word follows a blank */
	const char *meaning;	/* NULL: the scheduler's word is a sentence already */
};

enum reason_played reason_played(const char *word);

/* Never NULL: the last entry matches everything. */
const struct reason *reason_of(const char *word);

/* Shortens the scheduler's word. */
void reason_word(const char *word, char *buf, size_t size);

/* Kinds of reasons: a brief one begins with a kind, has " limit", or is of the last kind. */
#define REASON_KINDS 7
extern const struct reason_kind {
	const char *word;
	const char *filter;		/* that shows only these */
	const char *command;		/* that sets it */
} reason_kinds[REASON_KINDS];

/* Does BRIEF, a short reason, begin with WORD? "group limit" counts for "limit". */
bool reason_is(const char *brief, const char *word);

/* Counts pending jobs by kind, each task of an array on its own; returns the total. */
uint32_t reason_count(const struct jobs *j, uint32_t counts[REASON_KINDS]);

/* The same as a getter: unknown for entries that are not pending. */
column_getter reason_get;

#endif
