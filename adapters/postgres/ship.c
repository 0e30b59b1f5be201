/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that sends: it runs beside the recorder, which never waits for it. Once a second it
 * checks whether the spool has changed; it retries a server that is down after growing pauses, and
 * exits when the recorder does.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "adapters/clock.h"
#include "adapters/postgres/private.h"
#include "core/base/mem.h"

#define LOOK_MS 1000
#define PAUSE_MS 1000			/* before a server is tried again; doubles up to */
#define PAUSE_MAX_MS 60000
#define LOCK_MS 5000			/* how long a lock may outlive its holder */
#define BEGIN_MS 30000			/* how long the recorder waits for the first answer */
#define LAST_MS 10000			/* to send the rest at the end */
#define LEAVE_MS 1000			/* and then to exit by itself */
#define LEAVE_PAUSE_MS 20

struct shipping {
	struct sending sending;
	struct target target;
	const char *path;
	void (*say)(const char *subject, const char *text);
	int64_t stamp;			/* of the spool when last sent; -1: never */
	int64_t again_ms, pause_ms;
	char problem[ERR_MESSAGE_MAX];	/* the last one reported to people */
};

/* ---- sending ------------------------------------------------------------------------------- */

static void ship_tell(struct shipping *x, const struct err *err)
{
	char text[ERR_MESSAGE_MAX + POSTGRES_PATH + 64];

	send_disconnect(&x->sending);
	x->pause_ms = x->pause_ms == 0 ? PAUSE_MS : x->pause_ms * 2;
	if (x->pause_ms > PAUSE_MAX_MS)
		x->pause_ms = PAUSE_MAX_MS;
	x->again_ms = clock_ms() + x->pause_ms;
	x->stamp = -1;
	if (strcmp(x->problem, err->message) == 0)
		return;
	snprintf(x->problem, sizeof(x->problem), "%s", err->message);
	snprintf(text, sizeof(text), "%s; new samples stay in %s meanwhile", err->message, x->path);
	x->say(x->target.name, text);
}

/* Sends all (*DONE), or as many batches as can be started before END_MS (< 0: no limit). */
static bool send_all(struct shipping *x, int64_t end_ms, bool *done, struct err *err)
{
	bool ok = true;

	*done = false;
	while (ok && !*done && (end_ms < 0 || clock_ms() < end_ms))
		ok = send_step(&x->sending, done, err);
	return ok;
}

/* One round: connects if necessary, and sends what has changed. */
static void ship_look(struct shipping *x, int64_t end_ms)
{
	struct err err = { .code = ERR_NONE };
	bool ok = true, done = true;
	int64_t stamp;

	if (!x->sending.spool) {
		if (access(x->path, F_OK) != 0 || (end_ms < 0 && clock_ms() < x->again_ms))
			return;
		ok = (x->sending.c || send_connect(&x->sending, x->path, 0, &err)) &&
		     send_meet(&x->sending, x->path, &err);
	}
	stamp = ok ? raw_stamp(x->sending.spool) : -1;
	if (ok && stamp != x->stamp)
		ok = send_all(x, end_ms, &done, &err);
	if (!ok) {
		ship_tell(x, &err);
		return;
	}
	x->stamp = done ? stamp : -1;
	if (!done)
		return;
	x->pause_ms = 0;
	if (x->problem[0])
		x->say(x->target.name, "all samples are on the server now");
	x->problem[0] = '\0';
}

/* Waits for the recorder to exit: true if it did. */
static bool ship_is_over(int in, int64_t wait_ms)
{
	struct pollfd p = { in, POLLIN, 0 };

	return poll(&p, 1, (int)wait_ms) > 0;
}

static void tell_what_is_left(void (*say)(const char *subject, const char *text),
			      const char *name, const char *path)
{
	char text[POSTGRES_PATH + 100];

	snprintf(text, sizeof(text), "not all samples are on the server yet: the rest is sent when "
		 "%s is recorded into again", path);
	say(name, text);
}

/* ---- beginning ----------------------------------------------------------------------------- */

/* Before the recorder begins: may we record this cluster, and in which state is the spool? */
static bool ship_begin(struct shipping *x, struct err *err)
{
	bool is_new = access(x->path, F_OK) != 0, ok;

	ok = send_connect(&x->sending, x->path, LOCK_MS, err);
	if (ok)
		ok = is_new ? send_restore(&x->sending, x->path, err) :
		     send_meet(&x->sending, x->path, err);
	if (ok)
		return true;
	if (is_new && err->code == ERR_SOURCE)
		err_prefix(err, "%s is new, and the server must first report its data of the "
			   "cluster", x->path);
	if (is_new || err->code != ERR_SOURCE)
		return false;
	ship_tell(x, err);
	return true;
}

static int ship_child(struct shipping *x, int in, int out)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	struct err err = { .code = ERR_NONE };
	struct answer answer = { .code = ERR_NONE };
	bool ok, heard;

	/*
	 * These signals are for the recorder; this process has one more thing to do after its end.
	 */
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		(void)signal(ignored[i], SIG_IGN);
	x->sending = (struct sending){ .target = &x->target, .compared_ms = -1 };
	x->stamp = -1;
	ok = ship_begin(x, &err);
	if (!ok) {
		answer.code = (int)err.code;
		memcpy(answer.message, err.message, sizeof(answer.message));
	}
	/* The recorder may have begun without waiting for it. */
	heard = write(out, &answer, sizeof(answer)) == sizeof(answer);
	close(out);
	if (!ok && heard)
		return 1;
	if (!ok)
		ship_tell(x, &err);
	while (!ship_is_over(in, LOOK_MS))
		ship_look(x, -1);
	ship_look(x, clock_ms() + LAST_MS);
	if (x->problem[0] || x->stamp < 0)
		tell_what_is_left(x->say, x->target.name, x->path);
	send_disconnect(&x->sending);
	return 0;
}

/* ---- the recorder's side ------------------------------------------------------------------- */

struct shipper {
	pid_t pid;
	int in;				/* closing it makes the process exit */
	void (*say)(const char *subject, const char *text);
	char name[sizeof(((struct target *)NULL)->name)], path[POSTGRES_PATH];
};

bool shipper_path(const char *url, const char *spool, char path[POSTGRES_PATH], struct err *err)
{
	struct target t;
	bool ok;

	if (!target_parse(&t, url, err))
		return false;
	if (spool)
		ok = (size_t)snprintf(path, POSTGRES_PATH, "%s", spool) < POSTGRES_PATH ||
		     err_set(err, ERR_INPUT, "--spool: the name is too long");
	else
		ok = target_path(&t, "XDG_STATE_HOME", ".local/state", path, err);
	/* A recorder creates its spool, and the files beside it. */
	if (!spool)
		umask(OWN_MASK);
	target_free(&t);
	return ok;
}

/* In the child: keeps one end of each pipe. */
static _Noreturn void become_shipper(struct shipping *x, const int in[2], const int out[2],
				     pid_t parent)
{
	close(in[1]);
	close(out[0]);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(1);
	_exit(ship_child(x, in[0], out[1]));
}

/* Waits WAIT_MS (-1: no limit) for the answer, then goes on without; the child reports it later. */
static bool ship_read_answer(const struct shipper *s, int out, int wait_ms, struct err *err)
{
	struct pollfd p = { out, POLLIN, 0 };
	struct answer answer;
	ssize_t n;

	if (poll(&p, 1, wait_ms) == 0) {
		s->say(s->name, "the server does not answer; new samples stay in the spool "
		       "meanwhile");
		return true;
	}
	do {
		n = read(out, &answer, sizeof(answer));
	} while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(answer))
		return err_set(err, ERR_SOURCE, "PostgreSQL: the sending process has ended");
	return answer.code == ERR_NONE ||
	       err_set(err, (enum err_code)answer.code, "%s", answer.message);
}

/* Migrates an older recording before anybody else reads it. */
static bool bring_forward(const char *path, struct err *err)
{
	struct store_writer *w = store_writer_open(path, err);

	if (!w)
		err_at(err, path, 0);
	store_writer_close(w);
	return w != NULL;
}

struct shipper *shipper_start(const char *url, const char *path,
			      void (*say)(const char *subject, const char *text), struct err *err)
{
	struct shipping x = { .path = path, .say = say };
	struct shipper *s = mem_zalloc(1, sizeof(*s));
	bool is_new = access(path, F_OK) != 0;
	int in[2] = { -1, -1 }, out[2] = { -1, -1 };
	pid_t parent = getpid();
	bool ok = target_parse(&x.target, url, err) && (is_new || bring_forward(path, err));

	s->say = say;
	snprintf(s->name, sizeof(s->name), "%s", x.target.name);
	snprintf(s->path, sizeof(s->path), "%s", path);
	if (ok && (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0))
		ok = err_set(err, ERR_SOURCE, "pipe: %s", strerror(errno));
	s->pid = ok ? fork() : -1;
	if (s->pid == 0)
		become_shipper(&x, in, out, parent);
	if (ok && s->pid < 0)
		ok = err_set(err, ERR_SOURCE, "fork: %s", strerror(errno));
	if (in[0] >= 0)
		close(in[0]);
	if (out[1] >= 0)
		close(out[1]);
	ok = ok && ship_read_answer(s, out[0], is_new ? -1 : BEGIN_MS, err);
	if (out[0] >= 0)
		close(out[0]);
	target_free(&x.target);
	s->in = in[1];
	if (ok)
		return s;
	shipper_finish(s);
	return NULL;
}

static bool has_left(pid_t pid, int64_t end_ms)
{
	const struct timespec pause = { 0, LEAVE_PAUSE_MS * 1000000 };
	pid_t left;

	while ((left = waitpid(pid, NULL, WNOHANG)) == 0 && clock_ms() < end_ms)
		nanosleep(&pause, NULL);
	return left != 0;
}

void shipper_finish(struct shipper *s)
{
	if (!s)
		return;
	if (s->in >= 0)
		close(s->in);
	if (s->pid > 0 && !has_left(s->pid, clock_ms() + LAST_MS + LEAVE_MS)) {
		/* It hangs on a silent server. */
		kill(s->pid, SIGKILL);
		while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
			;
		tell_what_is_left(s->say, s->name, s->path);
	}
	mem_free(s);
}
