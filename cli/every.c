/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/every.h"

#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "adapters/clock.h"

static sigset_t every_signals(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(how, &set, NULL);
	return set;
}

void every_hold(void)
{
	(void)every_signals(SIG_BLOCK);
}

void every_release(void)
{
	(void)every_signals(SIG_UNBLOCK);
}

int every_open(void)
{
	sigset_t set = every_signals(SIG_BLOCK);

	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int every_take(int fd)
{
	struct signalfd_siginfo info;

	return read(fd, &info, sizeof(info)) == (ssize_t)sizeof(info) ? (int)info.ssi_signo : 0;
}

int every_wait(int64_t next_ms)
{
	struct pollfd come = { .fd = every_open(), .events = POLLIN };
	int signal;

	(void)clock_poll(&come, 1, next_ms);
	signal = every_take(come.fd);
	close(come.fd);
	every_release();
	return signal;
}
