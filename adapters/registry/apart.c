/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/registry/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/frame.h"
#include "adapters/pbs/pbs.h"
#include "adapters/postgres/postgres.h"
#include "adapters/remote.h"
#include "adapters/sandbox.h"
#include "adapters/serve.h"
#include "adapters/slurm/slurm.h"
#include "adapters/store/place.h"
#include "core/base/mem.h"

bool apart_is_saved(const char *spec)
{
	const char *rest = spec ? strchr(spec, ':') : NULL;
	struct stat st;

	if (!spec)
		return false;
	if (rest && source_scheme(spec) == &slurm_source)
		return slurm_is_saved(rest + 1);
	if (rest && source_scheme(spec) == &pbs_source)
		return pbs_is_saved(rest + 1);
	return !source_scheme(spec) || (rest && stat(rest + 1, &st) == 0 &&
					(S_ISDIR(st.st_mode) || S_ISREG(st.st_mode)));
}

/* ---- entering the sandbox ------------------------------------------------------------------ */

/*
 * SQLite keeps the index of a write-ahead log in a file beside it. If it cannot write, it makes one
 * in memory, but the file must exist, which may be missing beside a copied recording. The file gets
 * the owner and the mode of PATH, as SQLite does.
 */
static void make_index_of_log(const char *path)
{
	char *log = place_beside(path, "-wal"), *name = place_beside(path, "-shm");
	struct stat st;
	int fd = -1;

	if (lstat(log, &st) == 0 && S_ISREG(st.st_mode) && stat(path, &st) == 0 &&
	    S_ISREG(st.st_mode))
		fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	/* Only root can change the owner; other users keep the file. */
	if (fd >= 0 && fchmod(fd, st.st_mode & 0777) == 0 && geteuid() == 0 &&
	    fchown(fd, st.st_uid, st.st_gid) != 0)
		unlink(name);
	if (fd >= 0)
		close(fd);
	mem_free(log);
	mem_free(name);
}

static void shut_in(const char *path, const char *other, int part_fd)
{
	if (path)
		make_index_of_log(path);
	if (other)
		make_index_of_log(other);
	sandbox_enter(part_fd >= 0 ? SANDBOX_IMPORTS : SANDBOX_READS, part_fd);
}

/* ---- output -------------------------------------------------------------------------------- */

bool apart_keep(const struct apart_output *output, unsigned which, const struct bytes *text,
		struct err *err)
{
	struct bytes asked = { .data = NULL };
	unsigned char number[4];
	struct frame f;
	bool good;

	if (output->to_parent < 0)
		return output->keep(output->context, which, text, err);
	frame_put_u32(number, which);
	bytes_append(&asked, (const char *)number, sizeof(number));
	bytes_append(&asked, text->data, text->length);
	good = frame_write(output->to_parent, FRAME_REQUEST, asked.data, asked.length, err);
	bytes_free(&asked);
	if (!good || !frame_read(output->to_parent, &f, err))
		return false;
	good = f.type == FRAME_SAME ||
	       err_set(err, ERR_INPUT, "%s", f.length > 4 ? (const char *)f.payload + 4 : "");
	frame_free(&f);
	return good;
}

/* Until the child has ended, or sends no more outputs. */
static void keep_all(const struct apart_output *output, int from)
{
	struct err err = { .code = ERR_NONE };
	bool good = true;
	struct frame f;

	while (good && frame_read(from, &f, &err)) {
		const struct bytes text = { .data = (char *)f.payload + 4,
					    .length = f.length - 4 };

		good = f.type == FRAME_REQUEST && f.length >= 4;
		if (good && output->keep(output->context, frame_get_u32(f.payload), &text, &err))
			good = frame_write(from, FRAME_SAME, NULL, 0, NULL);
		else if (good)
			good = serve_problem(&err, from) == 0;
		frame_free(&f);
	}
	close(from);
}

/* Exits like child PID, which sends OUTPUT through the other end of FROM; NULL: none. */
static _Noreturn void end_as(pid_t pid, const struct apart_output *output, int from)
{
	int status = 0;
	pid_t ended;

	if (output)
		keep_all(output, from);
	do {
		ended = waitpid(pid, &status, 0);
	} while (ended < 0 && errno == EINTR);
	if (output && output->part)
		unlink(output->part);
	if (ended != pid)
		_exit(ERR_SOURCE);
	if (WIFEXITED(status))
		_exit(WEXITSTATUS(status));
	(void)prctl(PR_SET_DUMPABLE, 0);	/* the child dumps the core */
	(void)signal(WTERMSIG(status), SIG_DFL);
	(void)kill(getpid(), WTERMSIG(status));
	_exit(128 + WTERMSIG(status));
}

void apart_shut_in(const char *path, const char *other, struct apart_output *output)
{
	const pid_t parent = getpid();
	int ends[2] = { -1, -1 };
	pid_t pid;

	/* If SIGCHLD is ignored, as a parent may leave it, the child's status would be lost. */
	(void)signal(SIGCHLD, SIG_DFL);
	if (output && !sandbox_is_off())
		(void)socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
	/* If no child can be made, this process itself enters the sandbox. */
	pid = sandbox_is_off() || (output && ends[0] < 0) ? -1 : fork();
	if (pid > 0) {
		if (output)
			close(ends[1]);
		end_as(pid, output, ends[0]);
	}
	if (pid == 0 && (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent))
		_exit(ERR_SOURCE);
	if (output) {
		output->to_parent = pid == 0 ? ends[1] : -1;
		close(ends[0]);
	}
	shut_in(path, other, output ? output->part_fd : -1);
}

/* ---- the child ----------------------------------------------------------------------------- */

/* The child may use none of our descriptors except the standard input, if it reads that. */
static int read_apart(const void *context, int in, int out)
{
	const char *spec = context;
	struct err err = { .code = ERR_NONE };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct source *s;

	if (null < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    (strcmp(spec, "-") != 0 && dup2(null, STDIN_FILENO) < 0))
		return 2;
	shut_in(spec, NULL, -1);
	s = source_open(spec, &err);
	return s ? serve_on(s, in, out) : serve_problem(&err, out);
}

/* ---- our side ------------------------------------------------------------------------------ */

struct apart {
	struct source base;
	struct source_ops ops;
	struct remote *remote;
};

static enum fetch_result apart_fetch(struct source *base, const struct fetch_request *request,
				     struct cluster **out, struct err *err)
{
	struct remote *r = ((struct apart *)base)->remote;
	/* Its past may be read after the last fetch. */
	const struct fetch_request own = { request->needs, request->deadline_ms, false };
	enum fetch_result result = remote_fetch(r, &own, out, err);

	snprintf(base->health, sizeof(base->health), "%s", remote_health(r));
	return result;
}

static bool apart_seek(struct source *base, int64_t at, struct err *err)
{
	(void)err;
	remote_seek(((struct apart *)base)->remote, at);
	return true;
}

static void apart_follow(struct source *base)
{
	((struct apart *)base)->ops.live = true;
}

static bool apart_past(struct source *base, struct timeline *out, struct err *err)
{
	return remote_past(((struct apart *)base)->remote, out, err);
}

static struct cluster *apart_look(struct source *base, int64_t at, uint32_t needs, struct err *err)
{
	return remote_look(((struct apart *)base)->remote, at, needs, err);
}

static void apart_cancel(struct source *base)
{
	remote_cancel(((struct apart *)base)->remote);
}

static void apart_close(struct source *base)
{
	remote_free(((struct apart *)base)->remote);
	mem_free(base);
}

/* The source named SPEC, read by REMOTE, which is taken over. */
static struct source *apart_adopt(struct remote *remote, const char *spec, const char *kind)
{
	struct apart *s = mem_zalloc(1, sizeof(*s));

	s->remote = remote;
	s->ops = (struct source_ops){ .scheme = kind, .fetch = apart_fetch,
				      .cancel = apart_cancel, .close = apart_close };
	if (strcmp(kind, "recording") == 0) {
		s->ops.seek = apart_seek;
		s->ops.follow = apart_follow;
		s->ops.past = apart_past;
		s->ops.look = apart_look;
	}
	s->base.ops = &s->ops;
	source_call(&s->base, spec);
	return &s->base;
}

struct source *source_open_apart(const char *spec, struct err *err)
{
	struct remote *remote;

	if (postgres_is_url(spec))
		return postgres_open(spec, source_open_apart, err);
	/* A terminal can only be read by the foreground process group. */
	if (!apart_is_saved(spec) || (strcmp(spec, "-") == 0 && isatty(STDIN_FILENO)))
		return source_open(spec, err);
	remote = remote_new_function(read_apart, spec, err);
	return remote ? apart_adopt(remote, spec, remote_kind(remote)) : NULL;
}

struct source *source_open_beside(const char *spec, bool recording, struct err *err)
{
	char self[PATH_MAX];
	const char *const argv[] = { self, "serve", NULL };
	struct remote *remote;
	ssize_t length;

	if (!apart_is_saved(spec) && !postgres_is_url(spec))
		return source_open(spec, err);
	length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (strcmp(spec, "-") == 0 || length < 0) {
		err_set(err, ERR_INPUT, length < 0 ? "/proc/self/exe: cannot be read" :
			"-: standard input cannot be one of several sources");
		return NULL;
	}
	self[length] = '\0';
	remote = remote_new(argv);
	remote_environment(remote, APART_SPEC, spec);
	return apart_adopt(remote, spec, recording ? "recording" : "saved");
}

/* A recording in a database counts, too. */
static bool apart_is_recording_kind(const char *kind)
{
	return strcmp(kind, "recording") == 0 || strcmp(kind, postgres_source.scheme) == 0;
}

bool apart_is_recording(struct source *s)
{
	return apart_is_recording_kind(s->ops->scheme) ||
	       (s->ops->fetch == apart_fetch &&
		apart_is_recording_kind(remote_kind(((struct apart *)s)->remote)));
}

/* ---- remote recordings ---------------------------------------------------------------------- */

struct apart_brought {
	struct puller *puller;
	char path[POSTGRES_PATH];
	struct apart_brought *next;
};

bool apart_bring(const char **spec, struct apart_brought **list, struct err *err)
{
	struct apart_brought *b;
	char name[256];

	if (!postgres_is_url(*spec))
		return true;
	b = mem_zalloc(1, sizeof(*b));
	b->next = *list;
	*list = b;
	b->puller = puller_start(*spec, b->path, name, err);
	*spec = b->path;
	return b->puller != NULL;
}

void apart_leave(struct apart_brought *list)
{
	while (list) {
		struct apart_brought *next = list->next;

		puller_free(list->puller);
		mem_free(list);
		list = next;
	}
}
