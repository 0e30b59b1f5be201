/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames: what is written is read back, whatever the sizes of the pieces it arrives in; anything
 * else is refused with a message that says what arrived.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/frame.h"
#include "core/base/bytes.h"
#include "core/base/mem.h"
#include "core/cluster/timeline.h"
#include "core/base/unknown.h"

static void make_pipe(int p[2])
{
	assert_int_equal(pipe(p), 0);
}

/* Reads LENGTH raw bytes and then the end of the stream. */
static bool read_raw(const void *bytes, size_t length, struct frame *f, struct err *err)
{
	int p[2];
	bool ok;

	make_pipe(p);
	assert_int_equal(write(p[1], bytes, length), length);
	close(p[1]);
	ok = frame_read(p[0], f, err);
	close(p[0]);
	return ok;
}

static void put_header(unsigned char *h, const char *magic, unsigned type, uint32_t length)
{
	memset(h, 0, FRAME_HEADER);
	memcpy(h, magic, 4);
	h[4] = (unsigned char)type;
	frame_put_u32(h + 8, length);
}

static void there_and_back(void **state)
{
	static const char *const texts[] = { "", "x", "fairtop 1.0 slurm cluster", "1234567",
					     "12345678", "123456789" };
	int p[2];

	(void)state;
	make_pipe(p);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct frame f;

		assert_true(frame_write(p[1], FRAME_HELLO, texts[i], strlen(texts[i]), NULL));
		assert_true(frame_read(p[0], &f, NULL));
		assert_int_equal(f.type, FRAME_HELLO);
		assert_int_equal(f.length, strlen(texts[i]));
		assert_string_equal((char *)f.payload, texts[i]);
		frame_free(&f);
	}
	close(p[0]);
	close(p[1]);
}

/* In pieces of one byte and of every other size, the frame is the same. */
static void in_pieces(void **state)
{
	unsigned char bytes[FRAME_HEADER + 9];

	(void)state;
	put_header(bytes, FRAME_MAGIC, FRAME_CLUSTER, 9);
	memcpy(bytes + FRAME_HEADER, "123456789", 9);
	for (size_t piece = 1; piece <= sizeof(bytes); piece++) {
		struct frame_reader r;
		struct frame f;
		enum frame_progress progress = FRAME_MORE;
		size_t at = 0;

		frame_reader_init(&r);
		while (progress == FRAME_MORE) {
			size_t room, n = piece;
			void *to = frame_reader_room(&r, &room);

			assert_true(room > 0);
			if (n > room)
				n = room;
			if (n > sizeof(bytes) - at)
				n = sizeof(bytes) - at;
			assert_true(n > 0);
			memcpy(to, bytes + at, n);
			at += n;
			progress = frame_reader_got(&r, n, NULL);
		}
		assert_int_equal(progress, FRAME_READY);
		assert_int_equal(at, sizeof(bytes));
		frame_reader_take(&r, &f);
		assert_true(frame_reader_idle(&r));
		assert_memory_equal(f.payload, "123456789", 10);
		frame_free(&f);
		frame_reader_free(&r);
	}
}

static void refusals(void **state)
{
	static const struct {
		const char *magic;
		unsigned type;
		uint32_t length;
		const char *says;
	} cases[] = {
		{ "FTF1", FRAME_HELLO, 0, "version \"1\"" },
		{ "Last", FRAME_HELLO, 0, "said \"Last" },
		{ FRAME_MAGIC, 0, 0, "unknown type 0" },
		{ FRAME_MAGIC, 99, 0, "unknown type 99" },
		{ FRAME_MAGIC, FRAME_HELLO, FRAME_MAX + 1, "frame of 1073741825 bytes" },
		{ FRAME_MAGIC, FRAME_HELLO, 5, "middle of a frame" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned char header[FRAME_HEADER];
		struct frame f;
		struct err err;

		put_header(header, cases[i].magic, cases[i].type, cases[i].length);
		assert_false(read_raw(header, sizeof(header), &f, &err));
		assert_int_equal(err.code, ERR_SOURCE);
		if (!strstr(err.message, cases[i].says))
			fail_msg("\"%s\" does not say \"%s\"", err.message, cases[i].says);
	}
}

static void end_of_stream(void **state)
{
	struct frame f;
	struct err err;

	(void)state;
	assert_false(read_raw("", 0, &f, &err));
	assert_int_equal(err.code, ERR_NONE);
	assert_false(read_raw("FTF1", 4, &f, &err));
	assert_int_equal(err.code, ERR_SOURCE);
}

/* SIGPIPE has its default here, and would end this program. */
static void nobody_reads(void **state)
{
	struct err err;
	int p[2];

	(void)state;
	make_pipe(p);
	close(p[0]);
	assert_false(frame_write(p[1], FRAME_SAME, NULL, 0, &err));
	assert_int_equal(err.code, ERR_SOURCE);
	assert_non_null(strstr(err.message, "has closed"));
	close(p[1]);
}

/* A header may announce a gigabyte; memory is allocated as bytes arrive. */
static void promises_cost_nothing(void **state)
{
	struct frame_reader r;
	size_t room;

	(void)state;
	frame_reader_init(&r);
	put_header(frame_reader_room(&r, &room), FRAME_MAGIC, FRAME_CLUSTER, FRAME_MAX);
	assert_int_equal(frame_reader_got(&r, FRAME_HEADER, NULL), FRAME_MORE);
	frame_reader_room(&r, &room);
	assert_in_range(room, 1, 1 << 20);
	assert_in_range(r.capacity, 1, 1 << 20);
	frame_reader_free(&r);
}

/* ---- time lines ---------------------------------------------------------------------------- */

static void time_lines(void **state)
{
	static const int64_t times[] = { -5, 0, 1777842000, 1777842300, TIMELINE_MOST - 1 };
	struct timeline t = { .count = 0 }, u = { .count = 0 };
	struct bytes b = { .length = 0 };
	struct err err;

	(void)state;
	for (size_t i = 0; i < 5; i++)
		timeline_add(&t, times[i]);
	timeline_add_change(&t, 1777842300);
	timeline_add_gap(&t, 7, 1777842000, "slurmctld does not answer");
	timeline_add_gap(&t, 1777842300, I64_UNKNOWN, "");
	t.end = TIMELINE_MOST - 1;
	frame_put_timeline(&t, &b);
	/* Any truncation is an error. */
	for (size_t length = 0; length < b.length; length++) {
		char *piece = mem_alloc(length + 1, 1);

		memcpy(piece, b.data, length);
		assert_false(frame_get_timeline((unsigned char *)piece, length, &u, &err));
		assert_int_equal(err.code, ERR_SOURCE);
		assert_int_equal(u.count + u.gap_count + u.change_count, 0);
		mem_free(piece);
	}
	assert_true(frame_get_timeline((unsigned char *)b.data, b.length, &u, &err));
	assert_int_equal(u.count, t.count);
	assert_memory_equal(u.samples, t.samples, t.count * sizeof(*t.samples));
	assert_int_equal(u.change_count, 1);
	assert_int_equal(u.changes[0], 1777842300);
	assert_int_equal(u.gap_count, 2);
	assert_int_equal(u.gaps[0].since, 7);
	assert_int_equal(u.gaps[0].until, 1777842000);
	assert_string_equal(u.gaps[0].reason, "slurmctld does not answer");
	assert_int_equal(u.gaps[1].until, I64_UNKNOWN);
	assert_string_equal(u.gaps[1].reason, "");
	assert_int_equal(u.end, t.end);
	timeline_free(&t);
	timeline_free(&u);
	bytes_free(&b);
}

/* Counts of pictures, changes and gaps that exceed the payload. */
static void time_lines_that_promise(void **state)
{
	(void)state;
	for (size_t at = 8; at < 20; at += 4) {
		unsigned char payload[64] = { 0 };
		struct timeline t = { .count = 0 };

		frame_put_u32(payload + at, UINT32_MAX);
		assert_false(frame_get_timeline(payload, sizeof(payload), &t, NULL));
		assert_int_equal(t.count + t.gap_count + t.change_count, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(in_pieces),
		cmocka_unit_test(refusals),
		cmocka_unit_test(end_of_stream),
		cmocka_unit_test(nobody_reads),
		cmocka_unit_test(promises_cost_nothing),
		cmocka_unit_test(time_lines),
		cmocka_unit_test(time_lines_that_promise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
