/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of any source, independent of the kinds (registry/ knows them). */
#include "adapters/adapter.h"

#include <stdio.h>

#include "core/base/mem.h"
#include "core/base/visible.h"

enum fetch_result source_fetch(struct source *s, const struct fetch_request *request,
			       struct cluster **out, struct err *err)
{
	*out = NULL;
	return s->ops->fetch(s, request, out, err);
}

/* Cut last: cutting may remove the @ after a password. */
void source_call(struct source *s, const char *spec)
{
	char *text = mem_strdup(spec);

	visible_hide_passwords(text);
	snprintf(s->name, sizeof(s->name), "%s", text);
	mem_free(text);
}

void source_cancel(struct source *s)
{
	if (s->ops->cancel)
		s->ops->cancel(s);
}

bool source_seek(struct source *s, int64_t at, struct err *err)
{
	if (!s->ops->seek)
		return err_set(err, ERR_INPUT, "has only current data (a time needs a recording)");
	return s->ops->seek(s, at, err);
}

bool source_follow(struct source *s, struct err *err)
{
	if (s->ops->follow)
		s->ops->follow(s);
	else if (!s->ops->live)
		return err_set(err, ERR_INPUT, "cannot be followed (expected a recording)");
	return true;
}

bool source_past(struct source *s, struct timeline *out, struct err *err)
{
	*out = (struct timeline){ .count = 0 };
	return !s->ops->past || s->ops->past(s, out, err);
}

struct cluster *source_look(struct source *s, int64_t at, uint32_t needs, struct err *err)
{
	if (s->ops->look)
		return s->ops->look(s, at, needs, err);
	err_set(err, ERR_INPUT, "has only current data (a time needs a recording)");
	return NULL;
}

void source_close(struct source *s)
{
	if (s)
		s->ops->close(s);
}
