/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apart: sources that somebody else wrote (recordings, snapshots, saved outputs) are read by a
 * process that has shut itself in (sandbox.h). Others are opened as source_open() does: what they
 * ask runs in children of theirs.
 */
#ifndef FAIRTOP_ADAPTERS_REGISTRY_APART_H
#define FAIRTOP_ADAPTERS_REGISTRY_APART_H

#include "adapters/adapter.h"

/*
 * As source_open(), in a child that is shut in: for whoever goes on to write files, ask others or
 * show a screen. Where the process has no second thread yet.
 */
struct source *source_open_apart(const char *spec, struct err *err);

/* As source_open(), shutting in the whole process: for whoever only answers. */
struct source *source_open_shut_in(const char *spec, struct err *err);

/*
 * This process reads PATH (NULL: nothing that is a recording), and may write files in the
 * directories of OUTPUT and OTHER (NULL: none), and no others.
 */
void apart_shut_in(const char *path, const char *output, const char *other);

#endif
