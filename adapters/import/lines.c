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

struct lines {
	gzFile file;			/* NULL: memory */
	const char *memory;
	size_t memory_left;
	uint64_t total;			/* bytes of the file, 0 unknown */
	char *bytes;
	size_t capacity, at, end;	/* [at, end) is not read yet */
	bool finished;			/* nothing comes behind END */
	bool skipping;			/* in a line that is too long */
};

struct lines *lines_of(const char *bytes, size_t length)
{
	struct lines *l = mem_zalloc(1, sizeof(*l));

	l->memory = bytes;
	l->memory_left = length;
	l->total = length;
	return l;
}

struct lines *lines_open(const char *path, struct err *err)
{
	int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	struct lines *l;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || (S_ISDIR(st.st_mode) && (errno = EISDIR))) {
		err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	l = mem_zalloc(1, sizeof(*l));
	l->total = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	l->file = gzdopen(fd, "rb");
	if (!l->file || gzbuffer(l->file, BLOCK) != 0)
		err_set(err, ERR_INPUT, "%s: cannot be read", path);
	else
		return l;
	if (!l->file)
		close(fd);
	lines_close(l);
	return NULL;
}

void lines_close(struct lines *l)
{
	if (!l)
		return;
	if (l->file)
		gzclose_r(l->file);
	mem_free(l->bytes);
	mem_free(l);
}

void lines_progress(const struct lines *l, uint64_t *done, uint64_t *total)
{
	*total = l->total;
	*done = l->file ? (uint64_t)gzoffset(l->file) : l->total - l->memory_left;
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

/* More bytes behind END; the unread ones move to the front. */
static bool fill(struct lines *l, struct err *err)
{
	int n, code;

	if (l->at > 0 && l->end > l->at)
		memmove(l->bytes, l->bytes + l->at, l->end - l->at);
	l->end -= l->at;
	l->at = 0;
	if (l->capacity - l->end < BLOCK / 2)
		l->bytes = mem_grow(l->bytes, &l->capacity, l->end + BLOCK, 1);
	if (!l->file)
		return fill_from_memory(l);
	n = gzread(l->file, l->bytes + l->end, (unsigned)(l->capacity - l->end));
	if (n > 0) {
		l->end += (size_t)n;
		return true;
	}
	l->finished = true;
	gzerror(l->file, &code);
	if (n == 0 && code == Z_OK)
		return true;
	return err_set(err, ERR_INPUT, "%s", code == Z_BUF_ERROR ?
		       "the compressed data end early (expected a whole gzip file)" :
		       code == Z_ERRNO ? strerror(errno) :
		       "the compressed data are damaged (expected a gzip file)");
}

/* [at, at + length) is a line; USED bytes of the buffer go with it. */
static enum lines_next take(struct lines *l, size_t length, size_t used, struct slice *line)
{
	bool too_long = l->skipping || length > LINE_BYTES_MAX;

	*line = (struct slice){ l->bytes + l->at, length };
	if (length > 0 && line->at[length - 1] == '\r')
		line->length--;
	l->at += used;
	l->skipping = false;
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

			return take(l, length, length + 1, line);
		}
		if (l->finished)
			return have == 0 && !l->skipping ? LINES_END : take(l, have, have, line);
		seen = have;
		if (have > LINE_BYTES_MAX) {
			l->skipping = true;
			l->at = l->end;
			seen = 0;
		}
		if (!fill(l, err))
			return LINES_FAILED;
	}
}
