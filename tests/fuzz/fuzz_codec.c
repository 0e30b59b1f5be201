/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cluster codec: bytes from another host must never crash the reader; what it accepts can be
 * written again.
 */
#include <stddef.h>
#include <stdint.h>

#include "core/cluster/codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool swallow(void *context, const char *bytes, size_t length, struct err *err)
{
	(void)context, (void)bytes, (void)length, (void)err;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err;
	struct cluster *c = codec_read(data, size, &err);

	if (c)
		codec_write(c, (struct sink){ swallow, NULL }, &err);
	cluster_free(c);
	return 0;
}
