/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/timeline.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/unknown.h"

void timeline_free(struct timeline *t)
{
	MEM_FREE(t->samples, t->gaps, t->changes);
	*t = (struct timeline){ .end = I64_UNKNOWN };
}

static bool is_time(int64_t time)
{
	return time >= -TIMELINE_MOST && time <= TIMELINE_MOST;
}

void timeline_add(struct timeline *t, int64_t time)
{
	if (!is_time(time))
		return;
	if (t->count > 0 && time <= t->samples[t->count - 1])
		return;
	MEM_GROW(t->samples, t->capacity, t->count + 1);
	t->samples[t->count++] = time;
}

void timeline_add_gap(struct timeline *t, int64_t since, int64_t until, const char *reason)
{
	size_t length = strlen(reason);
	struct timeline_gap *gap;

	if (!is_time(since) || (until != I64_UNKNOWN && (until <= since || !is_time(until))))
		return;
	MEM_GROW(t->gaps, t->gap_capacity, t->gap_count + 1);
	gap = &t->gaps[t->gap_count++];
	if (length >= sizeof(gap->reason))
		length = sizeof(gap->reason) - 1;
	gap->since = since;
	gap->until = until;
	memcpy(gap->reason, reason, length);
	gap->reason[length] = '\0';
}

void timeline_add_change(struct timeline *t, int64_t time)
{
	if (!is_time(time))
		return;
	MEM_GROW(t->changes, t->change_capacity, t->change_count + 1);
	t->changes[t->change_count++] = time;
}

/* How many of the COUNT ascending TIMES are not later than TIME. */
static size_t not_later(const int64_t *times, size_t count, int64_t time)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (times[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t timeline_at(const struct timeline *t, int64_t time)
{
	size_t n = not_later(t->samples, t->count, time);

	return n > 0 ? (uint32_t)(n - 1) : TIMELINE_NONE;
}

uint32_t timeline_from(const struct timeline *t, int64_t time)
{
	size_t n = not_later(t->samples, t->count, time);

	if (n > 0 && t->samples[n - 1] == time)
		n--;
	return n < t->count ? (uint32_t)n : TIMELINE_NONE;
}

const struct timeline_gap *timeline_gap(const struct timeline *t, int64_t from, int64_t to)
{
	for (size_t i = 0; i < t->gap_count && t->gaps[i].since < to; i++) {
		if (t->gaps[i].until == I64_UNKNOWN || t->gaps[i].until > from)
			return &t->gaps[i];
	}
	return NULL;
}

bool timeline_changed(const struct timeline *t, int64_t from, int64_t to)
{
	return not_later(t->changes, t->change_count, to) >
	       not_later(t->changes, t->change_count, from);
}

bool timeline_range(const struct timeline *t, int64_t *from, int64_t *to)
{
	if (t->count == 0)
		return false;
	*from = t->samples[0];
	*to = t->samples[t->count - 1];
	if (t->end > *to && is_time(t->end))
		*to = t->end;
	return true;
}
