/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/await.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/scratch.h"

#define CAP 60			/* seconds */

static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/* Any thread may call this, so it cannot use cmocka's fail(). */
static _Noreturn void give_up(const char *what)
{
	fprintf(stderr, "waited %d s in vain for %s\n", CAP, what);
	abort();
}

void await_count_up(atomic_uint *count)
{
	pthread_mutex_lock(&changing);
	atomic_fetch_add(count, 1);
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&changing);
}

void await_count(atomic_uint *count, unsigned least)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);	/* clock: the cap of a wait */
	end.tv_sec += CAP;
	pthread_mutex_lock(&changing);
	while (atomic_load(count) < least) {
		if (pthread_cond_timedwait(&changed, &changing, &end) == ETIMEDOUT)
			give_up("a count");
	}
	pthread_mutex_unlock(&changing);
}

void await_input(int fd)
{
	struct pollfd p = { fd, POLLIN, 0 };
	int n;

	do {
		n = poll(&p, 1, CAP * 1000);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		give_up("something to read");
}

void await_file(const char *name)
{
	char path[SCRATCH_PATH_MAX], events[4096];
	int fd = inotify_init1(IN_CLOEXEC);

	snprintf(path, sizeof(path), "%s/%s", scratch_directory(), name);
	if (fd < 0 || inotify_add_watch(fd, scratch_directory(), IN_CREATE | IN_MOVED_TO) < 0) {
		perror("inotify");
		abort();
	}
	while (access(path, F_OK) != 0) {
		await_input(fd);
		if (read(fd, events, sizeof(events)) < 0)
			break;
	}
	close(fd);
}

static bool is_only_child(pid_t thread, const char *name)
{
	char path[64], comm[32] = "";
	int child = 0, another;
	FILE *f;
	bool alone;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)thread);
	f = fopen(path, "re");
	alone = f && fscanf(f, "%d %d", &child, &another) == 1;
	if (f)
		fclose(f);
	snprintf(path, sizeof(path), "/proc/%d/comm", child);
	f = alone ? fopen(path, "re") : NULL;
	alone = f && fscanf(f, "%31s", comm) == 1 && strcmp(comm, name) == 0;
	if (f)
		fclose(f);
	return alone;
}

void await_only_child(pid_t thread, const char *name)
{
	for (int i = 0; !is_only_child(thread, name); i++) {
		if (i == CAP * 1000)
			give_up(name);
		poll(NULL, 0, 1);	/* clock: /proc does not say when it changes */
	}
}
