/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_source: the shared beginning and end of all sources that ask a live scheduler. Their fetch()
 * polls cancel_fd beside its other input.
 */
#ifndef FAIRTOP_ADAPTERS_LIVE_SOURCE_H
#define FAIRTOP_ADAPTERS_LIVE_SOURCE_H

#include "adapters/adapter.h"

struct live_source {
	struct source base;		/* first */
	int cancel_fd;			/* wake.h */
};

/* Allocates SIZE bytes: a struct live_source, then zeros. NULL: ERR_SOURCE. */
void *live_source_new(size_t size, const struct source_ops *ops, struct err *err);
void live_source_free(struct source *s);	/* source_ops.close, if there is no more to free */
void live_source_cancel(struct source *s);	/* source_ops.cancel */

/* Ends a fetch: takes over B and, if all was read (GOOD), seals it into *OUT. */
enum fetch_result live_source_end(struct live_source *s, struct builder *b, bool good,
				  struct cluster **out, struct err *err);

#endif
