/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[96] = "/nonexistent";	/* until scratch_open() */

const char *scratch_parent(void)
{
	const char *parent = getenv("TMPDIR");

	return parent && parent[0] == '/' && strlen(parent) < 64 ? parent : "/tmp";
}

int scratch_open(void **state)
{
	(void)state;
	snprintf(directory, sizeof(directory), "%s/fairtop-test.XXXXXX", scratch_parent());
	return mkdtemp(directory) ? 0 : -1;
}

int scratch_close(void **state)
{
	char command[300];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	return system(command);
}

const char *scratch_directory(void)
{
	return directory;
}

void scratch_copy(const char *from, const char *to)
{
	char command[2 * SCRATCH_PATH_MAX + 20];

	snprintf(command, sizeof(command), "cp '%s' '%s'", from, to);
	if (system(command) != 0)
		abort();
}

const char *scratch_path(const char *name, char path[SCRATCH_PATH_MAX])
{
	snprintf(path, SCRATCH_PATH_MAX, "%s/%s", directory, name);
	unlink(path);
	return path;
}
