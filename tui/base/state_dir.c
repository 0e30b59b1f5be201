/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/base/state_dir.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool state_path(const char *name, char *path, size_t size, struct err *err)
{
	const char *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int length = -1;

	if (xdg && xdg[0] == '/')
		length = snprintf(path, size, "%s/fairtop/%s", xdg, name);
	else if (home && home[0] == '/')
		length = snprintf(path, size, "%s/.local/state/fairtop/%s", home, name);
	return (length > 0 && (size_t)length < size) ||
	       err_set(err, ERR_INPUT, "%s: no directory to remember it in", name);
}

static int state_dir_by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

size_t state_names(const char *ending, char names[][STATE_NAME], size_t max)
{
	char path[4096];
	size_t count = 0, end = strlen(ending);
	struct dirent *entry;
	DIR *dir = state_path("", path, sizeof(path), NULL) ? opendir(path) : NULL;

	while (dir && count < max && (entry = readdir(dir))) {
		size_t length = strlen(entry->d_name);

		if (length <= end || length - end >= STATE_NAME ||
		    strcmp(entry->d_name + length - end, ending) != 0)
			continue;
		snprintf(names[count++], STATE_NAME, "%.*s", (int)(length - end), entry->d_name);
	}
	if (dir)
		closedir(dir);
	qsort(names, count, STATE_NAME, state_dir_by_name);
	return count;
}
