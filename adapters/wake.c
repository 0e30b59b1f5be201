/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/wake.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

int wake_new(struct err *err)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	if (fd < 0)
		err_set(err, ERR_SOURCE, "eventfd: %s", strerror(errno));
	return fd;
}

void wake_up(int fd)
{
	const uint64_t one = 1;

	while (write(fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

bool wake_take(int fd)
{
	uint64_t count;
	ssize_t n;

	do {
		n = read(fd, &count, sizeof(count));
	} while (n < 0 && errno == EINTR);
	return n == sizeof(count);
}
