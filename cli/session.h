/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session: what every verb with one answer does: open the source, fetch once, compute the model,
 * and report on standard error what the source does not know.
 */
#ifndef FAIRTOP_CLI_SESSION_H
#define FAIRTOP_CLI_SESSION_H

#include "adapters/adapter.h"
#include "core/pools/pool_past.h"
#include "core/whatif/whatif.h"
#include "cli/options.h"
#include "cli/output.h"
#include "tui/base/complain.h"

struct session {
	const struct options *options;
	struct source *source;
	struct cluster *cluster;	/* with the edits of the options, if any */
	struct model *model;		/* NULL until session_model() */
	/* Only with edits, else NULL: the edits, the unedited cluster, and its model. */
	struct whatif *whatif;
	struct cluster *base;
	struct model *base_model;
	char *object, *other;		/* session_objects() */
	struct changes_pair *changes;		/* session_changes() */
	struct spill *spill;		/* directory for a log's jobs, for starts, why and audit */
	struct joblog *log;		/* session_log() */
	struct pool_past pool_past;	/* pools_of_session(): the past, from a recording */
	struct changes_columns *joined;		/* columns of the answer, including changes */
	const struct report_count *counts;	/* further numbers of the JSON object; borrowed */
	size_t count_count;
	/* report.more of the answer; NULL: all its rows are there. */
	uint32_t (*more)(void *context, bool *failed, struct err *err);
	void *more_context;
	struct report report;
	struct output output;
	/* If not NULL, takes the report instead of standard output; returns the status. */
	int (*take)(struct session *s);
	void *taker;
};

/* Returns 0, or an exit status after a message. */
int session_open(struct session *s, const struct options *o, uint32_t needs);
int session_model(struct session *s);	/* makes it once */

/* Sets S->object and ->other from the options, with their kinds, among KINDS. Returns likewise. */
int session_objects(struct session *s, unsigned kinds);

/*
 * With edits: links the model and JOBS to their unedited base, for the columns of
 * changes_columns.h. Call it after session_model(). Either side's jobs may be NULL; free them
 * before S.
 */
struct jobs;
/* The queue of the model; with edits, jobs_forget_reported() is applied. */
struct jobs *session_jobs(const struct session *s);
void session_changes(struct session *s, const struct jobs *base_jobs, struct jobs *jobs);

/*
 * Loads the edits of the options. *W is the caller's, NULL without any edit. Returns 0, or an exit
 * status after a message, which names file and line.
 */
int edits_load(const struct options *o, struct whatif **w);

/* Loads the edits in a file of --beside, named after it if unnamed; returns as edits_load(). */
int edits_load_beside(const char *file, struct whatif **w);

/*
 * Sets LOG to what is known, at the picture's time, of the jobs in the recording or log at PATH; to
 * none if PATH is NULL.
 */
bool session_log(struct session *s, const char *path, struct err *err);

/* The login name of the user who runs this; "" if there is none. */
const char *session_me(void);

/*
 * A filter text from FILTER (NULL: none), --user, --account, --partition, and if MINE the user's
 * own rows; NULL: all rows. The caller frees it.
 */
char *session_filter(const struct options *o, const char *filter, bool mine);

/* Reports why the numbers have no effect: priority/basic, no accounting database. */
void session_tell_policy(const struct session *s);
void session_tell_order(const struct jobs *j);	/* reports rules of the order not modelled */

/*
 * Parses --columns, --sort and the filter of session_filter() for VIEW, whose rows need not exist
 * yet, so that needs are known and mistakes reported before anything is fetched. ALGORITHM picks
 * the default columns; -1: unknown before fetching. With edits, adds the columns that compare.
 */
struct selection {
	struct filter *filter;		/* NULL: all */
	struct row_order order;
	uint32_t needs;
	struct changes_columns *joined;		/* with edits: FILTER and ORDER point into it */
};
int selection_parse(struct selection *s, const struct options *o, const struct view *view);
void selection_free(struct selection *s);

/*
 * Writes VIEW in the requested format: the columns of the options, the rows of SELECTION (NULL:
 * all). Returns the exit status.
 */
int session_answer(struct session *s, const struct view *view, const struct selection *selection,
		   const struct report_extra *extras, size_t extra_count);

/* Frees all of S. */
void session_close(struct session *s);

/*
 * Does all of the above around ANSWER, which returns the exit status; most verbs need nothing else.
 * SHAPE has the columns that may be selected (NULL: none); NEEDS is added to what the selected ones
 * need.
 */
typedef int session_answers(struct session *s, struct selection *selection);
int session_run(const struct options *o, const struct view *shape, uint32_t needs,
		session_answers *answer);

/*
 * The same for all sources of O, which has more than one, as one table (fleet.c). A scheduler that
 * does not answer is reported and left out, and the exit status says so; an unreadable file ends
 * the whole run. What-if edits apply to one cluster, so they are refused.
 */
int fleet_run(const struct options *o, const struct view *shape, uint32_t needs,
	      session_answers *answer);

#endif
