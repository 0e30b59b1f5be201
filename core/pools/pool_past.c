/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/pools/pool_past.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/pools/pools.h"

void pool_past_free(struct pool_past *past)
{
	idmap_free(&past->slots);
	mem_free(past->values);
	memset(past, 0, sizeof(*past));
}

static uint64_t pool_past_key_of(const char *queue)
{
	return text_hash(queue, strlen(queue), 5);
}

static float *values_of(const struct pool_past *past, uint32_t place)
{
	return past->values + (size_t)place * POOL_PAST_SAMPLES;
}

/* Returns the index of a queue; a new one has NaN for all earlier samples. */
static uint32_t pool_past_place_of(struct pool_past *past, uint64_t key)
{
	uint32_t place = idmap_get(&past->slots, key, UINT32_MAX);

	if (place != UINT32_MAX)
		return place;
	place = (uint32_t)past->slots.count;
	past->values = mem_grow(past->values, &past->capacity, (size_t)place + 1,
				POOL_PAST_SAMPLES * sizeof(*past->values));
	for (uint32_t i = 0; i < POOL_PAST_SAMPLES; i++)
		values_of(past, place)[i] = NAN;
	idmap_put(&past->slots, key, place);
	return place;
}

/* Drops every second sample. */
static void pool_past_thin(struct pool_past *past)
{
	uint32_t left = (past->samples + 1) / 2;

	for (uint32_t i = 0; i < left; i++)
		past->times[i] = past->times[2 * i];
	for (size_t place = 0; place < past->slots.count; place++) {
		float *v = values_of(past, (uint32_t)place);

		for (uint32_t i = 0; i < left; i++)
			v[i] = v[2 * i];
		for (uint32_t i = left; i < POOL_PAST_SAMPLES; i++)
			v[i] = NAN;
	}
	past->samples = left;
	past->stride *= 2;
}

static bool all_unknown(const struct pools *p)
{
	for (uint32_t i = 0; i < p->queue_count; i++) {
		if (p->queues[i].used < U32_UNKNOWN)
			return false;
	}
	return true;
}

/* Where a sample of TIME goes; UINT32_MAX if there is one. */
static uint32_t pool_past_index_of(const struct pool_past *past, int64_t time)
{
	uint32_t i = past->samples;

	while (i > 0 && past->times[i - 1] > time)
		i--;
	return i > 0 && past->times[i - 1] == time ? UINT32_MAX : i;
}

/* Inserts at INDEX a sample that has no values yet. */
static void pool_past_insert(struct pool_past *past, uint32_t index, int64_t time)
{
	uint32_t behind = past->samples - index;

	memmove(&past->times[index + 1], &past->times[index], behind * sizeof(past->times[0]));
	past->times[index] = time;
	for (size_t place = 0; place < past->slots.count; place++) {
		float *v = values_of(past, (uint32_t)place) + index;

		memmove(v + 1, v, behind * sizeof(*v));
		*v = NAN;
	}
	past->samples++;
}

void pool_past_add(struct pool_past *past, const struct pools *p, int64_t time)
{
	uint32_t index = pool_past_index_of(past, time);

	/* Vanished queues keep their places; starts over once they are the majority. */
	if (past->slots.count > 4 * (size_t)p->queue_count + 1000)
		pool_past_free(past);
	if (past->stride == 0)
		past->stride = 1;
	if (index == UINT32_MAX || (past->skipped > 0 && time == past->offered) || all_unknown(p))
		return;
	past->offered = time;
	if (past->samples > 0 && ++past->skipped < past->stride)
		return;
	past->skipped = 0;
	if (past->samples == POOL_PAST_SAMPLES)
		pool_past_thin(past);
	index = pool_past_index_of(past, time);
	pool_past_insert(past, index, time);
	for (uint32_t i = 0; i < p->queue_count; i++) {
		uint32_t place = pool_past_place_of(past, pool_past_key_of(p->queues[i].name));
		uint32_t used = p->queues[i].used;

		values_of(past, place)[index] = used < U32_UNKNOWN ? (float)used : NAN;
	}
}

double pool_past_accumulated(const struct pool_past *past, const char *queue, int64_t time,
			     double hist_hours)
{
	uint32_t place = idmap_get(&past->slots, pool_past_key_of(queue), UINT32_MAX);
	double sum = F64_UNKNOWN;

	for (uint32_t i = 0; place != UINT32_MAX && i < past->samples && past->times[i] < time;
	     i++) {
		bool last = i + 1 == past->samples || past->times[i + 1] > time;
		double seconds = (double)((last ? time : past->times[i + 1]) - past->times[i]);
		double held = fmin(seconds, POOL_PAST_HOLD);
		float slots = values_of(past, place)[i];

		if (isnan(slots)) {
			sum = F64_UNKNOWN;
			continue;
		}
		sum = slots_accumulate(f64_known(sum) ? sum : 0, (uint32_t)slots, held / 3600,
				       hist_hours);
		sum = slots_accumulate(sum, 0, (seconds - held) / 3600, hist_hours);
	}
	return sum;
}

int64_t *pool_past_plan(const struct pool_past *past, const struct timeline *line, int64_t time,
			double hist_hours, size_t *count)
{
	int64_t reach = hist_hours > 0 ? (int64_t)fmin(6 * 3600 * hist_hours, 1e12) : INT64_MAX;
	size_t first = 0, end, stride;
	int64_t *times = mem_alloc(POOL_PAST_LOOKS, sizeof(*times));

	*count = 0;
	while (first < line->count && line->samples[first] < time - reach)
		first++;
	end = first;
	while (end < line->count && line->samples[end] < time)
		end++;
	stride = 1 + (end - first) / POOL_PAST_LOOKS;
	/* The choice is the same for a later TIME. */
	for (size_t i = (first + stride - 1) / stride * stride; i < end; i += stride) {
		if (pool_past_index_of(past, line->samples[i]) != UINT32_MAX)
			times[(*count)++] = line->samples[i];
	}
	return times;
}

static void pool_past_put(struct pool_series *s, int64_t time, float value, int64_t until)
{
	if (time > until || (s->count > 0 && time <= s->times[s->count - 1]))
		return;
	s->times[s->count] = time;
	s->values[s->count++] = value;
}

struct pool_series pool_past_get(const struct pool_past *past, const struct pools *p, uint32_t row,
				 int64_t until)
{
	const struct pools_queue *q = &p->queues[p->members[row]];
	uint32_t place = idmap_get(&past->slots, pool_past_key_of(q->name), UINT32_MAX);
	struct pool_series s = { .count = 0 };
	struct pools_sample *reported;
	size_t reported_count;

	reported = pools_past(p, p->members[row], &reported_count);
	s.times = mem_alloc(reported_count + past->samples + 1, sizeof(*s.times));
	s.values = mem_alloc(reported_count + past->samples + 1, sizeof(*s.values));
	for (size_t i = 0; i < reported_count; i++)
		pool_past_put(&s, reported[i].time, (float)reported[i].slots, until);
	for (uint32_t i = 0; place != UINT32_MAX && i < past->samples; i++)
		pool_past_put(&s, past->times[i], values_of(past, place)[i], until);
	if (q->used < U32_UNKNOWN)
		pool_past_put(&s, until, (float)q->used, until);
	mem_free(reported);
	return s;
}

void pool_series_free(struct pool_series *series)
{
	mem_free(series->times);
	mem_free(series->values);
	*series = (struct pool_series){ .count = 0 };
}

/* Digits up to END; false without any, or with more than a time has. */
static bool pool_past_take_number(const char **at, char end, int64_t *out)
{
	int64_t x = 0;
	unsigned digits = 0;

	for (; **at >= '0' && **at <= '9' && digits < 13; digits++)
		x = 10 * x + (*(*at)++ - '0');
	if (digits == 0 || **at != end)
		return false;
	*out = x;
	return true;
}

static bool take_sample(const char *text, struct pools_sample *out)
{
	int64_t slots;

	if (!text || !pool_past_take_number(&text, '=', &out->time))
		return false;
	text++;
	if (!pool_past_take_number(&text, '\0', &slots) || slots > INT32_MAX)
		return false;
	out->slots = (uint32_t)slots;
	return true;
}

struct pools_sample *pools_past(const struct pools *p, uint32_t queue, size_t *count)
{
	struct text_list list = { .texts = NULL, .count = 0 };
	struct pools_sample *samples, *last;

	*count = 0;
	if (!p->partitions)
		list = cluster_list(p->cluster, F_QUEUE_PAST, p->queues[queue].row);
	samples = mem_alloc((size_t)list.count + 1, sizeof(*samples));
	for (uint32_t i = 0; i < list.count; i++) {
		last = &samples[*count];
		if (take_sample(cluster_string(p->cluster, list.texts[i]), last) &&
		    (*count == 0 || last->time > last[-1].time))
			(*count)++;
	}
	return samples;
}
