/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session: what every verb with one answer does: open the source, fetch once, compute the model,
 * and say on standard error what the source could not tell.
 */
#ifndef FAIRTOP_CLI_SESSION_H
#define FAIRTOP_CLI_SESSION_H

#include "adapters/adapter.h"
#include "core/pools/pool_past.h"
#include "core/whatif/whatif.h"
#include "cli/options.h"
#include "tui/base/output.h"

struct session {
	const struct options *options;
	struct source *source;
	struct cluster *cluster;	/* with the edits of the options, if there are any */
	struct model *model;		/* NULL until session_model() */
	/* Only with edits, else NULL: the edits, what was read, and its model. */
	struct whatif *whatif;
	struct cluster *base;
	struct model *base_model;
	char *object, *other;		/* session_objects() */
	struct changes_pair *changes;		/* session_changes() */
	struct room *room;		/* of starts, why and audit, for the jobs of a log */
	struct joblog *log;		/* session_log() */
	struct pool_past pool_past;	/* pools_of_session(): of a recording, what was before */
	struct changes_columns *joined;		/* columns of the answer with those that compare */
	const struct report_count *counts;	/* more numbers of the JSON object; borrowed */
	size_t count_count;
	struct report report;
	struct output output;
	/* Takes the report in the place of standard output, if not NULL; returns the status. */
	int (*take)(struct session *s);
	void *taker;
};

/* 0, or an exit status after a message. */
int session_open(struct session *s, const struct options *o, uint32_t needs);
int session_model(struct session *s);	/* makes it once, however often it is asked for */

/* S->object and ->other become those of the options with their kinds, one of KINDS. Likewise. */
int session_objects(struct session *s, unsigned kinds);

/*
 * With edits: the model and JOBS point to what they are beside their base, for the columns of
 * changes_columns.h. After session_model(). The jobs of both sides may be NULL; they are freed
 * before S.
 */
struct jobs;
/* The queue of the model; with edits jobs_forget_reported() is done. */
struct jobs *session_jobs(const struct session *s);
void session_changes(struct session *s, const struct jobs *base_jobs, struct jobs *jobs);

/*
 * The edits of the options. *W is the caller's, NULL without any edit. Returns 0, or an exit status
 * after a message, which names file and line.
 */
int edits_load(const struct options *o, struct whatif **w);

/* The set of edits in a file of --beside, named after it if it has no name; as edits_load(). */
int edits_load_beside(const char *file, struct whatif **w);

/*
 * LOG becomes what is known, at the picture's time, of the jobs in the recording or log at PATH;
 * with PATH NULL there is none.
 */
bool session_log(struct session *s, const char *path, struct err *err);

/* The login name of whoever runs this; "" if there is none. */
const char *session_me(void);

/*
 * FILTER (NULL: none) and the names of --user, --account and --partition, with MINE also my own
 * rows only; NULL: all rows. The text is the caller's.
 */
char *session_filter(const struct options *o, const char *filter, bool mine);

/* What makes the numbers count for nothing: priority/basic, no accounting database. */
void session_tell_policy(const struct session *s);
void session_tell_order(const struct jobs *j);	/* what of the jobs' order is not followed */

/*
 * Parses --columns, --sort and what session_filter() joins for VIEW, whose rows need not exist yet,
 * so that the needs are known and mistakes told before anything is fetched. ALGORITHM picks the
 * default columns; -1: nobody knows before fetching. With edits there are columns that compare,
 * too.
 */
struct selection {
	struct filter *filter;		/* NULL: all */
	struct row_order order;
	uint32_t needs;
	struct changes_columns *joined;		/* what the two point into, where there are edits */
};
int selection_parse(struct selection *s, const struct options *o, const struct view *view);
void selection_free(struct selection *s);

/*
 * Writes VIEW in the format asked for: the columns of the options, the rows of SELECTION (NULL:
 * all). Returns the exit status.
 */
int session_answer(struct session *s, const struct view *view, const struct selection *selection,
		   const struct report_extra *extras, size_t extra_count);

/* Frees everything. */
void session_close(struct session *s);

/*
 * All of the above around ANSWER, which returns the exit status: most verbs are no more. SHAPE has
 * the columns that may be selected (NULL: there are none); NEEDS is asked for besides what those
 * that are need.
 */
typedef int session_answers(struct session *s, struct selection *selection);
int session_run(const struct options *o, const struct view *shape, uint32_t needs,
		session_answers *answer);

#endif
