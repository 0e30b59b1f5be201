/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses a URL, and finds the local file that belongs to it. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "adapters/postgres/private.h"
#include "core/base/format.h"
#include "core/base/mem.h"

/* libpq accepts both. */
bool postgres_is_url(const char *text)
{
	return text && (strncmp(text, "postgresql:", 11) == 0 ||
			strncmp(text, "postgres:", 9) == 0);
}

/* NAME becomes part of a file's name and of SQL. */
static bool cluster_is_sane(const char *name, size_t length)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._-";

	return length > 0 && length <= CLUSTER_MAX && name[0] != '.' && name[0] != '-' &&
	       strspn(name, allowed) >= length;
}

/* Takes "cluster=NAME" out of the parameters. */
static bool url_take_cluster(struct target *t, struct err *err)
{
	static const char word[] = "cluster=";
	char *from = strchr(t->conninfo, '?');

	while (from && strncmp(from + 1, word, sizeof(word) - 1) != 0)
		from = strchr(from + 1, '&');
	if (from) {
		char *name = from + sizeof(word), *end = name + strcspn(name, "&");

		if (cluster_is_sane(name, (size_t)(end - name))) {
			snprintf(t->cluster, sizeof(t->cluster), "%.*s", (int)(end - name), name);
			/* The following parameters move to its place. */
			memmove(from + (*end != '\0'), *end ? end + 1 : end,
				strlen(*end ? end + 1 : end) + 1);
			return true;
		}
	}
	return err_set(err, ERR_INPUT, "a PostgreSQL source: %s (expected "
		       "postgresql://HOST/DATABASE?cluster=NAME; of up to %d letters, digits, '.', "
		       "'_' and '-')", from ? "not a cluster's name" : "no cluster is named",
		       CLUSTER_MAX);
}

bool target_parse(struct target *t, const char *url, struct err *err)
{
	*t = (struct target){ .conninfo = mem_strdup(url) };
	if (conn_is_built(err) && url_take_cluster(t, err) &&
	    conn_name(t->conninfo, t->name, sizeof(t->name), &t->place, err)) {
		format_append(t->name, sizeof(t->name), "?cluster=%s", t->cluster);
		return true;
	}
	target_free(t);
	return false;
}

void target_free(struct target *t)
{
	mem_free(t->conninfo);
	t->conninfo = NULL;
}

/* Makes the parent directories of PATH, which is absolute. */
static bool url_make_directories(char *path, struct err *err)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0700) < 0 && errno != EEXIST)
			return err_about(err, ERR_INPUT, path, "%s", strerror(errno));
		*slash = '/';
	}
	return true;
}

bool target_path(const struct target *t, const char *xdg, const char *beside,
		 char path[POSTGRES_PATH], struct err *err)
{
	static const char *const ends[] = { "", "-wal", "-shm" };
	const char *base = getenv(xdg), *home = getenv("HOME");
	int length = -1;

	if (base && base[0] == '/')
		length = snprintf(path, POSTGRES_PATH, "%s/", base);
	else if (home && home[0] == '/')
		length = snprintf(path, POSTGRES_PATH, "%s/%s/", home, beside);
	if (length > 0 && length < POSTGRES_PATH)
		length += snprintf(path + length, POSTGRES_PATH - (size_t)length,
				   "fairtop/postgresql-%s-%016" PRIx64 ".rec", t->cluster,
				   t->place);
	if (length < 0 || length >= POSTGRES_PATH)
		return err_set(err, ERR_INPUT, "neither %s nor HOME names a directory for a copy "
			       "of the recording", xdg);
	if (!url_make_directories(path, err))
		return false;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		char file[POSTGRES_PATH + 8];

		snprintf(file, sizeof(file), "%s%s", path, ends[i]);
		(void)chmod(file, 0600);
	}
	return true;
}
