/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/bytes.h"

#include <string.h>

#include "core/base/mem.h"

void bytes_append(struct bytes *b, const char *data, size_t length)
{
	b->data = mem_grow(b->data, &b->capacity, b->length + length + 1, 1);
	if (length > 0)
		memcpy(b->data + b->length, data, length);
	b->length += length;
	b->data[b->length] = '\0';
}

void bytes_free(struct bytes *b)
{
	mem_free(b->data);
	*b = (struct bytes){ 0 };
}

static bool bytes_write(void *context, const char *data, size_t length, struct err *err)
{
	(void)err;
	bytes_append(context, data, length);
	return true;
}

struct sink bytes_sink(struct bytes *bytes)
{
	return (struct sink){ bytes_write, bytes };
}
