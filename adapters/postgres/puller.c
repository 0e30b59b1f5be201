/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that fetches: it talks to the server, so it is not sandboxed like the processes that
 * read the copy. It keeps the copy open while it runs, so that readers see a write-ahead log being
 * written, and it exits with the process that it serves.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/child.h"
#include "adapters/clock.h"
#include "adapters/postgres/private.h"
#include "core/base/mem.h"

#define PULL_MS 120000

struct puller {
	struct child child;
	struct target target;
	char path[POSTGRES_PATH];
	bool asked;			/* an answer is outstanding */
};

/* ---- the process --------------------------------------------------------------------------- */

/* After an error the next request opens a new connection. */
static bool pull_once(const struct puller *p, struct conn **c, struct raw **copy, struct err *err)
{
	bool ok;

	if (!*copy)
		*copy = raw_open_copy(p->path, err);
	if (*copy && !*c)
		*c = conn_open(&p->target, err);
	ok = *copy && *c && pull_all(*c, p->target.cluster, *copy, err);
	if (!ok) {
		conn_close(*c);
		*c = NULL;
	}
	return ok;
}

static int serve_pulls(const void *context, int in, int out)
{
	const struct puller *p = context;
	struct conn *c = NULL;
	struct raw *copy = NULL;
	char question;

	umask(OWN_MASK);
	while (read(in, &question, 1) == 1) {
		struct err err = { .code = ERR_NONE };
		struct answer answer = { .code = ERR_NONE };

		if (!pull_once(p, &c, &copy, &err)) {
			answer.code = err.code == ERR_NONE ? ERR_SOURCE : (int)err.code;
			memcpy(answer.message, err.message, sizeof(answer.message));
		}
		if (write(out, &answer, sizeof(answer)) != sizeof(answer))
			break;
	}
	conn_close(c);
	raw_close(copy);
	return 0;
}

/* ---- our side ------------------------------------------------------------------------------ */

struct puller *puller_start(const char *url, char path[POSTGRES_PATH], char name[256],
			    struct err *err)
{
	struct puller *p = mem_zalloc(1, sizeof(*p));

	p->child = (struct child)CHILD_NONE;
	if (target_parse(&p->target, url, err) &&
	    target_path(&p->target, "XDG_CACHE_HOME", ".cache", p->path, err) &&
	    child_start_function(&p->child, serve_pulls, p, err) &&
	    puller_pull(p, -1, -1, err)) {
		snprintf(path, POSTGRES_PATH, "%s", p->path);
		snprintf(name, 256, "%s", p->target.name);
		return p;
	}
	puller_free(p);
	return NULL;
}

/* Reads the answer; ERR says why there is none. */
static bool puller_take_answer(struct puller *p, int64_t end_ms, int cancel_fd, struct err *err)
{
	struct pollfd fds[2] = { { .fd = p->child.out, .events = POLLIN },
				 { .fd = cancel_fd, .events = POLLIN } };
	struct answer answer;
	int n = clock_poll(fds, 2, end_ms);

	if (n <= 0 || !fds[0].revents)
		return err_set(err, ERR_SOURCE, n > 0 ? "cancelled" :
			       "PostgreSQL: took too long and was aborted");
	/* Short enough for a pipe to take at once. */
	if (read(p->child.out, &answer, sizeof(answer)) != sizeof(answer))
		return err_set(err, ERR_SOURCE, "PostgreSQL: the fetching process has ended");
	p->asked = false;
	return answer.code == ERR_NONE ||
	       err_set(err, (enum err_code)answer.code, "%.*s", ERR_MESSAGE_MAX - 1,
		       answer.message);
}

bool puller_pull(struct puller *p, int64_t deadline_ms, int cancel_fd, struct err *err)
{
	int64_t end_ms = clock_ms() + (deadline_ms < 0 ? PULL_MS : deadline_ms);
	struct err old = { .code = ERR_NONE };

	/* A request that was given up still runs: its answer comes first. */
	if (p->asked && !puller_take_answer(p, end_ms, cancel_fd, &old) && p->asked) {
		*err = old;
		return false;
	}
	if (write(p->child.in, "p", 1) != 1)
		return err_set(err, ERR_SOURCE, "PostgreSQL: the fetching process has ended");
	p->asked = true;
	return puller_take_answer(p, end_ms, cancel_fd, err);
}

void puller_free(struct puller *p)
{
	if (!p)
		return;
	child_end(&p->child, 100);
	target_free(&p->target);
	mem_free(p);
}
