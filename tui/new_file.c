/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool write_all(int fd, const struct bytes *b)
{
	for (size_t done = 0; done < b->length;) {
		ssize_t n = write(fd, b->data + done, b->length - done);

		if (n < 0 && errno != EINTR)
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return fsync(fd) == 0;
}

bool new_file_write(const char *path, const struct bytes *b, bool replace, struct err *err)
{
	char temporary[1100];
	bool ok;
	int fd;

	if (!replace && access(path, F_OK) == 0)
		return err_set(err, ERR_INPUT, "%s: the file is there already; name another one",
			       path);
	if ((size_t)snprintf(temporary, sizeof temporary, "%s.XXXXXX", path) >= sizeof temporary)
		return err_set(err, ERR_INPUT, "%s: the name is too long", path);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
	ok = write_all(fd, b);
	ok = close(fd) == 0 && ok;
	/* A link cannot replace what came into being meanwhile; a rename could. */
	if (ok && replace)
		ok = rename(temporary, path) == 0;
	else if (ok)
		ok = link(temporary, path) == 0;
	if (!ok)
		err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
	if (!ok || !replace)
		unlink(temporary);
	return ok;
}
