/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/frame.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "adapters/clock.h"
#include "core/base/mem.h"

/* ---- little-endian ------------------------------------------------------------------------- */

uint32_t frame_get_u32(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

void frame_put_u32(unsigned char *p, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		p[i] = (unsigned char)(value >> 8 * i);
}

int64_t frame_get_i64(const unsigned char *p)
{
	return (int64_t)((uint64_t)frame_get_u32(p + 4) << 32 | frame_get_u32(p));
}

void frame_put_i64(unsigned char *p, int64_t value)
{
	frame_put_u32(p, (uint32_t)(uint64_t)value);
	frame_put_u32(p + 4, (uint32_t)((uint64_t)value >> 32));
}

static uint32_t get_u16(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static void put_u16(unsigned char *p, uint32_t value)
{
	p[0] = (unsigned char)value;
	p[1] = (unsigned char)(value >> 8);
}

void frame_free(struct frame *f)
{
	mem_free(f->payload);
	f->payload = NULL;
	f->length = 0;
}

/* ---- writing ------------------------------------------------------------------------------- */

/*
 * Pipes have no MSG_NOSIGNAL. SIGPIPE is blocked in this thread during the write; one caused by the
 * write is consumed before it is unblocked; one that was pending before stays.
 */
struct pipe_guard {
	sigset_t old;
	bool pending_before;
};

static void pipe_guard_begin(struct pipe_guard *g)
{
	sigset_t pipe_set, pending;

	sigemptyset(&pipe_set);
	sigaddset(&pipe_set, SIGPIPE);
	sigpending(&pending);
	g->pending_before = sigismember(&pending, SIGPIPE) == 1;
	pthread_sigmask(SIG_BLOCK, &pipe_set, &g->old);
}

static void pipe_guard_end(const struct pipe_guard *g)
{
	static const struct timespec now;
	sigset_t pipe_set;
	int error = errno;

	sigemptyset(&pipe_set);
	sigaddset(&pipe_set, SIGPIPE);
	if (!g->pending_before) {
		while (sigtimedwait(&pipe_set, NULL, &now) < 0 && errno == EINTR)
			;
	}
	pthread_sigmask(SIG_SETMASK, &g->old, NULL);
	errno = error;
}

static bool frame_write_all(int fd, struct iovec *part, int parts)
{
	while (parts > 0) {
		ssize_t n = writev(fd, part, parts);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		while (parts > 0 && (size_t)n >= part->iov_len) {
			n -= (ssize_t)part->iov_len;
			part++;
			parts--;
		}
		if (parts > 0) {
			part->iov_base = (char *)part->iov_base + n;
			part->iov_len -= (size_t)n;
		}
	}
	return true;
}

bool frame_write(int fd, enum frame_type type, const void *payload, size_t length, struct err *err)
{
	unsigned char header[FRAME_HEADER] = FRAME_MAGIC;
	struct iovec part[2] = { { header, sizeof(header) }, { NULL, length } };
	struct pipe_guard guard;
	bool ok;

	if (length > FRAME_MAX)
		return err_set(err, ERR_SOURCE, "frame of %zu bytes (at most %u fit)", length,
			       (unsigned)FRAME_MAX);
	put_u16(header + 4, type);
	put_u16(header + 6, 0);
	frame_put_u32(header + 8, (uint32_t)length);
	memcpy(&part[1].iov_base, &payload, sizeof(payload));	/* writev() only reads it */
	pipe_guard_begin(&guard);
	ok = frame_write_all(fd, part, length > 0 ? 2 : 1);
	pipe_guard_end(&guard);
	if (ok)
		return true;
	if (errno == EAGAIN)
		return err_set(err, ERR_SOURCE, "does not read its requests");
	return err_set(err, ERR_SOURCE, errno == EPIPE ? "the other side has closed" : "write: %s",
		       strerror(errno));
}

/* ---- reading ------------------------------------------------------------------------------- */

void frame_reader_init(struct frame_reader *r)
{
	memset(r, 0, sizeof(*r));
}

void frame_reader_free(struct frame_reader *r)
{
	mem_free(r->payload);
	frame_reader_init(r);
}

bool frame_reader_idle(const struct frame_reader *r)
{
	return r->have == 0;
}

void *frame_reader_room(struct frame_reader *r, size_t *length)
{
	size_t in_payload;

	if (r->have < FRAME_HEADER) {
		*length = FRAME_HEADER - r->have;
		return r->header + r->have;
	}
	in_payload = r->have - FRAME_HEADER;
	if (in_payload + 1 >= r->capacity) {
		size_t want = r->capacity < 65536 ? 65536 : r->capacity * 2;

		r->capacity = want < (size_t)r->length + 1 ? want : (size_t)r->length + 1;
		r->payload = mem_realloc(r->payload, r->capacity, 1);
	}
	/* One byte stays free for the NUL. */
	*length = r->capacity - 1 - in_payload;
	return r->payload + in_payload;
}

/* Quotes what arrived instead of a frame: output of a login shell, an error of ssh. */
static bool broken_magic(const unsigned char *header, struct err *err)
{
	char seen[FRAME_HEADER + 1];
	size_t n = 0;

	if (memcmp(header, FRAME_MAGIC, 3) == 0 && header[3] >= '0' && header[3] <= '9')
		return err_set(err, ERR_SOURCE, "speaks frame version \"%c\" (expected %c)",
			       header[3], FRAME_MAGIC[3]);
	for (; n < FRAME_HEADER && header[n] != '\0' && header[n] != '\n'; n++)
		seen[n] = header[n] < 0x20 || header[n] >= 0x7f ? '?' : (char)header[n];
	seen[n] = '\0';
	return err_set(err, ERR_SOURCE, "said \"%s\" (expected a frame)", seen);
}

static bool check_header(struct frame_reader *r, struct err *err)
{
	const unsigned char *h = r->header;

	if (memcmp(h, FRAME_MAGIC, 4) != 0)
		return broken_magic(h, err);
	if (get_u16(h + 4) < FRAME_HELLO || get_u16(h + 4) > FRAME_LOOK || get_u16(h + 6) != 0)
		return err_set(err, ERR_SOURCE, "frame of unknown type %u, flags %u",
			       (unsigned)get_u16(h + 4), (unsigned)get_u16(h + 6));
	r->length = frame_get_u32(h + 8);
	if (r->length > FRAME_MAX)
		return err_set(err, ERR_SOURCE, "frame of %u bytes (at most %u are accepted)",
			       (unsigned)r->length, (unsigned)FRAME_MAX);
	return true;
}

enum frame_progress frame_reader_got(struct frame_reader *r, size_t bytes, struct err *err)
{
	bool in_header = r->have < FRAME_HEADER;

	r->have += bytes;
	if (r->have < FRAME_HEADER)
		return FRAME_MORE;
	if (in_header && !check_header(r, err))
		return FRAME_BROKEN;
	return r->have < FRAME_HEADER + (size_t)r->length ? FRAME_MORE : FRAME_READY;
}

void frame_reader_take(struct frame_reader *r, struct frame *f)
{
	f->type = (enum frame_type)get_u16(r->header + 4);
	f->length = r->length;
	f->payload = r->payload ? r->payload : mem_alloc(1, 1);
	f->payload[f->length] = '\0';
	frame_reader_init(r);
}

static bool read_frame(struct frame_reader *r, int fd, struct err *err)
{
	struct pollfd readable = { fd, POLLIN, 0 };

	for (;;) {
		size_t room;
		void *to = frame_reader_room(r, &room);
		ssize_t n;

		if (clock_poll(&readable, 1, -1) < 0)
			return err_set(err, ERR_SOURCE, "poll: %s", strerror(errno));
		n = read(fd, to, room);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n < 0)
			return err_set(err, ERR_SOURCE, "read: %s", strerror(errno));
		if (n == 0 && frame_reader_idle(r)) {
			err_clear(err);
			return false;
		}
		if (n == 0)
			return err_set(err, ERR_SOURCE, "ended in the middle of a frame");
		switch (frame_reader_got(r, (size_t)n, err)) {
		case FRAME_READY:
			return true;
		case FRAME_BROKEN:
			return false;
		case FRAME_MORE:
			break;
		}
	}
}

bool frame_read(int fd, struct frame *f, struct err *err)
{
	struct frame_reader r;
	bool ok;

	frame_reader_init(&r);
	ok = read_frame(&r, fd, err);
	if (ok)
		frame_reader_take(&r, f);
	frame_reader_free(&r);
	return ok;
}
