/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Untrusted snapshots. The first byte is the size, less one, of the pieces of the rest. What is
 * accepted must be written, read again and come out as the same text.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/snapshot/snapshot.h"
#include "core/base/bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct cluster *read_in_pieces(const uint8_t *data, size_t size, size_t piece)
{
	struct snapshot_reader *r = snapshot_reader_new();
	struct cluster *c = NULL;
	struct err err = { 0 };
	bool ok = true;

	for (size_t at = 0; ok && at < size;) {
		size_t room, n = piece < size - at ? piece : size - at;
		char *to = snapshot_reader_room(r, &room);

		n = n < room ? n : room;
		memcpy(to, data + at, n);
		at += n;
		ok = snapshot_reader_took(r, n, &err);
	}
	if (ok)
		c = snapshot_reader_finish(r, &err);
	if (!c && (err.code != ERR_INPUT || !err.message[0]))
		abort();
	snapshot_reader_free(r);
	return c;
}

static void check_again(const struct cluster *c)
{
	struct bytes once = { 0 }, twice = { 0 };
	struct cluster *back;

	if (!snapshot_write(c, bytes_sink(&once), NULL))
		abort();
	back = snapshot_parse(once.data, once.length, NULL);
	if (!back || !snapshot_write(back, bytes_sink(&twice), NULL))
		abort();
	if (once.length != twice.length || memcmp(once.data, twice.data, once.length) != 0)
		abort();
	bytes_free(&once);
	bytes_free(&twice);
	cluster_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cluster *c;

	if (size == 0)
		return 0;
	c = read_in_pieces(data + 1, size - 1, data[0] + 1u);
	if (c)
		check_again(c);
	cluster_free(c);
	return 0;
}
