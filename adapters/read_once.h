/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_once: a source whose files were written once. It gives one picture and has ended.
 */
#ifndef FAIRTOP_ADAPTERS_READ_ONCE_H
#define FAIRTOP_ADAPTERS_READ_ONCE_H

#include "adapters/adapter.h"
#include "core/cluster/cluster.h"

/* Fills B from what lies at PATH. An error names PATH. */
typedef bool read_once(const char *path, struct builder *b, struct err *err);

/*
 * The source "SCHEME:PATH" that READ reads, whose health is HEALTH ("saved outputs"). SCHEME, READ
 * and HEALTH must outlive it.
 */
struct source *read_once_open(const char *scheme, const char *path, const char *health,
			      read_once *read);

#endif
