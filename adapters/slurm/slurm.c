/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/slurm.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/child.h"
#include "adapters/remote.h"
#include "adapters/slurm/conf.h"
#include "adapters/slurm/slurm_text.h"
#include "config.h"
#include "core/base/mem.h"

#define PATH_SIZE 4096

struct slurm_state {
	struct source base;
	char *wanted;			/* FILE of slurm:FILE; NULL: the default one */
	char conf[PATH_SIZE];		/* the slurm.conf that the helper was started with */
	/* Both are created once by the fetching thread and stay; cancel() only reads them. */
	_Atomic(struct remote *) helper;
	_Atomic(struct source *) commands;	/* used if the helper does not work */
	bool given_up;			/* for good */
	char why[120];			/* why the helper does not work */
};

/* ---- opening ------------------------------------------------------------------------------- */

/*
 * Is there a Slurm here at all? sshare alone does not count: without a slurm.conf it would query
 * the DNS, which the user did not ask for.
 */
static bool slurm_here(struct err *err)
{
	char path[PATH_SIZE];

	return slurm_conf_find(NULL, path, sizeof(path), err);
}

static bool is_web(const char *rest)
{
	return strncmp(rest, "http://", 7) == 0 || strncmp(rest, "https://", 8) == 0 ||
	       strncmp(rest, "http+unix:", 10) == 0;
}

static struct source *slurm_open(const char *rest, struct err *err)
{
	struct slurm_state *s;
	struct stat st;

	if (rest && is_web(rest))
		return slurm_rest_open(rest, err);
	if (rest && slurm_is_saved(rest))
		return slurm_dir_open(rest, err);
	if (rest && stat(rest, &st) < 0) {
		err_about(err, ERR_INPUT, rest, "%s", strerror(errno));
		err_join(err, "slurm:", strlen("slurm:"), "");
		return NULL;
	}
	s = mem_zalloc(1, sizeof(*s));
	s->base.ops = &slurm_source;
	s->wanted = rest ? mem_strdup(rest) : NULL;
	return &s->base;
}

/* ---- the helper ---------------------------------------------------------------------------- */

static void helper_path(char *path, size_t size)
{
	const char *directory = getenv("FAIRTOP_LIBEXEC");

	snprintf(path, size, "%s/fairtop-slurm",
		 directory && *directory ? directory : PKGLIBEXECDIR);
}

static bool helper_is_there(char *path, size_t size, char *why, size_t why_size)
{
	helper_path(path, size);
	if (access(path, X_OK) == 0)
		return true;
#ifdef HAVE_SLURM
	snprintf(why, why_size, "not installed as %.80s", path);
#else
	snprintf(why, why_size, "not built: install libslurm-dev (slurm-devel) and build again");
#endif
	return false;
}

#ifdef HAVE_LIBCURL
#define WITH_LIBCURL "slurmrestd: with libcurl"
#else
#define WITH_LIBCURL "slurmrestd: no, built without libcurl"
#endif

static void slurm_made_of(char *buf, size_t size)
{
	char path[PATH_SIZE], why[128];
	bool there = helper_is_there(path, sizeof(path), why, sizeof(why));

	snprintf(buf, size, WITH_LIBCURL "; helper: %s%s%s", there ? path : why, there ? ", " : "",
		 there ? LIBSLURM_FOUND : "");
}

/* How to make the next request. */
enum way { WAY_HELPER, WAY_COMMANDS, WAY_NONE };

/*
 * The helper, if it and a slurm.conf exist. Without a slurm.conf Slurm's commands may be able to
 * get one (a "configless" site), unless the user named the missing file.
 */
static enum way choose_way(struct slurm_state *s, struct err *err)
{
	char path[PATH_SIZE];
	const char *argv[] = { path, s->conf, NULL }, *named = getenv("SLURM_CONF");

	if (s->given_up)
		return WAY_COMMANDS;
	if (!helper_is_there(path, sizeof(path), s->why, sizeof(s->why))) {
		s->given_up = true;
		return WAY_COMMANDS;
	}
	if (atomic_load(&s->helper))
		return WAY_HELPER;
	if (slurm_conf_find(s->wanted, s->conf, sizeof(s->conf), err)) {
		atomic_store(&s->helper, remote_new(argv));
		return WAY_HELPER;
	}
	if (s->wanted || (named && *named) || !child_in_path("sshare"))
		return WAY_NONE;
	snprintf(s->why, sizeof(s->why), "%.*s", (int)sizeof(s->why) - 1, err->message);
	return WAY_COMMANDS;
}

static bool ready_commands(struct slurm_state *s, struct err *err)
{
	struct source *commands;

	if (atomic_load(&s->commands))
		return true;
	if (s->wanted && !slurm_conf_find(s->wanted, s->conf, sizeof(s->conf), err))
		return false;
	commands = slurm_commands_open(s->wanted ? s->conf : NULL, err);
	if (!commands)
		return false;
	atomic_store(&s->commands, commands);
	return true;
}

/* ---- fetching ------------------------------------------------------------------------------ */

static enum fetch_result fetch_commands(struct slurm_state *s, const struct fetch_request *request,
					struct cluster **out, struct err *err)
{
	enum fetch_result result = FETCH_FAILED;
	struct source *commands;
	char reason[ERR_MESSAGE_MAX + sizeof(s->why) + sizeof("; helper: ")];

	if (ready_commands(s, err)) {
		commands = atomic_load(&s->commands);
		result = source_fetch(commands, request, out, err);
		snprintf(s->base.health, sizeof(s->base.health), "%.60s; helper: %s",
			 commands->health[0] ? commands->health : "commands (6 decimals)", s->why);
	}
	if (result == FETCH_FAILED && s->given_up)
		snprintf(reason, sizeof(reason), "%s; helper: %s", err->message, s->why);
	else if (result == FETCH_FAILED)
		snprintf(reason, sizeof(reason), "%s; %s", s->why, err->message);
	if (result == FETCH_FAILED)
		err_set(err, err->code, "%s", reason);
	return result;
}

static enum fetch_result fetch_helper(struct slurm_state *s, const struct fetch_request *request,
				      struct cluster **out, struct err *err)
{
	struct remote *helper = atomic_load(&s->helper);
	enum fetch_result result = remote_fetch(helper, request, out, err);
	const char *health = remote_health(helper);

	snprintf(s->base.health, sizeof(s->base.health), "%s", health[0] ? health : "helper");
	return result;
}

static enum fetch_result fetch_either(struct slurm_state *s, const struct fetch_request *request,
				      struct cluster **out, struct err *err)
{
	enum fetch_result result;

	switch (choose_way(s, err)) {
	case WAY_NONE:
		return FETCH_FAILED;
	case WAY_COMMANDS:
		return fetch_commands(s, request, out, err);
	case WAY_HELPER:
		break;
	}
	result = fetch_helper(s, request, out, err);
	if (result != FETCH_FAILED || !remote_refused(atomic_load(&s->helper)))
		return result;
	s->given_up = true;
	snprintf(s->why, sizeof(s->why), "%.*s", (int)sizeof(s->why) - 1, err->message);
	return fetch_commands(s, request, out, err);
}

/* Without munge nothing was asked: that slurmctld or a command failed would mislead. */
static void name_munge(struct err *err)
{
	const char *at = strstr(err->message, "Munge ");
	char why[ERR_MESSAGE_MAX];

	if (!at)
		return;
	snprintf(why, sizeof(why), "munge: %s", at + strlen("Munge "));
	err_set(err, err->code, "%s", why);
}

static enum fetch_result slurm_fetch(struct source *base, const struct fetch_request *request,
				     struct cluster **out, struct err *err)
{
	enum fetch_result result;
	struct err own;

	if (!err)
		err = &own;
	result = fetch_either((struct slurm_state *)base, request, out, err);
	if (result == FETCH_FAILED)
		name_munge(err);
	return result;
}

static void slurm_cancel(struct source *base)
{
	struct slurm_state *s = (struct slurm_state *)base;
	struct remote *helper = atomic_load(&s->helper);
	struct source *commands = atomic_load(&s->commands);

	if (helper)
		remote_cancel(helper);
	if (commands)
		source_cancel(commands);
}

static void slurm_close(struct source *base)
{
	struct slurm_state *s = (struct slurm_state *)base;

	remote_free(atomic_load(&s->helper));
	source_close(atomic_load(&s->commands));
	mem_free(s->wanted);
	mem_free(s);
}

const struct source_ops slurm_source = {
	.scheme = "slurm",
	.synopsis = "slurm[:FILE|:DIR|:DIR,cluster=NAME|:URL]",
	.meaning = "this host's Slurm cluster, or that of a slurm.conf or slurmrestd; saved "
		   "outputs of its commands",
	.open = slurm_open,
	.here = slurm_here,
	.fetch = slurm_fetch,
	.cancel = slurm_cancel,
	.close = slurm_close,
	.made_of = slurm_made_of,
	.live = true,
	.detect = true,
};
