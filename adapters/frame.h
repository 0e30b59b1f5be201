/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame: what travels through the pipe between fairtop and a helper (or fairtop on another host).
 *
 * A frame is a 16-byte header, then LENGTH bytes of payload:
 *	0  4 bytes  "FTF1" (the digit is the frame version)
 *	4  u16      type (enum frame_type), little-endian
 *	6  u16      flags, 0
 *	8  u32      length of the payload, at most FRAME_MAX
 *	12 u32      CRC-32 (IEEE) of the payload
 * A conversation: the helper says HELLO; then for each REQUEST exactly one of CLUSTER, SAME or ERROR comes back.
 * Closing the pipe ends it. Anything else is an error that names what was seen; the child is then killed.
 */
#ifndef FAIRTOP_ADAPTERS_FRAME_H
#define FAIRTOP_ADAPTERS_FRAME_H

#include "core/err.h"

#include <stddef.h>

#define FRAME_VERSION 1
#define FRAME_HEADER 16
#define FRAME_MAX (UINT32_C(1) << 30)

enum frame_type {
	FRAME_HELLO = 1,	/* text: "fairtop VERSION KIND NAME" */
	FRAME_REQUEST = 2,	/* u32 needs (enum need), u32 deadline in milliseconds (0: none) */
	FRAME_CLUSTER = 3,	/* bytes of core/codec */
	FRAME_SAME = 4,		/* empty */
	FRAME_ERROR = 5		/* u32 err_code, then text; the helper stays usable */
};

struct frame {
	enum frame_type type;
	unsigned char *payload;	/* owned; NUL-ended for the convenience of text frames */
	uint32_t length;
};

void frame_free(struct frame *f);

/* Writes one frame completely; ERR_SOURCE if the other side is gone. For helpers (blocking descriptors). */
bool frame_write(int fd, enum frame_type type, const void *payload, size_t length, struct err *err);

/*
 * Reads one frame within DEADLINE_MS (< 0: no limit), also returning early when CANCEL_FD (>= 0) becomes readable.
 * ERR_SOURCE: end of stream, half a frame, a wrong magic or version, a bad checksum, too long, or timed out.
 */
bool frame_read(int fd, int cancel_fd, int64_t deadline_ms, struct frame *f, struct err *err);

#endif
