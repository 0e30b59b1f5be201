/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"

bool new_file_is_ours(const char *path, const char *beginning)
{
	size_t length = strlen(beginning), i = 0;
	struct stat st;
	FILE *file;

	if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	while (i < length && getc(file) == (unsigned char)beginning[i])
		i++;
	fclose(file);
	return i == length || st.st_size == 0;
}

static bool new_file_write_all(int fd, const struct bytes *b)
{
	for (size_t done = 0; done < b->length;) {
		ssize_t n = write(fd, b->data + done, b->length - done);

		if (n < 0 && errno != EINTR)
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return fsync(fd) == 0;
}

/* Creates a file that must not exist; the umask applies to MODE. */
static int new_file_create(const char *path, mode_t mode)
{
	return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

static int create_beside(const char *path, mode_t mode, char *temporary, size_t size)
{
	int fd = -1;

	for (unsigned i = 0; i < 100 && fd < 0; i++) {
		snprintf(temporary, size, "%s.%ld.%u", path, (long)getpid(), i);
		fd = new_file_create(temporary, mode);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

static bool new_file_fill(int fd, const struct bytes *b)
{
	bool ok = new_file_write_all(fd, b);

	return close(fd) == 0 && ok;
}

/* Whether the file system has no hard links: vfat, some NFS and FUSE. */
static bool no_links(void)
{
	return errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK;
}

static bool write_in_place(const char *path, const struct bytes *b)
{
	int fd = new_file_create(path, 0666), why;

	if (fd < 0)
		return false;
	if (new_file_fill(fd, b))
		return true;
	why = errno;
	unlink(path);
	errno = why;
	return false;
}

/* A link cannot replace a file created meanwhile; a rename could. */
static bool put_in_place(const char *temporary, const char *path, const struct bytes *b,
			 bool replace)
{
	if (replace)
		return rename(temporary, path) == 0;
	return link(temporary, path) == 0 || (no_links() && write_in_place(path, b));
}

/* MODE 0: by the umask, or that of the replaced file. */
static bool write_new(const char *path, const struct bytes *b, bool replace, mode_t mode,
		      struct err *err)
{
	char temporary[1100];
	struct stat old;
	bool ok;
	int fd;

	if (strlen(path) + 24 >= sizeof(temporary))
		return err_about(err, ERR_INPUT, path, "the name is too long");
	fd = create_beside(path, mode != 0 ? mode : 0666, temporary, sizeof(temporary));
	if (fd < 0)
		return err_about(err, ERR_INPUT, path, "%s", strerror(errno));
	if (mode == 0 && replace && stat(path, &old) == 0)
		mode = old.st_mode & 0777;	/* whoever could read it still can */
	if (mode != 0)
		(void)fchmod(fd, mode);
	ok = new_file_fill(fd, b) && put_in_place(temporary, path, b, replace);
	if (!ok)
		err_about(err, ERR_INPUT, path, "%s", strerror(errno));
	if (!ok || !replace)
		unlink(temporary);
	return ok;
}

bool new_file_write(const char *path, const struct bytes *b, bool replace, struct err *err)
{
	if (!replace && access(path, F_OK) == 0)
		return err_set(err, ERR_INPUT, "%s: the file already exists (expected a new name)",
			       path);
	return write_new(path, b, replace, 0, err);
}

/* Makes the directories that contain PATH. */
static void new_file_make_directories(const char *path)
{
	char *dir = mem_strdup(path);

	for (char *c = strchr(dir + 1, '/'); c; c = strchr(c + 1, '/')) {
		*c = '\0';
		(void)mkdir(dir, 0700);
		*c = '/';
	}
	mem_free(dir);
}

bool new_file_keep(const char *path, const struct bytes *b, struct err *err)
{
	new_file_make_directories(path);
	return write_new(path, b, true, 0600, err);
}

void new_file_place(const char *path, char *buf, size_t size)
{
	char *whole = realpath(path, NULL);

	snprintf(buf, size, "%s", whole ? whole : path);
	free(whole);
}
