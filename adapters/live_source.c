/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/live_source.h"

#include <unistd.h>

#include "adapters/wake.h"
#include "core/base/mem.h"

void *live_source_new(size_t size, const struct source_ops *ops, struct err *err)
{
	int fd = wake_new(err);
	struct live_source *s;

	if (fd < 0)
		return NULL;
	s = mem_zalloc(size, 1);
	s->base.ops = ops;
	s->cancel_fd = fd;
	return s;
}

void live_source_free(struct source *s)
{
	close(((struct live_source *)s)->cancel_fd);
	mem_free(s);
}

void live_source_cancel(struct source *s)
{
	wake_up(((struct live_source *)s)->cancel_fd);
}

enum fetch_result live_source_end(struct live_source *s, struct builder *b, bool good,
				  struct cluster **out, struct err *err)
{
	wake_take(s->cancel_fd);
	if (good)
		*out = builder_seal(b, err);
	else
		builder_free(b);
	/* Unreadable data are the source's fault here, not an input error of the user. */
	if (!*out && err)
		err->code = ERR_SOURCE;
	return *out ? FETCH_NEW : FETCH_FAILED;
}
