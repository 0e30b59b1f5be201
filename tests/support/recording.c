/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

struct store_writer *recording_writer(const char *path)
{
	struct err err = { .code = ERR_NONE };
	struct store_writer *w = store_writer_open(path, &err);

	if (!w)
		fail_msg("%s: %s", path, err.message);
	return w;
}

struct store_reader *recording_reader(const char *path)
{
	struct err err = { .code = ERR_NONE };
	struct store_reader *r = store_reader_open(path, &err);

	if (!r)
		fail_msg("%s: %s", path, err.message);
	return r;
}

void recording_write(struct store_writer *w, struct cluster *c, int64_t clock)
{
	struct err err = { .code = ERR_NONE };

	if (!store_write(w, c, clock, &err))
		fail_msg("%s", err.message);
}
