/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The place of a recording: the lock of its one writer, and the kind of its file system. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "adapters/store/place.h"
#include "adapters/store/store.h"
#include "core/base/mem.h"

/* Magic numbers of statfs(2), linux/magic.h and the file systems' own headers. */
static const unsigned long networks[] = {
	0x6969,		/* NFS */
	0x517b, 0xff534d42, 0xfe534d42,	/* SMB, CIFS, SMB2 */
	0x0bd00bd0,	/* Lustre */
	0x47504653,	/* GPFS */
	0x19830326,	/* BeeGFS */
	0x5346414f, 0x6b414653,		/* AFS */
	0x00c36400,	/* Ceph */
	0x01021997,	/* 9P */
	0xaad7aaea,	/* PanFS */
	0x7461636f,	/* OCFS2 */
	0x01161970,	/* GFS2 */
	0x65735546,	/* FUSE: sshfs, gluster, ... */
	0x73757245, 0x564c,		/* Coda, NCP */
};

bool store_is_network(unsigned long magic)
{
	for (size_t i = 0; i < sizeof(networks) / sizeof(networks[0]); i++) {
		if (networks[i] == (magic & 0xffffffff))
			return true;
	}
	return false;
}

bool place_is_network(const char *path)
{
	struct statfs fs;

	return statfs(path, &fs) == 0 && store_is_network((unsigned long)fs.f_type);
}

char *place_beside(const char *path, const char *ending)
{
	char real[PATH_MAX];

	return mem_format("%s%s", realpath(path, real) ? real : path, ending);
}

/* The byte before those that SQLite locks (PENDING_BYTE, sqlite3.h): SQLite does not lock it. */
#define LOCK_BYTE 0x3fffffff

/* Is NAME still the file of FD? Another one may have replaced it. */
static bool store_place_still_there(int fd, const char *name)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 && stat(name, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

int place_lock(const char *path, struct err *err)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCK_BYTE,
			      .l_len = 1 };
	int fd = -1;

	while (fd < 0) {
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
		if (fd < 0) {
			err_about(err, ERR_INPUT, path, "%s", strerror(errno));
			break;
		}
		if (fcntl(fd, F_OFD_SETLK, &lock) < 0) {
			err_set(err, ERR_INPUT, errno == EAGAIN || errno == EACCES ?
				"another fairtop is recording into this file" :
				"its lock cannot be taken: %s", strerror(errno));
			close(fd);
			return -1;
		}
		if (!store_place_still_there(fd, path)) {
			close(fd);
			fd = -1;
		}
	}
	return fd;
}

void place_unlock(int fd)
{
	if (fd >= 0)
		close(fd);
}
