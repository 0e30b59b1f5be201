/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An untrusted recording: any file gives an error or clusters, and never takes long. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapters/store/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SAMPLES 4

/* Reads the last samples, each from the one before it. */
static void walk(struct store_reader *r, int64_t last)
{
	struct store_walk *w = store_walk_new(r, NEED_ALL);
	struct err err;

	for (int64_t i = SAMPLES; i-- > 0;)
		(void)store_walk_to(w, last - i, &err);
	store_walk_free(w);
}

static void read_all(const char *path)
{
	struct err err;
	struct store_reader *r = store_reader_open(path, &err);
	struct store_sample first, last;
	struct store_gap gap;

	if (r && store_range(r, &first, &last, &err)) {
		for (int64_t i = 0; i < SAMPLES; i++)
			cluster_free(store_read(r, last.id - i, NEED_ALL, &err));
		walk(r, last.id);
		store_at(r, last.time, &first, &err);
		store_gap_at(r, last.time, &gap);
	}
	store_reader_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* In memory if possible; SQLite needs a file with a name. */
	char path[] = "/dev/shm/fuzz_recording.XXXXXX";
	int fd = mkstemp(path);
	bool ok;

	if (fd < 0) {
		memcpy(path, "/var/tmp", 8);
		fd = mkstemp(path);
	}
	if (fd < 0)
		return 0;
	ok = write(fd, data, size) == (ssize_t)size;
	close(fd);
	if (ok)
		read_all(path);
	unlink(path);
	return 0;
}
