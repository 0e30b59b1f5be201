/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read_once: a source whose files never change. It gives one picture, then it has ended. */
#ifndef FAIRTOP_ADAPTERS_READ_ONCE_H
#define FAIRTOP_ADAPTERS_READ_ONCE_H

#include "adapters/adapter.h"
#include "core/cluster/cluster.h"

/* Fills B from the file or directory PATH. An error names PATH. */
typedef bool read_once(const char *path, struct builder *b, struct err *err);

/*
 * Opens the source "SCHEME:PATH", read by READ, with HEALTH as its health ("saved outputs").
 * SCHEME, READ and HEALTH must outlive it.
 */
struct source *read_once_open(const char *scheme, const char *path, const char *health,
			      read_once *read);

#endif
