/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of the user, or the standard input. It may be a slow pipe, so reading waits until the
 * deadline and can be cancelled; the bytes read so far are kept for the next try.
 */
#include "adapters/snapshot/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/clock.h"
#include "adapters/wake.h"
#include "core/base/mem.h"

struct snapshot_source {
	struct source source;
	char *path;			/* as the user wrote it; owned */
	int fd;
	int cancel;			/* wake.h */
	bool seekable;			/* a plain file: never waits */
	struct snapshot_reader *reader;	/* NULL: read to its end, or failed */
	bool done;
	struct err broken;		/* why it can never give a cluster */
};

static void snapshot_close(struct source *source)
{
	struct snapshot_source *s = (struct snapshot_source *)source;

	snapshot_reader_free(s->reader);
	if (s->fd > STDIN_FILENO)
		close(s->fd);
	if (s->cancel >= 0)
		close(s->cancel);
	mem_free(s->path);
	mem_free(s);
}

static bool snapshot_open_file(struct snapshot_source *s, const char *path, struct err *err)
{
	struct stat st;

	/* Opening a pipe without a writer must not block. */
	s->fd = strcmp(path, "-") == 0 ? STDIN_FILENO :
		open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (s->fd < 0 || fstat(s->fd, &st) < 0)
		return err_about(err, ERR_INPUT, path, "%s", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return err_about(err, ERR_INPUT, path, "is a directory (expected a snapshot)");
	s->seekable = S_ISREG(st.st_mode);
	s->cancel = wake_new(NULL);
	if (s->cancel < 0)
		return err_about(err, ERR_SOURCE, path, "eventfd: %s", strerror(errno));
	return true;
}

static struct source *snapshot_open(const char *rest, struct err *err)
{
	struct snapshot_source *s = mem_zalloc(1, sizeof(*s));
	const char *path = rest ? rest : "-";

	s->source.ops = &snapshot_source;
	s->fd = s->cancel = -1;
	s->path = mem_strdup(path);
	snprintf(s->source.name, sizeof(s->source.name), "%s", path);
	snprintf(s->source.health, sizeof(s->source.health), "snapshot");
	if (!snapshot_open_file(s, path, err)) {
		snapshot_close(&s->source);
		return NULL;
	}
	s->reader = snapshot_reader_new();
	return &s->source;
}

/* Waits until it is readable; ERR_SOURCE at the deadline and when cancelled. */
static bool snapshot_wait_readable(struct snapshot_source *s, int64_t deadline, struct err *err)
{
	struct pollfd fds[2] = {
		{ .fd = s->fd, .events = POLLIN }, { .fd = s->cancel, .events = POLLIN }
	};

	int n = clock_poll(fds, 2, deadline);

	if (fds[1].revents != 0) {
		wake_take(s->cancel);
		return err_about(err, ERR_SOURCE, s->path, "cancelled");
	}
	return n > 0 || err_set(err, ERR_SOURCE, n == 0 ? "%s: no complete snapshot in time" :
				"%s: cannot wait for it", s->path);
}

enum snapshot_reading { READ_MORE, READ_END, READ_LATER, READ_BROKEN };

static enum snapshot_reading read_some(struct snapshot_source *s, int64_t deadline, struct err *err)
{
	size_t size;
	char *room;
	ssize_t n;

	if (!s->seekable && !snapshot_wait_readable(s, deadline, err))
		return READ_LATER;
	room = snapshot_reader_room(s->reader, &size);
	n = read(s->fd, room, size);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return READ_MORE;
	if (n < 0) {
		err_set(err, ERR_INPUT, "%s", strerror(errno));
		return READ_BROKEN;
	}
	if (n == 0)
		return READ_END;
	return snapshot_reader_took(s->reader, (size_t)n, err) ? READ_MORE : READ_BROKEN;
}

/* It can never give a cluster; reports where and why, now and at each later fetch. */
static enum fetch_result snapshot_give_up(struct snapshot_source *s, struct err *err)
{
	snapshot_reader_free(s->reader);
	s->reader = NULL;
	err_at(&s->broken, s->path, 0);
	if (err)
		*err = s->broken;
	return FETCH_FAILED;
}

static enum fetch_result snapshot_fetch(struct source *source, const struct fetch_request *request,
					struct cluster **out, struct err *err)
{
	struct snapshot_source *s = (struct snapshot_source *)source;
	int64_t deadline = request->deadline_ms < 0 ? -1 : clock_ms() + request->deadline_ms;
	enum snapshot_reading reading = READ_MORE;

	if (s->done)
		return FETCH_END;
	if (!s->reader) {
		if (err)
			*err = s->broken;
		return FETCH_FAILED;
	}
	while (reading == READ_MORE)
		reading = read_some(s, deadline, &s->broken);
	if (reading == READ_LATER) {
		if (err)
			*err = s->broken;
		return FETCH_FAILED;
	}
	*out = reading == READ_END ? snapshot_reader_finish(s->reader, &s->broken) : NULL;
	if (!*out)
		return snapshot_give_up(s, err);
	snapshot_reader_free(s->reader);
	s->reader = NULL;
	s->done = true;
	return FETCH_NEW;
}

static void snapshot_cancel(struct source *source)
{
	wake_up(((struct snapshot_source *)source)->cancel);
}

const struct source_ops snapshot_source = {
	.scheme = "snapshot",
	.synopsis = "FILE, -",
	.meaning = "a snapshot (recognised by content), or standard input",
	.open = snapshot_open,
	.fetch = snapshot_fetch,
	.cancel = snapshot_cancel,
	.close = snapshot_close,
};
