/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of sources, and the search for the one that the user named. */
#include "adapters/adapter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/demo/demo.h"
#include "adapters/lsf/lsf.h"
#include "adapters/pbs/pbs.h"
#include "adapters/postgres/postgres.h"
#include "adapters/slurm/slurm.h"
#include "adapters/snapshot/snapshot.h"
#include "adapters/ssh/ssh.h"
#include "adapters/store/store.h"
#include "core/base/format.h"

/* In the order in which they are tried when no SOURCE is given. */
const struct source_ops *const adapters[] = {
	&slurm_source,
	&pbs_source,
	&lsf_source,
	&demo_source,
	&ssh_source,
	&postgres_source,
	&store_source,
	&snapshot_source,
	NULL
};

const struct source_ops *source_scheme(const char *spec)
{
	size_t length = strcspn(spec, ":,"), i = 0;

	if (postgres_is_url(spec))
		return &postgres_source;
	while (adapters[i] && (strlen(adapters[i]->scheme) != length ||
			       strncmp(spec, adapters[i]->scheme, length) != 0))
		i++;
	return adapters[i];
}

bool source_is_file(const struct source_ops *ops)
{
	return ops == &snapshot_source || ops == &store_source;
}

/*
 * "demo" or "demo:7" names the scheme, "./demo" and "-" are files; "demo,accounts=40" also names
 * it, if the synopsis has a list after an optional part.
 */
static const struct source_ops *find_scheme(const char *spec, const char **rest)
{
	const struct source_ops *ops = source_scheme(spec);
	const char *behind = spec + strcspn(spec, ":,");

	if (!ops || source_is_file(ops) || (*behind == ',' && !strstr(ops->synopsis, "[,")))
		return NULL;
	*rest = *behind ? behind + 1 : NULL;
	return ops;
}

static struct source *registry_adopt(struct source *s, const struct source_ops *ops,
				     const char *spec)
{
	if (s && !s->ops)
		s->ops = ops;
	if (s && !s->name[0])
		source_call(s, spec);
	return s;
}

/* A pipe is not examined: what is read from it would be lost. */
static bool registry_is_recording(const char *path, const struct stat *st)
{
	char head[16];
	ssize_t n = 0;
	int fd = S_ISREG(st->st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd >= 0) {
		n = read(fd, head, sizeof(head));
		close(fd);
	}
	return n > 0 && store_detect(head, (size_t)n);
}

/* Opens "FILE" or "-", with the kind recognised by content. */
static struct source *registry_open_file(const char *spec, struct err *err)
{
	struct stat st;

	if (strcmp(spec, "-") == 0)
		return snapshot_source.open(spec, err);
	if (stat(spec, &st) < 0 && (strchr(spec, '/') || spec[0] == '.')) {
		err_about(err, ERR_INPUT, spec, "%s", strerror(errno));
		return NULL;
	}
	if (stat(spec, &st) < 0) {
		err_about(err, ERR_INPUT, spec,
			  "no such file and no such source (fairtop help source lists them)");
		return NULL;
	}
	if (S_ISDIR(st.st_mode)) {
		err_about(err, ERR_INPUT, spec, "is a directory (saved outputs of commands are "
			  "opened as slurm:DIR, pbs:DIR or lsf:DIR)");
		return NULL;
	}
	if (registry_is_recording(spec, &st))
		return store_source.open(spec, err);
	return snapshot_source.open(spec, err);
}

/* Opens the first scheduler found. */
static struct source *open_first(struct err *err)
{
	char tried[400] = "";

	for (size_t i = 0; adapters[i]; i++) {
		struct err why = { .code = ERR_NONE };
		struct source *s;

		if (!adapters[i]->detect)
			continue;
		s = adapters[i]->here && !adapters[i]->here(&why) ? NULL
								   : adapters[i]->open(NULL, &why);
		if (s)
			return registry_adopt(s, adapters[i], adapters[i]->scheme);
		format_append(tried, sizeof(tried), "%s%s", tried[0] ? "; " : "", why.message);
	}
	err_set(err, ERR_SOURCE, "no scheduler found here (%s); `fairtop demo` opens a built-in "
		"cluster", tried);
	return NULL;
}

struct source *source_open(const char *spec, struct err *err)
{
	const struct source_ops *ops;
	const char *rest = NULL;

	if (!spec)
		return open_first(err);
	ops = find_scheme(spec, &rest);
	if (ops)
		return registry_adopt(ops->open(rest, err), ops, spec);
	return registry_adopt(registry_open_file(spec, err), &snapshot_source, spec);
}
