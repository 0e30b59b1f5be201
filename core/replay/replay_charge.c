/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/replay/replay_charge.h"

#include "core/base/mem.h"
#include "core/cluster/timeline.h"
#include "core/share/decay.h"

#define PASSES_MAX 50000000

size_t charge_pass(const struct charge *c, int64_t time)
{
	size_t low = 0, high = c->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->pass[middle] < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Computes, as of the last pass, what remains of each pass's part, and sums of whole slices. */
static void replay_charge_sum_up(struct charge *c)
{
	int64_t last = c->pass[c->count - 1];

	c->left = mem_alloc(c->count, sizeof(*c->left));
	c->sum = mem_zalloc(c->count + 1, sizeof(*c->sum));
	for (size_t i = c->count; i-- > 0;) {
		int64_t slice = i > 0 ? c->pass[i] - c->pass[i - 1] : 0;

		c->left[i] = decay_over(c->half_life, last - c->pass[i]);
		c->sum[i] = c->sum[i + 1] + decay_charge(c->half_life, slice, 1, 1) * c->left[i];
	}
}

bool charge_open(struct charge *c, int64_t half_life, int64_t since, int64_t until,
		 const int64_t *passes, size_t count, int64_t period, int64_t anchor,
		 struct err *err)
{
	int64_t last;			/* not behind UNTIL */
	size_t storage;

	*c = (struct charge){ .half_life = half_life, .until = until };
	if (since < -TIMELINE_MOST || until > TIMELINE_MOST || anchor < -TIMELINE_MOST ||
	    anchor > TIMELINE_MOST)
		return err_set(err, ERR_INPUT, "invalid times");
	last = anchor + (until - anchor - (until < anchor ? period - 1 : 0)) / period * period;
	storage = passes ? count : since < last ? (size_t)((last - since) / period) + 1 : 0;
	if (storage > PASSES_MAX)
		return err_set(err, ERR_INPUT, "%zu decay passes (expected %d at most)", storage,
			       PASSES_MAX);
	c->pass = mem_alloc(storage + 1, sizeof(*c->pass));
	c->pass[c->count++] = since;
	for (size_t i = 0; i < storage; i++) {
		int64_t time = passes ? passes[i] : last - (int64_t)(storage - 1 - i) * period;

		if (time > since && time <= until)
			c->pass[c->count++] = time;
	}
	replay_charge_sum_up(c);
	return true;
}

void charge_close(struct charge *c)
{
	MEM_FREE(c->pass, c->left, c->sum);
}

double charge_of(const struct charge *c, int64_t start, int64_t end, size_t first)
{
	int64_t from = start > c->pass[0] ? start : c->pass[0];
	bool ended = end != I64_UNKNOWN && end <= c->until;
	/* The first pass in its time, the last before its end; a pass at the end comes after it. */
	size_t a, b;
	double x = 0;

	if (start == I64_UNKNOWN || start > c->until || (ended && end <= c->pass[0]))
		return 0;
	a = charge_pass(c, from);
	b = (ended ? charge_pass(c, end) : c->count) - 1;
	if (a <= b) {
		size_t whole = a + 1 > first ? a + 1 : first;

		if (a >= first)
			x = decay_charge(c->half_life, c->pass[a] - from, 1, 1) * c->left[a];
		if (whole <= b)
			x += c->sum[whole] - c->sum[b + 1];
	}
	if (ended && b >= first)
		x += decay_charge(c->half_life, end - (a <= b ? c->pass[b] : from), 1, 1) *
		     c->left[b];
	return x;
}
