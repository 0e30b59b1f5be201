/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"

bool file_is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

size_t file_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash + 1 - path) : 0;
}

static char *file_read_all(const char *path, bool end, size_t max, size_t *length, struct err *err)
{
	/* Non-blocking: a FIFO of that name must not hang the program. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	char *bytes = NULL;
	size_t used = 0, capacity = 0;
	ssize_t n = 0;

	if (fd < 0 || fstat(fd, &st) < 0) {
		err_about(err, ERR_INPUT, path, "%s", strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		err_about(err, ERR_INPUT, path, "not a regular file");
	} else {
		if (end && st.st_size > (off_t)max)
			(void)lseek(fd, st.st_size - (off_t)max, SEEK_SET);
		do {
			used += (size_t)n;
			bytes = mem_grow(bytes, &capacity, used + 65536, 1);
			n = read(fd, bytes + used, capacity - used - 1);
		} while (n > 0 && used + (size_t)n <= max);
		/* A log may grow while it is read. */
		if (end && n > 0) {
			used += (size_t)n;
			n = 0;
		}
		if (n < 0)
			err_about(err, ERR_INPUT, path, "%s", strerror(errno));
		else if (n > 0)
			err_about(err, ERR_INPUT, path, "larger than %zu bytes", max);
	}
	if (fd >= 0)
		close(fd);
	if (!bytes || n != 0) {
		mem_free(bytes);
		return NULL;
	}
	bytes[used] = '\0';
	*length = used;
	return bytes;
}

char *file_read(const char *path, size_t max, size_t *length, struct err *err)
{
	return file_read_all(path, false, max, length, err);
}

char *file_read_end(const char *path, size_t max, size_t *length, struct err *err)
{
	return file_read_all(path, true, max, length, err);
}

void file_split_option(const char *spec, const char *option, char *path, size_t size, char *value,
		       size_t value_size)
{
	const char *at = strstr(spec, option);
	struct stat st;

	if (stat(spec, &st) == 0)
		at = NULL;
	(void)snprintf(path, size, "%.*s", at ? (int)(at - spec) : (int)strlen(spec), spec);
	(void)snprintf(value, value_size, "%s", at ? at + strlen(option) : "");
}
