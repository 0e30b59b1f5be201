/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apart: a sandboxed child (sandbox.h) reads sources written by others (recordings, snapshots,
 * saved outputs). Other sources are opened by source_open(); what they ask runs in their own
 * children.
 */
#ifndef FAIRTOP_ADAPTERS_REGISTRY_APART_H
#define FAIRTOP_ADAPTERS_REGISTRY_APART_H

#include "adapters/adapter.h"
#include "core/base/bytes.h"

/*
 * Like source_open(), but in a sandboxed child: for callers that later write files, ask others or
 * show a screen. Call only while there is no second thread.
 */
struct source *source_open_apart(const char *spec, struct err *err);

/*
 * The same for a process with threads: a separate program (fairtop serve) reads saved data. The
 * first fetch starts it and returns its errors. RECORDING: SPEC is known to be one, and its past
 * can be read.
 */
struct source *source_open_beside(const char *spec, bool recording, struct err *err);

/*
 * The variable that passes SOURCE to fairtop serve without showing it in ps(1): a URL, or what the
 * user meant as one, may hold a password.
 */
#define APART_SPEC "FAIRTOP_SERVE_SOURCE"

/* True for a recording; does not ask: only valid after an answer. */
bool apart_is_recording(struct source *s);

/* A file, the standard input, or the directory of a scheduler's saved outputs; not NULL. */
bool apart_is_saved(const char *spec);

/*
 * Output of a sandboxed child. The parent process puts it in place: the parent alone decides the
 * file names, whatever a log made the child do.
 */
struct apart_output {
	/* Stores output WHICH (defined by the caller): TEXT, or the content of PART. ERR_INPUT. */
	bool (*keep)(void *context, unsigned which, const struct bytes *text, struct err *err);
	void *context;
	/* A new file that the child writes by name; deleted when the child ends; NULL: none. */
	const char *part;
	int part_fd;		/* its descriptor; -1: none */
	int to_parent;		/* set by apart_shut_in() */
};

/*
 * For verbs that only print an answer: a child does all that follows, and this process waits and
 * exits as the child does. The child may read PATH and OTHER (NULL: no recording), and opens no
 * file for writing but OUTPUT's part (OUTPUT NULL: none). Call only while there is no second
 * thread.
 */
void apart_shut_in(const char *path, const char *other, struct apart_output *output);

/* Calls OUTPUT's keep(), in whichever process has to do it. */
bool apart_keep(const struct apart_output *output, unsigned which, const struct bytes *text,
		struct err *err);

/*
 * For programs that read files: if *SPEC is a recording in a database, fetches a copy; *SPEC
 * becomes its path, owned by LIST. Call before entering the sandbox, and only while there is no
 * second thread.
 */
struct apart_brought;
bool apart_bring(const char **spec, struct apart_brought **list, struct err *err);
void apart_leave(struct apart_brought *list);	/* NULL is fine */

#endif
