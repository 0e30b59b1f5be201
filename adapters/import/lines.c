/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of a file, compressed or not, in one buffer that grows to the longest line. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "adapters/import/import.h"
#include "core/base/mem.h"

#define BLOCK (256u << 10)

/* Logs of jobs compress to a fifth or a twentieth. */
#define BOMB_TIMES 100
#define BOMB_LEAST (UINT64_C(64) << 20)

struct lines {
	int fd;				/* -1: memory */
	const char *memory;
	size_t memory_left;
	uint64_t total;			/* bytes of the file, 0 unknown */
	uint64_t done;			/* bytes of it read */
	unsigned char *input;		/* BLOCK bytes; unused input is at z.next_in */
	z_stream z;
	bool packed;
	bool between;			/* after a gzip member with a valid trailer */
	uint64_t unpacked;		/* bytes decompressed */
	char *bytes;
	size_t capacity, at, end;	/* [at, end) is not read yet */
	bool finished;			/* nothing follows END */
	uint64_t skipped;		/* bytes of a line that is too long */
	bool begun;			/* the first bytes have been checked */
};

struct lines *lines_of(const char *bytes, size_t length)
{
	struct lines *l = mem_zalloc(1, sizeof(*l));

	l->fd = -1;
	l->memory = bytes;
	l->memory_left = length;
	l->total = length;
	return l;
}

/* Reads more input behind the unused part, as much as is available; none: the end of the file. */
static bool read_input(struct lines *l, struct err *err)
{
	ssize_t n;

	if (l->z.avail_in > 0)
		memmove(l->input, l->z.next_in, l->z.avail_in);
	l->z.next_in = l->input;
	do {
		n = read(l->fd, l->input + l->z.avail_in, BLOCK - l->z.avail_in);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_set(err, ERR_INPUT, "%s", strerror(errno));
	l->z.avail_in += (uInt)n;
	l->done += (uint64_t)n;
	return true;
}

/* Is it gzip? A pipe may give its first bytes one by one. */
static bool lines_look(struct lines *l, struct err *err)
{
	uInt before;

	l->input = mem_alloc(BLOCK, 1);
	do {
		before = l->z.avail_in;
		if (!read_input(l, err))
			return false;
	} while (l->z.avail_in < 2 && l->z.avail_in > before);
	l->packed = l->z.avail_in >= 2 && l->input[0] == 0x1f && l->input[1] == 0x8b;
	if (l->packed && inflateInit2(&l->z, MAX_WBITS + 16 /* gzip, with its trailer */) != Z_OK)
		return err_set(err, ERR_INPUT, "out of memory");
	return true;
}

struct lines *lines_open(const char *path, struct err *err)
{
	int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	struct lines *l;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || (S_ISDIR(st.st_mode) && (errno = EISDIR))) {
		err_about(err, ERR_INPUT, path, "%s", strerror(errno));
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	l = mem_zalloc(1, sizeof(*l));
	l->total = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	l->fd = fd;
	if (lines_look(l, err))
		return l;
	err_at(err, path, 0);
	lines_close(l);
	return NULL;
}

void lines_close(struct lines *l)
{
	if (!l)
		return;
	if (l->packed)
		inflateEnd(&l->z);
	if (l->fd >= 0)
		close(l->fd);
	MEM_FREE(l->input, l->bytes, l);
}

void lines_progress(const struct lines *l, uint64_t *done, uint64_t *total)
{
	*total = l->total;
	*done = l->fd >= 0 ? l->done - l->z.avail_in : l->total - l->memory_left;
}

static bool fill_from_memory(struct lines *l)
{
	size_t n = l->capacity - l->end;

	n = n < l->memory_left ? n : l->memory_left;
	if (n)
		memcpy(l->bytes + l->end, l->memory, n);
	l->memory += n;
	l->memory_left -= n;
	l->end += n;
	l->finished = n == 0;
	return true;
}

static bool fill_plain(struct lines *l, struct err *err)
{
	size_t n = l->capacity - l->end;

	if (l->z.avail_in == 0 && !read_input(l, err))
		return false;
	n = n < l->z.avail_in ? n : l->z.avail_in;
	memcpy(l->bytes + l->end, l->z.next_in, n);
	l->z.next_in += n;
	l->z.avail_in -= (uInt)n;
	l->end += n;
	l->finished = n == 0;
	return true;
}

/* Decompresses the next bytes. A tape pads members with zeros: after a member these are ignored. */
static bool lines_unpack(struct lines *l, struct err *err)
{
	int code;

	if (l->between && *l->z.next_in == 0) {
		l->z.next_in++;
		l->z.avail_in--;
		return true;
	}
	l->between = false;
	code = inflate(&l->z, Z_NO_FLUSH);
	if (code == Z_STREAM_END) {
		l->between = true;
		code = inflateReset(&l->z);
	}
	return code == Z_OK ||
	       err_set(err, ERR_INPUT, "the compressed data are damaged (expected a gzip file)");
}

/*
 * Uses inflate and not gzread, whose result for a truncated file differs between versions of zlib:
 * the data are complete if the last member's trailer was read and is valid.
 */
static bool fill_packed(struct lines *l, struct err *err)
{
	const size_t room = l->capacity - l->end;

	l->z.next_out = (unsigned char *)l->bytes + l->end;
	l->z.avail_out = (uInt)room;
	while (l->z.avail_out == room) {
		if (l->z.avail_in == 0 && !read_input(l, err))
			return false;
		if (l->z.avail_in == 0) {
			l->finished = true;
			return l->between || err_set(err, ERR_INPUT, "the compressed data end "
						     "early (expected a whole gzip file)");
		}
		if (!lines_unpack(l, err))
			return false;
	}
	l->end = l->capacity - l->z.avail_out;
	l->unpacked += room - l->z.avail_out;
	/* It would fill the memory before its lines are found to be invalid. */
	return l->unpacked < BOMB_LEAST || l->unpacked / BOMB_TIMES < l->done - l->z.avail_in ||
	       err_set(err, ERR_INPUT, "the compressed data unpack to more than %d times their "
		       "size (expected a log)", BOMB_TIMES);
}

/*
 * If more than a third of the lines of a first block have a NUL byte, the file is binary, and may
 * be endless. A log of a crashed host has one or two such lines; of random data half have one.
 */
static bool lines_is_text(struct lines *l, struct err *err)
{
	const char *at = l->bytes, *end = at + l->end, *next;
	uint32_t lines = 0, binary = 0;

	for (; at < end; at = next) {
		next = memchr(at, '\n', (size_t)(end - at));
		next = next ? next + 1 : end;
		lines++;
		binary += memchr(at, 0, (size_t)(next - at)) != NULL;
	}
	l->begun = true;
	return 3 * binary <= lines ||
	       err_set(err, ERR_INPUT, "a binary file, with NUL bytes (expected a log)");
}

/* Reads more bytes behind END; the unread ones move to the front. */
static bool lines_fill(struct lines *l, struct err *err)
{
	if (l->at > 0 && l->end > l->at)
		memmove(l->bytes, l->bytes + l->at, l->end - l->at);
	l->end -= l->at;
	l->at = 0;
	if (l->capacity - l->end < BLOCK / 2)
		l->bytes = mem_grow(l->bytes, &l->capacity, l->end + BLOCK, 1);
	if (!(l->fd < 0 ? fill_from_memory(l) : l->packed ? fill_packed(l, err) :
	      fill_plain(l, err)))
		return false;
	return l->begun || lines_is_text(l, err);
}

/* [at, at + length) is a line, which takes USED bytes of the buffer. */
static enum lines_next lines_take(struct lines *l, size_t length, size_t used, struct slice *line)
{
	bool too_long = l->skipped > 0 || length > LINE_BYTES_MAX;

	*line = (struct slice){ l->bytes + l->at, length };
	if (length > 0 && line->at[length - 1] == '\r')
		line->length--;
	l->at += used;
	l->skipped = 0;
	return too_long ? LINES_LONG : LINES_LINE;
}

enum lines_next lines_next(struct lines *l, struct slice *line, struct err *err)
{
	size_t seen = 0;

	for (;;) {
		size_t have = l->end - l->at;
		const char *end = have > seen ?
			memchr(l->bytes + l->at + seen, '\n', have - seen) : NULL;

		if (end) {
			size_t length = (size_t)(end - (l->bytes + l->at));

			return lines_take(l, length, length + 1, line);
		}
		if (l->finished)
			return have == 0 && l->skipped == 0 ? LINES_END
							    : lines_take(l, have, have, line);
		seen = have;
		if (have > LINE_BYTES_MAX) {
			l->skipped += have;
			l->at = l->end;
			seen = 0;
		}
		if (l->skipped > LINE_BYTES_BEYOND) {
			err_set(err, ERR_INPUT, "longer than 100 MB (expected a log: lines)");
			return LINES_FAILED;
		}
		if (!lines_fill(l, err))
			return LINES_FAILED;
	}
}

bool lines_peek(struct lines *l, struct slice *ahead, struct err *err)
{
	while (!l->finished && l->end - l->at < BLOCK / 2) {
		if (!lines_fill(l, err))
			return false;
	}
	*ahead = (struct slice){ l->bytes + l->at, l->end - l->at };
	return true;
}

char *lines_rest(struct lines *l, size_t max, size_t *length, struct err *err)
{
	char *text;

	while (!l->finished) {
		if (!lines_fill(l, err))
			return NULL;
		if (l->end - l->at > max) {
			err_set(err, ERR_INPUT, "more than %zu MiB (expected less: JSON is read as "
				"a whole, the lines of sacct -P are not)", max >> 20);
			return NULL;
		}
	}
	l->bytes = mem_grow(l->bytes, &l->capacity, l->end + 1, 1);
	text = l->bytes + l->at;
	*length = l->end - l->at;
	text[*length] = '\0';
	l->at = l->end;
	return text;
}
