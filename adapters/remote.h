/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remote: a child process that speaks frames, kept at arm's length.
 *
 * Started with posix_spawn in its own process group, stdin and stdout on pipes, stderr kept
 * (last lines only, bounded). A request that is not answered by its deadline ends the child
 * (TERM, then KILL); the next request starts a new one, not sooner than 1 s later: until then the
 * answer is the same error. Zombies are reaped here.
 */
#ifndef FAIRTOP_ADAPTERS_REMOTE_H
#define FAIRTOP_ADAPTERS_REMOTE_H

#include "adapters/adapter.h"
#include "adapters/child.h"
#include "adapters/frame.h"

struct remote;

/* ARGV is copied. Nothing is started before the first request. */
struct remote *remote_new(const char *const *argv);
/* Before the first request: the child has the variable NAME beside those that are ours now. */
void remote_environment(struct remote *r, const char *name, const char *value);
void remote_free(struct remote *r);		/* ends the child */

/*
 * The child is FUNCTION (child.h) with CONTEXT; started here, and never again. Its answers may take
 * an hour. ERR says what it said in the place of hello.
 */
struct remote *remote_new_function(child_function *function, const void *context,
				   struct err *err);

/*
 * FETCH_NEW, FETCH_SAME or FETCH_FAILED. An error that the child itself reports leaves it
 * running; every other one ends it. Errors begin with the program's name and end with its last
 * words.
 */
enum fetch_result remote_fetch(struct remote *r, const struct fetch_request *request,
			       struct cluster **out, struct err *err);

/*
 * What the child is a source of, as it said hello: "recording"; "" where it says nothing. Starts it
 * and waits if need be; what goes wrong then is told by the next fetch.
 */
const char *remote_kind(struct remote *r);

/* Of a recording: what later fetches are to give, I64_UNKNOWN the latest. */
void remote_seek(struct remote *r, int64_t at);

/* As source_past() and source_look(). Errors end the child as those of a fetch do. */
bool remote_past(struct remote *r, struct timeline *out, struct err *err);
struct cluster *remote_look(struct remote *r, int64_t at, uint32_t needs, struct err *err);

/* From any thread: the fetch under way, or the next one if there is none, fails at once. */
void remote_cancel(struct remote *r);

/* Between fetches, by the thread that fetches. */
const char *remote_banner(const struct remote *r);	/* last line of its stderr then, "" */
const char *remote_health(const struct remote *r);	/* what the child says of itself, "" */

/*
 * True after a failed fetch if the child will never do here: it said so (FRAME_REFUSED), is not
 * there, or cannot be executed (a library it needs is missing).
 */
bool remote_refused(const struct remote *r);

/*
 * Runs a command once, collects its standard output (at most MAX bytes of all of them) and its last
 * stderr line, within DEADLINE_MS; a process that outlives it and holds its pipes has a second.
 * Several commands run in parallel, but of those that queue one at a
 * time, in their order; if the first two of these fail, the others are not run, and complain of
 * the same. True if every one ended with exit code 0.
 */
struct command {
	const char *const *argv;
	const char *const *environment;	/* NULL: ours */
	char *output;			/* the caller's after the run, NUL-ended; or NULL */
	size_t length;
	size_t max;			/* given up when it says more; 0: no limit of its own */
	int status;			/* exit code, -1 if it was killed or not started */
	char complaint[200];		/* last stderr line, or what went wrong; "" */
	bool optional;			/* given up 5 s after the last one that is not */
	bool queued;			/* not before those of the queue above it have ended */
};
bool command_run(struct command *commands, size_t count, size_t max, int64_t deadline_ms,
		 int cancel_fd);

#endif
