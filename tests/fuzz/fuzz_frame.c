/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Untrusted frames. The first byte of the input is the size, less one, of the pieces of the rest.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "adapters/frame.h"
#include "core/cluster/codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t piece = size > 0 ? data[0] + 1u : 1, at = 1;
	struct frame_reader r;

	frame_reader_init(&r);
	while (at < size) {
		enum frame_progress progress;
		size_t room, n = piece;
		void *to = frame_reader_room(&r, &room);
		struct frame f;
		struct err err;

		n = n < room ? n : room;
		n = n < size - at ? n : size - at;
		memcpy(to, data + at, n);
		at += n;
		progress = frame_reader_got(&r, n, &err);
		if (progress == FRAME_BROKEN)
			break;
		if (progress == FRAME_MORE)
			continue;
		frame_reader_take(&r, &f);
		if (f.type == FRAME_CLUSTER)
			cluster_free(codec_read(f.payload, f.length, &err));
		frame_free(&f);
	}
	frame_reader_free(&r);
	return 0;
}
