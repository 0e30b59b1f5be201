/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a source tells of the past of a queue: TIME=SLOTS, oldest first. */
#include "core/pools/pools.h"

#include "core/base/mem.h"

/* Digits up to END; false without any, or when there are more than a time has. */
static bool take_number(const char **at, char end, int64_t *out)
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

	if (!text || !take_number(&text, '=', &out->time))
		return false;
	text++;
	if (!take_number(&text, '\0', &slots) || slots > INT32_MAX)
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
