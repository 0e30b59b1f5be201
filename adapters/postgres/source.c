/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cluster on a server as a source: its copy, which is updated from the server before each read of
 * the latest picture.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adapters/postgres/private.h"
#include "adapters/wake.h"
#include "core/base/mem.h"

static const struct source_ops follow_ops;

struct fetched {
	struct source source;
	struct puller *puller;
	struct source *copy;
	int cancel;
	bool brought;			/* fetched by puller_start(), and not read yet */
};

static enum fetch_result fetched_fetch(struct source *source, const struct fetch_request *request,
				       struct cluster **out, struct err *err)
{
	struct fetched *f = (struct fetched *)source;
	enum fetch_result result;

	if (!f->brought && !puller_pull(f->puller, request->deadline_ms, f->cancel, err)) {
		(void)wake_take(f->cancel);
		return FETCH_FAILED;
	}
	f->brought = false;
	result = source_fetch(f->copy, request, out, err);
	snprintf(source->health, sizeof(source->health), "%s", f->copy->health);
	return result;
}

static void fetched_cancel(struct source *source)
{
	struct fetched *f = (struct fetched *)source;

	wake_up(f->cancel);
	source_cancel(f->copy);
}

static bool fetched_seek(struct source *source, int64_t at, struct err *err)
{
	return source_seek(((struct fetched *)source)->copy, at, err);
}

static void fetched_follow(struct source *source)
{
	(void)source_follow(((struct fetched *)source)->copy, NULL);
	source->ops = &follow_ops;
}

static bool fetched_past(struct source *source, struct timeline *out, struct err *err)
{
	return source_past(((struct fetched *)source)->copy, out, err);
}

static struct cluster *fetched_look(struct source *source, int64_t at, uint32_t needs,
				    struct err *err)
{
	return source_look(((struct fetched *)source)->copy, at, needs, err);
}

static void fetched_close(struct source *source)
{
	struct fetched *f = (struct fetched *)source;

	source_close(f->copy);
	puller_free(f->puller);
	if (f->cancel >= 0)
		close(f->cancel);
	mem_free(f);
}

struct source *postgres_open(const char *url,
			     struct source *(*open)(const char *path, struct err *err),
			     struct err *err)
{
	struct fetched *f = mem_zalloc(1, sizeof(*f));
	char path[POSTGRES_PATH];

	f->source.ops = &postgres_source;
	f->puller = puller_start(url, path, f->source.name, err);
	f->copy = f->puller ? open(path, err) : NULL;
	f->cancel = f->copy ? wake_new(err) : -1;
	f->brought = true;
	if (f->cancel >= 0)
		return &f->source;
	fetched_close(&f->source);
	return NULL;
}

static struct source *open_here(const char *rest, struct err *err)
{
	char *url = mem_format("postgresql:%s", rest ? rest : "");
	struct source *s = postgres_open(url, store_source.open, err);

	mem_free(url);
	return s;
}

static void postgres_made_of(char *buf, size_t size)
{
	snprintf(buf, size, "%s", conn_made_of());
}

#define FETCHED_OPS \
	.scheme = "postgresql", \
	.synopsis = "postgresql://HOST/DATABASE?cluster=NAME", \
	.meaning = "a recording that fairtop record has put into a PostgreSQL server", \
	.open = open_here, \
	.fetch = fetched_fetch, \
	.cancel = fetched_cancel, \
	.seek = fetched_seek, \
	.follow = fetched_follow, \
	.past = fetched_past, \
	.look = fetched_look, \
	.close = fetched_close, \
	.made_of = postgres_made_of

const struct source_ops postgres_source = { FETCHED_OPS, .live = false };
static const struct source_ops follow_ops = { FETCHED_OPS, .live = true };
