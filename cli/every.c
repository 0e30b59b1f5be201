/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/every.h"

#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

int64_t every_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static sigset_t signals(int how)
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
	(void)signals(SIG_BLOCK);
}

void every_release(void)
{
	(void)signals(SIG_UNBLOCK);
}

int every_wait(int64_t next_ms)
{
	sigset_t set = signals(SIG_BLOCK);
	int64_t left;
	int signal = -1;

	while (signal < 0 && (left = next_ms - every_now_ms()) > 0) {
		const struct timespec t = { left / 1000, left % 1000 * 1000000 };

		signal = sigtimedwait(&set, NULL, &t);
	}
	every_release();
	return signal < 0 ? 0 : signal;
}

int every_open(void)
{
	sigset_t set = signals(SIG_BLOCK);

	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int every_take(int fd)
{
	struct signalfd_siginfo info;

	return read(fd, &info, sizeof(info)) == (ssize_t)sizeof(info) ? (int)info.ssi_signo : 0;
}
