/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame: what travels through the pipe between fairtop and a helper (or fairtop on another host).
 *
 * A frame is a 12-byte header, then LENGTH bytes of payload:
 *	0  4 bytes  "FTF2" (the digit is the frame version)
 *	4  u16      type (enum frame_type), little-endian
 *	6  u16      flags, 0
 *	8  u32      length of the payload, at most FRAME_MAX
 * A conversation: the helper sends HELLO; then each REQUEST is answered by exactly one of CLUSTER,
 * SAME, ERROR or REFUSED, after any number of HEALTH. A helper whose KIND is "recording" or "demo"
 * has a past: it takes REQUESTs with a time, LOOK, which is answered by CLUSTER or ERROR, and PAST,
 * which is answered by TIMELINE or ERROR. Closing the pipe ends it. Anything else is an error that
 * names what was received; the child is then killed.
 */
#ifndef FAIRTOP_ADAPTERS_FRAME_H
#define FAIRTOP_ADAPTERS_FRAME_H

#include "core/base/err.h"

#include <stddef.h>

#define FRAME_MAGIC "FTF2"
#define FRAME_HEADER 12
#define FRAME_MAX (UINT32_C(1) << 30)

enum frame_type {
	FRAME_HELLO = 1,	/* text: "fairtop VERSION KIND NAME" */
	/*
	 * u32 needs (enum need), u32 deadline in milliseconds (0: none); with a past also i64, the
	 * time to give (I64_UNKNOWN: the latest), which stays valid until the next such REQUEST.
	 */
	FRAME_REQUEST = 2,
	FRAME_CLUSTER = 3,	/* bytes of core/cluster/codec.h */
	FRAME_SAME = 4,		/* empty */
	FRAME_ERROR = 5,	/* u32 err_code, then text; the helper stays usable */
	FRAME_REFUSED = 6,	/* as ERROR; the helper can never answer: use another way */
	FRAME_HEALTH = 7,	/* text: one line on how the source works, shown beside its name */
	FRAME_PAST = 8,		/* empty */
	FRAME_TIMELINE = 9,	/* frame_put_timeline(); without pictures: nothing new */
	FRAME_LOOK = 10		/* u32 needs, i64 time */
};

struct frame {
	enum frame_type type;
	unsigned char *payload;	/* owned; NUL-ended for the convenience of text frames */
	uint32_t length;
};

void frame_free(struct frame *f);

/*
 * Writes one frame completely. ERR_SOURCE if the other side is gone or, on a non-blocking
 * descriptor, does not read. The write never raises SIGPIPE.
 */
bool frame_write(int fd, enum frame_type type, const void *payload, size_t length, struct err *err);

/*
 * Waits for one frame and reads it. ERR_SOURCE: half a frame, a wrong magic or version, or too
 * long. At the end of the stream between two frames it returns false with ERR_NONE.
 */
bool frame_read(int fd, struct frame *f, struct err *err);

/*
 * The same in steps, for callers that wait for several descriptors: put at most *LENGTH bytes into
 * the buffer from frame_reader_room(), and pass their number to frame_reader_got(). Memory grows
 * with the bytes received, not with the length in a header.
 */
struct frame_reader {
	unsigned char header[FRAME_HEADER];
	unsigned char *payload;		/* owned until frame_reader_take() */
	size_t have;			/* bytes of header and payload received */
	size_t capacity;		/* of payload */
	uint32_t length;		/* of the payload, valid once the header is complete */
};

enum frame_progress { FRAME_MORE, FRAME_READY, FRAME_BROKEN };

void frame_reader_init(struct frame_reader *r);
void frame_reader_free(struct frame_reader *r);
void *frame_reader_room(struct frame_reader *r, size_t *length);	/* *length > 0 */
enum frame_progress frame_reader_got(struct frame_reader *r, size_t bytes, struct err *err);
/* After FRAME_READY: hands the frame over and starts the next. */
void frame_reader_take(struct frame_reader *r, struct frame *f);
bool frame_reader_idle(const struct frame_reader *r);	/* between two frames */

/* Little-endian numbers of payloads. */
uint32_t frame_get_u32(const unsigned char *p);
void frame_put_u32(unsigned char *p, uint32_t value);
int64_t frame_get_i64(const unsigned char *p);
void frame_put_i64(unsigned char *p, int64_t value);

/* ---- time lines (frame_past.c) ------------------------------------------------------------- */

struct bytes;
struct timeline;

/*
 * Writes i64 end; u32 numbers of pictures, changes and gaps; the i64 times of each, for a gap since
 * and until, and its reason (u8 length, bytes). Replaces the content of B.
 */
void frame_put_timeline(const struct timeline *t, struct bytes *b);

/* Reads into OUT, which must be empty and stays empty after an error: ERR_SOURCE. */
bool frame_get_timeline(const unsigned char *payload, size_t length, struct timeline *out,
			struct err *err);

#endif
