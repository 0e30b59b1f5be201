/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remote: an isolated child process that speaks frames.
 *
 * Started with posix_spawn in its own process group, stdin and stdout on pipes, stderr kept (last
 * lines only, bounded). If a request is not answered by its deadline, the child is ended (TERM,
 * then KILL). The next request starts a new one, but not within 1 s; until then it fails with the
 * same error. Zombies are reaped here.
 */
#ifndef FAIRTOP_ADAPTERS_REMOTE_H
#define FAIRTOP_ADAPTERS_REMOTE_H

#include "adapters/adapter.h"
#include "adapters/child.h"
#include "adapters/frame.h"

struct remote;

/* ARGV is copied. Nothing is started before the first request. */
struct remote *remote_new(const char *const *argv);
/* Call before the first request: adds the variable NAME to the child's environment. */
void remote_environment(struct remote *r, const char *name, const char *value);
void remote_free(struct remote *r);		/* ends the child */

/*
 * The child runs FUNCTION (child.h) with CONTEXT; it is started here, and never again. Its answers
 * may take an hour. ERR is the error that it sent instead of HELLO.
 */
struct remote *remote_new_function(child_function *function, const void *context, struct err *err);

/*
 * Returns FETCH_NEW, FETCH_SAME or FETCH_FAILED. An error reported by the child leaves it running;
 * every other error ends it. Errors begin with the program's name and end with its last stderr.
 */
enum fetch_result remote_fetch(struct remote *r, const struct fetch_request *request,
			       struct cluster **out, struct err *err);

/*
 * The kind of source that the child names in HELLO: "recording"; "" if it names none. Starts the
 * child and waits if necessary; the next fetch returns any error of that.
 */
const char *remote_kind(struct remote *r);

/* For a recording: sets the time that later fetches give, I64_UNKNOWN the latest. */
void remote_seek(struct remote *r, int64_t at);

/* Like source_past() and source_look(). Errors end the child like those of a fetch. */
bool remote_past(struct remote *r, struct timeline *out, struct err *err);
struct cluster *remote_look(struct remote *r, int64_t at, uint32_t needs, struct err *err);

/* From any thread: the fetch under way, or the next one if there is none, fails at once. */
void remote_cancel(struct remote *r);

/* Call between fetches, from the fetching thread. */
const char *remote_health(const struct remote *r);	/* the health that the child sent, "" */

/*
 * True after a failed fetch if the child can never work here: it said so (FRAME_REFUSED), does not
 * exist, or cannot be executed (a library it needs is missing).
 */
bool remote_refused(const struct remote *r);

#endif
