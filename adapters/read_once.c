/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/read_once.h"

#include <stdio.h>

#include "core/base/mem.h"

struct read_once_source {
	struct source base;
	struct source_ops ops;
	char *path;
	const char *health;
	read_once *read;
	bool fetched;
};

static enum fetch_result read_once_fetch(struct source *base, const struct fetch_request *request,
					 struct cluster **out, struct err *err)
{
	struct read_once_source *s = (struct read_once_source *)base;
	struct builder *b;

	(void)request;
	if (s->fetched)
		return FETCH_END;
	b = builder_new();
	if (!s->read(s->path, b, err)) {
		builder_free(b);
		return FETCH_FAILED;
	}
	*out = builder_seal(b, err);
	if (!*out) {
		err_at(err, s->path, 0);
		return FETCH_FAILED;
	}
	s->fetched = true;
	snprintf(base->health, sizeof(base->health), "%s", s->health);
	return FETCH_NEW;
}

static void read_once_close(struct source *base)
{
	mem_free(((struct read_once_source *)base)->path);
	mem_free(base);
}

struct source *read_once_open(const char *scheme, const char *path, const char *health,
			      read_once *read)
{
	struct read_once_source *s = mem_zalloc(1, sizeof(*s));

	s->ops = (struct source_ops){ .scheme = scheme, .fetch = read_once_fetch,
				      .close = read_once_close };
	s->base.ops = &s->ops;
	s->path = mem_strdup(path);
	s->health = health;
	s->read = read;
	snprintf(s->base.name, sizeof(s->base.name), "%s:%s", scheme, path);
	return &s->base;
}
