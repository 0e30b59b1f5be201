/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child: one child process on pipes: starting it, ending it, reaping it.
 *
 * It runs in a process group of its own, so that it can be ended with all it started, with no
 * signal blocked and every handler at its default; it is killed when the thread that started it
 * ends. Our ends of the pipes are non-blocking and
 * close on exec.
 */
#ifndef FAIRTOP_ADAPTERS_CHILD_H
#define FAIRTOP_ADAPTERS_CHILD_H

#include <stddef.h>
#include <sys/types.h>

#include "core/base/err.h"

struct child {
	pid_t pid;		/* 0: none */
	int in;			/* writes to its standard input, -1 if that is /dev/null */
	int out, err;		/* read its standard output and error, -1 when closed */
};

#define CHILD_NONE { 0, -1, -1, -1 }

/*
 * Starts ARGV (argv[0] is looked up in PATH) with ENVIRONMENT (NULL: ours). ERR_SOURCE quotes
 * argv[0]. One that cannot be executed is told here, or by exit code 127.
 */
bool child_start(struct child *c, const char *const *argv, const char *const *environment,
		 bool with_stdin, struct err *err);

/*
 * The same with a function of ours, in a copy of this process that ends with what it returns; IN
 * and OUT are its ends of the pipes (standard input and output are ours still). Only where there
 * is no second thread.
 */
typedef int child_function(const void *context, int in, int out);
bool child_start_function(struct child *c, child_function *function, const void *context,
			  struct err *err);

/*
 * Waits up to WAIT_MS for its end, ends what it left running in its group, and reaps it.
 * *status is waitpid()'s; c->pid is 0 then.
 */
bool child_reap(struct child *c, int64_t wait_ms, int *status);

/*
 * Closes the pipes, asks the group to end (TERM), insists after GRACE_MS (KILL), reaps. False
 * if even that did not end it within a second (stuck in the kernel): c->pid stays, to be reaped
 * some other time.
 */
bool child_end(struct child *c, int64_t grace_ms);

/* Has it ended? It is reaped by the functions above. */
bool child_has_ended(const struct child *c);

void child_close(int *fd);	/* and sets it to -1 */

/* "exit code 1", "signal 9" for a status of waitpid(). */
void child_status_text(int status, char *buf, size_t size);

/*
 * The last two lines that are not empty of an endless text (standard error), in bounded memory.
 */
struct child_tail {
	char before[200];	/* the line before the last complete one */
	char last[200];		/* last complete line, or the one after which none says more */
	char line[200];		/* the one that is growing, cut at its size */
	size_t used;
};

const char *child_tail_get(const struct child_tail *t);	/* the last line, "" if there is none */

/* Both lines, "BEFORE; LAST"; programs that give up often say why in the line before. */
void child_tail_words(const struct child_tail *t, char *buf, size_t size);

/* Reads what FD has now into T, at most a few buffers full; closes it at its end. */
void child_drain(int *fd, struct child_tail *t);

#endif
