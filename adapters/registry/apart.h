/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apart: sources that somebody else wrote (recordings, snapshots, saved outputs) are read by a
 * child that has shut itself in (sandbox.h). Others are opened as source_open() does: what they
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

/* A file, the standard input, or the directory of a scheduler's saved outputs; not NULL. */
bool apart_is_saved(const char *spec);

/*
 * For whoever only answers: what follows is done by a child, which this process waits for, to end
 * as it ends. It reads PATH and OTHER (NULL: nothing that is a recording), and may write files in
 * the directory of OUTPUT (NULL: none), and no others. Where there is no second thread.
 */
void apart_shut_in(const char *path, const char *other, const char *output);

#endif
