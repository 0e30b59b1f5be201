/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child: one child process on pipes: starting it, ending it, reaping it.
 *
 * It runs in a process group of its own, so that it can be ended with all it started. No signal is
 * blocked in it and every handler is the default. It is killed when the thread that started it
 * ends. Our ends of the pipes are non-blocking and close on exec.
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

/* Is there a program NAME in a directory of PATH? */
bool child_in_path(const char *name);

/*
 * Our environment without the variables that begin as one of WITHOUT, and with those of WITH,
 * NAME=value; NULL ends both lists. The texts are borrowed; free it with mem_free().
 */
const char **child_environment_new(const char *const *without, const char *const *with);

/*
 * Starts ARGV (argv[0] is looked up in PATH) with ENVIRONMENT (NULL: ours). ERR_SOURCE quotes
 * argv[0]. A program that cannot be executed fails here, or exits with code 127.
 */
bool child_start(struct child *c, const char *const *argv, const char *const *environment,
		 bool with_stdin, struct err *err);

/*
 * The same with a C function, in a copy of this process that exits with its result. IN and OUT are
 * its ends of the pipes (standard input and output stay ours). Call only while there is one thread.
 */
typedef int child_function(const void *context, int in, int out);
bool child_start_function(struct child *c, child_function *function, const void *context,
			  struct err *err);

/*
 * Waits up to WAIT_MS for its end, ends what it left running in its group, and reaps it. *STATUS is
 * set as by waitpid(); c->pid is then 0.
 */
bool child_reap(struct child *c, int64_t wait_ms, int *status);

/*
 * Closes the pipes, sends the group TERM, after GRACE_MS KILL, and reaps. False if even that did
 * not end it within a second (stuck in the kernel): c->pid stays set, to be reaped later.
 */
bool child_end(struct child *c, int64_t grace_ms);

/* Has it ended? Does not reap: the functions above do. */
bool child_has_ended(const struct child *c);

void child_close(int *fd);	/* and sets it to -1 */

/* Writes "exit code 1" or "signal 9" for a status of waitpid(). */
void child_status_text(int status, char *buf, size_t size);

/* The last two non-empty lines of an endless text (standard error), in bounded memory. */
struct child_tail {
	char before[200];	/* the line before the last complete one */
	char last[200];		/* last complete line, or an earlier one that already says all */
	char line[200];		/* the incomplete line, cut at its size */
	size_t used;
};

const char *child_tail_get(const struct child_tail *t);	/* the last line, "" if there is none */

/* Writes both lines, "BEFORE; LAST": programs that give up often say why in the line before. */
void child_tail_words(const struct child_tail *t, char *buf, size_t size);

/* Reads what FD has now into T, at most a few buffers full; closes FD at its end. */
void child_drain(int *fd, struct child_tail *t);

#endif
