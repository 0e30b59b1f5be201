/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apart: sources that somebody else wrote (recordings, snapshots, saved outputs) are read by a
 * child that has shut itself in (sandbox.h). Others are opened as source_open() does: what they
 * ask runs in children of theirs.
 */
#ifndef FAIRTOP_ADAPTERS_REGISTRY_APART_H
#define FAIRTOP_ADAPTERS_REGISTRY_APART_H

#include "adapters/adapter.h"
#include "core/base/bytes.h"

/*
 * As source_open(), in a child that is shut in: for whoever goes on to write files, ask others or
 * show a screen. Where the process has no second thread yet.
 */
struct source *source_open_apart(const char *spec, struct err *err);

/*
 * The same where there are threads: a program of its own (fairtop serve) reads what is saved. It is
 * started by the first fetch, which tells what is wrong. RECORDING: it is known to be one, and can
 * be asked for its past.
 */
struct source *source_open_beside(const char *spec, bool recording, struct err *err);

/*
 * The variable that tells fairtop serve its SOURCE where ps(1) is not to show it: a URL, or what is
 * meant to be one, may hold a password.
 */
#define APART_SPEC "FAIRTOP_SERVE_SOURCE"

/* Of what has answered, without asking. */
bool apart_is_recording(struct source *s);

/* A file, the standard input, or the directory of a scheduler's saved outputs; not NULL. */
bool apart_is_saved(const char *spec);

/*
 * What who is shut in has made is put in its place by the process that waits for it: this one says
 * what it is called, whatever a log has made of the other.
 */
struct apart_output {
	/* Output WHICH is TEXT, or what is in the part; what it means is theirs. ERR_INPUT. */
	bool (*keep)(void *context, unsigned which, const struct bytes *text, struct err *err);
	void *context;
	/* A new file that is written by its name, and is gone when the child is; NULL: none. */
	const char *part;
	int part_fd;		/* of it; -1: none */
	int to_parent;		/* set by apart_shut_in() */
};

/*
 * For whoever only answers: what follows is done by a child, which this process waits for, to end
 * as it ends. It reads PATH and OTHER (NULL: nothing that is a recording), and opens no file for
 * writing but the part of OUTPUT (NULL: none). Where there is no second thread.
 */
void apart_shut_in(const char *path, const char *other, struct apart_output *output);

/* OUTPUT's keep(), whoever does it. */
bool apart_keep(const struct apart_output *output, unsigned which, const struct bytes *text,
		struct err *err);

/*
 * For whoever reads files: where *SPEC is a recording in a database, it is brought here, and *SPEC
 * becomes the path of the copy, which is LIST's. Before the process is shut in; where there is no
 * second thread.
 */
struct apart_brought;
bool apart_bring(const char **spec, struct apart_brought **list, struct err *err);
void apart_leave(struct apart_brought *list);	/* NULL is fine */

#endif
