/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_once: a source whose files never change, such as saved outputs. It gives one picture, then
 * it has ended.
 */
#ifndef FAIRTOP_ADAPTERS_READ_ONCE_H
#define FAIRTOP_ADAPTERS_READ_ONCE_H

#include "adapters/adapter.h"
#include "core/cluster/cluster.h"

/* A file of a directory of saved outputs; the manual page's tables are made from lists of these. */
struct saved_file {
	const char *name;	/* looked for; NULL ends a list */
	unsigned kind;		/* of several files of a kind the first that exists is read */
	const char *command;	/* that prints it; "" for a scheduler's own file */
	const char *gives;	/* what is read from it */
};

/* Fills B from the file or directory PATH. An error names PATH. */
typedef bool read_once(const char *path, struct builder *b, struct err *err);

/*
 * Opens the source "SCHEME:PATH", read by READ, with HEALTH as its health ("saved outputs").
 * SCHEME, READ and HEALTH must outlive it.
 */
struct source *read_once_open(const char *scheme, const char *path, const char *health,
			      read_once *read);

#endif
