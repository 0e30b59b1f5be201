/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/conf.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/slurm/parse_conf.h"

/* Where packages install it; the last is the file that slurmd and sackd fetch if there is none. */
static const char *const places[] = {
	"/etc/slurm/slurm.conf",
	"/etc/slurm-llnl/slurm.conf",
	"/usr/local/etc/slurm.conf",
	"/usr/local/etc/slurm/slurm.conf",
	"/opt/slurm/etc/slurm.conf",
	"/run/slurm/conf/slurm.conf",
};
#define PLACES (sizeof(places) / sizeof(places[0]))

/* Is it a non-empty file that we may read? */
static bool conf_usable(const char *path, struct err *err)
{
	struct stat st;

	if (stat(path, &st) < 0 || access(path, R_OK) < 0)
		return err_about(err, ERR_SOURCE, path, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_about(err, ERR_SOURCE, path, "not a file");
	if (st.st_size == 0)
		return err_about(err, ERR_SOURCE, path, "is empty (expected a slurm.conf)");
	return slurm_conf_ends(path, err);
}

static bool conf_take(const char *from, char *path, size_t size, struct err *err)
{
	char here[PATH_MAX] = "";
	int length;

	if (!conf_usable(from, err))
		return false;
	if (from[0] != '/' && !getcwd(here, sizeof(here)))
		return err_about(err, ERR_SOURCE, from, "%s", strerror(errno));
	length = snprintf(path, size, "%s%s%s", here, here[0] ? "/" : "", from);
	if (length >= 0 && (size_t)length < size)
		return true;
	path[0] = '\0';
	return err_about(err, ERR_SOURCE, from, "name too long");
}

bool slurm_conf_find(const char *wanted, char *path, size_t size, struct err *err)
{
	const char *named = wanted ? wanted : getenv("SLURM_CONF");

	path[0] = '\0';
	if (named && *named) {
		return conf_take(named, path, size, err) ||
		       (!wanted && err_prefix(err, "SLURM_CONF"));
	}
	for (size_t i = 0; i < PLACES; i++) {
		struct stat st;

		if (stat(places[i], &st) == 0)
			return conf_take(places[i], path, size, err);
	}
	return err_set(err, ERR_SOURCE, "no slurm.conf: SLURM_CONF is not set and there is no %s",
		       places[0]);
}
