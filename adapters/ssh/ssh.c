/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/ssh/ssh.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/remote.h"
#include "core/base/mem.h"
#include "core/base/visible.h"

#define HOST_MAX 255

struct ssh_state {
	struct source base;
	char host[HOST_MAX + 1];
	struct remote *remote;
	bool only_now;			/* the other host reported that it has no past */
};

static const struct source_ops ssh_demo;	/* a demo: fetched as often as a local one */

/*
 * HOST becomes an argument of ssh, and of the shell of a ProxyCommand (%h): it must not look like
 * an option, and may only have characters of names and addresses, none that are special to a shell.
 */
static bool host_is_sane(const char *host, size_t length)
{
	if (length == 0 || length > HOST_MAX || host[0] == '-')
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)host[i];

		if (!isascii(c) || (!isalnum(c) && !strchr("._-@:[]%", c)))
			return false;
	}
	return true;
}

/* Quotes for the shell of the other host with single quotes; owned by the caller. */
static char *ssh_quote(const char *text)
{
	char *quoted = mem_alloc(strlen(text) * 4 + 3, 1), *q = quoted;

	*q++ = '\'';
	for (; *text; text++) {
		if (*text == '\'') {
			memcpy(q, "'\\''", 4);
			q += 4;
		} else {
			*q++ = *text;
		}
	}
	*q++ = '\'';
	*q = '\0';
	return quoted;
}

static struct remote *start_remote(const char *host, const char *source)
{
	const char *program = getenv("FAIRTOP_SSH");
	char *quoted = source ? ssh_quote(source) : NULL;
	const char *argv[] = { program && *program ? program : "ssh", "-o", "BatchMode=yes", "-o",
			       "ConnectTimeout=10", host, "fairtop", "serve", quoted, NULL };
	struct remote *r = remote_new(argv);

	mem_free(quoted);
	return r;
}

static struct source *ssh_open(const char *rest, struct err *err)
{
	size_t length = rest ? strcspn(rest, "/") : 0;
	const char *source = rest && rest[length] == '/' && rest[length + 1] ? rest + length + 1
									      : NULL;
	struct ssh_state *s;

	if (!rest || !host_is_sane(rest, length)) {
		err_set(err, ERR_INPUT, "ssh:%.100s: no host name (expected ssh:HOST/SOURCE)",
			rest ? rest : "");
		return NULL;
	}
	if (source && visible_has_password(source)) {
		err_set(err, ERR_INPUT, "ssh:%.*s: ps(1) would show the password of the URL on "
			"both hosts (expected in the remote ~/.pgpass)", (int)length, rest);
		return NULL;
	}
	s = mem_zalloc(1, sizeof(*s));
	s->base.ops = source && strncmp(source, "demo", 4) == 0 ? &ssh_demo : &ssh_source;
	memcpy(s->host, rest, length);
	s->remote = start_remote(s->host, source);
	snprintf(s->base.health, sizeof(s->base.health), "ssh %.180s", s->host);
	return &s->base;
}

static enum fetch_result ssh_fetch(struct source *base, const struct fetch_request *request,
				   struct cluster **out, struct err *err)
{
	struct ssh_state *s = (struct ssh_state *)base;
	enum fetch_result result = remote_fetch(s->remote, request, out, err);
	const char *health = remote_health(s->remote);

	snprintf(base->health, sizeof(base->health), "ssh %.80s%s%.100s", s->host,
		 health[0] ? ": " : "", health);
	if (result == FETCH_FAILED && err)
		err_prefix(err, "%s", s->host);
	return result;
}

/* ---- the past of a remote recording or demo ------------------------------------------------- */

static bool only_now(struct err *err)
{
	return err_set(err, ERR_INPUT, "has only current data (a time needs a recording)");
}

static bool has_past(struct ssh_state *s)
{
	const char *kind = remote_kind(s->remote);

	s->only_now = kind[0] && strcmp(kind, "recording") != 0 && strcmp(kind, "demo") != 0;
	return kind[0] && !s->only_now;
}

/* While the kind of the remote source is unknown, its answer to the next fetch decides. */
static bool ssh_seek(struct source *base, int64_t at, struct err *err)
{
	struct ssh_state *s = (struct ssh_state *)base;

	if (s->only_now)
		return only_now(err);
	remote_seek(s->remote, at);
	return true;
}

static bool ssh_past(struct source *base, struct timeline *out, struct err *err)
{
	struct ssh_state *s = (struct ssh_state *)base;

	return !has_past(s) || remote_past(s->remote, out, err);
}

static struct cluster *ssh_look(struct source *base, int64_t at, uint32_t needs, struct err *err)
{
	struct ssh_state *s = (struct ssh_state *)base;

	if (has_past(s))
		return remote_look(s->remote, at, needs, err);
	(void)only_now(err);
	return NULL;
}

static void ssh_cancel(struct source *base)
{
	remote_cancel(((struct ssh_state *)base)->remote);
}

static void ssh_close(struct source *base)
{
	struct ssh_state *s = (struct ssh_state *)base;

	remote_free(s->remote);
	mem_free(s);
}

#define SSH_SOURCE \
	.scheme = "ssh", \
	.synopsis = "ssh:HOST/SOURCE", \
	.meaning = "the same source through fairtop on another host", \
	.open = ssh_open, .fetch = ssh_fetch, .seek = ssh_seek, .past = ssh_past, \
	.look = ssh_look, .cancel = ssh_cancel, .close = ssh_close, .live = true

const struct source_ops ssh_source = { SSH_SOURCE };
static const struct source_ops ssh_demo = { SSH_SOURCE, .every_ms = 3000 };
