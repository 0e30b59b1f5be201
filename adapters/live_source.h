/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_source: what all sources that ask a live scheduler begin and end with. Their fetch() polls
 * cancel_fd beside what it reads.
 */
#ifndef FAIRTOP_ADAPTERS_LIVE_SOURCE_H
#define FAIRTOP_ADAPTERS_LIVE_SOURCE_H

#include "adapters/adapter.h"

struct live_source {
	struct source base;		/* first */
	int cancel_fd;			/* cancel.h */
};

/* SIZE bytes, a struct live_source and zeros behind it; NULL: ERR_SOURCE. */
void *live_source_new(size_t size, const struct source_ops *ops, struct err *err);
void live_source_free(struct source *s);	/* source_ops.close of who has no more */
void live_source_cancel(struct source *s);	/* source_ops.cancel */

/* The end of a fetch: B, which is taken over, as a cluster in *OUT if all was read (GOOD). */
enum fetch_result live_source_end(struct live_source *s, struct builder *b, bool good,
				  struct cluster **out, struct err *err);

#endif
