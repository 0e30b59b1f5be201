/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time lines as payloads. */
#include <string.h>

#include "adapters/frame.h"
#include "core/base/bytes.h"
#include "core/cluster/timeline.h"

#define HEAD 20			/* end and the three counts */
#define GAP_LEAST 17		/* bytes of a gap without a reason */

static void frame_past_put_u32(struct bytes *b, size_t value)
{
	unsigned char raw[4];

	frame_put_u32(raw, (uint32_t)value);
	bytes_append(b, (const char *)raw, sizeof(raw));
}

static void frame_past_put_i64(struct bytes *b, int64_t value)
{
	unsigned char raw[8];

	frame_put_i64(raw, value);
	bytes_append(b, (const char *)raw, sizeof(raw));
}

void frame_put_timeline(const struct timeline *t, struct bytes *b)
{
	b->length = 0;
	frame_past_put_i64(b, t->end);
	frame_past_put_u32(b, t->count);
	frame_past_put_u32(b, t->change_count);
	frame_past_put_u32(b, t->gap_count);
	for (size_t i = 0; i < t->count; i++)
		frame_past_put_i64(b, t->samples[i]);
	for (size_t i = 0; i < t->change_count; i++)
		frame_past_put_i64(b, t->changes[i]);
	for (size_t i = 0; i < t->gap_count; i++) {
		const struct timeline_gap *gap = &t->gaps[i];
		unsigned char length = (unsigned char)strnlen(gap->reason, TIMELINE_REASON - 1);

		frame_past_put_i64(b, gap->since);
		frame_past_put_i64(b, gap->until);
		bytes_append(b, (const char *)&length, 1);
		bytes_append(b, gap->reason, length);
	}
}

/* Reads a gap at *AT; false if it does not end before END. */
static bool get_gap(const unsigned char **at, const unsigned char *end, struct timeline *out)
{
	const unsigned char *p = *at;
	char reason[TIMELINE_REASON];

	if (end - p < GAP_LEAST || end - p - GAP_LEAST < p[16] || p[16] >= TIMELINE_REASON)
		return false;
	memcpy(reason, p + GAP_LEAST, p[16]);
	reason[p[16]] = '\0';
	timeline_add_gap(out, frame_get_i64(p), frame_get_i64(p + 8), reason);
	*at = p + GAP_LEAST + p[16];
	return true;
}

bool frame_get_timeline(const unsigned char *payload, size_t length, struct timeline *out,
			struct err *err)
{
	const unsigned char *p = payload + HEAD, *end = payload + length;
	uint64_t samples, changes, gaps;
	bool whole = length >= HEAD;

	samples = whole ? frame_get_u32(payload + 8) : 0;
	changes = whole ? frame_get_u32(payload + 12) : 0;
	gaps = whole ? frame_get_u32(payload + 16) : 0;
	whole = whole && (samples + changes) * 8 + gaps * GAP_LEAST <= length - HEAD;
	for (uint64_t i = 0; whole && i < samples; i++, p += 8)
		timeline_add(out, frame_get_i64(p));
	for (uint64_t i = 0; whole && i < changes; i++, p += 8)
		timeline_add_change(out, frame_get_i64(p));
	for (uint64_t i = 0; whole && i < gaps; i++)
		whole = get_gap(&p, end, out);
	if (!whole || p != end) {
		timeline_free(out);
		return err_set(err, ERR_SOURCE, "its time line is cut off");
	}
	if (samples > 0)
		out->end = frame_get_i64(payload);
	return true;
}
