/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bytes: a run of bytes that grows, and a sink that fills it.
 *
 * DATA always ends in a NUL that LENGTH does not count, once anything was appended; it may hold
 * others. A zeroed struct is empty; bytes_free() makes it so again.
 */
#ifndef FAIRTOP_CORE_BASE_BYTES_H
#define FAIRTOP_CORE_BASE_BYTES_H

#include <stddef.h>

#include "core/base/sink.h"

struct bytes {
	char *data;			/* owned */
	size_t length, capacity;
};

void bytes_append(struct bytes *bytes, const char *data, size_t length);
void bytes_free(struct bytes *bytes);

/* Whatever is written to the sink is appended; it never fails. */
struct sink bytes_sink(struct bytes *bytes);

#endif
