/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/child.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "adapters/clock.h"
#include "core/base/mem.h"
#include "core/base/word.h"

#define CLOSE_RANGE 436		/* close_range(), which not every system's headers have */
#define DESCRIPTORS 65536u
#define PIPE_ROOM (1 << 20)	/* Linux's default limit for users */

/* ---- starting ------------------------------------------------------------------------------ */

void child_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* ours[i] is our end, theirs[i] becomes descriptor i of the child. */
struct pipes {
	int ours[3], theirs[3];
};

static void close_pipes(struct pipes *p)
{
	for (int i = 0; i < 3; i++) {
		child_close(&p->ours[i]);
		child_close(&p->theirs[i]);
	}
}

static bool open_pipes(struct pipes *p, bool with_stdin)
{
	for (int i = 0; i < 3; i++)
		p->ours[i] = p->theirs[i] = -1;
	for (int i = 0; i < 3; i++) {
		int ends[2];

		if (i == 0 && !with_stdin) {
			p->theirs[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
			if (p->theirs[0] < 0)
				return false;
			continue;
		}
		if (pipe2(ends, O_CLOEXEC) < 0)
			return false;
		p->ours[i] = i == 0 ? ends[1] : ends[0];
		p->theirs[i] = i == 0 ? ends[0] : ends[1];
		if (fcntl(p->ours[i], F_SETFL, O_NONBLOCK) < 0)
			return false;
	}
	/* Fewer switches between writer and reader, which wait on a busy machine. May fail. */
	(void)fcntl(p->ours[1], F_SETPIPE_SZ, PIPE_ROOM);
	return true;
}

/* What the child executes: a program, or a C function. */
struct becoming {
	const char *const *argv, *const *environment;
	child_function *function;	/* NULL: ARGV */
	const void *context;
};

/* Closes FROM to TO; on Linux before 5.9 one by one. */
static void close_range_of(unsigned from, unsigned to)
{
	if (from > to || syscall(CLOSE_RANGE, from, to, 0) == 0)
		return;
	for (unsigned fd = from; fd <= to && fd < DESCRIPTORS; fd++)
		(void)close((int)fd);
}

/* Closes what exec would close, such as pipes of our other children: all but 0 to 2, A and B. */
static void close_others(int a, int b)
{
	unsigned low = (unsigned)(a < b ? a : b), high = (unsigned)(a < b ? b : a);

	close_range_of(3, low - 1);
	close_range_of(low + 1, high - 1);
	close_range_of(high + 1, ~0u);
}

/*
 * In the child, between fork() and exec: only system calls. The child ends with the thread that
 * started it, even if that is killed: no hanging process is left behind.
 */
static void child_become(const struct becoming *b, struct pipes *p, pid_t parent)
{
	sigset_t none;

	sigemptyset(&none);
	for (int s = 1; s < NSIG; s++)
		(void)signal(s, SIG_DFL);
	for (int i = b->function ? 2 : 0; i < 3; i++) {
		if (dup2(p->theirs[i], i) < 0 || fcntl(i, F_SETFD, 0) < 0)
			return;
	}
	if (setpgid(0, 0) < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent ||
	    sigprocmask(SIG_SETMASK, &none, NULL) < 0)
		return;
	if (!b->function) {
		(void)execvpe(b->argv[0], (char *const *)b->argv, (char *const *)b->environment);
		return;
	}
	close_others(p->theirs[0], p->theirs[1]);
	_exit(b->function(b->context, p->theirs[0], p->theirs[1]));
}

/*
 * Returns 0 or errno, which a child that cannot become COMMAND writes to a pipe that exec closes.
 * Signals are blocked meanwhile: our handlers must not run in the child.
 */
static int child_spawn(pid_t *pid, const struct becoming *b, struct pipes *p)
{
	const pid_t parent = getpid();
	sigset_t all, before;
	int failure[2], error = 0;

	if (pipe2(failure, O_CLOEXEC) < 0)
		return errno;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	*pid = fork();
	if (*pid == 0) {
		child_become(b, p, parent);
		error = errno != 0 ? errno : ESRCH;	/* 0: its parent is gone */
		(void)!write(failure[1], &error, sizeof(error));
		_exit(127);
	}
	if (*pid < 0)
		error = errno;
	(void)close(failure[1]);
	if (*pid > 0 && read(failure[0], &error, sizeof(error)) == sizeof(error))
		(void)waitpid(*pid, NULL, 0);
	(void)close(failure[0]);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

static bool child_start_with(struct child *c, const struct becoming *b, bool with_stdin,
			     struct err *err)
{
	struct pipes p;
	int error;

	*c = (struct child)CHILD_NONE;
	if (!open_pipes(&p, with_stdin)) {
		error = errno;
		close_pipes(&p);
		return err_set(err, ERR_SOURCE, "pipe: %s", strerror(error));
	}
	error = child_spawn(&c->pid, b, &p);
	if (error != 0) {
		c->pid = 0;
		close_pipes(&p);
		return err_set(err, ERR_SOURCE, "cannot start \"%.200s\": %s", b->argv[0],
			       strerror(error));
	}
	c->in = p.ours[0];
	c->out = p.ours[1];
	c->err = p.ours[2];
	for (int i = 0; i < 3; i++)
		p.ours[i] = -1;
	close_pipes(&p);
	return true;
}

bool child_in_path(const char *name)
{
	const char *path = getenv("PATH");
	char file[4096];

	for (path = path ? path : ""; *path; path += path[0] == ':') {
		size_t length = strcspn(path, ":");

		if (length > 0 &&
		    snprintf(file, sizeof(file), "%.*s/%s", (int)length, path, name) <
			    (int)sizeof(file) && access(file, X_OK) == 0)
			return true;
		path += length;
	}
	return false;
}

static bool child_is_left_out(const char *variable, const char *const *without)
{
	while (*without && !word_begins(variable, *without))
		without++;
	return *without != NULL;
}

const char **child_environment_new(const char *const *without, const char *const *with)
{
	size_t n = 0, more = 0, used = 0;
	const char **list;

	while (environ[n])
		n++;
	while (with[more])
		more++;
	list = mem_zalloc(n + more + 1, sizeof(*list));
	for (size_t i = 0; i < n; i++) {
		if (!child_is_left_out(environ[i], without))
			list[used++] = environ[i];
	}
	memcpy(list + used, with, more * sizeof(*with));
	return list;
}

bool child_start(struct child *c, const char *const *argv, const char *const *environment,
		 bool with_stdin, struct err *err)
{
	const struct becoming b = { .argv = argv, .environment = environment ? environment :
				    (const char *const *)environ };

	return child_start_with(c, &b, with_stdin, err);
}

bool child_start_function(struct child *c, child_function *function, const void *context,
			  struct err *err)
{
	static const char *const argv[] = { "a child", NULL };
	const struct becoming b = { .argv = argv, .function = function, .context = context };

	return child_start_with(c, &b, true, err);
}

/* ---- ending -------------------------------------------------------------------------------- */

/* True once PID has ended; it stays a zombie, so its number (and its group's) cannot be reused. */
static bool wait_end(pid_t pid, int64_t wait_ms)
{
	int64_t end_ms = clock_ms() + wait_ms;
	struct timespec pause = { 0, 200000 };

	for (;;) {
		siginfo_t info = { 0 };
		int rc = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);

		if (rc < 0 && errno != EINTR)
			return true;	/* no longer our child */
		if (info.si_pid == pid)
			return true;
		if (clock_left(end_ms) == 0)
			return false;
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 10000000)
			pause.tv_nsec *= 2;
	}
}

bool child_has_ended(const struct child *c)
{
	return c->pid == 0 || wait_end(c->pid, 0);
}

bool child_reap(struct child *c, int64_t wait_ms, int *status)
{
	*status = 0;
	if (c->pid == 0)
		return true;
	if (!wait_end(c->pid, wait_ms))
		return false;
	kill(-c->pid, SIGKILL);		/* what it started does not outlive it */
	while (waitpid(c->pid, status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	return true;
}

bool child_end(struct child *c, int64_t grace_ms)
{
	int status;

	child_close(&c->in);
	child_close(&c->out);
	child_close(&c->err);
	if (c->pid == 0)
		return true;
	kill(-c->pid, SIGTERM);
	if (child_reap(c, grace_ms, &status))
		return true;
	kill(-c->pid, SIGKILL);
	return child_reap(c, 1000, &status);
}

void child_status_text(int status, char *buf, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(buf, size, "signal %d", WTERMSIG(status));
	else
		snprintf(buf, size, "exit code %d", WEXITSTATUS(status));
}

/* ---- standard error ------------------------------------------------------------------------ */

/* Is the line more useful than later ones: the first of a usage, and Slurm's about munge? */
static bool says_all(const struct child_tail *t)
{
	return strncasecmp(t->last, "usage:", 6) == 0 || strstr(t->last, "Munge ");
}

static void tail_line_ends(struct child_tail *t)
{
	t->line[t->used] = '\0';
	if (!says_all(t) && strspn(t->line, " \t") < t->used) {
		memcpy(t->before, t->last, sizeof(t->before));
		memcpy(t->last, t->line, t->used + 1);
	}
	t->used = 0;
}

static void child_tail_feed(struct child_tail *t, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] == '\n')
			tail_line_ends(t);
		else if (t->used + 1 < sizeof(t->line) && bytes[i] != '\0' && bytes[i] != '\r')
			t->line[t->used++] = bytes[i];
	}
	t->line[t->used] = '\0';
}

const char *child_tail_get(const struct child_tail *t)
{
	bool grows = t->used > 0 && strspn(t->line, " \t") < t->used;

	return grows && !says_all(t) ? t->line : t->last;
}

void child_tail_words(const struct child_tail *t, char *buf, size_t size)
{
	const char *last = child_tail_get(t), *before = last == t->line ? t->last : t->before;

	snprintf(buf, size, "%s%s%s", before, before[0] && last[0] ? "; " : "", last);
}

void child_drain(int *fd, struct child_tail *t)
{
	char buffer[16384];

	for (int round = 0; *fd >= 0 && round < 8; round++) {
		ssize_t n = read(*fd, buffer, sizeof(buffer));

		if (n > 0)
			child_tail_feed(t, buffer, (size_t)n);
		else if (n == 0)
			child_close(fd);
		else if (errno == EAGAIN)
			return;
		else if (errno != EINTR)
			child_close(fd);
	}
}
